/* rows.c - stores rows of the mapper in the tables; rows of all hosts wait until all hosts are known. */
#include "input/import/rows.h"

#include <stdio.h>
#include <string.h>

#include "base/num/order.h"

/* The columns are listed in the table's order, not the form's, as gs_table_columns wants them. */
enum gs_status gs_rows_open(struct gs_rows *rows, const struct gs_load_options *o,
                            const struct gs_dataset *d, size_t number, struct gs_reader *g,
                            struct gs_err *err)
{
    struct gs_input *const input = &d->input[number];
    const struct gs_input_form *const form = input->form;
    GS_NEW(uint16_t, column, form->n_metrics, &g->arena, err);
    GS_NEW(uint16_t, put, form->n_metrics + 2, &g->arena, err);
    uint32_t n_put = 0;
    put[n_put++] = GS_SAMPLE_TIME;
    for (uint32_t m = 0; m < d->n_metrics; m++)
        for (uint32_t k = 0; k < form->n_metrics; k++)
            if (strcmp(d->metric[m]->name, form->metric[k]->name) == 0) {
                column[k] = (uint16_t)(GS_SAMPLE_METRIC + m);
                put[n_put++] = column[k];
            }
    if (d->has_places)
        put[n_put++] = (uint16_t)gs_sample_place(d->n_metrics);
    if (g->writer[GS_TABLE_SAMPLES].n_columns > 0)
        gs_table_columns(&g->writer[GS_TABLE_SAMPLES], put, n_put);
    *rows = (struct gs_rows){.options = o,
                             .reader = g,
                             .input = input,
                             .input_number = number,
                             .form = form,
                             .column = column};
    return GS_OK;
}

/* A row that is rejected is counted among those instead of among the rows. */
enum gs_status gs_rows_reject(void *context, uint64_t line, const char *reason, struct gs_str raw,
                              struct gs_err *err)
{
    const struct gs_rows *const rows = context;
    const struct gs_reject row = {
        .name = rows->input->name, .line = line, .reason = reason, .raw = raw};
    return gs_set_aside(rows->options, rows->input, &row, err);
}

/* Counts a row. A form may give rows of a table that the command does not need; then false. */
static bool accepts(struct gs_rows *rows, enum gs_table_kind kind, uint64_t line)
{
    rows->line = line;
    rows->input->n_rows++;
    return rows->reader->writer[kind].n_columns > 0;
}

static int64_t place_of(const struct gs_rows *rows)
{
    return gs_place(rows->input_number, 0, rows->line);
}

/* The number of a name, GS_NONE for a missing one; false without memory. */
static bool number_of(struct gs_reader *g, enum gs_pool pool, struct gs_str name, uint32_t *number)
{
    uint32_t *const last = &g->last_number[pool]; /* most often it is the name of the row before */
    *number = GS_NONE;
    if (name.ptr == NULL)
        return true;
    if (*last >= g->pool[pool].n || !gs_str_eq(g->pool[pool].text[*last], name))
        *last = gs_intern_add(&g->pool[pool], name);
    *number = *last;
    return *number != GS_INTERN_NONE;
}

static struct gs_str or_empty(struct gs_str name)
{
    return gs_str_or(name, gs_str(""));
}

/* The number of a sample's GPU, which a serial and an index may name beside its name; false without memory. */
static bool find_owner(struct gs_rows *rows, const struct gs_mapped_sample *s)
{
    struct gs_str name[GS_N_POOLS] = {[GS_POOL_HOST] =
                                          or_empty(gs_str_or(s->host, rows->form->host)),
                                      [GS_POOL_SERIAL] = s->other[GS_OTHER_SERIAL],
                                      [GS_POOL_INDEX] = s->other[GS_OTHER_INDEX],
                                      [GS_POOL_CARD] = s->other[GS_OTHER_CARD],
                                      [GS_POOL_USER] = s->other[GS_OTHER_USER],
                                      [GS_POOL_ACCOUNT] = s->other[GS_OTHER_ACCOUNT],
                                      [GS_POOL_JOB] = s->job};
    static const enum gs_pool parts[] = {GS_POOL_HOST,    GS_POOL_SERIAL, GS_POOL_UUID,
                                         GS_POOL_INDEX,   GS_POOL_CARD,   GS_POOL_USER,
                                         GS_POOL_ACCOUNT, GS_POOL_JOB};
    struct gs_gpu_key key;
    /* The prefix GPU- or MIG- is stronger evidence of what a GPU is called by than the column's name. */
    name[gs_is_uuid(s->gpu) ? GS_POOL_UUID : rows->gpu_pool] = s->gpu;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!number_of(rows->reader, parts[i], name[parts[i]], gs_gpu_key_part(&key, parts[i])))
            return false;
    rows->owner = gs_reader_gpu(rows->reader, key);
    return rows->owner != GS_INTERN_NONE;
}

