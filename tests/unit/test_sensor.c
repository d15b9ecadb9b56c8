/* test_sensor.c - what is known of a power sensor, and whether its interval holds what a meter would say. */
#include "fixture.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "analysis/timeline/energy.h"
#include "analysis/sensor/sensor.h"
#include "analysis/sensor/sensor_cards.h"
#include "analysis/timeline/burst.h"

#define MS GS_NS_PER_MS

static bool near(double x, double want, double within)
{
    return fabs(x - want) <= within;
}

static struct gs_sensor find(const struct gs_power_series *s, const struct gs_sensor_hint *hint)
{
    struct gs_arena scratch = {0};
    struct gs_sensor out;
    struct gs_err err = {0};
    assert_int_equal(gs_sensor_find(s, hint, &scratch, &out, &err), GS_OK);
    gs_arena_release(&scratch);
    return out;
}

static struct gs_sensor_spec parse(const char *text)
{
    struct gs_sensor_spec spec = {0};
    struct gs_err err = {0};
    if (gs_sensor_parse(gs_str(text), &spec, &err) != GS_OK)
        fail_msg("%s", err.text);
    return spec;
}

static void a_sensor_is_read_from_the_command_line(void **state)
{
    (void)state;
    const struct gs_sensor_spec s =
        parse("period=100ms,window=1s,gain=0.95,offset=4.6,delay=20ms,r2=0.99");
    assert_int_equal(s.period_ns, 100 * MS);
    assert_int_equal(s.window_ns, 1000 * MS);
    assert_int_equal(s.delay_ns, 20 * MS);
    assert_true(s.gain == 0.95 && s.offset_w == 4.6 && s.r_squared == 0.99);
    assert_int_equal(parse("window=0.0254986654s").window_ns, 25498665);
    const struct gs_sensor_spec one = parse("offset=-3");
    assert_true(one.period_ns < 0 && one.window_ns < 0 && one.delay_ns < 0);
    assert_true(isnan(one.gain) && one.offset_w == -3.0);
}

static void a_wrong_sensor_is_told_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } c[] = {
        {"", "--sensor: '' must be one of period=TIME, window=TIME, delay=TIME, gain=NUMBER, "
             "offset=WATT, "
             "r2=NUMBER"},
        {"gain", "--sensor: 'gain' must be one of period=TIME, window=TIME, delay=TIME, "
                 "gain=NUMBER, offset=WATT, "
                 "r2=NUMBER"},
        {"period=0",
         "--sensor: 'period=0' must be a length of time above 0 such as 100ms, up to 1h"},
        {"period=", "--sensor: 'period=' must be a length of time above 0 such as 100ms, up to 1h"},
        {"window=-1s", "--sensor: 'window=-1s' must be a length of time such as 100ms, up to 1h"},
        {"gain=0", "--sensor: 'gain=0' must be a number from 0.1 to 10"},
        {"gain=nan", "--sensor: 'gain=nan' must be a number from 0.1 to 10"},
        {"offset=5W", "--sensor: 'offset=5W' must be a number of W from -1000 to 1000"},
        {"r2=2", "--sensor: 'r2=2' must be a number from 0 to 1"},
        {"gain=1,gain=1", "--sensor: 'gain=1' is given twice"},
        {"gain=1,", "--sensor: '' must be one of period=TIME, window=TIME, delay=TIME, "
                    "gain=NUMBER, offset=WATT, "
                    "r2=NUMBER"},
    };
    for (size_t i = 0; i < COUNT_OF(c); i++) {
        struct gs_sensor_spec spec = {.gain = 42.0};
        struct gs_err err = {0};
        assert_int_equal(gs_sensor_parse(gs_str(c[i].text), &spec, &err), GS_ERR_USAGE);
        assert_string_equal(err.text, c[i].want);
        assert_true(spec.gain == 42.0); /* untouched on error */
    }
}

enum { MOST = 8192 };

/* A log of 400 readings 10 ms apart; the sensor renews every `every` of them, a step of 200 W half way. */
static struct gs_power_series stepping(int64_t *t, int64_t *p, int every)
{
    for (int i = 0; i < 400; i++) {
        t[i] = i * 10 * MS;
        p[i] = ((i < 200 ? 100 : 300) * INT64_C(1000000)) + i / every % 7 * 10000;
    }
    return (struct gs_power_series){400, t, p};
}

static void a_period_shows_in_a_faster_log(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 10);
    const struct gs_sensor x = find(&s, &(struct gs_sensor_hint){0});
    assert_int_equal(x.period_from, GS_SENSOR_LOG);
    assert_int_equal(x.interval_ns, 10 * MS);
    assert_int_equal(x.period_ns, 100 * MS);
    assert_int_equal(x.window_ns, 100 * MS); /* the step is over within two periods */
    assert_int_equal(x.shift_ns, 100 * MS);
    assert_int_equal(x.reach_ns, 200 * MS);
    assert_int_equal(x.gain_ppm, 45000);
    assert_int_equal(x.offset_uw, 10000000);
}

