/* proportionality.c - the line through the long runs, and the short runs that leave it. */
#include "studies/tables/proportionality.h"

#include <math.h>
#include <string.h>

#include "base/num/order.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/regress.h"
#include "studies/tables/quotient.h"

GS_COMPARES(compare_runs, struct gs_iteration_run, GS_BY(iterations) GS_BY(runtime_s));

static const struct gs_column_spec answer_columns[] = {
    GS_COL(N, .label = "points", .how = "runs in the table"),
    GS_COL(N_FIT),
    GS_COL(SLOPE_S),
    GS_COL(INTERCEPT_S),
    GS_COL(RESIDUAL_SD_S),
    GS_COL(OUTLIERS),
    GS_COL(THRESHOLD_S),
};

static const struct gs_column_spec point_columns[] = {
    GS_COL(ITERATIONS),
    GS_COL(RUNTIME_S, .digits = GS_DIGITS(6), .how = "from the table"),
    GS_COL(LINE_S),
    GS_COL(RESIDUAL_S),
    GS_COL(RESIDUAL_SIGMAS),
    GS_COL(RESIDUAL_PCT),
    GS_COL(PART, .how = "fitted, short (not in the fit) or outlier"),
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
        GS_PUT(f, i, GS_REAL(ITERATIONS, x[i]), GS_REAL(RUNTIME_S, y[i]));
        const bool outlier = fabs(residual[i]) > 5.0 * a->residual_sd_s;
        const char *const part = i < a->n - a->n_fit ? "short" : "fitted";
        GS_PUT(f, i, GS_TEXT(PART, gs_str(outlier ? "outlier" : part)));
        if (isnan(residual[i]))
            continue;
        GS_PUT(f, i, GS_REAL(LINE_S, a->intercept_s + a->slope_s * x[i]),
               GS_REAL(RESIDUAL_S, residual[i]),
               GS_REAL(RESIDUAL_SIGMAS, gs_quotient(residual[i], a->residual_sd_s)),
               GS_REAL(RESIDUAL_PCT, gs_quotient(100.0 * residual[i], y[i])));
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
    GS_NEW(struct gs_iteration_run, run, n, arena, err);
    GS_NEW(double, x, n, arena, err);
    GS_NEW(double, y, n, arena, err);
    GS_NEW(double, residual, n, arena, err);
    if (n > 0) {
        memcpy(run, table->run, n * sizeof *run);
        GS_SORT(run, n, compare_runs);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = run[i].iterations;
        y[i] = run[i].runtime_s;
        residual[i] = nan;
    }
    fit(x, y, residual, &a);
    struct gs_frame *f, *p;
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("proportionality", "Where run time is proportional to iterations",
                                GS_COLUMNS(answer_columns)),
                        1, out, &f, err));
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("proportionality-points",
                                "Runs against the line through the long ones",
                                GS_COLUMNS(point_columns)),
                        n, NULL, &p, err));
    GS_PUT(f, 0, GS_INT(N, (int64_t)n), GS_INT(N_FIT, (int64_t)a.n_fit),
           GS_REAL(SLOPE_S, a.slope_s), GS_REAL(INTERCEPT_S, a.intercept_s),
           GS_REAL(RESIDUAL_SD_S, a.residual_sd_s), GS_INT(OUTLIERS, (int64_t)a.n_outliers),
           GS_REAL(THRESHOLD_S, a.threshold_s));
    fill_points(p, x, y, residual, &a);
    *points = p;
    *answer = a;
    return GS_OK;
}
