/* row_reader.c - parses the fields of a row exactly and stores them in a table. */
#include "input/import/row_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/core/shard.h"
#include "base/num/order.h"
#include "input/times/clock.h"

/*
 * How they are stored: decimals that a column can have, 9 for times, 6 for readings. Nanoseconds
 * and millionths: what clocks and sensors give, and what fits 64 bits for all years and readings
 * that are accepted.
 */
static const uint8_t *decimals_of(enum gs_table_kind kind, uint32_t n_metrics,
                                  struct gs_arena *arena)
{
    uint8_t *const decimals = gs_arena_take(arena, gs_table_columns_of(kind, n_metrics), 1);
    if (decimals == NULL || kind == GS_TABLE_TASKS)
        return decimals;
    decimals[0] = 9; /* a time, in each of the others */
    if (kind == GS_TABLE_SPANS)
        decimals[GS_SPAN_STOP] = 9;
    for (uint32_t m = 0; kind == GS_TABLE_SAMPLES && m < n_metrics; m++)
        decimals[GS_SAMPLE_METRIC + m] = 6;
    return decimals;
}

/*
 * All pools of a run share the seed, so that texts can be moved between them without hashing
 * anew. A table that no command needs has a writer without columns, which takes no memory.
 */
enum gs_status gs_reader_init(struct gs_reader *g, const struct gs_dataset *d,
                              struct gs_encodings *encodings, const struct gs_zone *zone,
                              bool keep_places, const bool *need, struct gs_err *err)
{
    *g = (struct gs_reader){.keep_places = keep_places, .time = {.zone = *zone}};
    for (int p = 0; p < GS_N_POOLS; p++)
        g->pool[p] = (struct gs_intern){.arena = &g->arena, .seed = d->seed};
    if (gs_intern_add(&g->pool[GS_POOL_GPU_NAME], gs_str("")) != GS_NO_GPU_NAME)
        return gs_fail_memory(err);
    for (int k = 0; k < GS_N_STORED; k++) {
        if (!need[k == GS_TABLE_SPANS ? GS_TABLE_CHECKPOINTS : k])
            continue;
        const enum gs_table_kind kind = (enum gs_table_kind)k;
        const uint8_t *const decimals = decimals_of(kind, d->n_metrics, &g->arena);
        GS_TRY(gs_had_memory(decimals != NULL, err));
        GS_TRY(gs_table_writer_init(&g->writer[k], &g->arena, &encodings[k],
                                    gs_table_columns_of(kind, d->n_metrics) - !keep_places,
                                    decimals, err));
    }
    return GS_OK;
}

/*
 * The decision depends on the host's name alone, so every machine of a sharded run decides alike.
 */
static bool drops_host(const void *reader, uint32_t host)
{
    const struct gs_reader *const g = reader;
    const struct gs_str name = g->pool[GS_POOL_HOST].text[host];
    if (g->pass_plan != NULL)
        return !gs_pass_plan_keeps(g->pass_plan, name);
    return g->n_shards > 1 && gs_shard_of(name, g->n_shards) != g->shard;
}

static bool drops_gpu(const void *reader, uint32_t gpu)
{
    const struct gs_reader *const g = reader;
    struct gs_gpu_key key;
    memcpy(&key, g->pool[GS_POOL_GPU].text[gpu].ptr, sizeof key);
    return drops_host(g, key.host);
}

/* The writers get the same test, for rows that reach them in other ways (rows.c). */
void gs_reader_store(struct gs_reader *g, uint32_t shard, uint32_t n_shards,
                     const struct gs_pass_plan *pass_plan)
{
    g->pass_plan = pass_plan;
    g->shard = shard;
    g->n_shards = n_shards;
    g->drops = pass_plan != NULL || n_shards > 1;
    if (!g->drops)
        return;
    g->writer[GS_TABLE_CHECKPOINTS].drops = g->writer[GS_TABLE_SPANS].drops = drops_host;
    g->writer[GS_TABLE_SAMPLES].drops = drops_gpu;
    g->writer[GS_TABLE_CHECKPOINTS].drops_context = g->writer[GS_TABLE_SPANS].drops_context = g;
    g->writer[GS_TABLE_SAMPLES].drops_context = g;
}

/* Pointers into this list do not survive the next call, since it may be moved when it grows. */
struct gs_seen *gs_reader_inspect(struct gs_reader *g, enum gs_table_kind kind, uint32_t owner)
{
    struct gs_seen_rows *const r = &g->seen[kind];
    while (r->n <= owner) {
        if (!GS_HAS_ROOM(&g->arena, r->of, r->n))
            return NULL;
        r->of[r->n++] = (struct gs_seen){0};
    }
    struct gs_seen *const s = &r->of[owner];
    if (!s->is_known)
        s->is_dropped = kind == GS_TABLE_SAMPLES ? drops_gpu(g, owner) : drops_host(g, owner);
    s->is_known = true;
    return s;
}

