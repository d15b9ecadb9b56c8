/* gpustat summary - what the data hold: files, rows, distinct names, pairs per level, span of time. */
#include "args/dataset_opts.h"
#include "run/summary.h"

struct summary_opts {
    struct gs_dataset_opts dataset;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct summary_opts, dataset),
    {0},
};

static const struct summary_opts defaults = {0};

static enum gs_status run(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err)
{
    static const bool need[GS_N_TABLES] = {true, true, true}, optional[GS_N_TABLES] = {[GS_TABLE_TASKS] = true};
    const struct summary_opts *const o = parsed;
    struct gs_dataset data;
    const enum gs_status s = gs_dataset_opts_load(&o->dataset, context, need, optional, false, &data, out, err);
    return s == GS_OK ? gs_fold_frames(&data, &gs_summary_fold, NULL, context->n_threads, context->arena, out, NULL, err) : s;
}

static const struct gs_example examples[] = {
    {"gpustat summary data/", "rows, hosts, GPUs, tasks and the time that they span"},
    {0},
};

const struct gs_command gs_cmd_summary = {
    .name = "summary",
    .summary = "files, rows, distinct names, pairs per zoom level and span of time",
    .description = "The size of a data set in numbers: its files, its rows and how many of them are exact duplicates, "
                   "distinct hosts, GPUs, events, jobs and tasks, START/STOP pairs with those of TotalRender by zoom "
                   "level, first and last times, and the median interval between two samples of a GPU.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct summary_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .no_figure = "its quantities have nothing in common to be drawn against",
    .group = "the run",
};
