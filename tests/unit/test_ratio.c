/* test_ratio.c - sums of fractions: exact, and the same for any partition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/ratio.h"

#include "../oracle/draw.h"
#include "../oracle/stats_exact.h"

enum { N = 3000 };

static void draw_fractions(int64_t num[N], uint64_t den[N])
{
    int64_t d[N];
    draw_ints(31, num, N, 40);
    draw_ints(32, d, N, 40);
    for (size_t i = 0; i < N; i++)
        den[i] = 1 + ((uint64_t)d[i] & 0xFFFFF) % 700;
}

static void the_mean_is_correctly_rounded_whatever_the_order_and_partition(void **state)
{
    (void)state;
    static int64_t num[N];
    static uint64_t den[N];
    draw_fractions(num, den);
    uint64_t seed = 5;
    for (int round = 0; round < 10; round++) {
        struct gs_arena arena = {0};
        struct gs_ratio_sum part[4] = {0};
        for (size_t k = 0; k < N; k++) {
            const size_t i = round % 2 == 0 ? k : N - 1 - k;
            assert_int_equal(
                gs_ratio_add(&part[1 + draw_bits(&seed) % 3], num[i], den[i], &arena, NULL), GS_OK);
        }
        for (int i = 3; i >= 1; i--)
            assert_int_equal(gs_ratio_merge(&part[0], &part[i], &arena, NULL), GS_OK);
        double mean;
        assert_true(part[0].n == N);
        assert_int_equal(gs_ratio_mean(&part[0], 1000000, &arena, &mean, NULL), GS_OK);
        assert_true(mean == exact_ratio[0]);
        gs_arena_release(&arena);
    }
}

static void thousands_of_denominators_cancel_exactly(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_ratio_sum r = {0};
    for (int64_t d = 1; d <= 5000; d++)
        assert_int_equal(gs_ratio_add(&r, 1, (uint64_t)d, &arena, NULL), GS_OK);
    assert_true(r.n_table == 4998);
    for (int64_t d = 5000; d >= 1; d--)
        assert_int_equal(gs_ratio_add(&r, d == 7 ? 6 : -1, (uint64_t)d, &arena, NULL), GS_OK);
    double sum;
    assert_int_equal(gs_ratio_mean(&r, 1, &arena, &sum, NULL), GS_OK);
    assert_true(sum == 1.0 / 10000);
    assert_true(r.n == 10000 && r.n_table == 4998);
    gs_arena_release(&arena);
}

static void no_values_have_no_mean(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_ratio_sum r = {0};
    struct gs_err err = {0};
    double v = 42.0;
    gs_ratio_add_missing(&r);
    assert_int_equal(gs_ratio_mean(&r, 1, &arena, &v, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "mean undefined: no values");
    assert_true(v == 42.0 && r.n_missing == 1);
    gs_arena_release(&arena);
}

static void running_out_of_memory_is_a_status_and_adds_nothing(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_ratio_sum r = {0};
    gs_memory_fail_after(1);
    assert_int_equal(gs_ratio_add(&r, 1, 3, &arena, NULL), GS_OK);
    assert_int_equal(gs_ratio_add(&r, 1, 4, &arena, NULL), GS_OK);
    assert_int_equal(gs_ratio_add(&r, 1, 5, &arena, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    assert_true(r.n == 2 && r.n_table == 0);
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_correctly_rounded_whatever_the_order_and_partition),
        cmocka_unit_test(thousands_of_denominators_cancel_exactly),
        cmocka_unit_test(no_values_have_no_mean),
        cmocka_unit_test(running_out_of_memory_is_a_status_and_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
