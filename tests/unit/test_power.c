/* test_power.c - the evaluation of power logs: filter, energy, sensor period, windows, clock offset. */
#include "log_fixture.h"

#include "base/num/timestamp.h"

static struct made *make(void)
{
    struct made *const m = made_start();
    m->log.value[GS_LOG_GPU_UTIL] = m->util;
    return m;
}

static void add(struct made *m, double t_s, double watts, double util)
{
    m->util[made_add(m, t_s, watts)] = llround(util * 1e6);
}

static struct gs_power_result evaluate(struct made *m, const struct gs_power_options *o)
{
    struct gs_power_result r;
    assert_int_equal(gs_power_evaluate(&m->log, o, &m->arena, &r, NULL), GS_OK);
    return r;
}

/* The one GPU of the log, not looked at yet. */
static struct gs_power_gpus gpus_of(struct made *m, const struct gs_power_options *o)
{
    struct gs_power_run *const run = gs_arena_take(&m->arena, 1, sizeof *run);
    struct gs_power_gpus gpus;
    assert_non_null(run);
    run->table = m->table;
    assert_int_equal(gs_power_gpus_of(run, 1, o, &m->arena, &gpus, NULL), GS_OK);
    return gpus;
}

static struct gs_power_gpus look(struct made *m, enum gs_power_visiting what,
                                 const struct gs_power_options *o)
{
    struct gs_power_run run = {.table = m->table};
    struct gs_power_gpus all = gpus_of(m, o);
    assert_int_equal(gs_power_visit(&run, 1, what, 1, &m->arena, &all, NULL), GS_OK);
    return all;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * fabs(wanted)))
        fail_msg("%.17g, expected %.17g", got, wanted);
}

static double real(const struct gs_frame *f, size_t row, const char *column)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    assert_int_equal(f->columns[c].spec->type, GS_TYPE_REAL);
    return f->columns[c].real[row];
}

static int64_t whole(const struct gs_frame *f, size_t row, const char *column)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    return f->columns[c].integer[row];
}

/* Expected: Python's statistics.mean and stdev. */
static void the_filter_leaves_out_a_glitch(void **state)
{
    (void)state;
    static const double watts[] = {100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 100, 200};
    struct made *const m = make();
    for (size_t i = 0; i < 12; i++)
        add(m, (double)i, watts[i], 0);
    const struct gs_power_result r = evaluate(m, &plain);
    assert_int_equal(r.n, 12);
    assert_int_equal(r.n_kept, 11);
    assert_false(r.kept[11]);
    assert_near(r.mean_w, 108.33333333333333);
    assert_near(r.sd_w, 28.886402379393708);
    assert_near(r.filtered_mean_w, 100);
    assert_near(r.filtered_sd_w, 1.0954451150103321);
    assert_near(r.runtime_s, 11);
    assert_near(r.energy_j, 1100);
    assert_near(r.energy_sd_j, 12.049896265113654);
    unmake(m);
}

/* 17 readings at m and one on either side at distance x: sd = x sqrt(2 / 18), so x is 3 sd exactly. */
static void a_reading_at_exactly_3_sigma_is_left_out(void **state)
{
    (void)state;
    for (int n_middle = 16; n_middle <= 18; n_middle++) {
        struct made *const m = make();
        for (int i = 0; i < n_middle; i++)
            add(m, i, 100.07, 0);
        add(m, 30, 100.17, 0);
        add(m, 31, 99.97, 0);
        const struct gs_power_result r = evaluate(m, &plain);
        assert_int_equal(r.n_kept, n_middle == 16 ? 18 : n_middle);
        unmake(m);
    }
}

