/* slow.h - finds units that are slow within their group, compared by times for the same work. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

#define GS_SLOW_NONE UINT32_MAX

/* The times of all units. Texts of types and populations are the caller's. */
struct gs_slow_input {
    size_t n_units, n_populations;
    /* [n_units + 1]: times of unit i are time[first[i]] .. time[first[i + 1] - 1] */
    const size_t *first;
    const double *time;   /* not negative, finite, one unit of time throughout */
    const uint32_t *type; /* of each time, 0 .. n_types - 1; NULL where n_types <= 1 */
    size_t n_types;
    const uint32_t *population; /* [n_units]; GS_SLOW_NONE: held against nobody */
    /* [n_units], a population that it must be slow against too; GS_SLOW_NONE: none */
    const uint32_t *second;
    double least; /* effect: its median is at least (1 + least) times theirs */
    double fdr; /* false discovery rate                                                          */
};

/* What is found about a unit; NaN where it is not known. */
struct gs_slow_unit {
    /* its median time over that of the others of its population, less 1; types divided out */
    double slowdown;
    /* probability that one of its times is longer than one of theirs, ties half */
    double superiority;
    /* of its times / (1 + least) being longer than theirs; q by Benjamini and Hochberg */
    double p, q;
    double second_slowdown;
    bool slow;
};

/*
 * Judges every unit: slow are those whose median is at least (1 + least) times that of the others of their
 * population, and of all of `second` where there is one, with q < fdr.
 *
 * With several types a time is divided by the median of its type in the population that it is held against; a type
 * that is not there, or whose median is 0, is left out.
 *
 * p is that of the one-sided rank-sum test, the greater of two where there is a second population: exact for up to
 * GS_RANK_EXACT_TIMES times of the unit (ties count for it), else as gs_rank_sum has it.
 *
 * Shapes:  unit[n_units].
 * Missing: a unit without times or without others has no p and does not count as tested.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  `scratch` is rewound. Cost: O(n log n) for n times.
 */
enum gs_status gs_slow_find(const struct gs_slow_input *in, struct gs_slow_unit *unit,
                            struct gs_arena *scratch, struct gs_err *err);
