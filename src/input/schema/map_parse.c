/* map_parse.c - a map from JSON: every field known, none twice, each of its type. */

#include "input/bytes/json.h"
#include "input/schema/map_fields.h"
#include "base/core/pattern.h"

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
        gs_buf_text_if(b, p->up != NULL, ".");
        gs_buf_escaped(b, p->name, 80);
    }
}

static enum gs_status refuse(struct parser *p, const struct place *at, const char *what,
                             struct gs_str found)
{
    GS_OWN struct gs_arena scratch = {0};
    struct gs_buf b = {.arena = &scratch};
    show_place(at, &b);
    const char *const place = b.len == 0 ? "the map" : gs_buf_str(&b).ptr;
    return found.ptr == NULL ? gs_fail(p->err, GS_ERR_DATA, "%s: %s: %s", p->name, place, what)
                             : gs_fail(p->err, GS_ERR_DATA, "%s: %s: '%s' %s", p->name, place,
                                       GS_SHOWN(found, 160), what);
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

/* Reads a value of the map into what it is of. */
typedef enum gs_status parse_fn(struct parser *p, const struct place *at, const struct gs_json *v,
                                void *out);

/* Reads each member of an object; `what` is said of anything else. */
static enum gs_status parse_members(struct parser *p, const struct place *at,
                                    const struct gs_json *v, const char *what, parse_fn *parse,
                                    void *out)
{
    if (!gs_json_is_object(v))
        return refuse(p, at, what, nothing);
    GS_TRY(refuse_doubled(p, at, v));
    for (const struct gs_json *k = gs_json_first_member(v); k != NULL; k = gs_json_next(k)) {
        const struct place here = {at, gs_json_key(k), 0};
        GS_TRY(parse(p, &here, k, out));
    }
    return GS_OK;
}

/* A list of the members of an object. Each item begins with the name, a struct gs_str. */
struct list {
    char *item;
    size_t n, size; /* of an item */
    parse_fn *parse;
};

static enum gs_status parse_item(struct parser *p, const struct place *at, const struct gs_json *v,
                                 void *out)
{
    struct list *const list = out;
    void *const item = list->item + list->size * list->n++;
    GS_TRY(gs_had_memory(gs_str_copy(p->arena, at->name, item), p->err));
    return list->parse(p, at, v, item);
}

static enum gs_status parse_list(struct parser *p, const struct place *at, const struct gs_json *v,
                                 const char *what, struct list *list)
{
    list->item = gs_arena_take(p->arena, gs_json_length(v), list->size);
    GS_TRY(gs_had_memory(list->item != NULL, p->err));
    return parse_members(p, at, v, what, parse_item, list);
}

static enum gs_status parse_text(struct parser *p, const struct place *at, const struct gs_json *v,
                                 void *out)
{
    struct gs_str text;
    if (!gs_json_text(v, &text))
        return refuse(p, at, "is not a text", nothing);
    return gs_had_memory(gs_str_copy(p->arena, text, out), p->err);
}

static enum gs_status parse_pattern(struct parser *p, const struct place *at,
                                    const struct gs_json *v, void *out)
{
    const struct gs_str *const pattern = out;
    GS_TRY(parse_text(p, at, v, out));
    if (!gs_pattern_valid(*pattern))
        return refuse(p, at, "is no pattern: * is any text, {} the part kept, \\ escapes",
                      *pattern);
    return GS_OK;
}

/* One text or a list of them. */
static enum gs_status take_texts(struct parser *p, const struct place *at, const struct gs_json *v,
                                 parse_fn *take, struct gs_texts *out)
{
    struct gs_texts list = {0};
    struct gs_str text;
    if (!gs_json_is_array(v)) {
        GS_TRY(take(p, at, v, &text));
        GS_TRY(gs_had_memory(gs_texts_add(&list, text, p->arena), p->err));
    }
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first(v); k != NULL; k = gs_json_next(k)) {
        const struct place here = {at, nothing, i++};
        GS_TRY(take(p, &here, k, &text));
        GS_TRY(gs_had_memory(gs_texts_add(&list, text, p->arena), p->err));
    }
    *out = list;
    return GS_OK;
}

static enum gs_status parse_texts(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *out)
{
    return take_texts(p, at, v, parse_text, out);
}

static enum gs_status parse_condition(struct parser *p, const struct place *at,
                                      const struct gs_json *v, void *where)
{
    return take_texts(p, at, v, parse_pattern, &((struct gs_map_where *)where)->pattern);
}

static enum gs_status parse_where(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *out)
{
    struct list list = {.size = sizeof(struct gs_map_where), .parse = parse_condition};
    const enum gs_status s =
        parse_list(p, at, v, "is not an object of columns and patterns", &list);
    *(struct gs_map_wheres *)out = (struct gs_map_wheres){(void *)list.item, list.n};
    return s;
}

