/* map_parse.c - a map from JSON: every field known, none twice, each of its type. */
#include <string.h>

#include "input/bytes/json.h"
#include "input/schema/map_fields.h"
#include "input/schema/pattern.h"

enum { MAP_BYTES_MAX = 16 << 20, MEMBERS_MAX = 4096 };

/* Where the reader stands, for messages. */
struct place {
    const struct place *up;
    struct gs_str name; /* ptr == NULL: an item of a list */
    size_t index;
};

struct parser {
    const char *name;
    struct gs_arena *arena;
    struct gs_err *err;
};

static void show_place(const struct place *p, struct gs_buf *b)
{
    if (p == NULL)
        return;
    show_place(p->up, b);
    if (p->name.ptr == NULL) {
        gs_buf_format(b, "[%zu]", p->index);
    } else {
        gs_buf_text(b, p->up == NULL ? "" : ".");
        gs_buf_escaped(b, p->name, 80);
    }
}

static enum gs_status refuse(struct parser *p, const struct place *at, const char *what,
                             struct gs_str found)
{
    struct gs_arena scratch = {0};
    struct gs_buf b = {.arena = &scratch};
    char shown[160];
    show_place(at, &b);
    const enum gs_status s = found.ptr == NULL
                                 ? gs_fail(p->err, GS_ERR_DATA, "%s: %s: %s", p->name,
                                           b.len == 0 ? "the map" : gs_buf_str(&b).ptr, what)
                                 : gs_fail(p->err, GS_ERR_DATA, "%s: %s: '%s' %s", p->name,
                                           b.len == 0 ? "the map" : gs_buf_str(&b).ptr,
                                           gs_escape(shown, sizeof shown, found), what);
    gs_arena_release(&scratch);
    return s;
}

static const struct gs_str nothing = {NULL, 0};

/*
 * Every member of an object once only; few enough that looking each up takes no time. cJSON keeps
 * both members, and which one counts would be chance. MEMBERS_MAX bounds the quadratic search.
 */
static enum gs_status refuse_doubled(struct parser *p, const struct place *at,
                                     const struct gs_json *object)
{
    if (gs_json_length(object) > MEMBERS_MAX)
        return refuse(p, at, "has more than 4096 members", nothing);
    for (const struct gs_json *a = gs_json_first_member(object); a != NULL; a = gs_json_next(a))
        if (gs_json_member(object, gs_json_key(a).ptr) != a)
            return refuse(p, at, "stands twice", gs_json_key(a));
    return GS_OK;
}

static enum gs_status parse_text(struct parser *p, const struct place *at, const struct gs_json *v,
                                 struct gs_str *out)
{
    struct gs_str text;
    if (!gs_json_text(v, &text))
        return refuse(p, at, "is not a text", nothing);
    return gs_map_copy(out, text, p->arena) ? GS_OK : gs_fail_memory(p->err);
}

static enum gs_status parse_pattern(struct parser *p, const struct place *at,
                                    const struct gs_json *v, struct gs_str *out)
{
    const enum gs_status s = parse_text(p, at, v, out);
    return s == GS_OK && !gs_pattern_valid(*out)
               ? refuse(p, at, "is no pattern: * is any text, {} the part kept, \\ escapes", *out)
               : s;
}

typedef enum gs_status text_fn(struct parser *p, const struct place *at, const struct gs_json *v,
                               struct gs_str *out);

/* One text or a list of them. */
static enum gs_status take_texts(struct parser *p, const struct place *at, const struct gs_json *v,
                                 text_fn *take, struct gs_texts *out)
{
    struct gs_texts list = {0};
    struct gs_str text;
    enum gs_status s = GS_OK;
    if (!gs_json_is_array(v)) {
        s = take(p, at, v, &text);
        if (s == GS_OK && !gs_texts_add(&list, text, p->arena))
            s = gs_fail_memory(p->err);
    }
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first(v); s == GS_OK && k != NULL; k = gs_json_next(k)) {
        const struct place here = {at, nothing, i++};
        s = take(p, &here, k, &text);
        if (s == GS_OK && !gs_texts_add(&list, text, p->arena))
            s = gs_fail_memory(p->err);
    }
    *out = list;
    return s;
}

