/* bind.c - the schemas of the three tables, and the exact way from fields to columns. */
#include "read/bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shard.h"

/* A column that a table may have; the first present of a group of alternatives is taken. */
struct schema_column {
    const char *name;
    uint8_t kind;
    uint16_t column;
    uint8_t pool;
    bool optional, may_be_empty;
    uint8_t alternatives; /* columns with the same number here stand for the same thing */
};

/* And those of metrics, see columns.h. */
static const struct schema_column sample_columns[] = {
    {"timestamp", GS_BIND_TIME, GS_SAMPLE_TIME, 0, false, false, 0},
    {"hostname", GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, false, false, 0},
    {"gpuSerial", GS_BIND_NAME, GS_NOT_STORED, GS_POOL_SERIAL, true, true, 0},
    {"gpuUUID", GS_BIND_NAME, GS_NOT_STORED, GS_POOL_UUID, true, true, 0},
    {0},
};

static const struct schema_column checkpoint_columns[] = {
    {"timestamp", GS_BIND_TIME, GS_CHECKPOINT_TIME, 0, false, false, 0},
    {"hostname", GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, false, false, 0},
    {"eventName", GS_BIND_NAME, GS_CHECKPOINT_EVENT, GS_POOL_EVENT, false, false, 0},
    {"eventType", GS_BIND_EVENT_TYPE, GS_CHECKPOINT_IS_STOP, 0, false, false, 0},
    {"jobId", GS_BIND_NAME, GS_CHECKPOINT_JOB, GS_POOL_JOB, false, true, 0},
    {"taskId", GS_BIND_NAME, GS_CHECKPOINT_TASK, GS_POOL_TASK, false, true, 0},
    {"gpuUUID", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"gpuSerial", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"gpu", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"gpuIndex", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"gpu_index", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"index", GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {0},
};

static const struct schema_column task_columns[] = {
    {"taskId", GS_BIND_NAME, GS_TASK_TASK, GS_POOL_TASK, false, true, 0},
    {"jobId", GS_BIND_NAME, GS_TASK_JOB, GS_POOL_JOB, false, true, 0},
    {"x", GS_BIND_INT, GS_TASK_X, 0, false, false, 0},
    {"y", GS_BIND_INT, GS_TASK_Y, 0, false, false, 0},
    {"level", GS_BIND_INT, GS_TASK_LEVEL, 0, false, false, 0},
    {0},
};

static const struct schema_column *const schemas[GS_N_TABLES] = {
    [GS_TABLE_CHECKPOINTS] = checkpoint_columns,
    [GS_TABLE_SAMPLES] = sample_columns,
    [GS_TABLE_TASKS] = task_columns,
};

/* Columns of a table, that of places included. */
static uint32_t columns_of(enum gs_table_kind kind, uint32_t n_metrics)
{
    static const uint32_t n[GS_N_STORED] = {[GS_TABLE_CHECKPOINTS] = GS_CHECKPOINT_COLUMNS,
                                            [GS_TABLE_SPANS] = GS_SPAN_COLUMNS,
                                            [GS_TABLE_TASKS] = GS_TASK_COLUMNS};
    return kind == GS_TABLE_SAMPLES ? gs_sample_place(n_metrics) + 1 : n[kind];
}

/* How they are stored: decimals that a column can have, 9 for times, 6 for readings. */
static const uint8_t *decimals_of(enum gs_table_kind kind, uint32_t n_metrics, struct gs_arena *arena)
{
    uint8_t *const decimals = gs_arena_take(arena, columns_of(kind, n_metrics), 1);
    if (decimals == NULL || kind == GS_TABLE_TASKS)
        return decimals;
    decimals[0] = 9; /* a time, in each of the others */
    if (kind == GS_TABLE_SPANS)
        decimals[GS_SPAN_STOP] = 9;
    for (uint32_t m = 0; kind == GS_TABLE_SAMPLES && m < n_metrics; m++)
        decimals[GS_SAMPLE_METRIC + m] = 6;
    return decimals;
}

static void list_columns(const struct gs_str *field, size_t n, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        char one[64];
        (void)gs_escape(one, sizeof one, field[i]);
        const int w = snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", one);
        if (w < 0 || (size_t)w + 6 > size - used) {
            (void)snprintf(out + used, size - used, " ...");
            return;
        }
        used += (size_t)w;
    }
}