static enum gs_status parse_name(struct parser *p, const struct place *at, const struct gs_json *v,
                                 void *name)
{
    return parse_text(p, at, v, &((struct gs_map_name *)name)->to);
}

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
        if (!gs_json_bool(v, &yes) || !yes)
            return refuse(p, at, "is not true", nothing);
        return GS_OK;
    default:
        return parse_text(p, at, v, &out->text);
    }
}

static enum gs_status parse_part(struct parser *p, const struct place *at, const struct gs_json *v,
                                 void *value)
{
    struct gs_map_value *const out = value;
    const struct gs_str name = at->name;
    const enum gs_value_kind kind = gs_value_kind_find(name);
    struct list names = {.size = sizeof *out->names, .parse = parse_name};
    if (kind != GS_VALUE_NONE)
        return parse_kind(p, at, v, kind, out);
    if (gs_str_eq(name, gs_str("unit")))
        return parse_text(p, at, v, &out->unit);
    if (gs_str_eq(name, gs_str("like")))
        return parse_pattern(p, at, v, &out->like);
    if (gs_str_eq(name, gs_str("many"))) {
        if (!gs_json_bool(v, &out->many))
            return refuse(p, at, "is neither true nor false", nothing);
        return GS_OK;
    }
    if (gs_str_eq(name, gs_str("where")))
        return parse_where(p, at, v, &out->where);
    if (!gs_str_eq(name, gs_str("names")))
        return refuse(p, at, "is no part of a value", nothing);
    const enum gs_status s = parse_list(p, at, v, "is not an object of names", &names);
    out->names = (void *)names.item;
    out->n_names = names.n;
    return s;
}

static enum gs_status parse_value(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *out)
{
    struct gs_map_value value = {0};
    enum gs_status s = gs_json_is_object(v) ? parse_members(p, at, v, NULL, parse_part, &value)
                                            : parse_kind(p, at, v, GS_VALUE_COLUMN, &value);
    if (s == GS_OK && value.kind == GS_VALUE_NONE)
        s = refuse(p, at, "has none of column, columns, file, text, count, every, turns", nothing);
    *(struct gs_map_value *)out = value;
    return s;
}

static enum gs_status parse_field(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *field)
{
    return parse_value(p, at, v, &((struct gs_map_field *)field)->value);
}

static enum gs_status parse_fields(struct parser *p, const struct place *at,
                                   const struct gs_json *v, void *out)
{
    struct list list = {.size = sizeof(struct gs_map_field), .parse = parse_field};
    const enum gs_status s = parse_list(p, at, v, "is not an object of names and values", &list);
    *(struct gs_map_fields *)out = (struct gs_map_fields){(void *)list.item, list.n};
    return s;
}

static enum gs_status parse_phase_part(struct parser *p, const struct place *at,
                                       const struct gs_json *v, void *phase)
{
    struct gs_map_phase *const out = phase;
    struct gs_str *const text = gs_phase_text(out, at->name);
    if (text == NULL)
        return refuse(p, at, "is no part of a phase", nothing);
    if (text == &out->column)
        return parse_text(p, at, v, text);
    return parse_pattern(p, at, v, text);
}

static enum gs_status parse_phase(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *out)
{
    struct gs_map_phase phase = {.kind = GS_PHASE_PAIRS};
    struct gs_str word;
    enum gs_status s = GS_OK;
    if (gs_json_text(v, &word)) {
        phase.kind = gs_phase_find_word(word);
        if (phase.kind == GS_PHASE_NONE)
            return refuse(p, at, "is none of points, ends and turns", word);
    } else {
        s = parse_members(p, at, v,
                          "is none of points, ends, turns and an object of column, start and stop",
                          parse_phase_part, &phase);
        if (s == GS_OK && (phase.start.ptr == NULL || phase.stop.ptr == NULL))
            s = refuse(p, at, "needs start and stop", nothing);
    }
    *(struct gs_map_phase *)out = phase;
    return s;
}

static enum gs_status parse_origin(struct parser *p, const struct place *at,
                                   const struct gs_json *v, void *out)
{
    struct gs_map_value value = {.kind = GS_VALUE_TEXT};
    const enum gs_status s =
        gs_json_is_object(v) ? parse_value(p, at, v, &value) : parse_text(p, at, v, &value.text);
    if (s == GS_OK && value.kind != GS_VALUE_TEXT && value.kind != GS_VALUE_FILE)
        return refuse(p, at, "is neither an instant nor an object with file", nothing);
    *(struct gs_map_value *)out = value;
    return s;
}

