/* map_load.c - the files of a map into a dataset: by the scanner where it can, else row by row. */
#include "input/import/map_load.h"

#include <string.h>

#include "input/import/gpu_names.h"
#include "input/import/map_agree.h"
#include "input/import/sanity.h"
#include "input/import/map_fast.h"
#include "input/schema/pattern.h"
#include "input/import/rows.h"
#include "base/os/replayable_input.h"
#include "input/import/held_rejects.h"
#include "input/import/map_needed.h"
#include "input/import/pass_plan.h"
#include "input/detect/manifest.h"

/* One file of a source on its way into the dataset. */
struct input {
    struct gs_mapped_source *of;
    const char *path;
    struct gs_mapped_file *file;
    struct gs_mapper_options options;
    struct gs_input_form form;
    const struct gs_metric **metric;
    enum gs_pool gpu_pool; /* what the gpu of samples is */
    bool drops_gpu;        /* no samples tell GPUs apart: events of one GPU are the host's */
    struct gs_rows *rows;  /* while it is read */
    struct gs_attribute_text *attribute; /* [attributes + metrics of events] */
    char (*own)[GS_REAL_TEXT_MAX];
    const struct gs_load_options *load;
    const char *name;
};

/* The prefix GPU- or MIG- is stronger evidence than the column's name. */
static enum gs_status give_sample(void *context, const struct gs_mapped_sample *row,
                                  struct gs_err *err)
{
    struct input *const in = context;
    struct gs_sample s = {.t_ns = row->t_ns,
                          .host = row->host,
                          .job = row->job,
                          .value = row->value,
                          .gpu = {.serial = row->serial, .index = row->index, .card = row->card}};
    if (gs_is_uuid(row->gpu) || (in->gpu_pool == GS_POOL_UUID && row->gpu.ptr != NULL))
        s.gpu.uuid = row->gpu;
    else if (in->gpu_pool == GS_POOL_SERIAL)
        s.gpu.serial = row->gpu;
    else
        s.gpu.index = row->gpu;
    gs_rows_begin(in->rows, row->line);
    return gs_rows_sample(in->rows, &s, err);
}

/*
 * The tool's own readings of a span are attributes: own_NAME. Attributes and not metrics: a
 * profiler's power of a span must not be averaged with samples.
 */
static size_t put_own(struct input *in, const struct gs_mapped_event *row, size_t n)
{
    const struct gs_map_fields *const metrics = &in->of->source->metrics;
    for (size_t k = 0; k < metrics->n; k++) {
        if (row->own[k] == GS_MISSING)
            continue;
        const int len = gs_real_format(in->own[k], (double)row->own[k] / (double)GS_FIXED_ONE);
        in->attribute[n++] =
            (struct gs_attribute_text){metrics->item[k].name, {in->own[k], (size_t)len}};
    }
    return n;
}

static enum gs_status give_event(void *context, const struct gs_mapped_event *row,
                                 struct gs_err *err)
{
    struct input *const in = context;
    const struct gs_map_fields *const attributes = &in->of->source->attributes;
    size_t n = 0;
    for (size_t k = 0; k < attributes->n; k++)
        if (row->attribute[k].ptr != NULL)
            in->attribute[n++] =
                (struct gs_attribute_text){attributes->item[k].name, row->attribute[k]};
    n = put_own(in, row, n);
    const struct gs_event e = {.name = row->event,
                               .host = row->host,
                               .gpu = row->gpu,
                               .n_hosts = row->n_hosts,
                               .n_gpus = in->drops_gpu ? 0 : row->n_gpus,
                               .job = row->job,
                               .task = row->task,
                               .attribute = in->attribute,
                               .n_attributes = n};
    gs_rows_begin(in->rows, row->line);
    return row->is_mark && row->stop_ns == GS_MISSING
               ? gs_rows_mark(in->rows, row->start_ns, row->is_stop, &e, err)
               : gs_rows_span(in->rows, row->start_ns, row->stop_ns, &e, err);
}

