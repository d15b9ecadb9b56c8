/* values.c - linked blocks of values. */
#include "base/core/values.h"

#include <string.h>

/*
 * Blocks and not one array: there is a list for every GPU and kind of event, most hold few
 * values, and an array that grows would leave its copies in the arena.
 */
enum gs_status gs_values_grow(struct gs_values *v, struct gs_arena *arena, struct gs_err *err)
{
    enum { FIRST = 14, MOST = 1022 }; /* a power of two of bytes with the head */
    const uint32_t last = v->block == NULL ? 0 : v->block->capacity;
    uint32_t capacity;
    if (last == 0)
        capacity = FIRST;
    else if (last >= MOST / 4)
        capacity = MOST;
    else
        capacity = last * 4 + 6;
    struct gs_values_block *const b =
        gs_arena_take_raw(arena, 1, sizeof *b + capacity * sizeof *b->value);
    GS_TRY(gs_had_memory(b != NULL, err));
    b->older = v->block;
    b->n = 0;
    b->capacity = capacity;
    v->block = b;
    return GS_OK;
}

void gs_values_merge(struct gs_values *v, struct gs_values *other)
{
    struct gs_values_block **oldest = &other->block;
    while (*oldest != NULL)
        oldest = &(*oldest)->older;
    *oldest = v->block; /* both lists, other's blocks first: no order is promised */
    v->block = other->block;
    v->n += other->n;
    *other = (struct gs_values){0};
}

enum gs_status gs_values_array(const struct gs_values *v, struct gs_arena *arena, int64_t **array,
                               struct gs_err *err)
{
    GS_NEW_RAW(int64_t, all, (size_t)v->n, arena, err);
    size_t n = 0;
    for (const struct gs_values_block *b = v->block; b != NULL; b = b->older) {
        memcpy(all + n, b->value, b->n * sizeof *all);
        n += b->n;
    }
    *array = all;
    return GS_OK;
}
