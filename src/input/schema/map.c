/* map.c - the fields of a source in one table, and what a source must have. */
#include "input/schema/map.h"

#include <string.h>

#include "input/times/clock.h"
#include "base/num/timestamp.h"
#include "input/schema/map_fields.h"
#include "base/core/pattern.h"

const char *const gs_role_names[GS_N_ROLES] = {"samples", "events", "tasks"};

enum { S = 1 << GS_ROLE_SAMPLES, E = 1 << GS_ROLE_EVENTS, T = 1 << GS_ROLE_TASKS, ALL = S | E | T };

#define FIELD(n, kind, roles)                                                                      \
    {                                                                                              \
#n, kind, offsetof(struct gs_source, n), roles                                             \
    }

const struct gs_map_row gs_map_rows[] = {
    FIELD(role, GS_MAP_ROLE, ALL),
    FIELD(files, GS_MAP_TEXTS, ALL),
    FIELD(form, GS_MAP_TEXT, ALL),
    FIELD(separator, GS_MAP_TEXT, ALL),
    FIELD(skip, GS_MAP_COUNT, ALL),
    FIELD(header, GS_MAP_COUNT, ALL),
    FIELD(columns, GS_MAP_TEXTS, ALL),
    FIELD(zone, GS_MAP_TEXT, S | E),
    FIELD(origin, GS_MAP_ORIGIN, S | E),
    FIELD(shift, GS_MAP_TEXT, S | E),
    FIELD(where, GS_MAP_WHERE, ALL),
    FIELD(ignored, GS_MAP_TEXTS, ALL),
    FIELD(event, GS_MAP_VALUE, E),
    FIELD(time, GS_MAP_VALUE, S | E),
    FIELD(phase, GS_MAP_PHASE, E),
    FIELD(start, GS_MAP_VALUE, E),
    FIELD(stop, GS_MAP_VALUE, E),
    FIELD(duration, GS_MAP_VALUE, E),
    FIELD(host, GS_MAP_VALUE, S | E),
    FIELD(gpu, GS_MAP_VALUE, S | E),
    FIELD(job, GS_MAP_VALUE, ALL),
    FIELD(task, GS_MAP_VALUE, E | T),
    FIELD(metrics, GS_MAP_FIELDS, S | E),
    FIELD(attributes, GS_MAP_FIELDS, E | T),
    {0},
};

const struct gs_map_row *gs_map_row_find(struct gs_str name, enum gs_role role)
{
    for (const struct gs_map_row *r = gs_map_rows; r->name != NULL; r++)
        if ((r->roles >> role & 1) != 0 && gs_str_eq(name, gs_str(r->name)))
            return r;
    return NULL;
}

const char *const gs_value_kind_names[] = {
    [GS_VALUE_COLUMN] = "column", [GS_VALUE_JOINED] = "column", [GS_VALUE_COLUMNS] = "columns",
    [GS_VALUE_FILE] = "file",     [GS_VALUE_TEXT] = "text",     [GS_VALUE_COUNT] = "count",
    [GS_VALUE_EVERY] = "every",   [GS_VALUE_TURNS] = "turns"};

enum gs_value_kind gs_value_kind_find(struct gs_str name)
{
    for (enum gs_value_kind k = GS_VALUE_COLUMN; k <= GS_VALUE_TURNS; k++)
        if (gs_str_eq(name, gs_str(gs_value_kind_names[k])))
            return k;
    return GS_VALUE_NONE;
}

const char *const gs_phase_words[GS_N_PHASE_KINDS] = {
    [GS_PHASE_POINTS] = "points", [GS_PHASE_ENDS] = "ends", [GS_PHASE_TURNS] = "turns"};

enum gs_phase_kind gs_phase_find_word(struct gs_str word)
{
    for (unsigned k = 0; k < GS_N_PHASE_KINDS; k++)
        if (gs_phase_words[k] != NULL && gs_str_eq(word, gs_str(gs_phase_words[k])))
            return (enum gs_phase_kind)k;
    return GS_PHASE_NONE;
}

struct gs_str *gs_phase_text(struct gs_map_phase *p, struct gs_str name)
{
    if (gs_str_eq(name, gs_str("column")))
        return &p->column;
    if (gs_str_eq(name, gs_str("start")))
        return &p->start;
    if (gs_str_eq(name, gs_str("stop")))
        return &p->stop;
    return NULL;
}

bool gs_texts_add(struct gs_texts *list, struct gs_str text, struct gs_arena *arena)
{
    struct gs_str copy;
    if (!GS_HAS_ROOM(arena, list->item, list->n) || !gs_str_copy(arena, text, &copy))
        return false;
    list->item[list->n++] = copy;
    return true;
}

bool gs_texts_contain(const struct gs_texts *list, struct gs_str text)
{
    for (size_t i = 0; i < list->n; i++)
        if (gs_str_eq(list->item[i], text))
            return true;
    return false;
}

/*
 * The list doubles at powers of two, so its capacity follows from the number. Pointers to sources
 * do not survive this call.
 */
struct gs_source *gs_map_add(struct gs_map *map, struct gs_arena *arena)
{
    if (!GS_HAS_ROOM(arena, map->source, map->n_sources))
        return NULL;
    struct gs_source *const s = &map->source[map->n_sources++];
    *s = (struct gs_source){.skip = -1, .header = -1};
    return s;
}

