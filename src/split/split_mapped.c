/* split_mapped.c - each source through the mapper, its rows into the parts of its own set of files. */
#include "split/split_mapped.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/shard.h"
#include "mapper/map_agree.h"
#include "os/output.h"
#include "recognise/map_build.h"
#include "split/split_frame.h"
#include "split/split_parts.h"

struct dealer {
    const struct gs_split_options *o;
    struct gs_arena *arena;
    const struct gs_source *source;
    struct gs_str host; /* of samples that name none */
    struct gs_part *part;
    const char **name; /* [n_parts] */
    uint32_t n_parts;
    struct gs_buf row;
};

/* --- cells ------------------------------------------------------------------------------------------------ */

static void put_cell(struct gs_buf *b, struct gs_str text)
{
    bool quoted = false;
    for (size_t i = 0; i < text.len && !quoted; i++)
        quoted = memchr(",\"\r\n", text.ptr[i], 4) != NULL || ((i == 0 || i + 1 == text.len) && text.ptr[i] == ' ');
    gs_buf_text(b, quoted ? "\"" : "");
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"')
            gs_buf_char(b, '"');
        gs_buf_char(b, text.ptr[i]);
    }
    gs_buf_text(b, quoted ? "\"," : ",");
}

static void put_list(struct gs_buf *b, const struct gs_str *item, size_t n)
{
    if (n > 1)
        gs_buf_char(b, '"');
    for (size_t i = 0; n > 1 && i < n; i++) {
        gs_buf_text(b, i > 0 ? "," : "");
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
    const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v, one = (uint64_t)GS_FIXED_ONE;
    if (v != GS_MISSING)
        gs_buf_format(b, "%s%llu.%06llu", v < 0 ? "-" : "", (unsigned long long)(size / one),
                      (unsigned long long)(size % one));
    gs_buf_char(b, ',');
}

/* Ends the row in place of its last comma and hands it to a part. */
static enum gs_status deal(struct dealer *d, uint32_t part, struct gs_err *err)
{
    struct gs_part *const p = &d->part[part];
    if (d->row.failed)
        return gs_fail_memory(err);
    d->row.ptr[d->row.len - 1] = '\n';
    const enum gs_status s = gs_part_add(p, d->row.ptr, d->row.len);
    p->n_rows++;
    if (s != GS_OK && err != NULL)
        *err = p->err;
    return s;
}

static uint32_t part_of(const struct dealer *d, struct gs_str host)
{
    return d->n_parts == 1 || host.ptr == NULL ? 0 : gs_shard_of(host, d->n_parts);
}

static enum gs_status deal_sample(void *context, const struct gs_mapped_sample *s, struct gs_err *err)
{
    struct dealer *const d = context;
    const struct gs_str host = s->host.ptr != NULL ? s->host : d->host;
    d->row.len = 0;
    put_time(&d->row, s->t_ns);
    put_cell(&d->row, host);
    put_cell(&d->row, s->gpu);
    put_cell(&d->row, s->serial);
    put_cell(&d->row, s->index);
    put_cell(&d->row, s->job);
    for (size_t k = 0; k < d->source->metrics.n; k++)
        put_fixed(&d->row, s->value[k]);
    return deal(d, part_of(d, host), err);
}

static enum gs_status deal_event(void *context, const struct gs_mapped_event *e, struct gs_err *err)
{
    struct dealer *const d = context;
    const bool mark = d->source->phase.kind == GS_PHASE_PAIRS;
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
    return deal(d, e->n_hosts == 0 ? 0 : part_of(d, e->host[0]), err);
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
    return m == GS_MEANS_UUID ? "uuid" : m == GS_MEANS_SERIAL ? "gpuSerial" : "gpu";
}

static bool header_of(struct dealer *d, struct gs_buf *b)
{
    const struct gs_source *const s = d->source;
    const char *text = columns[s->role][s->role == GS_ROLE_EVENTS && s->phase.kind == GS_PHASE_PAIRS];
    const char *const gpu = strstr(text, ",gpu,");
    gs_buf_bytes(b, text, gpu == NULL ? strlen(text) : (size_t)(gpu - text));
    if (gpu != NULL)
        gs_buf_format(b, ",%s%s", gpu_column(s), gpu + 4);
    const struct gs_map_fields *const fields[] = {&s->attributes, &s->metrics};
    for (size_t f = s->role == GS_ROLE_SAMPLES; f < 2; f++)
        for (size_t k = 0; k < fields[f]->n; k++)
            put_cell(b, fields[f]->item[k].name);
    if (!b->failed)
        b->ptr[b->len - 1] = '\n';
    return !b->failed;
}

static const char *joined(struct gs_arena *arena, const char *a, const char *b, const char *c)
{
    struct gs_buf t = {.arena = arena};
    gs_buf_text(&t, a);
    gs_buf_text(&t, b);
    gs_buf_text(&t, c);
    return gs_buf_str(&t).ptr;
}

static enum gs_status open_parts(struct dealer *d, size_t number, struct gs_arena *own, struct gs_err *err)
{
    struct gs_buf header = {.arena = own};
    if (!header_of(d, &header))
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < d->n_parts; i++)
        d->part[i].fd = -1;
    for (uint32_t i = 0; i < d->n_parts; i++) {
        struct gs_part *const p = &d->part[i];
        struct gs_buf name = {.arena = d->arena};
        gs_buf_format(&name, "%s-%zu-%04u.csv.zst", gs_role_names[d->source->role], number, i + 1);
        d->name[i] = gs_buf_str(&name).ptr;
        p->path = name.failed ? NULL : joined(d->arena, d->o->out, "/", joined(d->arena, d->name[i], ".partial", ""));
        if (p->path == NULL)
            return gs_fail_memory(err);
        char *const shown = gs_arena_take(d->arena, 1, 512);
        if (shown == NULL)
            return gs_fail_memory(err);
        p->shown = gs_escape(shown, 512, gs_str(p->path));
        enum gs_status s = gs_part_open(p, d->n_parts <= 32 ? 19 : d->n_parts <= 128 ? 17 : 15, own);
        if (s == GS_OK)
            s = gs_part_add(p, header.ptr, header.len);
        if (s != GS_OK && err != NULL)
            *err = p->err;
        if (s != GS_OK)
            return s;
    }
    return GS_OK;
}

