/* diff_frame.c - spans of all runs become rows: by group and measure, in an order that no reading order changes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff_parts.h"
#include "base/num/order.h"
#include "base/os/parallel.h"
#include "stats/descriptive/rank.h"

/* When a span was, its task, and its GPUs on its first host. */
struct span {
    int64_t start_ns, stop_ns;
    uint32_t task, n_gpus;
};

/* Rows lie in chunks: what is taken at once and large is cleared at once, page by huge page. */
enum { ROWS_PER_CHUNK = 4096 };
struct chunk {
    struct span *span;
    double **value; /* [n_columns][ROWS_PER_CHUNK] NULL: nothing is measured by it */
};

/* Spans of the same names that come one after the other. */
struct stretch {
    uint32_t group, worker;
    uint32_t side, run; /* run: of its side */
    size_t first, n;
    int64_t start_ns; /* of the first */
};

struct span_table {
    size_t n, n_stretches;
    struct chunk *chunk; /* [n / ROWS_PER_CHUNK, rounded up] */
    struct stretch *stretch;
    size_t n_columns; /* of values: energy, power, metrics */
    bool *wanted;     /* [n_columns]                       */
    struct gs_intern group, worker, task;
    struct gs_diff_copies copies;
};

/* Numbers of tasks by where their texts stand: in a part of the rows the same text mostly stands in one place. */
enum { KNOWN_BITS = 10 };
struct known {
    struct gs_str text;
    uint32_t number;
};

static uint32_t number_of(struct gs_intern *in, struct gs_str text, struct known *known)
{
    const uint64_t hash = (uint64_t)(uintptr_t)text.ptr * UINT64_C(0x9e3779b97f4a7c15);
    struct known *const k = &known[hash >> (64 - KNOWN_BITS)];
    if (k->text.ptr != text.ptr || k->text.len != text.len)
        *k = (struct known){text, gs_intern_add(in, text)};
    return k->number;
}

struct taking {
    struct span_table *t;
    const struct gs_diff_options *o;
    struct gs_arena *arena;
    size_t n;
};

static bool take_chunk(struct taking *take)
{
    const struct span_table *const t = take->t;
    struct chunk *const c = &t->chunk[take->n / ROWS_PER_CHUNK];
    c->span = gs_arena_take_raw(take->arena, ROWS_PER_CHUNK, sizeof *c->span);
    c->value = gs_arena_take(take->arena, t->n_columns, sizeof *c->value);
    bool room = c->span != NULL && c->value != NULL;
    for (size_t k = 0; k < t->n_columns && room; k++)
        if (t->wanted[k])
            room = (c->value[k] =
                        gs_arena_take_raw(take->arena, ROWS_PER_CHUNK, sizeof **c->value)) != NULL;
    return room;
}

/* A span belongs to the stretch before it or begins one. */
static bool add_to_stretch(struct taking *take, struct stretch one)
{
    struct span_table *const t = take->t;
    struct stretch *const last = t->n_stretches == 0 ? NULL : &t->stretch[t->n_stretches - 1];
    if (last != NULL && last->group == one.group && last->worker == one.worker &&
        last->side == one.side && last->run == one.run) {
        last->n++;
        return true;
    }
    if (!GS_HAS_ROOM(take->arena, t->stretch, t->n_stretches))
        return false;
    t->stretch[t->n_stretches++] = one;
    return true;
}

static struct gs_diff_copy_key key_of(const struct stretch *of, const struct span *s)
{
    return (struct gs_diff_copy_key){of->side, of->run,     of->group,
                                     s->task,  s->start_ns, s->stop_ns};
}

/* A span of its own, behind the others; `goes_on`: in the stretch of the one before. False without memory. */
static bool take_span(struct taking *take, const struct gs_column *c, size_t r,
                      const struct span *s, bool goes_on, struct stretch one)
{
    const struct span_table *const t = take->t;
    if (take->n % ROWS_PER_CHUNK == 0 && !take_chunk(take))
        return false;
    const struct chunk *const chunk = &t->chunk[take->n / ROWS_PER_CHUNK];
    for (size_t k = 0; k < t->n_columns; k++)
        if (t->wanted[k])
            chunk->value[k][take->n % ROWS_PER_CHUNK] = c[ROW_ENERGY + k].real[r];
    chunk->span[take->n % ROWS_PER_CHUNK] = *s;
    one.first = take->n++;
    if (!goes_on)
        return add_to_stretch(take, one);
    t->stretch[t->n_stretches - 1].n++;
    return true;
}

