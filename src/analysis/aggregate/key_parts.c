/* key_parts.c - the parts of a key, each ended by a byte that is in no name. */
#include "analysis/aggregate/key_parts.h"

#include <string.h>

#include "base/core/suggest.h"

enum { PART_END = 0x1f, NUMBER_DIGITS = 20, NAMES = 16 };

enum gs_status gs_keys_parse(const char *by, struct gs_str key[GS_BY_MAX], size_t *n_keys,
                             struct gs_err *err)
{
    *n_keys = 0;
    for (const char *p = by;;) {
        const size_t n = strcspn(p, ",");
        const struct gs_str one = {p, n};
        if (n == 0 || *n_keys == GS_BY_MAX)
            return gs_fail(err, GS_ERR_USAGE,
                           "--by: '%s' is not a list of up to %d keys such as event,host",
                           GS_SHOWN(gs_str(by), 120), GS_BY_MAX);
        for (size_t k = 0; k < *n_keys; k++)
            if (gs_str_eq(key[k], one))
                return gs_fail(err, GS_ERR_USAGE, "--by: '%s' stands twice", GS_SHOWN(one, 120));
        key[(*n_keys)++] = one;
        if (p[n] == '\0')
            return GS_OK;
        p += n + 1;
    }
}

/* Names that stand in a list with commas, or are attributes, of which it takes the first few. */
static size_t list_names(const struct gs_dataset *d, struct gs_str expected, struct gs_str *name)
{
    size_t n = 0;
    while (expected.len > 0)
        name[n++] = gs_trimmed(gs_str_take(&expected, ','));
    return gs_attribute_keys(d, name, n, NAMES);
}

/* What people call a key that has another name here; NULL: nothing. */
static const char *other_name(struct gs_str key)
{
    static const char *const names[][2] = {
        {"node", "host"},   {"nodename", "host"}, {"hostname", "host"}, {"machine", "host"},
        {"server", "host"}, {"device", "gpu"},    {"card", "gpu"},      {"name", "event"},
        {"step", "task"},   {"kind", "event"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (gs_str_eq_nocase(key, gs_str(names[i][0])))
            return names[i][1];
    return NULL;
}

enum gs_status gs_keys_check_attribute(const struct gs_dataset *d, const char *option,
                                       struct gs_str key, const char *expected, struct gs_err *err)
{
    if (d->is_part && d->attributes.n == 0) /* other parts may have it */
        return GS_OK;
    for (uint32_t set = 0; set < d->attributes.n; set++)
        if (gs_attribute(d, set, key).ptr != NULL)
            return GS_OK;
    GS_OWN struct gs_arena own = {0};
    struct gs_suggestion near = {.word = key};
    struct gs_buf known = {.arena = &own};
    struct gs_str name[NAMES];
    const size_t n = list_names(d, gs_str(expected), name);
    for (size_t i = 0; i < n; i++) {
        const char *const word = gs_arena_copy(&own, name[i].ptr, name[i].len);
        GS_TRY(gs_had_memory(word != NULL, err));
        if (other_name(key) == NULL)
            gs_suggestion_try(&near, word);
        else if (strcmp(word, other_name(key)) == 0)
            near.best = word;
        gs_buf_format(&known, "%s%s", i > 0 ? ", " : "; there are ", GS_SHOWN(name[i], 40));
    }
    gs_buf_text_if(&known, n == 0, "; the events and tasks have no attributes");
    GS_TRY(gs_had_memory(!known.failed, err));
    if (near.best != NULL)
        return gs_fail(err, GS_ERR_DATA, "%s: no key '%s'; did you mean '%s'?", option,
                       GS_SHOWN(key, 120), near.best);
    return gs_fail(err, GS_ERR_DATA,
                   "%s: no key '%s'%.*s (--set events.attributes.%s=COLUMN adds it)", option,
                   GS_SHOWN(key, 60), (int)known.len, gs_or_empty(known.ptr), GS_SHOWN(key, 60));
}

/*
 * The unit separator becomes a blank, or one key could be read as two. A missing part and an empty
 * one are the same key.
 */
void gs_key_put(struct gs_buf *b, struct gs_str text)
{
    while (text.len > 0) {
        const char *const end = memchr(text.ptr, PART_END, text.len);
        const size_t n = end == NULL ? text.len : (size_t)(end - text.ptr);
        gs_buf_bytes(b, text.ptr, n);
        if (end == NULL)
            break;
        gs_buf_char(b, ' ');
        text = gs_str_after(text, n + 1);
    }
    gs_buf_char(b, PART_END);
}

/*
 * Twenty digits with the sign turned sort as text in the order of the numbers, negative ones
 * first. A missing number is empty and sorts before all.
 */
void gs_key_put_number(struct gs_buf *b, int64_t v)
{
    if (v != GS_MISSING)
        gs_buf_format(b, "%0*llu", NUMBER_DIGITS,
                      (unsigned long long)((uint64_t)v ^ UINT64_C(1) << 63));
    gs_buf_char(b, PART_END);
}

struct gs_str gs_key_part(struct gs_str key, size_t k)
{
    size_t from = 0;
    for (size_t i = 0; i < key.len; i++)
        if (key.ptr[i] == PART_END) {
            if (k-- == 0)
                return (struct gs_str){i == from ? NULL : key.ptr + from, i - from};
            from = i + 1;
        }
    return (struct gs_str){NULL, 0};
}

int64_t gs_key_number(struct gs_str part)
{
    uint64_t v = 0;
    for (size_t i = 0; i < part.len; i++)
        v = v * 10 + (uint64_t)(part.ptr[i] - '0');
    return part.len == NUMBER_DIGITS ? (int64_t)(v ^ UINT64_C(1) << 63) : GS_MISSING;
}
