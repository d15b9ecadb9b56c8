/* split_mapped.c - each source through the mapper, its rows into the parts of its own set of files. */
#include "app/cluster/split_mapped.h"

#include <string.h>

#include "base/core/shard.h"
#include "input/import/map_agree.h"
#include "input/import/map_load.h"
#include "input/detect/map_build.h"
#include "app/cluster/split_out.h"
#include "base/num/whole.h"

struct dealer {
    const struct gs_split_options *o;
    struct gs_arena *arena;
    const struct gs_source *source;
    struct gs_str host; /* of samples that name none */
    struct gs_split_out *out;
    struct gs_part *part; /* [n_files] */
    uint32_t n_parts;     /* by host; 1: rows name none */
    /* of parts, and one more for events of several hosts where they are dealt out */
    uint32_t n_files;
    struct gs_buf row;
};

/* --- cells ------------------------------------------------------------------------------------------------ */

/*
 * The parts are read back by this program: quoting must give the same text again, blanks at the
 * ends included.
 */
static void put_cell(struct gs_buf *b, struct gs_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.len && !quoted; i++)
        quoted = memchr(",\"\r\n", text.ptr[i], 4) != NULL ||
                 ((i == 0 || i + 1 == text.len) && text.ptr[i] == ' ');
    gs_buf_text_if(b, quoted, "\"");
    gs_buf_doubled(b, text, '"');
    gs_buf_text_if(b, quoted, "\"");
    gs_buf_char(b, ',');
}

static void put_list(struct gs_buf *b, const struct gs_str *item, size_t n)
{
    if (n > 1)
        gs_buf_char(b, '"');
    for (size_t i = 0; n > 1 && i < n; i++) {
        gs_buf_text_if(b, i > 0, ",");
        gs_buf_bytes(b, item[i].ptr, item[i].len);
    }
    if (n > 1)
        gs_buf_text(b, "\",");
    else
        put_cell(b, n == 1 ? item[0] : gs_str(""));
}

static void put_time(struct gs_buf *b, int64_t t_ns)
{
    char text[GS_TIME_TEXT_MAX];
    gs_buf_bytes(b, text, (size_t)gs_time_format(text, t_ns));
    gs_buf_char(b, ',');
}

/* All six decimals, exactly; a missing reading is an empty cell. */
static void put_fixed(struct gs_buf *b, int64_t v)
{
    const uint64_t size = gs_magnitude(v), one = (uint64_t)GS_FIXED_ONE;
    if (v != GS_MISSING) {
        gs_buf_text_if(b, v < 0, "-");
        gs_buf_format(b, "%llu.%06llu", (unsigned long long)(size / one),
                      (unsigned long long)(size % one));
    }
    gs_buf_char(b, ',');
}

/* Ends the row in place of its last comma and hands it to a part. */
static enum gs_status deal(struct dealer *d, uint32_t part, struct gs_err *err)
{
    struct gs_part *const p = &d->part[part];
    GS_TRY(gs_had_memory(!d->row.failed, err));
    d->row.ptr[d->row.len - 1] = '\n';
    const enum gs_status s = gs_part_add(p, d->row.ptr, d->row.len);
    p->n_rows++;
    if (s != GS_OK && err != NULL)
        *err = p->err;
    return s;
}

static uint32_t part_of(const struct dealer *d, struct gs_str host)
{
    if (d->n_parts == 1 || host.ptr == NULL)
        return 0;
    return gs_shard_of(host, d->n_parts);
}

/* Keeps the lesser of both hosts, or the one where the other does not count; false without memory. */
static bool store_least(const struct dealer *d, struct gs_str host, bool counts,
                        struct gs_str *least)
{
    const struct gs_str name = gs_str_or(host, gs_str(""));
    if (counts && least->ptr != NULL && gs_str_compare(*least, name) <= 0)
        return true;
    *least = (struct gs_str){gs_arena_copy(d->arena, name.ptr, name.len), name.len};
    return least->ptr != NULL;
}

/* Samples that name a job may say whose it is. */
static bool has_owners(const struct gs_source *s)
{
    return s->role == GS_ROLE_SAMPLES && s->job.kind != GS_VALUE_NONE;
}

