/* task_list.c - unpacks and sorts the task table. */
#include "analysis/timeline/task_list.h"
#include "base/num/order.h"

/*
 * Every field takes part, the place in the file last. qsort is not stable, so an order with ties
 * would differ between C libraries.
 */
GS_COMPARES(by_task, struct gs_task_entry,
            GS_BY(task) GS_BY(job) GS_BY(level) GS_BY(x) GS_BY(y) GS_BY(place));

GS_COMPARES(by_tile, struct gs_task_entry, GS_BY(level) GS_BY(y) GS_BY(x) GS_BY(place));

enum gs_status gs_task_list(const struct gs_dataset *d, struct gs_arena *arena,
                            struct gs_task_entry **list, size_t *n, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    const bool places = t->n_columns == GS_TASK_COLUMNS;
    GS_NEW_RAW(struct gs_task_entry, e, t->n_rows, arena, err);
    size_t n_taken = 0;
    for (uint32_t k = 0; k < t->n_segments; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const s = &t->segment[k];
            e[n_taken++] =
                (struct gs_task_entry){.task = (uint32_t)gs_segment_value(s, i, GS_TASK_TASK),
                                       .job = (uint32_t)gs_segment_value(s, i, GS_TASK_JOB),
                                       .level = gs_segment_value(s, i, GS_TASK_LEVEL),
                                       .x = gs_segment_value(s, i, GS_TASK_X),
                                       .y = gs_segment_value(s, i, GS_TASK_Y),
                                       .place = gs_segment_value_if(places, s, i, GS_TASK_PLACE)};
        }
    GS_SORT(e, n_taken, by_task);
    *list = e;
    *n = n_taken;
    return GS_OK;
}

void gs_task_list_by_tile(struct gs_task_entry *list, size_t n)
{
    GS_SORT(list, n, by_tile);
}
