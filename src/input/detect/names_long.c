/* names_long.c - long tables: a column of metrics' names beside one of values. */

#include "input/schema/pattern.h"
#include "input/detect/names_parts.h"
#include "input/detect/phase.h"

/* The unit that a row of a long table says of itself, as OTLP's do; NULL for none that is known. */
static const char *unit_beside(const struct guess *g, size_t row)
{
    static const struct {
        const char *theirs, *ours;
    } others[] = {{"Cel", "C"}, {"By", "B"}, {"1", "share"}};
    const uint32_t column = gs_preview_find(g->h, "unit");
    const struct gs_str text =
        column == UINT32_MAX ? (struct gs_str){NULL, 0} : gs_preview_cell(g->h, row, column);
    for (size_t i = 0; text.ptr != NULL && i < sizeof others / sizeof *others; i++)
        if (gs_str_eq(text, gs_str(others[i].theirs)))
            return others[i].ours;
    return text.ptr == NULL || gs_unit_find(text).quantity == GS_Q_NONE
               ? NULL
               : gs_arena_copy(g->arena, text.ptr, text.len);
}

/*
 * A metric's name, or one more of its names, with the unit of the first: a table calls DCGM's fields by number here and
 * by name there. What exporters write may hold two that tell of one GPU, of which the first counts. False without memory.
 */
static bool add_name(const struct guess *g, struct gs_map_fields *f, const char *metric,
                     const char *name_column, const char *value_column, struct gs_str text,
                     const char *unit)
{
    struct gs_map_field *field = gs_guess_find(f, metric);
    struct gs_buf pattern = {.arena = g->arena};
    gs_pattern_put(&pattern, text);
    if (pattern.failed)
        return false;
    if (field == NULL) {
        struct gs_map_where *const where = gs_arena_take(g->arena, 1, sizeof *where);
        field = gs_guess_metric(f, metric, g->arena);
        if (field == NULL || where == NULL ||
            !gs_guess_column(&field->value, gs_str(value_column), g->arena))
            return false;
        where->column = gs_str(name_column);
        field->value.unit = gs_str(unit);
        field->value.where = (struct gs_map_wheres){where, 1};
    }
    struct gs_map_value *const v = &field->value;
    if (v->where.n != 1)
        return true;
    const struct gs_texts *const names = &v->where.item[0].pattern;
    if (names->n > 0 && (!g->h->form->delimited || !gs_str_eq(v->unit, gs_str(unit)) ||
                         gs_texts_contain(names, gs_buf_str(&pattern))))
        return true;
    return gs_texts_add(&v->where.item[0].pattern, gs_buf_str(&pattern), g->arena);
}

/* metric, value: each name of the first column that is a metric's is one, where the first has it. */
bool gs_guess_long(const struct guess *g, const char *name_column, const char *value_column,
                   struct gs_map_fields *f)
{
    const uint32_t names = gs_preview_find(g->h, name_column),
                   values = gs_preview_find(g->h, value_column);
    if (names == UINT32_MAX || values == UINT32_MAX)
        return true;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str text = gs_preview_cell(g->h, i, names);
        struct gs_name name;
        bool needs_unit = true, has_unit = false;
        if (text.ptr == NULL || gs_preview_cell(g->h, i, values).ptr == NULL)
            continue;
        gs_name_split(text, &name);
        const struct gs_metric *const m =
            gs_dcgm_field(text) != NULL ? gs_dcgm_field(text) : gs_name_metric(&name, &needs_unit);
        if (m == NULL)
            continue;
        const char *unit = gs_long_unit(text, &name);
        if (unit == NULL)
            unit = unit_beside(g, i);
        (void)gs_guess_reading(gs_preview_cell(g->h, i, values), gs_metric_quantity(m), &has_unit);
        if (unit == NULL && !has_unit && g->alone && gs_metric_quantity(m) == GS_Q_POWER)
            unit = "W";
        const bool watts =
            !needs_unit && gs_metric_quantity(m) == GS_Q_POWER; /* nvidia-smi's own names */
        if (unit == NULL && !has_unit && !watts && gs_is_measure(m)) {
            if (!gs_guess_note_long_unit(g, text, m, name_column, value_column))
                return false;
            continue;
        }
        if (!add_name(g, f, m->name, name_column, value_column, text, unit))
            return false;
    }
    return true;
}
