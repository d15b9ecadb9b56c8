/* test_knee.c - the two-segment fit against brute force in R. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/models/knee.h"

#include "../oracle/draw.h"
#include "../oracle/stats_r.h"

enum { N = 50 };

static void series(double x[N + 1], double y[N + 1])
{
    for (int i = 0; i < N; i++) {
        const int k = i == 10 ? 9 : i; /* one x twice */
        x[i] = 7 * k + k % 5;
        y[i] = (x[i] < 200 ? 10 + 0.25 * x[i] : 60 + 2 * (x[i] - 200)) + ((13 * i * i) % 17) / 16.0;
    }
    x[N] = NAN;
    y[N] = 1.0;
}

static struct gs_knee knee_of_series(bool joined)
{
    struct gs_arena scratch = {0};
    double x[N + 1], y[N + 1];
    struct gs_knee k;
    series(x, y);
    assert_int_equal(gs_knee_find(x, y, N + 1, joined, &scratch, &k, NULL), GS_OK);
    gs_arena_release(&scratch);
    return k;
}

static void free_segments_are_those_of_brute_force(void **state)
{
    (void)state;
    const struct gs_knee k = knee_of_series(false);
    assert_true(k.x == r_knee_apart[0] && k.left.n + k.right.n == N);
    assert_close(k.left.slope, r_knee_apart[1], 1e-12);
    assert_close(k.left.intercept, r_knee_apart[2], 1e-12);
    assert_close(k.right.slope, r_knee_apart[3], 1e-12);
    assert_close(k.right.intercept, r_knee_apart[4], 1e-12);
    assert_close(k.sse, r_knee_apart[5], 1e-11);
    assert_close(k.sse_line, r_knee_apart[6], 1e-12);
}

static void joined_segments_are_at_least_as_good_as_a_numerical_search(void **state)
{
    (void)state;
    const struct gs_knee k = knee_of_series(true);
    assert_true(k.sse <= r_knee_joined[5]);
    assert_close(k.sse, r_knee_joined[5], 1e-9);
    assert_close(k.x, r_knee_joined[0], 1e-6);
    assert_close(k.left.slope, r_knee_joined[1], 1e-6);
    assert_close(k.right.slope, r_knee_joined[3], 1e-6);
    assert_close(gs_line_at(&k.left, k.x), gs_line_at(&k.right, k.x), 1e-13);
}

/* Random scatters: no break on a fine grid may do better than the one found. */
static void no_other_break_fits_better(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    uint64_t seed = 4;
    for (int round = 0; round < 40; round++) {
        double x[24], y[24];
        const size_t n = 8 + draw_bits(&seed) % 17;
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)(draw_bits(&seed) % 20);
            y[i] = (double)(draw_bits(&seed) % 100);
        }
        struct gs_knee k;
        if (gs_knee_find(x, y, n, true, &scratch, &k, NULL) != GS_OK)
            continue;
        /* The residuals of the fit that was found give its sse. */
        double sse = 0.0;
        for (size_t i = 0; i < n; i++) {
            const double e = y[i] - gs_line_at(x[i] <= k.x ? &k.left : &k.right, x[i]);
            sse += e * e;
        }
        assert_true(fabs(sse - k.sse) <= 1e-9 * (1.0 + sse));
        assert_true(fabs(gs_line_at(&k.left, k.x) - gs_line_at(&k.right, k.x)) < 1e-8);
        /* Around it, turning either line about the break does not help. */
        for (int turn = -1; turn <= 1; turn += 2) {
            for (int side = 0; side < 2; side++) {
                double other = 0.0;
                for (size_t i = 0; i < n; i++) {
                    const bool left = x[i] <= k.x;
                    const double tilt = left == (side == 0) ? turn * 1e-3 * (x[i] - k.x) : 0.0;
                    const double e = y[i] - gs_line_at(left ? &k.left : &k.right, x[i]) - tilt;
                    other += e * e;
                }
                assert_true(other >= sse * (1.0 - 1e-12));
            }
        }
        assert_true(k.sse <= k.sse_line * (1.0 + 1e-12));
    }
    gs_arena_release(&scratch);
}

static void a_sharp_bend_is_found_where_it_is_whatever_the_row_order(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double x[31], y[31];
    for (int i = 0; i < 31; i++) {
        x[i] = (i * 11) % 31;
        y[i] = x[i] <= 12 ? 1 + x[i] : 13 + 4 * (x[i] - 12);
    }
    struct gs_knee k;
    assert_int_equal(gs_knee_find(x, y, 31, true, &scratch, &k, NULL), GS_OK);
    assert_true(k.x == 12.0 && k.left.slope == 1.0 && k.right.slope == 4.0 && k.sse == 0.0);
    assert_true(k.left.intercept == 1.0 && k.right.intercept == -35.0 && k.left.n == 13);
    gs_arena_release(&scratch);
}

static void of_equal_fits_the_lowest_break_wins(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    double x[9], y[9];
    for (int i = 0; i < 9; i++)
        y[i] = 2.5 * (x[i] = 0.1 * i) + 0.7;
    struct gs_knee k;
    assert_int_equal(gs_knee_find(x, y, 9, true, &scratch, &k, NULL), GS_OK);
    assert_true(k.x == x[1]);
    gs_arena_release(&scratch);
}

static void three_distinct_x_have_no_knee(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    static const double x[] = {1, 2, 3, 3, 2, 1}, y[] = {1, 2, 3, 4, 5, 6};
    struct gs_err err = {0};
    struct gs_knee k = {.x = 42.0};
    assert_int_equal(gs_knee_find(x, y, 6, true, &scratch, &k, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "knee undefined: fewer than 4 distinct x");
    assert_int_equal(gs_knee_find(x, y, 0, false, &scratch, &k, &err), GS_ERR_RANGE);
    assert_true(k.x == 42.0);
    gs_arena_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_segments_are_those_of_brute_force),
        cmocka_unit_test(joined_segments_are_at_least_as_good_as_a_numerical_search),
        cmocka_unit_test(no_other_break_fits_better),
        cmocka_unit_test(a_sharp_bend_is_found_where_it_is_whatever_the_row_order),
        cmocka_unit_test(of_equal_fits_the_lowest_break_wins),
        cmocka_unit_test(three_distinct_x_have_no_knee),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
