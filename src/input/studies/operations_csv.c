/* operations_csv.c - binds the columns of an operations file and parses its rows. */
#include "input/studies/operations_csv.h"

#include <math.h>
#include <stdlib.h>

#include "input/bytes/csv.h"

#define NO_COLUMN SIZE_MAX

struct binding {
    size_t op, input_size, clock, time, power, model, count; /* NO_COLUMN: not there */
};

/* `given` must be there; without it the first of the usual names that is. */
static enum gs_status bind(const struct gs_csv_table *t, const char *given,
                           const char *const usual[2], bool needed, size_t *column,
                           struct gs_err *err)
{
    *column = NO_COLUMN;
    if (given != NULL)
        return gs_csv_column(t, given, column, err);
    for (int i = 0; i < 2 && usual[i] != NULL; i++)
        if (gs_csv_column(t, usual[i], column, NULL) == GS_OK)
            return GS_OK;
    return needed ? gs_csv_column(t, usual[0], column, err) : GS_OK;
}

static enum gs_status bind_all(const struct gs_csv_table *t, const struct gs_operations_columns *c,
                               bool need_measured, struct binding *b, struct gs_err *err)
{
    const struct {
        const char *given, *usual[2];
        bool needed;
        size_t *column;
    } wanted[] = {
        {c->op, {"op", NULL}, true, &b->op},
        {c->input_size, {"input_size", NULL}, true, &b->input_size},
        {c->clock, {"clock_mhz", "clock"}, false, &b->clock},
        {c->time, {"time_s", NULL}, need_measured, &b->time},
        {c->power, {"power_mean_W", "power_w"}, false, &b->power},
        {c->model, {"model", NULL}, false, &b->model},
        {c->count, {"count", NULL}, false, &b->count},
    };
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && s == GS_OK; i++)
        s = bind(t, wanted[i].given, wanted[i].usual, wanted[i].needed, wanted[i].column, err);
    return s;
}

/* A number above 0, or NaN for missing and for no such column. */
static enum gs_status positive(const struct gs_csv_table *t, size_t row, size_t column,
                               double *value, struct gs_err *err)
{
    *value = (double)NAN;
    if (column == NO_COLUMN)
        return GS_OK;
    const enum gs_status s = gs_csv_real(t, row, column, value, err);
    if (s != GS_OK || isnan(*value) || *value > 0.0)
        return s;
    char name[64], shown[64];
    return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s: '%s' is not above 0", t->name,
                   (unsigned long long)t->line[row],
                   gs_escape(name, sizeof name, t->header[column]),
                   gs_escape(shown, sizeof shown, gs_csv_cell(t, row, column)));
}

/* Gives a failure of a parser its place and the text that it is about. */
static enum gs_status at_place(const struct gs_csv_table *t, size_t row, size_t column,
                               const struct gs_err *why, struct gs_err *err)
{
    if (why->status != GS_ERR_DATA)
        return gs_fail(err, why->status, "%s", why->text);
    char name[64], shown[128];
    return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s: '%s': %s", t->name,
                   (unsigned long long)t->line[row],
                   gs_escape(name, sizeof name, t->header[column]),
                   gs_escape(shown, sizeof shown, gs_csv_cell(t, row, column)), why->text);
}

static enum gs_status parse_row(const struct gs_csv_table *t, const struct binding *b, size_t row,
                                struct gs_arena *arena, struct gs_operation *o, struct gs_err *err)
{
    struct gs_err why = {0};
    if (gs_op_parse(gs_csv_cell(t, row, b->op), arena, &o->op, &why) != GS_OK)
        return at_place(t, row, b->op, &why, err);
    if (gs_op_size_parse(gs_csv_cell(t, row, b->input_size), arena, &o->size, &why) != GS_OK)
        return at_place(t, row, b->input_size, &why, err);
    enum gs_status s = positive(t, row, b->clock, &o->clock_mhz, err);
    if (s == GS_OK)
        s = positive(t, row, b->time, &o->time_s, err);
    if (s == GS_OK)
        s = positive(t, row, b->power, &o->power_w, err);
    if (s == GS_OK)
        s = positive(t, row, b->count, &o->count, err);
    if (s != GS_OK)
        return s;
    o->line = t->line[row];
    if (b->count == NO_COLUMN)
        o->count = 1.0;
    else if (isnan(o->count))
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: the count is missing", t->name,
                       (unsigned long long)o->line);
    if (b->model != NO_COLUMN)
        o->model = gs_csv_cell(t, row, b->model);
    return GS_OK;
}

static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return !isnan(a) - !isnan(b);
    return (a > b) - (a < b);
}

static int compare_operations(const void *left, const void *right)
{
    const struct gs_operation *const a = left, *const b = right;
    int c = gs_str_compare(a->op.canonical, b->op.canonical);
    if (c == 0)
        c = gs_str_compare(a->size.canonical, b->size.canonical);
    if (c == 0)
        c = compare_reals(a->clock_mhz, b->clock_mhz);
    if (c == 0)
        c = compare_reals(a->time_s, b->time_s);
    if (c == 0)
        c = compare_reals(a->power_w, b->power_w);
    if (c == 0)
        c = gs_str_compare(a->model, b->model);
    return c != 0 ? c : compare_reals(a->count, b->count);
}

enum gs_status gs_operations_read(const char *path, const struct gs_operations_columns *columns,
                                  bool need_measured, struct gs_arena *arena,
                                  struct gs_notes *notes, struct gs_operations *out,
                                  struct gs_err *err)
{
    struct gs_csv_table t = {0};
    struct binding b = {0};
    enum gs_status s = gs_csv_read(path, arena, &t, err);
    if (s == GS_OK)
        s = bind_all(&t, columns, need_measured, &b, err);
    if (s != GS_OK)
        return s;
    struct gs_operation *const rows = gs_arena_take(arena, t.n_rows, sizeof *rows);
    if (rows == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows; r++) {
        s = parse_row(&t, &b, r, arena, &rows[n], err);
        if (s != GS_OK)
            return s;
        const bool unmeasured =
            isnan(rows[n].time_s) || (b.power != NO_COLUMN && isnan(rows[n].power_w));
        n += !(need_measured && unmeasured);
    }
    if (n < t.n_rows)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %zu of %zu operations left out: time or power is missing", t.name,
                t.n_rows - n, t.n_rows);
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no operations", t.name);
    qsort(rows, n, sizeof *rows, compare_operations);
    *out = (struct gs_operations){
        .name = t.name,
        .row = rows,
        .n = n,
        .has_clock = b.clock != NO_COLUMN,
        .has_power = b.power != NO_COLUMN,
        .has_model = b.model != NO_COLUMN,
        .has_count = b.count != NO_COLUMN,
    };
    return GS_OK;
}
