/* table.h - a bit-packed telemetry table, grouped by owner (GPU or host); table_writer.h fills it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/tables/encoding.h"

/* clang-format off */
enum {
    GS_SEGMENT_BITS = 6,
    GS_SEGMENT_ROWS = 1 << GS_SEGMENT_BITS, /* rows of a full segment */
    GS_TABLE_COLUMNS_MAX = UINT16_MAX, /* in a word each they still have one */
    GS_TABLE_PART = 512,
    GS_SMALL_ROW_WORDS = 2,
};
/* clang-format on */

/* Rows of one owner (the GPU of samples, the host of checkpoints), in the order in which they were read. */
struct gs_segment {
    const uint64_t *rows; /* n_rows * encoding->n_words */
    const struct gs_encoding *encoding;
    /* NULL, or by column the numbers that its values stand for, NULL: themselves */
    const uint32_t *const *map;
    uint32_t owner;
    uint16_t n_rows; /* at most GS_SEGMENT_ROWS */
    /* the first words of its rows do, and so the rows: each is above the one before */
    bool ascends;
};

/*
 * A table: its segments, those of one owner side by side: segment[first[o]] .. segment[first[o + 1] - 1].
 * A row number is segment << GS_SEGMENT_BITS | place in it.
 */
struct gs_table {
    uint64_t n_rows;
    uint32_t n_columns, n_segments, n_owners;
    struct gs_segment *segment;
    uint32_t *first;                    /* [n_owners + 1]                           */
    const struct gs_encoding *encoding; /* holds every row of every segment         */
};

/* One column of a segment, for those who read many rows of it: what never changes is looked up once. */
struct gs_cells {
    const uint64_t *word; /* of the first row */
    size_t n_words;
    struct gs_encoded_column column;
    const uint32_t *map;
};

static inline struct gs_cells gs_cells_of(const struct gs_segment *s, unsigned column)
{
    const struct gs_encoded_column *const c = &s->encoding->column[column];
    return (struct gs_cells){s->rows + c->word, s->encoding->n_words, *c,
                             s->map == NULL ? NULL : s->map[column]};
}

static inline uint64_t gs_code(const struct gs_cells *s, uint32_t i)
{
    return s->word[i * s->n_words] >> s->column.shift & s->column.mask;
}

static inline int64_t gs_cell(const struct gs_cells *s, uint32_t i)
{
    const int64_t value = gs_decode(&s->column, gs_code(s, i));
    return s->map == NULL || value == GS_MISSING ? value : (int64_t)s->map[value];
}

/* The value of `column` in row `i` of a segment; GS_MISSING where there is none. */
static inline int64_t gs_segment_value(const struct gs_segment *s, uint32_t i, unsigned column)
{
    const struct gs_cells cell = gs_cells_of(s, column);
    return gs_cell(&cell, i);
}

/* The same of a column that not every table has: GS_MISSING where it is not there. */
static inline int64_t gs_segment_value_if(bool there, const struct gs_segment *s, uint32_t i,
                                          unsigned column)
{
    if (!there)
        return GS_MISSING;
    return gs_segment_value(s, i, column);
}

static inline int64_t gs_table_value(const struct gs_table *t, uint32_t row, unsigned column)
{
    return gs_segment_value(&t->segment[row >> GS_SEGMENT_BITS], row & (GS_SEGMENT_ROWS - 1),
                            column);
}

/* Asks the processor for the rows of a segment that will be read soon. */
static inline void gs_segment_prefetch(const struct gs_segment *s)
{
    for (size_t i = 0; i < (size_t)s->n_rows * s->encoding->n_words; i += 8)
        __builtin_prefetch(s->rows + i);
}

/* The segments of an owner; none for one that the table does not know. */
struct gs_segments {
    const struct gs_segment *segment;
    uint32_t n;
};

static inline struct gs_segments gs_table_segments(const struct gs_table *t, uint32_t owner)
{
    if (owner >= t->n_owners)
        return (struct gs_segments){NULL, 0};
    return (struct gs_segments){t->segment + t->first[owner],
                                t->first[owner + 1] - t->first[owner]};
}

/* The number of rows of an owner; 0 for one that the table does not know. */
uint64_t gs_table_rows_of(const struct gs_table *t, uint32_t owner);

/* Copies an owner's rows, all stored as t->encoding says: gs_table_rows_of() * t->encoding->n_words words. */
void gs_table_copy_rows(const struct gs_table *t, uint32_t owner, uint64_t *rows);
