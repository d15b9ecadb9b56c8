/* condition.c - one condition over all rows of a result, wherever the rows are. */
#include "app/cli/condition.h"

#include <stdio.h>
#include <string.h>

#include "app/options/column_names.h"
#include "base/num/decimal.h"
#include "base/num/order.h"

/* Which of less, equal and greater an operator accepts. */
struct condition {
    const char *option; /* whose it is, for messages */
    char column[64];
    struct gs_str value;
    bool less, equal, greater;
};

static enum gs_status parse(const char *text, struct condition *c, struct gs_err *err)
{
    const size_t at = strcspn(text, "=!<>"), n_op = strspn(text + at, "=!<>~");
    const struct gs_str column = gs_trimmed((struct gs_str){text, at}), op = {text + at, n_op};
    c->value = gs_trimmed(gs_str(text + at + n_op));
    c->less = gs_str_eq(op, gs_str("<")) || gs_str_eq(op, gs_str("<="));
    c->greater = gs_str_eq(op, gs_str(">")) || gs_str_eq(op, gs_str(">="));
    c->equal = gs_str_eq(op, gs_str("=")) || (n_op == 2 && op.ptr[0] != '!' && op.ptr[1] == '=');
    if (gs_str_eq(op, gs_str("!=")))
        c->less = c->greater = true;
    if (column.len == 0 || column.len >= sizeof c->column || c->value.len == 0 ||
        !(c->less || c->equal || c->greater))
        return gs_fail(err, GS_ERR_USAGE,
                       "%s: '%s' is no condition; expected COLUMN OP VALUE with = != > < >= "
                       "<=, as gpu_verdict!=ok",
                       c->option, GS_SHOWN(gs_str(text), 96));
    (void)snprintf(c->column, sizeof c->column, "%.*s", (int)column.len, column.ptr);
    return GS_OK;
}

/* The rows of a frame as they are walked: which hold the condition, or only whether one does. */
struct walk {
    const struct condition *c;
    bool *holds; /* [n_rows of the frame]; NULL: `any` is enough */
    size_t at;   /* rows before this part                         */
    bool any;
};

/*
 * A missing value holds no condition, not even "!=": unknown must not fail a build. Text is
 * compared byte by byte, numbers by value.
 */
static enum gs_status look(void *context, const struct gs_frame *part, struct gs_err *err)
{
    struct walk *const w = context;
    const struct condition *const c = w->c;
    const size_t column = (size_t)gs_frame_find_named(part, gs_str(c->column));
    const enum gs_type type = part->columns[column].spec->type;
    const bool is_number = type == GS_TYPE_INT || type == GS_TYPE_REAL;
    char room[GS_REAL_TEXT_MAX];
    double limit = 0, own;
    if (is_number && gs_real_parse(c->value, &limit) != GS_NUMBER_OK)
        return gs_fail(err, GS_ERR_USAGE, "%s: '%s' is no number, as %s holds", c->option,
                       GS_SHOWN(c->value, 96), c->column);
    for (size_t i = 0; i < part->n_rows && (w->holds != NULL || !w->any); i++) {
        if (gs_frame_is_missing(part, i, column))
            continue;
        const struct gs_str cell = gs_frame_cell(part, i, column, room);
        int order = gs_str_compare(cell, c->value);
        if (is_number) {
            if (gs_real_parse(cell, &own) != GS_NUMBER_OK)
                continue;
            order = gs_cmp(own, limit);
        }
        const bool holds =
            (order < 0 && c->less) || (order == 0 && c->equal) || (order > 0 && c->greater);
        w->any |= holds;
        if (w->holds != NULL)
            w->holds[w->at + i] = holds;
    }
    w->at += part->n_rows;
    return GS_OK;
}

/*
 * A misspelt column is an error and not "no row holds it": a check that can never fail would be
 * worse than none. Without frames (--partial) the condition waits for merge.
 */
static enum gs_status check_column(const struct condition *c, const struct gs_frames *frames,
                                   struct gs_err *err)
{
    const struct gs_frame *f = frames->first;
    while (f != NULL && gs_frame_find_named(f, gs_str(c->column)) < 0)
        f = f->next;
    if (f != NULL || frames->first == NULL)
        return GS_OK;
    return gs_column_name_fail(c->option, gs_str(c->column), frames->first, err);
}

enum gs_status gs_condition_check(const char *option, const char *condition,
                                  const struct gs_column_names *names, struct gs_err *err)
{
    struct condition c = {.option = option};
    GS_TRY(parse(condition, &c, err));
    return gs_column_name_check(option, gs_str(c.column), names, err);
}

enum gs_status gs_fail_if(const char *condition, const struct gs_frames *frames, bool *holds,
                          struct gs_err *err)
{
    struct condition c = {.option = "--fail-if"};
    struct walk w = {.c = &c};
    *holds = false;
    GS_TRY(parse(condition, &c, err));
    GS_TRY(check_column(&c, frames, err));
    for (const struct gs_frame *f = frames->first; f != NULL; f = f->next)
        if (gs_frame_find_named(f, gs_str(c.column)) >= 0)
            GS_TRY(gs_frame_parts(f, look, &w, err));
    *holds = w.any;
    return GS_OK;
}

enum gs_status gs_filter(const char *condition, const struct gs_frames *frames,
                         struct gs_arena *arena, struct gs_err *err)
{
    struct condition c = {.option = "--filter"};
    GS_TRY(parse(condition, &c, err));
    GS_TRY(check_column(&c, frames, err));
    for (struct gs_frame *f = frames->first; f != NULL; f = f->next) {
        if (gs_frame_find_named(f, gs_str(c.column)) < 0)
            continue;
        struct walk w = {.c = &c, .holds = gs_arena_take(arena, f->n_rows, sizeof *w.holds)};
        GS_TRY(gs_had_memory(w.holds != NULL, err));
        GS_TRY(gs_frame_parts(f, look, &w, err));
        GS_TRY(gs_frame_keep(f, w.holds, arena, err));
    }
    return GS_OK;
}
