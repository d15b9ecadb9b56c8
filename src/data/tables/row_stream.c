/* row_stream.c - merges runs of ordered rows; long ones are handed out without a copy. */
#include "data/tables/row_stream.h"

#include <string.h>

#include "data/tables/packed_rows.h"
#include "base/num/order.h"

enum {
    RUNS_MAX = 16,
    ROOM_ROWS = 256, /* that are merged at a time                                     */
    LONG_ROWS = 32   /* of a run before those of another: handed out where they stand */
};

/* A run of rows in order: where it goes on, and where it ends. */
struct gs_stretch {
    uint32_t segment, from;        /* not looked at yet: rows from there on */
    uint32_t end_segment, end_row; /* ... up to there                       */
    struct gs_rows_at at;          /* of the segment before                 */
};

static int compare_values(const struct gs_encoding *e, const uint64_t *a,
                          const struct gs_encoding *f, const uint64_t *b, uint32_t n_columns)
{
    for (uint32_t c = 0; c < n_columns; c++) {
        const int64_t x = gs_encoded_value(e, a, c), y = gs_encoded_value(f, b, c);
        if (x != y)
            return gs_cmp(x, y); /* GS_MISSING is the least of all */
    }
    return 0;
}

/*
 * The order of two rows, the first of each. Words of one encoding compare as the values do,
 * because columns lie in order from the highest bits. Two encodings must be compared by value.
 */
static int compare_rows(const struct gs_rows_at *a, const struct gs_rows_at *b, uint32_t n_columns)
{
    if (a->encoding != b->encoding)
        return compare_values(a->encoding, a->word, b->encoding, b->word, n_columns);
    for (uint32_t w = 0; w < a->encoding->n_words; w++)
        GS_DIFFER(gs_cmp(a->word[w], b->word[w]));
    return 0;
}

/* Rows from the n-th on. */
static struct gs_rows_at behind(const struct gs_rows_at *rows, uint32_t n)
{
    return (struct gs_rows_at){rows->encoding, rows->word + (size_t)n * rows->encoding->n_words,
                               rows->n - n};
}

/* A run begins at a row of a segment, and the one before it ends there. */
static void add_run(struct gs_row_stream *s, uint32_t segment, uint32_t row, uint32_t end)
{
    struct gs_stretch *const r = &s->run[s->n_runs++];
    *r = (struct gs_stretch){.segment = segment, .from = row, .end_segment = end};
    if (s->n_runs > 1) {
        r[-1].end_segment = segment;
        r[-1].end_row = row;
    }
}

/*
 * Finds where runs begin and end, in segments up to `end`; false where they are too many. Logs
 * are ordered per file, so an owner has as many runs as files name it. Beyond RUNS_MAX choosing
 * among runs for every row would cost more than one sort.
 */
static bool find_runs(struct gs_row_stream *s, uint32_t segment, uint32_t end)
{
    struct gs_rows_at last = {.n = 0};
    for (; segment < end; segment++) {
        const struct gs_segment *const g = &s->table->segment[segment];
        const struct gs_rows_at all = {g->encoding, g->rows, g->n_rows};
        if (segment + 2 < end && !g[2].ascends)
            gs_segment_prefetch(g + 2);
        if (g->n_rows == 0) /* whose room another encoding has taken */
            continue;
        const uint32_t n = g->ascends ? 1 : g->n_rows; /* to be looked at one by one */
        for (uint32_t i = 0; i < n; i++) {
            const struct gs_rows_at row = behind(&all, i);
            if (last.n == 0 || compare_rows(&last, &row, s->table->n_columns) > 0) {
                if (s->n_runs == RUNS_MAX)
                    return false;
                add_run(s, segment, i, end);
            }
            last = row;
        }
        last = behind(&all, g->n_rows - 1);
    }
    return true;
}

/*
 * Rows in no order: all of them, sorted. Needs room for all rows of one owner. The other path
 * needs room for 256 rows only.
 */
static bool sort_all(struct gs_row_stream *s, uint32_t owner, struct gs_arena *arena)
{
    struct gs_packed_rows r;
    if (!gs_packed_copy(s->table, owner, arena, &r) || !gs_packed_sort(&r, arena))
        return false;
    s->n_runs = 0;
    s->all = (struct gs_rows_at){r.encoding, r.word, r.n};
    return true;
}

