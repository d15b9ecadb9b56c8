/* condition.h - 'COLUMN OP VALUE' over the rows of a result: --fail-if asks for one, --filter keeps those that hold it. */
#pragma once

#include "app/options/column_names.h"
#include "data/result/frame.h"

/* Refuses what is no condition, and a column as gs_column_name_check does, before files are read. */
enum gs_status gs_condition_check(const char *option, const char *condition,
                                  const struct gs_column_names *names, struct gs_err *err);

/*
 * Does some row hold what the condition says: "gpu_verdict!=ok", "energy_j > 5e6"? Numbers are compared as numbers, times
 * and texts as they are printed. A missing cell holds nothing.
 * Errors: GS_ERR_USAGE for what is no condition, a column that no frame has, or a number that is none.
 */
enum gs_status gs_fail_if(const char *condition, const struct gs_frames *frames, bool *holds,
                          struct gs_err *err);

/*
 * Keeps the rows that hold the condition, in every frame that has its column. Errors as above.
 * Memory: a byte and a number for each row; cells stay where they are, in `arena` or their source.
 */
enum gs_status gs_filter(const char *condition, const struct gs_frames *frames,
                         struct gs_arena *arena, struct gs_err *err);