static enum gs_status settle_parts(struct dealer *d, struct gs_err *err)
{
    for (uint32_t i = 0; i < d->n_parts; i++) {
        const enum gs_status s = gs_part_settle(&d->part[i]);
        if (s != GS_OK && err != NULL)
            *err = d->part[i].err;
        if (s != GS_OK)
            return s;
    }
    return GS_OK;
}

/* All is written and agrees: the files get their names. */
static enum gs_status name_files(const char *out, const struct gs_split_file *file, size_t n, struct gs_arena *arena,
                                 struct gs_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *const to = joined(arena, out, "/", file[i].name);
        const char *const from = to == NULL ? NULL : joined(arena, to, ".partial", "");
        char shown[512];
        if (from == NULL)
            return gs_fail_memory(err);
        if (rename(from, to) != 0)
            return gs_fail(err, GS_ERR_IO, "%s: cannot get its name: %s", gs_escape(shown, sizeof shown, gs_str(from)),
                           strerror(errno));
    }
    return GS_OK;
}

static bool column(struct gs_map_value *v, const char *name, struct gs_arena *arena)
{
    *v = (struct gs_map_value){.kind = GS_VALUE_COLUMN};
    return gs_texts_add(&v->column, gs_str(name), arena);
}

static bool own_fields(const struct gs_map_fields *from, struct gs_map_fields *to, struct gs_arena *arena)
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
    *n = (struct gs_source){.role = s->role, .form = gs_str("table"), .skip = -1, .header = -1, .phase = s->phase};
    bool ok = gs_texts_add(&n->files, gs_buf_str(&files), d->arena) && own_fields(&s->metrics, &n->metrics, d->arena) &&
              own_fields(&s->attributes, &n->attributes, d->arena);
    const bool marks = s->role == GS_ROLE_EVENTS && s->phase.kind == GS_PHASE_PAIRS;
    if (s->role == GS_ROLE_SAMPLES || marks)
        ok = ok && column(&n->time, "time", d->arena);
    if (s->role == GS_ROLE_EVENTS)
        ok = ok && column(&n->event, "event", d->arena);
    if (s->role == GS_ROLE_EVENTS && !marks)
        ok = ok && column(&n->start, "start", d->arena) && column(&n->stop, "stop", d->arena);
    n->phase = (struct gs_map_phase){.kind = marks ? GS_PHASE_PAIRS : GS_PHASE_NONE};
    if (marks) {
        n->phase.column = gs_str("phase");
        n->phase.start = gs_str("START");
        n->phase.stop = gs_str("STOP");
    }
    bool has_gpu = s->gpu.kind != GS_VALUE_NONE;
    for (size_t k = 0; k < s->metrics.n; k++)
        has_gpu |= s->metrics.item[k].value.kind == GS_VALUE_COLUMNS;
    if (s->role == GS_ROLE_SAMPLES || s->host.kind != GS_VALUE_NONE)
        ok = ok && (s->role == GS_ROLE_TASKS || column(&n->host, "host", d->arena));
    if (has_gpu && s->role != GS_ROLE_TASKS)
        ok = ok && column(&n->gpu, gpu_column(s), d->arena);
    n->host.many = s->host.many;
    n->gpu.many = s->gpu.many;
    if (s->job.kind != GS_VALUE_NONE)
        ok = ok && column(&n->job, "job", d->arena);
    if (s->task.kind != GS_VALUE_NONE)
        ok = ok && column(&n->task, "task", d->arena);
    return ok;
}

