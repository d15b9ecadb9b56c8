/* diff.c - the spans of one run, as rows; a log without events is cut into pieces that stand for spans. */
#include "analysis/diff/diff.h"

#include <math.h>

#include "analysis/diff/diff_parts.h"
#include "analysis/timeline/load_phases.h"
#include "analysis/timeline/counts.h"
#include "analysis/energy/energy.h"
#include "base/core/key_sort.h"
#include "base/num/dd.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"
#include "base/num/timestamp.h"

enum { PIECES = 100, SAMPLES_PER_PIECE = 10 };

struct plan {
    struct gs_by_plan keys;
    struct gs_frame *frame; /* without rows */
    size_t n_metrics;
    uint32_t metric[DIFF_MEASURES_ROOM]; /* place in the dataset; GS_NONE: it has no such metric */
    struct gs_join_options join;         /* as little as is compared */
    bool is_log;                         /* there are no events      */
    bool has_power;                      /* is it compared?          */
};

static const struct gs_field energy_fields[] = {
    GS_ENERGY_SUM_FIELDS(struct gs_diff_energy, used),
};
static const struct gs_field card_fields[] = {{GS_FIELD_COUNT, 0}};
static const struct gs_records_spec energy_spec = {
    GS_RECORDS("diff-energy", "it", struct gs_diff_energy, energy_fields)};
/* by side and what the power readings are of: how many GPUs */
static const struct gs_records_spec card_spec = {
    GS_RECORDS("diff-cards", "it", uint64_t, card_fields)};

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_diff_options *const o = options;
    struct gs_diff_measure m[DIFF_MEASURES_ROOM];
    const size_t n = gs_diff_measures(o, m);
    GS_NEW(struct plan, plan, 1, arena, err);
    plan->is_log =
        d->table[GS_TABLE_CHECKPOINTS].n_rows == 0 && d->table[GS_TABLE_SPANS].n_rows == 0;
    plan->join = o->by.events.join;
    plan->join.join = GS_JOIN_ENERGY;
    for (size_t i = 0; i < n; i++) {
        const bool compared = plan->is_log ? m[i].of_logs : m[i].of_events;
        plan->has_power |= m[i].kind == DIFF_POWER && compared;
        if (m[i].kind != DIFF_METRIC)
            continue;
        plan->metric[plan->n_metrics] =
            compared ? gs_metrics_find(d->metric, d->n_metrics, m[i].name) : GS_NONE;
        if (plan->metric[plan->n_metrics++] != GS_NONE)
            plan->join.join = o->by.events.join.join;
    }
    GS_TRY(gs_by_plan_make(&o->by, d, &plan->keys, err));
    GS_TRY(gs_diff_rows(o, arena, &plan->frame, err));
    state->plan = plan;
    state->rows.types = gs_row_types(plan->frame, arena);
    return gs_had_memory(state->rows.types != NULL, err);
}

/* What a piece of a log is of. */
enum phase { WHOLE, ACTIVE, IDLE };

/* The names of a span as numbers on its host. */
struct span {
    uint32_t group, worker;
    uint32_t series; /* both     */
    uint32_t task;   /* GS_NONE: none */
};

/* What is added to: a host's rows. */
enum { N_LAST = 16 };
struct adding {
    const struct gs_diff_options *o;
    const struct plan *plan;
    struct gs_state *state;
    struct gs_fold_host *host;
    const struct gs_host_view *h; /* its pairs are what is compared */
    const struct gs_joined *joined;
    const enum phase *phase;  /* [n_pairs] NULL: pairs of events */
    const uint32_t *task_row; /* [n_pairs] NULL: no key needs it */
    struct span *span;        /* [n_pairs]                       */
    struct gs_column *cells;
    size_t n;
    struct gs_intern group, series, task; /* of series and tasks: their two numbers               */
    struct gs_str *worker;                /* [its GPUs + 1] the last: none                        */
    struct gs_str *task_text;             /* [task.n]                                             */
    uint32_t last[N_LAST]; /* of events that differ by as much, the pair seen last, plus one */
};

/* Whom a span ran on. The name of a file is no host: logs of two runs lie in two files. */
static struct gs_str worker_text(const struct gs_dataset *d, uint32_t host, uint32_t number,
                                 struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    struct gs_str name = GS_NO_STR;
    bool alone = false;
    if (number != GS_NONE) {
        name = gs_gpu_name(&d->gpu[number]);
        alone = name.ptr != NULL && !gs_gpu_has_index_only(&d->gpu[number]);
    }
    gs_buf_char(&b, number == GS_NONE ? HOST_WORKER : GPU_WORKER);
    if (!alone && !d->hosts_assumed)
        gs_buf_bytes(&b, d->host.text[host].ptr, d->host.text[host].len);
    if (name.ptr != NULL) {
        gs_buf_char(&b, ' ');
        gs_buf_bytes(&b, name.ptr, name.len);
    }
    if (b.failed)
        return GS_NO_STR;
    return gs_buf_str(&b);
}

