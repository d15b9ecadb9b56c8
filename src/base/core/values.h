/* values.h - a growing, unordered list of whole numbers in an arena; two lists join without a copy. */
#pragma once

#include "base/core/arena.h"
#include "base/core/status.h"

/* The first is small, because there may be many sets of few. */
struct gs_values_block {
    struct gs_values_block *older;
    uint32_t n, capacity;
    int64_t value[];
};

/* Valid when zeroed. */
struct gs_values {
    uint64_t n;
    struct gs_values_block *block; /* the newest */
};

/* Opens a block for the next value. */
enum gs_status gs_values_grow(struct gs_values *v, struct gs_arena *arena, struct gs_err *err);

static inline enum gs_status gs_values_add(struct gs_values *v, int64_t value,
                                           struct gs_arena *arena, struct gs_err *err)
{
    if (v->block == NULL || v->block->n == v->block->capacity)
        GS_TRY(gs_values_grow(v, arena, err));
    v->block->value[v->block->n++] = value;
    v->n++;
    return GS_OK;
}

/* Moves what `other` has to `v`: `other` is empty then, but the arena of its blocks must stay. */
void gs_values_merge(struct gs_values *v, struct gs_values *other);

/* All of them as one array in `arena`, in no order. */
enum gs_status gs_values_array(const struct gs_values *v, struct gs_arena *arena, int64_t **array,
                               struct gs_err *err);