/*
 * Names are added before the row is stored; unlike in gs_reader_row the values are numbers by
 * now, so only memory can refuse the row.
 */
enum gs_status gs_rows_sample(void *context, const struct gs_mapped_sample *s, struct gs_err *err)
{
    struct gs_rows *const rows = context;
    struct gs_reader *const g = rows->reader;
    struct gs_table_writer *const w = &g->writer[GS_TABLE_SAMPLES];
    if (!accepts(rows, GS_TABLE_SAMPLES, s->line))
        return GS_OK;
    GS_TRY(gs_had_memory(s->same_names || find_owner(rows, s), err));
    bool is_small = gs_table_is_small(s->t_ns);
    gs_table_put_trimmed(w, GS_SAMPLE_TIME, s->t_ns, 9);
    for (uint32_t m = 0; m < rows->form->n_metrics; m++) {
        if (s->value[m] == GS_MISSING) {
            gs_table_put_missing(w, rows->column[m]);
            g->n_missing++;
        } else {
            is_small &= gs_table_is_small(s->value[m]);
            gs_table_put_trimmed(w, rows->column[m], s->value[m], 6);
        }
    }
    if (g->keep_places)
        gs_table_put(w, w->n_columns - 1, place_of(rows), 0);
    if (is_small)
        return gs_table_end_small_row(w, rows->owner, err);
    return gs_table_end_row(w, rows->owner, err);
}

/* An attribute of an event or task. */
struct attribute {
    struct gs_str key, value;
};

GS_COMPARES(by_key, struct attribute, GS_BY_TEXT(key));

/*
 * The number of a set of attributes; GS_MISSING for the empty one. Sorted by key, so that the
 * same set has one number whatever order a file gives it in.
 */
static enum gs_status number_set(struct gs_reader *g, struct attribute *a, size_t n,
                                 struct gs_arena *scratch, int64_t *number, struct gs_err *err)
{
    struct gs_buf b = {.arena = scratch};
    *number = GS_MISSING;
    if (n == 0)
        return GS_OK;
    GS_SORT(a, n, by_key);
    for (size_t i = 0; i < n; i++)
        gs_attribute_put(&b, a[i].key, a[i].value);
    const uint32_t id = gs_intern_add_buf(&g->pool[GS_POOL_ATTRIBUTES], &b);
    *number = id;
    return gs_had_memory(id != GS_INTERN_NONE, err);
}

/*
 * The tool's own readings of an event are attributes. Attributes and not metrics: a profiler's
 * power of a span must not be averaged with samples.
 */
static enum gs_status attributes_of_event(const struct gs_rows *rows,
                                          const struct gs_mapped_event *e, struct gs_arena *scratch,
                                          int64_t *number, struct gs_err *err)
{
    const struct gs_map_fields *const texts = &rows->source->attributes, *const own =
                                                                             &rows->source->metrics;
    char nodes[24];
    GS_NEW(struct attribute, list, texts->n + own->n + 1, scratch, err);
    char(*const shown)[GS_REAL_TEXT_MAX] = gs_arena_take(scratch, own->n, sizeof *shown);
    size_t n = 0;
    GS_TRY(gs_had_memory(shown != NULL, err));
    for (size_t k = 0; k < texts->n; k++)
        if (e->attribute[k].ptr != NULL)
            list[n++] = (struct attribute){texts->item[k].name, e->attribute[k]};
    for (size_t k = 0; k < own->n; k++)
        if (e->own[k] != GS_MISSING) {
            (void)gs_real_format(shown[k], (double)e->own[k] / (double)GS_FIXED_ONE);
            list[n++] = (struct attribute){own->item[k].name, gs_str(shown[k])};
        }
    if (e->n_nodes > 0) {
        (void)snprintf(nodes, sizeof nodes, "%zu", e->n_nodes);
        list[n++] = (struct attribute){gs_str("nodes"), gs_str(nodes)};
    }
    return number_set(rows->reader, list, n, scratch, number, err);
}

