/* paged_memory.h - memory that lies in a file: of any size, and resident only in part. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/*
 * From now on the process keeps large blocks of gs_memory_reserve in the nameless file `fd`, which it owns then, and gives
 * the pages of that file back to the system whenever more than `resident` bytes are in memory. Once per process: what was
 * taken stays valid until it is given back. False, with errno, where that cannot be.
 */
bool gs_paged_memory_begin(int fd, size_t resident);

/* Zeroed pages; NULL: gs_paged_memory_begin was not called, or the disk is full. */
void *gs_paged_memory_take(size_t n_bytes);

/* False where the bytes are not from here. Part of what was taken may be given back, in whole pages. */
bool gs_paged_memory_give(void *bytes, size_t n_bytes);

bool gs_paged_memory_is_on(void);

/* A thread that works beside the one that began is watched as well until it deletes the timer; false: no need to. */
bool gs_paged_memory_watch(timer_t *timer);

/* Why the file could not grow, as errno has it; 0: it could. */
int gs_paged_memory_error(void);
