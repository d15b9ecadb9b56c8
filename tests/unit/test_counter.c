/* test_counter.c - energy counters: resets, instants between readings, gaps, what stands beside an energy. */
#include "arena_fixture.h"

#include "base/num/timestamp.h"
#include "analysis/energy/counter.h"

enum { S = 1000000000 };

static struct gs_counter read_all(const int64_t *t, const int64_t *v, size_t n)
{
    const struct gs_power_series series = {n, t, v, NULL};
    struct gs_counter c = {0};
    assert_int_equal(gs_counter_read(&series, NULL, &arena, &c, NULL), GS_OK);
    return c;
}

static void no_reading_counts_nothing(void **state)
{
    (void)state;
    const int64_t t[] = {0, S}, v[] = {GS_MISSING, GS_MISSING};
    const struct gs_counter c = read_all(t, v, 2);
    gs_i128 used = 42;
    assert_int_equal(c.n, 0);
    assert_false(gs_counter_between(&c, 0, S, -1, &used));
    assert_true(used == 42);
}

static void a_fall_begins_anew_at_nothing(void **state)
{
    (void)state;
    const int64_t t[] = {0, S, 2 * (int64_t)S, 3 * (int64_t)S, 4 * (int64_t)S},
                  v[] = {100, 130, GS_MISSING, 20, 20};
    const struct gs_counter c = read_all(t, v, COUNT_OF(t));
    gs_i128 used;
    assert_int_equal(c.n, 4);
    assert_int_equal(c.n_resets, 1);
    assert_true(gs_counter_between(&c, t[0], t[4], -1, &used));
    assert_true(used == 50); /* 30, then 20 since it fell */
}

/* 100 W by the power beside it: what a second can have taken is 200 J. */
static void a_fall_that_power_cannot_explain_is_a_step_back(void **state)
{
    (void)state;
    const int64_t one = GS_FIXED_ONE;
    int64_t t[5], power[5];
    const int64_t v[2][5] = {{5000 * one, 5100 * one, 5150 * one, 5140 * one, 5240 * one},
                             {5000 * one, 5100 * one, 30 * one, 130 * one, 230 * one}};
    for (int i = 0; i < 5; i++) {
        t[i] = i * (int64_t)S;
        power[i] = 100 * one;
    }
    const struct gs_power_series drawn = {COUNT_OF(t), t, power, NULL};
    const struct gs_sensor sensor = {.gain = 1.0, .interval_ns = S};
    struct gs_energy_curve curve;
    struct gs_counter c;
    assert_int_equal(gs_energy_curve_make(&drawn, &sensor, -1, &arena, &curve, NULL), GS_OK);
    for (int k = 0; k < 2; k++) {
        const struct gs_power_series series = {COUNT_OF(t), t, v[k], NULL};
        assert_int_equal(gs_counter_read(&series, &curve, &arena, &c, NULL), GS_OK);
        assert_int_equal(c.n_back, k == 0);
        assert_int_equal(c.n_resets, k == 1);
        assert_true(c.used[4] == (k == 0 ? 240 : 400) * (gs_i128)one); /* 100 W fill the gap */
    }
}

/* The energy of the power that a counter alone tells, over its whole log, J; NaN: it tells none. */
static double energy_of(const int64_t *t, const int64_t *v, size_t n, int64_t *power)
{
    const struct gs_power_series counter = {n, t, v, NULL};
    struct gs_power_series drawn = {n, t, power, NULL};
    const struct gs_sensor sensor = {
        .gain = 1.0, .interval_ns = S, .period_ns = S, .rhythm = GS_RHYTHM_COUNTED};
    struct gs_energy_curve curve;
    struct gs_energy_sum sum = {0};
    int64_t step;
    if (!gs_counter_power(&counter, power, &step))
        return (double)NAN;
    assert_int_equal(gs_power_instants(&drawn, &arena, NULL), GS_OK);
    assert_int_equal(gs_energy_curve_make(&drawn, &sensor, -1, &arena, &curve, NULL), GS_OK);
    assert_true(gs_energy_sum_log(&sum, &curve));
    return gs_energy_j(sum.energy);
}

