/* pairs_frame.c - the frame of all pairs, each host filling its own range of rows. */
#include "run/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/dd.h"
#include "view/energy.h"
#include "run/metric_columns.h"
#include "view/counts.h"
#include "view/pair_stats.h"
#include "base/timestamp.h"

static const char metric_how[] = "%s: under the nearest, backward and forward join the mean of the samples taken at START "
                                 "and at STOP, under the window join the mean of the samples inside";

enum { COL_HOST, COL_SERIAL, COL_UUID, COL_METRIC, COL_EVENT = COL_METRIC + GS_FIXED_METRICS, COL_JOB, COL_TASK, COL_START,
       COL_STOP, COL_DURATION, COL_REST };

static const struct gs_column_spec host_columns[COL_METRIC] = {
    {"hostname", "host", "", GS_TYPE_TEXT, 0, "hostname of the checkpoints", false},
    {"gpu_serial", "serial", "", GS_TYPE_TEXT, 0, "gpuSerial of the GPU joined, where it is one", false},
    {"gpu_uuid", "UUID", "", GS_TYPE_TEXT, 0, "gpuUUID of the GPU joined, where it is one", false},
};

/* Behind the metrics. */
#define PAIR_COLUMNS                                                                                                 \
    {"event", "event", "", GS_TYPE_TEXT, 0, "eventName of the checkpoints", false},                                  \
        {"job_id", "job", "", GS_TYPE_TEXT, 0, "jobId of the checkpoints", false},                                   \
        {"task_id", "task", "", GS_TYPE_TEXT, 0, "taskId of the checkpoints", false},                                \
        {"start", "start", "", GS_TYPE_TIME, 0, "time of the START", false},                                         \
        {"stop", "stop", "", GS_TYPE_TIME, 0, "time of the STOP", false},                                            \
    {                                                                                                                \
        "duration_ms", "duration", "ms", GS_TYPE_REAL, 0, "STOP - START", false                                      \
    }
#define TASK_COLUMNS                                                                                                 \
    {"level", "level", "", GS_TYPE_INT, 0, "level of (taskId, jobId) in the task table", true},                      \
        {"x", "x", "", GS_TYPE_INT, 0, "x of (taskId, jobId) in the task table", true},                              \
    {                                                                                                                \
        "y", "y", "", GS_TYPE_INT, 0, "y of (taskId, jobId) in the task table", true                                 \
    }
#define SAMPLES_COLUMN                                                                                               \
    {                                                                                                                \
        "n_samples", "samples", "", GS_TYPE_INT, 0, "samples with START <= t <= STOP, of all GPUs joined", false     \
    }
