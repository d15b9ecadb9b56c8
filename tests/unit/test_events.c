/* test_events.c - events, zoom, gpus and summary over random runs, each from bare sums over the rows of join. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include <math.h>

#include "analysis/events/durations.h"
#include "analysis/events/events.h"
#include "analysis/events/pairs.h"
#include "analysis/gpus/per_gpu.h"
#include "analysis/events/summary.h"

static struct random_run run;

struct loaded {
    struct gs_arena arena;
    struct gs_dataset d;
    struct gs_frames out;
    struct gs_err err;
};

static void load_texts(struct loaded *l, const struct run_texts *texts, const struct run_options *o)
{
    memset(l, 0, sizeof *l);
    l->out.notes.arena = &l->arena;
    if (run_load(texts, o, &l->arena, &l->d, &l->out.notes, &l->err) != GS_OK)
        fail_msg("%s", l->err.text);
}

static double real_at(const struct gs_frame *f, size_t row, const char *column)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    return f->columns[c].real[row];
}

static int64_t int_at(const struct gs_frame *f, size_t row, const char *column)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    return f->columns[c].integer[row];
}

static void expect_close(double got, bool there, long double want, long double relative,
                         const char *what)
{
    if (isnan(got) != !there || (there && fabsl(got - want) > relative * fabsl(want)))
        fail_msg("%s: %.17g, expected %.17Lg", what, got, there ? want : (long double)NAN);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The rows of `join` that belong to a row of `events` or `zoom`. */
struct group {
    const struct gs_frame *join;
    size_t row[512], n;
};

static void expect_durations(const struct gs_frame *f, size_t row, const struct group *g)
{
    static const struct {
        const char *column;
        double p;
    } quantiles[] = {{"duration_min_ms", 0},
                     {"duration_p50_ms", 0.5},
                     {"duration_p95_ms", 0.95},
                     {"duration_p99_ms", 0.99},
                     {"duration_max_ms", 1}};
    static double v[512];
    long double sum = 0, squares = 0;
    for (size_t i = 0; i < g->n; i++)
        sum += v[i] = real_at(g->join, g->row[i], "duration_ms");
    const long double mean = sum / (long double)g->n;
    for (size_t i = 0; i < g->n; i++)
        squares += (v[i] - mean) * (v[i] - mean);
    expect_close(real_at(f, row, "duration_mean_ms"), true, mean, 1e-15L, "mean");
    expect_close(real_at(f, row, "duration_sd_ms"), g->n > 1,
                 g->n > 1 ? sqrtl(squares / (long double)(g->n - 1)) : 0, 1e-14L, "sd");
    qsort(v, g->n, sizeof *v, by_value);
    for (size_t q = 0; q < COUNT_OF(quantiles); q++) { /* type 7: h = (n - 1) p */
        const long double h = (long double)(g->n - 1) * quantiles[q].p;
        const size_t i = (size_t)h;
        const long double rest = h - (long double)i;
        const long double want = v[i] + (rest > 0 ? rest * (v[i + 1] - v[i]) : 0);
        expect_close(real_at(f, row, quantiles[q].column), true, want, 1e-13L, quantiles[q].column);
    }
}

static void expect_readings(const struct gs_frame *f, size_t row, const struct group *g)
{
    static const char *const columns[GS_FIXED_METRICS][2] = {{"power_w", "power_mean_w"},
                                                             {"temp_c", "temp_mean_c"},
                                                             {"gpu_util_pct", "gpu_util_mean_pct"},
                                                             {"mem_util_pct", "mem_util_mean_pct"}};
    for (int m = 0; m < GS_FIXED_METRICS; m++) {
        long double sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < g->n; i++) {
            const double v = real_at(g->join, g->row[i], columns[m][0]);
            if (!isnan(v))
                sum += v, n++;
        }
        expect_close(real_at(f, row, columns[m][1]), n > 0, n > 0 ? sum / (long double)n : 0,
                     1e-14L, columns[m][1]);
    }
}