static enum gs_status take_part(void *context, const struct gs_frame *part, struct gs_err *err)
{
    struct taking *const take = context;
    struct span_table *const t = take->t;
    const struct gs_column *const c = part->columns;
    size_t before = SIZE_MAX; /* the row of the span before */
    struct known known[1 << KNOWN_BITS];
    memset(known, 0, sizeof known);
    for (size_t r = 0; r < part->n_rows; r++) {
        const uint32_t run = (uint32_t)c[ROW_RUN].integer[r];
        const struct gs_str group = c[ROW_GROUP].text[r], worker = c[ROW_WORKER].text[r],
                            task = c[ROW_TASK].text[r];
        if (run >= take->o->n_runs || group.len == 0 || worker.len == 0)
            return gs_fail(err, GS_ERR_DATA, "row %zu of a partial result is damaged", r + 1);
        const bool side = run >= take->o->n_base, is_copy = c[ROW_IS_COPY].integer[r] != 0;
        struct span s = {c[ROW_START].integer[r], c[ROW_STOP].integer[r], GS_CHANGE_NO_TASK,
                         (uint32_t)c[ROW_GPUS].integer[r]};
        if (task.ptr != NULL)
            s.task = number_of(&t->task, task, known);
        /* Within a block of rows the same text stands in one place: this is the stretch of the span before. */
        const bool goes_on = before != SIZE_MAX && group.ptr == c[ROW_GROUP].text[before].ptr &&
                             worker.ptr == c[ROW_WORKER].text[before].ptr &&
                             run == c[ROW_RUN].integer[before];
        struct stretch one = {.side = side,
                              .run = side ? run - take->o->n_base : run,
                              .n = 1,
                              .start_ns = s.start_ns};
        if (goes_on) {
            one.group = t->stretch[t->n_stretches - 1].group;
        } else {
            one.group = gs_intern_add(&t->group, group);
            one.worker = gs_intern_add(&t->worker, worker);
        }
        if ((task.ptr != NULL && s.task == GS_INTERN_NONE) || one.group == GS_INTERN_NONE ||
            one.worker == GS_INTERN_NONE)
            return gs_fail_memory(err);
        const struct gs_diff_copy_key key = key_of(&one, &s);
        GS_TRY(gs_had_memory(is_copy ? gs_diff_copies_add(&t->copies, &key, c, r)
                                     : take_span(take, c, r, &s, goes_on, one),
                             err));
        if (!is_copy)
            before = r;
    }
    return GS_OK;
}

/* What the copies of spans used comes to the spans: which they are, is known when all rows are there. */
static void add_copies(struct span_table *t)
{
    for (int counted = 0; counted < 2; counted++)
        for (size_t k = 0; k < t->n_stretches; k++)
            for (size_t i = t->stretch[k].first; i < t->stretch[k].first + t->stretch[k].n; i++) {
                const struct chunk *const chunk = &t->chunk[i / ROWS_PER_CHUNK];
                const struct span *const s = &chunk->span[i % ROWS_PER_CHUNK];
                const struct gs_diff_copy_key key = key_of(&t->stretch[k], s);
                struct gs_diff_copy *const copy = gs_diff_copies_find(&t->copies, &key);
                if (copy == NULL)
                    continue;
                copy->n_spans += counted == 0;
                for (size_t column = 0; counted == 1 && column < t->n_columns; column++)
                    if (t->wanted[column]) {
                        double *const v = &chunk->value[column][i % ROWS_PER_CHUNK];
                        *v = gs_diff_copies_whole(copy, column, *v, s->n_gpus);
                    }
            }
}

GS_COMPARES(by_names, struct stretch,
            GS_BY(group) GS_BY(side) GS_BY(worker) GS_BY(run) GS_BY(start_ns) GS_BY(first));

/*
 * Stretches in the order of their names, so that sums over workers have one order; those of group g are first[g] ...
 * first[g + 1]. Groups and workers are numbered anew in the order of their texts.
 */
