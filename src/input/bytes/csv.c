/* csv.c - wrapper around libcsv, the only file that includes it: strict parsing, line numbers, limits. */
#include "input/bytes/csv.h"

#include <assert.h>
#include <csv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "input/bytes/bytes.h"
#include "base/num/decimal.h"

/*
 * The limits bound what a file can make gpustat allocate. `pstate` is an inner field of libcsv: a
 * new version needs a look at its meaning.
 */
enum {
    ROW_BYTES_MAX = 16 << 20,
    FEED_BYTES = 64 << 10,
    LIBCSV_ROW_NOT_BEGUN = 0, /* csv_parser.pstate between rows */
};

#define FIELD_TOO_LARGE "a field of more than %d bytes"

struct gs_csv_parser {
    struct csv_parser libcsv;
    const char *name;
    gs_csv_row_fn *row;
    void *context;
    bool keep_raw, begun, last_was_cr;
    unsigned char bom_left; /* bytes of a possible byte-order mark not yet seen */
    uint64_t line;          /* of the piece being fed                          */
    uint64_t row_line;      /* where the current row begins                    */
    struct gs_buf text;     /* the fields of the current row, end to end       */
    size_t end[GS_CSV_FIELDS_MAX];
    struct gs_str field[GS_CSV_FIELDS_MAX];
    size_t n_fields;
    struct gs_buf raw;
    enum gs_status status; /* what a callback found; the parsing stops        */
    struct gs_err *err;
};

/* libcsv grows one buffer, for the field it is in, in steps: refusing to grow bounds it, parse_field is exact. */
static void *bounded_realloc(void *old, size_t size)
{
    if (size > GS_CSV_FIELD_BYTES_MAX + 1024)
        return NULL;
    return realloc(old, size);
}

/*
 * Fields are collected end to end, and pointers are made in parse_row: the buffer may move while
 * it grows. libcsv cannot be stopped from a callback, so after an error the rest is ignored.
 */
static void parse_field(void *bytes, size_t len, void *context)
{
    struct gs_csv_parser *const p = context;
    if (p->status != GS_OK)
        return;
    if (p->n_fields == GS_CSV_FIELDS_MAX)
        p->status = gs_fail_at(p->err, p->name, p->row_line, "more than %d fields in one row",
                               GS_CSV_FIELDS_MAX);
    else if (len > GS_CSV_FIELD_BYTES_MAX)
        p->status =
            gs_fail_at(p->err, p->name, p->row_line, FIELD_TOO_LARGE, GS_CSV_FIELD_BYTES_MAX);
    else if (len > ROW_BYTES_MAX - p->text.len)
        p->status =
            gs_fail_at(p->err, p->name, p->row_line, "a row of more than %d bytes", ROW_BYTES_MAX);
    if (p->status != GS_OK)
        return;
    gs_buf_bytes(&p->text, bytes, len);
    p->end[p->n_fields++] = p->text.len;
}

/*
 * A field of length 0 may stand in an empty buffer, whose pointer is NULL; callers get ""
 * instead.
 */
static void parse_row(int terminator, void *context)
{
    (void)terminator;
    struct gs_csv_parser *const p = context;
    if (p->status != GS_OK)
        return;
    if (p->text.failed || p->raw.failed) {
        p->status = gs_fail_memory(p->err);
        return;
    }
    const char *start = gs_or_empty(p->text.ptr);
    for (size_t i = 0, from = 0; i < p->n_fields; from = p->end[i++]) {
        p->field[i] = (struct gs_str){start, p->end[i] - from};
        start += p->field[i].len;
    }
    struct gs_str raw = gs_buf_str(&p->raw);
    raw.len = gs_str_skip_back(raw, raw.len, "\r\n");
    const struct gs_csv_row row = {p->field, p->n_fields, p->row_line, raw};
    p->status = p->row(p->context, &row, p->err);
    p->n_fields = 0;
    p->text.len = 0;
    p->raw.len = 0;
}

