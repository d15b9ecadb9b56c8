/* proportionality.c - the line through the long runs, and the short runs that leave it. */
#include "studies/tables/proportionality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/exact/moments.h"
#include "stats/exact/regress.h"

static int compare_runs(const void *a, const void *b)
{
    const struct gs_iteration_run *const x = a, *const y = b;
    if (x->iterations != y->iterations)
        return x->iterations < y->iterations ? -1 : 1;
    return (x->runtime_s > y->runtime_s) - (x->runtime_s < y->runtime_s);
}

enum { A_N, A_N_FIT, A_SLOPE, A_INTERCEPT, A_SD, A_OUTLIERS, A_THRESHOLD, A_COLUMNS };

static const struct gs_column_spec answer_columns[A_COLUMNS] = {
    [A_N] = {"n", "points", "", GS_TYPE_INT, 0, "runs in the table", false},
    [A_N_FIT] =
        {"n_fit", "fitted", "", GS_TYPE_INT, 0,
         "runs that the line is fitted to: n - floor(n / 7), those with the most iterations",
         false},
    [A_SLOPE] = {"slope_s", "per iteration", "s", GS_TYPE_REAL, 9,
                 "slope of the least-squares line", false},
    [A_INTERCEPT] = {"intercept_s", "intercept", "s", GS_TYPE_REAL, 6, "the line at no iterations",
                     false},
    [A_SD] = {"residual_sd_s", "residual sd", "s", GS_TYPE_REAL, 6,
              "standard deviation of the fitted runs' distances from the line, divisor n_fit - 1",
              false},
    [A_OUTLIERS] = {"outliers", "outliers", "", GS_TYPE_INT, 0,
                    "runs, of all, farther from the line than 5 times residual_sd_s", false},
    [A_THRESHOLD] = {"threshold_s", "threshold", "s", GS_TYPE_REAL, 6,
                     "longest run time among the outliers: below it run time is not proportional",
                     false},
};

enum { P_ITERATIONS, P_RUNTIME, P_LINE, P_RESIDUAL, P_SIGMAS, P_RELATIVE, P_PART, P_COLUMNS };

static const struct gs_column_spec point_columns[P_COLUMNS] = {
    [P_ITERATIONS] = {"iterations", "iterations", "", GS_TYPE_REAL, -1, "from the table", false},
    [P_RUNTIME] = {"runtime_s", "run time", "s", GS_TYPE_REAL, 6, "from the table", false},
    [P_LINE] = {"line_s", "line", "s", GS_TYPE_REAL, 6, "intercept + slope times iterations",
                false},
    [P_RESIDUAL] = {"residual_s", "residual", "s", GS_TYPE_REAL, 6, "run time less line", false},
    [P_SIGMAS] = {"residual_sigmas", "residual", "σ", GS_TYPE_REAL, 2,
                  "residual divided by residual_sd_s", false},
    [P_RELATIVE] = {"residual_pct", "residual", "%", GS_TYPE_REAL, 2,
                    "residual as a share of the run time", false},
    [P_PART] = {"part", "part", "", GS_TYPE_TEXT, 0, "fitted, short (not in the fit) or outlier",
                false},
};

static void fit(const double *x, const double *y, double *residual, struct gs_proportionality *a)
{
    const size_t first = a->n - a->n_fit;
    struct gs_line line;
    if (gs_real_line(x + first, y + first, a->n_fit, &line, NULL) != GS_OK)
        return;
    for (size_t i = 0; i < a->n; i++)
        residual[i] = y[i] - gs_line_at(&line, x[i]);
    a->slope_s = line.slope;
    a->intercept_s = line.intercept;
    a->residual_sd_s = gs_real_describe(residual + first, a->n_fit).ssd;
    for (size_t i = 0; i < a->n; i++) {
        if (!(fabs(residual[i]) > 5.0 * a->residual_sd_s))
            continue;
        a->n_outliers++;
        a->n_outliers_fit += i >= first;
        if (!(y[i] <= a->threshold_s)) /* the first against NaN */
            a->threshold_s = y[i];
    }
}

static void fill_points(struct gs_frame *f, const double *x, const double *y,
                        const double *residual, const struct gs_proportionality *a)
{
    for (size_t i = 0; i < a->n; i++) {
        gs_frame_set_real(f, i, P_ITERATIONS, x[i]);
        gs_frame_set_real(f, i, P_RUNTIME, y[i]);
        const bool outlier = fabs(residual[i]) > 5.0 * a->residual_sd_s;
        gs_frame_set_text(f, i, P_PART,
                          gs_str(outlier               ? "outlier"
                                 : i < a->n - a->n_fit ? "short"
                                                       : "fitted"));
        if (isnan(residual[i]))
            continue;
        gs_frame_set_real(f, i, P_LINE, a->intercept_s + a->slope_s * x[i]);
        gs_frame_set_real(f, i, P_RESIDUAL, residual[i]);
        if (a->residual_sd_s > 0 && isfinite(residual[i] / a->residual_sd_s))
            gs_frame_set_real(f, i, P_SIGMAS, residual[i] / a->residual_sd_s);
        if (y[i] > 0 && isfinite(100.0 * residual[i] / y[i]))
            gs_frame_set_real(f, i, P_RELATIVE, 100.0 * residual[i] / y[i]);
    }
}

enum gs_status gs_proportionality_frames(const struct gs_iteration_table *table,
                                         struct gs_arena *arena, struct gs_frames *out,
                                         struct gs_frame **points,
                                         struct gs_proportionality *answer, struct gs_err *err)
{
    const double nan = (double)NAN;
    const size_t n = table->n;
    struct gs_proportionality a = {n, n - n / 7, nan, nan, nan, 0, 0, nan};
    struct gs_iteration_run *const run = gs_arena_take(arena, n, sizeof *run);
    double *const x = gs_arena_take(arena, n, sizeof *x), *const y =
                                                              gs_arena_take(arena, n, sizeof *y);
    double *const residual = gs_arena_take(arena, n, sizeof *residual);
    if (run == NULL || x == NULL || y == NULL || residual == NULL)
        return gs_fail_memory(err);
    if (n > 0) {
        memcpy(run, table->run, n * sizeof *run);
        qsort(run, n, sizeof *run, compare_runs);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = run[i].iterations;
        y[i] = run[i].runtime_s;
        residual[i] = nan;
    }
    fit(x, y, residual, &a);
    struct gs_frame *f, *p;
    enum gs_status s =
        gs_frame_new(arena, "proportionality", "Where run time is proportional to iterations",
                     answer_columns, A_COLUMNS, 1, out, &f, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "proportionality-points",
                         "Runs against the line through the long ones", point_columns, P_COLUMNS, n,
                         NULL, &p, err);
    if (s != GS_OK)
        return s;
    gs_frame_set_int(f, 0, A_N, (int64_t)n);
    gs_frame_set_int(f, 0, A_N_FIT, (int64_t)a.n_fit);
    gs_frame_set_real(f, 0, A_SLOPE, a.slope_s);
    gs_frame_set_real(f, 0, A_INTERCEPT, a.intercept_s);
    gs_frame_set_real(f, 0, A_SD, a.residual_sd_s);
    gs_frame_set_int(f, 0, A_OUTLIERS, (int64_t)a.n_outliers);
    gs_frame_set_real(f, 0, A_THRESHOLD, a.threshold_s);
    fill_points(p, x, y, residual, &a);
    *points = p;
    *answer = a;
    return GS_OK;
}
