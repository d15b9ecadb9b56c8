/* packed_rows.c - rows of one encoding, whose words compare as their columns do. */
#include "model/packed_rows.h"

#include <string.h>

#include "base/key_sort.h"
#include "base/row_order.h"

static uint64_t *row_of(const struct gs_packed_rows *r, uint32_t i)
{
    return r->word + (size_t)i * r->encoding->n_words;
}

bool gs_packed_copy(const struct gs_table *t, uint32_t owner, struct gs_arena *arena, struct gs_packed_rows *rows)
{
    const uint64_t n = gs_table_rows_of(t, owner);
    *rows = (struct gs_packed_rows){.encoding = t->encoding, .n = (uint32_t)n};
    if (n == 0)
        return true;
    rows->word =
        n > UINT32_MAX / 4 ? NULL : gs_arena_take_raw(arena, (size_t)n * t->encoding->n_words, sizeof *rows->word);
    if (rows->word == NULL)
        return false;
    gs_table_copy_rows(t, owner, rows->word);
    return true;
}

static int order_rows(const void *rows, uint32_t a, uint32_t b)
{
    const struct gs_packed_rows *const r = rows;
    for (uint32_t w = 0; w < r->encoding->n_words; w++) {
        const uint64_t x = row_of(r, a)[w], y = row_of(r, b)[w];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static unsigned bits_of(uint64_t mask)
{
    return mask == 0 ? 0 : 64 - (unsigned)__builtin_clzll(mask);
}

enum { RUNS_MAX = 16 };

/*
 * Where each stretch of rows in order begins, and their end behind the last: a log has as many as threads have read it.
 * Returns how many there are; 0: too many.
 */
static unsigned find_runs(const struct gs_packed_rows *r, uint32_t run[RUNS_MAX + 1])
{
    unsigned n_runs = 0;
    run[n_runs++] = 0;
    for (uint32_t i = 1; i < r->n; i++) {
        if (row_of(r, i - 1)[0] < row_of(r, i)[0] || order_rows(r, i - 1, i) <= 0)
            continue;
        if (n_runs == RUNS_MAX)
            return 0;
        run[n_runs++] = i;
    }
    run[n_runs] = r->n;
    return n_runs;
}

/* Rows [from, middle) and [middle, to), in order each, as one in order from room on. */
static void merge_two(const struct gs_packed_rows *r, uint32_t from, uint32_t middle, uint32_t to, uint64_t *room)
{
    const size_t n_words = r->encoding->n_words;
    uint32_t a = from, b = middle;
    while (a < middle && b < to) {
        const bool first = row_of(r, a)[0] < row_of(r, b)[0] || order_rows(r, a, b) <= 0;
        const uint64_t *const next = row_of(r, first ? a : b);
        a += first;
        b += !first;
        for (size_t w = 0; w < n_words; w++)
            *room++ = next[w];
    }
    memcpy(room, row_of(r, a), (middle - a) * n_words * sizeof *room);
    memcpy(room + (middle - a) * n_words, row_of(r, b), (to - b) * n_words * sizeof *room);
}

/* Two and two until one is left; `spare` has room for all rows. */
static void merge_runs(struct gs_packed_rows *r, uint32_t run[RUNS_MAX + 1], unsigned n_runs, uint64_t *spare)
{
    while (n_runs > 1) {
        unsigned n = 0;
        for (unsigned k = 0; k < n_runs; k += 2) {
            const uint32_t from = run[k], middle = run[k + 1], to = k + 2 <= n_runs ? run[k + 2] : middle;
            merge_two(r, from, middle, to, spare + (size_t)from * r->encoding->n_words);
            run[n++] = from;
        }
        run[n] = r->n;
        n_runs = n;
        uint64_t *const merged = spare;
        spare = r->word;
        r->word = merged;
    }
}

bool gs_packed_sort(struct gs_packed_rows *r, struct gs_arena *scratch)
{
    const struct gs_encoding *const e = r->encoding;
    const uint32_t n = r->n;
    uint32_t run[RUNS_MAX + 1];
    const unsigned n_runs = find_runs(r, run);
    if (n_runs == 1)
        return true;
    uint64_t *const sorted = gs_arena_take_raw(scratch, (size_t)n * e->n_words, sizeof *sorted);
    if (sorted != NULL && n_runs > 1)
        merge_runs(r, run, n_runs, sorted);
    else if (sorted != NULL && e->n_words == 1)
        gs_key_sort(r->word, sorted, n);
    if (sorted == NULL || n_runs > 1 || e->n_words == 1)
        return sorted != NULL;
    const struct gs_encoded_column *const first = &e->column[0];
    uint64_t *const code = gs_arena_take_raw(scratch, n, sizeof *code);
    for (uint32_t i = 0; code != NULL && i < n; i++)
        code[i] = row_of(r, i)[first->word] >> first->shift & first->mask;
    const uint32_t *const index =
        code == NULL ? NULL : gs_rows_in_order(code, bits_of(first->mask), n, order_rows, r, scratch);
    for (uint32_t i = 0; index != NULL && i < n; i++)
        memcpy(sorted + (size_t)i * e->n_words, row_of(r, index[i]), e->n_words * sizeof *sorted);
    r->word = sorted;
    return index != NULL;
}

bool gs_packed_same(const struct gs_packed_rows *r, uint32_t a, uint32_t b, unsigned n_columns)
{
    const uint64_t *const x = row_of(r, a), *const y = row_of(r, b);
    for (unsigned c = 0; c < n_columns; c++) {
        const struct gs_encoded_column *const k = &r->encoding->column[c];
        if (((x[k->word] ^ y[k->word]) >> k->shift & k->mask) != 0)
            return false;
    }
    return true;
}

void gs_packed_move(struct gs_packed_rows *r, uint32_t to, uint32_t from)
{
    if (to != from)
        memmove(row_of(r, to), row_of(r, from), r->encoding->n_words * sizeof *r->word);
}

int64_t gs_packed_value(const struct gs_packed_rows *r, uint32_t row, unsigned column)
{
    return gs_encoded_value(r->encoding, row_of(r, row), column);
}

void gs_packed_column(const struct gs_packed_rows *r, unsigned column, int64_t *value)
{
    const struct gs_encoded_column c = r->encoding->column[column];
    const uint32_t n = r->n;
    if (r->encoding->n_words == 1 && !c.nullable && c.mask <= UINT32_MAX && c.unit <= UINT32_MAX) {
        const uint64_t unit = (uint32_t)c.unit; /* products of 32 bits are there for several values at a time */
        for (uint32_t i = 0; i < n; i++)
            value[i] = (int64_t)((uint64_t)c.base + unit * (uint32_t)(r->word[i] >> c.shift & c.mask));
        return;
    }
    const uint64_t *word = r->word + c.word;
    const size_t n_words = r->encoding->n_words;
    const uint64_t unit = (uint64_t)c.unit, base = (uint64_t)c.base - c.nullable * unit;
    for (uint32_t i = 0; i < n; i++, word += n_words) {
        const uint64_t code = *word >> c.shift & c.mask;
        const int64_t v = (int64_t)(base + unit * code);
        value[i] = c.nullable && code == 0 ? GS_MISSING : v;
    }
}

struct gs_ticks gs_table_ticks(const struct gs_table *t, unsigned column)
{
    const struct gs_encoded_column *const c = &t->encoding->column[column];
    return (struct gs_ticks){c->base, c->unit, c->mask};
}

bool gs_packed_ticks(const struct gs_table *t, uint32_t owner, unsigned column, struct gs_arena *scratch,
                     uint64_t **tick, uint32_t *n)
{
    struct gs_packed_rows r;
    if (!gs_packed_copy(t, owner, scratch, &r))
        return false;
    *n = r.n;
    *tick = r.word;
    uint64_t *const spare = gs_arena_take_raw(scratch, r.n, sizeof *spare);
    for (uint32_t i = 0; spare != NULL && r.word != NULL && i < r.n;
         i++) { /* in place: no row is read behind the one that is written */
        const struct gs_encoded_column *const c = &t->encoding->column[column];
        r.word[i] = row_of(&r, i)[c->word] >> c->shift & c->mask;
    }
    if (spare != NULL && r.n > 0)
        gs_key_sort(r.word, spare, r.n);
    return spare != NULL;
}

bool gs_table_varies(const struct gs_table *t, unsigned column)
{
    return t->encoding != NULL && t->encoding->column[column].mask != 0;
}

/* The least and the greatest code of a segment stand for its least and greatest value. */
static void widen_range(const struct gs_segment *s, unsigned column, int64_t *least, int64_t *greatest)
{
    const struct gs_cells cell = gs_cells_of(s, column);
    const uint64_t mask =
        column == 0 ? UINT64_MAX : cell.column.mask << cell.column.shift; /* above it stands nothing */
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        const uint64_t shifted = cell.word[i * cell.n_words] & mask;
        low = shifted < low ? shifted : low;
        high = shifted > high ? shifted : high;
    }
    if (s->n_rows == 0)
        return;
    const int64_t first = gs_decode(&cell.column, low >> cell.column.shift & cell.column.mask);
    const int64_t last = gs_decode(&cell.column, high >> cell.column.shift & cell.column.mask);
    *least = first < *least ? first : *least;
    *greatest = last > *greatest ? last : *greatest;
}

void gs_table_widen_range(const struct gs_table *t, unsigned column, int64_t *least, int64_t *greatest)
{
    for (uint32_t k = 0; k < t->n_segments; k++)
        widen_range(&t->segment[k], column, least, greatest);
}

void gs_table_widen_range_of(const struct gs_table *t, uint32_t owner, unsigned column, int64_t *least,
                             int64_t *greatest)
{
    for (uint32_t k = owner < t->n_owners ? t->first[owner] : 0; owner < t->n_owners && k < t->first[owner + 1]; k++) {
        if (k + 2 < t->first[owner + 1])
            gs_segment_prefetch(&t->segment[k + 2]);
        widen_range(&t->segment[k], column, least, greatest);
    }
}
