/* diff.c - the spans of one run, as rows; a log without events is cut into pieces that stand for spans. */
#include "analysis/diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/diff/diff_parts.h"
#include "analysis/power_logs/power_phases.h"
#include "analysis/timeline/counts.h"
#include "analysis/energy/energy.h"
#include "base/num/dd.h"
#include "base/num/order.h"
#include "stats/exact/quantile.h"

enum { PIECES = 100, SAMPLES_PER_PIECE = 10 };

struct plan {
    struct gs_by_plan keys;
    struct gs_frame *frame; /* without rows */
    size_t n_metrics;
    uint32_t metric[DIFF_MEASURES_ROOM]; /* place in the dataset; GS_NONE: it has no such metric */
    bool is_log;                         /* there are no events */
    bool has_power;                      /* is it compared?     */
};

/* clang-format off */
static const struct gs_field energy_fields[] = {
    GS_ENERGY_SUM_FIELDS(struct gs_diff_energy, used),
};
static const struct gs_field card_fields[] = {{GS_FIELD_COUNT, 0}};
static const struct gs_records_spec energy_spec = {
    .name = "diff-energy", .key = "it", .size = sizeof(struct gs_diff_energy), GS_FIELDS(energy_fields),
};
static const struct gs_records_spec card_spec = { /* by side and what the power readings are of: how many GPUs */
    .name = "diff-cards", .key = "it", .size = sizeof(uint64_t), GS_FIELDS(card_fields),
};
/* clang-format on */

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_diff_options *const o = options;
    struct gs_diff_measure m[DIFF_MEASURES_ROOM];
    const size_t n = gs_diff_measures(o, m);
    struct plan *const plan = gs_arena_take(arena, 1, sizeof *plan);
    GS_TRY(gs_had_memory(plan != NULL, err));
    plan->is_log =
        d->table[GS_TABLE_CHECKPOINTS].n_rows == 0 && d->table[GS_TABLE_SPANS].n_rows == 0;
    for (size_t i = 0; i < n; i++)
        plan->has_power |=
            m[i].kind == DIFF_POWER && (plan->is_log ? m[i].of_logs : m[i].of_events);
    for (size_t i = 0; i < n; i++)
        if (m[i].kind == DIFF_METRIC)
            plan->metric[plan->n_metrics++] = gs_metrics_find(d->metric, d->n_metrics, m[i].name);
    GS_TRY(gs_by_plan_make(&o->by, d, &plan->keys, err));
    GS_TRY(gs_diff_rows(o, arena, &plan->frame, err));
    GS_TRY(gs_records_init(&state->table[0], &energy_spec, NULL, 0, d->n_metrics, arena, err));
    GS_TRY(gs_records_init(&state->table[1], &card_spec, NULL, 0, d->n_metrics, arena, err));
    state->plan = plan;
    state->rows.types = gs_row_types(plan->frame, arena);
    return gs_had_memory(state->rows.types != NULL, err);
}

/* What is added to: a host's rows. */
struct adding {
    const struct gs_diff_options *o;
    const struct plan *plan;
    struct gs_state *state;
    struct gs_fold_host *host;
    const struct gs_host_view *h;
    struct gs_column *cells;
    size_t n;
};

static struct gs_str kept(struct gs_buf *b, struct gs_arena *arena)
{
    const char *const copy = b->failed ? NULL : gs_arena_copy(arena, b->ptr, b->len);
    return (struct gs_str){copy, copy == NULL ? 0 : b->len};
}

/* Whom a span ran on. The name of a file is no host: logs of two runs lie in two files. */
static void put_worker(struct gs_buf *b, const struct gs_dataset *d, uint32_t host,
                       const struct gs_pair *p)
{
    const uint32_t number = gs_pair_gpu(d, host, p);
    const struct gs_gpu *const gpu = number == GS_NONE ? NULL : &d->gpu[number];
    const struct gs_str name = gpu == NULL ? (struct gs_str){0} : gs_gpu_name(gpu);
    gs_buf_char(b, gpu == NULL ? HOST_WORKER : GPU_WORKER);
    if ((name.ptr == NULL || gs_gpu_has_index_only(gpu)) && !d->hosts_assumed)
        gs_buf_bytes(b, d->host.text[host].ptr, d->host.text[host].len);
    if (name.ptr != NULL) {
        gs_buf_char(b, ' ');
        gs_buf_bytes(b, name.ptr, name.len);
    }
}

