/* task_list.c - unpacks and sorts the task table. */
#include "analysis/timeline/task_list.h"
#include "base/num/order.h"

#include <stdlib.h>

static int order(int64_t a, int64_t b)
{
    return gs_cmp(a, b);
}

/*
 * Every field takes part, the place in the file last. qsort is not stable, so an order with ties
 * would differ between C libraries.
 */
static int by_task(const void *a, const void *b)
{
    const struct gs_task_entry *const x = a, *const y = b;
    if (x->task != y->task)
        return gs_cmp(x->task, y->task);
    if (x->job != y->job)
        return gs_cmp(x->job, y->job);
    if (x->level != y->level)
        return order(x->level, y->level);
    if (x->x != y->x)
        return order(x->x, y->x);
    return x->y != y->y ? order(x->y, y->y) : order(x->place, y->place);
}

static int by_tile(const void *a, const void *b)
{
    const struct gs_task_entry *const x = a, *const y = b;
    if (x->level != y->level)
        return order(x->level, y->level);
    if (x->y != y->y)
        return order(x->y, y->y);
    return x->x != y->x ? order(x->x, y->x) : order(x->place, y->place);
}

enum gs_status gs_task_list(const struct gs_dataset *d, struct gs_arena *arena,
                            struct gs_task_entry **list, size_t *n, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    const bool places = t->n_columns == GS_TASK_COLUMNS;
    struct gs_task_entry *const e = gs_arena_take_raw(arena, t->n_rows, sizeof *e);
    size_t n_taken = 0;
    GS_TRY(gs_had_memory(e != NULL, err));
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            e[n_taken++] = (struct gs_task_entry){
                .task = (uint32_t)gs_segment_value(s, i, GS_TASK_TASK),
                .job = (uint32_t)gs_segment_value(s, i, GS_TASK_JOB),
                .level = gs_segment_value(s, i, GS_TASK_LEVEL),
                .x = gs_segment_value(s, i, GS_TASK_X),
                .y = gs_segment_value(s, i, GS_TASK_Y),
                .place = places ? gs_segment_value(s, i, GS_TASK_PLACE) : GS_MISSING};
        }
    if (n_taken > 1)
        qsort(e, n_taken, sizeof *e, by_task);
    *list = e;
    *n = n_taken;
    return GS_OK;
}

void gs_task_list_by_tile(struct gs_task_entry *list, size_t n)
{
    if (n > 1)
        qsort(list, n, sizeof *list, by_tile);
}
