/* overview.h - `gpustat DIR`: what is there, and which commands fit it. */
#pragma once

#include "input/schema/map.h"

/* Appends the commands that answer most about the files of a map; `paths` as they were typed. */
void gs_overview_commands(struct gs_buf *b, const struct gs_map *map, const char *paths);
