/*
 * test_pairs.c - pairing and every join, row by row, against the bare definitions over random runs: each START and
 * STOP looked for, each sample looked at.
 */
#define _GNU_SOURCE
#include "run_fixture.h"

#include <stdatomic.h>

#include <math.h>

#include "analysis/events/pairs.h"

static struct random_run run;

/* The definitions' own view of a run. */
struct brute_pair {
    int host, event, job, task;
    int64_t start_ms, stop_ms;
};

static struct brute_pair brute[COUNT_OF(run.checkpoint)];
static size_t n_brute, n_orphans;
static bool dropped_sample[COUNT_OF(run.sample)], dropped_checkpoint[COUNT_OF(run.checkpoint)];

/* Rows of one GPU and time are repeats where all of them are equal: the first of them stays. */
static void drop_repeats(bool drop)
{
    for (size_t i = 0; i < run.n_samples; i++) {
        const struct run_sample *const one = &run.sample[i];
        bool again = false, differ = false;
        for (size_t k = 0; k < run.n_samples; k++) {
            const struct run_sample *const other = &run.sample[k];
            if (one->t_ms != other->t_ms || one->host != other->host || one->gpu != other->gpu)
                continue;
            differ |= memcmp(one->value, other->value, sizeof one->value) != 0;
            again |= k < i;
        }
        dropped_sample[i] = drop && again && !differ;
    }
    for (size_t i = 0; i < run.n_checkpoints; i++) {
        const struct run_checkpoint *const a = &run.checkpoint[i];
        dropped_checkpoint[i] = false;
        for (size_t k = 0; k < i && drop; k++) {
            const struct run_checkpoint *const b = &run.checkpoint[k];
            dropped_checkpoint[i] |= a->t_ms == b->t_ms && a->host == b->host &&
                                     a->event == b->event && a->job == b->job &&
                                     a->task == b->task && a->is_stop == b->is_stop;
        }
    }
}

/* The times of one key's STARTs or STOPs, ascending, by repeated search for the next. */
static size_t times_of(int key, bool stops, int64_t *out)
{
    size_t n = 0;
    for (size_t i = 0; i < run.n_checkpoints; i++) {
        const struct run_checkpoint *const c = &run.checkpoint[i];
        const int own =
            ((c->host * RUN_EVENTS + c->event) * RUN_JOBS + c->job) * RUN_TASKS + c->task;
        if (own != key || c->is_stop != stops || dropped_checkpoint[i])
            continue;
        size_t k = n++;
        for (; k > 0 && out[k - 1] > c->t_ms; k--)
            out[k] = out[k - 1];
        out[k] = c->t_ms;
    }
    return n;
}

static int compare_text(const char *a, const char *b)
{
    return gs_str_compare(gs_str(a), gs_str(b));
}

static int compare_brute(const void *a, const void *b)
{
    const struct brute_pair *const x = a, *const y = b;
    int order = compare_text(run_host[x->host], run_host[y->host]);
    if (order == 0)
        order = (x->start_ms > y->start_ms) - (x->start_ms < y->start_ms);
    if (order == 0)
        order = compare_text(run_event[x->event], run_event[y->event]);
    if (order == 0)
        order = compare_text(run_job[x->job], run_job[y->job]);
    if (order == 0)
        order = compare_text(run_task[x->task], run_task[y->task]);
    return order != 0 ? order : (x->stop_ms > y->stop_ms) - (x->stop_ms < y->stop_ms);
}

/* The latest START before a STOP that none has closed yet, else one at its instant; n where there is neither. */
static size_t start_of(const int64_t *start, const bool *closed, size_t n, int64_t stop)
{
    size_t at_once = n, latest = n;
    for (size_t i = 0; i < n; i++) {
        if (!closed[i] && start[i] == stop)
            at_once = i;
        if (!closed[i] && start[i] < stop)
            latest = i;
    }
    return latest < n ? latest : at_once;
}

