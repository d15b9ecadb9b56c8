/* intern.h - numbers distinct texts and keeps each of them once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/text.h"

/* A 64-bit hash of bytes under a seed, so that input cannot be made to collide on purpose. */
uint64_t gs_hash(const char *bytes, size_t len, uint64_t seed);

#define GS_INTERN_NONE UINT32_MAX

/*
 * A set of texts numbered 0, 1, 2 ... in order of first appearance. Start from
 * `{.arena = a, .seed = s}`. Numbers are handles, never an order: sort by text before showing any.
 */
struct gs_intern {
    struct gs_arena *arena; /* texts and table live here */
    uint64_t seed;
    uint32_t n;          /* texts held                */
    struct gs_str *text; /* [n]                       */
    uint32_t n_slots;    /* power of two              */
    struct gs_intern_slot *slot;
    uint32_t text_capacity;
};

/* The text with a number; missing for GS_INTERN_NONE. */
static inline struct gs_str gs_intern_text(const struct gs_intern *in, uint32_t number)
{
    if (number == GS_INTERN_NONE)
        return GS_NO_STR;
    return in->text[number];
}

/*
 * Returns the number of `text`, adding a copy when it is new; GS_INTERN_NONE when memory ran out or
 * 2^32 - 2 texts are held.
 */
uint32_t gs_intern_add(struct gs_intern *in, struct gs_str text);

/* The same of what a buffer holds; GS_INTERN_NONE also where that had no memory. */
uint32_t gs_intern_add_buf(struct gs_intern *in, const struct gs_buf *b);

/*
 * Asks the processor for what a look-up of a text with this gs_hash under in->seed will read, one dependent step at a time:
 * 0 its slot, 1 the place of the text there, 2 the text. Between two steps do other work.
 */
void gs_intern_prefetch(const struct gs_intern *in, uint64_t hash, unsigned step);

/*
 * Adds every text of `from`, which has the same seed, and stores their numbers here in map[0 .. from->n).
 * Texts are shared, not copied: what holds them must outlive `in`. False without memory.
 */
bool gs_intern_unite(struct gs_intern *in, const struct gs_intern *from, uint32_t *map);

/* Returns the number of `text` or GS_INTERN_NONE when it is not held. */
uint32_t gs_intern_find(const struct gs_intern *in, struct gs_str text);

/*
 * Ranks by text: rank[id] is the place of text id among all, in gs_str_compare order, and by_rank the
 * inverse (either may be NULL). Result lives in `arena`; returns 0, or -1 when memory ran out.
 */
int gs_intern_rank(const struct gs_intern *in, struct gs_arena *arena, uint32_t **rank,
                   uint32_t **by_rank);
