/* fail_if.c - one condition over all rows of a result, wherever the rows are. */
#include "app/cli/fail_if.h"

#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"

/* Which of less, equal and greater an operator accepts. */
struct condition {
    char column[64];
    struct gs_str value;
    bool less, equal, greater;
    bool any; /* a row that holds it was seen */
};

static enum gs_status parse(const char *text, struct condition *c, struct gs_err *err)
{
    const size_t at = strcspn(text, "=!<>"), n_op = strspn(text + at, "=!<>");
    const struct gs_str column = gs_trimmed((struct gs_str){text, at}), op = {text + at, n_op};
    char shown[96];
    c->value = gs_trimmed(gs_str(text + at + n_op));
    c->less = gs_str_eq(op, gs_str("<")) || gs_str_eq(op, gs_str("<="));
    c->greater = gs_str_eq(op, gs_str(">")) || gs_str_eq(op, gs_str(">="));
    c->equal = gs_str_eq(op, gs_str("=")) || (n_op == 2 && op.ptr[0] != '!' && op.ptr[1] == '=');
    if (gs_str_eq(op, gs_str("!=")))
        c->less = c->greater = true;
    if (column.len == 0 || column.len >= sizeof c->column || c->value.len == 0 ||
        !(c->less || c->equal || c->greater))
        return gs_fail(err, GS_ERR_USAGE,
                       "--fail-if: '%s' is no condition; expected COLUMN OP VALUE with = != > < >= "
                       "<=, as gpu_verdict!=ok",
                       gs_escape(shown, sizeof shown, gs_str(text)));
    (void)snprintf(c->column, sizeof c->column, "%.*s", (int)column.len, column.ptr);
    return GS_OK;
}

/*
 * A missing value holds no condition, not even "!=": unknown must not fail a build. Text is
 * compared byte by byte, numbers by value.
 */
static enum gs_status look(void *context, const struct gs_frame *part, struct gs_err *err)
{
    struct condition *const c = context;
    const size_t column = (size_t)gs_frame_find(part, c->column);
    const enum gs_type type = part->columns[column].spec->type;
    const bool is_number = type == GS_TYPE_INT || type == GS_TYPE_REAL;
    char room[GS_REAL_TEXT_MAX], shown[96];
    double limit = 0, own;
    if (is_number && gs_real_parse(c->value, &limit) != GS_NUMBER_OK)
        return gs_fail(err, GS_ERR_USAGE, "--fail-if: '%s' is no number, as %s holds",
                       gs_escape(shown, sizeof shown, c->value), c->column);
    for (size_t i = 0; i < part->n_rows && !c->any; i++) {
        if (gs_frame_is_missing(part, i, column))
            continue;
        const struct gs_str cell = gs_frame_cell(part, i, column, room);
        int order = gs_str_compare(cell, c->value);
        if (is_number) {
            if (gs_real_parse(cell, &own) != GS_NUMBER_OK)
                continue;
            order = gs_cmp(own, limit);
        }
        c->any |= (order < 0 && c->less) || (order == 0 && c->equal) || (order > 0 && c->greater);
    }
    return GS_OK;
}

/*
 * A misspelt column is an error and not "no row holds it": a check that can never fail would be
 * worse than none.
 */
enum gs_status gs_fail_if(const char *condition, const struct gs_frames *frames, bool *holds,
                          struct gs_err *err)
{
    struct condition c = {.any = false};
    bool there = false;
    char shown[96];
    enum gs_status s = parse(condition, &c, err);
    for (const struct gs_frame *f = frames->first; s == GS_OK && f != NULL; f = f->next) {
        if (gs_frame_find(f, c.column) < 0)
            continue;
        there = true;
        s = gs_frame_parts(f, look, &c, err);
    }
    if (s == GS_OK && !there &&
        frames->first != NULL) /* without frames (--partial) it waits for merge */
        s = gs_fail(err, GS_ERR_USAGE, "--fail-if: no column '%s'; --explain lists those there are",
                    gs_escape(shown, sizeof shown, gs_str(c.column)));
    *holds = c.any;
    return s;
}
