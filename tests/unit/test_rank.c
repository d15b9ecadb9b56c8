/* test_rank.c - ranks, rank sums and false discovery rate against R and counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/corr.h"
#include "stats/models/kmeans.h"
#include "stats/models/knee.h"
#include "stats/descriptive/rank.h"

#include "../oracle/draw.h"
#include "../oracle/stats_r.h"

static void mid_ranks_agree_with_counting(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    uint64_t seed = 3;
    for (int round = 0; round < 60; round++) {
        int64_t x[200], rank[200];
        const size_t n = draw_bits(&seed) % 200;
        draw_ints(draw_bits(&seed), x, n, round % 3 == 0 ? 64 : round % 3 == 1 ? 4 : 11);
        gs_u128 ties = 0, want_ties = 0;
        assert_int_equal(gs_mid_ranks(x, n, rank, &ties, &scratch, NULL), GS_OK);
        for (size_t i = 0; i < n; i++) {
            int64_t below = 0, equal = 0;
            for (size_t j = 0; j < n; j++) {
                below += x[j] < x[i] ? 1 : 0;
                equal += x[j] == x[i] ? 1 : 0;
            }
            assert_true(rank[i] == 2 * below + equal + 1);
            want_ties += (gs_u128)(uint64_t)(equal * equal - 1); /* t^3 - t spread over t values */
        }
        assert_true(ties == want_ties);
    }
    gs_arena_release(&scratch);
}

static void ordering_is_stable_over_the_whole_range(void **state)
{
    (void)state;
    enum { N = 5000 };
    static int64_t x[N];
    static uint32_t order[N];
    struct gs_arena scratch = {0};
    draw_ints(6, x, N, 64);
    for (size_t i = 0; i < N; i += 3)
        x[i] %= 5;
    x[10] = INT64_MAX;
    x[11] = INT64_MIN;
    assert_int_equal(gs_order(x, N, order, &scratch, NULL), GS_OK);
    for (size_t i = 1; i < N; i++) {
        const int64_t a = x[order[i - 1]], b = x[order[i]];
        assert_true(a < b || (a == b && order[i - 1] < order[i]));
    }
    assert_true(order[0] == 11 && order[N - 1] == 10);
    gs_arena_release(&scratch);
}

static void keys_of_doubles_keep_the_order_and_the_value(void **state)
{
    (void)state;
    static const double x[] = {-INFINITY, -1e300, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1e300, INFINITY};
    for (size_t i = 0; i < COUNT_OF(x); i++) {
        assert_true(gs_real_of_key(gs_real_key(x[i])) == x[i]);
        assert_true(i == 0 || gs_real_key(x[i - 1]) < gs_real_key(x[i]));
    }
    assert_true(gs_real_key(-0.0) == gs_real_key(0.0));
}

static void assert_rank_sum(const int64_t *a, size_t n_a, const int64_t *b, size_t n_b,
                            const double want[4], bool exact)
{
    struct gs_arena scratch = {0};
    struct gs_rank_sum t;
    assert_int_equal(gs_rank_sum(a, n_a, b, n_b, &scratch, &t, NULL), GS_OK);
    assert_true(t.u == want[0] && t.exact == exact);
    assert_close(t.p_two_sided, want[1], 1e-13);
    assert_close(t.p_greater, want[2], 1e-13);
    assert_close(t.p_less, want[3], 1e-13);
    assert_close(t.superiority, t.u / (double)(n_a * n_b), 1e-15);
    gs_arena_release(&scratch);
}

static void rank_sums_agree_with_r(void **state)
{
    (void)state;
    int64_t x[60], a[40], b[80];
    for (int i = 0; i < 60; i++)
        x[i] = (7 * i * i + 3 * i) % 53 + (i >= 20 ? 4 : 0);
    assert_rank_sum(x, 20, x + 20, 40, r_rank_sum_ties, false);
    for (int i = 0; i < 12; i++)
        a[i] = 2 * ((37 * i) % 101) + 1;
    for (int i = 0; i < 18; i++)
        b[i] = 2 * ((53 * i) % 103);
    assert_rank_sum(a, 12, b, 18, r_rank_sum_exact, true);
    for (int i = 0; i < 40; i++)
        a[i] = 2 * ((37 * i) % 211) + 31;
    for (int i = 0; i < 80; i++)
        b[i] = 2 * ((53 * i) % 223);
    assert_rank_sum(a, 40, b, 80, r_rank_sum_large, false);
}