static void expect_energies(const struct gs_frame *f, size_t row, const struct group *g)
{
    long double samples = 0, energy = 0, covered = 0, possible = 0;
    size_t n_energy = 0;
    for (size_t i = 0; i < g->n; i++) {
        const double joules = real_at(g->join, g->row[i], "energy_j"),
                     share = real_at(g->join, g->row[i], "coverage_pct");
        samples += int_at(g->join, g->row[i], "n_samples");
        if (!isnan(joules))
            energy += joules, n_energy++;
        (void)share;
    }
    expect_close(real_at(f, row, "samples_mean"), true, samples / (long double)g->n, 1e-15L,
                 "samples_mean");
    expect_close(real_at(f, row, "energy_sum_j"), n_energy > 0, energy, 1e-13L, "energy_sum_j");
    expect_close(real_at(f, row, "energy_mean_j"), n_energy > 0,
                 n_energy > 0 ? energy / (long double)n_energy : 0, 1e-13L, "energy_mean_j");
    for (size_t i = 0; i < g->n;
         i++) { /* the share of a host with several GPUs weighs as many times */
        const double ms = real_at(g->join, g->row[i], "duration_ms"),
                     share = real_at(g->join, g->row[i], "coverage_pct");
        const struct gs_str host = g->join->columns[0].text[g->row[i]];
        int n_gpus = 0;
        for (int k = 0; k < RUN_GPUS; k++) {
            bool there = false;
            for (size_t s = 0; s < run.n_samples; s++)
                there |=
                    run.sample[s].gpu == k && gs_str_eq(host, gs_str(run_host[run.sample[s].host]));
            n_gpus += there;
        }
        if (ms > 0) {
            covered += (long double)share * ms * (n_gpus > 0 ? n_gpus : 1);
            possible += (long double)ms * (n_gpus > 0 ? n_gpus : 1);
        }
    }
    expect_close(real_at(f, row, "coverage_pct"), possible > 0,
                 possible > 0 ? covered / possible : 0, 1e-13L, "coverage_pct");
}

static void expect_row(const struct gs_frame *f, size_t row, const struct group *g, bool window)
{
    assert_int_equal(int_at(f, row, "n"), g->n);
    expect_durations(f, row, g);
    expect_readings(f, row, g);
    if (window)
        expect_energies(f, row, g);
}

static void expect_events(const struct gs_frame *events, const struct gs_frame *join, bool window)
{
    size_t n_rows = 0, n_pairs = 0;
    for (size_t r = 0; r < events->n_rows; r++) {
        struct group g = {.join = join};
        const struct gs_str event = events->columns[0].text[r];
        for (size_t i = 0; i < join->n_rows; i++)
            if (gs_str_eq(join->columns[gs_frame_find(join, "event")].text[i], event))
                g.row[g.n++] = i;
        assert_true(g.n > 0);
        assert_true(r == 0 || gs_str_compare(events->columns[0].text[r - 1], event) < 0);
        expect_row(events, r, &g, window);
        n_rows++;
        n_pairs += g.n;
    }
    assert_int_equal(n_rows, events->n_rows);
    assert_int_equal(n_pairs, join->n_rows); /* so no event is lacking */
}

static void expect_zoom(const struct gs_frame *zoom, const struct gs_frame *join, const char *event,
                        bool window)
{
    size_t n_pairs = 0, n_event = 0;
    for (size_t i = 0; i < join->n_rows; i++)
        n_event += gs_str_eq(join->columns[gs_frame_find(join, "event")].text[i], gs_str(event));
    for (size_t r = 0; r < zoom->n_rows; r++) {
        struct group g = {.join = join};
        const int64_t level = int_at(zoom, r, "level");
        for (size_t i = 0; i < join->n_rows; i++)
            if (int_at(join, i, "level") == level &&
                gs_str_eq(join->columns[gs_frame_find(join, "event")].text[i], gs_str(event)))
                g.row[g.n++] = i;
        assert_true(g.n > 0);
        assert_true(r == 0 || level == GS_MISSING ||
                    int_at(zoom, r - 1, "level") < level); /* without a tile: last */
        assert_true(level != GS_MISSING || r + 1 == zoom->n_rows);
        expect_row(zoom, r, &g, window);
        n_pairs += g.n;
    }
    assert_int_equal(n_pairs, n_event);
}

