/* test_sensor.c - what is known of a power sensor, and whether its interval holds what a meter would say. */
#include "fixture.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "analysis/energy/energy.h"
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
    struct gs_power_series readings = *s;
    struct gs_sensor out;
    struct gs_err err = {0};
    assert_int_equal(gs_power_instants(&readings, &scratch, &err), GS_OK);
    assert_int_equal(gs_sensor_find(&readings, hint, &scratch, &out, &err), GS_OK);
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
        p[i] = ((i < 200 ? 100 : 300) * INT64_C(1000000)) + i / every % 11 * 10000;
    }
    return (struct gs_power_series){400, t, p, NULL};
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
    assert_int_equal(x.scale_from, GS_SENSOR_UNKNOWN);
    assert_int_equal(x.unseen_ns, 90 * MS); /* the window less a sample's 10 ms */
}

static void of_an_unknown_sensor_something_between_none_and_a_second_is_taken(void **state)
{
    (void)state;
    static int64_t t[MOST], p[MOST];
    const struct gs_power_series s = stepping(t, p, 1);
    const struct gs_sensor draw = find(&s, &(struct gs_sensor_hint){0});
    assert_int_equal(draw.period_from, GS_SENSOR_UNKNOWN);
    assert_int_equal(draw.shift_ns, 300 * MS);
    assert_int_equal(draw.reach_ns, 1100 * MS);
    assert_int_equal(draw.unseen_ns, 0);
    const struct gs_sensor instant =
        find(&s, &(struct gs_sensor_hint){.column = GS_COLUMN_INSTANT});
    assert_int_equal(instant.shift_ns, 100 * MS);
    assert_int_equal(instant.reach_ns, 200 * MS);
    const struct gs_sensor_spec said = parse("window=500ms,delay=20ms");
    const struct gs_sensor told = find(&s, &(struct gs_sensor_hint){.spec = &said});
    assert_int_equal(told.shift_ns, 320 * MS); /* 20 ms and half of 100 ms and of the window */
    assert_int_equal(told.unseen_ns, 400 * MS);
    for (int i = 0; i < 400; i++)
        t[i] = i * GS_NS_PER_S; /* cut to seconds: half a second earlier than they look */
    const struct gs_sensor cut = find(&s, &(struct gs_sensor_hint){0});
    assert_int_equal(cut.shift_ns, -200 * MS);
    assert_int_equal(cut.reach_ns, 2600 * MS);
}

/* What repeats: a seed for noise, a value for the i-th sample of `step_ms`. */
static struct gs_sensor repeating(int64_t step_ms, int every, int64_t (*value)(int look))
{
    static int64_t t[600], p[600];
    for (int i = 0; i < 600; i++) {
        t[i] = i * step_ms * MS + 1;
        p[i] = value(i / every);
    }
    return find(&(struct gs_power_series){600, t, p, NULL}, &(struct gs_sensor_hint){0});
}

static int64_t plateaus(int look)
{
    return (look % 60 < 20 ? 100 : 300) * GS_FIXED_ONE;
}

static int64_t whole_watts(int look)
{
    return (300 + (int64_t)((uint64_t)look * 2654435761 >> 7) % 2) * GS_FIXED_ONE;
}

static int64_t ever_new(int look)
{
    return 100 * GS_FIXED_ONE + (int64_t)((uint64_t)look * 2654435761 >> 3) % 200000 * 1000;
}

static int64_t few(int look)
{
    return (100 + look * 5 % 7) * GS_FIXED_ONE;
}

