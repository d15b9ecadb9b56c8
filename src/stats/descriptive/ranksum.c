/* ranksum.c - the Wilcoxon-Mann-Whitney test, in whole numbers up to the last step. */
#include <assert.h>
#include <math.h>

#include "stats/descriptive/rank.h"
#include "stats/descriptive/special.h"

/* C(60, 30) and all sums of the counts stay below 2^57. */
enum { EXACT_ROWS_MAX = 60 };

/*
 * Stores how many of the subsets of n_a among n_a + n_b values have each u = 0 .. n_a * n_b: the coefficients
 * of the Gaussian binomial. Intermediate values may wrap; the results do not, and are exact modulo 2^64.
 */
static void count_subsets(size_t n_a, size_t n_b, uint64_t *count)
{
    const size_t n = n_a * n_b + 1;
    count[0] = 1;
    for (size_t i = 1; i <= n_a; i++) {
        for (size_t u = n; u-- > n_b + i;)
            count[u] -= count[u - n_b - i];
        for (size_t u = i; u < n; u++)
            count[u] += count[u - i];
    }
}

static enum gs_status exact_p(size_t n_a, size_t n_b, size_t u, struct gs_arena *scratch,
                              struct gs_rank_sum *test, struct gs_err *err)
{
    GS_REWINDS(scratch);
    const size_t n = n_a * n_b + 1;
    GS_NEW(uint64_t, count, n, scratch, err);
    count_subsets(n_a, n_b, count);
    uint64_t all = 0, up_to = 0;
    for (size_t i = 0; i < n; i++) {
        all += count[i];
        up_to += i <= u ? count[i] : 0;
    }
    const uint64_t from = all - up_to + count[u];
    test->p_less = (double)up_to / (double)all;
    test->p_greater = (double)from / (double)all;
    test->p_two_sided = fmin(1.0, 2.0 * fmin(test->p_less, test->p_greater));
    test->exact = true;
    return GS_OK;
}

enum gs_status gs_rank_sum_of_ranks(gs_u128 twice_rank_sum, size_t n_a, size_t n_b, gs_u128 ties,
                                    struct gs_arena *scratch, struct gs_rank_sum *test,
                                    struct gs_err *err)
{
    if (n_a == 0 || n_b == 0)
        return gs_fail(err, GS_ERR_RANGE, "rank-sum test undefined: a group is empty");
    const gs_u128 pairs = (gs_u128)n_a * n_b;
    const gs_u128 twice_u = twice_rank_sum - (gs_u128)n_a * (n_a + 1);
    assert(twice_u <= 2 * pairs);

    const double n = (double)n_a + (double)n_b;
    const double spread = n + 1.0 - (double)ties / (n * (n - 1.0));
    if (!(spread > 0.0))
        return gs_fail(err, GS_ERR_RANGE, "rank-sum test undefined: all values are equal");
    const double sigma = sqrt((double)pairs * spread / 12.0);
    const double off = (double)((gs_i128)twice_u - (gs_i128)pairs) / 2.0; /* u less its mean */
    double towards_0 = 0.0;
    if (off > 0.0)
        towards_0 = -0.5;
    else if (off < 0.0)
        towards_0 = 0.5;

    struct gs_rank_sum t = {.u = (double)twice_u / 2.0, .z = (off + towards_0) / sigma};
    t.superiority = (double)twice_u / (2.0 * (double)pairs);
    if (ties == 0 && n_a + n_b <= EXACT_ROWS_MAX) {
        GS_TRY(exact_p(n_a, n_b, (size_t)(twice_u / 2), scratch, &t, err));
    } else {
        t.p_two_sided = 2.0 * gs_normal_tail(fabs(t.z));
        t.p_greater = gs_normal_tail((off - 0.5) / sigma);
        t.p_less = gs_normal_cdf((off + 0.5) / sigma);
    }
    *test = t;
    return GS_OK;
}

enum gs_status gs_rank_sum(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b,
                           struct gs_arena *scratch, struct gs_rank_sum *test, struct gs_err *err)
{
    GS_REWINDS(scratch);
    const size_t n = n_a + n_b;
    GS_NEW_RAW(int64_t, pool, n, scratch, err);
    GS_NEW_RAW(int64_t, rank, n, scratch, err);
    for (size_t i = 0; i < n; i++)
        pool[i] = i < n_a ? a[i] : b[i - n_a];
    gs_u128 ties = 0, sum = 0;
    GS_TRY(gs_mid_ranks(pool, n, rank, &ties, scratch, err));
    for (size_t i = 0; i < n_a; i++)
        sum += (uint64_t)rank[i];
    GS_TRY(gs_rank_sum_of_ranks(sum, n_a, n_b, ties, scratch, test, err));
    return GS_OK;
}