static void put_or_missing(struct gs_table_writer *w, unsigned column, int64_t value)
{
    if (value == GS_MISSING)
        gs_table_put_missing(w, column);
    else
        gs_table_put(w, column, value, 0);
}

/*
 * One row of an event, on one host and one of its GPUs, GS_NONE: all. `is_copy` marks all rows of
 * an event but one: sums over events count it once.
 */
static enum gs_status put_event(struct gs_reader *g, const struct gs_shared_event *e, uint32_t host,
                                uint32_t gpu, bool is_copy, struct gs_err *err)
{
    struct gs_table_writer *const w =
        &g->writer[e->is_span ? GS_TABLE_SPANS : GS_TABLE_CHECKPOINTS];
    _Static_assert((int)GS_SPAN_EVENT == (int)GS_CHECKPOINT_EVENT &&
                       (int)GS_SPAN_JOB == (int)GS_CHECKPOINT_JOB &&
                       (int)GS_SPAN_TASK == (int)GS_CHECKPOINT_TASK &&
                       (int)GS_SPAN_GPU == (int)GS_CHECKPOINT_GPU &&
                       (int)GS_SPAN_IS_COPY == (int)GS_CHECKPOINT_IS_COPY &&
                       (int)GS_SPAN_ATTRIBUTES == (int)GS_CHECKPOINT_ATTRIBUTES,
                   "marks and spans have these columns in the same places");
    if (e->is_span) {
        gs_table_put_trimmed(w, GS_SPAN_START, e->start_ns, 9);
        gs_table_put_trimmed(w, GS_SPAN_STOP, e->stop_ns, 9);
        put_or_missing(w, GS_SPAN_RUNS, e->runs ? 1 : GS_MISSING);
    } else {
        gs_table_put_trimmed(w, GS_CHECKPOINT_TIME, e->start_ns, 9);
        gs_table_put(w, GS_CHECKPOINT_IS_STOP, e->is_stop, 0);
    }
    gs_table_put(w, GS_SPAN_EVENT, e->event, 0);
    gs_table_put(w, GS_SPAN_JOB, e->job, 0);
    gs_table_put(w, GS_SPAN_TASK, e->task, 0);
    put_or_missing(w, GS_SPAN_GPU, gpu == GS_NONE ? GS_MISSING : gpu);
    put_or_missing(w, GS_SPAN_IS_COPY, is_copy ? 1 : GS_MISSING);
    put_or_missing(w, GS_SPAN_ATTRIBUTES, e->attributes);
    if (g->keep_places)
        gs_table_put(w, e->is_span ? GS_SPAN_PLACE : GS_CHECKPOINT_PLACE, e->place, 0);
    return gs_table_end_row(w, host, err);
}

/* An event on one host: once, or once for each of the GPUs that it names. */
static enum gs_status put_on_host(struct gs_reader *g, const struct gs_shared_event *e,
                                  uint32_t host, bool is_copy, struct gs_err *err)
{
    if (e->n_gpus == 0)
        GS_TRY(put_event(g, e, host, GS_NONE, is_copy, err));
    for (size_t k = 0; k < e->n_gpus; k++)
        GS_TRY(put_event(g, e, host, e->gpu[k], is_copy || k > 0, err));
    return GS_OK;
}

GS_COMPARES(by_text, struct gs_str, GS_DIFFER(gs_str_compare(*x, *y)););

/*
 * Texts in their order, each once; their number. NULL without memory. A list that names a host
 * twice would otherwise store its event twice.
 */