static enum gs_status take_where(struct parser *p, const struct place *at, const struct gs_json *v,
                                 struct gs_map_wheres *out)
{
    if (!gs_json_is_object(v))
        return refuse(p, at, "is not an object of columns and patterns", nothing);
    enum gs_status s = refuse_doubled(p, at, v);
    const size_t n = gs_json_length(v);
    struct gs_map_where *const w = gs_arena_take(p->arena, n, sizeof *w);
    if (s == GS_OK && w == NULL)
        s = gs_fail_memory(p->err);
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
         k = gs_json_next(k), i++) {
        const struct place here = {at, gs_json_key(k), 0};
        s = gs_map_copy(&w[i].column, gs_json_key(k), p->arena)
                ? take_texts(p, &here, k, parse_pattern, &w[i].pattern)
                : gs_fail_memory(p->err);
    }
    *out = (struct gs_map_wheres){w, n};
    return s;
}

static enum gs_status take_names(struct parser *p, const struct place *at, const struct gs_json *v,
                                 struct gs_map_value *out)
{
    if (!gs_json_is_object(v))
        return refuse(p, at, "is not an object of names", nothing);
    enum gs_status s = refuse_doubled(p, at, v);
    out->n_names = gs_json_length(v);
    out->names = gs_arena_take(p->arena, out->n_names, sizeof *out->names);
    if (s == GS_OK && out->names == NULL)
        s = gs_fail_memory(p->err);
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
         k = gs_json_next(k), i++) {
        const struct place here = {at, gs_json_key(k), 0};
        s = gs_map_copy(&out->names[i].from, gs_json_key(k), p->arena)
                ? parse_text(p, &here, k, &out->names[i].to)
                : gs_fail_memory(p->err);
    }
    return s;
}

/* The members that say where a value comes from; of these one. */
static const struct {
    const char *name;
    enum gs_value_kind kind;
} kinds[] = {{"column", GS_VALUE_COLUMN}, {"columns", GS_VALUE_COLUMNS}, {"file", GS_VALUE_FILE},
             {"text", GS_VALUE_TEXT},     {"count", GS_VALUE_COUNT},     {"every", GS_VALUE_EVERY},
             {"turns", GS_VALUE_TURNS}};

static enum gs_status parse_kind(struct parser *p, const struct place *at, const struct gs_json *v,
                                 enum gs_value_kind kind, struct gs_map_value *out)
{
    bool yes;
    if (out->kind != GS_VALUE_NONE)
        return refuse(p, at,
                      "has more than one of column, columns, file, text, count, every, turns",
                      nothing);
    out->kind = kind;
    switch (kind) {
    case GS_VALUE_COLUMN:
        out->kind =
            gs_json_is_array(v) && gs_json_length(v) != 1 ? GS_VALUE_JOINED : GS_VALUE_COLUMN;
        if (gs_json_is_array(v) && gs_json_length(v) == 0)
            return refuse(p, at, "names no column", nothing);
        return take_texts(p, at, v, parse_text, &out->column);
    case GS_VALUE_COLUMNS:
    case GS_VALUE_FILE:
        return parse_pattern(p, at, v, &out->text);
    case GS_VALUE_COUNT:
        return gs_json_bool(v, &yes) && yes ? GS_OK : refuse(p, at, "is not true", nothing);
    default:
        return parse_text(p, at, v, &out->text);
    }
}

static enum gs_status parse_part(struct parser *p, const struct place *at, const struct gs_json *v,
                                 struct gs_map_value *out)
{
    const struct gs_str name = at->name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (gs_str_eq(name, gs_str(kinds[i].name)))
            return parse_kind(p, at, v, kinds[i].kind, out);
    if (gs_str_eq(name, gs_str("unit")))
        return parse_text(p, at, v, &out->unit);
    if (gs_str_eq(name, gs_str("like")))
        return parse_pattern(p, at, v, &out->like);
    if (gs_str_eq(name, gs_str("many")))
        return gs_json_bool(v, &out->many) ? GS_OK
                                           : refuse(p, at, "is neither true nor false", nothing);
    if (gs_str_eq(name, gs_str("names")))
        return take_names(p, at, v, out);
    if (gs_str_eq(name, gs_str("where")))
        return take_where(p, at, v, &out->where);
    return refuse(p, at, "is no part of a value", nothing);
}

