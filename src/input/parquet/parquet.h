/*
 * parquet.h - Parquet files with flat columns: what is in them, and their values, some rows at a time.
 *
 * Source: the Parquet format, version 2.11 (Encodings.md, LogicalTypes.md, Compression.md, parquet.thrift).
 */
#pragma once

#include "base/core/status.h"
#include "base/core/text.h"

/* What a value is, once it is decoded. */
/* clang-format off */
enum gs_parquet_kind {
    GS_PARQUET_BOOLEAN,
    GS_PARQUET_INTEGER,     /* in `number`; with a scale the digits of a decimal */
    GS_PARQUET_UNSIGNED,
    GS_PARQUET_FLOAT,       /* a double's bits in `number`, of a float the same value */
    GS_PARQUET_DOUBLE,
    GS_PARQUET_INSTANT,     /* `number` in units of unit_ns since 1970 */
    GS_PARQUET_DATE,        /* days since 1970 */
    GS_PARQUET_TIME_OF_DAY, /* `number` in units of unit_ns since midnight */
    GS_PARQUET_TEXT,        /* in `text` */
    GS_PARQUET_UUID,
    GS_PARQUET_REFUSED,     /* a type that is not read: an error where the column is used */
};
/* clang-format on */

struct gs_parquet_column {
    struct gs_str name; /* those of groups around it before it, joined by points     */
    enum gs_parquet_kind kind;
    int physical;     /* Type of parquet.thrift                                    */
    int32_t width;    /* bytes of a fixed-length one                               */
    int32_t scale;    /* of a decimal: digits behind the point                     */
    int64_t unit_ns;  /* of times                                                  */
    bool utc;         /* of instants: adjusted to UTC, else somebody's wall clock  */
    unsigned max_def; /* groups and values above it that may be null, itself too   */
    size_t leaf;      /* number among all columns, those that repeat included      */
};

struct gs_parquet_group;

/* An open file. Threads may share it: nothing of it changes. */
struct gs_parquet {
    const char *name; /* for messages, escaped */
    int fd;           /* read with pread only; the caller's */
    uint64_t size;
    bool
        is_metered; /* what is read counts as progress; else whoever reads some columns alone counts */
    size_t n_leaves;
    size_t n_columns; /* flat ones; columns that repeat (lists, maps) are left out */
    struct gs_parquet_column *column;
    size_t n_groups;
    struct gs_parquet_group *group;
};

/* Does a file that begins so hold Parquet? Six bytes are enough. */
bool gs_is_parquet(const char *head, size_t len);

/*
 * Reads the metadata of a file of `size` bytes. Lives in `arena`, whose memory is at most some dozen times what the
 * metadata take in the file.
 * Errors: GS_ERR_DATA for what is no Parquet, encrypted, or without a flat column; GS_ERR_IO; GS_ERR_MEMORY.
 */
enum gs_status gs_parquet_open(struct gs_parquet *p, int fd, uint64_t size, const char *name,
                               struct gs_arena *arena, struct gs_err *err);

uint64_t gs_parquet_group_rows(const struct gs_parquet *p, size_t group);

enum { GS_PARQUET_BATCH = 1024 };
#define GS_PARQUET_NULL UINT32_MAX

/* Values of some rows: row i has value code[i], or none (GS_PARQUET_NULL). They stay until the next ones are read. */
struct gs_parquet_batch {
    size_t n;
    const uint32_t *code; /* [n]                                                       */
    bool lasting; /* codes of a dictionary: the same values in all such batches of a cursor */
    bool has_nulls;
    size_t n_values;
    const int64_t *number;     /* [n_values], or NULL: they are texts */
    const struct gs_str *text; /* [n_values] */
};

struct gs_parquet_cursor; /* one column of a row group */

/*
 * Begins a column of a row group. Memory: some pages, in an arena of the cursor's own; close it in any case.
 * Errors: GS_ERR_DATA for what is not read (by its name) or damaged; GS_ERR_UNAVAILABLE without libsnappy where pages
 *         need it; GS_ERR_MEMORY.
 */
enum gs_status gs_parquet_begin(const struct gs_parquet *p, size_t group, size_t column,
                                struct gs_arena *arena, struct gs_parquet_cursor **cursor,
                                struct gs_err *err);
void gs_parquet_end(struct gs_parquet_cursor *c); /* NULL allowed */

/* How many rows can be read at once, one at least. Errors: GS_ERR_DATA where there are no more. */
enum gs_status gs_parquet_ready(struct gs_parquet_cursor *c, size_t *n, struct gs_err *err);

/* Reads `n` rows, at most as many as are ready. */
enum gs_status gs_parquet_next(struct gs_parquet_cursor *c, size_t n,
                               struct gs_parquet_batch *batch, struct gs_err *err);

/* The same of several columns, whose rows go together. */
struct gs_parquet_rows {
    size_t n_columns;
    struct gs_parquet_cursor **cursor; /* [n_columns] */
    struct gs_parquet_batch *batch;    /* [n_columns] */
    uint64_t left;                     /* rows of the row group */
    struct gs_arena arena;
};

/* `column` [n_columns]; gs_parquet_rows_end in any case. 0 in *n of the second is the end of the row group. */
enum gs_status gs_parquet_rows_begin(struct gs_parquet_rows *r, const struct gs_parquet *p,
                                     size_t group, const uint16_t *column, size_t n_columns,
                                     struct gs_err *err);
enum gs_status gs_parquet_rows_next(struct gs_parquet_rows *r, size_t *n, struct gs_err *err);
void gs_parquet_rows_end(struct gs_parquet_rows *r);

/*
 * Appends the text of value `code` of a batch, as a table has it: decimals as short as they can be, instants as RFC 3339
 * has them, with Z where they are adjusted to UTC; nothing for null.
 */
void gs_parquet_put_text(const struct gs_parquet_column *column,
                         const struct gs_parquet_batch *batch, uint32_t code, struct gs_buf *to);

/* The file as a table with commas (RFC 4180), a header line first: what everything reads that knows of no Parquet. */
struct gs_parquet_table;
enum gs_status gs_parquet_table_open(int fd, uint64_t size, const char *name,
                                     struct gs_parquet_table **table, struct gs_err *err);
void gs_parquet_table_close(struct gs_parquet_table *t); /* NULL allowed */
/* Some more rows, whole ones, with `padding` bytes of line feeds behind; length 0 is the end. They stay until the next call. */
enum gs_status gs_parquet_table_next(struct gs_parquet_table *t, size_t padding,
                                     struct gs_str *rows, struct gs_err *err);

/* The rows of one row group alone, without a header and the first `skip`. */
enum gs_status gs_parquet_table_group(const struct gs_parquet *p, size_t group, uint64_t skip,
                                      struct gs_parquet_table **table, struct gs_err *err);