/* Random logs against the definition in long double, away from ties. */
static void the_filter_is_the_definition(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (int round = 0; round < 200; round++) {
        struct made *const m = make();
        const size_t n = 2 + (size_t)(round % 60);
        const double unit = round % 3 == 0 ? 1e-6 : 0.01; /* also without a common divisor */
        long double sum = 0, squares = 0;
        for (size_t i = 0; i < n; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            add(m, (double)i, (double)(x % 1000 + (x >> 20) % 50 / 49 * 5000) * unit, 0);
            sum += (long double)m->power[i];
        }
        for (size_t i = 0; i < n; i++)
            squares += ((long double)m->power[i] - sum / n) * ((long double)m->power[i] - sum / n);
        const long double bound = 3 * sqrtl(squares / (n - 1));
        const struct gs_power_result r = evaluate(m, &plain);
        for (size_t i = 0; i < n; i++) {
            const long double d = fabsl((long double)m->power[i] - sum / n);
            if (fabsl(d - bound) > 1e-6L * bound)
                assert_int_equal(r.kept[i], d < bound);
        }
        unmake(m);
    }
}

/* Readings so far apart that the integers of the exact comparison would not fit. */
static void the_filter_holds_for_absurd_ranges_too(void **state)
{
    (void)state;
    struct made *const m = make();
    for (int i = 0; i < 100; i++)
        add(m, i, 1e-6 * (i % 3), 0);
    add(m, 100, 8.9e12, 0);
    const struct gs_power_result r = evaluate(m, &plain);
    assert_int_equal(r.n_kept, 100);
    assert_false(r.kept[100]);
    unmake(m);
}

static void constant_and_single_readings_are_all_kept(void **state)
{
    (void)state;
    struct made *const m = make();
    add(m, 0, 50, 0);
    struct gs_power_result r = evaluate(m, &plain);
    assert_int_equal(r.n_kept, 1);
    assert_true(isnan(r.sd_w) && isnan(r.runtime_s) && isnan(r.energy_j) &&
                isnan(r.update_period_ms));
    assert_near(r.filtered_mean_w, 50);
    add(m, 1, 50, 0);
    add(m, 2, 50, 0);
    r = evaluate(m, &plain);
    assert_int_equal(r.n_kept, 3);
    assert_int_equal(r.n_distinct, 1);
    assert_true(r.sd_w == 0 && r.energy_sd_j == 0);
    assert_near(r.energy_trapezoid_j, 100);
    unmake(m);
}

static void a_log_without_a_reading_has_no_mean(void **state)
{
    (void)state;
    struct made *const m = make();
    const struct gs_power_result r = evaluate(m, &plain);
    assert_int_equal(r.n, 0);
    assert_int_equal(r.n_distinct, 0);
    assert_true(isnan(r.mean_w) && isnan(r.energy_j) && isnan(r.energy_trapezoid_j));
    unmake(m);
}

/* The study's formulas: E = W t, sd = sd_W t; in full sqrt((sd_W t)^2 + (W sd_t)^2). */
static void energy_takes_the_error_of_the_run_time_when_asked(void **state)
{
    (void)state;
    struct made *const m = make();
    add(m, 0, 90, 0);
    add(m, 1, 100, 0);
    add(m, 2, 110, 0);
    struct gs_power_options o = {
        .runtime_s = 60, .runtime_sd_s = 0.5, .iterations = 200, .error = GS_POWER_ERROR_STUDY};
    struct gs_power_result r = evaluate(m, &o);
    assert_near(r.energy_j, 6000);
    assert_near(r.energy_sd_j, 600);
    o.error = GS_POWER_ERROR_FULL;
    r = evaluate(m, &o);
    assert_near(r.energy_sd_j, 602.0797289396148); /* hypot(600, 50) */
    const struct gs_power_gpus all = look(m, GS_POWER_LOOK_SUMMARY, &o);
    assert_int_equal(gs_power_summary(&all, &m->arena, &m->out, NULL), GS_OK);
    const struct gs_frame *const f = m->out.first;
    assert_int_equal(f->n_columns, 27); /* 14, 4 of an iteration, 9 of the sensor's energy */
    assert_near(real(f, 0, "time_per_iteration_s"), 0.3);
    assert_near(real(f, 0, "time_per_iteration_sd_s"), 0.0025);
    assert_near(real(f, 0, "energy_per_iteration_j"), 30);
    assert_near(real(f, 0, "energy_per_iteration_sd_j"), 3.010398644698074);
    unmake(m);
}

