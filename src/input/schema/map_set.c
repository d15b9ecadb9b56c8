/* map_set.c - one thing said on the command line: ROLE[GLOB].PATH=VALUE. */
#include <string.h>

#include "input/schema/map_fields.h"
#include "input/schema/pattern.h"

struct assignment {
    struct gs_str role, glob, path, value; /* glob.ptr == NULL: none */
};

/* The name up to the next point; `path` moves behind it. */
static struct gs_str next_name(struct gs_str *path)
{
    size_t n = 0;
    while (n < path->len && path->ptr[n] != '.')
        n++;
    const struct gs_str name = {path->ptr, n};
    path->ptr += n < path->len ? n + 1 : n;
    path->len -= n < path->len ? n + 1 : n;
    return name;
}

static enum gs_status refuse(struct gs_str whole, const char *what, struct gs_err *err)
{
    char shown[200];
    return gs_fail(err, GS_ERR_USAGE, "--set: '%s' %s", gs_escape(shown, sizeof shown, whole),
                   what);
}

/* The first '=' ends the path, so a value may hold more of them, as labels do. */
static enum gs_status split(struct gs_str text, struct assignment *a, struct gs_err *err)
{
    size_t i = 0;
    struct assignment r = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    while (i < text.len && text.ptr[i] != '.' && text.ptr[i] != '[' && text.ptr[i] != '=')
        i++;
    r.role = (struct gs_str){text.ptr, i};
    if (i < text.len && text.ptr[i] == '[') {
        const size_t from = ++i;
        while (i < text.len && text.ptr[i] != ']')
            i++;
        r.glob = (struct gs_str){text.ptr + from, i - from};
        i += i < text.len;
    }
    if (i == text.len || text.ptr[i] != '.')
        return refuse(text, "is not ROLE.PATH=VALUE, such as samples.zone=+01:00", err);
    const size_t from = ++i;
    while (i < text.len && text.ptr[i] != '=')
        i++;
    if (i == text.len)
        return refuse(text, "has no '=', expected ROLE.PATH=VALUE", err);
    r.path = (struct gs_str){text.ptr + from, i - from};
    r.value = (struct gs_str){text.ptr + i + 1, text.len - i - 1};
    *a = r;
    return GS_OK;
}

/* The parts of a list, parted by commas. */
static bool parse_list(struct gs_str value, struct gs_arena *arena, struct gs_texts *list)
{
    struct gs_texts t = {0};
    for (size_t i = 0, from = 0; value.len > 0 && i <= value.len; i++)
        if (i == value.len || value.ptr[i] == ',') {
            if (!gs_texts_add(&t, (struct gs_str){value.ptr + from, i - from}, arena))
                return false;
            from = i + 1;
        }
    *list = t;
    return true;
}

static bool are_patterns(const struct gs_texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!gs_pattern_valid(t->item[i]))
            return false;
    return true;
}

/* A new list instead of a change in place: sources that were split off share the old one. */
static enum gs_status set_where(struct gs_str whole, struct gs_str column, struct gs_str value,
                                struct gs_arena *arena, struct gs_map_wheres *w, struct gs_err *err)
{
    struct gs_map_where one = {{NULL, 0}, {0}};
    if (column.len == 0)
        return refuse(whole, "names no column behind where", err);
    size_t at = 0;
    while (at < w->n && !gs_str_eq(w->item[at].column, column))
        at++;
    struct gs_map_where *const list = gs_arena_take(arena, w->n + 1, sizeof *list);
    if (list == NULL || !gs_map_copy(&one.column, column, arena) ||
        !parse_list(value, arena, &one.pattern))
        return gs_fail_memory(err);
    if (!are_patterns(&one.pattern))
        return refuse(whole,
                      "holds what is no pattern: * is any text, {} the part kept, \\ escapes", err);
    if (w->n > 0)
        memcpy(list, w->item, w->n * sizeof *list);
    if (value.len == 0 && at < w->n)
        memmove(list + at, list + at + 1, (--w->n - at) * sizeof *list);
    else if (value.len > 0)
        list[at] = one, w->n += at == w->n;
    w->item = list;
    return GS_OK;
}