static enum gs_status deal_sample(void *context, const struct gs_mapped_sample *s,
                                  struct gs_err *err)
{
    struct dealer *const d = context;
    const struct gs_str host = gs_str_or(s->host, d->host);
    struct gs_manifest *const at = &d->out->at;
    GS_TRY(gs_had_memory(store_least(d, host, at->first_is_of_samples, &at->first_host), err));
    at->first_is_of_samples = true;
    d->row.len = 0;
    put_time(&d->row, s->t_ns);
    put_cell(&d->row, host);
    put_cell(&d->row, s->gpu);
    put_cell(&d->row, s->other[GS_OTHER_SERIAL]);
    put_cell(&d->row, s->other[GS_OTHER_INDEX]);
    put_cell(&d->row, s->job);
    for (int k = GS_OTHER_USER; has_owners(d->source) && k <= GS_OTHER_ACCOUNT; k++)
        put_cell(&d->row, s->other[k]);
    for (size_t k = 0; k < d->source->metrics.n; k++)
        put_fixed(&d->row, s->value[k]);
    return deal(d, part_of(d, host), err);
}

/*
 * An event of several hosts goes into the file that every shard reads; each shard then takes
 * its own hosts of it.
 */
static enum gs_status deal_event(void *context, const struct gs_mapped_event *e, struct gs_err *err)
{
    struct dealer *const d = context;
    const bool mark = d->source->phase.kind == GS_PHASE_PAIRS;
    struct gs_manifest *const at = &d->out->at;
    d->row.len = 0;
    put_time(&d->row, e->start_ns);
    if (mark)
        put_cell(&d->row, gs_str(e->is_stop ? "STOP" : "START"));
    else
        put_time(&d->row, e->stop_ns);
    put_cell(&d->row, e->event);
    put_list(&d->row, e->host, e->n_hosts);
    put_list(&d->row, e->gpu, e->n_gpus);
    put_cell(&d->row, e->job);
    put_cell(&d->row, e->task);
    for (size_t k = 0; k < d->source->attributes.n; k++)
        put_cell(&d->row, e->attribute[k]);
    for (size_t k = 0; k < d->source->metrics.n; k++)
        put_fixed(&d->row, e->own[k]);
    for (size_t k = 0; k < e->n_hosts && !at->first_is_of_samples; k++)
        GS_TRY(gs_had_memory(store_least(d, e->host[k], true, &at->first_host), err));
    uint32_t part = d->n_parts; /* the file for all */
    if (e->n_hosts == 1 || d->n_files == 1)
        part = part_of(d, e->host[0]);
    return deal(d, part, err);
}

static enum gs_status deal_task(void *context, const struct gs_mapped_task *t, struct gs_err *err)
{
    struct dealer *const d = context;
    d->row.len = 0;
    put_cell(&d->row, t->job);
    put_cell(&d->row, t->task);
    for (size_t k = 0; k < d->source->attributes.n; k++)
        put_cell(&d->row, t->attribute[k]);
    return deal(d, 0, err);
}

/* --- the files of a source, and their source in the new map ----------------------------------------------- */

static const char *const columns[GS_N_ROLES][2] = {
    {"time,host,gpu,serial,index,job,", NULL},
    {"start,stop,event,host,gpu,job,task,", "time,phase,event,host,gpu,job,task,"},
    {"job,task,", NULL},
};

/* The name of the GPUs' column says what they are named by. */
static const char *gpu_column(const struct gs_source *s)
{
    if (s->role != GS_ROLE_SAMPLES || s->gpu.kind != GS_VALUE_COLUMN)
        return "gpu";
    const enum gs_meaning m = gs_column_meaning(s->gpu.column.item[0]);
    if (m == GS_MEANS_UUID)
        return "uuid";
    if (m == GS_MEANS_SERIAL)
        return "gpuSerial";
    return "gpu";
}

static bool header_of(struct dealer *d, struct gs_buf *b)
{
    const struct gs_source *const s = d->source;
    const char *text =
        columns[s->role][s->role == GS_ROLE_EVENTS && s->phase.kind == GS_PHASE_PAIRS];
    const char *const gpu = strstr(text, ",gpu,");
    if (gpu == NULL)
        gs_buf_text(b, text);
    else
        gs_buf_format(b, "%.*s,%s%s", (int)(gpu - text), text, gpu_column(s), gpu + 4);
    gs_buf_text_if(b, has_owners(s), "user,account,");
    const struct gs_map_fields *const fields[] = {&s->attributes, &s->metrics};
    for (size_t f = s->role == GS_ROLE_SAMPLES; f < 2; f++)
        for (size_t k = 0; k < fields[f]->n; k++)
            put_cell(b, fields[f]->item[k].name);
    if (!b->failed)
        b->len--; /* the last comma */
    return !b->failed;
}