static double metric_of(const struct adding *a, size_t k, const struct gs_joined *j)
{
    if (a->plan->metric[k] == GS_NONE || j->metric[a->plan->metric[k]].den == 0)
        return (double)NAN;
    const struct gs_reading *const r = &j->metric[a->plan->metric[k]];
    return gs_ratio(r->num, (gs_i128)r->den * GS_FIXED_ONE);
}

/*
 * Looked up before it is copied: most spans belong to a group that is known, and a copy for
 * each would fill the arena.
 */
static enum gs_status add_energy(struct adding *a, struct gs_buf *group, const struct gs_pair *p,
                                 const struct gs_joined *j, struct gs_err *err)
{
    union gs_key key[2] = {{.number = a->o->run}, {.text = gs_buf_str(group)}};
    /* The key of a record stays; a group that is known is found by the one that is there. */
    struct gs_diff_energy *e = gs_records_lookup(&a->state->table[0], key);
    if (e == NULL) {
        key[1].text = kept(group, a->host->arena);
        e = key[1].text.ptr == NULL ? NULL
                                    : gs_records_find(&a->state->table[0], key, a->host->arena);
    }
    GS_TRY(gs_had_memory(e != NULL, err));
    return gs_gpu_uses_add(&e->gpus, &e->used, a->h, p, j, a->host->scratch, err);
}

/*
 * One span; `letter` and `event` name its group. The texts lie in scratch memory;
 * gs_host_rows_add copies what it keeps before that is rewound.
 */
static enum gs_status add_span(struct adding *a, const struct gs_by_pair *of, char letter,
                               const struct gs_joined *j, struct gs_err *err)
{
    const struct gs_dataset *const d = of->d;
    const struct gs_pair *const p = of->pair;
    struct gs_arena *const scratch = a->host->scratch;
    struct gs_buf group = {.arena = scratch}, worker = {.arena = scratch},
                  task = {.arena = scratch};
    struct gs_column *const c = a->cells;
    const size_t row = a->n++;
    /* What the log or the sensor sees only part of has no energy to compare. */
    const bool has = j->used.n > 0 && !gs_energy_is_refused(&j->used);
    gs_buf_char(&group, letter);
    gs_by_put_key(&group, &a->plan->keys, &a->o->by, of);
    put_worker(&worker, d, of->host, p);
    if (p->task != GS_NONE && d->task.text[p->task].len > 0) {
        gs_buf_bytes(&task, d->job.text[p->job].ptr, d->job.text[p->job].len);
        gs_buf_char(&task, '\t');
        gs_buf_bytes(&task, d->task.text[p->task].ptr, d->task.text[p->task].len);
    }
    GS_TRY(gs_had_memory(!group.failed && !worker.failed && !task.failed, err));
    c[ROW_RUN].integer[row] = a->o->run;
    c[ROW_GROUP].text[row] = gs_buf_str(&group);
    c[ROW_WORKER].text[row] = gs_buf_str(&worker);
    c[ROW_TASK].text[row] = task.len == 0 ? (struct gs_str){0} : gs_buf_str(&task);
    c[ROW_START].integer[row] = p->start_ns;
    c[ROW_STOP].integer[row] = p->stop_ns;
    c[ROW_ENERGY].real[row] = has ? gs_energy_j(j->used.energy) : (double)NAN;
    c[ROW_POWER].real[row] = has && a->plan->has_power ? gs_energy_power_w(&j->used) : (double)NAN;
    for (size_t k = 0; k < a->plan->n_metrics; k++)
        c[ROW_METRIC + k].real[row] = metric_of(a, k, j);
    return has ? add_energy(a, &group, p, j, err) : GS_OK;
}