static void pair_up(void)
{
    static int64_t start[COUNT_OF(run.checkpoint)], stop[COUNT_OF(run.checkpoint)];
    static bool closed[COUNT_OF(run.checkpoint)];
    n_brute = n_orphans = 0;
    for (int key = 0; key < RUN_HOSTS * RUN_EVENTS * RUN_JOBS * RUN_TASKS; key++) {
        const size_t n_starts = times_of(key, false, start), n_stops = times_of(key, true, stop);
        memset(closed, 0, sizeof closed);
        n_orphans += n_starts + n_stops;
        for (size_t k = 0; k < n_stops; k++) {
            const size_t at = start_of(start, closed, n_starts, stop[k]);
            if (at == n_starts)
                continue;
            closed[at] = true;
            n_orphans -= 2;
            brute[n_brute++] = (struct brute_pair){key / (RUN_EVENTS * RUN_JOBS * RUN_TASKS),
                                                   key / (RUN_JOBS * RUN_TASKS) % RUN_EVENTS,
                                                   key / RUN_TASKS % RUN_JOBS,
                                                   key % RUN_TASKS,
                                                   start[at],
                                                   stop[k]};
        }
    }
    qsort(brute, n_brute, sizeof *brute, compare_brute);
}

/* Is `a` a better choice for t than `b`? */
static bool better(const struct run_sample *a, const struct run_sample *b, int64_t t, bool later)
{
    const int64_t away_a = llabs(a->t_ms - t), away_b = llabs(b->t_ms - t);
    if (away_a != away_b)
        return away_a < away_b;
    return later ? a->t_ms > b->t_ms : a->t_ms < b->t_ms;
}

/* What the GPU read at an instant, of which there is a sample: the mean of all of them, to the nearest millionth. */
static int64_t reading(int host, int gpu, int64_t t, int m)
{
    int64_t sum = 0, n = 0;
    for (size_t i = 0; i < run.n_samples; i++) {
        const struct run_sample *const s = &run.sample[i];
        if (s->host != host || s->gpu != gpu || s->t_ms != t || dropped_sample[i] ||
            s->value[m] == GS_MISSING)
            continue;
        sum += s->value[m];
        n++;
    }
    return n == 0 ? GS_MISSING : (2 * sum + n) / (2 * n); /* none is below 0 here */
}

static const struct run_sample *asof(int host, int gpu, int64_t t, const struct gs_join_options *o)
{
    const struct run_sample *best = NULL;
    for (size_t i = 0; i < run.n_samples; i++) {
        const struct run_sample *const s = &run.sample[i];
        if (s->host != host || s->gpu != gpu || dropped_sample[i])
            continue;
        if ((o->join == GS_JOIN_BACKWARD && s->t_ms > t) ||
            (o->join == GS_JOIN_FORWARD && s->t_ms < t))
            continue;
        if (o->tolerance_ns >= 0 && llabs(s->t_ms - t) * GS_NS_PER_MS > o->tolerance_ns)
            continue;
        if (best == NULL || better(s, best, t, o->ties_later))
            best = s;
    }
    return best;
}

/* The GPUs that have samples: others are not known to anybody. */
static bool has_samples(int host, int gpu)
{
    for (size_t i = 0; i < run.n_samples; i++)
        if (run.sample[i].host == host && run.sample[i].gpu == gpu)
            return true;
    return false;
}

static void expect_real(const struct gs_frame *f, size_t row, const char *column, bool there,
                        long double want, long double relative)
{
    const int c = gs_frame_find(f, column);
    assert_true(c >= 0);
    const double got = f->columns[c].real[row];
    if (isnan(got) != !there || (there && fabsl(got - want) > relative * fabsl(want)))
        fail_msg("row %zu, %s: %.17g, expected %.17Lg", row, column, got,
                 there ? want : (long double)NAN);
}

static const char *const metric_columns[GS_FIXED_METRICS] = {"power_w", "temp_c", "gpu_util_pct",
                                                             "mem_util_pct"};