static enum gs_status set_name(struct gs_str from, struct gs_str to, struct gs_arena *arena,
                               struct gs_map_value *v, struct gs_err *err)
{
    size_t at = 0;
    while (at < v->n_names && !gs_str_eq(v->names[at].from, from))
        at++;
    struct gs_map_name *const list = gs_arena_take(arena, v->n_names + 1, sizeof *list);
    struct gs_map_name one;
    if (list == NULL || !gs_map_copy(&one.from, from, arena) || !gs_map_copy(&one.to, to, arena))
        return gs_fail_memory(err);
    if (v->n_names > 0)
        memcpy(list, v->names, v->n_names * sizeof *list);
    if (to.len == 0 && at < v->n_names)
        memmove(list + at, list + at + 1, (--v->n_names - at) * sizeof *list);
    else if (to.len > 0)
        list[at] = one, v->n_names += at == v->n_names;
    v->names = list;
    return GS_OK;
}

/* Where a value comes from: of the kinds the last one said counts, what becomes of it stays. */
static enum gs_status set_kind(struct gs_str whole, enum gs_value_kind kind, struct gs_str value,
                               struct gs_arena *arena, struct gs_map_value *v, struct gs_err *err)
{
    struct gs_texts column = {0};
    struct gs_str text = {NULL, 0};
    if ((kind == GS_VALUE_COLUMNS || kind == GS_VALUE_FILE) && !gs_pattern_valid(value))
        return refuse(whole,
                      "holds what is no pattern: * is any text, {} the part kept, \\ escapes", err);
    if (kind == GS_VALUE_COUNT && !gs_str_eq(value, gs_str("true")))
        return refuse(whole, "is not count=true", err);
    if (kind == GS_VALUE_COLUMN ? !parse_list(value, arena, &column)
                                : !gs_map_copy(&text, value, arena))
        return gs_fail_memory(err);
    v->kind = kind != GS_VALUE_COLUMN ? kind : column.n == 1 ? GS_VALUE_COLUMN : GS_VALUE_JOINED;
    v->column = column;
    v->text = text;
    return GS_OK;
}

static enum gs_status set_value(struct gs_str whole, struct gs_str path, struct gs_str value,
                                struct gs_arena *arena, struct gs_map_value *v, struct gs_err *err)
{
    static const struct {
        const char *name;
        enum gs_value_kind kind;
    } kinds[] = {{"column", GS_VALUE_COLUMN}, {"columns", GS_VALUE_COLUMNS},
                 {"file", GS_VALUE_FILE},     {"text", GS_VALUE_TEXT},
                 {"count", GS_VALUE_COUNT},   {"every", GS_VALUE_EVERY},
                 {"turns", GS_VALUE_TURNS}};
    const struct gs_str name = next_name(&path);
    if (name.len == 0 && value.len == 0) {
        *v = (struct gs_map_value){0};
        return GS_OK;
    }
    if (name.len == 0)
        return set_kind(whole, GS_VALUE_COLUMN, value, arena, v, err);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (gs_str_eq(name, gs_str(kinds[i].name)) && path.len == 0) {
            if (value.len > 0)
                return set_kind(whole, kinds[i].kind, value, arena, v, err);
            *v = (struct gs_map_value){0};
            return GS_OK;
        }
    if (gs_str_eq(name, gs_str("where")))
        return set_where(whole, path, value, arena, &v->where, err);
    if (gs_str_eq(name, gs_str("names")))
        return set_name(path, value, arena, v, err);
    if (gs_str_eq(name, gs_str("many")) && path.len == 0) {
        v->many = gs_str_eq(value, gs_str("true"));
        return v->many || value.len == 0 || gs_str_eq(value, gs_str("false"))
                   ? GS_OK
                   : refuse(whole, "is neither true nor false", err);
    }
    struct gs_str *const text = gs_str_eq(name, gs_str("unit"))   ? &v->unit
                                : gs_str_eq(name, gs_str("like")) ? &v->like
                                                                  : NULL;
    if (text == NULL || path.len > 0)
        return refuse(whole,
                      "names no part of a value: column, columns, file, text, count, every, turns, "
                      "unit, like, many, "
                      "names, where",
                      err);
    if (text == &v->like && !gs_pattern_valid(value))
        return refuse(whole,
                      "holds what is no pattern: * is any text, {} the part kept, \\ escapes", err);
    if (value.len > 0)
        return gs_map_copy(text, value, arena) ? GS_OK : gs_fail_memory(err);
    *text = (struct gs_str){NULL, 0};
    return GS_OK;
}