static enum gs_status add_events(struct adding *a, struct gs_err *err)
{
    const struct gs_host_view *const h = a->h;
    const struct gs_dataset *const d = a->host->d;
    const struct gs_joined *joined;
    const bool tasks = a->plan->keys.tasks;
    enum gs_status s = gs_fold_joined(a->host, &a->o->by.events.join, &joined, err);
    const uint32_t *const task_row = s == GS_OK && tasks ? gs_fold_task_rows(a->host) : NULL;
    if (s == GS_OK && tasks && task_row == NULL)
        s = gs_fail_memory(err);
    a->cells = s == GS_OK ? gs_rows_append(a->plan->frame, h->n_pairs, a->host->scratch) : NULL;
    if (s == GS_OK && a->cells == NULL)
        s = gs_fail_memory(err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++) {
        /* A span on several hosts or GPUs is one span: counted on each it would look like many. */
        if (h->pair[p].is_copy)
            continue;
        const struct gs_by_pair of = {d, h->host, tasks ? task_row[p] : GS_NONE, &h->pair[p],
                                      d->event.text[h->pair[p].event]};
        s = add_span(a, &of, OF_EVENTS, &joined[p], err);
    }
    return s;
}

/* --- a log without events ----------------------------------------------------------------------------- */

enum phase { WHOLE, ACTIVE, IDLE };

/* Pieces of the host's logs, as pairs of the view that joins them. */
struct pieces {
    struct gs_pair *pair;
    enum phase *phase;
    uint32_t n;
    struct gs_arena *arena;
};

