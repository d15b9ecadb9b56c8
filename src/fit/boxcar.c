/* boxcar.c - the running mean of a square wave, fitted by search; linear in its two levels. */
#include "fit/boxcar.h"

#include <math.h>
#include <stdbool.h>

static const double window_ratio = 1.07;
enum { DELAY_STEPS = 40, LEAST_READINGS = 5 };
static const double finest_ns = 1e4;

/* The integral up to an instant; `at` moves forward with it. */
struct walk {
    const struct gs_boxcar_curve *curve;
    size_t at; /* points at or before the instant */
};

static double sum_until(struct walk *w, int64_t t_ns)
{
    const struct gs_boxcar_curve *const c = w->curve;
    while (w->at < c->n && c->t_ns[w->at] <= t_ns)
        w->at++;
    if (w->at == 0)
        return c->sum[0];
    const size_t i = w->at - 1;
    if (w->at == c->n)
        return c->sum[i];
    const double share = (double)(t_ns - c->t_ns[i]) / (double)(c->t_ns[i + 1] - c->t_ns[i]);
    return c->sum[i] + share * (c->sum[i + 1] - c->sum[i]);
}

struct search {
    const struct gs_boxcar_data *data;
    const struct gs_boxcar_range *range;
    double *share; /* [n] */
    struct gs_boxcar_fit best;
    bool found;
};

static void attempt(struct search *s, double delay, double window)
{
    const struct gs_boxcar_data *const d = s->data;
    const int64_t delay_ns = (int64_t)nearbyint(delay), window_ns = (int64_t)nearbyint(window);
    if (delay_ns < 0 || delay_ns > s->range->delay_max_ns || window_ns < s->range->window_min_ns ||
        window_ns > s->range->window_max_ns || window_ns <= 0)
        return;
    struct walk from = {&d->load, 0}, to = from;
    double mean_x = 0, mean_y = 0;
    const double n = (double)d->n;
    for (size_t i = 0; i < d->n; i++) {
        const int64_t end = d->t_ns[i] - delay_ns;
        s->share[i] = (sum_until(&to, end) - sum_until(&from, end - window_ns)) / (double)window_ns;
        mean_x += s->share[i];
        mean_y += d->reading[i];
    }
    mean_x /= n;
    mean_y /= n;
    double sxx = 0, sxy = 0, syy = 0;
    for (size_t i = 0; i < d->n; i++) {
        const double x = s->share[i] - mean_x, y = d->reading[i] - mean_y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    if (!(sxx > 1e-9 * n) || !(sxy > 0.0))
        return;
    const double slope = sxy / sxx, rss = fmax(syy - slope * sxy, 0.0);
    if (s->found && rss >= s->best.rss)
        return;
    s->found = true;
    s->best = (struct gs_boxcar_fit){
        .delay_ns = delay_ns,
        .window_ns = window_ns,
        .off = mean_y - slope * mean_x,
        .on = mean_y + slope * (1.0 - mean_x),
        .on_sd = sqrt(rss / (n - 4.0) * (1.0 / n + (1.0 - mean_x) * (1.0 - mean_x) / sxx)),
        .rss = rss,
        .r_squared = 1.0 - rss / syy,
    };
}

static void grid(struct search *s)
{
    const struct gs_boxcar_range *const r = s->range;
    const double most = (double)r->window_max_ns, delay_step = (double)r->delay_max_ns / DELAY_STEPS;
    for (double w = (double)r->window_min_ns;; w = fmin(w * window_ratio, most)) {
        for (int k = 0; k <= DELAY_STEPS; k++) {
            attempt(s, k * delay_step, w);
            if (r->delay_max_ns == 0)
                break;
        }
        if (w >= most)
            return;
    }
}

static void refine(struct search *s)
{
    double dd = (double)s->range->delay_max_ns / DELAY_STEPS, dw = (double)s->best.window_ns * (window_ratio - 1.0);
    while (dd > finest_ns || dw > finest_ns) {
        const double d = (double)s->best.delay_ns, w = (double)s->best.window_ns, rss = s->best.rss;
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                attempt(s, fmax(d + i * dd, 0.0), w + j * dw);
        if (s->best.rss == rss) {
            dd /= 2.0;
            dw /= 2.0;
        }
    }
}

enum gs_status gs_boxcar_fit(const struct gs_boxcar_data *data, const struct gs_boxcar_range *range,
                             struct gs_arena *scratch, struct gs_boxcar_fit *fit, struct gs_err *err)
{
    if (data->n < LEAST_READINGS || data->load.n < 2)
        return gs_fail(err, GS_ERR_RANGE, "no fit of the sensor: %zu readings", data->n);
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct search s = {.data = data, .range = range};
    s.share = gs_arena_take_raw(scratch, data->n, sizeof *s.share);
    if (s.share == NULL)
        return gs_fail_memory(err);
    grid(&s);
    if (s.found)
        refine(&s);
    gs_arena_rewind(scratch, mark);
    if (!s.found)
        return gs_fail(err, GS_ERR_RANGE, "no fit of the sensor: the readings do not follow the load");
    *fit = s.best;
    return GS_OK;
}
