/* test_power_energy.c - a power log's energy: phases, totals, counters, dead sensors, calibration. */
#include "log_fixture.h"

#include "base/num/timestamp.h"
#include "analysis/sensor/sensor_cards.h"
#include "analysis/power_logs/power_calibrate.h"
#include "analysis/power_logs/power_phases.h"
#include "analysis/power_logs/power_bursts.h"

static struct made *make(const char *gpu)
{
    struct made *const m = made_start();
    m->log.gpu = gs_str(gpu);
    return m;
}

/* Joules below zero: the row has no counter. */
static void add(struct made *m, double t_s, double watts, double joules)
{
    m->counter[made_add(m, t_s, watts)] = joules < 0 ? GS_MISSING : llround(joules * 1e6);
    if (joules >= 0)
        m->log.value[GS_LOG_ENERGY] = m->counter;
    m->log.n_with_time = m->log.n;
    m->log.row_t_ns = m->t;
}

static void find_meters(struct made *m, const struct gs_log_table *t)
{
    m->run.table = *t;
    assert_int_equal(gs_power_gpus_of(&m->run, 1, &plain, &m->arena, &m->gpus, NULL), GS_OK);
    assert_int_equal(gs_power_meters(&m->gpus, &m->arena, &m->out.notes, NULL), GS_OK);
}

static bool noted(const struct made *m, const char *part)
{
    for (const struct gs_note *n = m->out.notes.first; n != NULL; n = n->next)
        if (strstr(n->text, part) != NULL)
            return true;
    return false;
}

static void near(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-9 * fmax(1.0, fabs(wanted))))
        fail_msg("%.17g, expected %.17g", got, wanted);
}

static double real(const struct gs_frame *f, size_t row, const char *name)
{
    return f->columns[column_of(f, name)].real[row];
}

static void power_splits_into_idle_and_active(void **state)
{
    (void)state;
    struct made *const m = make("0");
    /* 10 s at 50 W, 20 s at 250 W, 10 s at 60 W, every second; a dip to 150 W is no change of state. */
    for (int i = 0; i <= 40; i++)
        add(m, i, i < 10 ? 50 : i == 20 ? 150 : i < 30 ? 250 : 60, -1);
    find_meters(m, &m->table);
    struct gs_power_phases p;
    assert_int_equal(gs_power_split(&m->gpus.gpu->meter, &m->arena, &p, NULL), GS_OK);
    assert_int_equal(p.n, 3);
    assert_true(!p.phase[0].at.active && p.phase[1].at.active && !p.phase[2].at.active);
    assert_int_equal(p.phase[0].at.stop_ns, 9500 * GS_NS_PER_MS);
    assert_int_equal(p.phase[1].at.stop_ns, 29500 * GS_NS_PER_MS);
    near(p.active_s, 20);
    near(p.idle_s, 20);
    /* 9.5 s: 9 x 50, then 50 up to 150 W: 50; the other half of the rise (150 to 250) 100, ... */
    near(gs_energy_j(p.phase[0].used.energy), 450 + 50);
    near(gs_energy_j(p.phase[1].used.energy), 100 + 19 * 250 - 100 + (250 + 155) / 4.0);
    near(gs_energy_j(p.phase[2].used.energy), (155 + 60) / 4.0 + 10 * 60);
    assert_int_equal(gs_power_phases(&m->gpus, &m->arena, &m->out, NULL), GS_OK);
    const struct gs_frame *const f = m->out.first;
    assert_int_equal(f->n_rows, 3);
    near(real(f, 1, "duration_s"), 20);
    near(real(f, 1, "energy_j"), gs_energy_j(p.phase[1].used.energy));
    assert_true(real(f, 1, "energy_low_j") < gs_energy_j(p.phase[1].used.energy) &&
                real(f, 1, "energy_high_j") > gs_energy_j(p.phase[1].used.energy));
    unmake(m);
}

static void noise_and_a_glitch_are_one_state(void **state)
{
    (void)state;
    struct made *const m = make("0");
    uint64_t x = 1;
    for (int i = 0; i < 400; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++, x = x * UINT64_C(6364136223846793005) + 1)
            sum += (double)(x >> 40) / 0x1p24;
        add(m, i, i == 200 ? 612 : 100 + sum, -1);
    }
    find_meters(m, &m->table);
    struct gs_power_phases p;
    assert_int_equal(gs_power_split(&m->gpus.gpu->meter, &m->arena, &p, NULL), GS_OK);
    assert_int_equal(p.n, 0);
    assert_true(isnan(p.idle_j) && isnan(p.active_s));
    unmake(m);
}

