/* pack.c - little-endian bytes, counts of 7 bits a byte. */
#include "base/core/pack.h"

#include <string.h>

void gs_pack_long_count(struct gs_buf *b, uint64_t v)
{
    enum { LONGEST = 10 };
    if (b->capacity - b->len <= LONGEST && !gs_buf_reserve(b, LONGEST))
        return;
    char *at = b->ptr + b->len;
    for (; v >= 0x80; v >>= 7)
        *at++ = (char)(unsigned char)(v | 0x80);
    *at++ = (char)v;
    *at = '\0';
    b->len = (size_t)(at - b->ptr);
}

/*
 * Byte by byte, never memcpy: a partial result that one machine writes is read on another,
 * whatever the byte order of either.
 */
void gs_pack_u64(struct gs_buf *b, uint64_t v)
{
    char bytes[8];
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (char)(unsigned char)(v >> 8 * i);
    gs_buf_bytes(b, bytes, sizeof bytes);
}

void gs_pack_i64(struct gs_buf *b, int64_t v)
{
    gs_pack_u64(b, (uint64_t)v);
}

void gs_pack_i128(struct gs_buf *b, gs_i128 v)
{
    gs_pack_u64(b, (uint64_t)(gs_u128)v);
    gs_pack_u64(b, (uint64_t)((gs_u128)v >> 64));
}

void gs_pack_real(struct gs_buf *b, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    gs_pack_u64(b, bits);
}

/* 0 is missing, so that a text of n bytes says n + 1. */
void gs_pack_text(struct gs_buf *b, struct gs_str text)
{
    if (text.ptr == NULL) {
        gs_pack_count(b, 0);
        return;
    }
    gs_pack_count(b, (uint64_t)text.len + 1);
    gs_buf_add(b, text);
}

/*
 * Differences are formed in uint64_t, where the distance between any two int64 values is
 * defined. The array must ascend; one that does not comes back as a failure of the reader, not
 * as wrong values.
 */
void gs_pack_sorted(struct gs_buf *b, const int64_t *v, size_t n)
{
    gs_pack_count(b, n);
    if (n == 0)
        return;
    gs_pack_i64(b, v[0]);
    for (size_t i = 1; i < n; i++)
        gs_pack_count(b, (uint64_t)v[i] - (uint64_t)v[i - 1]);
}

struct gs_unpacker gs_unpack(const char *name, struct gs_str bytes, struct gs_err *err)
{
    const unsigned char *const first = (const unsigned char *)(bytes.len == 0 ? "" : bytes.ptr);
    return (struct gs_unpacker){
        .name = name, .first = first, .at = first, .end = first + bytes.len, .err = err};
}

/*
 * The first failure wins, and the position moves to the end: every later read fails too and
 * returns 0. Callers may therefore read a whole record and check the status once.
 */
enum gs_status gs_unpack_fail(struct gs_unpacker *u, const char *what)
{
    if (u->status == GS_OK)
        u->status = gs_fail(u->err, GS_ERR_DATA, "%s: byte %zu: %s", u->name,
                            (size_t)(u->at - u->first), what);
    u->at = u->end;
    return u->status;
}

uint64_t gs_unpack_long_count(struct gs_unpacker *u)
{
    uint64_t v = 0;
    const unsigned char *at = u->at;
    /*
     * The tenth byte holds the one bit that is left of 64. More would be shifted out, and a
     * shift of 70 would be undefined.
     */
    enum { LAST = 63 };
    for (unsigned shift = 0; at < u->end && shift <= LAST; shift += 7) {
        const uint64_t byte = *at++;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80 && (shift < LAST || byte <= 1)) {
            u->at = at;
            return v;
        }
    }
    u->at = at;
    (void)gs_unpack_fail(u, "found no end of a count, expected one of at most 64 bits");
    return 0;
}

bool gs_unpack_flag(struct gs_unpacker *u)
{
    const uint64_t v = gs_unpack_count(u);
    if (v > 1)
        (void)gs_unpack_fail(u, "found neither 0 nor 1 where it is yes or no");
    return v == 1;
}

uint64_t gs_unpack_u64(struct gs_unpacker *u)
{
    uint64_t v = 0;
    if (u->end - u->at < 8) {
        (void)gs_unpack_fail(u, "found the end of the state, expected a number of 8 bytes");
        return 0;
    }
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)*u->at++ << 8 * i;
    return v;
}

int64_t gs_unpack_i64(struct gs_unpacker *u)
{
    return (int64_t)gs_unpack_u64(u);
}

gs_i128 gs_unpack_i128(struct gs_unpacker *u)
{
    const uint64_t low = gs_unpack_u64(u), high = gs_unpack_u64(u);
    return (gs_i128)((gs_u128)high << 64 | low);
}

double gs_unpack_real(struct gs_unpacker *u)
{
    const uint64_t bits = gs_unpack_u64(u);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

struct gs_str gs_unpack_text(struct gs_unpacker *u)
{
    const uint64_t n = gs_unpack_count(u);
    if (n == 0)
        return (struct gs_str){0};
    if (n - 1 > (uint64_t)(u->end - u->at)) {
        (void)gs_unpack_fail(u, "found a text longer than what is left of the state");
        return (struct gs_str){0};
    }
    const struct gs_str text = {(const char *)u->at, (size_t)(n - 1)};
    u->at += n - 1;
    return text;
}

/*
 * A forged count must not become an allocation: a list of n items needs at least n *
 * least_bytes bytes of input, so the count is bounded by what is left of the file.
 */
size_t gs_unpack_length(struct gs_unpacker *u, size_t least_bytes)
{
    const uint64_t n = gs_unpack_count(u);
    if (n <= (uint64_t)(u->end - u->at) / least_bytes)
        return (size_t)n;
    (void)gs_unpack_fail(u, "found a count of more than what is left of the state can hold");
    return 0;
}

int64_t *gs_unpack_sorted(struct gs_unpacker *u, size_t *n, struct gs_arena *arena)
{
    *n = gs_unpack_length(u, 1);
    int64_t *const v = gs_arena_take_raw(arena, *n, sizeof *v);
    if (v == NULL) {
        if (u->status == GS_OK)
            u->status = gs_fail_memory(u->err);
        u->at = u->end;
        return NULL;
    }
    for (size_t i = 0; i < *n && u->status == GS_OK; i++) {
        if (i == 0) {
            v[i] = gs_unpack_i64(u);
            continue;
        }
        const uint64_t more = gs_unpack_count(u);
        /*
         * The subtraction is modulo 2^64 and right for negative values too: it is the distance
         * from the last value to INT64_MAX.
         */
        if (more > (uint64_t)INT64_MAX - (uint64_t)v[i - 1]) {
            (void)gs_unpack_fail(u, "found a value out of range in an ascending list");
            break;
        }
        v[i] = (int64_t)((uint64_t)v[i - 1] + more);
    }
    return u->status == GS_OK ? v : NULL;
}

struct gs_str gs_unpack_copy(struct gs_unpacker *u, struct gs_arena *arena)
{
    const struct gs_str text = gs_unpack_text(u);
    if (text.ptr == NULL)
        return GS_NO_STR;
    const char *const copy = gs_arena_copy(arena, text.ptr, text.len);
    if (copy != NULL)
        return (struct gs_str){copy, text.len};
    if (u->status == GS_OK)
        u->status = gs_fail_memory(u->err);
    return GS_NO_STR;
}
