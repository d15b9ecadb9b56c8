/* arena.h - memory with one owner: a run, a thread, a scratch mark. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/status.h"

struct gs_arena_block;

/*
 * A growing region that is released as a whole. Valid when zeroed. Not shared between threads: each
 * thread takes its own. Blocks come from gs_memory_reserve, so tests can make any of them fail.
 */
struct gs_arena {
    struct gs_arena_block *head;   /* newest block, linked to older ones            */
    struct gs_arena_block *oldest; /* the last of those; where there is none, stale */
    struct gs_arena_block *spare;  /* blocks that a rewind freed, for the next use  */
    size_t n_bytes;                /* held from the system, all blocks              */
    /* room was asked for that was not there: who makes much of many parts looks once, at its end */
    bool failed;
};

/* A place to rewind to. */
struct gs_arena_mark {
    struct gs_arena_block *block;
    size_t used;
};

/*
 * Takes room for `count` objects of `size` bytes, zeroed and aligned to 16. Returns NULL when memory
 * ran out or count * size overflows; a count of 0 gives a valid pointer to nothing.
 */
void *gs_arena_take(struct gs_arena *a, size_t count, size_t size);

/* As gs_arena_take, but the bytes are not zeroed: for room that is written before it is read. */
void *gs_arena_take_raw(struct gs_arena *a, size_t count, size_t size);

/*
 * Declares `name`, an array of `count` things of a type: GS_NEW(struct plan, plan, 1, arena, err). Without memory the
 * function around it returns that failure, as GS_TRY does.
 */
#define GS_NEW(type, name, count, arena, err)                                                      \
    type *const name = gs_arena_take((arena), (count), sizeof *name);                              \
    GS_TRY(gs_had_memory(name != NULL, (err)))
#define GS_NEW_RAW(type, name, count, arena, err)                                                  \
    type *const name = gs_arena_take_raw((arena), (count), sizeof *name);                          \
    GS_TRY(gs_had_memory(name != NULL, (err)))

/* The same for a pointer that is there: GS_TAKE(d->rows, n, arena, err). */
#define GS_TAKE(pointer, count, arena, err)                                                        \
    do {                                                                                           \
        (pointer) = gs_arena_take((arena), (count), sizeof *(pointer));                            \
        GS_TRY(gs_had_memory((pointer) != NULL, (err)));                                           \
    } while (0)
#define GS_TAKE_RAW(pointer, count, arena, err)                                                    \
    do {                                                                                           \
        (pointer) = gs_arena_take_raw((arena), (count), sizeof *(pointer));                        \
        GS_TRY(gs_had_memory((pointer) != NULL, (err)));                                           \
    } while (0)

/*
 * Grows an array of `count` objects that lives in `a` to room for `new_count`: in place where it is the
 * newest allocation, else as a copy. Returns NULL when memory ran out; the old array then stays valid. After a copy it
 * is gone: an array of MiB that had its pages for itself has given them back.
 */
void *gs_arena_grow(struct gs_arena *a, void *old, size_t count, size_t new_count, size_t size);

/*
 * Room for one more behind the `n` items of an array that grows by this alone: it is full at 0 and at every power of two,
 * and doubles there. NULL when memory ran out.
 */
static inline void *gs_arena_one_more(struct gs_arena *a, void *items, size_t n, size_t size)
{
    if ((n & (n - 1)) != 0)
        return items;
    return gs_arena_grow(a, items, n, n + n + (n == 0), size);
}

/* Moves `list`, a pointer to n items, to where there is room for one more; false, and nothing done, without memory. */
#define GS_HAS_ROOM(arena, list, n)                                                                \
    __extension__({                                                                                \
        void *const moved = gs_arena_one_more((arena), (void *)(list), (n), sizeof *(list));       \
        if (moved != NULL)                                                                         \
            (list) = moved;                                                                        \
        moved != NULL;                                                                             \
    })

/* Copies `len` bytes and a terminating NUL into the arena; NULL when memory ran out. */
char *gs_arena_copy(struct gs_arena *a, const char *bytes, size_t len);

/*
 * Remembers a place; gs_arena_rewind forgets everything taken since. The memory stays with the arena: a loop
 * that takes and rewinds asks the system once.
 */
struct gs_arena_mark gs_arena_mark(const struct gs_arena *a);
void gs_arena_rewind(struct gs_arena *a, struct gs_arena_mark mark);

/* Behind the declarations of a block: what is taken from `a` there is forgotten at its end. */
#define GS_REWINDS(a)                                                                              \
    __attribute__((cleanup(gs_arena_return), unused))                                              \
    const struct gs_arena_place rewound = {(a), gs_arena_mark(a)}

struct gs_arena_place {
    struct gs_arena *arena;
    struct gs_arena_mark mark;
};

static inline void gs_arena_return(const struct gs_arena_place *to)
{
    gs_arena_rewind(to->arena, to->mark);
}

/* Moves everything that `from` owns to `a`, where it stays until a's release; leaves `from` empty. */
void gs_arena_adopt(struct gs_arena *a, struct gs_arena *from);

/* Gives everything back to the system and leaves a valid empty arena. */
void gs_arena_release(struct gs_arena *a);

/* In front of an arena of a function's own: it is released on every way out. */
#define GS_OWN __attribute__((cleanup(gs_arena_release)))

/*
 * The door to the system's memory for everything that is not an arena's small change: returns zeroed,
 * lazily backed pages for large sizes, or NULL. gs_memory_give takes them back (NULL allowed).
 */
void *gs_memory_reserve(size_t n_bytes);
void gs_memory_give(void *bytes, size_t n_bytes);

/*
 * From now on gs_memory_reserve fails where more than `n_bytes` would be held; 0: no limit. What is held now, and was at
 * most since then. Small change of other libraries is not counted.
 */
void gs_memory_limit(size_t n_bytes);
size_t gs_memory_held(void);
size_t gs_memory_most(void);
size_t gs_memory_refused_at(void); /* the most that the limit refused to let be held; 0: nothing */

/*
 * How often the system had no memory for gs_memory_reserve. Whoever hands out what many small buffers were put into asks
 * before and after: one that could not grow has left a gap, and not every writer of a label looks.
 */
uint64_t gs_memory_n_failed(void);

/* Test seam: the n-th next gs_memory_reserve fails, and all after it; 0 switches that off. */
void gs_memory_fail_after(uint64_t n);

/* The same seam for the memory of libraries: counts as one gs_memory_reserve; true: it is to fail. */
bool gs_memory_refused(void);
