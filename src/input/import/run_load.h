/* run_load.h - loads a run of any format into a dataset. */
#pragma once

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

/*
 * Loads a run in whatever form: makes its map (see gs_run_map) and loads that. Rows of the study's own tables are taken as
 * they stand; like those of other files, they must have a host and a time in common with the events.
 */
enum gs_status gs_run_load(const struct gs_map_request *request,
                           const struct gs_load_options *options, bool zone_given,
                           struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err);