/* x, y and level have columns of their own if they are whole numbers; other values stay texts. */
static enum gs_status give_task(void *context, const struct gs_mapped_task *row, struct gs_err *err)
{
    static const char *const numbers[] = {"x", "y", "level"};
    struct input *const in = context;
    const struct gs_map_fields *const attributes = &in->of->source->attributes;
    int64_t value[3] = {GS_MISSING, GS_MISSING, GS_MISSING};
    size_t n = 0;
    for (size_t k = 0; k < attributes->n; k++) {
        int64_t fixed;
        bool rounded = false, number = false;
        for (int i = 0; i < 3 && row->attribute[k].ptr != NULL; i++)
            if (gs_str_eq(attributes->item[k].name, gs_str(numbers[i])) &&
                gs_fixed_parse(row->attribute[k], &fixed, &rounded) == GS_NUMBER_OK && !rounded &&
                fixed % GS_FIXED_ONE == 0) {
                value[i] = fixed / GS_FIXED_ONE;
                number = true;
            }
        if (!number && row->attribute[k].ptr != NULL)
            in->attribute[n++] =
                (struct gs_attribute_text){attributes->item[k].name, row->attribute[k]};
    }
    const struct gs_task t = {.job = row->job,
                              .task = row->task,
                              .x = value[0],
                              .y = value[1],
                              .level = value[2],
                              .attribute = in->attribute,
                              .n_attributes = n};
    gs_rows_begin(in->rows, row->line);
    return gs_rows_task(in->rows, &t, err);
}

static enum gs_status reject_row(void *context, uint64_t line, const char *reason,
                                 struct gs_str row, struct gs_err *err)
{
    struct input *const in = context;
    gs_rows_begin(in->rows, line);
    return gs_rows_reject(in->rows, reason, row, err);
}

static enum gs_status read_input(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                                 struct gs_err *err)
{
    struct input *const in = *(struct input *const *)context;
    const struct gs_mapped_sink sink = {give_sample, give_event, give_task, in};
    in->rows = rows;
    in->options.reject_context = in;
    in->options.reject = in->load->reject == NULL ? NULL : reject_row;
    const enum gs_status s = gs_map_bytes(in->of->source, in->path, source, &in->options, &sink,
                                          &in->of->found, in->file, err);
    rows->gather->rounded |= in->file->rounded;
    rows->gather->time.rounded |= in->file->rounded_time;
    return s;
}

/*
 * The context of a form is `const void *`, while reading writes into the input; hence the pointer
 * to a pointer.
 */
static enum gs_status prepare(struct input *in, struct gs_mapped_source *of, size_t k,
                              const struct gs_load_options *o, struct gs_arena *arena,
                              struct gs_err *err)
{
    const struct gs_source *const s = of->source;
    struct input **const self = gs_arena_take(arena, 1, sizeof *self);
    struct gs_buf name = {.arena = arena};
    *in = (struct input){
        .of = of,
        .path = s->path.item[k].ptr,
        .file = &of->file[k],
        .gpu_pool = gs_gpu_pool(s),
        .load = o,
        .options = {.zone = o->zone, .seed = o->seed, .bad_is_missing = o->bad_is_missing}};
    in->metric = gs_arena_take(arena, s->metrics.n, sizeof *in->metric);
    in->attribute = gs_arena_take(arena, s->attributes.n + s->metrics.n, sizeof *in->attribute);
    in->own = gs_arena_take(arena, s->metrics.n, sizeof *in->own);
    gs_buf_escaped(&name, gs_file_called(gs_str(in->path)), 512);
    if (self == NULL || in->metric == NULL || in->attribute == NULL || in->own == NULL ||
        name.failed)
        return gs_fail_memory(err);
    in->name = gs_buf_str(&name).ptr;
    for (size_t m = 0; m < s->metrics.n; m++) {
        in->metric[m] = gs_metric_find(s->metrics.item[m].name);
        if (in->metric[m] == NULL)
            in->metric[m] = gs_metric_new(s->metrics.item[m].name, arena);
        if (in->metric[m] == NULL)
            return gs_fail_memory(err);
    }
    *self = in;
    in->form = (struct gs_input_form){.context = self, .read = read_input};
    if (s->role == GS_ROLE_SAMPLES) {
        in->form.metric = in->metric;
        in->form.n_metrics = (uint32_t)s->metrics.n;
    }
    return GS_OK;
}

/* The name of a file without folders and endings: what samples that name no host are shown as. */
static struct gs_str stem_of(struct gs_str file)
{
    const char *const path = gs_file_called(file).ptr;
    const char *const slash = strrchr(path, '/');
    const char *const name = slash == NULL ? path : slash + 1;
    const char *const point = strchr(name + (name[0] == '.'), '.');
    return (struct gs_str){name,
                           point == NULL || point == name ? strlen(name) : (size_t)(point - name)};
}

/* A malformed row is set aside when it is read: here hosts are looked for. */
static enum gs_status pass_over(void *context, uint64_t line, const char *reason, struct gs_str row,
                                struct gs_err *err)
{
    (void)context, (void)line, (void)reason, (void)row, (void)err;
    return GS_OK;
}

/*
 * If the events name exactly one host, samples without a host are that host's. This reads the
 * events once more; standard input cannot be read twice and is left out.
 */
