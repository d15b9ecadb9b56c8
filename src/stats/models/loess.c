/* loess.c - local polynomials, each solved in double-double so that its normal equations do no harm. */
#include "stats/models/loess.h"

#include <assert.h>
#include <math.h>

#include "base/num/ddsum.h"
#include "stats/descriptive/xyorder.h"
#include "base/num/order.h"

enum { DEGREE_MAX = 2 };

/* The points by ascending x and what part of them forms a neighbourhood. */
struct curve {
    const double *x, *y;
    size_t n, n_near;
    double widen; /* of the bandwidth, for spans above 1 */
    int degree;
};

/* The first of the n_near points nearest to t. */
static size_t nearest_from(const struct curve *c, double t)
{
    size_t low = 0;
    GS_BISECT(low, c->n - c->n_near, at, c->x[at + c->n_near] - t < t - c->x[at]);
    return low;
}

/* The mean of all points at this distance, also those beyond the neighbourhood: which of equals are in is
 * chance. */
static double mean_of_distance(const struct curve *c, double t, double distance)
{
    struct gs_dd sum = gs_dd_of(0.0);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const double d = fabs(c->x[i] - t);
        if (d < distance || d > distance)
            continue;
        sum = gs_dd_add(sum, gs_dd_of(c->y[i]));
        n++;
    }
    return gs_dd_to_double(gs_dd_div(sum, gs_dd_of_size(n)));
}

/* The constant term of the polynomial whose normal equations are moment[i + j] * c[j] = product[i]. */
static double constant_term(const struct gs_dd *moment, struct gs_dd *product, int degree)
{
    struct gs_dd a[DEGREE_MAX + 1][DEGREE_MAX + 1];
    for (int i = 0; i <= degree; i++) {
        for (int j = 0; j <= degree; j++)
            a[i][j] = moment[i + j];
    }
    /* From the highest power down, so that what is left is the constant. Positive definite: no pivoting. */
    for (int k = degree; k > 0; k--) {
        for (int i = 0; i < k; i++) {
            const struct gs_dd f = gs_dd_div(a[i][k], a[k][k]);
            for (int j = 0; j < k; j++)
                a[i][j] = gs_dd_sub(a[i][j], gs_dd_mul(f, a[k][j]));
            product[i] = gs_dd_sub(product[i], gs_dd_mul(f, product[k]));
        }
    }
    return gs_dd_to_double(gs_dd_div(product[0], a[0][0]));
}

static double height_at(const struct curve *c, double t)
{
    const size_t from = nearest_from(c, t), last = from + c->n_near - 1;
    const double reach = fmax(fabs(c->x[from] - t), fabs(c->x[last] - t));
    /*
     * No bandwidth means that all near points share one x: there is no line through them, only a
     * mean.
     */
    const double bandwidth = reach * c->widen;
    if (!(bandwidth > 0.0))
        return mean_of_distance(c, t, 0.0);

    struct gs_dd moment[2 * DEGREE_MAX + 1] = {{0.0, 0.0}}, product[DEGREE_MAX + 1] = {{0.0, 0.0}};
    int n_distinct = 0;
    double previous = NAN;
    for (size_t i = from; i <= last; i++) {
        const double u = (c->x[i] - t) / bandwidth, v = fabs(u);
        if (!(v < 1.0))
            continue;
        const double keep = 1.0 - v * v * v, weight = keep * keep * keep;
        if (!(c->x[i] <= previous))
            n_distinct++;
        previous = c->x[i];
        struct gs_dd power = gs_dd_of(weight);
        for (int k = 0; k <= 2 * c->degree; k++) {
            moment[k] = gs_dd_add(moment[k], power);
            if (k <= c->degree)
                product[k] = gs_dd_add_product(product[k], power, gs_dd_of(c->y[i]));
            power = gs_dd_mul(power, gs_dd_of(u));
        }
    }
    if (n_distinct == 0) /* all at the very edge: equally near, equally good */
        return mean_of_distance(c, t, reach);
    /*
     * A polynomial of degree d needs d + 1 distinct x. With fewer the normal equations are
     * singular, so the degree is lowered.
     */
    return constant_term(moment, product, n_distinct <= c->degree ? n_distinct - 1 : c->degree);
}

enum gs_status gs_loess(const struct gs_xy_order *points, const struct gs_loess_options *options,
                        const double *at, size_t n_at, double *fit, struct gs_err *err)
{
    assert(options->span > 0.0 && options->degree >= 0 && options->degree <= DEGREE_MAX);
    const double n_near = floor((double)points->n * options->span + 1e-5);
    if (n_near < 1.0)
        return gs_fail(err, GS_ERR_RANGE, "loess undefined: a span of %g of %zu points holds none",
                       options->span, points->n);
    const struct curve c = {.x = points->x,
                            .y = points->y,
                            .n = points->n,
                            .n_near = n_near < (double)points->n ? (size_t)n_near : points->n,
                            .widen = fmax(1.0, sqrt(options->span)),
                            .degree = options->degree};
    for (size_t i = 0; i < n_at; i++)
        fit[i] = height_at(&c, at[i]);
    return GS_OK;
}
