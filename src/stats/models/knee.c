/* knee.c - two-segment least squares over all places of the break, from running sums. */
#include "stats/models/knee.h"

#include <math.h>

#include "base/num/ddsum.h"
#include "stats/descriptive/xyorder.h"

/* Sums over the first i points, of deviations from the means of all. */
struct sums {
    struct gs_dd n, x, y, xx, xy, yy;
};

struct model {
    struct gs_dd left_slope, left_height, right_slope, right_height; /* heights at the mean of x */
    double sse;
    double x; /* the break */
};

struct search {
    size_t n;
    const double *x;
    const struct sums *upto; /* [n + 1] */
    struct gs_dd mean_x, mean_y;
    double noise; /* an sse below this is 0 as far as double-double can tell */
    bool found;
    size_t n_left;
    struct model best;
};

static struct sums minus(const struct sums *a, const struct sums *b)
{
    return (struct sums){gs_dd_sub(a->n, b->n),   gs_dd_sub(a->x, b->x),   gs_dd_sub(a->y, b->y),
                         gs_dd_sub(a->xx, b->xx), gs_dd_sub(a->xy, b->xy), gs_dd_sub(a->yy, b->yy)};
}

/* Least squares through the points summed up; the line's height is given at the mean of all x. */
static double line_of(const struct sums *s, struct gs_dd *slope, struct gs_dd *height)
{
    const struct gs_dd sxx = gs_dd_sub(s->xx, gs_dd_div(gs_dd_mul(s->x, s->x), s->n));
    const struct gs_dd sxy = gs_dd_sub(s->xy, gs_dd_div(gs_dd_mul(s->x, s->y), s->n));
    const struct gs_dd syy = gs_dd_sub(s->yy, gs_dd_div(gs_dd_mul(s->y, s->y), s->n));
    *slope = gs_dd_div(sxy, sxx);
    *height = gs_dd_div(gs_dd_sub(s->y, gs_dd_mul(*slope, s->x)), s->n);
    return gs_dd_to_double(gs_dd_sub(syy, gs_dd_mul(*slope, sxy)));
}

/*
 * Strictly smaller only: of equally good breaks the first in x stays. What is below the noise of
 * double-double counts as 0, or rounding would choose between perfect fits.
 */
static void offer(struct search *f, struct model *m, size_t n_left)
{
    if (m->sse < f->noise)
        m->sse = 0.0;
    if (f->found && !(m->sse < f->best.sse))
        return;
    f->found = true;
    f->best = *m;
    f->n_left = n_left;
}

/* Two free lines, the first through n_left points. */
static struct model two_lines(const struct search *f, size_t n_left)
{
    struct model m;
    const struct sums right = minus(&f->upto[f->n], &f->upto[n_left]);
    const double left_sse = line_of(&f->upto[n_left], &m.left_slope, &m.left_height);
    const double right_sse = line_of(&right, &m.right_slope, &m.right_height);
    m.sse = fmax(0.0, left_sse) + fmax(0.0, right_sse);
    m.x = 0.5 * f->x[n_left - 1] + 0.5 * f->x[n_left];
    return m;
}

/* Where the two free lines meet, if between the two points that they part. */
static void offer_meeting(struct search *f, size_t n_left)
{
    struct model m = two_lines(f, n_left);
    const struct gs_dd turn = gs_dd_sub(m.left_slope, m.right_slope);
    if (!(fabs(turn.hi) > 0.0))
        return;
    const struct gs_dd t = gs_dd_div(gs_dd_sub(m.right_height, m.left_height), turn);
    m.x = gs_dd_to_double(gs_dd_add(t, f->mean_x));
    if (m.x >= f->x[n_left - 1] && m.x < f->x[n_left])
        offer(f, &m, n_left);
}

/* Solves the symmetric positive definite 3 x 3 system a * c = b, c in b. */
static void solve3(struct gs_dd a[3][3], struct gs_dd b[3])
{
    for (int k = 0; k < 3; k++) {
        for (int i = k + 1; i < 3; i++) {
            const struct gs_dd f = gs_dd_div(a[i][k], a[k][k]);
            for (int j = k; j < 3; j++)
                a[i][j] = gs_dd_sub(a[i][j], gs_dd_mul(f, a[k][j]));
            b[i] = gs_dd_sub(b[i], gs_dd_mul(f, b[k]));
        }
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++)
            b[k] = gs_dd_sub(b[k], gs_dd_mul(a[k][j], b[j]));
        b[k] = gs_dd_div(b[k], a[k][k]);
    }
}

