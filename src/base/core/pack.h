/* pack.h - exact values as bytes and back, the same on every machine: the encoding of partial results. */
#pragma once

#include <stdint.h>

#include "base/num/int128.h"
#include "base/core/status.h"
#include "base/core/text.h"

/*
 * Appending to a gs_buf, little-endian, of fixed length but for a count (7 bits a byte, the last without the
 * highest bit). A missing text differs from an empty one. Test b->failed once at the end.
 */
void gs_pack_long_count(struct gs_buf *b, uint64_t v);
/* Most counts are one byte. */
static inline void gs_pack_count(struct gs_buf *b, uint64_t v)
{
    if (v >= 0x80 || b->capacity - b->len < 2) {
        gs_pack_long_count(b, v);
        return;
    }
    b->ptr[b->len++] = (char)v;
    b->ptr[b->len] = '\0';
}

void gs_pack_u64(struct gs_buf *b, uint64_t v);
void gs_pack_i64(struct gs_buf *b, int64_t v);
void gs_pack_i128(struct gs_buf *b, gs_i128 v);
void gs_pack_real(struct gs_buf *b, double v);
void gs_pack_text(struct gs_buf *b, struct gs_str text);

/* v[0..n) in ascending order as a count and the differences: few bytes for values that are close. */
void gs_pack_sorted(struct gs_buf *b, const int64_t *v, size_t n);

/*
 * Reads what was packed; the bytes may be anything. Start from {.name, .at, .end, .first = at, .err}. After the
 * first fault `failed` is set and every further value is 0 or missing: read on, test once before use. Nothing is
 * taken on trust: a count is refused where the bytes that are left cannot hold as many.
 */
struct gs_unpacker {
    const char *name; /* of the file, for messages */
    const unsigned char *first, *at, *end;
    struct gs_err *err;
    enum gs_status status; /* of the first fault: GS_ERR_DATA or GS_ERR_MEMORY */
};

struct gs_unpacker gs_unpack(const char *name, struct gs_str bytes, struct gs_err *err);

/* Notes a fault at the present place: "NAME: byte 123: WHAT". Answers GS_ERR_DATA, or the first fault's status. */
enum gs_status gs_unpack_fail(struct gs_unpacker *u, const char *what);

uint64_t gs_unpack_long_count(struct gs_unpacker *u);

static inline uint64_t gs_unpack_count(struct gs_unpacker *u)
{
    return u->at < u->end && *u->at < 0x80 ? *u->at++ : gs_unpack_long_count(u);
}

bool gs_unpack_flag(struct gs_unpacker *u); /* 0 or 1 */
uint64_t gs_unpack_u64(struct gs_unpacker *u);
int64_t gs_unpack_i64(struct gs_unpacker *u);
gs_i128 gs_unpack_i128(struct gs_unpacker *u);
double gs_unpack_real(struct gs_unpacker *u);

/* Points into the bytes that are read. */
struct gs_str gs_unpack_text(struct gs_unpacker *u);

/* The same, copied into `arena`; a missing text stays missing. */
struct gs_str gs_unpack_copy(struct gs_unpacker *u, struct gs_arena *arena);

/* A count of things of at least `least_bytes` each, which therefore must still be there. */
size_t gs_unpack_length(struct gs_unpacker *u, size_t least_bytes);

/* What gs_pack_sorted wrote, in `arena`; NULL after a fault. */
int64_t *gs_unpack_sorted(struct gs_unpacker *u, size_t *n, struct gs_arena *arena);
