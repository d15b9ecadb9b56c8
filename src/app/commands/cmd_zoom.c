/* gpustat zoom - one row per zoom level of the rendered tiles. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "analysis/events/events.h"
#include "data/result/plot.h"

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    GS_OPTS_JOIN,
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gs_run_opts, event), .arg = "NAME",
     .help = "the event that is counted"},
    GS_OPTS_SCALE,
    {0},
};

static const struct gs_run_opts defaults = {.join = GS_JOIN_DEFAULTS, .event = GS_USUAL_TASK};

static const struct gs_panel figure_3[] = {
    GS_PANEL(BARS, LEVEL, POWER_MEAN_W, .title = "Mean power", .label = GS_COL_N, .count = GS_COL_N,
             .x_label = "zoom level", .y_label = "mean power (W)"),
    GS_PANEL(BARS, LEVEL, TEMP_MEAN_C, .title = "Mean temperature", .label = GS_COL_N,
             .count = GS_COL_N, .x_label = "zoom level",
             .y_label = "mean temperature (\xc2\xb0"
                        "C)"),
};

static const struct gs_panel figure_4[] = {
    GS_PANEL(BARS, LEVEL, DURATION_MEAN_MS, .label = GS_COL_N, .count = GS_COL_N, .may_log = true,
             .x_label = "zoom level", .y_label = "mean duration (ms)"),
};

static const struct gs_plot duration_figure =
    GS_FIGURE(figure_4, "figure-4", "Mean duration by zoom level");
const struct gs_plot gs_zoom_figures = GS_FIGURE(
    figure_3, "figure-3", "Mean power and temperature by zoom level", .next = &duration_figure);

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct gs_run_opts *const o = parsed;
    (void)err;
    *(struct gs_events_options *)of_fold =
        (struct gs_events_options){gs_join_opts_get(&o->join), o->event};
    return GS_OK;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    return gs_with_durations(&gs_zoom_figures, of->also, "zoom-durations", "zoom-boxes",
                             of->context->arena, &out->last->plot, err);
}

static const struct gs_fold_command folds = {
    .equal_tasks = GS_TASKS_EQUAL,
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_SAMPLES] = true},
    .fold = &gs_zoom_fold,
    .options_size = sizeof(struct gs_events_options),
    .options = options,
    .also_size = sizeof(struct gs_durations),
    .draw = draw,
};

const struct gs_command gs_cmd_zoom = {
    GS_FOLD_COMMAND(zoom, struct gs_run_opts, opts, defaults, folds),
    .summary = "durations, power, temperature, utilisation and energy of each zoom level",
    .joins = true,
};
