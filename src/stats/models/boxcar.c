/* boxcar.c - the running mean of a square wave, fitted by search; linear in its two levels. */
#include "stats/models/boxcar.h"

#include <math.h>

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
    double *share;  /* [n] mean of the load                                             */
    double *before; /* [n] share of the window before the curve; NULL: the load was 0 there */
    struct gs_boxcar_fit best;
    bool found;
};

/* Sums of squares and products of deviations from the means: of load, share before the curve, reading. */
struct sums {
    double mean_x, mean_z, mean_y;
    double sxx, sxz, szz, sxy, szy, syy;
};

/* What each reading should show of the load, and the means; false where no window reaches before the curve. */
static bool search_back(struct search *s, int64_t delay_ns, int64_t window_ns, struct sums *m)
{
    const struct gs_boxcar_data *const d = s->data;
    struct walk from = {&d->load, 0}, to = from;
    const double n = (double)d->n, window = (double)window_ns;
    for (size_t i = 0; i < d->n; i++) {
        const int64_t end = d->t_ns[i] - delay_ns, begin = end - window_ns;
        s->share[i] = (sum_until(&to, end) - sum_until(&from, begin)) / window;
        m->mean_x += s->share[i];
        m->mean_y += d->reading[i];
        if (s->before != NULL) {
            s->before[i] = begin < d->load.t_ns[0]
                               ? fmin((double)(d->load.t_ns[0] - begin) / window, 1.0)
                               : 0.0;
            m->mean_z += s->before[i];
        }
    }
    const bool reaches = m->mean_z > 0.0;
    m->mean_x /= n;
    m->mean_y /= n;
    m->mean_z /= n;
    return reaches;
}

static void attempt(struct search *s, double delay, double window)
{
    const struct gs_boxcar_data *const d = s->data;
    const int64_t delay_ns = (int64_t)nearbyint(delay), window_ns = (int64_t)nearbyint(window);
    if (delay_ns < 0 || delay_ns > s->range->delay_max_ns || window_ns < s->range->window_min_ns ||
        window_ns > s->range->window_max_ns || window_ns <= 0)
        return;
    struct sums m = {0};
    const double n = (double)d->n;
    const bool reaches = search_back(s, delay_ns, window_ns, &m);
    for (size_t i = 0; i < d->n; i++) {
        const double x = s->share[i] - m.mean_x, y = d->reading[i] - m.mean_y;
        m.sxx += x * x;
        m.sxy += x * y;
        m.syy += y * y;
        if (reaches) {
            const double z = s->before[i] - m.mean_z;
            m.sxz += x * z;
            m.szz += z * z;
            m.szy += z * y;
        }
    }
    double sxx = m.sxx, sxy = m.sxy, rest = m.syy, level = 0.0;
    if (reaches && m.szz > 0.0) { /* what the level before explains is taken out of both */
        sxx -= m.sxz * m.sxz / m.szz;
        sxy -= m.sxz * m.szy / m.szz;
        rest -= m.szy * m.szy / m.szz;
    }
    /*
     * The load must vary as the window sees it, and the reading must rise with it: a negative
     * slope is a coincidence, not a sensor.
     */
    if (!(sxx > 1e-9 * n) || !(sxy > 0.0))
        return;
    const double slope = sxy / sxx, rss = fmax(rest - slope * sxy, 0.0);
    if (s->found && rss >= s->best.rss)
        return;
    if (reaches && m.szz > 0.0)
        level = (m.szy - slope * m.sxz) / m.szz;
    s->found = true;
    s->best = (struct gs_boxcar_fit){
        .delay_ns = delay_ns,
        .window_ns = window_ns,
        .off = m.mean_y - slope * m.mean_x - level * m.mean_z,
        .on = m.mean_y + slope * (1.0 - m.mean_x) - level * m.mean_z,
        .on_sd = sqrt(rss / (n - 4.0) * (1.0 / n + (1.0 - m.mean_x) * (1.0 - m.mean_x) / sxx)),
        .rss = rss,
        .r_squared = 1.0 - rss / m.syy,
    };
}

/* Is the load on in stretch i, from point i - 1 to point i? It is off before the first point and behind the last. */
static bool is_on(const struct gs_boxcar_curve *c, size_t i)
{
    return i > 0 && i < c->n && c->sum[i] > c->sum[i - 1];
}

/*
 * Sums over the readings whose windows may touch a stretch where the load is `on` (or off), at any window and a delay
 * within [from, to]: of squares above (or below) the mean, over the share of the other readings.
 */
static double most_explained(const struct search *s, bool on, double mean, int64_t from_ns,
                             int64_t to_ns)
{
    const struct gs_boxcar_data *const d = s->data;
    const struct gs_boxcar_curve *const c = &d->load;
    double square = 0.0, n_others = (double)d->n;
    size_t at = 0;
    for (size_t i = 0; i < d->n; i++) {
        const int64_t first = d->t_ns[i] - to_ns - s->range->window_max_ns,
                      last = d->t_ns[i] - from_ns;
        while (at <= c->n && (is_on(c, at) != on || (at < c->n && c->t_ns[at] < first)))
            at++;
        if (at > c->n || (at > 0 && c->t_ns[at - 1] > last))
            continue;
        const double off_mean = on ? d->reading[i] - mean : mean - d->reading[i];
        square += fmax(off_mean, 0.0) * fmax(off_mean, 0.0);
        n_others -= 1.0;
    }
    return n_others > 0.0 ? square * (double)d->n / n_others : HUGE_VAL;
}

