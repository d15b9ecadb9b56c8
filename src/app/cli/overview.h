/* overview.h - `gpustat DIR`: what is there, and which commands fit it. */
#pragma once

#include "data/result/frame.h"

/* Appends the commands that answer most about files of which `map` printed this frame; `paths` as they were typed. */
void gs_overview_commands(struct gs_buf *b, const struct gs_frame *map, const char *paths);

/* Takes the files that no role was found for off the end of the frame, unless there are no others; returns how many. */
size_t gs_overview_unused(struct gs_frame *map);
