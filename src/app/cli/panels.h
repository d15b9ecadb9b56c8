/* panels.h - which panels of the figures --show asks for. */
#pragma once

#include "data/result/frame.h"

/*
 * Leaves the panels of columns that an item of `show` names; figures without any go. NULL, "all" and "default" leave
 * all. Errors: GS_ERR_USAGE where nothing is left, with the columns that there are; GS_ERR_MEMORY.
 */
enum gs_status gs_panels_choose(struct gs_frame *first, const char *show, struct gs_arena *arena,
                                struct gs_err *err);
