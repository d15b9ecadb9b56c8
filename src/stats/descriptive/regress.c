/* regress.c - the least-squares line from double-double sums. */
#include "stats/descriptive/regress.h"

#include <math.h>

#include "base/num/ddsum.h"
#include "stats/descriptive/centred.h"

static enum gs_status refuse(uint64_t n, bool x_constant, struct gs_err *err)
{
    if (n < 2)
        return gs_fail(err, GS_ERR_RANGE, "line undefined: fewer than 2 points");
    if (x_constant)
        return gs_fail(err, GS_ERR_RANGE, "line undefined: x is constant");
    return GS_OK;
}

enum gs_status gs_real_line(const double *x, const double *y, size_t n, struct gs_line *line,
                            struct gs_err *err)
{
    const struct gs_centred p = gs_centred_of(x, y, n);
    GS_TRY(refuse(p.n, p.x_constant, err));
    const struct gs_dd slope = gs_dd_div(p.xy, p.xx);
    const struct gs_dd intercept = gs_dd_sub(p.mean_y, gs_dd_mul(slope, p.mean_x));
    struct gs_dd sse = gs_dd_of(0.0); /* of the residuals' squares */
    /* From the residuals themselves: yy - slope * xy would cancel where the fit is close. */
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            continue;
        const struct gs_dd e =
            gs_dd_sub(gs_dd_sub(gs_dd_of(y[i]), intercept), gs_dd_mul(slope, gs_dd_of(x[i])));
        sse = gs_dd_add_product(sse, e, e);
    }
    *line = (struct gs_line){.n = p.n,
                             .slope = gs_dd_to_double(slope),
                             .intercept = gs_dd_to_double(intercept),
                             .r_squared = NAN}; /* of a constant y 0 / 0 */
    if (!p.y_constant)
        line->r_squared = gs_dd_to_double(gs_dd_sub(gs_dd_of(1.0), gs_dd_div(sse, p.yy)));
    return GS_OK;
}
