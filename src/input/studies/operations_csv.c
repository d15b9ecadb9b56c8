/* operations_csv.c - binds the columns of an operations file and parses its rows. */
#include "input/studies/operations_csv.h"

#include <math.h>

#include "base/num/order.h"
#include "input/bytes/csv_find.h"

enum { OP, INPUT_SIZE, MODEL, CLOCK, TIME, POWER, COUNT, N_FIELDS };

/* A number above 0, or NaN for missing and for no such column. */
static enum gs_status positive(const struct gs_csv_table *t, size_t row, int column, double *value,
                               struct gs_err *err)
{
    *value = (double)NAN;
    if (column == GS_CSV_NONE)
        return GS_OK;
    const enum gs_status s = gs_csv_real(t, row, (size_t)column, value, err);
    if (s != GS_OK || isnan(*value) || *value > 0.0)
        return s;
    return gs_csv_refuse(t, row, (size_t)column, "is not above 0", err);
}

/* Gives a failure of a parser its place and the text that it is about. */
static enum gs_status at_place(const struct gs_csv_table *t, size_t row, int column,
                               const struct gs_err *why, struct gs_err *err)
{
    if (why->status != GS_ERR_DATA)
        return gs_fail(err, why->status, "%s", why->text);
    char name[64];
    return gs_fail_at(err, t->name, t->line[row], "%s: '%s': %s",
                      gs_escape(name, sizeof name, t->header[column]),
                      GS_SHOWN(gs_csv_cell(t, row, (size_t)column), 128), why->text);
}

static enum gs_status parse_row(const struct gs_csv_table *t,
                                const struct gs_csv_field field[N_FIELDS], size_t row,
                                struct gs_arena *arena, struct gs_operation *o, struct gs_err *err)
{
    struct gs_err why = {0};
    const int op = field[OP].column, size = field[INPUT_SIZE].column;
    double *const number[N_FIELDS] = {
        [CLOCK] = &o->clock_mhz, [TIME] = &o->time_s, [POWER] = &o->power_w, [COUNT] = &o->count};
    if (gs_op_parse(gs_csv_cell(t, row, (size_t)op), arena, &o->op, &why) != GS_OK)
        return at_place(t, row, op, &why, err);
    if (gs_op_size_parse(gs_csv_cell(t, row, (size_t)size), arena, &o->size, &why) != GS_OK)
        return at_place(t, row, size, &why, err);
    for (size_t i = CLOCK; i < N_FIELDS; i++)
        GS_TRY(positive(t, row, field[i].column, number[i], err));
    o->line = t->line[row];
    if (field[COUNT].column == GS_CSV_NONE)
        o->count = 1.0;
    else if (isnan(o->count))
        return gs_fail_at(err, t->name, o->line, "the count is missing");
    if (field[MODEL].column != GS_CSV_NONE)
        o->model = gs_csv_cell(t, row, (size_t)field[MODEL].column);
    return GS_OK;
}

static int compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return !isnan(a) - !isnan(b);
    return gs_cmp(a, b);
}

#define BY_REAL(field) GS_DIFFER(compare_reals(x->field, y->field));
GS_COMPARES(compare_operations, struct gs_operation,
            GS_BY_TEXT(op.canonical) GS_BY_TEXT(size.canonical) BY_REAL(clock_mhz) BY_REAL(time_s)
                BY_REAL(power_w) GS_BY_TEXT(model) BY_REAL(count));

enum gs_status gs_operations_read(const char *path, const struct gs_operations_columns *columns,
                                  bool need_measured, struct gs_arena *arena,
                                  struct gs_notes *notes, struct gs_operations *out,
                                  struct gs_err *err)
{
    struct gs_csv_table t = {0};
    struct gs_csv_field field[N_FIELDS] = {
        [OP] = {"op", columns->op, .is_needed = true},
        [INPUT_SIZE] = {"input_size", columns->input_size, .is_needed = true},
        [MODEL] = {"model", columns->model, .is_needed = false},
        [CLOCK] = {"clock_mhz|clock", columns->clock, .is_needed = false},
        [TIME] = {"time_s", columns->time, .is_needed = need_measured},
        [POWER] = {"power_mean_W|power_w", columns->power, .is_needed = false},
        [COUNT] = {"count", columns->count, .is_needed = false}};
    GS_TRY(gs_csv_read(path, arena, &t, err));
    GS_TRY(gs_csv_fields_find(&t, field, N_FIELDS, err));
    GS_NEW(struct gs_operation, rows, t.n_rows, arena, err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows; r++) {
        GS_TRY(parse_row(&t, field, r, arena, &rows[n], err));
        const bool unmeasured =
            isnan(rows[n].time_s) || (field[POWER].column != GS_CSV_NONE && isnan(rows[n].power_w));
        n += !(need_measured && unmeasured);
    }
    if (n < t.n_rows)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %zu of %zu operations left out: time or power is missing", t.name,
                t.n_rows - n, t.n_rows);
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no operations", t.name);
    GS_SORT(rows, n, compare_operations);
    *out = (struct gs_operations){
        .name = t.name,
        .row = rows,
        .n = n,
        .has_clock = field[CLOCK].column != GS_CSV_NONE,
        .has_power = field[POWER].column != GS_CSV_NONE,
        .has_model = field[MODEL].column != GS_CSV_NONE,
        .has_count = field[COUNT].column != GS_CSV_NONE,
    };
    return GS_OK;
}
