/* burst.c - trains of bursts, and the boxcar fitted to them. */
#include "analysis/timeline/burst.h"

#include <math.h>

#include "base/num/timestamp.h"
#include "base/num/order.h"

/*
 * A burst is no square wave: what the fit does not know of its edges. Section F asks 7 % of a calibrated card, which is
 * taken as twice the standard error.
 */
static const double shape_of_a_burst = 0.035;

/* Such a share was measured of bursts of 50 ms; the edges of a shorter one take as long. */
static const double shape_s = 0.05;
enum { LEAST_BURSTS = 5, LEAST_LOOSE = 8, MOST_READINGS = 4096, MOST_BURSTS = 256 };
static const double strict = 0.05, loose = 0.2, alike = 0.5, well_fitted = 0.8, explained = 0.95,
                    little_rest = 0.02;
static const int64_t idle_ns = 2 * GS_NS_PER_S;

/* Trains slower than as many times the sensor's reach are seen but for a tenth: 1 - sin(x) / x, x = pi / 4. */
static const double hidden = 4.0;

/* A window of at most a second or two shows in trains of about such steps. */
static const int64_t telling_ns = 4 * GS_NS_PER_S;

/*
 * How far a step is from the mean of those before, as a share of it. A single step has no mean
 * before it, so two bursts never disagree. follows() has made sure that starts ascend, so the mean
 * is above 0.
 */
static double stumble(const struct gs_burst *burst, size_t first, size_t next)
{
    if (next - first < 2)
        return 0.0;
    const double step = (double)burst[next].start_ns - (double)burst[next - 1].start_ns;
    const double mean = ((double)burst[next - 1].start_ns - (double)burst[first].start_ns) /
                        (double)(next - 1 - first);
    return fabs(step - mean) / mean;
}

static bool follows(const struct gs_burst *burst, size_t first, size_t next)
{
    const double own = (double)burst[next].stop_ns - (double)burst[next].start_ns;
    const double like = (double)burst[first].stop_ns - (double)burst[first].start_ns;
    return burst[next].start_ns > burst[next - 1].start_ns &&
           burst[next].start_ns >= burst[next - 1].stop_ns && fabs(own - like) <= alike * like &&
           stumble(burst, first, next) <= loose;
}

/*
 * Callers pass at least 5 bursts, so n - 1 is not 0. The period is from start to start, because a
 * lag of the sensor moves all starts alike and cancels.
 */
static struct gs_burst_train train_of(const struct gs_burst *burst, size_t first, size_t n)
{
    double on = 0;
    for (size_t i = first; i < first + n; i++)
        on += (double)burst[i].stop_ns - (double)burst[i].start_ns;
    const double period =
        ((double)burst[first + n - 1].start_ns - (double)burst[first].start_ns) / (double)(n - 1);
    return (struct gs_burst_train){first, n, (int64_t)nearbyint(period), on / (double)n / period};
}

enum gs_status gs_burst_trains_find(const struct gs_burst *burst, size_t n, struct gs_arena *arena,
                                    struct gs_burst_train **train, size_t *n_trains,
                                    struct gs_err *err)
{
    /* A train has at least 5 bursts and a burst is in one train only, which bounds their number. */
    GS_NEW_RAW(struct gs_burst_train, found, n / LEAST_BURSTS, arena, err);
    size_t n_found = 0, first = 0;
    double worst = 0.0;
    /*
     * The turn i == n closes the last train. A burst that breaks a train starts the next one; it
     * is never in both.
     */
    for (size_t i = 1; i <= n; i++) {
        if (i < n && follows(burst, first, i)) {
            worst = fmax(worst, stumble(burst, first, i));
            continue;
        }
        if (i - first >= LEAST_LOOSE || (i - first >= LEAST_BURSTS && worst <= strict))
            found[n_found++] = train_of(burst, first, i - first);
        worst = 0.0;
        first = i;
    }
    *train = found;
    *n_trains = n_found;
    return GS_OK;
}

/* The readings at their renewals between two instants; where the log is slower than the sensor, all of them.
 */