static uint32_t number_of_two(struct gs_intern *in, uint32_t a, uint32_t b)
{
    const uint32_t two[] = {a, b};
    return gs_intern_add(in, (struct gs_str){(const char *)two, sizeof two});
}

static struct gs_by_pair by_pair(const struct adding *a, uint32_t p)
{
    static const char *const name[] = {
        [WHOLE] = "whole log", [ACTIVE] = "active phases", [IDLE] = "idle phases"};
    const struct gs_dataset *const d = a->host->d;
    const struct gs_pair *const pair = &a->h->pair[p];
    return (struct gs_by_pair){d, a->h->host, a->task_row == NULL ? GS_NONE : a->task_row[p], pair,
                               a->phase == NULL ? d->event.text[pair->event]
                                                : gs_str(name[a->phase[p]])};
}

/* The group, which the keys name, and the worker. */
static bool number_names(struct adding *a, uint32_t p)
{
    const struct gs_by_pair of = by_pair(a, p);
    const struct gs_dataset *const d = of.d;
    struct span *const s = &a->span[p];
    const uint32_t first = d->host_first_gpu[of.host];
    const uint32_t gpu = gs_pair_gpu(d, of.host, of.pair);
    uint32_t *const last = &a->last[of.pair->event % N_LAST];
    const struct gs_by_pair before = *last == 0 ? of : by_pair(a, *last - 1);
    const struct span *const seen = *last == 0 ? NULL : &a->span[*last - 1];
    s->worker = gpu == GS_NONE ? d->host_first_gpu[of.host + 1] - first : gpu - first;
    if (a->worker[s->worker].ptr == NULL)
        a->worker[s->worker] = worker_text(d, of.host, gpu, a->host->scratch);
    if (seen != NULL && gs_by_alike(&a->plan->keys, a->o->by.n_keys, &before, &of)) {
        s->group = seen->group;
    } else {
        struct gs_buf b = {.arena = a->host->scratch};
        gs_buf_char(&b, a->phase == NULL ? OF_EVENTS : OF_LOG);
        gs_by_put_key(&b, &a->plan->keys, &a->o->by, &of);
        s->group = b.failed ? GS_INTERN_NONE : gs_intern_add(&a->group, gs_buf_str(&b));
    }
    s->series = seen != NULL && s->group == seen->group && s->worker == seen->worker
                    ? seen->series
                    : number_of_two(&a->series, s->group, s->worker);
    *last = p + 1;
    return a->worker[s->worker].ptr != NULL && s->group != GS_INTERN_NONE &&
           s->series != GS_INTERN_NONE;
}

/* The task has one text for all its spans, which mostly follow one another. */
static bool number_task(struct adding *a, uint32_t p)
{
    const struct gs_dataset *const d = a->host->d;
    const struct gs_pair *const pair = &a->h->pair[p];
    struct span *const s = &a->span[p];
    const uint32_t n = a->task.n;
    s->task = GS_NONE;
    if (pair->task == GS_NONE || d->task.text[pair->task].len == 0)
        return true;
    s->task = p > 0 && pair[-1].job == pair->job && pair[-1].task == pair->task
                  ? s[-1].task
                  : number_of_two(&a->task, pair->job, pair->task);
    if (s->task == n)
        a->task_text[n] =
            gs_str_joined(a->host->scratch, d->job.text[pair->job], "\t", d->task.text[pair->task]);
    return s->task != GS_INTERN_NONE && a->task_text[s->task].ptr != NULL;
}

static double metric_of(const struct adding *a, size_t k, const struct gs_joined *j)
{
    if (a->plan->metric[k] == GS_NONE || j->metric[a->plan->metric[k]].den == 0)
        return (double)NAN;
    const struct gs_reading *const r = &j->metric[a->plan->metric[k]];
    return gs_ratio(r->num, (gs_i128)r->den * GS_FIXED_ONE);
}

/* The record of a run's group; NULL without memory. Its key stays, that of a group that is there does not. */
static struct gs_diff_energy *energy_of(struct adding *a, uint32_t group)
{
    union gs_key key[2] = {{.number = a->o->run}, {.text = a->group.text[group]}};
    return gs_records_find_text(&a->state->table[0], key, 1, a->host->arena);
}

