/* table_writer.h - fills a table by owner while rows are read, from any number of threads. */
#pragma once

#include "data/tables/table.h"

/* Where an owner's next row goes. */
struct gs_owner_rows {
    uint64_t *next, *end; /* of the open segment; equal: none is open */
    uint32_t segment, n_segments;
};

/*
 * Gathers rows of one table on one thread. Values come as a mantissa with a number of decimal places (at
 * most `decimals_max` of the column), so that 36.75 takes fewer bits than 36.750000. Values are put one by
 * one, then the row is ended, which stores it with its owner's.
 */
struct gs_table_writer {
    struct gs_arena *arena; /* segments live here           */
    struct gs_encodings *shared;
    uint32_t n_columns;
    bool has_missing; /* the open row has             */
    uint64_t n_rows;
    int64_t *mantissa; /* [n_columns] of the open row */
    uint8_t *decimals; /* [n_columns]                 */
    /* [n_put] the columns that rows have now: the others are missing in all of them */
    const uint16_t *put;
    uint32_t n_put;
    bool rest_fits;                     /* ... and can be in the present encoding */
    struct gs_put_code *code;           /* [n_put] how those are stored at present */
    const uint8_t *decimals_max;        /* [n_columns] */
    const struct gs_encoding *encoding; /* of open segments; NULL as long as rows are kept aside */
    uint8_t *decimals_kept;             /* [n_columns] what the unit of a column comes to */
    int64_t *base;                      /* [n_columns] in units, less one where 0 is missing */
    struct gs_owner_rows *owner;
    uint32_t n_owners;
    struct gs_segment **part; /* segments, GS_TABLE_PART of them each */
    uint32_t n_segments, n_parts;
    bool (*drops)(const void *context, uint32_t owner); /* NULL: none; whose rows are not kept */
    const void *drops_context;
    uint64_t *scrap; /* where those rows go, one over the other */
    uint32_t scrap_words;
    struct gs_early_rows *early; /* the first rows of all, until an encoding is made from them */
    struct gs_table_work *work;  /* room to work out encodings and codes in */
};

/* Prepares a writer, whose arena must not be shared with another thread; `decimals_max` outlives it. */
enum gs_status gs_table_writer_init(struct gs_table_writer *w, struct gs_arena *arena,
                                    struct gs_encodings *shared, uint32_t n_columns,
                                    const uint8_t *decimals_max, struct gs_err *err);

/*
 * Says which columns rows have from now on, until this is called again: `put` outlives that. Every one of them is to
 * be set for each row; the others are missing. A new writer's rows have all columns.
 */
void gs_table_columns(struct gs_table_writer *w, const uint16_t *put, uint32_t n_put);

/* Sets a value of the row being written: mantissa * 10^-decimals. The value must fit int64 in units of
 * 10^-decimals_max. */
static inline void gs_table_put(struct gs_table_writer *w, unsigned column, int64_t mantissa,
                                unsigned decimals)
{
    w->mantissa[column] = mantissa;
    w->decimals[column] = (uint8_t)decimals;
}

/* May a row with this value, in units of 10^-decimals_max, be ended by gs_table_end_small_row? */
static inline bool gs_table_is_small(int64_t value)
{
    return value < INT64_C(1) << 62 && value > -(INT64_C(1) << 62);
}

/* Sets a value in units of 10^-decimals with as few decimals as it has, so that its column stays narrow. */
void gs_table_put_trimmed(struct gs_table_writer *w, unsigned column, int64_t value,
                          unsigned decimals);

/* Sets a value of a column that never has decimals (decimals_max 0): a name, a flag, a whole number. */
static inline void gs_table_put_whole(struct gs_table_writer *w, unsigned column, int64_t value)
{
    w->mantissa[column] = value;
}

static inline void gs_table_put_missing(struct gs_table_writer *w, unsigned column)
{
    w->has_missing = true;
    w->mantissa[column] = GS_MISSING;
}

/* Ends the row: it is the owner's. */
enum gs_status gs_table_end_row(struct gs_table_writer *w, uint32_t owner, struct gs_err *err);

/* Goes on with the newest encoding, so that fewer rows are stored in an older one; best between stretches of rows. */
void gs_table_catch_up(struct gs_table_writer *w);