#define ENERGY_COLUMNS                                                                                               \
    {"energy_j", "energy", "J", GS_TYPE_REAL, 1,                                                                 \
         "trapezoid of power over [START, STOP], edges interpolated, no gap longer than --max-gap bridged, summed "  \
         "over the GPUs joined",                                                                                     \
         false},                                                                                                     \
        {"coverage_pct", "coverage", "%", GS_TYPE_REAL, 1, "covered time over duration, over the GPUs joined", false}, \
        {"energy_low_j", "low", "J", GS_TYPE_REAL, 1,                                                                \
         "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW, false},                              \
    {                                                                                                                \
        "energy_high_j", "high", "J", GS_TYPE_REAL, 1, "upper end of that interval", false                           \
    }

enum { N_TASK_COLUMNS = 3, N_ENERGY_COLUMNS = 4 };
static const struct gs_column_spec behind_columns[2][2][COL_REST - COL_EVENT + N_TASK_COLUMNS + 1 + N_ENERGY_COLUMNS] = {
    /* by whether there is a task table, and whether the join is that of the window */
    {{PAIR_COLUMNS, ENERGY_COLUMNS}, {PAIR_COLUMNS, SAMPLES_COLUMN, ENERGY_COLUMNS}},
    {{PAIR_COLUMNS, TASK_COLUMNS, ENERGY_COLUMNS}, {PAIR_COLUMNS, TASK_COLUMNS, SAMPLES_COLUMN, ENERGY_COLUMNS}},
};

struct filling {
    const struct gs_dataset *d;
    const struct gs_join_options *join;
    uint32_t only_event;    /* GS_NONE: all */
    struct gs_frame *frame;
    struct gs_metric_columns columns;
    const uint64_t *first;  /* [n_hosts] row at which each host may begin */
    uint32_t *n_rows;       /* [n_hosts] rows that it has                 */
    struct gs_pairs_told *told; /* [n_threads]                            */
};

/* num / (den * 10^6), rounded once: two exact conversions and one division wherever both fit a double. */
static double divided(gs_i128 num, uint64_t den, int64_t scale)
{
    const gs_i128 exact = (gs_i128)1 << 53, whole = (gs_i128)den * scale;
    if (num > -exact && num < exact && whole < exact)
        return (double)(int64_t)num / (double)(int64_t)whole;
    return gs_dd_to_double(gs_dd_ratio(num, whole));
}

/* A pair in its host's list, for sorting without a context. */
struct ordered {
    const struct gs_pair *pair;
    struct gs_str task;
    uint32_t at;
};

/* What the start and the host leave open. Events and jobs are numbered in the order of their texts. */
static int compare_pairs(const void *a, const void *b)
{
    const struct gs_pair *const x = ((const struct ordered *)a)->pair, *const y = ((const struct ordered *)b)->pair;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    const int task = x->task == y->task ? 0 : gs_str_compare(((const struct ordered *)a)->task, ((const struct ordered *)b)->task);
    if (task != 0)
        return task;
    if (x->stop_ns != y->stop_ns)
        return x->stop_ns < y->stop_ns ? -1 : 1;
    return (x->gpu > y->gpu) - (x->gpu < y->gpu);
}

static void sort_tied(struct ordered *o, uint32_t n)
{
    enum { SMALL = 12 };
    if (n > SMALL) {
        qsort(o, n, sizeof *o, compare_pairs);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        const struct ordered x = o[i];
        uint32_t k = i;
        for (; k > 0 && compare_pairs(&o[k - 1], &x) > 0; k--)
            o[k] = o[k - 1];
        o[k] = x;
    }
}

/* The pairs that count, in the order of the rows; *n of them. */
static const struct ordered *put_in_order(const struct filling *f, const struct gs_host_view *h, struct gs_arena *scratch,
                                          uint32_t *n)
{
    uint32_t *const at = gs_arena_take_raw(scratch, h->n_times, sizeof *at); /* the pair that each checkpoint starts */
    struct ordered *const o = gs_arena_take_raw(scratch, h->n_pairs, sizeof *o);
    if (at == NULL || o == NULL)
        return NULL;
    for (uint32_t i = 0; i < h->n_times; i++)
        at[i] = GS_NONE;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (f->only_event == GS_NONE || h->pair[p].event == f->only_event)
            at[h->pair[p].start_at] = p;
    uint32_t n_kept = 0;
    for (uint32_t i = 0; i < h->n_times; i++)
        if (at[i] != GS_NONE)
            o[n_kept++] = (struct ordered){&h->pair[at[i]], f->d->task.text[h->pair[at[i]].task], at[i]};
    for (uint32_t i = 0, end; i < n_kept; i = end) {
        for (end = i + 1; end < n_kept && o[end].pair->start_ns == o[i].pair->start_ns;)
            end++;
        sort_tied(o + i, end - i);
    }
    *n = n_kept;
    return o;
}

static void set_task(const struct filling *f, struct gs_column *c, size_t row, uint32_t task_row)
{
    static const unsigned source[N_TASK_COLUMNS] = {GS_TASK_LEVEL, GS_TASK_X, GS_TASK_Y};
    for (unsigned k = 0; k < N_TASK_COLUMNS; k++)
        c[k].integer[row] =
            task_row == GS_NONE ? GS_MISSING : gs_table_value(&f->d->table[GS_TABLE_TASKS], task_row, source[k]);
}

static void set_energy(struct gs_column *c, size_t row, const struct gs_joined *j, gs_i128 window_ns)
{
    c[0].real[row] = j->has_energy && j->error.n_refused == 0 ? gs_energy_j(j->energy) : (double)NAN;
    c[1].real[row] = window_ns == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(100 * j->covered_ns, window_ns));
    c[2].real[row] = c[3].real[row] = (double)NAN;
    if (j->has_energy)
        gs_energy_interval(&j->error, j->energy, &c[2].real[row], &c[3].real[row]);
}

