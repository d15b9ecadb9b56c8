/* align_steps.h - when step times began that were written down without a clock. */
#pragma once

#include "input/import/load_options.h"
#include "input/schema/map.h"

/*
 * Gives every source of events that only has lengths (gs_source_is_chain) an origin where the map has none: the start of
 * the stretch of that length in which the GPUs of the map's samples were most active (utilisation, else power), with a
 * warning that names the instant, how well it fits and how to correct it. Without samples the steps run as relative time
 * from 1970, with a note.
 *
 * Errors: GS_ERR_DATA where the samples show no active stretch to align with; those of loading.
 * Memory: the origin lives in `arena`; what loading the samples took is given back.
 * Cost:   the samples are read once more, without the other sources.
 */
enum gs_status gs_align_steps(struct gs_map *map, const struct gs_load_options *options,
                              struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err);

/*
 * Gives events whose times are times of day alone the date at which they and dated samples have time in common, with a note; those
 * with several such dates or none are left. gs_align_steps does so first.
 * Errors: those of loading. Cost: where there are such events, samples and events are read once more.
 */
enum gs_status gs_place_days(struct gs_map *map, const struct gs_load_options *options,
                             struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err);
