/* check_tasks.c - tasks of the checkpoints against the task table, tiles against the picture. */
#include "check/check_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/int128.h"
#include "base/parallel.h"
#include "view/task_list.h"

/* A task as one host's checkpoints show it. */
struct seen {
    uint32_t task, job;
    int64_t place; /* the least of its rows */
};

/* What one thread has seen. */
struct seen_list {
    struct gs_arena arena, scratch;
    struct seen *seen;
    size_t n, capacity;
};

struct gathering {
    const struct gs_dataset *d;
    struct seen_list *list; /* [n_threads] */
};

static int by_task(const void *a, const void *b)
{
    const struct seen *const x = a, *const y = b;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static bool same_task(const struct seen *a, const struct seen *b)
{
    return a->task == b->task && a->job == b->job;
}

static bool keep(struct seen_list *l, struct seen s)
{
    if (l->n == l->capacity) {
        struct seen *const grown = gs_arena_grow(&l->arena, l->seen, l->n, l->n * 2 + 1024, sizeof *grown);
        if (grown == NULL)
            return false;
        l->seen = grown;
        l->capacity = l->n * 2 + 1024;
    }
    l->seen[l->n++] = s;
    return true;
}

/* The distinct tasks of a host; checkpoints that name none are no task's. */
static int gather_host(void *context, size_t host, unsigned thread)
{
    const struct gathering *const g = context;
    const struct gs_table *const t = &g->d->table[GS_TABLE_CHECKPOINTS];
    const bool has_place = g->d->has_places;
    struct seen_list *const l = &g->list[thread];
    const struct gs_arena_mark mark = gs_arena_mark(&l->scratch);
    struct seen *const own = gs_arena_take_raw(&l->scratch, gs_table_rows_of(t, (uint32_t)host), sizeof *own);
    size_t n = 0;
    bool fits = own != NULL;
    for (uint32_t k = host < t->n_owners ? t->first[host] : 0; fits && host < t->n_owners && k < t->first[host + 1]; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const struct gs_segment *const part = &t->segment[k];
            const struct seen s = {(uint32_t)gs_segment_value(part, i, GS_CHECKPOINT_TASK),
                                   (uint32_t)gs_segment_value(part, i, GS_CHECKPOINT_JOB),
                                   has_place ? gs_segment_value(part, i, GS_CHECKPOINT_PLACE) : GS_MISSING};
            if (n > 0 && same_task(&own[n - 1], &s)) /* rows of a task mostly stand together */
                own[n - 1].place = s.place < own[n - 1].place ? s.place : own[n - 1].place;
            else if (g->d->task.text[s.task].len > 0)
                own[n++] = s;
        }
    if (n > 1)
        qsort(own, n, sizeof *own, by_task);
    for (size_t i = 0; fits && i < n; i++)
        if (i == 0 || !same_task(&own[i - 1], &own[i]))
            fits = keep(l, own[i]);
    gs_arena_rewind(&l->scratch, mark);
    return fits ? 0 : (int)GS_ERR_MEMORY;
}

/* All (host, task), by task and place, in `arena`. */
static enum gs_status gather(const struct gs_dataset *d, unsigned n_threads, struct gs_arena *arena, struct seen **seen,
                             size_t *n, struct gs_err *err)
{
    struct gathering g = {d, gs_arena_take(arena, n_threads, sizeof *g.list)};
    if (g.list == NULL)
        return gs_fail_memory(err);
    bool fits = gs_parallel_for(n_threads, d->host.n, gather_host, &g) == 0;
    size_t total = 0, at = 0;
    for (unsigned t = 0; t < n_threads; t++)
        total += g.list[t].n;
    struct seen *const all = gs_arena_take_raw(arena, total, sizeof *all);
    fits &= all != NULL;
    for (unsigned t = 0; t < n_threads; t++) {
        if (fits && g.list[t].n > 0)
            memcpy(all + at, g.list[t].seen, g.list[t].n * sizeof *all);
        at += g.list[t].n;
        gs_arena_release(&g.list[t].arena);
        gs_arena_release(&g.list[t].scratch);
    }
    if (!fits)
        return gs_fail_memory(err);
    if (total > 1)
        qsort(all, total, sizeof *all, by_task);
    *seen = all;
    *n = total;
    return GS_OK;
}

/* Marks the tasks of the table that have checkpoints, by row number of the table. */
static void check_seen(struct gs_check_report *r, const struct seen *seen, size_t n, unsigned char *has_checkpoints)
{
    struct gs_tally unlisted = GS_TALLY_NONE, moved = GS_TALLY_NONE;
    for (size_t i = 0; i < n; i++) {
        const bool again = i > 0 && same_task(&seen[i - 1], &seen[i]);
        if (again && (i == 1 || !same_task(&seen[i - 2], &seen[i])))
            gs_tally_add(&moved, 1, seen[i].place);
        if (again || has_checkpoints == NULL)
            continue;
        const uint32_t row = gs_dataset_task_row(r->d, seen[i].task, seen[i].job);
        if (row == GS_NONE)
            gs_tally_add(&unlisted, 1, seen[i].place);
        else
            has_checkpoints[row] = 1;
    }
    gs_check_add(r, GS_FINDING_TASKS_ON_SEVERAL_HOSTS, GS_SEVERITY_WARNING, "tasks on several hosts", moved,
                 "a task was run again elsewhere, or its ID was given twice; each host's events count");
    gs_check_add(r, GS_FINDING_UNLISTED_TASKS, GS_SEVERITY_WARNING, "tasks that are not in the task table", unlisted,
                 "their pairs have no level and no tile");
}

static void check_list(struct gs_check_report *r, const struct gs_task_entry *task, size_t n,
                       const unsigned char *has_checkpoints)
{
    struct gs_tally repeated = GS_TALLY_NONE, moved = GS_TALLY_NONE, idle = GS_TALLY_NONE;
    for (size_t i = 0; i < n; i++) {
        const bool again = i > 0 && gs_task_entry_same_task(&task[i - 1], &task[i]);
        if (again && gs_task_entry_same_tile(&task[i - 1], &task[i]))
            gs_tally_add(&repeated, 1, task[i].place);
        else if (again)
            gs_tally_add(&moved, 1, task[i].place);
        const uint32_t row = gs_dataset_task_row(r->d, task[i].task, task[i].job);
        if (row != GS_NONE && !has_checkpoints[row])
            gs_tally_add(&idle, !again, task[i].place);
    }
    gs_check_add(r, GS_FINDING_TASKS_WITH_SEVERAL_TILES, GS_SEVERITY_ERROR, "tasks with several tiles", moved,
                 "rows of the task table that give a task another level, x or y; the least of them counts");
    gs_check_add(r, GS_FINDING_DUPLICATE_TASKS, GS_SEVERITY_WARNING, "duplicate task rows", repeated,
                 "equal to an earlier row; they change nothing");
    gs_check_add(r, GS_FINDING_IDLE_TASKS, GS_SEVERITY_WARNING, "tasks without checkpoints", idle,
                 "in the task table, but no START or STOP of theirs was recorded");
}

/* One level's tiles, in the order of a picture: rows [0, n). */
static void check_level(struct gs_check_report *r, const struct gs_task_entry *tile, size_t n)
{
    struct gs_tally first = GS_TALLY_NONE;
    int64_t min_x = INT64_MAX, max_x = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        min_x = tile[i].x < min_x ? tile[i].x : min_x;
        max_x = tile[i].x > max_x ? tile[i].x : max_x;
        gs_tally_add(&first, 0, tile[i].place);
    }
    const int64_t min_y = tile[0].y;
    const uint64_t width = (uint64_t)max_x - (uint64_t)min_x + 1, height = (uint64_t)tile[n - 1].y - (uint64_t)min_y + 1;
    uint64_t n_distinct = 0, gap = UINT64_MAX; /* gap: place in the grid of the first tile that is not there */
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && gs_task_entry_same_tile(&tile[i - 1], &tile[i]))
            continue;
        const gs_u128 at = (gs_u128)((uint64_t)tile[i].y - (uint64_t)min_y) * width + ((uint64_t)tile[i].x - (uint64_t)min_x);
        if (at != n_distinct && gap == UINT64_MAX)
            gap = n_distinct;
        n_distinct++;
    }
    if (gap == UINT64_MAX) /* no hole before the last of the tiles: the first missing one follows it */
        gap = n_distinct;
    const gs_u128 n_missing = (gs_u128)width * height - n_distinct;
    char finding[64], hint[200];
    if (n_missing == 0) {
        (void)snprintf(finding, sizeof finding, "tiles of level %lld", (long long)tile[0].level);
        (void)snprintf(hint, sizeof hint, "complete: %llu x %llu", (unsigned long long)width, (unsigned long long)height);
        first.n = n_distinct;
        gs_check_add(r, GS_FINDING_COMPLETE_TILES, GS_SEVERITY_INFO, finding, first, hint);
        return;
    }
    (void)snprintf(finding, sizeof finding, "missing tiles of level %lld", (long long)tile[0].level);
    (void)snprintf(hint, sizeof hint, "%llu of %llu x %llu are there; the first that is not is x %lld, y %lld",
                   (unsigned long long)n_distinct, (unsigned long long)width, (unsigned long long)height,
                   (long long)(min_x + (int64_t)(gap % width)), (long long)(min_y + (int64_t)(gap / width)));
    first.n = n_missing > INT64_MAX ? INT64_MAX : (uint64_t)n_missing;
    gs_check_add(r, GS_FINDING_MISSING_TILES, GS_SEVERITY_WARNING, finding, first, hint);
}

