/* kmeans.h - deterministic k-means clustering, with a measure of separation. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

enum {
    GS_SILHOUETTE_ROWS_MAX = 5000, /* above, a sample of that many rows is measured */
    GS_KMEANS_K_MAX = 64,
    GS_KMEANS_COLUMNS_MAX = 64,
};

/* What is split: rows of finite numbers, in key order (so that the result is that of the keys). */
struct gs_kmeans_rows {
    const double *x; /* [n * n_columns], row by row */
    size_t n, n_columns;
};

struct gs_kmeans {
    size_t n, n_columns, k;
    uint32_t *label; /* [n], 0 .. k-1 */
    double *centre;  /* [k * n_columns], units of the input, ascending in column 0, then 1 ... */
    uint64_t *size;  /* [k], rows of each cluster, at least 1 */
    double inertia;  /* sum of squared distances to the centres, standardised units; for tests */
};

/*
 * Splits rows into k clusters, on columns standardised to mean 0 and sample deviation 1 (a constant column
 * counts for nothing).
 *
 * Two starts, neither random: repeated splits of the widest cluster at its mean along its principal axis, and
 * the rows farthest from each other; Lloyd's iteration from each; the lower inertia wins, the first at a tie.
 * A row as near to two centres goes to the one of lower number.
 *
 * Errors:  GS_ERR_RANGE when there are fewer than k distinct rows; GS_ERR_MEMORY.
 * Memory:  the result lives in `arena`; `scratch` (another arena) is rewound.
 * Cost:    O(iterations * n * k * n_columns).
 * Source:  S. P. Lloyd, IEEE Transactions on Information Theory 28, 1982; T. Su, J. G. Dy, Intelligent Data
 *          Analysis 11, 2007, for the first start; P. J. Rousseeuw, J. Comput. Appl. Math. 20, 1987.
 */
enum gs_status gs_kmeans_fit(const struct gs_kmeans_rows *rows, size_t k, struct gs_arena *arena,
                             struct gs_arena *scratch, struct gs_kmeans *result,
                             struct gs_err *err);

/* Of two points in d dimensions. */
static inline double gs_squared_distance(const double *a, const double *b, size_t d)
{
    double sum = 0.0;
    for (size_t j = 0; j < d; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}
