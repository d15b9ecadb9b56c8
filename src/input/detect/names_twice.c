/* names_twice.c - columns that occur twice: under one name, or as two candidates for one metric. */
#include <string.h>

#include "base/num/order.h"
#include "base/core/pattern.h"
#include "input/detect/names_parts.h"

/* What stands behind a name that a table has again: of the reader of headers, pandas, Grafana. */
static const char *const again[] = {" (2)", ".1", "_1"};

/* The column of that name once more, and how it is marked as such; UINT32_MAX: none. */
static uint32_t second_of(const struct inference *g, struct gs_str name, const char **how)
{
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const struct gs_str c = g->h->column[i];
        for (size_t k = 0; k < sizeof again / sizeof *again; k++)
            if (c.len > name.len && memcmp(c.ptr, name.ptr, name.len) == 0 &&
                gs_str_eq(gs_str_after(c, name.len), gs_str(again[k]))) {
                *how = again[k];
                return i;
            }
    }
    return UINT32_MAX;
}

static bool differ(const struct gs_preview *h, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str x = gs_preview_cell(h, i, a), y = gs_preview_cell(h, i, b);
        if ((x.ptr == NULL) != (y.ptr == NULL) || (x.ptr != NULL && !gs_str_eq(x, y)))
            return true;
    }
    return false;
}

/* Do two columns say the same in units of their own, as power_mw and power_w do, but for the digits that one leaves out? */
static bool agree(const struct inference *g, uint32_t a, uint32_t b)
{
    enum { SHARE = 1000 };
    const struct gs_unit x = g->name[a].unit, y = g->name[b].unit;
    if (x.quantity == GS_Q_NONE || x.quantity != y.quantity)
        return false;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        int64_t v = 0, w = 0;
        const struct gs_str p = gs_preview_cell(g->h, i, a), q = gs_preview_cell(g->h, i, b);
        if (p.ptr == NULL || q.ptr == NULL ||
            gs_scaled_parse_comma(p, x, &v, NULL) != GS_NUMBER_OK ||
            gs_scaled_parse_comma(q, y, &w, NULL) != GS_NUMBER_OK ||
            gs_max(v, w) - gs_min(v, w) > gs_max(v, w) / SHARE)
            return false;
    }
    return true;
}

/* The column of a value that the header says again, with other values; UINT32_MAX: none. */
static uint32_t doubled_of(const struct inference *g, const struct gs_map_value *v,
                           const char **how)
{
    for (uint32_t i = 0; v->where.n == 0 && i < g->h->n_columns; i++) {
        const struct gs_str name = g->h->column[i];
        if (v->kind != GS_VALUE_COLUMN && v->kind != GS_VALUE_COLUMNS)
            break;
        if (!gs_map_value_takes(v, name))
            continue;
        const uint32_t second = second_of(g, name, how);
        if (second != UINT32_MAX && differ(g->h, i, second))
            return i;
    }
    return UINT32_MAX;
}

/* Makes a metric that the header names again one of as many GPUs, the first of which has no name. */
static void give_to_gpus(const struct inference *g, struct gs_str column, const char *how,
                         struct gs_map_value *v)
{
    struct gs_buf b = {.arena = g->arena};
    gs_pattern_put(&b, column);
    for (; *how != '\0'; how++)
        gs_buf_text(&b, gs_is_digit(*how) ? "{gpu}" : (const char[]){*how, '\0'});
    gs_buf_char(&b, '|');
    gs_pattern_put(&b, column);
    v->kind = GS_VALUE_COLUMNS;
    v->text = gs_buf_str(&b);
}

/* Powers that the header names again are of several GPUs; readings beside them may be of either. */
static uint32_t doubled_metrics(const struct inference *g, struct gs_source *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->metrics.n; i++) {
        const char *how = NULL;
        struct gs_map_field f = s->metrics.item[i];
        const uint32_t twice = doubled_of(g, &f.value, &how);
        const bool measure = gs_is_measure(gs_metric_find(f.name));
        if (twice == UINT32_MAX || measure)
            s->metrics.item[n++] = f;
        if (twice == UINT32_MAX)
            continue;
        const char *const name = GS_SHOWN(g->h->column[twice], 84);
        if (measure && (s->gpu.kind != GS_VALUE_NONE || f.value.kind != GS_VALUE_COLUMN))
            return twice;
        if (measure) {
            give_to_gpus(g, g->h->column[twice], how, &s->metrics.item[n - 1].value);
            gs_infer_note(g, &s->warnings,
                          "its header names '%s' again, with other values: read as of so many GPUs "
                          "(--power-column takes one)",
                          name);
        } else {
            gs_infer_note(g, &s->notes,
                          "not read: '%s', which the header names twice, with other values", name);
        }
    }
    s->metrics.n = n;
    return UINT32_MAX;
}

