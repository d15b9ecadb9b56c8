/* cmd_map.h - what `gpustat map` finds, for the overview of a path without a command. */
#pragma once

#include "analysis/run_kind/kind.h"
#include "app/options/command.h"
#include "input/schema/map.h"

/*
 * The map of the command's operands and options, with what was found in the files. `parsed`: of gs_cmd_map. `kind`: for each
 * source what its events make the run, of others a log; NULL: not asked.
 */
enum gs_status gs_map_of_command(const void *parsed, const struct gs_context *context,
                                 struct gs_map *found, struct gs_kind_found **kind,
                                 struct gs_notes *notes, struct gs_err *err);

/* A row for each source, then for each file that is not used. */
enum gs_status gs_map_frame(const struct gs_map *map, struct gs_arena *arena, struct gs_frames *out,
                            struct gs_err *err);
