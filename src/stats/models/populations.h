/* populations.h - finds groups of units (GPUs) that differ by more than chance. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

#define GS_POPULATION_NONE UINT32_MAX

/* clang-format off */
enum {
    GS_POPULATIONS_MAX = 4,         /* the most that are looked for where none are asked for          */
    GS_POPULATIONS_COLUMNS_MAX = 8,
};
/* clang-format on */

#define GS_POPULATIONS_LEAST 2.0

/* What they are looked for in. */
struct gs_populations_input {
    const double *x;     /* [n * n_columns], row by row in key order; NaN: missing              */
    size_t n, n_columns; /* columns from 0 (one population) to GS_POPULATIONS_COLUMNS_MAX       */
    unsigned relative;   /* bit j: column j is in no per cent; in it a point is 1 % of its median */
    bool joint;          /* columns 0 and 1 are looked at together, too                         */
    bool lenient;        /* take what more units of the same kind would prove                   */
    double least;        /* points that centres differ by on some axis                          */
    size_t k;            /* 0: found                                                            */
};

/* Who belongs to whom. Populations are numbered by ascending centre on the first axis that divides them. */
struct gs_populations {
    size_t n, k;
    unsigned axes;  /* bit j: column j divides them; 0 where k = 1                            */
    bool doubted;   /* other groups are likely, and more units of the same kind would prove them */
    uint32_t *of;   /* [n], 0 .. k-1; GS_POPULATION_NONE: it lacks a column and k > 1         */
    uint32_t *next; /* [n], the nearest of the others; GS_POPULATION_NONE where there is none */
    double *silhouette; /* [n], -1 .. 1: nearer to its own than to the next; NaN where k = 1    */
    uint64_t *size;     /* [k]                                                                  */
    double mean_silhouette; /* over all that have one; NaN where k = 1                          */
    size_t n_aside; /* outliers that the search left out; they joined the nearest centre        */
};

/*
 * Finds the populations: the best groups on each column alone (exact, by dynamic programming) and on columns 0 and 1
 * together (k-means).
 *
 * k = 0: of each candidate, units more than 3 interquartile ranges outside the quartiles are left out where they are
 * fewer than max(3, 10 %), and join the nearest centre afterwards. Accepted are 2 to GS_POPULATIONS_MAX groups that
 * each hold at least max(3, 10 %) of the units, whose mean silhouette is 0.6 or more, and each two of which lie
 * further apart than max(2, 1.9 + 21 / n) times the sum of their deviations (each at least a quarter of a point) and
 * by `least` on some axis. Of the accepted the most groups, then the greatest silhouette; none is one population.
 * Another k is taken as it is given, with all units, on all columns together.
 *
 * Missing: a unit that lacks an axis is of the population where there is one, else of none.
 * Errors:  GS_ERR_RANGE where fewer than k > 0 rows differ; GS_ERR_MEMORY.
 * Memory:  the result lives in `arena`; `scratch` (another arena) is rewound.
 * Cost:    O(n log n) and O(n * min(n, GS_SILHOUETTE_ROWS_MAX)) for the silhouettes.
 */
enum gs_status gs_populations_find(const struct gs_populations_input *in, struct gs_arena *arena,
                                   struct gs_arena *scratch, struct gs_populations *result,
                                   struct gs_err *err);
