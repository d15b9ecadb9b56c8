/* energy.c - the curve of a GPU's power: cumulative energy in whole numbers, and what a window's interval is made of. */
#include "analysis/energy/energy.h"

#include <math.h>

#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "base/num/calendar.h"
#include "stats/descriptive/quantile.h"
#include "base/num/whole.h"

/* Windows of more intervals than this tell by themselves how the power changes between readings. */
enum { LOCAL_INTERVALS = 12 };

/*
 * Twice the area from the left end to x: x * (2 * p1 + (p2 - p1) * x / width). (p2 - p1) * x * x can pass 2^127,
 * so it is divided by width in two steps; the product of the second is below 2^128 because both factors are
 * below 2^64.
 */
static gs_i128 area_to(int64_t p1, int64_t p2, uint64_t width, uint64_t x)
{
    const gs_i128 slope = (gs_i128)p2 - p1;
    const gs_u128 rise = gs_magnitude_i128(slope) * x;
    gs_u128 bent;
    uint64_t left;
    if (rise >> 64 == 0 && width >> 32 == 0) { /* x is at most width: all the steps fit 64 bits */
        const uint64_t whole = (uint64_t)rise / width, rest = (uint64_t)rise % width * x;
        bent = (gs_u128)whole * x + rest / width;
        left = rest % width;
    } else {
        const gs_u128 rest = rise % width * x;
        bent = rise / width * x + rest / width;
        left = (uint64_t)(rest % width);
    }
    /* Ties upwards: a half is rounded away from zero on a rising segment, towards it on a falling one. */
    if (slope < 0 ? left > width - left : left >= width - left)
        bent += left != 0;
    return 2 * (gs_i128)p1 * x + (slope < 0 ? -(gs_i128)bent : (gs_i128)bent);
}

/*
 * Twice the area of a whole segment. The unit is (fixed-point W) x ns x 2. The factor 2 keeps the
 * area of a trapezoid whole, so that no segment is rounded and any split of a log at its readings
 * adds up exactly.
 */
static gs_i128 area_of(int64_t p1, int64_t p2, uint64_t width)
{
    int64_t sum;
    if (width > INT64_MAX || __builtin_add_overflow(p1, p2, &sum))
        return ((gs_i128)p1 + p2) * width;
    return (gs_i128)sum * (int64_t)width; /* one multiplication */
}

/* --- readings ----------------------------------------------------------------------------------------- */

/*
 * The readings that differ from the one before. One that stays for several periods was renewed unseen: it counts once
 * more for each, or a plateau would be a slope between its first sight and the next value's.
 */
static enum gs_status collect_renewals(struct gs_energy_curve *c, struct gs_arena *arena,
                                       struct gs_err *err)
{
    const double period = (double)c->sensor.period_ns;
    /*
     * m is at most the number of samples of a plateau, so n_renewed is at most n: `room` is never
     * exceeded.
     */
    const size_t last = c->n - 1, room = 2 * c->n + 1;
    GS_NEW_RAW(int64_t, t, room, arena, err);
    GS_NEW_RAW(int64_t, power, room, arena, err);
    size_t n = 0;
    for (size_t i = 0, end; i < last; i = end) {
        for (end = i + 1; end < last && c->power[end] == c->power[i]; end++)
            continue;
        const uint64_t stays = gs_span(c->t_ns[i], c->t_ns[end]);
        /*
         * The 0.2 counts a further renewal only after 0.7 of a period: a plateau of 1.5 periods is
         * more often one late renewal than two.
         */
        const double looks = nearbyint((double)stays / period - 0.2);
        /* No more looks than samples: what was not seen to stay did not. */
        uint64_t m;
        if (looks < 1.0)
            m = 1;
        else if (looks > (double)(end - i))
            m = end - i;
        else
            m = (uint64_t)looks;
        for (uint64_t k = 0; k < m; k++) {
            t[n] = c->t_ns[i] + (int64_t)((gs_u128)stays * k / m);
            power[n++] = c->power[i];
        }
    }
    t[n] = c->t_ns[last];
    power[n++] = c->power[last];
    c->n_renewed = n;
    c->renewed_ns = t;
    c->renewed = power;
    return GS_OK;
}

/*
 * The variance of what happens between two readings, from[i] to to[i], and of what grows with their distance: half the
 * mean squares of steps over one interval and over two. What is left at distance zero cannot be drift.
 * `white` is power that changes between readings and leaves no trace in the next one; `drift` is a
 * random walk. Only the second grows with the length of a gap. Intervals of more than 3 medians
 * are left out, because there both would mix. The caller guarantees that reading `to` exists.
 */
