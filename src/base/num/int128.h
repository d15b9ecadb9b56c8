/* int128.h - the 128-bit integers of gcc and clang under names that -Wpedantic accepts. */
#pragma once

#include <stdint.h>

#ifndef __SIZEOF_INT128__
#error "gpustat needs a 64-bit processor: its sums are exact in __int128"
#endif

__extension__ typedef __int128 gs_i128;
__extension__ typedef unsigned __int128 gs_u128;

/* The distance from 0. */
static inline gs_u128 gs_magnitude_i128(gs_i128 v)
{
    return v < 0 ? 0 - (gs_u128)v : (gs_u128)v;
}

/* num / den rounded to the nearest, a half away from zero; den > 0, and twice their sum fits. */
static inline gs_i128 gs_div_nearest(gs_i128 num, gs_i128 den)
{
    return (2 * num + (num < 0 ? -den : den)) / (2 * den);
}

/* The nearest double. Nearly every sum fits 64 bits, where that is one instruction. */
static inline double gs_i128_real(gs_i128 v)
{
    return v == (int64_t)v ? (double)(int64_t)v : (double)v;
}
