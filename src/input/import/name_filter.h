/* name_filter.h - a Bloom filter of names: rules out most texts that are not among them, and none that is. */
#pragma once

#include "base/core/intern.h"

struct gs_name_filter {
    uint64_t *bits;
    uint64_t mask; /* bits there are, a power of two, less one */
    uint64_t seed;
};

/* All texts of the pools, which may then grow; false without memory. */
static inline bool gs_name_filter_init(struct gs_name_filter *f,
                                       const struct gs_intern *const *pool, size_t n, uint64_t seed,
                                       struct gs_arena *arena)
{
    uint64_t n_texts = 0, n_bits = 1024;
    for (size_t i = 0; i < n; i++)
        n_texts += pool[i]->n;
    while (n_bits < 16 * n_texts)
        n_bits *= 2;
    *f = (struct gs_name_filter){gs_arena_take(arena, n_bits / 64, sizeof *f->bits), n_bits - 1,
                                 seed};
    for (size_t i = 0; f->bits != NULL && i < n; i++)
        for (uint32_t k = 0; k < pool[i]->n; k++) {
            const uint64_t h = gs_hash(pool[i]->text[k].ptr, pool[i]->text[k].len, seed) & f->mask;
            f->bits[h / 64] |= UINT64_C(1) << h % 64;
        }
    return f->bits != NULL;
}

/* May the text be one of them? Of the others about one in sixteen is taken for one. */
static inline bool gs_name_filter_has(const struct gs_name_filter *f, struct gs_str text)
{
    const uint64_t h = gs_hash(text.ptr, text.len, f->seed) & f->mask;
    return (f->bits[h / 64] >> h % 64 & 1) != 0;
}