bool gs_row_stream_begin(struct gs_row_stream *s, const struct gs_table *t, uint32_t owner,
                         struct gs_arena *arena)
{
    const uint64_t n = gs_table_rows_of(t, owner);
    *s = (struct gs_row_stream){.table = t};
    if (n == 0)
        return true;
    s->run = gs_arena_take_raw(arena, RUNS_MAX, sizeof *s->run);
    s->room = gs_arena_take_raw(arena, (size_t)ROOM_ROWS * t->encoding->n_words, sizeof *s->room);
    if (n > UINT32_MAX / 4 || s->run == NULL || s->room == NULL)
        return false;
    return find_runs(s, t->first[owner], t->first[owner + 1]) || sort_all(s, owner, arena);
}

/* Goes on to the run's next segment where the rows of the one before are through. */
static void load(const struct gs_row_stream *s, struct gs_stretch *r)
{
    while (r->at.n == 0 && (r->segment < r->end_segment ||
                            (r->segment == r->end_segment && r->from < r->end_row))) {
        const struct gs_segment *const g = &s->table->segment[r->segment];
        const uint32_t n = r->segment == r->end_segment ? r->end_row : g->n_rows;
        if (r->segment + 2 < r->end_segment)
            gs_segment_prefetch(g + 2);
        r->at = behind(&(struct gs_rows_at){g->encoding, g->rows, n}, r->from);
        r->segment++;
        r->from = 0;
    }
}

/* The run whose next row is the least, NULL: none has any, and that with the least of the others. */
static struct gs_stretch *choose(const struct gs_row_stream *s, const struct gs_stretch **second)
{
    const uint32_t n_columns = s->table->n_columns;
    struct gs_stretch *first = NULL;
    *second = NULL;
    for (uint32_t k = 0; k < s->n_runs; k++) {
        struct gs_stretch *const r = &s->run[k];
        load(s, r);
        if (r->at.n == 0)
            continue;
        if (first == NULL || compare_rows(&r->at, &first->at, n_columns) < 0) {
            *second = first;
            first = r;
        } else if (*second == NULL || compare_rows(&r->at, &(*second)->at, n_columns) < 0) {
            *second = r;
        }
    }
    return first;
}

/* How many of a run's rows come before the next of another; at least one. */
static uint32_t rows_before(const struct gs_rows_at *rows, const struct gs_stretch *other,
                            uint32_t n_columns)
{
    uint32_t n = 1;
    struct gs_rows_at row = behind(rows, rows->n - 1);
    if (other == NULL || compare_rows(&row, &other->at, n_columns) <= 0)
        return rows->n;
    for (row = behind(rows, 1); compare_rows(&row, &other->at, n_columns) <= 0;
         row = behind(&row, 1))
        n++;
    return n;
}

/*
 * The rows returned stay valid until the next call: they may lie in the room that is filled
 * again. One batch never mixes two encodings. Equal rows keep the order of their runs, which no
 * result may depend on, since equal rows are the same row.
 */
bool gs_row_stream_next(struct gs_row_stream *s, struct gs_rows_at *rows)
{
    struct gs_rows_at kept = {.word = s->room};
    if (s->all.n > 0) {
        *rows = s->all;
        rows->n = gs_min(rows->n, ROOM_ROWS);
        s->all = behind(&s->all, rows->n);
        return true;
    }
    while (kept.n < ROOM_ROWS) {
        const struct gs_stretch *second;
        struct gs_stretch *const first = choose(s, &second);
        if (first == NULL)
            break;
        struct gs_rows_at some = first->at;
        some.n = rows_before(&some, second, s->table->n_columns);
        const bool stay = second == NULL || some.n >= LONG_ROWS;
        if (kept.n > 0 && (stay || some.encoding != kept.encoding))
            break;
        some.n = stay || some.n < ROOM_ROWS - kept.n ? some.n : ROOM_ROWS - kept.n;
        first->at = behind(&first->at, some.n);
        if (stay) {
            *rows = some;
            return true;
        }
        const size_t n_words = some.encoding->n_words;
        memcpy(s->room + kept.n * n_words, some.word, some.n * n_words * sizeof *s->room);
        kept.encoding = some.encoding;
        kept.n += some.n;
    }
    *rows = kept;
    return kept.n > 0;
}

