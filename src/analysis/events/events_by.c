/* events_by.c - pairs grouped by keys that the user names; means and quantiles are those of events. */
#include "analysis/events/events_by.h"

#include "analysis/aggregate/key_parts.h"
#include "analysis/timeline/counts.h"
#include "analysis/aggregate/pair_stats.h"
#include "base/num/dd.h"
#include "base/num/decimal.h"

enum by { BY_EVENT, BY_HOST, BY_GPU, BY_JOB, BY_TASK, BY_LEVEL, BY_X, BY_Y, BY_ATTRIBUTE };

static const struct {
    const char *word;
    struct gs_column_spec spec;
} keys[] = {
    [BY_EVENT] = {"event", GS_COL(EVENT, .how = "the event's name")},
    [BY_HOST] = {"host", GS_COL(HOSTNAME, .how = "the host of the pair")},
    [BY_GPU] = {"gpu", GS_COL(GPU, .how = "the GPU that the pair names, by UUID, serial or index")},
    [BY_JOB] = {"job", GS_COL(JOB_ID)},
    [BY_TASK] = {"task", GS_COL(TASK_ID)},
    [BY_LEVEL] = {"level", GS_COL(LEVEL, .how = "level of the pair's task in the task table")},
    [BY_X] = {"x", GS_COL(X)},
    [BY_Y] = {"y", GS_COL(Y)},
};

static enum by by_of(struct gs_str key)
{
    for (int k = 0; k < BY_ATTRIBUTE; k++)
        if (gs_str_eq(key, gs_str(keys[k].word)))
            return (enum by)k;
    return BY_ATTRIBUTE;
}

bool gs_events_by_needs_tasks(const struct gs_events_by_options *o)
{
    for (size_t k = 0; k < o->n_keys; k++)
        if (by_of(o->key[k]) >= BY_LEVEL)
            return true;
    return false;
}

struct plan {
    uint32_t only_event;
    struct gs_by_plan keys;
};

enum { STATS, ITEMS, N_TABLES };

/* What `per` counts in the pairs of a group. */
struct items {
    uint64_t n, n_missing;
    gs_i128 sum; /* fixed-point */
};

static const struct gs_field item_fields[] = {{GS_FIELD_COUNT, offsetof(struct items, n)},
                                              {GS_FIELD_COUNT, offsetof(struct items, n_missing)},
                                              {GS_FIELD_SUM, offsetof(struct items, sum)}};
static const struct gs_records_spec stats_spec = GS_PAIR_STATS_SPEC("events-by", "t"),
                                    items_spec = {
                                        GS_RECORDS("items", "t", struct items, item_fields)};

enum gs_status gs_by_plan_make(const struct gs_events_by_options *o, const struct gs_dataset *d,
                               struct gs_by_plan *plan, struct gs_err *err)
{
    const bool has_tasks = d->table[GS_TABLE_TASKS].n_columns > 0;
    enum gs_status s = GS_OK;
    *plan = (struct gs_by_plan){0};
    for (size_t k = 0; k < o->n_keys && s == GS_OK; k++) {
        const enum by by = by_of(o->key[k]);
        plan->by[k] = (int)by;
        plan->each_host |= by == BY_HOST || by == BY_GPU;
        plan->tasks |= by >= BY_LEVEL && has_tasks;
        if (by >= BY_LEVEL && by < BY_ATTRIBUTE && !has_tasks)
            s = gs_fail(err, GS_ERR_NOINPUT,
                        "--by %s needs a table of tasks; name one with --tasks FILE",
                        keys[by].word);
        if (by == BY_ATTRIBUTE)
            s = gs_keys_check_attribute(d, "--by", o->key[k],
                                        "event, host, gpu, job, task, level, x, y", err);
    }
    plan->tasks |= o->per.len > 0 && has_tasks;
    if (o->per.len > 0)
        GS_THEN(s, gs_keys_check_attribute(d, "--per", o->per, "", err));
    return s;
}

static enum gs_status by_plan(const void *options, const struct gs_dataset *d,
                              struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_events_by_options *const o = options;
    GS_NEW(struct plan, plan, 1, arena, err);
    plan->only_event = GS_NONE;
    state->plan = plan;
    GS_TRY(gs_by_plan_make(o, d, &plan->keys, err));
    if (o->events.event != NULL)
        GS_TRY(gs_event_number(d, o->events.event, &plan->only_event, err));
    return GS_OK;
}

