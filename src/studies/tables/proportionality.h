/* proportionality.h - from how long a run on is its time proportional to its iterations? */
#pragma once

#include "data/result/frame.h"
#include "data/tables/study_tables.h"

/* The answer. What is undefined is NaN. */
struct gs_proportionality {
    /* points; those of the most iterations that the line is fitted to: n - floor(n / 7) */
    size_t n, n_fit;
    double slope_s; /* per iteration                                                    */
    double intercept_s;
    double residual_sd_s;  /* of the fitted part, divisor n_fit - 1 as everywhere in the study */
    size_t n_outliers;     /* points, of all, farther from the line than 5 residual_sd_s       */
    size_t n_outliers_fit; /* of them, in the fitted part                                     */
    double threshold_s;    /* the longest of them: below it run time is not proportional       */
};

/*
 * Fits and appends the frame "proportionality" (one row), and makes "proportionality-points" in *points: one
 * row per run in order of iterations, with the line, the residual, also in units of the sd, and the part it
 * belongs to. Points with as many iterations are ordered by run time, so that the order of rows does not
 * matter.
 *
 * Missing: the line needs two different iterations in its part, else slope, intercept, sd and threshold are
 *          missing.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  frames live in `arena`; *points is appended to no list.
 * Source:  C. Nicolai, master's thesis, Heidelberg University, 2024, section 3.1.
 */
enum gs_status gs_proportionality_frames(const struct gs_iteration_table *table,
                                         struct gs_arena *arena, struct gs_frames *out,
                                         struct gs_frame **points,
                                         struct gs_proportionality *answer, struct gs_err *err);
