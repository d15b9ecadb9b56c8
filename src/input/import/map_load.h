/* map_load.h - a dataset from the files of a map. */
#pragma once

#include "input/import/load.h"
#include "input/detect/map_build.h"

/*
 * Loads a run by a map: gs_load with the map's files, read by their forms. Sources of tables that options->need does not
 * ask for are left out.
 *
 * Errors: GS_ERR_NOINPUT for a needed table without a source, with the files that are none; those of the forms; those of
 *         gs_map_agree: two sources for one metric, samples and events that have no instant or no host in common ...
 */
enum gs_status gs_map_load(struct gs_map *map, const struct gs_load_options *options,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err);

/*
 * Loads the rows of one source as they stand, whatever other sources hold, and what its files came to: *found.
 * Errors: those of its form.
 */
enum gs_status gs_map_load_source(struct gs_source *source, const struct gs_load_options *options,
                                  struct gs_arena *arena, struct gs_mapped_source **found,
                                  struct gs_dataset *d, struct gs_err *err);

/*
 * The host of samples that name none: the only one that the events name, else the stem of their first file; missing
 * where all name one. Lives in `arena`.
 */
enum gs_status gs_map_host(const struct gs_map *map, const struct gs_load_options *options,
                           struct gs_arena *arena, struct gs_str *host, struct gs_err *err);
