/* tzif.h - time zones as the files of a system have them: every change of the clock. */
#pragma once

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/num/timestamp.h"

/*
 * The zone of a TZif file of version 2 or later, its rule for the years to come written out until 2262.
 * Errors: GS_ERR_DATA, what is wrong without a place; GS_ERR_MEMORY.
 * Memory: lives in `arena`, `name` must stay.
 * Source: RFC 8536.
 */
enum gs_status gs_zone_of_tzif(const char *bytes, size_t n_bytes, const char *name,
                               struct gs_arena *arena, struct gs_zone *zone, struct gs_err *err);
