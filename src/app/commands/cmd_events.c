/* gpustat events - one row per event: durations, power, temperature, utilisation, energy. */
#include "app/passes/fold_command.h"
#include "app/charts/figures.h"
#include "analysis/events/events_by.h"
#include "data/result/plot.h"

struct events_opts {
    struct gs_run_opts run;
    const char *by, *per;
};

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    GS_OPTS_JOIN,
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct gs_run_opts, event), .arg = "NAME", .help = "only this event",
     .unset = "all"},
    {0, "by", GS_OPT_TEXT, offsetof(struct events_opts, by), .arg = "KEY[,KEY]",
     .help = "one row for each of these: event, host, gpu, job, task, level, x, y, or an attribute of the tasks", .unset = "event"},
    {0, "per", GS_OPT_TEXT, offsetof(struct events_opts, per), .arg = "NAME",
     .help = "also the energy of one of these, which the events count in an attribute: tokens, samples"},
    GS_OPTS_SCALE,
    {0},
};
/* clang-format on */

static const struct events_opts defaults = {.run = {.join = GS_JOIN_DEFAULTS}};

static const struct gs_panel figure_1[] = {
    GS_PANEL(BARS, EVENT, POWER_MEAN_W, .title = "Mean power", .group = GS_COL_EVENT,
             .by_name = true, .count = GS_COL_N, .largest_first = true,
             .y_label = "mean power (W)"),
    GS_PANEL(BARS, EVENT, TEMP_MEAN_C, .title = "Mean temperature", .group = GS_COL_EVENT,
             .by_name = true, .count = GS_COL_N, .largest_first = true,
             .y_label = "mean temperature (\xc2\xb0"
                        "C)"),
};

static const struct gs_panel figure_2[] = {
    GS_PANEL(BARS, EVENT, DURATION_MEAN_MS, .group = GS_COL_EVENT, .by_name = true,
             .count = GS_COL_N, .largest_first = true, .may_log = true,
             .y_label = "mean duration (ms)"),
};

static const struct gs_panel energy_panel[] = {
    GS_PANEL(BARS, EVENT, ENERGY_SUM_J, .group = GS_COL_EVENT, .by_name = true, .count = GS_COL_N,
             .low = GS_COL_ENERGY_LOW_J, .high = GS_COL_ENERGY_HIGH_J, .largest_first = true,
             .y_label = "energy of all (J), with its 95 % interval"),
};

static const struct gs_plot energy_figure =
    GS_FIGURE(energy_panel, "events-energy", "Energy by event",
              .caption = "What lies inside another event counts in both.");
static const struct gs_plot duration_figure =
    GS_FIGURE(figure_2, "figure-2", "Mean duration by event", .next = &energy_figure);
const struct gs_plot gs_events_figures = GS_FIGURE(
    figure_1, "figure-1", "Mean power and temperature by event", .next = &duration_figure);

static const struct gs_panel by_panels[] = {
    GS_PANEL(BARS, NONE, DURATION_MEAN_MS, .title = "Mean duration", .count = GS_COL_N,
             .may_log = true, .y_label = "mean duration (ms)"),
    GS_PANEL(BARS, NONE, ENERGY_SUM_J, .title = "Energy, with its 95 % interval", .count = GS_COL_N,
             .low = GS_COL_ENERGY_LOW_J, .high = GS_COL_ENERGY_HIGH_J, .y_label = "energy (J)"),
};

static const struct gs_plot by_figure =
    GS_FIGURE(by_panels, "events-by", "Duration and energy of each group");

/* Bars for one key, clusters for two; a picture of more would have to leave some out. */
static enum gs_status draw_groups(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err)
{
    const int n_keys = gs_frame_column(f, GS_COL_N);
    struct gs_panel *panels;
    if (n_keys < 1 || n_keys > 2)
        return GS_OK;
    struct gs_plot *const own = gs_plot_copy(&by_figure, arena, &panels);
    GS_TRY(gs_had_memory(own != NULL, err));
    for (int i = 0; i < own->n_panels; i++) {
        panels[i].x = f->columns[0].spec->id;
        panels[i].x_label = f->columns[0].spec->label;
        if (n_keys == 2) {
            panels[i].kind = GS_PLOT_HISTOGRAM_GROUPED;
            panels[i].group = f->columns[1].spec->id;
        }
    }
    f->plot = own;
    return GS_OK;
}

static void needs(const void *parsed, bool need[GS_N_TABLES])
{
    const struct events_opts *const o = parsed;
    struct gs_events_by_options by;
    need[GS_TABLE_TASKS] |= o->by != NULL &&
                            gs_keys_parse(o->by, by.key, &by.n_keys, NULL) == GS_OK &&
                            gs_events_by_needs_tasks(&by);
}

/* The options of events stand first in those of --by. */
static const struct gs_fold *choose(const void *parsed)
{
    const struct events_opts *const o = parsed;
    return o->by == NULL && o->per == NULL ? &gs_events_fold : &gs_events_by_fold;
}

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct events_opts *const o = parsed;
    struct gs_events_by_options *const by = of_fold;
    *by = (struct gs_events_by_options){.events = {gs_join_opts_get(&o->run.join), o->run.event}};
    if (o->per != NULL)
        by->per = gs_str(o->per);
    if (o->by == NULL && o->per == NULL)
        return GS_OK;
    return gs_keys_parse(o->by == NULL ? "event" : o->by, by->key, &by->n_keys, err);
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    const struct events_opts *const o = of->parsed;
    if (o->by != NULL || o->per != NULL)
        return draw_groups(out->last, of->context->arena, err);
    struct gs_panel *panels;
    struct gs_plot *const own = gs_plot_copy(&gs_events_figures, of->context->arena, &panels);
    GS_TRY(gs_had_memory(own != NULL, err));
    if (gs_frame_has_values(out->last, GS_COL_POWER_TIME_W)) {
        panels[0].title = "Power over time"; /* as the table shows it, whatever the join */
        panels[0].y = GS_COL_POWER_TIME_W;
        panels[0].y_label = "power over time (W)";
    }
    return gs_with_durations(own, of->also, "events-durations", "events-boxes", of->context->arena,
                             &out->last->plot, err);
}

static const struct gs_fold_command folds = {
    .equal_tasks = GS_TASKS_LIKE,
    .event = GS_EVENT_ALONE,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .needs = needs,
    .choose = choose,
    .options_size = sizeof(struct gs_events_by_options),
    .options = options,
    .also_size = sizeof(struct gs_durations),
    .draw = draw,
};

const struct gs_command gs_cmd_events = {
    GS_FOLD_COMMAND(events, struct events_opts, opts, defaults, folds),
    .summary = "durations, power, temperature, utilisation and energy of each event",
    .joins = true,
    .no_figure = "of more than two keys a picture would leave some out; take one or two with --by",
};