static enum gs_status set_fields(struct gs_str whole, struct gs_str path, struct gs_str value,
                                 struct gs_arena *arena, struct gs_map_fields *f,
                                 struct gs_err *err)
{
    const struct gs_str name = next_name(&path);
    size_t at = 0;
    if (name.len == 0)
        return refuse(whole, "names no metric or attribute", err);
    while (at < f->n && !gs_str_eq(f->item[at].name, name))
        at++;
    struct gs_map_field *const list = gs_arena_take(arena, f->n + 1, sizeof *list);
    if (list == NULL)
        return gs_fail_memory(err);
    if (f->n > 0)
        memcpy(list, f->item, f->n * sizeof *list);
    if (at == f->n && !gs_map_copy(&list[at].name, name, arena))
        return gs_fail_memory(err);
    const enum gs_status s = set_value(whole, path, value, arena, &list[at].value, err);
    if (s != GS_OK)
        return s;
    f->item = list;
    f->n += at == f->n;
    if (list[at].value.kind == GS_VALUE_NONE)
        memmove(list + at, list + at + 1, (--f->n - at) * sizeof *list);
    return GS_OK;
}

static enum gs_status set_phase(struct gs_str whole, struct gs_str path, struct gs_str value,
                                struct gs_arena *arena, struct gs_map_phase *p, struct gs_err *err)
{
    if (path.len == 0) {
        const bool points = gs_str_eq(value, gs_str("points")),
                   turns = gs_str_eq(value, gs_str("turns"));
        if (!points && !turns && value.len > 0)
            return refuse(
                whole, "is neither points nor turns; start and stop are phase.start and phase.stop",
                err);
        *p = (struct gs_map_phase){.kind = points  ? GS_PHASE_POINTS
                                           : turns ? GS_PHASE_TURNS
                                                   : GS_PHASE_NONE};
        return GS_OK;
    }
    struct gs_str *const text = gs_str_eq(path, gs_str("column"))  ? &p->column
                                : gs_str_eq(path, gs_str("start")) ? &p->start
                                : gs_str_eq(path, gs_str("stop"))  ? &p->stop
                                                                   : NULL;
    if (text == NULL)
        return refuse(whole, "names no part of a phase: column, start, stop", err);
    if (text != &p->column && !gs_pattern_valid(value))
        return refuse(whole,
                      "holds what is no pattern: * is any text, {} the part kept, \\ escapes", err);
    p->kind = GS_PHASE_PAIRS;
    if (value.len > 0)
        return gs_map_copy(text, value, arena) ? GS_OK : gs_fail_memory(err);
    *text = (struct gs_str){NULL, 0};
    return GS_OK;
}

static enum gs_status set_count(struct gs_str whole, struct gs_str value, int64_t *out,
                                struct gs_err *err)
{
    int64_t n = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (!gs_is_digit(value.ptr[i]) || n > 1000000)
            return refuse(whole, "is not a whole number from 0 to 1000000", err);
        n = n * 10 + (value.ptr[i] - '0');
    }
    *out = value.len == 0 ? -1 : n;
    return GS_OK;
}

