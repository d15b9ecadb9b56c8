/* populations.h - groups of units that are different machines, not different luck. */
#ifndef GPUSTAT_POPULATIONS_H
#define GPUSTAT_POPULATIONS_H

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

/* Who belongs to whom. Populations are numbered by ascending centre, column 0 first. */
struct gs_populations {
    size_t n, n_columns, k;
    uint32_t *
        of; /* [n], 0 .. k-1; GS_POPULATION_NONE: it lacks a column and there are several           */
    uint32_t *
        next; /* [n], the nearest of the others; GS_POPULATION_NONE where there is none               */
    double *
        silhouette; /* [n], -1 .. 1: how much nearer to its own than to the next; NaN where there is none   */
    uint64_t *
        size; /* [k]                                                                                  */
    double
        mean_silhouette; /* over all that have one; NaN where k = 1                                              */
    size_t
        n_aside; /* outliers that took no part in the search and joined the nearest centre afterwards    */
};

/*
 * Finds the populations by k-means on standardised columns.
 *
 * k = 0: units more than 3 interquartile ranges outside the quartiles of a column are set aside where they are fewer
 * than max(3, 10 %). Of k = 2 .. GS_POPULATIONS_MAX those are accepted whose groups each hold at least max(3, 10 %)
 * of the units, whose mean silhouette is 0.6 or more and whose centres lie, each two of them, more than twice the
 * sum of both groups' deviations along their line apart; the one of greatest silhouette is taken, and none accepted
 * is one population. Those set aside join the nearest centre. Another k is taken as it is given, with all units.
 *
 * Shapes:  x[n * n_columns], row by row in key order; n_columns from 0 (one population) to GS_POPULATIONS_COLUMNS_MAX.
 * Missing: NaN; a unit that lacks a column is of the population where there is one, else of none.
 * Errors:  GS_ERR_RANGE where fewer than k rows differ; GS_ERR_MEMORY.
 * Memory:  the result lives in `arena`; `scratch` (another arena) is rewound.
 * Cost:    O(n * min(n, GS_SILHOUETTE_ROWS_MAX)).
 */
enum gs_status gs_populations_find(const double *x, size_t n, size_t n_columns, size_t k,
                                   struct gs_arena *arena, struct gs_arena *scratch,
                                   struct gs_populations *result, struct gs_err *err);

#endif