/* --- columns ------------------------------------------------------------------------------------------ */

/*
 * Works on the first n columns, so rows can be compared by their key without decoding the rest.
 */
bool gs_rows_same(const struct gs_rows_at *a, const struct gs_rows_at *b, unsigned n_columns)
{
    if (a->encoding != b->encoding)
        return compare_values(a->encoding, a->word, b->encoding, b->word, n_columns) == 0;
    for (unsigned c = 0; c < n_columns; c++) {
        const struct gs_encoded_column *const k = &a->encoding->column[c];
        if (((a->word[k->word] ^ b->word[k->word]) >> k->shift & k->mask) != 0)
            return false;
    }
    return true;
}

/* A column without missing values whose codes and unit have 32 bits: products of these are there for several at a time. */
static inline __attribute__((always_inline)) void unpack_small(const struct gs_rows_at *rows,
                                                               size_t n_words,
                                                               const struct gs_encoded_column *c,
                                                               int64_t *value)
{
    const uint64_t *const word = rows->word + c->word, unit = (uint32_t)c->unit,
                          base = (uint64_t)c->base;
    const uint32_t n = rows->n, mask = (uint32_t)c->mask;
    const unsigned shift = c->shift;
    for (uint32_t i = 0; i < n; i++)
        value[i] = (int64_t)(base + unit * ((uint32_t)(word[i * n_words] >> shift) & mask));
}

void gs_rows_column(const struct gs_rows_at *rows, unsigned column, int64_t *value)
{
    const struct gs_encoded_column c = rows->encoding->column[column];
    const size_t n_words = rows->encoding->n_words;
    /* loops for the usual numbers of words */
    if (!c.nullable && c.mask <= UINT32_MAX && c.unit <= UINT32_MAX) {
        if (n_words == 1)
            unpack_small(rows, 1, &c, value);
        else if (n_words == 2)
            unpack_small(rows, 2, &c, value);
        else
            unpack_small(rows, n_words, &c, value);
        return;
    }
    const uint64_t *word = rows->word + c.word;
    const uint64_t unit = (uint64_t)c.unit, base = (uint64_t)c.base - c.nullable * unit;
    for (uint32_t i = 0; i < rows->n; i++, word += n_words) {
        const uint64_t code = *word >> c.shift & c.mask;
        const int64_t v = (int64_t)(base + unit * code);
        value[i] = c.nullable && code == 0 ? GS_MISSING : v;
    }
}

/* The sum of codes of 32 bits, and how many are 0. */
static inline __attribute__((always_inline)) uint64_t sum_small(const struct gs_rows_at *rows,
                                                                size_t n_words,
                                                                const struct gs_encoded_column *c,
                                                                uint64_t *n_zero)
{
    const uint64_t *const word = rows->word + c->word, mask = c->mask;
    const uint32_t n = rows->n;
    const unsigned shift = c->shift;
    uint64_t sum = 0, zero = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += word[i * n_words] >> shift & mask;
    for (uint32_t i = 0; c->nullable && i < n; i++)
        zero += (word[i * n_words] >> shift & mask) == 0;
    *n_zero = zero;
    return sum;
}

void gs_rows_sum(const struct gs_rows_at *rows, unsigned column, gs_i128 *sum, uint64_t *n)
{
    const struct gs_encoded_column c = rows->encoding->column[column];
    const size_t n_words = rows->encoding->n_words;
    uint64_t n_missing = 0;
    gs_u128 codes = 0;
    if (c.mask <= UINT32_MAX) {
        if (n_words == 1) /* counts known to the compiler: loops without end tests */
            codes = sum_small(rows, 1, &c, &n_missing);
        else if (n_words == 2)
            codes = sum_small(rows, 2, &c, &n_missing);
        else
            codes = sum_small(rows, n_words, &c, &n_missing);
    } else {
        for (uint32_t i = 0; i < rows->n; i++) {
            const uint64_t code = rows->word[i * n_words + c.word] >> c.shift & c.mask;
            codes += code;
            n_missing += c.nullable && code == 0;
        }
    }
    const uint64_t there = rows->n - n_missing;
    *sum +=
        (gs_i128)there * ((gs_i128)c.base - (c.nullable ? c.unit : 0)) + (gs_i128)codes * c.unit;
    *n += there;
}
