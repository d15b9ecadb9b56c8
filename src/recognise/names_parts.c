/* names_parts.c - see names_parts.h. */
#include "recognise/names_parts.h"

bool gs_guess_has_values(const struct gs_glimpse *h, uint32_t column)
{
    return gs_guess_first(h, column).ptr != NULL;
}

struct gs_str gs_guess_first(const struct gs_glimpse *h, uint32_t column)
{
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str cell = gs_glimpse_cell(h, i, column);
        if (cell.ptr != NULL && !gs_is_no_value(cell))
            return cell;
    }
    return (struct gs_str){NULL, 0};
}

bool gs_guess_reading(struct gs_str text, enum gs_quantity quantity, bool *has_unit)
{
    struct gs_unit unit = {quantity, 1, 2, ""};
    int64_t v;
    bool rounded = false;
    const enum gs_number n = gs_scaled_parse_comma(text, unit, &v, &rounded);
    if (n != GS_NUMBER_OK &&
        (n != GS_NUMBER_MISSING || gs_is_no_value(text))) /* DCGM's numbers for none are readings */
        return false;
    *has_unit = text.len > 0 && !(text.ptr[text.len - 1] >= '0' && text.ptr[text.len - 1] <= '9') &&
                text.ptr[text.len - 1] != '.';
    return true;
}

bool gs_guess_column(struct gs_map_value *v, struct gs_str column, struct gs_arena *arena)
{
    v->kind = GS_VALUE_COLUMN;
    return gs_texts_add(&v->column, column, arena);
}

struct gs_map_field *gs_guess_metric(struct gs_map_fields *f, const char *name, struct gs_arena *arena)
{
    struct gs_map_field *const list = gs_arena_grow(arena, f->item, f->n, f->n + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    f->item = list;
    list[f->n] = (struct gs_map_field){.name = gs_str(name)};
    return &list[f->n++];
}

struct gs_map_field *gs_guess_find(const struct gs_map_fields *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (gs_str_eq(f->item[i].name, gs_str(name)))
            return &f->item[i];
    return NULL;
}
