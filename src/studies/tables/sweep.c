/* sweep.c - groups of runs over frequency: means, correlations, smooth, knee, best clock. */
#include "studies/tables/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/exact/corr.h"
#include "stats/models/knee.h"
#include "stats/exact/moments.h"
#include "base/num/order.h"

enum {
    G_GROUP,
    G_RUNS,
    G_FREQUENCIES,
    G_TIME_CV,
    G_POWER_CV,
    G_R_POWER_TIME,
    G_R_POWER_FREQUENCY,
    G_R_TIME_FREQUENCY,
    G_RELATIVE_MAX,
    G_BEST,
    G_SAVED,
    G_LOST,
    G_KNEE,
    G_COLUMNS
};

static const struct gs_column_spec group_columns[G_COLUMNS] = {
    [G_GROUP] = GS_COL(GROUP, .how = "values of the --group columns"),
    [G_RUNS] = GS_COL(RUNS),
    [G_FREQUENCIES] = GS_COL(FREQUENCIES),
    [G_TIME_CV] = GS_COL(TIME_CV_MAX),
    [G_POWER_CV] = GS_COL(POWER_CV_MAX),
    [G_R_POWER_TIME] = GS_COL(R_POWER_TIME),
    [G_R_POWER_FREQUENCY] = GS_COL(R_POWER_FREQUENCY),
    [G_R_TIME_FREQUENCY] = GS_COL(R_TIME_FREQUENCY),
    [G_RELATIVE_MAX] = GS_COL(RELATIVE_TIME_MAX),
    [G_BEST] = GS_COL(BEST_FREQUENCY_MHZ),
    [G_SAVED] = GS_COL(ENERGY_SAVED_PCT),
    [G_LOST] = GS_COL(TIME_LOST_PCT),
    [G_KNEE] = GS_COL(KNEE_MHZ),
};

enum {
    P_GROUP,
    P_FREQUENCY,
    P_N,
    P_TIME,
    P_TIME_SD,
    P_TIME_CV,
    P_POWER,
    P_POWER_SD,
    P_POWER_CV,
    P_RELATIVE,
    P_LOESS,
    P_ENERGY,
    P_COLUMNS
};

static const struct gs_column_spec point_columns[P_COLUMNS] = {
    [P_GROUP] = GS_COL(GROUP, .how = "values of the --group columns"),
    [P_FREQUENCY] = GS_COL(FREQUENCY_MHZ),
    [P_N] = GS_COL(N, .how = "runs at this frequency"),
    [P_TIME] = GS_COL(TIME_MEAN_S),
    [P_TIME_SD] = GS_COL(TIME_SD_S),
    [P_TIME_CV] = GS_COL(TIME_CV),
    [P_POWER] = GS_COL(POWER_MEAN_W, .how = "mean over the runs"),
    [P_POWER_SD] = GS_COL(POWER_SD_W, .how = "standard deviation, divisor n - 1"),
    [P_POWER_CV] = GS_COL(POWER_CV),
    [P_RELATIVE] = GS_COL(RELATIVE_TIME),
    [P_LOESS] = GS_COL(LOESS),
    [P_ENERGY] = GS_COL(ENERGY_J, .digits = GS_DIGITS(3), .how = "mean power times mean time"),
};

enum { C_GROUP, C_PAIR, C_R, C_COLUMNS };

static const struct gs_column_spec correlation_columns[C_COLUMNS] = {
    [C_GROUP] = GS_COL(GROUP, .how = "values of the --group columns"),
    [C_PAIR] = GS_COL(PAIR),
    [C_R] = GS_COL(R),
};

static int compare_reals(double a, double b)
{
    return gs_cmp(a, b);
}

/* By group and frequency; the rest only so that the order of rows cannot matter. */
static int compare_runs(const void *a, const void *b)
{
    const struct gs_sweep_run *const x = a, *const y = b;
    int order = gs_str_compare(x->group, y->group);
    if (order == 0)
        order = compare_reals(x->frequency_mhz, y->frequency_mhz);
    if (order == 0)
        order = compare_reals(x->time_s, y->time_s);
    return order != 0 ? order : compare_reals(x->power_w, y->power_w);
}

/* The runs as columns, and the room that a group's points need. */
struct sweep {
    size_t n;
    struct gs_sweep_run *run;                                /* sorted */
    double *frequency, *time, *power;                        /* [n] of the runs   */
    double *at, *mean_time, *mean_power, *relative, *smooth; /* [n] of the points of one group */
    struct gs_arena scratch;
    const struct gs_sweep_options *options;
    size_t n_no_knee;
};

/*
 * A copy is sorted: the caller's table keeps its order. All room for a group is taken for the
 * largest one there can be.
 */