enum gs_status gs_map_host(const struct gs_map *map, const struct gs_load_options *o,
                           struct gs_arena *arena, struct gs_str *host, struct gs_err *err)
{
    const struct gs_mapped_sink sink = {0};
    const struct gs_mapper_options options = {
        .zone = o->zone, .seed = o->seed, .reject = o->reject == NULL ? NULL : pass_over};
    struct gs_mapped_found found = {.host = {.arena = arena, .seed = o->seed},
                                    .gpu = {.arena = arena, .seed = o->seed}};
    enum gs_status s = GS_OK;
    *host = (struct gs_str){NULL, 0};
    bool asks = false;
    for (size_t i = 0; i < map->n_sources; i++)
        if (map->source[i].role == GS_ROLE_SAMPLES && map->source[i].host.kind == GS_VALUE_NONE) {
            *host = host->ptr == NULL ? stem_of(map->source[i].path.item[0]) : *host;
            asks = true;
        }
    for (size_t i = 0; s == GS_OK && asks && i < map->n_sources; i++) {
        const struct gs_source *const e = &map->source[i];
        for (size_t k = 0; s == GS_OK && e->role == GS_ROLE_EVENTS &&
                           e->host.kind != GS_VALUE_NONE && k < e->path.n;
             k++) {
            struct gs_mapped_file file;
            if (strcmp(e->path.item[k].ptr, "-") != 0)
                s = gs_map_file(e, e->path.item[k].ptr, &options, &sink, &found, &file, err);
        }
    }
    if (found.host.n == 1)
        *host = found.host.text[0];
    return s;
}

/* The host that a constant of the map gives a file; ptr == NULL: none. */
static enum gs_status host_of_file(const struct gs_source *s, size_t k, struct gs_str *host,
                                   struct gs_err *err)
{
    struct gs_kept kept = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
    *host = s->host.kind == GS_VALUE_TEXT ? s->host.text : (struct gs_str){NULL, 0};
    if (s->host.kind != GS_VALUE_FILE)
        return GS_OK;
    if (!gs_pattern_match_path(s->host.text, s->path.item[k], &kept) || kept.part.ptr == NULL)
        return gs_fail(err, GS_ERR_DATA, "a file's name does not fit its pattern");
    *host = kept.part;
    return GS_OK;
}

/*
 * Do the samples tell GPUs apart, or are there none? An event of GPU 1 can only be joined with
 * samples that name GPUs; else it is the whole host's.
 */
static bool samples_name_gpus(const struct gs_map *map)
{
    bool any = false, names = false;
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        any |= s->role == GS_ROLE_SAMPLES;
        names |= s->role == GS_ROLE_SAMPLES && s->gpu.kind != GS_VALUE_NONE;
        for (size_t k = 0; s->role == GS_ROLE_SAMPLES && k < s->metrics.n; k++)
            names |= s->metrics.item[k].value.kind == GS_VALUE_COLUMNS &&
                     gs_str_find(s->metrics.item[k].value.text, "{gpu}") <
                         s->metrics.item[k].value.text.len;
    }
    return names || !any;
}

/*
 * One way of reading the samples: with the scanner where `fast` says so. With the scanner,
 * rejected rows are held back until its reading counts: after a refusal the mapper reads the same
 * rows again, and they would be written twice.
 */
