/*
 * names_series.c - tables with a column, or rows, of each series of Prometheus, as Grafana exports them: the name is
 * NAME{label="value", ...}, or the labels alone, and says the metric, the host and the GPU.
 */
#include <limits.h>
#include <string.h>

#include "base/core/pattern.h"
#include "base/num/order.h"
#include "input/detect/names_parts.h"
#include "input/detect/phase.h"

enum { LABELS_MAX = 48, SERIES_MAX = 4096 };

struct series {
    struct gs_str text, name; /* name.len == 0: it has none */
    size_t n;
    struct gs_str key[LABELS_MAX], value[LABELS_MAX]; /* as they stand */
    size_t of_gpu, of_host;                           /* labels that name these; n: none */
    uint32_t column;
};

/* The series of a table's columns. */
struct all_series {
    struct series *item; /* [n] */
    size_t n;
    struct gs_intern tried; /* patterns that one of them has: what they fit is looked at once */
};

static size_t key_end(struct gs_str text, size_t at)
{
    return gs_str_skip(text, at, GS_ALL_LETTERS GS_ALL_DIGITS "_:.");
}

/* The label that is best called for a host or a GPU; s->n: none. */
static size_t label_of(const struct series *s, bool of_host)
{
    size_t best = s->n;
    unsigned best_rank = UINT_MAX;
    for (size_t k = 0; k < s->n; k++) {
        const unsigned rank =
            s->value[k].len == 0 ? UINT_MAX : gs_infer_owner_rank(s->key[k], of_host);
        if (rank < best_rank) {
            best = k;
            best_rank = rank;
        }
    }
    return best;
}

/* Takes a series' text apart; false: it is none. */
static bool split_series(struct gs_str text, struct series *s)
{
    text = gs_trimmed(text);
    *s = (struct series){.text = text};
    size_t i = key_end(text, 0);
    s->name = (struct gs_str){text.ptr, i};
    if (i == text.len || text.ptr[i] != '{' || text.ptr[text.len - 1] != '}')
        return false;
    for (i++; i + 1 < text.len;) {
        const size_t from = gs_str_skip(text, i, " ,");
        i = key_end(text, from);
        const struct gs_str key = gs_str_part(text, from, i);
        if (key.len == 0 || text.len - i < 3 || text.ptr[i] != '=' || text.ptr[i + 1] != '"' ||
            s->n == LABELS_MAX)
            return false;
        const size_t begin = i += 2;
        while (i < text.len && text.ptr[i] != '"')
            i += text.ptr[i] == '\\' ? 2 : 1;
        if (i >= text.len)
            return false;
        s->key[s->n] = key;
        s->value[s->n++] = gs_str_part(text, begin, i++);
        if (gs_str_eq(key, gs_str("__name__")))
            s->name = s->value[s->n - 1];
    }
    s->of_gpu = label_of(s, false);
    s->of_host = label_of(s, true);
    return s->n > 0;
}

/*
 * The pattern of all series with these labels, of one name or of any; `gpu` and `host` are what stands for theirs, NULL:
 * anything.
 */
static struct gs_str pattern_of(const struct series *s, const char *gpu, const char *host,
                                bool any_name, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    const char *at = any_name ? memchr(s->text.ptr, '{', s->text.len) : s->text.ptr;
    gs_buf_text_if(&b, any_name, "*");
    for (size_t k = 0; k < s->n; k++) {
        const struct gs_str value = s->value[k];
        gs_pattern_put(&b, (struct gs_str){at, (size_t)(value.ptr - at)});
        at = value.ptr + value.len;
        const char *kept = NULL;
        if (k == s->of_gpu)
            kept = gpu;
        else if (k == s->of_host)
            kept = host;
        if (!any_name && gs_str_eq(s->key[k], gs_str("__name__")))
            gs_pattern_put(&b, value);
        else
            gs_buf_text(&b, kept == NULL ? "*" : kept);
        if (k == s->of_host && kept != NULL && memchr(value.ptr, ':', value.len) != NULL)
            gs_buf_text(&b, ":*"); /* the port */
    }
    gs_pattern_put(&b, (struct gs_str){at, (size_t)(s->text.ptr + s->text.len - at)});
    return gs_buf_str(&b);
}

/* What a series measures: its name, else the unit of its first value; *unit NULL: nothing says it. NULL: nothing known. */
static const struct gs_metric *metric_of(const struct inference *g, const struct series *s,
                                         struct gs_str value, const char **unit)
{
    struct gs_name name;
    bool needs_unit = true, has_unit = false;
    const struct gs_metric *m = NULL;
    gs_name_split(s->name, &name);
    if (s->name.len > 0)
        m = gs_dcgm_field(s->name) != NULL ? gs_dcgm_field(s->name)
                                           : gs_name_metric(&name, &needs_unit);
    else if (gs_infer_reading(value, GS_Q_POWER, &has_unit) && has_unit)
        m = &gs_known_metrics[GS_POWER];
    else if (gs_infer_reading(value, GS_Q_TEMPERATURE, &has_unit) && has_unit)
        m = &gs_known_metrics[GS_TEMP];
    else if (gs_infer_reading(value, GS_Q_NONE, &has_unit))
        m = &gs_known_metrics[GS_POWER]; /* without a unit: to be said */
    if (m == NULL)
        return NULL;
    *unit = s->name.len > 0 ? gs_long_unit(s->name, &name) : NULL;
    (void)gs_infer_reading(value, gs_metric_quantity(m), &has_unit);
    if (*unit == NULL &&
        (has_unit || (!gs_is_measure(m) && !needs_unit) || (g->alone && gs_is_measure(m))))
        *unit = m->unit;
    return m;
}

