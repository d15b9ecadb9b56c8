/* summary.c - counts for the study's Tables 1 to 3. */
#include "analysis/events/summary.h"

#include <string.h>

#include "base/num/dd.h"
#include "analysis/timeline/counts.h"
#include "analysis/aggregate/intervals.h"
#include "base/num/timestamp.h"
#include "data/result/number_text.h"
#include "analysis/timeline/task_list.h"

static const struct gs_column_spec columns[] = {GS_COL(QUANTITY), GS_COL(VALUE)};

/* What a row is called, and for people; NULL: they do not see it. */
struct label {
    const char *quantity, *words;
};

/* Rows as they come; the frame is made once their number is known. */
struct list {
    struct gs_arena *arena, own; /* texts in the first, the growing list in the second */
    struct gs_buf people;        /* the rows that have words and are not zero */
    struct entry {
        struct gs_str quantity, value;
    } * entry;
    size_t n, capacity;
    bool failed;
};

static void show(struct list *l, const char *words, const char *value)
{
    if (words != NULL)
        gs_buf_format(&l->people, "%-30s  %s\n", words, value);
}

static void add_text(struct list *l, const char *quantity, const char *value, size_t len)
{
    if (l->n == l->capacity) {
        struct entry *const grown =
            gs_arena_grow(&l->own, l->entry, l->n, l->n * 2 + 64, sizeof *grown);
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

static void add_count(struct list *l, struct label label, uint64_t n)
{
    char room[GS_REAL_TEXT_MAX];
    add_text(l, label.quantity, room,
             (size_t)gs_int_format(room, (int64_t)gs_min(n, (uint64_t)INT64_MAX)));
    if (n > 0)
        show(l, label.words, gs_count_text(&l->people, n));
}

static void add_time(struct list *l, struct label label, int64_t t_ns)
{
    char room[GS_TIME_TEXT_MAX];
    add_text(l, label.quantity, room, (size_t)gs_time_format(room, t_ns));
    show(l, label.words, room);
}

static void add_seconds(struct list *l, struct label label, gs_i128 ns)
{
    char room[GS_REAL_TEXT_MAX];
    const double seconds = gs_ratio(ns, GS_NS_PER_S);
    add_text(l, label.quantity, room, (size_t)gs_real_format(room, seconds));
    show(l, label.words, gs_time_text(&l->people, seconds));
}

/* --- adding ------------------------------------------------------------------------------------------- */

/* A file, by its place among the inputs; the same in every state of the run. */
struct file {
    int64_t kind, n_bytes, n_rejected; /* kind: enum gs_table_kind */
};

/* What is in the rows of the hosts, and of the table of tasks, which is the same in every state. */
struct counts {
    uint64_t n_rows[GS_TABLE_TASKS]; /* checkpoints, samples */
    uint64_t n_hosts, n_gpus, n_pairs;
    int64_t first_ns[GS_TABLE_TASKS], last_ns[GS_TABLE_TASKS];
    int64_t n_task_rows, n_repeated;
};

/* A level of the task table, or none, and the pairs of TotalRender on it. */
struct level {
    uint64_t n_pairs;
    int64_t there; /* 1: a task of the table has it */
};

/* A name that is there. */
struct name {
    int64_t there;
};

enum { FILES, COUNTS, LEVELS, INTERVALS, EVENTS, JOBS, TASKS, SERIALS, UUIDS, N_TABLES };

static const struct gs_field file_fields[] = {
    {GS_FIELD_GREATEST, offsetof(struct file, kind)},
    {GS_FIELD_GREATEST, offsetof(struct file, n_bytes)},
    {GS_FIELD_GREATEST, offsetof(struct file, n_rejected)},
};
static const struct gs_field count_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct counts, n_rows[GS_TABLE_CHECKPOINTS])},
    {GS_FIELD_COUNT, offsetof(struct counts, n_rows[GS_TABLE_SAMPLES])},
    {GS_FIELD_COUNT, offsetof(struct counts, n_hosts)},
    {GS_FIELD_COUNT, offsetof(struct counts, n_gpus)},
    {GS_FIELD_COUNT, offsetof(struct counts, n_pairs)},
    {GS_FIELD_LEAST, offsetof(struct counts, first_ns[GS_TABLE_CHECKPOINTS])},
    {GS_FIELD_LEAST, offsetof(struct counts, first_ns[GS_TABLE_SAMPLES])},
    {GS_FIELD_GREATEST, offsetof(struct counts, last_ns[GS_TABLE_CHECKPOINTS])},
    {GS_FIELD_GREATEST, offsetof(struct counts, last_ns[GS_TABLE_SAMPLES])},
    {GS_FIELD_GREATEST, offsetof(struct counts, n_task_rows)},
    {GS_FIELD_GREATEST, offsetof(struct counts, n_repeated)},
};
static const struct gs_field level_fields[] = {
    {GS_FIELD_COUNT, offsetof(struct level, n_pairs)},
    {GS_FIELD_GREATEST, offsetof(struct level, there)},
};
static const struct gs_field name_fields[] = {{GS_FIELD_GREATEST, offsetof(struct name, there)}};