static bool by_group(struct span_table *t, struct gs_arena *arena, size_t **first,
                     uint32_t **by_rank, uint32_t **worker_by_rank)
{
    uint32_t *group, *worker;
    size_t *const at = gs_arena_take(arena, (size_t)t->group.n + 1, sizeof *at);
    if (at == NULL || gs_intern_rank(&t->group, arena, &group, by_rank) != 0 ||
        gs_intern_rank(&t->worker, arena, &worker, worker_by_rank) != 0)
        return false;
    for (size_t i = 0; i < t->n_stretches; i++) {
        t->stretch[i].group = group[t->stretch[i].group];
        t->stretch[i].worker = worker[t->stretch[i].worker];
        at[t->stretch[i].group + 1]++;
    }
    for (uint32_t g = 0; g < t->group.n; g++)
        at[g + 1] += at[g];
    GS_SORT(t->stretch, t->n_stretches, by_names);
    *first = at;
    return true;
}

static enum gs_status take_spans(const struct gs_diff_options *o, const struct gs_state *state,
                                 uint64_t seed, struct gs_arena *arena, struct span_table *t,
                                 struct gs_err *err)
{
    struct gs_frame *rows;
    struct gs_diff_measure measure[DIFF_MEASURES_ROOM];
    const size_t n_measures = gs_diff_measures(o, measure);
    struct taking take = {.t = t, .o = o, .arena = arena};
    GS_TRY(gs_diff_rows(o, arena, &rows, err));
    GS_TRY(gs_host_rows_frame(&state->rows, rows, arena, err));
    if (rows->n_rows >= UINT32_MAX)
        return gs_fail(err, GS_ERR_RANGE, "%zu spans: at most %lu can be compared", rows->n_rows,
                       (unsigned long)UINT32_MAX - 1);
    *t = (struct span_table){.n = rows->n_rows,
                             .n_columns = rows->n_columns - ROW_ENERGY,
                             .group = {.arena = arena, .seed = seed},
                             .worker = {.arena = arena, .seed = seed},
                             .task = {.arena = arena, .seed = seed}};
    t->copies = (struct gs_diff_copies){
        .key = {.arena = arena, .seed = seed}, .n_columns = t->n_columns, .arena = arena};
    GS_TAKE(t->chunk, t->n / ROWS_PER_CHUNK + 1, arena, err);
    GS_TAKE(t->wanted, t->n_columns, arena, err);
    for (size_t k = 0; k < n_measures; k++)
        if (measure[k].column != 0)
            t->wanted[measure[k].column - ROW_ENERGY] = true;
    t->wanted[t->n_columns - 1] |= o->by.per.len > 0;
    GS_TRY(gs_frame_parts(rows, take_part, &take, err));
    if (t->copies.key.n > 0)
        add_copies(t);
    return GS_OK;
}

/* The coarsest of 1 s, 100 ms ... 1 ns of which all instants are multiples: one of either end may be so far off. */
static double resolution_of(const struct gs_change_value *v, size_t n)
{
    int64_t step = 1000000000;
    for (size_t i = 0; i < n && step > 1; i++)
        while (step > 1 && (v[i].start_ns % step != 0 || v[i].stop_ns % step != 0))
            step /= 10;
    if (step <= 1)
        return 0.0;
    return (double)step;
}

/* --- each group and measure, on several threads ------------------------------------------------------- */

struct comparing {
    const struct gs_diff_options *o;
    const struct gs_state *state;
    const struct span_table *t;
    const size_t *first;
    const uint32_t *by_rank, *worker_by_rank;
    const struct gs_diff_measure *measure;
    size_t n_measures;
    bool same_cards;
    struct held *held;       /* [n_threads]             */
    struct gs_diff_row *row; /* [n_groups * n_measures] */
};

/* The spans of a group that a thread has in order, for all measures. */
struct held {
    struct gs_arena arena;
    size_t group; /* plus one */
    size_t n[2];
    struct gs_change_value *v, *side_b;
};

GS_COMPARES(in_order, struct gs_change_value,
            GS_BY(worker) GS_BY(run) GS_BY(start_ns) GS_BY(stop_ns));

struct tied {
    struct gs_str task;
    struct gs_change_value v;
};

GS_COMPARES(by_task, struct tied, GS_DIFFER((x->task.ptr == NULL) - (y->task.ptr == NULL));
            GS_BY_TEXT(task));