static void only_a_fast_and_regular_repetition_of_many_values_is_a_sensor(void **state)
{
    (void)state;
    static const struct {
        int64_t step_ms, period_ms;
        int every;
        int64_t (*value)(int look);
        enum gs_rhythm want;
    } c[] = {
        {100, 1000, 10, ever_new, GS_RHYTHM_RENEWED}, {500, 2000, 4, ever_new, GS_RHYTHM_RENEWED},
        {10000, 30000, 3, ever_new, GS_RHYTHM_HELD}, /* an exporter */
        {10000, 10000, 3, few, GS_RHYTHM_PLAIN},     /* values come again */
        {100, 100, 10, few, GS_RHYTHM_PLAIN},        /* fewer than 8 */
        {100, 100, 1, ever_new, GS_RHYTHM_PLAIN},    /* each sample is another */
        {1000, 1000, 1, plateaus, GS_RHYTHM_PLAIN},   {1000, 1000, 1, whole_watts, GS_RHYTHM_PLAIN},
    };
    for (size_t i = 0; i < COUNT_OF(c); i++) {
        const struct gs_sensor x = repeating(c[i].step_ms, c[i].every, c[i].value);
        assert_int_equal(x.rhythm, c[i].want);
        assert_int_equal(x.period_ns, c[i].period_ms * MS);
        assert_int_equal(x.period_from,
                         c[i].want == GS_RHYTHM_RENEWED ? GS_SENSOR_LOG : GS_SENSOR_UNKNOWN);
    }
    const struct gs_sensor held = repeating(10000, 3, ever_new);
    assert_int_equal(held.shift_ns, 5300 * MS); /* seen half an interval late */
    assert_int_equal(held.reach_ns, 11100 * MS);
}

/* Energy of a held log: a value that stays is a level, not a slope to the next. */
static void held_readings_count_at_their_first_sight(void **state)
{
    (void)state;
    static int64_t t[240], p[240];
    for (int i = 0; i < 240; i++) {
        t[i] = i * 10000 * MS + 1;
        p[i] = (i / 3 < 40 ? 100 + i / 3 : i / 3 < 60 ? 200 : 300 + i / 3) * GS_FIXED_ONE;
    }
    const struct gs_power_series series = {240, t, p, NULL};
    const struct gs_sensor x = find(&series, &(struct gs_sensor_hint){0});
    assert_int_equal(x.rhythm, GS_RHYTHM_HELD);
    struct gs_arena arena = {0};
    struct gs_energy_curve c;
    assert_int_equal(gs_energy_curve_make(&series, &x, -1, &arena, &c, NULL), GS_OK);
    assert_int_equal(c.n, 81); /* 80 looks and the end of the log */
    for (size_t i = 40; i < 60; i++)
        assert_int_equal(c.power[i], 200 * GS_FIXED_ONE);
    assert_true(c.t_ns[0] == t[0] && c.t_ns[80] == t[239]);
    gs_arena_release(&arena);
}

/* The mean over a name's rows; the A5000's by window, as its draw and instant readings differ. */
static void models_are_the_means_of_their_rows(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < gs_n_sensor_cards; i++) {
        const struct gs_sensor_card *const first = &gs_sensor_cards[i];
        const bool split = strcmp(first->name, "NVIDIA RTX A5000") == 0;
        bool seen = strcmp(first->name, "Quadro K620") == 0;
        for (size_t k = 0; k < i; k++)
            seen |= strcmp(gs_sensor_cards[k].name, first->name) == 0;
        for (int slow = split ? 0 : -1; !seen && slow < (split ? 2 : 0); slow++) {
            double gain = 0, offset = 0, rows = 0;
            for (size_t k = i; k < gs_n_sensor_cards; k++) {
                const struct gs_sensor_card *const c = &gs_sensor_cards[k];
                if (strcmp(c->name, first->name) != 0 ||
                    (split && ((c->rise_ms > 500) != slow || c->column == GS_COLUMN_AVERAGE)))
                    continue;
                gain += c->gain;
                offset += c->offset_w;
                rows++;
            }
            bool found = false;
            for (size_t m = 0; m < gs_n_sensor_models; m++)
                found |= near(gs_sensor_models[m].gain, gain / rows, 1e-6) &&
                         near(gs_sensor_models[m].offset_w, offset / rows, 1e-5);
            assert_true(found);
            n++;
        }
    }
    assert_int_equal(n, gs_n_sensor_models);
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
        const struct gs_sensor x = find(&(struct gs_power_series){n + 1, t, p, NULL},
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
    int n_shown = 0;
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
        const struct gs_power_series s = {n, t, p, NULL};
        const struct gs_sensor found = find(&s, &(struct gs_sensor_hint){0});
        assert_int_equal(found.interval_ns, interval);
        if (found.rhythm != GS_RHYTHM_PLAIN)
            assert_int_equal(found.period_ns, period);
        n_shown += found.rhythm != GS_RHYTHM_PLAIN;
    }
    assert_true(n_shown > 50);
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
    /* range 200.10 W, half of it in the meter's scale 200.10 W: sqrt(4 + 0.25 x 200.10^2) */
    assert_int_equal(x.offset_uw, 100069988);
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

