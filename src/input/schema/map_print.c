/* map_print.c - a map as JSON: one source after the other, one field on a line. */

#include <math.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "input/schema/map_fields.h"

/*
 * Control characters and marks of writing direction are escaped: a map is read in terminals,
 * where they could hide what a column is called.
 */
static void put_quoted(struct gs_buf *b, struct gs_str text)
{
    gs_buf_char(b, '"');
    for (size_t i = 0; i < text.len;) {
        unsigned c;
        const size_t n = gs_utf8_next(gs_str_after(text, i), &c);
        if (n == 0)
            gs_buf_text(b, "\xef\xbf\xbd"); /* JSON is UTF-8: what is none cannot stand in it */
        else if (c == '"' || c == '\\')
            gs_buf_format(b, "\\%c", (char)c);
        else if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xa0) || (c >= 0x2028 && c <= 0x202e))
            gs_buf_format(b, "\\u%04x", c);
        else
            gs_buf_bytes(b, text.ptr + i, n);
        i += gs_max(n, 1);
    }
    gs_buf_char(b, '"');
}

/* A member, where there is one. */
static void put_text(struct gs_buf *b, const char *name, struct gs_str text)
{
    if (text.ptr == NULL)
        return;
    gs_buf_text(b, name);
    put_quoted(b, text);
}

static void put_texts(struct gs_buf *b, const struct gs_texts *t)
{
    gs_buf_char(b, '[');
    for (size_t i = 0; i < t->n; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        put_quoted(b, t->item[i]);
    }
    gs_buf_char(b, ']');
}

static void put_where(struct gs_buf *b, const struct gs_map_wheres *w)
{
    gs_buf_char(b, '{');
    for (size_t i = 0; i < w->n; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        put_quoted(b, w->item[i].column);
        gs_buf_text(b, ": ");
        if (w->item[i].pattern.n == 1)
            put_quoted(b, w->item[i].pattern.item[0]);
        else
            put_texts(b, &w->item[i].pattern);
    }
    gs_buf_char(b, '}');
}

static void put_kind(struct gs_buf *b, const struct gs_map_value *v)
{
    gs_buf_format(b, "{\"%s\": ", gs_value_kind_names[v->kind]);
    if (v->kind == GS_VALUE_COLUMN)
        put_quoted(b, v->column.item[0]);
    else if (v->kind == GS_VALUE_JOINED)
        put_texts(b, &v->column);
    else if (v->kind == GS_VALUE_COUNT)
        gs_buf_text(b, "true");
    else
        put_quoted(b, v->text);
}

static void put_value(struct gs_buf *b, const struct gs_map_value *v)
{
    const bool plain = v->unit.ptr == NULL && v->like.ptr == NULL && !v->many && v->n_names == 0 &&
                       v->where.n == 0;
    if (plain && v->kind == GS_VALUE_COLUMN) {
        put_quoted(b, v->column.item[0]);
        return;
    }
    if (plain && v->kind == GS_VALUE_JOINED) {
        put_texts(b, &v->column);
        return;
    }
    put_kind(b, v);
    put_text(b, ", \"unit\": ", v->unit);
    put_text(b, ", \"like\": ", v->like);
    if (v->many)
        gs_buf_text(b, ", \"many\": true");
    for (size_t i = 0; i < v->n_names; i++) {
        gs_buf_text(b, i == 0 ? ", \"names\": {" : ", ");
        put_quoted(b, v->names[i].from);
        gs_buf_text(b, ": ");
        put_quoted(b, v->names[i].to);
    }
    gs_buf_text_if(b, v->n_names > 0, "}");
    if (v->where.n > 0) {
        gs_buf_text(b, ", \"where\": ");
        put_where(b, &v->where);
    }
    gs_buf_char(b, '}');
}

static void put_phase(struct gs_buf *b, const struct gs_map_phase *p)
{
    if (p->kind != GS_PHASE_PAIRS) {
        gs_buf_format(b, "\"%s\"", gs_phase_words[p->kind]);
        return;
    }
    gs_buf_char(b, '{');
    put_text(b, "\"column\": ", p->column);
    gs_buf_text_if(b, p->column.ptr != NULL, ", ");
    gs_buf_text(b, "\"start\": ");
    put_quoted(b, p->start);
    gs_buf_text(b, ", \"stop\": ");
    put_quoted(b, p->stop);
    gs_buf_char(b, '}');
}

static void put_fields(struct gs_buf *b, const struct gs_map_fields *f)
{
    gs_buf_char(b, '{');
    for (size_t i = 0; i < f->n; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        put_quoted(b, f->item[i].name);
        gs_buf_text(b, ": ");
        put_value(b, &f->item[i].value);
    }
    gs_buf_char(b, '}');
}

