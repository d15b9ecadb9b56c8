/* forest_evaluate.c - grouped k-fold cross-validation. */
#include "studies/forest/forest_fit.h"

#include <math.h>

#include "studies/forest/forest_random.h"
#include "stats/descriptive/moments.h"
#include "data/result/plot.h"
#include "stats/descriptive/quantile.h"

static const struct gs_column_spec point_specs[] = {
    GS_COL(OPERATOR),
    GS_COL(OP),
    GS_COL(INPUT_SIZE),
    GS_COL(CLOCK_MHZ),
    GS_COL(FOLD),
    GS_COL(TIME_S, .how = "measured run time"),
    GS_COL(TIME_PREDICTED_S),
    GS_COL(TIME_APE_PCT),
    GS_COL(POWER_W, .how = "measured mean power"),
    GS_COL(POWER_PREDICTED_W),
    GS_COL(POWER_APE_PCT),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(5), .how = "measured time times measured power"),
    GS_COL(ENERGY_PREDICTED_J),
    GS_COL(ENERGY_APE_PCT),
};

static const struct gs_panel point_panels[] = {
    GS_PANEL(SCATTER, TIME_S, TIME_PREDICTED_S, .title = "Run time", .group = GS_COL_OPERATOR,
             .log_x = true, .log_y = true, .identity = true),
    GS_PANEL(SCATTER, POWER_W, POWER_PREDICTED_W, .title = "Power", .group = GS_COL_OPERATOR,
             .log_x = true, .log_y = true, .identity = true),
    GS_PANEL(SCATTER, ENERGY_J, ENERGY_PREDICTED_J, .title = "Energy", .group = GS_COL_OPERATOR,
             .log_x = true, .log_y = true, .identity = true),
};

static const struct gs_plot point_plot =
    GS_FIGURE(point_panels, "forest-evaluation", "Predicted against measured",
              .caption = "Every operation predicted by a forest that never saw it; on the line the "
                         "prediction is exact.",
              .columns = 1, .width_px = 800, .height_px = 2000);

static const struct gs_column_spec evaluation_specs[] = {
    GS_COL(TARGET),
    GS_COL(OPERATIONS),
    GS_COL(DIFFERENT),
    GS_COL(FOLDS),
    GS_COL(UNKNOWN),
    GS_COL(MEDIAN_APE_PCT),
    GS_COL(P90_APE_PCT),
    GS_COL(MEAN_APE_PCT),
    GS_COL(R_SQUARED, .how = "1 - sum of (measured - predicted)^2 / sum of (measured - mean)^2"),
};

/*
 * Deals the different operations into folds like a shuffled pack of cards: sizes differ by one at most. Rows
 * are sorted, so equal operations are neighbours and the pack is in the order of its texts.
 */
static enum gs_status deal(const struct gs_operations *ops, size_t n_folds, uint64_t seed,
                           struct gs_arena *arena, size_t *fold, size_t *n_different,
                           struct gs_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < ops->n; i++) {
        n += gs_operation_is_new(ops, i);
        fold[i] = n - 1;
    }
    if (n < n_folds)
        return gs_fail(err, GS_ERR_DATA, "%s: %zu different %s too few for %zu folds", ops->name, n,
                       gs_plural(n, "operation is", "operations are"), n_folds);
    GS_NEW_RAW(size_t, place, n, arena, err);
    for (size_t i = 0; i < n; i++)
        place[i] = i;
    for (size_t i = n; i > 1; i--) {
        /* The bias of the remainder is below n / 2^64. */
        const size_t j = (size_t)(gs_splitmix64(&seed) % i), t = place[i - 1];
        place[i - 1] = place[j];
        place[j] = t;
    }
    for (size_t i = 0; i < ops->n; i++)
        fold[i] = place[fold[i]] % n_folds;
    *n_different = n;
    return GS_OK;
}

/*
 * Trains on all folds but one and predicts that one. Equal operations are in one fold. A row
 * whose twin was in the training would be predicted from memory, and the error would look too
 * small.
 */
