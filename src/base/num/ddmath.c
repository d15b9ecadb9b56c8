/* ddmath.c - elementary functions of double-doubles: reduce the argument, then a short series. */
#include "base/num/ddmath.h"

#include <limits.h>
#include <stdint.h>

static const struct gs_dd log_2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const struct gs_dd half_log_2_pi = {0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};

enum {
    EXP_HALVINGS = 8, /* of an argument below 0.35, ... */
    EXP_TERMS = 10,   /* ... so that the next term is below 1e-35 */
    STIRLING_FROM = 30
};

static struct gs_dd scaled(struct gs_dd a, int exponent)
{
    return (struct gs_dd){ldexp(a.hi, exponent), ldexp(a.lo, exponent)};
}

static struct gs_dd plus(struct gs_dd a, double b)
{
    return gs_dd_add(a, gs_dd_of(b));
}

/* exp(x) = (1 + result) * 2^*exponent; exponent is 0, and the result small, where x is. */
static struct gs_dd exp_minus_1(struct gs_dd x, int *exponent)
{
    const double k = floor(x.hi / log_2.hi + 0.5);
    if (!(fabs(k) < 1e9)) { /* NaN and infinities are no exponent */
        *exponent = 0;
        return gs_dd_of(NAN);
    }
    const struct gs_dd r = scaled(gs_dd_sub(x, gs_dd_mul(gs_dd_of(k), log_2)), -EXP_HALVINGS);
    struct gs_dd sum = gs_dd_of(1.0);
    for (int i = EXP_TERMS; i > 1; i--)
        sum = plus(gs_dd_div(gs_dd_mul(sum, r), gs_dd_of(i)), 1.0);
    sum = gs_dd_mul(sum, r);
    /* Doubling exp(r) - 1 rather than squaring exp(r) keeps what is left beside the 1. */
    for (int i = 0; i < EXP_HALVINGS; i++)
        sum = gs_dd_add(scaled(sum, 1), gs_dd_mul(sum, sum));
    *exponent = (int)k;
    return sum;
}

struct gs_dd gs_dd_exp(struct gs_dd x, int *exponent)
{
    if (fabs(x.hi) > 1e9) { /* no double reaches so far: any exponent as extreme does */
        *exponent = x.hi < 0.0 ? INT_MIN / 2 : INT_MAX / 2;
        return gs_dd_of(1.0);
    }
    return plus(exp_minus_1(x, exponent), 1.0);
}

struct gs_dd gs_dd_log(struct gs_dd x)
{
    int exponent, none;
    const double m = frexp(x.hi, &exponent);
    if (m < 0.7) /* 0.7 .. 1.4, so that the two parts of a logarithm near 0 do not cancel */
        exponent--;
    x = scaled(x, -exponent);
    /* log x = guess + log(1 + d), where d is some units in the guess's last place. */
    const double guess = log(x.hi);
    const struct gs_dd inverse = exp_minus_1(gs_dd_of(-guess), &none);
    const struct gs_dd d =
        gs_dd_add(scaled(gs_dd_mul(x, inverse), none), plus(scaled(x, none), -1.0));
    const struct gs_dd correction = gs_dd_sub(d, scaled(gs_dd_mul(d, d), -1));
    return gs_dd_add(plus(correction, guess), gs_dd_mul(gs_dd_of(exponent), log_2));
}

struct gs_dd gs_dd_tanh(struct gs_dd x)
{
    if (fabs(x.hi) > 40.0) /* 1 - tanh is below 1e-34 */
        return gs_dd_of(copysign(1.0, x.hi));
    int exponent;
    struct gs_dd e = exp_minus_1(scaled(x, 1), &exponent);
    if (exponent != 0)
        e = plus(scaled(plus(e, 1.0), exponent), -1.0);
    return gs_dd_div(e, plus(e, 2.0));
}

struct gs_dd gs_dd_log_gamma(struct gs_dd x)
{
    /* B(2k) / (2k (2k - 1)), DLMF 5.11.1; the next term is below 1e-33 from 30 on. */
    static const int64_t c[][2] = {{1, 12},           {-1, 360},       {1, 1260},
                                   {-1, 1680},        {1, 1188},       {-691, 360360},
                                   {1, 156},          {-3617, 122400}, {43867, 244188},
                                   {-174611, 125400}, {77683, 5796},   {-236364091, 1506960}};
    struct gs_dd product = gs_dd_of(1.0);
    for (; x.hi < STIRLING_FROM; x = plus(x, 1.0))
        product = gs_dd_mul(product, x);
    const struct gs_dd inverse = gs_dd_div(gs_dd_of(1.0), x), w = gs_dd_mul(inverse, inverse);
    struct gs_dd sum = gs_dd_of(0.0);
    for (int i = (int)(sizeof c / sizeof *c) - 1; i >= 0; i--)
        sum = gs_dd_add(gs_dd_mul(sum, w), gs_dd_ratio(c[i][0], c[i][1]));
    sum = gs_dd_add(gs_dd_mul(sum, inverse), gs_dd_sub(half_log_2_pi, x));
    sum = gs_dd_add(sum, gs_dd_mul(plus(x, -0.5), gs_dd_log(x)));
    return gs_dd_sub(sum, gs_dd_log(product));
}
