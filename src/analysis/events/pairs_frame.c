/* pairs_frame.c - all pairs, in rows of their hosts. */
#include "analysis/events/pairs.h"

#include <math.h>

#include "base/num/dd.h"
#include "analysis/energy/energy.h"
#include "analysis/events/metric_columns.h"
#include "analysis/timeline/counts.h"
#include "analysis/aggregate/pair_stats.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"

static const char metric_how[] =
    "%s: under the nearest, backward and forward join the mean of the samples taken at START "
    "and at STOP, under the window join the mean of the samples inside";

/* clang-format off */
enum { COL_HOST, COL_SERIAL, COL_UUID, COL_METRIC, COL_EVENT = COL_METRIC + GS_FIXED_METRICS, COL_JOB, COL_TASK, COL_START,
       COL_STOP, COL_DURATION, COL_REST };
/* clang-format on */

static const struct gs_column_spec host_columns[COL_METRIC] = {
    GS_COL(HOSTNAME, .how = "host of the event"),
    GS_COL(GPU_SERIAL, .how = "gpuSerial of the GPU joined, where it is one"),
    GS_COL(GPU_UUID, .how = "gpuUUID of the GPU joined, where it is one"),
};

/* Behind the metrics. */
#define PAIR_COLUMNS                                                                               \
    GS_COL(EVENT), GS_COL(JOB_ID, .how = "job of the event"),                                      \
        GS_COL(TASK_ID, .how = "task of the event"), GS_COL(START), GS_COL(STOP),                  \
        GS_COL(DURATION_MS)
#define TASK_COLUMNS                                                                               \
    GS_COL(LEVEL, .how = "level of (taskId, jobId) in the task table"),                            \
        GS_COL(X, .how = "x of (taskId, jobId) in the task table"),                                \
        GS_COL(Y, .how = "y of (taskId, jobId) in the task table")
#define SAMPLES_COLUMN GS_COL(N_SAMPLES)
/* clang-format off */
#define ENERGY_COLUMNS                                                                                               \
    GS_COL(ENERGY_J, .how = "energy over [START, STOP], summed over the GPUs joined: " GS_ENERGY_HOW),                                                                                                     \
        GS_COL(COVERAGE_PCT), \
        GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(1), .how = "lower end of the 95 % interval of energy_j: " GS_ENERGY_INTERVAL_HOW),                              \
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(1))
/* clang-format on */

enum { N_TASK_COLUMNS = 3, N_ENERGY_COLUMNS = 4 };
/* clang-format off */
static const struct gs_column_spec behind_columns[2][2][COL_REST - COL_EVENT + N_TASK_COLUMNS + 1 + N_ENERGY_COLUMNS] = {
    /* by whether there is a task table, and whether the join is that of the window */
    {{PAIR_COLUMNS, ENERGY_COLUMNS}, {PAIR_COLUMNS, SAMPLES_COLUMN, ENERGY_COLUMNS}},
    {{PAIR_COLUMNS, TASK_COLUMNS, ENERGY_COLUMNS}, {PAIR_COLUMNS, TASK_COLUMNS, SAMPLES_COLUMN, ENERGY_COLUMNS}},
};
/* clang-format on */

/* What is told of the pairs stands in a table of one record. */
static const struct gs_field told_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_pairs_told, n)},
    {GS_FIELD_COUNT, offsetof(struct gs_pairs_told, n_missing)},
    {GS_FIELD_COUNT, offsetof(struct gs_pairs_told, n_stale)},
    {GS_FIELD_COUNT, offsetof(struct gs_pairs_told, n_refused)},
    GS_ENERGY_SUM_FIELDS(struct gs_pairs_told, used),
    {GS_FIELD_SUM, offsetof(struct gs_pairs_told, window_ns)},
};
static const struct gs_records_spec told_spec = {
    GS_RECORDS("told", "", struct gs_pairs_told, told_fields)};

/* What adding goes by: the columns that the run and the options ask for, and the event that counts. */
struct filling {
    const struct gs_dataset *d;
    uint32_t only_event;    /* GS_NONE: all */
    struct gs_frame *frame; /* without rows */
    struct gs_metric_columns columns;
};