static struct gs_str *sorted_texts(const struct gs_str *text, size_t *n, struct gs_arena *arena)
{
    struct gs_str *const sorted = gs_arena_take(arena, *n, sizeof *sorted);
    size_t n_kept = 0;
    if (sorted == NULL || *n == 0)
        return sorted;
    memcpy(sorted, text, *n * sizeof *sorted);
    GS_SORT(sorted, *n, by_text);
    for (size_t i = 0; i < *n; i++)
        if (n_kept == 0 || !gs_str_eq(sorted[i], sorted[n_kept - 1]))
            sorted[n_kept++] = sorted[i];
    *n = n_kept;
    return sorted;
}

/*
 * Numbers the names of an event; what it points to lives in the reader's arena where that is
 * to stay. The order of the sorted names decides which row is the original, so it does not depend
 * on the file.
 */
static enum gs_status number_event(const struct gs_rows *rows, const struct gs_mapped_event *e,
                                   struct gs_shared_event *made, struct gs_arena *arena,
                                   struct gs_err *err)
{
    struct gs_reader *const g = rows->reader;
    made->n_gpus = rows->drops_gpu ? 0 : e->n_gpus;
    const struct gs_str *const gpu = sorted_texts(e->gpu, &made->n_gpus, arena);
    uint32_t *const number = gs_arena_take(arena, made->n_gpus, sizeof *number);
    if (gpu == NULL || number == NULL ||
        !number_of(g, GS_POOL_EVENT, or_empty(e->event), &made->event) ||
        !number_of(g, GS_POOL_JOB, or_empty(e->job), &made->job) ||
        !number_of(g, GS_POOL_TASK, or_empty(e->task), &made->task))
        return gs_fail_memory(err);
    for (size_t k = 0; k < made->n_gpus; k++)
        GS_TRY(gs_had_memory(number_of(g, GS_POOL_GPU_NAME, or_empty(gpu[k]), &number[k]), err));
    made->gpu = number;
    return GS_OK;
}

/* Does an event name GPUs that are on one host only, by UUIDs or as HOST:INDEX? Which of its hosts that is turns out later. */
static bool names_places(const struct gs_mapped_event *e)
{
    for (size_t k = 0; k < e->n_gpus; k++)
        if (gs_is_uuid(e->gpu[k]) || gs_str_holds(e->gpu[k], ":"))
            return true;
    return false;
}

/* Numbers the hosts of an event. */
static enum gs_status number_hosts(struct gs_reader *g, const struct gs_str *host,
                                   struct gs_shared_event *made, struct gs_arena *arena,
                                   struct gs_err *err)
{
    GS_NEW(uint32_t, number, made->n_hosts, arena, err);
    for (size_t k = 0; k < made->n_hosts; k++)
        GS_TRY(gs_had_memory(number_of(g, GS_POOL_HOST, or_empty(host[k]), &number[k]), err));
    made->host = number;
    return GS_OK;
}

/* Keeps an event until all hosts are known. */
static enum gs_status keep_event(struct gs_reader *g, const struct gs_shared_event *made,
                                 struct gs_err *err)
{
    GS_NEW(struct gs_shared_event, kept, 1, &g->arena, err);
    *kept = *made;
    kept->next = g->shared;
    g->shared = kept;
    return GS_OK;
}

/* An event on the hosts that it names, in their order; later, where these are all, or its GPUs say on which of them it was. */
enum gs_status gs_rows_event(void *context, const struct gs_mapped_event *e, struct gs_err *err)
{
    struct gs_rows *const rows = context;
    struct gs_reader *const g = rows->reader;
    GS_OWN struct gs_arena own = {0};
    const bool is_span = !e->is_mark || e->stop_ns != GS_MISSING;
    struct gs_shared_event made = {.is_span = is_span,
                                   .is_stop = e->is_stop,
                                   .runs = e->runs,
                                   .start_ns = e->start_ns,
                                   .stop_ns = e->stop_ns};
    if (!accepts(rows, is_span ? GS_TABLE_SPANS : GS_TABLE_CHECKPOINTS, e->line))
        return GS_OK;
    if (is_span && e->stop_ns < e->start_ns)
        return gs_fail_at(err, rows->input->name, rows->line, "stops before it starts");
    const bool of_input = e->n_hosts == 0 && rows->form->host.ptr != NULL,
               later = (e->n_hosts == 0 && !of_input) || (!rows->drops_gpu && names_places(e));
    struct gs_arena *const arena = later ? &g->arena : &own;
    made.n_hosts = of_input ? 1 : e->n_hosts;
    const struct gs_str *const host =
        sorted_texts(of_input ? &rows->form->host : e->host, &made.n_hosts, &own);
    made.place = place_of(rows);
    GS_TRY(gs_had_memory(host != NULL, err));
    GS_TRY(number_hosts(g, host, &made, arena, err));
    GS_TRY(number_event(rows, e, &made, arena, err));
    GS_TRY(attributes_of_event(rows, e, &own, &made.attributes, err));
    if (later)
        return keep_event(g, &made, err);
    for (size_t k = 0; k < made.n_hosts; k++)
        GS_TRY(put_on_host(g, &made, made.host[k], k > 0, err));
    return GS_OK;
}

