/* corr.c - correlation from exact or double-double numerators, its interval and its test. */
#include "stats/descriptive/corr.h"

#include <math.h>

#include "stats/descriptive/centred.h"
#include "base/num/ddmath.h"
#include "base/num/ddsum.h"
#include "stats/descriptive/rank.h"
#include "stats/descriptive/special.h"
#include "base/num/wide.h"

/* r, and 1 - r^2 on its own so that it keeps its digits where r is near 1. */
struct coefficient {
    struct gs_dd r, rest;
};

static enum gs_status refuse(uint64_t n, bool x_constant, bool y_constant, struct gs_err *err)
{
    if (n < 2)
        return gs_fail(err, GS_ERR_RANGE, "correlation undefined: fewer than 2 pairs");
    if (x_constant || y_constant)
        return gs_fail(err, GS_ERR_RANGE, "correlation undefined: %s is constant",
                       x_constant ? "x" : "y");
    return GS_OK;
}

/* Rounding can leave |r| a little above 1, from which the interval would be NaN. */
static struct gs_dd clamped(struct gs_dd r)
{
    return fabs(gs_dd_to_double(r)) < 1.0 ? r : gs_dd_of(copysign(1.0, r.hi));
}

static enum gs_status exact_coefficient(const struct gs_corr *c, struct coefficient *out,
                                        struct gs_err *err)
{
    const struct gs_wide xx = gs_wide_covariance(c->n, &c->sxx, c->sx, c->sx);
    const struct gs_wide yy = gs_wide_covariance(c->n, &c->syy, c->sy, c->sy);
    const struct gs_wide xy = gs_wide_covariance(c->n, &c->sxy, c->sx, c->sy);
    GS_TRY(refuse(c->n, gs_wide_is_zero(&xx), gs_wide_is_zero(&yy), err));
    const struct gs_wide product = gs_wide_mul(&xx, &yy), square = gs_wide_mul(&xy, &xy);
    /*
     * 1 - r^2 comes from the exact determinant. Computed from r it would have no correct digit for
     * r near 1, and p-values live there.
     */
    const struct gs_wide gap = gs_wide_sub(&product, &square);
    const struct gs_dd den = gs_wide_to_dd(&product);
    out->r = clamped(gs_dd_div(gs_wide_to_dd(&xy), gs_dd_sqrt(den)));
    out->rest = gs_dd_div(gs_wide_to_dd(&gap), den);
    return GS_OK;
}

static enum gs_status real_coefficient(const struct gs_centred *p, struct coefficient *out,
                                       struct gs_err *err)
{
    GS_TRY(refuse(p->n, p->x_constant, p->y_constant, err));
    const struct gs_dd den = gs_dd_mul(p->xx, p->yy);
    /*
     * The columns vary, but their squares underflow or overflow: an error with a reason, never a
     * NaN that looks like a result.
     */
    if (!(den.hi > 0.0) || !isfinite(den.hi) || !isfinite(p->xy.hi))
        return gs_fail(err, GS_ERR_RANGE,
                       "correlation undefined: squares beyond what a double holds");
    out->r = clamped(gs_dd_div(p->xy, gs_dd_sqrt(den)));
    out->rest = gs_dd_div(gs_dd_sub(den, gs_dd_mul(p->xy, p->xy)), den);
    if (out->rest.hi < 0x1p-96) /* beyond what double-double can tell from 0 */
        out->rest = gs_dd_of(0.0);
    return GS_OK;
}

/* log((1 + r) / (1 - r)) / 2 of r >= 0, which keeps its digits where 1 - r has lost them. */
static struct gs_dd inverse_tanh(struct gs_dd r, struct gs_dd rest)
{
    const struct gs_dd half = gs_dd_mul(gs_dd_of(0.5), gs_dd_log(rest));
    return gs_dd_sub(gs_dd_log(gs_dd_add(gs_dd_of(1.0), r)), half);
}

/*
 * The z with P(|Z| <= z) = level of a normal Z. A level that is the double of a short decimal means that
 * decimal: at 0.95 the difference would show in the last digit of an interval.
 */
static struct gs_dd two_sided_quantile(double level)
{
    static const struct gs_dd root_half_pi = {0x1.40d931ff62706p+0, -0x1.a6a0d6f814637p-54};
    const double digits = 1e9, nominal = nearbyint(level * digits);
    const bool is_short = !(fabs(nominal / digits - level) > 0.0);
    const struct gs_dd wanted =
        is_short ? gs_dd_div(gs_dd_of(nominal), gs_dd_of(digits)) : gs_dd_of(level);

    /* A step of Newton's method doubles the digits. P(|Z| <= z) / (2 phi(z)) = z + z^3/3 + z^5/(3 5) + ... */
    const double guess = -gs_normal_quantile(0.5 * (1.0 - level));
    const struct gs_dd square = gs_dd_two_product(guess, guess);
    struct gs_dd term = gs_dd_of(guess), sum = term;
    for (double odd = 3.0; term.hi > 1e-34 * sum.hi; odd += 2.0) {
        term = gs_dd_div(gs_dd_mul(term, square), gs_dd_of(odd));
        sum = gs_dd_add(sum, term);
    }
    int exponent;
    const struct gs_dd rise = gs_dd_exp(gs_dd_mul(gs_dd_of(0.5), square), &exponent);
    const struct gs_dd scale =
        gs_dd_mul(gs_dd_mul(wanted, root_half_pi), gs_dd_of(ldexp(1.0, exponent)));
    return gs_dd_add(gs_dd_of(guess), gs_dd_sub(gs_dd_mul(scale, rise), sum));
}

