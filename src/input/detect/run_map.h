/* run_map.h - the map of a run: which files make it up, and what may not go unread. */
#pragma once

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

/*
 * Makes the map of a run.
 * Errors: GS_ERR_DATA for a damaged split, and for a file of the study's name that is no table where its part is needed;
 *         those of gs_map_build.
 */
enum gs_status gs_run_map(const struct gs_map_request *request,
                          const struct gs_load_options *options, struct gs_arena *arena,
                          struct gs_map *map, struct gs_err *err);

/* Are all events and samples of a run in the study's own columns? */
bool gs_map_is_study(const struct gs_map *map);
