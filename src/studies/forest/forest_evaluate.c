/* forest_evaluate.c - grouped k-fold cross-validation. */
#include "studies/forest/forest_fit.h"

#include <math.h>

#include "studies/forest/forest_random.h"
#include "stats/exact/moments.h"
#include "studies/forest/op_features.h"
#include "data/result/plot.h"
#include "stats/exact/quantile.h"

enum {
    P_OPERATOR,
    P_OP,
    P_SIZE,
    P_CLOCK,
    P_FOLD,
    P_TIME,
    P_TIME_OUT,
    P_TIME_APE,
    P_POWER,
    P_POWER_OUT,
    P_POWER_APE,
    P_ENERGY,
    P_ENERGY_OUT,
    P_ENERGY_APE,
    P_COLUMNS
};

static const struct gs_column_spec point_specs[P_COLUMNS] = {
    [P_OPERATOR] = GS_COL(OPERATOR),
    [P_OP] = GS_COL(OP),
    [P_SIZE] = GS_COL(INPUT_SIZE),
    [P_CLOCK] = GS_COL(CLOCK_MHZ),
    [P_FOLD] = GS_COL(FOLD),
    [P_TIME] = GS_COL(TIME_S, .how = "measured run time"),
    [P_TIME_OUT] = GS_COL(TIME_PREDICTED_S),
    [P_TIME_APE] = GS_COL(TIME_APE_PCT),
    [P_POWER] = GS_COL(POWER_W, .how = "measured mean power"),
    [P_POWER_OUT] = GS_COL(POWER_PREDICTED_W),
    [P_POWER_APE] = GS_COL(POWER_APE_PCT),
    [P_ENERGY] =
        GS_COL(ENERGY_J, .digits = GS_DIGITS(5), .how = "measured time times measured power"),
    [P_ENERGY_OUT] = GS_COL(ENERGY_PREDICTED_J),
    [P_ENERGY_APE] = GS_COL(ENERGY_APE_PCT),
};

static const struct gs_panel point_panels[] = {
    {.kind = GS_PLOT_SCATTER,
     .title = "Run time",
     .x = GS_COL_TIME_S,
     .y = GS_COL_TIME_PREDICTED_S,
     .group = GS_COL_OPERATOR,
     .log_x = true,
     .log_y = true,
     .identity = true},
    {.kind = GS_PLOT_SCATTER,
     .title = "Power",
     .x = GS_COL_POWER_W,
     .y = GS_COL_POWER_PREDICTED_W,
     .group = GS_COL_OPERATOR,
     .log_x = true,
     .log_y = true,
     .identity = true},
    {.kind = GS_PLOT_SCATTER,
     .title = "Energy",
     .x = GS_COL_ENERGY_J,
     .y = GS_COL_ENERGY_PREDICTED_J,
     .group = GS_COL_OPERATOR,
     .log_x = true,
     .log_y = true,
     .identity = true},
};

static const struct gs_plot point_plot = {
    .name = "forest-evaluation",
    .title = "Predicted against measured",
    .caption = "Every operation predicted by a forest that never saw it; on the line the "
               "prediction is exact.",
    .n_panels = 3,
    .panels = point_panels,
    .columns = 1,
    .width_px = 800,
    .height_px = 2000,
};

enum {
    E_TARGET,
    E_ROWS,
    E_DIFFERENT,
    E_FOLDS,
    E_UNKNOWN,
    E_MEDIAN,
    E_P90,
    E_MEAN,
    E_R2,
    E_COLUMNS
};

