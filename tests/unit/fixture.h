/* fixture.h - what most tests of this directory start with: cmocka and reproducible random numbers. */
#ifndef GPUSTAT_FIXTURE_H
#define GPUSTAT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/* Marsaglia's xorshift64: the same numbers everywhere. */
static uint64_t random_state = UINT64_C(88172645463325252);

static inline uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* From 0 to n - 1. */
static inline uint64_t random_below(uint64_t n)
{
    return (random_bits() >> 11) % n;
}

/* Between 0 and 1, both excluded. */
static inline double random_unit(void)
{
    return ((double)(random_bits() >> 12) + 0.5) / (double)(UINT64_C(1) << 52);
}

/* Of mean 0 and deviation 1: G. E. P. Box, M. E. Muller, Annals of Mathematical Statistics 29, 1958. */
static inline double random_normal(void)
{
    return sqrt(-2 * log(random_unit())) * cos(6.283185307179586 * random_unit());
}

#endif
