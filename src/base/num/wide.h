/* wide.h - integers wide enough for the numerators of exact statistics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/num/dd.h"
#include "base/num/int192.h"

enum { GS_WIDE_LIMBS = 9 };

/*
 * Sign and magnitude, 576 bits: n^4 times fourth powers of int64 at n = 2^64 (the determinant of a line's
 * sums) need 512. Overflow beyond is a programmer's error (asserted).
 */
struct gs_wide {
    bool negative;                /* never set for zero */
    uint64_t limb[GS_WIDE_LIMBS]; /* least first */
};

struct gs_wide gs_wide_of(gs_i128 v);
struct gs_wide gs_wide_mul(const struct gs_wide *a, const struct gs_wide *b);
struct gs_wide gs_wide_sub(const struct gs_wide *a, const struct gs_wide *b);
bool gs_wide_is_zero(const struct gs_wide *a);

/* The leading 106 bits or more, cut off below; exact where the value has no more than that. */
struct gs_dd gs_wide_to_dd(const struct gs_wide *a);

/*
 * n * sab - sa * sb: n^2 times a population covariance, exact. The numerator of variance, covariance,
 * slope and r.
 */
struct gs_wide gs_wide_covariance(uint64_t n, const struct gs_i192 *sab, gs_i128 sa, gs_i128 sb);
