/* json_cut.h - a streaming JSON reader: hands out the values that the caller selects, one by one. */
#pragma once

#include "input/bytes/json_text.h"

enum { GS_JSON_KEY_MAX = 128 };

/* A value begins below these keys, from the outermost in; ptr == NULL: an item of an array. Is it to be taken whole? */
typedef bool gs_json_wants_fn(void *context, const struct gs_str *key, unsigned n_keys);

/* A value that is wanted: the keys above it, its text, and the line on which it begins. What it holds is not checked. */
struct gs_json_item {
    const struct gs_str *key;
    unsigned n_keys;
    struct gs_str text;
    uint64_t line;
};
typedef enum gs_status gs_json_take_fn(void *context, const struct gs_json_item *item,
                                       struct gs_err *err);

/* Tries a line between values that begins an object; *taken: it is whole and was taken. */
typedef enum gs_status gs_json_line_fn(void *context, uint64_t number, struct gs_str line,
                                       bool *taken, struct gs_err *err);

/* A line of a value that a crash left open. */
typedef enum gs_status gs_json_torn_fn(void *context, uint64_t number, struct gs_str line,
                                       struct gs_err *err);

/*
 * Start from {.name, .wants or .path, .take, .context, .item.arena = a}; documents may follow one another.
 *
 * Without `wants` the values are the items of one array: that under the keys of `path` (ends in NULL), or one that is the
 * whole; with an empty path also whole values, one after the other (JSON lines). Logs break off, so then brackets that
 * do not pair and an array without an end are no error. A value that a crash left open would take what follows with it,
 * until an object begins a line where none can stand: in a text, or behind a value; or until the end, where another of its
 * lines is an object. Its lines are torn then, but for a last one that is an object, and what follows is read.
 */
struct gs_json_cut {
    const char *name; /* of the file, escaped */
    gs_json_wants_fn *wants;
    const char *const *path;
    gs_json_take_fn *take;
    gs_json_line_fn *line_alone; /* NULL: all lines are looked at byte by byte */
    gs_json_torn_fn *torn;       /* NULL: such a line is an error */
    void *context, *torn_context;
    struct gs_buf item; /* the value being gathered */
    uint64_t line, item_line;
    unsigned depth, item_depth; /* of what is open; of the value being gathered */
    bool in_text, in_key, escaped, bare, gathering, key_next;
    uint64_t is_array; /* by depth */
    struct gs_str key[GS_JSON_DEPTH_MAX + 1];
    char room[GS_JSON_DEPTH_MAX + 1][GS_JSON_KEY_MAX]; /* longer keys are cut, and fit none */
};

/* Errors: GS_ERR_DATA "NAME:LINE: ..." for brackets that do not pair, values nested too deep or above 256 MiB; those of take. */
enum gs_status gs_json_cut_feed(struct gs_json_cut *c, struct gs_str piece, struct gs_err *err);

/* The end. Errors: GS_ERR_DATA where it lies within a value. */
enum gs_status gs_json_cut_finish(struct gs_json_cut *c, struct gs_err *err);

/* Feeds a whole file, to its end where not only its beginning is read; sets c->name and the arena of c->item. */
struct gs_text_in;
enum gs_status gs_json_cut_read(struct gs_json_cut *c, struct gs_text_in *in, struct gs_err *err);