/* Spans at one time are in the order of their tasks, those without behind: numbers of tasks are in none. */
static bool order_tied(const struct gs_intern *task, struct gs_change_value *v, size_t n,
                       struct gs_arena *scratch)
{
    GS_REWINDS(scratch);
    struct tied *const tied = gs_arena_take_raw(scratch, n, sizeof *tied);
    for (size_t i = 0; tied != NULL && i < n; i++)
        tied[i] = (struct tied){gs_intern_text(task, v[i].task), v[i]};
    GS_SORT(tied, n, by_task);
    for (size_t i = 0; tied != NULL && i < n; i++)
        v[i] = tied[i].v;
    return tied != NULL;
}

/* As gs_change_side wants it; hosts come in the order of their names, so that mostly nothing moves. */
static bool put_in_order(const struct gs_intern *task, struct gs_change_value *v, size_t n,
                         struct gs_arena *scratch)
{
    bool in_place = true, ties = false, done = true;
    size_t same;
    for (size_t i = 1; i < n; i++) {
        const int order = in_order(&v[i - 1], &v[i]);
        in_place &= order <= 0;
        ties |= order == 0;
    }
    if (!in_place)
        GS_SORT(v, n, in_order);
    for (size_t i = 0; i < n && done && (ties || !in_place); i += same) {
        for (same = 1; i + same < n && in_order(&v[i], &v[i + same]) == 0;)
            same++;
        done = same == 1 || order_tied(task, v + i, same, scratch);
    }
    return done;
}

/* Leaves the first spans of each worker of each run out. */
static size_t skip_first(struct gs_change_value *v, size_t n, uint64_t skip)
{
    size_t kept = 0;
    uint64_t before = 0;
    for (size_t i = 0; i < n; i++) {
        const bool same = i > 0 && v[i].worker == v[i - 1].worker && v[i].run == v[i - 1].run;
        before = same ? before + 1 : 0;
        if (before >= skip)
            v[kept++] = v[i];
    }
    return kept;
}

static bool hold_group(const struct comparing *c, size_t g, struct held *h)
{
    const struct span_table *const t = c->t;
    size_t n[2] = {0, 0}, at = 0;
    if (h->group == g + 1)
        return true;
    for (size_t k = c->first[g]; k < c->first[g + 1]; k++)
        n[t->stretch[k].side] += t->stretch[k].n;
    gs_arena_rewind(&h->arena, (struct gs_arena_mark){0});
    h->v = gs_arena_take_raw(&h->arena, n[0] + n[1], sizeof *h->v);
    if (h->v == NULL)
        return false;
    for (size_t k = c->first[g]; k < c->first[g + 1]; k++) {
        const struct stretch *const one = &t->stretch[k];
        for (size_t i = one->first; i < one->first + one->n; i++, at++) {
            const struct span *const s = &t->chunk[i / ROWS_PER_CHUNK].span[i % ROWS_PER_CHUNK];
            h->v[at] = (struct gs_change_value){.run = one->run,
                                                .worker = one->worker,
                                                .task = s->task,
                                                .start_ns = s->start_ns,
                                                .stop_ns = s->stop_ns,
                                                .at = (uint32_t)i};
        }
    }
    for (int k = 0; k < 2; k++) {
        struct gs_change_value *const v = k == 0 ? h->v : h->v + n[0];
        if (!put_in_order(&t->task, v, n[k], &h->arena))
            return false;
        h->n[k] = skip_first(v, n[k], c->o->skip);
    }
    h->side_b = h->v + n[0];
    h->group = g + 1;
    return true;
}

static double length_of(const struct gs_change_value *v)
{
    return (double)((uint64_t)v->stop_ns - (uint64_t)v->start_ns);
}

/* Of a span; with --per times and energies are of one of what it handled. */
static double value_of(const struct comparing *c, const struct gs_diff_measure *m,
                       const struct gs_change_value *v)
{
    double *const *const value = c->t->chunk[v->at / ROWS_PER_CHUNK].value;
    const size_t i = v->at % ROWS_PER_CHUNK;
    double items = 1.0;
    if (c->o->by.per.len > 0)
        items = value[c->t->n_columns - 1][i];
    if (m->kind == DIFF_DURATION)
        return length_of(v) / items;
    if (m->kind == DIFF_THROUGHPUT)
        return 1.0;
    return value[m->column - ROW_ENERGY][i] / (m->kind == DIFF_ENERGY ? items : 1.0);
}

