/* suggest.c - edit distance over three rows of the table. */
#include "base/core/suggest.h"
#include "base/num/order.h"

#include <string.h>

unsigned gs_edit_distance(struct gs_str a, struct gs_str b)
{
    if (a.len > GS_SUGGEST_MAX || b.len > GS_SUGGEST_MAX)
        return GS_SUGGEST_MAX;
    unsigned rows[3][GS_SUGGEST_MAX + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.len; j++) {
        before[j] = 0; /* first read in the second round, when it has become a row of the table */
        above[j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            const char x = gs_lower(a.ptr[i - 1]), y = gs_lower(b.ptr[j - 1]);
            row[j] = gs_min(gs_min(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == gs_lower(b.ptr[j - 2]) && y == gs_lower(a.ptr[i - 2]))
                row[j] = gs_min(row[j], before[j - 2] + 1);
        }
        unsigned *const spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b.len];
}

void gs_suggestion_try(struct gs_suggestion *s, const char *candidate)
{
    const struct gs_str c = gs_str(candidate);
    const size_t longer = gs_max(c.len, s->word.len);
    unsigned distance = gs_edit_distance(s->word, c);
    if (s->word.len >= 2 && c.len > s->word.len && memcmp(c.ptr, s->word.ptr, s->word.len) == 0)
        distance = gs_min(distance, 1);
    const struct gs_str end = gs_str_after(c, c.len - gs_min(c.len, s->word.len));
    if (s->word.len >= 4 && c.len > s->word.len && gs_str_eq(end, s->word) && end.ptr[-1] == '_')
        distance = gs_min(distance, 1);
    if (distance > gs_max(longer / 3, 1))
        return;
    if (s->best == NULL || distance < s->distance) {
        s->best = candidate;
        s->distance = distance;
    }
}
