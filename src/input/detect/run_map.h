/* run_map.h - decides which files make up a run: the study's, those of a map, or detected ones. */
#pragma once

#include "input/detect/map_build.h"
#include "input/import/load_options.h"

/*
 * Makes the map of a run: where nobody says how to read the files, those of the study's names, or named ones with its
 * columns, are sources of the form "study"; everything else goes through gs_map_build.
 *
 * Errors: GS_ERR_DATA for a damaged split, and for a file of the study's name that is no table where others are; those
 *         of gs_inputs_find or of gs_map_build, whichever says more about the files.
 */
enum gs_status gs_run_map(const struct gs_map_request *request,
                          const struct gs_load_options *options, struct gs_arena *arena,
                          struct gs_map *map, struct gs_err *err);

/* The same by detection alone; not complete where a needed role has no source then. Errors: as gs_is_study. */
enum gs_status gs_run_map_detected(const struct gs_map_request *request,
                                   const struct gs_load_options *options, struct gs_arena *arena,
                                   struct gs_map *map, bool *complete, struct gs_err *err);

/* The files of a map in its order, without a form: as those of the study's own tables are read. */
enum gs_status gs_run_map_inputs(const struct gs_map *map, struct gs_arena *arena,
                                 struct gs_input **input, size_t *n_inputs, struct gs_err *err);

/*
 * Is a run that is asked for so all in files of the study's columns, found by their names or named?
 * Errors: GS_ERR_IO and GS_ERR_MEMORY alone: what else is wrong with the files is for their reader to say.
 */
enum gs_status gs_is_study(const struct gs_map_request *request,
                           const struct gs_load_options *options, bool *study, struct gs_err *err);
