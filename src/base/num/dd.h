/* dd.h - double-double arithmetic: about 31 digits, so that the one rounding at the end is the only one. */
#pragma once

#include <math.h>

#include "base/num/int128.h"

/*
 * An unevaluated sum hi + lo with |lo| <= ulp(hi)/2. Built without -ffast-math and with
 * -ffp-contract=off; the fused multiply-add is always asked for by name.
 * Source: T. J. Dekker, Numerische Mathematik 18, 1971; D. E. Knuth, TAOCP vol. 2, 4.2.2.
 */
struct gs_dd {
    double hi, lo;
};

static inline struct gs_dd gs_dd_two_sum(double a, double b)
{
    const double s = a + b, bb = s - a;
    return (struct gs_dd){s, (a - (s - bb)) + (b - bb)};
}

static inline struct gs_dd gs_dd_two_product(double a, double b)
{
    const double p = a * b;
    return (struct gs_dd){p, fma(a, b, -p)};
}

static inline struct gs_dd gs_dd_of(double a)
{
    return (struct gs_dd){a, 0.0};
}

static inline struct gs_dd gs_dd_add(struct gs_dd a, struct gs_dd b)
{
    struct gs_dd s = gs_dd_two_sum(a.hi, b.hi);
    const struct gs_dd t = gs_dd_two_sum(a.lo, b.lo);
    s = gs_dd_two_sum(s.hi, s.lo + t.hi);
    return gs_dd_two_sum(s.hi, s.lo + t.lo);
}

static inline struct gs_dd gs_dd_neg(struct gs_dd a)
{
    return (struct gs_dd){-a.hi, -a.lo};
}

static inline struct gs_dd gs_dd_sub(struct gs_dd a, struct gs_dd b)
{
    return gs_dd_add(a, gs_dd_neg(b));
}

static inline struct gs_dd gs_dd_mul(struct gs_dd a, struct gs_dd b)
{
    const struct gs_dd p = gs_dd_two_product(a.hi, b.hi);
    return gs_dd_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct gs_dd gs_dd_div(struct gs_dd a, struct gs_dd b)
{
    const double q1 = a.hi / b.hi;
    struct gs_dd r = gs_dd_sub(a, gs_dd_mul(b, gs_dd_of(q1)));
    const double q2 = r.hi / b.hi;
    r = gs_dd_sub(r, gs_dd_mul(b, gs_dd_of(q2)));
    const double q3 = r.hi / b.hi;
    const struct gs_dd q = gs_dd_two_sum(q1, q2);
    return gs_dd_add(q, gs_dd_of(q3));
}

/* The square root of a >= 0. */
static inline struct gs_dd gs_dd_sqrt(struct gs_dd a)
{
    if (!(a.hi > 0.0))
        return gs_dd_of(0.0);
    const double x = sqrt(a.hi);
    struct gs_dd r = gs_dd_of(x);
    for (int i = 0; i < 2; i++) {
        const struct gs_dd e = gs_dd_sub(a, gs_dd_mul(r, r));
        r = gs_dd_add(r, gs_dd_of(e.hi / (2.0 * x)));
    }
    return r;
}

/* An integer, to 106 bits. */
static inline struct gs_dd gs_dd_of_int(gs_i128 v)
{
    const double hi = (double)v;
    /* (double)v can round up to 2^127, which no 128-bit integer holds. */
    const gs_i128 back = hi >= 0x1p127 ? (gs_i128)(((gs_u128)1 << 127) - 1) : (gs_i128)hi;
    return gs_dd_two_sum(hi, (double)(v - back));
}

static inline double gs_dd_to_double(struct gs_dd a)
{
    return a.hi + a.lo;
}

/* num / den for den != 0. */
static inline struct gs_dd gs_dd_ratio(gs_i128 num, gs_i128 den)
{
    return gs_dd_div(gs_dd_of_int(num), gs_dd_of_int(den));
}

/* The same, rounded once; NaN where den is 0. */
static inline double gs_ratio(gs_i128 num, gs_i128 den)
{
    if (den == 0)
        return (double)NAN;
    return gs_dd_to_double(gs_dd_ratio(num, den));
}
