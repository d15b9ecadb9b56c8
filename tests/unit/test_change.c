/* test_change.c - the comparison of runs against its definition, computed elsewhere. */
#include "change_fixture.h"

#include "stats/descriptive/rank.h"
#include "stats/descriptive/special.h"

#include "../oracle/changes.h"
#include "../oracle/draw.h"

enum { SPANS_MAX = 4000 };

static const struct gs_change_options plain;

/* As changes.py draws them. */
static size_t draw_side(const unsigned shape[7], unsigned side, uint64_t *seed,
                        struct gs_change_value *v)
{
    const unsigned workers = shape[2], each = shape[4];
    size_t n = 0;
    for (uint32_t run = 0; run < shape[side]; run++) {
        const uint64_t shift = draw_bits(seed) % 20000;
        for (unsigned worker = 0; worker < workers; worker++)
            for (unsigned i = 0; i < each; i++) {
                const unsigned task = worker * each + i;
                const unsigned on = (shape[6] && side == 1 ? task * 5 + 3 : worker) % workers;
                uint64_t value = 1000000 + 7919 * on + shift + draw_bits(seed) % 50000;
                value += 30000 * side + (shape[5] ? task * 1777 % 90000 : 0);
                v[n++] = (struct gs_change_value){.run = run,
                                                  .worker = on + shape[3] * side,
                                                  .task = shape[5] ? task : GS_CHANGE_NO_TASK,
                                                  .start_ns = i,
                                                  .stop_ns = i + 1,
                                                  .value = (double)value};
            }
    }
    qsort(v, n, sizeof *v, in_order);
    return n;
}

/* Both sides; they last until the next are drawn. */
struct drawn {
    struct gs_change_value *a, *b;
    size_t n_a, n_b;
};

static struct drawn draw_sides(const unsigned shape[7], uint64_t seed)
{
    static struct gs_change_value a[SPANS_MAX], b[SPANS_MAX];
    struct drawn d = {.a = a, .b = b};
    d.n_a = draw_side(shape, 0, &seed, a);
    d.n_b = draw_side(shape, 1, &seed, b);
    return d;
}

static struct gs_change change_of(struct gs_change_value *a, size_t n_a, struct gs_change_value *b,
                                  size_t n_b, const struct gs_change_options *o)
{
    struct gs_arena scratch = {0};
    const struct gs_change_side side[2] = {{a, n_a, 0}, {b, n_b, 0}};
    struct gs_change c;
    assert_int_equal(gs_change_find(side, o, &scratch, &c, NULL), GS_OK);
    gs_arena_release(&scratch);
    return c;
}

static void assert_both(double got, double want, double relative)
{
    if (isnan(want))
        assert_true(isnan(got));
    else
        assert_close(got, want, relative);
}

static void one_of_many_stands_out(void **state)
{
    (void)state;
    static const double one[] = {0.0, 0.001, 0.26, -0.001, 0.0}, even[] = {0.1, 0.2, 0.3, 0.4};
    struct gs_arena arena = {0};
    size_t which;
    double others;
    assert_int_equal(gs_change_odd(one, 5, &arena, &which, &others, NULL), GS_OK);
    assert_int_equal(which, 2);
    assert_true(others == 0.0);
    assert_int_equal(gs_change_odd(even, 4, &arena, &which, &others, NULL), GS_OK);
    assert_int_equal(which, 4); /* none */
    assert_int_equal(gs_change_odd(one, 3, &arena, &which, &others, NULL), GS_OK);
    assert_int_equal(which, 3); /* too few to say what is usual */
    gs_arena_release(&arena);
}

static void changes_are_those_of_the_definition(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(expected_change); i++) {
        const unsigned *const shape = expected_change[i].shape;
        const struct drawn d = draw_sides(shape, 4711);
        const struct gs_change c = change_of(d.a, d.n_a, d.b, d.n_b, &plain);
        assert_close(c.change, expected_change[i].change, 1e-11);
        assert_both(c.low, expected_change[i].low, 1e-10);
        assert_both(c.high, expected_change[i].high, 1e-10);
        assert_both(c.p, expected_change[i].p, 1e-9);
        assert_both(c.df, expected_change[i].df, 1e-9);
        assert_close(c.total, expected_change[i].total, 1e-11);
        assert_int_equal(c.units[0], expected_change[i].units[0]);
        assert_int_equal(c.units[1], expected_change[i].units[1]);
    }
}

static void a_quantile_of_t_is_good_to_ten_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(expected_quantile); i++) {
        const double *const e = expected_quantile[i];
        assert_close(gs_student_quantile(e[0], e[1]), e[2], 1e-12);
    }
    assert_true(gs_student_quantile(1.0, 3.0) == 0.0 && isinf(gs_student_quantile(0.0, 3.0)));
    assert_true(isnan(gs_student_quantile(0.5, 0.0)) && isnan(gs_student_quantile(-0.1, 3.0)));
}

static void holm_steps_down_and_leaves_out_what_is_no_test(void **state)
{
    (void)state;
    /* S. Holm: the smallest times 4, the next times 3, never below the one before. */
    const double p[] = {0.01, 0.04, NAN, 0.03, 0.005};
    double adjusted[5];
    struct gs_arena scratch = {0};
    assert_int_equal(gs_holm(p, 5, adjusted, &scratch, NULL), GS_OK);
    assert_close(adjusted[4], 0.02, 1e-15);
    assert_close(adjusted[0], 0.03, 1e-15);
    assert_close(adjusted[3], 0.06, 1e-15);
    assert_close(adjusted[1], 0.06, 1e-15);
    assert_true(isnan(adjusted[2]));
    gs_arena_release(&scratch);
}

