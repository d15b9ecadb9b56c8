/* gpustat gpus, gpustat correlate - one row per GPU; how its metrics go with its task time. */
#include "dataset_opts.h"
#include "gpustat/per_gpu.h"
#include "gpustat/plot.h"

struct gpus_opts {
    struct gs_dataset_opts dataset;
    const char *event;
    double level;
};

static const bool need[GS_N_TABLES] = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true};

static const struct gs_opt gpus_opts[] = {
    GS_OPTS_DATASET(struct gpus_opts, dataset),
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gpus_opts, event), .arg = "NAME", .help = "the event that is a task"},
    {0},
};

static const struct gs_opt correlate_opts[] = {
    GS_OPTS_DATASET(struct gpus_opts, dataset),
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gpus_opts, event), .arg = "NAME", .help = "the event that is a task"},
    {0, "level", GS_OPT_REAL, offsetof(struct gpus_opts, level), .arg = "P", .help = "coverage of the interval of r",
     .real_min = 0, .real_max = 1, .above_min = true, .below_max = true},
    {0},
};

static const struct gpus_opts defaults = {.event = "TotalRender", .level = 0.95};

static const struct gs_panel figure_5[GS_N_METRICS] = {
    {.kind = GS_PLOT_SCATTER, .title = "Power", .x = "power_mean_w", .y = "total_render_mean_s", .line = true},
    {.kind = GS_PLOT_SCATTER, .title = "Temperature", .x = "temp_mean_c", .y = "total_render_mean_s", .line = true},
    {.kind = GS_PLOT_SCATTER, .title = "GPU utilisation", .x = "gpu_util_mean_pct", .y = "total_render_mean_s", .line = true},
    {.kind = GS_PLOT_SCATTER, .title = "Memory utilisation", .x = "mem_util_mean_pct", .y = "total_render_mean_s", .line = true},
};

static const struct gs_plot plot = {.name = "figure-5",
                                    .title = "Mean task time of each GPU against its means",
                                    .n_panels = GS_N_METRICS,
                                    .panels = figure_5,
                                    .columns = 2};

static enum gs_status load(const struct gpus_opts *o, const struct gs_context *context, struct gs_dataset *data,
                           struct gs_gpu_means **means, struct gs_metric_relation *relation, struct gs_frames *out,
                           struct gs_err *err)
{
    enum gs_status s = gs_dataset_opts_load(&o->dataset, context, need, NULL, false, data, out, err);
    if (s == GS_OK)
        s = gs_gpu_means(data, o->event, context->n_threads, context->arena, means, &out->notes, err);
    return s == GS_OK ? gs_correlate(data, *means, o->level, context->arena, relation, err) : s;
}

static enum gs_status run_gpus(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                               struct gs_err *err)
{
    struct gs_dataset data;
    struct gs_gpu_means *means;
    struct gs_metric_relation relation[GS_N_METRICS];
    enum gs_status s = load(parsed, context, &data, &means, relation, out, err);
    if (s == GS_OK)
        s = gs_gpus_frame(&data, means, context->arena, out, err);
    if (s != GS_OK)
        return s;
    struct gs_panel *panels;
    struct gs_plot *const drawn = gs_plot_copy(&plot, context->arena, &panels);
    struct gs_fit *const fit = gs_arena_take(context->arena, GS_N_METRICS, sizeof *fit);
    if (drawn == NULL || fit == NULL)
        return gs_fail_memory(err);
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        fit[m] = gs_relation_fit(&relation[m]);
        panels[m].fit = &fit[m];
    }
    out->last->plot = drawn;
    return GS_OK;
}

static enum gs_status run_correlate(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                                    struct gs_err *err)
{
    const struct gpus_opts *const o = parsed;
    struct gs_dataset data;
    struct gs_gpu_means *means;
    struct gs_metric_relation relation[GS_N_METRICS];
    const enum gs_status s = load(o, context, &data, &means, relation, out, err);
    return s == GS_OK ? gs_correlate_frame(relation, o->level, context->arena, out, err) : s;
}

static const struct gs_example gpus_examples[] = {
    {"gpustat gpus data/ --sort total_render_mean_s:desc --top 5", "the five slowest GPUs"},
    {"gpustat gpus data/ --format csv", "all of them, for the next tool"},
    {0},
};

static const struct gs_example correlate_examples[] = {
    {"gpustat correlate data/", "which metric goes with slow tasks"},
    {0},
};

const struct gs_command gs_cmd_gpus = {
    .name = "gpus",
    .summary = "mean power, temperature, utilisation and task time of each GPU",
    .description = "Means of each metric over all samples of a GPU, idle time included, beside the mean duration of "
                   "the tasks on its host.",
    .operands = "[DIR]",
    .operands_offset = offsetof(struct gpus_opts, dataset.dir),
    .operands_max = 1,
    .opts = gpus_opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run_gpus,
    .examples = gpus_examples,
    .group = "the run",
};

const struct gs_command gs_cmd_correlate = {
    .name = "correlate",
    .summary = "correlation of each metric with task time over the GPUs",
    .description = "Pearson and Spearman correlations and the least-squares line of each GPU's mean task time on its "
                   "mean power, temperature and utilisations: the numbers behind the scatter plots of gpus.",
    .operands = "[DIR]",
    .operands_offset = offsetof(struct gpus_opts, dataset.dir),
    .operands_max = 1,
    .opts = correlate_opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run_correlate,
    .examples = correlate_examples,
    .group = "the run",
};
