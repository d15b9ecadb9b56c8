/* draw.h - the series that stats_exact.py and stats_r.R use, drawn alike in C. */
#ifndef GPUSTAT_TEST_DRAW_H
#define GPUSTAT_TEST_DRAW_H

#include "fixture.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* splitmix64 of S. Vigna, public domain. */
static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Signed integers of `bits` bits. */
static inline void draw_ints(uint64_t seed, int64_t *x, size_t n, unsigned bits)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int64_t)((draw_bits(&seed) >> (64 - bits)) - (UINT64_C(1) << (bits - 1)));
}

/* Fails the test unless `got` is within `relative` of `want`; both sides are shown. */
#define assert_close(got, want, relative)                                                          \
    do {                                                                                           \
        const double got_ = (got), want_ = (want);                                                 \
        if (!(fabs(got_ - want_) <= (relative)*fabs(want_))) {                                     \
            fprintf(stderr, "%s = %.17g, expected %.17g\n", #got, got_, want_);                    \
            fail();                                                                                \
        }                                                                                          \
    } while (0)

#endif