/* Makes room for the owner's next row in the writer's encoding. */
enum gs_status gs_table_make_room(struct gs_table_writer *w, uint32_t owner, struct gs_err *err);

/*
 * How the codes of a column are made at present, for those who make rows' words themselves: of a value in units of
 * 10^-decimals it is value - base, from `least` to `most`, at `shift` in word `word`; 0 where a value is missing and
 * `least` is 1.
 */
struct gs_code_form {
    uint64_t base, least, most;
    unsigned word, shift, decimals;
};

static inline struct gs_code_form gs_table_code_form(const struct gs_table_writer *w,
                                                     unsigned column)
{
    const struct gs_encoded_column *const c = &w->encoding->column[column];
    return (struct gs_code_form){(uint64_t)w->base[column], c->nullable, c->mask, c->word, c->shift,
                                 w->decimals_kept[column]};
}

/*
 * One value's code in its word of a row; false where it has none at present. The word may be spoilt when
 * this returns false; the caller then drops the row. One unsigned comparison tests both ends of the
 * range.
 */
__attribute__((always_inline)) static inline bool
gs_put_code(const struct gs_code_form *f, int64_t mantissa, unsigned decimals, uint64_t *row)
{
    const unsigned more = f->decimals - decimals; /* wraps where there are too many */
    const uint64_t code = (uint64_t)mantissa * gs_powers_of_ten[more & 15] - f->base;
    row[f->word] |= code << f->shift;
    return more <= 15 && code - f->least <= f->most - f->least;
}

/* The words of a row at present; 0: rows are not stored yet. */
static inline uint32_t gs_table_row_words(const struct gs_table_writer *w)
{
    return w->encoding == NULL ? 0 : w->encoding->n_words;
}

/* A row that is already `n_words` words of w->encoding, one or two, for those who make them themselves. */
__attribute__((always_inline)) static inline enum gs_status
gs_table_add_words(struct gs_table_writer *w, uint32_t owner, uint64_t first, uint64_t second,
                   uint32_t n_words, struct gs_err *err)
{
    if (owner >= w->n_owners || w->owner[owner].next == w->owner[owner].end)
        GS_TRY(gs_table_make_room(w, owner, err));
    w->owner[owner].next[0] = first;
    if (n_words == 2)
        w->owner[owner].next[1] = second;
    w->owner[owner].next += n_words;
    w->n_rows++;
    return GS_OK;
}

/* The same of any number of words, as many as a row has at present. */
__attribute__((always_inline)) static inline enum gs_status
gs_table_add_row(struct gs_table_writer *w, uint32_t owner, const uint64_t *row, struct gs_err *err)
{
    const uint32_t n_words = w->encoding->n_words;
    if (owner >= w->n_owners || w->owner[owner].next == w->owner[owner].end)
        GS_TRY(gs_table_make_room(w, owner, err));
    uint64_t *const to = w->owner[owner].next;
    to[0] = row[0];
    for (uint32_t i = 1; i < n_words; i++)
        to[i] = row[i];
    w->owner[owner].next = to + n_words;
    w->n_rows++;
    return GS_OK;
}

/*
 * gs_table_end_row, faster, for rows whose values are below 2^62 in magnitude (in units of 10^-decimals_max) or not
 * negative: then a value out of a column's range cannot come round to a code, which has at most 62 bits or 64.
 */
enum gs_status gs_table_end_small_row(struct gs_table_writer *w, uint32_t owner,
                                      struct gs_err *err);

/* What n writers gathered: the numbers of their owners and the map of each column; NULL: numbers stand for themselves. */
struct gs_table_parts {
    struct gs_table_writer *const *writer; /* [n] */
    const uint32_t *const *owner_map;      /* [n] */
    const uint32_t *const *const *maps;    /* [n], or NULL */
    size_t n;
};

/*
 * Joins what writers gathered into one table of `n_owners` owners.
 * Errors: GS_ERR_DATA for more than 2^26 segments.
 */
enum gs_status gs_table_join(const struct gs_table_parts *parts, uint32_t n_owners,
                             struct gs_arena *arena, struct gs_table *table, struct gs_err *err);
