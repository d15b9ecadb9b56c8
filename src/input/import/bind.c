/* bind.c - the schemas of the three tables, and which column of a file is which of theirs. */
#include "input/import/bind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "input/bytes/csv.h"

/*
 * A column that a table may have: under the study's name, else under any that has its meaning. Of a group of
 * alternatives the first present is taken.
 */
struct schema_column {
    const char *name;
    uint8_t meaning; /* enum gs_meaning; GS_MEANS_NOTHING: the name alone */
    uint8_t kind;
    uint16_t column;
    uint8_t pool;
    bool optional, may_be_empty;
    uint8_t alternatives; /* columns with the same number here stand for the same thing */
};

/* And those of metrics. */
static const struct schema_column sample_columns[] = {
    {"timestamp", GS_MEANS_TIME, GS_BIND_TIME, GS_SAMPLE_TIME, 0, false, false, 0},
    {"hostname", GS_MEANS_HOST, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, true, false, 0},
    {"gpuSerial", GS_MEANS_SERIAL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_SERIAL, true, true, 0},
    {"gpuUUID", GS_MEANS_UUID, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_UUID, true, true, 0},
    {"gpuIndex", GS_MEANS_INDEX, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_INDEX, true, true, 0},
    {0},
};

static const struct schema_column checkpoint_columns[] = {
    {"timestamp", GS_MEANS_TIME, GS_BIND_TIME, GS_CHECKPOINT_TIME, 0, false, false, 0},
    {"hostname", GS_MEANS_HOST, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, true, false, 0},
    {"eventType", GS_MEANS_PHASE, GS_BIND_EVENT_TYPE, GS_CHECKPOINT_IS_STOP, 0, false, false, 0},
    {"eventName", GS_MEANS_EVENT, GS_BIND_NAME, GS_CHECKPOINT_EVENT, GS_POOL_EVENT, false, false,
     0},
    {"jobId", GS_MEANS_JOB, GS_BIND_NAME, GS_CHECKPOINT_JOB, GS_POOL_JOB, true, true, 0},
    {"taskId", GS_MEANS_TASK, GS_BIND_NAME, GS_CHECKPOINT_TASK, GS_POOL_TASK, true, true, 0},
    {"gpuUUID", GS_MEANS_UUID, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {"gpuSerial", GS_MEANS_SERIAL, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true,
     1},
    {"gpu", GS_MEANS_INDEX, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true, 1},
    {0},
};

static const struct schema_column task_columns[] = {
    {"taskId", GS_MEANS_TASK, GS_BIND_NAME, GS_TASK_TASK, GS_POOL_TASK, false, true, 0},
    {"jobId", GS_MEANS_JOB, GS_BIND_NAME, GS_TASK_JOB, GS_POOL_JOB, true, true, 0},
    {"x", GS_MEANS_NOTHING, GS_BIND_INT, GS_TASK_X, 0, false, false, 0},
    {"y", GS_MEANS_NOTHING, GS_BIND_INT, GS_TASK_Y, 0, false, false, 0},
    {"level", GS_MEANS_NOTHING, GS_BIND_INT, GS_TASK_LEVEL, 0, false, false, 0},
    {0},
};

static const struct schema_column *const schemas[GS_N_TABLES] = {
    [GS_TABLE_CHECKPOINTS] = checkpoint_columns,
    [GS_TABLE_SAMPLES] = sample_columns,
    [GS_TABLE_TASKS] = task_columns,
};

uint32_t gs_table_columns_of(enum gs_table_kind kind, uint32_t n_metrics)
{
    static const uint32_t n[GS_N_STORED] = {[GS_TABLE_CHECKPOINTS] = GS_CHECKPOINT_COLUMNS,
                                            [GS_TABLE_SPANS] = GS_SPAN_COLUMNS,
                                            [GS_TABLE_TASKS] = GS_TASK_COLUMNS};
    if (kind == GS_TABLE_SAMPLES)
        return gs_sample_place(n_metrics) + 1;
    return n[kind];
}

void gs_binding_add(struct gs_binding *b, struct gs_bound one)
{
    size_t k = b->n_bound++;
    for (; k > 0 && b->bound[k - 1].field > one.field; k--)
        b->bound[k] = b->bound[k - 1];
    b->bound[k] = one;
}

/* A header while its columns are found. */
struct header {
    const char *name; /* of the file */
    const struct gs_str *field;
    size_t n_fields;
    struct gs_name *split; /* [n_fields]                 */
    bool *taken;           /* [n_fields] by some column  */
    const char *missing[8];
    size_t n_missing;
    struct gs_arena *arena;
};

/*
 * The best name of that meaning among those that are left; n_fields: none. A header that has a
 * schema's own name belongs to that column, even if its meaning would fit another one better.
 * Among equal ranks the first column wins.
 */
static size_t find_meaning(const struct header *h, const struct schema_column *schema,
                           enum gs_meaning meaning)
{
    size_t at = h->n_fields;
    unsigned best = 0, rank, n_found = 0;
    for (size_t i = 0; meaning != GS_MEANS_NOTHING && i < h->n_fields; i++) {
        size_t n_exact = 0;
        for (const struct schema_column *c = schema; c->name != NULL && n_exact == 0; c++)
            n_exact += gs_str_eq_nocase(h->field[i], gs_str(c->name)); /* that one's own */
        if (h->taken[i] || n_exact > 0 || !gs_name_fits(&h->split[i], meaning, &rank))
            continue;
        if (n_found++ == 0 || rank < best) {
            at = i;
            best = rank;
        }
    }
    return at;
}

/* A column's header as messages show it; NULL without memory. */
static const char *shown_name(const struct header *h, size_t field)
{
    return gs_escaped(h->arena, h->field[field], 128);
}

/*
 * The columns of a schema; those of metrics come behind. All missing columns are collected first:
 * one message names them all, and the user fixes the file once. A column that is there twice is
 * an error, since nothing says which one counts.
 */
static enum gs_status bind_schema(struct gs_binding *b, struct header *h, struct gs_err *err)
{
    unsigned taken = 0;
    for (const struct schema_column *c = schemas[b->kind]; c->name != NULL; c++) {
        size_t n_found, at = gs_csv_find(h->field, h->n_fields, c->name, &n_found);
        if (n_found > 1)
            return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is there %zu times, expected once",
                           h->name, c->name, n_found);
        if (c->alternatives != 0 && (taken >> c->alternatives & 1) != 0)
            continue;
        if (n_found == 0 && (!c->optional || c->pool == GS_POOL_HOST || b->kind == GS_TABLE_TASKS))
            b->is_study = false;
        if (n_found == 0)
            at = find_meaning(h, schemas[b->kind], (enum gs_meaning)c->meaning);
        if (at == h->n_fields) {
            if (!c->optional)
                h->missing[h->n_missing++] = c->name;
            else if (c->kind == GS_BIND_NAME && c->column != GS_NOT_STORED &&
                     c->alternatives == 0) {
                b->constant[b->n_constant].column = c->column;
                b->constant[b->n_constant++].pool = c->pool;
            }
            continue;
        }
        const char *const name = n_found > 0 ? c->name : shown_name(h, at);
        GS_TRY(gs_had_memory(name != NULL, err));
        taken |= 1u << c->alternatives;
        h->taken[at] = true;
        gs_binding_add(b, (struct gs_bound){.field = (uint16_t)at,
                                            .column = c->column,
                                            .kind = c->kind,
                                            .pool = c->pool,
                                            .may_be_empty = c->may_be_empty,
                                            .name = name,
                                            .unit = {GS_Q_NONE, 1, 1, ""}});
    }
    return GS_OK;
}