static void the_sensor_s_period_is_the_median_time_between_changes(void **state)
{
    (void)state;
    /* Changes at 0.1, 0.3, 0.4, 0.8 s: 200, 100, 400 ms between them. */
    static const double watts[] = {5, 6, 6, 7, 8, 8, 8, 8, 9, 9};
    struct made *const m = make();
    for (size_t i = 0; i < 10; i++)
        add(m, 0.1 * (double)i, watts[i], 0);
    struct gs_power_result r = evaluate(m, &plain);
    assert_int_equal(r.n_distinct, 5);
    assert_near(r.update_period_ms, 200);
    m->log.t_ns = NULL;
    r = evaluate(m, &plain);
    assert_int_equal(r.n_distinct, 5);
    assert_true(isnan(r.update_period_ms));
    unmake(m);
}

static void the_trapezoid_takes_the_mean_of_an_instant(void **state)
{
    (void)state;
    struct made *const m = make();
    add(m, 0, 0, 0);
    add(m, 1, 10, 0);
    add(m, 1, 30, 0);
    add(m, 2, 40, 0);
    add(m, 10, 40, 0);
    assert_near(evaluate(m, &plain).energy_trapezoid_j, 10 + 30 + 320);
    struct gs_power_options cut = plain;
    cut.max_gap_ns = 3 * GS_NS_PER_S;
    assert_near(evaluate(m, &cut).energy_trapezoid_j, 40);
    unmake(m);
}

static void windows_are_one_row_each_and_empty_ones_are_missing(void **state)
{
    (void)state;
    struct made *const m = make();
    for (int i = 0; i <= 10; i++)
        add(m, i, 100 + i, 50);
    const int64_t ms[][2] = {
        {102000, 104000}, {104500, 104600}, {109000, 113000}, {200000, 201000}};
    const char *const name[] = {"a", "b", NULL, "c"};
    struct gs_span span[4] = {0};
    for (size_t i = 0; i < 4; i++) {
        span[i].name = gs_str(name[i]);
        span[i].start_ns = ms[i][0] * GS_NS_PER_MS;
        span[i].stop_ns = ms[i][1] * GS_NS_PER_MS;
    }
    const struct gs_span_list spans = {span, 4};
    /* Readings of an instant: the delay makes up for times that look cut to seconds. */
    static const struct gs_sensor_spec still = {1,           0,           GS_NS_PER_S / 2,
                                                (double)NAN, (double)NAN, (double)NAN};
    struct gs_power_options o = plain;
    o.sensor = &still;
    struct gs_power_gpus gpus = gpus_of(m, &o);
    assert_int_equal(gs_power_meters(&gpus, &m->arena, NULL, NULL), GS_OK);
    assert_int_equal(gs_power_windows(&gpus, &spans, -100 * GS_NS_PER_S, &m->arena, &m->out, NULL),
                     GS_OK);
    const struct gs_frame *const f = m->out.first;
    assert_int_equal(f->n_rows, 4);
    assert_int_equal(whole(f, 0, "n_samples"), 3); /* both ends are inside */
    assert_near(real(f, 0, "power_mean_w"), 103);
    assert_near(real(f, 0, "power_sd_w"), 1);
    assert_near(real(f, 0, "energy_j"), 206);
    assert_near(real(f, 0, "gpu_util_mean_pct"), 50);
    assert_int_equal(whole(f, 1, "n_samples"), 0);
    assert_true(isnan(
        real(f, 1, "power_mean_w"))); /* no reading inside, but the line through its neighbours */
    assert_near(real(f, 1, "energy_j"), 10.455);
    assert_near(real(f, 2, "coverage_pct"), 25);
    assert_near(real(f, 2, "energy_j"), 109.5);
    assert_true(isnan(real(f, 3, "energy_j")));
    assert_near(real(f, 3, "coverage_pct"), 0);
    assert_string_equal(m->out.notes.first->text, "2 of 4 windows hold no reading");
    m->log.t_ns = NULL;
    struct gs_err err = {0};
    assert_int_equal(gs_power_windows(&gpus, &spans, 0, &m->arena, &m->out, &err), GS_ERR_DATA);
    assert_string_equal(err.text,
                        "a.csv: has no times, so it cannot be cut into windows (--interval)");
    unmake(m);
}

