/* cmd_forest.c - gpustat forest: run time, power and energy of operations, learnt from measured ones. */
#include <string.h>

#include "app/options/dataset_opts.h"
#include "input/studies/forest_file.h"
#include "studies/forest/forest_fit.h"
#include "input/studies/operations_csv.h"
#include "base/os/output.h"

struct forest_opts {
    struct gs_list operands;
    const char *model_file;
    struct gs_operations_columns columns;
    int plain; /* index into derived_words */
    uint64_t trees, depth, seed, folds;
    double row_share, feature_share;
    bool points, features;
};

static const struct forest_opts defaults = {
    .trees = 100, .depth = 24, .seed = 1, .folds = 5, .row_share = 0.8, .feature_share = 0.5};

static const char *const derived_words[] = {"yes", "no", NULL};

#define COLUMN(name, field, text, otherwise)                                                       \
    {                                                                                              \
        0, name, GS_OPT_TEXT,                                                                      \
            offsetof(struct forest_opts, columns) + offsetof(struct gs_operations_columns, field), \
            .arg = "COLUMN", .help = text, .unset = otherwise                                      \
    }

static const struct gs_opt opts[] = {
    {'m', "model", GS_OPT_FILE, offsetof(struct forest_opts, model_file), .arg = "FILE",
     .use = GS_FILE_EITHER, .help = "the trained forest: train writes it, predict reads it"},
    {.kind = GS_OPT_GROUP, .help = "training (train, evaluate)"},
    {0, "derived", GS_OPT_CHOICE, offsetof(struct forest_opts, plain), .choices = derived_words,
     .help = "add floating-point operations, bytes moved and shapes, and learn the logarithm of "
             "the time over a roofline; no: the study's encoding alone"},
    {0, "trees", GS_OPT_COUNT, offsetof(struct forest_opts, trees), .min = 1,
     .max = GS_FOREST_TREES_MAX, .help = "trees of each forest"},
    {0, "depth", GS_OPT_COUNT, offsetof(struct forest_opts, depth), .min = 1, .max = 64,
     .help = "greatest depth of a tree"},
    {0, "row-share", GS_OPT_REAL, offsetof(struct forest_opts, row_share), .arg = "S",
     .real_min = 0, .real_max = 1, .above_min = true,
     .help = "share of the rows that each tree sees"},
    {0, "feature-share", GS_OPT_REAL, offsetof(struct forest_opts, feature_share), .arg = "S",
     .real_min = 0, .real_max = 1, .above_min = true,
     .help = "share of the features that each split chooses from"},
    {0, "seed", GS_OPT_COUNT, offsetof(struct forest_opts, seed), .max = UINT64_C(9007199254740991),
     .help = "seed of trees and folds; the same seed gives the same bytes"},
    {0, "features", GS_OPT_FLAG, offsetof(struct forest_opts, features),
     .help = "train: also one row per feature, with its share of the splits"},
    {.kind = GS_OPT_GROUP, .help = "evaluation (train, evaluate)"},
    {'k', "folds", GS_OPT_COUNT, offsetof(struct forest_opts, folds), .arg = "K", .min = 2,
     .max = 1000, .help = "parts left out in turn; a repeated operation is never split"},
    {0, "points", GS_OPT_FLAG, offsetof(struct forest_opts, points),
     .help = "one row per measured operation with its prediction, instead of the errors"},
    {.kind = GS_OPT_GROUP, .help = "columns of the file"},
    COLUMN("op", op, "the operation as PyTorch prints it", "op"),
    COLUMN("input-size", input_size, "tuple of the input's dimensions, batch first", "input_size"),
    COLUMN("clock", clock, "GPU clock, MHz", "clock_mhz or clock, where it is there"),
    COLUMN("time", time, "measured run time of one operation, s", "time_s"),
    COLUMN("power", power, "measured mean power, W", "power_mean_W or power_w, where it is there"),
    COLUMN("by", model, "the model that operations belong to: predict adds them up",
           "model, where it is there"),
    COLUMN("count", count, "how often the model does the operation", "count, where it is there"),
    {0},
};

static enum gs_status train(const struct forest_opts *o, const struct gs_operations *ops,
                            const struct gs_forest_options *fit, const struct gs_context *context,
                            struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena *const arena = context->arena;
    struct gs_forest f;
    struct gs_buf text = {.arena = arena};
    GS_TRY(gs_forest_train(ops, fit, arena, &f, err));
    GS_TRY(gs_forest_calibrate(ops, o->folds, fit, arena, &f, err));
    GS_TRY(gs_forest_write(&f, &text, err));
    GS_TRY(gs_output_file(o->model_file, gs_buf_str(&text), err));
    GS_TRY(gs_forest_describe(&f, arena, out, err));
    if (o->features)
        GS_TRY(gs_forest_features(&f, arena, out, err));
    return GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct forest_opts *const o = parsed;
    const char *const action = o->operands.item[0], *const file = o->operands.item[1];
    const bool predicts = strcmp(action, "predict") == 0,
               evaluates = strcmp(action, "evaluate") == 0;
    const struct gs_forest_options fit = {
        .n_trees = o->trees,
        .depth_max = (unsigned)o->depth,
        .row_share = o->row_share,
        .feature_share = o->feature_share,
        .derived = o->plain == 0,
        .seed = o->seed,
        .n_threads = context->n_threads,
    };
    struct gs_operations ops;
    struct gs_forest forest;
    GS_TRY(gs_study_file_check("forest", action, file, err));
    if (!evaluates && o->model_file == NULL)
        return gs_fail(err, GS_ERR_USAGE, "forest %s: needs --model FILE, the forest to %s", action,
                       predicts ? "predict with" : "write");
    if (o->model_file != NULL) {
        const enum gs_claim_use use = predicts || evaluates ? GS_CLAIM_READ : GS_CLAIM_WRITE;
        GS_TRY(gs_path_claim(context->claims, use, "--model", o->model_file, err));
    }
    if (predicts)
        GS_TRY(gs_forest_read(o->model_file, context->arena, &forest, err));
    GS_TRY(
        gs_operations_read(file, &o->columns, !predicts, context->arena, &out->notes, &ops, err));
    if (predicts)
        return gs_forest_predict_frames(&forest, &ops, context->arena, out, err);
    if (!ops.has_power)
        gs_note(&out->notes, GS_NOTE_INFO, "%s: no power column: only run time is learnt",
                ops.name);
    if (evaluates)
        return gs_forest_evaluate(&ops, o->folds, o->points, &fit, context->arena, out, err);
    return train(o, &ops, &fit, context, out, err);
}

static const char *const actions[] = {"train", "predict", "evaluate", NULL};

const struct gs_command gs_cmd_forest = {
    GS_COMMAND(forest, struct forest_opts, opts, defaults),
    GS_OPERANDS("train|predict|evaluate FILE", struct forest_opts, operands, 2, 2),
    .summary = "run time, power and energy of operations, learnt from measured ones",
    .run = run,
    .no_figure = "a forest that was trained is looked at with evaluate and predict",
    .group = "power and prediction",
    .has_actions = true,
    .actions = actions,
};