/* Lines that meet at the x of point n_left - 1: height + slope * x + turn * max(0, x - that). */
static void offer_hinge(struct search *f, size_t n_left)
{
    const struct sums *const all = &f->upto[f->n];
    const struct sums r = minus(all, &f->upto[n_left]);
    const struct gs_dd t = gs_dd_sub(gs_dd_of(f->x[n_left - 1]), f->mean_x);
    const struct gs_dd h = gs_dd_sub(r.x, gs_dd_mul(t, r.n)),
                       xh = gs_dd_sub(r.xx, gs_dd_mul(t, r.x));
    const struct gs_dd hh = gs_dd_sub(xh, gs_dd_mul(t, h)), hy = gs_dd_sub(r.xy, gs_dd_mul(t, r.y));
    struct gs_dd a[3][3] = {{all->n, all->x, h}, {all->x, all->xx, xh}, {h, xh, hh}};
    struct gs_dd c[3] = {all->y, all->xy, hy};
    solve3(a, c);
    struct gs_dd sse = gs_dd_sub(all->yy, gs_dd_mul(c[0], all->y));
    sse = gs_dd_sub(sse, gs_dd_mul(c[1], all->xy));
    sse = gs_dd_sub(sse, gs_dd_mul(c[2], hy));
    struct model m = {.left_slope = c[1],
                      .left_height = c[0],
                      .right_slope = gs_dd_add(c[1], c[2]),
                      .right_height = gs_dd_sub(c[0], gs_dd_mul(c[2], t)),
                      .sse = fmax(0.0, gs_dd_to_double(sse)),
                      .x = f->x[n_left - 1]};
    offer(f, &m, n_left);
}

static struct gs_line line_from(const struct search *f, struct gs_dd slope, struct gs_dd height,
                                uint64_t n)
{
    const struct gs_dd at_0 = gs_dd_sub(gs_dd_add(height, f->mean_y), gs_dd_mul(slope, f->mean_x));
    return (struct gs_line){.n = n,
                            .slope = gs_dd_to_double(slope),
                            .intercept = gs_dd_to_double(at_0),
                            .r_squared = NAN};
}

static void sum_up(struct search *f, const struct gs_xy_order *p, struct sums *upto)
{
    struct gs_dd sx = gs_dd_of(0.0), sy = sx;
    for (size_t i = 0; i < p->n; i++) {
        sx = gs_dd_add(sx, gs_dd_of(p->x[i]));
        sy = gs_dd_add(sy, gs_dd_of(p->y[i]));
    }
    f->mean_x = gs_dd_div(sx, gs_dd_of_size(p->n));
    f->mean_y = gs_dd_div(sy, gs_dd_of_size(p->n));
    for (size_t i = 0; i < p->n; i++) {
        const struct sums *const s = &upto[i];
        const struct gs_dd dx = gs_dd_sub(gs_dd_of(p->x[i]), f->mean_x);
        const struct gs_dd dy = gs_dd_sub(gs_dd_of(p->y[i]), f->mean_y);
        upto[i + 1] = (struct sums){gs_dd_of_size(i + 1),
                                    gs_dd_add(s->x, dx),
                                    gs_dd_add(s->y, dy),
                                    gs_dd_add_product(s->xx, dx, dx),
                                    gs_dd_add_product(s->xy, dx, dy),
                                    gs_dd_add_product(s->yy, dy, dy)};
    }
    f->n = p->n;
    f->x = p->x;
    f->upto = upto;
    f->noise = upto[p->n].yy.hi * 0x1p-80;
}

static enum gs_status find(const struct gs_xy_order *p, bool continuous, struct gs_arena *scratch,
                           struct gs_knee *knee, struct gs_err *err)
{
    size_t n_distinct = p->n > 0 ? 1 : 0;
    for (size_t i = 1; i < p->n; i++)
        n_distinct += p->x[i] > p->x[i - 1] ? 1 : 0;
    if (n_distinct < 4)
        return gs_fail(err, GS_ERR_RANGE, "knee undefined: fewer than 4 distinct x");
    GS_NEW(struct sums, upto, p->n + 1, scratch, err);
    struct search f = {0};
    sum_up(&f, p, upto);

    size_t n_seen = 1; /* distinct x among the first i points */
    for (size_t i = 1; i < p->n; i++) {
        if (!(p->x[i] > p->x[i - 1]))
            continue;
        const bool can_part = n_seen >= 2 && n_distinct - n_seen >= 2;
        if (continuous && n_seen >= 2)
            offer_hinge(&f, i);
        if (continuous && can_part)
            offer_meeting(&f, i);
        if (!continuous && can_part) {
            struct model m = two_lines(&f, i);
            offer(&f, &m, i);
        }
        n_seen++;
    }
    struct gs_dd slope, height;
    const double sse_line = line_of(&upto[p->n], &slope, &height);
    *knee = (struct gs_knee){
        .x = f.best.x,
        .left = line_from(&f, f.best.left_slope, f.best.left_height, f.n_left),
        .right = line_from(&f, f.best.right_slope, f.best.right_height, p->n - f.n_left),
        .sse = f.best.sse,
        .sse_line = sse_line < f.noise ? 0.0 : sse_line,
    };
    return GS_OK;
}

enum gs_status gs_knee_find(const double *x, const double *y, size_t n, bool continuous,
                            struct gs_arena *scratch, struct gs_knee *knee, struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct gs_xy_order points;
    GS_TRY(gs_xy_order(x, y, n, scratch, &points, err));
    return find(&points, continuous, scratch, knee, err);
}