static void expect_gpus(const struct loaded *l, const struct gs_frame *gpus,
                        const struct gs_frame *join)
{
    assert_int_equal(gpus->n_rows, l->d.n_gpus);
    for (size_t r = 0; r < gpus->n_rows; r++) {
        static const char *const columns[GS_FIXED_METRICS] = {
            "power_mean_w", "temp_mean_c", "gpu_util_mean_pct", "mem_util_mean_pct"};
        const struct gs_str host = gpus->columns[0].text[r],
                            uuid = gpus->columns[gs_frame_find(gpus, "gpu_uuid")].text[r];
        size_t n = 0, n_tasks = 0;
        long double ms = 0;
        for (int m = -1; m < GS_FIXED_METRICS; m++) {
            int64_t sum = 0, n_values = 0;
            for (size_t i = 0; i < run.n_samples; i++) {
                char text[32];
                (void)snprintf(text, sizeof text, "GPU-%d-%d", run.sample[i].host,
                               run.sample[i].gpu);
                if (!gs_str_eq(uuid, gs_str(text)))
                    continue;
                n += m < 0;
                if (m >= 0 && run.sample[i].value[m] != GS_MISSING)
                    sum += run.sample[i].value[m], n_values++;
            }
            if (m >= 0)
                expect_close(real_at(gpus, r, columns[m]), n_values > 0,
                             n_values > 0 ? (double)sum / ((double)n_values * 1e6) : 0, 0,
                             columns[m]);
        }
        for (size_t i = 0; i < join->n_rows; i++)
            if (gs_str_eq(join->columns[0].text[i], host) &&
                gs_str_eq(join->columns[gs_frame_find(join, "event")].text[i],
                          gs_str(run_event[0])))
                ms += real_at(join, i, "duration_ms"), n_tasks++;
        assert_int_equal(int_at(gpus, r, "samples"), n);
        assert_int_equal(int_at(gpus, r, "tasks"), n_tasks);
        expect_close(real_at(gpus, r, "total_render_mean_s"), n_tasks > 0,
                     n_tasks > 0 ? ms / (long double)n_tasks / 1000 : 0, 1e-15L, "task time");
    }
}

static void random_runs_add_up(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7};
    for (int round = 0; round < 150; round++) {
        struct loaded l;
        random_run_draw(&run);
        random_run_write(&run);
        const struct run_texts texts = random_run_texts(&run);
        const struct run_options o = {.n_threads = threads[round % 3], .seed = random_bits()};
        load_texts(&l, &texts, &o);
        const struct gs_join_options join = {.join = (enum gs_join)(round % 4),
                                             .tolerance_ns = -1,
                                             .max_gap_ns = 1000 * GS_NS_PER_MS};
        const bool window = join.join == GS_JOIN_WINDOW;
        assert_int_equal(fold_frames(&l.d, &gs_pairs_fold, &(struct gs_events_options){join, NULL},
                                     o.n_threads, &l.arena, &l.out, NULL, &l.err),
                         GS_OK);
        assert_int_equal(gs_frame_load(l.out.last, &l.arena, NULL), GS_OK);
        const struct gs_frame *const pairs = l.out.last;
        assert_int_equal(fold_frames(&l.d, &gs_events_fold, &(struct gs_events_options){join, NULL},
                                     o.n_threads, &l.arena, &l.out, NULL, &l.err),
                         GS_OK);
        expect_events(l.out.last, pairs, window);
        const char *const event = run_event[round % RUN_EVENTS];
        if (fold_frames(&l.d, &gs_zoom_fold, &(struct gs_events_options){join, event}, o.n_threads,
                        &l.arena, &l.out, NULL, &l.err) == GS_OK)
            expect_zoom(l.out.last, pairs, event, window);
        else
            assert_int_equal(gs_intern_find(&l.d.event, gs_str(event)), GS_INTERN_NONE);
        const struct gs_per_gpu_options whole = {{.event = run_event[0], .hot = INT64_MAX}, 0.95};
        if (fold_frames(&l.d, &gs_gpus_fold, &whole, o.n_threads, &l.arena, &l.out, NULL, &l.err) ==
            GS_OK) {
            expect_gpus(&l, l.out.last, pairs);
        }
        gs_arena_release(&l.arena);
    }
    random_run_free(&run);
}