/* The parts of a source: one for each shard, and for rows of several hosts one of their own. */
static enum gs_status add_parts(struct dealer *d, size_t number, struct gs_err *err)
{
    for (uint32_t i = 0; i < d->n_files; i++) {
        const char *const role = gs_role_names[d->source->role];
        const bool of_all = i == d->n_parts || d->source->role == GS_ROLE_TASKS;
        const char *const name =
            i == d->n_parts
                ? gs_format(d->arena, "%s-%zu-all.csv.zst", role, number)
                : gs_format(d->arena, "%s-%zu-%04u.csv.zst", role, number, (unsigned)i + 1);
        GS_TRY(gs_had_memory(name != NULL, err));
        GS_TRY(gs_split_out_add(d->out, name, of_all ? 0 : i + 1, &d->part[i], err));
    }
    return GS_OK;
}

static bool column(struct gs_map_value *v, const char *name, struct gs_arena *arena)
{
    *v = (struct gs_map_value){.kind = GS_VALUE_COLUMN};
    return gs_texts_add(&v->column, gs_str(name), arena);
}

static bool own_fields(const struct gs_map_fields *from, struct gs_map_fields *to,
                       struct gs_arena *arena)
{
    *to = (struct gs_map_fields){gs_arena_take(arena, from->n, sizeof *to->item), from->n};
    for (size_t k = 0; to->item != NULL && k < from->n; k++) {
        to->item[k].name = from->item[k].name;
        to->item[k].value.kind = GS_VALUE_COLUMN;
        if (!gs_texts_add(&to->item[k].value.column, from->item[k].name, arena))
            return false;
    }
    return to->item != NULL;
}

