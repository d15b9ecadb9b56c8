/* gpustat clusters - the populations of GPUs. */
#include "app/engine/fold_command.h"
#include "app/charts/figures.h"
#include "analysis/gpus/clusters.h"
#include "stats/models/kmeans.h"
#include "data/result/plot.h"

struct clusters_opts {
    struct gs_dataset_opts dataset;
    struct gs_scale_opts scale;
    const char *event;
    uint64_t k; /* 0: chosen */
    int by;     /* 0 cluster, 1 gpu */
};

static const char *const by_words[] = {"cluster", "gpu", NULL};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct clusters_opts, dataset),
    {0, NULL, GS_OPT_GROUP, 0, .help = "clusters"},
    {'k', "k", GS_OPT_COUNT, offsetof(struct clusters_opts, k), .arg = "K",
     .help = "number of clusters", .min = 1, .max = GS_KMEANS_K_MAX, .unset = "found, 1 to 4"},
    {0, "by", GS_OPT_CHOICE, offsetof(struct clusters_opts, by), .choices = by_words,
     .help = "one row per cluster, or one per GPU with its cluster"},
    {0, "event", GS_OPT_TEXT, offsetof(struct clusters_opts, event), .arg = "NAME",
     .help = "the event that is a task"},
    GS_OPTS_SCALE(struct clusters_opts, scale),
    {0},
};

static const struct clusters_opts defaults = {.dataset = {.duplicates = GS_DUPLICATES_DROP},
                                              .event = GS_USUAL_TASK};

/* clang-format off */
static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_SCATTER, .title = "Utilisation", .x = GS_COL_GPU_UTIL_MEAN_PCT, .y = GS_COL_MEM_UTIL_MEAN_PCT,
     .group = GS_COL_CLUSTER},
    {.kind = GS_PLOT_SCATTER, .title = "Memory utilisation and task time", .x = GS_COL_MEM_UTIL_MEAN_PCT, .y = GS_COL_TASK_MEAN_S,
     .group = GS_COL_CLUSTER},
};
/* clang-format on */

const struct gs_plot gs_clusters_figures = {
    .name = "clusters",
    .title = "Populations of GPUs",
    .caption = "One point per GPU, coloured by its cluster.",
    .n_panels = 2,
    .panels = panels,
};

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct clusters_opts *const o = parsed;
    (void)err;
    *(struct gs_clusters_options *)of_fold = (struct gs_clusters_options){
        .profile = {.event = o->event, .hot = INT64_MAX}, .k = (size_t)o->k, .by_gpu = o->by == 1};
    return GS_OK;
}

static enum gs_status draw(const void *parsed, const struct gs_context *context, const void *also,
                           struct gs_frames *out, struct gs_err *err)
{
    const struct gs_clusters_frames *const frames = also;
    (void)parsed;
    out->last->plot = gs_plot_over(&gs_clusters_figures, frames->members, context->arena);
    return out->last->plot == NULL ? gs_fail_memory(err) : GS_OK;
}

static const struct gs_fold_command folds = {
    .dataset = offsetof(struct clusters_opts, dataset),
    .scale = offsetof(struct clusters_opts, scale),
    .task_event = offsetof(struct clusters_opts, event),
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true},
    .fold = &gs_clusters_fold,
    .options_size = sizeof(struct gs_clusters_options),
    .options = options,
    .also_size = sizeof(struct gs_clusters_frames),
    .draw = draw,
};

static const struct gs_example examples[] = {
    {"gpustat clusters data/", "the populations of GPUs, their centres and ranges"},
    {"gpustat clusters data/ --by gpu --format csv", "each GPU's cluster"},
    {0},
};

/* clang-format off */
const struct gs_command gs_cmd_clusters = {
    .name = "clusters",
    .summary = "the populations of GPUs: alike in GPU and memory utilisation",
    .description =
        "Describes each GPU by its mean GPU and memory utilisation, standardised, never by its task time, and splits the "
        "GPUs with k-means into two to four. A split is believed where each part holds at least 3 GPUs and a tenth of "
        "them, the mean silhouette is 0.6 or more, and centres lie more than twice the sum of both parts' deviations "
        "apart; of several that one of greatest silhouette, and where none is, there is one population. A few GPUs far "
        "from all others (3 interquartile ranges) take no part in the search and join the nearest centre. --k takes a "
        "number as it is given. Nothing is random: the same data give the same clusters. They are numbered from 1 by "
        "ascending utilisation.\n\n"
        "A host with several GPUs whose tasks name none of them is one point.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct clusters_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = gs_fold_command_run,
    .folds = &folds,
    .examples = examples,
    .group = "the run",
};
/* clang-format on */