static const struct gs_records_spec specs[N_TABLES] = {
    [FILES] = {GS_RECORDS("files", "i", struct file, file_fields)},
    [COUNTS] = {GS_RECORDS("counts", "", struct counts, count_fields)},
    [LEVELS] = {GS_RECORDS("levels", "i", struct level, level_fields)},
    [EVENTS] = {GS_RECORDS("events", "t", struct name, name_fields)},
    [JOBS] = {GS_RECORDS("jobs", "t", struct name, name_fields)},
    [TASKS] = {GS_RECORDS("tasks", "t", struct name, name_fields)},
    [SERIALS] = {GS_RECORDS("serials", "t", struct name, name_fields)},
    [UUIDS] = {GS_RECORDS("uuids", "t", struct name, name_fields)},
};
static const struct gs_records_spec *const tables[N_TABLES] = {
    &specs[FILES], &specs[COUNTS], &specs[LEVELS],  &gs_intervals_spec, &specs[EVENTS],
    &specs[JOBS],  &specs[TASKS],  &specs[SERIALS], &specs[UUIDS]};

struct plan {
    uint32_t total_render; /* GS_NONE: no such event */
    int64_t *level;
    size_t n_levels;
};

static void widen(struct counts *c, int kind, const int64_t *t, uint32_t n)
{
    if (n == 0)
        return;
    if (c->first_ns[kind] == GS_MISSING || t[0] < c->first_ns[kind])
        c->first_ns[kind] = t[0];
    if (t[n - 1] > c->last_ns[kind])
        c->last_ns[kind] = t[n - 1];
}

static bool add_name(struct gs_records *names, struct gs_str text, struct gs_arena *arena)
{
    const union gs_key key = {.text = text};
    if (text.ptr == NULL)
        return true;
    struct name *const name = gs_records_find(names, &key, arena);
    if (name != NULL)
        name->there = 1;
    return name != NULL;
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    (void)options;
    const struct plan *const plan = state->plan;
    const struct gs_dataset *const d = host->d;
    const struct gs_host_view *const h = host->view;
    struct counts *const c = gs_records_at(&state->table[COUNTS], 0);
    bool fits = true;
    c->n_hosts++;
    c->n_gpus += h->n_gpus;
    c->n_rows[GS_TABLE_CHECKPOINTS] += gs_table_rows_of(&d->table[GS_TABLE_CHECKPOINTS], h->host) +
                                       gs_table_rows_of(&d->table[GS_TABLE_SPANS], h->host);
    widen(c, GS_TABLE_CHECKPOINTS, h->time, h->n_times);
    for (uint32_t g = 0; g < h->n_gpus && fits; g++) {
        const struct gs_gpu *const gpu = &d->gpu[h->gpu[g].gpu];
        for (uint32_t i = 0; i < h->gpu[g].n_series; i++)
            c->n_rows[GS_TABLE_SAMPLES] +=
                gs_table_rows_of(&d->table[GS_TABLE_SAMPLES], h->gpu[g].gpu + i);
        widen(c, GS_TABLE_SAMPLES, h->gpu[g].t_ns, h->gpu[g].n);
        fits = add_name(&state->table[SERIALS], gpu->serial, host->arena) &&
               add_name(&state->table[UUIDS], gpu->uuid, host->arena);
    }
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const bool counts = h->pair[p].event == plan->total_render;
        c->n_pairs += !h->pair[p].is_copy; /* an event of several hosts is one */
        const size_t k = counts ? gs_pair_level_at(d, &h->pair[p], plan->level, plan->n_levels) : 0;
        struct level *const level =
            gs_records_at(&state->table[LEVELS], k < plan->n_levels ? k + 1 : 0);
        level->n_pairs += counts;
    }
    return gs_had_memory(fits && gs_intervals_add(&state->table[INTERVALS], host), err);
}

