/* regress.c - the least-squares line from double-double sums. */
#include "stats/descriptive/regress.h"

#include <math.h>

#include "base/num/ddsum.h"
#include "stats/descriptive/centred.h"

/* A line before rounding. `sse` is the sum of squared residuals; xx that of x about its mean. */
struct fit {
    uint64_t n;
    struct gs_dd slope, intercept, r_squared, sse, xx;
    struct gs_dd lever; /* sum of x^2 / (n * xx): the intercept's share of the residual variance */
    bool y_constant;
};

static enum gs_status refuse(uint64_t n, bool x_constant, struct gs_err *err)
{
    if (n < 2)
        return gs_fail(err, GS_ERR_RANGE, "line undefined: fewer than 2 points");
    if (x_constant)
        return gs_fail(err, GS_ERR_RANGE, "line undefined: x is constant");
    return GS_OK;
}

/*
 * Standard errors need n - 2 degrees of freedom and stay NaN for two points; r^2 of a constant y
 * is 0 / 0.
 */
static struct gs_line rounded(const struct fit *f)
{
    struct gs_line line = {.n = f->n,
                           .slope = gs_dd_to_double(f->slope),
                           .intercept = gs_dd_to_double(f->intercept),
                           .r_squared = f->y_constant ? NAN : gs_dd_to_double(f->r_squared),
                           .residual_sd = NAN,
                           .slope_se = NAN,
                           .intercept_se = NAN};
    if (f->n >= 3) {
        const struct gs_dd variance = gs_dd_div(f->sse, gs_dd_of_int((gs_i128)f->n - 2));
        line.residual_sd = gs_dd_to_double(gs_dd_sqrt(variance));
        line.slope_se = gs_dd_to_double(gs_dd_sqrt(gs_dd_div(variance, f->xx)));
        line.intercept_se = gs_dd_to_double(gs_dd_sqrt(gs_dd_mul(variance, f->lever)));
    }
    return line;
}

enum gs_status gs_real_line(const double *x, const double *y, size_t n, struct gs_line *line,
                            struct gs_err *err)
{
    const struct gs_centred p = gs_centred_of(x, y, n);
    GS_TRY(refuse(p.n, p.x_constant, err));
    struct fit f = {.n = p.n, .xx = p.xx, .y_constant = p.y_constant};
    f.slope = gs_dd_div(p.xy, p.xx);
    f.intercept = gs_dd_sub(p.mean_y, gs_dd_mul(f.slope, p.mean_x));
    /* From the residuals themselves: yy - slope * xy would cancel where the fit is close. */
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        const struct gs_dd e =
            gs_dd_sub(gs_dd_sub(gs_dd_of(y[i]), f.intercept), gs_dd_mul(f.slope, gs_dd_of(x[i])));
        f.sse = gs_dd_add_product(f.sse, e, e);
    }
    if (!f.y_constant)
        f.r_squared = gs_dd_sub(gs_dd_of(1.0), gs_dd_div(f.sse, p.yy));
    const struct gs_dd one_nth = gs_dd_div(gs_dd_of(1.0), gs_dd_of_size(p.n));
    f.lever = gs_dd_add(one_nth, gs_dd_div(gs_dd_mul(p.mean_x, p.mean_x), p.xx));
    *line = rounded(&f);
    return GS_OK;
}
