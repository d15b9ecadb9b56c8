/* names_long.c - long tables: a column of metrics' names beside one of values. */

#include <string.h>

#include "base/core/pattern.h"
#include "input/detect/names_parts.h"
#include "input/detect/phase.h"

/* The unit that a row of a long table says of itself, as OTLP's do; NULL for none that is known. */
static const char *unit_beside(const struct inference *g, size_t row)
{
    static const struct {
        const char *theirs, *ours;
    } others[] = {{"Cel", "C"}, {"By", "B"}, {"1", "share"}};
    const uint32_t column = gs_preview_find(g->h, "unit");
    const struct gs_str text = gs_preview_cell(g->h, row, column);
    for (size_t i = 0; text.ptr != NULL && i < sizeof others / sizeof *others; i++)
        if (gs_str_eq(text, gs_str(others[i].theirs)))
            return others[i].ours;
    if (text.ptr == NULL || gs_unit_find(text).quantity == GS_Q_NONE)
        return NULL;
    return gs_arena_copy(g->arena, text.ptr, text.len);
}

/*
 * A metric's name, or one more of its names, with the unit of the first: a table calls DCGM's fields by number here and
 * by name there. What exporters write may hold two that tell of one GPU, of which the first counts.
 */
static void add_name(const struct inference *g, struct gs_map_fields *f, const char *metric,
                     const char *name_column, const char *value_column, struct gs_str text,
                     const char *unit)
{
    struct gs_map_field *field = gs_infer_find(f, metric);
    struct gs_buf pattern = {.arena = g->arena};
    gs_pattern_put(&pattern, text);
    if (field == NULL) {
        gs_infer_add_where(f, metric, name_column, value_column, unit, gs_buf_str(&pattern),
                           g->arena);
        return;
    }
    struct gs_map_value *const v = &field->value;
    if (v->where.n != 1 || !g->h->form->delimited || !gs_str_eq(v->unit, gs_str(unit)))
        return;
    struct gs_texts *const names = &v->where.item[0].pattern;
    if (!gs_texts_contain(names, gs_buf_str(&pattern)))
        (void)gs_texts_add(names, gs_buf_str(&pattern), g->arena);
}

/* A table with a column of names and one of values. */
struct long_table {
    const char *name_column, *value_column;
    uint32_t names, values;
};

/* Makes a row's name the metric, in the unit of its name, of a column, behind the value, or that its values alone fit. */
static void add_row(const struct inference *g, const struct long_table *t, size_t row,
                    const struct gs_metric *m, const struct gs_name *name, bool needs_unit,
                    struct gs_source *s)
{
    const struct gs_str text = gs_preview_cell(g->h, row, t->names);
    const struct gs_rows_of rows = {t->names, text};
    bool known = !needs_unit && gs_metric_quantity(m) == GS_Q_POWER; /* nvidia-smi's own names */
    const char *unit = gs_long_unit(text, name);
    if (unit == NULL)
        unit = unit_beside(g, row);
    bool has_unit = false;
    (void)gs_infer_reading(gs_preview_cell(g->h, row, t->values), gs_metric_quantity(m), &has_unit);
    known |= unit != NULL || has_unit || !gs_is_measure(m);
    if (!known) {
        const struct gs_str values = gs_str(t->value_column);
        unit = gs_infer_assumed_unit(g, values, m, false, &rows);
        if (unit == NULL) {
            gs_infer_note_long_unit(g, text, m, t->name_column, t->value_column,
                                    gs_infer_fitting_unit(g, values, m, false, &rows));
            return;
        }
        if (gs_infer_find(&s->metrics, m->name) == NULL)
            gs_infer_note_assumed_unit(g, text, unit, s);
    }
    add_name(g, &s->metrics, m->name, t->name_column, t->value_column, text, unit);
}

/* The row whose name has the words of the metric, the most specific; SIZE_MAX: none, or several names are alike. */
static size_t best_row(const struct inference *g, const struct long_table *t,
                       const struct gs_metric *m)
{
    size_t best = SIZE_MAX;
    unsigned best_rank = 0, rank;
    bool alike = false, has_unit;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str text = gs_preview_cell(g->h, i, t->names),
                            value = gs_preview_cell(g->h, i, t->values);
        if (text.ptr == NULL || value.ptr == NULL || gs_words_metric(text, &rank) != m ||
            !gs_infer_reading(value, gs_metric_quantity(m), &has_unit))
            continue;
        if (best == SIZE_MAX || rank < best_rank) {
            best = i;
            best_rank = rank;
            alike = false;
        }
        alike |= rank == best_rank && !gs_str_eq(text, gs_preview_cell(g->h, best, t->names));
    }
    if (alike)
        return SIZE_MAX;
    return best;
}

/*
 * "GPU 0 power", "GPU 1 power": names of rows that differ in a GPU's number are a metric, as names of columns are; the number
 * stands behind the same words in all of them.
 */