static bool gather(const struct gs_power_series *s, int64_t from_ns, int64_t to_ns, bool all,
                   struct gs_arena *scratch, struct gs_boxcar_data *data)
{
    /*
     * The fit costs readings x candidates, so at most 4096 readings take part. A train that is
     * longer is judged by its beginning.
     */
    int64_t *const t = gs_arena_take_raw(scratch, MOST_READINGS, sizeof *t);
    double *const v = gs_arena_take_raw(scratch, MOST_READINGS, sizeof *v);
    if (t == NULL || v == NULL)
        return false;
    int64_t last = GS_MISSING;
    size_t n = 0;
    for (size_t i = 0; i < s->n && s->t_ns[i] <= to_ns && n < MOST_READINGS; i++) {
        if (s->power[i] == GS_MISSING)
            continue;
        if (s->t_ns[i] >= from_ns && last != GS_MISSING && (all || s->power[i] != last)) {
            t[n] = s->t_ns[i];
            v[n++] = (double)s->power[i] / (double)GS_FIXED_ONE;
        }
        /*
         * `last` is tracked before from_ns too: the first reading inside counts as renewed only if
         * it differs from its real predecessor.
         */
        last = s->power[i];
    }
    data->n = n;
    data->t_ns = t;
    data->reading = v;
    return true;
}

/* How long the load was on: a point where it starts and one where it stops. */
static bool integrate(const struct gs_burst *burst, size_t n, struct gs_arena *scratch,
                      struct gs_boxcar_curve *load)
{
    int64_t *const t = gs_arena_take_raw(scratch, 2 * n, sizeof *t);
    double *const sum = gs_arena_take_raw(scratch, 2 * n, sizeof *sum);
    double on = 0.0;
    if (t == NULL || sum == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        t[2 * i] = burst[i].start_ns;
        sum[2 * i] = on;
        on += (double)(burst[i].stop_ns - burst[i].start_ns);
        t[2 * i + 1] = burst[i].stop_ns;
        sum[2 * i + 1] = on;
    }
    *load = (struct gs_boxcar_curve){2 * n, t, sum};
    return true;
}

/* The best fit of that range; false: none. */
static bool fit_between(const struct gs_boxcar_data *data, const struct gs_boxcar_range *range,
                        struct gs_arena *scratch, struct gs_boxcar_fit *fit, enum gs_status *status)
{
    const enum gs_status s = gs_boxcar_fit(data, range, scratch, fit, NULL);
    /*
     * GS_ERR_RANGE means that no window of this range fits, which is an answer. Anything else (no
     * memory) must end the command.
     */
    if (s != GS_OK && s != GS_ERR_RANGE)
        *status = s;
    return s == GS_OK;
}

/* Fits windows shorter than 3/4 of the period, between, and longer; the best of them is the train's. */
static enum gs_status fit_train(const struct gs_boxcar_data *data, int64_t period_ns,
                                struct gs_arena *scratch, struct gs_burst_train_view *v,
                                bool *shorter_wins, struct gs_err *err)
{
    /*
     * The lower bounds of 1, 2 and 3 ns keep the four limits ascending even for a period of a few
     * ns.
     */
    const int64_t low = gs_max(period_ns / 10, 1), part = gs_max(period_ns / 4 * 3, 2);
    const int64_t bound[4] = {low, part, gs_max(period_ns, 3), gs_max(2 * period_ns, idle_ns)};
    struct gs_boxcar_fit f[3];
    bool have[3] = {false};
    enum gs_status status = GS_OK;
    for (int k = 0; k < 3; k++) {
        const struct gs_boxcar_range range = {
            .window_min_ns = bound[k],
            .window_max_ns = bound[k + 1],
            .delay_max_ns = 3 * period_ns,
            .r_squared_min = v->judged ? well_fitted : 0.0}; /* else it is refused, see judge() */
        have[k] = fit_between(data, &range, scratch, &f[k], &status);
        if (have[k] && (!v->fitted || f[k].rss < v->fit.rss)) {
            v->fit = f[k];
            v->fitted = true;
        }
    }
    *shorter_wins = have[0] && (!have[2] || f[0].rss < f[2].rss);
    return gs_had_memory(status == GS_OK, err);
}