/* --- what belongs to the whole run -------------------------------------------------------------------- */

/* All texts of a set, in any order. */
static enum gs_status plan_names(struct gs_records *r, const struct gs_intern *names,
                                 struct gs_arena *arena, struct gs_err *err)
{
    union gs_key *const key = gs_keys_of_texts(names, arena);
    GS_TRY(gs_had_memory(key != NULL, err));
    GS_TRY(gs_records_plan(r, key, names->n, arena, err));
    for (uint32_t i = 0; i < names->n; i++)
        ((struct name *)gs_records_at(r, i))->there = 1;
    r->unordered = true;
    return GS_OK;
}

static enum gs_status plan_files(struct gs_records *r, const struct gs_dataset *d,
                                 struct gs_arena *arena, struct gs_err *err)
{
    GS_NEW_RAW(union gs_key, key, d->n_inputs, arena, err);
    GS_TRY(gs_records_plan(r, key, (uint32_t)d->n_inputs, arena, err));
    size_t i = gs_input_next(d, SIZE_MAX);
    for (uint32_t k = 0; i < d->n_inputs; k++, i = gs_input_next(d, i)) {
        key[k].number = (int64_t)gs_input_number(d, i);
        *(struct file *)gs_records_at(r, k) = (struct file){
            d->input[i].kind, (int64_t)d->input[i].n_bytes, (int64_t)d->input[i].n_rejected};
    }
    return GS_OK;
}

