/* gpustat stragglers - GPUs that are slow for their own population, and GPUs that run hot. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "data/result/plot.h"
#include "analysis/gpus/stragglers.h"
#include "stats/models/kmeans.h"

struct stragglers_opts {
    struct gs_run_opts run;
    struct gs_stragglers_options fold;
    double hot_c;
};

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "verdict"},
    {0, "fdr", GS_OPT_REAL, offsetof(struct stragglers_opts, fold.fdr), .arg = "SHARE",
     .help = "false discoveries allowed among the GPUs called slow", .real_max = 1, .above_min = true, .below_max = true},
    {0, "least", GS_OPT_SHARE, offsetof(struct stragglers_opts, fold.least), .arg = "PERCENT",
     .help = "how much slower than the others of its group is slow: 3%, 0.03", .real_max = 10},
    {0, "hot", GS_OPT_REAL, offsetof(struct stragglers_opts, hot_c), .arg = "DEGREES",
     .help = "samples of this temperature or above are hot", .real_min = -1000, .real_max = 1000000},
    {'a', "all", GS_OPT_FLAG, offsetof(struct stragglers_opts, fold.all), .help = "show every GPU, not only the findings"},
    {'k', "k", GS_OPT_COUNT, offsetof(struct stragglers_opts, fold.k), .arg = "K", .help = "number of groups", .min = 1,
     .max = GS_KMEANS_K_MAX, .unset = "found, 1 to 4"},
    GS_OPT_TASK,
    GS_OPTS_SCALE,
    {0},
};

static const struct stragglers_opts defaults = {.run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true}, .event = GS_USUAL_TASK}, .fold = {.profile = {.keep_tasks = true, .loads = true}, .least = 0.03, .fdr = 0.05}, .hot_c = 80};

/* What is as it should be is first, what costs most stands out. */
static const char *const verdicts[] = {"ok", "hot", "not slow", "slow, hot", "slow", NULL};

static const struct gs_panel panels[] = {
    GS_PANEL(BARS, HOSTNAME, COST_GPU_S, .title = "Cost against the group", .group = GS_COL_VERDICT, .order = verdicts, .count = GS_COL_TASKS),
    GS_PANEL(SCATTER, SLOWDOWN_PCT, P_VALUE, .title = "Evidence, stronger further down", .group = GS_COL_VERDICT, .order = verdicts, .log_y = true, .y_label = "p of being as fast as the others"),
};
/* clang-format on */

const struct gs_plot gs_stragglers_figures = GS_FIGURE(
    panels, "stragglers", "GPUs against their own group",
    .caption = "One point per GPU: how much longer its median task takes than its group's, "
               "and what that cost.");

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct stragglers_opts *const o = parsed;
    struct gs_stragglers_options *const of = of_fold;
    (void)err;
    const double hot = o->hot_c * (double)GS_FIXED_ONE;
    of->profile.hot = (int64_t)(hot < 0 ? hot - 0.5 : hot + 0.5);
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .equal_tasks = GS_TASKS_LIKE,
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_TASKS] = true},
    .fold = &gs_stragglers_fold,
    .options_at = offsetof(struct stragglers_opts, fold),
    .options_size = sizeof(struct gs_stragglers_options),
    .task = offsetof(struct gs_stragglers_options, profile.event),
    .compares_tasks = true,
    .options = options,
    .also_size = sizeof(struct gs_frame *),
    .plot = &gs_stragglers_figures,
};

const struct gs_command gs_cmd_stragglers = {
    GS_FOLD_COMMAND(stragglers, struct stragglers_opts, opts, defaults, folds),
    .summary = "GPUs that are slow within their group, what they cost, and GPUs that run hot",
};