static void a_counter_alone_has_the_power_that_it_rose_by(void **state)
{
    (void)state;
    const int64_t one = GS_FIXED_ONE, s = S;
    const int64_t t[] = {0, s, s, 3 * s, 4 * s, 4 * s + s / 3};
    const int64_t v[] = {700 * one, 800 * one, 800 * one, 1400 * one, GS_MISSING, 1600 * one};
    int64_t power[COUNT_OF(t)];
    assert_true(fabs(energy_of(t, v, COUNT_OF(t), power) - 900.0) < 1e-6);
    assert_true(power[0] == 100 * one && power[1] == 100 * one && power[2] == GS_MISSING);
    assert_true(power[3] == 300 * one && power[4] == GS_MISSING && power[5] == 150 * one);
}

/* Each interval is rounded to the microwatt: what one has too little of, the next has more. */
/* It falls in half of its steps: each reading is what its second took, beside a power or alone. */
static void a_column_that_falls_as_often_as_it_rises_is_of_intervals(void **state)
{
    (void)state;
    enum { N = 13 };
    const int64_t one = GS_FIXED_ONE;
    int64_t t[N], v[N], power[N], drawn[N];
    for (int i = 0; i < N; i++) {
        t[i] = i * (int64_t)S;
        v[i] = (i % 2 == 0 ? 290 : 310) * one;
        power[i] = 300 * one;
    }
    assert_true(fabs(energy_of(t, v, N, drawn) - 6 * 290 - 6 * 310) < 1e-6);
    const struct gs_power_series beside = {N, t, power, NULL}, series = {N, t, v, NULL};
    const struct gs_sensor sensor = {.gain = 1.0, .interval_ns = S};
    struct gs_energy_curve curve;
    struct gs_counter c;
    assert_int_equal(gs_energy_curve_make(&beside, &sensor, -1, &arena, &curve, NULL), GS_OK);
    assert_int_equal(gs_counter_read(&series, &curve, &arena, &c, NULL), GS_OK);
    assert_true(c.of_intervals);
    assert_int_equal(c.doubt, GS_COUNTER_FITS);
    assert_true(c.used[N - 1] == 3600 * (gs_i128)one);
    /* A sum that jitters is no such column: over its time it would be more than a GPU can draw. */
    for (int i = 0; i < N; i++)
        v[i] += 5000000 * one;
    assert_false(read_all(t, v, N).of_intervals);
}

static void rounding_of_a_counter_s_power_does_not_add_up(void **state)
{
    (void)state;
    enum { N = 3000 };
    static int64_t t[N], v[N], power[N];
    for (int64_t i = 0; i < N; i++) {
        t[i] = i * 7 * (int64_t)S / 3;
        v[i] = i * 100 * (int64_t)GS_FIXED_ONE + i % 7;
    }
    assert_true(fabs(energy_of(t, v, N, power) - (double)(v[N - 1] - v[0]) * 1e-6) < 1e-5);
}

/* 100 W, exported every 3 s and logged every second: of the first reading nobody knows when it was. */
static void a_counter_that_stays_begins_with_its_first_renewal(void **state)
{
    (void)state;
    enum { N = 20 };
    int64_t t[N], v[N], power[N];
    for (int64_t i = 0; i < N; i++) {
        t[i] = i * (int64_t)S;
        v[i] = (i + 1) / 3 * 300 * (int64_t)GS_FIXED_ONE + 1;
    }
    assert_true(fabs(energy_of(t, v, N, power) - 1500.0) < 1e-6); /* 2 s to 17 s */
    assert_true(power[0] == GS_MISSING && power[2] == 100 * (int64_t)GS_FIXED_ONE);
}

static void a_counter_alone_that_began_anew_has_the_power_behind(void **state)
{
    (void)state;
    const int64_t one = GS_FIXED_ONE, s = S;
    const int64_t t[] = {0, s, 2 * s, 3 * s, 4 * s};
    const int64_t v[] = {5000 * one, 5100 * one, 5200 * one, 20 * one, 120 * one},
                  wraps[] = {4294867 * one + 196000, 4294967 * one + 196000, 99 * one + 900000,
                             199 * one + 900000, 299 * one + 900000},
                  falls[] = {5000 * one, 5100 * one, 10 * one, 110 * one, 10 * one},
                  rests[] = {one, one, one, one, one};
    int64_t power[COUNT_OF(t)];
    assert_true(fabs(energy_of(t, v, COUNT_OF(t), power) - 400.0) < 1e-6);
    assert_true(power[3] == GS_MISSING);
    assert_true(fabs(energy_of(t, wraps, COUNT_OF(t), power) - 400.0) < 0.01); /* 2^32 mJ */
    assert_true(isnan(energy_of(t, falls, COUNT_OF(t), power)));
    assert_true(isnan(energy_of(t, rests, COUNT_OF(t), power)));
}