static void measure_steps(const struct gs_energy_curve *c, size_t from, size_t to, double *white,
                          double *drift)
{
    const int64_t *const t = c->renewed_ns, *const power = c->renewed;
    const bool counted = c->sensor.rhythm == GS_RHYTHM_COUNTED;
    const uint64_t most = 3 * (uint64_t)gs_min(c->step_ns, INT64_MAX / 3);
    double one = 0.0, two = 0.0;
    size_t n_one = 0, n_two = 0;
    for (size_t i = from; i < to; i++) { /* a near run and the far one behind it */
        const size_t first = i;
        double old = (double)power[i], older = (double)power[i + 1]; /* so that the first adds 0 */
        for (; i < to && gs_span(t[i], t[i + 1]) <= most; i++) {
            const double now = (double)power[i + 1];
            one += (now - old) * (now - old);
            two += (now - older) * (now - older);
            older = old;
            old = now;
        }
        n_one += i - first;
        n_two += gs_excess(i - first, 1);
    }
    const double fixed = (double)GS_FIXED_ONE * (double)GS_FIXED_ONE;
    double g1 = 0.0, g2;
    if (n_one > 0)
        g1 = one / (double)n_one / 2.0 / fixed;
    g2 = g1;
    if (n_two > 0)
        g2 = two / (double)n_two / 2.0 / fixed;
    /*
     * For pure white noise g2 equals g1, for a pure random walk g2 is twice g1. One standard
     * error, 1 / sqrt(n), is taken off so that a short series is treated as white: the wider
     * interval.
     */
    double r = 1.0;
    if (counted) /* its intervals are known whole: what a part of one has is not told by the next */
        r = 0.0;
    else if (g1 > 0.0)
        r = fmin(fmax(g2 / g1 - 1.0 - 1.0 / sqrt((double)gs_max(n_two, 1)), 0.0), 1.0);
    *white = (1.0 - r) * g1;
    *drift = r * g1;
}

/*
 * Range, variance and steps over the whole log. The mean needs its own pass: squares of deviations
 * from it do not cancel, sums of squares of large readings do. Floating point is safe here because
 * one thread walks one GPU's readings in time order.
 */
static void measure(struct gs_energy_curve *c)
{
    gs_i128 sum = 0;
    double squares = 0.0;
    c->least = INT64_MAX;
    c->most = INT64_MIN;
    for (size_t i = 0; i < c->n_renewed; i++) {
        const int64_t p = c->renewed[i];
        sum += p;
        c->least = gs_min(p, c->least);
        c->most = gs_max(p, c->most);
    }
    const double mean = (double)sum / (double)c->n_renewed;
    for (size_t i = 0; i < c->n_renewed; i++) {
        const double d = (double)c->renewed[i] - mean;
        squares += d * d;
    }
    c->variance = squares / (double)c->n_renewed / ((double)GS_FIXED_ONE * (double)GS_FIXED_ONE);
    measure_steps(c, 0, c->n_renewed - 1, &c->white, &c->drift);
}

enum gs_status gs_energy_curve_make(const struct gs_power_series *series,
                                    const struct gs_sensor *sensor, int64_t max_gap_ns,
                                    struct gs_arena *arena, struct gs_energy_curve *curve,
                                    struct gs_err *err)
{
    struct gs_energy_curve c = {.sensor = *sensor,
                                .range = series->range,
                                .max_gap_ns = max_gap_ns,
                                .n = series->n,
                                .t_ns = series->t_ns,
                                .power = series->power,
                                .n_renewed = series->n,
                                .renewed_ns = series->t_ns,
                                .renewed = series->power,
                                .step_ns = sensor->interval_ns};
    /*
     * Repeated values count as renewals only where the sensor's period is visible. In a plain log
     * (whole watts, plateaus) an equal value may be a new reading, so every sample stays one.
     */
    if (c.n > 1 && sensor->period_ns > 0 &&
        (sensor->rhythm == GS_RHYTHM_RENEWED || sensor->rhythm == GS_RHYTHM_HELD)) {
        GS_TRY(collect_renewals(&c, arena, err));
        GS_REWINDS(arena);
        GS_NEW_RAW(int64_t, room, c.n_renewed, arena, err);
        c.step_ns = gs_median_step(c.renewed_ns, c.n_renewed, room);
    }
    int64_t step = sensor->interval_ns;
    /*
     * A held value (DCGM polls every 30 s, the log every second) is one point reading. Integrating
     * its repeats would turn each slope into a staircase that lags by up to a period.
     */
    if (sensor->rhythm == GS_RHYTHM_HELD) {
        c.n = c.n_renewed;
        c.t_ns = c.renewed_ns;
        c.power = c.renewed;
        step = c.step_ns;
    }
    c.near_ns = 3 * gs_min(step, INT64_MAX / 3);
    /*
     * An explicit --max-gap replaces the limit of 3 medians: what is then not left out counts as
     * covered.
     */
    if (c.max_gap_ns >= 0)
        c.near_ns = c.max_gap_ns;
    if (c.n > 0)
        measure(&c);
    *curve = c;
    return GS_OK;
}

enum gs_status gs_gpu_curve(const struct gs_gpu_view *g, int64_t max_gap_ns, struct gs_arena *arena,
                            struct gs_energy_curve *curve, struct gs_err *err)
{
    const struct gs_gpu_view *const log = gs_gpu_log(g);
    struct gs_power_series series = log->readings;
    struct gs_sensor sensor = g->sensor;
    enum gs_status s = GS_OK;
    if (series.t_ns == NULL) {
        series = (struct gs_power_series){log->n, log->t_ns, log->value[g->drawn], NULL};
        s = gs_power_instants(&series, arena, err);
    }
    series.range = g->range;
    /*
     * A zeroed sensor has gain 0. That is how a view without GS_VIEW_RHYTHM shows that nobody
     * looked for its sensor yet; the negated comparison also catches NaN.
     */
    if (!(sensor.gain > 0.0))
        GS_THEN(s, gs_sensor_find(&series,
                                  &(struct gs_sensor_hint){.column = g->counted ? GS_COLUMN_COUNTER
                                                                                : GS_COLUMN_DRAW},
                                  arena, &sensor, err));
    if (max_gap_ns < 0 && g->max_gap_ns > 0)
        max_gap_ns = g->max_gap_ns;
    GS_THEN(s, gs_energy_curve_make(&series, &sensor, max_gap_ns, arena, curve, err));
    return s;
}

