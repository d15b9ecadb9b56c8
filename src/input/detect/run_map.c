/* run_map.c - detects the study's files by their names and columns, before any other detection. */
#include "input/detect/run_map.h"

#include <string.h>
#include <sys/stat.h>

#include "base/os/path.h"
#include "base/os/replayable_input.h"
#include "input/detect/detect.h"
#include "input/detect/inputs.h"
#include "input/detect/manifest.h"
#include "input/detect/preview.h"
#include "input/formats/record_sink.h"
#include "input/import/map_needed.h"
#include "input/import/pass_plan.h"
#include "input/scanner/heads.h"

static bool is_file(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* Did somebody say how to read the files, or are the operands files? */
static enum gs_status is_mapped(const struct gs_map_request *r, struct gs_arena *arena,
                                bool *mapped, struct gs_err *err)
{
    *mapped = r->map_file != NULL || r->n_sets > 0 || r->n_operands > 1 || r->columns != NULL ||
              r->power_column != NULL;
    if (*mapped || r->n_operands == 0)
        return GS_OK;
    const char *const own = gs_map_path(r->operand[0], arena);
    GS_TRY(gs_had_memory(own != NULL, err));
    *mapped = is_file(r->operand[0]);
    if (*mapped)
        return GS_OK;
    return gs_is_map_file(own, mapped, err);
}

/*
 * Does the file begin with a header of the study's own names? Other columns are for detection, which checks more than the
 * scanner does. What can be read only once decides nothing: the loading says what is wrong.
 */
static enum gs_status has_study_header(const struct gs_input *input, bool *has, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_input one = *input;
    struct gs_dataset d = {.arena = &own, .input = &one, .n_inputs = 1};
    const struct gs_load_options o = {0};
    struct gs_head *head = NULL;
    struct gs_err fault = {GS_OK, ""};
    *has = true;
    if (!gs_is_regular(input->path))
        return GS_OK;
    const enum gs_status s = gs_heads_read(&o, &d, &head, &fault);
    *has = s == GS_OK && head->has_header && head->binding.is_study;
    bool power = input->kind != GS_TABLE_SAMPLES;
    for (size_t i = 0; *has && !power && i < head->binding.n_bound; i++) {
        const struct gs_metric *const m = head->binding.bound[i].metric;
        power = m != NULL && strcmp(m->unit, "W") == 0;
    }
    *has &= power; /* a log that lost it is looked at closely */
    gs_heads_close(head, 1);
    return gs_fail_of_system(err, s, &fault);
}

static enum gs_status have_study_headers(const struct gs_input *input, size_t n, bool *have,
                                         struct gs_err *err)
{
    *have = true;
    for (size_t i = 0; *have && i < n; i++)
        GS_TRY(has_study_header(&input[i], have, err));
    return GS_OK;
}

/* Files of the study's names. */
struct study {
    struct gs_input *input;
    size_t n;
    enum gs_status found; /* GS_OK: they are there; else `fault` says why not */
    struct gs_err fault;
};

/*
 * Is a table that could be used in none of the files of the study's names, and in one of another name? A command that can
 * do without a table must not pass it over because of what it is called. Then `map` is that of the directory.
 */
static enum gs_status others_hold(const struct gs_map_request *r, const struct gs_load_options *o,
                                  const struct study *f, struct gs_arena *arena, struct gs_map *map,
                                  bool *hold, struct gs_err *err)
{
    struct gs_err fault = {GS_OK, ""};
    bool lacks[GS_N_TABLES], any = false;
    *hold = false;
    for (int k = 0; k < GS_N_TABLES; k++) {
        lacks[k] = o->need[k];
        for (size_t i = 0; i < f->n; i++)
            lacks[k] &= f->input[i].kind != (enum gs_table_kind)k;
        any |= lacks[k];
    }
    if (!any || r->n_operands == 0)
        return GS_OK;
    const enum gs_status s = gs_map_build(r, arena, map, &fault);
    for (size_t i = 0; s == GS_OK && i < map->n_sources; i++)
        *hold |= lacks[gs_table_of_role(map->source[i].role)];
    return gs_fail_of_system(err, s, &fault);
}

/* Is every needed role there, and one at all? */
static bool is_complete(const struct gs_map *m, const struct gs_load_options *o)
{
    bool one = false;
    for (int r = 0; r < GS_N_ROLES; r++) {
        const enum gs_table_kind kind = gs_table_of_role((enum gs_role)r);
        bool any = !o->need[kind] || o->optional[kind];
        for (size_t i = 0; i < m->n_sources; i++)
            if (m->source[i].role == (enum gs_role)r) {
                any = true;
                one |= o->need[kind];
            }
        if (!any)
            return false;
    }
    return one;
}

static enum gs_table_kind kind_of_path(const char *path)
{
    return gs_inputs_kind(gs_path_last(path));
}

/* Is it the study's log of GPUs, but for a power? Then a column was renamed: a table of dashes would say nothing. */
static bool lost_power(const struct gs_source *s)
{
    bool study = false;
    if (s->role != GS_ROLE_SAMPLES || s->path.n == 0 ||
        kind_of_path(s->path.item[0].ptr) != GS_TABLE_SAMPLES)
        return false;
    for (size_t i = 0; i < s->metrics.n; i++) {
        const struct gs_texts *const column = &s->metrics.item[i].value.column;
        const struct gs_metric *const m = gs_metric_find(s->metrics.item[i].name);
        if (m != NULL && (m->kind == GS_METRIC_COUNTER || strcmp(m->unit, "W") == 0))
            return false;
        study |= column->n == 1 && (gs_str_eq(column->item[0], gs_str("gpuTempC")) ||
                                    gs_str_eq(column->item[0], gs_str("gpuUtilPerc")));
    }
    return study;
}

static enum gs_status refuse_powerless(const struct gs_source *s, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_preview h = {0};
    struct gs_buf found = {.arena = &own};
    const struct gs_str path = s->path.item[0];
    const struct gs_source hint = {.header = -1, .skip = -1};
    GS_TRY(gs_preview_read(path.ptr, &hint, false, 1, &own, &h, err));
    for (uint32_t i = 0; i < h.n_columns; i++) {
        gs_buf_text_if(&found, i > 0, ", ");
        gs_buf_escaped(&found, h.column[i], 80);
    }
    return gs_fail(err, GS_ERR_DATA,
                   "%s: no column 'powerDrawWatt'; found %s; --set "
                   "samples.metrics.power_w.column=NAME --set "
                   "samples.metrics.power_w.unit=W names it",
                   GS_SHOWN(gs_file_called(path), 512), found.failed ? "" : gs_buf_str(&found).ptr);
    return GS_OK;
}

/* Of a table in several files, as a split or a rotation names them, none may be passed over because it is no table. */
static enum gs_status refuse_damaged(const struct gs_map *m, const struct gs_load_options *o,
                                     struct gs_err *err)
{
    bool read[GS_N_TABLES + 1] = {false};
    for (size_t i = 0; i < m->n_sources; i++) {
        if (lost_power(&m->source[i]))
            return refuse_powerless(&m->source[i], err);
        for (size_t k = 0; k < m->source[i].path.n; k++)
            read[kind_of_path(m->source[i].path.item[k].ptr)] = true;
    }
    for (size_t i = 0; i < m->n_unused; i++) {
        const enum gs_table_kind kind = kind_of_path(m->unused[i].path.ptr);
        if (kind < GS_N_TABLES && read[kind] && o->need[kind])
            return gs_fail(err, GS_ERR_DATA, "%s: %s, though others of its name are tables",
                           GS_SHOWN(m->unused[i].path, 512), m->unused[i].why);
    }
    return GS_OK;
}

/* Is a file of the study's name no table, and no other in its place? Its own reader says what is wrong with it. */
static bool passes_over(const struct gs_map *m, const struct gs_load_options *o)
{
    bool played[GS_N_TABLES + 1] = {false}, any = false;
    for (size_t i = 0; i < m->n_sources; i++)
        played[gs_table_of_role(m->source[i].role)] = true;
    for (size_t i = 0; i < m->n_unused; i++) {
        const enum gs_table_kind kind = kind_of_path(m->unused[i].path.ptr);
        any |= kind < GS_N_TABLES && !played[kind] && o->need[kind];
    }
    return any;
}

/* The files as sources, one for each role, in the order in which they are read. */
static enum gs_status study_map(const struct gs_input *input, size_t n, struct gs_arena *arena,
                                struct gs_map *map, struct gs_err *err)
{
    struct gs_source *s = NULL;
    *map = (struct gs_map){0};
    for (size_t i = 0; i < n; i++) {
        const struct gs_str path = gs_str(input[i].path);
        const enum gs_role role = gs_role_of_table(input[i].kind);
        if (s == NULL || s->role != role)
            s = gs_map_add(map, arena);
        GS_TRY(gs_had_memory(s != NULL, err));
        s->role = role;
        s->form = gs_str(gs_form_study.name);
        s->skip = s->header = -1;
        if (!gs_texts_add(&s->path, path, arena) || !gs_texts_add(&s->files, path, arena))
            return gs_fail_memory(err);
    }
    return GS_OK;
}

enum gs_status gs_run_map_inputs(const struct gs_map *map, struct gs_arena *arena,
                                 struct gs_input **input, size_t *n_inputs, struct gs_err *err)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < map->n_sources; i++)
        n += map->source[i].path.n;
    GS_NEW(struct gs_input, list, n, arena, err);
    for (size_t i = 0; i < map->n_sources; i++)
        for (size_t k = 0; k < map->source[i].path.n; k++, at++) {
            const struct gs_str path = map->source[i].path.item[k];
            const char *const name = gs_escaped(arena, gs_file_called(path), 512);
            GS_TRY(gs_had_memory(name != NULL, err));
            list[at] = (struct gs_input){
                .kind = gs_table_of_role(map->source[i].role), .path = path.ptr, .name = name};
        }
    *input = list;
    *n_inputs = n;
    return GS_OK;
}

