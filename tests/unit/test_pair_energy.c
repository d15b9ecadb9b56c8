/* test_pair_energy.c - energies of a host's pairs by the sensors of its GPUs. */
#include "fixture.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "analysis/timeline/pair_energy.h"

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
    const struct gs_power_series series = {m.gpu.n, m.t, m.power};
    assert_int_equal(gs_sensor_find(&series, &(struct gs_sensor_hint){.spec = said}, &m.arena,
                                    &m.gpu.sensor, NULL),
                     GS_OK);
    const struct gs_join_options o = {.join = GS_JOIN_WINDOW, .max_gap_ns = 5 * GS_NS_PER_S};
    assert_int_equal(gs_pair_energies(&m.host, &o, &m.arena, m.joined, NULL), GS_OK);
    gs_arena_release(&m.arena);
}

static double joule(uint32_t p)
{
    return gs_energy_j(m.joined[p].energy);
}

static double half(uint32_t p)
{
    double low, high;
    gs_energy_interval(&m.joined[p].error, m.joined[p].energy, &low, &high);
    return high - joule(p);
}

static bool near(double x, double want, double within)
{
    return fabs(x - want) <= within;
}

static void a_sensor_that_does_not_show_changes_no_energy(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i <= 40; i++)
        sample(i * 2.0, 100 + i % 7);
    pair(0, 4.5, 31.25);
    pair(1, 10, 10.25);
    join(NULL);
    struct gs_energy at[2];
    const int64_t t[2] = {4500 * MS, 31250 * MS};
    gs_energy_curve(&m.gpu, 5 * GS_NS_PER_S, t, 2, at);
    assert_true(m.joined[0].energy == at[1].energy - at[0].energy);
    assert_true(m.joined[0].covered_ns == 26750 * MS);
    /* 2 s and 1 s: readings within 3 s of 4.5 are 101 to 103 (2, 4, 6 s), of 31.25 those of 30, 32, 34 s: 101
     * to 103; and half of each step between 4.5 and 31.25 s is unseen: differences of 1, one of 6, by 1 s /
     * sqrt 12. */
    double unseen = 0;
    for (int i = 3; i <= 15; i++)
        unseen += pow((i % 7) - ((i - 1) % 7), 2) / 12;
    const double edges = 2 * pow(2 * 3 / 4.0, 2), e = joule(0);
    assert_true(
        near(half(0), 2 * sqrt(pow(0.045 * e, 2) + pow(10 * 26.75, 2) + edges + unseen), 1e-5));
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
               (step_until(renewed) - step_until(renewed - 0.1)) / 0.1 + (i / 10) % 3 * 0.02);
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
                             (i / 10) % 3 * 0.02);
    }
    pair(0, 3, 5);
    join(&said);
    assert_true(near(joule(0), 600, 3));
    assert_true(half(0) < 45 && half(0) > 12); /* 1 % and 2 W, and two edges of 240 W x 0.2 s / 4 */
}

/* A train of bursts of 30 ms every 80 ms; the sensor renews every 100 ms the mean over `window`. */
static double train_until(double t)
{
    double e = 60 * t;
    for (int i = 0; i < 50; i++)
        e += 240 * fmin(fmax(t - (3 + i * 0.08), 0), 0.03);
    return e;
}

static void read_train(double window)
{
    begin();
    for (int i = 0; i < 1000; i++) {
        const double renewed = floor(i * 0.1 + 1e-9) * 0.1;
        sample(i * 0.01, (train_until(renewed) - train_until(renewed - window)) / window +
                             (i / 10) % 3 * 0.05);
    }
    for (int i = 0; i < 50; i++)
        pair(7, 3 + i * 0.08, 3.03 + i * 0.08);
    pair(8, 4.01, 5.03);
    join(NULL);
}

static void a_burst_of_many_takes_the_energy_of_the_fit(void **state)
{
    (void)state;
    read_train(0.1);
    for (uint32_t p = 0; p < 50; p++)
        assert_true(m.joined[p].has_energy && near(joule(p), 9, 0.9) && half(p) > 0.8);
    const double truth = train_until(5.03) - train_until(4.01);
    assert_true(near(joule(50), truth, half(50)));
}

static void a_train_seen_in_part_has_no_interval(void **state)
{
    (void)state;
    read_train(0.02);
    for (uint32_t p = 0; p <= 50; p++) /* nor has what lies across it */
        assert_int_equal(m.joined[p].error.n_refused, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sensor_that_does_not_show_changes_no_energy),
        cmocka_unit_test(a_sensor_that_lags_is_looked_at_later),
        cmocka_unit_test(a_burst_of_many_takes_the_energy_of_the_fit),
        cmocka_unit_test(a_train_seen_in_part_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
