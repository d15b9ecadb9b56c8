/* names.c - the distinct texts of a column, numbered. */

#include "base/core/intern.h"
#include "base/num/order.h"
#include "output/chart/figure.h"
#include "output/text/cells.h"
#include "output/text/width.h"

/* UUIDs at the end of names by their first blocks, as in tables, where no two names become one. */
static enum gs_status shorten(struct gs_names *names, struct gs_intern *brief, struct gs_err *err)
{
    for (uint32_t i = 0; i < names->n && i == brief->n; i++)
        if (gs_intern_add(brief, gs_uuid_brief(names->name[i])) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    if (brief->n == names->n)
        names->name = brief->text;
    return GS_OK;
}

enum gs_status gs_names_of(struct gs_names *names, const struct gs_frame *f, size_t column,
                           struct gs_arena *arena, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    /* The numbers of texts follow their first appearance, so a seed that differs from run to run shows
     * nowhere. */
    struct gs_intern in = {.arena = arena, .seed = (uint64_t)(uintptr_t)&scratch}, brief = in;
    struct gs_buf cell = {.arena = &scratch};
    enum gs_status s = GS_OK;
    GS_TAKE_RAW(names->of_row, f->n_rows, arena, err);
    for (size_t r = 0; r < f->n_rows && s == GS_OK; r++) {
        names->of_row[r] = GS_NO_NAME;
        if (gs_frame_is_missing(f, r, column))
            continue;
        cell.len = 0;
        gs_cell_for_people(&cell, f, r, column);
        names->of_row[r] = gs_intern_add(&in, gs_buf_str(&cell));
        if (cell.failed || names->of_row[r] == GS_INTERN_NONE)
            s = gs_fail_memory(err);
    }
    names->n = in.n;
    names->name = in.text;
    GS_THEN(s, shorten(names, &brief, err));
    return s;
}

size_t gs_names_longest(const struct gs_names *names)
{
    size_t longest = 0;
    for (size_t i = 0; i < names->n; i++) {
        const size_t width = gs_text_width(names->name[i]);
        longest = gs_max(width, longest);
    }
    return longest;
}

/* `is` says for each name what its number is now. */
static void renumber(struct gs_names *names, size_t n_rows, const uint32_t *is)
{
    for (size_t r = 0; r < n_rows; r++)
        if (names->of_row[r] != GS_NO_NAME)
            names->of_row[r] = is[names->of_row[r]];
}

/* A name on its way to its place: by value, then by text. */
struct named {
    int64_t value;
    struct gs_str name;
    uint32_t was;
};

GS_COMPARES(by_value, struct named, GS_BY(value) GS_BY_TEXT(name));

static enum gs_status reorder(struct gs_names *names, size_t n_rows, struct named *sorted,
                              struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct gs_str, name, names->n, arena, err);
    GS_NEW(uint32_t, is, names->n, arena, err);
    GS_SORT(sorted, names->n, by_value);
    for (size_t i = 0; i < names->n; i++) {
        name[i] = sorted[i].name;
        is[sorted[i].was] = (uint32_t)i;
    }
    renumber(names, n_rows, is);
    names->name = name;
    return GS_OK;
}

enum gs_status gs_names_by_text(struct gs_names *names, size_t n_rows, const bool *first,
                                struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct named, sorted, names->n, arena, err);
    for (size_t i = 0; i < names->n; i++)
        sorted[i] = (struct named){!first[i], names->name[i], (uint32_t)i};
    return reorder(names, n_rows, sorted, arena, err);
}

enum gs_status gs_names_begin_with(struct gs_names *names, size_t n_rows, const char *const *order,
                                   struct gs_arena *arena, struct gs_err *err)
{
    size_t n = 0;
    while (order[n] != NULL)
        n++;
    GS_NEW(struct gs_str, name, n + names->n, arena, err);
    GS_NEW(uint32_t, is, names->n, arena, err);
    for (size_t k = 0; k < n; k++)
        name[k] = gs_str(order[k]);
    for (size_t i = 0, end = n; i < names->n; i++) {
        size_t k = 0;
        while (k < n && !gs_str_eq(name[k], names->name[i]))
            k++;
        if (k == n) {
            k = end;
            name[end++] = names->name[i];
        }
        is[i] = (uint32_t)k;
    }
    size_t known = 0;
    for (size_t i = 0; i < names->n; i++)
        known += is[i] < n;
    renumber(names, n_rows, is);
    names->name = name;
    names->n = n + names->n - known;
    return GS_OK;
}

enum gs_status gs_names_order(struct gs_names *names, const struct gs_frame *f, size_t column,
                              struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW(struct named, sorted, names->n, arena, err);
    for (size_t r = f->n_rows; r-- > 0;) {
        const uint32_t k = names->of_row[r];
        if (k != GS_NO_NAME)
            sorted[k] = (struct named){f->columns[column].integer[r], names->name[k], k};
    }
    return reorder(names, f->n_rows, sorted, arena, err);
}

enum gs_status gs_names_store(struct gs_names *names, size_t n_rows, bool *has_others,
                              struct gs_arena *arena, struct gs_err *err)
{
    enum { KEPT = GS_HEAT_MAX_COLOURS - 1 };
    GS_NEW(size_t, n, names->n, arena, err);
    GS_NEW(struct gs_str, name, GS_HEAT_MAX_COLOURS, arena, err);
    GS_NEW(uint32_t, is, names->n, arena, err);
    struct gs_buf others = {.arena = arena};
    for (size_t r = 0; r < n_rows; r++)
        if (names->of_row[r] != GS_NO_NAME)
            n[names->of_row[r]]++;
    for (size_t k = 0; k < KEPT; k++) {
        size_t most = 0;
        for (size_t i = 1; i < names->n; i++)
            if (n[i] > n[most])
                most = i;
        is[most] = 1;
        n[most] = 0;
    }
    for (size_t i = 0, kept = 0; i < names->n; i++) {
        if (is[i] == 0) {
            is[i] = KEPT;
            continue;
        }
        name[kept] = names->name[i];
        is[i] = (uint32_t)kept++;
    }
    gs_real_for_people(&others, (double)(names->n - KEPT), 0);
    gs_buf_text(&others, " others");
    name[KEPT] = gs_buf_str(&others);
    renumber(names, n_rows, is);
    names->name = name;
    names->n = GS_HEAT_MAX_COLOURS;
    *has_others = true;
    return gs_had_memory(!others.failed, err);
}