static enum gs_status parse_count(struct parser *p, const struct place *at, const struct gs_json *v,
                                  void *out)
{
    double d;
    if (!gs_json_number(v, &d) || !(d >= 0 && d <= 1e6) || d != (double)(int64_t)d)
        return refuse(p, at, "is not a whole number from 0 to 1000000", nothing);
    *(int64_t *)out = (int64_t)d;
    return GS_OK;
}

/* A field of a source, whose role is known. `found` is written by gpustat for people and is not read back. */
static enum gs_status parse_row(struct parser *p, const struct place *at, const struct gs_json *v,
                                void *source)
{
    static parse_fn *const parse[] = {
        [GS_MAP_TEXT] = parse_text,   [GS_MAP_TEXTS] = parse_texts,  [GS_MAP_COUNT] = parse_count,
        [GS_MAP_VALUE] = parse_value, [GS_MAP_WHERE] = parse_where,  [GS_MAP_FIELDS] = parse_fields,
        [GS_MAP_PHASE] = parse_phase, [GS_MAP_ORIGIN] = parse_origin};
    struct gs_source *const out = source;
    const struct gs_map_row *const row = gs_map_row_find(at->name, out->role);
    if (row == NULL && !gs_str_eq(at->name, gs_str("found")))
        return refuse(p, at, "is no field of such a source", nothing);
    if (row == NULL || row->kind == GS_MAP_ROLE)
        return GS_OK;
    return parse[row->kind](p, at, v, (char *)out + row->offset);
}

/* The role comes first wherever it stands, as it decides which fields there are. */
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
    GS_TRY(parse_members(p, at, v, NULL, parse_row, out));
    if (out->form.ptr == NULL)
        out->form = gs_str(GS_FORM_DEFAULT);
    return GS_OK;
}

const char *const gs_map_options[GS_MAP_OPTIONS] = {"card", "sensor", "max-gap", "duplicates",
                                                    "power-column"};

static enum gs_status parse_option(struct parser *p, const struct place *at,
                                   const struct gs_json *v, void *map)
{
    for (size_t i = 0; i < GS_MAP_OPTIONS; i++)
        if (gs_str_eq(at->name, gs_str(gs_map_options[i])))
            return parse_text(p, at, v, &((struct gs_map *)map)->option[i]);
    return refuse(p, at, "is no option that a map keeps", nothing);
}

static enum gs_status check_name(struct parser *p, const struct place *at, const struct gs_json *v,
                                 void *out)
{
    static const char *const names[] = {"schema", "sources", "unused"};
    if (gs_str_eq(at->name, gs_str("options")))
        return parse_members(p, at, v, "is not an object", parse_option, out);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (gs_str_eq(at->name, gs_str(names[i])))
            return GS_OK;
    return refuse(p, at, "is no field of a map", nothing);
}

static enum gs_status parse_map(struct parser *p, const struct gs_json *doc, struct gs_map *out)
{
    struct gs_str schema;
    if (!gs_json_is_object(doc))
        return refuse(p, NULL, "is not an object", nothing);
    if (!gs_json_text(gs_json_member(doc, "schema"), &schema))
        return refuse(p, NULL, "has no \"schema\": \"gpustat.map/1\"", nothing);
    if (!gs_str_eq(schema, gs_str("gpustat.map/1")))
        return refuse(p, &(struct place){NULL, gs_str("schema"), 0},
                      "is not known, expected 'gpustat.map/1'", schema);
    GS_TRY(parse_members(p, NULL, doc, NULL, check_name, out));
    const struct place sources = {NULL, gs_str("sources"), 0};
    const struct gs_json *const list = gs_json_member(doc, "sources");
    if (!gs_json_is_array(list) || gs_json_length(list) > GS_MAP_SOURCES_MAX)
        return refuse(p, &sources, "is not a list of at most 4096 sources", nothing);
    size_t i = 0;
    for (const struct gs_json *k = gs_json_first(list); k != NULL; k = gs_json_next(k)) {
        const struct place here = {&sources, nothing, i++};
        struct gs_source *const one = gs_map_add(out, p->arena);
        GS_TRY(gs_had_memory(one != NULL, p->err));
        GS_TRY(parse_source(p, &here, k, one));
    }
    return GS_OK;
}

/* All texts are copied into the arena before the document is freed. */
enum gs_status gs_map_parse(struct gs_str json, const char *name, struct gs_arena *arena,
                            struct gs_map *map, struct gs_err *err)
{
    struct parser p = {name, arena, err};
    struct gs_map m = {0};
    GS_FREES_JSON struct gs_json *doc = NULL;
    if (json.len > MAP_BYTES_MAX)
        return gs_fail(err, GS_ERR_DATA, "%s: more than 16 MiB, expected a map", name);
    GS_TRY(gs_json_parse(json, name, &doc, err));
    GS_TRY(parse_map(&p, doc, &m));
    *map = m;
    return GS_OK;
}
