/* test_energy.c - the cumulative energy curve and the window join on views made by hand. */
#include "fixture.h"

#include "analysis/energy/energy.h"
#include "analysis/timeline/join.h"
#include "base/num/dd.h"
#include "stats/descriptive/quantile.h"

#define NOT_LIMITED INT64_MAX

/* A view of times and powers; the other readings are the power. */
static struct gs_gpu_view view(const int64_t *t, const int64_t *p, uint32_t n)
{
    static const int64_t *value[64][GS_FIXED_METRICS];
    static size_t n_views;
    const int64_t **const own = value[n_views++ % COUNT_OF(value)];
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        own[m] = p;
    /* A sensor without shift, whose readings are the power. */
    return (struct gs_gpu_view){
        .n = n, .t_ns = t, .value = own, .sensor = {.gain = 1.0, .interval_ns = 1}};
}

static gs_i128 wide(int64_t high, uint64_t low)
{
    return (gs_i128)high * ((gs_i128)1 << 64) + low;
}

static struct gs_energy at(const struct gs_gpu_view *g, int64_t max_gap_ns, int64_t t)
{
    struct gs_arena arena = {0};
    struct gs_energy_curve curve;
    assert_int_equal(gs_gpu_curve(g, max_gap_ns, &arena, &curve, NULL), GS_OK);
    struct gs_energy_walker walk = {.curve = &curve};
    const struct gs_energy e = gs_energy_at(&walk, t);
    gs_arena_release(&arena);
    return e;
}

static void a_straight_line_is_cut_where_it_is_asked(void **state)
{
    (void)state;
    /* 10 to 20 units of power in 4 ns: twice the area up to 1 ns is 10 + 12.5. */
    static const int64_t t[] = {100, 104}, p[] = {10, 20};
    static const int64_t want[] = {0, 0, 23, 50, 83, 120, 120};
    const struct gs_gpu_view g = view(t, p, 2);
    for (int64_t k = 0; k < (int64_t)COUNT_OF(want); k++) {
        const struct gs_energy e = at(&g, NOT_LIMITED, 99 + k);
        assert_true(e.energy == want[k]);
        const uint64_t passed = k == 0 ? 0 : k > 5 ? 4 : (uint64_t)k - 1;
        assert_int_equal(e.covered_ns, passed);
        assert_int_equal(e.time_ns, passed);
    }
}

static void halves_are_rounded_upwards_on_either_slope(void **state)
{
    (void)state;
    static const int64_t t[] = {0, 2};
    /* At 1 ns twice the area is p1 + (p1 + p2) / 2: a half where p1 + p2 is odd. */
    static const int64_t p[][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {3, 4}, {-3, -4}};
    static const int64_t want[] = {1, 2, 0, -1, 7, -6};
    for (size_t k = 0; k < COUNT_OF(p); k++) {
        const struct gs_gpu_view g = view(t, p[k], 2);
        assert_true(at(&g, NOT_LIMITED, 1).energy == want[k]);
    }
}