static void expect_asof(const struct gs_frame *f, size_t row, const struct brute_pair *p,
                        const struct gs_join_options *o)
{
    for (int m = 0; m < GS_FIXED_METRICS; m++) {
        int64_t sum = 0, n = 0;
        for (int g = 0; g < RUN_GPUS; g++) {
            const struct run_sample *const a = asof(p->host, g, p->start_ms, o), *const b = asof(
                                                                                     p->host, g,
                                                                                     p->stop_ms, o);
            const int64_t x = a == NULL ? GS_MISSING : reading(p->host, g, a->t_ms, m);
            const int64_t y = b == NULL ? GS_MISSING : reading(p->host, g, b->t_ms, m);
            if (x == GS_MISSING || y == GS_MISSING)
                continue;
            sum += x + y;
            n += 2;
        }
        expect_real(f, row, metric_columns[m], n > 0, n == 0 ? 0 : (double)sum / ((double)n * 1e6),
                    0);
    }
}

/* The instants at which a GPU has a power, ascending. */
static size_t curve_of(int host, int gpu, int64_t *t)
{
    size_t n = 0;
    for (size_t i = 0; i < run.n_samples; i++) {
        const struct run_sample *const s = &run.sample[i];
        bool seen = s->host != host || s->gpu != gpu || dropped_sample[i] ||
                    s->value[GS_POWER] == GS_MISSING;
        for (size_t k = 0; k < n && !seen; k++)
            seen = t[k] == s->t_ms;
        if (seen)
            continue;
        size_t k = n++;
        for (; k > 0 && t[k - 1] > s->t_ms; k--)
            t[k] = t[k - 1];
        t[k] = s->t_ms;
    }
    return n;
}

/* Joules and covered milliseconds of [start, stop], every segment clipped by itself. */
static void integrate(const struct brute_pair *p, int gpu, int64_t max_gap_ms, long double *joules,
                      int64_t *covered)
{
    static int64_t t[COUNT_OF(run.sample)];
    const size_t n = curve_of(p->host, gpu, t);
    for (size_t i = 1; i < n; i++) {
        const int64_t t0 = t[i - 1], t1 = t[i];
        const int64_t from = t0 > p->start_ms ? t0 : p->start_ms,
                      to = t1 < p->stop_ms ? t1 : p->stop_ms;
        if (t1 - t0 > max_gap_ms || to <= from)
            continue;
        const long double w0 = (long double)reading(p->host, gpu, t0, GS_POWER) / 1e6L;
        const long double w1 = (long double)reading(p->host, gpu, t1, GS_POWER) / 1e6L;
        const long double slope = (w1 - w0) / (long double)(t1 - t0);
        const long double at_from = w0 + slope * (long double)(from - t0),
                          at_to = w0 + slope * (long double)(to - t0);
        *joules += (at_from + at_to) / 2 * (long double)(to - from) / 1000;
        *covered += to - from;
    }
}

static void expect_window(const struct gs_frame *f, size_t row, const struct brute_pair *p,
                          const struct gs_join_options *o)
{
    int64_t n_samples = 0, covered = 0, n_gpus = 0;
    long double joules = 0;
    long double sum_of_means[GS_FIXED_METRICS] = {0};
    int n_means[GS_FIXED_METRICS] = {0};
    for (int g = 0; g < RUN_GPUS; g++) {
        int64_t sum[GS_FIXED_METRICS] = {0}, n[GS_FIXED_METRICS] = {0};
        n_gpus += has_samples(p->host, g);
        for (size_t i = 0; i < run.n_samples; i++) {
            const struct run_sample *const s = &run.sample[i];
            if (s->host != p->host || s->gpu != g || dropped_sample[i] || s->t_ms < p->start_ms ||
                s->t_ms > p->stop_ms)
                continue;
            n_samples++;
            for (int m = 0; m < GS_FIXED_METRICS; m++)
                if (s->value[m] != GS_MISSING)
                    sum[m] += s->value[m], n[m]++;
        }
        for (int m = 0; m < GS_FIXED_METRICS; m++)
            if (n[m] > 0)
                sum_of_means[m] += (long double)sum[m] / (long double)n[m] / 1e6L, n_means[m]++;
        integrate(p, g, o->max_gap_ns / GS_NS_PER_MS, &joules, &covered);
    }
    for (int m = 0; m < GS_FIXED_METRICS; m++)
        expect_real(f, row, metric_columns[m], n_means[m] > 0,
                    n_means[m] > 0 ? sum_of_means[m] / n_means[m] : 0, 1e-15L);
    assert_int_equal(f->columns[gs_frame_find(f, "n_samples")].integer[row], n_samples);
    const int64_t possible = (p->stop_ms - p->start_ms) * (n_gpus > 0 ? n_gpus : 1);
    expect_real(f, row, "energy_j", covered > 0, joules, 1e-12L);
    expect_real(f, row, "coverage_pct", possible > 0,
                possible > 0 ? 100.0L * (long double)covered / (long double)possible : 0, 1e-15L);
}