static struct gs_str gpu_of(const struct gs_dataset *d, uint32_t host, const struct gs_pair *p)
{
    const uint32_t g = gs_pair_gpu(d, host, p);
    if (g == GS_NONE)
        return (struct gs_str){NULL, 0};
    return gs_gpu_name(&d->gpu[g]);
}

/* The event's own, else that of its task. */
static struct gs_str attribute_of(const struct gs_dataset *d, const struct gs_pair *p,
                                  uint32_t task_row, struct gs_str key)
{
    const struct gs_table *const tasks = &d->table[GS_TABLE_TASKS];
    struct gs_str text = {NULL, 0};
    if (p->attributes != GS_NONE)
        text = gs_attribute(d, p->attributes, key);
    if (text.ptr == NULL && task_row != GS_NONE)
        text = gs_attribute(d, gs_table_value(tasks, task_row, GS_TASK_ATTRIBUTES), key);
    return text;
}

/* Each part of a key is ended by a byte that is in no name. */
void gs_by_put_key(struct gs_buf *b, const struct gs_by_plan *plan,
                   const struct gs_events_by_options *o, const struct gs_by_pair *of)
{
    static const unsigned column[] = {
        [BY_LEVEL] = GS_TASK_LEVEL, [BY_X] = GS_TASK_X, [BY_Y] = GS_TASK_Y};
    const struct gs_dataset *const d = of->d;
    const struct gs_pair *const p = of->pair;
    for (size_t k = 0; k < o->n_keys; k++) {
        const enum by by = (enum by)plan->by[k];
        struct gs_str text = {NULL, 0};
        if (by == BY_ATTRIBUTE)
            text = attribute_of(d, p, of->task_row, o->key[k]);
        else if (by == BY_EVENT)
            text = of->event;
        else if (by == BY_HOST)
            text = d->host.text[of->host];
        else if (by == BY_GPU)
            text = gpu_of(d, of->host, p);
        else if (by == BY_JOB && p->job != GS_NONE)
            text = d->job.text[p->job];
        else if (by == BY_TASK && p->task != GS_NONE)
            text = d->task.text[p->task];
        if (by < BY_LEVEL || by == BY_ATTRIBUTE)
            gs_key_put(b, text);
        else
            gs_key_put_number(b, gs_task_value(of->d, of->task_row, column[by]));
    }
}

bool gs_by_alike(const struct gs_by_plan *plan, size_t n_keys, const struct gs_by_pair *a,
                 const struct gs_by_pair *b)
{
    const struct gs_pair *const p = a->pair, *const q = b->pair;
    const bool task_row = a->task_row == b->task_row;
    const bool alike[] = {[BY_EVENT] = a->event.ptr == b->event.ptr,
                          [BY_HOST] = true,
                          [BY_GPU] = p->gpu == q->gpu,
                          [BY_JOB] = p->job == q->job,
                          [BY_TASK] = p->task == q->task,
                          [BY_LEVEL] = task_row,
                          [BY_X] = task_row,
                          [BY_Y] = task_row,
                          [BY_ATTRIBUTE] = task_row && p->attributes == q->attributes};
    bool all = true;
    for (size_t k = 0; k < n_keys; k++)
        all &= alike[plan->by[k]];
    return all;
}

/* The record of a key whose text does not last; NULL without memory. */
static void *record_of(struct gs_records *table, struct gs_str text, struct gs_arena *arena)
{
    return gs_records_find_text(table, &(union gs_key){.text = text}, 0, arena);
}

int64_t gs_by_items(const struct gs_events_by_options *o, const struct gs_by_pair *of)
{
    const struct gs_str text = attribute_of(of->d, of->pair, of->task_row, o->per);
    int64_t value;
    bool rounded;
    const bool counts = text.ptr != NULL &&
                        gs_fixed_parse(gs_trimmed(text), &value, &rounded) == GS_NUMBER_OK &&
                        value >= 0;
    return counts ? value : GS_MISSING;
}