/* Expected by Python's whole numbers: (2 * x * (2 * p1 * w + (p2 - p1) * x) + w) // (2 * w). */
static void the_largest_segments_do_not_overflow(void **state)
{
    (void)state;
    static const struct {
        int64_t p[2], width, x, want_high;
        uint64_t want_low;
        bool negative;
    } c[] = {
        {{9000000000000000000, -9000000000000000000},
         1073741831,
         536870913,
         0xf9ccd8b,
         0xd176fb02b3ccdadf,
         false},
        {{-9000000000000000000, 9000000000000000000}, 3, 1, 0, 12000000000000000000U, true},
        {{2147483648, -2147483648},
         INT64_MAX,
         4611686018427387904,
         0x1fffffff,
         0xffffffffc0000000,
         false},
        {{1, 0}, INT64_MAX, 2305843009213693957, 0, 4035225266123964423, false},
        {{-7, 8}, 1000000000000000009, 100000000000000001, 0, 1250000000000000012, true},
    };
    for (size_t k = 0; k < COUNT_OF(c); k++) {
        const int64_t t[] = {0, c[k].width};
        const struct gs_gpu_view g = view(t, c[k].p, 2);
        const gs_i128 want = wide(c[k].want_high, c[k].want_low);
        assert_true(at(&g, NOT_LIMITED, c[k].x).energy == (c[k].negative ? -want : want));
    }
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

/* The instants with a power, and the mean of the powers at each: to the nearest, a half away from zero. */
static uint32_t settle(const int64_t *t, const int64_t *p, uint32_t n, int64_t *out_t,
                       int64_t *out_p)
{
    uint32_t n_out = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t sum = 0, count = 0;
        for (uint32_t k = 0; k < n; k++)
            if (t[k] == t[i] && p[k] != GS_MISSING)
                sum += p[k], count++;
        if (count == 0 || (n_out > 0 && out_t[n_out - 1] == t[i]))
            continue;
        out_t[n_out] = t[i];
        out_p[n_out++] = (sum < 0 ? -1 : 1) * ((2 * (sum < 0 ? -sum : sum) + count) / (2 * count));
    }
    return n_out;
}

/* A random curve with ties, gaps and missing powers, against the area of every single segment. */
static void random_curves_agree_with_every_segment_by_itself(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 300; round++) {
        int64_t t[20], p[20], time = (int64_t)(next(&seed) % 50);
        const uint32_t n = (uint32_t)(next(&seed) % 20);
        const int64_t max_gap = (int64_t)(next(&seed) % 30);
        for (uint32_t i = 0; i < n; i++) {
            t[i] = time;
            p[i] = next(&seed) % 7 == 0 ? GS_MISSING : (int64_t)(next(&seed) % 2000) - 500;
            time += (int64_t)(next(&seed) % 12) * (int64_t)(next(&seed) % 3);
        }
        int64_t st[20], sp[20];
        const uint32_t n_settled = settle(t, p, n, st, sp);
        const struct gs_gpu_view g = view(t, p, n);
        struct gs_arena arena = {0};
        struct gs_energy_curve curve;
        assert_int_equal(gs_gpu_curve(&g, max_gap, &arena, &curve, NULL), GS_OK);
        struct gs_energy_walker walk = {.curve = &curve};
        for (int64_t x = 0; x < 600; x += 1 + (int64_t)(next(&seed) % 9)) {
            int64_t last = -1;
            gs_i128 energy = 0;
            uint64_t covered = 0;
            for (uint32_t i = 0; i < n_settled; i++) {
                if (last >= 0 && st[last] < x && st[i] - st[last] <= max_gap && st[i] > st[last]) {
                    const int64_t w = st[i] - st[last], to = x < st[i] ? x - st[last] : w;
                    const int64_t twice = 2 * to * (2 * sp[last] * w + (sp[i] - sp[last]) * to) + w;
                    energy += twice / (2 * w) - (twice % (2 * w) < 0);
                    covered += (uint64_t)to;
                }
                last = i;
            }
            const struct gs_energy e = gs_energy_at(&walk, x);
            assert_true(e.energy == energy);
            assert_int_equal(e.covered_ns, covered);
            assert_int_equal(e.time_ns, covered);
        }
        gs_arena_release(&arena);
    }
}

static void a_gap_is_bridged_unless_one_says_otherwise(void **state)
{
    (void)state;
    static const int64_t t[] = {0, 10, 21, 31}, p[] = {1, 1, 1, 1};
    const struct gs_gpu_view g = view(t, p, 4);
    assert_true(at(&g, 10, 15).energy == 20);
    assert_int_equal(at(&g, 10, 15).time_ns, 10);
    assert_true(at(&g, 10, 100).energy == 40);
    assert_int_equal(at(&g, 10, 100).covered_ns, 20);
    assert_true(at(&g, 11, 100).energy == 62);
    /* Nothing is left out where nobody says so; what is in gaps of more than 3 intervals is told. */
    const struct gs_energy all = at(&g, -1, 100);
    assert_true(all.energy == 62 && all.time_ns == 31 && all.covered_ns == 0 && all.bridged == 62);
}