/* A power that is known at every instant: levels, and the energy up to the start of each. */
struct load {
    size_t n;
    double start[MOST], watt[MOST], joule[MOST];
};

static double uniform(double low, double high)
{
    return low + (high - low) * (double)(random_bits() >> 11) / 0x1p53;
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
    const struct gs_power_series series = {s->n, s->t, s->p, NULL};
    struct gs_arena scratch = {0};
    struct gs_burst_train *train;
    size_t n_trains;
    struct gs_burst_train_view v;
    assert_int_equal(gs_burst_trains_find(b, n, &scratch, &train, &n_trains, NULL), GS_OK);
    assert_int_equal(n_trains, 1);
    assert_int_equal(train->n, n);
    const struct gs_bursts_seen seen = {&series, x, b, n};
    assert_int_equal(gs_burst_train_inspect(&seen, train, fit, &scratch, &v, NULL), GS_OK);
    gs_arena_release(&scratch);
    return v;
}

static void readings_that_move_at_once_and_stay_are_no_mean_over_a_second(void **state)
{
    (void)state;
    static const struct {
        double window, interval, length;
        int n;
        bool at_once;
    } c[] = {
        {0.001, 0.1, 0.8, 10, true},
        {0.025, 0.1, 0.8, 10, true},
        {0.1, 0.1, 0.8, 10, true},
        {0.001, 0.2, 3.0, 10, true},
        {0.001, 0.02, 0.5, 6, true},
        {0.001, 0.4, 3.0, 12, true},
        {0.001, 0.09, 1.0, 10, true}, /* a burst of 2,400 W would be needed */
        {1.0, 0.1, 0.8, 10, false},
        {1.0, 0.1, 3.0, 10, false},
        {1.0, 0.02, 0.5, 10, false},
        {1.0, 0.1, 0.1, 10, false}, /* up at once, but down a second later */
        {1.0, 0.02, 0.05, 10, false},
        {1.0, 0.4, 3.0, 12, false},
        {0.001, 0.1, 0.8, 2, false},  /* too few */
        {0.001, 1.0, 3.0, 10, false}, /* too slow */
    };
    static struct load l;
    static struct simulated s;
    struct gs_sensor_spec told = GS_SENSOR_UNSAID;
    told.window_ns = 1000 * MS;
    for (size_t i = 0; i < COUNT_OF(c); i++) {
        random_state = i + 1;
        l.n = 0;
        add_level(&l, -4, 60);
        double x = 2.0;
        for (int k = 0; k < c[i].n; k++) {
            add_level(&l, x, 300);
            add_level(&l, x + c[i].length, 60);
            x += 2.0 * c[i].length + uniform(1.5, 2.5);
        }
        s = (struct simulated){
            .period = c[i].window, .window = c[i].window, .interval = c[i].interval};
        if (c[i].window == 1.0)
            s.period = 0.02;
        read_load(&s, &l, x, 0.5);
        for (size_t k = 5; k < s.n && i % 2 == 0; k += s.n / 3)
            s.p[k] = 0; /* what a reading alone is worth */
        const struct gs_power_series series = {s.n, s.t, s.p, NULL};
        const struct gs_sensor found = find(&series, &(struct gs_sensor_hint){0});
        assert_int_equal(found.window_from, c[i].at_once ? GS_SENSOR_LOG : GS_SENSOR_UNKNOWN);
        assert_int_equal(found.window_ns, (c[i].at_once ? 100 : 1000) * MS);
        assert_int_equal(found.shift_ns, (c[i].at_once ? 75 : 300) * MS);
        assert_int_equal(found.reach_ns, (c[i].at_once ? 200 : 1100) * MS);
        assert_int_equal(find(&series, &(struct gs_sensor_hint){.spec = &told}).window_ns,
                         1000 * MS);
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
    const struct gs_power_series series = {40, t, p, NULL};
    const struct gs_sensor s =
        find(&series, &(struct gs_sensor_hint){.card = gs_str(GS_POWER_ANALYSER)});
    assert_int_equal(s.window_ns, GS_NS_PER_S);
    assert_int_equal(s.shift_ns, 0); /* half a second, and times look cut to seconds */
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
    const struct gs_power_series series = {s.n, s.t, s.p, NULL};
    const struct gs_sensor sensor = find(&series, &(struct gs_sensor_hint){0});
    struct gs_bursts_seen seen = {&series, &sensor, b, 12};
    struct gs_burst_train_view v;
    assert_int_equal(gs_bursts_inspect(&seen, &scratch, &v, NULL), GS_OK);
    assert_true(gs_burst_train_determines(&v, &sensor));
    assert_true(llabs(v.fit.window_ns - 700 * GS_NS_PER_MS) < 20 * GS_NS_PER_MS);
    seen.n = 4;
    assert_int_equal(gs_bursts_inspect(&seen, &scratch, &v, NULL), GS_OK);
    assert_false(v.fitted); /* too few */
    seen.n = 12;
    b[3].stop_ns = b[4].start_ns + 1;
    assert_int_equal(gs_bursts_inspect(&seen, &scratch, &v, NULL), GS_OK);
    assert_false(v.fitted); /* they overlap */
    for (int i = 0; i < 12; i++)
        b[i] = (struct gs_burst){b[i].start_ns + 400 * GS_NS_PER_MS,
                                 b[i].start_ns + 600 * GS_NS_PER_MS};
    assert_int_equal(gs_bursts_inspect(&seen, &scratch, &v, NULL), GS_OK);
    assert_false(gs_burst_train_determines(&v, &sensor)); /* windows that somebody put somewhere */
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
        const struct gs_power_series series = {s.n, s.t, s.p, NULL};
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
        const struct gs_power_series series = {s.n, s.t, s.p, NULL};
        const struct gs_sensor x = find(&series, &(struct gs_sensor_hint){0});
        const struct gs_burst_train_view v = look(&s, &x, b, n, true);
        assert_true(v.fitted && !v.refused);
        assert_true(near(v.fit.on, 300, 15));
        assert_true(near(v.fit.off, 60, 6));
        assert_true(near((double)v.fit.window_ns * 1e-9, s.window, 0.1 * s.window));
    }
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
        b.ptr, "period 100 ms (from the log), window 100 ms (from the table of cards), readings "
               "lag 100 ms, reading = 0.942979 x power + 6.036 W (from the table of cards), "
               "standard errors 2.5 % and 4 W");
    b.len = 0;
    const struct gs_power_series slow = stepping(t, p, 1);
    const struct gs_sensor y = find(&slow, &(struct gs_sensor_hint){0});
    gs_sensor_describe(&y, &b);
    assert_string_equal(b.ptr, "period not seen in samples 10 ms apart, window 1000 ms (assumed), "
                               "readings lag 300 ms, "
                               "gain and offset unknown");
    gs_arena_release(&arena);
}

