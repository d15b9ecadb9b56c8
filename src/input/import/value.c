/* value.c - evaluates a value of a map for one record. */
#include "input/import/value.h"

#include <stdio.h>
#include <string.h>

#include "base/core/pattern.h"
#include "input/schema/column_meaning.h"

/*
 * Patterns without a wildcard are compared as texts: conditions run for each record of a long
 * table.
 */
enum gs_status gs_where_bind(struct gs_bound_where *b, const struct gs_map_wheres *w,
                             struct gs_record_sink *records, struct gs_err *err)
{
    b->where = w;
    GS_TAKE(b->column, w->n, records->arena, err);
    GS_TAKE(b->literal, w->n, records->arena, err);
    for (size_t i = 0; i < w->n; i++) {
        b->literal[i] = true;
        for (size_t k = 0; k < w->item[i].pattern.n; k++)
            b->literal[i] &= gs_pattern_is_literal(w->item[i].pattern.item[k]);
        if ((b->column[i] = gs_record_sink_column(records, w->item[i].column)) == GS_INTERN_NONE)
            return gs_record_sink_full(records, err);
    }
    return GS_OK;
}

/*
 * A column that the record lacks counts as empty, so a condition can ask for its absence. Several
 * conditions must all hold; of several patterns of one condition any may.
 */
bool gs_where_matches(const struct gs_bound_where *w, const struct gs_form_row *r)
{
    for (size_t i = 0; i < w->where->n; i++) {
        const struct gs_texts *const p = &w->where->item[i].pattern;
        const struct gs_str cell = gs_form_cell(r, w->column[i]);
        const struct gs_str text = gs_str_or(cell, gs_str(""));
        bool any = false;
        for (size_t k = 0; k < p->n && !any; k++)
            any = w->literal[i] ? gs_str_eq(p->item[k], text)
                                : gs_pattern_match(p->item[k], text, NULL);
        if (!any)
            return false;
    }
    return true;
}

/* What a file's name gives is the same for all its rows, so the pattern is matched once here. */
enum gs_status gs_value_bind(struct gs_bound_value *b, const struct gs_map_value *v,
                             struct gs_str path, struct gs_record_sink *records, const char *what,
                             struct gs_err *err)
{
    struct gs_name name;
    struct gs_kept kept;
    *b = (struct gs_bound_value){.v = v,
                                 .name = what,
                                 .named = {GS_Q_NONE, 1, 1, ""},
                                 .joined = {.arena = records->arena},
                                 .part = {.arena = records->arena}};
    GS_TAKE(b->column, v->column.n, records->arena, err);
    for (size_t i = 0; i < v->column.n; i++)
        if ((b->column[i] = gs_record_sink_column(records, v->column.item[i])) == GS_INTERN_NONE)
            return gs_record_sink_full(records, err);
    if (v->kind == GS_VALUE_COLUMN) {
        b->is_cell = v->like.ptr == NULL && v->n_names == 0;
        gs_name_split(v->column.item[0], &name);
        b->named = name.unit;
    }
    if (v->kind == GS_VALUE_TEXT)
        b->constant = v->text;
    if (v->kind == GS_VALUE_FILE) {
        if (!gs_pattern_match_path(v->text, path, &kept))
            return gs_fail(err, GS_ERR_DATA, "%s: %s.file: its name does not fit the pattern '%s'",
                           records->name, what, GS_SHOWN(v->text, 160));
        b->constant = kept.part;
        if (b->constant.ptr == NULL)
            b->constant = kept.host;
        if (b->constant.ptr == NULL)
            b->constant = kept.gpu;
        if (b->constant.ptr == NULL)
            return gs_fail(err, GS_ERR_DATA,
                           "%s: %s.file: the pattern '%s' keeps no part, expected {} in it",
                           records->name, what, GS_SHOWN(v->text, 160));
    }
    return gs_where_bind(&b->where, &v->where, records, err);
}

static bool reads(const uint32_t *own, size_t n, const uint32_t column[2])
{
    for (size_t i = 0; i < n; i++)
        if (own[i] == column[0] || own[i] == column[1])
            return true;
    return false;
}

