/* special.c - distribution functions; in double-double where a double loses digits. */
#include "stats/descriptive/special.h"

#include <math.h>
#include <stdbool.h>

#include "base/num/ddmath.h"

static const double pi = 3.14159265358979323846;
static const double sqrt_half = 0.70710678118654752440;
static const double sqrt_half_rest = -4.8336466567264567e-17; /* what the double above lacks */

#define TINY             1e-250
#define FRACTION_EPSILON 1e-31

enum { FRACTION_MAX = 100000 }; /* rounds of the continued fraction */

/* a + b, exact in as many digits as a double-double has. */
static struct gs_dd plus(struct gs_dd a, double b)
{
    return gs_dd_add(a, gs_dd_of(b));
}

/* log(1 / B(a, b)) */
static struct gs_dd log_one_over_beta(double a, double b)
{
    const struct gs_dd parts =
        gs_dd_add(gs_dd_log_gamma(gs_dd_of(a)), gs_dd_log_gamma(gs_dd_of(b)));
    return gs_dd_sub(gs_dd_log_gamma(gs_dd_two_sum(a, b)), parts);
}

/* v, or a tiny number in place of 0, by which Lentz's method could not divide. */
static struct gs_dd not_zero(struct gs_dd v)
{
    return fabs(v.hi) < TINY ? gs_dd_of(TINY) : v;
}

/*
 * x^a y^b / (B(a, b) I_x(a, b)): the even part of the continued fraction DLMF 8.17.22, by W. J. Lentz's
 * method. Its terms hold a - (a + b) x only as a y - b x, which keeps its digits where a is large and x close
 * to 1.
 */
static struct gs_dd beta_fraction(double a, double b, struct gs_dd x, struct gs_dd y)
{
    const struct gs_dd one = gs_dd_of(1.0), da = gs_dd_of(a), sum = gs_dd_two_sum(a, b);
    const struct gs_dd x2 = gs_dd_mul(x, x), y1 = plus(y, 1.0);
    const struct gs_dd first = plus(gs_dd_sub(gs_dd_mul(da, y), gs_dd_mul(gs_dd_of(b), x)), 1.0);
    struct gs_dd inverse = gs_dd_div(one, plus(da, 1.0)); /* 1 / (a + 2m - 1) */
    struct gs_dd f = gs_dd_mul(gs_dd_mul(da, first), inverse), c = not_zero(f), d = gs_dd_of(0.0);
    for (int m = 1; m < FRACTION_MAX; m++) {
        const struct gs_dd below = inverse, falling = gs_dd_mul(gs_dd_of(m), gs_dd_two_sum(b, -m));
        inverse = gs_dd_div(one, plus(da, 2.0 * m + 1.0));
        struct gs_dd num =
            gs_dd_mul(gs_dd_mul(gs_dd_two_sum(a, m - 1.0), plus(sum, m - 1.0)), falling);
        num = gs_dd_mul(gs_dd_mul(num, gs_dd_mul(below, below)), x2);
        struct gs_dd den =
            gs_dd_mul(gs_dd_two_sum(a, m), gs_dd_add(first, gs_dd_mul(gs_dd_of(m), y1)));
        den = gs_dd_add(gs_dd_mul(den, inverse), gs_dd_mul(gs_dd_mul(falling, x), below));
        den = plus(den, m);
        d = gs_dd_div(one, not_zero(gs_dd_add(den, gs_dd_mul(num, d))));
        c = not_zero(gs_dd_add(den, gs_dd_div(num, c)));
        const struct gs_dd factor = gs_dd_mul(c, d);
        f = gs_dd_mul(f, factor);
        if (fabs(plus(factor, -1.0).hi) < FRACTION_EPSILON)
            break;
    }
    return f;
}

/* I_x(a, b) is the result times 2^*exponent, for x up to about a / (a + b): what is left after the kernel. */
static struct gs_dd beta_tail(double a, double b, struct gs_dd x, struct gs_dd y, int *exponent)
{
    const struct gs_dd kernel =
        gs_dd_add(gs_dd_mul(gs_dd_of(a), gs_dd_log(x)), gs_dd_mul(gs_dd_of(b), gs_dd_log(y)));
    const struct gs_dd power = gs_dd_exp(gs_dd_add(kernel, log_one_over_beta(a, b)), exponent);
    return gs_dd_div(power, beta_fraction(a, b, x, y));
}

static double beta_inc(double a, double b, struct gs_dd x, struct gs_dd y)
{
    if (x.hi <= 0.0)
        return 0.0;
    if (y.hi <= 0.0)
        return 1.0;
    int exponent;
    /*
     * The continued fraction converges fast on this side only; on the other one the mirrored tail
     * is subtracted from 1.
     */
    if (x.hi <= (a + 1.0) / (a + b + 2.0)) {
        const struct gs_dd tail = beta_tail(a, b, x, y, &exponent);
        return ldexp(gs_dd_to_double(tail), exponent);
    }
    const struct gs_dd tail = beta_tail(b, a, y, x, &exponent);
    const struct gs_dd rest = {ldexp(tail.hi, exponent), ldexp(tail.lo, exponent)};
    return gs_dd_to_double(gs_dd_sub(gs_dd_of(1.0), rest));
}