/*
 * May some fit of the range explain as much as is asked, of a load that is on or off? A reading whose window touches no
 * load has x = 0, and x is never negative: by Cauchy's inequality sxy^2 is at most the sum of x^2 times that of the
 * squares above the mean where x may be > 0, and sxx at least the sum of x^2 times the share of the other readings. The
 * same holds of 1 - x and the rests.
 */
static bool may_explain(const struct search *s)
{
    enum { CELLS = 20 };
    const struct gs_boxcar_data *const d = s->data;
    const int64_t width = s->range->delay_max_ns / CELLS + 1;
    double mean = 0.0, syy = 0.0;
    for (size_t i = 0; i < d->n; i++)
        mean += d->reading[i] / (double)d->n;
    for (size_t i = 0; i < d->n; i++)
        syy += (d->reading[i] - mean) * (d->reading[i] - mean);
    const double least = s->range->r_squared_min * syy;
    bool may = s->range->r_squared_min <= 0.0;
    for (int k = 0; k < CELLS && !may; k++)
        may = most_explained(s, true, mean, k * width, (k + 1) * width) >= least &&
              most_explained(s, false, mean, k * width, (k + 1) * width) >= least;
    return may;
}

static double next_window(const struct gs_boxcar_range *r, double window)
{
    const double most = (double)r->window_max_ns;
    /*
     * Windows grow by a ratio, because a fit tells 10 from 11 ms but not 1000 from 1001. The step
     * limits this where the caller needs a denser grid.
     */
    const double step = r->window_step_ns > 0 ? (double)r->window_step_ns : most;
    return fmin(fmin(window * window_ratio, window + step), most);
}

static size_t count_windows(const struct gs_boxcar_range *r)
{
    size_t n = 1;
    for (double w = (double)r->window_min_ns; w < (double)r->window_max_ns; w = next_window(r, w))
        n++;
    return n;
}

/* The best delay of each window of the grid; found: one of them is possible. */
static void grid(struct search *s, struct gs_boxcar_fit *best, bool *found, size_t n)
{
    const struct gs_boxcar_range *const r = s->range;
    const double delay_step = (double)r->delay_max_ns / DELAY_STEPS;
    double w = (double)r->window_min_ns;
    for (size_t i = 0; i < n; i++, w = next_window(r, w)) {
        s->found = false;
        for (int k = 0; k <= DELAY_STEPS; k++) {
            attempt(s, k * delay_step, w);
            if (r->delay_max_ns == 0)
                break;
        }
        found[i] = s->found;
        best[i] = s->best;
    }
}

/* In steps of the window and of its middle, which tell themselves apart better than window and delay; at no delay of those. */
static void refine(struct search *s)
{
    const double window = (double)s->best.window_ns;
    double dd = (double)s->range->delay_max_ns / DELAY_STEPS,
           dw = next_window(s->range, window) - window;
    while (dd > finest_ns || dw > finest_ns) {
        const double d = (double)s->best.delay_ns, w = (double)s->best.window_ns,
                     middle = d + w / 2.0;
        const double rss = s->best.rss;
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                attempt(s, fmax(middle + i * dd - (w + j * dw) / 2.0, 0.0), w + j * dw);
        attempt(s, d, w - dw);
        attempt(s, d, w + dw);
        /*
         * Exact equality is meant: `best` changes only when a strictly smaller value was found.
         * Every round improves rss or halves the steps, so the loop ends.
         */
        if (s->best.rss == rss) {
            dd /= 2.0;
            dw /= 2.0;
        }
    }
}

/* From every window of the grid that is no worse than its neighbours: there is a minimum near each. */
static bool descend(struct search *s, const struct gs_boxcar_fit *start, const bool *found,
                    size_t n, struct gs_boxcar_fit *fit)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (!found[i] || (i > 0 && found[i - 1] && start[i - 1].rss < start[i].rss) ||
            (i + 1 < n && found[i + 1] && start[i + 1].rss < start[i].rss))
            continue;
        s->found = true;
        s->best = start[i];
        refine(s);
        if (!any || s->best.rss < fit->rss)
            *fit = s->best;
        any = true;
    }
    return any;
}

enum gs_status gs_boxcar_fit(const struct gs_boxcar_data *data, const struct gs_boxcar_range *range,
                             struct gs_arena *scratch, struct gs_boxcar_fit *fit,
                             struct gs_err *err)
{
    if (data->n < LEAST_READINGS || data->load.n < 2)
        return gs_fail(err, GS_ERR_RANGE, "no fit of the sensor: %zu readings", data->n);
    GS_REWINDS(scratch);
    const size_t n_windows = count_windows(range);
    struct search s = {.data = data, .range = range};
    struct gs_boxcar_fit best = {0};
    GS_NEW_RAW(struct gs_boxcar_fit, start, n_windows, scratch, err);
    GS_NEW(bool, found, n_windows, scratch, err);
    GS_TAKE_RAW(s.share, data->n, scratch, err);
    if (data->before_unknown)
        GS_TAKE_RAW(s.before, data->n, scratch, err);
    if (may_explain(&s))
        grid(&s, start, found, n_windows);
    if (!descend(&s, start, found, n_windows, &best))
        return gs_fail(err, GS_ERR_RANGE,
                       "no fit of the sensor: the readings do not follow the load");
    *fit = best;
    return GS_OK;
}
