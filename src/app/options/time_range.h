/* time_range.h - --from and --to: which time of a run is looked at. */
#pragma once

#include "app/options/dataset_opts.h"

/*
 * Checks both before any file is read.
 * Errors: GS_ERR_USAGE, with what was found and expected; for what counts from the run's start or end, with shards.
 */
enum gs_status gs_time_range_check(const struct gs_dataset_opts *o, struct gs_err *err);

/*
 * The range of a run that is loaded: NULL where neither was given.
 * Errors: GS_ERR_USAGE for borders in no order, and for a time of day that is in the run never or more than once;
 * GS_ERR_DATA where nothing of a whole run lies inside. Memory: lives in `arena`.
 */
enum gs_status gs_time_range_set(const struct gs_dataset_opts *o, struct gs_arena *arena,
                                 struct gs_dataset *d, struct gs_notes *notes, struct gs_err *err);
