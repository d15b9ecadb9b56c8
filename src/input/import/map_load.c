/* map_load.c - the files of a map into a dataset: by the scanner where it can, else row by row. */
#include "input/import/map_load.h"

#include <string.h>

#include "base/os/path.h"
#include "input/import/gpu_names.h"
#include "input/import/map_agree.h"
#include "data/tables/sanity.h"
#include "input/import/map_fast.h"
#include "base/core/pattern.h"
#include "input/import/rows.h"
#include "base/os/replayable_input.h"
#include "input/import/held_rejects.h"
#include "input/import/map_needed.h"
#include "input/import/pass_plan.h"
#include "input/import/repeated_hour.h"
#include "input/detect/manifest.h"

/* What the sources of samples of a map are like. */
struct sampled {
    size_t n;
    const struct gs_source *last; /* NULL: there is none                                   */
    bool names_gpus, names_hosts; /* some are told apart by their GPU, by their host       */
    bool counts_times;            /* each by its rows                                      */
    bool has_long_rows;           /* a reading is told by another column of its row        */
};

/* One load of a map. */
struct map_load {
    const struct gs_map *map;
    const struct gs_load_options *options;
    struct gs_arena *arena;
    struct sampled sampled;
    struct gs_str host;              /* of samples that name none */
    struct gs_mapped_source *source; /* [map->n_sources]          */
    bool *scans;                     /* [map->n_sources] by the scanner, in the first attempt */
};

/* One file of a source on its way into the dataset. */
struct input {
    const struct map_load *load;
    struct gs_mapped_source *of;
    size_t k; /* the source's file */
    struct gs_input_form form;
    struct input *self;
};

static bool has_part(const struct gs_map_value *v, const char *part)
{
    return v->kind == GS_VALUE_COLUMNS && gs_str_holds(v->text, part);
}

static struct sampled sampled_by(const struct gs_map *map)
{
    struct sampled all = {.counts_times = true};
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        if (s->role != GS_ROLE_SAMPLES)
            continue;
        all.n++;
        all.last = s;
        all.counts_times &= s->time.kind == GS_VALUE_EVERY;
        all.names_gpus |= s->gpu.kind != GS_VALUE_NONE;
        all.names_hosts |= s->host.kind != GS_VALUE_NONE;
        for (size_t k = 0; k < s->metrics.n; k++) {
            const struct gs_map_value *const v = &s->metrics.item[k].value;
            all.names_gpus |= has_part(v, "{gpu}");
            all.names_hosts |= has_part(v, "{host}");
            all.has_long_rows |= v->where.n > 0;
        }
    }
    return all;
}

/*
 * An event of GPU 1 can only be joined with samples that name GPUs; else, unless there are no
 * samples at all, it is the whole host's.
 */
static enum gs_status read_input(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                                 struct gs_err *err)
{
    struct input *const in = *(struct input *const *)context;
    const struct gs_load_options *const o = in->load->options;
    const struct gs_mapper_options options = {.zone = o->zone,
                                              .seed = o->seed,
                                              .bad_is_missing = o->bad_is_missing,
                                              .sink = {gs_rows_sample, gs_rows_event, gs_rows_task,
                                                       o->reject == NULL ? NULL : gs_rows_reject,
                                                       rows}};
    rows->source = in->of->source;
    rows->gpu_pool = gs_gpu_pool(in->of->source);
    rows->drops_gpu = !in->load->sampled.names_gpus && in->load->sampled.n > 0;
    const enum gs_status s = gs_map_file(in->of, in->k, source, &options, err);
    rows->reader->rounded |= in->of->file[in->k].rounded;
    rows->reader->time.rounded |= in->of->file[in->k].rounded_time;
    return s;
}

/* The metrics of a source; NULL without memory. */
static const struct gs_metric **metrics_of(const struct gs_source *s, struct gs_arena *arena)
{
    const struct gs_metric **const metric = gs_arena_take(arena, s->metrics.n, sizeof *metric);
    for (size_t k = 0; metric != NULL && k < s->metrics.n; k++) {
        metric[k] = gs_metric_find(s->metrics.item[k].name);
        if (metric[k] == NULL)
            metric[k] = gs_metric_new(s->metrics.item[k].name, arena);
        if (metric[k] == NULL)
            return NULL;
    }
    return metric;
}

/*
 * The context of a form is `const void *`, while reading writes into the input; hence pointers
 * to pointers.
 */
