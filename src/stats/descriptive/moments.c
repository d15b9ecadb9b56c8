/* moments.c - exact numerators first, one division and one rounding last. */
#include "stats/descriptive/moments.h"

#include <assert.h>
#include <math.h>

#include "base/num/dd.h"
#include "base/num/ddsum.h"
#include "base/num/wide.h"

void gs_moments_merge(struct gs_moments *m, const struct gs_moments *other)
{
    m->n_missing += other->n_missing;
    if (other->n == 0)
        return;
    if (m->n == 0 || other->min < m->min)
        m->min = other->min;
    if (m->n == 0 || other->max > m->max)
        m->max = other->max;
    m->n += other->n;
    m->sum += other->sum;
    gs_i192_merge(&m->squares, &other->squares);
}

enum gs_status gs_moments_mean(const struct gs_moments *m, int64_t scale, double *mean,
                               struct gs_err *err)
{
    assert(scale > 0);
    if (m->n == 0)
        return gs_fail(err, GS_ERR_RANGE, "mean undefined: no values");
    *mean = gs_ratio(m->sum, (gs_i128)m->n * scale);
    return GS_OK;
}

/*
 * The sample variance as (n * squares - sum^2) / (n * (n - 1) * scale^2). The numerator is an
 * exact integer of more than 128 bits. The textbook formula in doubles would lose every digit for
 * readings that are large beside their spread.
 */
static enum gs_status variance(const struct gs_moments *m, int64_t scale, struct gs_dd *svar,
                               const char *name, struct gs_err *err)
{
    assert(scale > 0);
    if (m->n < 2)
        return gs_fail(err, GS_ERR_RANGE, "%s undefined: fewer than 2 values", name);
    const struct gs_wide num = gs_wide_covariance(m->n, &m->squares, m->sum, m->sum);
    const struct gs_wide degrees =
        gs_wide_mul(&(struct gs_wide){.limb = {m->n}}, &(struct gs_wide){.limb = {m->n - 1}});
    const struct gs_wide square = gs_wide_of((gs_i128)scale * scale);
    const struct gs_wide den = gs_wide_mul(&degrees, &square);
    *svar = gs_dd_div(gs_wide_to_dd(&num), gs_wide_to_dd(&den));
    return GS_OK;
}

enum gs_status gs_moments_ssd(const struct gs_moments *m, int64_t scale, double *ssd,
                              struct gs_err *err)
{
    struct gs_dd v;
    GS_TRY(variance(m, scale, &v, "standard deviation", err));
    *ssd = gs_dd_to_double(gs_dd_sqrt(v));
    return GS_OK;
}

static enum gs_status extreme(const struct gs_moments *m, int64_t value, int64_t scale, double *out,
                              const char *name, struct gs_err *err)
{
    assert(scale > 0);
    if (m->n == 0)
        return gs_fail(err, GS_ERR_RANGE, "%s undefined: no values", name);
    *out = gs_ratio(value, scale);
    return GS_OK;
}

enum gs_status gs_moments_min(const struct gs_moments *m, int64_t scale, double *min,
                              struct gs_err *err)
{
    return extreme(m, m->min, scale, min, "minimum", err);
}

enum gs_status gs_moments_max(const struct gs_moments *m, int64_t scale, double *max,
                              struct gs_err *err)
{
    return extreme(m, m->max, scale, max, "maximum", err);
}

/*
 * Double-double sums make the result the same for nearly any order of x. The caller may rely on
 * missing values being NaN and counted, and on ssd being NaN for fewer than 2 values.
 */
struct gs_real_moments gs_real_describe(const double *x, size_t n)
{
    struct gs_real_moments m = {.mean = NAN, .svar = NAN, .ssd = NAN, .min = NAN, .max = NAN};
    struct gs_dd sum = gs_dd_of(0.0);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i])) {
            m.n_missing++;
            continue;
        }
        if (m.n == 0 || x[i] < m.min)
            m.min = x[i];
        if (m.n == 0 || x[i] > m.max)
            m.max = x[i];
        m.n++;
        sum = gs_dd_add(sum, gs_dd_of(x[i]));
    }
    m.sum = gs_dd_to_double(sum);
    if (m.n == 0)
        return m;

    const struct gs_dd mean = gs_dd_div(sum, gs_dd_of_size(m.n));
    m.mean = gs_dd_to_double(mean);
    if (m.n < 2)
        return m;

    struct gs_dd squares = gs_dd_of(0.0);
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        const struct gs_dd d = gs_dd_sub(gs_dd_of(x[i]), mean);
        squares = gs_dd_add_product(squares, d, d);
    }
    const struct gs_dd svar = gs_dd_div(squares, gs_dd_of_size(m.n - 1));
    m.svar = gs_dd_to_double(svar);
    m.ssd = gs_dd_to_double(gs_dd_sqrt(svar));
    return m;
}