static enum gs_status parse_value(struct parser *p, const struct place *at, const struct gs_json *v,
                                  struct gs_map_value *out)
{
    struct gs_map_value value = {0};
    enum gs_status s = GS_OK;
    if (!gs_json_is_object(v)) {
        s = parse_kind(p, at, v, GS_VALUE_COLUMN, &value);
    } else {
        s = refuse_doubled(p, at, v);
        for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
             k = gs_json_next(k)) {
            const struct place here = {at, gs_json_key(k), 0};
            s = parse_part(p, &here, k, &value);
        }
        if (s == GS_OK && value.kind == GS_VALUE_NONE)
            s = refuse(p, at, "has none of column, columns, file, text, count, every, turns",
                       nothing);
    }
    *out = value;
    return s;
}

static enum gs_status parse_fields(struct parser *p, const struct place *at,
                                   const struct gs_json *v, struct gs_map_fields *out)
{
    if (!gs_json_is_object(v))
        return refuse(p, at, "is not an object of names and values", nothing);
    enum gs_status s = refuse_doubled(p, at, v);
    const size_t n = gs_json_length(v);
    struct gs_map_field *const f = gs_arena_take(p->arena, n, sizeof *f);
    if (s == GS_OK && f == NULL)
        s = gs_fail_memory(p->err);
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
         k = gs_json_next(k), i++) {
        const struct place here = {at, gs_json_key(k), 0};
        s = gs_map_copy(&f[i].name, gs_json_key(k), p->arena)
                ? parse_value(p, &here, k, &f[i].value)
                : gs_fail_memory(p->err);
    }
    *out = (struct gs_map_fields){f, n};
    return s;
}

static enum gs_status parse_phase(struct parser *p, const struct place *at, const struct gs_json *v,
                                  struct gs_map_phase *out)
{
    struct gs_map_phase phase = {0};
    struct gs_str word;
    if (gs_json_text(v, &word)) {
        out->kind = gs_str_eq(word, gs_str("points"))  ? GS_PHASE_POINTS
                    : gs_str_eq(word, gs_str("turns")) ? GS_PHASE_TURNS
                                                       : GS_PHASE_NONE;
        return out->kind != GS_PHASE_NONE ? GS_OK
                                          : refuse(p, at, "is neither points nor turns", word);
    }
    if (!gs_json_is_object(v))
        return refuse(p, at, "is neither points, turns nor an object of column, start and stop",
                      nothing);
    enum gs_status s = refuse_doubled(p, at, v);
    for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
         k = gs_json_next(k)) {
        const struct place here = {at, gs_json_key(k), 0};
        if (gs_str_eq(here.name, gs_str("column")))
            s = parse_text(p, &here, k, &phase.column);
        else if (gs_str_eq(here.name, gs_str("start")))
            s = parse_pattern(p, &here, k, &phase.start);
        else if (gs_str_eq(here.name, gs_str("stop")))
            s = parse_pattern(p, &here, k, &phase.stop);
        else
            s = refuse(p, &here, "is no part of a phase", nothing);
    }
    if (s == GS_OK && (phase.start.ptr == NULL || phase.stop.ptr == NULL))
        s = refuse(p, at, "needs start and stop", nothing);
    phase.kind = GS_PHASE_PAIRS;
    *out = phase;
    return s;
}

static enum gs_status parse_origin(struct parser *p, const struct place *at,
                                   const struct gs_json *v, struct gs_map_value *out)
{
    struct gs_map_value value = {.kind = GS_VALUE_TEXT};
    const enum gs_status s =
        gs_json_is_object(v) ? parse_value(p, at, v, &value) : parse_text(p, at, v, &value.text);
    if (s == GS_OK && value.kind != GS_VALUE_TEXT && value.kind != GS_VALUE_FILE)
        return refuse(p, at, "is neither an instant nor an object with file", nothing);
    *out = value;
    return s;
}

static enum gs_status parse_count(struct parser *p, const struct place *at, const struct gs_json *v,
                                  int64_t *out)
{
    double d;
    if (!gs_json_number(v, &d) || !(d >= 0 && d <= 1e6) || d != (double)(int64_t)d)
        return refuse(p, at, "is not a whole number from 0 to 1000000", nothing);
    *out = (int64_t)d;
    return GS_OK;
}

