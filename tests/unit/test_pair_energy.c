/* test_pair_energy.c - energies of a host's pairs by the sensors of its GPUs. */
#include "fixture.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "analysis/sensor/sensor_cards.h"
#include "analysis/energy/pair_energy.h"

#define MS GS_NS_PER_MS

enum { N_MAX = 4000, PAIRS_MAX = 64 };

/* One host with one GPU; times of its pairs become its instants. */
struct made {
    int64_t t[N_MAX], power[N_MAX], time[2 * PAIRS_MAX];
    const int64_t *value[1];
    struct gs_gpu_view gpu;
    struct gs_pair pair[PAIRS_MAX];
    struct gs_joined joined[PAIRS_MAX];
    struct gs_host_view host;
    struct gs_arena arena;
};

static struct made m;

static void begin(void)
{
    memset(&m, 0, sizeof m);
    m.value[0] = m.power;
    m.gpu = (struct gs_gpu_view){.t_ns = m.t, .value = m.value};
    m.host = (struct gs_host_view){
        .n_metrics = 1, .n_gpus = 1, .gpu = &m.gpu, .time = m.time, .pair = m.pair};
}

static void sample(double t_s, double watts)
{
    m.t[m.gpu.n] = (int64_t)llround(t_s * 1e9);
    m.power[m.gpu.n++] = (int64_t)llround(watts * 100) * 10000;
}

static void pair(uint32_t event, double from_s, double to_s)
{
    m.pair[m.host.n_pairs++] = (struct gs_pair){.start_ns = (int64_t)llround(from_s * 1e9),
                                                .stop_ns = (int64_t)llround(to_s * 1e9),
                                                .event = event,
                                                .gpu = GS_NONE};
}

static int compare_times(const void *a, const void *b)
{
    const int64_t *const x = a, *const y = b;
    return (*x > *y) - (*x < *y);
}

static uint32_t place_of(int64_t t)
{
    uint32_t i = 0;
    while (m.time[i] != t)
        i++;
    return i;
}

static void join(const struct gs_sensor_spec *said)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < m.host.n_pairs; p++) {
        m.time[n++] = m.pair[p].start_ns;
        m.time[n++] = m.pair[p].stop_ns;
    }
    qsort(m.time, n, sizeof *m.time, compare_times);
    m.host.n_times = n;
    for (uint32_t p = 0; p < m.host.n_pairs; p++) {
        m.pair[p].start_at = place_of(m.pair[p].start_ns);
        m.pair[p].stop_at = place_of(m.pair[p].stop_ns);
    }
    const struct gs_power_series series = {m.gpu.n, m.t, m.power, NULL};
    assert_int_equal(gs_sensor_find(&series, &(struct gs_sensor_hint){.spec = said}, &m.arena,
                                    &m.gpu.sensor, NULL),
                     GS_OK);
    const struct gs_join_options o = {.join = GS_JOIN_WINDOW, .max_gap_ns = -1};
    assert_int_equal(gs_pair_energies(&m.host, &o, &m.arena, m.joined, NULL), GS_OK);
    gs_arena_release(&m.arena);
}

static double joule(uint32_t p)
{
    return gs_energy_j(m.joined[p].used.energy);
}

static double half(uint32_t p)
{
    const struct gs_energy_sum used = gs_joined_alone(&m.host, &m.joined[p]);
    double low, high;
    gs_energy_interval(&used, &low, &high);
    return high - joule(p);
}

static bool near(double x, double want, double within)
{
    return fabs(x - want) <= within;
}

/* Section F by hand: samples every 2 s, nothing known of the sensor. */
static void an_interval_is_made_of_what_section_f_says(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i <= 40; i++)
        sample(0.001 + i * 2.0, i % 2 == 0 ? 100 : 110);
    pair(0, 4.701,
         6.701); /* looked at 0.3 s later: from 5.001 to 7.001, with the sample at 6.001 inside */
    pair(1, 4.701, 5.201); /* no sample inside */
    pair(2, 79, 90);       /* sticks out by more than 2 s */
    pair(3, 200, 300);     /* is outside */
    join(NULL);
    /* 5.001 s: 105 W, 6.001 s: 110 W. */
    assert_true(near(joule(0), 2 * 107.5, 1e-6));
    assert_true(m.joined[0].used.covered_ns == 2000 * MS);
    /* Steps are 10 W each time and 0 over two: white, w = 10 x 10 / 2. */
    const double q = sqrt(50), l = 1, c1 = 0.75, c2 = 0.25, step = 10;
    const double inside =
        pow(q * l * (1 - c1), 2) + pow(q * l * c1 + q * l * (1 - c2), 2) + pow(q * l * c2, 2);
    const double rest = 2 * 50 * l * l * (1 - l / 2);
    const double bridge = 2 * step * step * l * l * (c1 * (1 - c1) - l / 12);
    const double edges = 2 * pow(10 * 1.1 / 4, 2), alike = 10 * (1.1 / 6 + 1 / 6.0) * 2;
    const double both = fmax(edges, alike * alike), e = joule(0);
    double card = 0;
    for (size_t k = 0; k < gs_n_sensor_models; k++)
        card =
            fmax(card, fabs(e - (e - gs_sensor_models[k].offset_w * 2) / gs_sensor_models[k].gain));
    const double own = pow(0.01 * e, 2) + pow(3 * 2, 2);
    assert_true(near(half(0), sqrt(card * card + 4 * (own + inside + rest + bridge + both)), 1e-3));
    assert_true(near(gs_energy_j(m.joined[1].used.blind), joule(1) - 100 * 0.5, 1e-6));
    assert_true(m.joined[1].used.sampling_uj2 == 0);
    assert_true(m.joined[2].used.n == 1 && isnan(half(2)) &&
                near(joule(2), 0.701 * 101.7525, 1e-3));
    assert_int_equal(m.joined[3].used.n, 0);
}

