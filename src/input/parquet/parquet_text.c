/*
 * parquet_text.c - a Parquet file as a table of text. Detection, maps, options, rejects and the strict reader need not know of
 * Parquet this way, and what they make of a file is what they would make of the same table as CSV.
 */
#include "input/parquet/parquet_parts.h"

#include <math.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"

/* The shortest decimal that reads back as the same float: of those with few digits the first. */
static double shortest_of(float f)
{
    const double d = (double)f, size = fabs(d);
    if (!(size >= 1e-5 && size < 1e9))
        return d;
    for (unsigned n = 0; n <= 15; n++) {
        const double scale = (double)gs_powers_of_ten[n], near = nearbyint(d * scale) / scale;
        if ((float)near == f)
            return near;
    }
    return d;
}

static void put_decimal(struct gs_buf *b, int64_t digits, int32_t scale)
{
    char text[GS_REAL_TEXT_MAX];
    const uint64_t size = digits < 0 ? -(uint64_t)digits : (uint64_t)digits;
    if (scale == 0) { /* the least of all has no positive one */
        gs_buf_bytes(b, text, (size_t)gs_int_format(text, digits));
        return;
    }
    if (digits < 0)
        gs_buf_char(b, '-');
    gs_buf_bytes(b, text, (size_t)gs_int_format(text, (int64_t)(size / gs_powers_of_ten[scale])));
    text[0] = '.';
    gs_buf_bytes(b, text,
                 (size_t)gs_digits_format(text + 1, size % gs_powers_of_ten[scale], scale) + 1);
}

/* Instants that nanoseconds do not hold are shown as they are: reading them as times refuses them by their number. */
static void put_instant(struct gs_buf *b, const struct gs_parquet_column *c, int64_t number)
{
    char text[GS_TIME_TEXT_MAX];
    int64_t t_ns;
    const int64_t unit = c->kind == GS_PARQUET_DATE ? 86400 * GS_NS_PER_S : c->unit_ns;
    if (__builtin_mul_overflow(number, unit, &t_ns)) {
        gs_buf_format(b, "%lld units of %lld ns since 1970", (long long)number, (long long)unit);
        return;
    }
    size_t n = (size_t)gs_time_format(text, t_ns);
    if (c->kind == GS_PARQUET_DATE)
        n = 10;
    else
        n -= !c->utc;
    gs_buf_bytes(b, text, n);
}

static void put_time_of_day(struct gs_buf *b, int64_t number, int64_t unit_ns)
{
    const uint64_t per_s = (uint64_t)(GS_NS_PER_S / unit_ns), s = (uint64_t)number / per_s;
    int decimals = 0;
    while (gs_pow10((unsigned)decimals) < (int64_t)per_s)
        decimals++;
    gs_buf_format(b, "%02u:%02u:%02u.%0*u", (unsigned)(s / 3600 % 100), (unsigned)(s / 60 % 60),
                  (unsigned)(s % 60), decimals, (unsigned)((uint64_t)number % per_s));
}

static void put_uuid(struct gs_buf *b, const char *bytes)
{
    for (int i = 0; i < 16; i++)
        gs_buf_format(b, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x",
                      (unsigned)(unsigned char)bytes[i]);
}

void gs_parquet_put_text(const struct gs_parquet_column *c, const struct gs_parquet_batch *batch,
                         uint32_t code, struct gs_buf *to)
{
    char text[GS_REAL_TEXT_MAX];
    double d;
    if (code == GS_PARQUET_NULL)
        return;
    const int64_t number = batch->number != NULL ? batch->number[code] : 0;
    switch (c->kind) {
    case GS_PARQUET_BOOLEAN:
        gs_buf_text(to, number != 0 ? "true" : "false");
        break;
    case GS_PARQUET_INTEGER:
        put_decimal(to, number, c->scale);
        break;
    case GS_PARQUET_UNSIGNED:
        gs_buf_format(to, "%llu", (unsigned long long)number);
        break;
    case GS_PARQUET_FLOAT:
    case GS_PARQUET_DOUBLE:
        memcpy(&d, &number, sizeof d);
        if (isnan(d)) {
            gs_buf_text(to, "nan");
            break;
        }
        if (!isfinite(d)) {
            gs_buf_text(to, d < 0 ? "-inf" : "inf");
            break;
        }
        if (c->kind == GS_PARQUET_FLOAT)
            d = shortest_of((float)d);
        gs_buf_bytes(to, text, (size_t)gs_real_format(text, d));
        break;
    case GS_PARQUET_INSTANT:
    case GS_PARQUET_DATE:
        put_instant(to, c, number);
        break;
    case GS_PARQUET_TIME_OF_DAY:
        put_time_of_day(to, number, c->unit_ns);
        break;
    case GS_PARQUET_TEXT:
        gs_buf_add(to, batch->text[code]);
        break;
    case GS_PARQUET_UUID:
        put_uuid(to, batch->text[code].ptr);
        break;
    case GS_PARQUET_REFUSED:
        break;
    }
}