static const struct gs_column_spec evaluation_specs[E_COLUMNS] = {
    [E_TARGET] = GS_COL(TARGET),
    [E_ROWS] = GS_COL(OPERATIONS),
    [E_DIFFERENT] = GS_COL(DIFFERENT),
    [E_FOLDS] = GS_COL(FOLDS),
    [E_UNKNOWN] = GS_COL(UNKNOWN),
    [E_MEDIAN] = GS_COL(MEDIAN_APE_PCT),
    [E_P90] = GS_COL(P90_APE_PCT),
    [E_MEAN] = GS_COL(MEAN_APE_PCT),
    [E_R2] = GS_COL(R_SQUARED,
                    .how = "1 - sum of (measured - predicted)^2 / sum of (measured - mean)^2"),
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
        const struct gs_operation *const a = &ops->row[i], *const b = i == 0 ? NULL : a - 1;
        n += b == NULL || !gs_str_eq(a->op.canonical, b->op.canonical) ||
             !gs_str_eq(a->size.canonical, b->size.canonical);
        fold[i] = n - 1;
    }
    if (n < n_folds)
        return gs_fail(err, GS_ERR_DATA, "%s: %zu different %s too few for %zu folds", ops->name, n,
                       n == 1 ? "operation is" : "operations are", n_folds);
    size_t *const place = gs_arena_take_raw(arena, n, sizeof *place);
    if (place == NULL)
        return gs_fail_memory(err);
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
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_operation **const train = gs_arena_take_raw(scratch, ops->n, sizeof *train);
    const struct gs_operation **const test = gs_arena_take_raw(scratch, ops->n, sizeof *test);
    struct gs_forest_answer *const a = gs_arena_take_raw(scratch, ops->n, sizeof *a);
    if (train == NULL || test == NULL || a == NULL)
        return gs_fail_memory(err);
    size_t n_train = 0, n_test = 0;
    for (size_t i = 0; i < ops->n; i++) {
        if (fold[i] == left_out)
            test[n_test++] = &ops->row[i];
        else
            train[n_train++] = &ops->row[i];
    }
    struct gs_forest f;
    enum gs_status s = gs_forest_train(train, n_train, ops->name, ops->has_clock, ops->has_power,
                                       options, scratch, &f, err);
    if (s == GS_OK)
        s = gs_forest_predict(&f, test, n_test, ops->name, scratch, a, err);
    for (size_t i = 0; i < n_test && s == GS_OK; i++)
        answers[test[i] - ops->row] = a[i];
    gs_arena_rewind(scratch, mark);
    return s;
}

static void set_three(struct gs_frame *f, size_t row, size_t column, double measured,
                      double predicted)
{
    gs_frame_set_real(f, row, column, measured);
    gs_frame_set_real(f, row, column + 1, predicted);
    gs_frame_set_real(f, row, column + 2, fabs(predicted / measured - 1.0) * 100.0);
}

static enum gs_status fill_points(const struct gs_operations *ops, const size_t *fold,
                                  const struct gs_forest_answer *a, struct gs_arena *arena,
                                  struct gs_frame **frame, struct gs_err *err)
{
    struct gs_frame *f;
    const enum gs_status s =
        gs_frame_new(arena, "forest-points", "Operations, measured and predicted", point_specs,
                     P_COLUMNS, ops->n, NULL, &f, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < ops->n; i++) {
        const struct gs_operation *const o = &ops->row[i];
        gs_frame_set_text(f, i, P_OPERATOR, o->op.kind);
        gs_frame_set_text(f, i, P_OP, o->op.canonical);
        gs_frame_set_text(f, i, P_SIZE, o->size.canonical);
        gs_frame_set_real(f, i, P_CLOCK, o->clock_mhz);
        gs_frame_set_int(f, i, P_FOLD, (int64_t)fold[i] + 1);
        set_three(f, i, P_TIME, o->time_s, a[i].time_s);
        set_three(f, i, P_POWER, o->power_w, a[i].power_w);
        set_three(f, i, P_ENERGY, o->time_s * o->power_w, a[i].time_s * a[i].power_w);
    }
    f->plot = &point_plot;
    *frame = f;
    return GS_OK;
}

/*
 * Fills one row of the evaluation from three neighbouring columns of the points. R squared
 * compares with the mean of the predicted rows only. The mean over rows without a prediction
 * would mix two sets.
 */