/* Exact text first, then equal but for case. Counts how often the better of the two is there. */
static size_t find_field(const struct gs_str *field, size_t n_fields, const char *name, size_t *n_found)
{
    size_t at = n_fields;
    *n_found = 0;
    for (int pass = 0; pass < 2 && *n_found == 0; pass++)
        for (size_t i = 0; i < n_fields; i++)
            if (pass == 0 ? gs_str_eq(field[i], gs_str(name)) : gs_str_eq_nocase(field[i], gs_str(name))) {
                at = *n_found == 0 ? i : at;
                ++*n_found;
            }
    return at;
}

static void add_bound(struct gs_binding *b, struct gs_bound one)
{
    size_t k = b->n_bound++;
    for (; k > 0 && b->bound[k - 1].field > one.field; k--)
        b->bound[k] = b->bound[k - 1];
    b->bound[k] = one;
}

/* The columns of a schema; a metric's come behind. */
static enum gs_status bind_schema(struct gs_binding *b, const char *name, const struct gs_str *field, size_t n_fields,
                                  struct gs_err *err)
{
    unsigned taken = 0;
    for (const struct schema_column *c = schemas[b->kind]; c->name != NULL; c++) {
        size_t n_found;
        const size_t at = find_field(field, n_fields, c->name, &n_found);
        if (n_found > 1)
            return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is there %zu times, expected once", name, c->name, n_found);
        if (n_found == 0 && !c->optional) {
            char found[640];
            list_columns(field, n_fields, found, sizeof found);
            return gs_fail(err, GS_ERR_DATA, "%s:1: no column '%s'; found %s", name, c->name, found);
        }
        if (n_found == 0 || (c->alternatives != 0 && (taken >> c->alternatives & 1) != 0))
            continue;
        taken |= 1u << c->alternatives;
        add_bound(b, (struct gs_bound){.field = (uint16_t)at, .column = c->column, .kind = c->kind, .pool = c->pool,
                                       .may_be_empty = c->may_be_empty, .name = c->name, .scale = {1, 1}});
    }
    return GS_OK;
}

static enum gs_status bind_metrics(struct gs_binding *b, const char *name, const struct gs_str *field, size_t n_fields,
                                   struct gs_arena *arena, struct gs_err *err)
{
    bool any = false;
    for (size_t i = 0; i < n_fields; i++) {
        struct gs_bound one = {.field = (uint16_t)i, .kind = GS_BIND_FIXED};
        one.metric = gs_column_metric(field[i], &one.scale);
        if (one.metric == NULL)
            continue;
        struct gs_buf shown = {.arena = arena};
        gs_buf_escaped(&shown, field[i], 128);
        if (shown.failed)
            return gs_fail_memory(err);
        one.name = shown.ptr;
        for (size_t k = 0; k < b->n_bound; k++)
            if (b->bound[k].metric == one.metric && strcmp(b->bound[k].name, one.name) == 0)
                return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is there 2 times, expected once", name, one.name);
            else if (b->bound[k].metric == one.metric)
                return gs_fail(err, GS_ERR_DATA, "%s:1: columns '%s' and '%s' both hold %s, expected one of them", name,
                               b->bound[k].name, one.name, one.metric->name);
        add_bound(b, one);
        any = true;
    }
    if (any)
        return GS_OK;
    char found[640];
    list_columns(field, n_fields, found, sizeof found);
    return gs_fail(err, GS_ERR_DATA, "%s:1: no column with readings, such as 'powerDrawWatt' or 'power.draw [W]'; found %s",
                   name, found);
}

