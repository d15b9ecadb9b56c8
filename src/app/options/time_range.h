/* time_range.h - --from and --to: which time of a run is looked at. */
#pragma once

#include "app/options/dataset_opts.h"

/*
 * Checks both before any file is read.
 * Errors: GS_ERR_USAGE, with what was found and expected; for what counts from the run's start or end, with shards.
 */
enum gs_status gs_time_range_check(const struct gs_dataset_opts *o, struct gs_err *err);

/* Is a border measured from the run's ends? They are those of all its events and samples, whatever a command looks at. */
bool gs_time_range_needs_ends(const struct gs_dataset_opts *o);

/* Has the tables of events and samples read, too, that are not among those needed; and takes them away again. */
void gs_time_range_want_ends(bool need[GS_N_TABLES], bool optional[GS_N_TABLES]);
void gs_time_range_drop_ends(const bool need[GS_N_TABLES], struct gs_dataset *d);

/*
 * The range of a run that is loaded: NULL where neither was given.
 * Errors: GS_ERR_USAGE for borders in no order, and for a time of day that is in the run never or more than once;
 * GS_ERR_DATA where nothing of a whole run lies inside. Memory: lives in `arena`.
 */
enum gs_status gs_time_range_set(const struct gs_dataset_opts *o, struct gs_arena *arena,
                                 struct gs_dataset *d, struct gs_notes *notes, struct gs_err *err);
