/* special.c - distribution functions; exponents are never formed as differences of large logarithms. */
#include "gpustat/special.h"

#include <math.h>
#include <stdbool.h>

#include "gpustat/dd.h"

static const double pi = 3.14159265358979323846;
static const double sqrt_half = 0.70710678118654752440;
static const double sqrt_half_rest = -4.8336466567264567e-17; /* what the double above lacks */

enum {
    SADDLE_FROM = 10, /* both parameters at least this: Stirling's form, which cannot under- or overflow */
    TGAMMA_TO = 100,  /* up to here products of gamma functions stay within a double                     */
    FRACTION_MAX = 100000 /* rounds of the continued fraction; sqrt(1e6) needs a few thousand */
};

double gs_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* log gamma(z) - ((z - 1/2) log z - z + log(2 pi)/2), for z >= SADDLE_FROM. */
static double stirling_rest(double z)
{
    static const double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                               1.0 / 1188, -691.0 / 360360, 1.0 / 156};
    const double w = 1.0 / (z * z);
    double sum = 0.0;
    for (int i = (int)(sizeof c / sizeof *c) - 1; i >= 0; i--)
        sum = sum * w + c[i];
    return sum / z;
}

/* 1 / B(a, b) for a smaller parameter below SADDLE_FROM. */
static double one_over_beta(double a, double b)
{
    const double small = fmin(a, b), large = fmax(a, b);
    if (large <= TGAMMA_TO)
        return tgamma(small + large) / tgamma(large) / tgamma(small);
    const double exponent =
        (large - 0.5) * log1p(small / large) - small + stirling_rest(large + small) - stirling_rest(large);
    return pow(large + small, small) * exp(exponent) / tgamma(small);
}

/* u - log(ratio) for ratio = 1 + u, without cancellation near u = 0 and with all digits of a small ratio. */
static double log_gap(double u, double ratio)
{
    if (fabs(u) > 0.1)
        return u - log(ratio);
    const double s = u / (2.0 + u), s2 = s * s;
    double sum = 0.0, power = s * s2;
    for (int k = 3; k < 25; k += 2, power *= s2)
        sum += power / k;
    return u * s - 2.0 * sum;
}

/* x^a y^b / B(a, b), for x + y = 1 in double-double: the second halves count where a or b is large. */
static double beta_kernel(double a, double b, struct gs_dd x, struct gs_dd y)
{
    if (fmin(a, b) >= SADDLE_FROM) {
        const double n = a + b;
        const double u = (fma(x.hi, n, -a) + x.lo * n) / a, v = (fma(y.hi, n, -b) + y.lo * n) / b;
        const double exponent = stirling_rest(n) - stirling_rest(a) - stirling_rest(b) -
                                a * log_gap(u, x.hi * n / a) - b * log_gap(v, y.hi * n / b);
        return sqrt(a / n * b / (2.0 * pi)) * exp(exponent);
    }
    const double rest = exp(a * (x.lo / x.hi) + b * (y.lo / y.hi));
    return pow(x.hi, a) * pow(y.hi, b) * rest * one_over_beta(a, b);
}

/*
 * x^a y^b / (B(a, b) I_x(a, b)): the even part of the continued fraction DLMF 8.17.22, by W. J. Lentz's
 * method. Its terms hold a - (a + b) x only as a y - b x, which keeps its digits where a is large and x close
 * to 1.
 */
static double beta_fraction(double a, double b, double x, double y)
{
    static const double tiny = 1e-300;
    const double first = a * y - b * x + 1.0;
    double f = fmax(tiny, a * first / (a + 1.0)), c = f, d = 0.0;
    for (int m = 1; m < FRACTION_MAX; m++) {
        const double p = a + 2 * m - 1;
        const double num = (a + m - 1) / p * ((a + b + m - 1) / p) * m * (b - m) * x * x;
        const double den = m + m * (b - m) * x / p + (a + m) * (first + m * (1.0 + y)) / (p + 2.0);
        d = den + num * d;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = den + num / c;
        c = fabs(c) < tiny ? tiny : c;
        f *= c * d;
        if (fabs(c * d - 1.0) < 1e-16)
            break;
    }
    return f;
}

static double beta_inc(double a, double b, struct gs_dd x, struct gs_dd y)
{
    if (x.hi <= 0.0)
        return 0.0;
    if (y.hi <= 0.0)
        return 1.0;
    const double kernel = beta_kernel(a, b, x, y);
    if (x.hi <= (a + 1.0) / (a + b + 2.0))
        return kernel / beta_fraction(a, b, x.hi, y.hi);
    return 1.0 - kernel / beta_fraction(b, a, y.hi, x.hi);
}

double gs_beta_inc(double a, double b, double x, double y)
{
    if (!(a > 0.0 && b > 0.0 && x >= 0.0 && x <= 1.0 && y >= 0.0 && y <= 1.0))
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
    double z =
        (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
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
    if (isnan(t) || !(df > 0.0))
        return NAN;
    t = fabs(t);
    if (t > 1e150) /* t^2 would overflow; the leading term is all there is */
        return isinf(t) ? 0.0 : pow(sqrt(df) / t, df) * one_over_beta(0.5 * df, 0.5) / (0.5 * df);
    const struct gs_dd square = gs_dd_two_product(t, t);
    const struct gs_dd sum = gs_dd_add(square, gs_dd_of(df));
    return beta_inc(0.5 * df, 0.5, gs_dd_div(gs_dd_of(df), sum), gs_dd_div(square, sum));
}

double gs_student_p_of_r(double r, double one_minus_r2_hi, double one_minus_r2_lo, double df)
{
    if (isnan(r) || !(df > 0.0))
        return NAN;
    return beta_inc(0.5 * df, 0.5, (struct gs_dd){one_minus_r2_hi, one_minus_r2_lo}, gs_dd_of(r * r));
}
