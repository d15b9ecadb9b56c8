/* map_set.c - applies one --set option: ROLE[GLOB].PATH=VALUE. */
#include <string.h>

#include "base/num/order.h"
#include "input/schema/map_fields.h"
#include "base/core/pattern.h"

struct assignment {
    struct gs_str role, glob, path, value; /* glob.ptr == NULL: none */
    struct gs_str whole;
    struct gs_arena *arena;
    struct gs_err *err;
};

static enum gs_status refuse(const struct assignment *a, const char *what)
{
    return gs_fail(a->err, GS_ERR_USAGE, "--set: '%s' %s", GS_SHOWN(a->whole, 200), what);
}

static enum gs_status refuse_pattern(const struct assignment *a)
{
    return refuse(a, "holds what is no pattern: * is any text, {} the part kept, \\ escapes");
}

/* The first '=' ends the path, so a value may hold more of them, as labels do. */
static enum gs_status split(struct assignment *a)
{
    const struct gs_str text = a->whole;
    struct gs_str rest = gs_str_after(text, gs_str_until(text, 0, ".[="));
    a->role = gs_str_part(text, 0, text.len - rest.len);
    if (gs_str_begins(rest, "[")) {
        rest = gs_str_after(rest, 1);
        a->glob = gs_str_take(&rest, ']');
    }
    if (!gs_str_begins(rest, "."))
        return refuse(a, "is not ROLE.PATH=VALUE, such as samples.zone=+01:00");
    a->value = gs_str_after(rest, 1);
    if (gs_str_find_byte(rest, '=') == rest.len)
        return refuse(a, "has no '=', expected ROLE.PATH=VALUE");
    a->path = gs_str_take(&a->value, '=');
    return GS_OK;
}

