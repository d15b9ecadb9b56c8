/*
 * names_apart.c - whose the readings of one time are. Two series that differ in any label are never one: where hosts and
 * GPUs that are known do not tell them apart, what differs does.
 */
#include <limits.h>

#include "base/core/intern.h"
#include "input/detect/names_parts.h"
#include "input/import/value.h"
#include "base/core/pattern.h"

/* Two rows of one time, host, GPU and metric with other readings. */
struct conflict {
    size_t row, before;
    bool settled; /* by a column that was chosen */
};

struct conflicts {
    const struct inference *g;
    struct gs_source *s;
    uint32_t time;
    bool labels;           /* every other column is a label of a series */
    struct gs_arena *room; /* of what is compared: as large as the rows, and needed here alone */
    struct conflict *item;
    size_t n;
};

static bool fits(const struct gs_preview *h, size_t row, const struct gs_map_wheres *wheres)
{
    bool all = true;
    for (size_t i = 0; i < wheres->n && all; i++) {
        const struct gs_map_where *const w = &wheres->item[i];
        const struct gs_str cell = gs_preview_cell(h, row, gs_preview_find(h, w->column.ptr));
        all = false;
        for (size_t k = 0; k < w->pattern.n && cell.ptr != NULL; k++)
            all |= gs_pattern_match(w->pattern.item[k], cell, NULL);
    }
    return all;
}

/* What rows of one metric have in common that no reading tells apart. */
static struct gs_str key_of(const struct conflicts *c, size_t row, struct gs_buf *b)
{
    const struct gs_map_value *const own[] = {&c->s->host, &c->s->gpu, &c->s->job};
    const struct gs_preview *const h = c->g->h;
    b->len = 0;
    gs_buf_add(b, gs_str_or(gs_preview_cell(h, row, c->time), gs_str("")));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        gs_buf_char(b, '\0');
        for (size_t k = 0; k < own[i]->column.n; k++) {
            const struct gs_str cell =
                gs_preview_cell(h, row, gs_preview_find(h, own[i]->column.item[k].ptr));
            if (cell.ptr != NULL)
                gs_buf_add(b, gs_str_or(gs_value_refined(own[i], cell), gs_str("")));
            gs_buf_char(b, '\0');
        }
    }
    return gs_buf_str(b);
}

/* Adds the conflicts of a metric's rows; of rows of one key that follow one another so many are compared at most. */
static void add_conflicts(struct conflicts *c, const struct gs_map_value *v)
{
    enum { BACK = 64 };
    const struct gs_preview *const h = c->g->h;
    const uint32_t column = gs_preview_plain_column(h, v);
    struct gs_arena *const arena = c->room;
    struct gs_intern keys = {.arena = arena};
    struct gs_buf key = {.arena = arena};
    size_t *const before = gs_arena_take(arena, h->n_rows, sizeof *before); /* of the key, + 1 */
    size_t *const last = gs_arena_take(arena, h->n_rows, sizeof *last);
    for (size_t i = 0; column != UINT32_MAX && before != NULL && last != NULL && i < h->n_rows;
         i++) {
        const struct gs_str value = gs_preview_cell(h, i, column);
        if (value.ptr == NULL || !fits(h, i, &c->s->where) || !fits(h, i, &v->where))
            continue;
        const uint32_t id = gs_intern_add(&keys, key_of(c, i, &key));
        if (id == GS_INTERN_NONE)
            return;
        before[i] = last[id];
        last[id] = i + 1;
        size_t at = before[i];
        for (size_t n = 0; at > 0 && n < BACK; n++, at = before[at - 1])
            if (!gs_str_eq(value, gs_preview_cell(h, at - 1, column)) &&
                GS_HAS_ROOM(arena, c->item, c->n))
                c->item[c->n++] = (struct conflict){i, at - 1, false};
    }
}

static bool parts(const struct conflicts *c, const struct conflict *one, uint32_t column)
{
    const struct gs_str a = gs_preview_cell(c->g->h, one->row, column),
                        b = gs_preview_cell(c->g->h, one->before, column);
    return (a.ptr == NULL) != (b.ptr == NULL) || (a.ptr != NULL && !gs_str_eq(a, b));
}

/* Do the cells number things: 0, 1, 2 without a gap? */
static bool numbers_things(const struct gs_preview *h, uint32_t column)
{
    enum { MOST = 64 };
    uint64_t met = 0, v;
    struct gs_str cell;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);) {
        if (gs_count_parse(gs_trimmed(cell), MOST - 1, &v) != GS_NUMBER_OK)
            return false;
        met |= UINT64_C(1) << v;
    }
    met = (met & 1) != 0 ? met : met >> 1;
    return met != 0 && (met & (met + 1)) == 0;
}