static void exact_p_values_agree_with_listing_all_subsets(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    for (size_t n_a = 1; n_a <= 5; n_a++) {
        const size_t n = 9, n_b = n - n_a;
        for (unsigned chosen = 0; chosen < 1u << n; chosen++) {
            if ((size_t)__builtin_popcount(chosen) != n_a)
                continue;
            int64_t a[9], b[9];
            size_t i_a = 0, i_b = 0, sum = 0;
            for (unsigned i = 0; i < n; i++) {
                if (chosen >> i & 1) {
                    a[i_a++] = i;
                    sum += i;
                } else {
                    b[i_b++] = i;
                }
            }
            size_t all = 0, from = 0;
            for (unsigned other = 0; other < 1u << n; other++) {
                size_t other_sum = 0;
                for (unsigned i = 0; i < n; i++)
                    other_sum += (other >> i & 1) != 0 ? i : 0;
                if ((size_t)__builtin_popcount(other) == n_a) {
                    all++;
                    from += other_sum >= sum ? 1 : 0;
                }
            }
            struct gs_rank_sum t;
            assert_int_equal(gs_rank_sum(a, n_a, b, n_b, &scratch, &t, NULL), GS_OK);
            assert_true(t.exact && t.p_greater == (double)from / (double)all);
        }
    }
    gs_arena_release(&scratch);
}

/* Without ties p is exact up to 60 rows, of both groups together; with ties, or a row more, it is not. */
static void p_is_exact_up_to_sixty_rows_without_ties(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    int64_t x[61];
    for (int i = 0; i < 61; i++)
        x[i] = (37 * i) % 61;
    for (size_t n = 58; n <= 61; n++)
        for (size_t n_a = 1; n_a < n; n_a += 19) {
            struct gs_rank_sum t = {0};
            assert_int_equal(gs_rank_sum(x, n_a, x + n_a, n - n_a, &scratch, &t, NULL), GS_OK);
            assert_int_equal(t.exact, n <= 60);
        }
    x[0] = x[1];
    struct gs_rank_sum t = {0};
    assert_int_equal(gs_rank_sum(x, 20, x + 20, 20, &scratch, &t, NULL), GS_OK);
    assert_false(t.exact);
    gs_arena_release(&scratch);
}

/* Arrays too large to share a block, so that each can be the one that is not to be had. */
static void a_rank_sum_of_many_rows_may_lack_any_of_its_arrays(void **state)
{
    (void)state;
    enum { MANY = 300000 };
    static int64_t x[MANY];
    for (int i = 0; i < MANY; i++)
        x[i] = (int64_t)i * 7919 % MANY;
    enum gs_status s = GS_ERR_MEMORY;
    uint64_t n = 1;
    for (; s == GS_ERR_MEMORY && n < 50; n++) {
        struct gs_arena scratch = {0};
        struct gs_rank_sum t = {.u = 42.0};
        gs_memory_fail_after(n);
        s = gs_rank_sum(x, MANY / 3, x + MANY / 3, MANY - MANY / 3, &scratch, &t, NULL);
        gs_memory_fail_after(0);
        assert_true(s == GS_OK || t.u == 42.0);
        gs_arena_release(&scratch);
    }
    assert_int_equal(s, GS_OK);
    assert_true(n > 3);
}

static void one_ranking_serves_every_subset_of_a_pool(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    int64_t x[300], rank[300];
    gs_u128 ties;
    draw_ints(9, x, 300, 8);
    assert_int_equal(gs_mid_ranks(x, 300, rank, &ties, &scratch, NULL), GS_OK);
    for (size_t n_a = 1; n_a < 300; n_a += 37) {
        gs_u128 sum = 0;
        for (size_t i = 0; i < n_a; i++)
            sum += (uint64_t)rank[i];
        struct gs_rank_sum one = {0}, other = {0};
        assert_int_equal(gs_rank_sum_of_ranks(sum, n_a, 300 - n_a, ties, &scratch, &one, NULL),
                         GS_OK);
        assert_int_equal(gs_rank_sum(x, n_a, x + n_a, 300 - n_a, &scratch, &other, NULL), GS_OK);
        assert_true(one.u == other.u && one.z == other.z && one.p_two_sided == other.p_two_sided);
    }
    gs_arena_release(&scratch);
}