/* --- the curve ---------------------------------------------------------------------------------------- */

/*
 * The power at the left ends of intervals: the reading there, or, of a counter, the mean that is at
 * the right end, so that each interval has what was counted in it.
 */
static const int64_t *left_ends(const struct gs_energy_curve *c)
{
    return c->power + (c->sensor.rhythm == GS_RHYTHM_COUNTED);
}

static bool is_bridged(const struct gs_energy_curve *c, uint64_t width)
{
    return c->max_gap_ns < 0 || width <= (uint64_t)c->max_gap_ns;
}

/*
 * `x` ns of an interval and twice the area over them. `width` is the whole interval and decides
 * which sum it belongs to; `x` is the part of it that is inside. Every walker must classify by
 * `width`, or the parts of an interval would not add up to it.
 */
static void add_area(struct gs_energy *e, const struct gs_energy_curve *c, gs_i128 area,
                     uint64_t width, uint64_t x)
{
    if (width <= (uint64_t)c->near_ns)
        e->covered_ns += x;
    else if (is_bridged(c, width))
        e->bridged += area;
    else
        return;
    e->energy += area;
    e->time_ns += x;
}

/* Passes the readings up to t_ns: every analysis of energy comes by here with every sample. */
static void pass_until(struct gs_energy_walker *w, int64_t t_ns)
{
    const struct gs_energy_curve *const c = w->curve;
    const int64_t *const left = left_ends(c);
    const uint64_t near = (uint64_t)c->near_ns;
    /* Sums in locals: registers. Nearly all intervals are near, and their time is one difference. */
    gs_i128 energy = 0;
    size_t i = w->passed, first = i;
    if (i == 0 && c->n > 0 && c->t_ns[0] <= t_ns)
        first = i = 1;
    uint64_t far_ns = 0;
    for (; i < c->n && c->t_ns[i] <= t_ns; i++) {
        const uint64_t width = gs_span(c->t_ns[i - 1], c->t_ns[i]);
        if (width > near) {
            add_area(&w->at, c, area_of(left[i - 1], c->power[i], width), width, width);
            far_ns += width;
            continue;
        }
        energy += area_of(left[i - 1], c->power[i], width);
    }
    if (i > first) {
        const uint64_t covered_ns = gs_span(c->t_ns[first - 1], c->t_ns[i - 1]) - far_ns;
        w->at.energy += energy;
        w->at.covered_ns += covered_ns;
        w->at.time_ns += covered_ns;
    }
    w->passed = i;
}

/* A border of the range on the log's clock, inside the log; none lies before its first reading or behind its last. */
static int64_t border(const struct gs_energy_curve *c, int64_t t_ns)
{
    return gs_max(c->t_ns[0], gs_min(gs_time_moved(t_ns, c->sensor.shift_ns), c->t_ns[c->n - 1]));
}

int64_t gs_energy_curve_first(const struct gs_energy_curve *c)
{
    return c->range == NULL ? c->t_ns[0] : border(c, c->range->from_ns);
}

int64_t gs_energy_curve_last(const struct gs_energy_curve *c)
{
    return c->range == NULL ? c->t_ns[c->n - 1] : border(c, c->range->to_ns);
}

/* The instant on the log's clock, inside the curve; how far outside of the log it was. */
static int64_t shifted(const struct gs_energy_curve *c, int64_t t_ns, uint64_t *out_ns)
{
    const int64_t first = gs_energy_curve_first(c), last = gs_energy_curve_last(c);
    *out_ns = 0;
    if (t_ns == GS_LOG_START)
        return first;
    if (t_ns == GS_LOG_END)
        return last;
    /*
     * An instant near the ends of int64 saturates. It lies outside every log, so clamping gives
     * what exact arithmetic would.
     */
    const bool at_border = c->range != NULL && t_ns == c->range->from_ns; /* no time of an event */
    const int64_t shift_ns = at_border ? c->sensor.shift_ns : gs_sensor_event_shift_ns(&c->sensor),
                  at = gs_time_moved(t_ns, shift_ns),
                  inside = gs_min(gs_max(at, c->t_ns[0]), c->t_ns[c->n - 1]);
    /* Half of what was cut off may have moved it out of the log. */
    *out_ns = gs_excess(gs_distance(at, inside), (uint64_t)c->sensor.cut_ns / 2);
    return gs_min(gs_max(at, first), last);
}

/*
 * Gain and offset are applied to the cumulative energy, once for each instant and never to a
 * difference. Differences of two such values add up without a rounding error of their own.
 */
