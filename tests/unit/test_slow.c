/* test_slow.c - populations, the exact rank sum, slowness and what is left within groups: small cases by hand. */
#include "fixture.h"

#include <math.h>

#include "stats/models/kmeans.h"
#include "stats/models/populations.h"
#include "stats/descriptive/rank.h"
#include "stats/descriptive/rank_tail.h"
#include "stats/models/slow.h"
#include "stats/descriptive/within.h"

static struct gs_arena arena, scratch;

static int forget(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
    return 0;
}

static bool close_to(double a, double b, double relative)
{
    return fabs(a - b) <= relative * fabs(b);
}

/* --- the exact rank sum --------------------------------------------------------------------------------- */

/* P(U >= u) by looking at every subset of n_a places among n_a + n_b. */
static double by_counting(unsigned n_a, unsigned n_b, unsigned u)
{
    const unsigned n = n_a + n_b;
    uint64_t all = 0, such = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        unsigned below = 0, sum = 0, taken = 0;
        for (unsigned i = 0; i < n; i++) {
            if (set >> i & 1) {
                sum += below;
                taken++;
            } else {
                below++;
            }
        }
        all += taken == n_a;
        such += taken == n_a && sum >= u;
    }
    return (double)such / (double)all;
}

static void the_tail_is_that_of_all_subsets(void **state)
{
    (void)state;
    for (unsigned n_a = 1; n_a <= 6; n_a++)
        for (unsigned n_b = 1; n_b <= 8; n_b++) {
            struct gs_rank_tail t;
            assert_int_equal(gs_rank_tail_init(&t, n_a, n_b, &arena, NULL), GS_OK);
            for (unsigned u = 0; u <= n_a * n_b; u++)
                assert_true(
                    close_to(gs_rank_tail_at_least(&t, u), by_counting(n_a, n_b, u), 1e-13));
            assert_true(!(gs_rank_tail_at_least(&t, n_a * n_b + 1) > 0));
        }
}

static double ways(size_t n, size_t k)
{
    double c = 1;
    for (size_t i = 1; i <= k; i++)
        c = c * (double)(n - k + i) / (double)i;
    return c;
}

static void far_tails_keep_their_digits(void **state)
{
    (void)state;
    struct gs_rank_tail t;
    assert_int_equal(gs_rank_tail_init(&t, 12, 4000, &arena, NULL), GS_OK);
    assert_true(close_to(gs_rank_tail_at_least(&t, 12 * 4000), 1 / ways(4012, 12), 1e-12));
    assert_true(close_to(gs_rank_tail_at_least(&t, 12 * 4000 - 2), 4 / ways(4012, 12),
                         1e-12)); /* 1 + 1 + 2 */
    assert_true(
        close_to(gs_rank_tail_at_least(&t, 12 * 4000 / 2), 0.5, 1e-3)); /* symmetric about it */
    assert_true(close_to(gs_rank_tail_at_least(&t, 12 * 4000 / 2) +
                             gs_rank_tail_at_least(&t, 12 * 4000 / 2 + 1),
                         1, 1e-9));
}

static void beyond_counting_a_sum_of_uniform_numbers_goes_on_smoothly(void **state)
{
    (void)state;
    for (size_t n_a = 1; n_a <= GS_RANK_EXACT_TIMES; n_a++) {
        const size_t n_b = GS_RANK_EXACT_PAIRS / n_a;
        struct gs_rank_tail last, next;
        assert_int_equal(gs_rank_tail_init(&last, n_a, n_b, &arena, NULL), GS_OK);
        assert_int_equal(gs_rank_tail_init(&next, n_a, n_b + 1, &arena, NULL), GS_OK);
        assert_non_null(last.up_to);
        assert_null(next.up_to);
        for (size_t part = 1; part < 40; part++) {
            const double a = gs_rank_tail_at_least(&last, (gs_u128)n_a * n_b * part / 40),
                         b = gs_rank_tail_at_least(&next, (gs_u128)n_a * (n_b + 1) * part / 40);
            assert_true(close_to(a, b, 2e-4));
        }
        gs_arena_release(&arena);
    }
}

/* --- populations ---------------------------------------------------------------------------------------- */

enum { ROWS = 40 };

static struct gs_populations_input input(const double *x, size_t n, size_t d, size_t k)
{
    return (struct gs_populations_input){
        .x = x, .n = n, .n_columns = d, .joint = d == 2, .least = GS_POPULATIONS_LEAST, .k = k};
}

static struct gs_populations find(const double *x, size_t n, size_t d, size_t k)
{
    struct gs_populations p;
    const struct gs_populations_input in = input(x, n, d, k);
    assert_int_equal(gs_populations_find(&in, &arena, &scratch, &p, NULL), GS_OK);
    return p;
}