/* The source that reads the files of another's rows. */
static bool add_source(const struct dealer *d, size_t number, struct gs_map *to)
{
    const struct gs_source *const s = d->source;
    struct gs_source *const n = gs_map_add(to, d->arena);
    struct gs_buf files = {.arena = d->arena};
    gs_buf_format(&files, "%s-%zu-*.csv.zst", gs_role_names[s->role], number);
    if (n == NULL || files.failed)
        return false;
    *n = (struct gs_source){.role = s->role,
                            .form = gs_str(GS_FORM_DEFAULT),
                            .skip = -1,
                            .header = -1,
                            .phase = s->phase};
    bool ok = gs_texts_add(&n->files, gs_buf_str(&files), d->arena) &&
              own_fields(&s->metrics, &n->metrics, d->arena) &&
              own_fields(&s->attributes, &n->attributes, d->arena);
    const bool events = s->role == GS_ROLE_EVENTS, tasks = s->role == GS_ROLE_TASKS,
               marks = events && s->phase.kind == GS_PHASE_PAIRS;
    n->phase = (struct gs_map_phase){.kind = marks ? GS_PHASE_PAIRS : GS_PHASE_NONE};
    if (marks) {
        n->phase.column = gs_str("phase");
        n->phase.start = gs_str("START");
        n->phase.stop = gs_str("STOP");
    }
    bool has_gpu = s->gpu.kind != GS_VALUE_NONE;
    for (size_t k = 0; k < s->metrics.n; k++)
        has_gpu |= s->metrics.item[k].value.kind == GS_VALUE_COLUMNS;
    const struct {
        bool there;
        struct gs_map_value *value;
        const char *name;
    } fields[] = {
        {s->role == GS_ROLE_SAMPLES || marks, &n->time, "time"},
        {events, &n->event, "event"},
        {events && !marks, &n->start, "start"},
        {events && !marks, &n->stop, "stop"},
        {s->role == GS_ROLE_SAMPLES || (!tasks && s->host.kind != GS_VALUE_NONE), &n->host, "host"},
        {has_gpu && !tasks, &n->gpu, gpu_column(s)},
        {s->job.kind != GS_VALUE_NONE, &n->job, "job"},
        {s->task.kind != GS_VALUE_NONE, &n->task, "task"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        ok = ok && (!fields[i].there || column(fields[i].value, fields[i].name, d->arena));
    n->host.many = s->host.many;
    n->gpu.many = s->gpu.many;
    return ok;
}

/* --- all of it --------------------------------------------------------------------------------------------- */

/*
 * The files of a source that no earlier run has settled, each settled when it is dealt; *at is
 * the first one's number. Settled after every file and not within one: a mapper cannot go on in
 * the middle of a file. A run that is killed repeats at most one file.
 */
static enum gs_status deal_source(struct dealer *d, const struct gs_mapper_options *mapper,
                                  struct gs_mapped_source *m, uint64_t *at, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf header = {.arena = &own};
    struct gs_split_out *const out = d->out;
    struct gs_mapper_options into = *mapper;
    into.sink = (struct gs_mapped_sink){deal_sample, deal_event, deal_task, NULL, d};
    const uint64_t first = *at, n_files = m->source->path.n;
    *at += n_files;
    if (out->at.input >= *at)
        return GS_OK;
    d->row = (struct gs_buf){.arena = &own};
    enum gs_status s = gs_had_memory(header_of(d, &header), err);
    GS_THEN(s, gs_parts_open(d->part, d->n_files, gs_buf_str(&header), &own, err));
    for (size_t k = 0; s == GS_OK && k < n_files; k++) {
        if (first + k < out->at.input)
            continue;
        s = gs_map_file(m, k, NULL, &into, err);
        GS_THEN(s, gs_parts_settle(d->part, d->n_files, d->o->inputs.n_threads, err));
        if (s == GS_OK) {
            out->at.input = first + k + 1;
            s = gs_split_out_write(out, err);
        }
    }
    gs_parts_close(d->part, d->n_files);
    return s;
}

/* The directory, for these files under this map, zone and host. */
static enum gs_status open_out(struct gs_split_out *out, const struct gs_map *map,
                               const struct gs_split_options *o, struct gs_str host,
                               struct gs_arena *arena, struct gs_err *err)
{
    struct gs_buf how = {.arena = arena};
    char zone[GS_ZONE_TEXT_MAX];
    size_t n = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        n += map->source[i].path.n;
    GS_NEW(struct gs_split_input, input, n, arena, err);
    gs_map_print(map, &how);
    gs_buf_text(&how, gs_zone_format(&o->inputs.zone, zone));
    gs_buf_bytes(&how, gs_or_empty(host.ptr), host.len);
    GS_TRY(gs_had_memory(!how.failed, err));
    n = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++) {
            const struct gs_str path = map->source[i].path.item[k];
            const char *const name = gs_escaped(arena, path, 512);
            GS_TRY(gs_had_memory(name != NULL, err));
            input[n++] = (struct gs_split_input){path.ptr, name, (int)map->source[i].role};
        }
    return gs_split_out_open(out, o, input, n, gs_buf_str(&how), arena, err);
}

static enum gs_status begin_source(struct dealer *d, size_t number, struct gs_mapped_source *m,
                                   uint64_t seed, struct gs_map *own, struct gs_err *err)
{
    const bool by_host = d->source->role != GS_ROLE_TASKS;
    d->n_parts = by_host ? d->o->n_parts : 1;
    d->n_files = d->n_parts + (d->source->role == GS_ROLE_EVENTS && d->n_parts > 1);
    GS_TAKE(d->part, d->n_files, d->arena, err);
    if (!gs_mapped_source_init(m, d->source, seed, d->arena) || !add_source(d, number, own))
        return gs_fail_memory(err);
    return add_parts(d, number, err);
}

enum gs_status gs_split_mapped(struct gs_map *map, const struct gs_split_options *o,
                               const struct gs_mapper_options *mapper, bool zone_given,
                               struct gs_arena *arena, struct gs_frames *frames, struct gs_err *err)
{
    struct gs_str host;
    struct gs_map own = {0};
    struct gs_split_out out = {.held = -1};
    GS_NEW(struct gs_mapped_source, m, map->n_sources, arena, err);
    uint64_t at = 0;
    GS_TRY(gs_map_host(map, &o->inputs, arena, &host, err));
    enum gs_status s = open_out(&out, map, o, host, arena, err);
    const bool goes_on = s == GS_OK && out.goes_on;
    if (goes_on && !out.at.complete)
        gs_note(&frames->notes, GS_NOTE_INFO, "goes on where an earlier split stopped");
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++) {
        struct dealer d = {
            .o = o, .arena = arena, .source = &map->source[i], .host = host, .out = &out};
        s = begin_source(&d, i + 1, &m[i], mapper->seed, &own, err);
        GS_THEN(s, deal_source(&d, mapper, &m[i], &at, err));
    }
    if (s == GS_OK && !goes_on) /* else not all rows were seen: whoever reads the parts finds out */
        s = gs_map_agree(m, map->n_sources, zone_given, arena, err);
    for (size_t i = 0; s == GS_OK && !goes_on && i < map->n_sources; i++)
        gs_mapped_notes(&m[i], &mapper->zone, &frames->notes);
    if (s == GS_OK && !out.at.complete)
        s = gs_split_out_map(&out, &own, err);
    if (s == GS_OK && !out.at.complete)
        s = gs_split_out_complete(&out, err);
    gs_split_out_close(&out);
    GS_TRY(s);
    return gs_split_out_frame(&out, frames, err);
}
