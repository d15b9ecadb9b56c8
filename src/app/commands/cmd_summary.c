/* gpustat summary - what the data hold: files, rows, distinct names, pairs per level, span of time. */
#include "app/passes/fold_command.h"
#include "analysis/events/summary.h"

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    GS_OPTS_SCALE,
    {0},
};

static const struct gs_run_opts defaults = {.dataset = {.counts_once = true}};

static const struct gs_fold_command folds = {
    .all_tasks = true,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .fold = &gs_summary_fold,
};

const struct gs_command gs_cmd_summary = {
    GS_FOLD_COMMAND(summary, struct gs_run_opts, opts, defaults, folds),
    .summary = "files, rows, distinct names, events per zoom level and span of time",
    .no_figure = "its quantities have nothing in common to be drawn against",
};
