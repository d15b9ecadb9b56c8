/* gpustat summary - what the data hold: files, rows, distinct names, pairs per level, span of time. */
#include "app/engine/fold_command.h"
#include "analysis/events/summary.h"

struct summary_opts {
    struct gs_dataset_opts dataset;
    struct gs_scale_opts scale;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct summary_opts, dataset),
    GS_OPTS_SCALE(struct summary_opts, scale),
    {0},
};

static const struct summary_opts defaults = {0};

static const struct gs_fold_command folds = {
    .dataset = offsetof(struct summary_opts, dataset),
    .scale = offsetof(struct summary_opts, scale),
    .all_tasks = true,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .fold = &gs_summary_fold,
};

static const struct gs_example examples[] = {
    {"gpustat summary data/", "rows, hosts, GPUs, tasks and the time that they span"},
    {0},
};

const struct gs_command gs_cmd_summary = {
    .name = "summary",
    .summary = "files, rows, distinct names, pairs per zoom level and span of time",
    .description =
        "The size of a data set in numbers: its files, its rows and how many of them are exact "
        "duplicates, "
        "distinct hosts, GPUs, events, jobs and tasks, START/STOP pairs with those of TotalRender "
        "by zoom "
        "level, first and last times, and the median interval between two samples of a GPU.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct summary_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = gs_fold_command_run,
    .folds = &folds,
    .examples = examples,
    .no_figure = "its quantities have nothing in common to be drawn against",
    .group = "the run",
};