/*
 * CSV_STRICT makes quotes in wrong places an error, CSV_STRICT_FINI an unclosed quote at the end.
 * Without them libcsv would guess, and the fast paths would have to guess the same. What is parted by tabs is seldom
 * quoted: there a quote within a field is text.
 */
enum gs_status gs_csv_open(const struct gs_csv_options *options, gs_csv_row_fn *row, void *context,
                           struct gs_arena *arena, struct gs_csv_parser **parser,
                           struct gs_err *err)
{
    struct gs_csv_parser *const p = gs_arena_take(arena, 1, sizeof *p);
    struct gs_buf name = {.arena = arena};
    if (options->name_is_escaped)
        gs_buf_text(&name, options->name);
    else
        gs_buf_escaped(&name, gs_str(options->name), 512);
    GS_TRY(gs_had_memory(p != NULL && !name.failed, err));
    p->name = gs_buf_str(&name).ptr;
    p->row = row;
    p->context = context;
    p->keep_raw = options->keep_raw;
    p->begun = options->first_line != 0;
    p->line = p->row_line = p->begun ? options->first_line : 1;
    p->text.arena = p->raw.arena = arena;
    const unsigned char strict = options->delimiter == '\t' ? 0 : CSV_STRICT;
    GS_TRY(gs_had_memory(csv_init(&p->libcsv, strict | CSV_STRICT_FINI) == 0, err));
    csv_set_realloc_func(&p->libcsv, bounded_realloc);
    if (options->delimiter != 0)
        csv_set_delim(&p->libcsv, (unsigned char)options->delimiter);
    *parser = p;
    return GS_OK;
}

void gs_csv_close(struct gs_csv_parser *p)
{
    if (p != NULL)
        csv_free(&p->libcsv);
}

/*
 * libcsv reports a refused allocation and a real lack of memory alike; the size of its buffer
 * tells them apart. An unclosed quote is reported at the row's first line, where the quote most
 * likely is.
 */
static enum gs_status libcsv_failure(struct gs_csv_parser *p, bool at_end, struct gs_err *err)
{
    if (csv_error(&p->libcsv) == CSV_EPARSE && at_end)
        return gs_fail_at(err, p->name, p->row_line, "a quote is opened and never closed");
    if (csv_error(&p->libcsv) == CSV_EPARSE)
        return gs_fail_at(err, p->name, p->line,
                          "a quote in the wrong place, expected quotes around a whole field and "
                          "doubled inside");
    if (p->libcsv.entry_size >= GS_CSV_FIELD_BYTES_MAX)
        return gs_fail_at(err, p->name, p->row_line, FIELD_TOO_LARGE, GS_CSV_FIELD_BYTES_MAX);
    return gs_fail_memory(err);
}

/*
 * Feeds bytes that hold at most one line end, at their end, so that line numbers can be kept.
 * libcsv takes NULs as text, and most later code would end at them; so they are refused here.
 */
static enum gs_status feed_piece(struct gs_csv_parser *p, const char *bytes, size_t len,
                                 struct gs_err *err)
{
    if (memchr(bytes, '\0', len) != NULL)
        return gs_fail_at(err, p->name, p->line, "a NUL byte, expected text");
    if (p->keep_raw)
        gs_buf_bytes(&p->raw, bytes, len);
    p->err = err;
    p->status = GS_OK;
    if (csv_parse(&p->libcsv, bytes, len, parse_field, parse_row, p) != len && p->status == GS_OK)
        p->status = libcsv_failure(p, false, err);
    return p->status;
}

/* Line ends between rows say nothing to libcsv; a file may be full of them. Returns how many bytes they are. */
static size_t pass_blank_lines(struct gs_csv_parser *p, const char *bytes, size_t len)
{
    size_t i = 0;
    if (p->libcsv.pstate != LIBCSV_ROW_NOT_BEGUN)
        return 0;
    for (; i < len && (bytes[i] == '\n' || bytes[i] == '\r'); i++) {
        p->line += !(p->last_was_cr && bytes[i] == '\n'); /* CRLF is one line end */
        p->last_was_cr = bytes[i] == '\r';
    }
    if (i > 0) {
        p->row_line = p->line;
        p->raw.len = 0;
    }
    return i;
}

