/* diff_copies.c - a span on several hosts or GPUs is one: its parts there come to the first. */
#include <math.h>

#include "analysis/diff/diff_parts.h"

static struct gs_str text_of(const struct gs_diff_copy_key *key)
{
    return (struct gs_str){(const char *)key, sizeof *key};
}

bool gs_diff_copies_add(struct gs_diff_copies *c, const struct gs_diff_copy_key *key,
                        const struct gs_column *row, size_t r)
{
    const uint32_t n = c->key.n, at = gs_intern_add(&c->key, text_of(key));
    if (at == GS_INTERN_NONE)
        return false;
    if (at == n) {
        if (!GS_HAS_ROOM(c->arena, c->of, n))
            return false;
        c->of[at] =
            (struct gs_diff_copy){.sum = gs_arena_take(c->arena, c->n_columns, sizeof(double)),
                                  .n_gpus = gs_arena_take(c->arena, c->n_columns, sizeof(double))};
    }
    const struct gs_diff_copy *const of = &c->of[at];
    const double n_gpus = (double)row[ROW_GPUS].integer[r];
    if (of->sum == NULL || of->n_gpus == NULL)
        return false;
    for (size_t k = 0; k < c->n_columns; k++) {
        const double v = row[ROW_ENERGY + k].real[r];
        const bool is_sum = k == 0;
        /* of energy a part that is not known leaves nothing */
        if (n_gpus == 0 || (isnan(v) && !is_sum))
            continue;
        of->sum[k] += is_sum ? v : v * n_gpus;
        of->n_gpus[k] += n_gpus;
    }
    return true;
}

struct gs_diff_copy *gs_diff_copies_find(const struct gs_diff_copies *c,
                                         const struct gs_diff_copy_key *key)
{
    const uint32_t at = c->key.n == 0 ? GS_INTERN_NONE : gs_intern_find(&c->key, text_of(key));
    return at == GS_INTERN_NONE ? NULL : &c->of[at];
}

double gs_diff_copies_whole(const struct gs_diff_copy *c, size_t column, double own, double n_gpus)
{
    const double sum = c->sum[column] / c->n_spans, others = c->n_gpus[column] / c->n_spans;
    if (others == 0)
        return own;
    if (column == 0)
        return n_gpus == 0 ? sum : own + sum;
    return n_gpus == 0 || isnan(own) ? sum / others : (own * n_gpus + sum) / (n_gpus + others);
}
