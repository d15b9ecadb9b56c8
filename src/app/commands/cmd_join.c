/* gpustat join - one row per START/STOP pair, with the readings joined to it. */
#include "app/passes/fold_command.h"
#include "data/result/plot.h"
#include "analysis/events/pairs.h"

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    GS_OPTS_JOIN,
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gs_run_opts, event), .arg = "NAME", .help = "only this event", .unset = "all"},
    GS_OPTS_SCALE,
    {0},
};
/* clang-format on */

static const struct gs_run_opts defaults = {.join = GS_JOIN_DEFAULTS};

static const struct gs_panel panels[] = {
    GS_PANEL(SCATTER, START, DURATION_MS, .title = "Duration over time", .group = GS_COL_EVENT,
             .by_name = true, .log_y = true),
    GS_PANEL(SCATTER, DURATION_MS, POWER_W, .title = "Power and duration", .group = GS_COL_EVENT,
             .by_name = true, .log_x = true),
};

static const struct gs_plot figure =
    GS_FIGURE(panels, "join", "Events",
              .caption = "One point per event; of events that lie on one another one is drawn.");

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct gs_run_opts *const o = parsed;
    (void)err;
    *(struct gs_events_options *)of_fold =
        (struct gs_events_options){gs_join_opts_get(&o->join), o->event};
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .metric_columns = true,
    .event = GS_EVENT_ALONE,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .fold = &gs_pairs_fold,
    .options_size = sizeof(struct gs_events_options),
    .options = options,
    .plot = &figure,
};

const struct gs_command gs_cmd_join = {
    GS_FOLD_COMMAND(join, struct gs_run_opts, opts, defaults, folds),
    .summary = "every START/STOP pair with the readings joined to it",
    .joins = true,
};
