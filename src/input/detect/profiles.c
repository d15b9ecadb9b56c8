/* profiles.c - applies profiles.txt: the column names of known tools. */
#include "input/schema/profiles.h"

#include <string.h>

#include "input/detect/names_parts.h"
#include "base/core/pattern.h"

/* "COLUMN" is there, or "COLUMN=VALUE" in some row. */
static bool is_there(const struct gs_preview *h, struct gs_str condition)
{
    const size_t eq = gs_str_find_byte(condition, '=');
    const struct gs_str name = {condition.ptr, eq};
    uint32_t column = 0;
    while (column < h->n_columns && !gs_str_eq(h->column[column], name))
        column++;
    if (column == h->n_columns || eq == condition.len)
        return column < h->n_columns;
    const struct gs_str value = {condition.ptr + eq + 1, condition.len - eq - 1};
    for (size_t i = 0; i < h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(h, i, column);
        if (cell.ptr != NULL && gs_str_eq(cell, value))
            return true;
    }
    return false;
}

/* Do all of the conditions hold, which '|' parts? Without `all`: does any? */
static bool hold(const struct gs_preview *h, const char *conditions, bool all)
{
    for (const char *p = conditions; *p != '\0';) {
        const size_t n = strcspn(p, "|");
        if (is_there(h, (struct gs_str){p, n}) != all)
            return !all;
        p += n + (p[n] == '|');
    }
    return all;
}

static bool columns_there(const struct gs_preview *h, const struct gs_map_value *v)
{
    for (size_t i = 0; i < v->column.n; i++)
        if (gs_preview_find(h, v->column.item[i].ptr) == UINT32_MAX)
            return false;
    bool any = v->kind != GS_VALUE_COLUMNS;
    for (uint32_t k = 0; k < h->n_columns && !any; k++)
        any = gs_pattern_match(v->text, h->column[k], NULL);
    return any;
}

static void leave_out_absent(const struct gs_preview *h, struct gs_map_fields *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (columns_there(h, &f->item[i].value))
            f->item[n++] = f->item[i];
    f->n = n;
}

/* Is the column what a value is made of, or a number of jobs that one is? */
static bool is_used(const struct gs_source *s, struct gs_str column)
{
    const struct gs_map_value *const used[] = {&s->event, &s->start, &s->stop, &s->duration,
                                               &s->host,  &s->job,   &s->task};
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        if (gs_texts_contain(&used[k]->column, column))
            return true;
    return GS_IS_ONE_OF(column, "JobID", "JobIDRaw", "Step");
}

/* Every other column is an attribute, called as it is in small letters: sites ask for what they need. */
static void add_rest(const struct gs_preview *h, struct gs_source *s, struct gs_arena *arena)
{
    for (uint32_t i = 0; i < h->n_columns; i++) {
        const struct gs_str column = h->column[i];
        if (is_used(s, column))
            continue;
        char *const name = gs_arena_copy(arena, column.ptr, column.len);
        for (size_t k = 0; name != NULL && k < column.len; k++)
            name[k] = gs_lower(name[k]);
        const bool counts =
            gs_infer_counts_gpus(column) && gs_preview_find(h, "gpus") == UINT32_MAX;
        gs_infer_add_column(&s->attributes, counts ? "gpus" : name, column, NULL, arena);
    }
}

enum gs_status gs_profiles_apply(const struct gs_preview *h, struct gs_map *map,
                                 struct gs_arena *arena, struct gs_err *err)
{
    for (const struct gs_profile *p = gs_profiles; p->form != NULL; p++) {
        struct gs_map one = {0};
        if (strcmp(p->form, h->form->name) != 0 || !hold(h, p->needs, true) ||
            hold(h, p->unless, false))
            continue;
        const char *const text =
            gs_format(arena, "{\"schema\":\"gpustat.map/1\",\"sources\":[%s]}", p->source);
        GS_TRY(gs_had_memory(text != NULL, err));
        GS_TRY(gs_map_parse(gs_str(text), "a profile", arena, &one, err));
        struct gs_source *const to = gs_map_add(map, arena);
        GS_TRY(gs_had_memory(to != NULL, err));
        *to = one.source[0];
        to->form = gs_str(p->form);
        leave_out_absent(h, &to->metrics);
        leave_out_absent(h, &to->attributes);
        struct gs_map_value *const optional[] = {&to->time, &to->host, &to->gpu,
                                                 &to->job,  &to->task, &to->duration};
        for (size_t k = 0; k < sizeof optional / sizeof *optional; k++)
            if (!columns_there(h, optional[k]))
                *optional[k] = (struct gs_map_value){0};
        const struct gs_str form = to->time.unit;
        if (gs_infer_first_time(h, to, NULL) == GS_TIME_BAD) /* of another writer? */
            to->time.unit = GS_NO_STR;
        if (gs_infer_first_time(h, to, NULL) != GS_TIME_OK)
            to->time.unit = form;
        if (h->form->is_of_jobs)
            add_rest(h, to, arena);
    }
    return gs_had_memory(!arena->failed, err);
}