/* Pairs of 1, 2 ... 100 s and one of 1,000 s: every pair in one bin, quantiles of type 7 by hand. */
static void durations_fall_into_bins_once(void **state)
{
    (void)state;
    struct loaded l;
    struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    gs_buf_text(&b, CHECKPOINT_HEADER);
    for (int k = 1; k <= 101; k++)
        gs_buf_format(&b, "0,a,E,START,j,t%d\n%d,a,E,STOP,j,t%d\n", k, k == 101 ? 1000 : k, k);
    const struct run_texts texts = {{b.ptr, SAMPLE_HEADER "1,a,1,G,1,1,1,1\n", TASK_HEADER}};
    const struct gs_events_options o = {{.tolerance_ns = -1}, NULL};
    struct gs_durations d;
    load_texts(&l, &texts, &(struct run_options){0});
    assert_int_equal(fold_frames(&l.d, &gs_events_fold, &o, 1, &l.arena, &l.out, &d, &l.err),
                     GS_OK);
    assert_int_equal(d.n_groups, 1);
    assert_true(d.in_ratios[0]); /* 1,000 s lie beyond five medians */
    static const double quantile_s[] = {6, 26, 51, 76, 96};
    for (size_t q = 0; q < 5; q++)
        assert_true(d.boxes->columns[2 + q].real[0] == 1000 * quantile_s[q]);
    int64_t n = 0;
    for (size_t k = 0; k < d.bins->n_rows; k++) {
        const double from = d.bins->columns[1].real[k], to = d.bins->columns[2].real[k];
        const bool last = k + 1 == d.bins->n_rows;
        int64_t here = last; /* the pair of 1,000 s */
        for (int s = 1; s <= 100; s++)
            here += 1000 * s >= from && 1000 * s < to;
        assert_int_equal(d.bins->columns[3].integer[k], here);
        assert_true(k == 0 || from == d.bins->columns[2].real[k - 1]);
        n += here;
        assert_true(fabs(d.bins->columns[5].real[k] - 100 * (double)n / 101) < 1e-9);
    }
    assert_int_equal(n, 101);
    assert_true(d.bins->columns[1].real[0] == 1000 &&
                d.bins->columns[2].real[d.bins->n_rows - 1] == 1e6);
    gs_arena_release(&own);
    gs_arena_release(&l.arena);
}

static void an_unknown_event_is_named_with_those_there_are(void **state)
{
    (void)state;
    struct loaded l;
    const struct run_texts texts = {{CHECKPOINT_HEADER "1,a,E,START,j,t\n2,a,\"x\n\",START,j,t\n",
                                     SAMPLE_HEADER "1,a,1,G,1,1,1,1\n", TASK_HEADER}};
    const struct gs_join_options join = {.tolerance_ns = -1};
    load_texts(&l, &texts, &(struct run_options){0});
    assert_int_equal(fold_frames(&l.d, &gs_events_fold, &(struct gs_events_options){join, "e\033"},
                                 1, &l.arena, &l.out, NULL, &l.err),
                     GS_ERR_DATA);
    assert_string_equal(l.err.text, "no event is called 'e\\x1B'; found E, x\\n");
    assert_int_equal(fold_frames(&l.d, &gs_zoom_fold,
                                 &(struct gs_events_options){join, "TotalRender"}, 1, &l.arena,
                                 &l.out, NULL, &l.err),
                     GS_ERR_DATA);
    assert_null(l.out.first);
    gs_arena_release(&l.arena);
}