enum gs_status gs_bind_header(enum gs_table_kind kind, const char *name, const struct gs_str *field, size_t n_fields,
                              struct gs_arena *arena, struct gs_binding *binding, struct gs_err *err)
{
    struct gs_binding b = {.kind = kind, .n_fields = n_fields};
    b.bound = gs_arena_take(arena, n_fields + sizeof checkpoint_columns / sizeof *checkpoint_columns, sizeof *b.bound);
    if (b.bound == NULL)
        return gs_fail_memory(err);
    enum gs_status s = bind_schema(&b, name, field, n_fields, err);
    if (s == GS_OK && kind == GS_TABLE_SAMPLES)
        s = bind_metrics(&b, name, field, n_fields, arena, err);
    if (s == GS_OK)
        *binding = b;
    return s;
}

static int by_number(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

enum gs_status gs_binding_settle(struct gs_binding *b, const struct gs_dataset *d, struct gs_arena *arena,
                                 struct gs_err *err)
{
    b->put = gs_arena_take(arena, b->n_bound + 1, sizeof *b->put);
    b->n_put = 0;
    if (b->put == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < b->n_bound; i++) {
        struct gs_bound *const one = &b->bound[i];
        const uint32_t m = one->metric == NULL ? 0 : gs_metrics_find(d->metric, d->n_metrics, gs_str(one->metric->name));
        if (m == UINT32_MAX)
            return gs_fail(err, GS_ERR_INTERNAL, "%s: a column that was not seen before", one->name);
        if (one->metric != NULL)
            one->column = (uint16_t)(GS_SAMPLE_METRIC + m);
        if (one->column != GS_NOT_STORED)
            b->put[b->n_put++] = one->column;
    }
    if (d->has_places)
        b->put[b->n_put++] = (uint16_t)(columns_of(b->kind, d->n_metrics) - 1);
    qsort(b->put, b->n_put, sizeof *b->put, by_number);
    return GS_OK;
}

enum gs_status gs_gather_init(struct gs_gather *g, const struct gs_dataset *d, struct gs_encodings *encodings,
                              int32_t zone_s, bool keep_places, const bool *need, struct gs_err *err)
{
    *g = (struct gs_gather){.keep_places = keep_places, .time = {.offset_s = zone_s}};
    for (int p = 0; p < GS_N_POOLS; p++)
        g->pool[p] = (struct gs_intern){.arena = &g->arena, .seed = d->seed};
    if (gs_intern_add(&g->pool[GS_POOL_GPU_NAME], gs_str("")) != GS_NO_GPU_NAME)
        return gs_fail_memory(err);
    for (int k = 0; k < GS_N_STORED; k++) {
        if (!need[k == GS_TABLE_SPANS ? GS_TABLE_CHECKPOINTS : k])
            continue;
        const enum gs_table_kind kind = (enum gs_table_kind)k;
        const uint8_t *const decimals = decimals_of(kind, d->n_metrics, &g->arena);
        if (decimals == NULL)
            return gs_fail_memory(err);
        const enum gs_status s = gs_table_writer_init(&g->writer[k], &g->arena, &encodings[k],
                                                      columns_of(kind, d->n_metrics) - !keep_places, decimals, err);
        if (s != GS_OK)
            return s;
    }
    return GS_OK;
}

bool gs_gather_drops(const struct gs_gather *g, uint32_t host)
{
    return g->n_shards > 1 && gs_shard_of(g->pool[GS_POOL_HOST].text[host], g->n_shards) != g->shard;
}

static bool drops_host(const void *gather, uint32_t host)
{
    return gs_gather_drops(gather, host);
}

static bool drops_gpu(const void *gather, uint32_t gpu)
{
    const struct gs_gather *const g = gather;
    struct gs_gpu_key key;
    memcpy(&key, g->pool[GS_POOL_GPU].text[gpu].ptr, sizeof key);
    return gs_gather_drops(g, key.host);
}

void gs_gather_keep_shard(struct gs_gather *g, uint32_t shard, uint32_t n_shards)
{
    g->shard = shard;
    g->n_shards = n_shards;
    if (n_shards < 2)
        return;
    g->writer[GS_TABLE_CHECKPOINTS].drops = g->writer[GS_TABLE_SPANS].drops = drops_host;
    g->writer[GS_TABLE_SAMPLES].drops = drops_gpu;
    g->writer[GS_TABLE_CHECKPOINTS].drops_context = g->writer[GS_TABLE_SPANS].drops_context = g;
    g->writer[GS_TABLE_SAMPLES].drops_context = g;
}

void gs_gather_file(struct gs_gather *g, const struct gs_binding *b)
{
    gs_table_columns(&g->writer[b->kind], b->put, b->n_put);
}

void gs_gather_release(struct gs_gather *g)
{
    gs_arena_release(&g->arena);
}

uint32_t gs_gather_gpu(struct gs_gather *g, struct gs_gpu_key key)
{
    return gs_intern_add(&g->pool[GS_POOL_GPU], (struct gs_str){(const char *)&key, sizeof key});
}

bool gs_gather_span(struct gs_gather *g, uint32_t span, uint32_t gpu)
{
    if (span >= g->span_capacity) {
        const uint32_t capacity = span < 256 ? 256 : span * 2;
        uint32_t *const grown = gs_arena_grow(&g->arena, g->span_gpu, g->n_span_gpus, capacity, sizeof *grown);
        if (grown == NULL || capacity <= span)
            return false;
        g->span_gpu = grown;
        g->span_capacity = capacity;
    }
    while (g->n_span_gpus <= span)
        g->span_gpu[g->n_span_gpus++] = GS_INTERN_NONE;
    g->span_gpu[span] = gpu;
    return true;
}

static bool fault(struct gs_row_fault *f, const struct gs_bound *b, struct gs_str value, const char *what)
{
    char shown[160];
    f->status = GS_ERR_DATA;
    (void)snprintf(f->text, sizeof f->text, "%s: '%s' is not %s", b->name, gs_escape(shown, sizeof shown, value), what);
    return false;
}

static bool empty_name(struct gs_row_fault *f, const struct gs_bound *b)
{
    f->status = GS_ERR_DATA;
    (void)snprintf(f->text, sizeof f->text, "%s: is empty, expected a name", b->name);
    return false;
}

static bool no_memory(struct gs_row_fault *f)
{
    f->status = GS_ERR_MEMORY;
    (void)snprintf(f->text, sizeof f->text, "out of memory");
    return false;
}

static bool parse_int(struct gs_str text, int64_t *value)
{
    bool rounded = false;
    int64_t fixed;
    if (gs_fixed_parse(text, &fixed, &rounded) != GS_NUMBER_OK || rounded || fixed % GS_FIXED_ONE != 0)
        return false;
    *value = fixed / GS_FIXED_ONE;
    return true;
}

/* value * num / den to the nearest, halves away from zero. False where the product is out of all bounds. */
static bool scale(int64_t *value, struct gs_scale by, bool *rounded)
{
    int64_t product;
    if (__builtin_mul_overflow(*value, by.num, &product))
        return false;
    const int64_t rest = product % by.den;
    *rounded |= rest != 0;
    *value = product / by.den + (rest >= by.den - rest ? rest > 0 : -rest >= by.den + rest ? -(rest < 0) : 0);
    return *value >= -INT64_C(9000000000000) * GS_FIXED_ONE && *value <= INT64_C(9000000000000) * GS_FIXED_ONE;
}

/* Parses one bound field into the open row. */
static bool take_field(struct gs_gather *g, const struct gs_bound *b, struct gs_table_writer *w, struct gs_str v,
                       struct gs_gpu_key *key, struct gs_row_fault *f)
{
    int64_t value;
    switch ((enum gs_bind_kind)b->kind) {
    case GS_BIND_TIME:
        if (!gs_time_parse(&g->time, v, &value))
            return fault(f, b, v, "a time");
        gs_table_put_trimmed(w, b->column, value, 9);
        return true;
    case GS_BIND_FIXED:
        switch (gs_fixed_parse(v, &value, &g->rounded)) {
        case GS_NUMBER_OK:
            if (!scale(&value, b->scale, &g->rounded))
                return fault(f, b, v, "a number within 9,000,000,000,000");
            gs_table_put_trimmed(w, b->column, value, 6);
            return true;
        case GS_NUMBER_MISSING:
            gs_table_put_missing(w, b->column);
            g->n_missing++;
            return true;
        case GS_NUMBER_RANGE:
            return fault(f, b, v, "a number within 9,000,000,000,000");
        case GS_NUMBER_BAD:
            break;
        }
        return fault(f, b, v, "a number");
    case GS_BIND_INT:
        if (!parse_int(v, &value))
            return fault(f, b, v, "a whole number");
        gs_table_put(w, b->column, value, 0);
        return true;
    case GS_BIND_EVENT_TYPE:
        if (!gs_str_eq(v, gs_str("START")) && !gs_str_eq(v, gs_str("STOP")))
            return fault(f, b, v, "START or STOP");
        gs_table_put(w, b->column, v.len == 4, 0);
        return true;
    case GS_BIND_NAME:
    case GS_N_BIND_KINDS:
        break;
    }
    const bool dropped = b->pool == GS_POOL_TASK && key->host != GS_NONE && gs_gather_drops(g, key->host);
    const uint32_t id = dropped ? 0 : gs_intern_add(&g->pool[b->pool], v); /* the tasks of other shards are many */
    if (id == GS_INTERN_NONE)
        return no_memory(f);
    if (b->column != GS_NOT_STORED)
        gs_table_put(w, b->column, id, 0);
    else
        *gs_gpu_key_part(key, b->pool) = id;
    return true;
}

bool gs_gather_row(struct gs_gather *g, const struct gs_binding *b, const struct gs_str *field, size_t n_fields,
                   int64_t place, struct gs_row_fault *f)
{
    struct gs_table_writer *const w = &g->writer[b->kind];
    struct gs_gpu_key key = {GS_NONE, GS_NONE, GS_NONE, GS_NONE, GS_NONE};
    uint32_t owner = 0;
    if (n_fields != b->n_fields) {
        f->status = GS_ERR_DATA;
        (void)snprintf(f->text, sizeof f->text, "%zu field%s, expected %zu", n_fields, n_fields == 1 ? "" : "s",
                       b->n_fields);
        return false;
    }
    /* Names last: those of a malformed row are not remembered; the host's first, which may make others needless. */
    enum { VALUES, HOST, NAMES, N_PASSES };
    for (int pass = VALUES; pass < N_PASSES; pass++)
        for (size_t i = 0; i < b->n_bound; i++) {
            const struct gs_bound *const c = &b->bound[i];
            const struct gs_str v = field[c->field];
            const int own = c->kind != GS_BIND_NAME ? VALUES : c->pool == GS_POOL_HOST ? HOST : NAMES;
            if (pass == VALUES && own != VALUES && v.len == 0 && !c->may_be_empty)
                return empty_name(f, c);
            if (pass == own && !take_field(g, c, w, v, &key, f))
                return false;
        }
    if (b->kind == GS_TABLE_SAMPLES) {
        owner = gs_gather_gpu(g, key);
        if (owner == GS_INTERN_NONE)
            return no_memory(f);
    } else if (b->kind == GS_TABLE_CHECKPOINTS) {
        owner = key.host;
    }
    if (g->keep_places)
        gs_table_put(w, w->n_columns - 1, place, 0);
    if (gs_table_end_row(w, owner, NULL) != GS_OK)
        return no_memory(f);
    return true;
}