/*
 * The names that the file implies are added with its first row and not here: a file of a header
 * alone must not add a host.
 */
void gs_reader_file(struct gs_reader *g, const struct gs_binding *b)
{
    g->kind = b->kind;
    g->key =
        (struct gs_gpu_key){GS_NONE, GS_NONE, GS_NONE, GS_NONE, GS_NONE, GS_NONE, GS_NONE, GS_NONE};
    g->pending = b->n_constant > 0 || b->kind == GS_TABLE_SAMPLES || b->host.ptr != NULL ? b : NULL;
    gs_table_columns(&g->writer[b->kind], b->put, b->n_put);
}

/*
 * Columns that the file does not have get the empty name. The writer keeps a value until it is
 * set again, so once per file is enough.
 */
bool gs_reader_names(struct gs_reader *g)
{
    const struct gs_binding *const b = g->pending;
    bool has_host = b->kind != GS_TABLE_SAMPLES && b->host.ptr == NULL;
    for (size_t i = 0; i < b->n_bound; i++)
        has_host |= b->bound[i].kind == GS_BIND_NAME && b->bound[i].pool == GS_POOL_HOST;
    if (!has_host &&
        (g->key.host = gs_intern_add(&g->pool[GS_POOL_HOST], gs_str_or(b->host, gs_str("")))) ==
            GS_INTERN_NONE)
        return false;
    for (size_t i = 0; i < b->n_constant; i++) { /* set once: nothing else writes these columns */
        const uint32_t id = gs_intern_add(&g->pool[b->constant[i].pool], gs_str(""));
        if (id == GS_INTERN_NONE)
            return false;
        gs_table_put(&g->writer[b->kind], b->constant[i].column, id, 0);
    }
    g->pending = NULL;
    return true;
}

void gs_reader_release(struct gs_reader *g)
{
    gs_arena_release(&g->arena);
}

/*
 * The bytes of the key are the text: struct gs_gpu_key has no padding, or equal keys could
 * differ.
 */
uint32_t gs_reader_gpu(struct gs_reader *g, struct gs_gpu_key key)
{
    return gs_intern_add(&g->pool[GS_POOL_GPU], (struct gs_str){(const char *)&key, sizeof key});
}

/* The gap is filled with "none", since spans are numbered by a pool and may come in any order. */
bool gs_reader_span(struct gs_reader *g, uint32_t span, uint32_t gpu)
{
    while (g->n_span_gpus <= span) {
        if (!GS_HAS_ROOM(&g->arena, g->span_gpu, g->n_span_gpus))
            return false;
        g->span_gpu[g->n_span_gpus++] = GS_INTERN_NONE;
    }
    g->span_gpu[span] = gpu;
    return true;
}