static void no_sample_with_a_power_is_no_curve(void **state)
{
    (void)state;
    static const int64_t t[] = {0, 10}, p[] = {GS_MISSING, GS_MISSING};
    const struct gs_gpu_view none = view(t, p, 2), empty = view(NULL, NULL, 0);
    assert_true(at(&none, NOT_LIMITED, 5).energy == 0 && at(&none, NOT_LIMITED, 5).time_ns == 0);
    assert_true(at(&empty, NOT_LIMITED, 5).energy == 0 && at(&empty, NOT_LIMITED, 5).time_ns == 0);
}

static void more_energy_than_can_be_added_up_is_refused(void **state)
{
    (void)state;
    /* 9e12 W for 250 years is far beyond; for half a second it is not. */
    static const int64_t p[] = {1, 9000000000000000000};
    const int64_t century[] = {0, 7889400000000000000}, blink[] = {0, 500000000};
    const struct gs_gpu_view far = view(century, p, 2), near = view(blink, p, 2);
    struct gs_host_view host = {.to_gpu = 1, .gpu = &far};
    struct gs_err err = {0};
    assert_int_equal(gs_energy_check(&host, &err), GS_ERR_DATA);
    assert_non_null(strstr(err.text, "power_w: 9000000000000 W at 2220-"));
    host.gpu = &near;
    assert_int_equal(gs_energy_check(&host, &err), GS_OK);
    assert_int_equal(gs_energy_check(&host, NULL), GS_OK);
    /* Five of them together are too much. */
    const struct gs_gpu_view many[] = {near, near, near, near, near};
    host = (struct gs_host_view){.to_gpu = 5, .gpu = many};
    assert_int_equal(gs_energy_check(&host, NULL), GS_ERR_DATA);
}

/* --- the window join ---------------------------------------------------------------------------------- */

static struct gs_joined *join(struct gs_host_view *h, struct gs_arena *arena)
{
    const struct gs_join_options o = {.join = GS_JOIN_WINDOW, .max_gap_ns = 10};
    struct gs_joined *joined = NULL;
    assert_int_equal(gs_join_host(h, &o, arena, &joined, NULL), GS_OK);
    return joined;
}

static void a_window_takes_the_samples_at_its_very_ends(void **state)
{
    (void)state;
    static const int64_t t[] = {0, 10, 20, 30}, p[] = {4, 6, GS_MISSING, 100};
    static const int64_t time[] = {0, 10, 11, 19, 20, 30};
    static const struct gs_pair pair[] = {
        {.start_ns = 0, .stop_ns = 10, .gpu = GS_NONE, .start_at = 0, .stop_at = 1},
        {.start_ns = 11, .stop_ns = 19, .gpu = GS_NONE, .start_at = 2, .stop_at = 3},
        {.start_ns = 20, .stop_ns = 20, .gpu = GS_NONE, .start_at = 4, .stop_at = 4},
        {.start_ns = 0,
         .stop_ns = 30,
         .gpu = 1,
         .start_at = 0,
         .stop_at = 5}, /* names a GPU without samples */
    };
    struct gs_arena arena = {0};
    const struct gs_gpu_view g = view(t, p, 4);
    struct gs_host_view h = {.n_metrics = GS_FIXED_METRICS,
                             .n_gpus = 1,
                             .gpu = &g,
                             .n_times = 6,
                             .time = time,
                             .n_pairs = 4,
                             .pair = pair};
    const struct gs_joined *const j = join(&h, &arena);
    assert_int_equal(j[0].n_samples, 2);
    assert_true(j[0].metric[GS_POWER].num == 10 && j[0].metric[GS_POWER].den == 2);
    assert_true(j[0].used.n == 1 && j[0].used.energy == 100 && j[0].used.covered_ns == 10);
    assert_int_equal(j[1].n_samples, 0);
    assert_int_equal(j[1].metric[GS_POWER].den, 0);
    assert_int_equal(j[1].used.n, 0); /* between 10 and 30 the power is not known */
    assert_int_equal(j[2].n_samples, 1);
    assert_int_equal(j[2].metric[GS_POWER].den, 0);
    assert_int_equal(j[3].n_samples, 0);
    assert_int_equal(j[3].used.n, 0);
    gs_arena_release(&arena);
}