/*
 * The interval is computed for |r| and mirrored, so that r and -r have exactly mirrored intervals.
 */
static void set_interval(struct gs_corr_test *t, const struct coefficient *c, double level)
{
    if (!(c->rest.hi > 0.0)) {
        t->ci_low = t->ci_high = t->r;
        return;
    }
    const bool negative = c->r.hi < 0.0;
    const struct gs_dd z = inverse_tanh(negative ? gs_dd_neg(c->r) : c->r, c->rest);
    const struct gs_dd half =
        gs_dd_div(two_sided_quantile(level), gs_dd_sqrt(gs_dd_of_int((gs_i128)t->n - 3)));
    const double near = gs_dd_to_double(gs_dd_tanh(gs_dd_sub(z, half)));
    const double far = gs_dd_to_double(gs_dd_tanh(gs_dd_add(z, half)));
    t->ci_low = negative ? -far : near;
    t->ci_high = negative ? -near : far;
}

static struct gs_corr_test test_of(uint64_t n, const struct coefficient *c, double level)
{
    struct gs_corr_test t = {
        .n = n, .r = gs_dd_to_double(c->r), .ci_low = NAN, .ci_high = NAN, .p_value = NAN};
    if (n >= 4)
        set_interval(&t, c, level);
    if (n >= 3)
        t.p_value = gs_student_p_of_r(t.r, c->rest.hi, c->rest.lo, (double)(n - 2));
    return t;
}

enum gs_status gs_corr_test(const struct gs_corr *c, double level, struct gs_corr_test *test,
                            struct gs_err *err)
{
    struct coefficient k;
    GS_TRY(exact_coefficient(c, &k, err));
    *test = test_of(c->n, &k, level);
    return GS_OK;
}

/*
 * Two passes: sums of products of values far from 0 cancel, deviations from the mean do not. A
 * pair counts only where both values are there. Constancy is decided on the values themselves,
 * because a rounded mean leaves deviations that are not 0.
 */
struct gs_centred gs_centred_of(const double *x, const double *y, size_t n)
{
    struct gs_centred p = {.x_constant = true, .y_constant = true};
    struct gs_dd sx = gs_dd_of(0.0), sy = sx;
    double x0 = 0.0, y0 = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        if (p.n++ == 0) {
            x0 = x[i];
            y0 = y[i];
        }
        p.x_constant = p.x_constant && !(x[i] < x0 || x[i] > x0);
        p.y_constant = p.y_constant && !(y[i] < y0 || y[i] > y0);
        sx = gs_dd_add(sx, gs_dd_of(x[i]));
        sy = gs_dd_add(sy, gs_dd_of(y[i]));
    }
    if (p.n == 0)
        return p;
    p.mean_x = gs_dd_div(sx, gs_dd_of_size(p.n));
    p.mean_y = gs_dd_div(sy, gs_dd_of_size(p.n));
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        const struct gs_dd dx = gs_dd_sub(gs_dd_of(x[i]), p.mean_x),
                           dy = gs_dd_sub(gs_dd_of(y[i]), p.mean_y);
        p.xx = gs_dd_add_product(p.xx, dx, dx);
        p.yy = gs_dd_add_product(p.yy, dy, dy);
        p.xy = gs_dd_add_product(p.xy, dx, dy);
    }
    return p;
}

enum gs_status gs_real_corr_test(const double *x, const double *y, size_t n, double level,
                                 struct gs_corr_test *test, struct gs_err *err)
{
    const struct gs_centred p = gs_centred_of(x, y, n);
    struct coefficient k;
    GS_TRY(real_coefficient(&p, &k, err));
    *test = test_of(p.n, &k, level);
    return GS_OK;
}

/* Pearson's test of the ranks of n pairs without missing values. */
static enum gs_status rank_test(const int64_t *x, const int64_t *y, size_t n, double level,
                                struct gs_arena *scratch, struct gs_corr_test *test,
                                struct gs_err *err)
{
    GS_NEW_RAW(int64_t, rank_x, n, scratch, err);
    GS_NEW_RAW(int64_t, rank_y, n, scratch, err);
    GS_TRY(gs_mid_ranks(x, n, rank_x, NULL, scratch, err));
    GS_TRY(gs_mid_ranks(y, n, rank_y, NULL, scratch, err));
    struct gs_corr c = {0};
    for (size_t i = 0; i < n; i++)
        gs_corr_add(&c, rank_x[i], rank_y[i]);
    return gs_corr_test(&c, level, test, err);
}

enum gs_status gs_real_spearman(const double *x, const double *y, size_t n, double level,
                                struct gs_arena *scratch, struct gs_corr_test *test,
                                struct gs_err *err)
{
    GS_REWINDS(scratch);
    GS_NEW_RAW(int64_t, kept_x, n, scratch, err);
    GS_NEW_RAW(int64_t, kept_y, n, scratch, err);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        /* Ranks need only an order. Integer keys have a total one and are sorted by radix. */
        kept_x[kept] = gs_real_key(x[i]);
        kept_y[kept++] = gs_real_key(y[i]);
    }
    return rank_test(kept_x, kept_y, kept, level, scratch, test, err);
}
