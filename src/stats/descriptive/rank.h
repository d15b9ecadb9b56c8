/* rank.h - mid-ranks, the rank-sum test and the false discovery rate. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/core/arena.h"
#include "base/num/int128.h"
#include "base/core/status.h"

/* A double as an int64 in the same order; -0 and 0 are one. Not for NaN. */
static inline int64_t gs_real_key(double x)
{
    int64_t bits;
    x += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static inline double gs_real_of_key(int64_t key)
{
    const int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/*
 * Stores the places of x[0..n) in ascending order: x[order[0]] <= x[order[1]] ... Stable.
 * Errors:  GS_ERR_MEMORY; n must be below 2^32 (asserted).
 * Memory:  `scratch` is rewound.
 * Cost:    O(n log n).
 */
enum gs_status gs_order(const int64_t *x, size_t n, uint32_t *order, struct gs_arena *scratch,
                        struct gs_err *err);

/* Puts x[0..n), without NaN, in ascending order. Errors and memory as gs_order. Cost: mostly O(n). */
enum gs_status gs_sort_reals(double *x, size_t n, struct gs_arena *scratch, struct gs_err *err);

/*
 * Stores twice the mid-rank of each value: 2 for the smallest, 3 for each of two smallest that are equal.
 * `ties` (NULL allowed) gets the sum of t^3 - t over groups of t equal values.
 * Missing: must have been left out. Errors, memory, cost: as gs_order.
 */
enum gs_status gs_mid_ranks(const int64_t *x, size_t n, int64_t *twice_rank, gs_u128 *ties,
                            struct gs_arena *scratch, struct gs_err *err);

/* The Wilcoxon-Mann-Whitney test of "a and b come from one distribution". */
struct gs_rank_sum {
    double u;           /* pairs in which a's value is greater, ties half: 0 .. n_a * n_b      */
    double superiority; /* u / (n_a * n_b): P(a > b) + P(a = b) / 2                            */
    double z;           /* standardised u, with continuity correction towards 0 (two-sided)    */
    double p_two_sided; /* no analysis asks: tests compare it with R's wilcox.test             */
    double p_greater;   /* for "a tends to be greater than b" */
    double p_less;
    bool exact; /* p from the exact distribution; for tests, too */
};

/*
 * Tests a[0..n_a) against b[0..n_b). p comes from the exact distribution where there are no ties and
 * n_a + n_b <= 60, else from the normal approximation with continuity and tie correction.
 *
 * Missing: must have been left out.
 * Errors:  GS_ERR_RANGE when either is empty or all values are equal; GS_ERR_MEMORY.
 * Memory:  `scratch` is rewound.
 * Cost:    O(n).
 * Source:  H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18, 1947.
 */
enum gs_status gs_rank_sum(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b,
                           struct gs_arena *scratch, struct gs_rank_sum *test, struct gs_err *err);

/*
 * The same for many subsets a of one pool that was ranked once by gs_mid_ranks: `twice_rank_sum` is the sum
 * over a, `ties` that of the pool; b is the rest of the pool. O(1) where no exact p is due.
 */
enum gs_status gs_rank_sum_of_ranks(gs_u128 twice_rank_sum, size_t n_a, size_t n_b, gs_u128 ties,
                                    struct gs_arena *scratch, struct gs_rank_sum *test,
                                    struct gs_err *err);

/*
 * Stores p adjusted for n tests by Benjamini and Hochberg's step-up method: q <= fdr are the findings.
 * Missing: NaN stays NaN and does not count as a test. p and q may be the same array.
 * Errors:  GS_ERR_MEMORY. Memory: `scratch` is rewound.
 * Source:  Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57, 1995.
 */
enum gs_status gs_fdr_adjust(const double *p, size_t n, double *q, struct gs_arena *scratch,
                             struct gs_err *err);

/*
 * The same by Holm's step-down method: a test whose adjusted value is below alpha may be called a finding, and with
 * probability 1 - alpha no finding of the table is false, whatever depends on what.
 * Source:  S. Holm, Scandinavian Journal of Statistics 6, 1979.
 */
enum gs_status gs_holm(const double *p, size_t n, double *q, struct gs_arena *scratch,
                       struct gs_err *err);