static void add_numbered(const struct inference *g, const struct long_table *t, struct gs_source *s)
{
    struct gs_buf like = {.arena = g->arena};
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str text = gs_preview_cell(g->h, i, t->names),
                            value = gs_preview_cell(g->h, i, t->values);
        char pattern[GS_NAME_MAX];
        bool unknown = false;
        if (text.ptr == NULL || value.ptr == NULL)
            continue;
        const struct gs_metric *const m = gs_infer_wide_name(text, value, pattern, &unknown);
        char *const number = m == NULL ? NULL : strstr(pattern, "{gpu}");
        if (number == NULL || gs_infer_find(&s->metrics, m->name) != NULL)
            continue;
        const struct gs_str head = {pattern, (size_t)(number - pattern)},
                            tail = gs_str(number + sizeof "{gpu}" - 1);
        const struct gs_str all = gs_str(gs_format(g->arena, "%.*s*%.*s", (int)head.len, head.ptr,
                                                   (int)tail.len, tail.ptr)),
                            gpu = gs_str(gs_format(g->arena, "%.*s{}*", (int)head.len, head.ptr));
        const struct gs_rows_of rows = {t->names, text};
        const char *unit = NULL;
        if (unknown)
            unit = gs_infer_assumed_unit(g, gs_str(t->value_column), m, false, &rows);
        if ((unknown && unit == NULL) || (like.len > 0 && !gs_str_eq(gs_buf_str(&like), gpu)))
            continue;
        gs_infer_add_where(&s->metrics, m->name, t->name_column, t->value_column, unit, all,
                           g->arena);
        if (unit != NULL)
            gs_infer_note_assumed_unit(g, text, unit, s);
        if (like.len > 0)
            continue;
        gs_buf_add(&like, gpu);
        s->gpu = (struct gs_map_value){.like = gpu};
        gs_infer_column(&s->gpu, gs_str(t->name_column), g->arena);
    }
}

/* Metrics that no name is exactly, by the words of names; `of_run`: those of means are no readings. */
static void add_by_words(const struct inference *g, const struct long_table *t, bool of_run,
                         struct gs_source *s)
{
    struct gs_name name;
    for (const char *const *by_words = gs_infer_by_words; *by_words != NULL; by_words++) {
        const struct gs_metric *const m = gs_metric_find(gs_str(*by_words));
        const size_t row =
            gs_infer_find(&s->metrics, m->name) == NULL ? best_row(g, t, m) : SIZE_MAX;
        if (row == SIZE_MAX || (of_run && gs_words_summary(gs_preview_cell(g->h, row, t->names))))
            continue;
        gs_name_split(gs_preview_cell(g->h, row, t->names), &name);
        add_row(g, t, row, m, &name, true, s);
    }
}

/* What a name says behind the words of the tool that exports it: power_draw_watts of nvidia_smi_power_draw_watts. */
static struct gs_str behind_tool(struct gs_str text)
{
    static const char *const words[] = {"nvidia_", "smi_",    "nvsmi_", "nvml_",
                                        "amd_",    "amdsmi_", "rocm_",  "xpum_"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (gs_str_begins(text, words[i]))
            text = gs_str_after(text, strlen(words[i]));
    return text;
}

/* metric, value: each name of the first column that is a metric's is one, where the first has it; else its words tell. */
void gs_infer_long(const struct inference *g, const char *name_column, const char *value_column,
                   struct gs_source *s)
{
    const struct long_table t = {name_column, value_column, gs_preview_find(g->h, name_column),
                                 gs_preview_find(g->h, value_column)};
    /* avg_power_w of one run is no reading */
    const bool of_run = s->time.kind == GS_VALUE_NONE && g->h->form->delimited;
    if (t.names == UINT32_MAX || t.values == UINT32_MAX)
        return;
    struct gs_str before = GS_NO_STR;
    const struct gs_metric *m = NULL;
    struct gs_name name;
    bool needs_unit = true;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str text = gs_preview_cell(g->h, i, t.names);
        if (text.ptr == NULL || gs_preview_cell(g->h, i, t.values).ptr == NULL)
            continue;
        if (!gs_str_eq(text, before)) {
            before = text;
            needs_unit = true;
            gs_name_split(text, &name);
            m = gs_dcgm_field(text);
            if (m == NULL)
                m = gs_name_metric(&name, &needs_unit);
            if (m == NULL) {
                gs_name_split(behind_tool(text), &name);
                m = gs_name_metric(&name, &needs_unit);
            }
        }
        if (m != NULL && !(of_run && gs_words_summary(text)))
            add_row(g, &t, i, m, &name, needs_unit, s);
    }
    if (s->metrics.n == 0 && g->h->form->delimited && s->gpu.kind == GS_VALUE_NONE)
        add_numbered(g, &t, s);
    if (g->h->form->delimited || g->h->form->series != NULL)
        add_by_words(g, &t, of_run, s);
}
