/* encoding.h - the bit-packed encoding of table columns; used only in data/tables and input/scanner. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/num/decimal.h"

/*
 * How one column is stored: value = base + unit * code, the code in some bits of one word of the row. With
 * `nullable`, code 0 is "missing" and the others count from 1, so that codes are in the order of the values.
 */
struct gs_encoded_column {
    int64_t base, unit;
    uint64_t mask; /* the greatest code; 0: no bits, every row has the same value */
    uint16_t word;
    uint8_t shift;
    bool nullable;
};

/*
 * How the rows of a segment are stored: in words, the columns in their order from the highest bits of the
 * first word down. So rows compare as their words do, as numbers: by the first column, then the next.
 */
struct gs_encoding {
    uint32_t n_words;
    struct gs_encoded_column column[];
};

/* What a code stands for; GS_MISSING for none. */
static inline int64_t gs_decode(const struct gs_encoded_column *c, uint64_t code)
{
    if (c->nullable && code-- == 0)
        return GS_MISSING;
    return (int64_t)((uint64_t)c->base + (uint64_t)c->unit * code);
}

/* The value of `column` in the row whose words are given; GS_MISSING where there is none. */
static inline int64_t gs_encoded_value(const struct gs_encoding *e, const uint64_t *row,
                                       unsigned column)
{
    const struct gs_encoded_column *const c = &e->column[column];
    return gs_decode(c, row[c->word] >> c->shift & c->mask);
}

/* What a column holds: values in units of 10^-decimals. */
struct gs_extent {
    int64_t min, max; /* min > max: no values */
    unsigned decimals;
    bool has_missing;
};
#define GS_EXTENT_NONE ((struct gs_extent){INT64_MAX, INT64_MIN, 0, false})

struct gs_extent gs_extent_of_value(int64_t mantissa, unsigned decimals);

/* The values that a column can hold as it is stored. */
struct gs_extent gs_extent_of(const struct gs_encoded_column *c, unsigned decimals_max);

/* Both in one. False where the finer unit does not hold the values, which the limits of values rule out. */
bool gs_extent_unite(struct gs_extent *e, const struct gs_extent *other);

/* The code of a value; false where the column cannot hold it. */
bool gs_encode_value(const struct gs_encoded_column *c, unsigned decimals_max, int64_t mantissa,
                     unsigned decimals, uint64_t *code);

/*
 * The newest encoding of one table, shared by its writers: each one holds all that those before it hold.
 * Zeroed before the first writer.
 */
struct gs_encodings {
    _Atomic(const struct gs_encoding *) newest;
};

/* By column; room to work an encoding out in. */
struct gs_encoding_work {
    struct gs_extent *united;
    unsigned *bits;
    bool *kept;
};

/*
 * Publishes an encoding that holds these extents and all that any writer's rows were stored in so far.
 * Shapes: wanted, work and decimals_max by column. NULL without memory; lives in `arena`.
 */
const struct gs_encoding *gs_encoding_agree(struct gs_encodings *shared,
                                            const struct gs_extent *wanted,
                                            const struct gs_encoding_work *work, unsigned n_columns,
                                            const uint8_t *decimals_max, struct gs_arena *arena);
