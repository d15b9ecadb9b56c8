/* test_corr.c - correlation and the least-squares line against fractions, R and NIST. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/corr.h"
#include "stats/descriptive/regress.h"

#include "../oracle/draw.h"
#include "../oracle/nist/nist.h"
#include "../oracle/stats_exact.h"
#include "../oracle/stats_r.h"

enum { N = 400 };

static struct gs_corr corr_of(const int64_t *x, const int64_t *y, size_t n)
{
    struct gs_corr c = {0};
    for (size_t i = 0; i < n; i++)
        gs_corr_add(&c, x[i], y[i]);
    return c;
}

/* The line through integers. */
static struct gs_line line_of(const int64_t *x, const int64_t *y, size_t n)
{
    double rx[N], ry[N];
    struct gs_line line;
    for (size_t i = 0; i < n; i++) {
        rx[i] = (double)x[i];
        ry[i] = (double)y[i];
    }
    assert_int_equal(gs_real_line(rx, ry, n, &line, NULL), GS_OK);
    return line;
}

/* x / 2 rounded down, as Python's // does. */
static int64_t half(int64_t x)
{
    return (x - (x % 2 != 0 && x < 0 ? 1 : 0)) / 2;
}

static void weak(int64_t x[N], int64_t y[N])
{
    draw_ints(11, x, N, 40);
    draw_ints(12, y, N, 40);
    for (size_t i = 0; i < N; i++)
        y[i] += half(x[i]);
}

static void tight(int64_t x[N], int64_t y[N])
{
    draw_ints(11, x, N, 40);
    draw_ints(13, y, N, 12);
    for (size_t i = 0; i < N; i++)
        y[i] += 3 * x[i];
}

/* To the last digit. */
static void assert_test(const struct gs_corr_test *t, const double want[4])
{
    assert_close(t->r, want[0], 0.0);
    assert_close(t->ci_low, want[1], 0.0);
    assert_close(t->ci_high, want[2], 0.0);
    assert_close(t->p_value, want[3], 0.0);
}

static void pearson_its_interval_and_its_p_value_are_correctly_rounded(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    struct gs_corr_test t;
    weak(x, y);
    struct gs_corr c = corr_of(x, y, N);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_weak);
    assert_true(t.n == N);
}

static void a_nearly_perfect_correlation_keeps_its_interval(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    struct gs_corr_test t;
    tight(x, y);
    const struct gs_corr c = corr_of(x, y, N);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_tight);
    assert_true(t.p_value == 0.0); /* the truth is below the least double */
}

static void falling_and_few_are_correctly_rounded_too(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    struct gs_corr_test t;
    draw_ints(11, x, N, 40);
    draw_ints(14, y, N, 40);
    for (size_t i = 0; i < N; i++)
        y[i] -= half(x[i]);
    struct gs_corr c = corr_of(x, y, N);
    assert_int_equal(gs_corr_test(&c, 0.99, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_falling);
    draw_ints(15, y, N, 40);
    for (size_t i = 0; i < N; i++)
        y[i] += x[i];
    c = corr_of(x, y, 5);
    assert_int_equal(gs_corr_test(&c, 0.8, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_five);
}

static void what_parts_a_correlation_from_one_is_kept_in_its_p_value(void **state)
{
    (void)state;
    int64_t x[4], y[4];
    struct gs_corr_test t;
    draw_ints(16, x, 4, 60);
    draw_ints(17, y, 4, 2);
    for (size_t i = 0; i < 4; i++)
        y[i] += x[i];
    const struct gs_corr c = corr_of(x, y, 4);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_hair);
    assert_true(t.r == 1.0 && t.p_value > 0.0);
}

/* 1 - P(|Z| > z) of a level that no short decimal means, and the levels next to both ends. */
static void an_interval_widens_with_its_level(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    weak(x, y);
    const struct gs_corr c = corr_of(x, y, N);
    static const double levels[] = {0x1p-1074, 1e-9,           0.5,        0.95 - 0x1p-53,
                                    0.95,      0.95 + 0x1p-53, 1 - 0x1p-53};
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        struct gs_corr_test t;
        assert_int_equal(gs_corr_test(&c, levels[i], &t, NULL), GS_OK);
        assert_true(t.ci_low <= low && t.ci_high >= high && t.ci_low > -1.0 && t.ci_high < 1.0);
        assert_close(0.5 * (atanh(t.ci_low) + atanh(t.ci_high)), atanh(t.r), 1e-14);
        assert_close(erf((atanh(t.ci_high) - atanh(t.r)) * sqrt(0.5 * (N - 3))), levels[i],
                     i < 2 ? INFINITY : 1e-13);
        low = t.ci_low;
        high = t.ci_high;
    }
}

