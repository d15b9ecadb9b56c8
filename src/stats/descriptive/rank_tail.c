/* rank_tail.c - the coefficients of a Gaussian binomial, lower half; they are symmetric. */
#include "stats/descriptive/rank_tail.h"

#include <assert.h>
#include <math.h>

/*
 * Counts, for u = 0 .. last, the subsets of n_a among n_a + n_b values with that U. Doubles hold them: below n_b
 * nothing is ever subtracted, so that a small p keeps its digits; further on only what is a part of the whole is lost.
 */
static void count_subsets(size_t n_a, size_t n_b, size_t last, double *count)
{
    count[0] = 1;
    for (size_t i = 1; i <= n_a; i++) {
        for (size_t u = last + 1; u-- > n_b + i;)
            count[u] -= count[u - n_b - i];
        for (size_t u = i; u <= last; u++)
            count[u] += count[u - i];
    }
}

enum gs_status gs_rank_tail_init(struct gs_rank_tail *t, size_t n_a, size_t n_b,
                                 struct gs_arena *arena, struct gs_err *err)
{
    assert(n_a >= 1 && n_a <= GS_RANK_EXACT_TIMES && n_b >= 1);
    struct gs_rank_tail r = {.n_a = n_a, .n_b = n_b};
    if (n_b <= GS_RANK_EXACT_PAIRS / n_a) {
        const size_t last = n_a * n_b / 2;
        double all = 1, sum = 0;
        GS_TAKE(r.up_to, last + 1, arena, err);
        count_subsets(n_a, n_b, last, r.up_to);
        for (size_t i = 1; i <= n_a; i++)
            all = all * (double)(n_b + i) / (double)i;
        for (size_t u = 0; u <= last; u++) {
            sum += r.up_to[u];
            r.up_to[u] = sum / all;
        }
    }
    *t = r;
    return GS_OK;
}

/* P of the sum of n uniform numbers being at most x, x up to n / 2. */
static double uniform_sum(size_t n, double x)
{
    double p = 0, ways = 1, factorial = 1;
    for (size_t i = 2; i <= n; i++)
        factorial *= (double)i;
    for (size_t k = 0; k <= n && x > (double)k; k++) {
        p += (k % 2 == 0 ? ways : -ways) * pow(x - (double)k, (double)n);
        ways = ways * (double)(n - k) / (double)(k + 1);
    }
    return p / factorial;
}

/* P(U <= u) for u up to half of the pairs. */
static double lower_half(const struct gs_rank_tail *t, size_t u)
{
    if (t->up_to != NULL)
        return fmin(t->up_to[u], 1);
    /* The first two terms of both counts in powers of n_b: exact for n_a = 1, and symmetric. */
    const double a = (double)t->n_a, n = (double)t->n_b + (a + 1) / 2;
    return uniform_sum(t->n_a, ((double)u + a * (a + 1) / 4 + 0.5) / n);
}

double gs_rank_tail_at_least(const struct gs_rank_tail *t, gs_u128 u)
{
    const gs_u128 pairs = (gs_u128)t->n_a * t->n_b;
    if (u == 0)
        return 1;
    if (u > pairs)
        return 0;
    const gs_u128 mirrored = pairs - u; /* P(U >= u) = P(U <= pairs - u) */
    return mirrored <= pairs / 2 ? lower_half(t, (size_t)mirrored)
                                 : 1 - lower_half(t, (size_t)(u - 1));
}
