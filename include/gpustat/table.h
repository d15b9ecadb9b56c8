/* table.h - rows of a telemetry table in few bytes: columns as narrow as their values allow. */
#ifndef GPUSTAT_TABLE_H
#define GPUSTAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gpustat/arena.h"
#include "gpustat/decimal.h"
#include "gpustat/status.h"

enum {
    GS_SEGMENT_BITS = 12,
    GS_SEGMENT_ROWS = 1 << GS_SEGMENT_BITS, /* rows of a full segment */
    GS_TABLE_COLUMNS_MAX = 10,
};

/*
 * How one column is stored: value = base + unit * code, the code in 0 to 8 bytes of the row. With
 * `nullable`, code 0 is "missing" and the others count from 1. A column of identifiers goes through `map`
 * afterwards: its scanner numbered texts for itself, the map leads to the dataset's numbers.
 */
struct gs_encoded_column {
    int64_t base, unit;
    uint64_t mask;
    const uint32_t *map;
    uint16_t offset;
    bool nullable;
};

/* How the rows of a segment are stored; shared by as many segments as it fits. */
struct gs_encoding {
    uint32_t stride;
    struct gs_encoded_column column[GS_TABLE_COLUMNS_MAX];
};

struct gs_segment {
    const unsigned char *rows; /* n_rows * stride bytes, readable 8 beyond */
    const struct gs_encoding *encoding;
    uint32_t n_rows;
};

/* A table: segments in no particular order. A row number is segment << GS_SEGMENT_BITS | place in it. */
struct gs_table {
    uint64_t n_rows;
    uint32_t n_columns, n_segments;
    struct gs_segment *segment;
};

/* The value of `column` in the row at `row`; GS_MISSING where there is none. */
static inline int64_t gs_encoded_value(const struct gs_encoding *e, const unsigned char *row, unsigned column)
{
    const struct gs_encoded_column *const c = &e->column[column];
    uint64_t code;
    memcpy(&code, row + c->offset, sizeof code);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    code = __builtin_bswap64(code); /* codes are stored lowest byte first */
#endif
    code &= c->mask;
    if (c->nullable && code-- == 0)
        return GS_MISSING;
    const int64_t value = (int64_t)((uint64_t)c->base + (uint64_t)c->unit * code);
    return c->map == NULL ? value : (int64_t)c->map[value];
}

/* The value of `column` in row `i` of a segment; GS_MISSING where there is none. */
static inline int64_t gs_segment_value(const struct gs_segment *s, uint32_t i, unsigned column)
{
    return gs_encoded_value(s->encoding, s->rows + (size_t)i * s->encoding->stride, column);
}

static inline int64_t gs_table_value(const struct gs_table *t, uint32_t row, unsigned column)
{
    return gs_segment_value(&t->segment[row >> GS_SEGMENT_BITS], row & (GS_SEGMENT_ROWS - 1), column);
}

/* Asks the processor for a row that will be read soon. */
static inline void gs_table_prefetch(const struct gs_table *t, uint32_t row)
{
    const struct gs_segment *const s = &t->segment[row >> GS_SEGMENT_BITS];
    __builtin_prefetch(s->rows + (size_t)(row & (GS_SEGMENT_ROWS - 1)) * s->encoding->stride);
}

/*
 * Gathers rows of one table on one thread. Values come as a mantissa with a number of decimal places (at
 * most `decimals_max` of the column), so that 36.75 costs two bytes and 37 one; a full segment is packed.
 */
struct gs_table_writer {
    struct gs_arena *arena;     /* segments live here           */
    uint32_t n_columns;
    uint32_t n;                 /* rows in the open segment     */
    uint64_t n_rows;            /* rows in all                  */
    uint8_t decimals_max[GS_TABLE_COLUMNS_MAX];
    uint8_t decimals[GS_TABLE_COLUMNS_MAX]; /* of the mantissas in the open segment */
    bool nullable[GS_TABLE_COLUMNS_MAX];
    int64_t (*value)[GS_SEGMENT_ROWS];      /* [n_columns] mantissas                */
    struct gs_segment *segment;
    uint32_t n_segments, capacity;
    struct gs_encoding_list *encodings;     /* newest first: the one that the next segment tries */
};

/* Prepares a writer; the arena must not be shared with another thread. */
enum gs_status gs_table_writer_init(struct gs_table_writer *w, struct gs_arena *arena, uint32_t n_columns,
                                    const uint8_t *decimals_max, struct gs_err *err);

void gs_table_widen(struct gs_table_writer *w, unsigned column, unsigned decimals);

/* Sets a value of the row being written: mantissa * 10^-decimals. */
static inline void gs_table_put(struct gs_table_writer *w, unsigned column, int64_t mantissa, unsigned decimals)
{
    static const int64_t pow10[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
    if (decimals > w->decimals[column])
        gs_table_widen(w, column, decimals);
    w->value[column][w->n] = mantissa * pow10[w->decimals[column] - decimals];
}

/* Sets a value of a column that never has decimals (decimals_max 0): a name, a flag, a whole number. */
static inline void gs_table_put_whole(struct gs_table_writer *w, unsigned column, int64_t value)
{
    w->value[column][w->n] = value;
}

static inline void gs_table_put_missing(struct gs_table_writer *w, unsigned column)
{
    w->nullable[column] = true;
    w->value[column][w->n] = GS_MISSING;
}

/* Packs the open segment, also when it is not full; an empty one is no segment. */
enum gs_status gs_table_seal(struct gs_table_writer *w, struct gs_err *err);

/* Ends the row. */
static inline enum gs_status gs_table_end_row(struct gs_table_writer *w, struct gs_err *err)
{
    w->n_rows++;
    return ++w->n == GS_SEGMENT_ROWS ? gs_table_seal(w, err) : GS_OK;
}

/*
 * Joins what writers gathered into one table. `map[i]` (NULL allowed) gives writer i's map for each column
 * (NULL: the values stand for themselves). Seals first.
 * Errors: GS_ERR_DATA for more than 2^32 - 2^12 row numbers.
 */
enum gs_status gs_table_join(struct gs_table_writer *const *writers, const uint32_t *const *const *maps, size_t n,
                             struct gs_arena *arena, struct gs_table *table, struct gs_err *err);

#endif