/* Does each name come at several times, as those of GPUs do? Where there is one time, none can. */
static bool comes_back(const struct conflicts *c, uint32_t column)
{
    const struct gs_preview *const h = c->g->h;
    struct gs_intern names = {.arena = c->room}, times = {.arena = c->room};
    size_t n = 0;
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(h, i, column),
                            time = gs_preview_cell(h, i, c->time);
        if (cell.ptr == NULL || time.ptr == NULL)
            continue;
        (void)gs_intern_add(&names, cell);
        (void)gs_intern_add(&times, time);
        n++;
    }
    return times.n < 2 || (size_t)names.n * 2 <= n;
}

/* Are some of the cells words of statistics (max, avg, 0.95)? Then rows tell of one thing in several ways. */
static bool holds_statistics(const struct gs_preview *h, uint32_t column)
{
    struct gs_str cell;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);)
        if (gs_is_aggregate(cell))
            return true;
    return false;
}

/* What a column may do for rows of one time, the best first. */
enum use {
    OF_GPU, /* by its name */
    OF_HOST,
    BY_WORD,   /* its name says nothing */
    OF_TENANT, /* names no GPU, though it may tell rows apart */
    NO_USE
};

/* May a column hold names that nothing else has a use for: labels, words that come again, or numbers of things? */
static bool may_name(const struct conflicts *c, uint32_t column)
{
    const struct gs_preview *const h = c->g->h;
    const struct gs_str name = h->column[column];
    bool used = column == c->time || gs_source_reads(c->s, name) || name.len == 0;
    for (size_t k = 0; k < c->s->metrics.n; k++)
        for (size_t i = 0; i < c->s->metrics.item[k].value.where.n; i++)
            used |= gs_str_eq(name, c->s->metrics.item[k].value.where.item[i].column);
    if (used || !gs_infer_has_values(h, column))
        return false;
    return c->labels || (!gs_infer_is_of_work(c->g, column) &&
                         (numbers_things(h, column) || gs_infer_contains_words(h, column)) &&
                         comes_back(c, column));
}

static enum use use_of(const struct conflicts *c, uint32_t column)
{
    const struct gs_preview *const h = c->g->h;
    const struct gs_str name = h->column[column];
    if (!may_name(c, column))
        return NO_USE;
    if (holds_statistics(h, column) || gs_infer_names_no_gpu(name))
        return OF_TENANT;
    if (gs_infer_owner_rank(name, false) != UINT_MAX)
        return OF_GPU;
    return gs_infer_owner_rank(name, true) != UINT_MAX ? OF_HOST : BY_WORD;
}

/* How many of the open conflicts a column tells apart. */
static size_t count_parted(const struct conflicts *c, uint32_t column)
{
    size_t n = 0;
    for (size_t k = 0; k < c->n; k++)
        n += !c->item[k].settled && parts(c, &c->item[k], column);
    return n;
}

/* The column that tells most of what is open apart, the best called of several; UINT32_MAX: none does. */
static uint32_t best_column(const struct conflicts *c, bool tenants, enum use *use)
{
    uint32_t best = UINT32_MAX;
    size_t most = 0;
    for (uint32_t i = 0; i < c->g->h->n_columns; i++) {
        const enum use of = use_of(c, i);
        const size_t n = of == NO_USE || (of == OF_TENANT) != tenants ? 0 : count_parted(c, i);
        if (n < most || n == 0 || (n == most && of >= *use))
            continue;
        best = i;
        most = n;
        *use = of;
    }
    return best;
}

/* Adds a column to a value: in front, where its pattern keeps what stands there. */
static void join(const struct inference *g, struct gs_map_value *v, struct gs_str column)
{
    struct gs_texts all = {0};
    if (v->like.ptr != NULL)
        (void)gs_texts_add(&all, column, g->arena);
    for (size_t i = 0; i < v->column.n; i++)
        (void)gs_texts_add(&all, v->column.item[i], g->arena);
    if (v->like.ptr == NULL)
        (void)gs_texts_add(&all, column, g->arena);
    v->column = all;
    v->kind = all.n > 1 ? GS_VALUE_JOINED : GS_VALUE_COLUMN;
}

