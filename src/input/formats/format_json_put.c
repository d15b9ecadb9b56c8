/* format_json_put.c - what all forms of JSON share: leaves of an object into a record. */
#include "input/formats/formats.h"
#include "input/schema/column_meaning.h"

#include <stdio.h>

/* The number at p as JSON has it, without an exponent; NULL: written otherwise. */
static inline const char *plain_number(const char *p, const char *end)
{
    p += p < end && *p == '-';
    const char *const from = p;
    while (p < end && gs_is_digit(*p))
        p++;
    if (p == from || (*from == '0' && p > from + 1))
        return NULL;
    if (p < end && *p == '.') {
        const char *const point = p++;
        while (p < end && gs_is_digit(*p))
            p++;
        if (p == point + 1)
            return NULL;
    }
    return p;
}

static inline const char *plain_value(const char *p, const char *end, bool mark,
                                      struct gs_str *value)
{
    (void)mark;
    if (p < end && *p == '"') {
        const char *const to = gs_json_plain_end(p + 1, end);
        *value = (struct gs_str){p + 1, (size_t)(to - p - 1)};
        return to < end && *to == '"' ? to + 1 : NULL;
    }
    if (end - p >= 4 && memcmp(p, "null", 4) == 0) {
        *value = GS_NO_STR;
        return p + 4;
    }
    const char *const to = plain_number(p, end);
    if (to != NULL)
        *value = (struct gs_str){p, (size_t)(to - p)};
    return to;
}

struct gs_json_record gs_json_record_of(struct gs_text_in *in, struct gs_record_sink *out)
{
    return (struct gs_json_record){.room = {.path.arena = in->arena, .text.arena = in->arena},
                                   .out = out};
}

/* A list of a metric's readings has one for each GPU, as far as there are so many: power.gpu0, power.gpu1. */
static bool put_readings(struct gs_json_record *j, struct gs_str path, struct gs_str list)
{
    enum { GPUS_MAX = 16 };
    struct gs_str reading[GPUS_MAX + 1];
    struct gs_name name;
    char column[GS_NAME_MAX + sizeof ".gpu15"];
    unsigned rank;
    bool needs_unit;
    gs_name_split(path, &name);
    const size_t n = gs_cut_fields(list, ',', reading, GPUS_MAX + 1);
    if (n > GPUS_MAX || path.len >= GS_NAME_MAX ||
        (gs_name_metric(&name, &needs_unit) == NULL && gs_words_metric(path, &rank) == NULL))
        return false;
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(column, sizeof column, "%.*s.gpu%zu", (int)path.len, path.ptr, i);
        gs_record_sink_put(j->out, gs_record_sink_column(j->out, gs_str(column)), reading[i]);
    }
    return true;
}

bool gs_json_put_leaf(void *context, struct gs_str path, struct gs_str value)
{
    struct gs_json_record *const j = context;
    const bool list = *j->room.leaf.ptr == '[';
    if (list)
        j->shapes.behind = NULL; /* it is read anew in each record */
    if (list && put_readings(j, path, value))
        return !j->out->full;
    const uint32_t column = gs_record_sink_column(j->out, path);
    gs_shape_value(&j->shapes, j->room.leaf, column, false);
    gs_record_sink_put(j->out, column, value);
    return !j->out->full;
}

enum gs_status gs_json_put(struct gs_json_record *j, struct gs_str text, uint64_t line,
                           struct gs_err *err)
{
    bool ok;
    j->out->line = line;
    if (gs_shapes_put(&j->shapes, text, j->out, plain_value))
        return GS_OK;
    gs_shape_begin(&j->shapes, j->out, text);
    const size_t at = gs_json_walk(text, GS_JSON_JOINED, &j->room, gs_json_put_leaf, j, &ok);
    if (j->out->full)
        return gs_record_sink_full(j->out, err);
    GS_TRY(gs_had_memory(!j->room.path.failed && !j->room.text.failed, err));
    if (ok) {
        gs_shape_end(&j->shapes, text);
        return GS_OK;
    }
    uint64_t lines = 0;
    for (size_t i = 0; i < at && i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return gs_fail_at(err, j->out->name, line + lines, "not JSON");
}

enum gs_status gs_json_reject_torn(void *out, uint64_t line, struct gs_str text, struct gs_err *err)
{
    return gs_record_sink_reject(out, line, "not JSON: it ends within a value", text, err);
}