static struct gs_energy_sum energy_sum(const struct comparing *c, struct gs_str group,
                                       uint32_t from, uint32_t to)
{
    struct gs_energy_sum sum = {0};
    for (uint32_t run = from; run < to; run++) {
        const union gs_key key[2] = {{.number = run}, {.text = group}};
        const struct gs_diff_energy *const e = gs_records_lookup(&c->state->table[0], key);
        if (e != NULL)
            gs_energy_sum_merge(&sum, &e->used);
    }
    return sum;
}

/* Half the width of the energy of one side, as a share of it: `low` ends at 0, so `high` tells the half. */
static double sensor_width(const struct gs_energy_sum *sum)
{
    double low, high;
    const double energy = gs_energy_j(sum->energy);
    gs_energy_interval(sum, &low, &high);
    return high > energy && energy > 0.0 ? (high - energy) / energy : 0.0;
}

/*
 * Sums to half a femtojoule are equal where the readings are: a run and its copy miss the same between samples, so that
 * this cancels, too.
 */
static bool has_same_readings(const struct gs_energy_sum *a, const struct gs_energy_sum *b)
{
    return a->n == b->n && a->energy == b->energy && a->time_ns == b->time_ns &&
           a->sampling_uj2 == b->sampling_uj2 && a->blind == b->blind;
}

static double sensor_widths(const struct comparing *c, struct gs_str group)
{
    const struct gs_energy_sum a = energy_sum(c, group, 0, c->o->n_base),
                               b = energy_sum(c, group, c->o->n_base, c->o->n_runs);
    if (c->same_cards && has_same_readings(&a, &b))
        return 0.0;
    return c->same_cards ? gs_energy_half_between(&a, &b)
                         : hypot(sensor_width(&a), sensor_width(&b));
}

static enum gs_status compare_measure(const struct comparing *c, const struct held *h,
                                      struct gs_diff_row *row, struct gs_arena *scratch,
                                      struct gs_err *err)
{
    const struct gs_diff_measure *const m = row->measure;
    struct gs_change_side side[2];
    struct gs_change_options o = {.throughput = m->kind == DIFF_THROUGHPUT};
    for (int k = 0; k < 2; k++) {
        struct gs_change_value *const v = k == 0 ? h->v : h->side_b;
        double length = 0.0, total = 0.0;
        for (size_t i = 0; i < h->n[k]; i++) {
            v[i].value = value_of(c, m, &v[i]);
            length += v[i].value > 0.0 ? length_of(&v[i]) : 0.0;
            total += v[i].value > 0.0 ? v[i].value : 0.0;
            row->a_total += k == 0 && v[i].value > 0.0 ? v[i].value : 0.0;
        }
        side[k] = (struct gs_change_side){v, h->n[k], 0.0};
        if (m->kind == DIFF_DURATION && length > 0.0)
            side[k].resolution = resolution_of(v, h->n[k]) * (total / length);
    }
    if (m->kind == DIFF_ENERGY || m->kind == DIFF_POWER)
        o.half_width = sensor_widths(c, row->group);
    return gs_change_find(side, &o, scratch, &row->change, err);
}

static int compare(void *context, size_t item, unsigned thread)
{
    const struct comparing *const c = context;
    struct held *const h = &c->held[thread];
    const size_t g = item / c->n_measures;
    const struct gs_diff_measure *const m = &c->measure[item % c->n_measures];
    struct gs_diff_row *const row = &c->row[item];
    const struct gs_str group = c->t->group.text[c->by_rank[g]];
    if (!(group.ptr[0] == OF_LOG ? m->of_logs : m->of_events))
        return 0;
    if (!hold_group(c, g, h))
        return (int)GS_ERR_MEMORY;
    row->group = group;
    row->measure = m;
    row->hosts = c->t->worker.text[c->worker_by_rank[h->v[0].worker]].ptr[0] == HOST_WORKER;
    const enum gs_status status = compare_measure(c, h, row, &h->arena, NULL);
    if (status == GS_OK && !isnan(row->change.odd))
        row->odd_worker = c->t->worker.text[c->worker_by_rank[row->change.odd_worker]];
    return (int)status;
}

