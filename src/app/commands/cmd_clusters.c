/* gpustat clusters - the populations of GPUs. */
#include "app/passes/fold_command.h"
#include "analysis/gpus/clusters.h"
#include "stats/models/kmeans.h"
#include "data/result/plot.h"

struct clusters_opts {
    struct gs_run_opts run;
    struct gs_clusters_options fold;
};

static const char *const by_words[] = {"cluster", "gpu", NULL};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "clusters"},
    {'k', "k", GS_OPT_COUNT, offsetof(struct clusters_opts, fold.how.k), .arg = "K",
     .help = "number of clusters", .min = 1, .max = GS_KMEANS_K_MAX, .unset = "found, 1 to 4"},
    {0, "axes", GS_OPT_TEXT, offsetof(struct clusters_opts, fold.how.axes),
     .arg = "METRIC[,METRIC]",
     .help = "look for groups in the means of these, too, each alone: mem_used_mib, sm_clock_mhz"},
    {0, "least-points", GS_OPT_REAL, offsetof(struct clusters_opts, fold.how.least_points),
     .arg = "POINTS",
     .help = "how far groups differ in utilisation; in per cent of the median for other axes",
     .real_max = 100},
    {0, "by", GS_OPT_CHOICE, offsetof(struct clusters_opts, fold.by_gpu), .choices = by_words,
     .help = "one row per cluster, or one per GPU with its cluster"},
    GS_OPT_TASK,
    GS_OPTS_SCALE,
    {0},
};

static const struct clusters_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true},
            .event = GS_USUAL_TASK},
    .fold = {.profile.hot = INT64_MAX, .how.least_points = GS_POPULATIONS_LEAST}};

static const struct gs_panel panels[] = {
    GS_PANEL(SCATTER, GPU_UTIL_MEAN_PCT, MEM_UTIL_MEAN_PCT, .title = "Utilisation",
             .group = GS_COL_CLUSTER),
    GS_PANEL(SCATTER, MEM_UTIL_MEAN_PCT, TASK_MEAN_S, .title = "Memory utilisation and task time",
             .group = GS_COL_CLUSTER),
};

const struct gs_plot gs_clusters_figures = GS_FIGURE(
    panels, "clusters", "Groups of GPUs", .caption = "One point per GPU, coloured by its cluster.");

static const struct gs_fold_command folds = {
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true},
    .fold = &gs_clusters_fold,
    .options_at = offsetof(struct clusters_opts, fold),
    .options_size = sizeof(struct gs_clusters_options),
    .task = offsetof(struct gs_clusters_options, profile.event),
    .compares_tasks = true,
    .also_size = sizeof(struct gs_clusters_frames),
    .plot = &gs_clusters_figures,
};

const struct gs_command gs_cmd_clusters = {
    GS_FOLD_COMMAND(clusters, struct clusters_opts, opts, defaults, folds),
    .summary = "the groups of GPUs: alike in GPU and memory utilisation",
};
