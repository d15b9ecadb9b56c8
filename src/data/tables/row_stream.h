/*
 * row_stream.h - the rows of an owner in order, some at a time, from where the table has them: a log was written in the
 * order of its times, and each thread that read it has left stretches of it in order. Only rows in no order are copied.
 */
#pragma once

#include "base/num/int128.h"
#include "data/tables/table.h"

/* Rows of one encoding, side by side. */
struct gs_rows_at {
    const struct gs_encoding *encoding;
    const uint64_t *word;
    uint32_t n;
};

struct gs_stretch;

/* Only for the functions below. */
struct gs_row_stream {
    const struct gs_table *table;
    uint32_t n_runs;
    struct gs_stretch *run; /* [n_runs] */
    uint64_t *room;         /* of rows that several runs give in turn */
    struct gs_rows_at all;  /* rows that were in no order, sorted */
};

/*
 * Begins at the first of an owner's rows, in the order of their columns, the first first; missing values come before
 * others. Columns of names are as their writers numbered them: tables with such columns are read by segments.
 * False without memory, or for more rows than UINT32_MAX / 4. Memory: `arena`, as long as the stream.
 */
bool gs_row_stream_begin(struct gs_row_stream *s, const struct gs_table *t, uint32_t owner,
                         struct gs_arena *arena);

/* The next rows, which stay until the next call; false: there are none. */
bool gs_row_stream_next(struct gs_row_stream *s, struct gs_rows_at *rows);

/* Have two rows, the first of each, the same values in columns 0 to n_columns - 1? */
bool gs_rows_same(const struct gs_rows_at *a, const struct gs_rows_at *b, unsigned n_columns);

/* Unpacks a column: value[rows->n]. */
void gs_rows_column(const struct gs_rows_at *rows, unsigned column, int64_t *value);

/* Adds up the values of a column that are there; n is how many. */
void gs_rows_sum(const struct gs_rows_at *rows, unsigned column, gs_i128 *sum, uint64_t *n);