static void used_at(struct gs_energy_walker *w, int64_t at_ns, struct gs_energy *e)
{
    const struct gs_energy_curve *const c = w->curve;
    pass_until(w, at_ns);
    *e = w->at;
    if (w->passed > 0 && w->passed < c->n && at_ns > c->t_ns[w->passed - 1]) {
        const size_t i = w->passed;
        const uint64_t width = gs_span(c->t_ns[i - 1], c->t_ns[i]),
                       x = gs_span(c->t_ns[i - 1], at_ns);
        add_area(e, c, area_to(left_ends(c)[i - 1], c->power[i], width, x), width, x);
    }
    if (!gs_sensor_scales(&c->sensor))
        return;
    e->energy = gs_sensor_scale(&c->sensor, e->energy, (gs_i128)e->time_ns);
    if (e->bridged != 0)
        e->bridged = gs_sensor_scale(&c->sensor, e->bridged, (gs_i128)(e->time_ns - e->covered_ns));
}

struct gs_energy gs_energy_at(struct gs_energy_walker *w, int64_t t_ns)
{
    struct gs_energy used = {0};
    uint64_t out_ns;
    if (w->curve->n > 0)
        used_at(w, shifted(w->curve, t_ns, &out_ns), &used);
    return used;
}

/* --- windows ------------------------------------------------------------------------------------------ */

/* The reading at an instant, straight between its neighbours; `i` is the first sample behind it. */
static int64_t reading_between(const struct gs_energy_curve *c, size_t i, int64_t t_ns)
{
    if (i == 0)
        return c->power[0];
    if (i == c->n)
        return c->power[c->n - 1];
    const double width = (double)gs_span(c->t_ns[i - 1], c->t_ns[i]);
    const double rise = (double)c->power[i] - (double)c->power[i - 1];
    return c->power[i - 1] + (int64_t)(rise * ((double)gs_span(c->t_ns[i - 1], t_ns) / width));
}

/*
 * Range and rise of the readings around an instant: where the period shows, those within half of what an edge is uncertain over and what lies
 * at its ends, else one reading more on each side. `i` is the first reading behind the instant.
 */
static void look_around(const struct gs_energy_curve *c, size_t i, struct gs_energy_point *p)
{
    const bool shows = c->sensor.rhythm == GS_RHYTHM_RENEWED;
    const int64_t *const t = c->t_ns, *const power = c->power;
    const int64_t half = gs_sensor_edge_ns(&c->sensor) / 2;
    const int64_t from = gs_time_moved(p->at_ns, -half), to = gs_time_moved(p->at_ns, half);
    while (i > 0 && t[i - 1] > from) /* to the first behind `from` */
        i--;
    int64_t first, last;
    if (shows)
        first = reading_between(c, i, from);
    else
        first = power[gs_max(i, 1) - 1];
    int64_t least = first, most = first;
    for (last = first; i < c->n && t[i] < to; i++) {
        last = power[i];
        least = gs_min(last, least);
        most = gs_max(last, most);
    }
    if (shows)
        last = reading_between(c, i, to);
    else if (i < c->n)
        last = power[i];
    if (c->sensor.rhythm == GS_RHYTHM_COUNTED &&
        i + 1 < c->n) { /* the interval behind that of the end */
        least = gs_min(last, least);
        most = gs_max(last, most);
        last = power[i + 1];
    }
    least = gs_min(last, least);
    most = gs_max(last, most);
    /*
     * The subtraction is unsigned because readings of opposite sign can differ by more than
     * INT64_MAX.
     */
    p->range = (int64_t)((uint64_t)most - (uint64_t)least);
    p->most = most;
    p->rise = last - first;
}

static double seconds(uint64_t ns)
{
    return (double)ns / (double)GS_NS_PER_S;
}

static double watts(int64_t power)
{
    return (double)power / (double)GS_FIXED_ONE;
}

/* The time over which what is read of an end is smeared, with that by which it may be off where it was cut. */
static int64_t off_ns(const struct gs_energy_curve *c)
{
    const bool shows = c->sensor.rhythm == GS_RHYTHM_RENEWED;
    const int64_t step_ns = shows ? 0 : gs_min(c->step_ns, INT64_MAX / 4);
    return (gs_sensor_edge_ns(&c->sensor) + step_ns) / 2;
}

/* What lies before and behind an instant; `w`: a walk for each. */
static void look_aside(struct gs_energy_walker w[2], int64_t t_ns, struct gs_energy_point *p)
{
    const struct gs_energy_curve *const c = w->curve;
    for (int k = 0; k < 2; k++) {
        const int64_t far_ns = gs_time_moved(t_ns, (2 * k - 1) * off_ns(c));
        const struct gs_energy there = gs_energy_at(&w[k], far_ns),
                               *const low = k == 0 ? &there : &p->used,
                               *const high = k == 0 ? &p->used : &there;
        p->aside[k].s = seconds(high->time_ns - low->time_ns);
        p->aside[k].j = gs_energy_j(high->energy - low->energy) * c->sensor.gain +
                        c->sensor.offset_w * p->aside[k].s;
    }
}