void gs_sources_init(struct gs_source of[GS_N_ROLES])
{
    for (int k = 0; k < GS_N_ROLES; k++)
        of[k] = (struct gs_source){.role = (enum gs_role)k, .skip = -1, .header = -1};
}

void gs_map_add_unused(struct gs_map *map, struct gs_unused_file file, struct gs_arena *arena)
{
    file.why = gs_arena_copy(arena, file.why, strlen(file.why));
    if (file.why != NULL && GS_HAS_ROOM(arena, map->unused, map->n_unused))
        map->unused[map->n_unused++] = file;
}

bool gs_map_value_takes(const struct gs_map_value *v, struct gs_str column)
{
    return v->kind == GS_VALUE_COLUMNS ? gs_pattern_match(v->text, column, NULL)
                                       : gs_texts_contain(&v->column, column);
}

bool gs_source_reads(const struct gs_source *s, struct gs_str column)
{
    bool is = gs_map_value_takes(&s->time, column) || gs_map_value_takes(&s->host, column) ||
              gs_map_value_takes(&s->gpu, column) || gs_map_value_takes(&s->job, column);
    for (size_t k = 0; k < s->metrics.n; k++)
        is |= gs_map_value_takes(&s->metrics.item[k].value, column);
    for (size_t k = 0; k < s->missing_units.n; k++)
        is |= gs_str_eq(s->missing_units.item[k].column, column);
    return is;
}

void gs_map_drop_used(struct gs_map *m, size_t from)
{
    size_t n = 0;
    for (size_t k = 0; k < m->n_unused; k++) {
        bool used = false;
        for (size_t i = from; i < m->n_sources; i++)
            used |= gs_texts_contain(&m->source[i].files, m->unused[k].path);
        if (!used)
            m->unused[n++] = m->unused[k];
    }
    m->n_unused = n;
}

void gs_map_put_unused(struct gs_buf *b, const struct gs_map *map)
{
    enum { NAMED = 3, NAME_SIZE = 32 };
    const size_t n = map->n_unused, more = n > NAMED ? n - NAMED : 0;
    if (n > 0)
        gs_buf_format(b, "%zu other file%s not used (gpustat map shows why)", n,
                      gs_plural(n, " is", "s are"));
    for (size_t i = 0; i < n - more; i++) {
        const char *before = i > 0 ? ", " : ": ";
        if (i > 0 && i + 1 == n)
            before = " and ";
        gs_buf_format(b, "%s%s", before, GS_SHOWN(gs_file_called(map->unused[i].path), NAME_SIZE));
    }
    if (more > 0)
        gs_buf_format(b, " and %zu more", more);
}

/* Is a text of the map of the kind that its field needs? */
static enum gs_status check_texts(const struct gs_source *s, const char *name, struct gs_err *err)
{
    int64_t ns;
    GS_OWN struct gs_arena own = {0};
    struct gs_clock clock = {.shift_ns = 0};
    GS_TRY(gs_clock_adjust(&clock, s, name, &own, err));
    if (s->separator.ptr != NULL && s->separator.len != 1 &&
        !gs_str_eq(s->separator, gs_str("blanks")))
        return gs_fail(err, GS_ERR_DATA, "%s: separator: '%s' is neither one byte nor blanks", name,
                       GS_SHOWN(s->separator, 128));
    if (s->time.kind == GS_VALUE_EVERY && (!gs_duration_parse(s->time.text, &ns) || ns == 0))
        return gs_fail(err, GS_ERR_DATA,
                       "%s: time.every: '%s' is not a length of time such as 100ms", name,
                       GS_SHOWN(s->time.text, 128));
    return GS_OK;
}

/* What a source of its role needs and does not have, or NULL. */
static const char *what_is_missing(const struct gs_source *s)
{
    const bool start = s->start.kind != GS_VALUE_NONE, stop = s->stop.kind != GS_VALUE_NONE;
    const bool duration = s->duration.kind != GS_VALUE_NONE, time = s->time.kind != GS_VALUE_NONE;
    switch (s->role) {
    case GS_ROLE_SAMPLES:
        if (!time)
            return "time and metrics";
        return s->metrics.n == 0 ? "metrics" : NULL;
    case GS_ROLE_TASKS:
        return s->task.kind == GS_VALUE_NONE ? "task" : NULL;
    default:
        if (!start && !stop && !duration && !(time && s->phase.kind != GS_PHASE_NONE))
            return "time and phase, or two of start, stop and duration";
        if (start == stop || duration)
            return NULL;
        return start ? "stop or duration" : "start or duration";
    }
}

enum gs_status gs_map_check(const struct gs_source *s, const char *name, struct gs_err *err)
{
    if (s->role == GS_ROLE_SAMPLES && s->time.kind == GS_VALUE_NONE && s->metrics.n > 0)
        return gs_fail(
            err, GS_ERR_DATA,
            "%s: has no times; give the time between two rows with --set samples.time.every=100ms, "
            "and beside events when the first is with --set samples.origin=2024-05-01T12:00:00Z",
            name);
    const char *const wants = s->files.n == 0 ? "files" : what_is_missing(s);
    if (wants != NULL)
        return gs_fail(err, GS_ERR_DATA, "%s: a source of %s without %s", name,
                       gs_role_names[s->role], wants);
    if (s->time.kind == GS_VALUE_EVERY && s->origin.kind == GS_VALUE_NONE)
        return gs_fail(
            err, GS_ERR_DATA,
            "%s: time.every is the time between two rows; origin is missing, the time of the first",
            name);
    return check_texts(s, name, err);
}