static bool is_known_short(const struct gs_sensor *s, int64_t period_ns)
{
    return gs_sensor_window_known(s) && (double)s->window_ns <= 0.75 * (double)period_ns;
}

/*
 * The order of the checks is that of certainty: a known window is decided without the fit, a fit
 * only where the window is not known. `why` is the text that the user reads.
 */
static void judge(const struct gs_sensor *s, int64_t period_ns, bool shorter_wins,
                  struct gs_burst_train_view *v)
{
    const bool known = gs_sensor_window_known(s);
    if (is_known_short(s, period_ns))
        v->why = "its window is known to be shorter than the time between its readings";
    else if (!v->fitted)
        v->why = "its readings do not follow the bursts";
    else if (v->fit.r_squared < well_fitted)
        v->why = "no running mean of the bursts explains its readings";
    else if (!known && shorter_wins)
        v->why = "its readings are best explained by a window shorter than the time between them";
    v->refused = v->why != NULL;
}

/* Steps that follow each other without rests: what a fit would tell apart is not there. */
static bool is_without_rests(const struct gs_burst_train *t)
{
    return 1.0 - t->share <= little_rest * t->share;
}

/* See gs_burst_train_view. */
static bool is_judged(const struct gs_sensor *s, const struct gs_burst_train *t, int64_t period_ns)
{
    const double on = t->share * (double)t->period_ns, rest = (double)t->period_ns - on,
                 period = (double)period_ns;
    const bool known = s->period_from != GS_SENSOR_UNKNOWN;
    return gs_sensor_in_sight(s) && (on < period || (rest < period && !is_without_rests(t))) &&
           (known || t->period_ns / 2 < s->interval_ns);
}

enum gs_status gs_burst_train_inspect(const struct gs_bursts_seen *seen,
                                      const struct gs_burst_train *train, bool fit_anyway,
                                      struct gs_arena *scratch, struct gs_burst_train_view *view,
                                      struct gs_err *err)
{
    const struct gs_sensor *const sensor = seen->sensor;
    const struct gs_burst *const burst = seen->burst;
    const int64_t period = gs_max(sensor->period_ns, sensor->interval_ns);
    const double on = train->share * (double)train->period_ns;
    const bool in_sight = gs_sensor_in_sight(sensor);
    struct gs_burst_train_view v = {.judged = is_judged(sensor, train, period)};
    *view = v;
    /* seen as it is */
    if ((!v.judged && !fit_anyway) || period <= 0 ||
        (!in_sight && (on >= (double)sensor->reach_ns || is_without_rests(train))))
        return GS_OK;
    if (!fit_anyway && is_known_short(sensor, period)) { /* a fit takes a fifth of a second */
        judge(sensor, period, false, view);
        return GS_OK;
    }
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const size_t end = train->first + train->n;
    /*
     * Idle time on both sides gives the fit its lower level. Behind the train it must also cover
     * the longest window plus the longest delay that are tried; it stops at a neighbouring burst,
     * whose load the fit does not model.
     */
    const int64_t reach = gs_max(idle_ns, 2 * period) + 4 * period;
    int64_t from = gs_time_moved(burst[train->first].start_ns, -idle_ns - period),
            to = gs_time_moved(burst[end - 1].stop_ns, reach);
    if (train->first > 0)
        from = gs_max(from, burst[train->first - 1].stop_ns);
    if (end < seen->n && burst[end].start_ns < to)
        to = burst[end].start_ns;
    struct gs_boxcar_data data = {0};
    bool shorter_wins = false;
    enum gs_status s = GS_OK;
    if (!gather(seen->series, from, to, sensor->interval_ns >= sensor->period_ns, scratch, &data) ||
        !integrate(burst + train->first, train->n, scratch, &data.load))
        s = gs_fail_memory(err);
    else
        s = fit_train(&data, period, scratch, &v, &shorter_wins, err);
    gs_arena_rewind(scratch, mark);
    if (s != GS_OK)
        return s;
    if (v.judged)
        judge(sensor, period, shorter_wins, &v);
    v.fitted &= in_sight || v.fit.r_squared >= well_fitted;
    *view = v;
    return GS_OK;
}

