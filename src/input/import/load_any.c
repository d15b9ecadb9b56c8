/* load_any.c - which of the two ways a run is read. */
#include "input/import/load_any.h"

#include <string.h>
#include <sys/stat.h>

#include "input/bytes/bytes.h"
#include "input/bytes/csv.h"
#include "input/import/align_steps.h"
#include "input/import/bind.h"
#include "input/import/pass_plan.h"
#include "input/import/gpu_names.h"
#include "base/os/replayable_input.h"
#include "input/import/held_rejects.h"
#include "input/detect/inputs.h"
#include "input/detect/manifest.h"
#include "input/detect/detect.h"

static bool is_file(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* Did somebody say how to read the files, or are the operands files? */
static bool is_mapped(const struct gs_map_request *r, struct gs_arena *arena)
{
    if (r->map_file != NULL || r->n_sets > 0 || r->n_operands > 1 || r->columns != NULL ||
        r->power_column != NULL)
        return true;
    if (r->n_operands == 0)
        return false;
    struct gs_buf own = {.arena = arena};
    gs_buf_text(&own, r->operand[0]);
    gs_buf_text(&own, "/" GS_MAP_NAME);
    return is_file(r->operand[0]) || (!own.failed && gs_is_map_file(own.ptr));
}

struct header {
    const struct gs_input *input;
    struct gs_arena *arena;
    bool seen, binds;
};

/* The study's own names: other columns are for recognition, which checks more than the scanner does. */
static enum gs_status parse_header(void *context, const struct gs_csv_row *row, struct gs_err *err)
{
    static const char *const names[GS_N_TABLES][5] = {
        [GS_TABLE_CHECKPOINTS] = {"timestamp", "hostname", "eventName", "eventType"},
        [GS_TABLE_SAMPLES] = {"timestamp", "hostname"},
        [GS_TABLE_TASKS] = {"taskId", "jobId", "x", "y", "level"}};
    struct header *const h = context;
    struct gs_binding b;
    (void)err;
    if (!h->seen) {
        h->binds = gs_bind_header(h->input->kind, h->input->name, row->field, row->n_fields,
                                  h->arena, &b, NULL) == GS_OK;
        for (size_t k = 0; h->binds && k < 5 && names[h->input->kind][k] != NULL; k++) {
            bool any = false;
            for (size_t i = 0; i < row->n_fields && !any; i++)
                any = gs_str_eq_nocase(row->field[i], gs_str(names[h->input->kind][k]));
            h->binds = any;
        }
    }
    h->seen = true;
    return GS_OK;
}

/* Does the file begin with a header of the study's columns? What cannot be looked at twice is taken for such a file. */
static bool has_study_header(const struct gs_input *input)
{
    enum { BYTES = 64 << 10 };
    struct gs_arena own = {0};
    struct header h = {.input = input, .arena = &own};
    struct gs_bytes *source = NULL;
    struct gs_csv_parser *parser = NULL;
    const struct gs_csv_options options = {.name = input->name, .name_is_escaped = true};
    char *const room = gs_arena_take_raw(&own, BYTES, 1);
    size_t n = 0;
    if (!gs_is_regular(input->path) || room == NULL)
        return gs_arena_release(&own), true;
    enum gs_status s = gs_bytes_open(input->path, &own, &source, NULL);
    if (s == GS_OK)
        s = gs_csv_open(&options, parse_header, &h, &own, &parser, NULL);
    if (s == GS_OK)
        s = gs_bytes_read(source, room, BYTES, &n, NULL);
    const char *const end = n == 0 ? NULL : memchr(room, '\n', n);
    if (s == GS_OK && n > 0)
        s = gs_csv_feed(parser, room, end == NULL ? n : (size_t)(end - room) + 1, NULL);
    if (s == GS_OK && !h.seen)
        s = gs_csv_finish(parser, NULL);
    gs_csv_close(parser);
    gs_bytes_close(source);
    gs_arena_release(&own);
    return s == GS_ERR_IO || s == GS_ERR_MEMORY || h.binds; /* a read that fails decides nothing */
}

static const enum gs_table_kind kinds[] = {GS_TABLE_SAMPLES, GS_TABLE_CHECKPOINTS, GS_TABLE_TASKS};

/*
 * Is a table that could be used in none of the files of the study's names, and in one of another name? A command that can
 * do without a table must not pass it over because of what it is called. Then `map` is that of the directory.
 */
static bool others_hold(const struct gs_map_request *r, const struct gs_load_options *o,
                        const struct gs_input *input, size_t n, struct gs_arena *arena,
                        struct gs_map *map)
{
    bool lacks[GS_N_TABLES], any = false;
    for (int k = 0; k < GS_N_TABLES; k++) {
        lacks[k] = o->need[k];
        for (size_t i = 0; i < n; i++)
            lacks[k] &= input[i].kind != (enum gs_table_kind)k;
        any |= lacks[k];
    }
    if (!any || o->dir == NULL || gs_map_build(r, arena, map, NULL) != GS_OK)
        return false;
    for (size_t i = 0; i < map->n_sources; i++)
        if (lacks[kinds[map->source[i].role]])
            return true;
    return false;
}

/* Is every needed role there, and one at all? */
static bool is_complete(const struct gs_map *m, const struct gs_load_options *o)
{
    bool one = false;
    for (int r = 0; r < GS_N_ROLES; r++) {
        bool any = !o->need[kinds[r]] || o->optional[kinds[r]];
        for (size_t i = 0; i < m->n_sources; i++)
            if (m->source[i].role == (enum gs_role)r) {
                any = true;
                one |= o->need[kinds[r]];
            }
        if (!any)
            return false;
    }
    return one;
}

static enum gs_table_kind kind_of_path(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return gs_inputs_kind(slash == NULL ? path : slash + 1);
}

/* Of a table in several files, as a split or a rotation names them, none may be passed over because it is no table. */
static enum gs_status refuse_damaged(const struct gs_map *m, const struct gs_load_options *o,
                                     struct gs_err *err)
{
    bool read[GS_N_TABLES + 1] = {false};
    for (size_t i = 0; i < m->n_sources; i++)
        for (size_t k = 0; k < m->source[i].path.n; k++)
            read[kind_of_path(m->source[i].path.item[k].ptr)] = true;
    for (size_t i = 0; i < m->n_unused; i++) {
        char shown[512];
        const enum gs_table_kind kind = kind_of_path(m->unused[i].path.ptr);
        if (kind < GS_N_TABLES && read[kind] && o->need[kind])
            return gs_fail(err, GS_ERR_DATA, "%s: %s, though others of its name are tables",
                           gs_escape(shown, sizeof shown, m->unused[i].path), m->unused[i].why);
    }
    return GS_OK;
}

bool gs_is_study(const struct gs_map_request *r, const struct gs_load_options *o)
{
    struct gs_arena own = {0};
    struct gs_input *input;
    size_t n = 0;
    bool study = !is_mapped(r, &own) && gs_inputs_find(o, &own, &input, &n, NULL) == GS_OK && n > 0;
    for (size_t i = 0; study && i < n; i++)
        study = has_study_header(&input[i]);
    struct gs_map map = {0};
    study = study && !others_hold(r, o, input, n, &own, &map);
    gs_arena_release(&own);
    return study;
}

/* Are there rows of GPUs that are none, or of hosts without a name? */
static bool has_no_gpus(const struct gs_dataset *d)
{
    bool any = false;
    for (uint32_t g = 0; g < d->n_gpus && !any; g++)
        any = gs_is_no_gpu(&d->gpu[g], d->host.text[d->gpu[g].host]);
    return any;
}

static enum gs_status load_map(struct gs_map *map, const struct gs_load_options *o, bool zone_given,
                               struct gs_arena *arena, struct gs_dataset *dataset,
                               struct gs_notes *notes, struct gs_err *err)
{
    const enum gs_status s = gs_align_steps(map, o, arena, notes, err);
    return s == GS_OK ? gs_map_load(map, o, zone_given, arena, dataset, notes, err) : s;
}

/* The study's columns by the scanner; where it finds rows that only the mapper tells from those of GPUs, by the mapper. */
static enum gs_status load_study(const struct gs_map_request *r, const struct gs_load_options *o,
                                 bool zone_given, struct gs_arena *arena,
                                 struct gs_dataset *dataset, struct gs_notes *notes,
                                 struct gs_err *err)
{
    struct gs_load_options own = *o;
    struct gs_held_rejects held = {.arena = arena};
    struct gs_notes said = {.arena = arena};
    struct gs_dataset d = {0};
    struct gs_map map = {0};
    const bool is_first = gs_pass_plan_learned(o->survey) == NULL;
    if (o->reject != NULL) {
        own.reject = gs_reject_defer;
        own.reject_context = &held;
    }
    if (!is_first && o->survey->mapped) {
        const enum gs_status again = gs_map_build(r, arena, &map, err);
        return again == GS_OK ? load_map(&map, o, zone_given, arena, dataset, notes, err) : again;
    }
    const enum gs_status s = gs_load(&own, arena, &d, &said, err);
    if (s == GS_OK && has_no_gpus(&d) && gs_map_build(r, arena, &map, NULL) == GS_OK &&
        is_complete(&map, o)) {
        if (is_first && o->survey != NULL) {
            o->survey->learned = false; /* what the scanner had taken is taken again */
            o->survey->mapped = true;
        }
        return load_map(&map, o, zone_given, arena, dataset, notes, err);
    }
    gs_notes_add(notes, &said);
    const enum gs_status handed = gs_rejects_hand_on(&held, o, s == GS_OK ? err : NULL);
    if (s == GS_OK && handed == GS_OK)
        *dataset = d;
    return s == GS_OK ? handed : s;
}

enum gs_status gs_load_any(const struct gs_map_request *r, const struct gs_load_options *o,
                           bool zone_given, struct gs_arena *arena, struct gs_dataset *dataset,
                           struct gs_notes *notes, struct gs_err *err)
{
    struct gs_map map = {0};
    struct stat is;
    if (o->dir != NULL && stat(o->dir, &is) == 0 && S_ISDIR(is.st_mode)) {
        const enum gs_status whole = gs_manifest_check(o->dir, err);
        if (whole != GS_OK)
            return whole;
    }
    if (is_mapped(r, arena)) {
        const enum gs_status s = gs_map_build(r, arena, &map, err);
        return s == GS_OK ? load_map(&map, o, zone_given, arena, dataset, notes, err) : s;
    }
    struct gs_input *input;
    size_t n = 0;
    struct gs_err fault = {GS_OK, ""};
    bool study = true;
    const enum gs_status found = gs_inputs_find(o, arena, &input, &n, &fault);
    struct gs_manifest whole = {0};
    if (found == GS_OK && gs_pass_plan_shard(o).n_shards > 1 &&
        (gs_manifest_leave_out(input, n, o, arena, &whole, NULL) != GS_OK || whole.complete))
        return load_study(r, o, zone_given, arena, dataset, notes,
                          err); /* parts of a split are what their names say */
    for (size_t i = 0; found == GS_OK && study && i < n; i++)
        study = has_study_header(&input[i]);
    if (found == GS_OK && study && others_hold(r, o, input, n, arena, &map))
        return refuse_damaged(&map, o, err) == GS_OK
                   ? load_map(&map, o, zone_given, arena, dataset, notes, err)
                   : GS_ERR_DATA;
    if ((found == GS_OK && study) || (found != GS_OK && found != GS_ERR_NOINPUT))
        return load_study(r, o, zone_given, arena, dataset, notes, err);
    struct gs_err other = {GS_OK, ""};
    enum gs_status s = gs_map_build(r, arena, &map, &other);
    if (s == GS_ERR_MEMORY)
        return gs_fail(err, s, "%s", other.text);
    if (s == GS_OK && refuse_damaged(&map, o, err) != GS_OK)
        return GS_ERR_DATA;
    if (s == GS_OK && is_complete(&map, o))
        return load_map(&map, o, zone_given, arena, dataset, notes, err);
    /* Files of the study with a fault say it themselves; so does a directory that is not there or holds nothing. */
    bool named = false; /* files of any name: what recognition says of them is to the point */
    for (int k = 0; k < GS_N_TABLES; k++)
        named |= o->n_paths[k] > 0;
    if ((found == GS_OK && !(named && s == GS_ERR_DATA)) ||
        (s == GS_OK && map.n_sources + map.n_unused == 0) || (s != GS_OK && s != GS_ERR_DATA))
        return gs_load(o, arena, dataset, notes, err);
    return s == GS_OK ? load_map(&map, o, zone_given, arena, dataset, notes, err)
                      : gs_fail(err, s, "%s", other.text);
}
