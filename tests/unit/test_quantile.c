/* test_quantile.c - selection and type-7 quantiles against sorting, fractions and R. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/quantile.h"

#include "base/num/decimal.h"

#include "../oracle/draw.h"
#include "../oracle/stats_exact.h"
#include "../oracle/stats_r.h"

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void quantiles_are_correctly_rounded(void **state)
{
    (void)state;
    static const struct gs_prob p[] = {{0, 1000},   {1, 1000},   {250, 1000}, {333, 1000},
                                       {500, 1000}, {950, 1000}, {999, 1000}, {1000, 1000}};
    int64_t x[999];
    double got[8];
    draw_ints(21, x, 997, 64);
    x[997] = x[998] = GS_MISSING;
    assert_int_equal(gs_quantiles(x, 999, p, 8, 1000000, got, NULL), GS_OK);
    for (int i = 0; i < 8; i++)
        assert_true(got[i] == exact_quantiles[i]);
}

static void probabilities_may_come_in_any_order_and_twice(void **state)
{
    (void)state;
    static const struct gs_prob p[] = {{1, 1}, {1, 2}, {0, 1}, {500, 1000}, {1, 4}, {501, 1000}};
    int64_t x[] = {9, 1, 8, 2, 7};
    double got[6];
    assert_int_equal(gs_quantiles(x, 5, p, 6, 1, got, NULL), GS_OK);
    assert_true(got[0] == 9.0 && got[1] == 7.0 && got[2] == 1.0 && got[3] == 7.0 && got[4] == 2.0);
    assert_true(got[5] == 7.004);
}

/* A series on which a median of three picks the worst pivot again and again. */
static void killer(int64_t *x, size_t n)
{
    const size_t half = n / 2;
    for (size_t i = 0; i < half; i++) {
        x[i] = (int64_t)(i % 2 == 0 ? i + 1 : half + i + (half % 2 == 0 ? 1 : 0));
        x[half + i] = (int64_t)(2 * (i + 1));
    }
}

static void selection_agrees_with_sorting(void **state)
{
    (void)state;
    static int64_t x[2000], sorted[2000];
    uint64_t seed = 77;
    for (int round = 0; round < 400; round++) {
        const size_t n = 1 + draw_bits(&seed) % 2000;
        if (round % 4 == 3 && n % 2 == 0)
            killer(x, n);
        else
            draw_ints(draw_bits(&seed), x, n, round % 4 == 0 ? 2 : round % 4 == 1 ? 64 : 9);
        memcpy(sorted, x, n * sizeof *x);
        qsort(sorted, n, sizeof *sorted, ascending);
        const size_t k = draw_bits(&seed) % n;
        gs_select(x, n, k);
        assert_true(x[k] == sorted[k]);
        for (size_t i = 0; i < n; i++)
            assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
        qsort(x, n, sizeof *x, ascending);
        assert_memory_equal(x, sorted, n * sizeof *x);
    }
}

/* A comparison-order adversary is beyond a fixed test; long runs of every shape must still return at once. */
static void large_inputs_of_every_shape_take_linear_time(void **state)
{
    (void)state;
    enum { BIG = 1 << 20 };
    int64_t *const x = malloc(BIG * sizeof *x);
    assert_non_null(x);
    for (int shape = 0; shape < 5; shape++) {
        for (int64_t i = 0; i < BIG; i++)
            x[i] = shape == 0 ? i : shape == 1 ? -i : shape == 2 ? 3 : i < BIG / 2 ? i : BIG - i;
        if (shape == 4)
            killer(x, BIG);
        gs_select(x, BIG, BIG / 2);
        const int64_t middle = x[BIG / 2];
        size_t below = 0, equal = 0;
        for (size_t i = 0; i < BIG; i++) {
            below += x[i] < middle ? 1 : 0;
            equal += x[i] == middle ? 1 : 0;
        }
        assert_true(below <= BIG / 2 && below + equal > BIG / 2);
    }
    free(x);
}