static enum gs_status load_once(struct gs_map *map, const struct gs_load_options *options,
                                bool fast, struct gs_str host, struct gs_arena *arena,
                                struct gs_mapped_source *source, struct gs_dataset *d,
                                struct gs_notes *notes, struct gs_err *err)
{
    struct gs_load_options o = *options;
    size_t n = 0, n_first = 0;
    struct gs_held_rejects held = {.arena = arena};
    for (size_t i = 0; i < map->n_sources; i++)
        held.source = map->source[i].role == GS_ROLE_SAMPLES ? &map->source[i] : held.source;
    if (fast && o.reject != NULL) {
        o.reject = gs_reject_defer;
        o.reject_context = &held;
    }
    o.zone_told |= fast; /* as the mapper does, see gs_mapped_notes */
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < map->n_sources; i++)
        n += map->source[i].path.n;
    const bool has_gpus = samples_name_gpus(map);
    struct gs_input *const inputs = gs_arena_take(arena, n, sizeof *inputs);
    struct input *const own = gs_arena_take(arena, n, sizeof *own);
    struct gs_str *const hosts = gs_arena_take(arena, n, sizeof *hosts);
    if (inputs == NULL || own == NULL || hosts == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0, at = 0; s == GS_OK && i < map->n_sources; i++) {
        struct gs_mapped_source **const q = gs_arena_take(arena, 1, sizeof *q);
        if (q == NULL || !gs_mapped_source_init(&source[i], &map->source[i], o.seed, arena))
            return gs_fail_memory(err);
        const struct gs_source *const from = &map->source[i];
        *q = &source[i];
        const bool scans = fast && from->role == GS_ROLE_SAMPLES;
        n_first = scans ? at : n_first;
        for (size_t k = 0; s == GS_OK && k < from->path.n; k++, at++) {
            s = prepare(&own[at], &source[i], k, options, arena, err);
            if (from->role == GS_ROLE_SAMPLES)
                own[at].form.host = host;
            own[at].drops_gpu = !has_gpus;
            if (scans && s == GS_OK) {
                own[at].form.context = q;
                own[at].form.read = NULL;
                own[at].form.bind = gs_map_bind;
                own[at].form.delimiter =
                    from->separator.ptr == NULL ? '\0' : from->separator.ptr[0];
                s = host_of_file(from, k, &hosts[at], err);
                own[at].form.host = hosts[at].ptr != NULL ? hosts[at] : own[at].form.host;
            }
            inputs[at] = (struct gs_input){.kind = gs_table_of_role(from->role),
                                           .path = own[at].path,
                                           .name = own[at].name,
                                           .form = &own[at].form};
        }
    }
    o.input = inputs;
    o.n_inputs = n;
    if (s == GS_OK)
        s = gs_load(&o, arena, d, notes, err);
    for (size_t i = 0; s == GS_OK && fast && i < map->n_sources; i++)
        if (map->source[i].role == GS_ROLE_SAMPLES &&
            !gs_map_fast_found(d, n_first, hosts + n_first, &source[i]))
            s = gs_fail(err, GS_ERR_DATA, "what the scanner does not settle");
    return s == GS_OK ? gs_rejects_hand_on(&held, options, err) : s;
}

/*
 * The source with those of its files alone that are not left out, and one of those in any case.
 * Only the files that this shard reads decide whether the scanner can be used.
 */
static bool store_read(struct gs_source *s, const struct gs_load_options *o, struct gs_arena *arena)
{
    struct gs_input *const input = gs_arena_take(arena, s->path.n, sizeof *input);
    struct gs_texts kept = {0};
    struct gs_manifest whole;
    bool ok = input != NULL;
    for (size_t k = 0; ok && k < s->path.n; k++)
        input[k] = (struct gs_input){.path = s->path.item[k].ptr, .name = s->path.item[k].ptr};
    if (!ok || gs_manifest_leave_out(input, s->path.n, o, arena, &whole, NULL) != GS_OK)
        return ok; /* who reads them says what is wrong */
    for (size_t k = 0; ok && k < s->path.n; k++)
        ok = input[k].left_out || gs_texts_add(&kept, s->path.item[k], arena);
    s->path = kept;
    return ok;
}

/*
 * One source of samples, and that of a kind which the scanner reads. Two sources of samples need
 * gs_map_agree's view of each, which only the mapper collects.
 */
static bool is_fast(const struct gs_map *map, const struct gs_load_options *o)
{
    struct gs_arena own = {0};
    size_t n = 0;
    bool fast = true;
    for (size_t i = 0; i < map->n_sources; i++)
        if (map->source[i].role == GS_ROLE_SAMPLES) {
            struct gs_source read = map->source[i];
            n++;
            fast = fast && store_read(&read, o, &own) && gs_map_is_fast(&read, &o->zone);
        }
    gs_arena_release(&own);
    return fast && n == 1;
}

/* Is no host of the samples one that something names? */
static bool assumes_hosts(const struct gs_map *map)
{
    bool any = false, all = true;
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_SAMPLES)
            continue;
        any = true;
        all &= s->host.kind == GS_VALUE_NONE;
        for (size_t k = 0; k < s->metrics.n; k++)
            all &= s->metrics.item[k].value.kind != GS_VALUE_COLUMNS ||
                   gs_str_find(s->metrics.item[k].value.text, "{host}") ==
                       s->metrics.item[k].value.text.len;
    }
    return any && all;
}

static bool counts_times(const struct gs_map *map)
{
    bool any = false, all = true;
    for (size_t i = 0; i < map->n_sources; i++) {
        any |= map->source[i].role == GS_ROLE_SAMPLES;
        all &= map->source[i].role != GS_ROLE_SAMPLES || map->source[i].time.kind == GS_VALUE_EVERY;
    }
    return any && all;
}

