/* json_text.h - JSON that is too large for a tree, or whose numbers must stay as they were written. */
#ifndef GPUSTAT_JSON_TEXT_H
#define GPUSTAT_JSON_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/core/status.h"
#include "base/core/text.h"

enum { GS_JSON_DEPTH_MAX = 64 };

/*
 * Takes a leaf: the keys above it joined by points (items of arrays by their number), and the value: text
 * unescaped, numbers and true or false as they stand, null as missing. Valid during the call. False ends the walk.
 */
typedef bool gs_json_leaf_fn(void *context, struct gs_str path, struct gs_str value);

/* Room that walks share. Start from {.path.arena = a, .text.arena = a}. */
struct gs_json_room {
    struct gs_buf path, text;
    struct gs_str leaf; /* while a leaf is taken: its value as it stands in the text */
};

/*
 * Walks the value that `text` holds, with nothing but blanks around it. Arrays are walked where `arrays` says
 * so, else checked and passed over.
 * Returns the length of the text, or the place of the first byte that is no JSON (or nested too deep).
 */
size_t gs_json_walk(struct gs_str text, bool arrays, struct gs_json_room *room,
                    gs_json_leaf_fn *leaf, void *context, bool *ok);

/*
 * Cuts the values of one array out of a stream of JSON: that under the keys of `path` (ends in NULL), or of an
 * array that is the whole; with an empty path and no array the whole values, one after the other (JSON lines).
 */
struct gs_json_items {
    const char *const *path; /* keys from the outermost object down, ends in NULL            */
    unsigned n_path;
    struct gs_buf item;       /* the value being gathered                                     */
    uint64_t line, item_line; /* of what is fed; on which the item began                      */
    unsigned depth;
    unsigned matched;    /* keys of the path above this place that fit                   */
    uint64_t is_array;   /* by depth                                                     */
    unsigned item_depth; /* at which the items stand; 0: not in the array yet            */
    bool in_text, escaped, gathering, key_next, key_fits, found;
    struct gs_buf key;
    bool in_key;
};

typedef enum gs_status gs_json_item_fn(void *context, struct gs_str item, uint64_t line,
                                       struct gs_err *err);

/* Feeds a piece. Errors: GS_ERR_DATA "NAME:LINE: ..." for one item of more than 256 MiB; those of `take`. */
enum gs_status gs_json_items_feed(struct gs_json_items *j, struct gs_str piece, const char *name,
                                  gs_json_item_fn *take, void *context, struct gs_err *err);

/* The end: hands out a last value that only the end closes (a bare number). A cut array is no error. */
enum gs_status gs_json_items_finish(struct gs_json_items *j, gs_json_item_fn *take, void *context,
                                    struct gs_err *err);

#endif