/* Loads of uneven length every few seconds; the spans' clock is off by `shift` seconds. */
static void bursts(struct made *m, struct gs_span *span, size_t n, double shift, double lag)
{
    double at = 3.02; /* between two readings, as are all its edges */
    for (size_t k = 0; k < n; k++) {
        const double length = 2 + (double)(k * k % 5);
        span[k] = (struct gs_span){.start_ns = llround((at - shift) * 1e9),
                                   .stop_ns = llround((at + length - shift) * 1e9)};
        at += length + 1.5 + (double)(k % 3);
    }
    for (double t = 0; t < at; t += 0.05) {
        double util = 0;
        for (size_t k = 0; k < n; k++)
            if (t >= (double)span[k].start_ns / 1e9 + shift + lag &&
                t <= (double)span[k].stop_ns / 1e9 + shift + lag)
                util = 97;
        add(m, t, util > 0 ? 200 : 40, util);
    }
}

static void the_shift_between_two_clocks_is_found(void **state)
{
    (void)state;
    static const double shifts[] = {0, 3600, -7200.25, 86400.5, 2.35};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        for (int without_util = 0; without_util < 2; without_util++) {
            struct made *const m = make();
            struct gs_span span[12];
            bursts(m, span, 12, shifts[i], 0);
            if (without_util)
                m->log.value[GS_LOG_GPU_UTIL] = NULL;
            struct gs_power_shift found;
            const struct gs_power_gpus gpus = gpus_of(m, &plain);
            assert_int_equal(
                gs_power_find_shift(&gpus, &(struct gs_span_list){span, 12}, &found, NULL), GS_OK);
            assert_int_equal(found.matched, without_util ? GS_LOG_POWER : GS_LOG_GPU_UTIL);
            /* to within a sampling interval */
            assert_true(fabs((double)found.shift_ns / 1e9 - shifts[i]) <= 0.05);
            assert_near(found.r, 1);
            unmake(m);
        }
}

static void a_shift_that_nothing_tells_is_refused(void **state)
{
    (void)state;
    struct made *const m = make();
    for (int i = 0; i < 20; i++)
        add(m, i, 100, 0);
    struct gs_span span[] = {{.stop_ns = 5 * GS_NS_PER_S}};
    struct gs_power_shift found = {.shift_ns = 42};
    struct gs_err err = {0};
    const struct gs_power_gpus gpus = gpus_of(m, &plain);
    assert_int_equal(gs_power_find_shift(&gpus, &(struct gs_span_list){span, 1}, &found, &err),
                     GS_ERR_RANGE);
    assert_string_equal(err.text, "no shift found: neither utilisation nor power varies over time");
    assert_int_equal(found.shift_ns, 42);
    unmake(m);
}