static enum gs_status set_field(struct gs_str whole, const struct assignment *a,
                                struct gs_source *s, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_str path = a->path;
    const struct gs_str name = next_name(&path);
    const struct gs_map_row *const row = gs_map_row_find(name, s->role);
    if (row == NULL || row->kind == GS_MAP_ROLE)
        return refuse(
            whole, "names no field of such a source; `gpustat map` prints those that are set", err);
    void *const to = (char *)s + row->offset;
    s->host_guessed &= to != &s->host;
    const bool leaf =
        row->kind == GS_MAP_TEXT || row->kind == GS_MAP_TEXTS || row->kind == GS_MAP_COUNT;
    if (leaf && path.len > 0)
        return refuse(whole, "goes on where the path ends", err);
    switch (row->kind) {
    case GS_MAP_TEXT:
        *(struct gs_str *)to = (struct gs_str){NULL, 0};
        return a->value.len == 0 || gs_map_copy(to, a->value, arena) ? GS_OK : gs_fail_memory(err);
    case GS_MAP_TEXTS:
        return parse_list(a->value, arena, to) ? GS_OK : gs_fail_memory(err);
    case GS_MAP_COUNT:
        return set_count(whole, a->value, to, err);
    case GS_MAP_WHERE:
        return set_where(whole, path, a->value, arena, to, err);
    case GS_MAP_FIELDS:
        return set_fields(whole, path, a->value, arena, to, err);
    case GS_MAP_PHASE:
        return set_phase(whole, path, a->value, arena, to, err);
    case GS_MAP_ORIGIN:
        return path.len > 0 || a->value.len == 0
                   ? set_value(whole, path, a->value, arena, to, err)
                   : set_kind(whole, GS_VALUE_TEXT, a->value, arena, to, err);
    default:
        return set_value(whole, path, a->value, arena, to, err);
    }
}

/*
 * The files of a source that the pattern names become a source of their own, behind it; false:
 * none or all. gs_map_add may move the sources, so pointers to them are taken anew after it.
 */
static enum gs_status split_off(struct gs_map *map, size_t at, struct gs_str glob,
                                struct gs_arena *arena, bool *hit, size_t *target,
                                struct gs_err *err)
{
    struct gs_texts in = {0}, in_path = {0}, out = {0}, out_path = {0};
    const struct gs_source whole = map->source[at];
    const bool resolved = whole.path.n == whole.files.n;
    for (size_t i = 0; i < whole.files.n; i++) {
        const bool is = gs_pattern_match_path(glob, whole.files.item[i], NULL);
        if (!gs_texts_add(is ? &in : &out, whole.files.item[i], arena) ||
            (resolved && !gs_texts_add(is ? &in_path : &out_path, whole.path.item[i], arena)))
            return gs_fail_memory(err);
    }
    *hit = in.n > 0;
    *target = at;
    if (in.n == 0 || out.n == 0)
        return GS_OK;
    struct gs_source *const added = gs_map_add(map, arena);
    if (added == NULL)
        return gs_fail_memory(err);
    *added = whole;
    added->files = in;
    added->path = in_path;
    map->source[at].files = out;
    map->source[at].path = out_path;
    *target = map->n_sources - 1;
    return GS_OK;
}

enum gs_status gs_map_set(struct gs_map *map, struct gs_str text, struct gs_arena *arena,
                          struct gs_err *err)
{
    struct assignment a = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
    enum gs_status s = split(text, &a, err);
    int role = 0;
    if (s != GS_OK)
        return s;
    while (role < GS_N_ROLES && !gs_str_eq(a.role, gs_str(gs_role_names[role])))
        role++;
    if (role == GS_N_ROLES)
        return refuse(text, "begins with no role: samples, events or tasks", err);
    bool any = false;
    const size_t n = map->n_sources;
    for (size_t i = 0; s == GS_OK && i < n; i++) {
        bool hit = true;
        size_t target = i;
        if (map->source[i].role != (enum gs_role)role)
            continue;
        if (a.glob.ptr != NULL)
            s = split_off(map, i, a.glob, arena, &hit, &target, err);
        if (s == GS_OK && hit)
            s = set_field(text, &a, &map->source[target], arena, err);
        any |= hit;
    }
    if (s == GS_OK && !any)
        return refuse(text,
                      a.glob.ptr != NULL ? "names no file that is read in that role"
                                         : "names a role that no file has; name its file with "
                                           "--samples, --events or --tasks",
                      err);
    return s;
}
