/* Readings that were scraped a little apart become one sample; none is lost, none is merged with another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/timeline/scrapes.h"
#include "base/num/timestamp.h"
#include "data/tables/metric.h"

enum { ROWS = 64, METRICS = 3 };

struct series {
    uint32_t n;
    int64_t t[ROWS], value[METRICS][ROWS]; /* power, temperature, utilisation */
};

static void add(struct series *s, int64_t t, uint32_t metric, int64_t value)
{
    for (uint32_t m = 0; m < METRICS; m++)
        s->value[m][s->n] = m == metric ? value : GS_MISSING;
    s->t[s->n++] = t;
}

/* Three readings of power 10 apart, and one of temperature that long after each. */
static void add_pairs(struct series *s, int64_t after)
{
    for (int64_t k = 0; k < 3; k++) {
        add(s, 10 * k, GS_POWER, 100 + k);
        add(s, 10 * k + after, GS_TEMP, 50 + k);
    }
}

static void join(struct series *s)
{
    GS_OWN struct gs_arena scratch = {0};
    int64_t *columns[] = {s->t, s->value[0], s->value[1], s->value[2]};
    struct gs_scrapes scrapes = {s->n, METRICS, columns + 1, columns, METRICS + 1, s->t};
    assert_int_equal(gs_scrapes_join(&scrapes, &scratch, NULL), GS_OK);
    s->n = scrapes.n;
}

static void expect_row(const struct series *s, uint32_t row, int64_t t, int64_t power, int64_t temp)
{
    assert_true(row < s->n);
    assert_int_equal(s->t[row], t);
    assert_int_equal(s->value[GS_POWER][row], power);
    assert_int_equal(s->value[GS_TEMP][row], temp);
}

static void readings_less_than_half_an_interval_apart_are_one_sample_at_the_power(void **state)
{
    struct series s = {0};
    (void)state;
    add_pairs(&s, 4);
    join(&s);
    assert_int_equal(s.n, 3);
    for (uint32_t k = 0; k < 3; k++)
        expect_row(&s, k, 10 * k, 100 + k, 50 + k);
}

static void half_an_interval_apart_they_stay_two(void **state)
{
    struct series s = {0};
    (void)state;
    add_pairs(&s, 5);
    join(&s);
    assert_int_equal(s.n, 6);
}

static void the_shorter_interval_counts(void **state)
{
    struct series s = {0};
    (void)state;
    for (int64_t k = 0; k < 3; k++) { /* temperatures each 2: that 3 away is another moment's */
        add(&s, 60 * k, GS_POWER, 100);
        add(&s, 60 * k + 3, GS_TEMP, 50);
        add(&s, 60 * k + 5, GS_TEMP, 51);
        add(&s, 60 * k + 7, GS_TEMP, 52);
    }
    join(&s);
    assert_int_equal(s.n, 12);
}

static void of_two_readings_of_a_metric_the_nearer_joins_and_the_other_stays(void **state)
{
    struct series s = {0};
    (void)state;
    add(&s, -3, GS_TEMP, 1);
    add(&s, 0, GS_POWER, 100);
    add(&s, 2, GS_TEMP, 2);
    add(&s, 10, GS_POWER, 101);
    add(&s, 12, GS_TEMP, 3);
    add(&s, 20, GS_POWER, 102);
    add(&s, 22, GS_TEMP, 4);
    join(&s);
    assert_int_equal(s.n, 4);
    expect_row(&s, 0, -3, GS_MISSING, 1);
    expect_row(&s, 1, 0, 100, 2);
    expect_row(&s, 2, 10, 101, 3);
    expect_row(&s, 3, 20, 102, 4);
}

static void without_power_the_metric_with_most_readings_makes_the_samples(void **state)
{
    struct series s = {0};
    (void)state;
    add(&s, 0, GS_GPU_UTIL, 10);
    add(&s, 1, GS_TEMP, 1);
    add(&s, 10, GS_GPU_UTIL, 20);
    add(&s, 11, GS_TEMP, 2);
    add(&s, 20, GS_GPU_UTIL, 30);
    join(&s);
    assert_int_equal(s.n, 3);
    expect_row(&s, 1, 10, GS_MISSING, 2);
    assert_int_equal(s.value[GS_GPU_UTIL][1], 20);
}

static int by_value(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(int64_t));
}

/* Every reading is there afterwards, once, and those of power where they were. */
static void random_series_lose_and_move_nothing(void **state)
{
    uint64_t seed = 1;
    (void)state;
    for (int run = 0; run < 2000; run++) {
        struct series s = {0}, before;
        int64_t t = 0;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const uint32_t n = 1 + (uint32_t)(seed >> 40) % ROWS;
        for (uint32_t i = 0; i < n; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            t += (int64_t)((seed >> 33) % 6);
            add(&s, t, (uint32_t)(seed >> 50) % METRICS, i + 1);
        }
        before = s;
        join(&s);
        for (uint32_t m = 0; m < METRICS; m++) {
            int64_t was[ROWS], is[ROWS];
            uint32_t n_was = 0, n_is = 0;
            for (uint32_t i = 0; i < before.n; i++)
                if (before.value[m][i] != GS_MISSING)
                    was[n_was++] = before.value[m][i];
            for (uint32_t i = 0; i < s.n; i++)
                if (s.value[m][i] != GS_MISSING)
                    is[n_is++] = s.value[m][i];
            assert_int_equal(n_was, n_is);
            qsort(was, n_was, sizeof *was, by_value);
            qsort(is, n_is, sizeof *is, by_value);
            assert_memory_equal(was, is, n_was * sizeof *was);
        }
        for (uint32_t i = 0; i < s.n; i++)
            if (s.value[GS_POWER][i] != GS_MISSING)
                assert_int_equal(s.t[i], before.t[s.value[GS_POWER][i] - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_less_than_half_an_interval_apart_are_one_sample_at_the_power),
        cmocka_unit_test(half_an_interval_apart_they_stay_two),
        cmocka_unit_test(the_shorter_interval_counts),
        cmocka_unit_test(of_two_readings_of_a_metric_the_nearer_joins_and_the_other_stays),
        cmocka_unit_test(without_power_the_metric_with_most_readings_makes_the_samples),
        cmocka_unit_test(random_series_lose_and_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