const char *gs_infer_doubled(const struct inference *g, struct gs_source *s)
{
    const struct gs_map_value *const own[] = {&s->time, &s->host, &s->gpu};
    uint32_t at = UINT32_MAX;
    for (size_t i = 0; i < sizeof own / sizeof *own && at == UINT32_MAX; i++)
        at = doubled_of(g, own[i], &(const char *){NULL});
    if (at == UINT32_MAX && (at = doubled_metrics(g, s)) == UINT32_MAX)
        return NULL;
    return gs_format(g->arena,
                     "its header names a column twice, and the values differ; name the columns by "
                     "their places with --set samples.columns=NAME,NAME,... (twice: '%s')",
                     GS_SHOWN(g->h->column[at], 84));
}

/* What may be a metric's value beside the one that was taken. */
struct rival {
    struct gs_str column, value; /* value: the column, or the pattern that it fits */
    struct gs_str gpu;           /* ptr == NULL: the row's                         */
};

/* Is another column the same metric as a value that was taken? False too where it is one of the value's own. */
static bool is_candidate(const struct inference *g, uint32_t i, const struct gs_metric *m,
                         const struct gs_map_value *v, char pattern[GS_NAME_MAX], struct rival *r)
{
    bool unknown = false, has_unit = false;
    const struct gs_str first = gs_infer_first(g->h, i), name = g->h->column[i];
    struct gs_kept kept = {.gpu = {NULL, 0}};
    if (first.ptr == NULL)
        return false;
    *r = (struct rival){.column = name, .value = name};
    if (v->kind == GS_VALUE_COLUMN)
        return !gs_texts_contain(&v->column, name) &&
               gs_infer_metric_of(g, i, 0, &unknown, &has_unit) == m &&
               (!unknown || has_unit || g->name[i].unit.quantity != GS_Q_NONE);
    if (v->kind != GS_VALUE_COLUMNS || gs_infer_wide_column(g, i, pattern, &unknown) != m ||
        unknown)
        return false;
    r->value = gs_str(pattern);
    (void)gs_pattern_match(r->value, name, &kept);
    r->gpu = kept.gpu;
    return !gs_str_eq(r->value, v->text) && !gs_pattern_match(v->text, name, NULL);
}

/* The column of a value that is of the same GPU as another; UINT32_MAX: none is. */
static uint32_t own_column(const struct inference *g, const struct gs_map_value *v,
                           const struct rival *r)
{
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        struct gs_kept kept;
        if (v->kind == GS_VALUE_COLUMN
                ? gs_texts_contain(&v->column, g->h->column[i])
                : gs_pattern_match(v->text, g->h->column[i], &kept) && gs_str_eq(kept.gpu, r->gpu))
            return i;
    }
    return UINT32_MAX;
}

/* How to say that one of two columns counts; `power` alone is told a column. */
static void put_choice(const struct inference *g, const struct gs_metric *m,
                       const struct gs_map_value *v, struct gs_str column, struct gs_str value,
                       struct gs_buf *b)
{
    if (!g->alone) {
        gs_put_set(b, m->name, v->kind == GS_VALUE_COLUMN ? "column" : "columns", value);
        return;
    }
    gs_buf_text(b, " --power-column '");
    gs_buf_escaped(b, column, 0);
    gs_buf_char(b, '\'');
}

/* Keeps that two columns are one metric of one GPU, and how to say which counts. */
static void note_two(const struct inference *g, const struct gs_metric *m,
                     const struct gs_map_value *v, uint32_t own, const struct rival *r)
{
    const struct gs_str column = g->h->column[own];
    struct gs_buf b = {.arena = g->arena};
    gs_buf_format(&b, "columns '%s' and '%s' are both %s", GS_SHOWN(column, 84),
                  GS_SHOWN(r->column, 84), m->name);
    if (r->gpu.ptr != NULL)
        gs_buf_format(&b, " of GPU %s", GS_SHOWN(r->gpu, 44));
    gs_buf_text(&b, "; choose one with");
    put_choice(g, m, v, column, v->kind == GS_VALUE_COLUMN ? column : v->text, &b);
    gs_buf_text(&b, " or");
    put_choice(g, m, v, r->column, r->value, &b);
    gs_infer_missing(g, &b, gs_str(""), m);
}

/* A column with other values that is as much the metric as that of a value is; UINT32_MAX: none. *own is the value's. */
static uint32_t second_candidate(const struct inference *g, const struct gs_metric *m,
                                 const struct gs_map_value *v, char pattern[GS_NAME_MAX],
                                 struct rival *r, uint32_t *own)
{
    if (v->where.n > 0 || v->kind == GS_VALUE_JOINED ||
        (g->alone && gs_metric_quantity(m) != GS_Q_POWER)) /* of which `power` tells nothing */
        return UINT32_MAX;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        if (!is_candidate(g, i, m, v, pattern, r))
            continue;
        *own = own_column(g, v, r);
        if (*own != UINT32_MAX && gs_infer_has_values(g->h, *own) && differ(g->h, *own, i) &&
            !agree(g, *own, i))
            return i;
    }
    return UINT32_MAX;
}