static void a_log_as_slow_as_its_sensor_is_not_shifted(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 1);
    const struct gs_sensor draw = find(&s, &(struct gs_sensor_hint){0});
    assert_int_equal(draw.period_from, GS_SENSOR_UNKNOWN);
    assert_int_equal(draw.shift_ns, 0);
    assert_int_equal(draw.reach_ns, 1010 * MS); /* the sampling interval and 1 s */
    const struct gs_sensor instant =
        find(&s, &(struct gs_sensor_hint){.column = GS_COLUMN_INSTANT});
    assert_int_equal(instant.shift_ns, 0);
    assert_int_equal(instant.reach_ns, 20 * MS); /* a mean since the reading before it at most */
}

static void a_slow_log_that_repeats_rounded_readings_shows_no_period(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    random_state = 5;
    for (int i = 0; i < 400; i++) {
        t[i] = i * GS_NS_PER_S;
        p[i] = (INT64_C(50) + (int64_t)(random_below(10) < 4)) *
               1000000; /* a new watt about every other second */
    }
    const struct gs_sensor x =
        find(&(struct gs_power_series){400, t, p}, &(struct gs_sensor_hint){0});
    assert_int_equal(x.period_from, GS_SENSOR_UNKNOWN);
    assert_int_equal(x.shift_ns, 0);
}

static int compare_values(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    return (*x > *y) - (*x < *y);
}

static void the_interval_is_the_median_step(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST], step[MOST];
    random_state = 21;
    for (int round = 0; round < 200; round++) {
        const size_t n = 50 + random_below(300);
        const uint64_t kinds = 1 + random_below(round % 2 == 0 ? 3 : 400); /* few steps, and many */
        t[0] = 0;
        for (size_t i = 0; i < n; i++) {
            step[i] = (int64_t)(1 + random_below(kinds)) * 2 * MS;
            t[i + 1] = t[i] + step[i];
            p[i] = p[n] = (int64_t)(i + 1) * 1000000;
        }
        qsort(step, n, sizeof *step, compare_values);
        const struct gs_sensor x = find(&(struct gs_power_series){n + 1, t, p},
                                        &(struct gs_sensor_hint){.column = GS_COLUMN_INSTANT});
        assert_int_equal(x.interval_ns, (step[(n - 1) / 2] + step[n / 2]) / 2);
    }
}

/*
 * Logs long enough that only some steps are kept: few kinds of them or thousands; and where all that an even look here
 * and there meets is unlike the rest.
 */
static void the_rhythm_of_a_long_log_is_that_of_all_its_readings(void **state)
{
    (void)state;
    enum { LONG = 12000 };
    static int64_t t[LONG], p[LONG], step[LONG], rest[LONG];
    random_state = 22;
    for (int round = 0; round < 150; round++) {
        const size_t n = 1008 + random_below(LONG - 1008), stride = n / 63;
        const uint64_t kinds = 1 + random_below(round % 3 == 0 ? 3 : round % 3 == 1 ? 40 : 100000);
        const uint64_t holds = 2 + random_below(9);
        const bool misleads = round % 5 == 0;
        size_t n_steps = 0, n_rests = 0;
        int64_t now = 0, last = 0, watt = 1, last_watt = 0, renewed = -1;
        for (size_t i = 0; i < n; i++) {
            const bool odd = misleads && i % stride < 2 * holds + 3;
            now += (int64_t)(odd ? 1 + random_below(3) : 20000 + random_below(kinds)) * 1000;
            watt += i % (odd ? 2 : holds) == 0;
            t[i] = now;
            p[i] = random_below(20) == 0 ? GS_MISSING : watt * 1000000;
            if (p[i] == GS_MISSING)
                continue;
            if (last_watt > 0) {
                step[n_steps++] = now - last;
                if (watt != last_watt && renewed >= 0)
                    rest[n_rests++] = now - renewed;
                renewed = watt != last_watt ? now : renewed;
            }
            last = now;
            last_watt = watt;
        }
        qsort(step, n_steps, sizeof *step, compare_values);
        qsort(rest, n_rests, sizeof *rest, compare_values);
        const int64_t interval = (step[(n_steps - 1) / 2] + step[n_steps / 2]) / 2;
        const int64_t period = (rest[(n_rests - 1) / 2] + rest[n_rests / 2]) / 2;
        const struct gs_power_series s = {n, t, p};
        struct gs_arena scratch = {0};
        int64_t found_interval, found_period;
        assert_int_equal(gs_sensor_sampling(&s, &scratch, &found_interval, &found_period, NULL),
                         GS_OK);
        assert_int_equal(found_interval, interval);
        if (found_period != 0 || (holds > 2 && !misleads))
            assert_int_equal(found_period, period);
        gs_arena_release(&scratch);
    }
}

static void what_is_said_comes_before_what_is_seen(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 10);
    const struct gs_sensor_spec spec =
        parse("period=50ms,window=1s,delay=30ms,gain=0.5,offset=10,r2=0.75");
    const struct gs_sensor x =
        find(&s, &(struct gs_sensor_hint){.spec = &spec, .card = gs_str("Tesla K40m")});
    assert_int_equal(x.period_ns, 50 * MS);
    assert_int_equal(x.window_ns, 1000 * MS);
    assert_int_equal(x.shift_ns, 555 * MS);
    assert_true(x.gain == 0.5 && x.offset_w == 10.0);
    assert_int_equal(x.gain_ppm, 10000);
    /* range 200.06 W, half of it in the meter's scale 200.06 W: sqrt(4 + 0.25 x 200.06^2) */
    assert_int_equal(x.offset_uw, 100049992);
}

