/* int192.h - sums of products of 64-bit integers that cannot overflow. */
#pragma once

#include <stdint.h>

#include "base/num/int128.h"

/*
 * A signed 192-bit integer, hi * 2^128 + lo, two's complement. Holds every sum of fewer than 2^64 products
 * of two int64. Valid when zeroed.
 */
struct gs_i192 {
    gs_u128 lo;
    int64_t hi;
};

static inline void gs_i192_add(struct gs_i192 *sum, gs_i128 value)
{
    const gs_u128 lo = sum->lo + (gs_u128)value;
    sum->hi += (lo < sum->lo) - (value < 0);
    sum->lo = lo;
}

static inline void gs_i192_merge(struct gs_i192 *sum, const struct gs_i192 *other)
{
    const gs_u128 lo = sum->lo + other->lo;
    sum->hi = (int64_t)((uint64_t)sum->hi + (uint64_t)other->hi + (lo < other->lo));
    sum->lo = lo;
}