/* x, y and level have columns of their own if they are whole numbers; other values stay texts. */
static bool is_number(struct gs_str key, struct gs_str text, int64_t value[3])
{
    static const char *const names[] = {"x", "y", "level"};
    for (int i = 0; i < 3; i++)
        if (gs_str_eq(key, gs_str(names[i])))
            return gs_reader_whole(text, &value[i]);
    return false;
}

static enum gs_status attributes_of_task(const struct gs_rows *rows, const struct gs_mapped_task *t,
                                         int64_t value[3], int64_t *number, struct gs_err *err)
{
    const struct gs_map_fields *const texts = &rows->source->attributes;
    GS_OWN struct gs_arena own = {0};
    struct attribute *const list = gs_arena_take(&own, texts->n, sizeof *list);
    size_t n = 0;
    for (size_t k = 0; list != NULL && k < texts->n; k++)
        if (t->attribute[k].ptr != NULL && !is_number(texts->item[k].name, t->attribute[k], value))
            list[n++] = (struct attribute){texts->item[k].name, t->attribute[k]};
    GS_TRY(gs_had_memory(list != NULL, err));
    return number_set(rows->reader, list, n, &own, number, err);
}

enum gs_status gs_rows_task(void *context, const struct gs_mapped_task *t, struct gs_err *err)
{
    struct gs_rows *const rows = context;
    struct gs_reader *const g = rows->reader;
    struct gs_table_writer *const w = &g->writer[GS_TABLE_TASKS];
    int64_t attributes = GS_MISSING, value[3] = {GS_MISSING, GS_MISSING, GS_MISSING};
    uint32_t job, task;
    if (!accepts(rows, GS_TABLE_TASKS, t->line))
        return GS_OK;
    if (!number_of(g, GS_POOL_JOB, or_empty(t->job), &job) ||
        !number_of(g, GS_POOL_TASK, or_empty(t->task), &task))
        return gs_fail_memory(err);
    GS_TRY(attributes_of_task(rows, t, value, &attributes, err));
    gs_table_put(w, GS_TASK_TASK, task, 0);
    gs_table_put(w, GS_TASK_JOB, job, 0);
    put_or_missing(w, GS_TASK_X, value[0]);
    put_or_missing(w, GS_TASK_Y, value[1]);
    put_or_missing(w, GS_TASK_LEVEL, value[2]);
    put_or_missing(w, GS_TASK_ATTRIBUTES, attributes);
    if (g->keep_places)
        gs_table_put(w, GS_TASK_PLACE, place_of(rows), 0);
    return gs_table_end_row(w, 0, err);
}

/* --- all hosts ---------------------------------------------------------------------------------------- */

/*
 * The hosts of the run, in their order; hosts that only events name where none has samples. NULL
 * without memory. If anything has samples, an event for all hosts goes to hosts with samples
 * only: on others it would have no data. A run without any host gets one with an empty name, so
 * that its events are not lost.
 */
