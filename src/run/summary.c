/* summary.c - counts for the study's Tables 1 to 3. */
#include "run/summary.h"

#include <stdlib.h>
#include <string.h>

#include "stats/dd.h"
#include "view/counts.h"
#include "view/join.h"
#include "base/timestamp.h"
#include "view/task_list.h"

static const struct gs_column_spec columns[] = {
    {"quantity", "quantity", "", GS_TYPE_TEXT, 0, "what is counted", false},
    {"value", "value", "", GS_TYPE_TEXT, 0,
     "counts over the rows as they were read, exact duplicates included; names are distinct over all tables", false},
};

/* Rows as they come; the frame is made once their number is known. */
struct list {
    struct gs_arena *arena, own; /* texts in the first, the growing list in the second */
    struct entry {
        struct gs_str quantity, value;
    } *entry;
    size_t n, capacity;
    bool failed;
};

static void add_text(struct list *l, const char *quantity, const char *value, size_t len)
{
    if (l->n == l->capacity) {
        struct entry *const grown = gs_arena_grow(&l->own, l->entry, l->n, l->n * 2 + 64, sizeof *grown);
        if (grown == NULL) {
            l->failed = true;
            return;
        }
        l->entry = grown;
        l->capacity = l->n * 2 + 64;
    }
    const char *const name = gs_arena_copy(l->arena, quantity, strlen(quantity));
    const char *const copy = value == NULL ? NULL : gs_arena_copy(l->arena, value, len);
    l->failed |= name == NULL || (value != NULL && copy == NULL);
    if (!l->failed)
        l->entry[l->n++] = (struct entry){gs_str(name), {copy, len}};
}

static void add_missing(struct list *l, const char *quantity)
{
    add_text(l, quantity, NULL, 0);
}

static void add_count(struct list *l, const char *quantity, uint64_t n)
{
    char room[GS_REAL_TEXT_MAX];
    add_text(l, quantity, room, (size_t)gs_int_format(room, n > INT64_MAX ? INT64_MAX : (int64_t)n));
}

static void add_time(struct list *l, const char *quantity, int64_t t_ns)
{
    char room[GS_TIME_TEXT_MAX];
    add_text(l, quantity, room, (size_t)gs_time_format(room, t_ns));
}

static void add_seconds(struct list *l, const char *quantity, gs_i128 ns)
{
    char room[GS_REAL_TEXT_MAX];
    add_text(l, quantity, room, (size_t)gs_real_format(room, gs_dd_to_double(gs_dd_ratio(ns, GS_NS_PER_S))));
}

struct span {
    int64_t first, last; /* GS_MISSING: no rows */
};

static struct span span_of(const struct gs_table *t, unsigned column)
{
    struct span s = {INT64_MAX, INT64_MIN};
    gs_table_widen_range(t, column, &s.first, &s.last);
    return s.first <= s.last ? s : (struct span){GS_MISSING, GS_MISSING};
}

static int compare_texts(const void *a, const void *b)
{
    return gs_str_compare(*(const struct gs_str *)a, *(const struct gs_str *)b);
}

/* Distinct texts among those that are there. */
static uint64_t count_distinct(struct gs_str *text, size_t n)
{
    uint64_t n_distinct = 0;
    if (n > 1)
        qsort(text, n, sizeof *text, compare_texts);
    for (size_t i = 0; i < n; i++)
        n_distinct += text[i].ptr != NULL && (i == 0 || compare_texts(&text[i - 1], &text[i]) != 0);
    return n_distinct;
}

static void add_gpus(struct list *l, const struct gs_dataset *d)
{
    struct gs_str *const text = gs_arena_take_raw(&l->own, d->n_gpus, sizeof *text);
    if (text == NULL) {
        l->failed = true;
        return;
    }
    add_count(l, "gpus", d->n_gpus);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        text[g] = d->gpu[g].serial;
    add_count(l, "gpu_serials", count_distinct(text, d->n_gpus));
    for (uint32_t g = 0; g < d->n_gpus; g++)
        text[g] = d->gpu[g].uuid;
    add_count(l, "gpu_uuids", count_distinct(text, d->n_gpus));
}

/* Pairs, and those of TotalRender by level; the last of n_levels + 1 counts is for tasks that have no tile. */
struct counting {
    const struct gs_dataset *d;
    uint32_t total_render; /* GS_NONE: no such event */
    const int64_t *level;
    size_t n_levels;
    uint64_t *n_pairs;   /* [n_threads]                   */
    uint64_t *n_at_level; /* [n_threads][n_levels + 1]     */
};

static enum gs_status count_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    (void)scratch, (void)err;
    const struct counting *const c = context;
    uint64_t *const n = c->n_at_level + thread * (c->n_levels + 1);
    c->n_pairs[thread] += h->n_pairs;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        if (h->pair[p].event != c->total_render)
            continue;
        n[gs_pair_level_at(c->d, &h->pair[p], c->level, c->n_levels)]++;
    }
    return GS_OK;
}

static void add_files(struct list *l, const struct gs_dataset *d)
{
    static const char *const names[GS_N_TABLES][4] = {
        [GS_TABLE_CHECKPOINTS] = {"checkpoint_files", "checkpoint_bytes", "checkpoint_rows", "checkpoint_rows_rejected"},
        [GS_TABLE_SAMPLES] = {"gpu_files", "gpu_bytes", "gpu_rows", "gpu_rows_rejected"},
        [GS_TABLE_TASKS] = {"task_files", "task_bytes", "task_rows", "task_rows_rejected"},
    };
    for (int k = 0; k < GS_N_TABLES; k++) {
        uint64_t n_files = 0, n_bytes = 0, n_rejected = 0;
        for (size_t i = 0; i < d->n_inputs; i++)
            if (d->input[i].kind == (enum gs_table_kind)k) {
                n_files++;
                n_bytes += d->input[i].n_bytes;
                n_rejected += d->input[i].n_rejected;
            }
        add_count(l, names[k][0], n_files);
        add_count(l, names[k][1], n_bytes);
        add_count(l, names[k][2], d->table[k].n_rows);
        if (n_rejected > 0)
            add_count(l, names[k][3], n_rejected);
    }
}

