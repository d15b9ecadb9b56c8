/* bind_by_name.h - binds the columns of a table by their names alone, without a map: what the readers are tried with. */
#ifndef GPUSTAT_BIND_BY_NAME_H
#define GPUSTAT_BIND_BY_NAME_H

#include <string.h>

#include "input/bytes/csv.h"
#include "input/import/bind.h"
#include "input/schema/column_meaning.h"

/* What a table may have; of alternatives the first that is there. */
struct named_column {
    enum gs_meaning meaning;
    const char *name; /* of GS_MEANS_NOTHING */
    enum gs_bind_kind kind;
    uint16_t column;
    enum gs_pool pool;
    bool optional, may_be_empty;
};

static const struct named_column named_samples[] = {
    {GS_MEANS_TIME, NULL, GS_BIND_TIME, GS_SAMPLE_TIME, 0, false, false},
    {GS_MEANS_HOST, NULL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, true, false},
    {GS_MEANS_SERIAL, NULL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_SERIAL, true, true},
    {GS_MEANS_UUID, NULL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_UUID, true, true},
    {GS_MEANS_INDEX, NULL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_INDEX, true, true},
    {0}};

static const struct named_column named_checkpoints[] = {
    {GS_MEANS_TIME, NULL, GS_BIND_TIME, GS_CHECKPOINT_TIME, 0, false, false},
    {GS_MEANS_HOST, NULL, GS_BIND_NAME, GS_NOT_STORED, GS_POOL_HOST, true, false},
    {GS_MEANS_PHASE, NULL, GS_BIND_EVENT_TYPE, GS_CHECKPOINT_IS_STOP, 0, false, false},
    {GS_MEANS_EVENT, NULL, GS_BIND_NAME, GS_CHECKPOINT_EVENT, GS_POOL_EVENT, false, false},
    {GS_MEANS_JOB, NULL, GS_BIND_NAME, GS_CHECKPOINT_JOB, GS_POOL_JOB, true, true},
    {GS_MEANS_TASK, NULL, GS_BIND_NAME, GS_CHECKPOINT_TASK, GS_POOL_TASK, true, true},
    {GS_MEANS_UUID, NULL, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true},
    {GS_MEANS_SERIAL, NULL, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true},
    {GS_MEANS_INDEX, NULL, GS_BIND_NAME, GS_CHECKPOINT_GPU, GS_POOL_GPU_NAME, true, true},
    {0}};

static const struct named_column named_tasks[] = {
    {GS_MEANS_TASK, NULL, GS_BIND_NAME, GS_TASK_TASK, GS_POOL_TASK, false, true},
    {GS_MEANS_JOB, NULL, GS_BIND_NAME, GS_TASK_JOB, GS_POOL_JOB, true, true},
    {GS_MEANS_NOTHING, "x", GS_BIND_INT, GS_TASK_X, 0, false, false},
    {GS_MEANS_NOTHING, "y", GS_BIND_INT, GS_TASK_Y, 0, false, false},
    {GS_MEANS_NOTHING, "level", GS_BIND_INT, GS_TASK_LEVEL, 0, false, false},
    {0}};

/* The field that is called so, or else means so best, of those that no other column has; n_fields: none. */
static inline size_t named_field(const struct named_column *c, const struct gs_str *field,
                                 size_t n_fields, const bool *taken)
{
    size_t at = n_fields;
    unsigned best = 0, rank;
    for (size_t i = 0; i < n_fields; i++) {
        struct gs_name split;
        if (c->name != NULL) {
            if (gs_str_eq(field[i], gs_str(c->name)))
                return i;
            continue;
        }
        gs_name_split(field[i], &split);
        if (!taken[i] && gs_name_fits(&split, c->meaning, &rank) &&
            (at == n_fields || rank < best)) {
            at = i;
            best = rank;
        }
    }
    return at;
}

static inline enum gs_status named_metric(struct gs_binding *b, const struct gs_str *field,
                                          size_t i, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_name split;
    bool needs_unit;
    gs_name_split(field[i], &split);
    const struct gs_metric *const m = gs_name_metric(&split, &needs_unit);
    if (m == NULL || (needs_unit && split.unit.quantity == GS_Q_NONE))
        return GS_OK;
    for (size_t k = 0; k < b->n_bound; k++)
        if (b->bound[k].metric == m)
            return gs_fail(err, GS_ERR_DATA, ":1: two columns of one metric");
    const struct gs_unit own = {gs_metric_quantity(m), 1, 1, m->unit};
    gs_binding_add(b, (struct gs_bound){.field = (uint16_t)i,
                                        .kind = GS_BIND_FIXED,
                                        .metric = m,
                                        .unit = split.unit.quantity == GS_Q_NONE ? own : split.unit,
                                        .name = gs_escaped(arena, field[i], 128)});
    return GS_OK;
}

/* gs_input_form.bind. */
static inline enum gs_status bind_by_name(const void *context, const struct gs_input *input,
                                          const struct gs_str *field, size_t n_fields,
                                          struct gs_arena *arena, struct gs_binding *binding,
                                          struct gs_err *err)
{
    static const struct named_column *const columns[GS_N_TABLES] = {
        [GS_TABLE_CHECKPOINTS] = named_checkpoints,
        [GS_TABLE_SAMPLES] = named_samples,
        [GS_TABLE_TASKS] = named_tasks};
    struct gs_binding b = {.kind = input->kind, .n_fields = n_fields};
    bool *const taken = gs_arena_take(arena, n_fields, 1);
    bool has_gpu = false;
    (void)context;
    b.bound = gs_arena_take(arena, n_fields + 10, sizeof *b.bound);
    if (taken == NULL || b.bound == NULL)
        return gs_fail_memory(err);
    for (const struct named_column *c = columns[input->kind];
         c->kind != 0 || c->meaning != 0 || c->name != NULL; c++) {
        const bool gpu = c->pool == GS_POOL_GPU_NAME && c->kind == GS_BIND_NAME;
        const size_t at = has_gpu && gpu ? n_fields : named_field(c, field, n_fields, taken);
        if (at == n_fields && !c->optional)
            return gs_fail(err, GS_ERR_DATA, ":1: a column is missing");
        if (at == n_fields) {
            if (c->column != GS_NOT_STORED && !gpu) {
                b.constant[b.n_constant].column = c->column;
                b.constant[b.n_constant++].pool = (uint8_t)c->pool;
            }
            continue;
        }
        has_gpu |= gpu;
        taken[at] = true;
        gs_binding_add(&b, (struct gs_bound){.field = (uint16_t)at,
                                             .column = c->column,
                                             .kind = (uint8_t)c->kind,
                                             .pool = (uint8_t)c->pool,
                                             .may_be_empty = c->may_be_empty,
                                             .name = gs_escaped(arena, field[at], 128),
                                             .unit = {GS_Q_NONE, 1, 1, ""}});
    }
    for (size_t i = 0; input->kind == GS_TABLE_SAMPLES && i < n_fields; i++)
        if (!taken[i] && named_metric(&b, field, i, arena, err) != GS_OK)
            return GS_ERR_DATA;
    *binding = b;
    return GS_OK;
}

/* "FILE:LINE" of a row, from its place. */
static inline const char *place_text(const struct gs_dataset *d, int64_t place,
                                     struct gs_arena *arena)
{
    const int64_t line = gs_dataset_line(d, place);
    if (line == GS_MISSING)
        return "";
    return gs_format(arena, "%s:%llu", d->input[gs_line_input(line)].name,
                     (unsigned long long)gs_line_number(line));
}

#endif