/* What the log or the sensor sees only part of has no energy to compare. */
static bool has_energy(const struct gs_joined *j)
{
    return j->used.n > 0 && !gs_energy_is_refused(&j->used);
}

static void add_row(struct adding *a, uint32_t p)
{
    const struct gs_pair *const pair = &a->h->pair[p];
    const struct gs_joined *const j = &a->joined[p];
    const struct span *const s = &a->span[p];
    struct gs_column *const c = a->cells;
    const size_t row = a->n++;
    uint32_t first;
    c[ROW_RUN].integer[row] = a->o->run;
    c[ROW_GROUP].text[row] = a->group.text[s->group];
    c[ROW_WORKER].text[row] = a->worker[s->worker];
    c[ROW_TASK].text[row] = GS_NO_STR;
    if (s->task != GS_NONE)
        c[ROW_TASK].text[row] = a->task_text[s->task];
    c[ROW_START].integer[row] = pair->start_ns;
    c[ROW_STOP].integer[row] = pair->stop_ns;
    c[ROW_IS_COPY].integer[row] = pair->is_copy && !a->plan->keys.each_host;
    c[ROW_GPUS].integer[row] = gs_pair_n_used(a->h, pair, &first);
    c[ROW_ENERGY].real[row] = c[ROW_POWER].real[row] = (double)NAN;
    if (has_energy(j)) {
        c[ROW_ENERGY].real[row] = gs_energy_j(j->used.energy - j->again_alike);
        if (a->plan->has_power)
            c[ROW_POWER].real[row] = gs_energy_power_w(&j->used);
    }
    for (size_t k = 0; k < a->plan->n_metrics; k++)
        c[ROW_METRIC + k].real[row] = metric_of(a, k, j);
    if (a->o->by.per.len > 0) {
        const struct gs_by_pair of = by_pair(a, p);
        const int64_t items = gs_by_items(&a->o->by, &of);
        c[ROW_METRIC + a->plan->n_metrics].real[row] =
            items > 0 ? (double)items / GS_FIXED_ONE : (double)NAN;
    }
}

/*
 * The pairs to compare, those of a series one after the other, in the order of time: series k has those from first[k] to
 * first[k + 1], and a pair's number is in the low half. `first` comes zeroed, for one more than there are and one to count
 * with. NULL without memory.
 */
static uint64_t *in_series(const struct adding *a, uint32_t *first, struct gs_arena *arena)
{
    const struct gs_pair *const pair = a->h->pair;
    const uint32_t n_pairs = a->h->n_pairs, n_series = a->series.n;
    uint64_t *const place = gs_arena_take_raw(arena, n_pairs, sizeof *place);
    uint64_t *const spare = gs_arena_take_raw(arena, n_pairs, sizeof *spare);
    if (place == NULL || spare == NULL)
        return NULL;
    for (uint32_t p = 0; p < n_pairs; p++)
        first[a->span[p].series + 2]++;
    for (uint32_t k = 0; k < n_series; k++)
        first[k + 2] += first[k + 1];
    for (uint32_t p = 0; p < n_pairs; p++)
        place[first[a->span[p].series + 1]++] = (uint64_t)pair[p].start_at << 32 | p;
    for (uint32_t k = 0; k < n_series; k++)
        gs_key_sort(place + first[k], spare, first[k + 1] - first[k]);
    return place;
}

/* The pairs as rows, which lie in scratch memory, and their energy. */
static enum gs_status add_pairs(struct adding *a, struct gs_err *err)
{
    struct gs_arena *const scratch = a->host->scratch;
    const uint32_t *const first_gpu = &a->host->d->host_first_gpu[a->h->host];
    const uint32_t n_pairs = a->h->n_pairs, n_gpus = first_gpu[1] - first_gpu[0];
    a->group = a->series = a->task = (struct gs_intern){.arena = scratch, .seed = a->host->d->seed};
    a->worker = gs_arena_take(scratch, (size_t)n_gpus + 1, sizeof *a->worker);
    a->task_text = gs_arena_take_raw(scratch, n_pairs, sizeof *a->task_text);
    a->span = gs_arena_take_raw(scratch, n_pairs, sizeof *a->span);
    a->cells = gs_rows_append(a->plan->frame, n_pairs, scratch);
    bool done = a->worker != NULL && a->task_text != NULL && a->span != NULL && a->cells != NULL;
    for (uint32_t p = 0; p < n_pairs && done; p++)
        done = number_names(a, p) && number_task(a, p);
    uint32_t *const first = gs_arena_take(scratch, (size_t)a->series.n + 2, sizeof *first);
    const uint64_t *const place = done && first != NULL ? in_series(a, first, scratch) : NULL;
    GS_TRY(gs_had_memory(place != NULL, err));
    for (uint32_t k = 0; k < a->series.n; k++) {
        struct gs_diff_energy *e = NULL;
        for (uint32_t i = first[k]; i < first[k + 1]; i++) {
            const uint32_t p = (uint32_t)place[i];
            const struct gs_joined *const j = &a->joined[p];
            add_row(a, p);
            if (!has_energy(j))
                continue;
            if (e == NULL)
                e = energy_of(a, a->span[p].group);
            GS_TRY(gs_had_memory(e != NULL, err));
            GS_TRY(gs_gpu_uses_add(&e->gpus, &e->used, a->h, &a->h->pair[p], j, scratch, err));
        }
    }
    return GS_OK;
}

