/* held_rejects.c - which malformed rows are so in the mapper's eyes, too. */
#include "read/held_rejects.h"

#include <stdlib.h>
#include <string.h>

#include "form/intake.h"
#include "map/clock.h"

/* Does a cell begin as numbers do? Those of a header that names other columns do not. */
static bool has_number(struct gs_str raw, char separator)
{
    bool begins = true;
    for (size_t i = 0; i < raw.len; i++) {
        if (begins && memchr("0123456789+-.", raw.ptr[i], 13) != NULL)
            return true;
        begins = raw.ptr[i] == separator || (begins && (raw.ptr[i] == ' ' || raw.ptr[i] == '"'));
    }
    return false;
}

/* May a field be there only because a separator ends the line, or because a comma stands in an instant? */
static bool may_be_one_less(struct gs_str raw, char separator)
{
    size_t end = raw.len;
    while (end > 0 && strchr(" \t\r\"", raw.ptr[end - 1]) != NULL && raw.ptr[end - 1] != separator)
        end--;
    if (end == 0 || raw.ptr[end - 1] == separator)
        return true;
    for (size_t i = 0, next; i < raw.len; i = next) {
        next = i + 1;
        while (next < raw.len && raw.ptr[next] >= '0' && raw.ptr[next] <= '9')
            next++;
        if (raw.ptr[i] == separator &&
            gs_is_instant_cut((struct gs_str){raw.ptr, i}, (struct gs_str){raw.ptr + i + 1, next - i - 1}))
            return true;
    }
    return false;
}

/*
 * Would the mapper set the row aside, too, for the same reason? It would where fields are missing or too many, where a
 * reading is no number in any of its ways, and where a time has no digit.
 */
static bool is_certain(const struct gs_source *s, const char *reason, struct gs_str raw)
{
    static const char no_number[] = "' is not a number", no_time[] = "' is not a time";
    const char separator = s->separator.ptr == NULL ? ',' : s->separator.ptr[0];
    const char *const value = strstr(reason, ": '"), *const end = value == NULL ? NULL : strrchr(reason, '\'');
    if (!has_number(raw, separator))
        return false;
    char *fields; /* "7 fields, expected 6" */
    const unsigned long long n = strtoull(reason, &fields, 10);
    const char *const expects = strncmp(fields, " field", 6) == 0 ? strstr(fields, " expected ") : NULL;
    if (fields > reason && expects != NULL)
        return n != strtoull(expects + strlen(" expected "), NULL, 10) + 1 || !may_be_one_less(raw, separator);
    if (end == NULL || end < value + 3 || separator == ';')
        return false;
    const struct gs_str text = {value + 3, (size_t)(end - value) - 3};
    for (size_t i = 0; i < text.len && strcmp(end, no_time) == 0; i++)
        if (text.ptr[i] >= '0' && text.ptr[i] <= '9') /* it may be one of another clock */
            return false;
    return (strcmp(end, no_time) == 0 || strcmp(end, no_number) == 0) && !gs_is_no_value(text);
}

enum gs_status gs_reject_hold(void *context, const char *name, uint64_t line, const char *reason, struct gs_str raw,
                              struct gs_err *err)
{
    struct gs_held_rejects *const h = context;
    if (!is_certain(h->source, reason, raw))
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s", name, (unsigned long long)line, reason);
    struct gs_held_reject *const r = gs_arena_take(h->arena, 1, sizeof *r);
    const char *const why = gs_arena_copy(h->arena, reason, strlen(reason));
    const char *const bytes = gs_arena_copy(h->arena, raw.ptr, raw.len);
    if (r == NULL || why == NULL || bytes == NULL)
        return gs_fail_memory(err);
    *r = (struct gs_held_reject){.name = name, .reason = why, .line = line, .raw = {bytes, raw.len}};
    if (h->last == NULL)
        h->first = r;
    else
        h->last->next = r;
    h->last = r;
    return GS_OK;
}

enum gs_status gs_rejects_hand_on(const struct gs_held_rejects *held, const struct gs_load_options *to,
                                  struct gs_err *err)
{
    enum gs_status s = GS_OK;
    for (const struct gs_held_reject *r = held->first; s == GS_OK && r != NULL; r = r->next)
        s = to->reject(to->reject_context, r->name, r->line, r->reason, r->raw, err);
    return s;
}