static void gpus_of_a_host_count_alike_whatever_their_samples(void **state)
{
    (void)state;
    static const int64_t t1[] = {0, 10}, p1[] = {2, 4}, t2[] = {0, 5, 10}, p2[] = {1, 1, 2};
    static const int64_t time[] = {0, 10};
    static const struct gs_pair pair[] = {
        {.start_ns = 0, .stop_ns = 10, .gpu = GS_NONE, .start_at = 0, .stop_at = 1},
        {.start_ns = 0, .stop_ns = 10, .gpu = 1, .start_at = 0, .stop_at = 1},
    };
    struct gs_arena arena = {0};
    const struct gs_gpu_view g[] = {view(t1, p1, 2), view(t2, p2, 3)};
    struct gs_host_view h = {.n_metrics = GS_FIXED_METRICS,
                             .n_gpus = 2,
                             .gpu = g,
                             .n_times = 2,
                             .time = time,
                             .n_pairs = 2,
                             .pair = pair};
    const struct gs_joined *const j = join(&h, &arena);
    /* (3 + 4/3) / 2 = 13/6 */
    assert_true(j[0].metric[GS_TEMP].num * 6 == 13 * (gs_i128)j[0].metric[GS_TEMP].den);
    assert_int_equal(j[0].n_samples, 5);
    assert_true(j[0].used.energy == 60 + 25 && j[0].used.covered_ns == 20);
    assert_true(j[1].metric[GS_TEMP].num * 3 == 4 * (gs_i128)j[1].metric[GS_TEMP].den);
    assert_true(j[1].used.energy == 25 && j[1].n_samples == 3);
    gs_arena_release(&arena);
}

/* 17 GPUs whose sample counts are 17 primes: no common denominator below 2^32. */
static void means_without_a_common_denominator_are_near_enough(void **state)
{
    (void)state;
    static const uint32_t prime[] = {2,  3,  5,  7,  11, 13, 17, 19, 23,
                                     29, 31, 37, 41, 43, 47, 53, 59};
    enum { N = COUNT_OF(prime), MOST = 59 };
    static const int64_t time[] = {0, MOST};
    static const struct gs_pair pair[] = {
        {.start_ns = 0, .stop_ns = MOST, .gpu = GS_NONE, .start_at = 0, .stop_at = 1}};
    int64_t t[MOST], p[N][MOST];
    struct gs_gpu_view g[N];
    double want = 0;
    for (uint32_t i = 0; i < MOST; i++)
        t[i] = i;
    for (uint32_t k = 0; k < N; k++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < prime[k]; i++)
            sum += p[k][i] = (int64_t)(1000 * k + i * i) - 7000;
        want += (double)sum / prime[k] / N;
        g[k] = view(t, p[k], prime[k]);
    }
    struct gs_arena arena = {0};
    struct gs_host_view h = {.n_metrics = GS_FIXED_METRICS,
                             .n_gpus = N,
                             .gpu = g,
                             .n_times = 2,
                             .time = time,
                             .n_pairs = 1,
                             .pair = pair};
    const struct gs_reading r = join(&h, &arena)[0].metric[GS_POWER];
    const double error = (double)r.num / (double)r.den - want;
    assert_true(error < 1e-8 && error > -1e-8);
    gs_arena_release(&arena);
}