bool gs_where_reads(const struct gs_bound_where *w, const uint32_t column[2])
{
    return reads(w->column, w->where->n, column);
}

bool gs_value_reads(const struct gs_bound_value *b, const uint32_t column[2])
{
    return reads(b->column, b->v->column.n, column) || gs_where_reads(&b->where, column);
}

/* A joined text is valid until the next call with the same `b`. */
struct gs_str gs_value_raw(struct gs_bound_value *b, const struct gs_form_row *r)
{
    if (b->v->kind == GS_VALUE_COLUMN)
        return gs_form_cell(r, b->column[0]);
    if (b->v->kind != GS_VALUE_JOINED)
        return b->constant;
    b->joined.len = 0;
    for (size_t i = 0; i < b->v->column.n; i++) {
        const struct gs_str cell = gs_form_cell(r, b->column[i]);
        if (cell.len == 0)
            continue;
        if (b->joined.len > 0)
            gs_buf_char(&b->joined, ' ');
        gs_buf_add(&b->joined, cell);
    }
    if (b->joined.len == 0)
        return GS_NO_STR;
    return gs_buf_str(&b->joined);
}

/* `like` first, then `names`: the names are those of the part that is kept. */
struct gs_str gs_value_refined(const struct gs_map_value *v, struct gs_str text)
{
    struct gs_kept kept;
    if (v->like.ptr != NULL) {
        if (!gs_pattern_match(v->like, text, &kept))
            return GS_NO_STR;
        text = gs_str_or(kept.part, text);
    }
    for (size_t i = 0; i < v->n_names; i++)
        if (gs_str_eq(v->names[i].from, text))
            return v->names[i].to;
    return text;
}

struct gs_str gs_value_text(struct gs_bound_value *b, const struct gs_form_row *r)
{
    if (b->v->kind == GS_VALUE_NONE || (b->v->where.n > 0 && !gs_where_matches(&b->where, r)))
        return GS_NO_STR;
    const struct gs_str text = gs_value_matched(b, r);
    if (text.len == 0)
        return GS_NO_STR;
    return text;
}

/* A name put together; GS_ERR_DATA where there are too many. */
static enum gs_status add_name(struct gs_str before, struct gs_str middle, struct gs_str behind,
                               struct gs_arena *arena, struct gs_buf *b, struct gs_texts *list)
{
    b->len = 0;
    gs_buf_add(b, before);
    gs_buf_add(b, middle);
    gs_buf_add(b, behind);
    if (list->n >= GS_LIST_MAX)
        return GS_ERR_DATA;
    return b->failed || !gs_texts_add(list, gs_buf_str(b), arena) ? GS_ERR_MEMORY : GS_OK;
}

/* The names from one number to another. The width of the first is kept: 01 to 10. GS_LIST_MAX bounds [0-4294967295]. */
static enum gs_status expand_range(struct gs_str before, struct gs_str low, struct gs_str high,
                                   struct gs_str behind, struct gs_arena *arena, struct gs_buf *b,
                                   struct gs_texts *list)
{
    uint64_t from = 0, to = 0;
    if (gs_count_parse(low, UINT32_MAX, &from) != GS_NUMBER_OK ||
        gs_count_parse(high, UINT32_MAX, &to) != GS_NUMBER_OK || to < from ||
        to - from >= GS_LIST_MAX || low.len > 18)
        return GS_ERR_DATA;
    for (uint64_t k = from; k <= to; k++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%0*llu", (int)low.len, (unsigned long long)k);
        GS_TRY(add_name(before, gs_str(number), behind, arena, b, list));
    }
    return GS_OK;
}

/* One part of a list, with what stands before and behind the brackets: Slurm's "n[01-04,07]" gives n01 to n04 and n07. */
static enum gs_status expand(struct gs_str before, struct gs_str ranges, struct gs_str behind,
                             struct gs_arena *arena, struct gs_buf *b, struct gs_texts *list)
{
    for (size_t i = 0; i <= ranges.len;) {
        const size_t n = gs_str_find(gs_str_after(ranges, i), ",");
        const struct gs_str range = gs_trimmed(gs_str_part(ranges, i, i + n));
        const size_t dash = gs_str_find(range, "-");
        if (dash > 0 && dash < range.len) {
            GS_TRY(expand_range(before, gs_str_part(range, 0, dash), gs_str_after(range, dash + 1),
                                behind, arena, b, list));
        } else if (range.len == 0 || range.len > 18) {
            return GS_ERR_DATA;
        } else {
            GS_TRY(add_name(before, range, behind, arena, b, list));
        }
        i += n + 1;
    }
    return GS_OK;
}