void gs_energy_points(const struct gs_energy_curve *c, const int64_t *t, size_t n,
                      struct gs_energy_point *at)
{
    struct gs_energy_walker w = {.curve = c}, aside[2] = {w, w};
    const bool looks_aside = gs_sensor_looks_aside(&c->sensor);
    size_t renewed = 0;
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && t[k] == t[k - 1]) {
            at[k] = at[k - 1];
            continue;
        }
        struct gs_energy_point *const p = &at[k];
        *p = (struct gs_energy_point){0};
        if (c->n == 0)
            continue;
        p->at_ns = shifted(c, t[k], &p->out_ns);
        used_at(&w, p->at_ns, &p->used);
        if (c->renewed_ns == c->t_ns) /* the walk has passed them */
            renewed = w.passed > 0 ? w.passed - 1 : 0;
        else
            while (renewed + 1 < c->n_renewed && c->renewed_ns[renewed + 1] <= p->at_ns)
                renewed++;
        p->renewed = renewed;
        /*
         * The ends of a whole log are no events: no load starts there, so they carry no edge
         * error.
         */
        const bool ends = (t[k] == GS_LOG_START && p->at_ns == c->t_ns[0]) ||
                          (t[k] == GS_LOG_END && p->at_ns == c->t_ns[c->n - 1]);
        if (!ends)
            look_around(c, w.passed, p);
        if (looks_aside && t[k] != GS_LOG_START && t[k] != GS_LOG_END)
            look_aside(aside, t[k], p);
    }
}

/* One interval inside a window, in s, W and J. */
struct part {
    double weight,
        middle; /* sqrt(w f) times its length; where the middle of what is inside lies, from 0 to 1 */
    double rest; /* what it adds for itself */
};

/*
 * A sensor that averages over a window has already seen a part of an interval: the share that it
 * has not lowers the variance.
 */
static double unseen_share(const struct gs_energy_curve *c, uint64_t width_ns)
{
    if (c->sensor.unseen_ns <= 0)
        return 1.0;
    const double share = 1.0 - (double)c->sensor.unseen_ns / (double)width_ns;
    return gs_max(share, 0.0);
}

/*
 * The variance of a random walk grows without limit, that of a GPU's power does not: a very long
 * gap is worth at most the variance of the whole log.
 */
static double variance_over(const struct gs_energy_curve *c, uint64_t width_ns, double white,
                            double drift)
{
    if (width_ns <= (uint64_t)c->step_ns || !(drift > 0.0))
        return white;
    const double grown = white + drift * ((double)width_ns / (double)c->step_ns - 1.0);
    const double most = gs_max(c->variance, white);
    return gs_min(grown, most);
}

/*
 * The error of a straight line between two readings has two sources. The readings are noisy
 * samples (`weight`, shared by neighbouring intervals), and the power between them wanders
 * (`rest`, a Brownian bridge, which is 0 at both readings and largest in the middle).
 */
static struct part part_of(const struct gs_energy_curve *c, size_t i, int64_t from, int64_t to,
                           double white, double drift)
{
    const uint64_t width_ns = gs_span(c->renewed_ns[i], c->renewed_ns[i + 1]);
    const int64_t u = gs_max(from, c->renewed_ns[i]);
    const int64_t v = gs_min(to, c->renewed_ns[i + 1]);
    if (v <= u || !is_bridged(c, width_ns))
        return (struct part){0};
    const bool cut = gs_span(u, v) < width_ns;
    const double width = seconds(width_ns), length = seconds(gs_span(u, v));
    const double step = watts(c->renewed[i + 1]) - watts(c->renewed[i]);
    double middle = 0.5;
    if (cut)
        middle = (seconds(gs_span(c->renewed_ns[i], u)) + length / 2.0) / width;
    /* In a cut interval without a visible period nothing is known of where the window lies. */
    const double f = cut && c->sensor.rhythm != GS_RHYTHM_RENEWED ? 1.0 : unseen_share(c, width_ns);
    const double variance = variance_over(c, width_ns, white, drift) * f;
    const double bent = middle * (1.0 - middle) - length / (6.0 * width);
    struct part p = {sqrt(variance) * length, middle,
                     f * step * step * length * length * gs_max(bent, 0.0)};
    if (cut)
        p.rest += variance * length * length * (1.0 - length / width);
    return p;
}

/*
 * Of a counter's interval k the part inside [from, to] times the share outside, s: the most that a
 * load which changes once can put on the wrong side. 0 where the interval is not cut.
 */
static double cut_s(const struct gs_energy_curve *c, size_t k, int64_t from, int64_t to)
{
    const int64_t u = gs_max(from, c->renewed_ns[k]), v = gs_min(to, c->renewed_ns[k + 1]);
    if (v <= u)
        return 0.0;
    const double length = seconds(gs_span(u, v));
    return length * (1.0 - length / seconds(gs_span(c->renewed_ns[k], c->renewed_ns[k + 1])));
}

/* That at one end of a window: where events begin when the load does, all of it is missing, at each. */
static double cut_at_s(const struct gs_energy_curve *c, const struct gs_energy_point *p,
                       int64_t from, int64_t to)
{
    return cut_s(c, gs_min(p->renewed, c->n_renewed - 2), from, to);
}

/*
 * What one end of a window of a counter adds for itself, J^2: a load that changes at any instant of
 * its interval, and a reading that is up to a period old.
 */