enum gs_status gs_is_study(const struct gs_map_request *r, const struct gs_load_options *o,
                           bool *study, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct study f = {0};
    struct gs_map map = {0};
    bool mapped, all = false, others = false;
    enum gs_status s = is_mapped(r, &own, &mapped, &f.fault);
    if (s == GS_OK && !mapped)
        s = gs_inputs_find(r, o, &own, &f.input, &f.n, &f.fault);
    if (s == GS_OK && f.n > 0)
        s = have_study_headers(f.input, f.n, &all, &f.fault);
    if (s == GS_OK && all)
        s = others_hold(r, o, &f, &own, &map, &others, &f.fault);
    *study = s == GS_OK && all && !others;
    return gs_fail_of_system(err, s, &f.fault);
}

enum gs_status gs_run_map_detected(const struct gs_map_request *r, const struct gs_load_options *o,
                                   struct gs_arena *arena, struct gs_map *map, bool *complete,
                                   struct gs_err *err)
{
    struct gs_err fault = {GS_OK, ""};
    const enum gs_status s = gs_map_build(r, arena, map, &fault);
    *complete = s == GS_OK && is_complete(map, o);
    return gs_fail_of_system(err, s, &fault);
}

/* *taken: the run is what its names say, and *map that, or it is refused. */
static enum gs_status map_by_names(const struct gs_map_request *r, const struct gs_load_options *o,
                                   const struct study *f, struct gs_arena *arena,
                                   struct gs_map *map, bool *taken, struct gs_err *err)
{
    struct gs_manifest whole = {0};
    bool others = false;
    *taken = f->found != GS_ERR_NOINPUT;
    if (f->found != GS_OK)
        return *taken ? gs_fail_again(err, &f->fault) : GS_OK;
    if (gs_pass_plan_shard(o).n_shards > 1 &&
        (gs_manifest_leave_out(f->input, f->n, o, arena, &whole, NULL) != GS_OK || whole.complete))
        return study_map(f->input, f->n, arena, map, err); /* parts of a split */
    GS_TRY(have_study_headers(f->input, f->n, taken, err));
    if (!*taken)
        return GS_OK;
    GS_TRY(others_hold(r, o, f, arena, map, &others, err));
    if (others)
        return refuse_damaged(map, o, err);
    return study_map(f->input, f->n, arena, map, err);
}