/* Two seconds of 300 W in idle of 60 W, renewed every 100 ms, the mean of the 100 ms before, seen every 10
 * ms. */
static double step_until(double t)
{
    return 60 * t + 240 * fmin(fmax(t - 3, 0), 2);
}

static void a_sensor_that_lags_is_looked_at_later(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 800; i++) {
        const double renewed = floor(i * 0.1 + 1e-9) * 0.1;
        sample(i * 0.01,
               (step_until(renewed) - step_until(renewed - 0.1)) / 0.1 + (i / 10) % 11 * 0.02);
    }
    pair(0, 3, 5);
    pair(1, 3.5, 3.7);
    join(NULL);
    assert_true(near(joule(0), 600, 3));
    assert_true(near(joule(1), 60, 1));
    const struct gs_sensor_spec said = {-1, -1, -1, 1.2, 12, 1.0};
    begin();
    for (int i = 0; i < 800; i++) {
        const double renewed = floor(i * 0.1 + 1e-9) * 0.1;
        sample(i * 0.01, 1.2 * (step_until(renewed) - step_until(renewed - 0.1)) / 0.1 + 12 +
                             (i / 10) % 11 * 0.02);
    }
    pair(0, 3, 5);
    pair(1, 3.5, 3.7); /* else they would be times cut to seconds */
    join(&said);
    assert_true(near(joule(0), 600, 3));
    /* 1 % and 2 W: 14 J; two edges of 240 W x 0.2 s / 4, or as one mistake 2 x 240 x 0.2 / 6: 34 J. */
    assert_true(half(0) < 45 && half(0) > 14);
}

/* A train of 50 bursts of 300 W in idle of 60 W, from 3 s on; the rests between them draw more than idle. */
struct train {
    double burst, period; /* s */
    double rest_w;        /* above idle */
};

static double train_until(const struct train *l, double t)
{
    double e = 60 * t;
    for (int i = 0; i < 50; i++)
        e += (240 - l->rest_w) * fmin(fmax(t - (3 + i * l->period), 0), l->burst);
    return e + l->rest_w * fmin(fmax(t - 3, 0), 50 * l->period);
}

/* The sensor renews every 100 ms the mean over `window`, which is read every `poll`. */
static void read_train(const struct train *l, double window, double poll)
{
    const int n = (int)((8 + 50 * l->period) / poll);
    begin();
    for (int i = 0; i < n; i++) {
        const double renewed = floor(i * poll * 10 + 1e-9) / 10;
        sample(i * poll, (train_until(l, renewed) - train_until(l, renewed - window)) / window +
                             (int)(i * poll * 10) % 3 * 0.05);
    }
    for (int i = 0; i < 50; i++)
        pair(7, 3 + i * l->period, 3 + i * l->period + l->burst);
}

static const struct train quick = {0.03, 0.08, 0};

static void a_burst_of_many_takes_the_energy_of_the_fit(void **state)
{
    (void)state;
    read_train(&quick, 0.1, 0.01);
    pair(8, 4.01, 5.03);
    join(NULL);
    for (uint32_t p = 0; p < 50; p++)
        assert_true(m.joined[p].used.n == 1 && near(joule(p), 9, 0.9) && half(p) > 0.8);
    const double truth = train_until(&quick, 5.03) - train_until(&quick, 4.01);
    assert_true(near(joule(50), truth, half(50)));
}

/* The mean of a second hides bursts of 0.2 s: read as they are, the readings give 0.6 of their energy. */
static void a_slow_log_of_a_slow_mean_is_fitted_too(void **state)
{
    static const struct train slow = {0.2, 0.4, 0}, busy = {0.2, 0.4, 100};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double poll = (const double[]){0.1, 0.2, 0.5}[k];
        read_train(&slow, 1.0, poll);
        join(NULL);
        for (uint32_t p = 0; p < 50; p++)
            assert_true(near(joule(p), 60, 6) && near(joule(p), 60, half(p)));
        read_train(&busy, 1.0, poll); /* whose rests it takes for idle: the interval holds both */
        join(NULL);
        for (uint32_t p = 0; p < 50; p++)
            assert_true(joule(p) > 70 && near(joule(p), 60, half(p)));
    }
}

static void a_train_seen_in_part_has_no_interval(void **state)
{
    (void)state;
    read_train(&quick, 0.02, 0.01);
    pair(8, 4.01, 5.03);
    join(NULL);
    for (uint32_t p = 0; p <= 50; p++) /* nor has what lies across it */
        assert_int_equal(m.joined[p].used.n_refused, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interval_is_made_of_what_section_f_says),
        cmocka_unit_test(a_sensor_that_lags_is_looked_at_later),
        cmocka_unit_test(a_burst_of_many_takes_the_energy_of_the_fit),
        cmocka_unit_test(a_slow_log_of_a_slow_mean_is_fitted_too),
        cmocka_unit_test(a_train_seen_in_part_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