/* Have A and B the same cards? And how many each has. */
static bool same_cards(const struct gs_records *cards, double gpus[2])
{
    uint32_t n[2] = {0, 0};
    bool same = true;
    for (uint32_t k = 0; k < cards->n; k++) {
        const union gs_key *const key = gs_records_key(cards, k, 2);
        const bool side = key[0].number != 0; /* a damaged partial result may hold any number */
        const union gs_key other[2] = {{.number = !side}, {.text = key[1].text}};
        n[side]++;
        gpus[side] += (double)*(const uint64_t *)gs_records_at(cards, k);
        same &= gs_records_lookup(cards, other) != NULL;
    }
    return same && n[0] > 0 && n[1] > 0;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct gs_column_spec columns[] = {
    GS_COL(MEASURE),
    GS_COL(N_A),
    GS_COL(N_B),
    GS_COL(UNIT),
    GS_COL(UNITS_A),
    GS_COL(UNITS_B),
    GS_COL(A),
    GS_COL(B),
    GS_COL(CHANGE_PCT),
    GS_COL(LOW_PCT),
    GS_COL(HIGH_PCT),
    GS_COL(TOTAL_CHANGE_PCT),
    GS_COL(P_VALUE, .how = "probability of such a change if nothing changed"),
    GS_COL(P_HOLM),
    GS_COL(VERDICT, .how = "more or less (slower or faster of a duration): the interval is clear of 0, reaches beyond the margin, and p_holm is below 0.05; same: the interval lies within the margin; only_a, only_b; else unsure"),
    GS_COL(PAIRING),
    GS_COL(MEASURE_UNIT),
};
/* clang-format on */

/* A verdict in the words of the measure. */
static const char *verdict_words(enum gs_change_verdict v, enum gs_diff_kind kind)
{
    static const char *const word[] = {
        [GS_CHANGE_ONLY_A] = "only_a", [GS_CHANGE_ONLY_B] = "only_b", [GS_CHANGE_UNSURE] = "unsure",
        [GS_CHANGE_SAME] = "same",     [GS_CHANGE_MORE] = "more",     [GS_CHANGE_LESS] = "less"};
    if (kind == DIFF_DURATION && v == GS_CHANGE_MORE)
        return "slower";
    return kind == DIFF_DURATION && v == GS_CHANGE_LESS ? "faster" : word[v];
}

static const char *unit_word(const struct gs_diff_row *row)
{
    if (row->change.unit == GS_CHANGE_RUN)
        return "run";
    if (row->change.unit == GS_CHANGE_BLOCK)
        return "block";
    return row->hosts ? "host" : "gpu";
}

static const char *pairing_word(const struct gs_change *c)
{
    if (c->same_tasks)
        return "task";
    return c->same_units ? "unit" : "none";
}

static void set_row(struct gs_frame *f, size_t at, const struct gs_diff_row *row)
{
    const struct gs_change *const c = &row->change;
    const struct gs_diff_measure *const m = row->measure;
    GS_PUT(f, at, GS_TEXT(MEASURE, m->name), GS_INT(N_A, (int64_t)c->n[0]),
           GS_INT(N_B, (int64_t)c->n[1]), GS_TEXT(UNIT, gs_str(unit_word(row))),
           GS_INT(UNITS_A, (int64_t)c->units[0]), GS_INT(UNITS_B, (int64_t)c->units[1]),
           GS_REAL(A, c->typical[0] / m->scale), GS_REAL(B, c->typical[1] / m->scale),
           GS_REAL(CHANGE_PCT, gs_change_pct(c->change)), GS_REAL(LOW_PCT, gs_change_pct(c->low)),
           GS_REAL(HIGH_PCT, gs_change_pct(c->high)),
           GS_REAL(TOTAL_CHANGE_PCT, gs_change_pct(c->total)), GS_REAL(P_VALUE, c->p),
           GS_REAL(P_HOLM, row->p_holm),
           GS_TEXT(VERDICT, gs_str(verdict_words(row->verdict, m->kind))),
           GS_TEXT(PAIRING, gs_str(pairing_word(c))));
    if (m->unit[0] != '\0')
        GS_PUT(f, at, GS_TEXT(MEASURE_UNIT, gs_str(m->unit)));
}

/* What is to be compared and nowhere there leaves no row, and is told. */
static size_t keep_rows(struct gs_diff_row *row, size_t n, const struct gs_diff_options *o,
                        struct gs_notes *notes)
{
    size_t kept = 0;
    uint64_t left_out = 0;
    for (size_t i = 0; i < n; i++) {
        left_out += row[i].measure != NULL ? row[i].change.n_left_out : 0;
        if (row[i].measure != NULL && row[i].change.n[0] + row[i].change.n[1] > 0)
            row[kept++] = row[i];
    }
    for (size_t k = 0; k < o->n_measures; k++) {
        bool any = false;
        for (size_t i = 0; i < kept; i++)
            any |= gs_str_eq(row[i].measure->name, o->measure[k]);
        if (!any)
            gs_note(notes, GS_NOTE_WARNING, "no values of %s in A or B: it has no row",
                    GS_SHOWN(o->measure[k], 80));
    }
    if (left_out > 0)
        gs_note(notes, GS_NOTE_INFO, "%llu values are missing or not above 0: they are left out",
                (unsigned long long)left_out);
    return kept;
}

static enum gs_status judge(struct gs_diff_row *row, size_t n, double margin,
                            struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(double, p, n, arena, err);
    for (size_t i = 0; i < n; i++)
        p[i] = row[i].change.p;
    GS_TRY(gs_holm(p, n, p, arena, err));
    for (size_t i = 0; i < n; i++) {
        row[i].p_holm = p[i];
        row[i].verdict = gs_change_judge(&row[i].change, margin, p[i]);
    }
    return GS_OK;
}

enum gs_status gs_diff_gate_parse(const char *text, struct gs_diff_gate *gate, struct gs_err *err)
{
    char *end;
    const size_t n = strcspn(text, "<>");
    const char sign = text[n] == '>' ? '+' : '-';
    const char *const number =
        text[n] == '\0' ? text + n : text + n + 1 + strspn(text + n + 1, " ");
    size_t len = n;
    while (len > 0 && text[len - 1] == ' ')
        len--;
    const double limit = *number == sign ? strtod(number + 1, &end) : 0;
    if (len == 0 || *number != sign || number[1] < '0' || number[1] > '9' ||
        strcmp(end, "%") != 0 || !(limit < 1e6))
        return gs_fail(err, GS_ERR_USAGE,
                       "--fail-if: '%s' must be a measure and its change, as in 'duration>+5%%' or "
                       "'throughput<-5%%'",
                       GS_SHOWN(gs_str(text), 100));
    *gate = (struct gs_diff_gate){{text, len}, sign == '+' ? 1 : -1, limit};
    return GS_OK;
}

/* The name of a measure, or total_ before it: the change of the mean, which a few long spans move, too. */
static bool is_about(const struct gs_diff_gate *g, const struct gs_diff_row *row, bool *total)
{
    static const char word[] = "total_";
    const size_t n = sizeof word - 1;
    const struct gs_str name = row->measure->name, m = g->measure;
    *total = m.len == n + name.len && memcmp(m.ptr, word, n) == 0 &&
             memcmp(m.ptr + n, name.ptr, name.len) == 0;
    return *total || gs_str_eq(m, name);
}

/* Does a row go beyond the gate, or may it? A group that is gone was not measured. */
static bool fails(const struct gs_diff_gate *g, const struct gs_diff_row *row, bool unsure_fails)
{
    bool total;
    const struct gs_change *const c = &row->change;
    const enum gs_change_verdict bad = g->sign > 0 ? GS_CHANGE_MORE : GS_CHANGE_LESS;
    const double change = g->sign * gs_change_pct(c->change);
    const double furthest = gs_change_pct(g->sign > 0 ? c->high : c->low) * g->sign;
    if (!is_about(g, row, &total))
        return false;
    if (total && row->verdict != GS_CHANGE_ONLY_A)
        return g->sign * gs_change_pct(c->total) > g->limit_pct;
    if (row->verdict == GS_CHANGE_ONLY_A || (row->verdict == bad && change > g->limit_pct))
        return true;
    /* Without an interval nothing is known to be within the limit. */
    return unsure_fails && row->verdict != GS_CHANGE_ONLY_B && !(furthest <= g->limit_pct);
}

static enum gs_status gates(const struct gs_diff_options *o, const struct gs_diff_row *row,
                            size_t n, struct gs_notes *notes, struct gs_err *err)
{
    size_t n_failed = 0;
    for (size_t g = 0; g < o->n_gates; g++) {
        bool any = false, total;
        for (size_t i = 0; i < n; i++) {
            any |= is_about(&o->gate[g], &row[i], &total);
            n_failed += fails(&o->gate[g], &row[i], o->unsure_fails);
        }
        if (!any)
            return gs_fail(err, GS_ERR_USAGE,
                           "--fail-if: no row has the measure '%s'; see --measure",
                           GS_SHOWN(o->gate[g].measure, 80));
    }
    if (n_failed > 0)
        gs_note(notes, GS_NOTE_WARNING, "--fail-if holds in %zu of %zu rows: exit status 1",
                n_failed, n);
    return n_failed > 0 ? GS_FINDINGS : GS_OK;
}

static enum gs_status make_frame(const struct gs_diff_told *t, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err)
{
    static const enum gs_column_id shown[] = {
        GS_COL_MEASURE,      GS_COL_A,          GS_COL_B,
        GS_COL_MEASURE_UNIT, GS_COL_CHANGE_PCT, GS_COL_LOW_PCT,
        GS_COL_HIGH_PCT,     GS_COL_VERDICT,    GS_COL_TOTAL_CHANGE_PCT,
        GS_COL_UNIT,         GS_COL_UNITS_A,    GS_COL_UNITS_B,
        GS_COL_PAIRING,      GS_COL_N_A,        GS_COL_N_B,
        GS_COL_P_VALUE,      GS_COL_P_HOLM};
    const size_t k = t->o->by.n_keys, n = k + sizeof columns / sizeof *columns;
    GS_NEW(struct gs_column_spec, specs, n, arena, err);
    GS_NEW(size_t, order, n, arena, err);
    struct gs_frame *f;
    if (!gs_by_columns(&t->o->by, arena, specs))
        return gs_fail_memory(err);
    memcpy(specs + k, columns, sizeof columns);
    GS_TRY(gs_frame_new(arena, GS_HEAD("diff", "B against A", specs, n), t->n, out, &f, err));
    for (size_t c = 0; c < n; c++)
        order[c] = c < k ? c : (size_t)gs_frame_column(f, shown[c - k]);
    f->order = order;
    for (size_t i = 0; i < t->n; i++) {
        const struct gs_str key = {t->row[i].group.ptr + 1, t->row[i].group.len - 1};
        gs_by_cells(&t->o->by, f, i, key);
        set_row(f, i, &t->row[i]);
    }
    return gs_had_memory(gs_diff_say(t, arena, &f->lead, &f->below), err);
}

enum gs_status gs_diff_finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_diff_options *const o = of->options;
    struct gs_diff_measure measure[DIFF_MEASURES_ROOM];
    struct span_table t;
    struct comparing c = {.o = o, .state = of->state, .t = &t, .measure = measure};
    struct gs_diff_told told = {.o = o, .n_base = o->n_base, .n_new = o->n_runs - o->n_base};
    size_t *first;
    uint32_t *by_rank, *worker_by_rank;
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    c.n_measures = gs_diff_measures(o, measure);
    c.same_cards = told.same_cards = same_cards(&of->state->table[1], told.gpus);
    enum gs_status s = take_spans(o, of->state, of->facts->seed, of->arena, &t, err);
    if (s != GS_OK)
        return s;
    GS_TAKE(c.held, of->n_threads, of->arena, err);
    GS_TAKE(c.row, t.group.n * c.n_measures, of->arena, err);
    if (!by_group(&t, of->arena, &first, &by_rank, &worker_by_rank))
        return gs_fail_memory(err);
    c.first = first;
    c.by_rank = by_rank;
    c.worker_by_rank = worker_by_rank;
    if (gs_parallel_for(of->n_threads, t.group.n * c.n_measures, compare, &c) != 0)
        s = gs_fail_memory(err); /* nothing else can be wrong with a row */
    for (unsigned k = 0; k < of->n_threads; k++)
        gs_arena_release(&c.held[k].arena);
    told.row = c.row;
    if (s == GS_OK) {
        told.n = keep_rows(c.row, t.group.n * c.n_measures, o, &out->notes);
        s = judge(c.row, told.n, o->margin, of->arena, err);
    }
    GS_THEN(s, make_frame(&told, of->arena, out, err));
    return s == GS_OK ? gates(o, c.row, told.n, &out->notes, err) : s;
}
