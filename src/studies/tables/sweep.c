/* sweep.c - groups of runs over frequency: means, correlations, smooth, knee, best clock. */
#include "studies/tables/sweep.h"

#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "stats/descriptive/corr.h"
#include "stats/models/knee.h"
#include "stats/descriptive/moments.h"
#include "studies/tables/quotient.h"

static const struct gs_column_spec group_columns[] = {
    GS_COL(GROUP, .how = "values of the --group columns"),
    GS_COL(RUNS),
    GS_COL(FREQUENCIES),
    GS_COL(TIME_CV_MAX),
    GS_COL(POWER_CV_MAX),
    GS_COL(R_POWER_TIME),
    GS_COL(R_POWER_FREQUENCY),
    GS_COL(R_TIME_FREQUENCY),
    GS_COL(RELATIVE_TIME_MAX),
    GS_COL(BEST_FREQUENCY_MHZ),
    GS_COL(ENERGY_SAVED_PCT),
    GS_COL(TIME_LOST_PCT),
    GS_COL(KNEE_MHZ),
    GS_COL(BEST_ENERGY_DELAY_MHZ),
};

static const struct gs_column_spec point_columns[] = {
    GS_COL(GROUP, .how = "values of the --group columns"),
    GS_COL(FREQUENCY_MHZ),
    GS_COL(N, .how = "runs at this frequency"),
    GS_COL(TIME_MEAN_S),
    GS_COL(TIME_SD_S),
    GS_COL(TIME_CV),
    GS_COL(POWER_MEAN_W, .how = "mean over the runs"),
    GS_COL(POWER_SD_W, .how = "standard deviation, divisor n - 1"),
    GS_COL(POWER_CV),
    GS_COL(RELATIVE_TIME),
    GS_COL(LOESS),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(3), .how = "mean power times mean time"),
    GS_COL(ENERGY_DELAY_JS),
};

static const struct gs_column_spec correlation_columns[] = {
    GS_COL(GROUP, .how = "values of the --group columns"),
    GS_COL(PAIR),
    GS_COL(R),
};

/* By group and frequency; the rest only so that the order of rows cannot matter. */
GS_COMPARES(compare_runs, struct gs_sweep_run,
            GS_BY_TEXT(group) GS_BY(frequency_mhz) GS_BY(time_s) GS_BY(power_w));

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
        GS_SORT(w->run, t->n, compare_runs);
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
        GS_PUT(f, row + n, GS_TEXT(GROUP, w->run[lo].group), GS_REAL(FREQUENCY_MHZ, w->at[n]),
               GS_INT(N, (int64_t)(j - i)), GS_REAL(TIME_MEAN_S, time.mean),
               GS_REAL(TIME_SD_S, time.ssd), GS_REAL(TIME_CV, gs_quotient(time.ssd, time.mean)),
               GS_REAL(POWER_MEAN_W, power.mean), GS_REAL(POWER_SD_W, power.ssd),
               GS_REAL(POWER_CV, gs_quotient(power.ssd, power.mean)),
               GS_REAL(ENERGY_J, power.mean * time.mean),
               GS_REAL(ENERGY_DELAY_JS, power.mean * time.mean * time.mean));
    }
    return n;
}

static enum gs_status smooth_points(struct sweep *w, size_t n, struct gs_frame *f, size_t row,
                                    struct gs_err *err)
{
    const struct gs_real_moments time = gs_real_describe(w->mean_time, n);
    for (size_t i = 0; i < n; i++) {
        w->relative[i] = gs_quotient(w->mean_time[i], time.min);
        GS_PUT(f, row + i, GS_REAL(RELATIVE_TIME, w->relative[i]));
        w->smooth[i] = (double)NAN;
    }
    const struct gs_arena_mark mark = gs_arena_mark(&w->scratch);
    struct gs_xy_order points;
    enum gs_status s = gs_xy_order(w->at, w->relative, n, &w->scratch, &points, err);
    GS_THEN(s, gs_loess(&points, &w->options->loess, w->at, n, w->smooth, err));
    gs_arena_rewind(&w->scratch, mark);
    if (s != GS_OK && s != GS_ERR_RANGE)
        return s;
    for (size_t i = 0; i < n && s == GS_OK; i++)
        GS_PUT(f, row + i, GS_REAL(LOESS, w->smooth[i]));
    return GS_OK;
}

static double greatest(const struct gs_frame *f, enum gs_column_id id, size_t row, size_t n)
{
    return gs_real_describe(gs_frame_cells(f, id)->real + row, n).max;
}

/* The point of least energy, or with `delay` of least energy times time; of equal ones that of the highest frequency. */
static size_t least_point(const struct sweep *w, size_t n, bool delay)
{
    size_t best = 0;
    double least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        const double v = w->mean_power[i] * w->mean_time[i] * (delay ? w->mean_time[i] : 1.0);
        if (v <= least) {
            least = v;
            best = i;
        }
    }
    return best;
}