/* Is this metric bound? By which column? */
static struct gs_bound *bound_to(const struct gs_binding *b, const struct gs_metric *m)
{
    for (size_t k = 0; k < b->n_bound; k++)
        if (b->bound[k].metric == m)
            return &b->bound[k];
    return NULL;
}

/*
 * Keeps that a column is not read for want of a unit. A number without a unit could be W or mW;
 * gpustat never guesses and tells the user what to type.
 */
static enum gs_status leave_out(struct gs_binding *b, const struct header *h, size_t field,
                                const struct gs_metric *m, struct gs_err *err)
{
    struct gs_buf why = {.arena = h->arena};
    gs_put_missing_unit(&why, h->field[field], m, "column", NULL);
    if (why.failed ||
        !gs_missing_units_add(&b->missing_units,
                              (struct gs_missing_unit){h->field[field], m, gs_buf_str(&why).ptr},
                              h->arena))
        return gs_fail_memory(err);
    return GS_OK;
}

/*
 * Two columns of one metric are an error: taking the first silently would make the result depend
 * on the order of columns.
 */
static enum gs_status bind_metric(struct gs_binding *b, const struct header *h, size_t field,
                                  struct gs_err *err)
{
    bool needs_unit;
    const struct gs_metric *const m = gs_name_metric(&h->split[field], &needs_unit);
    if (m == NULL)
        return GS_OK;
    const char *const name = shown_name(h, field);
    GS_TRY(gs_had_memory(name != NULL, err));
    if (needs_unit && h->split[field].unit.quantity == GS_Q_NONE)
        return leave_out(b, h, field, m, err);
    const struct gs_bound *const other = bound_to(b, m);
    if (other != NULL && strcmp(other->name, name) == 0)
        return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is there 2 times, expected once",
                       h->name, name);
    if (other != NULL)
        return gs_fail(err, GS_ERR_DATA,
                       "%s:1: columns '%s' and '%s' both hold %s, expected one of them", h->name,
                       other->name, name, m->name);
    struct gs_unit unit = h->split[field].unit;
    if (unit.quantity == GS_Q_NONE)
        unit = (struct gs_unit){gs_metric_quantity(m), 1, 1, m->unit};
    gs_binding_add(b, (struct gs_bound){.field = (uint16_t)field,
                                        .kind = GS_BIND_FIXED,
                                        .metric = m,
                                        .unit = unit,
                                        .name = name});
    return GS_OK;
}