static void check_tiles(struct gs_check_report *r, struct gs_task_entry *task, size_t n)
{
    struct gs_tally shared = GS_TALLY_NONE;
    gs_task_list_by_tile(task, n);
    for (size_t i = 0, from = 0; i < n; i++) {
        if (i > 0 && gs_task_entry_same_tile(&task[i - 1], &task[i]) && !gs_task_entry_same_task(&task[i - 1], &task[i]))
            gs_tally_add(&shared, 1, task[i].place);
        if (i + 1 == n || task[i + 1].level != task[i].level) {
            check_level(r, task + from, i + 1 - from);
            from = i + 1;
        }
    }
    gs_check_add(r, GS_FINDING_SHARED_TILES, GS_SEVERITY_WARNING, "tiles given to several tasks", shared,
                 "rows of the task table with the level, x and y of another task");
}

enum gs_status gs_check_tasks(struct gs_check_report *r, unsigned n_threads, struct gs_err *err)
{
    const struct gs_table *const t = &r->d->table[GS_TABLE_TASKS];
    struct gs_arena own = {0};
    struct seen *seen = NULL;
    size_t n_seen = 0, n_tasks = 0;
    struct gs_task_entry *task = NULL;
    unsigned char *has_checkpoints = NULL;
    enum gs_status s = gather(r->d, n_threads, &own, &seen, &n_seen, err);
    if (s == GS_OK && t->n_columns > 0) {
        has_checkpoints = gs_arena_take(&own, (size_t)t->n_segments << GS_SEGMENT_BITS, 1);
        s = has_checkpoints == NULL ? gs_fail_memory(err) : gs_task_list(r->d, &own, &task, &n_tasks, err);
    }
    if (s == GS_OK) {
        check_seen(r, seen, n_seen, has_checkpoints);
        check_list(r, task, n_tasks, has_checkpoints);
        check_tiles(r, task, n_tasks);
    }
    gs_arena_release(&own);
    return s;
}