/* A field, in quotes where it would not be one field without, or would lose its blanks. */
static void put_field(struct gs_buf *to, struct gs_str text)
{
    bool plain = text.len == 0 || (text.ptr[0] != ' ' && text.ptr[text.len - 1] != ' ');
    for (size_t i = 0; i < text.len && plain; i++)
        plain = strchr(",\"\r\n\t", text.ptr[i]) == NULL || text.ptr[i] == '\0';
    if (plain) {
        gs_buf_add(to, text);
        return;
    }
    gs_buf_char(to, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            gs_buf_char(to, '"');
        gs_buf_char(to, text.ptr[i]);
    }
    gs_buf_char(to, '"');
}

enum gs_status gs_parquet_rows_begin(struct gs_parquet_rows *r, const struct gs_parquet *p,
                                     size_t group, const uint16_t *column, size_t n_columns,
                                     struct gs_err *err)
{
    *r = (struct gs_parquet_rows){.left = p->group[group].n_rows};
    GS_TAKE(r->cursor, n_columns, &r->arena, err);
    GS_TAKE(r->batch, n_columns, &r->arena, err);
    for (; r->n_columns < n_columns; r->n_columns++)
        GS_TRY(gs_parquet_begin(p, group, column[r->n_columns], &r->arena, &r->cursor[r->n_columns],
                                err));
    return GS_OK;
}

enum gs_status gs_parquet_rows_next(struct gs_parquet_rows *r, size_t *n, struct gs_err *err)
{
    *n = r->left < GS_PARQUET_BATCH ? (size_t)r->left : GS_PARQUET_BATCH;
    for (size_t i = 0; i < r->n_columns && r->left > 0; i++) {
        size_t ready = 0;
        GS_TRY(gs_parquet_ready(r->cursor[i], &ready, err));
        *n = gs_min(ready, *n);
    }
    for (size_t i = 0; i<r->n_columns && * n> 0; i++)
        GS_TRY(gs_parquet_next(r->cursor[i], *n, &r->batch[i], err));
    r->left -= *n;
    return GS_OK;
}

void gs_parquet_rows_end(struct gs_parquet_rows *r)
{
    for (size_t i = 0; r->cursor != NULL && i < r->n_columns; i++)
        gs_parquet_end(r->cursor[i]);
    gs_arena_release(&r->arena);
}

/* Fields of a dictionary's values, as they were put together once. */
struct known_fields {
    struct gs_str *field; /* [n]; ptr == NULL: not yet */
    size_t n;
};

struct gs_parquet_table {
    struct gs_parquet own;
    const struct gs_parquet *p;
    struct gs_arena arena; /* of the table and its metadata */
    struct gs_arena group_arena;
    struct gs_parquet_rows rows;
    struct known_fields *known; /* [n_columns], of the open row group */
    uint16_t *all;
    struct gs_buf out;
    size_t group, last; /* the next row group, and the one behind the last */
    uint64_t skip;      /* rows that come first and are not wanted */
    bool open, has_header;
};

enum gs_status gs_parquet_table_open(int fd, uint64_t size, const char *name,
                                     struct gs_parquet_table **table, struct gs_err *err)
{
    GS_OWN struct gs_arena arena = {0};
    GS_NEW(struct gs_parquet_table, t, 1, &arena, err);
    GS_TRY(gs_parquet_open(&t->own, fd, size, name, &arena, err));
    t->arena = arena; /* which lies in itself, and is its own from here */
    arena = (struct gs_arena){0};
    t->p = &t->own;
    t->own.is_metered = true;
    t->last = t->own.n_groups;
    *table = t;
    return GS_OK;
}

enum gs_status gs_parquet_table_group(const struct gs_parquet *p, size_t group, uint64_t skip,
                                      struct gs_parquet_table **table, struct gs_err *err)
{
    struct gs_arena arena = {0};
    GS_NEW(struct gs_parquet_table, t, 1, &arena, err);
    t->arena = arena;
    t->p = p;
    t->group = group;
    t->last = group + 1;
    t->skip = skip;
    t->has_header = true;
    *table = t;
    return GS_OK;
}