static enum gs_status check_splits(const struct gs_map_request *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->n_operands; i++)
        if (gs_is_directory(r->operand[i]))
            GS_TRY(gs_manifest_check(r->operand[i], r->seed, err));
    return GS_OK;
}

enum gs_status gs_run_map(const struct gs_map_request *r, const struct gs_load_options *o,
                          struct gs_arena *arena, struct gs_map *map, struct gs_err *err)
{
    struct study f = {0};
    struct gs_err other = {GS_OK, ""};
    bool mapped = false, taken = false;
    GS_TRY(check_splits(r, err));
    GS_TRY(is_mapped(r, arena, &mapped, err));
    if (mapped)
        return gs_map_build(r, arena, map, err);
    f.found = gs_inputs_find(r, o, arena, &f.input, &f.n, &f.fault);
    GS_TRY(map_by_names(r, o, &f, arena, map, &taken, err));
    if (taken) {
        const char *const own = r->n_operands > 0 ? gs_map_path(r->operand[0], arena) : "";
        GS_TRY(gs_had_memory(own != NULL, err));
        gs_map_note_foreign(r->notes, own, map);
        return GS_OK;
    }
    *map = (struct gs_map){0};
    const enum gs_status s = gs_map_build(r, arena, map, &other);
    GS_TRY(gs_fail_of_system(err, s, &other));
    if (s == GS_OK && refuse_damaged(map, o, err) != GS_OK)
        return GS_ERR_DATA;
    if (s == GS_OK && is_complete(map, o) && !passes_over(map, o))
        return GS_OK;
    /* Files of the study that lack something say it themselves; so does a directory that is not there or holds nothing. */
    if (f.found == GS_OK && s != GS_ERR_DATA)
        return study_map(f.input, f.n, arena, map, err);
    if (s == GS_ERR_DATA)
        return gs_fail_again(err, &other);
    if (s != GS_OK || map->n_sources + map->n_unused == 0)
        return gs_fail_again(err, &f.fault);
    return GS_OK;
}