static struct gs_str *all_hosts(struct gs_reader *const *reader, size_t n, struct gs_str first,
                                bool first_has_samples, size_t *n_hosts, struct gs_arena *arena)
{
    size_t n_seen = 0, n_of_samples = 0;
    for (size_t i = 0; i < n; i++) {
        n_seen += reader[i]->pool[GS_POOL_HOST].n;
        n_of_samples += reader[i]->pool[GS_POOL_GPU].n;
    }
    struct gs_str *const seen = gs_arena_take(arena, n_seen + n_of_samples + 2, sizeof *seen);
    const bool of_samples = n_of_samples > 0 || first_has_samples;
    size_t k = 0;
    if (seen != NULL && first.ptr != NULL)
        seen[k++] = first;
    for (size_t i = 0; seen != NULL && i < n; i++) {
        const struct gs_intern *const host = &reader[i]->pool[GS_POOL_HOST];
        for (uint32_t g = 0; g < reader[i]->pool[GS_POOL_GPU].n; g++) {
            struct gs_gpu_key key;
            memcpy(&key, reader[i]->pool[GS_POOL_GPU].text[g].ptr, sizeof key);
            seen[k++] = host->text[key.host];
        }
        for (uint32_t h = 0; !of_samples && h < host->n; h++)
            seen[k++] = host->text[h];
    }
    if (seen != NULL && k == 0)
        seen[k++] = gs_str("");
    *n_hosts = k;
    if (seen == NULL)
        return NULL;
    return sorted_texts(seen, n_hosts, arena);
}

/* A number of one reader as one of another; false without memory. */
static bool renumber(const struct gs_reader *from, struct gs_reader *to, enum gs_pool pool,
                     uint32_t number, uint32_t *made)
{
    return number_of(to, pool, from->pool[pool].text[number], made);
}

/* What is known once all inputs are read. */
struct whole {
    const struct gs_str *host; /* [n_hosts] ascending */
    size_t n_hosts;
    struct gs_intern places; /* see list_gpus */
    struct gs_intern uuid;   /* of the samples */
    struct gs_str *host_of;  /* [uuid.n] ptr == NULL: several have it */
    struct gs_reader *all;
    bool in_part; /* files with GPUs of other hosts were left out */
};

/* Notes the host of a UUID, so that an event of it need not be looked for on all; false without memory. */
static bool note_uuid(struct whole *w, struct gs_str uuid, struct gs_str host)
{
    const uint32_t n = w->uuid.n, id = gs_intern_add(&w->uuid, uuid);
    if (id == GS_INTERN_NONE || (id == n && !GS_HAS_ROOM(w->uuid.arena, w->host_of, n)))
        return false;
    if (id == n)
        w->host_of[id] = host;
    else if (!gs_str_eq(w->host_of[id], host))
        w->host_of[id] = GS_NO_STR;
    return true;
}

/* The hosts of GPUs that all are UUIDs of one host each, ascending, at most one for each; 0: not so. */
static size_t hosts_of(const struct whole *w, const struct gs_str *gpu, size_t n_gpus,
                       struct gs_str *host)
{
    size_t n = 0;
    for (size_t k = 0; k < n_gpus; k++) {
        const uint32_t id = gs_intern_find(&w->uuid, gpu[k]);
        if (id == GS_INTERN_NONE || w->host_of[id].ptr == NULL)
            return 0;
        size_t at = n;
        while (at > 0 && gs_str_compare(host[at - 1], w->host_of[id]) > 0)
            at--;
        if (at > 0 && gs_str_eq(host[at - 1], w->host_of[id]))
            continue;
        memmove(host + at + 1, host + at, (n++ - at) * sizeof *host);
        host[at] = w->host_of[id];
    }
    return n;
}

