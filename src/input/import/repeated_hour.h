/* repeated_hour.h - finds the hour that local times have twice, where a clock went back. */
#pragma once

#include "data/tables/dataset.h"

/*
 * Refuses samples without a zone that are of the night in which summer time ends: read as UTC, two hours would be one, and
 * their mean counted.
 * Errors: GS_ERR_DATA, with the option that tells them apart; GS_ERR_MEMORY. Cost: a look at each segment's times.
 */
enum gs_status gs_repeated_hour_refuse(const struct gs_dataset *d, const char *name,
                                       struct gs_err *err);

/* Is a local time, as if it were UTC, in an hour that the clocks of many have twice? */
bool gs_repeated_hour_has(int64_t t_ns);