static double counted_end_j2(const struct gs_energy_curve *c, const struct gs_energy_point *p,
                             int64_t from, int64_t to)
{
    const int64_t level = c->renewed[gs_min(p->renewed + 1, c->n_renewed - 1)];
    const double cut = watts(p->range) * cut_at_s(c, p, from, to);
    const double late = watts(level) * seconds((uint64_t)c->sensor.reach_ns);
    return cut * cut / 3.0 + late * late / 12.0;
}

/*
 * What an end whose time was cut adds beyond what is smeared, J^2: it lies anywhere in a second, so
 * that the event is longer or shorter also where the power is steady. Of an event of n seconds and a half the two
 * ends cut half a second more or less, as often each: a variance of a quarter. No other length has more.
 */
static double cut_end_j2(const struct gs_energy_curve *c, const struct gs_energy_point *p)
{
    const double late = watts(p->most) * seconds((uint64_t)c->sensor.cut_ns);
    return late * late / 8.0;
}

/* The variance of the part where the power inside is white, for 1 W^2 between whole intervals. */
static double cut_s2(const struct gs_energy_curve *c, size_t k, int64_t from, int64_t to)
{
    return cut_s(c, k, from, to) * seconds(gs_span(c->renewed_ns[k], c->renewed_ns[k + 1]));
}

struct local {
    double white, drift;
};

/* What part_of comes to for intervals [from, to) that are inside, with less to do: every window comes by here. */
static void add_whole_parts(const struct gs_energy_curve *c, size_t from, size_t to,
                            const struct local *l, double *sum, double *left)
{
    /* c (1 - c) - l/6D of a whole interval: 1/12 */
    const double bent = 0.25 - 1.0 / 6.0;
    double before = watts(c->renewed[from]), added = *sum, kept = *left;
    for (size_t i = from; i < to; i++) {
        const uint64_t width_ns = gs_span(c->renewed_ns[i], c->renewed_ns[i + 1]);
        const double after = watts(c->renewed[i + 1]), step = after - before;
        double own = 0.0, rest = 0.0;
        if (is_bridged(c, width_ns)) {
            const double width = seconds(width_ns), f = unseen_share(c, width_ns);
            own = sqrt(variance_over(c, width_ns, l->white, l->drift) * f) * width;
            rest = f * step * step * width * width * bent;
        }
        const double weight = kept + own * 0.5;
        added += weight * weight + rest;
        kept = own * 0.5;
        before = after;
    }
    *sum = added;
    *left = kept;
}

/*
 * The sampling term of a window, J^2: readings are few looks at a power that changes. Cost:
 * O(readings inside). A reading weighs on the interval before it and on the one behind it. The two
 * weights are added before they are squared, because it is one and the same error. The caller
 * guarantees at least two renewed readings, so `last` does not wrap.
 */
static double sampling_j2(const struct gs_energy_curve *c, const struct gs_energy_point *a,
                          const struct gs_energy_point *b)
{
    const size_t last = c->n_renewed - 2, from = gs_min(a->renewed, last);
    size_t to = gs_min(b->renewed, last);
    if (to > from && c->renewed_ns[to] >= b->at_ns)
        to--;
    if (c->sensor.rhythm == GS_RHYTHM_COUNTED)
        return c->white * (cut_s2(c, from, a->at_ns, b->at_ns) +
                           (to > from ? cut_s2(c, to, a->at_ns, b->at_ns) : 0.0));
    double white = c->white, drift = c->drift, sum = 0.0, left = 0.0;
    /*
     * The whole log's variance mixes idle and busy time. A window with enough readings of its own
     * is judged by these, a shorter one has too few to estimate a variance.
     */
    if (to - from >= LOCAL_INTERVALS)
        measure_steps(c, from, to + 1, &white, &drift);
    for (size_t i = from; i <= to; i++) {
        if (i > from && i < to) { /* nearly all: they lie inside, so nothing of them is cut */
            add_whole_parts(c, i, to, &(struct local){white, drift}, &sum, &left);
            i = to;
        }
        const struct part p = part_of(c, i, a->at_ns, b->at_ns, white, drift);
        const double weight = left + p.weight * (1.0 - p.middle);
        sum += weight * weight + p.rest;
        left = p.weight * p.middle;
    }
    return sum + left * left;
}

/*
 * What one end of a window adds: a standard error and a signed one, J. This term is signed: events
 * begin when the load does, so the same lag errs in the same direction at every start. Without a
 * visible period the edge also lies somewhere within one sampling interval, which the second
 * summand takes in.
 */
static double edge_j(const struct gs_energy_curve *c, const struct gs_energy_point *p,
                     int64_t from_ns, int64_t to_ns)
{
    double kept = seconds((uint64_t)gs_sensor_edge_ns(&c->sensor)) / 6.0;
    if (c->sensor.rhythm == GS_RHYTHM_COUNTED) {
        kept += cut_at_s(c, p, from_ns, to_ns);
    } else if (c->sensor.rhythm != GS_RHYTHM_RENEWED) {
        const size_t k = gs_min(p->renewed, c->n_renewed - 2);
        const int64_t low = c->renewed_ns[k], high = c->renewed_ns[k + 1];
        const double length = seconds(gs_span(gs_max(from_ns, low), gs_min(to_ns, high)));
        kept += length * length / (3.0 * seconds(gs_span(low, high)));
    }
    return watts(p->rise) * kept;
}