static void doubles_give_the_quantiles_of_r(void **state)
{
    (void)state;
    static const struct gs_prob p[] = {{1, 100}, {1, 4}, {1, 2}, {95, 100}};
    struct gs_arena scratch = {0};
    double y[61], got[4], median, mad;
    for (int i = 0; i < 60; i++)
        y[i] = (i * i * i + 11 * i) % 97 + 2.0 * ((7 * i * i + 3 * i) % 53);
    y[60] = NAN;
    assert_int_equal(gs_real_quantiles(y, 61, p, 4, &scratch, got, NULL), GS_OK);
    for (int i = 0; i < 4; i++)
        assert_close(got[i], r_quantiles[i], 4e-16);
    assert_int_equal(gs_real_mad(y, 61, &scratch, &median, &mad, NULL), GS_OK);
    assert_true(median == r_mad[0] && mad == r_mad[1]);
    gs_arena_release(&scratch);
}

static void negative_doubles_and_zeros_are_in_order(void **state)
{
    (void)state;
    static const struct gs_prob p[] = {{0, 1}, {1, 4}, {1, 2}, {3, 4}, {1, 1}};
    struct gs_arena scratch = {0};
    const double x[] = {0.0, -1e300, 2.5, -0.0, -3.25};
    double got[5];
    assert_int_equal(gs_real_quantiles(x, 5, p, 5, &scratch, got, NULL), GS_OK);
    assert_true(got[0] == -1e300 && got[1] == -3.25 && got[2] == 0.0 && got[3] == 0.0 &&
                got[4] == 2.5);
    gs_arena_release(&scratch);
}

static void the_median_deviation_is_exact_on_either_parity(void **state)
{
    (void)state;
    int64_t x[997];
    double median, mad;
    draw_ints(21, x, 997, 64);
    assert_int_equal(gs_mad(x, 997, 1000000, &median, &mad, NULL), GS_OK);
    assert_true(median == exact_mad_997[0] && mad == exact_mad_997[1]);
    draw_ints(21, x, 997, 64);
    assert_int_equal(gs_mad(x, 996, 1000000, &median, &mad, NULL), GS_OK);
    assert_true(median == exact_mad_996[0] && mad == exact_mad_996[1]);
}

static void the_median_deviation_of_the_widest_range_does_not_overflow(void **state)
{
    (void)state;
    int64_t x[] = {INT64_MAX, -INT64_MAX, INT64_MAX};
    double median, mad;
    assert_int_equal(gs_mad(x, 2, 1, &median, &mad, NULL), GS_OK);
    assert_true(median == 0.0 && mad == 0x1p63);
}

static void without_values_there_is_no_quantile(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    struct gs_err err = {0};
    int64_t x[] = {GS_MISSING};
    const double nothing[] = {NAN};
    double a = 42.0, b = 42.0;
    assert_int_equal(gs_quantiles(x, 1, &GS_PROB_MEDIAN, 1, 1, &a, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "quantile undefined: no values");
    assert_int_equal(gs_mad(x, 1, 1, &a, &b, &err), GS_ERR_RANGE);
    assert_int_equal(gs_real_quantiles(nothing, 1, &GS_PROB_MEDIAN, 1, &scratch, &a, &err),
                     GS_ERR_RANGE);
    assert_int_equal(gs_real_mad(nothing, 1, &scratch, &a, &b, &err), GS_ERR_RANGE);
    assert_true(a == 42.0 && b == 42.0);
    gs_arena_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_correctly_rounded),
        cmocka_unit_test(probabilities_may_come_in_any_order_and_twice),
        cmocka_unit_test(selection_agrees_with_sorting),
        cmocka_unit_test(large_inputs_of_every_shape_take_linear_time),
        cmocka_unit_test(doubles_give_the_quantiles_of_r),
        cmocka_unit_test(negative_doubles_and_zeros_are_in_order),
        cmocka_unit_test(the_median_deviation_is_exact_on_either_parity),
        cmocka_unit_test(the_median_deviation_of_the_widest_range_does_not_overflow),
        cmocka_unit_test(without_values_there_is_no_quantile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