/* Makes a column a name of hosts or of GPUs, beside what is known, and says so. */
static void take(struct conflicts *c, uint32_t column, enum use use)
{
    const struct inference *const g = c->g;
    const struct gs_str name = g->h->column[column];
    const bool of_host =
        use == OF_HOST || gs_words_have(name, "cluster rack site datacenter zone region chassis");
    struct gs_map_value *const v = of_host ? &c->s->host : &c->s->gpu;
    const char *const role = of_host ? "host" : "gpu", *const other = of_host ? "gpu" : "host";
    join(g, v, name);
    if (use == BY_WORD)
        gs_infer_note(g, &c->s->notes,
                      "readings of one time differ in '%s': it is taken for the %s's name (--set "
                      "samples.%s=COLUMN names another column; samples.%s=%s if it names a %s)",
                      GS_SHOWN(name, 64), of_host ? "host" : "GPU", role, other, GS_SHOWN(name, 64),
                      of_host ? "GPU" : "host");
}

/* Keeps that nothing but what names no GPU tells the readings of one time apart, and what to type. */
static void doubt(struct conflicts *c, uint32_t column)
{
    const struct gs_preview *const h = c->g->h;
    struct gs_buf b = {.arena = c->g->arena};
    struct gs_str one = gs_infer_first(h, column), cell;
    for (size_t i = 0; gs_is_other_device(one) && gs_infer_next(h, column, &i, &cell);)
        one = cell;
    gs_buf_format(&b,
                  "has several rows at one time, which column '%s' tells apart: type --set "
                  "'samples.gpu=",
                  GS_SHOWN(h->column[column], 64));
    gs_buf_escaped(&b, h->column[column], 0); /* whole: it is to be typed */
    gs_buf_text(&b, "' (or samples.host) if it names whose they are");
    gs_buf_format(&b, ", 'samples.where.%s=%s' for one of them", GS_SHOWN(h->column[column], 64),
                  GS_SHOWN(one, 64));
    c->s->ambiguity = gs_buf_whole(&b);
    c->s->host_settles = true;
}

/*
 * Series that have the same labels are one, whatever they read. Rows of a table are so where its clock is too coarse, unless
 * columns tell all of them apart.
 */
static bool are_settled(const struct conflicts *c)
{
    for (size_t k = 0; k < c->n; k++)
        if (!c->item[k].settled)
            return c->labels;
    return true;
}

/* Collects the conflicts of powers and energies, or where there are none of all metrics. */
static void collect_conflicts(struct conflicts *c)
{
    const struct gs_map_fields *const f = &c->s->metrics;
    bool powers = false;
    for (size_t k = 0; k < f->n; k++)
        powers |= gs_is_measure(gs_metric_find(f->item[k].name));
    for (size_t k = 0; k < f->n; k++)
        if (!powers || gs_is_measure(gs_metric_find(f->item[k].name)))
            add_conflicts(c, &f->item[k].value);
}

void gs_infer_apart(const struct inference *g, struct gs_source *s)
{
    enum { MOST = 4 }; /* columns together */
    GS_OWN struct gs_arena room = {0};
    struct conflicts c = {.room = &room,
                          .g = g,
                          .s = s,
                          .time = gs_preview_plain_column(g->h, &s->time),
                          .labels = g->h->form->series != NULL};
    uint32_t column[MOST], n = 0;
    enum use use[MOST] = {NO_USE, NO_USE, NO_USE, NO_USE}, tenant = NO_USE;
    if (c.time != UINT32_MAX)
        collect_conflicts(&c);
    while (c.n > 0 && n < MOST && (column[n] = best_column(&c, false, &use[n])) != UINT32_MAX) {
        for (size_t k = 0; k < c.n; k++)
            c.item[k].settled |= parts(&c, &c.item[k], column[n]);
        n++;
    }
    const bool settled = are_settled(&c);
    for (uint32_t i = 0; settled && i < n; i++)
        take(&c, column[i], use[i]);
    for (size_t k = 0; !settled && k < c.n; k++)
        c.item[k].settled = false;
    const uint32_t open = best_column(&c, true, &tenant);
    if (open != UINT32_MAX && (c.labels || count_parted(&c, open) == c.n))
        doubt(&c, open);
    const uint32_t gpu = gs_preview_plain_column(g->h, &s->gpu);
    const struct gs_str model = gs_infer_first(g->h, gpu);
    if (!settled && open == UINT32_MAX && gs_str_find_byte(model, ' ') < model.len &&
        !gs_infer_differs(g->h, gpu)) /* all are of one model, which names none of them */
        s->gpu = (struct gs_map_value){0};
    g->arena->failed |= room.failed; /* what is not compared must not pass for one GPU */
}