static const char *quantity(const struct gs_frame *f, const char *name)
{
    for (size_t r = 0; r < f->n_rows; r++)
        if (gs_str_eq(f->columns[0].text[r], gs_str(name)))
            return f->columns[1].text[r].ptr == NULL ? "missing" : f->columns[1].text[r].ptr;
    return "no such quantity";
}

static void a_summary_counts_what_is_there(void **state)
{
    (void)state;
    struct loaded l;
    const struct run_texts texts = {
        {CHECKPOINT_HEADER
         "10,a,TotalRender,START,j,t\n20,a,TotalRender,STOP,j,t\n10,a,TotalRender,START,j,t\n"
         "12,b,TotalRender,START,k,u\n13.5,b,TotalRender,STOP,k,u\n12,b,Render,STOP,k,u\n",
         SAMPLE_HEADER
         "9,a,01,G1,1,2,3,4\n11,a,01,G2,1,2,3,4\n12,a,01,G1,1,2,3,4\n15,c,02,G3,1,2,3,4\n",
         TASK_HEADER "t,j,0,0,8\nv,j,0,0,4\nv,j,0,0,4\n"}};
    static const char *const want[][2] = {
        {"checkpoint_files", "1"},
        {"checkpoint_rows", "6"},
        {"gpu_rows", "4"},
        {"task_rows", "3"},
        {"checkpoint_duplicate_rows", "1"},
        {"gpu_duplicate_rows", "0"},
        {"task_duplicate_rows", "1"},
        {"hostnames", "3"},
        {"gpus", "3"},
        {"gpu_serials", "2"},
        {"gpu_uuids", "3"},
        {"event_names", "2"},
        {"job_ids", "2"},
        {"task_ids", "3"},
        {"levels", "2"},
        {"pairs", "2"},
        {"orphans", "2"},
        {"total_render_pairs", "2"},
        {"total_render_pairs_level_8", "1"},
        {"total_render_pairs_level_4", "no such quantity"},
        {"total_render_pairs_level_none", "1"},
        {"first_checkpoint", "1970-01-01T00:00:10.000Z"},
        {"last_checkpoint", "1970-01-01T00:00:20.000Z"},
        {"checkpoint_span_s", "10"},
        {"gpu_span_s", "6"},
        {"sampling_interval_median_s", "3"},
        {"checkpoint_rows_rejected", "no such quantity"},
    };
    load_texts(&l, &texts, &(struct run_options){.n_threads = 3});
    assert_int_equal(fold_frames(&l.d, &gs_summary_fold, NULL, 3, &l.arena, &l.out, NULL, &l.err),
                     GS_OK);
    for (size_t i = 0; i < COUNT_OF(want); i++)
        if (strcmp(quantity(l.out.first, want[i][0]), want[i][1]) != 0)
            fail_msg("%s: %s, expected %s", want[i][0], quantity(l.out.first, want[i][0]),
                     want[i][1]);
    gs_arena_release(&l.arena);
}

static void a_summary_of_nothing_has_no_times(void **state)
{
    (void)state;
    struct loaded l;
    const struct run_texts texts = {{CHECKPOINT_HEADER, SAMPLE_HEADER, NULL}};
    load_texts(&l, &texts, &(struct run_options){0});
    assert_int_equal(fold_frames(&l.d, &gs_summary_fold, NULL, 1, &l.arena, &l.out, NULL, &l.err),
                     GS_OK);
    assert_string_equal(quantity(l.out.first, "pairs"), "0");
    assert_string_equal(quantity(l.out.first, "levels"), "missing");
    assert_string_equal(quantity(l.out.first, "first_gpu"), "no such quantity");
    assert_string_equal(quantity(l.out.first, "sampling_interval_median_s"), "missing");
    gs_arena_release(&l.arena);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_add_up),
        cmocka_unit_test(durations_fall_into_bins_once),
        cmocka_unit_test(an_unknown_event_is_named_with_those_there_are),
        cmocka_unit_test(a_summary_counts_what_is_there),
        cmocka_unit_test(a_summary_of_nothing_has_no_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
