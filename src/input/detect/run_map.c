/* run_map.c - builds the map of a run, and refuses files of the study's names that would go unread. */
#include "input/detect/run_map.h"

#include <string.h>

#include "base/os/path.h"
#include "input/detect/inputs.h"
#include "input/detect/manifest.h"
#include "input/detect/preview.h"
#include "input/formats/record_sink.h"
#include "input/import/map_needed.h"

static bool is_column(const struct gs_map_value *v, const char *name)
{
    return v->kind == GS_VALUE_COLUMN && gs_str_eq_nocase(v->column.item[0], gs_str(name));
}

/* Does a source have the study's own columns? Its power may be called otherwise. */
static bool is_of_study(const struct gs_source *s)
{
    bool own = s->role == GS_ROLE_EVENTS && is_column(&s->event, "eventName") &&
               gs_str_eq_nocase(s->phase.column, gs_str("eventType"));
    for (size_t i = 0; s->role == GS_ROLE_SAMPLES && i < s->metrics.n; i++) {
        const struct gs_metric *const m = gs_metric_find(s->metrics.item[i].name);
        own |= m != NULL && strcmp(m->unit, "W") == 0;
    }
    return own && is_column(&s->time, "timestamp") && is_column(&s->host, "hostname");
}

bool gs_map_is_study(const struct gs_map *map)
{
    bool any = false, all = true;
    for (size_t i = 0; i < map->n_sources; i++)
        if (map->source[i].role != GS_ROLE_TASKS) {
            any = true;
            all &= is_of_study(&map->source[i]);
        }
    return any && all;
}

/* Is it the study's log of GPUs, but for a power? Then a column was renamed: a table of dashes would say nothing. */
static bool lost_power(const struct gs_source *s)
{
    bool study = false;
    if (!s->detected || s->role != GS_ROLE_SAMPLES || s->path.n == 0 ||
        gs_study_role(gs_path_last(s->path.item[0].ptr)) != GS_ROLE_SAMPLES)
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

/* The columns of a table, for people. */
static enum gs_status put_columns(const char *path, struct gs_buf *b, struct gs_err *err)
{
    struct gs_preview h = {0};
    const struct gs_source hint = {.header = -1, .skip = -1};
    GS_TRY(gs_preview_read(path, &hint, false, 1, b->arena, &h, err));
    gs_buf_text_if(b, h.n_columns > 0, "; found ");
    for (uint32_t i = 0; i < h.n_columns; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        gs_buf_escaped(b, h.column[i], 80);
    }
    return gs_had_memory(!b->failed, err);
}

static enum gs_status refuse_powerless(const struct gs_source *s, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf found = {.arena = &own};
    GS_TRY(put_columns(s->path.item[0].ptr, &found, err));
    return gs_fail(err, GS_ERR_DATA,
                   "%s: no column 'powerDrawWatt'%s; --set "
                   "samples.metrics.power_w.column=NAME --set "
                   "samples.metrics.power_w.unit=W names it",
                   GS_SHOWN(gs_file_called(s->path.item[0]), 512), gs_buf_str(&found).ptr);
}

/* A file of the study's name that is none of its tables; `others`: there are more of its name, which are. */
static enum gs_status refuse_file(const char *path, const char *why, enum gs_role role, bool others,
                                  struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf b = {.arena = &own};
    const char *const shown = GS_SHOWN(gs_file_called(gs_str(path)), 512);
    const size_t n = strlen(shown);
    if (strncmp(why, shown, n) != 0 || why[n] != ':') /* else it names its line */
        gs_buf_format(&b, "%s: ", shown);
    gs_buf_text(&b, why);
    if (strcmp(why, gs_names_unknown) == 0)
        GS_TRY(put_columns(path, &b, err));
    if (others)
        gs_buf_text(&b, ", though others of its name are tables");
    else
        gs_buf_format(&b, "; %s were expected by its name", gs_role_names[role]);
    GS_TRY(gs_had_memory(!b.failed, err));
    return gs_fail(err, GS_ERR_DATA, "%s", gs_buf_str(&b).ptr);
}

/* Which roles are played, and which by files of the study's names. */
struct roles {
    bool played[GS_N_ROLES + 1], own[GS_N_ROLES + 1], any;
};

/*
 * May a file that is not read be none of the run? One of the study's name that is no table is not to be passed over: not
 * beside others of its kind, as a split or a rotation names them, and not where nothing plays its part.
 */
static bool may_be_missed(const struct gs_unused_file *f, const struct roles *of,
                          const struct gs_load_options *o)
{
    const enum gs_role role = gs_study_role(f->path.ptr);
    const enum gs_table_kind kind = role == GS_N_ROLES ? GS_N_TABLES : gs_table_of_role(role);
    if (kind == GS_N_TABLES || f->replaced || !o->need[kind] ||
        (of->played[role] && !of->own[role]))
        return true;
    return of->any && o->optional[kind] && strcmp(f->why, gs_names_no_rows) == 0;
}

static enum gs_status refuse_unread(const struct gs_map_request *r, const struct gs_map *m,
                                    const struct gs_load_options *o, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_buf path = {.arena = &own};
    const bool below = r->n_operands == 1 && gs_is_directory(r->operand[0]);
    struct roles of = {.any = m->n_sources > 0};
    for (size_t i = 0; i < m->n_sources; i++) {
        if (lost_power(&m->source[i]))
            return refuse_powerless(&m->source[i], err);
        of.played[m->source[i].role] = true;
        for (size_t k = 0; k < m->source[i].path.n; k++)
            of.own[gs_study_role(gs_path_last(m->source[i].path.item[k].ptr))] = true;
    }
    for (size_t i = 0; i < m->n_unused; i++) {
        const struct gs_unused_file *const f = &m->unused[i];
        const enum gs_role role = gs_study_role(f->path.ptr);
        if (may_be_missed(f, &of, o))
            continue;
        gs_path_put(&path, below ? r->operand[0] : "", f->path.ptr);
        GS_TRY(gs_had_memory(!path.failed, err));
        return refuse_file(path.ptr, f->why, role, of.own[role], err);
    }
    return GS_OK;
}

static enum gs_status check_splits(const struct gs_map_request *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->n_operands; i++)
        if (gs_is_directory(r->operand[i]))
            GS_TRY(gs_manifest_check(r->operand[i], r->seed, err));
    return GS_OK;
}