/* Bursts and rests, and readings that follow them more or less: a share of the boxcar, its opposite, noise, a drift. */
static bool fit_of_case(uint64_t seed, double least, struct gs_boxcar_fit *fit)
{
    enum { BURSTS = 12, READINGS = 200 };
    struct gs_arena scratch = {0};
    int64_t t[2 * BURSTS], at[READINGS], begin = 0;
    double sum[2 * BURSTS], reading[READINGS], on = 0.0, u[6];
    for (int i = 0; i < 6; i++)
        u[i] = (double)(gs_mix64(seed * 6 + (uint64_t)i) >> 11) * 0x1p-53;
    const double period = 400e6 + u[0] * 3e9, share = 0.02 + 0.96 * u[1],
                 window = 50e6 + u[2] * 400e6;
    for (int i = 0; i < BURSTS; i++, begin += (int64_t)period) {
        t[2 * i] = begin;
        sum[2 * i] = on;
        on += (double)(int64_t)(share * period);
        t[2 * i + 1] = begin + (int64_t)(share * period);
        sum[2 * i + 1] = on;
    }
    for (int i = 0; i < READINGS; i++) {
        const int64_t begins = -2000000000, all = (int64_t)(period * BURSTS) + 4000000000;
        at[i] = begins + all / READINGS * i;
        double load = 0.0; /* of the window that ends 50 ms ago */
        for (int k = 0; k < BURSTS; k++)
            load += fmax(0.0, fmin((double)at[i] - 50e6, (double)t[2 * k + 1]) -
                                  fmax((double)at[i] - 50e6 - window, (double)t[2 * k])) /
                    window;
        const double noise = (double)(gs_mix64(seed * 1000 + (uint64_t)i) >> 11) * 0x1p-53;
        reading[i] = 100.0 + (u[3] < 0.2 ? -80.0 : 100.0) * load + 120.0 * u[4] * noise +
                     (u[5] < 0.3 ? 0.5 * i : 0.0);
    }
    const struct gs_boxcar_data data = {READINGS, at, reading, {2 * BURSTS, t, sum}, false};
    const struct gs_boxcar_range range = {.window_min_ns = 30000000,
                                          .window_max_ns = 500000000,
                                          .delay_max_ns = 200000000,
                                          .r_squared_min = least};
    const enum gs_status s = gs_boxcar_fit(&data, &range, &scratch, fit, NULL);
    gs_arena_release(&scratch);
    assert_true(s == GS_OK || s == GS_ERR_RANGE);
    return s == GS_OK;
}