static void add_told(struct gs_pairs_told *told, const struct gs_joined *j, gs_i128 window_ns)
{
    told->n++;
    told->n_missing += j->metric[GS_POWER].den == 0;
    told->n_stale += j->is_stale;
    told->covered_ns += j->covered_ns;
    told->window_ns += window_ns;
}

static void set_row(const struct filling *f, const struct gs_host_view *h, size_t row, const struct gs_pair *p,
                    const struct gs_joined *j)
{
    struct gs_column *const c = f->frame->columns;
    const uint32_t number = gs_pair_gpu(f->d, h->host, p);
    const struct gs_gpu *const gpu = number == GS_NONE ? NULL : &f->d->gpu[number];
    c[COL_HOST].text[row] = f->d->host.text[h->host];
    c[COL_SERIAL].text[row] = gpu == NULL ? (struct gs_str){0} : gpu->serial;
    c[COL_UUID].text[row] = gpu == NULL ? (struct gs_str){0} : gpu->uuid;
    for (size_t k = 0; k < f->columns.n_shown; k++) {
        const struct gs_reading *const r = &j->metric[f->columns.metric[k]];
        c[f->columns.column[k]].real[row] = r->den == 0 ? (double)NAN : divided(r->num, r->den, GS_FIXED_ONE);
    }
    c[COL_EVENT].text[row] = f->d->event.text[p->event];
    c[COL_JOB].text[row] = f->d->job.text[p->job];
    c[COL_TASK].text[row] = f->d->task.text[p->task];
    c[COL_START].integer[row] = p->start_ns;
    c[COL_STOP].integer[row] = p->stop_ns;
    c[COL_DURATION].real[row] = divided(gs_pair_ns(p), 1, GS_NS_PER_MS);
}

static enum gs_status fill_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                                struct gs_err *err)
{
    const struct filling *const f = context;
    const bool tasks = f->d->table[GS_TABLE_TASKS].n_columns > 0, window = f->join->join == GS_JOIN_WINDOW;
    struct gs_column *const rest = f->frame->columns + COL_REST + (tasks ? N_TASK_COLUMNS : 0);
    struct gs_joined *joined;
    uint32_t n = 0;
    const enum gs_status s = gs_join_host(h, f->join, scratch, &joined, err);
    if (s != GS_OK)
        return s;
    const struct ordered *const o = put_in_order(f, h, scratch, &n);
    if (o == NULL)
        return gs_fail_memory(err);
    uint32_t task_row = GS_NONE;
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_pair *const p = o[i].pair;
        const size_t row = f->first[h->host] + i;
        set_row(f, h, row, p, &joined[o[i].at]);
        if (tasks && (i == 0 || p->task != o[i - 1].pair->task || p->job != o[i - 1].pair->job))
            task_row = gs_dataset_task_row(f->d, p->task, p->job);
        if (tasks)
            set_task(f, f->frame->columns + COL_REST, row, task_row);
        if (window)
            rest[0].integer[row] = (int64_t)joined[o[i].at].n_samples;
        const gs_i128 window_ns = (gs_i128)gs_pair_ns(p) * gs_pair_n_gpus(p, h->n_gpus);
        set_energy(rest + window, row, &joined[o[i].at], window_ns);
        add_told(&f->told[thread], &joined[o[i].at], window_ns);
    }
    f->n_rows[h->host] = n;
    return GS_OK;
}

/* Every column holds 16 or 8 bytes a row; all cells are set by the hosts, so none is set before. */
static size_t cell_size(const struct gs_column *c)
{
    return c->spec->type == GS_TYPE_TEXT ? sizeof *c->text : sizeof *c->integer;
}