/* Do several sources hold samples, a metric or more each? */
static bool has_several_samples(const struct gs_map *map)
{
    size_t n = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        n += map->source[i].role == GS_ROLE_SAMPLES;
    return n > 1;
}

/* Is a reading told by another column of its row? */
static bool has_long_rows(const struct gs_map *map)
{
    bool any = false;
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; map->source[i].role == GS_ROLE_SAMPLES && k < map->source[i].metrics.n;
             k++)
            any |= map->source[i].metrics.item[k].value.where.n > 0;
    return any;
}

static const struct gs_map_value *power_column(const struct gs_map_fields *f, const char *name)
{
    for (size_t k = 0; k < f->n; k++)
        if (gs_str_eq(f->item[k].name, gs_str(name)) && f->item[k].value.kind == GS_VALUE_COLUMN &&
            f->item[k].value.where.n == 0)
            return &f->item[k].value;
    return NULL;
}

/* The metric that stands in for power_w: one that the map takes from the same column. */
static uint32_t metric_of_power(const struct gs_map *map, const struct gs_dataset *d)
{
    static const char *const others[] = {"power_instant_w", "power_average_w"};
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_map_fields *const f = &map->source[i].metrics;
        const struct gs_map_value *const own = power_column(f, "power_w");
        for (size_t k = 0; map->source[i].role == GS_ROLE_SAMPLES && own != NULL && k < 2; k++) {
            const struct gs_map_value *const other = power_column(f, others[k]);
            if (other != NULL && gs_str_eq(own->column.item[0], other->column.item[0]))
                return gs_metrics_find(d->metric, d->n_metrics, gs_str(others[k]));
        }
    }
    return GS_POWER;
}

/*
 * Can all files be read a second time? The scanner may refuse after it has read everything; a
 * pipe would be empty by then.
 */
static bool is_repeatable(const struct gs_map *map)
{
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++)
            if (!gs_is_regular(map->source[i].path.item[k].ptr))
                return false;
    return true;
}

/*
 * First with the scanner if it can, then with the mapper: both must give the same dataset. Notes
 * of a failed attempt are dropped with it.
 */
enum gs_status gs_map_load(struct gs_map *map, const struct gs_load_options *options,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err)
{
    struct gs_dataset d;
    struct gs_str host;
    const struct gs_mapper_options shown = {.zone = options->zone};
    enum gs_status s = gs_map_prune(map, options, notes, err);
    if (s == GS_OK)
        s = gs_map_host(map, options, arena, &host, err);
    if (s != GS_OK)
        return s;
    struct gs_mapped_source *const source = gs_arena_take(arena, map->n_sources, sizeof *source);
    if (source == NULL)
        return gs_fail_memory(err);
    const bool is_first = gs_pass_plan_learned(options->survey) == NULL;
    bool fast = is_fast(map, options) && is_repeatable(map);
    if (fast) {
        struct gs_err fault = {GS_OK, ""};
        struct gs_notes own = {.arena = arena};
        s = load_once(map, options, true, host, arena, source, &d, &own, &fault);
        if (s == GS_OK)
            gs_notes_add(notes, &own);
        else if (s != GS_ERR_DATA)
            return gs_fail(err, s, "%s", fault.text);
        fast = s == GS_OK; /* what the scanner refuses, the mapper takes or says */
    }
    if (!fast && is_first && options->survey != NULL)
        options->survey->learned = false; /* what the scanner had taken is taken again */
    if (!fast)
        s = load_once(map, options, false, host, arena, source, &d, notes, err);
    if (options->survey != NULL) /* what all rows together mean is found out in every pass */
        options->survey->skips = false;
    if (s == GS_OK && !d.is_part) /* of a part: its split has seen all */
        s = gs_map_agree(source, map->n_sources, zone_given, arena, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < map->n_sources; i++)
        gs_mapped_notes(source[i].source, source[i].file, &shown, notes);
    d.hosts_assumed = assumes_hosts(map);
    d.power_metric = metric_of_power(map, &d);
    d.has_long_rows = has_long_rows(map);
    d.rows_complete = d.has_long_rows || has_several_samples(map);
    d.counted_times = counts_times(map);
    d.n_set_aside = 0; /* rejected rows are among those of the files */
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; map->source[i].role == GS_ROLE_SAMPLES && k < map->source[i].path.n; k++)
            d.n_set_aside += source[i].file[k].n_set_aside;
    s = gs_sanity_check(&d, !options->divides_jobs, notes, err);
    if (s == GS_OK && options->n_shards <= 1 && options->survey == NULL && !d.is_part)
        s = gs_sanity_jobs(&d, notes, err);
    if (s == GS_OK)
        *dataset = d;
    return s;
}
