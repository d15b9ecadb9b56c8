/* map_fast.c - a map's columns handed to the scanner. */
#include "input/import/map_fast.h"

#include "input/import/gpu_names.h"
#include "base/os/replayable_input.h"

#include "data/tables/packed_rows.h"
#include "input/import/form_rows.h"
#include "input/import/map_needed.h"

static bool is_plain(const struct gs_map_value *v)
{
    return v->kind == GS_VALUE_NONE || (v->kind == GS_VALUE_COLUMN && v->like.ptr == NULL &&
                                        !v->many && v->n_names == 0 && v->where.n == 0);
}

/*
 * A regular file that begins as text does, not with the mark of UTF-16. A limit of 1 byte makes
 * the reader decode one piece only, which is enough to know the encoding.
 */
static bool is_plain_file(const char *path)
{
    GS_OWN struct gs_arena own = {0};
    GS_CLOSES_TEXT struct gs_text_in in = {0};
    struct gs_str piece;
    return gs_is_regular(path) && gs_text_open(&in, path, 1, &own, NULL) == GS_OK &&
           gs_text_piece(&in, &piece, NULL) == GS_OK && in.encoding == 0 && !in.latin1;
}

static bool is_constant(const struct gs_map_value *v)
{
    return (v->kind == GS_VALUE_TEXT || v->kind == GS_VALUE_FILE) && v->like.ptr == NULL &&
           v->n_names == 0;
}

/* Is the zone of a source that of --tz? */
static bool is_zone(struct gs_str text, const struct gs_zone *zone)
{
    int32_t offset_s = 0;
    if (zone->name != NULL)
        return gs_str_eq(text, gs_str(zone->name));
    return gs_zone_parse(text, &offset_s) && offset_s == zone->offset_s;
}

/*
 * What the two let through must mean the same to the scanner and the mapper. A new field of struct
 * gs_source that changes how rows are read must be asked for here, or the scanner ignores it.
 */
static bool has_plain_rows(const struct gs_source *s, const struct gs_zone *zone)
{
    const bool rows = gs_source_form(s)->delimited ? s->where.n == 0 : gs_form_rows_fit(s);
    return rows && s->skip <= 0 && (s->header < 0 || s->header == 1) && s->columns.n == 0 &&
           !s->cut_cells && (s->separator.ptr == NULL || s->separator.len == 1) &&
           s->origin.kind == GS_VALUE_NONE && s->shift.ptr == NULL &&
           (s->zone.ptr == NULL || is_zone(s->zone, zone));
}

static bool has_plain_values(const struct gs_source *s)
{
    bool plain = s->job.kind == GS_VALUE_NONE && is_plain(&s->gpu) &&
                 (is_plain(&s->host) || is_constant(&s->host));
    for (size_t i = 0; i < s->metrics.n; i++) {
        const struct gs_map_value *const v = &s->metrics.item[i].value;
        plain &= v->kind == GS_VALUE_COLUMN && is_plain(v);
    }
    return plain;
}

/* Rows that are marked START or STOP and name no GPU; of several files, they name their host. */
static bool has_plain_marks(const struct gs_source *s)
{
    const struct gs_map_phase *const p = &s->phase;
    return (s->path.n == 1 || s->host.kind == GS_VALUE_COLUMN) && p->kind == GS_PHASE_PAIRS &&
           p->column.ptr != NULL && gs_str_eq(p->start, gs_str("START")) &&
           gs_str_eq(p->stop, gs_str("STOP")) && s->metrics.n + s->attributes.n == 0 &&
           s->duration.kind == GS_VALUE_NONE && s->gpu.kind == GS_VALUE_NONE &&
           s->event.kind == GS_VALUE_COLUMN && is_plain(&s->event) && is_plain(&s->host) &&
           is_plain(&s->job) && is_plain(&s->task);
}

/* The columns of a task that are whole numbers: they have places of their own in the table. */
static const struct {
    const char *name;
    uint16_t column;
} task_numbers[] = {{"x", GS_TASK_X}, {"y", GS_TASK_Y}, {"level", GS_TASK_LEVEL}};

