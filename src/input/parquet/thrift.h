/* thrift.h - Thrift's compact protocol, as far as Parquet's metadata uses it: strict, bounded, without copies. */
#pragma once

#include "base/core/text.h"

/* Bytes being read. What is not well formed sets `bad` and ends the reading: every accessor then returns 0. */
struct gs_thrift {
    const unsigned char *at, *end;
    bool bad;
    unsigned depth; /* of structures and lists that are open */
};

/* Takes field `id`, whose value has the wire type `type`; what it does not consume with an accessor it skips. */
typedef void gs_thrift_field_fn(struct gs_thrift *t, void *context, int id, unsigned type);

/* Reads a structure to its end. */
void gs_thrift_struct(struct gs_thrift *t, gs_thrift_field_fn *field, void *context);

/* Values of fields; a wire type that is another makes the bytes bad. */
int64_t gs_thrift_int(struct gs_thrift *t, unsigned type);
bool gs_thrift_bool(struct gs_thrift *t, unsigned type);
struct gs_str gs_thrift_text(struct gs_thrift *t, unsigned type); /* lies in the bytes */
/* The number of structures of a list that begins here: at most as many as there are bytes left. */
size_t gs_thrift_list(struct gs_thrift *t, unsigned type);
void gs_thrift_nested(struct gs_thrift *t, unsigned type, gs_thrift_field_fn *field, void *context);
void gs_thrift_skip(struct gs_thrift *t, unsigned type);

/* An unsigned number of seven bits a byte, as the encodings of Parquet have it, too. */
uint64_t gs_thrift_varint(struct gs_thrift *t);

static inline int64_t gs_zigzag(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}