static bool fail(struct gs_row_fault *f, enum gs_status status, enum gs_fault_kind kind,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool fail(struct gs_row_fault *f, enum gs_status status, enum gs_fault_kind kind,
                 const char *format, ...)
{
    va_list values;
    f->status = status;
    f->kind = kind;
    va_start(values, format);
    (void)vsnprintf(f->text, sizeof f->text, format, values);
    va_end(values);
    return false;
}

static bool no_memory(struct gs_row_fault *f)
{
    return fail(f, GS_ERR_MEMORY, GS_FAULT_OTHER, "out of memory");
}

/*
 * Values from a file are escaped and cut before they are shown: they may hold terminal control
 * codes.
 */
static bool fault(struct gs_row_fault *f, enum gs_fault_kind kind, const struct gs_bound *b,
                  struct gs_str value, const char *what)
{
    char shown[160];
    return fail(f, GS_ERR_DATA, kind, "%s: '%s' %s", b->name, gs_escape(shown, sizeof shown, value),
                what);
}

/*
 * A local time that the clock skipped or showed twice is well written, so the message names the
 * zone.
 */
static bool time_fault(const struct gs_reader *g, struct gs_row_fault *f, const struct gs_bound *b,
                       struct gs_str value)
{
    char why[GS_ZONE_FAULT_MAX];
    const char *const of_zone = gs_time_zone_fault(&g->time, true, why);
    return fault(f, GS_FAULT_OTHER, b, value, of_zone != NULL ? of_zone : "is not a time");
}

bool gs_reader_whole(struct gs_str text, int64_t *value)
{
    bool rounded = false;
    int64_t fixed;
    if (gs_fixed_parse(text, &fixed, &rounded) != GS_NUMBER_OK || rounded ||
        fixed % GS_FIXED_ONE != 0)
        return false;
    *value = fixed / GS_FIXED_ONE;
    return true;
}

int gs_event_type(struct gs_str text)
{
    if (gs_str_eq(text, gs_str("START")))
        return 0;
    return gs_str_eq(text, gs_str("STOP")) ? 1 : -1;
}

/*
 * The one definition of what a reading or time is. The scanner's fast ways, the parser of
 * fixed-point numbers and the typed way of Parquet must give the same values, and the tests
 * compare them.
 */
bool gs_reader_value(struct gs_reader *g, const struct gs_bound *b, struct gs_str v,
                     struct gs_row_fault *f)
{
    struct gs_table_writer *const w = &g->writer[g->kind];
    int64_t value;
    if (b->kind == GS_BIND_TIME) {
        if (!gs_time_parse(&g->time, v, &value))
            return time_fault(g, f, b, v);
        if (value >= GS_TIME_BEYOND_NS)
            return fault(f, GS_FAULT_OTHER, b, v, "is not before 2100");
        gs_table_put_trimmed(w, b->column, value, 9);
        return true;
    }
    switch (gs_scaled_parse(v, b->unit, &value, &g->rounded)) {
    case GS_NUMBER_OK:
        gs_table_put_trimmed(w, b->column, value, 6);
        return true;
    case GS_NUMBER_MISSING:
        gs_table_put_missing(w, b->column);
        g->n_missing++;
        return true;
    case GS_NUMBER_RANGE:
        return fault(f, GS_FAULT_OTHER, b, v, "is not a number within 9,000,000,000,000");
    case GS_NUMBER_BAD:
        break;
    }
    return fault(f, gs_is_no_value(v) ? GS_FAULT_OTHER : GS_FAULT_VALUE, b, v, "is not a number");
}

/* A name into the open row or its GPU's key. */
static bool parse_name(struct gs_reader *g, const struct gs_bound *b, struct gs_table_writer *w,
                       struct gs_str v, struct gs_gpu_key *key, struct gs_row_fault *f)
{
    const bool is_task = b->pool == GS_POOL_TASK;
    if (is_task && g->tasks != NULL && g->kind == GS_TABLE_TASKS &&
        !gs_name_filter_has(g->tasks, v)) {
        gs_table_put_missing(w, b->column);
        return true;
    }
    /* The tasks of other shards are many; the host has been parsed before, see parse_fields. */
    const bool dropped = is_task && g->drops && key->host != GS_NONE && drops_host(g, key->host);
    const uint32_t id = dropped ? 0 : gs_intern_add(&g->pool[b->pool], v);
    if (id == GS_INTERN_NONE)
        return no_memory(f);
    if (b->column != GS_NOT_STORED)
        gs_table_put(w, b->column, id, 0);
    else if (b->pool == GS_POOL_HOST || gs_is_gpu_name(v))
        *gs_gpu_key_part(key, b->pool) = id;
    return true;
}

/* Parses one bound field into the open row. */
static bool parse_field(struct gs_reader *g, const struct gs_bound *b, struct gs_table_writer *w,
                        struct gs_str v, struct gs_gpu_key *key, struct gs_row_fault *f)
{
    int64_t value;
    int type;
    switch ((enum gs_bind_kind)b->kind) {
    case GS_BIND_TIME:
    case GS_BIND_FIXED:
        return gs_reader_value(g, b, v, f);
    case GS_BIND_INT:
        if (!gs_reader_whole(v, &value))
            return fault(f, GS_FAULT_OTHER, b, v, "is not a whole number");
        gs_table_put(w, b->column, value, 0);
        return true;
    case GS_BIND_EVENT_TYPE:
        type = gs_event_type(v);
        if (type < 0)
            return fault(f, GS_FAULT_OTHER, b, v, "is not START or STOP");
        gs_table_put(w, b->column, type, 0);
        return true;
    case GS_BIND_NAME:
    case GS_N_BIND_KINDS:
        break;
    }
    return parse_name(g, b, w, v, key, f);
}

/*
 * The mark whose values are the open row holds for all hosts, which are not known yet; false
 * without memory. Names are numbers of this reader: gs_rows_spread gives them others once all
 * hosts are known.
 */
static bool share_mark(struct gs_reader *g, int64_t place)
{
    const struct gs_table_writer *const w = &g->writer[GS_TABLE_CHECKPOINTS];
    struct gs_shared_event *const e = gs_arena_take(&g->arena, 1, sizeof *e);
    uint32_t *const gpu = gs_arena_take(&g->arena, 1, sizeof *gpu);
    if (e == NULL || gpu == NULL)
        return false;
    const int64_t named = w->mantissa[GS_CHECKPOINT_GPU];
    *gpu = (uint32_t)named;
    *e = (struct gs_shared_event){.next = g->shared,
                                  .is_stop = w->mantissa[GS_CHECKPOINT_IS_STOP] != 0,
                                  .start_ns = w->mantissa[GS_CHECKPOINT_TIME] *
                                              gs_pow10(9u - w->decimals[GS_CHECKPOINT_TIME]),
                                  .event = (uint32_t)w->mantissa[GS_CHECKPOINT_EVENT],
                                  .job = (uint32_t)w->mantissa[GS_CHECKPOINT_JOB],
                                  .task = (uint32_t)w->mantissa[GS_CHECKPOINT_TASK],
                                  .attributes = GS_MISSING,
                                  .place = place,
                                  .gpu = gpu,
                                  .n_gpus = named != GS_MISSING && named != GS_NO_GPU_NAME};
    g->shared = e;
    return true;
}

/* Readings of a row that are missing, and of these those that are no number. */
struct unread {
    uint32_t n_missing, n_bad;
};

/* Names last: those of a malformed row are not remembered; the host's first, which may make others needless. */
enum pass { VALUES, HOST, NAMES, N_PASSES };

static enum pass pass_of(const struct gs_bound *b)
{
    if (b->kind != GS_BIND_NAME)
        return VALUES;
    if (b->pool == GS_POOL_HOST)
        return HOST;
    return NAMES;
}

/*
 * `lenient` is for logs, where a tool writes "[GPU requires reset]" into one cell: that reading
 * is missing and counted, and the rest of the row stays.
 */
static bool parse_fields(struct gs_reader *g, const struct gs_binding *b,
                         const struct gs_str *field, struct gs_gpu_key *key, struct unread *unread,
                         struct gs_row_fault *f)
{
    struct gs_table_writer *const w = &g->writer[b->kind];
    const bool lenient = g->bad_is_missing && b->header != NULL && !gs_takes_commas(b->delimiter);
    for (enum pass pass = VALUES; pass < N_PASSES; pass++)
        for (size_t i = 0; i < b->n_bound; i++) {
            const struct gs_bound *const c = &b->bound[i];
            const struct gs_str v = field[c->field];
            const enum pass own = pass_of(c);
            if (pass == VALUES && own != VALUES && v.len == 0 && !c->may_be_empty)
                return fail(f, GS_ERR_DATA, GS_FAULT_OTHER, "%s: is empty, expected a name",
                            c->name);
            if (pass != own || parse_field(g, c, w, v, key, f))
                continue;
            if (!lenient || c->kind != GS_BIND_FIXED || f->status != GS_ERR_DATA)
                return false;
            gs_table_put_missing(w, c->column);
            unread->n_missing++;
            unread->n_bad += !gs_is_no_value(v);
        }
    return true;
}

/* What is missing is counted at the end only, so that of a refused row is not. */
bool gs_reader_row(struct gs_reader *g, const struct gs_binding *b, const struct gs_str *field,
                   size_t n_fields, int64_t place, struct gs_row_fault *f)
{
    struct gs_table_writer *const w = &g->writer[b->kind];
    struct gs_gpu_key key = g->key;
    struct unread unread = {0, 0};
    uint32_t owner = 0;
    if (n_fields != b->n_fields)
        return fail(
            f, GS_ERR_DATA, n_fields == b->n_fields + 1 ? GS_FAULT_ONE_FIELD_MORE : GS_FAULT_FIELDS,
            "%zu field%s, expected %zu", n_fields, gs_plural(n_fields, "", "s"), b->n_fields);
    g->n_bad = 0;
    if (!parse_fields(g, b, field, &key, &unread, f))
        return false;
    if (g->pending != NULL && !gs_reader_names(g))
        return no_memory(f);
    if (key.host == GS_NONE)
        key.host = g->key.host;
    if (b->kind == GS_TABLE_CHECKPOINTS && key.host == GS_NONE)
        return share_mark(g, place) || no_memory(f);
    if (b->kind != GS_TABLE_TASKS)
        owner = b->kind == GS_TABLE_SAMPLES ? gs_reader_gpu(g, key) : key.host;
    if (owner == GS_INTERN_NONE)
        return no_memory(f);
    if (g->drops && b->kind != GS_TABLE_TASKS) {
        const struct gs_seen *const seen = gs_reader_count(g, b->kind, owner);
        if (seen == NULL)
            return no_memory(f);
        if (seen->is_dropped)
            return true;
    }
    if (g->keep_places)
        gs_table_put(w, w->n_columns - 1, place, 0);
    if (gs_table_end_row(w, owner, NULL) != GS_OK)
        return no_memory(f);
    g->n_bad = unread.n_bad;
    g->n_missing += unread.n_missing;
    return true;
}
