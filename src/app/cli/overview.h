/* overview.h - `gpustat DIR`: what is there, and which commands fit it. */
#pragma once

#include "analysis/run_kind/kind.h"
#include "input/schema/map.h"

/*
 * Appends the kind of the run and the commands that answer most about the files of a map. `kind`: of each source; `paths` as
 * they were typed; `width`: columns of a line.
 */
void gs_overview_commands(struct gs_buf *b, const struct gs_map *map,
                          const struct gs_kind_found *kind, const char *paths, unsigned width);