/* Keeps why a metric of several series is not read, and the option to type. */
static void note_apart(const struct inference *g, const char *what, struct gs_str pattern,
                       const struct gs_metric *m)
{
    struct gs_buf b = {.arena = g->arena};
    gs_buf_text(&b, what);
    gs_buf_text(&b, "; choose some with");
    gs_put_set(&b, m->name, "columns", pattern);
    gs_put_unit(&b, m, NULL);
    gs_infer_missing(g, &b, pattern, m);
}

/* Why the series of one name do not fit its pattern, each another GPU; NULL: they do. */
static const char *why_together(const struct inference *g, const struct all_series *all,
                                const struct series *first, struct gs_str pattern)
{
    struct gs_intern gpus = {.arena = g->arena};
    for (size_t i = 0; i < all->n; i++) {
        const struct series *const one = &all->item[i];
        struct gs_kept kept;
        struct gs_buf key = {.arena = g->arena};
        if (!gs_str_eq(one->name, first->name))
            continue;
        bool fits = one->n == first->n && gs_pattern_match(pattern, one->text, &kept);
        for (size_t k = 0; fits && k < first->n; k++)
            fits = gs_str_eq(one->key[k], first->key[k]);
        if (!fits)
            return "its series have labels of several kinds";
        gs_buf_add(&key, kept.gpu);
        gs_buf_char(&key, '\0');
        gs_buf_add(&key, kept.host);
        const uint32_t before = gpus.n;
        if (gs_intern_add_buf(&gpus, &key) < before)
            return "several of its series are of one GPU";
    }
    return NULL;
}

/* A metric of all columns whose series have the name of `first`. */
static void add_columns(const struct inference *g, struct all_series *all,
                        const struct series *first, struct gs_map_fields *f)
{
    const char *unit = NULL;
    const struct gs_metric *const m =
        metric_of(g, first, gs_infer_first(g->h, first->column), &unit);
    if (m == NULL || gs_infer_find(f, m->name) != NULL)
        return;
    struct gs_str pattern = pattern_of(first, "{gpu}", "{host}", false, g->arena);
    if (unit == NULL && gs_is_measure(m)) {
        gs_infer_note_unit(g, pattern, m, true);
        return;
    }
    const uint32_t n_tried = all->tried.n;
    if (gs_intern_add(&all->tried, pattern) < n_tried)
        return;
    const char *why = why_together(g, all, first, pattern);
    for (size_t k = 0; why != NULL && k < first->n; k++) { /* what alone tells them apart */
        struct series by = *first;
        by.of_gpu = k;
        if (k == first->of_host || gs_infer_names_no_gpu(first->key[k]))
            continue;
        const struct gs_str other = pattern_of(&by, "{gpu}", "{host}", false, g->arena);
        if (why_together(g, all, first, other) != NULL)
            continue;
        pattern = other;
        why = NULL;
    }
    if (why != NULL)
        note_apart(g, why, pattern, m);
    else
        gs_infer_add(f, m->name,
                     (struct gs_map_value){GS_VALUE_COLUMNS, .text = pattern, .unit = gs_str(unit)},
                     g->arena);
}

void gs_infer_series(const struct inference *g, struct gs_map_fields *f)
{
    const uint32_t most = gs_min(g->h->n_columns, SERIES_MAX);
    struct all_series all = {.item = gs_arena_take(g->arena, most, sizeof *all.item),
                             .tried = {.arena = g->arena}};
    for (uint32_t i = 0; all.item != NULL && i < most; i++)
        if (gs_infer_has_values(g->h, i) && split_series(g->h->column[i], &all.item[all.n]))
            all.item[all.n++].column = i;
    for (size_t i = 0; i < all.n; i++)
        add_columns(g, &all, &all.item[i], f);
}

/* A metric of all rows whose series have the name of this one; *like is the first series that is one. */
static void add_rows(const struct inference *g, const struct series *one, struct gs_str value,
                     struct series *like, struct gs_map_fields *f)
{
    const char *unit = NULL;
    const struct gs_metric *const m = metric_of(g, one, value, &unit);
    if (m == NULL || gs_infer_find(f, m->name) != NULL)
        return;
    const struct gs_str pattern = pattern_of(one, NULL, NULL, false, g->arena);
    if (unit == NULL && gs_is_measure(m)) {
        gs_infer_note_long_unit(g, pattern, m, "Series", "Value", NULL);
        return;
    }
    gs_infer_add_where(f, m->name, "Series", "Value", unit, pattern, g->arena);
    if (like->n == 0)
        *like = *one;
}

void gs_infer_series_rows(const struct inference *g, struct gs_source *s)
{
    const uint32_t names = gs_preview_find(g->h, "Series"), values = gs_preview_find(g->h, "Value");
    struct series one, like = {.n = 0};
    for (size_t i = 0; names != UINT32_MAX && values != UINT32_MAX && i < g->h->n_rows; i++) {
        const struct gs_str text = gs_preview_cell(g->h, i, names),
                            value = gs_preview_cell(g->h, i, values);
        if (text.ptr != NULL && value.ptr != NULL && split_series(text, &one))
            add_rows(g, &one, value, &like, &s->metrics);
    }
    const struct {
        struct gs_map_value *value;
        size_t label;
        const char *gpu, *host;
    } part[] = {{&s->gpu, like.of_gpu, "{}", NULL}, {&s->host, like.of_host, NULL, "{}"}};
    for (int k = 0; k < 2; k++) {
        if (part[k].value->kind != GS_VALUE_NONE || part[k].label == like.n)
            continue;
        part[k].value->like = pattern_of(&like, part[k].gpu, part[k].host, true, g->arena);
        gs_infer_column(part[k].value, gs_str("Series"), g->arena);
    }
}
