/* mapper_bind.c - a source's values bound to the columns of one file. */
#include "base/num/date_form.h"
#include "input/import/mapper_parts.h"

#include <string.h>

enum { GPUS_MAX = 4096 }; /* in turn */

static enum gs_status ask(struct gs_mapper *m, const uint32_t *column, size_t n, struct gs_err *err)
{
    uint32_t *const grown =
        gs_arena_grow(m->arena, m->asked, m->n_asked, m->n_asked + n, sizeof *grown);
    GS_TRY(gs_had_memory(grown != NULL, err));
    m->asked = grown;
    memcpy(m->asked + m->n_asked, column, n * sizeof *column);
    m->n_asked += n;
    return GS_OK;
}

/* Only columns that are asked for here are checked at the end of the file. */
static enum gs_status bind_value(struct gs_mapper *m, const struct gs_map_value *v,
                                 const char *what, struct gs_bound_value *b, struct gs_err *err)
{
    GS_TRY(gs_value_bind(b, v, m->path, &m->records, what, err));
    if (v->column.n > 0)
        /* the others may be those of another table in the file */
        GS_TRY(ask(m, b->column, 1, err));
    if (v->where.n > 0)
        GS_TRY(ask(m, b->where.column, v->where.n, err));
    return GS_OK;
}

/* The unit of a metric's numbers: said in the map, else in the column's name, else the metric's own where its name is one. */
static enum gs_status unit_of(const struct gs_mapper *m, const struct gs_map_field *f,
                              const struct gs_bound_value *b, struct gs_unit *unit,
                              struct gs_err *err)
{
    const struct gs_metric *const known = gs_metric_find(f->name);
    const enum gs_quantity wanted = known == NULL ? GS_Q_NONE : gs_metric_quantity(known);
    char name[80];
    struct gs_unit u = f->value.unit.ptr != NULL ? gs_unit_find(f->value.unit) : b->named;
    if (f->value.unit.ptr != NULL && u.quantity == GS_Q_NONE)
        return gs_fail(err, GS_ERR_DATA, "%s: metrics.%s.unit: '%s' is no unit that is known",
                       m->records.name, gs_escape(name, sizeof name, f->name),
                       GS_SHOWN(f->value.unit, 80));
    if (u.quantity != wanted && (wanted != GS_Q_NONE || f->value.unit.ptr == NULL)) {
        if (f->value.unit.ptr != NULL)
            return gs_fail(err, GS_ERR_DATA, "%s: metrics.%s.unit: '%s' is no unit of it",
                           m->records.name, gs_escape(name, sizeof name, f->name),
                           GS_SHOWN(f->value.unit, 80));
        u = (struct gs_unit){wanted, 1, 1, ""};
    }
    *unit = u;
    return GS_OK;
}

static enum gs_status bind_metrics(struct gs_mapper *m, struct gs_err *err)
{
    const size_t n = m->source->metrics.n;
    GS_TAKE(m->metric, n, m->arena, err);
    GS_TAKE(m->value, n, m->arena, err);
    GS_TAKE(m->matches, n, m->arena, err);
    for (size_t k = 0; k < n; k++) {
        const struct gs_map_field *const f = &m->source->metrics.item[k];
        m->wide |= f->value.kind == GS_VALUE_COLUMNS;
        m->is_long |= f->value.where.n > 0;
        GS_TRY(bind_value(m, &f->value, "metrics", &m->metric[k].value, err));
        GS_TRY(unit_of(m, f, &m->metric[k].value, &m->metric[k].unit, err));
    }
    return GS_OK;
}

static enum gs_status bind_attributes(struct gs_mapper *m, struct gs_err *err)
{
    const size_t n = m->source->attributes.n;
    GS_TAKE(m->attribute, n, m->arena, err);
    GS_TAKE(m->attribute_text, n, m->arena, err);
    for (size_t k = 0; k < n; k++)
        GS_TRY(bind_value(m, &m->source->attributes.item[k].value, "attributes", &m->attribute[k],
                          err));
    return GS_OK;
}

static enum gs_status check_time_unit(const struct gs_mapper *m, const struct gs_map_value *v,
                                      const char *what, struct gs_err *err)
{
    int64_t count;
    if (v->unit.ptr == NULL || gs_unit_counted(v->unit, &count).quantity == GS_Q_TIME ||
        (strcmp(what, "duration") != 0 && gs_date_form_valid(v->unit)))
        return GS_OK;
    return gs_fail(
        err, GS_ERR_DATA,
        "%s: %s.unit: '%s' is neither s, ms, us, ns nor a date form such as DD.MM.YYYY hh:mm:ss",
        m->records.name, what, GS_SHOWN(v->unit, 80));
}

/*
 * The limit of GPUS_MAX and the check of `every` reject a map before the file is read: an
 * interval of 0 would put all rows at one instant.
 */
static enum gs_status bind_counts(struct gs_mapper *m, struct gs_err *err)
{
    const struct gs_map_value *const time = &m->source->time, *const gpu = &m->source->gpu;
    if (time->kind == GS_VALUE_EVERY &&
        (!gs_duration_parse(time->text, &m->every_ns) || m->every_ns <= 0))
        return gs_fail(err, GS_ERR_DATA, "%s: time.every: not a length of time such as 100ms",
                       m->records.name);
    if (gpu->kind == GS_VALUE_TURNS &&
        (gs_count_parse(gpu->text, GPUS_MAX, &m->n_turns) != GS_NUMBER_OK || m->n_turns == 0))
        return gs_fail(err, GS_ERR_DATA, "%s: gpu.turns: not a number of GPUs from 1 to %d",
                       m->records.name, GPUS_MAX);
    return GS_OK;
}

enum gs_status gs_mapper_bind(struct gs_mapper *m, struct gs_err *err)
{
    const struct gs_source *const f = m->source;
    const struct {
        const struct gs_map_value *value;
        const char *name;
        struct gs_bound_value *bound;
        bool is_time;
    } values[] = {
        {&f->time, "time", &m->time, true},     {&f->start, "start", &m->start, true},
        {&f->stop, "stop", &m->stop, true},     {&f->duration, "duration", &m->duration, true},
        {&f->host, "host", &m->host, false},    {&f->gpu, "gpu", &m->gpu, false},
        {&f->job, "job", &m->job, false},       {&f->task, "task", &m->task, false},
        {&f->event, "event", &m->event, false},
    };
    GS_TRY(gs_where_bind(&m->where, &f->where, &m->records, err));
    if (f->where.n > 0)
        GS_TRY(ask(m, m->where.column, f->where.n, err));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        GS_TRY(bind_value(m, values[i].value, values[i].name, values[i].bound, err));
        if (values[i].is_time)
            GS_TRY(check_time_unit(m, values[i].value, values[i].name, err));
    }
    if (f->phase.column.ptr != NULL) {
        m->phase = gs_record_sink_column(&m->records, f->phase.column);
        if (m->phase == GS_INTERN_NONE)
            return gs_record_sink_full(&m->records, err);
        GS_TRY(ask(m, &m->phase, 1, err));
    }
    GS_TRY(bind_counts(m, err));
    m->chain_ns = GS_MISSING;
    m->ticking = m->place_name = m->merged_name = m->merged_key = m->starts =
        (struct gs_intern){.arena = m->arena, .seed = m->options->seed};
    m->gpu_key = (struct gs_buf){.arena = m->arena};
    for (int k = 0; k < GS_OTHER_NAMES; k++)
        m->other[k] = GS_INTERN_NONE;
    GS_TRY(bind_metrics(m, err));
    return bind_attributes(m, err);
}
