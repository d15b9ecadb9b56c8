/* gpustat bias - what the nearest join hides, event by event. */
#include "app/passes/fold_command.h"
#include "analysis/events/bias.h"
#include "data/result/plot.h"

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "nearest join"},
    {0, "tolerance", GS_OPT_DURATION, offsetof(struct gs_run_opts, join.tolerance_ns),
     .arg = "TIME", .unset = "any distance", .help = "take no sample further away than this"},
    {0, "ties", GS_OPT_CHOICE, offsetof(struct gs_run_opts, join.ties), .choices = gs_ties_words,
     .help = "of two samples equally near, take the earlier or the later"},
    GS_OPTS_SCALE,
    {0},
};

static const struct gs_run_opts defaults = {.dataset = {.duplicates = GS_DUPLICATES_DROP},
                                            .join = GS_JOIN_DEFAULTS};

static const struct gs_panel panels[] = {
    GS_PANEL(HISTOGRAM_GROUPED, EVENT, POWER_MEAN_W, .title = "Mean power", .group = GS_COL_JOIN,
             .count = GS_COL_SAMPLED, .of = GS_COL_N),
    GS_PANEL(HISTOGRAM_GROUPED, EVENT, GPU_UTIL_MEAN_PCT, .title = "Mean GPU utilisation",
             .group = GS_COL_JOIN, .count = GS_COL_SAMPLED, .of = GS_COL_N),
};

const struct gs_plot gs_bias_figures = GS_FIGURE(
    panels, "bias", "Nearest against window join",
    .caption = "Each event by the samples nearest to its two ends, and by all samples inside it.");

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct gs_run_opts *const o = parsed;
    (void)err;
    *(struct gs_join_options *)of_fold = gs_join_opts_get(&o->join);
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .metric_columns = true,
    .equal_tasks = GS_TASKS_EQUAL,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .fold = &gs_bias_fold,
    .options_size = sizeof(struct gs_join_options),
    .options = options,
    .also_size = sizeof(struct gs_bias_frames),
    .plot = &gs_bias_figures,
};

const struct gs_command gs_cmd_bias = {
    GS_FOLD_COMMAND(bias, struct gs_run_opts, opts, defaults, folds),
    .summary = "what the nearest join hides: events at their ends against all samples inside",
};