void gs_parquet_table_close(struct gs_parquet_table *t)
{
    if (t == NULL)
        return;
    gs_parquet_rows_end(&t->rows);
    gs_arena_release(&t->group_arena);
    struct gs_arena arena = t->arena;
    gs_arena_release(&arena);
}

/* Makes ready what all row groups share. */
static enum gs_status begin_table(struct gs_parquet_table *t, struct gs_err *err)
{
    const size_t n = t->p->n_columns;
    if (t->all != NULL)
        return GS_OK;
    t->out.arena = &t->arena;
    t->known = gs_arena_take(&t->arena, n, sizeof *t->known);
    t->all = gs_arena_take(&t->arena, n, sizeof *t->all);
    for (size_t i = 0; t->all != NULL && i < n; i++)
        t->all[i] = (uint16_t)i;
    return gs_had_memory(t->known != NULL && t->all != NULL, err);
}

static bool put_value(struct gs_parquet_table *t, size_t i, uint32_t code)
{
    const struct gs_parquet_batch *const b = &t->rows.batch[i];
    const struct gs_parquet_column *const c = &t->p->column[i];
    struct known_fields *const k = &t->known[i];
    if (code == GS_PARQUET_NULL)
        return true;
    if (b->lasting && k->field == NULL) {
        k->field = gs_arena_take(&t->group_arena, b->n_values, sizeof *k->field);
        k->n = b->n_values;
    }
    if (b->lasting && k->field != NULL && code < k->n && k->field[code].ptr != NULL) {
        gs_buf_add(&t->out, k->field[code]);
        return true;
    }
    const size_t from = t->out.len;
    if (c->kind == GS_PARQUET_TEXT)
        put_field(&t->out, b->text[code]);
    else
        gs_parquet_put_text(c, b, code, &t->out);
    if (b->lasting) {
        const size_t n = t->out.len - from;
        const char *const copy = k->field == NULL || t->out.failed
                                     ? NULL
                                     : gs_arena_copy(&t->group_arena, t->out.ptr + from, n);
        if (copy == NULL)
            return false;
        k->field[code] = (struct gs_str){copy, n};
    }
    return true;
}

static enum gs_status put_rows(struct gs_parquet_table *t, struct gs_err *err)
{
    size_t n;
    const enum gs_status s = gs_parquet_rows_next(&t->rows, &n, err);
    bool ok = s == GS_OK;
    const size_t skip = t->skip < n ? (size_t)t->skip : n;
    t->skip -= skip;
    for (size_t r = skip; r < n && ok; r++)
        for (size_t i = 0; i < t->p->n_columns && ok; i++) {
            if (i > 0)
                gs_buf_char(&t->out, ',');
            const size_t from = t->out.len;
            ok = put_value(t, i, t->rows.batch[i].code[r]);
            if (t->p->n_columns == 1 && t->out.len == from)
                gs_buf_text(&t->out, "\"\""); /* an empty line would be no row */
            if (i + 1 == t->p->n_columns)
                gs_buf_char(&t->out, '\n');
        }
    t->open &= t->rows.left > 0;
    return s == GS_OK && (!ok || t->out.failed) ? gs_fail_memory(err) : s;
}

enum gs_status gs_parquet_table_next(struct gs_parquet_table *t, size_t padding,
                                     struct gs_str *rows, struct gs_err *err)
{
    enum gs_status s = begin_table(t, err);
    t->out.len = 0;
    if (s == GS_OK && !t->has_header) {
        for (size_t i = 0; i < t->p->n_columns; i++) {
            if (i > 0)
                gs_buf_char(&t->out, ',');
            put_field(&t->out, t->p->column[i].name);
        }
        gs_buf_char(&t->out, '\n');
        t->has_header = true;
    }
    while (s == GS_OK && t->out.len == 0 && (t->open || t->group < t->last)) {
        if (!t->open) {
            gs_parquet_rows_end(&t->rows);
            gs_arena_rewind(&t->group_arena, (struct gs_arena_mark){0});
            memset(t->known, 0, t->p->n_columns * sizeof *t->known);
            s = gs_parquet_rows_begin(&t->rows, t->p, t->group++, t->all, t->p->n_columns, err);
            t->open = s == GS_OK && t->rows.left > 0;
        }
        if (t->open)
            s = put_rows(t, err);
    }
    if (s == GS_OK && (t->out.failed || !gs_buf_reserve(&t->out, padding)))
        s = gs_fail_memory(err);
    if (s == GS_OK)
        memset(t->out.ptr + t->out.len, '\n', padding);
    *rows = s == GS_OK ? gs_buf_str(&t->out) : GS_NO_STR;
    return s;
}