static enum gs_status add_events(struct adding *a, struct gs_err *err)
{
    GS_TRY(gs_fold_joined(a->host, &a->plan->join, &a->joined, err));
    if (a->plan->keys.tasks) {
        GS_TRY(gs_fold_task_rows(a->host, err));
        a->task_row = a->host->task_row;
    }
    return add_pairs(a, err);
}

/* --- a log without events ----------------------------------------------------------------------------- */

/* Pieces of the host's logs, as pairs of the view that joins them. */
struct pieces {
    struct gs_pair *pair;
    enum phase *phase;
    uint32_t n;
    struct gs_arena *arena;
};

static bool add_piece(struct pieces *p, uint32_t gpu, int64_t from, int64_t to, enum phase phase)
{
    if (!GS_HAS_ROOM(p->arena, p->pair, p->n) || !GS_HAS_ROOM(p->arena, p->phase, p->n))
        return false;
    p->phase[p->n] = phase;
    p->pair[p->n++] = (struct gs_pair){.start_ns = from,
                                       .stop_ns = to,
                                       .event = phase,
                                       .job = GS_NONE,
                                       .task = GS_NONE,
                                       .gpu = gpu,
                                       .attributes = GS_NONE};
    return true;
}

/*
 * The last piece takes the remainder of the division: pieces cover the stretch without a hole.
 */
static bool cut_stretch(struct pieces *p, uint32_t gpu, int64_t from, int64_t to, int64_t length,
                        enum phase phase)
{
    const int64_t all = to - from, n = length > 0 && all / length > 1 ? all / length : 1;
    bool done = true;
    for (int64_t i = 0; i < n && done; i++)
        done = add_piece(p, gpu, from + all / n * i, i + 1 == n ? to : from + all / n * (i + 1),
                         phase);
    return done;
}

/*
 * The whole log as one span, and its phases in pieces: what varies within a phase is seen between them. Where groups are
 * not named by phase only the active ones count, so that none holds a reading twice; a log of one phase is cut whole.
 */
static enum gs_status cut_log(struct pieces *p, uint32_t gpu, const struct gs_gpu_view *g,
                              bool by_phase, struct gs_err *err)
{
    const uint32_t first = p->n;
    struct gs_energy_curve curve;
    struct gs_load_phase *phase;
    size_t n;
    GS_TRY(gs_gpu_curve(g, -1, p->arena, &curve, err));
    if (curve.n < 2)
        return GS_OK;
    const int64_t start = gs_energy_curve_first(&curve), stop = gs_energy_curve_last(&curve);
    const struct gs_load_readings readings = gs_gpu_load(g, start, stop);
    GS_TRY(gs_load_phases(&readings, p->arena, &phase, &n, err));
    const int64_t least = g->interval_ns * SAMPLES_PER_PIECE, share = (stop - start) / PIECES;
    const int64_t length = gs_max(share, least);
    bool done = true;
    if (n == 0)
        done = cut_stretch(p, gpu, start, stop, length, WHOLE);
    else if (by_phase)
        done = add_piece(p, gpu, start, stop, WHOLE);
    for (size_t k = 0; done && k < n; k++)
        if (phase[k].active || by_phase)
            done = cut_stretch(p, gpu, phase[k].start_ns, phase[k].stop_ns, length,
                               phase[k].active ? ACTIVE : IDLE);
    /* A join looks at the log later by what the sensor lags: pieces of the log's clock begin earlier. */
    for (uint32_t i = first; i < p->n; i++) {
        struct gs_pair *const pair = &p->pair[i];
        pair->start_ns = gs_time_moved(pair->start_ns, -curve.sensor.shift_ns);
        pair->stop_ns = gs_time_moved(pair->stop_ns, -curve.sensor.shift_ns);
    }
    return gs_had_memory(done, err);
}

