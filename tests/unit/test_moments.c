/* test_moments.c - exact moments against fractions and the certified values of NIST. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stats/descriptive/moments.h"

#include "../oracle/draw.h"
#include "../oracle/nist/nist.h"
#include "../oracle/stats_exact.h"

static struct gs_moments moments_of(const int64_t *x, size_t n)
{
    struct gs_moments m = {0};
    for (size_t i = 0; i < n; i++)
        gs_moments_add(&m, x[i]);
    return m;
}

static void assert_moments(const struct gs_moments *m, int64_t scale, const double want[3])
{
    double mean, ssd;
    assert_int_equal(gs_moments_mean(m, scale, &mean, NULL), GS_OK);
    assert_int_equal(gs_moments_ssd(m, scale, &ssd, NULL), GS_OK);
    assert_true(mean == want[0]);
    assert_true(ssd == want[2]); /* [1] is the variance */
}

static void results_are_correctly_rounded(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        size_t n;
        unsigned bits;
        int64_t scale;
        const double *want;
    } cases[] = {{1, 1000, 50, 1000000, exact_moments_1},
                 {2, 1001, 64, 1, exact_moments_2},
                 {3, 2, 33, 1000000000, exact_moments_3},
                 {4, 4097, 20, 7, exact_moments_4}};
    static int64_t x[4097];
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        draw_ints(cases[i].seed, x, cases[i].n, cases[i].bits);
        const struct gs_moments m = moments_of(x, cases[i].n);
        assert_moments(&m, cases[i].scale, cases[i].want);
    }
}

static void merging_in_any_grouping_gives_the_same_sums(void **state)
{
    (void)state;
    static int64_t x[4097];
    draw_ints(4, x, COUNT_OF(x), 20);
    x[5] = x[4096] = GS_MISSING;
    const struct gs_moments whole = moments_of(x, COUNT_OF(x));
    uint64_t seed = 99;
    for (int round = 0; round < 50; round++) {
        struct gs_moments part[5] = {0};
        for (size_t i = COUNT_OF(x); i-- > 0;)
            gs_moments_add(&part[draw_bits(&seed) % 4], x[i]);
        for (int i = 3; i >= 0; i--)
            gs_moments_merge(&part[4], &part[i]);
        assert_true(part[4].n == whole.n && part[4].n_missing == 2);
        assert_true(part[4].sum == whole.sum);
        assert_true(part[4].squares.lo == whole.squares.lo &&
                    part[4].squares.hi == whole.squares.hi);
        assert_true(part[4].min == whole.min && part[4].max == whole.max);
    }
}

static void the_widest_values_do_not_overflow(void **state)
{
    (void)state;
    /* Doubling a merge 40 times: 2^41 values of +-(2^63 - 1), far beyond any data. */
    struct gs_moments m = {0};
    gs_moments_add(&m, INT64_MAX);
    gs_moments_add(&m, -INT64_MAX);
    for (int i = 0; i < 40; i++) {
        const struct gs_moments half = m;
        gs_moments_merge(&m, &half);
    }
    double mean = 1.0, ssd;
    assert_true(m.n == UINT64_C(1) << 41);
    assert_int_equal(gs_moments_mean(&m, 1, &mean, NULL), GS_OK);
    assert_true(mean == 0.0);
    assert_int_equal(gs_moments_ssd(&m, 1, &ssd, NULL), GS_OK);
    assert_close(ssd, 0x1p63, 1e-12);
}