double gs_beta_inc(double a, double b, double x, double y)
{
    if (!(a > 0.0 && b > 0.0 && isfinite(a) && isfinite(b) && x >= 0.0 && x <= 1.0 && y >= 0.0 &&
          y <= 1.0))
        return NAN;
    /* The smaller of the two is the more exact: the other follows from it. */
    const bool trust_x = x < y;
    return beta_inc(a, b, trust_x ? gs_dd_of(x) : gs_dd_two_sum(1.0, -y),
                    trust_x ? gs_dd_two_sum(1.0, -x) : gs_dd_of(y));
}

double gs_normal_tail(double z)
{
    if (isinf(z))
        return z > 0.0 ? 0.0 : 1.0;
    /* In the tail erfc magnifies the rounding of its argument by twice its square: give that back. */
    const double w = z * sqrt_half;
    const double rest = fma(z, sqrt_half, -w) + z * sqrt_half_rest;
    return 0.5 * (erfc(w) - 2.0 / sqrt(pi) * exp(-w * w) * rest);
}

double gs_normal_cdf(double z)
{
    return gs_normal_tail(-z);
}

double gs_normal_quantile(double p)
{
    if (!(p >= 0.0 && p <= 1.0))
        return NAN;
    if (p > 0.5)
        return -gs_normal_quantile(1.0 - p);
    if (!(p > 0.0))
        return -INFINITY;
    if (!(p < 0.5))
        return 0.0;
    /* A first guess to three digits (Abramowitz and Stegun 26.2.23), then Halley's iteration. */
    const double t = sqrt(-2.0 * log(p));
    double z = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    for (int i = 0; i < 3; i++) {
        /* exp(z^2 / 2) alone would overflow for the smallest p. */
        const double half = exp(z * z / 4.0);
        const double step = (gs_normal_cdf(z) - p) * half * sqrt(2.0 * pi) * half;
        z -= step / (1.0 + 0.5 * z * step);
    }
    return z;
}

double gs_student_p(double t, double df)
{
    if (isnan(t) || !(df > 0.0 && isfinite(df)))
        return NAN;
    t = fabs(t);
    if (isinf(t))
        return 0.0;
    const double a = 0.5 * df;
    /* t^2 could overflow; the leading term (df / t^2)^a / (a B(a, 1/2)) is all there is */
    if (t > 1e100) {
        const struct gs_dd log_x =
            gs_dd_sub(gs_dd_log(gs_dd_of(df)), gs_dd_mul(gs_dd_of(2.0), gs_dd_log(gs_dd_of(t))));
        int exponent;
        const struct gs_dd power = gs_dd_exp(
            gs_dd_add(gs_dd_mul(gs_dd_of(a), log_x), log_one_over_beta(a, 0.5)), &exponent);
        return ldexp(gs_dd_to_double(gs_dd_div(power, gs_dd_of(a))), exponent);
    }
    const struct gs_dd square = gs_dd_two_product(t, t), sum = plus(square, df);
    return beta_inc(a, 0.5, gs_dd_div(gs_dd_of(df), sum), gs_dd_div(square, sum));
}

double gs_student_quantile(double p, double df)
{
    if (!(p >= 0.0 && p <= 1.0) || !(df > 0.0 && isfinite(df)))
        return NAN;
    if (!(p > 0.0))
        return INFINITY;
    if (!(p < 1.0))
        return 0.0;
    double low = 0.0, high = 1.0, above = 1.0 - p, below = gs_student_p(high, df) - p;
    while (below > 0.0 && high < 1e100) {
        low = high;
        above = below;
        high *= 2.0;
        below = gs_student_p(high, df) - p;
    }
    /* The Illinois method: needs no derivative, and cannot leave the bracket however heavy the tail (df below 1). */
    double t = high;
    int side = 0;
    for (int i = 0; i < 200; i++) {
        const double last = t;
        t = low + (high - low) * above / (above - below);
        const double off = gs_student_p(t, df) - p;
        if (fabs(t - last) <= 1e-14 * t || !(off < 0.0 || off > 0.0))
            break;
        if (off > 0.0) {
            below *= side > 0 ? 0.5 : 1.0; /* the same end moved twice: pull at the other */
            side = 1;
            low = t;
            above = off;
        } else {
            above *= side < 0 ? 0.5 : 1.0;
            side = -1;
            high = t;
            below = off;
        }
    }
    return t;
}

double gs_student_p_of_r(double r, double one_minus_r2_hi, double one_minus_r2_lo, double df)
{
    if (isnan(r) || !(df > 0.0 && isfinite(df)))
        return NAN;
    /* r^2 from the exact rest, but where that would keep few of its digits. */
    const struct gs_dd rest = {one_minus_r2_hi, one_minus_r2_lo};
    const struct gs_dd square =
        fabs(r) < 1e-10 ? gs_dd_two_product(r, r) : gs_dd_sub(gs_dd_of(1.0), rest);
    return beta_inc(0.5 * df, 0.5, rest, square);
}
