/* crosstalk.h - what co-running kernels cost each other. */
#pragma once

#include "data/result/frame.h"
#include "data/tables/study_tables.h"

/*
 * Appends the frame "crosstalk": one row per (kernel, victims, co_runners), in that order. T is the mean
 * time; slowdown S(k, p) = T(k, p) / T(k, 0), performance 1 / S; equivalent T(k + p, 0), the time if each
 * persistent kernel were one more ordinary one, and its relative error T(k, p) / T(k + p, 0) - 1; and how far
 * apart the times of one anti-diagonal k + p lie, greatest over least less 1.
 *
 * Missing: slowdown and performance without T(k, 0); the equivalent without T(k + p, 0), and for p = 0, where
 *          it is the time itself; the spread of an anti-diagonal of one.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  lives in `arena`.
 * Source:  study of GPU performance degradation under MPS and persistent kernels (Quadro P4000).
 */
enum gs_status gs_crosstalk_frame(const struct gs_crosstalk_table *table, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err);

/*
 * Appends the frame "crosstalk-matrix": one row per (kernel, victims), one column of slowdown per number of
 * co-runners in the table. `frame` is what gs_crosstalk_frame made. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_crosstalk_matrix(const struct gs_frame *frame, struct gs_arena *arena,
                                   struct gs_frames *out, struct gs_err *err);