static bool parse_columns(struct sweep *w, const struct gs_sweep_table *t)
{
    double **const columns[] = {&w->frequency, &w->time,       &w->power,    &w->at,
                                &w->mean_time, &w->mean_power, &w->relative, &w->smooth};
    w->n = t->n;
    w->run = gs_arena_take_raw(&w->scratch, t->n, sizeof *w->run);
    if (w->run == NULL)
        return false;
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        if ((*columns[c] = gs_arena_take_raw(&w->scratch, t->n, sizeof **columns[c])) == NULL)
            return false;
    if (t->n > 0) {
        memcpy(w->run, t->run, t->n * sizeof *w->run);
        qsort(w->run, t->n, sizeof *w->run, compare_runs);
    }
    for (size_t i = 0; i < t->n; i++) {
        w->frequency[i] = w->run[i].frequency_mhz;
        w->time[i] = w->run[i].time_s;
        w->power[i] = w->run[i].power_w;
    }
    return true;
}

static bool same_group(const struct sweep *w, size_t i, size_t k)
{
    return gs_str_eq(w->run[i].group, w->run[k].group);
}

static void count(const struct sweep *w, size_t *n_groups, size_t *n_points)
{
    *n_groups = *n_points = 0;
    for (size_t i = 0; i < w->n; i++) {
        const bool first = i == 0 || !same_group(w, i - 1, i);
        *n_groups += first;
        *n_points += first || w->frequency[i - 1] != w->frequency[i];
    }
}

static double ratio(double a, double b)
{
    return b > 0 && isfinite(a / b) ? a / b : (double)NAN;
}

/* Fills the points of the runs [lo, hi); returns how many. */
static size_t fill_points(struct sweep *w, size_t lo, size_t hi, struct gs_frame *f, size_t row)
{
    size_t n = 0;
    for (size_t i = lo, j; i < hi; i = j, n++) {
        for (j = i; j < hi && w->frequency[j] == w->frequency[i]; j++)
            ;
        const struct gs_real_moments time = gs_real_describe(w->time + i, j - i);
        const struct gs_real_moments power = gs_real_describe(w->power + i, j - i);
        w->at[n] = w->frequency[i];
        w->mean_time[n] = time.mean;
        w->mean_power[n] = power.mean;
        gs_frame_set_text(f, row + n, P_GROUP, w->run[lo].group);
        gs_frame_set_real(f, row + n, P_FREQUENCY, w->at[n]);
        gs_frame_set_int(f, row + n, P_N, (int64_t)(j - i));
        gs_frame_set_real(f, row + n, P_TIME, time.mean);
        gs_frame_set_real(f, row + n, P_TIME_SD, time.ssd);
        gs_frame_set_real(f, row + n, P_TIME_CV, ratio(time.ssd, time.mean));
        gs_frame_set_real(f, row + n, P_POWER, power.mean);
        gs_frame_set_real(f, row + n, P_POWER_SD, power.ssd);
        gs_frame_set_real(f, row + n, P_POWER_CV, ratio(power.ssd, power.mean));
        gs_frame_set_real(f, row + n, P_ENERGY, power.mean * time.mean);
    }
    return n;
}

static enum gs_status smooth_points(struct sweep *w, size_t n, struct gs_frame *f, size_t row,
                                    struct gs_err *err)
{
    const struct gs_real_moments time = gs_real_describe(w->mean_time, n);
    for (size_t i = 0; i < n; i++) {
        w->relative[i] = ratio(w->mean_time[i], time.min);
        gs_frame_set_real(f, row + i, P_RELATIVE, w->relative[i]);
        w->smooth[i] = (double)NAN;
    }
    const enum gs_status s =
        gs_loess(w->at, w->relative, n, &w->options->loess, w->at, n, w->smooth, &w->scratch, err);
    if (s != GS_OK && s != GS_ERR_RANGE)
        return s;
    for (size_t i = 0; i < n && s == GS_OK; i++)
        gs_frame_set_real(f, row + i, P_LOESS, w->smooth[i]);
    return GS_OK;
}

static double greatest(const struct gs_frame *f, size_t column, size_t row, size_t n)
{
    return gs_real_describe(f->columns[column].real + row, n).max;
}

static void best_clock(const struct sweep *w, size_t n, struct gs_frame *f, size_t row)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (w->mean_power[i] * w->mean_time[i] <= w->mean_power[best] * w->mean_time[best])
            best = i;
    const double energy = w->mean_power[best] * w->mean_time[best];
    gs_frame_set_real(f, row, G_BEST, w->at[best]);
    gs_frame_set_real(f, row, G_SAVED,
                      100.0 * (1.0 - ratio(energy, w->mean_power[n - 1] * w->mean_time[n - 1])));
    gs_frame_set_real(f, row, G_LOST,
                      100.0 * (ratio(w->mean_time[best], w->mean_time[n - 1]) - 1.0));
}

