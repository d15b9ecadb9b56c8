/* parallel.h - the same work over many items on several threads. */
#pragma once

#include "base/core/arena.h"

/* Does item `item` on thread `thread` (0 is the caller); returns 0, or nonzero to stop handing out items. */
typedef int gs_item_fn(void *context, size_t item, unsigned thread);

/*
 * Calls fn once for every item 0 .. n_items-1, handed in this order to the next free thread each, on at most
 * `n_threads` threads, the caller among them. Where threads cannot be started the rest do the work.
 * Returns 0, or a nonzero value that one of the calls returned; all items before that call's were done, too.
 * Which thread gets which item is not defined: results must not depend on it.
 */
int gs_parallel_for(unsigned n_threads, size_t n_items, gs_item_fn *fn, void *context);

/* Does item `item` with memory of its own; a failure stops the handing out of items. */
typedef enum gs_status gs_task_fn(void *context, size_t item, struct gs_arena *arena,
                                  struct gs_err *err);

/*
 * The same where each item takes memory and may fail. What they took goes over to `arena`, whatever happened; of several
 * failures that of the least item is handed on, so that it does not depend on the threads.
 */
enum gs_status gs_parallel_tasks(unsigned n_threads, size_t n_items, gs_task_fn *fn, void *context,
                                 struct gs_arena *arena, struct gs_err *err);

/* The number of processors this process may use, at least 1. */
unsigned gs_processors(void);
