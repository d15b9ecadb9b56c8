/* csv.h - the strict CSV reader for small and foreign tables (libcsv). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

enum {
    GS_CSV_FIELDS_MAX = 4096,         /* fields of one row           */
    GS_CSV_FIELD_BYTES_MAX = 1 << 20, /* bytes of one field, 1 MiB   */
};

/* One row as it stands in the file. Valid only during the call that shows it. */
struct gs_csv_row {
    const struct gs_str *field; /* [n_fields], unescaped; an unquoted field is trimmed of blanks */
    size_t n_fields;
    uint64_t line;     /* where the row begins, from 1                                   */
    struct gs_str raw; /* its bytes, without the line end; only where `keep_raw`         */
};

/* Takes one row. A status other than GS_OK ends the reading and is returned by it. */
typedef enum gs_status gs_csv_row_fn(void *context, const struct gs_csv_row *row,
                                     struct gs_err *err);

struct gs_csv_parser; /* push parser: bytes in, rows out */

struct gs_csv_options {
    const char *name;     /* of the file, for messages          */
    bool name_is_escaped; /* else the parser escapes it     */
    bool keep_raw;        /* gather gs_csv_row.raw (for --rejects)            */
    char delimiter;       /* 0: comma                                         */
    uint64_t first_line; /* of what is fed; 0: the file from its beginning, where a BOM may stand */
};

/*
 * Opens a parser. RFC 4180: quoted fields, doubled quotes, line ends and commas inside quotes, LF, CRLF or
 * CR, a UTF-8 BOM, a last line without end; blank lines are passed over.
 * Errors (of feed and finish): GS_ERR_DATA "NAME:LINE: ..." for a quote in the wrong place, an unclosed
 *         quote, a NUL byte, a field or row too large.
 * Memory: the parser and its buffers live in `arena`.
 */
enum gs_status gs_csv_open(const struct gs_csv_options *options, gs_csv_row_fn *row, void *context,
                           struct gs_arena *arena, struct gs_csv_parser **parser,
                           struct gs_err *err);
enum gs_status gs_csv_feed(struct gs_csv_parser *p, const char *bytes, size_t len,
                           struct gs_err *err);
enum gs_status gs_csv_finish(struct gs_csv_parser *p, struct gs_err *err);
void gs_csv_close(struct gs_csv_parser *p); /* releases libcsv's part; NULL allowed */

/* In front of a parser of a function's own: it is closed on every way out. */
#define GS_CLOSES_CSV __attribute__((cleanup(gs_csv_close_at)))
static inline void gs_csv_close_at(struct gs_csv_parser *const *p)
{
    gs_csv_close(*p);
}

/* A whole file as text, for files that fit in memory many times over. */
struct gs_csv_table {
    const char *name; /* of the file, escaped: starts every message */
    size_t n_columns; /* of the header                              */
    struct gs_str *header;
    size_t n_rows;       /* without the header                         */
    struct gs_str *cell; /* [n_rows * n_columns], row by row           */
    uint64_t *line;      /* [n_rows]                                   */
};

/*
 * Reads a file (path, or "-" for standard input; .gz, .zst, .xz by content) whose first row is the header.
 * Errors: GS_ERR_NOINPUT; GS_ERR_DATA for an empty file, a row with more or fewer fields than the header
 *         ("NAME:LINE: 3 fields, expected 5"), and what gs_csv_open lists; GS_ERR_IO.
 * Memory: the table lives in `arena`.
 */
enum gs_status gs_csv_read(const char *path, struct gs_arena *arena, struct gs_csv_table *table,
                           struct gs_err *err);

/* The first field with that text, else one equal but for case, else n_fields; *n_found: how many the better way finds. */
size_t gs_csv_find(const struct gs_str *field, size_t n_fields, const char *name, size_t *n_found);

/* The column that gs_csv_find finds, or GS_ERR_DATA listing those that there are. */
enum gs_status gs_csv_column(const struct gs_csv_table *t, const char *name, size_t *column,
                             struct gs_err *err);

static inline struct gs_str gs_csv_cell(const struct gs_csv_table *t, size_t row, size_t column)
{
    return t->cell[row * t->n_columns + column];
}

/* What is wrong with a cell: GS_ERR_DATA "NAME:LINE: COLUMN: 'x' WHAT". */
enum gs_status gs_csv_refuse(const struct gs_csv_table *t, size_t row, size_t column,
                             const char *what, struct gs_err *err);

/* A cell as a finite double: GS_ERR_DATA "NAME:LINE: COLUMN: 'x' is not a number"; missing gives NaN. */
enum gs_status gs_csv_real(const struct gs_csv_table *t, size_t row, size_t column, double *value,
                           struct gs_err *err);
