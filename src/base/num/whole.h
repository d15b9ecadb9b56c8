/* whole.h - whole-number operations that C lacks: division, magnitude, differences, a word of bytes. */
#pragma once

#include <stdint.h>
#include <string.h>

/* The greatest common divisor; 0 is a multiple of everything. */
static inline uint64_t gs_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The quotient rounded down, by > 0. */
static inline int64_t gs_floor_div(int64_t v, int64_t by)
{
    return v / by - (v % by < 0);
}

/* The distance from 0; of INT64_MIN too. */
static inline uint64_t gs_magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* to - from of two instants in order: it may not fit int64, so it is taken unsigned. */
static inline uint64_t gs_span(int64_t from, int64_t to)
{
    return (uint64_t)to - (uint64_t)from;
}

/* How far two instants in any order are apart. */
static inline uint64_t gs_distance(int64_t a, int64_t b)
{
    return a < b ? gs_span(a, b) : gs_span(b, a);
}

/* a - b, or INT64_MAX where that is greater: a length of time between two instants in order. */
static inline int64_t gs_difference(int64_t a, int64_t b)
{
    int64_t v;
    return __builtin_sub_overflow(a, b, &v) ? INT64_MAX : v;
}

/* How much a is above b, 0 where it is not. */
static inline uint64_t gs_excess(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Mixes all bits of a number. Source: G. Steele, D. Lea, C. Flood, OOPSLA 2014 (the finalizer of SplitMix64). */
static inline uint64_t gs_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/*
 * Eight bytes as a number whose lowest byte is the first, so that masks and constants mean the same
 * on every processor; memcpy because texts begin at any address.
 */
static inline uint64_t gs_load64(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}