/* num / (den * 10^6), rounded once: two exact conversions and one division wherever both fit a double. */
static double divided(gs_i128 num, uint64_t den, int64_t scale)
{
    const gs_i128 exact = (gs_i128)1 << 53, whole = (gs_i128)den * scale;
    if (num > -exact && num < exact && whole < exact)
        return (double)(int64_t)num / (double)(int64_t)whole;
    return gs_ratio(num, whole);
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
    const struct gs_pair *const x = ((const struct ordered *)a)->pair,
                                *const y = ((const struct ordered *)b)->pair;
    GS_DIFFER(gs_cmp(x->event, y->event));
    GS_DIFFER(gs_cmp(x->job, y->job));
    if (x->task != y->task)
        GS_DIFFER(
            gs_str_compare(((const struct ordered *)a)->task, ((const struct ordered *)b)->task));
    GS_DIFFER(gs_cmp(x->stop_ns, y->stop_ns));
    return gs_cmp(x->gpu, y->gpu);
}

static void sort_tied(struct ordered *o, uint32_t n)
{
    enum { SMALL = 12 };
    if (n > SMALL) {
        GS_SORT(o, n, compare_pairs);
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
static const struct ordered *put_in_order(const struct filling *f, const struct gs_host_view *h,
                                          struct gs_arena *scratch, uint32_t *n)
{
    /* the pair that each checkpoint starts */
    uint32_t *const at = gs_arena_take_raw(scratch, h->n_times, sizeof *at);
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
            o[n_kept++] =
                (struct ordered){&h->pair[at[i]], f->d->task.text[h->pair[at[i]].task], at[i]};
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
        c[k].integer[row] = gs_task_value(f->d, task_row, source[k]);
}

static void set_energy(struct gs_column *c, size_t row, const struct gs_energy_sum *used,
                       gs_i128 window_ns)
{
    c[0].real[row] = (double)NAN;
    if (used->n > 0)
        c[0].real[row] = gs_energy_j(used->energy);
    c[1].real[row] = gs_energy_coverage_pct(used, window_ns);
    gs_energy_interval(used, &c[2].real[row], &c[3].real[row]);
}

static void add_told(struct gs_pairs_told *told, const struct gs_joined *j,
                     const struct gs_energy_sum *used, gs_i128 window_ns)
{
    told->n++;
    told->n_missing += j->metric[GS_POWER].den == 0;
    told->n_stale += j->is_stale;
    told->n_refused += gs_energy_is_refused(used);
    gs_energy_sum_merge(&told->used, used);
    told->window_ns += window_ns;
}

static void set_row(const struct filling *f, struct gs_column *c, const struct gs_host_view *h,
                    size_t row, const struct gs_pair *p, const struct gs_joined *j)
{
    const uint32_t number = gs_pair_gpu(f->d, h->host, p);
    c[COL_HOST].text[row] = f->d->host.text[h->host];
    c[COL_SERIAL].text[row] = c[COL_UUID].text[row] = GS_NO_STR;
    if (number != GS_NONE) {
        c[COL_SERIAL].text[row] = f->d->gpu[number].serial;
        c[COL_UUID].text[row] = f->d->gpu[number].uuid;
    }
    for (size_t k = 0; k < f->columns.n_shown; k++) {
        const struct gs_reading *const r = &j->metric[f->columns.metric[k]];
        c[f->columns.column[k]].real[row] =
            r->den == 0 ? (double)NAN : divided(r->num, r->den, GS_FIXED_ONE);
    }
    c[COL_EVENT].text[row] = f->d->event.text[p->event];
    c[COL_JOB].text[row] = f->d->job.text[p->job];
    c[COL_TASK].text[row] = f->d->task.text[p->task];
    c[COL_START].integer[row] = p->start_ns;
    c[COL_STOP].integer[row] = p->stop_ns;
    c[COL_DURATION].real[row] = divided(gs_pair_ns(p), 1, GS_NS_PER_MS);
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    const struct gs_join_options *const join = &((const struct gs_events_options *)options)->join;
    const struct gs_host_view *const h = host->view;
    const struct filling *const f = state->plan;
    const bool tasks = f->d->table[GS_TABLE_TASKS].n_columns > 0,
               window = join->join == GS_JOIN_WINDOW;
    const struct gs_joined *joined;
    uint32_t n = 0;
    GS_TRY(gs_fold_joined(host, join, &joined, err));
    const struct ordered *const o = put_in_order(f, h, host->scratch, &n);
    struct gs_column *const cells = o == NULL ? NULL : gs_rows_append(f->frame, n, host->scratch);
    GS_TRY(gs_had_memory(cells != NULL, err));
    struct gs_frame rows = *f->frame;
    struct gs_column *const rest = cells + COL_REST + (tasks ? N_TASK_COLUMNS : 0);
    rows.columns = cells;
    rows.n_rows = n;
    uint32_t task_row = GS_NONE;
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_pair *const p = o[i].pair;
        const struct gs_joined *const j = &joined[o[i].at];
        set_row(f, cells, h, i, p, j);
        if (tasks && (i == 0 || p->task != o[i - 1].pair->task || p->job != o[i - 1].pair->job))
            task_row = gs_dataset_task_row(f->d, p->task, p->job);
        if (tasks)
            set_task(f, cells + COL_REST, i, task_row);
        if (window)
            rest[0].integer[i] = (int64_t)j->n_samples;
        const gs_i128 window_ns = (gs_i128)gs_pair_ns(p) * gs_pair_n_gpus(h, p);
        const struct gs_energy_sum used = gs_joined_alone(h, j);
        set_energy(rest + window, i, &used, window_ns);
        gs_counter_cells(&rows, i, f->columns.counter, &j->counted);
        add_told(gs_records_at(&state->table[0], 0), j, &used, window_ns);
    }
    return gs_host_rows_add(&state->rows, f->d->host.text[h->host], cells, n, host->arena, err);
}

/* The frame without rows, with the columns that the run and the options ask for. */
static enum gs_status begin(const struct gs_events_options *o,
                            const struct gs_metric *const *metric, uint32_t n_metrics, bool tasks,
                            struct gs_arena *arena, struct filling *f, struct gs_err *err)
{
    const bool window = o->join.join == GS_JOIN_WINDOW;
    const struct gs_metric_shown shown = {
        .before = host_columns,
        .where = window ? NULL : " at ends",
        .n_before = COL_METRIC,
        .behind = behind_columns[tasks][window],
        .n_behind =
            COL_REST - COL_EVENT + (tasks ? (size_t)N_TASK_COLUMNS : 0) + window + N_ENERGY_COLUMNS,
        .counted = true,
        .how = metric_how,
    };
    GS_TRY(gs_metric_columns(&shown, metric, n_metrics, arena, &f->columns, err));
    return gs_frame_new(arena,
                        GS_HEAD("join", window ? "Pairs, all samples inside each" : "Pairs",
                                f->columns.spec, f->columns.n),
                        0, NULL, &f->frame, err);
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_events_options *const o = options;
    GS_NEW(struct filling, f, 1, arena, err);
    *f = (struct filling){.d = d, .only_event = GS_NONE};
    if (o->event != NULL)
        GS_TRY(gs_event_number(d, o->event, &f->only_event, err));
    GS_TRY(
        begin(o, d->metric, d->n_metrics, d->table[GS_TABLE_TASKS].n_columns > 0, arena, f, err));
    state->plan = f;
    state->rows.types = gs_row_types(f->frame, arena);
    return gs_had_memory(state->rows.types != NULL, err);
}

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    struct filling f;
    GS_TRY(begin(of->options, of->facts->metric, of->facts->n_metrics,
                 of->facts->has_table[GS_TABLE_TASKS], of->arena, &f, err));
    GS_TRY(gs_host_rows_frame(&of->state->rows, f.frame, of->arena, err));
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    const struct gs_pairs_told *const told = gs_records_at(&of->state->table[0], 0);
    gs_energy_refused_note(told->n_refused, told->n, &out->notes);
    gs_pairs_notes(told, ((const struct gs_events_options *)of->options)->join.join, &out->notes);
    gs_frame_append(out, f.frame);
    return GS_OK;
}

static const struct gs_records_spec *const tables[] = {&told_spec};

/* clang-format off */
const struct gs_fold gs_pairs_fold = {
    .name = "join", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = 1, .has_rows = true, .layout = 2,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