/* What is given up beforehand would have explained less; what explains as much as is asked is the same fit. */
static void a_fit_that_cannot_explain_enough_is_given_up(void **state)
{
    (void)state;
    unsigned n_given_up = 0, n_kept = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct gs_boxcar_fit all = {0}, asked = {0};
        const bool any = fit_of_case(seed, 0.0, &all), kept = fit_of_case(seed, 0.8, &asked);
        if (any && all.r_squared >= 0.8)
            assert_true(kept && asked.rss == all.rss && asked.window_ns == all.window_ns &&
                        asked.delay_ns == all.delay_ns);
        n_given_up += any && !kept;
        n_kept += kept && all.r_squared >= 0.8;
    }
    assert_true(n_given_up > 2 && n_kept > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sensor_is_read_from_the_command_line),
        cmocka_unit_test(a_wrong_sensor_is_told_where),
        cmocka_unit_test(a_period_shows_in_a_faster_log),
        cmocka_unit_test(of_an_unknown_sensor_something_between_none_and_a_second_is_taken),
        cmocka_unit_test(only_a_fast_and_regular_repetition_of_many_values_is_a_sensor),
        cmocka_unit_test(held_readings_count_at_their_first_sight),
        cmocka_unit_test(models_are_the_means_of_their_rows),
        cmocka_unit_test(the_interval_is_the_median_step),
        cmocka_unit_test(the_rhythm_of_a_long_log_is_that_of_all_its_readings),
        cmocka_unit_test(what_is_said_comes_before_what_is_seen),
        cmocka_unit_test(a_card_is_known_by_its_exact_name_and_by_what_its_log_shows),
        cmocka_unit_test(a_card_whose_rows_fit_badly_has_no_scale),
        cmocka_unit_test(scale_is_taken_out_of_an_energy),
        cmocka_unit_test(readings_that_move_at_once_and_stay_are_no_mean_over_a_second),
        cmocka_unit_test(an_analyser_is_an_instrument),
        cmocka_unit_test(bursts_in_no_rhythm_tell_the_window),
        cmocka_unit_test(a_train_that_the_sensor_sees_in_part_is_refused),
        cmocka_unit_test(the_energy_of_a_burst_comes_out_of_many),
        cmocka_unit_test(trains_are_bursts_in_a_rhythm),
        cmocka_unit_test(a_fit_that_cannot_explain_enough_is_given_up),
        cmocka_unit_test(a_sensor_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