static enum gs_status leave_out(const struct gs_operations *ops, const size_t *fold,
                                size_t left_out, const struct gs_forest_options *options,
                                struct gs_arena *scratch, struct gs_forest_answer *answers,
                                struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct gs_operations train = *ops, test = *ops;
    GS_TAKE_RAW(train.row, ops->n, scratch, err);
    GS_TAKE_RAW(test.row, ops->n, scratch, err);
    GS_NEW_RAW(struct gs_forest_answer, a, ops->n, scratch, err);
    train.n = test.n = 0;
    for (size_t i = 0; i < ops->n; i++) {
        struct gs_operations *const part = fold[i] == left_out ? &test : &train;
        part->row[part->n++] = ops->row[i];
    }
    struct gs_forest f;
    GS_TRY(gs_forest_train(&train, options, scratch, &f, err));
    GS_TRY(gs_forest_predict(&f, &test, scratch, a, err));
    for (size_t i = 0, k = 0; i < ops->n; i++)
        if (fold[i] == left_out)
            answers[i] = a[k++];
    return GS_OK;
}

/* A target by its name and its columns. */
static const struct target {
    const char *name;
    enum gs_column_id measured, predicted, ape;
} targets[] = {{"time", GS_COL_TIME_S, GS_COL_TIME_PREDICTED_S, GS_COL_TIME_APE_PCT},
               {"power", GS_COL_POWER_W, GS_COL_POWER_PREDICTED_W, GS_COL_POWER_APE_PCT},
               {"energy", GS_COL_ENERGY_J, GS_COL_ENERGY_PREDICTED_J, GS_COL_ENERGY_APE_PCT}};

static void set_target(struct gs_frame *f, size_t row, const struct target *t, double measured,
                       double predicted)
{
    gs_frame_put_real(f, row, t->measured, measured);
    gs_frame_put_real(f, row, t->predicted, predicted);
    gs_frame_put_real(f, row, t->ape, fabs(predicted / measured - 1.0) * 100.0);
}

static enum gs_status fill_points(const struct gs_operations *ops, const size_t *fold,
                                  const struct gs_forest_answer *a, struct gs_arena *arena,
                                  struct gs_frame **frame, struct gs_err *err)
{
    struct gs_frame *f;
    GS_TRY(gs_frame_new(
        arena,
        GS_HEAD("forest-points", "Operations, measured and predicted", GS_COLUMNS(point_specs)),
        ops->n, NULL, &f, err));
    for (size_t i = 0; i < ops->n; i++) {
        const struct gs_operation *const o = &ops->row[i];
        GS_PUT(f, i, GS_TEXT(OPERATOR, o->op.kind), GS_TEXT(OP, o->op.canonical),
               GS_TEXT(INPUT_SIZE, o->size.canonical), GS_REAL(CLOCK_MHZ, o->clock_mhz),
               GS_INT(FOLD, (int64_t)fold[i] + 1));
        set_target(f, i, &targets[0], o->time_s, a[i].time_s);
        set_target(f, i, &targets[1], o->power_w, a[i].power_w);
        set_target(f, i, &targets[2], o->time_s * o->power_w, a[i].time_s * a[i].power_w);
    }
    f->plot = &point_plot;
    *frame = f;
    return GS_OK;
}

/*
 * Fills one row of the evaluation from the three columns of a target. R squared compares with the mean of the predicted rows only. The mean over rows without a prediction
 * would mix two sets.
 */
static enum gs_status score(const struct gs_frame *points, const struct target *t,
                            struct gs_arena *arena, struct gs_frame *f, size_t row,
                            struct gs_err *err)
{
    static const struct gs_prob p[] = {{1, 2}, {9, 10}};
    const double *const measured = gs_frame_cells(points, t->measured)->real,
                        *const predicted = gs_frame_cells(points, t->predicted)->real,
                        *const ape = gs_frame_cells(points, t->ape)->real;
    GS_NEW_RAW(double, known, points->n_rows, arena, err);
    for (size_t i = 0; i < points->n_rows; i++)
        known[i] = isnan(predicted[i]) ? (double)NAN : measured[i];
    const struct gs_real_moments m = gs_real_describe(known, points->n_rows),
                                 e = gs_real_describe(ape, points->n_rows);
    GS_PUT(f, row, GS_TEXT(TARGET, gs_str(t->name)), GS_INT(OPERATIONS, (int64_t)points->n_rows),
           GS_INT(UNKNOWN, (int64_t)m.n_missing));
    if (m.n == 0)
        return GS_OK;
    double quantile[2];
    GS_TRY(gs_real_quantiles(ape, points->n_rows, p, 2, arena, quantile, err));
    GS_PUT(f, row, GS_REAL(MEDIAN_APE_PCT, quantile[0]), GS_REAL(P90_APE_PCT, quantile[1]),
           GS_REAL(MEAN_APE_PCT, e.mean));
    double residual = 0.0;
    for (size_t i = 0; i < points->n_rows; i++)
        if (!isnan(predicted[i]))
            residual += (measured[i] - predicted[i]) * (measured[i] - predicted[i]);
    if (m.n > 1 && m.svar > 0.0)
        GS_PUT(f, row, GS_REAL(R_SQUARED, 1.0 - residual / (m.svar * (double)(m.n - 1))));
    return GS_OK;
}