/* Does a column mean what another does, in its unit, and has a value only where that has none? */
static bool continues(const struct inference *g, uint32_t own, uint32_t i,
                      const struct gs_metric *m)
{
    const struct gs_preview *const h = g->h;
    const struct gs_unit *const a = &g->name[own].unit, *const b = &g->name[i].unit;
    bool needs_unit;
    unsigned rank;
    if (m == NULL ? !gs_name_fits(&g->name[i], GS_MEANS_TIME, &rank)
                  : gs_name_metric(&g->name[i], &needs_unit) != m &&
                        gs_words_metric(h->column[i], &rank) != m)
        return false;
    if ((m != NULL && a->quantity != b->quantity) || a->num != b->num || a->den != b->den)
        return false;
    size_t n = 0;
    for (size_t k = 0; k < h->n_rows; k++) {
        const bool has = gs_preview_cell(h, k, i).ptr != NULL;
        n += has;
        if (has && gs_preview_cell(h, k, own).ptr != NULL)
            return false;
    }
    return n > 0;
}

/* Several tables in one file may call one thing by several names: all of them are its column. */
static void join_tables(const struct inference *g, struct gs_map_value *v,
                        const struct gs_metric *m)
{
    const uint32_t own = gs_preview_plain_column(g->h, v);
    for (uint32_t i = 0; own != UINT32_MAX && i < g->h->n_columns; i++)
        if (i != own && continues(g, own, i, m) &&
            gs_texts_add(&v->column, g->h->column[i], g->arena))
            v->kind = GS_VALUE_JOINED;
}

void gs_infer_settle(const struct inference *g, struct gs_source *s)
{
    struct gs_map_fields *const f = &s->metrics;
    const bool table = g->h->form->delimited;
    size_t n = 0;
    if (table && f->n > 0)
        join_tables(g, &s->time, NULL);
    for (size_t k = 0; k < f->n; k++) {
        struct gs_map_value *const v = &f->item[k].value;
        const struct gs_metric *const m = gs_metric_find(f->item[k].name);
        char pattern[GS_NAME_MAX];
        struct rival r = {.gpu = {NULL, 0}};
        uint32_t own = UINT32_MAX;
        if (table && m != NULL)
            join_tables(g, v, m);
        if (m == NULL || second_candidate(g, m, v, pattern, &r, &own) == UINT32_MAX)
            f->item[n++] = f->item[k];
        else
            note_two(g, m, v, own, &r);
    }
    f->n = n;
}

/* How the numbers of a column have points and commas between digits. */
struct marks {
    struct gs_str comma,
        point;       /* the first cell with a comma; with a point and no comma behind it */
    size_t n_points; /* cells with a point and no comma                                  */
    bool other;      /* a number that is not 902 or 1.902                                */
};

static void find_marks(struct gs_str cell, struct marks *m)
{
    const size_t whole = gs_str_skip(cell, 0, GS_ALL_DIGITS),
                 end = gs_str_skip(cell, gs_min(whole + 1, cell.len), GS_ALL_DIGITS);
    if (whole == 0)
        return;
    const bool marked = whole + 1 < end && strchr(".,", cell.ptr[whole]) != NULL;
    const bool comma = gs_str_until(cell, 0, ",") < cell.len,
               three = marked && end - whole == 4 && cell.ptr[0] != '0';
    if (marked && comma && m->comma.ptr == NULL)
        m->comma = cell;
    if (marked && !comma && m->point.ptr == NULL)
        m->point = cell;
    m->n_points += marked && !comma;
    m->other |= whole > 3 || (marked && !three);
}

const char *gs_infer_mixed(const struct inference *g, const struct gs_source *s)
{
    enum { FEWEST = 3 };
    for (size_t k = 0; k < s->metrics.n; k++)
        for (uint32_t i = 0; i < g->h->n_columns; i++) {
            struct marks m = {0};
            struct gs_str cell;
            if (!gs_map_value_takes(&s->metrics.item[k].value, g->h->column[i]))
                continue;
            size_t n = 0;
            for (size_t row = 0; gs_infer_next(g->h, i, &row, &cell); n++)
                find_marks(cell, &m);
            const bool mixed = m.comma.ptr != NULL && m.point.ptr != NULL;
            if (mixed || (!m.other && m.n_points >= FEWEST && m.n_points < n))
                return gs_format(
                    g->arena,
                    "column '%s' has '%s' and %s: write decimals in one way, thousands "
                    "without a mark (--power-column '%s' takes points as decimal)",
                    GS_SHOWN(g->h->column[i], 44), GS_SHOWN(m.point, 34),
                    mixed ? GS_SHOWN(m.comma, 34) : "whole numbers below 1000",
                    GS_SHOWN(g->h->column[i], 44));
        }
    return NULL;
}