static void a_run_against_itself_is_the_same(void **state)
{
    (void)state;
    static struct gs_change_value a[SPANS_MAX], b[SPANS_MAX];
    for (size_t i = 0; i < COUNT_OF(expected_change); i++) {
        uint64_t seed = 99, again = 99;
        unsigned shape[7];
        memcpy(shape, expected_change[i].shape, sizeof shape);
        shape[1] = shape[0];
        shape[3] = shape[6] = 0;
        const size_t n = draw_side(shape, 0, &seed, a);
        (void)draw_side(shape, 0, &again, b);
        const struct gs_change c = change_of(a, n, b, n, &plain);
        assert_true(c.change == 0.0 && c.total == 0.0);
        if (isnan(c.se))
            assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_UNSURE);
        else
            assert_true(gs_change_judge(&c, 0.02, c.p) == GS_CHANGE_SAME || c.high > 0.019);
    }
}

/* Scaling B by a factor moves every number by its logarithm, and swapping the sides turns the sign. */
static void factors_and_sides_do_what_they_must(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(expected_change); i++) {
        const unsigned *const shape = expected_change[i].shape;
        const struct drawn d = draw_sides(shape, 7);
        const struct gs_change c = change_of(d.a, d.n_a, d.b, d.n_b, &plain);
        if (shape[6] == 0) { /* blocks and pairs of moved tasks follow A's order */
            const struct gs_change back = change_of(d.b, d.n_b, d.a, d.n_a, &plain);
            assert_close(back.change, -c.change, 1e-11);
            assert_both(back.low, -c.high, 1e-9);
        }
        for (size_t k = 0; k < d.n_b; k++)
            d.b[k].value *= 2.0;
        const struct gs_change twice = change_of(d.a, d.n_a, d.b, d.n_b, &plain);
        assert_close(twice.change, c.change + 0.69314718055994530942, 1e-12);
        assert_both(twice.low, c.low + 0.69314718055994530942, 1e-12);
    }
}

static void values_without_a_logarithm_are_counted(void **state)
{
    (void)state;
    static struct gs_change_value a[SPANS_MAX], b[SPANS_MAX];
    uint64_t seed = 5;
    const unsigned shape[7] = {1, 1, 5, 0, 10, 0, 0};
    const size_t n_a = draw_side(shape, 0, &seed, a), n_b = draw_side(shape, 1, &seed, b);
    a[3].value = 0.0;
    b[7].value = NAN;
    b[8].value = -1.0;
    struct gs_change c = change_of(a, n_a, b, n_b, &plain);
    assert_int_equal(c.n_left_out, 3);
    assert_int_equal(c.n[0], n_a - 1);
    assert_int_equal(c.n[1], n_b - 2);
    c = change_of(a, n_a, b, 0, &plain);
    assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_ONLY_A);
    c = change_of(a, 0, b, n_b, &plain);
    assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_ONLY_B);
}

static void a_clock_of_1_ms_leaves_2_ms_unsure(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    struct gs_change_value v[40];
    for (uint32_t i = 0; i < 40; i++)
        v[i] = (struct gs_change_value){
            .worker = i / 10, .task = GS_CHANGE_NO_TASK, .start_ns = i, .value = 2e6};
    struct gs_change_side side[2] = {{v, 40, 1e6}, {v, 40, 1e6}};
    struct gs_change c;
    assert_int_equal(gs_change_find(side, &plain, &scratch, &c, NULL), GS_OK);
    assert_true(c.change == 0.0 && c.clock_decides);
    assert_close(c.high, 0.5, 1e-12);
    assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_UNSURE);
    assert_int_equal(gs_change_judge(&c, 0.7, c.p), GS_CHANGE_SAME);
    side[0].resolution = side[1].resolution = 0.0;
    assert_int_equal(gs_change_find(side, &plain, &scratch, &c, NULL), GS_OK);
    assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_SAME);
    gs_arena_release(&scratch);
}

/* Four workers end a span each second; in B every two seconds. */
static void throughput_is_spans_per_second_of_a_worker(void **state)
{
    (void)state;
    static const struct gs_change_options rate = {.throughput = true};
    struct gs_change_value a[40], b[40];
    for (uint32_t i = 0; i < 40; i++) {
        const int64_t at = i % 10 * INT64_C(1000000000);
        a[i] = (struct gs_change_value){
            .worker = i / 10, .task = i, .start_ns = at, .stop_ns = at + 1000000000};
        b[i] = a[i];
        b[i].start_ns *= 2;
        b[i].stop_ns *= 2;
    }
    const struct gs_change c = change_of(a, 40, b, 40, &rate);
    assert_close(c.typical[0], 1.0, 1e-15);
    assert_close(c.typical[1], 0.5, 1e-15);
    assert_close(gs_change_pct(c.change), -50.0, 1e-14);
    assert_close(gs_change_pct(c.total), -50.0, 1e-14);
    assert_int_equal(gs_change_judge(&c, 0.02, c.p), GS_CHANGE_LESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_many_stands_out),
        cmocka_unit_test(changes_are_those_of_the_definition),
        cmocka_unit_test(a_quantile_of_t_is_good_to_ten_digits),
        cmocka_unit_test(holm_steps_down_and_leaves_out_what_is_no_test),
        cmocka_unit_test(a_run_against_itself_is_the_same),
        cmocka_unit_test(factors_and_sides_do_what_they_must),
        cmocka_unit_test(values_without_a_logarithm_are_counted),
        cmocka_unit_test(a_clock_of_1_ms_leaves_2_ms_unsure),
        cmocka_unit_test(throughput_is_spans_per_second_of_a_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