bool gs_burst_train_wants_fit(const struct gs_burst_train *t, const struct gs_sensor *s)
{
    const bool tells = !gs_sensor_window_known(s) || s->window_ns < s->period_ns;
    return (double)t->period_ns < hidden * (double)s->reach_ns ||
           (tells && t->period_ns <= telling_ns);
}

enum gs_status gs_bursts_inspect(const struct gs_bursts_seen *seen, struct gs_arena *scratch,
                                 struct gs_burst_train_view *view, struct gs_err *err)
{
    const struct gs_sensor *const sensor = seen->sensor;
    const struct gs_burst *const burst = seen->burst;
    *view = (struct gs_burst_train_view){0};
    if (seen->n < LEAST_BURSTS || gs_sensor_window_known(sensor) || !gs_sensor_in_sight(sensor))
        return GS_OK;
    const struct gs_burst_train all = train_of(burst, 0, gs_min(seen->n, MOST_BURSTS));
    for (size_t i = 1; i < all.n; i++)
        if (burst[i].start_ns < burst[i - 1].stop_ns)
            return GS_OK;
    if (all.period_ns <= 0 || !gs_burst_train_wants_fit(&all, sensor))
        return GS_OK;
    const enum gs_status s = gs_burst_train_inspect(seen, &all, true, scratch, view, err);
    /*
     * These bursts are no train: their fit may tell the window, but it must not refuse the energy
     * of events that do not repeat.
     */
    view->judged = view->refused = false;
    view->why = NULL;
    return s;
}

bool gs_burst_train_determines(const struct gs_burst_train_view *v, const struct gs_sensor *s)
{
    return v->fitted && !v->refused && v->fit.r_squared >= explained && gs_sensor_in_sight(s) &&
           !gs_sensor_window_known(s);
}

/* A level in W (a reading) in the meter's scale. */
static double sensor_scale_w(const struct gs_sensor *s, double reading_w)
{
    return (reading_w - s->offset_w) / s->gain;
}

void gs_burst_train_burst(const struct gs_burst_train_view *view, const struct gs_sensor *s,
                          int64_t length_ns, struct gs_energy_sum *sum)
{
    const double length_s = (double)length_ns / (double)GS_NS_PER_S;
    const double joule = sensor_scale_w(s, view->fit.on) * length_s;
    const gs_i128 energy = fabs(joule) < 1e13 ? (gs_i128)(joule * (double)GS_ENERGY_PER_J) : 0;
    sum->n++;
    sum->energy += energy;
    sum->time_ns += length_ns;
    sum->covered_ns += length_ns;
    gs_energy_sum_card(sum, s, energy, length_ns);
    gs_energy_sum_apart(sum, view->fit.on_sd / s->gain * length_s);
    /*
     * One shape for all bursts of a train is one mistake, so it is added linearly; the fit's own
     * scatter is added as squares.
     */
    gs_energy_sum_alike(sum, shape_of_a_burst * sensor_scale_w(s, view->fit.on) *
                                 fmax(length_s, shape_s));
}

double gs_burst_train_ripple_j(const struct gs_burst_train *t, const struct gs_burst_train_view *v,
                               const struct gs_sensor *s)
{
    if (!v->fitted)
        return 0.0;
    const double period_s = (double)t->period_ns / (double)GS_NS_PER_S;
    /* sin(x) / x is 0 / 0 at 0. Below 1e-4 it differs from 1 by less than 2e-9, so 1 is used. */
    const double x = acos(-1.0) * (double)s->window_ns / (double)t->period_ns;
    /* a mean over a window keeps sin x / x of a wave; one within the reach stands still */
    double seen = 0.0;
    if (t->period_ns >= s->reach_ns)
        seen = x < 1e-4 ? 1.0 : fabs(sin(x) / x);
    return (v->fit.on - v->fit.off) / s->gain * t->share * (1.0 - t->share) * period_s / 2.0 *
           (1.0 - seen);
}