enum { N_TASK_NUMBERS = sizeof task_numbers / sizeof *task_numbers };

static size_t task_number(struct gs_str attribute)
{
    size_t k = 0;
    while (k < N_TASK_NUMBERS && !gs_str_eq(attribute, gs_str(task_numbers[k].name)))
        k++;
    return k;
}

/* Rows of a task, of which no more is said than three numbers. */
static bool has_plain_tasks(const struct gs_source *s)
{
    bool plain = s->task.kind == GS_VALUE_COLUMN && is_plain(&s->task) && is_plain(&s->job);
    for (size_t i = 0; i < s->attributes.n; i++) {
        const struct gs_map_field *const f = &s->attributes.item[i];
        plain &= f->value.kind == GS_VALUE_COLUMN && is_plain(&f->value) &&
                 task_number(f->name) < N_TASK_NUMBERS;
    }
    return plain;
}

static bool has_plain_times(const struct gs_source *s)
{
    struct gs_name time;
    if (s->time.kind != GS_VALUE_COLUMN || !is_plain(&s->time) ||
        (s->time.unit.ptr != NULL && gs_source_form(s)->delimited))
        return false;
    gs_name_split(s->time.column.item[0], &time);
    return time.unit.quantity != GS_Q_TIME;
}

bool gs_map_is_fast(const struct gs_source *s, const struct gs_zone *zone)
{
    static bool (*const has_plain[GS_N_ROLES])(const struct gs_source *) = {
        [GS_ROLE_SAMPLES] = has_plain_values,
        [GS_ROLE_EVENTS] = has_plain_marks,
        [GS_ROLE_TASKS] = has_plain_tasks};
    bool fast = has_plain_rows(s, zone) && (s->role == GS_ROLE_TASKS || has_plain_times(s)) &&
                has_plain[s->role](s);
    for (size_t i = 0; fast && i < s->path.n; i++)
        fast = is_plain_file(s->path.item[i].ptr);
    return fast;
}

struct binder {
    const struct gs_input *input;
    const struct gs_str *field;
    size_t n_fields;
    struct gs_binding *b;
    struct gs_arena *arena;
};

/*
 * Any failure here is GS_ERR_DATA, upon which gs_map_load reads the files with the mapper
 * instead; the user sees the mapper's message.
 */
static enum gs_status add(const struct binder *k, struct gs_str column, struct gs_bound one,
                          struct gs_err *err)
{
    struct gs_buf name = {.arena = k->arena};
    size_t at = 0;
    while (at < k->n_fields && !gs_str_eq(k->field[at], column))
        at++;
    gs_buf_escaped(&name, column, 128);
    if (at == k->n_fields)
        return gs_fail(err, GS_ERR_DATA, "%s:1: no column '%s'", k->input->name,
                       GS_SHOWN(column, 128));
    GS_TRY(gs_had_memory(!name.failed, err));
    one.field = (uint16_t)at;
    one.name = gs_buf_str(&name).ptr;
    /* One column for two things, of which not both are readings: the mapper's. */
    for (size_t i = 0; i < k->b->n_bound; i++)
        if (k->b->bound[i].field == at &&
            (k->b->bound[i].kind != GS_BIND_FIXED || one.kind != GS_BIND_FIXED))
            return gs_fail(err, GS_ERR_DATA, "%s:1: column '%s' is named twice", k->input->name,
                           one.name);
    gs_binding_add(k->b, one);
    return GS_OK;
}

