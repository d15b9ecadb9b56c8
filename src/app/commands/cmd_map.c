/* gpustat map - what the files of a run were understood to be, as a map that can be edited and read back. */
#include <errno.h>
#include <string.h>

#include "app/commands/cmd_map.h"
#include "app/options/dataset_opts.h"
#include "base/num/timestamp.h"
#include "base/os/path.h"
#include "input/detect/map_build.h"

static const struct gs_opt opts[] = {
    {.kind = GS_OPT_GROUP, .help = "input"},
    GS_OPTS_FILES,
    {0},
};

static const struct gs_run_opts defaults = {.dataset = {.duplicates = GS_DUPLICATES_KEEP}};

static const struct gs_column_spec specs[] = {
    GS_COL(FILES),
    GS_COL(ROLE),
    GS_COL(FORM),
    GS_COL(ROWS, .how = "rows that count"),
    GS_COL(SET_ASIDE),
    GS_COL(IGNORED),
    GS_COL(HOSTS),
    GS_COL(GPUS, .how = "GPUs that its rows name"),
    GS_COL(FROM, .label = "from", .how = "its first instant"),
    GS_COL(TO, .how = "its last instant"),
};

static struct gs_str files_of(const struct gs_source *s, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_bytes(&b, s->files.item[0].ptr, s->files.item[0].len);
    if (s->files.n > 1)
        gs_buf_format(&b, " and %zu more", s->files.n - 1);
    return gs_buf_str(&b);
}

enum gs_status gs_map_frame(const struct gs_map *map, struct gs_arena *arena, struct gs_frames *out,
                            struct gs_err *err)
{
    struct gs_frame *f;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("map", "What the files were understood to be", GS_COLUMNS(specs)),
                        map->n_sources + map->n_unused, out, &f, err));
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const q = &map->source[i];
        GS_PUT(f, i, GS_TEXT(FILES, files_of(q, arena)),
               GS_TEXT(ROLE, gs_str(gs_role_names[q->role])), GS_TEXT(FORM, q->form),
               GS_INT(ROWS, (int64_t)q->found.n_rows),
               GS_INT(SET_ASIDE, (int64_t)q->found.n_set_aside),
               GS_INT(IGNORED, (int64_t)q->found.n_ignored));
        if (q->role == GS_ROLE_TASKS)
            continue;
        GS_PUT(f, i, GS_INT(HOSTS, q->found.n_hosts), GS_INT(FROM, q->found.from_ns),
               GS_INT(TO, q->found.to_ns));
        if (q->found.n_gpus > 0) /* rows that name none are not of no GPU */
            GS_PUT(f, i, GS_INT(GPUS, q->found.n_gpus));
    }
    for (size_t i = 0; i < map->n_unused; i++) {
        GS_PUT(f, map->n_sources + i, GS_TEXT(FILES, map->unused[i].path),
               GS_TEXT(ROLE, gs_str("unused")), GS_TEXT(FORM, gs_str(map->unused[i].why)));
    }
    return GS_OK;
}

/* The zone that --tz named is said of the sources whose times needed it. */
static bool keep_zone(struct gs_map *map, const struct gs_zone *zone, struct gs_arena *arena)
{
    char text[GS_ZONE_TEXT_MAX];
    (void)gs_zone_format(zone, text);
    const char *const said = zone->name == NULL && zone->offset_s != 0 ? text + 3 : text;
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const s = &map->source[i];
        if (!s->found.zoneless || s->zone.ptr != NULL)
            continue;
        s->zone = (struct gs_str){gs_arena_copy(arena, said, strlen(said)), strlen(said)};
        if (s->zone.ptr == NULL)
            return false;
    }
    return true;
}

/* No file of the run is written over, and each is called as it is found from where the map will lie. */
static enum gs_status place_files(struct gs_map *map, const char *dir,
                                  const struct gs_context *context, struct gs_err *err)
{
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++) {
            struct gs_source *const s = &map->source[i];
            const char *const path = s->path.item[k].ptr;
            GS_TRY(gs_path_claim(context->claims, GS_CLAIM_READ, NULL, path, err));
            errno = 0;
            const char *const called =
                strcmp(path, "-") == 0 ? NULL : gs_path_from(context->arena, context->output, path);
            if (called == NULL && errno == EIO)
                return gs_fail(err, GS_ERR_IO, "-o: %s", strerror(errno));
            if (called != NULL)
                s->files.item[k] = gs_str(called);
        }
    for (size_t i = 0; i < map->n_unused; i++) {
        const char *const path = gs_format(context->arena, "%s%s%s", gs_or_empty(dir),
                                           dir == NULL ? "" : "/", map->unused[i].path.ptr);
        GS_TRY(gs_had_memory(path != NULL, err));
        GS_TRY(gs_path_claim(context->claims, GS_CLAIM_READ, NULL, path, err));
    }
    return GS_OK;
}

