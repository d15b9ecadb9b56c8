/* power_calibrate.c - least squares of a card's readings on a meter's running mean. */
#include "analysis/power_logs/power_calibrate.h"

#include <math.h>

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "stats/models/boxcar.h"

enum { LEAST_READINGS = 20, MOST_READINGS = 8192 };
static const int64_t longest_window_ns = 2 * GS_NS_PER_S;
static const double all_but_seen = 0.8;

static const struct gs_column_spec columns[] = {
    GS_COL(GPU),
    GS_COL(SENSOR),
    GS_COL(PERIOD_MS),
    GS_COL(WINDOW_MS),
    GS_COL(DELAY_MS),
    GS_COL(GAIN),
    GS_COL(OFFSET_W),
    GS_COL(R_SQUARED, .digits = GS_DIGITS(5),
           .how = "share of the readings' variance that this explains"),
    GS_COL(READINGS),
    GS_COL(READING_MIN_W),
    GS_COL(READING_MAX_W),
};

static bool is_series(const struct gs_log *log)
{
    return log->t_ns != NULL && log->n >= 2;
}

/* The meter's integral; of several readings at one instant the last stands. */
static bool integrate(const struct gs_log *log, int64_t shift_ns, struct gs_arena *arena,
                      struct gs_boxcar_curve *c)
{
    int64_t *const t = gs_arena_take_raw(arena, log->n, sizeof *t);
    double *const sum = gs_arena_take_raw(arena, log->n, sizeof *sum);
    const int64_t *const p = log->value[GS_LOG_POWER];
    size_t n = 0;
    if (t == NULL || sum == NULL)
        return false;
    for (size_t i = 0; i < log->n; i++) {
        int64_t at;
        if (__builtin_add_overflow(log->t_ns[i], shift_ns, &at))
            continue;
        /*
         * A point twice at one instant would make an interval of no length, by which the fit
         * divides.
         */
        if (n > 0 && at == t[n - 1])
            continue;
        const double mean =
            i == 0 ? 0.0 : ((double)p[i - 1] + (double)p[i]) / 2.0 / (double)GS_FIXED_ONE;
        sum[n] = n == 0 ? 0.0 : sum[n - 1] + mean * (double)(at - t[n - 1]);
        t[n++] = at;
    }
    *c = (struct gs_boxcar_curve){n, t, sum};
    return true;
}

/* Renewals with the meter beside them, and for `reach` before. */
static bool gather(const struct gs_power_meter *m, const struct gs_boxcar_curve *c,
                   int64_t reach_ns, struct gs_arena *arena, struct gs_boxcar_data *data,
                   double *least, double *most)
{
    const struct gs_log *const log = m->log;
    const int64_t *const p = log->value[GS_LOG_POWER];
    int64_t *const t = gs_arena_take_raw(arena, MOST_READINGS, sizeof *t);
    double *const v = gs_arena_take_raw(arena, MOST_READINGS, sizeof *v);
    size_t n = 0;
    if (t == NULL || v == NULL)
        return false;
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 1; i < log->n && n < MOST_READINGS; i++) {
        if (p[i] == p[i - 1] || c->n < 2 ||
            (double)log->t_ns[i] - (double)reach_ns < (double)c->t_ns[0] ||
            log->t_ns[i] > c->t_ns[c->n - 1])
            continue;
        t[n] = log->t_ns[i];
        v[n] = (double)p[i] / (double)GS_FIXED_ONE;
        *least = fmin(*least, v[n]);
        *most = fmax(*most, v[n]);
        n++;
    }
    *data = (struct gs_boxcar_data){
        .n = n, .t_ns = t, .reading = v, .load = *c, .before_unknown = true};
    return true;
}

/* The greatest mean of the meter over a length of time. */
static double greatest_mean(const struct gs_boxcar_curve *c, int64_t over_ns)
{
    double most = -INFINITY;
    size_t from = 0;
    for (size_t i = 1; i < c->n; i++) {
        while (from + 1 < i && c->t_ns[i] - c->t_ns[from + 1] >= over_ns)
            from++;
        if (c->t_ns[i] - c->t_ns[from] >= over_ns)
            most = fmax(most, (c->sum[i] - c->sum[from]) / (double)(c->t_ns[i] - c->t_ns[from]));
    }
    return most;
}

/* A line through readings that stay low says little of what lies above them. */
static void note_reach(const struct gs_boxcar_fit *fit, double most,
                       const struct gs_boxcar_curve *c, int64_t over_ns, struct gs_notes *notes)
{
    const double seen = (most - fit->off) / (fit->on - fit->off), there = greatest_mean(c, over_ns);
    if (seen < all_but_seen * there)
        gs_note(notes, GS_NOTE_WARNING,
                "the readings reach %.0f of the %.0f W that the meter saw over %.4g ms: above "
                "that, gain and offset are extrapolated",
                seen, there, (double)over_ns / (double)GS_NS_PER_MS);
}

/* The card, the meter beside it, and what a fit of one to the other looks at and finds. */
struct fitting {
    const struct gs_power_meter *m;
    const struct gs_log_table *reference;
    struct gs_boxcar_curve curve;
    struct gs_boxcar_range range;
    struct gs_boxcar_data data;
    struct gs_boxcar_fit fit;
    double least, most; /* W, of the readings that count */
};