static enum gs_status plan_tasks(struct gs_state *state, struct plan *plan,
                                 const struct gs_dataset *d, struct gs_arena *arena,
                                 struct gs_err *err)
{
    const bool has_tasks = d->table[GS_TABLE_TASKS].n_columns > 0;
    GS_OWN struct gs_arena own = {0};
    struct gs_task_entry *task = NULL;
    size_t n_tasks = 0;
    if (has_tasks)
        GS_TRY(gs_levels(d, arena, &plan->level, &plan->n_levels, err));
    GS_NEW(union gs_key, level, plan->n_levels + 1, arena, err);
    GS_TRY(gs_records_plan(&state->table[LEVELS], level, (uint32_t)plan->n_levels + 1, arena, err));
    for (size_t k = 0; k <= plan->n_levels; k++) {
        level[k].number = k == 0 ? GS_MISSING : plan->level[k - 1];
        ((struct level *)gs_records_at(&state->table[LEVELS], k))->there = k == 0 ? GS_MISSING : 1;
    }
    if (has_tasks && !d->is_rest)
        GS_TRY(gs_task_list(d, &own, &task, &n_tasks, err));
    struct counts *const c = gs_records_at(&state->table[COUNTS], 0);
    c->n_repeated = 0;
    for (size_t i = 1; i < n_tasks; i++)
        c->n_repeated += gs_task_entry_same_task(&task[i - 1], &task[i]) &&
                         gs_task_entry_same_tile(&task[i - 1], &task[i]);
    return GS_OK;
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    (void)options;
    GS_NEW(struct plan, plan, 1, arena, err);
    plan->total_render = gs_intern_find(&d->event, gs_str(GS_USUAL_TASK));
    state->plan = plan;
    ((struct counts *)gs_records_at(&state->table[COUNTS], 0))->n_task_rows =
        (int64_t)d->table[GS_TABLE_TASKS].n_rows;
    GS_TRY(plan_names(&state->table[EVENTS], &d->event, arena, err));
    GS_TRY(plan_names(&state->table[JOBS], &d->job, arena, err));
    GS_TRY(plan_names(&state->table[TASKS], &d->task, arena, err));
    GS_TRY(plan_files(&state->table[FILES], d, arena, err));
    return plan_tasks(state, plan, d, arena, err);
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void add_files(struct list *l, const struct gs_records *files, const struct counts *c)
{
    static const struct label labels[GS_N_TABLES][4] = {
        [GS_TABLE_CHECKPOINTS] = {{"checkpoint_files", "files of events"},
                                  {"checkpoint_bytes", "    bytes"},
                                  {"checkpoint_rows", "    rows"},
                                  {"checkpoint_rows_rejected", "    malformed rows"}},
        [GS_TABLE_SAMPLES] = {{"gpu_files", "files of samples"},
                              {"gpu_bytes", "    bytes"},
                              {"gpu_rows", "    rows"},
                              {"gpu_rows_rejected", "    malformed rows"}},
        [GS_TABLE_TASKS] = {{"task_files", "files of tasks"},
                            {"task_bytes", "    bytes"},
                            {"task_rows", "    rows"},
                            {"task_rows_rejected", "    malformed rows"}},
    };
    for (int k = 0; k < GS_N_TABLES; k++) {
        uint64_t n_files = 0, n_bytes = 0, n_rejected = 0;
        for (uint32_t i = 0; i < files->n; i++) {
            const struct file *const f = gs_records_at(files, i);
            if (f->kind != k)
                continue;
            n_files++;
            n_bytes += (uint64_t)f->n_bytes;
            n_rejected += (uint64_t)f->n_rejected;
        }
        add_count(l, labels[k][0], n_files);
        add_count(l, labels[k][1], n_bytes);
        add_count(l, labels[k][2], k == GS_TABLE_TASKS ? (uint64_t)c->n_task_rows : c->n_rows[k]);
        if (n_rejected > 0)
            add_count(l, labels[k][3], n_rejected);
    }
}

/* One ID alone may be the empty one, of rows that have none. */
static const char *several(uint32_t n, const char *words)
{
    return n > 1 ? words : NULL;
}

static void add_names(struct list *l, const struct gs_state *state, const struct counts *c,
                      bool has_tasks)
{
    const struct gs_records *const levels = &state->table[LEVELS];
    uint64_t n_levels = 0;
    for (uint32_t k = 0; k < levels->n; k++)
        n_levels += ((const struct level *)gs_records_at(levels, k))->there == 1;
    add_count(l, (struct label){"hostnames", "hosts"}, c->n_hosts);
    add_count(l, (struct label){"gpus", "GPUs"}, c->n_gpus);
    add_count(l, (struct label){"gpu_serials", NULL}, state->table[SERIALS].n);
    add_count(l, (struct label){"gpu_uuids", NULL}, state->table[UUIDS].n);
    add_count(l, (struct label){"event_names", "names of events"}, state->table[EVENTS].n);
    add_count(l, (struct label){"job_ids", several(state->table[JOBS].n, "job IDs")},
              state->table[JOBS].n);
    add_count(l, (struct label){"task_ids", several(state->table[TASKS].n, "task IDs")},
              state->table[TASKS].n);
    if (has_tasks)
        add_count(l, (struct label){"levels", "levels"}, n_levels);
    else
        add_missing(l, "levels");
}

static void add_level(struct list *l, const struct gs_records *levels, uint32_t k)
{
    char name[32 + GS_REAL_TEXT_MAX] = "total_render_pairs_level_";
    char *const end = name + strlen(name);
    const struct level *const level = gs_records_at(levels, k);
    const int64_t number = gs_records_key(levels, k, 1)->number;
    if (level->n_pairs == 0)
        return;
    if (number != GS_MISSING)
        (void)gs_int_format(end, number);
    else
        memcpy(end, "none", sizeof "none");
    add_count(l, (struct label){name, NULL}, level->n_pairs);
}

static void add_pairs(struct list *l, const struct gs_records *levels, const struct counts *c,
                      const struct gs_view_totals *totals, bool has_tasks)
{
    uint64_t n_total_render = 0;
    for (uint32_t k = 0; k < levels->n; k++)
        n_total_render += ((const struct level *)gs_records_at(levels, k))->n_pairs;
    add_count(l, (struct label){"pairs", "events, from START to STOP"}, c->n_pairs);
    add_count(l, (struct label){"orphans", "STARTs or STOPs alone"},
              totals->n_orphan_starts + totals->n_orphan_stops);
    add_count(l, (struct label){"total_render_pairs", "TotalRender"}, n_total_render);
    for (uint32_t k = 0; has_tasks && k < levels->n; k++)
        if (gs_records_key(levels, k, 1)->number != GS_MISSING)
            add_level(l, levels, k);
    if (has_tasks && levels->n > 0 && gs_records_key(levels, 0, 1)->number == GS_MISSING)
        add_level(l, levels, 0);
}

static void add_times(struct list *l, const struct counts *c, int64_t interval)
{
    static const struct label labels[GS_TABLE_TASKS][3] = {
        [GS_TABLE_CHECKPOINTS] = {{"first_checkpoint", "first START"},
                                  {"last_checkpoint", "last STOP"},
                                  {"checkpoint_span_s", "    time between"}},
        [GS_TABLE_SAMPLES] = {{"first_gpu", "first sample"},
                              {"last_gpu", "last sample"},
                              {"gpu_span_s", "    time between"}},
    };
    for (int k = 0; k < GS_TABLE_TASKS; k++) {
        if (c->first_ns[k] == GS_MISSING)
            continue;
        add_time(l, labels[k][0], c->first_ns[k]);
        add_time(l, labels[k][1], c->last_ns[k]);
        add_seconds(l, labels[k][2], (gs_i128)c->last_ns[k] - c->first_ns[k]);
    }
    if (interval == GS_MISSING)
        add_missing(l, "sampling_interval_median_s");
    else
        add_seconds(l, (struct label){"sampling_interval_median_s", "median sampling interval"},
                    interval);
}

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    struct list l = {.arena = of->arena, .people.arena = of->arena};
    const struct counts *const c = gs_records_at(&of->state->table[COUNTS], 0);
    const bool has_tasks = of->facts->has_table[GS_TABLE_TASKS];
    struct gs_frame *f;
    add_files(&l, &of->state->table[FILES], c);
    add_count(&l, (struct label){"checkpoint_duplicate_rows", "duplicate rows of events"},
              of->facts->totals.checkpoints.n);
    add_count(&l, (struct label){"gpu_duplicate_rows", "duplicate rows of samples"},
              of->facts->totals.samples.n);
    add_count(&l, (struct label){"task_duplicate_rows", "duplicate rows of tasks"},
              (uint64_t)c->n_repeated);
    add_names(&l, of->state, c, has_tasks);
    add_pairs(&l, &of->state->table[LEVELS], c, &of->facts->totals, has_tasks);
    add_times(&l, c, gs_intervals_median(&of->state->table[INTERVALS]));
    enum gs_status s = gs_had_memory(!l.failed && !l.people.failed, err);
    out->brief = gs_buf_str(&l.people);
    GS_THEN(s,
            gs_frame_new(of->arena, GS_HEAD("summary", "What the data hold", GS_COLUMNS(columns)),
                         l.n, out, &f, err));
    for (size_t i = 0; s == GS_OK && i < l.n; i++)
        GS_PUT(f, i, GS_TEXT(QUANTITY, l.entry[i].quantity), GS_TEXT(VALUE, l.entry[i].value));
    gs_arena_release(&l.own);
    return s;
}

/* clang-format off */
const struct gs_fold gs_summary_fold = {
    .name = "summary", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS, .table = tables, .n_tables = N_TABLES,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
