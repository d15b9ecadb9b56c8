/* task_list.h - the rows of the task table as an array that can be sorted. */
#pragma once

#include "data/tables/dataset.h"

struct gs_task_entry {
    uint32_t task, job;
    int64_t level, x, y;
    int64_t place; /* GS_MISSING where none is kept */
};

/* All rows, by (task, job, level, x, y, place) as numbers, in `arena`; *n of them. */
enum gs_status gs_task_list(const struct gs_dataset *d, struct gs_arena *arena,
                            struct gs_task_entry **list, size_t *n, struct gs_err *err);

/* Puts a list in the order of (level, y, x, place): as a picture is read. */
void gs_task_list_by_tile(struct gs_task_entry *list, size_t n);

static inline bool gs_task_entry_same_task(const struct gs_task_entry *a,
                                           const struct gs_task_entry *b)
{
    return a->task == b->task && a->job == b->job;
}

static inline bool gs_task_entry_same_tile(const struct gs_task_entry *a,
                                           const struct gs_task_entry *b)
{
    return a->level == b->level && a->x == b->x && a->y == b->y;
}
