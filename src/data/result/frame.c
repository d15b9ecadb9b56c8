/* frame.c - typed columns with missing values, stable sorting. */
#include "data/result/frame.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/num/timestamp.h"
#include "base/num/order.h"

/*
 * Every cell begins as missing. A cell that a command forgets to set prints as unknown and
 * never as zero. The union of pointers is why one test of `text` covers all three types.
 */
enum gs_status gs_frame_new(struct gs_arena *arena, const struct gs_frame_head *head, size_t n_rows,
                            struct gs_frames *out, struct gs_frame **frame, struct gs_err *err)
{
    const size_t n_columns = head->n_columns;
    GS_NEW(struct gs_frame, f, 1, arena, err);
    GS_NEW(struct gs_column, columns, n_columns, arena, err);
    GS_NEW_RAW(struct gs_column_spec, resolved, n_columns, arena, err);
    *f = (struct gs_frame){.name = head->name,
                           .title = head->title,
                           .n_rows = n_rows,
                           .n_columns = n_columns,
                           .columns = columns};
    for (size_t c = 0; c < n_columns; c++) {
        resolved[c] = gs_column_resolve(&head->specs[c], c);
        columns[c].spec = &resolved[c];
        if (resolved[c].type == GS_TYPE_TEXT) {
            columns[c].text = gs_arena_take(arena, n_rows, sizeof *columns[c].text);
        } else if (resolved[c].type == GS_TYPE_REAL) {
            columns[c].real = gs_arena_take_raw(arena, n_rows, sizeof *columns[c].real);
            for (size_t r = 0; r < n_rows && columns[c].real != NULL; r++)
                columns[c].real[r] = (double)NAN;
        } else {
            columns[c].integer = gs_arena_take_raw(arena, n_rows, sizeof *columns[c].integer);
            for (size_t r = 0; r < n_rows && columns[c].integer != NULL; r++)
                columns[c].integer[r] = GS_MISSING;
        }
        GS_TRY(gs_had_memory(columns[c].text != NULL, err));
    }
    if (out != NULL)
        gs_frame_append(out, f);
    *frame = f;
    return GS_OK;
}

void gs_frame_append(struct gs_frames *out, struct gs_frame *f)
{
    if (out->last == NULL)
        out->first = f;
    else
        out->last->next = f;
    out->last = f;
}

/* The bytes are not copied: they must live as long as the frame. */
void gs_frame_set_text(struct gs_frame *f, size_t row, size_t column, struct gs_str value)
{
    assert(row < f->n_rows && column < f->n_columns &&
           f->columns[column].spec->type == GS_TYPE_TEXT);
    f->columns[column].text[row] = value;
}

void gs_frame_set_int(struct gs_frame *f, size_t row, size_t column, int64_t value)
{
    assert(row < f->n_rows && column < f->n_columns &&
           f->columns[column].spec->type == GS_TYPE_INT);
    f->columns[column].integer[row] = value;
}

void gs_frame_set_real(struct gs_frame *f, size_t row, size_t column, double value)
{
    assert(row < f->n_rows && column < f->n_columns &&
           f->columns[column].spec->type == GS_TYPE_REAL);
    f->columns[column].real[row] = value;
}

void gs_frame_set_time(struct gs_frame *f, size_t row, size_t column, int64_t t_ns)
{
    assert(row < f->n_rows && column < f->n_columns &&
           f->columns[column].spec->type == GS_TYPE_TIME);
    f->columns[column].integer[row] = t_ns;
}

bool gs_frame_is_missing(const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        return c->text[row].ptr == NULL;
    case GS_TYPE_REAL:
        return isnan(c->real[row]);
    case GS_TYPE_INT:
    case GS_TYPE_TIME:
        return c->integer[row] == GS_MISSING;
    }
    return true;
}

int gs_frame_find(const struct gs_frame *f, const char *name)
{
    for (size_t c = 0; c < f->n_columns; c++)
        if (strcmp(f->columns[c].spec->name, name) == 0)
            return (int)c;
    return -1;
}

