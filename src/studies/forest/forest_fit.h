/* forest_fit.h - training, prediction and cross-validation of forests for run time and power. */
#pragma once

#include "data/tables/forest.h"
#include "data/result/frame.h"
#include "data/tables/operation.h"

struct gs_forest_options {
    size_t n_trees;       /* 1 .. GS_FOREST_TREES_MAX                                         */
    unsigned depth_max;   /* 1 .. 64                                                          */
    double row_share;     /* of the rows each tree sees, above 0 up to 1                      */
    double feature_share; /* of the features each split chooses from, above 0 up to 1         */
    bool derived;         /* see gs_forest_train                                              */
    uint64_t seed;
    unsigned n_threads;
};

/*
 * Trains a forest for run time and, where the operations have it, one for power.
 *
 * With `derived` the vector also holds the counts of gs_op_cost, the target for time is
 * ln(time / roofline) and that for power ln(power). The roofline's time is
 * max(bytes / B, flop / F) + overhead, where B and F are the 95th percentiles of bytes / time and
 * flop / time, and overhead is the 5th percentile of time, all over the operations trained on. Without it the
 * encoding is the study's alone and the targets are time and power as they are.
 *
 * Shapes:  rows in gs_operations_read's order; time_s, and power_w where they have it, not missing.
 * Errors:  GS_ERR_DATA for an operation that contradicts its input (NAME:LINE: ...); GS_ERR_MEMORY, also
 *          where libxgboost is missing.
 * Memory:  lives in `arena`; the texts of the encoding too.
 * Determinism: the same forest for any n_threads.
 */
enum gs_status gs_forest_train(const struct gs_operations *operations,
                               const struct gs_forest_options *options, struct gs_arena *arena,
                               struct gs_forest *forest, struct gs_err *err);

/* Is this row, in gs_operations_read's order, another operation or input size than the one before? */
bool gs_operation_is_new(const struct gs_operations *operations, size_t row);

/* One predicted operation; NaN is missing. Spreads: deviation of the single trees' logarithms from each other. */
struct gs_forest_answer {
    double time_s, power_w;
    double time_spread, power_spread;
};

/* From low to high; NaN where the forest does not know how far off it is. */
struct gs_forest_interval {
    double low, high;
};
struct gs_forest_interval gs_forest_interval(const struct gs_forest *forest,
                                             enum gs_forest_quantity quantity,
                                             const struct gs_forest_answer *answer);

/* The error of a quantity from answers[n] of forests that saw none of the operations; unknown for fewer than 19. */
enum gs_status gs_forest_error_of(const struct gs_operations *operations,
                                  const struct gs_forest_answer *answers,
                                  enum gs_forest_quantity quantity, struct gs_arena *scratch,
                                  struct gs_forest_error *error, struct gs_err *err);

/*
 * Finds out how far the forest is off, on operations predicted by forests that never saw them, in n_folds parts as
 * gs_forest_evaluate makes them. These learn from less than the forest does, so that the interval is rather too wide.
 * With fewer different operations than folds, or than 19, the error stays unknown.
 */
enum gs_status gs_forest_calibrate(const struct gs_operations *operations, size_t n_folds,
                                   const struct gs_forest_options *options,
                                   struct gs_arena *scratch, struct gs_forest *forest,
                                   struct gs_err *err);

/*
 * Predicts operations. An operator that the forest was not taught is missing, never guessed; power is
 * missing where the forest has none.
 * Shapes:  answer[operations->n].
 * Errors:  GS_ERR_DATA as gs_forest_train.
 */
enum gs_status gs_forest_predict(const struct gs_forest *forest,
                                 const struct gs_operations *operations, struct gs_arena *scratch,
                                 struct gs_forest_answer *answer, struct gs_err *err);

/* Says what a training gave, one row per target: frame "forest". */
enum gs_status gs_forest_describe(const struct gs_forest *forest, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err);

/*
 * Says what the trees ask: frame "forest-features", one row per feature that any tree splits on, with the
 * share of the splits, most asked for run time first.
 */
enum gs_status gs_forest_features(const struct gs_forest *forest, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err);

/*
 * Predicts a file of operations: frame "forest-operations", one row per operation, and, where they name
 * models, frame "forest-models" with the sums of each model's operations, each times its count. A sum with
 * an unknown operator in it is missing.
 * Errors:  GS_ERR_DATA where the forest was taught with a clock and the operations have none.
 */
enum gs_status gs_forest_predict_frames(const struct gs_forest *forest,
                                        const struct gs_operations *operations,
                                        struct gs_arena *arena, struct gs_frames *out,
                                        struct gs_err *err);

/*
 * Cross-validates: every operation is predicted by a forest that never saw it. A repeated operation (same
 * canonical text and input size, whatever its clock) is wholly in one fold; the fold depends on the seed and
 * on which operations there are, not on the order of rows. Frame "forest-evaluation", one row per target
 * (time, power, and energy as the product of the two), or with `points` frame "forest-points", one row per
 * measured operation with its prediction.
 *
 * Units:   errors in per cent of the measured value.
 * Errors:  GS_ERR_DATA for fewer different operations than folds.
 */
enum gs_status gs_forest_evaluate(const struct gs_operations *operations, size_t n_folds,
                                  bool points, const struct gs_forest_options *options,
                                  struct gs_arena *arena, struct gs_frames *out,
                                  struct gs_err *err);