static void undefined_is_an_error_and_leaves_the_output(void **state)
{
    (void)state;
    struct gs_moments m = {0};
    struct gs_err err = {0};
    double v = 42.0;
    gs_moments_add(&m, GS_MISSING);
    assert_int_equal(gs_moments_mean(&m, 1, &v, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "mean undefined: no values");
    assert_int_equal(gs_moments_min(&m, 1, &v, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "minimum undefined: no values");
    assert_int_equal(gs_moments_max(&m, 1, &v, &err), GS_ERR_RANGE);
    gs_moments_add(&m, 7);
    assert_int_equal(gs_moments_ssd(&m, 1, &v, &err), GS_ERR_RANGE);
    assert_string_equal(err.text, "standard deviation undefined: fewer than 2 values");
    assert_true(v == 42.0);
    assert_int_equal(gs_moments_max(&m, 2, &v, &err), GS_OK);
    assert_true(v == 3.5 && m.n_missing == 1);
}

static void a_constant_series_has_deviation_zero(void **state)
{
    (void)state;
    struct gs_moments m = {0};
    for (int i = 0; i < 3; i++)
        gs_moments_add(&m, 100000000);
    double ssd = 1.0;
    assert_int_equal(gs_moments_ssd(&m, GS_FIXED_ONE, &ssd, NULL), GS_OK);
    assert_true(ssd == 0.0);
}

/* Certified values are given to 15 digits. */
static void assert_certified(const int64_t *x, size_t n, int64_t scale, double mean, double ssd)
{
    const struct gs_moments m = moments_of(x, n);
    double got;
    assert_int_equal(gs_moments_mean(&m, scale, &got, NULL), GS_OK);
    assert_close(got, mean, 1e-15);
    assert_int_equal(gs_moments_ssd(&m, scale, &got, NULL), GS_OK);
    assert_close(got, ssd, 2e-15);
    for (size_t i = 0; i < n; i++)
        assert_true(x[i] > INT64_MIN);
}

static void observed_data_of_nist_meet_the_certified_values(void **state)
{
    (void)state;
    assert_certified(nist_lew, COUNT_OF(nist_lew), 1, -177.435000000000, 277.332168044316);
    assert_certified(nist_lottery, COUNT_OF(nist_lottery), 1, 518.958715596330, 291.699727470969);
    assert_certified(nist_michelso_e2, COUNT_OF(nist_michelso_e2), 100, 299.852400000000,
                     0.0790105478190518);
    assert_certified(nist_mavro_e5, COUNT_OF(nist_mavro_e5), 100000, 2.00185600000000,
                     0.000429123454003053);
}

/* NumAcc2 to 4: a middle value once, then one below and one above by turns, 500 times each. */
static void num_acc(int64_t middle, int64_t *x)
{
    x[0] = middle;
    for (size_t i = 1; i <= 1000; i++)
        x[i] = i % 2 == 1 ? middle - 1 : middle + 1;
}

static void numerically_hard_data_of_nist_meet_the_certified_values(void **state)
{
    (void)state;
    static const int64_t num_acc_1[] = {10000001, 10000003, 10000002};
    assert_certified(num_acc_1, COUNT_OF(num_acc_1), 1, 10000002.0, 1.0);
    static const struct {
        int64_t middle;
        double mean;
    } cases[] = {{12, 1.2}, {10000002, 1000000.2}, {100000002, 10000000.2}};
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        int64_t x[1001];
        double real[1001];
        num_acc(cases[c].middle, x);
        assert_certified(x, COUNT_OF(x), 10, cases[c].mean, 0.1);
        /* As doubles the data themselves are rounded: 7 digits are lost to that in NumAcc4. */
        for (size_t i = 0; i < COUNT_OF(x); i++)
            real[i] = (double)x[i] / 10.0;
        const struct gs_real_moments m = gs_real_describe(real, COUNT_OF(real));
        assert_close(m.mean, cases[c].mean, 1e-15);
        assert_close(m.ssd, 0.1, cases[c].middle > 20000000 ? 1e-8 : 1e-9);
    }
}

static void doubles_are_described_to_the_last_bit(void **state)
{
    (void)state;
    int64_t x[1000];
    double real[1001];
    draw_ints(1, x, COUNT_OF(x), 50);
    for (size_t i = 0; i < COUNT_OF(x); i++)
        real[i < 500 ? i : i + 1] = (double)x[i];
    real[500] = NAN;
    const struct gs_real_moments m = gs_real_describe(real, COUNT_OF(real));
    const struct gs_moments exact = moments_of(x, COUNT_OF(x));
    double want;
    assert_true(m.n == 1000 && m.n_missing == 1);
    assert_int_equal(gs_moments_mean(&exact, 1, &want, NULL), GS_OK);
    assert_true(m.mean == want);
    assert_int_equal(gs_moments_ssd(&exact, 1, &want, NULL), GS_OK);
    assert_true(m.ssd == want);
    assert_true(m.min == (double)exact.min && m.max == (double)exact.max);
}

static void what_is_undefined_of_doubles_is_nan(void **state)
{
    (void)state;
    const double x[] = {NAN, 3.0};
    const struct gs_real_moments none = gs_real_describe(x, 1), one = gs_real_describe(x, 2);
    assert_true(none.n == 0 && isnan(none.mean) && isnan(none.min) && isnan(none.ssd) &&
                none.sum == 0.0);
    assert_true(one.n == 1 && one.mean == 3.0 && one.max == 3.0 && isnan(one.svar));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_correctly_rounded),
        cmocka_unit_test(merging_in_any_grouping_gives_the_same_sums),
        cmocka_unit_test(the_widest_values_do_not_overflow),
        cmocka_unit_test(undefined_is_an_error_and_leaves_the_output),
        cmocka_unit_test(a_constant_series_has_deviation_zero),
        cmocka_unit_test(observed_data_of_nist_meet_the_certified_values),
        cmocka_unit_test(numerically_hard_data_of_nist_meet_the_certified_values),
        cmocka_unit_test(doubles_are_described_to_the_last_bit),
        cmocka_unit_test(what_is_undefined_of_doubles_is_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
