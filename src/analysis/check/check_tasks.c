/* check_tasks.c - tasks of the checkpoints against the task table, tiles against the picture. */
#include "analysis/check/check_parts.h"

#include <stdio.h>

#include "base/num/int128.h"
#include "analysis/timeline/task_list.h"
#include "base/num/order.h"

static const char repeated[] = "repeated", moved[] = "moved", shared[] = "shared",
                  complete[] = "complete", incomplete[] = "incomplete";

/* --- the table of tasks ------------------------------------------------------------------------------- */

static struct gs_check_figures *figures_of(struct gs_state *state, const char *kind, int64_t level,
                                           struct gs_arena *arena)
{
    const union gs_key key[] = {{.text = gs_str(kind)}, {.number = level}};
    return gs_records_find(&state->table[GS_CHECK_TABLE], key, arena);
}

/* Keeps how often something was found in the table. */
static bool store(struct gs_state *state, const char *kind, struct gs_tally tally,
                  struct gs_arena *arena)
{
    if (tally.n == 0)
        return true;
    struct gs_check_figures *const f = figures_of(state, kind, 0, arena);
    if (f != NULL) {
        f->n = (int64_t)tally.n;
        f->line = tally.line;
    }
    return tally.n == 0 || f != NULL;
}

static bool plan_list(struct gs_state *state, const struct gs_dataset *d,
                      const struct gs_task_entry *task, size_t n, struct gs_arena *arena)
{
    struct gs_tally again = GS_TALLY_NONE, elsewhere = GS_TALLY_NONE;
    for (size_t i = 1; i < n; i++)
        if (gs_task_entry_same_task(&task[i - 1], &task[i]))
            gs_tally_add(gs_task_entry_same_tile(&task[i - 1], &task[i]) ? &again : &elsewhere, 1,
                         gs_dataset_line(d, task[i].place));
    return store(state, repeated, again, arena) && store(state, moved, elsewhere, arena);
}

/* One level's tiles, in the order of a picture: rows [0, n). */
static bool plan_level(struct gs_state *state, const struct gs_dataset *d,
                       const struct gs_task_entry *tile, size_t n, struct gs_arena *arena)
{
    struct gs_tally first = GS_TALLY_NONE;
    int64_t min_x = INT64_MAX, max_x = INT64_MIN;
    for (size_t i = 0; i < n; i++) {
        min_x = gs_min(tile[i].x, min_x);
        max_x = gs_max(tile[i].x, max_x);
        gs_tally_add(&first, 0, gs_dataset_line(d, tile[i].place));
    }
    const int64_t min_y = tile[0].y;
    const uint64_t width = (uint64_t)max_x - (uint64_t)min_x + 1,
                   height = (uint64_t)tile[n - 1].y - (uint64_t)min_y + 1;
    /* gap: place in the grid of the first tile that is not there */
    uint64_t n_distinct = 0, gap = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && gs_task_entry_same_tile(&tile[i - 1], &tile[i]))
            continue;
        const gs_u128 at = (gs_u128)((uint64_t)tile[i].y - (uint64_t)min_y) * width +
                           ((uint64_t)tile[i].x - (uint64_t)min_x);
        if (at != n_distinct && gap == UINT64_MAX)
            gap = n_distinct;
        n_distinct++;
    }
    /* no hole before the last of the tiles: the first missing one follows it */
    if (gap == UINT64_MAX)
        gap = n_distinct;
    const gs_u128 n_missing = (gs_u128)width * height - n_distinct;
    struct gs_check_figures *const f =
        figures_of(state, n_missing == 0 ? complete : incomplete, tile[0].level, arena);
    if (f == NULL)
        return false;
    uint64_t found;
    if (n_missing == 0)
        found = n_distinct;
    else if (n_missing > INT64_MAX)
        found = INT64_MAX;
    else
        found = (uint64_t)n_missing;
    *f = (struct gs_check_figures){.n = (int64_t)found,
                                   .line = first.line,
                                   .width = (int64_t)width,
                                   .height = (int64_t)height,
                                   .n_distinct = (int64_t)n_distinct,
                                   .x = min_x + (int64_t)(gap % width),
                                   .y = min_y + (int64_t)(gap / width)};
    return true;
}

static bool plan_tiles(struct gs_state *state, const struct gs_dataset *d,
                       struct gs_task_entry *task, size_t n, struct gs_arena *arena)
{
    struct gs_tally twice = GS_TALLY_NONE;
    bool fits = true;
    gs_task_list_by_tile(task, n);
    for (size_t i = 0, from = 0; i < n && fits; i++) {
        if (i > 0 && gs_task_entry_same_tile(&task[i - 1], &task[i]) &&
            !gs_task_entry_same_task(&task[i - 1], &task[i]))
            gs_tally_add(&twice, 1, gs_dataset_line(d, task[i].place));
        if (i + 1 == n || task[i + 1].level != task[i].level) {
            fits = plan_level(state, d, task + from, i + 1 - from, arena);
            from = i + 1;
        }
    }
    return fits && store(state, shared, twice, arena);
}