/*
 * The instants of the pieces, as a view has those of its events. The join looks instants up by
 * their index in a sorted list without repeats; pieces that touch share an instant.
 */
static bool place_pieces(struct pieces *p, struct gs_host_view *view)
{
    int64_t *const time = gs_arena_take_raw(p->arena, (size_t)p->n * 2, sizeof *time);
    uint32_t n = 0;
    if (time == NULL)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        time[2 * i] = p->pair[i].start_ns;
        time[2 * i + 1] = p->pair[i].stop_ns;
    }
    GS_SORT(time, p->n * 2, gs_compare_int64);
    for (uint32_t i = 0; i < p->n * 2; i++)
        if (n == 0 || time[n - 1] != time[i])
            time[n++] = time[i];
    for (uint32_t i = 0; i < p->n; i++) {
        p->pair[i].start_at = (uint32_t)gs_count_below(time, n, p->pair[i].start_ns);
        p->pair[i].stop_at = (uint32_t)gs_count_below(time, n, p->pair[i].stop_ns);
    }
    view->time = time;
    view->n_times = n;
    view->pair = p->pair;
    view->n_pairs = p->n;
    return true;
}

static enum gs_status add_log(struct adding *a, struct gs_err *err)
{
    struct gs_host_view view = *a->h;
    struct gs_arena *const scratch = a->host->scratch;
    struct pieces pieces = {.arena = scratch};
    struct gs_joined *joined;
    bool by_phase = false;
    for (size_t k = 0; k < a->o->by.n_keys; k++)
        by_phase |= gs_str_eq(a->o->by.key[k], gs_str("event"));
    for (uint32_t k = 0; k < view.n_gpus; k++) {
        const struct gs_gpu_view *g;
        struct gs_gpu_view room;
        GS_TRY(gs_host_gpu(a->h, k, &room, &g, scratch, err));
        if (g->n > 0)
            GS_TRY(cut_log(&pieces, g->gpu - view.first_gpu, g, by_phase, err));
    }
    GS_TRY(gs_had_memory(place_pieces(&pieces, &view), err));
    GS_TRY(gs_join_host(&view, &a->plan->join, scratch, &joined, err));
    struct adding logs = *a;
    logs.h = &view;
    logs.joined = joined;
    logs.phase = pieces.phase;
    GS_TRY(add_pairs(&logs, err));
    a->cells = logs.cells;
    a->n = logs.n;
    return GS_OK;
}

/* What the power readings of a host are of: sensors in common make the same mistake in A and in B. */
static bool add_cards(struct adding *a)
{
    const struct gs_dataset *const d = a->host->d;
    for (uint32_t g = d->host_first_gpu[a->h->host]; g < d->host_first_gpu[a->h->host + 1]; g++) {
        const struct gs_str card = gs_str_or(d->card, d->gpu[g].card);
        if (g > d->host_first_gpu[a->h->host] && gs_is_same_gpu(&d->gpu[g - 1], &d->gpu[g]))
            continue; /* in another job */
        union gs_key key[2] = {{.number = a->o->run >= a->o->n_base},
                               {.text = gs_str_joined(a->host->scratch, card, "\t",
                                                      gs_str(d->metric[d->power_metric]->name))}};
        if (key[1].text.ptr == NULL)
            return false;
        uint64_t *const n = gs_records_find_text(&a->state->table[1], key, 1, a->host->arena);
        if (n == NULL)
            return false;
        ++*n;
    }
    return true;
}

/*
 * The run's number leads the key with leading zeros, so that rows sort by run and then by host.
 */
static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    struct adding a = {
        .o = options, .plan = state->plan, .state = state, .host = host, .h = host->view};
    const struct gs_str name = host->d->host.text[host->view->host];
    struct gs_buf key = {.arena = host->arena}; /* one host may be in several runs */
    GS_TRY(a.plan->is_log ? add_log(&a, err) : add_events(&a, err));
    gs_buf_format(&key, "%05u ", (unsigned)a.o->run);
    gs_buf_bytes(&key, name.ptr, name.len);
    GS_TRY(gs_had_memory(!key.failed && add_cards(&a), err));
    if (a.n > 0)
        GS_TRY(gs_host_rows_add(&state->rows, gs_buf_str(&key), a.cells, a.n, host->arena, err));
    return GS_OK;
}

static const struct gs_records_spec *const tables[] = {&energy_spec, &card_spec};

/* clang-format off */
const struct gs_fold gs_diff_fold = {
    .name = "diff", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = 2, .has_rows = true,
    .plan = make_plan, .add = add_host, .finish = gs_diff_finish,
};
/* clang-format on */