/* The GPU's column, the serial and index that may stand beside a UUID, and the card, as the mapper finds them. */
static enum gs_status add_gpu(const struct binder *k, struct gs_mapped_source *of,
                              struct gs_err *err)
{
    const struct gs_source *const s = of->source;
    const struct gs_bound name = {
        .column = GS_NOT_STORED, .kind = GS_BIND_NAME, .may_be_empty = true, .unit = GS_UNIT_NONE};
    static const uint8_t pools[GS_OTHER_NAMES] = {[GS_OTHER_SERIAL] = GS_POOL_SERIAL,
                                                  [GS_OTHER_INDEX] = GS_POOL_INDEX,
                                                  [GS_OTHER_CARD] = GS_POOL_CARD,
                                                  [GS_OTHER_USER] = GS_POOL_USER,
                                                  [GS_OTHER_ACCOUNT] = GS_POOL_ACCOUNT};
    const bool named = s->gpu.kind != GS_VALUE_NONE;
    uint32_t other[GS_OTHER_NAMES];
    struct gs_bound one = name;
    one.pool = named ? (uint8_t)gs_gpu_pool(s) : GS_N_POOLS;
    if (named)
        GS_TRY(add(k, s->gpu.column.item[0], one, err));
    gs_gpu_other_names(s, k->field, NULL, k->n_fields, other);
    for (int i = 0; i < GS_OTHER_NAMES; i++) {
        struct gs_bound beside = name;
        beside.pool = pools[i];
        if (other[i] == GS_INTERN_NONE)
            continue;
        if (beside.pool == one.pool)
            of->passed_over = true;
        else
            GS_TRY(add(k, k->field[other[i]], beside, err));
    }
    return GS_OK;
}

/* A name of a column of its own, which may be empty but for those of hosts and events. */
static enum gs_status add_name(const struct binder *k, const struct gs_map_value *v,
                               uint16_t column, enum gs_pool pool, struct gs_err *err)
{
    struct gs_binding *const b = k->b;
    const struct gs_bound one = {.column = column,
                                 .kind = GS_BIND_NAME,
                                 .pool = (uint8_t)pool,
                                 .may_be_empty = pool != GS_POOL_HOST && pool != GS_POOL_EVENT,
                                 .unit = GS_UNIT_NONE};
    if (v->kind == GS_VALUE_COLUMN)
        return add(k, v->column.item[0], one, err);
    if (column != GS_NOT_STORED) {
        b->constant[b->n_constant].column = column;
        b->constant[b->n_constant++].pool = (uint8_t)pool;
    }
    return GS_OK;
}

static enum gs_status add_marks(const struct binder *k, const struct gs_source *s,
                                struct gs_err *err)
{
    GS_TRY(add(k, s->phase.column,
               (struct gs_bound){.column = GS_CHECKPOINT_IS_STOP,
                                 .kind = GS_BIND_EVENT_TYPE,
                                 .unit = GS_UNIT_NONE},
               err));
    GS_TRY(add_name(k, &s->event, GS_CHECKPOINT_EVENT, GS_POOL_EVENT, err));
    GS_TRY(add_name(k, &s->job, GS_CHECKPOINT_JOB, GS_POOL_JOB, err));
    return add_name(k, &s->task, GS_CHECKPOINT_TASK, GS_POOL_TASK, err);
}

static enum gs_status add_task(const struct binder *k, const struct gs_source *s,
                               struct gs_err *err)
{
    GS_TRY(add_name(k, &s->task, GS_TASK_TASK, GS_POOL_TASK, err));
    GS_TRY(add_name(k, &s->job, GS_TASK_JOB, GS_POOL_JOB, err));
    for (size_t i = 0; i < s->attributes.n; i++) {
        const struct gs_map_field *const f = &s->attributes.item[i];
        GS_TRY(add(k, f->value.column.item[0],
                   (struct gs_bound){.column = task_numbers[task_number(f->name)].column,
                                     .kind = GS_BIND_INT,
                                     .unit = GS_UNIT_NONE},
                   err));
    }
    return GS_OK;
}

/* Whose a row of samples or marks is, and when. */
static enum gs_status add_place(const struct binder *k, struct gs_mapped_source *of,
                                struct gs_err *err)
{
    const struct gs_source *const s = of->source;
    _Static_assert((int)GS_SAMPLE_TIME == (int)GS_CHECKPOINT_TIME, "both begin with their time");
    GS_TRY(
        add(k, s->time.column.item[0],
            (struct gs_bound){.column = GS_SAMPLE_TIME, .kind = GS_BIND_TIME, .unit = GS_UNIT_NONE},
            err));
    GS_TRY(add_name(k, &s->host, GS_NOT_STORED, GS_POOL_HOST, err));
    return s->role == GS_ROLE_SAMPLES ? add_gpu(k, of, err) : add_marks(k, s, err);
}