static gs_i128 uj2_of(double j2)
{
    /*
     * Held below 2^94, so that they add up over all pairs. Whole micro J^2 make the sum
     * independent of the order in which pairs and threads add it.
     */
    const double v = j2 * 1e12;
    if (v < 0x1p62) /* nearly all, without the call that a wide one takes */
        return (int64_t)(v < 0x1p52 ? v + 0.5 : v); /* halves go up; from 2^52 on it is whole */
    return (gs_i128)gs_min(v, 0x1p94);
}

/*
 * Casting a double beyond the range of gs_i128 is undefined. 1e13 J is far below that limit and
 * above what any window of a checked host can err by; NaN also ends as 0.
 */
static gs_i128 units_of(double j)
{
    const double v = j * (double)GS_ENERGY_PER_J;
    if (fabs(v) < 0x1p63)
        return (int64_t)v; /* nearly all, without the call that a wide one takes */
    return fabs(j) < 1e13 ? (gs_i128)v : 0;
}

gs_i128 gs_energy_own_uj2(gs_i128 energy, gs_i128 time_ns)
{
    const double one = 0.01 * (gs_i128_real(energy) / (double)GS_ENERGY_PER_J),
                 three = 3.0 * (gs_i128_real(time_ns) / (double)GS_NS_PER_S);
    return uj2_of(one * one + three * three);
}

void gs_energy_sum_card(struct gs_energy_sum *sum, const struct gs_sensor *s, gs_i128 energy,
                        gs_i128 time_ns)
{
    /*
     * The gain error is a share of the energy's size. A negative energy (after an offset) must not
     * cancel the error of a positive one.
     */
    const gs_i128 size = (gs_i128)gs_magnitude_i128(energy), one = GS_FIXED_ONE;
    if (s->scale_from == GS_SENSOR_UNKNOWN) {
        sum->unknown += energy;
        sum->unknown_ns += time_ns;
        return;
    }
    sum->scale += size / one * s->gain_ppm + size % one * s->gain_ppm / one;
    sum->zero += (gs_i128)s->offset_uw * 2 * time_ns;
}

bool gs_energy_sum_window(struct gs_energy_sum *sum, const struct gs_energy_curve *c,
                          const struct gs_energy_point *a, const struct gs_energy_point *b)
{
    /*
     * One reading has no area, and a window whose points carry the same time lies outside the log
     * or inside a gap that --max-gap leaves out. Such windows have no energy, which is not an
     * energy of 0.
     */
    const double gain = c->sensor.gain;
    if (c->sensor.cut_ns > 0)
        sum->edges_uj2 += uj2_of((cut_end_j2(c, a) + cut_end_j2(c, b)) / (gain * gain));
    if (b->at_ns <= a->at_ns || c->n < 2 || c->n_renewed < 2 || b->used.time_ns == a->used.time_ns)
        return false;
    const gs_i128 energy = b->used.energy - a->used.energy;
    const uint64_t time_ns = b->used.time_ns - a->used.time_ns;
    sum->n++;
    sum->n_cut += a->out_ns > (uint64_t)c->step_ns || b->out_ns > (uint64_t)c->step_ns;
    sum->n_whole += gs_sensor_is_cut(&c->sensor);
    sum->energy += energy;
    sum->bridged += b->used.bridged - a->used.bridged;
    sum->time_ns += time_ns;
    sum->covered_ns += b->used.covered_ns - a->used.covered_ns;
    gs_energy_sum_card(sum, &c->sensor, energy, (gs_i128)time_ns);
    /*
     * Without a reading inside, the window's power is only known to lie between the least and the
     * largest reading of the log. That error is added linearly into `blind`, because such events
     * are usually in step with each other.
     */
    const bool inside = b->renewed > a->renewed || c->renewed_ns[a->renewed] == a->at_ns;
    const bool counted = c->sensor.rhythm == GS_RHYTHM_COUNTED;
    if (inside || counted || c->sensor.rhythm == GS_RHYTHM_RENEWED)
        sum->sampling_uj2 += uj2_of(sampling_j2(c, a, b) / (gain * gain));
    if (!inside && c->sensor.rhythm != GS_RHYTHM_RENEWED) {
        const double time = seconds(time_ns);
        const double e = gs_energy_j(energy) * gain + c->sensor.offset_w * time;
        sum->blind +=
            units_of(gs_max(e - watts(c->least) * time, watts(c->most) * time - e) / gain);
    }
    /*
     * The edges are kept twice: as squares, as if they were independent, and as a signed sum, as
     * if they all erred alike. The interval takes the larger; which of them holds is not known
     * here.
     */
    const double per_w = seconds((uint64_t)gs_sensor_edge_ns(&c->sensor)) / 4.0 / gain;
    const double first = watts(a->range) * per_w, second = watts(b->range) * per_w;
    sum->edges_uj2 += uj2_of(first * first) + uj2_of(second * second);
    if (counted) {
        /* Both ends are late by up to a step of the counter, each by another part of it. */
        const double step = (double)c->sensor.counted_step / (double)GS_FIXED_ONE;
        sum->edges_uj2 += uj2_of((step * step / 6.0 + counted_end_j2(c, a, a->at_ns, b->at_ns) +
                                  counted_end_j2(c, b, a->at_ns, b->at_ns)) /
                                 (gain * gain));
    }
    if (a->rise != 0)
        sum->edges += units_of(edge_j(c, a, a->at_ns, b->at_ns) / gain);
    if (b->rise != 0)
        sum->edges -= units_of(edge_j(c, b, a->at_ns, b->at_ns) / gain);
    return true;
}

