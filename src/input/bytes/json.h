/* json.h - reads JSON documents into a tree (cJSON). Writing needs no library: see render.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/status.h"
#include "base/core/text.h"

struct gs_json; /* a value of a document; every value dies with the document */

/*
 * Parses a whole document. `name` starts messages and is already escaped.
 * Errors:  GS_ERR_DATA "NAME:LINE: not JSON"; GS_ERR_MEMORY.
 * Memory:  of cJSON, until gs_json_free.
 */
enum gs_status gs_json_parse(struct gs_str text, const char *name, struct gs_json **document,
                             struct gs_err *err);
void gs_json_free(struct gs_json *document); /* NULL allowed */

/* In front of a document of a function's own: it is freed on every way out. */
#define GS_FREES_JSON __attribute__((cleanup(gs_json_free_at)))
static inline void gs_json_free_at(struct gs_json *const *document)
{
    gs_json_free(*document);
}

/* The member of an object, or NULL: no such member, no object, or NULL given. Of several the first. */
const struct gs_json *gs_json_member(const struct gs_json *object, const char *key);

/* The items of an array in order, by `for (v = gs_json_first(a); v != NULL; v = gs_json_next(v))`. */
const struct gs_json *
gs_json_first(const struct gs_json *array); /* NULL: empty, no array, or NULL given */
const struct gs_json *gs_json_next(const struct gs_json *item);
bool gs_json_is_array(const struct gs_json *v); /* NULL is none */
size_t gs_json_length(const struct gs_json *v); /* items of an array, members of an object */

/* The members of an object in order, by gs_json_first_member and gs_json_next; their names. */
const struct gs_json *gs_json_first_member(const struct gs_json *object);
struct gs_str gs_json_key(const struct gs_json *member);
bool gs_json_is_object(const struct gs_json *v); /* NULL is none */

/* The value where it has that type, else false with `out` untouched. NULL is of no type. */
bool gs_json_number(const struct gs_json *v, double *out); /* may be infinite: 1e999 */
bool gs_json_bool(const struct gs_json *v, bool *out);
bool gs_json_text(const struct gs_json *v, struct gs_str *out); /* lives in the document */
bool gs_json_is_null(const struct gs_json *v);
