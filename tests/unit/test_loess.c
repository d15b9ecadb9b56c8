/* test_loess.c - local regression against R, surface = "direct". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/models/loess.h"

#include "../oracle/draw.h"
#include "../oracle/stats_r.h"

enum { N = 60 };

static void series(double x[N + 1], double y[N + 1])
{
    for (int i = 0; i < N; i++) {
        x[i] = (7 * i * i + 3 * i) % 53;
        y[i] = (i * i * i + 11 * i) % 97 + 2 * x[i];
    }
    x[N] = 3.0;
    y[N] = NAN;
}

static enum gs_status loess(const double *x, const double *y, size_t n,
                            const struct gs_loess_options *options, const double *at, size_t n_at,
                            double *fit, struct gs_arena *scratch, struct gs_err *err)
{
    struct gs_xy_order points;
    const enum gs_status s = gs_xy_order(x, y, n, scratch, &points, err);
    return s == GS_OK ? gs_loess(&points, options, at, n_at, fit, err) : s;
}

static void the_curve_is_that_of_r_for_every_degree_and_span(void **state)
{
    (void)state;
    static const double at[] = {0, 3, 10.5, 26, 52, 60};
    static const struct {
        struct gs_loess_options options;
        const double *want;
    } cases[] = {{{0.3, 0}, r_loess_0_30},  {{0.75, 0}, r_loess_0_75}, {{1.0, 0}, r_loess_0_100},
                 {{1.5, 0}, r_loess_0_150}, {{0.3, 1}, r_loess_1_30},  {{0.75, 1}, r_loess_1_75},
                 {{1.0, 1}, r_loess_1_100}, {{1.5, 1}, r_loess_1_150}, {{0.3, 2}, r_loess_2_30},
                 {{0.75, 2}, r_loess_2_75}, {{1.0, 2}, r_loess_2_100}, {{1.5, 2}, r_loess_2_150}};
    struct gs_arena scratch = {0};
    double x[N + 1], y[N + 1], fit[6];
    series(x, y);
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        assert_int_equal(loess(x, y, N + 1, &cases[c].options, at, 6, fit, &scratch, NULL), GS_OK);
        for (int i = 0; i < 6; i++)
            assert_close(fit[i], cases[c].want[i], 1e-11);
    }
    gs_arena_release(&scratch);
}

static void row_order_does_not_matter(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double x[N + 1], y[N + 1], rx[N + 1], ry[N + 1], fit[N], other[N];
    series(x, y);
    for (int i = 0; i <= N; i++) {
        rx[i] = x[(i * 17) % (N + 1)];
        ry[i] = y[(i * 17) % (N + 1)];
    }
    const struct gs_loess_options options = {0.4, 2};
    assert_int_equal(loess(x, y, N + 1, &options, x, N, fit, &scratch, NULL), GS_OK);
    assert_int_equal(loess(rx, ry, N + 1, &options, x, N, other, &scratch, NULL), GS_OK);
    assert_memory_equal(fit, other, sizeof fit);
    gs_arena_release(&scratch);
}

static void a_parabola_is_reproduced(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double x[40], y[40], fit[40];
    for (int i = 0; i < 40; i++) {
        x[i] = 135 + 7.5 * i;
        y[i] = 3 - 0.5 * x[i] + 0.001 * x[i] * x[i];
    }
    const struct gs_loess_options options = {0.75, 2};
    assert_int_equal(loess(x, y, 40, &options, x, 40, fit, &scratch, NULL), GS_OK);
    for (int i = 0; i < 40; i++)
        assert_true(fabs(fit[i] - y[i]) < 1e-11);
    gs_arena_release(&scratch);
}

static void too_few_distinct_places_lower_the_degree(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    static const double x[] = {1, 1, 1, 5, 5, 5}, y[] = {1, 2, 6, 10, 11, 15};
    static const double at[] = {1, 3, 5};
    double fit[3];
    struct gs_loess_options options = {0.5, 2}; /* three points: all at one place, bandwidth 0 */
    assert_int_equal(loess(x, y, 6, &options, at, 3, fit, &scratch, NULL), GS_OK);
    assert_true(fit[0] == 3.0 && fit[2] == 12.0);
    options.span = 0.34; /* two of the three that are equally near: all three count */
    assert_int_equal(loess(x, y, 6, &options, at, 1, fit, &scratch, NULL), GS_OK);
    assert_true(fit[0] == 3.0);
    options.span = 1.0; /* midway all are at the very edge, weight 0: their mean */
    assert_int_equal(loess(x, y, 6, &options, at, 3, fit, &scratch, NULL), GS_OK);
    assert_true(fit[1] == 7.5);
    gs_arena_release(&scratch);
}

static void a_span_without_points_is_refused(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    static const double x[] = {1, 2, 3}, y[] = {1, 2, 3};
    struct gs_err err = {0};
    double fit = 42.0;
    const struct gs_loess_options options = {0.3, 1};
    assert_int_equal(loess(x, y, 3, &options, x, 1, &fit, &scratch, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "loess undefined: a span of 0.3 of 3 points holds none");
    gs_memory_fail_after(1);
    gs_arena_release(&scratch);
    assert_int_equal(loess(x, y, 3, &options, x, 1, &fit, &scratch, &err), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    assert_true(fit == 42.0);
    gs_arena_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_is_that_of_r_for_every_degree_and_span),
        cmocka_unit_test(row_order_does_not_matter),
        cmocka_unit_test(a_parabola_is_reproduced),
        cmocka_unit_test(too_few_distinct_places_lower_the_degree),
        cmocka_unit_test(a_span_without_points_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