/*
 * Power that is not there under its name is that of the instant, else the average. Newer drivers
 * of NVIDIA write power.draw.instant and power.draw.average, with or without power.draw.
 */
static void substitute_power(struct gs_binding *b)
{
    for (size_t k = 0; bound_to(b, &gs_known_metrics[GS_POWER]) == NULL && k < GS_N_STAND_INS;
         k++) {
        struct gs_bound *const other = bound_to(b, gs_metric_find(gs_str(gs_power_stand_ins[k])));
        if (other != NULL)
            other->metric = &gs_known_metrics[GS_POWER];
    }
}

/*
 * A missing unit is an error only for power and energy, and only if no other column gives power;
 * for other metrics it is a note.
 */
static enum gs_status bind_metrics(struct gs_binding *b, struct header *h, struct gs_err *err)
{
    const size_t n_before = b->n_bound;
    for (size_t i = 0; i < h->n_fields; i++) {
        if (!h->taken[i])
            GS_TRY(bind_metric(b, h, i, err));
    }
    substitute_power(b);
    for (size_t i = 0; i < b->missing_units.n && bound_to(b, &gs_known_metrics[GS_POWER]) == NULL;
         i++)
        if (gs_is_measure(b->missing_units.item[i].metric))
            return gs_fail(err, GS_ERR_DATA,
                           "%s:1: %s: has no unit, expected one with the name, such as [W] or _mw",
                           h->name, GS_SHOWN(b->missing_units.item[i].column, 200));
    if (b->n_bound == n_before)
        h->missing[h->n_missing++] = "powerDrawWatt";
    return GS_OK;
}