static void the_rank_sum_test_refuses_nothing_to_compare(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    static const int64_t x[] = {4, 4, 4};
    struct gs_err err = {0};
    struct gs_rank_sum t = {.u = 42.0};
    assert_int_equal(gs_rank_sum(x, 0, x, 3, &scratch, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "rank-sum test undefined: a group is empty");
    assert_int_equal(gs_rank_sum(x, 1, x + 1, 2, &scratch, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "rank-sum test undefined: all values are equal");
    assert_true(t.u == 42.0);
    gs_arena_release(&scratch);
}

static void discovery_rates_agree_with_r_and_skip_missing(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double p[] = {0.01, 0.02, NAN, 0.03, 0.005, 0.9, 0.02, 1e-12, 0.5};
    assert_int_equal(gs_fdr_adjust(p, COUNT_OF(p), p, &scratch, NULL), GS_OK);
    for (size_t i = 0; i < COUNT_OF(p); i++) {
        if (r_fdr[i] < 0.0)
            assert_true(isnan(p[i]));
        else
            assert_close(p[i], r_fdr[i], 3e-16);
    }
    gs_arena_release(&scratch);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    int64_t x[] = {3, 1, 2}, rank[3];
    double p[] = {0.5, 0.1, 0.2};
    struct gs_rank_sum t;
    gs_memory_fail_after(1);
    assert_int_equal(gs_mid_ranks(x, 3, rank, NULL, &scratch, NULL), GS_ERR_MEMORY);
    assert_int_equal(gs_rank_sum(x, 1, x + 1, 2, &scratch, &t, NULL), GS_ERR_MEMORY);
    assert_int_equal(gs_fdr_adjust(p, 3, p, &scratch, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    gs_arena_release(&scratch);
}

/* Lets the first, second, third ... block fail until the call comes through. */
static void every_block_may_fail(enum gs_status (*call)(struct gs_arena *scratch))
{
    for (uint64_t n = 1;; n++) {
        struct gs_arena scratch = {0};
        gs_memory_fail_after(n);
        const enum gs_status s = call(&scratch);
        gs_memory_fail_after(0);
        gs_arena_release(&scratch);
        if (s == GS_OK) {
            assert_true(n > 2);
            return;
        }
        assert_int_equal(s, GS_ERR_MEMORY);
        assert_true(n < 100);
    }
}

enum { LARGE = 30000 };
static int64_t large[LARGE];
static double real[2 * LARGE];

static enum gs_status call_real_spearman(struct gs_arena *scratch)
{
    struct gs_corr_test t;
    return gs_real_spearman(real, real, LARGE, 0.95, scratch, &t, NULL);
}

static enum gs_status call_rank_sum(struct gs_arena *scratch)
{
    struct gs_rank_sum t;
    return gs_rank_sum(large, 100, large + 100, LARGE - 100, scratch, &t, NULL);
}

static enum gs_status call_fdr(struct gs_arena *scratch)
{
    return gs_fdr_adjust(real, LARGE, real + LARGE, scratch, NULL);
}

static enum gs_status call_knee(struct gs_arena *scratch)
{
    struct gs_knee k;
    return gs_knee_find(real, real, LARGE, true, scratch, &k, NULL);
}

static enum gs_status call_kmeans(struct gs_arena *scratch)
{
    struct gs_arena arena = {0};
    struct gs_kmeans c;
    const enum gs_status s =
        gs_kmeans_fit(&(struct gs_kmeans_rows){real, 6000, 2}, 3, &arena, scratch, &c, NULL);
    gs_arena_release(&arena);
    return s;
}

static void every_allocation_of_the_layer_may_fail(void **state)
{
    (void)state;
    draw_ints(2, large, LARGE, 20);
    for (size_t i = 0; i < LARGE; i++)
        real[i] = ldexp((double)large[i], -20);
    every_block_may_fail(call_real_spearman);
    every_block_may_fail(call_rank_sum);
    every_block_may_fail(call_fdr);
    every_block_may_fail(call_knee);
    every_block_may_fail(call_kmeans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mid_ranks_agree_with_counting),
        cmocka_unit_test(ordering_is_stable_over_the_whole_range),
        cmocka_unit_test(keys_of_doubles_keep_the_order_and_the_value),
        cmocka_unit_test(rank_sums_agree_with_r),
        cmocka_unit_test(exact_p_values_agree_with_listing_all_subsets),
        cmocka_unit_test(p_is_exact_up_to_sixty_rows_without_ties),
        cmocka_unit_test(a_rank_sum_of_many_rows_may_lack_any_of_its_arrays),
        cmocka_unit_test(one_ranking_serves_every_subset_of_a_pool),
        cmocka_unit_test(the_rank_sum_test_refuses_nothing_to_compare),
        cmocka_unit_test(discovery_rates_agree_with_r_and_skip_missing),
        cmocka_unit_test(running_out_of_memory_is_a_status),
        cmocka_unit_test(every_allocation_of_the_layer_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