static void doubles_give_what_integers_give_and_a_missing_one_is_left_out(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    double rx[N + 1], ry[N + 1];
    weak(x, y);
    for (size_t i = 0; i < N; i++) {
        rx[i] = (double)x[i];
        ry[i] = (double)y[i];
    }
    rx[N] = 1.0;
    ry[N] = NAN;
    struct gs_corr_test t;
    assert_int_equal(gs_real_corr_test(rx, ry, N + 1, 0.95, &t, NULL), GS_OK);
    assert_test(&t, exact_corr_weak);
    struct gs_line line;
    assert_int_equal(gs_real_line(rx, ry, N + 1, &line, NULL), GS_OK);
    const struct gs_line want = line_of(x, y, N);
    assert_memory_equal(&line, &want, sizeof line);
}

static void assert_line(const struct gs_line *line, const double want[3])
{
    assert_true(line->slope == want[0]);
    assert_true(line->intercept == want[1]);
    assert_true(line->r_squared == want[2]);
}

static void the_line_is_correctly_rounded_in_every_quantity(void **state)
{
    (void)state;
    int64_t x[N], y[N];
    weak(x, y);
    struct gs_line line = line_of(x, y, N);
    /* Expected in units of a million for x and a thousand for y. */
    assert_close(line.slope * 1000, exact_line_weak[0], 3e-16);
    assert_close(line.intercept / 1000, exact_line_weak[1], 3e-16);
    assert_close(line.r_squared, exact_line_weak[2], 0.0);
    tight(x, y);
    line = line_of(x, y, N);
    assert_line(&line, exact_line_tight);
}

static void the_widest_values_do_not_overflow(void **state)
{
    (void)state;
    static const int64_t x[] = {INT64_MAX, -INT64_MAX, INT64_MAX, -INT64_MAX};
    static const int64_t y[] = {-INT64_MAX, INT64_MAX, -INT64_MAX, INT64_MAX};
    struct gs_corr c = corr_of(x, y, 4);
    for (int i = 0; i < 40; i++) { /* as if each pair had come 2^40 times */
        const struct gs_corr once = c;
        c.n *= 2;
        gs_i192_merge(&c.sxx, &once.sxx);
        gs_i192_merge(&c.syy, &once.syy);
        gs_i192_merge(&c.sxy, &once.sxy);
    }
    assert_true(c.sx == 0 && c.sy == 0);
    struct gs_corr_test t;
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_true(t.r == -1.0 && t.ci_low == -1.0 && t.ci_high == -1.0 && t.p_value == 0.0);
    const struct gs_line line = line_of(x, y, 4);
    assert_true(line.slope == -1.0 && line.intercept == 0.0);
}

static void r_agrees(void **state)
{
    (void)state;
    double x[60], y[60];
    for (int i = 0; i < 60; i++) {
        x[i] = (7 * i * i + 3 * i) % 53;
        y[i] = (i * i * i + 11 * i) % 97 + 2 * x[i];
    }
    struct gs_corr_test t;
    struct gs_line line;
    assert_int_equal(gs_real_corr_test(x, y, 60, 0.95, &t, NULL), GS_OK);
    assert_close(t.r, r_pearson[0], 1e-14);
    assert_close(t.ci_low, r_pearson[1], 1e-14);
    assert_close(t.ci_high, r_pearson[2], 1e-14);
    assert_close(t.p_value, r_pearson[3], 1e-12);
    assert_int_equal(gs_real_corr_test(x, y, 60, 0.8, &t, NULL), GS_OK);
    assert_close(t.ci_low, r_pearson_80[0], 1e-14);
    assert_close(t.ci_high, r_pearson_80[1], 1e-14);
    assert_int_equal(gs_real_line(x, y, 60, &line, NULL), GS_OK);
    assert_close(line.slope, r_line[0], 1e-13);
    assert_close(line.intercept, r_line[1], 1e-13);
    assert_close(line.r_squared, r_line[2], 1e-13);
}

static void spearman_uses_mid_ranks_and_leaves_missing_pairs_out(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double x[61], y[61];
    for (int i = 0; i < 60; i++) {
        x[i] = (7 * i * i + 3 * i) % 53;
        y[i] = (i * i * i + 11 * i) % 97 + 2 * x[i];
    }
    x[60] = NAN;
    y[60] = 1e9;
    struct gs_corr_test t;
    assert_int_equal(gs_real_spearman(x, y, 61, 0.95, &scratch, &t, NULL), GS_OK);
    assert_true(t.n == 60);
    assert_close(t.r, r_spearman_rho[0], 1e-14);
    gs_arena_release(&scratch);
}

static void norris_meets_the_certified_values(void **state)
{
    (void)state;
    const struct gs_line line =
        line_of(nist_norris_x_e1, nist_norris_y_e1, COUNT_OF(nist_norris_x_e1)); /* in tenths */
    assert_true(line.n == 36);
    assert_close(line.intercept / 10, -0.262323073774029, 2e-15);
    assert_close(line.slope, 1.00211681802045, 5e-15);
    assert_close(line.r_squared, 0.999993745883712, 1e-15);
}