/* --- all of it --------------------------------------------------------------------------------------------- */

static enum gs_status make_directory(const char *path, struct gs_err *err)
{
    char shown[512];
    if (mkdir(path, 0777) == 0)
        return GS_OK;
    if (errno != EEXIST)
        return gs_fail(err, GS_ERR_CANTCREATE, "%s: cannot be made: %s", gs_escape(shown, sizeof shown, gs_str(path)),
                       strerror(errno));
    DIR *const d = opendir(path);
    bool empty = d != NULL;
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const size_t n = strlen(e->d_name);
        empty = empty && (e->d_name[0] == '.' || (n > 8 && strcmp(e->d_name + n - 8, ".partial") == 0));
    }
    if (d != NULL)
        (void)closedir(d);
    return empty ? GS_OK
                 : gs_fail(err, GS_ERR_CANTCREATE, "%s: is there and not empty; name a directory that is new",
                           gs_escape(shown, sizeof shown, gs_str(path)));
}

static enum gs_status deal_source(struct dealer *d, size_t number, const struct gs_mapper_options *mapper,
                                  struct gs_mapped_source *m, struct gs_err *err)
{
    struct gs_arena own = {0};
    const struct gs_mapped_sink sink = {deal_sample, deal_event, deal_task, d};
    d->row = (struct gs_buf){.arena = &own};
    enum gs_status s = open_parts(d, number, &own, err);
    for (size_t k = 0; s == GS_OK && k < m->source->path.n; k++)
        s = gs_map_file(m->source, m->source->path.item[k].ptr, mapper, &sink, &m->found, &m->file[k], err);
    if (s == GS_OK)
        s = settle_parts(d, err);
    for (uint32_t i = 0; i < d->n_parts; i++)
        gs_part_close(&d->part[i]);
    gs_arena_release(&own);
    return s;
}

static enum gs_status write_map(const struct gs_map *map, const char *out, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_buf text = {.arena = arena};
    const char *const path = joined(arena, out, "/gpustat.json", "");
    gs_map_print(map, &text);
    return text.failed || path == NULL ? gs_fail_memory(err) : gs_output_file(path, gs_buf_str(&text), err);
}

enum gs_status gs_split_mapped(struct gs_map *map, const struct gs_split_options *o,
                               const struct gs_mapper_options *mapper, struct gs_str host, bool zone_given,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_map own = {0};
    struct gs_mapped_source *const m = gs_arena_take(arena, map->n_sources, sizeof *m);
    struct gs_split_file *const file = gs_arena_take(arena, map->n_sources * o->n_parts, sizeof *file);
    size_t n_files = 0;
    enum gs_status s = m == NULL || file == NULL ? gs_fail_memory(err) : make_directory(o->out, err);
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++) {
        const struct gs_source *const source = &map->source[i];
        const bool by_host = source->role != GS_ROLE_TASKS;
        struct dealer d = {.o = o, .arena = arena, .source = source, .host = host};
        d.n_parts = by_host ? o->n_parts : 1;
        d.part = gs_arena_take(arena, d.n_parts, sizeof *d.part);
        d.name = gs_arena_take(arena, d.n_parts, sizeof *d.name);
        if (d.part == NULL || d.name == NULL || !gs_mapped_source_init(&m[i], source, mapper->seed, arena) ||
            !add_source(&d, i + 1, &own))
            return gs_fail_memory(err);
        s = deal_source(&d, i + 1, mapper, &m[i], err);
        for (uint32_t k = 0; s == GS_OK && k < d.n_parts; k++)
            file[n_files++] = (struct gs_split_file){d.name[k], by_host ? (int64_t)k + 1 : GS_MISSING, d.part[k].n_rows,
                                                     d.part[k].n_bytes};
    }
    if (s == GS_OK)
        s = gs_map_agree(m, map->n_sources, zone_given, arena, err);
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++)
        gs_mapped_notes(m[i].source, m[i].file, mapper, &out->notes);
    if (s == GS_OK)
        s = name_files(o->out, file, n_files, arena, err);
    if (s == GS_OK)
        s = write_map(&own, o->out, arena, err);
    return s == GS_OK ? gs_split_frame(file, n_files, arena, out, err) : s;
}
