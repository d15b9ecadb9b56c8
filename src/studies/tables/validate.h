/* validate.h - are a model's operations, each measured alone, as much as the model measured whole? */
#pragma once

#include "data/result/frame.h"
#include "data/tables/study_tables.h"

/*
 * Appends the frame "validate": one row per model in order of its name, the sum of count * value over its
 * operations against the whole, their ratio, and the difference in units of the combined standard deviation
 * sqrt(sd(sum)^2 + sd(whole)^2), where sd(sum) = sqrt(sum of (count * sd)^2).
 *
 * Missing: a sum lacks what one of its operations lacks (its value, or for the sd its sd); a model without
 * whole or without operations keeps its row, and is noted. The combined sd needs both. Unknown is never zero.
 * Errors:  GS_ERR_DATA for a model with two wholes (both lines are named); GS_ERR_MEMORY.
 * Memory:  lives in `arena`.
 * Source:  C. Nicolai, master's thesis, Heidelberg University, 2024.
 */
enum gs_status gs_validate_frame(const struct gs_cost_table *table, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err);