/* The parts of a list, parted by commas. */
static bool parse_list(struct gs_str value, struct gs_arena *arena, struct gs_texts *list)
{
    struct gs_texts t = {0};
    for (size_t i = 0, from = 0; value.len > 0 && i <= value.len; i++)
        if (i == value.len || value.ptr[i] == ',') {
            if (!gs_texts_add(&t, gs_str_part(value, from, i), arena))
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

/* Makes a text the value; without one it is as if nobody had said it. */
static enum gs_status set_text(const struct assignment *a, struct gs_str *to)
{
    *to = GS_NO_STR;
    return gs_had_memory(a->value.len == 0 || gs_str_copy(a->arena, a->value, to), a->err);
}

/* A list whose items begin with their name, a struct gs_str. */
struct list {
    char *item;
    size_t n, size;
};

/*
 * A copy with room for one more, and in it the item of that name, new behind the others; NULL
 * without memory. A new list instead of a change in place: sources that were split off share the
 * old one.
 */
static void *item_of(const struct assignment *a, struct list *l, struct gs_str name)
{
    char *const copy = gs_arena_take(a->arena, l->n + 1, l->size);
    if (copy == NULL)
        return NULL;
    if (l->n > 0)
        memcpy(copy, l->item, l->n * l->size);
    size_t at = 0;
    while (at < l->n && !gs_str_eq(*(const struct gs_str *)(void *)(copy + at * l->size), name))
        at++;
    void *const item = copy + at * l->size;
    if (at == l->n && !gs_str_copy(a->arena, name, item))
        return NULL;
    l->item = copy;
    l->n += at == l->n;
    return item;
}

static void drop(struct list *l, void *item)
{
    char *const at = item;
    memmove(at, at + l->size, (size_t)(l->item + l->n * l->size - (at + l->size)));
    l->n--;
}

static enum gs_status set_where(const struct assignment *a, struct gs_str column,
                                struct gs_map_wheres *w)
{
    struct gs_texts pattern = {0};
    struct list list = {(char *)w->item, w->n, sizeof *w->item};
    if (column.len == 0)
        return refuse(a, "names no column behind where");
    struct gs_map_where *const one = item_of(a, &list, column);
    GS_TRY(gs_had_memory(one != NULL && parse_list(a->value, a->arena, &pattern), a->err));
    if (!are_patterns(&pattern))
        return refuse_pattern(a);
    one->pattern = pattern;
    if (a->value.len == 0)
        drop(&list, one);
    *w = (struct gs_map_wheres){(void *)list.item, list.n};
    return GS_OK;
}

static enum gs_status set_name(const struct assignment *a, struct gs_str from,
                               struct gs_map_value *v)
{
    struct list list = {(char *)v->names, v->n_names, sizeof *v->names};
    struct gs_map_name *const one = item_of(a, &list, from);
    GS_TRY(gs_had_memory(one != NULL && gs_str_copy(a->arena, a->value, &one->to), a->err));
    if (a->value.len == 0)
        drop(&list, one);
    v->names = (void *)list.item;
    v->n_names = list.n;
    return GS_OK;
}

/* Where a value comes from: of the kinds the last one said counts, what becomes of it stays. */
static enum gs_status set_kind(const struct assignment *a, enum gs_value_kind kind,
                               struct gs_map_value *v)
{
    struct gs_texts column = {0};
    struct gs_str text = GS_NO_STR;
    if ((kind == GS_VALUE_COLUMNS || kind == GS_VALUE_FILE) && !gs_pattern_valid(a->value))
        return refuse_pattern(a);
    if (kind == GS_VALUE_COUNT && !gs_str_eq(a->value, gs_str("true")))
        return refuse(a, "is not count=true");
    const bool ok = kind == GS_VALUE_COLUMN ? parse_list(a->value, a->arena, &column)
                                            : gs_str_copy(a->arena, a->value, &text);
    GS_TRY(gs_had_memory(ok, a->err));
    if (kind == GS_VALUE_COLUMN && column.n != 1)
        kind = GS_VALUE_JOINED;
    v->kind = kind;
    v->column = column;
    v->text = text;
    return GS_OK;
}

static enum gs_status set_many(const struct assignment *a, bool *many)
{
    *many = gs_str_eq(a->value, gs_str("true"));
    if (!*many && a->value.len > 0 && !gs_str_eq(a->value, gs_str("false")))
        return refuse(a, "is neither true nor false");
    return GS_OK;
}

static enum gs_status set_value(const struct assignment *a, struct gs_str path,
                                struct gs_map_value *v)
{
    const struct gs_str name = gs_str_take(&path, '.');
    const bool ends = path.len == 0;
    enum gs_value_kind kind = ends ? gs_value_kind_find(name) : GS_VALUE_NONE;
    if (name.len == 0)
        kind = GS_VALUE_COLUMN;
    if (kind != GS_VALUE_NONE && a->value.len > 0)
        return set_kind(a, kind, v);
    if (kind != GS_VALUE_NONE) {
        *v = (struct gs_map_value){0};
        return GS_OK;
    }
    if (gs_str_eq(name, gs_str("where")))
        return set_where(a, path, &v->where);
    if (gs_str_eq(name, gs_str("names")))
        return set_name(a, path, v);
    if (ends && gs_str_eq(name, gs_str("many")))
        return set_many(a, &v->many);
    if (ends && gs_str_eq(name, gs_str("unit")))
        return set_text(a, &v->unit);
    if (!ends || !gs_str_eq(name, gs_str("like")))
        return refuse(a, "names no part of a value: column, columns, file, text, count, every, "
                         "turns, unit, like, many, names, where");
    if (!gs_pattern_valid(a->value))
        return refuse_pattern(a);
    return set_text(a, &v->like);
}

static enum gs_status set_fields(const struct assignment *a, struct gs_str path,
                                 struct gs_map_fields *f)
{
    const struct gs_str name = gs_str_take(&path, '.');
    struct list list = {(char *)f->item, f->n, sizeof *f->item};
    if (name.len == 0)
        return refuse(a, "names no metric or attribute");
    struct gs_map_field *const one = item_of(a, &list, name);
    GS_TRY(gs_had_memory(one != NULL, a->err));
    GS_TRY(set_value(a, path, &one->value));
    if (one->value.kind == GS_VALUE_NONE)
        drop(&list, one);
    *f = (struct gs_map_fields){(void *)list.item, list.n};
    return GS_OK;
}

static enum gs_status set_phase(const struct assignment *a, struct gs_str path,
                                struct gs_map_phase *p)
{
    if (path.len == 0) {
        const enum gs_phase_kind kind = gs_phase_find_word(a->value);
        if (kind == GS_PHASE_NONE && a->value.len > 0)
            return refuse(
                a,
                "is none of points, ends and turns; start and stop are phase.start and phase.stop");
        *p = (struct gs_map_phase){.kind = kind};
        return GS_OK;
    }
    struct gs_str *const text = gs_phase_text(p, path);
    if (text == NULL)
        return refuse(a, "names no part of a phase: column, start, stop");
    if (text != &p->column && !gs_pattern_valid(a->value))
        return refuse_pattern(a);
    p->kind = GS_PHASE_PAIRS;
    return set_text(a, text);
}

static enum gs_status set_count(const struct assignment *a, int64_t *out)
{
    int64_t n = 0;
    for (size_t i = 0; i < a->value.len; i++) {
        if (!gs_is_digit(a->value.ptr[i]) || n > 1000000)
            return refuse(a, "is not a whole number from 0 to 1000000");
        n = n * 10 + (a->value.ptr[i] - '0');
    }
    *out = n;
    if (a->value.len == 0)
        *out = -1;
    return GS_OK;
}

/* What stays unclear of a source where that field of it is set; NULL: nothing. */
static const char *doubt_left(const struct gs_source *s, const void *field)
{
    const bool owner =
        field == &s->gpu || field == &s->where || (s->host_settles && field == &s->host);
    const bool settles = s->time_settles ? field == &s->time : owner;
    return s->role == GS_ROLE_SAMPLES && settles ? NULL : s->ambiguity;
}

static enum gs_status set_field(const struct assignment *a, struct gs_source *s)
{
    struct gs_str path = a->path;
    const struct gs_str name = gs_str_take(&path, '.');
    const struct gs_map_row *const row = gs_map_row_find(name, s->role);
    if (row == NULL || row->kind == GS_MAP_ROLE)
        return refuse(a,
                      "names no field of such a source; `gpustat map` prints those that are set");
    void *const to = (char *)s + row->offset;
    s->host_inferred &= to != &s->host;
    s->ambiguity = doubt_left(s, to);
    const bool leaf =
        row->kind == GS_MAP_TEXT || row->kind == GS_MAP_TEXTS || row->kind == GS_MAP_COUNT;
    if (leaf && path.len > 0)
        return refuse(a, "goes on where the path ends");
    switch (row->kind) {
    case GS_MAP_TEXT:
        return set_text(a, to);
    case GS_MAP_TEXTS:
        return gs_had_memory(parse_list(a->value, a->arena, to), a->err);
    case GS_MAP_COUNT:
        return set_count(a, to);
    case GS_MAP_WHERE:
        return set_where(a, path, to);
    case GS_MAP_FIELDS:
        return set_fields(a, path, to);
    case GS_MAP_PHASE:
        return set_phase(a, path, to);
    case GS_MAP_ORIGIN:
        if (path.len == 0 && a->value.len > 0)
            return set_kind(a, GS_VALUE_TEXT, to);
        return set_value(a, path, to);
    default:
        return set_value(a, path, to);
    }
}

/*
 * The files of a source that the pattern names become a source of their own, behind it; false:
 * none or all. gs_map_add may move the sources, so pointers to them are taken anew after it.
 */
static enum gs_status split_off(const struct assignment *a, struct gs_map *map, size_t at,
                                bool *hit, size_t *target)
{
    struct gs_texts in = {0}, in_path = {0}, out = {0}, out_path = {0};
    const struct gs_source whole = map->source[at];
    const bool resolved = whole.path.n == whole.files.n;
    for (size_t i = 0; i < whole.files.n; i++) {
        const bool is = gs_pattern_match_path(a->glob, whole.files.item[i], NULL);
        if (!gs_texts_add(is ? &in : &out, whole.files.item[i], a->arena) ||
            (resolved && !gs_texts_add(is ? &in_path : &out_path, whole.path.item[i], a->arena)))
            return gs_fail_memory(a->err);
    }
    *hit = in.n > 0;
    *target = at;
    if (in.n == 0 || out.n == 0)
        return GS_OK;
    struct gs_source *const added = gs_map_add(map, a->arena);
    GS_TRY(gs_had_memory(added != NULL, a->err));
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
    struct assignment a = {.whole = text, .arena = arena, .err = err};
    int role = 0;
    GS_TRY(split(&a));
    while (role < GS_N_ROLES && !gs_str_eq(a.role, gs_str(gs_role_names[role])))
        role++;
    if (role == GS_N_ROLES)
        return refuse(&a, "begins with no role: samples, events or tasks");
    bool any = false;
    const size_t n = map->n_sources;
    for (size_t i = 0; i < n; i++) {
        bool hit = true;
        size_t target = i;
        if (map->source[i].role != (enum gs_role)role)
            continue;
        if (a.glob.ptr != NULL)
            GS_TRY(split_off(&a, map, i, &hit, &target));
        if (hit)
            GS_TRY(set_field(&a, &map->source[target]));
        any |= hit;
    }
    if (!any)
        return refuse(&a, a.glob.ptr != NULL ? "names no file that is read in that role"
                                             : "names a role that no file has; name its file with "
                                               "--samples, --events or --tasks");
    return GS_OK;
}
