/* forest_random.h - random numbers that are a function of their seed alone, on any machine. */
#pragma once

#include <stdint.h>

#include "base/num/whole.h"

/* The next number of a sequence. Source: G. Steele, D. Lea, C. Flood, OOPSLA 2014 (SplitMix64). */
static inline uint64_t gs_splitmix64(uint64_t *state)
{
    return gs_mix64(*state += UINT64_C(0x9e3779b97f4a7c15));
}