/* Is anything there at all, and where no directory is searched, what is needed? */
static enum gs_status refuse_nothing(const struct gs_map_request *r, const struct gs_map *m,
                                     const struct gs_load_options *o, struct gs_err *err)
{
    unsigned played = 0;
    for (size_t i = 0; i < m->n_sources; i++)
        played |= 1u << m->source[i].role;
    for (int k = 0; r->n_operands == 0 && r->map_file == NULL && k < GS_N_ROLES; k++) {
        const enum gs_table_kind kind = gs_table_of_role((enum gs_role)k);
        if (o->need[kind] && !o->optional[kind] && (played >> k & 1) == 0)
            return gs_fail(err, GS_ERR_USAGE,
                           "no %s: name a directory (. is this one), or the file with --%s",
                           gs_role_names[k], gs_role_names[k]);
    }
    if (m->n_sources + m->n_unused > 0 || r->map_file != NULL)
        return GS_OK;
    if (r->n_operands == 0)
        return gs_fail(err, GS_ERR_USAGE,
                       "no files: name a directory (. is this one), or files with --samples");
    return gs_fail(err, GS_ERR_NOINPUT, "%s: no files there (--samples FILE names one)",
                   GS_SHOWN(gs_str(r->operand[0]), 512));
}

enum gs_status gs_run_map(const struct gs_map_request *r, const struct gs_load_options *o,
                          struct gs_arena *arena, struct gs_map *map, struct gs_err *err)
{
    GS_TRY(check_splits(r, err));
    GS_TRY(gs_map_build(r, arena, map, err));
    GS_TRY(refuse_nothing(r, map, o, err));
    return r->n_sets == 0 ? refuse_unread(r, map, o, err) : GS_OK;
}