/* An event that is stored on several hosts is counted once. */
static enum gs_status add_items(struct gs_records *table, struct gs_str key, int64_t value,
                                bool is_copy, struct gs_arena *arena, struct gs_err *err)
{
    struct items *const i = record_of(table, key, arena);
    GS_TRY(gs_had_memory(i != NULL, err));
    const bool counts = value != GS_MISSING && !is_copy;
    i->n += counts;
    i->n_missing += !counts && !is_copy;
    if (counts)
        i->sum += value;
    return GS_OK;
}

static enum gs_status by_add(const void *options, struct gs_state *state, struct gs_fold_host *host,
                             struct gs_err *err)
{
    const struct gs_events_by_options *const o = options;
    const struct plan *const plan = state->plan;
    const struct gs_host_view *const h = host->view;
    const struct gs_joined *joined;
    struct gs_buf text = {.arena = host->scratch};
    const bool tasks = plan->keys.tasks;
    GS_TRY(gs_fold_joined(host, &o->events.join, &joined, err));
    if (tasks)
        GS_TRY(gs_fold_task_rows(host, err));
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        struct gs_pair pair = h->pair[p];
        if (plan->only_event != GS_NONE && pair.event != plan->only_event)
            continue;
        const struct gs_by_pair of = {host->d, h->host, tasks ? host->task_row[p] : GS_NONE, &pair,
                                      host->d->event.text[pair.event]};
        text.len = 0;
        gs_by_put_key(&text, &plan->keys, o, &of);
        GS_TRY(gs_had_memory(!text.failed, err));
        struct gs_pair_stats *const stats =
            record_of(&state->table[STATS], gs_buf_str(&text), host->arena);
        GS_TRY(gs_had_memory(stats != NULL, err));
        pair.is_copy &= !plan->keys.each_host;
        GS_TRY(gs_pair_stats_add(stats, h, &pair, &joined[p], host->arena, host->scratch, err));
        if (o->per.len > 0)
            GS_TRY(add_items(&state->table[ITEMS], gs_buf_str(&text), gs_by_items(o, &of),
                             pair.is_copy, host->arena, err));
    }
    return GS_OK;
}

bool gs_by_columns(const struct gs_events_by_options *o, struct gs_arena *arena,
                   struct gs_column_spec *specs)
{
    for (size_t k = 0; k < o->n_keys; k++) {
        const enum by by = by_of(o->key[k]);
        const char *const name =
            by == BY_ATTRIBUTE ? gs_arena_copy(arena, o->key[k].ptr, o->key[k].len) : "";
        if (name == NULL)
            return false;
        const struct gs_column_spec attribute = {.name = name,
                                                 .label = name,
                                                 .unit = "",
                                                 .how =
                                                     "an attribute of the pair, else of its task"};
        specs[k] = by == BY_ATTRIBUTE ? attribute : keys[by].spec;
    }
    return true;
}

void gs_by_cells(const struct gs_events_by_options *o, struct gs_frame *f, size_t row,
                 struct gs_str key)
{
    for (size_t k = 0; k < o->n_keys; k++) {
        const struct gs_str part = gs_key_part(key, k);
        if (f->columns[k].spec->type == GS_TYPE_INT)
            gs_frame_set_int(f, row, k, gs_key_number(part));
        else
            gs_frame_set_text(f, row, k, part);
    }
}

/* What stands in headings: "tokens", and "energy per token". */
static bool item_columns(struct gs_str per, struct gs_arena *arena, struct gs_column_spec specs[2])
{
    struct gs_buf sum = {.arena = arena}, each = {.arena = arena};
    const bool plural = per.len > 3 && per.ptr[per.len - 1] == 's';
    gs_buf_escaped(&sum, per, 24);
    gs_buf_text(&each, "energy per ");
    gs_buf_escaped(&each, (struct gs_str){per.ptr, per.len - plural}, 24);
    specs[0] = (struct gs_column_spec)GS_COL(ITEMS);
    specs[1] = (struct gs_column_spec)GS_COL(
        ENERGY_PER_ITEM_J, .how =
                               "energy_sum_j, divided among events of one name that run at once, "
                               "over items; missing where some pair has no number");
    specs[0].label = gs_buf_whole(&sum);
    specs[1].label = gs_buf_whole(&each);
    return specs[0].label != NULL && specs[1].label != NULL;
}

