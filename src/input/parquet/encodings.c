/* encodings.c - decodes RLE, bit-packed and delta-encoded numbers, a few at a time, so that no claimed size is allocated. */
#include "input/parquet/parquet_parts.h"

#include <string.h>

/*
 * The header of a run: its number of values times two, or of eights of packed ones times two plus
 * one. The limit refuses runs whose length times 8 could have overflowed.
 */
static bool begin_run(struct gs_rle *r)
{
    const uint64_t head = gs_thrift_varint(&r->in);
    const size_t n_bytes = (r->width + 7) / 8;
    r->packed = (head & 1) != 0;
    r->n_run = r->packed ? head >> 1 << 3 : head >> 1;
    r->value = 0;
    r->bit = 0; /* a run of eights is whole bytes */
    if (r->in.bad || head >> 1 > UINT64_C(1) << 31)
        return false;
    if (r->packed) /* the last bytes of a page may lack what nobody asks for */
        return true;
    if ((size_t)(r->in.end - r->in.at) < n_bytes)
        return false;
    for (size_t i = 0; i < n_bytes; i++)
        r->value |= (uint32_t)*r->in.at++ << (8 * i);
    return true;
}

/*
 * Numbers as long as eight bytes can be read for each; from bit *bit of r->in.at on, which is
 * moved. Never reads behind `end`: the last numbers of a run are left to the way bit by bit.
 */
static size_t unpack_wide(struct gs_rle *r, size_t n, uint32_t *to, uint64_t *bit)
{
    const uint64_t mask = (UINT64_C(1) << r->width) - 1;
    const uint64_t n_bytes = (uint64_t)(r->in.end - r->in.at);
    size_t i = 0;
    for (; i < n && *bit / 8 + 8 <= n_bytes; i++, *bit += r->width) {
        uint64_t eight; /* of 32 bits at most, 7 before them */
        memcpy(&eight, r->in.at + *bit / 8, sizeof eight);
        to[i] = (uint32_t)(eight >> (*bit % 8) & mask);
    }
    return i;
}

/* The same up to the last bit; false: they are not there. */
static bool next_packed(struct gs_rle *r, size_t n, uint32_t *to)
{
    uint64_t bit = r->bit;
    const uint64_t n_bits = (uint64_t)(r->in.end - r->in.at) * 8;
    for (size_t i = unpack_wide(r, n, to, &bit); i < n; i++) {
        uint32_t v = 0;
        for (unsigned k = 0; k < r->width; k++, bit++) {
            if (bit >= n_bits)
                return false;
            v |= (uint32_t)(r->in.at[bit / 8] >> (bit % 8) & 1) << k;
        }
        to[i] = v;
    }
    r->in.at += bit / 8;
    r->bit = bit % 8;
    return true;
}

/*
 * A run may claim billions of values in three bytes; nothing is stored for it, and the page's
 * number of values bounds how often this is called.
 */
bool gs_rle_next(struct gs_rle *r, size_t n, uint32_t *to)
{
    while (n > 0) {
        if (r->n_run == 0 && !begin_run(r))
            return false;
        const size_t now = r->n_run < n ? (size_t)r->n_run : n;
        if (r->packed && !next_packed(r, now, to))
            return false;
        for (size_t i = 0; !r->packed && i < now; i++)
            to[i] = r->value;
        r->n_run -= now;
        to += now;
        n -= now;
    }
    return true;
}

/*
 * The limits bound the work per block; a miniblock of whole bytes is what the specification asks
 * for.
 */
bool gs_delta_begin(struct gs_delta *d, const unsigned char *at, const unsigned char *end)
{
    *d = (struct gs_delta){.in = {.at = at, .end = end}, .first = true};
    const uint64_t block = gs_thrift_varint(&d->in);
    d->n_mini = gs_thrift_varint(&d->in);
    d->n_left = gs_thrift_varint(&d->in);
    d->value = (uint64_t)gs_zigzag(gs_thrift_varint(&d->in));
    if (d->in.bad || d->n_mini == 0 || d->n_mini > 1024 || block == 0 || block > 1 << 20 ||
        block % d->n_mini != 0)
        return false;
    d->per_mini = block / d->n_mini;
    d->mini = d->n_mini;
    return d->per_mini % 8 == 0;
}

/* The next miniblock; where there is none left, the next block's first. */
static bool next_mini(struct gs_delta *d)
{
    if (d->mini == d->n_mini) {
        d->least = (uint64_t)gs_zigzag(gs_thrift_varint(&d->in));
        if (d->in.bad || (uint64_t)(d->in.end - d->in.at) < d->n_mini)
            return false;
        d->widths = d->in.at;
        d->in.at += d->n_mini;
        d->mini = 0;
    }
    d->width = d->widths[d->mini++];
    const uint64_t n_bytes = d->per_mini / 8 * d->width;
    if (d->width > 64 || n_bytes > (uint64_t)(d->in.end - d->in.at))
        return false;
    d->at = d->in.at;
    d->in.at += n_bytes;
    d->bit = 0;
    d->left = d->per_mini;
    return true;
}

/* May shift by up to 63 bits only: `have` is below `width`, which is 64 at most. */
static uint64_t bits_at(const struct gs_delta *d)
{
    uint64_t v = 0;
    for (unsigned have = 0; have < d->width;) {
        const uint64_t at = d->bit + have;
        const unsigned skip = (unsigned)(at % 8), take = 8 - skip;
        v |= (uint64_t)(d->at[at / 8] >> skip) << have;
        have += take;
    }
    return d->width == 64 ? v : v & ((UINT64_C(1) << d->width) - 1);
}

bool gs_delta_next(struct gs_delta *d, size_t n, int64_t *to)
{
    if (n > d->n_left)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!d->first) {
            if (d->left == 0 && !next_mini(d))
                return false;
            d->value += d->least + bits_at(d); /* wraps around, as the specification has it */
            d->bit += d->width;
            d->left--;
        }
        d->first = false;
        to[i] = (int64_t)d->value;
    }
    d->n_left -= n;
    return true;
}

/*
 * The texts of DELTA_LENGTH_BYTE_ARRAY begin where its lengths end, which only a walk over all
 * miniblocks finds. It works on a copy, so the lengths can still be read.
 */
const unsigned char *gs_delta_end(const struct gs_delta *d)
{
    struct gs_delta rest = *d;
    const uint64_t n = d->n_left - (d->first && d->n_left > 0);
    for (uint64_t i = 0; i < n; i += rest.per_mini)
        if (!next_mini(&rest))
            return NULL;
    return rest.in.at;
}