static void a_total_adds_up_gpus_and_is_priced(void **state)
{
    (void)state;
    struct made *const a = make("0"), *const b = make("1");
    for (int i = 0; i <= 100; i++) {
        add(a, i, 100 + i % 2, -1);
        add(b, i, 300 + i % 2, -1);
    }
    const struct gs_log both[2] = {a->log, b->log};
    struct gs_log logs[2] = {both[0], both[1]};
    const struct gs_log_table t = {
        .name = "a.csv", .stem = gs_str("a.csv"), .log = logs, .n_logs = 2};
    find_meters(a, &t);
    assert_int_equal(
        gs_power_visit(&a->run, 1, GS_POWER_LOOK_SUMMARY, 1, &a->arena, &a->gpus, NULL), GS_OK);
    assert_int_equal(gs_power_summary(&a->gpus, &a->arena, &a->out, NULL), GS_OK);
    const struct gs_frame *const f = a->out.first;
    assert_int_equal(f->n_rows, 3);
    assert_true(gs_str_eq(f->columns[0].text[2], gs_str("total")));
    near(real(f, 0, "energy_sensor_j"), 10050);
    near(real(f, 2, "energy_sensor_j"), 40100);
    near(real(f, 2, "energy_trapezoid_j"), 40100);
    near(real(f, 2, "energy_kwh"), 40100 / 3.6e6);
    /* One model: its gain and offset are one mistake on both GPUs, their own 1 % and 3 W are two. Steps of 1 W are
     * white: 100 of 0.5 W^2 s^2 for each GPU, half of it at the ends, and 1 / 12 of each step. */
    double card = 0, own = pow(0.01 * 10050, 2) + pow(0.01 * 30050, 2) + 2 * pow(3 * 100, 2);
    for (size_t k = 0; k < gs_n_sensor_models; k++)
        card = fmax(card, fabs(40100 - (40100 - gs_sensor_models[k].offset_w * 200) /
                                           gs_sensor_models[k].gain));
    const double sampling = 2 * (0.5 * (99 + 2 * 0.25) + 100 / 12.0);
    near(real(f, 2, "energy_high_j") - 40100, sqrt(card * card + 4 * own + 4 * sampling));
    near(real(f, 2, "coverage_pct"), 100);
    assert_true(isnan(real(f, 2, "filtered_mean_w")));
    unmake(a);
    unmake(b);
}

/* J between two instants in ms; NaN: the counter does not reach over them. */
static double counted(const struct made *m, int64_t from_ms, int64_t to_ms)
{
    const struct gs_energy_sum none = {0};
    struct gs_counted sum = {0};
    gs_power_count(&m->gpus.gpu->meter, from_ms * GS_NS_PER_MS, to_ms * GS_NS_PER_MS, &none, &sum);
    return gs_counted_j(&sum);
}

static void a_counter_stands_beside_the_integral(void **state)
{
    (void)state;
    struct made *const m = make("0");
    /* 100 W; the counter agrees but for a reset to 0 at 5 s, from which it counts on. */
    for (int i = 0; i <= 10; i++)
        add(m, i, 100, i == 3 ? -1 : i < 5 ? 7000 + 100 * i : 100 * (i - 5));
    find_meters(m, &m->table);
    assert_true(noted(m, "the energy counters of 1 GPU began anew 1 time"));
    near(counted(m, 0, 4000), 400);
    near(counted(m, 2500, 3500), 100);
    near(counted(m, 0, 10000), 1000); /* the power fills in what is not known of the reset */
    assert_true(isnan(counted(m, -1, 1000)) && isnan(counted(m, 0, 11000)));
    unmake(m);
}

static void a_counter_is_read_as_everywhere(void **state)
{
    (void)state;
    struct made *const m = make("0");
    /* Beyond 2^53 millionths a double would lose them. */
    for (int i = 0; i <= 20; i++)
        if (i < 8 || i > 13)
            add(m, i, 100, 9e12);
    for (size_t i = 0; i < m->log.n; i++)
        m->counter[i] += (int64_t)(m->t[i] / GS_NS_PER_S) * 100000001;
    find_meters(m, &m->table);
    struct gs_counted one = {0};
    const struct gs_energy_sum none = {0};
    gs_power_count(&m->gpus.gpu->meter, 0, 6500 * GS_NS_PER_MS, &none, &one);
    assert_true(one.n == 1 && one.used == INT64_C(650000007) && one.n_beside == 0);
    near(counted(m, 0, 14000),
         1400.000014); /* the ends are there: the board counts through a gap */
    unmake(m);
}