/*
 * A line number belongs to every row, and libcsv has none; hence line by line. What began like a
 * BOM and is none is handed on as data, although it may lie in an earlier call's bytes.
 */
enum gs_status gs_csv_feed(struct gs_csv_parser *p, const char *bytes, size_t len,
                           struct gs_err *err)
{
    static const char bom[] = "\xef\xbb\xbf";
    size_t i = 0;
    assert(p != NULL);
    while (!p->begun && i < len) { /* a BOM can be cut anywhere by the caller */
        if (bytes[i] != bom[p->bom_left]) {
            const unsigned seen = p->bom_left;
            p->begun = true;
            if (seen != 0)
                GS_TRY(feed_piece(p, bom, seen, err));
            break;
        }
        i++;
        p->begun = ++p->bom_left == 3;
    }
    while (i < len) {
        i += pass_blank_lines(p, bytes + i, len - i);
        if (i == len)
            break;
        if (p->last_was_cr && bytes[i] == '\n') /* CRLF is one line end, inside quotes too */
            p->line--;
        size_t n = 0;
        while (i + n < len && bytes[i + n] != '\n' && bytes[i + n] != '\r')
            n++;
        const bool ends = i + n < len;
        n += ends;
        GS_TRY(feed_piece(p, bytes + i, n, err));
        p->last_was_cr = ends && bytes[i + n - 1] == '\r';
        p->line += ends;
        if (p->libcsv.pstate == LIBCSV_ROW_NOT_BEGUN) {
            p->row_line = p->line;
            p->raw.len = 0;
        }
        i += n;
    }
    return GS_OK;
}

enum gs_status gs_csv_finish(struct gs_csv_parser *p, struct gs_err *err)
{
    assert(p != NULL);
    if (!p->begun && p->bom_left > 0) {
        p->begun = true;
        GS_TRY(feed_piece(p, "\xef\xbb\xbf", p->bom_left, err));
    }
    p->err = err;
    p->status = GS_OK;
    if (csv_fini(&p->libcsv, parse_field, parse_row, p) != 0 && p->status == GS_OK)
        p->status = libcsv_failure(p, true, err);
    return p->status;
}

/* Whole tables. */
struct table_reader {
    struct gs_csv_table *table;
    struct gs_arena *arena;
    struct gs_buf cells, lines; /* of struct gs_str and uint64_t */
    struct gs_str *fields;      /* [n_columns] of one row        */
};

/* The row's texts are valid only during the callback. */
static enum gs_status copy_fields(struct table_reader *r, const struct gs_csv_row *row,
                                  struct gs_str *out, struct gs_err *err)
{
    GS_TRY(gs_had_memory(out != NULL, err));
    for (size_t i = 0; i < row->n_fields; i++)
        GS_TRY(gs_had_memory(gs_str_copy(r->arena, row->field[i], &out[i]), err));
    return GS_OK;
}

static enum gs_status table_row(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    struct table_reader *const r = context;
    struct gs_csv_table *const t = r->table;
    if (t->header == NULL) {
        t->n_columns = row->n_fields;
        t->header = gs_arena_take(r->arena, row->n_fields, sizeof *t->header);
        r->fields = gs_arena_take_raw(r->arena, row->n_fields, sizeof *r->fields);
        return copy_fields(r, row, t->header, err);
    }
    if (row->n_fields != t->n_columns)
        return gs_fail_at(err, t->name, row->line, "%zu field%s, expected %zu", row->n_fields,
                          gs_plural(row->n_fields, "", "s"), t->n_columns);
    GS_TRY(copy_fields(r, row, r->fields, err));
    gs_buf_bytes(&r->cells, (const char *)r->fields, row->n_fields * sizeof *r->fields);
    gs_buf_bytes(&r->lines, (const char *)&row->line, sizeof row->line);
    t->n_rows++;
    return gs_had_memory(!r->cells.failed && !r->lines.failed, err);
}