static void expect_names(const struct gs_frame *f, size_t row, const struct brute_pair *p)
{
    static const char *const columns[] = {"hostname", "event", "job_id", "task_id"};
    const char *const want[] = {run_host[p->host], run_event[p->event], run_job[p->job],
                                run_task[p->task]};
    for (size_t k = 0; k < COUNT_OF(columns); k++)
        if (!gs_str_eq(f->columns[gs_frame_find(f, columns[k])].text[row], gs_str(want[k])))
            fail_msg("row %zu, %s: '%.*s', expected '%s'", row, columns[k],
                     (int)f->columns[gs_frame_find(f, columns[k])].text[row].len,
                     f->columns[gs_frame_find(f, columns[k])].text[row].ptr, want[k]);
    const int64_t epoch = INT64_C(1541662890000000000);
    assert_int_equal(f->columns[gs_frame_find(f, "start")].integer[row],
                     epoch + p->start_ms * GS_NS_PER_MS);
    assert_int_equal(f->columns[gs_frame_find(f, "stop")].integer[row],
                     epoch + p->stop_ms * GS_NS_PER_MS);
    expect_real(f, row, "duration_ms", true, p->stop_ms - p->start_ms, 0);
    int n_gpus = 0, the_gpu = 0;
    for (int g = 0; g < RUN_GPUS; g++)
        if (has_samples(p->host, g))
            n_gpus++, the_gpu = g;
    char uuid[32];
    (void)snprintf(uuid, sizeof uuid, "GPU-%d-%d", p->host, the_gpu);
    assert_true(gs_str_eq(f->columns[gs_frame_find(f, "gpu_uuid")].text[row],
                          n_gpus == 1 ? gs_str(uuid) : (struct gs_str){0}));
    int64_t tile[3];
    run_level_of(p->job, p->task, &tile[0], &tile[1], &tile[2]);
    for (int k = 0; k < 3; k++)
        assert_int_equal(f->columns[gs_frame_find(f, k == 0   ? "level"
                                                     : k == 1 ? "x"
                                                              : "y")]
                             .integer[row],
                         run.task_known[p->job][p->task] ? tile[k] : GS_MISSING);
}

static void expect_run(const struct run_options *load, const struct gs_join_options *o,
                       const char *only)
{
    struct gs_arena arena = {0};
    struct gs_dataset d;
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    const struct run_texts texts = random_run_texts(&run);
    if (run_load(&texts, load, &arena, &d, &out.notes, &err) != GS_OK)
        fail_msg("%s", err.text);
    static const struct gs_sensor_spec still = {1, 0, 0, (double)NAN, (double)NAN, (double)NAN};
    d.sensor = &still; /* nothing is looked at later */
    const enum gs_status s =
        gs_fold_frames(&d, &gs_pairs_fold,
                       (struct gs_finish){.options = &(struct gs_events_options){*o, only},
                                          .n_threads = load->n_threads,
                                          .arena = &arena},
                       &out, &err);
    bool known =
        only == NULL || run.n_checkpoints == 0; /* where there is no event none is missed */
    for (size_t i = 0; i < run.n_checkpoints && !known; i++)
        known = strcmp(run_event[run.checkpoint[i].event], only) == 0;
    assert_int_equal(s, known ? GS_OK : GS_ERR_DATA);
    if (known)
        assert_int_equal(gs_frame_load(out.first, &arena, NULL), GS_OK);
    size_t row = 0;
    for (size_t i = 0; i < n_brute && known; i++) {
        if (only != NULL && strcmp(only, run_event[brute[i].event]) != 0)
            continue;
        assert_true(row < out.first->n_rows);
        expect_names(out.first, row, &brute[i]);
        if (o->join == GS_JOIN_WINDOW)
            expect_window(out.first, row, &brute[i], o);
        else
            expect_asof(out.first, row, &brute[i], o);
        row++;
    }
    if (known)
        assert_int_equal(out.first->n_rows, row);
    gs_arena_release(&arena);
}