static void a_card_is_known_by_its_exact_name_and_by_what_its_log_shows(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 10);
    const struct gs_sensor x =
        find(&s, &(struct gs_sensor_hint){.card = gs_str("NVIDIA GeForce RTX 3090")});
    assert_int_equal(x.scale_from, GS_SENSOR_CARD);
    assert_int_equal(x.card_rows, 1); /* of three drivers the one whose power.draw is no 1 s mean */
    assert_true(x.gain == 0.942979 && x.offset_w == 6.0364);
    assert_int_equal(x.window_ns, 100010000);
    assert_int_equal(x.period_ns, 100 * MS);
    assert_int_equal(x.gain_ppm, 25000);
    assert_int_equal(x.offset_uw, 4000000);
    const struct gs_sensor i =
        find(&s, &(struct gs_sensor_hint){.card = gs_str("NVIDIA_GeForce_RTX_3090"),
                                          .column = GS_COLUMN_INSTANT});
    assert_true(i.gain == 0.948275);
    assert_int_equal(i.window_ns, 99630000);
    assert_false(gs_sensor_card_known(gs_str("GeForce RTX 3090")));
    assert_false(gs_sensor_card_known(gs_str("NVIDIA GeForce RTX 3090 Ti")));
    assert_false(gs_sensor_card_known(gs_str("NVIDIA GeForce RTX 309")));
    assert_false(gs_sensor_card_known(gs_str("")));
    assert_true(gs_sensor_card_known(gs_str("Tesla P100-PCIE-16GB")));
}

static void a_card_whose_rows_fit_badly_has_no_scale(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 10);
    const struct gs_sensor x =
        find(&s, &(struct gs_sensor_hint){.card = gs_str("NVIDIA GeForce RTX 2060 SUPER")});
    assert_int_equal(x.window_from, GS_SENSOR_CARD);
    assert_int_equal(x.scale_from, GS_SENSOR_UNKNOWN); /* R^2 0.97 */
    assert_true(x.gain == 1.0 && x.offset_w == 0.0);
    assert_int_equal(x.gain_ppm, 45000);
}

static void scale_is_taken_out_of_an_energy(void **state)
{
    (void)state;
    const struct gs_sensor none = {.gain = 1.0};
    assert_true(gs_sensor_scale(&none, (gs_i128)1 << 100, 7) == (gs_i128)1 << 100);
    /* 1000 J read in 2 s with 4 W too much and half the gain: (1000 - 8) / 0.5. */
    const struct gs_sensor s = {.gain = 0.5, .offset_w = 4.0};
    assert_true(gs_sensor_scale(&s, (gs_i128)1000 * GS_ENERGY_PER_J, 2 * GS_NS_PER_S) ==
                (gs_i128)1984 * GS_ENERGY_PER_J);
}

static void edges_are_what_a_look_at_every_reading_gives(void **state)
{
    (void)state;
    static int64_t t[300], p[300], at[80];
    static struct gs_sensor_edge edge[80];
    random_state = 77;
    for (int round = 0; round < 40; round++) {
        for (int i = 0; i < 300; i++) {
            t[i] = (i == 0 ? 0 : t[i - 1]) + (int64_t)random_below(20) * MS;
            p[i] = random_below(15) == 0 ? GS_MISSING : (int64_t)random_below(400) * 1000000;
        }
        for (int k = 0; k < 80; k++)
            at[k] = (k == 0 ? -500 * MS : at[k - 1]) +
                    (int64_t)random_below(round % 4 < 2 ? 80 : 900) * MS; /* reaches lie apart */
        const struct gs_sensor s = {.gain = 0.9,
                                    .period_ns = 100 * MS,
                                    .interval_ns =
                                        round % 2 == 0 ? 10 * MS : 40 * MS, /* queues; one by one */
                                    .window_ns = 20 * MS,
                                    .shift_ns = 60 * MS,
                                    .reach_ns = 120 * MS};
        const struct gs_power_series series = {300, t, p};
        struct gs_arena scratch = {0};
        assert_int_equal(gs_sensor_edges(&series, &s, at, 80, &scratch, edge, NULL), GS_OK);
        gs_arena_release(&scratch);
        for (int k = 0; k < 80; k++) {
            const int64_t x = at[k] + 60 * MS;
            int64_t least = INT64_MAX, most = INT64_MIN, last = GS_MISSING;
            double renewals = 0;
            for (int i = 0; i < 300; i++) {
                if (p[i] == GS_MISSING)
                    continue;
                if (t[i] >= x - 120 * MS && t[i] <= x + 120 * MS) {
                    least = p[i] < least ? p[i] : least;
                    most = p[i] > most ? p[i] : most;
                }
                if (t[i] <= x && last != GS_MISSING) /* 80 ms of each 100 are not seen */
                    renewals += pow((double)(p[i] - last) * 0.08 / 0.9, 2) / 12;
                if (t[i] <= x)
                    last = p[i];
            }
            assert_true(edge[k].range_uw == (most < least ? 0 : (uint64_t)(most - least)));
            assert_true(fabs((double)edge[k].renewals_uj2 - renewals) <= 1e-9 * renewals + 300);
        }
    }
}

