/* xgboost.h - the door to libxgboost: numbers in, trees out. Private to forest. */
#pragma once

#include "data/tables/forest.h"

/* What a forest learns from. */
struct gs_xgboost_data {
    const float *x, *y; /* x[n_rows * n_features] row by row, finite; y[n_rows] */
    size_t n_rows, n_features;
};

struct gs_xgboost_options {
    size_t n_trees;
    unsigned depth_max;              /* 1 .. 64          */
    double row_share, feature_share; /* above 0, up to 1 */
    uint32_t seed;                   /* below 2^31       */
};

/*
 * Grows a random forest for y: one round of boosting from zero with `n_trees` parallel trees, whose
 * answers add up to the prediction.
 *
 * Shapes:  trees[n_trees], filled.
 *          Scale y to a standard deviation of 1: gains below 1e-6 are not worth a split to libxgboost.
 * Errors:  GS_ERR_MEMORY where libxgboost is not there (it is loaded by the first call, because linking it
 *          would cost every other command its start-up time), with what to install; GS_ERR_INTERNAL for
 *          what libxgboost answers otherwise.
 * Memory:  the trees live in `arena`.
 * Determinism: the same bytes for the same input on any number of processors: one thread per call. Calls
 *          may run on several threads, each with its own arena.
 */
enum gs_status gs_xgboost_forest(const struct gs_xgboost_data *data,
                                 const struct gs_xgboost_options *options, struct gs_arena *arena,
                                 struct gs_tree *trees, struct gs_err *err);
