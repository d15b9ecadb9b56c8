/* run_load.h - loads a run of any format into a dataset. */
#pragma once

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

/* Loads a run in whatever form: makes its map (see gs_run_map) and loads that. */
enum gs_status gs_run_load(const struct gs_map_request *request,
                           const struct gs_load_options *options, bool zone_given,
                           struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err);