static enum gs_status find_knee(struct sweep *w, size_t n, struct gs_frame *f, size_t row,
                                struct gs_err *err)
{
    struct gs_knee knee;
    const enum gs_status s = gs_knee_find(w->at, w->mean_power, n, true, &w->scratch, &knee, err);
    if (s != GS_OK && s != GS_ERR_RANGE)
        return s;
    if (s == GS_OK && knee.right.slope > knee.left.slope)
        gs_frame_set_real(f, row, G_KNEE, knee.x);
    else
        w->n_no_knee++;
    return GS_OK;
}

static void correlate(const struct sweep *w, size_t lo, size_t hi, struct gs_sweep_frames *f,
                      size_t row)
{
    const struct {
        const double *x, *y;
        const char *pair;
        size_t column;
    } pairs[] = {{w->power, w->time, "power, time", G_R_POWER_TIME},
                 {w->power, w->frequency, "power, frequency", G_R_POWER_FREQUENCY},
                 {w->time, w->frequency, "time, frequency", G_R_TIME_FREQUENCY}};
    for (size_t k = 0; k < 3; k++) {
        struct gs_corr_test test;
        gs_frame_set_text(f->correlations, 3 * row + k, C_GROUP, w->run[lo].group);
        gs_frame_set_text(f->correlations, 3 * row + k, C_PAIR, gs_str(pairs[k].pair));
        if (gs_real_corr_test(pairs[k].x + lo, pairs[k].y + lo, hi - lo, 0.95, &test, NULL) !=
            GS_OK)
            continue;
        gs_frame_set_real(f->groups, row, pairs[k].column, test.r);
        gs_frame_set_real(f->correlations, 3 * row + k, C_R, test.r);
    }
}

static enum gs_status fill_groups(struct sweep *w, struct gs_sweep_frames *f, struct gs_err *err)
{
    size_t group = 0, row = 0;
    enum gs_status s = GS_OK;
    for (size_t lo = 0, hi; lo < w->n && s == GS_OK; lo = hi, group++) {
        for (hi = lo; hi < w->n && same_group(w, lo, hi); hi++)
            ;
        const size_t n = fill_points(w, lo, hi, f->points, row);
        gs_frame_set_text(f->groups, group, G_GROUP, w->run[lo].group);
        gs_frame_set_int(f->groups, group, G_RUNS, (int64_t)(hi - lo));
        gs_frame_set_int(f->groups, group, G_FREQUENCIES, (int64_t)n);
        s = smooth_points(w, n, f->points, row, err);
        if (s == GS_OK)
            s = find_knee(w, n, f->groups, group, err);
        gs_frame_set_real(f->groups, group, G_TIME_CV, greatest(f->points, P_TIME_CV, row, n));
        gs_frame_set_real(f->groups, group, G_POWER_CV, greatest(f->points, P_POWER_CV, row, n));
        gs_frame_set_real(f->groups, group, G_RELATIVE_MAX,
                          greatest(f->points, P_RELATIVE, row, n));
        best_clock(w, n, f->groups, group);
        correlate(w, lo, hi, f, group);
        row += n;
    }
    return s;
}

enum gs_status gs_sweep_evaluate(const struct gs_sweep_table *table,
                                 const struct gs_sweep_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_sweep_frames *frames,
                                 struct gs_err *err)
{
    struct sweep w = {.options = options};
    struct gs_sweep_frames f = {0};
    size_t n_groups, n_points;
    enum gs_status s = GS_OK;
    if (!(options->loess.span > 0) || options->loess.degree < 0 || options->loess.degree > 2)
        return gs_fail(err, GS_ERR_RANGE, "loess: span must be above 0 and degree 0, 1 or 2");
    if (!parse_columns(&w, table))
        s = gs_fail_memory(err);
    if (s == GS_OK) {
        count(&w, &n_groups, &n_points);
        s = gs_frame_new(arena, "sweep", "Each group over the core clock", group_columns, G_COLUMNS,
                         n_groups, NULL, &f.groups, err);
    }
    if (s == GS_OK)
        s = gs_frame_new(arena, "sweep-points", "Each group at each frequency", point_columns,
                         P_COLUMNS, n_points, NULL, &f.points, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "sweep-correlations", "Correlation of time, power and frequency",
                         correlation_columns, C_COLUMNS, 3 * n_groups, NULL, &f.correlations, err);
    if (s == GS_OK)
        s = fill_groups(&w, &f, err);
    if (s == GS_OK) {
        if (w.n_no_knee > 0)
            gs_note(
                notes, GS_NOTE_INFO,
                "%zu of %zu groups have no knee: too few frequencies, or power does not rise more "
                "steeply above any",
                w.n_no_knee, n_groups);
        *frames = f;
    }
    gs_arena_release(&w.scratch);
    return s;
}
