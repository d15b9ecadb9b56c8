/* sweep.h - a frequency sweep: how time, power and energy of each workload answer the clock. */
#pragma once

#include "data/result/frame.h"
#include "stats/models/loess.h"
#include "data/tables/study_tables.h"

struct gs_sweep_options {
    struct gs_loess_options loess; /* over the points of a group: relative time against frequency */
};

/* What a sweep gives. The frames are not appended anywhere: the caller shows what it was asked for. */
struct gs_sweep_frames {
    struct gs_frame *groups; /* "sweep": one row per group, in order of its name */
    struct gs_frame *points; /* "sweep-points": one row per (group, frequency) */
    /* "sweep-correlations": one row per (group, pair), for the bars */
    struct gs_frame *correlations;
};

/*
 * Evaluates a sweep, group by group.
 *
 * At each frequency: mean, standard deviation (n - 1) and coefficient of variation of time and power;
 * relative time, the mean time over the least mean time of the group; energy, mean power times mean time. Per
 * group: Pearson's r over its runs; the frequency of least energy (of equal ones the highest) with the energy
 * saved and the time lost there against the highest frequency; the knee, where the best two joined lines
 * through the mean powers meet, if power rises more steeply above it than below.
 *
 * Missing: a deviation for a single run; r where a side is constant; the knee below 4 frequencies or without
 * such a bend (counted in a note); energy figures where the energy or time at the highest frequency is 0.
 * Errors:  GS_ERR_RANGE for options that make no curve; GS_ERR_MEMORY.
 * Memory:  frames live in `arena`.
 * Source:  R. Drechsler, C. A. Metz, C. Plump, Energy-Efficient CNN Inferencing on GPUs with Dynamic
 * Frequency Scaling.
 */
enum gs_status gs_sweep_evaluate(const struct gs_sweep_table *table,
                                 const struct gs_sweep_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_sweep_frames *frames,
                                 struct gs_err *err);