void gs_energy_sum_beside(struct gs_energy_sum *sum, const struct gs_energy_curve *c,
                          const struct gs_energy_point *a, const struct gs_energy_point *b,
                          const struct gs_energy_beside *beside)
{
    const struct gs_energy_point *const end[] = {a, b};
    const int64_t *const free_ns = beside->free_ns, edge_ns = gs_sensor_edge_ns(&c->sensor);
    const double gain = c->sensor.gain;
    if (gs_span(a->at_ns, b->at_ns) <= (uint64_t)edge_ns) {
        int64_t least = gs_min(a->most - a->range, b->most - b->range);
        for (int k = 0; k < 2; k++)
            if (free_ns[k] > 0 && free_ns[k] < edge_ns)
                least = c->least; /* no reading is of that rest alone */
        double hidden = 0.0;
        for (int k = 0; k < 2; k++) {
            const int64_t half_ns = free_ns[k] / 2;
            const double nearer = fmin((double)half_ns / (double)off_ns(c), 1.0);
            hidden += (end[k]->aside[k].j - watts(least) * end[k]->aside[k].s) * nearer;
            /* This has that the load begins and ends with the event, but where another is beside it. */
            if (sum->n > 0 && free_ns[k] > 0 && end[k]->rise != 0)
                sum->edges +=
                    (2 * k - 1) * units_of(edge_j(c, end[k], a->at_ns, b->at_ns) * nearer / gain);
        }
        sum->blind += units_of(fmax(hidden, 0.0) / gain);
    }
    if (!beside->in_step || !gs_sensor_is_cut(&c->sensor))
        return;
    const gs_i128 apart = units_of(sqrt((double)sum->edges_uj2 * 1e-12));
    sum->edges = gs_max((gs_i128)gs_magnitude_i128(sum->edges), apart);
    sum->edges_uj2 = 0;
}

bool gs_energy_sum_log(struct gs_energy_sum *sum, const struct gs_energy_curve *c)
{
    struct gs_energy_point at[2];
    gs_energy_points(c, (const int64_t[]){GS_LOG_START, GS_LOG_END}, 2, at);
    return gs_energy_sum_window(sum, c, &at[0], &at[1]);
}

void gs_energy_sum_end_gpu(struct gs_energy_sum *sum)
{
    /*
     * An assignment, not an addition: the individual error of a card is one error for all of its
     * windows, so it is derived from their total and squared once.
     */
    sum->own_uj2 = gs_energy_own_uj2(sum->unknown, sum->unknown_ns);
}

void gs_energy_sum_apart(struct gs_energy_sum *sum, double sd_j)
{
    sum->sampling_uj2 += uj2_of(sd_j * sd_j);
}

void gs_energy_sum_alike(struct gs_energy_sum *sum, double sd_j)
{
    sum->edges += units_of(sd_j);
}

/* --- what fits -------------------------------------------------------------------------------------- */

/* The largest reading in magnitude, 0 where there is none. */
static uint64_t largest(const struct gs_gpu_view *g)
{
    int64_t least = 0, most = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const int64_t p = gs_or_zero(g->value[g->drawn][i]);
        least = gs_min(p, least);
        most = gs_max(p, most);
    }
    return gs_max(gs_magnitude(least), gs_magnitude(most));
}

enum gs_status gs_energy_check_gpu(const struct gs_gpu_view *g, gs_u128 *total, struct gs_err *err)
{
    const gs_u128 max = (gs_u128)GS_ENERGY_HOST_MAX;
    if (g->n == 0)
        return GS_OK;
    const uint64_t size = largest(g), span = gs_span(g->t_ns[0], g->t_ns[g->n - 1]);
    /*
     * Twice the largest reading all the time; what even the half of it cannot hold is beyond any
     * doubt. The product is below 2^127, but twice it, or the sum over many GPUs, could pass
     * 2^128. So it is capped before it is doubled; *total was below the maximum before, or the
     * call before it had failed.
     */
    const gs_u128 half = (gs_u128)size * span;
    *total += 2 * gs_min(half, max);
    if (*total < max)
        return GS_OK;
    char when[GS_LOCAL_TEXT_MAX];
    uint32_t at = 0;
    while (gs_magnitude(gs_or_zero(g->value[g->drawn][at])) != size)
        at++;
    return gs_fail(err, GS_ERR_DATA,
                   "power_w: %lld W at %s: too much to add up; a host's largest reading times the "
                   "time of its samples must be below 19,800,000,000,000 J",
                   (long long)(g->value[g->drawn][at] / GS_FIXED_ONE),
                   gs_time_words(when, NULL, g->t_ns[at]));
}

enum gs_status gs_energy_check(const struct gs_host_view *host, struct gs_err *err)
{
    gs_u128 total = 0;
    for (uint32_t k = host->from_gpu; k < host->to_gpu; k++)
        GS_TRY(gs_energy_check_gpu(&host->gpu[k], &total, err));
    return GS_OK;
}
