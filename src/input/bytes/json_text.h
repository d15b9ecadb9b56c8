/* json_text.h - walks JSON text without a tree; numbers keep the text they were written in. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/core/text.h"

enum { GS_JSON_DEPTH_MAX = 64 };

/*
 * The first byte from p on that ends a text of JSON, escapes the next or may not stand in one: a quote, a backslash, a
 * control character. Eight bytes at a time and without a branch for each: of those that are marked the lowest is exact.
 */
static inline const char *gs_json_plain_end(const char *p, const char *end)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    for (uint64_t v; end - p >= 8; p += 8) {
        memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = __builtin_bswap64(v);
#endif
        const uint64_t quote = v ^ ones * '"', escape = v ^ ones * '\\';
        const uint64_t odd =
            (((v - ones * ' ') & ~v) | ((quote - ones) & ~quote) | ((escape - ones) & ~escape)) &
            ones * 0x80;
        if (odd != 0)
            return p + __builtin_ctzll(odd) / 8;
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' ')
        p++;
    return p;
}

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

/* What a walk makes of arrays: all are checked. Of values alone, ["n1", "n2"] may be one leaf, n1,n2. */
enum gs_json_arrays { GS_JSON_PASSED_OVER, GS_JSON_JOINED, GS_JSON_ITEM_BY_ITEM };

/*
 * Walks the value that `text` holds, with nothing but blanks around it.
 * Returns the length of the text, or the place of the first byte that is no JSON (or nested too deep).
 */
size_t gs_json_walk(struct gs_str text, enum gs_json_arrays arrays, struct gs_json_room *room,
                    gs_json_leaf_fn *leaf, void *context, bool *ok);