/* What else was said of the run is kept beside what its files mean. */
static void keep_options(struct gs_map *map, const struct gs_list *given)
{
    for (size_t i = 0; i < given->n; i++)
        for (size_t k = 0; k < GS_MAP_OPTIONS; k++) {
            struct gs_str rest = gs_str(given->item[i] + 2);
            if (gs_str_eq(gs_str_take(&rest, '='), gs_str(gs_map_options[k])))
                map->option[k] = rest;
        }
}

struct kinds {
    const struct gs_context *context;
    struct gs_kind_found *kind; /* [sources] */
};

static enum gs_status find_kind(void *context, size_t source, const struct gs_dataset *d,
                                struct gs_err *err)
{
    const struct kinds *const k = context;
    return gs_kind_find(d, NULL, k->context->n_threads, k->context->arena, &k->kind[source], err);
}

/* No file was understood: why not, of the first of them. */
static enum gs_status refuse_nothing(const struct gs_map *map, const struct gs_list *dir,
                                     struct gs_err *err)
{
    static const char help[] = "('gpustat help formats' lists what is read)";
    if (map->n_unused == 0)
        return gs_fail(err, GS_ERR_NOINPUT, "%s: holds no table or log %s",
                       GS_SHOWN(gs_str(dir->n > 0 ? dir->item[0] : "input"), 300), help);
    return gs_fail(
        err, GS_ERR_DATA, "%s: %s%s %s", GS_SHOWN(map->unused[0].path, 300), map->unused[0].why,
        map->n_unused > 1 ? "; nor do the other files hold samples, events or tasks" : "", help);
}

enum gs_status gs_map_of_command(const void *parsed, const struct gs_context *context,
                                 struct gs_map *found, struct gs_kind_found **kind,
                                 struct gs_notes *notes, struct gs_err *err)
{
    const struct gs_dataset_opts *const o = &((const struct gs_run_opts *)parsed)->dataset;
    struct gs_map_request request;
    gs_dataset_opts_request(o, context, notes, &request);
    request.claims = NULL; /* what it writes may take the place of the map beside the files */
    const struct gs_load_options options = {
        .zone = o->zone, .n_threads = context->n_threads, .seed = context->seed};
    const struct gs_sensor_spec *sensor;
    struct gs_map map = {0};
    if (o->dir.n + o->gpu.n + o->checkpoints.n + o->tasks.n == 0 && o->map == NULL)
        return gs_fail(err, GS_ERR_USAGE, "map: needs a directory or files");
    GS_TRY(gs_sensor_opts_get(&o->sensor, context->arena, &sensor, err));
    GS_TRY(gs_map_build(&request, context->arena, &map, err));
    if (map.n_sources == 0)
        return refuse_nothing(&map, &o->dir, err);
    if (kind != NULL) {
        GS_TAKE(*kind, map.n_sources, context->arena, err);
    }
    const struct gs_map_seen seen = {find_kind,
                                     &(struct kinds){context, kind == NULL ? NULL : *kind}};
    GS_TRY(gs_map_inspect(&map, &options, kind == NULL ? NULL : &seen, context->arena, notes, err));
    keep_options(&map, &context->given);
    if (gs_gives(context, "tz") && !keep_zone(&map, &o->zone, context->arena))
        return gs_fail_memory(err);
    if (context->output != NULL)
        GS_TRY(place_files(
            &map,
            request.n_operands == 1 && gs_is_directory(o->dir.item[0]) ? o->dir.item[0] : NULL,
            context, err));
    *found = map;
    return GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    struct gs_map map;
    struct gs_buf text = {.arena = context->arena};
    GS_TRY(gs_map_of_command(parsed, context, &map, NULL, &out->notes, err));
    GS_TRY(gs_map_frame(&map, context->arena, out, err));
    gs_map_print(&map, &text);
    out->document = gs_buf_str(&text);
    return gs_had_memory(!text.failed, err);
}

const struct gs_command gs_cmd_map = {
    GS_COMMAND(map, struct gs_run_opts, opts, defaults),
    GS_OPERANDS_RUN,
    .summary = "what the files of a run were understood to be, to be edited and read back",
    .run = run,
    .no_figure = "a map describes files in words",
    .group = "the run",
};