/* All that is missing, what was found, and what can be done. */
static enum gs_status fail_missing(const struct header *h, struct gs_err *err)
{
    char found[512], list[256];
    size_t used = 0;
    for (size_t i = 0; i < h->n_missing; i++) {
        const char *const between = i + 1 == h->n_missing ? " and " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i == 0 ? "" : between,
                                 h->missing[i]);
    }
    return gs_fail(err, GS_ERR_DATA, "%s:1: no column%s %s; found %s (gpustat map names columns)",
                   h->name, gs_plural(h->n_missing, "", "s"), list,
                   gs_escape_list(found, sizeof found, h->field, h->n_fields));
}

/*
 * The room holds each field once and each alternative of the largest schema: no bound column can
 * be written behind it.
 */
enum gs_status gs_bind_header(enum gs_table_kind kind, const char *name, const struct gs_str *field,
                              size_t n_fields, struct gs_arena *arena, struct gs_binding *binding,
                              struct gs_err *err)
{
    struct gs_binding b = {.kind = kind, .n_fields = n_fields, .is_study = true};
    struct header h = {.name = name,
                       .field = field,
                       .n_fields = n_fields,
                       .arena = arena,
                       .split = gs_arena_take(arena, n_fields, sizeof *h.split),
                       .taken = gs_arena_take(arena, n_fields, sizeof *h.taken)};
    GS_TAKE(b.bound, n_fields + sizeof checkpoint_columns / sizeof *checkpoint_columns, arena, err);
    GS_TRY(gs_had_memory(h.split != NULL && h.taken != NULL, err));
    for (size_t i = 0; i < n_fields; i++)
        gs_name_split(field[i], &h.split[i]);
    GS_TRY(bind_schema(&b, &h, err));
    if (kind == GS_TABLE_SAMPLES) {
        /* Jobs, and indices beside UUIDs, are no columns of the study's: detection reads them. */
        b.is_study &= find_meaning(&h, schemas[kind], GS_MEANS_JOB) == n_fields &&
                      find_meaning(&h, schemas[kind], GS_MEANS_INDEX) == n_fields;
        bool names_gpu = false;
        for (size_t k = 0; k < b.n_bound; k++)
            names_gpu |= b.bound[k].kind == GS_BIND_NAME && b.bound[k].pool != GS_POOL_HOST;
        GS_TRY(bind_metrics(&b, &h, err));
        /* Where nothing names the GPU, a column of no known name may: of a sensor, a component. */
        b.is_study &= names_gpu || b.n_bound + b.missing_units.n == n_fields;
    }
    if (h.n_missing > 0)
        GS_TRY(fail_missing(&h, err));
    *binding = b;
    return GS_OK;
}

GS_COMPARES(by_number, uint16_t, GS_DIFFER(gs_cmp(*x, *y)););

/*
 * Called when the headers of all files have been read: only then is a metric's column number
 * final.
 */
enum gs_status gs_binding_settle(struct gs_binding *b, const struct gs_dataset *d,
                                 struct gs_arena *arena, struct gs_err *err)
{
    GS_TAKE(b->put, b->n_bound + b->n_constant + 1, arena, err);
    b->n_put = 0;
    for (size_t i = 0; i < b->n_bound; i++) {
        struct gs_bound *const one = &b->bound[i];
        if (one->metric != NULL) {
            const uint32_t m = gs_metrics_find(d->metric, d->n_metrics, gs_str(one->metric->name));
            if (m == UINT32_MAX)
                return gs_fail(err, GS_ERR_INTERNAL, "%s: a column that was not seen before",
                               one->name);
            one->column = (uint16_t)(GS_SAMPLE_METRIC + m);
        }
        if (one->column != GS_NOT_STORED)
            b->put[b->n_put++] = one->column;
    }
    for (size_t i = 0; i < b->n_constant; i++)
        b->put[b->n_put++] = b->constant[i].column;
    if (d->has_places)
        b->put[b->n_put++] = (uint16_t)(gs_table_columns_of(b->kind, d->n_metrics) - 1);
    qsort(b->put, b->n_put, sizeof *b->put, by_number);
    return GS_OK;
}