static bool is_there(const struct gs_source *s, const struct gs_map_row *row)
{
    const void *const at = (const char *)s + row->offset;
    switch (row->kind) {
    case GS_MAP_ROLE:
        return true;
    case GS_MAP_TEXT:
        return ((const struct gs_str *)at)->ptr != NULL;
    case GS_MAP_TEXTS:
        return ((const struct gs_texts *)at)->n > 0;
    case GS_MAP_COUNT:
        return *(const int64_t *)at >= 0;
    case GS_MAP_WHERE:
        return ((const struct gs_map_wheres *)at)->n > 0;
    case GS_MAP_FIELDS:
        return ((const struct gs_map_fields *)at)->n > 0;
    case GS_MAP_PHASE:
        return ((const struct gs_map_phase *)at)->kind != GS_PHASE_NONE;
    default:
        return ((const struct gs_map_value *)at)->kind != GS_VALUE_NONE;
    }
}

static void put_field(struct gs_buf *b, const struct gs_source *s, const struct gs_map_row *row)
{
    const void *const at = (const char *)s + row->offset;
    const struct gs_map_value *const value = at;
    switch (row->kind) {
    case GS_MAP_ROLE:
        put_quoted(b, gs_str(gs_role_names[s->role]));
        break;
    case GS_MAP_TEXT:
        put_quoted(b, *(const struct gs_str *)at);
        break;
    case GS_MAP_TEXTS:
        put_texts(b, at);
        break;
    case GS_MAP_COUNT:
        gs_buf_format(b, "%lld", (long long)*(const int64_t *)at);
        break;
    case GS_MAP_WHERE:
        put_where(b, at);
        break;
    case GS_MAP_FIELDS:
        put_fields(b, at);
        break;
    case GS_MAP_PHASE:
        put_phase(b, at);
        break;
    default:
        if (row->kind == GS_MAP_ORIGIN && value->kind == GS_VALUE_TEXT)
            put_quoted(b, value->text);
        else
            put_value(b, value);
    }
}

static void put_instant(struct gs_buf *b, const char *name, int64_t t_ns)
{
    char text[GS_TIME_TEXT_MAX];
    if (t_ns == GS_MISSING)
        return;
    (void)gs_time_format(text, t_ns);
    gs_buf_format(b, ", \"%s\": \"%s\"", name, text);
}

static void put_found(struct gs_buf *b, const struct gs_source *s)
{
    const struct gs_map_found *const f = &s->found;
    gs_buf_format(b, ",\n      \"found\": {\"rows\": %llu, \"set_aside\": %llu, \"ignored\": %llu",
                  (unsigned long long)f->n_rows, (unsigned long long)f->n_set_aside,
                  (unsigned long long)f->n_ignored);
    if (s->role != GS_ROLE_TASKS)
        gs_buf_format(b, ", \"hosts\": %u, \"gpus\": %u", f->n_hosts, f->n_gpus);
    put_instant(b, "from", f->from_ns);
    put_instant(b, "to", f->to_ns);
    bool first = true;
    for (size_t i = 0; f->median != NULL && i < s->metrics.n; i++) {
        char text[GS_REAL_TEXT_MAX];
        if (isnan(f->median[i]))
            continue;
        (void)gs_real_format(text, f->median[i]);
        gs_buf_text(b, first ? ", \"medians\": {" : ", ");
        put_quoted(b, s->metrics.item[i].name);
        gs_buf_format(b, ": %s", text);
        first = false;
    }
    gs_buf_text_if(b, !first, "}");
    gs_buf_text(b, "}");
}

void gs_map_print(const struct gs_map *map, struct gs_buf *b)
{
    const char *next = "\"options\": {";
    gs_buf_text(b, "{\n  \"schema\": \"gpustat.map/1\",\n  ");
    for (size_t i = 0; i < GS_MAP_OPTIONS; i++) {
        if (map->option[i].ptr == NULL)
            continue;
        gs_buf_format(b, "%s\"%s\": ", next, gs_map_options[i]);
        put_quoted(b, map->option[i]);
        next = ", ";
    }
    gs_buf_text(b, next[0] == ',' ? "},\n  \"sources\": [" : "\"sources\": [");
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        const char *between = "\n      ";
        gs_buf_text_if(b, i > 0, ",");
        gs_buf_text(b, "\n    {");
        for (const struct gs_map_row *r = gs_map_rows; r->name != NULL; r++) {
            if ((r->roles >> s->role & 1) == 0 || !is_there(s, r))
                continue;
            gs_buf_format(b, "%s\"%s\": ", between, r->name);
            put_field(b, s, r);
            between = ",\n      ";
        }
        if (s->found.known)
            put_found(b, s);
        gs_buf_text(b, "\n    }");
    }
    gs_buf_text_if(b, map->n_sources > 0, "\n  ");
    gs_buf_text(b, "]");
    for (size_t i = 0; i < map->n_unused; i++) {
        gs_buf_text(b, i == 0 ? ",\n  \"unused\": [\n    {\"file\": " : ",\n    {\"file\": ");
        put_quoted(b, map->unused[i].path);
        gs_buf_text(b, ", \"why\": ");
        put_quoted(b, gs_str(map->unused[i].why));
        gs_buf_char(b, '}');
    }
    gs_buf_text_if(b, map->n_unused > 0, "\n  ]");
    gs_buf_text(b, "\n}\n");
}