static enum gs_status score(const struct gs_frame *points, size_t column, const char *target,
                            struct gs_arena *arena, struct gs_frame *f, size_t row,
                            struct gs_err *err)
{
    static const struct gs_prob p[] = {{1, 2}, {9, 10}};
    const double *const measured = points->columns[column].real,
                        *const predicted = points->columns[column + 1].real,
                        *const ape = points->columns[column + 2].real;
    double *const known = gs_arena_take_raw(arena, points->n_rows, sizeof *known);
    if (known == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < points->n_rows; i++)
        known[i] = isnan(predicted[i]) ? (double)NAN : measured[i];
    const struct gs_real_moments m = gs_real_describe(known, points->n_rows),
                                 e = gs_real_describe(ape, points->n_rows);
    gs_frame_set_text(f, row, E_TARGET, gs_str(target));
    gs_frame_set_int(f, row, E_ROWS, (int64_t)points->n_rows);
    gs_frame_set_int(f, row, E_UNKNOWN, (int64_t)m.n_missing);
    if (m.n == 0)
        return GS_OK;
    double quantile[2];
    const enum gs_status s = gs_real_quantiles(ape, points->n_rows, p, 2, arena, quantile, err);
    if (s != GS_OK)
        return s;
    gs_frame_set_real(f, row, E_MEDIAN, quantile[0]);
    gs_frame_set_real(f, row, E_P90, quantile[1]);
    gs_frame_set_real(f, row, E_MEAN, e.mean);
    double residual = 0.0;
    for (size_t i = 0; i < points->n_rows; i++)
        if (!isnan(predicted[i]))
            residual += (measured[i] - predicted[i]) * (measured[i] - predicted[i]);
    if (m.n > 1 && m.svar > 0.0)
        gs_frame_set_real(f, row, E_R2, 1.0 - residual / (m.svar * (double)(m.n - 1)));
    return GS_OK;
}

static enum gs_status fill_evaluation(const struct gs_operations *ops,
                                      const struct gs_frame *points, size_t n_different,
                                      size_t n_folds, struct gs_arena *arena, struct gs_frames *out,
                                      struct gs_err *err)
{
    static const struct {
        const char *name;
        size_t column;
    } targets[] = {{"time", P_TIME}, {"power", P_POWER}, {"energy", P_ENERGY}};
    const size_t n = ops->has_power ? 3 : 1;
    struct gs_frame *f;
    enum gs_status s =
        gs_frame_new(arena, "forest-evaluation", "Error of operations that the forest never saw",
                     evaluation_specs, E_COLUMNS, n, out, &f, err);
    for (size_t i = 0; i < n && s == GS_OK; i++) {
        s = score(points, targets[i].column, targets[i].name, arena, f, i, err);
        gs_frame_set_int(f, i, E_DIFFERENT, (int64_t)n_different);
        gs_frame_set_int(f, i, E_FOLDS, (int64_t)n_folds);
    }
    if (s != GS_OK)
        return s;
    struct gs_panel *panels;
    struct gs_plot *const plot = gs_plot_copy(&point_plot, arena, &panels);
    if (plot == NULL)
        return gs_fail_memory(err);
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
    size_t *const fold = gs_arena_take_raw(arena, ops->n, sizeof *fold);
    struct gs_forest_answer *const a = gs_arena_take_raw(arena, ops->n, sizeof *a);
    if (fold == NULL || a == NULL)
        return gs_fail_memory(err);
    struct gs_frame *f = NULL;
    enum gs_status s = deal(ops, n_folds, options->seed, arena, fold, &n_different, err);
    for (size_t k = 0; k < n_folds && s == GS_OK; k++)
        s = leave_out(ops, fold, k, options, arena, a, err);
    if (s == GS_OK)
        s = fill_points(ops, fold, a, arena, &f, err);
    if (s != GS_OK)
        return s;
    if (!points)
        return fill_evaluation(ops, f, n_different, n_folds, arena, out, err);
    if (out->last == NULL)
        out->first = f;
    else
        out->last->next = f;
    out->last = f;
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
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    size_t n_different = 0;
    size_t *const fold = gs_arena_take_raw(scratch, ops->n, sizeof *fold);
    struct gs_forest_answer *const a = gs_arena_take_raw(scratch, ops->n, sizeof *a);
    enum gs_status s = fold == NULL || a == NULL ? gs_fail_memory(err) : GS_OK;
    if (s == GS_OK && forest->n_operations >= n_folds) {
        s = deal(ops, n_folds, options->seed, scratch, fold, &n_different, err);
        for (size_t k = 0; k < n_folds && s == GS_OK; k++)
            s = leave_out(ops, fold, k, options, scratch, a, err);
        for (int q = 0; q < GS_FOREST_QUANTITIES && s == GS_OK; q++)
            if (q == GS_FOREST_OF_TIME || ops->has_power)
                s = gs_forest_error_of(ops, a, (enum gs_forest_quantity)q, scratch,
                                       &forest->error[q], err);
    }
    gs_arena_rewind(scratch, mark);
    return s;
}