static enum gs_status show(const struct fitting *x, struct gs_str label, struct gs_arena *arena,
                           struct gs_frames *out, struct gs_err *err)
{
    const struct gs_power_meter *const m = x->m;
    const struct gs_boxcar_fit *const fit = &x->fit;
    const double gain = fit->on - fit->off, ms = (double)GS_NS_PER_MS;
    const bool shows = m->curve.sensor.period_from != GS_SENSOR_UNKNOWN;
    struct gs_buf b = {.arena = arena};
    struct gs_frame *f;
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("power-calibration", "The sensor against the meter", GS_COLUMNS(columns)), 1,
        out, &f, err));
    if (shows)
        gs_buf_format(&b, "period=%.3fms,", (double)m->curve.sensor.period_ns / ms);
    gs_buf_format(&b, "window=%.3fms,delay=%.3fms,gain=%.6f,offset=%.4f,r2=%.6f",
                  (double)fit->window_ns / ms, (double)fit->delay_ns / ms, gain, fit->off,
                  fit->r_squared);
    GS_TRY(gs_had_memory(!b.failed, err));
    GS_PUT(f, 0, GS_TEXT(GPU, label), GS_TEXT(SENSOR, gs_buf_str(&b)));
    if (shows)
        GS_PUT(f, 0, GS_REAL(PERIOD_MS, (double)m->curve.sensor.period_ns / ms));
    GS_PUT(f, 0, GS_REAL(WINDOW_MS, (double)fit->window_ns / ms),
           GS_REAL(DELAY_MS, (double)fit->delay_ns / ms), GS_REAL(GAIN, gain),
           GS_REAL(OFFSET_W, fit->off), GS_REAL(R_SQUARED, fit->r_squared),
           GS_INT(READINGS, (int64_t)x->data.n), GS_REAL(READING_MIN_W, x->least),
           GS_REAL(READING_MAX_W, x->most));
    return GS_OK;
}

/*
 * The boxcar's levels "off" and "on" are the reading at 0 W and at 1 W of the meter. So `off` is
 * the offset and `on` - `off` the gain.
 */
static enum gs_status fit_over(struct fitting *x, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_power_meter *const m = x->m;
    const int64_t reach = x->range.window_max_ns / 2 + x->range.delay_max_ns;
    if (!gather(m, &x->curve, reach, arena, &x->data, &x->least, &x->most))
        return gs_fail_memory(err);
    if (m->curve.sensor.n_renewals < LEAST_READINGS)
        return gs_fail(
            err, GS_ERR_DATA,
            "--calibrate: the card's reading changes only %llu times in its log, expected %d "
            "times: a load that varies, a longer log, or readings with more decimals are needed",
            (unsigned long long)m->curve.sensor.n_renewals, LEAST_READINGS);
    if (x->data.n < LEAST_READINGS)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: only %zu renewed readings of the card have %.3g s of the meter before "
                       "them, expected %d; is its clock another one? (--shift, --tz)",
                       x->reference->name, x->data.n, (double)reach / 1e9, LEAST_READINGS);
    const enum gs_status s = gs_boxcar_fit(&x->data, &x->range, arena, &x->fit, NULL);
    if (s == GS_ERR_RANGE)
        return gs_fail(err, GS_ERR_DATA, "%s: the card's readings do not follow the meter",
                       x->reference->name);
    return gs_had_memory(s == GS_OK, err);
}

/*
 * The readings that count have the meter beside them for half of their window at least: what the card drew before the
 * meter began is one more unknown of the fit. Those first readings are often the only ones of an idle card, and without
 * them a load that repeats itself is one level, which tells no gain. So the fit is made twice: over all windows, and
 * with the readings that windows and delays near those found let in.
 */
static enum gs_status fit_twice(struct fitting *x, struct gs_arena *arena, struct gs_err *err)
{
    const int64_t period = gs_max(x->m->curve.sensor.period_ns, 1);
    const int64_t window = period > longest_window_ns / 2 ? 2 * period : longest_window_ns;
    x->range = (struct gs_boxcar_range){.window_min_ns = gs_max(period / 10, 1),
                                        .window_max_ns = window,
                                        .delay_max_ns = 3 * period,
                                        .window_step_ns = gs_max(period / 4, 1)};
    GS_TRY(fit_over(x, arena, err));
    const int64_t longer = x->fit.window_ns / 10 + period, later = x->fit.delay_ns + period;
    x->range.window_max_ns = gs_min(x->fit.window_ns + longer, window);
    x->range.delay_max_ns = gs_min(later, x->range.delay_max_ns);
    return fit_over(x, arena, err);
}

enum gs_status gs_power_calibrate(const struct gs_power_gpus *gpus,
                                  const struct gs_log_table *reference, int64_t shift_ns,
                                  struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_power_gpu *const card = gpus->gpu;
    if (gpus->n != 1 || !is_series(card->log))
        return gs_fail(err, GS_ERR_DATA,
                       "--calibrate: the log must be that of one GPU, with times");
    if (reference->n_logs != 1 || !is_series(reference->log))
        return gs_fail(err, GS_ERR_DATA, "%s: a meter's log must be one series with times",
                       reference->name);
    struct fitting x = {.m = &card->meter, .reference = reference};
    GS_TRY(gs_had_memory(integrate(reference->log, shift_ns, arena, &x.curve), err));
    GS_TRY(fit_twice(&x, arena, err));
    if (x.fit.r_squared < 0.99)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "R^2 = %.4f: the readings follow the meter only roughly; gain and offset are as "
                "uncertain",
                x.fit.r_squared);
    note_reach(&x.fit, x.most, &x.curve, x.range.window_min_ns, &out->notes);
    return show(&x, card->label, arena, out, err);
}
