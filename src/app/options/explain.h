/* explain.h - --explain: how each column came about, as frames of their own. */
#pragma once

#include "app/options/command.h"

/*
 * Makes two frames: one row per column of `result` (frame, column, unit, how), and one row per option of
 * the command, and of those of costs that were given, with the value in force. Memory: lives in the context's arena.
 */
enum gs_status gs_explain(const struct gs_frames *result, const void *parsed,
                          const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err);

/*
 * Makes one frame of the two, for formats that hold one table: an option is a row of the frame "options", its name
 * in `column`, its value in `how`.
 */
enum gs_status gs_explain_as_one(struct gs_frames *explained, struct gs_arena *arena,
                                 struct gs_err *err);
