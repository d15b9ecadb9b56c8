/* load_any.h - a run in whatever form: the study's files as ever, anything else by its map. */
#ifndef GPUSTAT_LOAD_ANY_H
#define GPUSTAT_LOAD_ANY_H

#include "input/import/map_load.h"

/*
 * Loads a run. The study's files by their names, and named files with its columns, go the way of gs_load; a map, --set,
 * operands that are files, and files of any other form go the way of gs_map_load.
 *
 * Errors: of the way that was taken; where neither finds what is needed, of gs_load for a directory that holds nothing
 *         else, else the list of files with what they lack.
 */
enum gs_status gs_load_any(const struct gs_map_request *request,
                           const struct gs_load_options *options, bool zone_given,
                           struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err);

/* Is a run that is asked for so all in files of the study's columns, found by their names or named? */
bool gs_is_study(const struct gs_map_request *request, const struct gs_load_options *options);

#endif