static enum gs_status fill_evaluation(const struct gs_operations *ops,
                                      const struct gs_frame *points, size_t n_different,
                                      size_t n_folds, struct gs_arena *arena, struct gs_frames *out,
                                      struct gs_err *err)
{
    const size_t n = ops->has_power ? 3 : 1;
    struct gs_frame *f;
    enum gs_status s =
        gs_frame_new(arena,
                     GS_HEAD("forest-evaluation", "Error of operations that the forest never saw",
                             GS_COLUMNS(evaluation_specs)),
                     n, out, &f, err);
    for (size_t i = 0; i < n && s == GS_OK; i++) {
        s = score(points, &targets[i], arena, f, i, err);
        GS_PUT(f, i, GS_INT(DIFFERENT, (int64_t)n_different), GS_INT(FOLDS, (int64_t)n_folds));
    }
    if (s != GS_OK)
        return s;
    struct gs_panel *panels;
    struct gs_plot *const plot = gs_plot_copy(&point_plot, arena, &panels);
    GS_TRY(gs_had_memory(plot != NULL, err));
    plot->of = points;
    plot->n_panels = (int)n;
    f->plot = plot;
    return GS_OK;
}

enum gs_status gs_forest_evaluate(const struct gs_operations *ops, size_t n_folds, bool points,
                                  const struct gs_forest_options *options, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    size_t n_different = 0;
    GS_NEW_RAW(size_t, fold, ops->n, arena, err);
    GS_NEW_RAW(struct gs_forest_answer, a, ops->n, arena, err);
    struct gs_frame *f = NULL;
    GS_TRY(deal(ops, n_folds, options->seed, arena, fold, &n_different, err));
    for (size_t k = 0; k < n_folds; k++)
        GS_TRY(leave_out(ops, fold, k, options, arena, a, err));
    GS_TRY(fill_points(ops, fold, a, arena, &f, err));
    if (!points)
        return fill_evaluation(ops, f, n_different, n_folds, arena, out, err);
    gs_frame_append(out, f);
    return GS_OK;
}

/*
 * With fewer operations than folds the forest keeps unknown errors; that is no failure, because
 * predictions still work.
 */
enum gs_status gs_forest_calibrate(const struct gs_operations *ops, size_t n_folds,
                                   const struct gs_forest_options *options,
                                   struct gs_arena *scratch, struct gs_forest *forest,
                                   struct gs_err *err)
{
    GS_REWINDS(scratch);
    size_t n_different = 0;
    GS_NEW_RAW(size_t, fold, ops->n, scratch, err);
    GS_NEW_RAW(struct gs_forest_answer, a, ops->n, scratch, err);
    if (forest->n_operations >= n_folds) {
        GS_TRY(deal(ops, n_folds, options->seed, scratch, fold, &n_different, err));
        for (size_t k = 0; k < n_folds; k++)
            GS_TRY(leave_out(ops, fold, k, options, scratch, a, err));
        for (int q = 0; q < GS_FOREST_QUANTITIES; q++)
            if (q == GS_FOREST_OF_TIME || ops->has_power)
                GS_TRY(gs_forest_error_of(ops, a, (enum gs_forest_quantity)q, scratch,
                                          &forest->error[q], err));
    }
    return GS_OK;
}