/* The GPUs of the samples by host and name: each UUID, serial and index, and HOST:INDEX. */
static enum gs_status list_gpus(struct gs_reader *const *reader, size_t n, struct whole *w,
                                struct gs_err *err)
{
    struct gs_buf key = {.arena = w->places.arena};
    for (size_t i = 0; i < n; i++)
        for (uint32_t g = 0; g < reader[i]->pool[GS_POOL_GPU].n; g++) {
            static const enum gs_pool pools[] = {GS_POOL_SERIAL, GS_POOL_UUID, GS_POOL_INDEX};
            struct gs_gpu_key gpu;
            memcpy(&gpu, reader[i]->pool[GS_POOL_GPU].text[g].ptr, sizeof gpu);
            const struct gs_str host = reader[i]->pool[GS_POOL_HOST].text[gpu.host];
            for (size_t p = 0; p < sizeof pools / sizeof *pools; p++) {
                const uint32_t name = *gs_gpu_key_part(&gpu, pools[p]);
                if (name == GS_NONE)
                    continue;
                const struct gs_str text = reader[i]->pool[pools[p]].text[name];
                key.len = 0;
                gs_buf_add(&key, host);
                gs_buf_char(&key, '\0');
                gs_buf_add(&key, text);
                GS_TRY(gs_had_memory(gs_intern_add_buf(&w->places, &key) != GS_INTERN_NONE &&
                                         (!gs_is_uuid(text) || note_uuid(w, text, host)),
                                     err));
            }
        }
    return GS_OK;
}

/* The name of a GPU on a host: what stands behind HOST: is none of it. */
static struct gs_str name_on(struct gs_str host, struct gs_str gpu)
{
    const bool of_host = host.len > 0 && gpu.len > host.len && gpu.ptr[host.len] == ':' &&
                         memcmp(gpu.ptr, host.ptr, host.len) == 0;
    return of_host ? gs_str_after(gpu, host.len + 1) : gpu;
}

static bool is_on(const struct whole *w, struct gs_str host, struct gs_str gpu, struct gs_buf *key)
{
    key->len = 0;
    gs_buf_add(key, host);
    gs_buf_char(key, '\0');
    gs_buf_add(key, gpu);
    return !key->failed && gs_intern_find(&w->places, gs_buf_str(key)) != GS_INTERN_NONE;
}

/* The GPUs of an event that may be on several hosts. */
struct placing {
    const struct whole *w;
    const struct gs_str *gpu; /* [n] as the event names them */
    size_t n;
    bool *known;   /* [n] on some host, or given to one */
    bool apart;    /* each host has its own */
    uint32_t *own; /* [n] room for their numbers */
    struct gs_buf key;
};

/* The numbers of the GPUs of a host into own[]; the first host of an event takes those that no host has: they are missed there. */
static enum gs_status find_own(struct placing *p, struct gs_str host, bool is_first, size_t *n,
                               struct gs_err *err)
{
    *n = 0;
    for (size_t k = 0; k < p->n; k++) {
        const struct gs_str name = name_on(host, p->gpu[k]);
        const bool lost = is_first && !p->known[k];
        if (p->apart && !lost && !is_on(p->w, host, name, &p->key))
            continue;
        p->known[k] |= lost;
        GS_TRY(gs_had_memory(number_of(p->w->all, GS_POOL_GPU_NAME, name, &p->own[(*n)++]), err));
    }
    return GS_OK;
}

/*
 * Of `n` hosts those on which an event's GPUs are, each with its own; all with all where no GPU is known and no name says
 * anything of a host.
 */
static enum gs_status put_on_places(const struct whole *w, const struct gs_shared_event *e,
                                    const struct gs_str *host, size_t n_hosts,
                                    const struct gs_str *gpu, bool says_host, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct placing p = {.w = w,
                        .gpu = gpu,
                        .n = e->n_gpus,
                        .known = gs_arena_take(&own, e->n_gpus, sizeof *p.known),
                        .apart = says_host,
                        .own = gs_arena_take(&own, e->n_gpus, sizeof *p.own),
                        .key = {.arena = &own}};
    struct gs_shared_event one = *e;
    bool is_first = true;
    GS_TRY(gs_had_memory(p.known != NULL && p.own != NULL, err));
    for (size_t h = 0; h < n_hosts; h++)
        for (size_t k = 0; k < p.n; k++)
            p.apart |= p.known[k] |= is_on(w, host[h], name_on(host[h], gpu[k]), &p.key);
    one.gpu = p.own;
    for (size_t h = 0; h < n_hosts; h++) {
        uint32_t number;
        GS_TRY(find_own(&p, host[h], is_first, &one.n_gpus, err));
        if (one.n_gpus == 0 && p.n > 0)
            continue;
        GS_TRY(gs_had_memory(number_of(w->all, GS_POOL_HOST, host[h], &number), err));
        GS_TRY(put_on_host(w->all, &one, number, !is_first, err));
        is_first = false;
    }
    return gs_had_memory(!p.key.failed, err);
}