int gs_frame_find_named(const struct gs_frame *f, struct gs_str name)
{
    int found = -1;
    for (size_t c = 0; c < f->n_columns; c++)
        if (gs_str_eq(name, gs_str(f->columns[c].spec->name)))
            return (int)c;
    for (size_t c = 0; c < f->n_columns; c++) {
        if (!gs_column_is_titled(f->columns[c].spec, name))
            continue;
        if (found >= 0)
            return -1;
        found = (int)c;
    }
    return found;
}

int gs_frame_column(const struct gs_frame *f, enum gs_column_id id)
{
    if (id >= GS_COL_AT(0)) /* by its place, whatever it is called */
        return (size_t)(id - GS_N_COLUMNS) < f->n_columns ? (int)(id - GS_N_COLUMNS) : -1;
    for (size_t c = 0; c < f->n_columns; c++)
        if (id != GS_COL_NONE && f->columns[c].spec->id == id)
            return (int)c;
    return -1;
}

bool gs_frame_has_values(const struct gs_frame *f, enum gs_column_id id)
{
    const int column = gs_frame_column(f, id);
    for (size_t r = 0; column >= 0 && r < f->n_rows; r++)
        if (!gs_frame_is_missing(f, r, (size_t)column))
            return true;
    return false;
}

struct gs_column *gs_frame_cells(const struct gs_frame *f, enum gs_column_id id)
{
    const int column = gs_frame_column(f, id);
    assert(column >= 0);
    return &f->columns[column];
}

void gs_frame_put(struct gs_frame *f, size_t row, const struct gs_put *cell, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t c = (size_t)gs_frame_column(f, cell[i].column);
        if (cell[i].type == GS_TYPE_TEXT)
            gs_frame_set_text(f, row, c, cell[i].text);
        else if (cell[i].type == GS_TYPE_REAL)
            gs_frame_set_real(f, row, c, cell[i].real);
        else if (gs_frame_cells(f, cell[i].column)->spec->type == GS_TYPE_TIME)
            gs_frame_set_time(f, row, c, cell[i].integer);
        else
            gs_frame_set_int(f, row, c, cell[i].integer);
    }
}

void gs_frame_put_shown(struct gs_frame *f, size_t row, const struct gs_put *cell, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (gs_frame_column(f, cell[i].column) >= 0)
            gs_frame_put(f, row, &cell[i], 1);
}

void gs_frame_put_real(struct gs_frame *f, size_t row, enum gs_column_id id, double value)
{
    gs_frame_set_real(f, row, (size_t)gs_frame_column(f, id), value);
}

struct sort_key {
    size_t column;
    bool descending, natural;
};

enum { MAX_SORT_KEYS = 16 };

/* Missing last in either direction, so it is settled before the direction is applied. */
static int compare_cells(const struct gs_frame *f, struct sort_key key, size_t a, size_t b)
{
    const struct gs_column *const c = &f->columns[key.column];
    const bool no_a = gs_frame_is_missing(f, a, key.column),
               no_b = gs_frame_is_missing(f, b, key.column);
    if (no_a || no_b)
        return no_a - no_b;
    int order;
    if (c->spec->type == GS_TYPE_TEXT && key.natural)
        order = gs_str_compare_natural(c->text[a], c->text[b]);
    else if (c->spec->type == GS_TYPE_TEXT)
        order = gs_str_compare(c->text[a], c->text[b]);
    else if (c->spec->type == GS_TYPE_REAL)
        order = gs_cmp(c->real[a], c->real[b]);
    else
        order = gs_cmp(c->integer[a], c->integer[b]);
    return key.descending ? -order : order;
}

/*
 * The row number breaks ties, so --sort keeps the order by key below it and the output is the
 * same in every run.
 */
static int compare_rows(const struct gs_frame *f, const struct sort_key *keys, size_t n_keys,
                        size_t a, size_t b)
{
    for (size_t k = 0; k < n_keys; k++) {
        const int order = compare_cells(f, keys[k], a, b);
        if (order != 0)
            return order;
    }
    return gs_cmp(a, b);
}

