/* test_special.c - distribution functions against 60-digit arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/special.h"

#include "../oracle/draw.h"
#include "../oracle/stats_exact.h"

static void student_is_correctly_rounded_far_into_the_tail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exact_student); i++) {
        const double *const e = exact_student[i];
        assert_close(gs_student_p(e[0], e[1]), e[2], 0.0);
        assert_true(gs_student_p(-e[0], e[1]) == gs_student_p(e[0], e[1]));
    }
}

static void student_knows_its_limits(void **state)
{
    (void)state;
    assert_true(gs_student_p(0.0, 5.0) == 1.0);
    assert_true(gs_student_p(INFINITY, 5.0) == 0.0);
    assert_true(isnan(gs_student_p(NAN, 5.0)) && isnan(gs_student_p(1.0, 0.0)) &&
                isnan(gs_student_p(1.0, -1.0)) && isnan(gs_student_p(1.0, INFINITY)));
    assert_true(gs_student_p(1e5, 100.0) == 0.0 && gs_student_p(1e90, 1e8) == 0.0);
    assert_true(isnan(gs_student_p_of_r(NAN, 0.5, 0.0, 5.0)) &&
                isnan(gs_student_p_of_r(0.5, 0.75, 0.0, 0.0)) &&
                isnan(gs_student_p_of_r(0.5, 0.75, 0.0, INFINITY)));
    /* One degree of freedom is Cauchy's distribution: p = 2/pi atan(1/t), here 2/(pi t). */
    assert_close(gs_student_p(1e200, 1.0), 0.63661977236758134308e-200, 2e-16);
    assert_close(gs_student_p(1e99, 1.0), 0.63661977236758134308e-99, 2e-16);
}

static void student_of_r_is_student_of_t(void **state)
{
    (void)state;
    for (double r = -0.9375; r < 1.0; r += 0.125) {
        for (double df = 1.0; df < 3000.0; df *= 3.0) {
            const double rest = 1.0 - r * r; /* exact for these r */
            assert_close(gs_student_p_of_r(r, rest, 0.0, df), gs_student_p(r * sqrt(df / rest), df),
                         2e-12);
        }
    }
    /* Two degrees of freedom: 1 - |r|; so small an r has gone from 1 - r^2. */
    assert_true(gs_student_p_of_r(0x1p-52, 1.0, 0.0, 2.0) == 1.0 - 0x1p-52);
    assert_true(gs_student_p_of_r(1.0, 0.0, 0.0, 5.0) == 0.0 &&
                gs_student_p_of_r(0.0, 1.0, 0.0, 5.0) == 1.0);
}

static void the_incomplete_beta_function_is_correctly_rounded(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exact_beta); i++) {
        const double *const e = exact_beta[i];
        assert_close(gs_beta_inc(e[0], e[1], e[2], 1.0 - e[2]), e[3], 0.0);
    }
}

static void the_incomplete_beta_function_is_symmetric_and_bounded(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int i = 0; i < 2000; i++) {
        const double a =
            ldexp((double)(1 + draw_bits(&seed) % 1000), -(int)(draw_bits(&seed) % 10));
        const double b =
            ldexp((double)(1 + draw_bits(&seed) % 1000), -(int)(draw_bits(&seed) % 10));
        const double x = ldexp((double)(draw_bits(&seed) >> 32), -32), y = 1.0 - x;
        const double p = gs_beta_inc(a, b, x, y), q = gs_beta_inc(b, a, y, x);
        assert_true(p >= 0.0 && p <= 1.0);
        assert_true(fabs(p + q - 1.0) <= 0x1p-53);
    }
    assert_true(gs_beta_inc(2.0, 3.0, 0.0, 1.0) == 0.0 && gs_beta_inc(2.0, 3.0, 1.0, 0.0) == 1.0);
    assert_true(isnan(gs_beta_inc(0.0, 1.0, 0.5, 0.5)) &&
                isnan(gs_beta_inc(1.0, INFINITY, 0.5, 0.5)) &&
                isnan(gs_beta_inc(1.0, 1.0, 1.5, -0.5)));
}

static void the_normal_tail_keeps_its_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exact_normal); i++) {
        assert_close(gs_normal_tail(exact_normal[i][0]), exact_normal[i][1], 2e-15);
        assert_close(gs_normal_cdf(-exact_normal[i][0]), exact_normal[i][1], 2e-15);
    }
    assert_true(gs_normal_tail(INFINITY) == 0.0 && gs_normal_cdf(INFINITY) == 1.0 &&
                isnan(gs_normal_cdf(NAN)));
}

static void the_normal_quantile_inverts_the_distribution(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(exact_normal_quantile); i++)
        assert_close(gs_normal_quantile(exact_normal_quantile[i][0]), exact_normal_quantile[i][1],
                     i == 1 ? 1e-10 : 4e-16);
    for (double p = 1e-307; p < 0.4; p *= 3.0)
        assert_close(gs_normal_cdf(gs_normal_quantile(p)), p, 1e-12);
    assert_true(gs_normal_quantile(0.5) == 0.0);
    assert_true(gs_normal_quantile(0.0) == -INFINITY && gs_normal_quantile(1.0) == INFINITY);
    assert_true(isnan(gs_normal_quantile(-0.1)) && isnan(gs_normal_quantile(1.1)) &&
                isnan(gs_normal_quantile(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_is_correctly_rounded_far_into_the_tail),
        cmocka_unit_test(student_knows_its_limits),
        cmocka_unit_test(student_of_r_is_student_of_t),
        cmocka_unit_test(the_incomplete_beta_function_is_correctly_rounded),
        cmocka_unit_test(the_incomplete_beta_function_is_symmetric_and_bounded),
        cmocka_unit_test(the_normal_tail_keeps_its_digits),
        cmocka_unit_test(the_normal_quantile_inverts_the_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
