/*
 * shape.h - records that are written alike: where the bytes between the values of a record are those of one before, the
 * same columns follow in the same order, and only the values are read.
 */
#pragma once

#include <string.h>

#include "input/formats/record_sink.h"

enum { GS_SHAPES = 4, GS_SHAPE_VALUES_MAX = 64 };

/* Zeroed: nothing is known. */
struct gs_shapes {
    struct gs_shape {
        struct gs_buf between; /* the bytes before each value, and those behind the last    */
        uint32_t n;            /* values; 0: no shape                                       */
        struct {
            uint32_t len; /* of the bytes before it    */
            uint32_t column;
            bool mark; /* given to who reads it     */
        } value[GS_SHAPE_VALUES_MAX];
    } shape[GS_SHAPES], open; /* open: of the record that is read at present */
    const char *behind;       /* its last value; NULL: none is read          */
    unsigned last, next;      /* that fitted last; to be forgotten next      */
};

/* A record is read otherwise: learns its shape, from each value as it stands there to the end of the record's text. */
void gs_shape_begin(struct gs_shapes *s, struct gs_record_sink *out, struct gs_str text);
void gs_shape_value(struct gs_shapes *s, struct gs_str as_it_stands, uint32_t column, bool mark);
void gs_shape_end(struct gs_shapes *s, struct gs_str text);

/* Reads a value from p on; returns what follows it, NULL: it is for others. `mark` is what gs_shape_value was given. */
typedef const char *gs_shape_value_fn(const char *p, const char *end, bool mark,
                                      struct gs_str *value);

static inline bool gs_shape_same(const char *a, const char *b, size_t n)
{
    uint64_t x, y;
    for (; n >= sizeof x; a += sizeof x, b += sizeof x, n -= sizeof x) {
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        if (x != y)
            return false;
    }
    while (n > 0 && *a == *b)
        a++, b++, n--;
    return n == 0;
}

static inline bool gs_shape_fits(const struct gs_shape *s, struct gs_str text,
                                 gs_shape_value_fn *parse_value, struct gs_str *value)
{
    const char *p = text.ptr, *const end = p + text.len, *between = s->between.ptr;
    for (uint32_t i = 0; i < s->n; i++) {
        const size_t n = s->value[i].len;
        if ((size_t)(end - p) < n || !gs_shape_same(p, between, n) ||
            (p = parse_value(p + n, end, s->value[i].mark, &value[i])) == NULL)
            return false;
        between += n;
    }
    const size_t left = (size_t)(s->between.ptr + s->between.len - between);
    return (size_t)(end - p) == left && gs_shape_same(p, between, left);
}

/* Puts the values of a record into the sink; false: it has none of the shapes that are known, and nothing was put. */
static inline bool gs_shapes_put(struct gs_shapes *s, struct gs_str text,
                                 struct gs_record_sink *out, gs_shape_value_fn *parse_value)
{
    struct gs_str value[GS_SHAPE_VALUES_MAX];
    for (unsigned k = 0; k < GS_SHAPES; k++) {
        const unsigned at = (s->last + k) % GS_SHAPES;
        const struct gs_shape *const one = &s->shape[at];
        if (one->n == 0 || !gs_shape_fits(one, text, parse_value, value))
            continue;
        for (uint32_t i = 0; i < one->n; i++)
            gs_record_sink_put(out, one->value[i].column, value[i]);
        s->last = at;
        return true;
    }
    return false;
}