static void random_runs_join_as_the_definitions_say(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7};
    for (int round = 0; round < 400; round++) {
        random_run_draw(&run);
        random_run_write(&run);
        const struct run_options load = {.n_threads = threads[round % 3],
                                         .drop = random_below(2) == 0,
                                         .places = random_below(2) == 0,
                                         .seed = random_bits(),
                                         .chunk_bytes =
                                             random_below(2) == 0 ? 0 : 64 + random_below(5000)};
        drop_repeats(load.drop);
        pair_up();
        for (int join = GS_JOIN_NEAREST; join <= GS_JOIN_WINDOW; join++) {
            const struct gs_join_options o = {
                .join = (enum gs_join)join,
                .ties_later = random_below(2) == 0,
                .tolerance_ns =
                    random_below(2) == 0 ? -1 : (int64_t)random_below(500) * GS_NS_PER_MS,
                .max_gap_ns = (int64_t)(1 + random_below(2000)) * GS_NS_PER_MS};
            expect_run(&load, &o,
                       random_below(4) == 0 ? run_event[random_below(RUN_EVENTS)] : NULL);
        }
    }
    random_run_free(&run);
}

/* Shows the hosts in one way, and says what was noticed. */
static enum gs_status visit(const struct gs_dataset *d, const bool *takes, unsigned n_threads,
                            unsigned what, gs_host_fn *fn, void *context,
                            struct gs_view_totals *noticed)
{
    struct gs_host_way way = {.d = d, .fn = fn, .context = context};
    const enum gs_status s = gs_hosts_visit(&way, 1, takes, n_threads, what, NULL);
    *noticed = way.totals;
    return s;
}

/* What a visit shows of each host, as bytes. */
struct shown {
    unsigned asks; /* how often each GPU's samples are asked for */
    struct gs_buf of[RUN_HOSTS];
    struct gs_arena own[RUN_HOSTS]; /* of each: hosts are shown by several threads */
};

static enum gs_status show(void *context, const struct gs_host_view *h, unsigned thread,
                           struct gs_arena *scratch, struct gs_err *err)
{
    struct shown *const all = context;
    (void)thread;
    for (unsigned ask = 0; ask < all->asks; ask++)
        for (uint32_t k = 0; k < h->n_gpus; k++) {
            const struct gs_arena_mark mark = gs_arena_mark(scratch);
            const struct gs_gpu_view *g;
            struct gs_gpu_view room;
            assert_int_equal(gs_host_gpu(h, k, &room, &g, scratch, err), GS_OK);
            assert_true(h->apart == NULL || (h->n_gpus > 1 && h->gpu[k].n == 0 && g == &room));
            gs_buf_format(&all->of[h->host], "%u %u %u %lld:", k, g->gpu, g->n,
                          (long long)g->interval_ns);
            for (uint32_t i = 0; i < g->n; i++)
                for (unsigned m = 0; m < h->n_metrics; m++)
                    gs_buf_format(&all->of[h->host], " %lld %lld", (long long)g->t_ns[i],
                                  (long long)g->value[m][i]);
            gs_arena_rewind(scratch, mark);
        }
    return GS_OK;
}

/* Another run each round, with duplicates and places or without. */
static void load_random(int round, struct gs_arena *arena, struct gs_dataset *d)
{
    struct gs_notes notes = {.arena = arena};
    const struct run_options load = {
        .n_threads = 2, .drop = round % 2 == 0, .places = round % 3 == 0};
    random_run_draw(&run);
    random_run_write(&run);
    const struct run_texts texts = random_run_texts(&run);
    assert_int_equal(run_load(&texts, &load, arena, d, &notes, NULL), GS_OK);
}