/* What stands in the brackets around a list as JSON and Python write it, ['n1', 'n2']; n[1-2] and [1]x[2] are not such. */
static struct gs_str within_brackets(struct gs_str list)
{
    static const char open[] = "[({", close[] = "])}";
    list = gs_trimmed(list);
    const char *const kind = list.len > 1 ? strchr(open, list.ptr[0]) : NULL;
    if (kind == NULL || gs_str_until(list, 1, "[](){}") + 1 != list.len ||
        list.ptr[list.len - 1] != close[kind - open])
        return list;
    return gs_str_part(list, 1, list.len - 1);
}

/* A name without the number of slots that LSF writes before a host (8*n01), and Slurm's word before indices (IDX:0). */
static struct gs_str plain_name(struct gs_str item)
{
    const size_t n = gs_str_skip(item, 0, GS_ALL_DIGITS);
    if (n > 0 && n < item.len && item.ptr[n] == '*')
        return gs_str_after(item, n + 1);
    return gs_str_begins(item, "IDX:") ? gs_str_after(item, strlen("IDX:")) : item;
}

/* The items of a list. What separates them does not inside brackets; quotes around one are none of it. */
static enum gs_status cut_list(struct gs_str whole, struct gs_buf *part, struct gs_arena *scratch,
                               struct gs_texts *list)
{
    whole = within_brackets(whole);
    const char *const separators = gs_str_holds(whole, "*") ? ",;+ \t:" : ",;+ \t";
    for (size_t i = 0; i < whole.len;) {
        size_t n = 0, open = 0, close = 0;
        while (i + n < whole.len &&
               (close < open || strchr(separators, whole.ptr[i + n]) == NULL)) {
            const char c = whole.ptr[i + n++];
            if (c == '[')
                open = n;
            else if (c == ']')
                close = n;
        }
        const char *const one = whole.ptr + i;
        const struct gs_str item = plain_name(gs_str_strip((struct gs_str){one, n}, "'\""));
        struct gs_str before, low, high;
        if (open > 0 && close > open)
            GS_TRY(expand((struct gs_str){one, open - 1},
                          (struct gs_str){one + open, close - open - 1},
                          (struct gs_str){one + close, n - close}, scratch, part, list));
        else if (gs_is_gpu_range(item, &before, &low, &high))
            GS_TRY(expand_range(before, low, high, GS_NO_STR, scratch, part, list));
        else if (item.len > 0 && !gs_texts_add(list, item, scratch))
            return GS_ERR_MEMORY;
        i += n + 1;
    }
    return GS_OK;
}

/* Patterns are applied to each item after the expansion, and an item that comes twice counts once. */
enum gs_status gs_value_list(struct gs_bound_value *b, const struct gs_form_row *r,
                             struct gs_arena *scratch, struct gs_texts *list)
{
    const struct gs_str whole = b->v->many ? gs_value_raw(b, r) : gs_value_text(b, r);
    struct gs_texts raw = {0};
    *list = (struct gs_texts){0};
    if (whole.ptr == NULL || gs_is_no_value(whole))
        return GS_OK;
    if (!b->v->many)
        return gs_had_memory(gs_texts_add(list, whole, scratch), NULL);
    GS_TRY(cut_list(whole, &b->part, scratch, &raw));
    for (size_t i = 0; i < raw.n; i++) {
        const struct gs_str text = gs_value_refined(b->v, raw.item[i]);
        if (text.ptr != NULL && text.len > 0 && !gs_texts_contain(list, text) &&
            !gs_texts_add(list, text, scratch))
            GS_TRY(GS_ERR_MEMORY);
    }
    return GS_OK;
}
