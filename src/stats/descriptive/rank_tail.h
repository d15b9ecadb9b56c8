/* rank_tail.h - the exact distribution of the rank-sum statistic of few values against any number of others. */
#pragma once

#include <stddef.h>

#include "base/core/arena.h"
#include "base/num/int128.h"
#include "base/core/status.h"

enum { GS_RANK_EXACT_TIMES = 12 }; /* the most values that "few" means */

/*
 * The distribution of U, the number of pairs (a, b) with a > b, for n_a values a and n_b values b of one continuous
 * distribution. Valid when zeroed: of nothing.
 */
struct gs_rank_tail {
    size_t n_a, n_b;
    double *up_to; /* [n_a * n_b / 2 + 1], P(U <= u); NULL: by the sum of n_a uniform numbers */
};

/*
 * Prepares it, for n_a from 1 to GS_RANK_EXACT_TIMES and n_b of at least 1. Up to GS_RANK_EXACT_PAIRS pairs subsets are
 * counted; beyond, where n_b is so great that nothing is to be seen of its being whole, each a's share of the b below
 * it is taken as uniform.
 * Errors: GS_ERR_MEMORY. Memory: lives in `arena`, at most 4 MiB. Cost: O(n_a^2 * n_b).
 * Source: H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18, 1947; P. Hall, Biometrika 19, 1927.
 */
enum { GS_RANK_EXACT_PAIRS = 1 << 20 };
enum gs_status gs_rank_tail_init(struct gs_rank_tail *t, size_t n_a, size_t n_b,
                                 struct gs_arena *arena, struct gs_err *err);

/* P(U >= u). Where there are ties, counting them as not greater gives a p that is never too small. */
double gs_rank_tail_at_least(const struct gs_rank_tail *t, gs_u128 u);