/* A set of attributes in which the GPUs of a job that names no host are those on so many. */
static enum gs_status add_nodes(const struct gs_reader *from, struct gs_reader *all,
                                const struct gs_shared_event *e, size_t n_hosts,
                                int64_t *attributes, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf set = {.arena = &own};
    uint32_t number;
    char nodes[24];
    const struct gs_str text = from->pool[GS_POOL_ATTRIBUTES].text[e->attributes];
    gs_buf_add(&set, text);
    if (e->n_hosts == 0 && e->n_gpus == 0 && n_hosts > 1 &&
        gs_attribute_in(text, gs_str("gpus")).ptr != NULL &&
        gs_attribute_in(text, gs_str("nodes")).ptr == NULL) {
        (void)snprintf(nodes, sizeof nodes, "%zu", n_hosts);
        gs_attribute_put(&set, gs_str("nodes"), gs_str(nodes));
    }
    GS_TRY(gs_had_memory(
        !set.failed && number_of(all, GS_POOL_ATTRIBUTES, gs_buf_str(&set), &number), err));
    *attributes = number;
    return GS_OK;
}

/* Each reader has its own numbers, so names are renumbered by their texts. */
static enum gs_status spread_one(const struct gs_reader *from, const struct gs_shared_event *e,
                                 const struct whole *w, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_shared_event own = *e;
    const struct gs_str *host = w->host;
    size_t n_hosts = e->n_hosts;
    GS_NEW(struct gs_str, named, e->n_hosts + e->n_gpus, arena, err);
    GS_NEW(struct gs_str, gpu, e->n_gpus, arena, err);
    bool says_host = false;
    for (size_t h = 0; h < e->n_hosts; h++)
        named[h] = from->pool[GS_POOL_HOST].text[e->host[h]];
    for (size_t k = 0; k < e->n_gpus; k++) {
        gpu[k] = from->pool[GS_POOL_GPU_NAME].text[e->gpu[k]];
        says_host |= gs_is_uuid(gpu[k]) || gs_str_holds(gpu[k], ":");
    }
    if (n_hosts == 0)
        n_hosts = hosts_of(w, gpu, e->n_gpus, named);
    if (n_hosts > 0)
        host = named;
    else
        n_hosts = w->n_hosts;
    if (says_host && e->n_hosts != 1 && w->in_part)
        return gs_fail(err, GS_ERR_DATA,
                       "events name GPUs whose hosts a shard of a split does not know: ask without "
                       "--shard, or the shards of the files before the split");
    if (!renumber(from, w->all, GS_POOL_EVENT, e->event, &own.event) ||
        !renumber(from, w->all, GS_POOL_JOB, e->job, &own.job) ||
        !renumber(from, w->all, GS_POOL_TASK, e->task, &own.task))
        return gs_fail_memory(err);
    if (e->attributes != GS_MISSING)
        GS_TRY(add_nodes(from, w->all, e, n_hosts, &own.attributes, err));
    return put_on_places(w, &own, host, n_hosts, gpu, says_host, err);
}

/*
 * `first` is the whole run's first host. The original of each event is there, so that only the
 * shard of that host counts it.
 */
enum gs_status gs_rows_spread(struct gs_reader *const *reader, size_t n, struct gs_str first,
                              bool first_has_samples, bool in_part, struct gs_reader *all,
                              struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct whole w = {.all = all,
                      .in_part = in_part,
                      .places = {.arena = &own, .seed = all->pool[0].seed},
                      .uuid = {.arena = &own, .seed = all->pool[0].seed}};
    w.host = all_hosts(reader, n, first, first_has_samples, &w.n_hosts, &own);
    GS_TRY(gs_had_memory(w.host != NULL, err));
    GS_TRY(list_gpus(reader, n, &w, err));
    for (size_t i = 0; i < n; i++)
        for (const struct gs_shared_event *e = reader[i]->shared; e != NULL; e = e->next)
            GS_TRY(spread_one(reader[i], e, &w, &own, err));
    return GS_OK;
}