static void add_pairs(struct list *l, const struct counting *c, const struct gs_view_totals *totals, unsigned n_threads)
{
    uint64_t n_pairs = 0, n_total_render = 0;
    for (unsigned t = 0; t < n_threads; t++)
        n_pairs += c->n_pairs[t];
    for (size_t k = 0; k <= c->n_levels; k++) {
        for (unsigned t = 1; t < n_threads; t++)
            c->n_at_level[k] += c->n_at_level[t * (c->n_levels + 1) + k];
        n_total_render += c->n_at_level[k];
    }
    add_count(l, "pairs", n_pairs);
    add_count(l, "orphans", totals->n_orphan_starts + totals->n_orphan_stops);
    add_count(l, "total_render_pairs", n_total_render);
    for (size_t k = 0; k <= c->n_levels; k++) {
        char name[32 + GS_REAL_TEXT_MAX] = "total_render_pairs_level_", *const end = name + strlen(name);
        if (c->n_at_level[k] == 0 || c->d->table[GS_TABLE_TASKS].n_columns == 0)
            continue;
        if (k < c->n_levels)
            (void)gs_int_format(end, c->level[k]);
        else
            memcpy(end, "none", sizeof "none");
        add_count(l, name, c->n_at_level[k]);
    }
}

static enum gs_status add_times(struct list *l, const struct gs_dataset *d, unsigned n_threads, struct gs_err *err)
{
    const struct span c = span_of(&d->table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME);
    const struct span g = span_of(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME);
    int64_t interval;
    if (c.first != GS_MISSING) {
        add_time(l, "first_checkpoint", c.first);
        add_time(l, "last_checkpoint", c.last);
        add_seconds(l, "checkpoint_span_s", (gs_i128)c.last - c.first);
    }
    if (g.first != GS_MISSING) {
        add_time(l, "first_gpu", g.first);
        add_time(l, "last_gpu", g.last);
        add_seconds(l, "gpu_span_s", (gs_i128)g.last - g.first);
    }
    const enum gs_status s = gs_sampling_interval(d, n_threads, &interval, err);
    if (s != GS_OK)
        return s;
    if (interval == GS_MISSING)
        add_missing(l, "sampling_interval_median_s");
    else
        add_seconds(l, "sampling_interval_median_s", interval);
    return GS_OK;
}

static enum gs_status collect(struct list *l, const struct gs_dataset *d, unsigned n_threads, struct gs_err *err)
{
    const bool has_tasks = d->table[GS_TABLE_TASKS].n_columns > 0;
    struct counting c = {.d = d, .total_render = gs_intern_find(&d->event, gs_str("TotalRender"))};
    struct gs_view_totals totals;
    struct gs_task_entry *task = NULL;
    size_t n_tasks = 0;
    uint64_t n_repeated = 0;
    int64_t *level = NULL;
    enum gs_status s = !has_tasks ? GS_OK : gs_levels(d, &l->own, &level, &c.n_levels, err);
    if (s == GS_OK && has_tasks)
        s = gs_task_list(d, &l->own, &task, &n_tasks, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 1; i < n_tasks; i++)
        n_repeated += gs_task_entry_same_task(&task[i - 1], &task[i]) && gs_task_entry_same_tile(&task[i - 1], &task[i]);
    c.level = level;
    c.n_pairs = gs_arena_take(&l->own, n_threads, sizeof *c.n_pairs);
    c.n_at_level = gs_arena_take(&l->own, n_threads * (c.n_levels + 1), sizeof *c.n_at_level);
    s = c.n_pairs == NULL || c.n_at_level == NULL
            ? gs_fail_memory(err)
            : gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, count_host, &c, &totals, err);
    if (s != GS_OK)
        return s;
    add_files(l, d);
    add_count(l, "checkpoint_duplicate_rows", totals.checkpoints.n);
    add_count(l, "gpu_duplicate_rows", totals.samples.n);
    add_count(l, "task_duplicate_rows", n_repeated);
    add_count(l, "hostnames", d->host.n);
    add_gpus(l, d);
    add_count(l, "event_names", d->event.n);
    add_count(l, "job_ids", d->job.n);
    add_count(l, "task_ids", d->task.n);
    if (has_tasks)
        add_count(l, "levels", c.n_levels);
    else
        add_missing(l, "levels");
    add_pairs(l, &c, &totals, n_threads);
    return add_times(l, d, n_threads, err);
}

enum gs_status gs_summary(const struct gs_dataset *d, unsigned n_threads, struct gs_arena *arena,
                          struct gs_frames *out, struct gs_err *err)
{
    struct list l = {.arena = arena};
    struct gs_frame *f;
    enum gs_status s = collect(&l, d, n_threads, err);
    if (s == GS_OK && l.failed)
        s = gs_fail_memory(err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "summary", "What the data hold", columns, sizeof columns / sizeof *columns, l.n, out, &f, err);
    for (size_t i = 0; s == GS_OK && i < l.n; i++) {
        gs_frame_set_text(f, i, 0, l.entry[i].quantity);
        gs_frame_set_text(f, i, 1, l.entry[i].value);
    }
    gs_arena_release(&l.own);
    return s;
}