static enum gs_status prepare(struct input *in, struct gs_input *input, bool scans,
                              struct gs_err *err)
{
    const struct gs_source *const s = in->of->source;
    struct gs_arena *const arena = in->load->arena;
    const char *const path = s->path.item[in->k].ptr;
    in->self = in;
    in->form = (struct gs_input_form){.context = &in->self, .read = read_input};
    if (s->role == GS_ROLE_SAMPLES) {
        in->form.metric = metrics_of(s, arena);
        in->form.n_metrics = (uint32_t)s->metrics.n;
        in->form.host = in->load->host;
        GS_TRY(gs_had_memory(in->form.metric != NULL, err));
    }
    if (scans) {
        in->form.context = &in->of;
        in->form.read = NULL;
        in->form.bind = gs_map_bind;
        in->form.delimiter = s->separator.ptr == NULL ? '\0' : s->separator.ptr[0];
        in->form.lines = gs_source_form(s)->delimited ? NULL : s;
    }
    *input = (struct gs_input){.kind = gs_table_of_role(s->role),
                               .path = path,
                               .name = gs_escaped(arena, gs_file_called(gs_str(path)), 512),
                               .form = &in->form};
    return gs_had_memory(input->name != NULL, err);
}

/* The name of a file without folders and endings: what samples that name no host are shown as. */
static struct gs_str stem_of(struct gs_str file)
{
    const char *const path = gs_file_called(file).ptr;
    const char *const name = gs_path_last(path);
    const size_t hidden = name[0] == '.';
    return (struct gs_str){name, hidden + strcspn(name + hidden, ".")};
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
    const struct gs_mapper_options options = {
        .zone = o->zone, .seed = o->seed, .sink.reject = o->reject == NULL ? NULL : pass_over};
    struct gs_mapped_source m = {.found = {.host = {.arena = arena, .seed = o->seed},
                                           .gpu = {.arena = arena, .seed = o->seed}}};
    *host = GS_NO_STR;
    for (size_t i = 0; i < map->n_sources && host->ptr == NULL; i++)
        if (map->source[i].role == GS_ROLE_SAMPLES && map->source[i].host.kind == GS_VALUE_NONE)
            *host = stem_of(map->source[i].path.item[0]);
    for (size_t i = 0; host->ptr != NULL && i < map->n_sources; i++) {
        m.source = &map->source[i];
        if (m.source->role != GS_ROLE_EVENTS || m.source->host.kind == GS_VALUE_NONE)
            continue;
        GS_TAKE(m.file, m.source->path.n, arena, err);
        for (size_t k = 0; k < m.source->path.n; k++)
            if (strcmp(m.source->path.item[k].ptr, "-") != 0)
                GS_TRY(gs_map_file(&m, k, NULL, &options, err));
    }
    if (m.found.host.n == 1)
        *host = m.found.host.text[0];
    return GS_OK;
}

/* The host that a constant of the map gives a file; ptr == NULL: none. */
static enum gs_status host_of_file(const struct gs_source *s, size_t k, struct gs_str *host,
                                   struct gs_err *err)
{
    struct gs_kept kept = {GS_NO_STR, GS_NO_STR, GS_NO_STR};
    *host = GS_NO_STR;
    if (s->host.kind == GS_VALUE_TEXT)
        *host = s->host.text;
    if (s->host.kind != GS_VALUE_FILE)
        return GS_OK;
    if (!gs_pattern_match_path(s->host.text, s->path.item[k], &kept) || kept.part.ptr == NULL)
        return gs_fail(err, GS_ERR_DATA, "a file's name does not fit its pattern");
    *host = kept.part;
    return GS_OK;
}

/*
 * Is all that the scanner read what the mapper would have made of it? Fills what the files came to; host: by file. Of
 * several passes the first has seen every row, and the later ones read as it did.
 */
static bool is_settled(const struct map_load *l, const struct gs_dataset *d,
                       const struct gs_str *host)
{
    bool settled = true;
    for (size_t i = 0, at = 0; settled && i < l->map->n_sources; i++) {
        settled = !l->scans[i] || gs_map_fast_found(d, at, host + at, &l->source[i]) ||
                  gs_pass_plan_learned(l->options->pass_plan) != NULL;
        at += l->map->source[i].path.n;
    }
    return settled;
}

/*
 * One way of reading the files: with the scanner where `fast` says so. With the scanner,
 * rejected rows are held back until its reading counts: after a refusal the mapper reads the same
 * rows again, and they would be written twice.
 */