static void of_readings_at_one_instant_the_greatest_stands(void **state)
{
    (void)state;
    const int64_t t[] = {0, S, S, S, 2 * (int64_t)S}, v[] = {10, 30, 20, GS_MISSING, 40};
    const struct gs_counter c = read_all(t, v, COUNT_OF(t));
    assert_int_equal(c.n, 3);
    assert_int_equal(c.n_resets, 0);
    assert_true(c.used[1] == 20 && c.used[2] == 30);
}

static void between_readings_it_is_a_line(void **state)
{
    (void)state;
    const int64_t t[] = {0, S, 5 * (int64_t)S, 6 * (int64_t)S}, v[] = {0, 10, 33, 40};
    const struct gs_counter c = read_all(t, v, COUNT_OF(t));
    gs_i128 used;
    assert_true(gs_counter_between(&c, S / 2, S, -1, &used));
    assert_true(used == 5);
    assert_true(gs_counter_between(&c, S, 2 * (int64_t)S, 4 * (int64_t)S, &used));
    assert_true(used == 6); /* 23 / 4, to the nearest */
    assert_false(
        gs_counter_between(&c, S, 2 * (int64_t)S, 4 * (int64_t)S - 1, &used)); /* an end in a gap */
    assert_true(gs_counter_between(&c, S / 2, 5 * (int64_t)S + S / 2, S,
                                   &used)); /* a gap between the ends */
    assert_true(used == 32);                /* 5, 23 and 4 */
    assert_false(gs_counter_between(&c, -1, S, -1, &used));
    assert_false(gs_counter_between(&c, 0, 6 * (int64_t)S + 1, -1, &used));
}

static void the_widest_numbers_fit(void **state)
{
    (void)state;
    const int64_t t[] = {INT64_MIN + 2, INT64_MAX}, v[] = {INT64_MIN + 1, INT64_MAX};
    const struct gs_counter c = read_all(t, v, 2);
    gs_i128 used;
    assert_true(gs_counter_between(&c, t[0], t[1], -1, &used));
    assert_true(used == (gs_i128)INT64_MAX - (INT64_MIN + 1));
    assert_true(gs_counter_between(&c, t[0], 0, -1, &used));
    assert_true(used == (gs_i128)INT64_MAX - 1 || used == INT64_MAX); /* half of it */
}

static void the_difference_is_of_what_has_both(void **state)
{
    (void)state;
    struct gs_counted sum = {0}, other = {0};
    assert_true(isnan(gs_counted_j(&sum)));
    assert_true(isnan(gs_counted_difference_pct(&sum)));
    gs_counted_add(&sum, 110 * (gs_i128)GS_FIXED_ONE, 100 * (gs_i128)GS_ENERGY_PER_J, 99, 100);
    gs_counted_add(&other, 50 * (gs_i128)GS_FIXED_ONE, 10 * (gs_i128)GS_ENERGY_PER_J, 98, 100);
    gs_counted_add(&other, 0, 0, 0, 0); /* of no length: no energy */
    gs_counted_merge(&sum, &other);
    assert_int_equal(sum.n, 3);
    assert_true(gs_counted_j(&sum) == 160.0);
    assert_true(fabs(gs_counted_difference_pct(&sum) - 10.0) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(no_reading_counts_nothing, forget),
        cmocka_unit_test_teardown(a_fall_begins_anew_at_nothing, forget),
        cmocka_unit_test_teardown(a_fall_that_power_cannot_explain_is_a_step_back, forget),
        cmocka_unit_test_teardown(a_counter_alone_has_the_power_that_it_rose_by, forget),
        cmocka_unit_test_teardown(a_column_that_falls_as_often_as_it_rises_is_of_intervals, forget),
        cmocka_unit_test_teardown(rounding_of_a_counter_s_power_does_not_add_up, forget),
        cmocka_unit_test_teardown(a_counter_that_stays_begins_with_its_first_renewal, forget),
        cmocka_unit_test_teardown(a_counter_alone_that_began_anew_has_the_power_behind, forget),
        cmocka_unit_test_teardown(of_readings_at_one_instant_the_greatest_stands, forget),
        cmocka_unit_test_teardown(between_readings_it_is_a_line, forget),
        cmocka_unit_test_teardown(the_widest_numbers_fit, forget),
        cmocka_unit_test_teardown(the_difference_is_of_what_has_both, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