enum gs_status gs_csv_read(const char *path, struct gs_arena *arena, struct gs_csv_table *table,
                           struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0}; /* the growing arrays: copied once at the end */
    struct gs_csv_table t = {0};
    struct table_reader reader = {&t, arena, {.arena = &scratch}, {.arena = arena}, NULL};
    GS_CLOSES_BYTES struct gs_bytes *source = NULL;
    GS_CLOSES_CSV struct gs_csv_parser *parser = NULL;
    char *const room = gs_arena_take_raw(&scratch, FEED_BYTES, 1);
    GS_TRY(gs_had_memory(room != NULL, err));
    GS_TRY(gs_bytes_open(path, arena, &source, err));
    t.name = gs_bytes_name(source);
    const struct gs_csv_options options = {.name = t.name, .name_is_escaped = true};
    GS_TRY(gs_csv_open(&options, table_row, &reader, arena, &parser, err));
    for (size_t n = 1; n > 0;) {
        GS_TRY(gs_bytes_read(source, room, FEED_BYTES, &n, err));
        GS_TRY(n > 0 ? gs_csv_feed(parser, room, n, err) : gs_csv_finish(parser, err));
    }
    if (t.header == NULL)
        return gs_fail(err, GS_ERR_DATA, "%s: is empty, expected a header line", t.name);
    GS_TAKE_RAW(t.cell, t.n_rows * t.n_columns, arena, err);
    t.line = (uint64_t *)(void *)reader.lines.ptr;
    if (t.n_rows > 0)
        memcpy(t.cell, reader.cells.ptr, t.n_rows * t.n_columns * sizeof *t.cell);
    *table = t;
    return GS_OK;
}

/* The exact name wins over one that differs in case, so a file may have both `id` and `ID`. */
size_t gs_csv_find(const struct gs_str *field, size_t n_fields, const char *name, size_t *n_found)
{
    size_t at = n_fields;
    *n_found = 0;
    for (int pass = 0; pass < 2 && *n_found == 0; pass++)
        for (size_t i = 0; i < n_fields; i++)
            if (pass == 0 ? gs_str_eq(field[i], gs_str(name))
                          : gs_str_eq_nocase(field[i], gs_str(name))) {
                at = *n_found == 0 ? i : at;
                ++*n_found;
            }
    return at;
}

/* The list of columns in the message is cut at 512 bytes; a header can have 4,096 names. */
enum gs_status gs_csv_column(const struct gs_csv_table *t, const char *name, size_t *column,
                             struct gs_err *err)
{
    size_t n_found;
    *column = gs_csv_find(t->header, t->n_columns, name, &n_found);
    if (n_found > 0)
        return GS_OK;
    char known[512];
    return gs_fail(err, GS_ERR_DATA, "%s:1: no column '%s'; found %s", t->name,
                   GS_SHOWN(gs_str(name), 80),
                   gs_escape_list(known, sizeof known, t->header, t->n_columns));
}

enum gs_status gs_csv_refuse(const struct gs_csv_table *t, size_t row, size_t column,
                             const char *what, struct gs_err *err)
{
    char name[128];
    return gs_fail_at(err, t->name, t->line[row], "%s: '%s' %s",
                      gs_escape(name, sizeof name, t->header[column]),
                      GS_SHOWN(gs_csv_cell(t, row, column), 128), what);
}

enum gs_status gs_csv_real(const struct gs_csv_table *t, size_t row, size_t column, double *value,
                           struct gs_err *err)
{
    const struct gs_str cell = gs_csv_cell(t, row, column);
    switch (gs_real_parse(cell, value)) {
    case GS_NUMBER_OK:
        return GS_OK;
    case GS_NUMBER_MISSING:
        *value = (double)NAN;
        return GS_OK;
    case GS_NUMBER_BAD:
    case GS_NUMBER_RANGE:
        break;
    }
    return gs_csv_refuse(t, row, column, "is not a number", err);
}