static enum gs_status load_once(const struct map_load *l, bool fast, struct gs_dataset *d,
                                struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_map *const map = l->map;
    struct gs_load_options o = *l->options;
    struct gs_held_rejects held = {.arena = l->arena, .source = l->sampled.last};
    if (fast && o.reject != NULL) {
        o.reject = gs_reject_defer;
        o.reject_context = &held;
    }
    o.zone_told |= fast; /* as the mapper does, see gs_mapped_notes */
    o.n_inputs = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        o.n_inputs += map->source[i].path.n;
    struct gs_input *const inputs = gs_arena_take(l->arena, o.n_inputs, sizeof *inputs);
    struct input *const own = gs_arena_take(l->arena, o.n_inputs, sizeof *own);
    struct gs_str *const hosts = gs_arena_take(l->arena, o.n_inputs, sizeof *hosts);
    o.input = inputs;
    GS_TRY(gs_had_memory(inputs != NULL && own != NULL && hosts != NULL, err));
    for (size_t i = 0, at = 0; i < map->n_sources; i++) {
        struct gs_mapped_source *const of = &l->source[i];
        const bool scans = fast && l->scans[i];
        GS_TRY(gs_had_memory(gs_mapped_source_init(of, &map->source[i], o.seed, l->arena), err));
        for (size_t k = 0; k < of->source->path.n; k++, at++) {
            own[at] = (struct input){.load = l, .of = of, .k = k};
            GS_TRY(prepare(&own[at], &inputs[at], scans, err));
            if (scans)
                GS_TRY(host_of_file(of->source, k, &hosts[at], err));
            if (hosts[at].ptr != NULL)
                own[at].form.host = hosts[at];
        }
    }
    GS_TRY(gs_load(&o, l->arena, d, notes, err));
    if (fast && !is_settled(l, d, hosts))
        return gs_fail(err, GS_ERR_DATA, "what the scanner does not settle");
    return gs_rejects_hand_on(&held, l->options, err);
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
 * Chooses what the scanner reads: the only source of its role, of a kind that it knows; false: nothing. Two sources of
 * one role need gs_map_agree's view of each, which only the mapper collects; and the reasons of rejected rows of events
 * differ.
 */
static bool choose_fast(const struct map_load *l)
{
    const struct gs_load_options *const o = l->options;
    bool any = false;
    for (size_t i = 0; i < l->map->n_sources; i++) {
        GS_OWN struct gs_arena own = {0};
        struct gs_source read = l->map->source[i];
        size_t n = 0;
        for (size_t k = 0; k < l->map->n_sources; k++)
            n += l->map->source[k].role == read.role;
        l->scans[i] = n == 1 && (read.role == GS_ROLE_SAMPLES || o->reject == NULL) &&
                      (o->reject == NULL || gs_source_form(&read)->delimited) &&
                      store_read(&read, o, &own) && gs_map_is_fast(&read, &o->zone);
        any |= l->scans[i];
    }
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
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_map_fields *const f = &map->source[i].metrics;
        const struct gs_map_value *const own = power_column(f, "power_w");
        for (size_t k = 0;
             map->source[i].role == GS_ROLE_SAMPLES && own != NULL && k < GS_N_STAND_INS; k++) {
            const struct gs_map_value *const other = power_column(f, gs_power_stand_ins[k]);
            if (other != NULL && gs_str_eq(own->column.item[0], other->column.item[0]))
                return gs_metrics_find(d->metric, d->n_metrics, gs_str(gs_power_stand_ins[k]));
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
static enum gs_status load_either(const struct map_load *l, struct gs_dataset *d,
                                  struct gs_notes *notes, struct gs_err *err)
{
    struct gs_pass_plan *const passes = l->options->pass_plan;
    const bool is_first = gs_pass_plan_learned(passes) == NULL;
    if ((is_first || passes->scans) && choose_fast(l) && is_repeatable(l->map)) {
        struct gs_err fault = {GS_OK, ""};
        struct gs_notes own = {.arena = l->arena};
        const enum gs_status s = load_once(l, true, d, &own, &fault);
        if (s == GS_OK)
            gs_notes_add(notes, &own);
        if (s == GS_OK && passes != NULL)
            passes->scans = true;
        if (s != GS_ERR_DATA) /* what the scanner refuses, the mapper takes or says */
            return s == GS_OK ? s : gs_fail(err, s, "%s", fault.text);
    }
    if (is_first && passes != NULL)
        passes->learned = false; /* what the scanner had taken is taken again */
    return load_once(l, false, d, notes, err);
}

/* Did the scanner read all? */
static bool scanned_all(const struct map_load *l)
{
    bool all = l->options->pass_plan->scans;
    for (size_t i = 0; i < l->map->n_sources; i++)
        all &= l->scans[i];
    return all;
}

static enum gs_status load_begin(struct map_load *l, const struct gs_map *map,
                                 const struct gs_load_options *options, struct gs_arena *arena,
                                 struct gs_dataset *d, struct gs_notes *notes, struct gs_err *err)
{
    *l = (struct map_load){.map = map,
                           .options = options,
                           .arena = arena,
                           .sampled = sampled_by(map),
                           .source = gs_arena_take(arena, map->n_sources, sizeof *l->source),
                           .scans = gs_arena_take(arena, map->n_sources, sizeof *l->scans)};
    GS_TRY(gs_had_memory(l->source != NULL && l->scans != NULL, err));
    GS_TRY(gs_map_host(map, options, arena, &l->host, err));
    return load_either(l, d, notes, err);
}

enum gs_status gs_map_load_source(struct gs_source *source, const struct gs_load_options *options,
                                  struct gs_arena *arena, struct gs_mapped_source **found,
                                  struct gs_dataset *d, struct gs_err *err)
{
    const struct gs_map map = {.source = source, .n_sources = 1};
    struct gs_load_options own = *options;
    struct gs_notes dropped = {.arena = arena};
    struct map_load l;
    own.need[gs_table_of_role(source->role)] = true;
    GS_TRY(load_begin(&l, &map, &own, arena, d, &dropped, err));
    *found = l.source;
    return GS_OK;
}

/* Samples whose zone nobody has said are none of a night in which the clock went back. */
static enum gs_status refuse_repeated_hour(const struct map_load *l, const struct gs_dataset *d,
                                           struct gs_err *err)
{
    for (size_t i = 0; i < l->map->n_sources && !l->options->zone_told; i++) {
        const struct gs_source *const s = &l->map->source[i];
        for (size_t k = 0; k < s->path.n; k++)
            if (s->role == GS_ROLE_SAMPLES && s->zone.ptr == NULL && l->source[i].file[k].zoneless)
                return gs_repeated_hour_refuse(
                    d, GS_SHOWN(gs_file_called(gs_str(s->path.item[k].ptr)), 256), err);
    }
    return GS_OK;
}

/* What the files came to; rejected rows are among those that were set aside. */
static void note_files(const struct map_load *l, struct gs_dataset *d)
{
    d->n_set_aside = 0;
    for (size_t i = 0, at = 0; i < l->map->n_sources; i++)
        for (size_t k = 0; k < l->map->source[i].path.n; k++, at++) {
            const struct gs_mapped_file *const f = &l->source[i].file[k];
            d->input[at].n_around = f->n_prose + f->n_foreign;
            d->input[at].n_skipped = f->n_set_aside - f->n_rejected - f->n_waiting - f->n_unbounded;
            if (l->map->source[i].role == GS_ROLE_SAMPLES)
                d->n_set_aside += f->n_set_aside;
            d->zoneless |= f->zoneless;
            d->input[at].zoneless = f->zoneless;
        }
}

/* Reads the files once more where their hosts are the same but for their spelling. */
static enum gs_status match_hosts(struct map_load *l, struct gs_map *map, struct gs_dataset *d,
                                  struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_load_options *const o = l->options;
    bool changed = false;
    if (!d->is_part && o->n_shards <= 1 && o->pass_plan == NULL && is_repeatable(map))
        GS_TRY(gs_map_match_hosts(map, l->source, l->arena, &changed, notes, err));
    return changed ? load_begin(l, map, o, l->arena, d, notes, err) : GS_OK;
}

enum gs_status gs_map_load(struct gs_map *map, const struct gs_load_options *options,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err)
{
    struct gs_dataset d = {0};
    struct map_load l;
    const bool is_first = gs_pass_plan_learned(options->pass_plan) == NULL;
    GS_TRY(gs_map_prune(map, options, notes, err));
    const enum gs_status s = load_begin(&l, map, options, arena, &d, notes, err);
    if (options->pass_plan != NULL && !scanned_all(&l)) /* the mapper looks at every row */
        options->pass_plan->skips = false;
    GS_TRY(s);
    GS_TRY(match_hosts(&l, map, &d, notes, err));
    /* Of a part its split has seen all, and of the files of several passes the first one. */
    if (!d.is_part && is_first)
        GS_TRY(gs_map_agree(l.source, map->n_sources, zone_given, arena, err));
    GS_TRY(refuse_repeated_hour(&l, &d, err));
    for (size_t i = 0; i < map->n_sources; i++)
        gs_mapped_notes(&l.source[i], options->zone_told ? NULL : &options->zone, notes);
    const bool any = l.sampled.n > 0;
    d.hosts_assumed = any && !l.sampled.names_hosts;
    d.power_metric = metric_of_power(map, &d);
    d.has_long_rows = l.sampled.has_long_rows;
    d.rows_complete = d.has_long_rows || l.sampled.n > 1;
    d.counted_times = any && l.sampled.counts_times;
    note_files(&l, &d);
    GS_TRY(gs_sanity_check(&d, true, notes, err));
    if (options->n_shards <= 1 && options->pass_plan == NULL && !d.is_part)
        GS_TRY(gs_sanity_jobs(&d, notes, err));
    *dataset = d;
    return GS_OK;
}