/* Joins take the GPUs of a host one by one, as often as they like: they see and leave behind what is seen at once. */
static void samples_taken_gpu_by_gpu_are_those_of_the_host(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct gs_arena arena = {0};
        struct gs_dataset d;
        load_random(round, &arena, &d);
        struct gs_buf totals[4];
        struct shown shown[4];
        for (unsigned way = 0; way < 4;
             way++) { /* all at once; one by one, asked for never, once and twice */
            const unsigned what =
                GS_VIEW_PAIRS | GS_VIEW_RHYTHM | (way == 0 ? GS_VIEW_SAMPLES : GS_VIEW_JOINS);
            struct gs_view_totals noticed;
            shown[way] = (struct shown){.asks = way == 0 ? 1 : way - 1};
            for (size_t h = 0; h < RUN_HOSTS; h++)
                shown[way].of[h].arena = &shown[way].own[h];
            assert_int_equal(visit(&d, NULL, 2, what, show, &shown[way], &noticed), GS_OK);
            totals[way] = (struct gs_buf){.arena = &arena};
            gs_view_totals_save(&noticed, &totals[way]);
            assert_true(gs_str_eq(gs_buf_str(&totals[way]), gs_buf_str(&totals[0])));
        }
        for (uint32_t h = 0; h < d.host.n; h++) {
            const struct gs_str once = gs_buf_str(&shown[0].of[h]),
                                twice = gs_buf_str(&shown[3].of[h]);
            assert_true(gs_str_eq(gs_buf_str(&shown[2].of[h]), once));
            assert_int_equal(twice.len, 2 * once.len);
            assert_true(once.len == 0 || memcmp(twice.ptr + once.len, once.ptr, once.len) == 0);
        }
        for (unsigned way = 0; way < 4; way++)
            for (size_t h = 0; h < RUN_HOSTS; h++)
                gs_arena_release(&shown[way].own[h]);
        gs_arena_release(&arena);
    }
    random_run_free(&run);
}

/* GPUs shown one by one, on whatever threads. */
struct shown_gpus {
    struct gs_arena *own; /* [n_gpus] */
    struct gs_buf *of;    /* [n_gpus] */
    bool waits;           /* the first of a host for another to be looked at beside it */
    atomic_uint *at;      /* [n_hosts] GPUs of a host that were begun                  */
    atomic_bool alone;
};

static enum gs_status show_gpu(void *context, const struct gs_host_view *h, unsigned thread,
                               struct gs_arena *scratch, struct gs_err *err)
{
    struct shown_gpus *const all = context;
    (void)thread, (void)scratch, (void)err;
    if (h->n_gpus == 0)
        return GS_OK;
    const struct gs_gpu_view *const g = &h->gpu[h->from_gpu];
    struct gs_buf *const b = &all->of[g->gpu];
    gs_buf_format(b, "%u %u %u %u %lld:", h->from_gpu, h->to_gpu, h->n_pairs, g->n,
                  (long long)g->interval_ns);
    for (uint32_t i = 0; i < g->n; i++)
        gs_buf_format(b, " %lld %lld", (long long)g->t_ns[i], (long long)g->value[GS_POWER][i]);
    (void)atomic_fetch_add(&all->at[h->host], 1);
    for (int ms = 0; all->waits && h->n_gpus > 1 && atomic_load(&all->at[h->host]) < 2; ms++) {
        if (ms == 10000) {
            atomic_store(&all->alone, true);
            break;
        }
        (void)usleep(1000);
    }
    return GS_OK;
}

/* Hosts one by one, as many GPUs of each at once as there are threads. */
static void show_one_by_one(const struct gs_dataset *d, unsigned what, struct shown_gpus *shown,
                            struct gs_view_totals *noticed)
{
    bool takes[RUN_HOSTS] = {false};
    gs_view_totals_init(noticed);
    for (uint32_t h = 0; h < d->host.n; h++) {
        struct gs_view_totals one;
        takes[h] = true;
        assert_int_equal(visit(d, takes, RUN_HOSTS + 1, what, show_gpu, shown, &one), GS_OK);
        takes[h] = false;
        gs_view_totals_add(noticed, &one);
    }
}