static void best_clock(const struct sweep *w, size_t n, struct gs_frame *f, size_t row)
{
    const size_t best = least_point(w, n, false);
    const double energy = w->mean_power[best] * w->mean_time[best];
    GS_PUT(f, row, GS_REAL(BEST_FREQUENCY_MHZ, w->at[best]),
           GS_REAL(ENERGY_SAVED_PCT,
                   100.0 * (1.0 - gs_quotient(energy, w->mean_power[n - 1] * w->mean_time[n - 1]))),
           GS_REAL(TIME_LOST_PCT,
                   100.0 * (gs_quotient(w->mean_time[best], w->mean_time[n - 1]) - 1.0)),
           GS_REAL(BEST_ENERGY_DELAY_MHZ, w->at[least_point(w, n, true)]));
}

static enum gs_status find_knee(struct sweep *w, size_t n, struct gs_frame *f, size_t row,
                                struct gs_err *err)
{
    struct gs_knee knee;
    const enum gs_status s = gs_knee_find(w->at, w->mean_power, n, true, &w->scratch, &knee, err);
    if (s != GS_OK && s != GS_ERR_RANGE)
        return s;
    if (s == GS_OK && knee.right.slope > knee.left.slope)
        GS_PUT(f, row, GS_REAL(KNEE_MHZ, knee.x));
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
        enum gs_column_id id;
    } pairs[] = {{w->power, w->time, "power, time", GS_COL_R_POWER_TIME},
                 {w->power, w->frequency, "power, frequency", GS_COL_R_POWER_FREQUENCY},
                 {w->time, w->frequency, "time, frequency", GS_COL_R_TIME_FREQUENCY}};
    for (size_t k = 0; k < 3; k++) {
        struct gs_corr_test test;
        GS_PUT(f->correlations, 3 * row + k, GS_TEXT(GROUP, w->run[lo].group),
               GS_TEXT(PAIR, gs_str(pairs[k].pair)));
        if (gs_real_corr_test(pairs[k].x + lo, pairs[k].y + lo, hi - lo, 0.95, &test, NULL) !=
            GS_OK)
            continue;
        gs_frame_put_real(f->groups, row, pairs[k].id, test.r);
        GS_PUT(f->correlations, 3 * row + k, GS_REAL(R, test.r));
    }
}

static enum gs_status fill_groups(struct sweep *w, struct gs_sweep_frames *f, struct gs_err *err)
{
    size_t group = 0, row = 0;
    for (size_t lo = 0, hi; lo < w->n; lo = hi, group++) {
        for (hi = lo; hi < w->n && same_group(w, lo, hi); hi++)
            ;
        const size_t n = fill_points(w, lo, hi, f->points, row);
        GS_PUT(f->groups, group, GS_TEXT(GROUP, w->run[lo].group), GS_INT(RUNS, (int64_t)(hi - lo)),
               GS_INT(FREQUENCIES, (int64_t)n));
        GS_TRY(smooth_points(w, n, f->points, row, err));
        GS_TRY(find_knee(w, n, f->groups, group, err));
        GS_PUT(f->groups, group, GS_REAL(TIME_CV_MAX, greatest(f->points, GS_COL_TIME_CV, row, n)),
               GS_REAL(POWER_CV_MAX, greatest(f->points, GS_COL_POWER_CV, row, n)),
               GS_REAL(RELATIVE_TIME_MAX, greatest(f->points, GS_COL_RELATIVE_TIME, row, n)));
        best_clock(w, n, f->groups, group);
        correlate(w, lo, hi, f, group);
        row += n;
    }
    return GS_OK;
}

static enum gs_status evaluate(struct sweep *w, const struct gs_sweep_table *table,
                               struct gs_arena *arena, struct gs_notes *notes,
                               struct gs_sweep_frames *frames, struct gs_err *err)
{
    static const struct gs_frame_head groups = {"sweep", "Each group over the core clock",
                                                GS_COLUMNS(group_columns)},
                                      points = {"sweep-points", "Each group at each frequency",
                                                GS_COLUMNS(point_columns)},
                                      correlations = {"sweep-correlations",
                                                      "Correlation of time, power and frequency",
                                                      GS_COLUMNS(correlation_columns)};
    struct gs_sweep_frames f = {0};
    size_t n_groups, n_points;
    GS_TRY(gs_had_memory(parse_columns(w, table), err));
    count(w, &n_groups, &n_points);
    GS_TRY(gs_frame_new(arena, &groups, n_groups, NULL, &f.groups, err));
    GS_TRY(gs_frame_new(arena, &points, n_points, NULL, &f.points, err));
    GS_TRY(gs_frame_new(arena, &correlations, 3 * n_groups, NULL, &f.correlations, err));
    GS_TRY(fill_groups(w, &f, err));
    if (w->n_no_knee > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%zu of %zu groups have no knee: too few frequencies, or power does not rise more "
                "steeply above any",
                w->n_no_knee, n_groups);
    *frames = f;
    return GS_OK;
}

enum gs_status gs_sweep_evaluate(const struct gs_sweep_table *table,
                                 const struct gs_sweep_options *options, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_sweep_frames *frames,
                                 struct gs_err *err)
{
    struct sweep w = {.options = options};
    if (!(options->loess.span > 0) || options->loess.degree < 0 || options->loess.degree > 2)
        return gs_fail(err, GS_ERR_RANGE, "loess: span must be above 0 and degree 0, 1 or 2");
    const enum gs_status s = evaluate(&w, table, arena, notes, frames, err);
    gs_arena_release(&w.scratch);
    return s;
}