static void an_interval_adds_up_what_is_one_mistake_and_what_is_several(void **state)
{
    (void)state;
    /* 200 J in 1 s: scale 2 J, zero 3 W s; two edges of 40 W within 0.2 s: 2 J each. */
    const struct gs_sensor s = {
        .gain = 1.0, .gain_ppm = 10000, .offset_uw = 3000000, .reach_ns = 200 * MS};
    const struct gs_sensor_edge edge = {.range_uw = 40000000};
    const gs_i128 energy = (gs_i128)200 * GS_ENERGY_PER_J;
    struct gs_energy_error e = {0};
    double low, high;
    gs_energy_error_add(&e, &s, energy, GS_NS_PER_S, &edge, &edge);
    gs_energy_interval(&e, energy, &low, &high);
    assert_true(near(high - 200.0, 2.0 * sqrt(4.0 + 9.0 + 8.0), 1e-9));
    assert_true(near(200.0 - low, high - 200.0, 1e-9));
    struct gs_energy_error two = e;
    gs_energy_error_merge(&two, &e);
    gs_energy_interval(&two, 2 * energy, &low, &high);
    assert_true(near(high - 400.0, 2.0 * sqrt(16.0 + 36.0 + 16.0), 1e-9));
    gs_energy_interval(&two, GS_ENERGY_PER_J, &low, &high);
    assert_true(low == 0.0); /* no energy is below nothing */
    two.n_refused = 1;
    gs_energy_interval(&two, 2 * energy, &low, &high);
    assert_true(isnan(low) && isnan(high));
}

static void what_a_mean_puts_outside_of_events_is_the_same_mistake_in_all(void **state)
{
    (void)state;
    /* 100 W more inside than outside of 1 s, through 0.2 s: 100 x 0.2 / 8 J at each edge, half of it a standard error. */
    const struct gs_sensor s = {.gain = 1.0, .reach_ns = 200 * MS, .shift_ns = 100 * MS};
    const struct gs_sensor_edge start = {100000000, 0, 50000000, 100000000, 150000000};
    const struct gs_sensor_edge stop = {100000000, 0, 150000000, 100000000, 50000000};
    const gs_i128 energy = (gs_i128)150 * GS_ENERGY_PER_J;
    const double edges = 2 * pow(100 * 0.2 / 4, 2), leak = 100 * 0.2 / 8;
    struct gs_energy_error one = {0}, sum = {0};
    double low, high;
    gs_energy_error_add(&one, &s, energy, GS_NS_PER_S, &start, &stop);
    gs_energy_error_smear(&one, &s, GS_NS_PER_S, &start, &stop);
    gs_energy_interval(&one, energy, &low, &high);
    assert_true(near(high - 150.0, 2.0 * sqrt(edges), 1e-6)); /* one alone is as its edges say */
    for (int i = 0; i < 100; i++)
        gs_energy_error_merge(&sum, &one);
    gs_energy_interval(&sum, 100 * energy, &low, &high);
    assert_true(
        near(high - 15000.0, 2.0 * sqrt(100 * (edges - leak * leak) + pow(100 * leak, 2)), 1e-6));
    for (int i = 0; i < 100; i++) { /* what they lose the rests between them win */
        gs_energy_error_add(&sum, &s, energy, GS_NS_PER_S, &stop, &start);
        gs_energy_error_smear(&sum, &s, GS_NS_PER_S, &stop, &start);
    }
    gs_energy_interval(&sum, 200 * energy, &low, &high);
    assert_true(near(high - 30000.0, 2.0 * sqrt(200 * (edges - leak * leak)), 1e-6));
    /* A burst of 20 ms stands 0.2 s long at its reading: all but 0.2 - 0.75 x 0.02 s of it is outside. */
    struct gs_energy_error burst = {0};
    const struct gs_sensor_edge both = {10000000, 0, 50000000, 60000000, 50000000};
    gs_energy_error_smear(&burst, &s, 20 * MS, &both, &both);
    gs_energy_interval(&burst, energy, &low, &high);
    assert_true(near(high - 150.0, 10 * (0.2 - 0.015), 1e-6));
    const struct gs_sensor unseen = {.gain = 1.0, .reach_ns = 200 * MS};
    struct gs_energy_error none = {0};
    gs_energy_error_smear(&none, &unseen, GS_NS_PER_S, &start, &stop);
    assert_true(none.misplaced == 0 && none.apart_uj2 == 0);
}

/* A power that is known at every instant: levels, and the energy up to the start of each. */
struct load {
    size_t n;
    double start[MOST], watt[MOST], joule[MOST];
};

static double uniform(double low, double high)
{
    return low + (high - low) * (double)(random_bits() >> 11) / 0x1p53;
}

static double log_uniform(double low, double high)
{
    return exp(uniform(log(low), log(high)));
}

static void add_level(struct load *l, double from, double watt)
{
    const size_t n = l->n++;
    assert_true(n < MOST);
    l->start[n] = from;
    l->watt[n] = watt;
    l->joule[n] = n == 0 ? 0.0 : l->joule[n - 1] + (from - l->start[n - 1]) * l->watt[n - 1];
}