static enum gs_status take_room(struct gs_frame *f, size_t n_rows, struct gs_arena *arena, struct gs_err *err)
{
    for (size_t c = 0; c < f->n_columns; c++) {
        f->columns[c].text = gs_arena_take_raw(arena, n_rows, cell_size(&f->columns[c]));
        if (f->columns[c].text == NULL)
            return gs_fail_memory(err);
    }
    return GS_OK;
}

/* A host with orphans, or with events that were not asked for, has fewer rows than room. */
static void close_gaps(struct gs_frame *f, const uint64_t *first, const uint32_t *n_rows, uint32_t n_hosts)
{
    size_t end = 0;
    for (uint32_t h = 0; h < n_hosts; h++) {
        for (size_t c = 0; c < f->n_columns && end != first[h]; c++) {
            char *const cells = (char *)f->columns[c].text;
            const size_t size = cell_size(&f->columns[c]);
            memmove(cells + end * size, cells + first[h] * size, n_rows[h] * size);
        }
        end += n_rows[h];
    }
    f->n_rows = end;
}

static void tell(const struct gs_pairs_told *told, unsigned n_threads, enum gs_join join, struct gs_notes *notes)
{
    struct gs_pairs_told all = {0};
    for (unsigned t = 0; t < n_threads; t++) {
        all.n += told[t].n;
        all.n_missing += told[t].n_missing;
        all.n_stale += told[t].n_stale;
        all.covered_ns += told[t].covered_ns;
        all.window_ns += told[t].window_ns;
    }
    gs_pairs_notes(&all, join, notes);
}

enum gs_status gs_pairs_frame(const struct gs_dataset *d, const struct gs_join_options *join, const char *event,
                              unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    const bool tasks = d->table[GS_TABLE_TASKS].n_columns > 0, window = join->join == GS_JOIN_WINDOW;
    const struct gs_metric_shown shown = {
        .before = host_columns,
        .n_before = COL_METRIC,
        .behind = behind_columns[tasks][window],
        .n_behind = COL_REST - COL_EVENT + (tasks ? (size_t)N_TASK_COLUMNS : 0) + window + N_ENERGY_COLUMNS,
        .how = metric_how,
    };
    struct filling f = {.d = d, .join = join, .only_event = GS_NONE};
    struct gs_arena own = {0};
    struct gs_view_totals totals;
    enum gs_status s = event == NULL ? GS_OK : gs_event_number(d, event, &f.only_event, err);
    if (s != GS_OK)
        return s;
    uint64_t *const first = gs_arena_take(&own, d->host.n, sizeof *first), n_room = 0;
    f.first = first;
    f.n_rows = gs_arena_take(&own, d->host.n, sizeof *f.n_rows);
    f.told = gs_arena_take(&own, n_threads, sizeof *f.told);
    if (first == NULL || f.n_rows == NULL || f.told == NULL)
        s = gs_fail_memory(err);
    for (uint32_t h = 0; s == GS_OK && h < d->host.n; h++) {
        first[h] = n_room;
        n_room += gs_table_rows_of(&d->table[GS_TABLE_CHECKPOINTS], h) / 2 + gs_table_rows_of(&d->table[GS_TABLE_SPANS], h);
    }
    if (s == GS_OK)
        s = gs_metric_columns(&shown, d->metric, d->n_metrics, arena, &f.columns, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "join", window ? "Pairs, all samples inside each" : "Pairs", f.columns.spec, f.columns.n, 0,
                         NULL, &f.frame, err);
    if (s == GS_OK)
        s = take_room(f.frame, n_room, arena, err);
    if (s == GS_OK)
        s = gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, fill_host, &f, &totals, err);
    if (s == GS_OK) {
        close_gaps(f.frame, f.first, f.n_rows, d->host.n);
        gs_view_notes(&totals, d->duplicates, &out->notes);
        tell(f.told, n_threads, join->join, &out->notes);
        gs_frame_append(out, f.frame);
    }
    gs_arena_release(&own);
    return s;
}