static void undefined_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const int64_t four[] = {4, 4, 4}, up[] = {1, 2, 3};
    static const double real_four[] = {0.1, 0.1, 0.1}, real_up[] = {1, 2, 3};
    struct gs_err err = {0};
    struct gs_corr_test t = {.r = 42.0};
    struct gs_line line;
    struct gs_corr c = corr_of(four, up, 3);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "correlation undefined: x is constant");
    c = corr_of(up, four, 3);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "correlation undefined: y is constant");
    assert_int_equal(gs_real_corr_test(real_up, real_four, 3, 0.95, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "correlation undefined: y is constant");
    assert_int_equal(gs_real_line(real_four, real_up, 3, &line, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "line undefined: x is constant");
    c = corr_of(up, up, 1);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "correlation undefined: fewer than 2 pairs");
    assert_int_equal(gs_real_line(real_up, real_up, 1, &line, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "line undefined: fewer than 2 points");
    assert_true(t.r == 42.0);
}

static void doubles_on_a_line_correlate_perfectly(void **state)
{
    (void)state;
    double x[10], y[10];
    for (int i = 0; i < 10; i++) {
        x[i] = 0.1 * i;
        y[i] = 4.0 - 8.0 * x[i];
    }
    struct gs_corr_test t;
    assert_int_equal(gs_real_corr_test(x, y, 10, 0.95, &t, NULL), GS_OK);
    assert_true(t.r == -1.0 && t.ci_low <= t.r && t.ci_high < -1.0 + 1e-12 && t.p_value < 1e-100);
    for (int i = 0; i < 10; i++)
        y[i] = 2.0 * x[i];
    assert_int_equal(gs_real_corr_test(x, y, 10, 0.95, &t, NULL), GS_OK);
    assert_true(t.r == 1.0 && t.ci_low == 1.0 && t.ci_high == 1.0 && t.p_value == 0.0);
    assert_int_equal(gs_real_corr_test(x, y, 0, 0.95, &t, NULL), GS_ERR_RANGE);
}

static void few_pairs_have_no_interval_and_fewer_no_p_value(void **state)
{
    (void)state;
    static const int64_t x[] = {1, 2, 3, 5}, y[] = {1, 3, 2, 4};
    struct gs_corr_test t;
    struct gs_corr c = corr_of(x, y, 2);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_true(t.r == 1.0 && isnan(t.p_value) && isnan(t.ci_low));
    c = corr_of(x, y, 3);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_close(t.p_value, 2.0 / 3.0,
                 1e-15); /* r = 1/2, one degree of freedom: 1 - (2/pi) asin(1/2) */
    assert_true(t.r == 0.5 && isnan(t.ci_low) && isnan(t.ci_high));
    c = corr_of(x, y, 4);
    assert_int_equal(gs_corr_test(&c, 0.95, &t, NULL), GS_OK);
    assert_true(t.ci_low < t.r && t.r < t.ci_high);
    const struct gs_line line = line_of(x, y, 2);
    assert_true(line.slope == 2.0 && line.intercept == -1.0 && line.r_squared == 1.0);
}

/* Squares of such times are 0, of such powers infinite: r was -1 or 1 by the sign of a NaN. */
static void squares_beyond_a_double_leave_r_undefined(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 3, 4}, small[] = {4e-200, 3e-200, 1e-200, 2e-200},
                        great[] = {1e200, 3e200, 2e200, 0};
    struct gs_corr_test t = {.r = 42};
    struct gs_err err = {0};
    assert_int_equal(gs_real_corr_test(x, small, 4, 0.95, &t, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "correlation undefined: squares beyond what a double holds");
    assert_int_equal(gs_real_corr_test(great, x, 4, 0.95, &t, NULL), GS_ERR_RANGE);
    assert_true(t.r == 42);
}

static void a_line_through_a_constant_y_has_no_share_explained(void **state)
{
    (void)state;
    static const double x[] = {1, 2, 4}, y[] = {0.1, 0.1, 0.1};
    struct gs_line line;
    assert_int_equal(gs_real_line(x, y, 3, &line, NULL), GS_OK);
    assert_true(fabs(line.slope) < 1e-30 && line.intercept == 0.1 && isnan(line.r_squared));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pearson_its_interval_and_its_p_value_are_correctly_rounded),
        cmocka_unit_test(a_nearly_perfect_correlation_keeps_its_interval),
        cmocka_unit_test(falling_and_few_are_correctly_rounded_too),
        cmocka_unit_test(what_parts_a_correlation_from_one_is_kept_in_its_p_value),
        cmocka_unit_test(an_interval_widens_with_its_level),
        cmocka_unit_test(doubles_give_what_integers_give_and_a_missing_one_is_left_out),
        cmocka_unit_test(the_line_is_correctly_rounded_in_every_quantity),
        cmocka_unit_test(the_widest_values_do_not_overflow),
        cmocka_unit_test(r_agrees),
        cmocka_unit_test(spearman_uses_mid_ranks_and_leaves_missing_pairs_out),
        cmocka_unit_test(norris_meets_the_certified_values),
        cmocka_unit_test(undefined_is_refused_with_the_reason),
        cmocka_unit_test(doubles_on_a_line_correlate_perfectly),
        cmocka_unit_test(few_pairs_have_no_interval_and_fewer_no_p_value),
        cmocka_unit_test(squares_beyond_a_double_leave_r_undefined),
        cmocka_unit_test(a_line_through_a_constant_y_has_no_share_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