/* A header is kept only for logs: it makes gs_scan accept the header again and a torn last row. */
enum gs_status gs_map_bind(const void *context, const struct gs_input *input,
                           const struct gs_str *field, size_t n_fields, struct gs_arena *arena,
                           struct gs_binding *binding, struct gs_err *err)
{
    struct gs_mapped_source *const of = *(struct gs_mapped_source *const *)context;
    const struct gs_source *const s = of->source;
    struct gs_binding b = {.kind = gs_table_of_role(s->role), .n_fields = n_fields};
    const struct binder k = {input, field, n_fields, &b, arena};
    GS_TAKE(b.bound, s->metrics.n + s->attributes.n + 6, arena, err);
    GS_TRY(s->role == GS_ROLE_TASKS ? add_task(&k, s, err) : add_place(&k, of, err));
    for (size_t i = 0; i < s->metrics.n; i++) {
        const struct gs_map_field *const f = &s->metrics.item[i];
        const struct gs_metric *m = gs_metric_find(f->name);
        struct gs_name split;
        gs_name_split(f->value.column.item[0], &split);
        struct gs_unit unit = f->value.unit.ptr != NULL ? gs_unit_find(f->value.unit) : split.unit;
        if (m == NULL)
            m = gs_metric_new(f->name, arena);
        GS_TRY(gs_had_memory(m != NULL, err));
        const enum gs_quantity q = gs_metric_quantity(m);
        if (unit.quantity != q && f->value.unit.ptr != NULL) /* the mapper says it */
            return gs_fail(err, GS_ERR_DATA, "%s: a unit that is not the metric's", input->name);
        if (unit.quantity != q)
            unit = (struct gs_unit){q, 1, 1, m->unit};
        GS_TRY(add(&k, f->value.column.item[0],
                   (struct gs_bound){.kind = GS_BIND_FIXED, .metric = m, .unit = unit}, err));
    }
    GS_NEW(struct gs_str, header, n_fields, arena, err);
    for (size_t i = 0; i < n_fields; i++)
        GS_TRY(gs_had_memory(gs_str_copy(arena, field[i], &header[i]), err));
    b.header = header;
    *binding = b;
    return GS_OK;
}

/* What only the mapper can judge: sums among the GPUs, an index beside a UUID. */
static bool is_for_mapper(const struct gs_mapped_source *m, const struct gs_gpu *gpu,
                          struct gs_str host)
{
    /* A UUID in a column of indices leaves room for the index beside it, which was not read. */
    return gs_is_no_gpu(gpu, host) ||
           (m->passed_over && gpu->uuid.ptr != NULL && !gs_gpu_has_index_only(gpu) &&
            gs_gpu_pool(m->source) != GS_POOL_UUID);
}

/* What the mapper takes for a missing name, where the scanner took a name. */
static bool has_no_value(const struct gs_intern *names)
{
    bool any = false;
    for (uint32_t i = 0; i < names->n && !any; i++)
        any = names->text[i].len > 0 && gs_is_no_value(names->text[i]);
    return any;
}