/* Windows put anywhere: a sum of them is the same in any order and grouping, and a log's parts come to the log. */
static void sums_do_not_depend_on_order_or_grouping(void **state)
{
    (void)state;
    enum { N = 60, WINDOWS = 12 };
    uint64_t seed = 11;
    for (int round = 0; round < 100; round++) {
        int64_t t[N], p[N], time = 0, cut[WINDOWS + 2] = {GS_LOG_START};
        for (int i = 0; i < N; i++) {
            t[i] = time += 1000000 + (int64_t)(next(&seed) % 900) *
                                         (next(&seed) % 9 == 0 ? 10000000 : 1000000);
            p[i] = (int64_t)(next(&seed) % 300) * 1000000;
        }
        for (int k = 1; k <= WINDOWS; k++)
            cut[k] = (int64_t)(next(&seed) % 40000) * 1000000;
        qsort(cut + 1, WINDOWS, sizeof *cut, gs_compare_int64);
        cut[WINDOWS + 1] = GS_LOG_END;
        const struct gs_power_series series = {N, t, p, NULL};
        struct gs_arena arena = {0};
        struct gs_sensor sensor;
        struct gs_energy_curve c;
        struct gs_energy_point at[WINDOWS + 2];
        assert_int_equal(
            gs_sensor_find(&series, &(struct gs_sensor_hint){0}, &arena, &sensor, NULL), GS_OK);
        assert_int_equal(gs_energy_curve_make(&series, &sensor, -1, &arena, &c, NULL), GS_OK);
        gs_energy_points(&c, cut, WINDOWS + 2, at);
        struct gs_energy_sum log = {0}, forth = {0}, back = {0}, half[2] = {{0}};
        (void)gs_energy_sum_log(&log, &c);
        for (int k = 0; k <= WINDOWS; k++) {
            struct gs_energy_sum one = {0};
            (void)gs_energy_sum_window(&forth, &c, &at[k], &at[k + 1]);
            (void)gs_energy_sum_window(&back, &c, &at[WINDOWS - k], &at[WINDOWS + 1 - k]);
            (void)gs_energy_sum_window(&one, &c, &at[k], &at[k + 1]);
            gs_energy_sum_merge(&half[k % 2], &one);
        }
        gs_energy_sum_merge(&half[1], &half[0]);
        assert_memory_equal(&forth, &back, sizeof forth);
        assert_memory_equal(&forth, &half[1], sizeof forth);
        assert_true(forth.energy == log.energy && forth.time_ns == log.time_ns);
        assert_true(log.edges == 0 && log.edges_uj2 == 0); /* a log has no edges */
        gs_arena_release(&arena);
    }
}

static void joules_are_the_exact_quotient_rounded_once(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        const int64_t size = (int64_t)(random_bits() >> (1 + random_below(63)));
        const gs_i128 energy = (gs_i128)(i % 2 == 0 ? size : -size) * (i % 100 == 0 ? 1000 : 1);
        const double fast = gs_energy_j(energy), exact = gs_ratio(energy, GS_ENERGY_PER_J);
        assert_memory_equal(&fast, &exact, sizeof fast);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line_is_cut_where_it_is_asked),
        cmocka_unit_test(halves_are_rounded_upwards_on_either_slope),
        cmocka_unit_test(the_largest_segments_do_not_overflow),
        cmocka_unit_test(random_curves_agree_with_every_segment_by_itself),
        cmocka_unit_test(a_gap_is_bridged_unless_one_says_otherwise),
        cmocka_unit_test(sums_do_not_depend_on_order_or_grouping),
        cmocka_unit_test(no_sample_with_a_power_is_no_curve),
        cmocka_unit_test(more_energy_than_can_be_added_up_is_refused),
        cmocka_unit_test(a_window_takes_the_samples_at_its_very_ends),
        cmocka_unit_test(gpus_of_a_host_count_alike_whatever_their_samples),
        cmocka_unit_test(joules_are_the_exact_quotient_rounded_once),
        cmocka_unit_test(means_without_a_common_denominator_are_near_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