static double energy_until(const struct load *l, double t)
{
    size_t lo = 0, hi = l->n;
    while (hi - lo > 1) {
        const size_t mid = lo + (hi - lo) / 2;
        if (l->start[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    return l->joule[lo] + (t - l->start[lo]) * l->watt[lo];
}

struct simulated {
    double period, window, interval; /* s */
    size_t n;
    int64_t t[MOST], p[MOST];
};

/*
 * Readings of a boxcar in steps of 0.01 W: the mean over the window before the last renewal. With noise of up
 * to 0.1 W renewals show while the power stands still.
 */
static void read_load(struct simulated *s, const struct load *l, double seconds, double noise)
{
    const double phase = uniform(0, s->period);
    double last = -INFINITY, error = 0;
    s->n = 0;
    for (double x = 0; x < seconds && s->n < MOST; x += s->interval * uniform(0.8, 1.3)) {
        const double renewed = floor((x - phase) / s->period) * s->period + phase;
        const double mean =
            (energy_until(l, renewed) - energy_until(l, renewed - s->window)) / s->window;
        s->t[s->n] = (int64_t)(x * 1e9);
        if (renewed > last)
            error = uniform(-noise, noise);
        last = renewed;
        s->p[s->n++] = (int64_t)nearbyint((mean + error) * 100) * 10000;
    }
}

static bool holds(const struct simulated *s, const struct gs_sensor *x, const struct load *l,
                  double from, double to)
{
    const struct gs_power_series series = {s->n, s->t, s->p};
    const int64_t *const value[GS_FIXED_METRICS] = {s->p, s->p, s->p, s->p};
    const struct gs_gpu_view gpu = {.n = (uint32_t)s->n, .t_ns = s->t, .value = value};
    const int64_t t[2] = {(int64_t)(from * 1e9), (int64_t)(to * 1e9)};
    const int64_t at[2] = {t[0] + x->shift_ns, t[1] + x->shift_ns};
    struct gs_arena scratch = {0};
    struct gs_sensor_edge edge[2];
    struct gs_energy e[2];
    assert_int_equal(gs_sensor_edges(&series, x, t, 2, &scratch, edge, NULL), GS_OK);
    gs_arena_release(&scratch);
    gs_energy_curve(&gpu, INT64_MAX, at, 2, e);
    const gs_i128 energy =
        gs_sensor_scale(x, e[1].energy - e[0].energy, (gs_i128)(e[1].covered_ns - e[0].covered_ns));
    struct gs_energy_error error = {0};
    double low, high;
    gs_energy_error_add(&error, x, energy, t[1] - t[0], &edge[0], &edge[1]);
    gs_energy_interval(&error, energy, &low, &high);
    const double truth = energy_until(l, to) - energy_until(l, from);
    return truth >= low && truth <= high;
}

static void the_interval_holds_the_truth_of_simulated_sensors(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s;
    size_t n = 0, known = 0, read = 0;
    random_state = 20261121;
    for (int round = 0; round < 1000; round++) {
        const double seconds = 12, shortest = log_uniform(0.05, 1),
                     longest = shortest * uniform(1, 20);
        l.n = 0;
        for (double x = -4; x < seconds; x += log_uniform(shortest, longest))
            add_level(&l, x, uniform(40, 400));
        s.period = log_uniform(0.01, 1);
        s.window = random_below(3) == 0 ? s.period : log_uniform(0.01, 2);
        s.interval = log_uniform(0.005, 0.2);
        read_load(&s, &l, seconds, round % 2 == 0 ? 0.0 : 0.1);
        const struct gs_power_series series = {s.n, s.t, s.p};
        const struct gs_sensor_spec spec = {
            (int64_t)(s.period * 1e9), (int64_t)(s.window * 1e9), 0, 1.0, 0.0, 1.0};
        const struct gs_sensor told = find(&series, &(struct gs_sensor_hint){.spec = &spec});
        const struct gs_sensor seen = find(&series, &(struct gs_sensor_hint){0});
        for (int w = 0; w < 12; w++, n++) {
            const double length = 0.1 * pow(40, uniform(0, 1)),
                         from = uniform(1, seconds - length - 2);
            known += holds(&s, &told, &l, from, from + length);
            read += holds(&s, &seen, &l, from, from + length);
        }
    }
    print_message("simulated sensors: %.2f %% held when known, %.2f %% when read from the log\n",
                  100.0 * (double)known / (double)n, 100.0 * (double)read / (double)n);
    assert_true((double)known >= 0.95 * (double)n);
    assert_true((double)read >= 0.90 * (double)n);
}

static size_t make_train(struct load *l, struct gs_burst *b, size_t n, double burst, double rest)
{
    l->n = 0;
    add_level(l, -4, 60);
    for (size_t i = 0; i < n; i++) {
        const double from = 2.0 + (double)i * (burst + rest);
        add_level(l, from, 300);
        add_level(l, from + burst, 60);
        b[i] = (struct gs_burst){(int64_t)(from * 1e9), (int64_t)((from + burst) * 1e9)};
    }
    return n;
}

static struct gs_burst_train_view look(const struct simulated *s, const struct gs_sensor *x,
                                       const struct gs_burst *b, size_t n, bool fit)
{
    const struct gs_power_series series = {s->n, s->t, s->p};
    struct gs_arena scratch = {0};
    struct gs_burst_train *train;
    size_t n_trains;
    struct gs_burst_train_view v;
    assert_int_equal(gs_burst_trains_find(b, n, &scratch, &train, &n_trains, NULL), GS_OK);
    assert_int_equal(n_trains, 1);
    assert_int_equal(train->n, n);
    assert_int_equal(gs_burst_train_inspect(&series, x, b, n, train, fit, &scratch, &v, NULL),
                     GS_OK);
    gs_arena_release(&scratch);
    return v;
}

static void short_bursts_do_not_exclude_a_long_window(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s = {.period = 0.1, .window = 0.8, .interval = 0.01};
    random_state = 5;
    for (int whole = 0; whole < 2;
         whole++) { /* one burst of 0.1 s through 0.8 s, one of 2.6 s through 0.1 s */
        l.n = 0;
        add_level(&l, -4, 60);
        add_level(&l, 3, 300);
        add_level(&l, whole ? 5.6 : 3.1, 60);
        s.window = whole ? 0.1 : 0.8;
        read_load(&s, &l, 8, 0.1);
        const struct gs_power_series series = {s.n, s.t, s.p};
        const struct gs_sensor seen = find(&series, &(struct gs_sensor_hint){0});
        assert_true(llabs(seen.period_ns - 100 * GS_NS_PER_MS) < 10 * GS_NS_PER_MS);
        assert_int_equal(seen.window_ns, seen.period_ns);
        if (whole) {
            assert_int_equal(seen.longest_ns, 0);
            assert_int_equal(seen.reach_ns, 2 * seen.period_ns);
        } else {
            assert_true(llabs(seen.longest_ns - 800 * GS_NS_PER_MS) < 120 * GS_NS_PER_MS);
            assert_int_equal(seen.reach_ns, seen.period_ns + seen.longest_ns);
        }
        const struct gs_sensor instant =
            find(&series, &(struct gs_sensor_hint){.column = GS_COLUMN_INSTANT});
        assert_int_equal(instant.longest_ns, 0);
    }
}

static void an_analyser_is_an_instrument(void **state)
{
    (void)state;
    int64_t t[40], p[40];
    for (int i = 0; i < 40; i++) {
        t[i] = i * GS_NS_PER_S;
        p[i] = (20 + i % 7) * GS_FIXED_ONE;
    }
    const struct gs_power_series series = {40, t, p};
    const struct gs_sensor s =
        find(&series, &(struct gs_sensor_hint){.card = gs_str(GS_POWER_ANALYSER)});
    assert_int_equal(s.window_ns, GS_NS_PER_S);
    assert_int_equal(s.shift_ns, GS_NS_PER_S / 2);
    assert_int_equal(s.window_from, GS_SENSOR_METER);
    assert_int_equal(s.scale_from, GS_SENSOR_METER);
    assert_int_equal(s.gain_ppm, 5000);
    assert_int_equal(s.offset_uw, 0);
    struct gs_sensor_spec said = GS_SENSOR_UNSAID;
    said.gain = 2;
    const struct gs_sensor own =
        find(&series, &(struct gs_sensor_hint){.spec = &said, .card = gs_str(GS_POWER_ANALYSER)});
    assert_int_equal(own.scale_from, GS_SENSOR_GIVEN);
}

static void bursts_in_no_rhythm_tell_the_window(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s = {.period = 0.1, .window = 0.7, .interval = 0.01};
    static struct gs_burst b[12];
    struct gs_arena scratch = {0};
    random_state = 6;
    l.n = 0;
    add_level(&l, -4, 60);
    double x = 1.5;
    for (int i = 0; i < 12; i++) {
        const double length = uniform(0.03, 0.25);
        add_level(&l, x, 300);
        add_level(&l, x + length, 60);
        b[i] = (struct gs_burst){(int64_t)(x * 1e9), (int64_t)((x + length) * 1e9)};
        x += uniform(0.5, 2.5);
    }
    read_load(&s, &l, x + 2, 0.1);
    const struct gs_power_series series = {s.n, s.t, s.p};
    const struct gs_sensor seen = find(&series, &(struct gs_sensor_hint){0});
    struct gs_burst_train_view v;
    assert_int_equal(gs_bursts_inspect(&series, &seen, b, 12, &scratch, &v, NULL), GS_OK);
    assert_true(gs_burst_train_determines(&v, &seen));
    assert_true(llabs(v.fit.window_ns - 700 * GS_NS_PER_MS) < 20 * GS_NS_PER_MS);
    assert_int_equal(gs_bursts_inspect(&series, &seen, b, 4, &scratch, &v, NULL), GS_OK);
    assert_false(v.fitted); /* too few */
    b[3].stop_ns = b[4].start_ns + 1;
    assert_int_equal(gs_bursts_inspect(&series, &seen, b, 12, &scratch, &v, NULL), GS_OK);
    assert_false(v.fitted); /* they overlap */
    for (int i = 0; i < 12; i++)
        b[i] = (struct gs_burst){b[i].start_ns + 400 * GS_NS_PER_MS,
                                 b[i].start_ns + 600 * GS_NS_PER_MS};
    assert_int_equal(gs_bursts_inspect(&series, &seen, b, 12, &scratch, &v, NULL), GS_OK);
    assert_false(gs_burst_train_determines(&v, &seen)); /* windows that somebody put somewhere */
    gs_arena_release(&scratch);
}

static void a_train_that_the_sensor_sees_in_part_is_refused(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s;
    static struct gs_burst b[100];
    random_state = 3;
    int refused = 0, by_known = 0, rounds = 0, whole_refused = 0;
    for (int round = 0; round < 40; round++, rounds++) {
        s.period = uniform(0.05, 0.2);
        s.interval = s.period / uniform(4, 12);
        const double burst = s.period * uniform(0.2, 0.8), rest = s.period * uniform(0.2, 0.8);
        const size_t n = make_train(&l, b, 60, burst, rest);
        s.window = s.period * uniform(0.1, 0.6);
        read_load(&s, &l, 5.0 + (double)n * (burst + rest), 0.1);
        const struct gs_power_series series = {s.n, s.t, s.p};
        const struct gs_sensor seen = find(&series, &(struct gs_sensor_hint){0});
        const struct gs_burst_train_view v = look(&s, &seen, b, n, false);
        assert_true(v.judged);
        refused += v.refused;
        const struct gs_sensor_spec spec = {
            -1, (int64_t)(s.window * 1e9), -1, (double)NAN, (double)NAN, (double)NAN};
        const struct gs_sensor told = find(&series, &(struct gs_sensor_hint){.spec = &spec});
        by_known += look(&s, &told, b, n, false).refused;
        s.window = s.period * uniform(1.0, 3.0);
        read_load(&s, &l, 5.0 + (double)n * (burst + rest), 0.1);
        const struct gs_sensor whole = find(&series, &(struct gs_sensor_hint){0});
        whole_refused += look(&s, &whole, b, n, false).refused;
    }
    print_message(
        "trains: %d of %d refused by the fit, %d knowing the window; %d of those seen whole\n",
        refused, rounds, by_known, whole_refused);
    assert_int_equal(by_known, rounds);
    assert_true(refused >= rounds * 95 / 100);
    assert_true(whole_refused <= rounds / 20);
}

static void the_energy_of_a_burst_comes_out_of_many(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s;
    static struct gs_burst b[100];
    random_state = 9;
    for (int round = 0; round < 10; round++) {
        s.period = 0.1;
        s.interval = 0.007;
        s.window = round % 2 == 0 ? 0.1 : 1.0;
        const size_t n = make_train(&l, b, 80, 0.054, 0.050);
        read_load(&s, &l, 14, 0.1);
        const struct gs_power_series series = {s.n, s.t, s.p};
        const struct gs_sensor x = find(&series, &(struct gs_sensor_hint){0});
        const struct gs_burst_train_view v = look(&s, &x, b, n, true);
        assert_true(v.fitted && !v.refused);
        assert_true(near(v.fit.on, 300, 15));
        assert_true(near(v.fit.off, 60, 6));
        assert_true(near((double)v.fit.window_ns * 1e-9, s.window, 0.1 * s.window));
    }
}

static void a_step_shows_the_window_of_an_instant_column(void **state)
{
    (void)state;
    static struct load l;
    static struct simulated s;
    const struct gs_sensor_hint instant = {.column = GS_COLUMN_INSTANT};
    int n_near = 0;
    random_state = 21;
    for (int round = 0; round < 20; round++) {
        l.n = 0;
        add_level(&l, -4, 60);
        add_level(&l, 2, 300);
        add_level(&l, 6, 60);
        s.period = 0.02;
        s.interval = round % 2 == 0 ? 0.007 : 0.02; /* slower, its period does not show */
        s.window = round % 4 < 2 ? 0.1 : 0.02;
        read_load(&s, &l, 10, 0.1);
        const struct gs_power_series series = {s.n, s.t, s.p};
        const struct gs_sensor x = find(&series, &instant);
        n_near += near((double)x.window_ns * 1e-9, s.window, s.window > 0.05 ? 0.04 : 0.021);
        assert_int_equal(x.delay_ns, 0);
    }
    assert_true(n_near >= 19);
}

/* What a sensor says of n periods of a train at a random phase, less the truth; on is 1 W, off 0. */
static double missed(double on, double period, int n, double window)
{
    const double phase = uniform(0, 1);
    double said = 0;
    for (int k = -2; k < (int)(n * period) + 3; k++)
        for (int i = 0; i < n;
             i++) { /* overlap of the window that ends at k + phase with the burst */
            const double to = fmin(k + phase, i * period + on),
                         from = fmax(k + phase - window, i * period);
            said += to > from ? (to - from) / window : 0.0;
        }
    return said - n * on;
}

static void a_train_in_step_with_its_sensor_misses_the_same_again_and_again(void **state)
{
    (void)state;
    static const double period[] = {3.0, 3.5, 3.24, 4.01, 7.0 / 3.0};
    random_state = 4;
    for (size_t i = 0; i < COUNT_OF(period); i++) {
        enum { N = 12, ROUNDS = 4000 };
        const double on = 0.42 * period[i], window = 0.25;
        double sum = 0;
        for (int round = 0; round < ROUNDS; round++)
            sum += pow(missed(on, period[i], N, window), 2);
        const double rms = sqrt(sum / ROUNDS);
        const struct gs_sensor x = {
            .period_from = GS_SENSOR_LOG, .period_ns = 100 * MS, .window_ns = 25 * MS, .gain = 1.0};
        const struct gs_burst_train train = {0, N, (int64_t)(period[i] * 1e8), 0.42};
        const struct gs_burst_train_view view = {.fitted = true,
                                                 .fit = {.on = 10.0}}; /* 10 W x 100 ms are 1 */
        const double beat = gs_burst_train_beat_j(&train, &view, &x, N);
        double apart = 0;
        for (int m = 1; m < 200; m++)
            apart +=
                N *
                pow(sin(3.14159265358979 * m * window) / (3.14159265358979 * m * window) / m, 2) /
                9.8696044;
        assert_true(rms <= 1.05 * sqrt(beat * beat + apart));
        if (beat > 0.0)
            assert_true(near(rms, sqrt(beat * beat + apart), 0.06 * rms));
    }
    const struct gs_sensor whole = {
        .period_from = GS_SENSOR_LOG, .period_ns = 100 * MS, .window_ns = 100 * MS, .gain = 1.0};
    const struct gs_burst_train train = {0, 12, 300 * MS, 0.5};
    const struct gs_burst_train_view view = {.fitted = true, .fit = {.on = 10.0}};
    assert_true(gs_burst_train_beat_j(&train, &view, &whole, 12) == 0.0);
}

static void trains_are_bursts_in_a_rhythm(void **state)
{
    (void)state;
    static const struct gs_burst b[] = {
        {0, 50},        {100, 150},     {200, 260},     {302, 352},
        {400, 450}, /* a train of 5: P 100, D 0.52 */
        {4000, 4100},   {5000, 5100},   {6000, 6100},   {7000, 7100}, /* only 4 */
        {20000, 30000}, {21000, 22000}, {22000, 23000}, {23000, 24000},
        {24000, 25000}, {25000, 26000}, {90000, 91000}, {92000, 93000},
        {94000, 95000}, {96200, 97000}, {98000, 99000}, /* 5 with a stumble of 10 % */
    };
    struct gs_arena arena = {0};
    struct gs_burst_train *train;
    size_t n;
    assert_int_equal(gs_burst_trains_find(b, COUNT_OF(b), &arena, &train, &n, NULL), GS_OK);
    assert_int_equal(n, 2);
    assert_true(train[0].first == 0 && train[0].n == 5 && train[0].period_ns == 100);
    assert_true(near(train[0].share, 0.52, 1e-12));
    assert_true(train[1].first == 10 && train[1].n == 5 && train[1].period_ns == 1000);
    assert_int_equal(gs_burst_trains_find(b, 0, &arena, &train, &n, NULL), GS_OK);
    assert_int_equal(n, 0);
    gs_arena_release(&arena);
}

static void a_sensor_is_described(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 10);
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    const struct gs_sensor x =
        find(&s, &(struct gs_sensor_hint){.card = gs_str("NVIDIA GeForce RTX 3090")});
    gs_sensor_describe(&x, &b);
    assert_string_equal(
        b.ptr,
        "period 100 ms (from the log), window 100 ms (from the table of cards), windows shifted "
        "by 100 ms, reading = 0.942979 x power + 6.036 W (from the table of cards), standard "
        "errors 2.5 % and 4 W");
    b.len = 0;
    const struct gs_power_series slow = stepping(t, p, 1);
    const struct gs_sensor y = find(&slow, &(struct gs_sensor_hint){0});
    gs_sensor_describe(&y, &b);
    assert_string_equal(
        b.ptr,
        "period not seen in samples 10 ms apart, window 1000 ms (assumed), windows shifted by 0 "
        "ms, scale unknown, standard errors 4.5 % and 10 W");
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sensor_is_read_from_the_command_line),
        cmocka_unit_test(a_wrong_sensor_is_told_where),
        cmocka_unit_test(a_period_shows_in_a_faster_log),
        cmocka_unit_test(a_log_as_slow_as_its_sensor_is_not_shifted),
        cmocka_unit_test(a_slow_log_that_repeats_rounded_readings_shows_no_period),
        cmocka_unit_test(the_interval_is_the_median_step),
        cmocka_unit_test(the_rhythm_of_a_long_log_is_that_of_all_its_readings),
        cmocka_unit_test(what_is_said_comes_before_what_is_seen),
        cmocka_unit_test(a_card_is_known_by_its_exact_name_and_by_what_its_log_shows),
        cmocka_unit_test(a_card_whose_rows_fit_badly_has_no_scale),
        cmocka_unit_test(scale_is_taken_out_of_an_energy),
        cmocka_unit_test(edges_are_what_a_look_at_every_reading_gives),
        cmocka_unit_test(an_interval_adds_up_what_is_one_mistake_and_what_is_several),
        cmocka_unit_test(what_a_mean_puts_outside_of_events_is_the_same_mistake_in_all),
        cmocka_unit_test(the_interval_holds_the_truth_of_simulated_sensors),
        cmocka_unit_test(short_bursts_do_not_exclude_a_long_window),
        cmocka_unit_test(an_analyser_is_an_instrument),
        cmocka_unit_test(bursts_in_no_rhythm_tell_the_window),
        cmocka_unit_test(a_train_that_the_sensor_sees_in_part_is_refused),
        cmocka_unit_test(the_energy_of_a_burst_comes_out_of_many),
        cmocka_unit_test(a_step_shows_the_window_of_an_instant_column),
        cmocka_unit_test(a_train_in_step_with_its_sensor_misses_the_same_again_and_again),
        cmocka_unit_test(trains_are_bursts_in_a_rhythm),
        cmocka_unit_test(a_sensor_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