static enum gs_status parse_field(struct parser *p, const struct place *at, const struct gs_json *v,
                                  const struct gs_map_row *row, struct gs_source *out)
{
    void *const to = (char *)out + row->offset;
    switch (row->kind) {
    case GS_MAP_ROLE:
        return GS_OK; /* read before all others */
    case GS_MAP_TEXT:
        return parse_text(p, at, v, to);
    case GS_MAP_TEXTS:
        return take_texts(p, at, v, parse_text, to);
    case GS_MAP_COUNT:
        return parse_count(p, at, v, to);
    case GS_MAP_VALUE:
        return parse_value(p, at, v, to);
    case GS_MAP_WHERE:
        return take_where(p, at, v, to);
    case GS_MAP_FIELDS:
        return parse_fields(p, at, v, to);
    case GS_MAP_PHASE:
        return parse_phase(p, at, v, to);
    case GS_MAP_ORIGIN:
        return parse_origin(p, at, v, to);
    }
    return GS_OK;
}

/*
 * The role comes first wherever it stands, as it decides which fields there are. `found` is
 * written by gpustat for people and is not read back.
 */
static enum gs_status parse_source(struct parser *p, const struct place *at,
                                   const struct gs_json *v, struct gs_source *out)
{
    struct gs_str role;
    if (!gs_json_is_object(v))
        return refuse(p, at, "is not an object", nothing);
    if (!gs_json_text(gs_json_member(v, "role"), &role))
        return refuse(p, at, "has no role: samples, events or tasks", nothing);
    int r = 0;
    while (r < GS_N_ROLES && !gs_str_eq(role, gs_str(gs_role_names[r])))
        r++;
    if (r == GS_N_ROLES)
        return refuse(p, at, "is no role: samples, events or tasks", role);
    out->role = (enum gs_role)r;
    enum gs_status s = refuse_doubled(p, at, v);
    for (const struct gs_json *k = gs_json_first_member(v); s == GS_OK && k != NULL;
         k = gs_json_next(k)) {
        const struct place here = {at, gs_json_key(k), 0};
        const struct gs_map_row *const row = gs_map_row_find(here.name, out->role);
        if (row != NULL)
            s = parse_field(p, &here, k, row, out);
        else if (!gs_str_eq(here.name, gs_str("found")))
            s = refuse(p, &here, "is no field of such a source", nothing);
    }
    if (s == GS_OK && out->form.ptr == NULL)
        out->form = gs_str(GS_FORM_DEFAULT);
    return s;
}

static enum gs_status parse_map(struct parser *p, const struct gs_json *doc, struct gs_map *out)
{
    struct gs_str schema;
    if (!gs_json_is_object(doc))
        return refuse(p, NULL, "is not an object", nothing);
    if (!gs_json_text(gs_json_member(doc, "schema"), &schema) ||
        !gs_str_eq(schema, gs_str("gpustat.map/1")))
        return refuse(p, NULL, "has no \"schema\": \"gpustat.map/1\"", nothing);
    enum gs_status s = refuse_doubled(p, NULL, doc);
    for (const struct gs_json *k = gs_json_first_member(doc); s == GS_OK && k != NULL;
         k = gs_json_next(k)) {
        const struct place here = {NULL, gs_json_key(k), 0};
        if (!gs_str_eq(here.name, gs_str("schema")) && !gs_str_eq(here.name, gs_str("sources")) &&
            !gs_str_eq(here.name, gs_str("unused")))
            s = refuse(p, &here, "is no field of a map", nothing);
    }
    const struct place sources = {NULL, gs_str("sources"), 0};
    const struct gs_json *const list = gs_json_member(doc, "sources");
    if (s == GS_OK && (!gs_json_is_array(list) || gs_json_length(list) > GS_MAP_SOURCES_MAX))
        s = refuse(p, &sources, "is not a list of at most 4096 sources", nothing);
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first(list); s == GS_OK && k != NULL;
         k = gs_json_next(k)) {
        const struct place here = {&sources, nothing, i++};
        struct gs_source *const one = gs_map_add(out, p->arena);
        s = one == NULL ? gs_fail_memory(p->err) : parse_source(p, &here, k, one);
    }
    return s;
}

/* All texts are copied into the arena before the document is freed. */
enum gs_status gs_map_parse(struct gs_str json, const char *name, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err)
{
    struct parser p = {name, arena, err};
    struct gs_map m = {0};
    struct gs_json *doc = NULL;
    if (json.len > MAP_BYTES_MAX)
        return gs_fail(err, GS_ERR_DATA, "%s: more than 16 MiB, expected a map", name);
    enum gs_status s = gs_json_parse(json, name, &doc, err);
    if (s == GS_OK)
        s = parse_map(&p, doc, &m);
    gs_json_free(doc);
    if (s == GS_OK)
        *map = m;
    return s;
}