/* Bottom-up merge sort of row numbers: qsort has no context argument in C11. */
static void sort_rows(const struct gs_frame *f, const struct sort_key *keys, size_t n_keys,
                      size_t *rows, size_t *spare)
{
    for (size_t width = 1; width < f->n_rows; width *= 2) {
        for (size_t lo = 0; lo < f->n_rows; lo += 2 * width) {
            const size_t mid = gs_min(lo + width, f->n_rows);
            const size_t hi = gs_min(mid + width, f->n_rows);
            size_t i = lo, j = mid;
            for (size_t k = lo; k < hi; k++)
                spare[k] =
                    j >= hi || (i < mid && compare_rows(f, keys, n_keys, rows[i], rows[j]) <= 0)
                        ? rows[i++]
                        : rows[j++];
        }
        memcpy(rows, spare, f->n_rows * sizeof *rows);
    }
}

static enum gs_status parse_order(const struct gs_frame *f, const char *order,
                                  struct sort_key *keys, size_t *n_keys, struct gs_err *err)
{
    size_t n = 0;
    for (const char *p = order; *p != '\0';) {
        const size_t len = strcspn(p, ",");
        struct gs_str name = {p, len};
        struct sort_key key = {0};
        const char *const colon = memchr(p, ':', len);
        bool direction_known = true;
        if (colon != NULL) {
            const struct gs_str direction = {colon + 1, len - (size_t)(colon - p) - 1};
            name.len = (size_t)(colon - p);
            key.descending = gs_str_eq(direction, gs_str("desc"));
            direction_known = key.descending || gs_str_eq(direction, gs_str("asc"));
        }
        const int c = gs_frame_find_named(f, name);
        if (c < 0 || !direction_known || n == MAX_SORT_KEYS)
            return gs_fail(
                err, GS_ERR_USAGE,
                "--sort: '%s' must be COLUMN, COLUMN:asc or COLUMN:desc, at most %d of them",
                GS_SHOWN(((struct gs_str){p, len}), 120), MAX_SORT_KEYS);
        key.column = (size_t)c;
        keys[n++] = key;
        p += len;
        p += *p == ',';
    }
    *n_keys = n;
    return GS_OK;
}

/*
 * Rows that are far stay: what is compared is held, and the order in which they are to be read.
 * An earlier sort is composed with this one: rows[] number the rows as they appear now,
 * row_order where they are in the source.
 */
static enum gs_status order_far_rows(struct gs_frame *f, const struct sort_key *keys, size_t n_keys,
                                     size_t *rows, size_t *spare, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_frame compared = *f;
    GS_NEW(bool, wanted, f->n_columns, &own, err);
    GS_TAKE(compared.columns, f->n_columns, &own, err);
    for (size_t k = 0; k < n_keys; k++)
        wanted[keys[k].column] = true;
    GS_TRY(gs_frame_load_columns(f, wanted, &own, compared.columns, err));
    sort_rows(&compared, keys, n_keys, rows, spare);
    for (size_t r = 0; f->row_order != NULL && r < f->n_rows; r++)
        rows[r] = f->row_order[rows[r]];
    f->row_order = rows;
    return GS_OK;
}

/* One spare column serves all in turn; it is as wide as the widest cell. */
static enum gs_status order_held_rows(struct gs_frame *f, const size_t *rows,
                                      struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW_RAW(struct gs_str, values, f->n_rows, arena, err);
    for (size_t c = 0; c < f->n_columns; c++) {
        const size_t size =
            f->columns[c].spec->type == GS_TYPE_TEXT ? sizeof(struct gs_str) : sizeof(int64_t);
        char *const column = (char *)f->columns[c].text;
        for (size_t r = 0; r < f->n_rows; r++)
            memcpy((char *)values + r * size, column + rows[r] * size, size);
        memcpy(column, values, f->n_rows * size);
    }
    return GS_OK;
}

/*
 * The order is parsed before the first return, so a misspelt column is reported for a frame
 * with one row too.
 */