static void a_dead_sensor_is_said(void **state)
{
    (void)state;
    struct made *const m = make("0");
    for (int i = 0; i <= 100; i++)
        add(m, i, 46.19, -1);
    find_meters(m, &m->table);
    assert_true(m->gpus.gpu->meter.dead);
    assert_true(noted(m, "all 101 readings over 100 s are 46.19 W: the sensor looks dead"));
    struct gs_energy_sum s = {0};
    assert_true(gs_energy_sum_log(&s, &m->gpus.gpu->meter.curve));
    near(gs_energy_j(s.energy), 4619);
    m->power[50]++;
    find_meters(m, &m->table);
    assert_false(m->gpus.gpu->meter.dead);
    unmake(m);
}

static void windows_go_to_the_gpus_they_name(void **state)
{
    (void)state;
    struct made *const a = make("n1/0"), *const b = make("n2/0");
    for (int i = 0; i <= 20; i++) {
        add(a, i, 100 + i, -1);
        add(b, i, 300 + i, -1);
    }
    struct gs_log logs[2] = {a->log, b->log};
    const struct gs_log_table t = {
        .name = "a.csv", .stem = gs_str("a.csv"), .log = logs, .n_logs = 2};
    struct gs_span span[] = {
        {.start_ns = 0, .stop_ns = GS_NS_PER_S},
        {.host = gs_str("n2"), .start_ns = GS_NS_PER_S, .stop_ns = 2 * GS_NS_PER_S},
        {.host = gs_str("n1"),
         .gpu = gs_str("0"),
         .start_ns = 2 * GS_NS_PER_S,
         .stop_ns = 3 * GS_NS_PER_S},
        {.gpu = gs_str("1"), .start_ns = 3 * GS_NS_PER_S, .stop_ns = 4 * GS_NS_PER_S},
    };
    const struct gs_span_list spans = {span, 4};
    find_meters(a, &t);
    assert_int_equal(gs_power_windows(&a->gpus, &spans, 0, &a->arena, &a->out, NULL), GS_OK);
    const struct gs_frame *const f = a->out.first;
    assert_int_equal(f->n_rows, 4); /* the first on both, two on one each, one on none */
    /* Times of both are cut to seconds, and a sensor lags 0.3 s. */
    near(real(f, 0, "energy_j"), 100.8);
    near(real(f, 1, "energy_j"), 102.8);
    near(real(f, 2, "energy_j"), 300.8);
    near(real(f, 3, "energy_j"), 301.8);
    assert_true(noted(
        a, "1 of 4 windows name a GPU that is not in the log and are left out; the first '1'"));
    const struct gs_span_list none = {span + 3, 1};
    struct gs_err err = {0};
    assert_int_equal(gs_power_windows(&a->gpus, &none, 0, &a->arena, &a->out, &err), GS_ERR_DATA);
    assert_string_equal(err.text,
                        "no window is of a GPU in the log; the first names '1' on 'any host'");
    unmake(a);
    unmake(b);
}

static void bridged_gaps_are_said(void **state)
{
    (void)state;
    struct made *const m = make("0");
    for (int i = 0; i <= 20; i++)
        if (i < 8 || i > 13)
            add(m, i, 100 + i, -1);
    struct gs_span span[] = {{.start_ns = 0, .stop_ns = 20 * GS_NS_PER_S}};
    const struct gs_span_list spans = {span, 1};
    find_meters(m, &m->table);
    assert_int_equal(gs_power_windows(&m->gpus, &spans, 0, &m->arena, &m->out, NULL), GS_OK);
    assert_true(noted(
        m, "gaps in the samples inside events are bridged by straight lines: 35.5 % of the time"));
    near(real(m->out.first, 0, "coverage_pct"), 63.5);
    unmake(m);
}

/* Power that steps every 1.5 s; the card reads 0.9 x the mean over 200 ms, 30 ms before, plus 7 W, every 100
 * ms. */
static double truth_until(double t)
{
    const double part = fmod(t, 3.0), whole = floor(t / 3.0) * (100 + 300) * 1.5;
    return whole + (part < 1.5 ? 100 * part : 150 + 300 * (part - 1.5));
}

