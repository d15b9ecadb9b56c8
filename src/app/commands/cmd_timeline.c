/* gpustat timeline - the run over time. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "data/result/plot.h"
#include "analysis/gpus/timeline.h"
#include "base/num/timestamp.h"

enum { ROWS_MAX = 100 }; /* that a person reads */

struct timeline_opts {
    struct gs_run_opts run;
    struct gs_timeline_options fold;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "steps"},
    {0, "every", GS_OPT_DURATION, offsetof(struct timeline_opts, fold.every_ns), .arg = "TIME",
     .help = "length of a step; of whole days: from midnight to midnight in the zone of --tz",
     .min = 1, .unset = "10s; in a table longer where the run has more than 100 of these"},
    GS_OPT_TASK,
    GS_OPTS_SCALE,
    {0},
};

static const struct timeline_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true},
            .event = GS_USUAL_TASK},
    .fold = {.max_gap_ns = -1}};

static const struct gs_panel panels[] = {
    GS_PANEL(LINES, TIME, ACTIVE_TASKS, .title = "Active tasks", .from_zero = true),
    GS_PANEL(LINES, TIME, TASKS_PER_S, .title = "Tasks finished per second", .from_zero = true,
             .y_label = "tasks finished (1/s)"),
    GS_PANEL(LINES, TIME, FLEET_POWER_W, .title = "Power of all GPUs", .from_zero = true),
    GS_PANEL(LINES, TIME, TEMP_MAX_C, .title = "Hottest GPU"),
    GS_PANEL(LINES, TIME, GPU_UTIL_MEAN_PCT, .title = "GPU utilisation", .from_zero = true),
    GS_PANEL(LINES, TIME, MEM_UTIL_MEAN_PCT, .title = "Memory utilisation", .from_zero = true),
};

const struct gs_plot gs_timeline_figures =
    GS_FIGURE(panels, "timeline", "The run over time",
              .caption = "Tasks, power, temperature and utilisation of all GPUs, step by step.",
              .columns = 2);

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct timeline_opts *const o = parsed;
    struct gs_timeline_options *const of = of_fold;
    (void)err;
    of->zone = o->run.dataset.zone;
    if (of->every_ns > 0)
        return GS_OK;
    of->every_ns = 10 * GS_NS_PER_S;
    of->rows_max = ROWS_MAX;
    return GS_OK;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    struct gs_plot *const own = gs_plot_over(&gs_timeline_figures, NULL, of->context->arena);
    GS_TRY(gs_had_memory(own != NULL, err));
    out->last->plot = own;
    return gs_fleet_figure(of->also, "timeline-fleet", of->context->arena, &own->next, err);
}

static const struct gs_fold_command folds = {
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .fold = &gs_timeline_fold,
    .options_at = offsetof(struct timeline_opts, fold),
    .options_size = sizeof(struct gs_timeline_options),
    .task = offsetof(struct gs_timeline_options, event),
    .options = options,
    .draws = offsetof(struct gs_timeline_options, cells),
    .brief = offsetof(struct gs_timeline_options, brief),
    .also_size = sizeof(struct gs_fleet_map),
    .draw = draw,
};

const struct gs_command gs_cmd_timeline = {
    GS_FOLD_COMMAND(timeline, struct timeline_opts, opts, defaults, folds),
    .summary = "the run over time: tasks, throughput, power, temperature, utilisation",
};