static void fill_items(struct gs_frame *g, size_t row, const struct items *i,
                       const struct gs_pair_stats *s)
{
    if (i == NULL || i->n == 0)
        return;
    const double energy = gs_energy_j(s->used.energy - s->again_alike);
    const double sum = gs_dd_to_double(gs_dd_ratio(i->sum, GS_FIXED_ONE));
    GS_PUT(g, row, GS_REAL(ITEMS, sum));
    if (i->n_missing == 0 && s->n_energy > 0 && sum > 0)
        GS_PUT(g, row, GS_REAL(ENERGY_PER_ITEM_J, energy / sum));
}

/* How people see them: the keys where the event stood, what --per counts before the energy. */
static void order_keys(const struct gs_frame *f, size_t n_keys, size_t n_per, size_t *order)
{
    size_t at = 0;
    for (size_t c = 0; c < f->n_columns; c++) {
        const size_t from = f->order[c];
        for (size_t k = 0; from == 0 && k < n_keys; k++)
            order[at++] = k;
        for (size_t k = 0; k < n_per && f->columns[from].spec->id == GS_COL_ENERGY_SUM_J; k++)
            order[at++] = f->n_columns - 1 + n_keys + k;
        if (from > 0)
            order[at++] = from + n_keys - 1;
    }
}

/* The frame of events with a column for each key in place of the first, and those of --per behind. */
static enum gs_status split_keys(const struct gs_events_by_options *o, const struct gs_frame *f,
                                 const struct gs_records *table, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err)
{
    const size_t n_per = o->per.len > 0 ? 2 : 0, own = f->n_columns - 1 + o->n_keys;
    const size_t n = own + n_per;
    GS_NEW(struct gs_column_spec, specs, n, arena, err);
    size_t *const order = f->order == NULL ? NULL : gs_arena_take(arena, n, sizeof *order);
    struct gs_frame *g;
    if ((f->order != NULL && order == NULL) || !gs_by_columns(o, arena, specs))
        return gs_fail_memory(err);
    for (size_t c = 1; c < f->n_columns; c++)
        specs[o->n_keys + c - 1] = *f->columns[c].spec;
    if (n_per > 0 && !item_columns(o->per, arena, specs + own))
        return gs_fail_memory(err);
    GS_TRY(gs_frame_new(arena, GS_HEAD("events", f->title, specs, n), f->n_rows, out, &g, err));
    for (size_t c = 1; c < f->n_columns; c++)
        g->columns[o->n_keys + c - 1].text = f->columns[c].text;
    for (size_t r = 0; r < f->n_rows; r++) {
        const union gs_key key = {.text = f->columns[0].text[r]};
        gs_by_cells(o, g, r, key.text);
        if (n_per > 0)
            fill_items(g, r, gs_records_lookup(&table[ITEMS], &key),
                       gs_records_lookup(&table[STATS], &key));
    }
    if (order != NULL)
        order_keys(f, o->n_keys, n_per, order);
    g->order = order;
    return GS_OK;
}

static enum gs_status by_finish(const struct gs_finish *of, struct gs_frames *out,
                                struct gs_err *err)
{
    const struct gs_events_by_options *const o = of->options;
    struct gs_frames own = {.notes = out->notes};
    struct gs_finish rows = *of; /* the options of events stand first in those of --by */
    rows.options = &o->events;
    enum gs_status s = gs_events_rows(&rows, &own, err);
    out->notes = own.notes;
    GS_THEN(s, split_keys(o, own.first, of->state->table, of->arena, out, err));
    if (s == GS_OK)
        gs_events_distinguish(out->last, o->events.join.join, &out->notes);
    return s;
}

static const struct gs_records_spec *const tables[N_TABLES] = {
    [STATS] = &stats_spec, [ITEMS] = &items_spec};

/* clang-format off */
const struct gs_fold gs_events_by_fold = {
    .name = "events-by", .views = GS_VIEW_JOINS | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = N_TABLES,
    .plan = by_plan, .add = by_add, .finish = by_finish,
};
/* clang-format on */