/* Marks; those of several files together have the times that the first is told to have. */
static bool found_marks(const struct gs_dataset *d, struct gs_mapped_source *m)
{
    const struct gs_table *const t = &d->table[GS_TABLE_CHECKPOINTS];
    const bool names_hosts = m->source->host.kind != GS_VALUE_NONE;
    struct gs_mapped_file *const f = &m->file[0];
    int64_t from_ns = INT64_MAX, to_ns = INT64_MIN;
    for (size_t i = 0; i < m->source->path.n; i++) {
        struct gs_mapped_file *const one = &m->file[i];
        one->n_without_gpu = one->n_rows - one->n_ignored - one->n_set_aside;
        if (!names_hosts)
            one->n_without_host = one->n_without_gpu;
    }
    if (has_no_value(&d->host) || has_no_value(&d->event))
        return false;
    for (uint32_t h = 0; names_hosts && h < d->host.n; h++)
        if ((d->names_events == NULL ? gs_table_rows_of(t, h) > 0 : d->names_events[h]) &&
            gs_intern_add(&m->found.host, d->host.text[h]) == GS_INTERN_NONE)
            return false;
    if (t->n_rows == 0 || d->names_events != NULL) /* the times of a part are not those of all */
        return true;
    gs_table_widen_range(t, GS_CHECKPOINT_TIME, &from_ns, &to_ns);
    f->from_ns = from_ns;
    f->to_ns = to_ns;
    return from_ns >= GS_TIME_DATED_NS && to_ns < GS_TIME_BEYOND_NS;
}

/* Samples, of which each GPU's are those of the file whose host that is, else of the first. */
static bool found_samples(const struct gs_dataset *d, const struct gs_str *host,
                          struct gs_mapped_source *m)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    const bool names_hosts = m->source->host.kind != GS_VALUE_NONE;
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        const struct gs_gpu *const gpu = &d->gpu[g];
        const struct gs_str name = d->host.text[gpu->host];
        size_t at = 0;
        for (size_t i = 0; i < m->source->path.n; i++)
            if (gs_str_eq(host[i], name))
                at = i;
        struct gs_mapped_file *const f = &m->file[at];
        const bool unnamed =
            gpu->uuid.ptr == NULL && gpu->serial.ptr == NULL && gpu->index.ptr == NULL;
        if (is_for_mapper(m, gpu, names_hosts ? name : GS_NO_STR) ||
            (names_hosts && gs_intern_add(&m->found.host, name) == GS_INTERN_NONE))
            return false;
        int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
        const uint64_t n = gs_table_rows_of(t, g);
        gs_table_widen_range_of(t, g, GS_SAMPLE_TIME, &first_ns, &last_ns);
        if (n > 0 && (first_ns < GS_TIME_DATED_NS || last_ns >= GS_TIME_BEYOND_NS))
            return false;
        if (n > 0) {
            gs_time_widen(&f->from_ns, &f->to_ns, first_ns);
            gs_time_widen(&f->from_ns, &f->to_ns, last_ns);
        }
        f->n_rows += n;
        if (unnamed)
            f->n_without_gpu += n;
        if (!names_hosts)
            f->n_without_host += n;
    }
    return true;
}

/* Counts from the dataset what the mapper counts while it reads. False also for times outside of 2000 to 2100. */
bool gs_map_fast_found(const struct gs_dataset *d, size_t first, const struct gs_str *host,
                       struct gs_mapped_source *m)
{
    const bool of_gpus = m->source->role == GS_ROLE_SAMPLES;
    for (size_t i = 0; i < m->source->path.n; i++) {
        const struct gs_input *const in = &d->input[first + i];
        const uint64_t n_none = in->n_headers + in->torn + in->n_rejected;
        m->file[i] = (struct gs_mapped_file){.n_rows = of_gpus ? n_none : n_none + in->n_rows,
                                             .n_ignored = in->n_headers,
                                             .n_set_aside = in->torn + in->n_rejected,
                                             .n_rejected = in->n_rejected,
                                             .n_bad = in->n_bad,
                                             .bad_line = in->bad_line,
                                             .has_nuls = in->nul_tail,
                                             .from_ns = GS_MISSING,
                                             .to_ns = GS_MISSING,
                                             .by_size = in->by_size,
                                             .zoneless = in->zoneless,
                                             .zoned = !in->zoneless};
    }
    if (!of_gpus && (has_no_value(&d->job) || has_no_value(&d->task)))
        return false;
    if (m->source->role == GS_ROLE_EVENTS)
        return found_marks(d, m);
    return m->source->role == GS_ROLE_TASKS || found_samples(d, host, m);
}