/* The frame of a card that reads 0.9 of the meter and 7 W. */
static const struct gs_frame *calibrate(struct made *card, const struct made *meter)
{
    find_meters(card, &card->table);
    assert_int_equal(
        gs_power_calibrate(&card->gpus, &meter->table, 0, &card->arena, &card->out, NULL), GS_OK);
    const struct gs_frame *const f = card->out.first;
    assert_true(fabs(real(f, 0, "gain") - 0.9) < 0.002);
    assert_true(fabs(real(f, 0, "offset_w") - 7) < 0.5);
    return f;
}

static void a_card_is_calibrated_against_a_meter(void **state)
{
    (void)state;
    struct made *const card = make("0"), *const meter = make(NULL);
    for (int i = 0; i < 2000; i++) {
        const double t = 10 + i * 0.01, renewed = floor(t * 10 + 1e-6) / 10;
        const double mean = (truth_until(renewed - 0.03) - truth_until(renewed - 0.23)) / 0.2;
        add(card, t, 0.9 * mean + 7 + (double)(i / 10 % 3) * 0.02, -1);
    }
    for (int i = 0; i < 8000; i++)
        add(meter, 5 + i * 0.0035,
            (truth_until(5 + i * 0.0035 + 0.00175) - truth_until(5 + i * 0.0035 - 0.00175)) /
                0.0035,
            -1);
    meter->table.name = "meter.csv";
    const struct gs_frame *const f = calibrate(card, meter);
    assert_true(fabs(real(f, 0, "window_ms") - 200) < 3);
    assert_true(fabs(real(f, 0, "delay_ms") - 30) < 3);
    near(real(f, 0, "period_ms"), 100);
    assert_true(real(f, 0, "r_squared") > 0.9999);
    struct gs_sensor_spec spec;
    assert_int_equal(gs_sensor_parse(f->columns[1].text[0], &spec, NULL),
                     GS_OK); /* it is an argument of --sensor */
    assert_int_equal(spec.period_ns, 100 * GS_NS_PER_MS);
    struct gs_err err = {0};
    assert_int_equal(gs_power_calibrate(&card->gpus, &meter->table, 3600 * GS_NS_PER_S,
                                        &card->arena, &card->out, &err),
                     GS_ERR_DATA);
    assert_string_equal(
        err.text,
        "meter.csv: only 0 renewed readings of the card have 1.3 s of the meter before them, "
        "expected 20; is its clock another one? (--shift, --tz)");
    unmake(card);
    unmake(meter);
}

/* W s of a card that idles at 100 W and from 3 s on is at 400 W for the first half of every 104 ms. */
static double train_until(double t)
{
    const double on = fmax(t - 3, 0), whole = floor(on / 0.104);
    return 100 * t + 300 * (0.052 * whole + fmin(on - whole * 0.104, 0.052));
}

/* The meter begins a second before the train, so that only the first readings, of a longer window, tell idle from it. */
static void a_meter_may_begin_within_a_window(void **state)
{
    (void)state;
    struct made *const card = make("0"), *const meter = make(NULL);
    for (int i = 0; i < 900; i++) {
        const double t = i * 0.01, renewed = floor(t * 10 + 1e-6) / 10;
        const double mean = (train_until(renewed) - train_until(renewed - 1.1)) / 1.1;
        add(card, t, 0.9 * mean + 7 + (double)(i / 10 % 3) * 0.02, -1);
    }
    for (int i = 0; i < 7000; i++)
        add(meter, 2 + i * 0.001,
            (train_until(2.0005 + i * 0.001) - train_until(1.9995 + i * 0.001)) / 0.001, -1);
    const struct gs_frame *const f = calibrate(card, meter);
    assert_true(fabs(real(f, 0, "window_ms") - 1100) < 3);
    unmake(card);
    unmake(meter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_splits_into_idle_and_active),
        cmocka_unit_test(noise_and_a_glitch_are_one_state),
        cmocka_unit_test(a_total_adds_up_gpus_and_is_priced),
        cmocka_unit_test(a_counter_stands_beside_the_integral),
        cmocka_unit_test(a_counter_is_read_as_everywhere),
        cmocka_unit_test(a_dead_sensor_is_said),
        cmocka_unit_test(windows_go_to_the_gpus_they_name),
        cmocka_unit_test(bridged_gaps_are_said),
        cmocka_unit_test(a_card_is_calibrated_against_a_meter),
        cmocka_unit_test(a_meter_may_begin_within_a_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