static bool add_piece(struct pieces *p, uint32_t gpu, int64_t from, int64_t to, enum phase phase)
{
    struct gs_pair *const pair = gs_arena_one_more(p->arena, p->pair, p->n, sizeof *pair);
    p->pair = pair == NULL ? p->pair : pair;
    enum phase *const of = gs_arena_one_more(p->arena, p->phase, p->n, sizeof *of);
    p->phase = of == NULL ? p->phase : of;
    if (pair == NULL || of == NULL)
        return false;
    of[p->n] = phase;
    pair[p->n++] = (struct gs_pair){.start_ns = from,
                                    .stop_ns = to,
                                    .event = GS_NONE,
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
    int64_t *const t = gs_arena_take_raw(p->arena, g->n, sizeof *t);
    int64_t *const power = gs_arena_take_raw(p->arena, g->n, sizeof *power);
    const uint32_t first = p->n;
    size_t n = 0;
    GS_TRY(gs_had_memory(t != NULL && power != NULL, err));
    for (uint32_t i = 0; i < g->n; i++)
        if (g->value[g->drawn][i] != GS_MISSING) {
            t[n] = g->t_ns[i];
            power[n++] = g->value[g->drawn][i];
        }
    if (n < 2 || t[n - 1] <= t[0])
        return GS_OK;
    const struct gs_log log = {.n = n, .t_ns = t, .value = {[GS_LOG_POWER] = power}};
    struct gs_power_meter meter = {.log = &log, .timed = true};
    struct gs_power_phases phases;
    GS_TRY(gs_gpu_curve(g, -1, p->arena, &meter.curve, err));
    GS_TRY(gs_power_split(&meter, p->arena, &phases, err));
    const int64_t least = g->interval_ns * SAMPLES_PER_PIECE, share = (t[n - 1] - t[0]) / PIECES;
    const int64_t length = gs_max(share, least);
    bool done = true;
    if (phases.n == 0)
        done = cut_stretch(p, gpu, t[0], t[n - 1], length, WHOLE);
    else if (by_phase)
        done = add_piece(p, gpu, t[0], t[n - 1], WHOLE);
    for (size_t k = 0; done && k < phases.n; k++) {
        const struct gs_power_phase *const of = &phases.phase[k];
        if (of->active || by_phase)
            done =
                cut_stretch(p, gpu, of->start_ns, of->stop_ns, length, of->active ? ACTIVE : IDLE);
    }
    /* A join looks at the log later by what the sensor lags: pieces of the log's clock begin earlier. */
    for (uint32_t i = first; i < p->n; i++) {
        struct gs_pair *const pair = &p->pair[i];
        if (__builtin_sub_overflow(pair->start_ns, meter.curve.sensor.shift_ns, &pair->start_ns))
            pair->start_ns = GS_LOG_START;
        if (__builtin_sub_overflow(pair->stop_ns, meter.curve.sensor.shift_ns, &pair->stop_ns))
            pair->stop_ns = GS_LOG_START;
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
    if (p->n > 0)
        qsort(time, (size_t)p->n * 2, sizeof *time, gs_compare_int64);
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
    static const char *const name[] = {
        [WHOLE] = "whole log", [ACTIVE] = "active phases", [IDLE] = "idle phases"};
    struct gs_host_view view = *a->h;
    struct gs_arena *const scratch = a->host->scratch;
    struct pieces pieces = {.arena = scratch};
    struct gs_joined *joined = NULL;
    enum gs_status s = GS_OK;
    bool by_phase = false;
    for (size_t k = 0; k < a->o->by.n_keys; k++)
        by_phase |= gs_str_eq(a->o->by.key[k], gs_str("event"));
    for (uint32_t k = 0; s == GS_OK && k < view.n_gpus; k++) {
        const struct gs_gpu_view *g;
        struct gs_gpu_view room;
        s = gs_host_gpu(a->h, k, &room, &g, scratch, err);
        if (s == GS_OK && g->n > 0)
            s = cut_log(&pieces, g->gpu - view.first_gpu, g, by_phase, err);
    }
    if (s == GS_OK && !place_pieces(&pieces, &view))
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = gs_join_host(&view, &a->o->by.events.join, scratch, &joined, err);
    a->cells = s == GS_OK ? gs_rows_append(a->plan->frame, pieces.n, scratch) : NULL;
    if (s == GS_OK && a->cells == NULL)
        s = gs_fail_memory(err);
    for (uint32_t p = 0; s == GS_OK && p < pieces.n; p++) {
        const struct gs_by_pair of = {a->host->d, view.host, GS_NONE, &pieces.pair[p],
                                      gs_str(name[pieces.phase[p]])};
        s = add_span(a, &of, OF_LOG, &joined[p], err);
    }
    return s;
}

/* What the power readings of a host are of: sensors in common make the same mistake in A and in B. */
static bool add_cards(struct adding *a)
{
    const struct gs_dataset *const d = a->host->d;
    for (uint32_t g = d->host_first_gpu[a->h->host]; g < d->host_first_gpu[a->h->host + 1]; g++) {
        const struct gs_str card = d->card.ptr != NULL ? d->card : d->gpu[g].card;
        struct gs_buf b = {.arena = a->host->scratch};
        gs_buf_bytes(&b, gs_or_empty(card.ptr), card.len);
        gs_buf_char(&b, '\t');
        gs_buf_text(&b, d->metric[d->power_metric]->name);
        union gs_key key[2] = {{.number = a->o->run >= a->o->n_base}, {.text = gs_buf_str(&b)}};
        if (b.failed)
            return false;
        uint64_t *n = gs_records_lookup(&a->state->table[1], key);
        if (n == NULL) {
            key[1].text = kept(&b, a->host->arena);
            n = key[1].text.ptr == NULL ? NULL
                                        : gs_records_find(&a->state->table[1], key, a->host->arena);
        }
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
    struct adding a = {options, state->plan, state, host, host->view, NULL, 0};
    const struct gs_str name = host->d->host.text[host->view->host];
    struct gs_buf key = {.arena = host->arena}; /* one host may be in several runs */
    enum gs_status s = a.plan->is_log ? add_log(&a, err) : add_events(&a, err);
    gs_buf_format(&key, "%05u ", (unsigned)a.o->run);
    gs_buf_bytes(&key, name.ptr, name.len);
    if (s == GS_OK && (key.failed || !add_cards(&a)))
        s = gs_fail_memory(err);
    return s == GS_OK && a.n > 0
               ? gs_host_rows_add(&state->rows, gs_buf_str(&key), a.cells, a.n, host->arena, err)
               : s;
}

static const struct gs_records_spec *const tables[] = {&energy_spec, &card_spec};

/* clang-format off */
const struct gs_fold gs_diff_fold = {
    .name = "diff", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = 2, .has_rows = true,
    .plan = make_plan, .add = add_host, .finish = gs_diff_finish,
};
/* clang-format on */