static void gpus_are_called_as_in_their_log_or_by_their_file(void **state)
{
    (void)state;
    struct gs_log log[2] = {{.gpu = gs_str("3")}, {.gpu = {NULL, 0}}};
    struct gs_power_run runs[2] = {
        {.table = {.stem = gs_str("a.csv"), .log = log, .n_logs = 2}},
        {.table = {.stem = gs_str("b.csv"), .log = &log[1], .n_logs = 1}}};
    struct gs_arena arena = {0};
    struct gs_power_gpus one, alone, both;
    assert_int_equal(gs_power_gpus_of(&runs[0], 1, &plain, &arena, &one, NULL), GS_OK);
    assert_int_equal(gs_power_gpus_of(&runs[1], 1, &plain, &arena, &alone, NULL), GS_OK);
    assert_int_equal(gs_power_gpus_of(runs, 2, &plain, &arena, &both, NULL), GS_OK);
    assert_true(gs_str_eq(one.gpu[0].label, gs_str("3")) && one.gpu[1].label.ptr == NULL);
    assert_true(gs_str_eq(alone.gpu[0].label, gs_str("b.csv")));
    assert_true(gs_str_eq(both.gpu[0].label, gs_str("a.csv:3")));
    gs_arena_release(&arena);
}

static void the_five_metrics_are_means_greatest_values_and_rates(void **state)
{
    (void)state;
    struct made *const m = make();
    static const int64_t temp[] = {79000000, GS_MISSING, 80000000, 81000000};
    static const int64_t used[] = {100000000, 300000000, 200000000, GS_MISSING};
    static const int64_t total[] = {1000000000, 1000000000, 1000000000, 1000000000};
    for (int i = 0; i < 4; i++)
        add(m, i, 10 * i, 25 * i);
    m->log.value[GS_LOG_TEMP] = temp;
    m->log.value[GS_LOG_MEMORY_USED] = used;
    m->log.value[GS_LOG_MEMORY_TOTAL] = total;
    m->log.n_dropped = 1;
    const struct gs_power_options o = {
        .runtime_s = 2, .runtime_sd_s = NAN, .iterations = 50, .hot_c = 80};
    const struct gs_power_gpus all = look(m, GS_POWER_LOOK_METRICS, &o);
    assert_int_equal(gs_power_metrics(&all, &m->arena, &m->out, NULL), GS_OK);
    const struct gs_frame *const f = m->out.first;
    assert_near(real(f, 0, "dropped_pct"), 20);
    assert_near(real(f, 0, "time_to_solution_s"), 2);
    assert_near(real(f, 0, "gpu_util_mean_pct"), 37.5);
    assert_near(real(f, 0, "memory_used_mean_mib"), 200);
    assert_near(real(f, 0, "memory_used_max_mib"), 300);
    assert_near(real(f, 0, "memory_free_min_mib"), 700);
    assert_near(real(f, 0, "power_max_w"), 30);
    assert_near(real(f, 0, "temp_mean_c"), 80);
    assert_near(real(f, 0, "hot_pct"), 100.0 * 2 / 3);
    assert_near(real(f, 0, "throughput_per_s"), 25);
    assert_near(real(f, 0, "energy_per_item_j"), 0.6);
    assert_true(isnan(real(f, 0, "clock_mean_mhz")));
    unmake(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_filter_leaves_out_a_glitch),
        cmocka_unit_test(a_reading_at_exactly_3_sigma_is_left_out),
        cmocka_unit_test(the_filter_is_the_definition),
        cmocka_unit_test(the_filter_holds_for_absurd_ranges_too),
        cmocka_unit_test(constant_and_single_readings_are_all_kept),
        cmocka_unit_test(a_log_without_a_reading_has_no_mean),
        cmocka_unit_test(energy_takes_the_error_of_the_run_time_when_asked),
        cmocka_unit_test(the_sensor_s_period_is_the_median_time_between_changes),
        cmocka_unit_test(the_trapezoid_takes_the_mean_of_an_instant),
        cmocka_unit_test(windows_are_one_row_each_and_empty_ones_are_missing),
        cmocka_unit_test(the_shift_between_two_clocks_is_found),
        cmocka_unit_test(a_shift_that_nothing_tells_is_refused),
        cmocka_unit_test(gpus_are_called_as_in_their_log_or_by_their_file),
        cmocka_unit_test(the_five_metrics_are_means_greatest_values_and_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