enum gs_status gs_frame_sort(struct gs_frame *f, const char *order, struct gs_arena *arena,
                             struct gs_err *err)
{
    struct sort_key keys[MAX_SORT_KEYS];
    size_t n_keys = 0;
    enum gs_status s = parse_order(f, order, keys, &n_keys, err);
    if (s != GS_OK || f->n_rows < 2)
        return s;
    GS_NEW_RAW(size_t, rows, f->n_rows, arena, err);
    GS_NEW_RAW(size_t, spare, f->n_rows, arena, err);
    for (size_t r = 0; r < f->n_rows; r++)
        rows[r] = r;
    if (f->source.read != NULL && f->source.far)
        return order_far_rows(f, keys, n_keys, rows, spare, err);
    GS_TRY(gs_frame_load(f, arena, err));
    sort_rows(f, keys, n_keys, rows, spare);
    return order_held_rows(f, rows, arena, err);
}

/*
 * Only where the rows are in the order of their text keys already: gpu10 then follows gpu9. Any
 * other order is the command's own and must stay. A last row out of order is a total and keeps
 * its place.
 */
enum gs_status gs_frame_sort_naturally(struct gs_frame *f, struct gs_arena *arena,
                                       struct gs_err *err)
{
    struct sort_key keys[MAX_SORT_KEYS] = {{0}};
    size_t n_keys = 0, end = 1;
    while (n_keys < f->n_columns && n_keys < MAX_SORT_KEYS &&
           f->columns[n_keys].spec->type == GS_TYPE_TEXT)
        keys[n_keys].column = n_keys, n_keys++;
    if (n_keys == 0 || f->n_rows < 3 || f->source.read != NULL)
        return GS_OK;
    while (end < f->n_rows && compare_rows(f, keys, n_keys, end - 1, end) < 0)
        end++;
    if (end + 1 < f->n_rows)
        return GS_OK;
    GS_NEW_RAW(size_t, rows, f->n_rows, arena, err);
    GS_NEW_RAW(size_t, spare, f->n_rows, arena, err);
    for (size_t k = 0; k < n_keys; k++)
        keys[k].natural = true;
    for (size_t r = 0; r < f->n_rows; r++)
        rows[r] = r;
    struct gs_frame sorted = *f;
    sorted.n_rows = end;
    sort_rows(&sorted, keys, n_keys, rows, spare);
    return order_held_rows(f, rows, arena, err);
}

enum gs_status gs_frame_keep(struct gs_frame *f, const bool *keep, struct gs_arena *arena,
                             struct gs_err *err)
{
    const bool far = f->source.read != NULL && f->source.far;
    GS_NEW_RAW(size_t, rows, f->n_rows, arena, err);
    size_t n = 0;
    if (!far)
        GS_TRY(gs_frame_load(f, arena, err));
    for (size_t r = 0; r < f->n_rows; r++)
        if (keep[r])
            rows[n++] = far && f->row_order != NULL ? f->row_order[r] : r;
    f->n_rows = n;
    if (!far)
        return order_held_rows(f, rows, arena, err);
    f->row_order = rows;
    return GS_OK;
}

/* The cells stay allocated: only the count is cut. */
void gs_frame_top(struct gs_frame *f, size_t n)
{
    if (n < f->n_rows)
        f->n_rows = n;
}

struct gs_str gs_frame_cell(const struct gs_frame *f, size_t row, size_t column,
                            char room[GS_REAL_TEXT_MAX])
{
    const struct gs_column *const c = &f->columns[column];
    if (gs_frame_is_missing(f, row, column))
        return (struct gs_str){"", 0};
    int len = 0;
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        return c->text[row];
    case GS_TYPE_INT:
        len = gs_int_format(room, c->integer[row]);
        break;
    case GS_TYPE_REAL:
        len = gs_real_format(room, c->real[row]);
        break;
    case GS_TYPE_TIME:
        len = gs_time_format(room, c->integer[row]);
        break;
    }
    return (struct gs_str){room, (size_t)len};
}