enum gs_status gs_check_plan_tasks(struct gs_state *state, const struct gs_dataset *d,
                                   struct gs_arena *arena, struct gs_err *err)
{
    struct gs_arena own = {0}, kept = {0};
    struct gs_task_entry *task = NULL;
    struct gs_check_sighting *listed = NULL;
    size_t n = 0, n_listed = 0;
    enum gs_status s = gs_task_list(d, &own, &task, &n, err);
    GS_THEN(s, gs_had_memory((listed = gs_check_list_tasks(d, task, n, &kept, &n_listed)) != NULL,
                             err));
    if (s == GS_OK &&
        (!plan_list(state, d, task, n, arena) || !plan_tiles(state, d, task, n, arena)))
        s = gs_fail_memory(err);
    gs_arena_release(&own);
    GS_THEN(s, gs_check_store_tasks(&state->table[GS_CHECK_LISTED], listed, n_listed, arena, err));
    gs_arena_release(&kept);
    return s;
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void report_figures(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity,
                           const char *finding, const char *kind, const char *hint)
{
    const union gs_key key[] = {{.text = gs_str(kind)}, {.number = 0}};
    const struct gs_check_figures *const f =
        gs_records_lookup(&r->state->table[GS_CHECK_TABLE], key);
    if (f != NULL)
        gs_check_add(r, id, severity, finding, (struct gs_tally){(uint64_t)f->n, f->line}, hint);
}

static void report_level(struct gs_check_report *r, int64_t level, const struct gs_check_figures *f,
                         bool is_complete)
{
    char finding[64], hint[200];
    (void)snprintf(finding, sizeof finding,
                   is_complete ? "tiles of level %lld" : "missing tiles of level %lld",
                   (long long)level);
    if (is_complete)
        (void)snprintf(hint, sizeof hint, "complete: %llu x %llu", (unsigned long long)f->width,
                       (unsigned long long)f->height);
    else
        (void)snprintf(hint, sizeof hint,
                       "%llu of %llu x %llu are there; the first that is not is x %lld, y %lld",
                       (unsigned long long)f->n_distinct, (unsigned long long)f->width,
                       (unsigned long long)f->height, (long long)f->x, (long long)f->y);
    gs_check_add(r, is_complete ? GS_FINDING_COMPLETE_TILES : GS_FINDING_MISSING_TILES,
                 gs_severity_unless(is_complete), finding,
                 (struct gs_tally){(uint64_t)f->n, f->line}, hint);
}

void gs_check_report_tasks(struct gs_check_report *r, const struct gs_check_seen *seen)
{
    const struct gs_records *const table = &r->state->table[GS_CHECK_TABLE];
    gs_check_add(
        r, GS_FINDING_TASKS_ON_SEVERAL_HOSTS, GS_SEVERITY_WARNING, "tasks on several hosts",
        seen->several,
        "a task was run again elsewhere, or its ID was given twice; each host's events count");
    if (r->facts->has_table[GS_TABLE_TASKS])
        gs_check_add(r, GS_FINDING_UNLISTED_TASKS, GS_SEVERITY_WARNING,
                     "tasks that are not in the task table", seen->unlisted,
                     "their pairs have no level and no tile");
    report_figures(
        r, GS_FINDING_TASKS_WITH_SEVERAL_TILES, GS_SEVERITY_ERROR, "tasks with several tiles",
        moved,
        "rows of the task table that give a task another level, x or y; the least of them counts");
    report_figures(r, GS_FINDING_DUPLICATE_TASKS, GS_SEVERITY_WARNING, "duplicate task rows",
                   repeated, "equal to an earlier row; they change nothing");
    gs_check_add(r, GS_FINDING_IDLE_TASKS, GS_SEVERITY_WARNING, "tasks without events", seen->idle,
                 "in the task table, but no START or STOP of theirs was recorded");
    for (int kind = 0; kind < 2;
         kind++) /* what is complete is information, so that the order of severities is kept */
        for (uint32_t i = 0; i < table->n; i++) {
            const union gs_key *const key = gs_records_key(table, i, 2);
            if (gs_str_eq(key[0].text, gs_str(kind == 0 ? complete : incomplete)))
                report_level(r, key[1].number, gs_records_at(table, i), kind == 0);
        }
    report_figures(r, GS_FINDING_SHARED_TILES, GS_SEVERITY_WARNING, "tiles given to several tasks",
                   shared, "rows of the task table with the level, x and y of another task");
}