static void equal_units_are_one_population(void **state)
{
    (void)state;
    double x[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        x[i] = 50;
    assert_int_equal(find(x, ROWS, 1, 0).k, 1);
    assert_int_equal(find(x, 0, 1, 0).k, 1);
    assert_int_equal(find(x, 1, 1, 0).k, 1);
    assert_int_equal(find(x, ROWS, 0, 0).k, 1);
}

static void two_machines_are_two_where_each_holds_enough(void **state)
{
    (void)state;
    for (size_t n_few = 1; n_few <= 6; n_few++) {
        double x[2 * ROWS];
        for (size_t i = 0; i < ROWS; i++) {
            x[2 * i] = (i < n_few ? 20 : 60) + random_normal();
            x[2 * i + 1] = (i < n_few ? 30 : 50) + random_normal();
        }
        const struct gs_populations p = find(x, ROWS, 2, 0);
        assert_int_equal(p.k, n_few >= 4 ? 2 : 1); /* a tenth of 40 */
        assert_int_equal(p.size[0], n_few >= 4 ? n_few : ROWS);
        for (size_t i = 0; i < ROWS && p.k == 2; i++) {
            assert_int_equal(p.of[i], i < n_few ? 0 : 1);
            assert_int_equal(p.next[i], i < n_few ? 1 : 0);
            assert_true(p.silhouette[i] > 0.8);
        }
    }
}

static void outliers_join_the_nearest_centre(void **state)
{
    (void)state;
    double x[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        x[i] = (i % 2 ? 60 : 66) + (double)(i % 7) / 10;
    x[3] = 90; /* of the machines at 60 */
    x[4] = -20;
    const struct gs_populations p = find(x, ROWS, 1, 0);
    assert_int_equal(p.k, 2);
    assert_int_equal(p.n_aside, 2);
    assert_int_equal(p.of[3], 1);
    assert_int_equal(p.of[4], 0);
    assert_true(p.silhouette[3] < 0.4);
    assert_int_equal(p.size[0] + p.size[1], ROWS);
}

static void a_continuum_is_one_population(void **state)
{
    (void)state;
    double x[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        x[i] = (double)i;
    assert_int_equal(find(x, ROWS, 1, 0).k, 1);
}

static void a_unit_without_a_column_is_of_none_of_several(void **state)
{
    (void)state;
    double x[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        x[i] = i % 2 ? 10 + (double)i / 100 : 80 + (double)i / 100;
    x[7] = NAN;
    const struct gs_populations p = find(x, ROWS, 1, 0);
    assert_int_equal(p.k, 2);
    assert_int_equal(p.of[7], GS_POPULATION_NONE);
    assert_true(isnan(p.silhouette[7]));
    for (size_t i = 0; i < ROWS; i++)
        x[i] = i == 7 ? (double)NAN : 5;
    assert_int_equal(find(x, ROWS, 1, 0).of[7], 0);
}

static void a_number_that_is_given_is_taken(void **state)
{
    (void)state;
    double x[ROWS];
    struct gs_err err = {0};
    struct gs_populations p = {.k = 77};
    for (size_t i = 0; i < ROWS; i++)
        x[i] = (double)(i % 4);
    assert_int_equal(find(x, ROWS, 1, 3).k, 3);
    assert_int_equal(find(x, ROWS, 1, 1).k, 1);
    const struct gs_populations_input five = input(x, ROWS, 1, 5), none = input(x, ROWS, 0, 2);
    assert_int_equal(gs_populations_find(&five, &arena, &scratch, &p, &err), GS_ERR_RANGE);
    assert_int_equal(gs_populations_find(&none, &arena, &scratch, &p, &err), GS_ERR_RANGE);
    assert_int_equal(p.k, 77);
}

/* --- slowness ------------------------------------------------------------------------------------------- */

enum { UNITS = 6, TIMES = 20 };

static struct slow_case {
    double time[UNITS * TIMES];
    uint32_t type[UNITS * TIMES], population[UNITS], second[UNITS];
    size_t first[UNITS + 1];
    struct gs_slow_unit found[UNITS];
    struct gs_slow_input in;
} slow;

/* Six units of one population, whose times are 100 to 119 in another order each. */
static void begin(size_t n_times)
{
    for (size_t u = 0; u < UNITS; u++) {
        slow.first[u] = u * n_times;
        slow.population[u] = 0;
        slow.second[u] = GS_SLOW_NONE;
        for (size_t i = 0; i < n_times; i++) {
            slow.time[u * n_times + i] = 100 + (double)((i * 7 + u) % n_times) + (double)u / 16;
            slow.type[u * n_times + i] = 0;
        }
    }
    slow.first[UNITS] = UNITS * n_times;
    slow.in = (struct gs_slow_input){.n_units = UNITS,
                                     .n_populations = 1,
                                     .first = slow.first,
                                     .time = slow.time,
                                     .type = slow.type,
                                     .n_types = 1,
                                     .population = slow.population,
                                     .second = slow.second,
                                     .least = 0.03,
                                     .fdr = 0.05};
}

static size_t judge(void)
{
    size_t n = 0;
    assert_int_equal(gs_slow_find(&slow.in, slow.found, &scratch, NULL), GS_OK);
    for (size_t u = 0; u < UNITS; u++)
        n += slow.found[u].slow;
    return n;
}

static void lengthen(size_t unit, double factor)
{
    for (size_t i = slow.first[unit]; i < slow.first[unit + 1]; i++)
        slow.time[i] *= factor;
}

static void equal_units_are_not_slow(void **state)
{
    (void)state;
    begin(TIMES);
    assert_int_equal(judge(), 0);
    assert_true(fabs(slow.found[0].slowdown) < 0.01);
    assert_true(slow.found[0].p > 0.5);
}

static void a_slow_unit_is_the_only_one(void **state)
{
    (void)state;
    begin(TIMES);
    lengthen(2, 1.3);
    assert_int_equal(judge(), 1);
    assert_true(slow.found[2].slow);
    assert_true(close_to(slow.found[2].slowdown, 0.3, 0.05));
    assert_true(slow.found[2].superiority > 0.97);
}

static void what_is_surely_but_little_slower_is_not_slow(void **state)
{
    (void)state;
    begin(TIMES);
    for (size_t i = 0; i < UNITS * TIMES; i++)
        slow.time[i] = 100 + (double)i / 10000; /* nearly constant */
    lengthen(5, 1.02);
    assert_int_equal(judge(), 0);
    slow.in.least = 0.01;
    assert_int_equal(judge(), 1);
    slow.in.least = 0.02; /* its median is not quite 2 % longer than the others' */
    lengthen(5, 0.999);
    assert_int_equal(judge(), 0);
}

static void times_are_compared_type_by_type(void **state)
{
    (void)state;
    begin(TIMES);
    for (size_t i = 0; i < UNITS * TIMES; i++) { /* unit 0 has mostly the long ones */
        slow.type[i] = (i < TIMES) == (i % 4 != 0);
        slow.time[i] *= slow.type[i] != 0 ? 5 : 1;
    }
    slow.in.n_types = 3; /* of the third there is none */
    assert_int_equal(judge(), 0);
    lengthen(1, 1.2);
    assert_int_equal(judge(), 1);
    assert_true(slow.found[1].slow);
    slow.in.n_types = 1; /* not known: unit 0 looks slow */
    (void)judge();
    assert_true(slow.found[0].slow);
}

static void a_unit_between_two_populations_must_be_slow_for_both(void **state)
{
    (void)state;
    begin(TIMES);
    slow.in.n_populations = 2;
    for (size_t u = 3; u < UNITS; u++) {
        slow.population[u] = 1;
        lengthen(u, 1.5);
    }
    lengthen(0, 1.4); /* slow for its own, fast for the other */
    assert_int_equal(judge(), 1);
    slow.second[0] = 1;
    assert_int_equal(judge(), 0);
    assert_true(slow.found[0].slowdown > 0.3 && slow.found[0].second_slowdown < 0);
    lengthen(0, 1.3);
    assert_int_equal(judge(), 1);
}

static void p_is_that_of_the_shifted_times_by_counting(void **state)
{
    (void)state;
    /* 3 times against 15: the definition, pair by pair, then every subset. */
    begin(3);
    lengthen(4, 1.034);
    (void)judge();
    for (size_t u = 0; u < UNITS; u++) {
        unsigned below = 0;
        for (size_t i = slow.first[u]; i < slow.first[u + 1]; i++)
            for (size_t k = 0; k < slow.first[UNITS]; k++)
                below += (k < slow.first[u] || k >= slow.first[u + 1]) &&
                         slow.time[k] < slow.time[i] / 1.03;
        assert_true(close_to(slow.found[u].p, by_counting(3, 15, below), 1e-12));
    }
}

/* The normal approximation by its definition, with ties, for more times than are counted exactly. */
static void p_of_many_times_is_corrected_for_ties(void **state)
{
    (void)state;
    begin(TIMES);
    for (size_t i = 0; i < UNITS * TIMES; i++)
        slow.time[i] = floor(slow.time[i] / 5) * 5;
    slow.in.least = 0;
    (void)judge();
    for (size_t u = 0; u < UNITS; u++) {
        int64_t a[TIMES], b[UNITS * TIMES];
        size_t n_a = 0, n_b = 0;
        struct gs_rank_sum expected;
        for (size_t i = 0; i < UNITS * TIMES; i++) {
            if (i / TIMES == u)
                a[n_a++] = (int64_t)slow.time[i];
            else
                b[n_b++] = (int64_t)slow.time[i];
        }
        assert_int_equal(gs_rank_sum(a, n_a, b, n_b, &scratch, &expected, NULL), GS_OK);
        assert_true(close_to(slow.found[u].p, expected.p_greater, 1e-13));
        assert_true(close_to(slow.found[u].superiority, expected.superiority, 1e-13));
    }
}

static void nothing_is_said_of_a_unit_alone_or_without_times(void **state)
{
    (void)state;
    begin(TIMES);
    slow.in.n_populations = 2;
    slow.population[0] = 1; /* alone */
    slow.population[1] = GS_SLOW_NONE;
    slow.first[2] = slow.first[3] = 2 * TIMES; /* unit 2 has no times, unit 3 has those of both */
    assert_int_equal(judge(), 0);
    for (size_t u = 0; u < 3; u++)
        assert_true(isnan(slow.found[u].p) && isnan(slow.found[u].q) &&
                    isnan(slow.found[u].slowdown));
    assert_true(slow.found[3].p <= 1);
}

static void failing_memory_is_an_error(void **state)
{
    (void)state;
    begin(3);
    double x[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        x[i] = i % 2 ? 10 + (double)i / 100 : 80 + (double)i / 100;
    for (uint64_t n = 1;; n++) {
        struct gs_populations p;
        struct gs_arena own = {0}, work = {0};
        gs_memory_fail_after(n);
        const struct gs_populations_input in = input(x, ROWS, 1, 0);
        const enum gs_status a = gs_populations_find(&in, &own, &work, &p, NULL);
        const enum gs_status b = a == GS_OK ? gs_slow_find(&slow.in, slow.found, &work, NULL) : a;
        gs_memory_fail_after(0);
        gs_arena_release(&own);
        gs_arena_release(&work);
        if (b == GS_OK)
            break;
        assert_int_equal(b, GS_ERR_MEMORY);
    }
}

/* --- within groups -------------------------------------------------------------------------------------- */

static void groups_apart_leave_what_is_inside_them(void **state)
{
    (void)state;
    /* Group 0: y falls by 2 for each x; group 1 the same, far up and to the right. */
    double x[] = {0, 1, 2, 10, 11, 12, 99, NAN}, y[] = {5, 3, 1, 105, 103, 101, 7, 8}, r, slope;
    static const uint32_t group[] = {0, 0, 0, 1, 1, 1, GS_POPULATION_NONE, 0};
    gs_real_within(x, y, group, 8, 2, &r, &slope);
    assert_true(close_to(r, -1, 1e-15));
    assert_true(close_to(slope, -2, 1e-15));
}

static void a_column_constant_in_each_group_has_no_correlation(void **state)
{
    (void)state;
    double x[] = {1.1, 1.1, 3.3, 3.3}, y[] = {1, 2, 3, 4}, r = 0, slope = 0;
    static const uint32_t group[] = {0, 0, 1, 1};
    gs_real_within(x, y, group, 4, 2, &r, &slope);
    assert_true(isnan(r) && isnan(slope));
    gs_real_within(x, y, group, 0, 0, &r, &slope);
    assert_true(isnan(r) && isnan(slope));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_tail_is_that_of_all_subsets, forget),
        cmocka_unit_test_teardown(far_tails_keep_their_digits, forget),
        cmocka_unit_test_teardown(beyond_counting_a_sum_of_uniform_numbers_goes_on_smoothly,
                                  forget),
        cmocka_unit_test_teardown(equal_units_are_one_population, forget),
        cmocka_unit_test_teardown(two_machines_are_two_where_each_holds_enough, forget),
        cmocka_unit_test_teardown(outliers_join_the_nearest_centre, forget),
        cmocka_unit_test_teardown(a_continuum_is_one_population, forget),
        cmocka_unit_test_teardown(a_unit_without_a_column_is_of_none_of_several, forget),
        cmocka_unit_test_teardown(a_number_that_is_given_is_taken, forget),
        cmocka_unit_test_teardown(equal_units_are_not_slow, forget),
        cmocka_unit_test_teardown(a_slow_unit_is_the_only_one, forget),
        cmocka_unit_test_teardown(what_is_surely_but_little_slower_is_not_slow, forget),
        cmocka_unit_test_teardown(times_are_compared_type_by_type, forget),
        cmocka_unit_test_teardown(a_unit_between_two_populations_must_be_slow_for_both, forget),
        cmocka_unit_test_teardown(p_is_that_of_the_shifted_times_by_counting, forget),
        cmocka_unit_test_teardown(p_of_many_times_is_corrected_for_ties, forget),
        cmocka_unit_test_teardown(nothing_is_said_of_a_unit_alone_or_without_times, forget),
        cmocka_unit_test_teardown(failing_memory_is_an_error, forget),
        cmocka_unit_test(groups_apart_leave_what_is_inside_them),
        cmocka_unit_test(a_column_constant_in_each_group_has_no_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
