/* table.c - functions on the rows of a table. */
#include "data/tables/table.h"

#include <string.h>

uint64_t gs_table_rows_of(const struct gs_table *t, uint32_t owner)
{
    const struct gs_segments of = gs_table_segments(t, owner);
    uint64_t n = 0;
    for (uint32_t k = 0; k < of.n; k++)
        n += of.segment[k].n_rows;
    return n;
}

/* Rows of an older encoding in the words of another that holds all that it holds. */
static void recode(const struct gs_segment *s, const struct gs_encoding *to, unsigned n_columns,
                   uint64_t *rows)
{
    const struct gs_encoding *const from = s->encoding;
    memset(rows, 0, (size_t)s->n_rows * to->n_words * sizeof *rows);
    for (unsigned c = 0; c < n_columns; c++) {
        const struct gs_encoded_column *const old = &from->column[c], *const new = &to->column[c];
        const uint64_t factor = (uint64_t)(old->unit / new->unit);
        const uint64_t offset =
            (uint64_t)(old->base / new->unit) - (uint64_t)(new->base / new->unit) + new->nullable;
        for (uint32_t i = 0; i < s->n_rows; i++) {
            const uint64_t code =
                s->rows[(size_t)i * from->n_words + old->word] >> old->shift & old->mask;
            const bool missing = old->nullable && code == 0;
            rows[(size_t)i * to->n_words + new->word] |=
                (missing ? 0 : (code - old->nullable) * factor + offset) << new->shift;
        }
    }
}

void gs_table_copy_rows(const struct gs_table *t, uint32_t owner, uint64_t *rows)
{
    if (owner >= t->n_owners)
        return;
    for (uint32_t k = t->first[owner]; k < t->first[owner + 1]; k++) {
        const struct gs_segment *const s = &t->segment[k];
        const uint32_t n_words = t->encoding->n_words;
        if (k + 2 < t->first[owner + 1])
            gs_segment_prefetch(&t->segment[k + 2]);
        if (s->encoding == t->encoding)
            memcpy(rows, s->rows, (size_t)s->n_rows * n_words * sizeof *rows);
        else
            recode(s, t->encoding, t->n_columns, rows);
        rows += (size_t)s->n_rows * n_words;
    }
}