/* Where hosts are fewer than threads the GPUs of one are looked at side by side, with the same outcome. */
static void gpus_of_few_hosts_are_shown_on_all_threads(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct gs_arena arena = {0};
        struct gs_dataset d;
        load_random(round, &arena, &d);
        struct gs_buf totals[2];
        struct shown_gpus shown[2] = {0};
        for (unsigned way = 0; way < 2; way++) {
            const unsigned what = GS_VIEW_PAIRS | GS_VIEW_RHYTHM | GS_VIEW_SERIES | GS_VIEW_BY_GPU;
            struct gs_view_totals noticed;
            shown[way].waits = way == 1;
            shown[way].at = gs_arena_take(&arena, d.host.n, sizeof *shown[way].at);
            shown[way].own = gs_arena_take(&arena, d.n_gpus, sizeof *shown[way].own);
            shown[way].of = gs_arena_take(&arena, d.n_gpus, sizeof *shown[way].of);
            for (uint32_t g = 0; g < d.n_gpus; g++)
                shown[way].of[g].arena = &shown[way].own[g];
            if (way == 0)
                assert_int_equal(visit(&d, NULL, 1, what, show_gpu, &shown[way], &noticed), GS_OK);
            else
                show_one_by_one(&d, what, &shown[way], &noticed);
            assert_false(shown[way].alone);
            totals[way] = (struct gs_buf){.arena = &arena};
            gs_view_totals_save(&noticed, &totals[way]);
        }
        assert_true(gs_str_eq(gs_buf_str(&totals[0]), gs_buf_str(&totals[1])));
        for (uint32_t g = 0; g < d.n_gpus; g++) {
            assert_true(gs_str_eq(gs_buf_str(&shown[0].of[g]), gs_buf_str(&shown[1].of[g])));
            gs_arena_release(&shown[0].own[g]);
            gs_arena_release(&shown[1].own[g]);
        }
        gs_arena_release(&arena);
    }
    random_run_free(&run);
}

struct met_hosts {
    atomic_uint n;
    atomic_bool alone;
};

static enum gs_status meet_host(void *context, const struct gs_host_view *h, unsigned thread,
                                struct gs_arena *scratch, struct gs_err *err)
{
    struct met_hosts *const all = context;
    (void)h, (void)thread, (void)scratch, (void)err;
    (void)atomic_fetch_add(&all->n, 1);
    for (int ms = 0; ms < 10000 && atomic_load(&all->n) < 2; ms++)
        (void)usleep(1000);
    if (atomic_load(&all->n) < 2)
        atomic_store(&all->alone, true);
    return GS_OK;
}

/* Hosts of one GPU each have nothing to look at side by side but themselves. */
static void few_hosts_of_a_gpu_each_are_shown_side_by_side(void **state)
{
    (void)state;
    unsigned n_looked = 0;
    for (int round = 0; round < 20; round++) {
        random_run_draw(&run);
        random_run_write(&run);
        struct gs_arena arena = {0};
        struct gs_dataset d;
        struct gs_notes notes = {.arena = &arena};
        const struct run_texts texts = random_run_texts(&run);
        const struct run_options load = {.n_threads = 2};
        struct met_hosts met = {0};
        struct gs_view_totals noticed;
        bool takes[RUN_HOSTS] = {false};
        unsigned n = 0;
        assert_int_equal(run_load(&texts, &load, &arena, &d, &notes, NULL), GS_OK);
        for (uint32_t h = 0; h < d.host.n; h++) {
            takes[h] = d.host_first_gpu[h + 1] - d.host_first_gpu[h] == 1;
            n += takes[h];
        }
        if (n > 1) {
            n_looked++;
            assert_int_equal(visit(&d, takes, RUN_HOSTS + 1, GS_VIEW_SERIES | GS_VIEW_BY_GPU,
                                   meet_host, &met, &noticed),
                             GS_OK);
            assert_int_equal(met.n, n);
            assert_false(met.alone);
        }
        gs_arena_release(&arena);
    }
    assert_true(n_looked > 0);
    random_run_free(&run);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_hosts_of_a_gpu_each_are_shown_side_by_side),
        cmocka_unit_test(gpus_of_few_hosts_are_shown_on_all_threads),
        cmocka_unit_test(random_runs_join_as_the_definitions_say),
        cmocka_unit_test(samples_taken_gpu_by_gpu_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
