/* memory_bound.h - what --max-memory asks for: of passes, and of what comes after them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/status.h"

/*
 * From here on what does not fit in a size is kept in a file, so that any run fits. A smaller size is less than the pages of that
 * file which come into memory before it is seen that they are too many.
 */
#define GS_MEMORY_IN_FILE_FROM (UINT64_C(24) << 20)

/* A file in `dir` for what is large; -1: none can be had, or one that takes memory itself. */
int gs_memory_file(const char *dir);

/* From now on what is large lies in such a file. False, with errno where the system refused it, where there is none
 * or the size is less than GS_MEMORY_IN_FILE_FROM. */
bool gs_memory_in_file(const char *dir, uint64_t max_memory);

/* Why memory ran out after that: GS_ERR_IO "temporary file: No space left on device", else GS_ERR_MEMORY. */
enum gs_status gs_memory_in_file_failed(struct gs_err *err);

/* Valid when zeroed: nothing was asked. */
struct gs_memory_bound {
    uint64_t max; /* bytes; 0: no bound */
};

/* What a limit leaves for gs_memory_reserve, in whole MiB. */
uint64_t gs_memory_room(uint64_t max_memory);

/* How many of the threads that are wanted there is room for; fewer give the same answer. */
unsigned gs_memory_threads(uint64_t max_memory, unsigned n_wanted);

/*
 * Refuses a bound under which `room` bytes of gs_memory_reserve would be held: GS_ERR_USAGE
 * "--max-memory: this run takes about NM".
 */
enum gs_status gs_memory_bound_refuse(uint64_t room, struct gs_err *err);

/*
 * Refuses a bound that did not hold since the passes ended, as gs_memory_most tells. To be called
 * before anything is handed out; NULL: there is none.
 */
enum gs_status gs_memory_bound_check(const struct gs_memory_bound *bound, struct gs_err *err);
