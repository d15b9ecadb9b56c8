/* packed_rows.c - rows of one encoding, whose words compare as their columns do. */
#include "data/tables/packed_rows.h"

#include <string.h>

#include "base/core/key_sort.h"
#include "base/core/row_order.h"
#include "base/num/order.h"

static uint64_t *row_of(const struct gs_packed_rows *r, uint32_t i)
{
    return r->word + (size_t)i * r->encoding->n_words;
}

bool gs_packed_copy(const struct gs_table *t, uint32_t owner, struct gs_arena *arena,
                    struct gs_packed_rows *rows)
{
    const uint64_t n = gs_table_rows_of(t, owner);
    *rows = (struct gs_packed_rows){.encoding = t->encoding, .n = (uint32_t)n};
    if (n == 0)
        return true;
    rows->word = n > UINT32_MAX / 4 ? NULL
                                    : gs_arena_take_raw(arena, (size_t)n * t->encoding->n_words,
                                                        sizeof *rows->word);
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
        GS_DIFFER(gs_cmp(x, y));
    }
    return 0;
}

static unsigned bits_of(uint64_t mask)
{
    return mask == 0 ? 0 : 64 - (unsigned)__builtin_clzll(mask);
}

bool gs_packed_sort(struct gs_packed_rows *r, struct gs_arena *scratch)
{
    const struct gs_encoding *const e = r->encoding;
    const uint32_t n = r->n;
    uint64_t *const sorted = gs_arena_take_raw(scratch, (size_t)n * e->n_words, sizeof *sorted);
    if (sorted != NULL && e->n_words == 1)
        gs_key_sort(r->word, sorted, n);
    if (sorted == NULL || e->n_words == 1)
        return sorted != NULL;
    const struct gs_encoded_column *const first = &e->column[0];
    uint64_t *const code = gs_arena_take_raw(scratch, n, sizeof *code);
    for (uint32_t i = 0; code != NULL && i < n; i++)
        code[i] = row_of(r, i)[first->word] >> first->shift & first->mask;
    const uint32_t *const index =
        code == NULL ? NULL
                     : gs_rows_in_order(code, bits_of(first->mask), n, order_rows, r, scratch);
    for (uint32_t i = 0; index != NULL && i < n; i++)
        memcpy(sorted + (size_t)i * e->n_words, row_of(r, index[i]), e->n_words * sizeof *sorted);
    r->word = sorted;
    return index != NULL;
}

int64_t gs_table_unit(const struct gs_table *t, unsigned column)
{
    return gs_max(t->encoding->column[column].unit, 1);
}

bool gs_table_varies(const struct gs_table *t, unsigned column)
{
    return t->encoding != NULL && t->encoding->column[column].mask != 0;
}

/* The least and the greatest code of a segment stand for its least and greatest value. */
static void widen_range(const struct gs_segment *s, unsigned column, int64_t *least,
                        int64_t *greatest)
{
    const struct gs_cells cell = gs_cells_of(s, column);
    /* above it stands nothing */
    const uint64_t mask = column == 0 ? UINT64_MAX : cell.column.mask << cell.column.shift;
    /* from the first to the last */
    const uint32_t step = column == 0 && s->ascends && s->n_rows > 1 ? s->n_rows - 1 : 1;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t i = 0; i < s->n_rows; i += step) {
        const uint64_t shifted = cell.word[i * cell.n_words] & mask;
        low = gs_min(shifted, low);
        high = gs_max(shifted, high);
    }
    if (s->n_rows == 0)
        return;
    const int64_t first = gs_decode(&cell.column, low >> cell.column.shift & cell.column.mask);
    const int64_t last = gs_decode(&cell.column, high >> cell.column.shift & cell.column.mask);
    *least = gs_min(first, *least);
    *greatest = gs_max(last, *greatest);
}

void gs_table_widen_range(const struct gs_table *t, unsigned column, int64_t *least,
                          int64_t *greatest)
{
    for (uint32_t k = 0; k < t->n_segments; k++)
        widen_range(&t->segment[k], column, least, greatest);
}

void gs_table_widen_range_of(const struct gs_table *t, uint32_t owner, unsigned column,
                             int64_t *least, int64_t *greatest)
{
    for (uint32_t k = owner < t->n_owners ? t->first[owner] : 0;
         owner < t->n_owners && k < t->first[owner + 1]; k++) {
        if (k + 2 < t->first[owner + 1] && !t->segment[k + 2].ascends)
            gs_segment_prefetch(&t->segment[k + 2]);
        widen_range(&t->segment[k], column, least, greatest);
    }
}
