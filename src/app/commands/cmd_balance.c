/* gpustat balance - where the energy of the run went, to the joule. */
#include "app/passes/fold_command.h"
#include "analysis/gpus/balance.h"
#include "data/result/plot.h"

struct balance_opts {
    struct gs_run_opts run;
    struct gs_balance_options fold;
};

static const char *const by_words[] = {"run", "gpu", "level", NULL};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "balance"},
    {0, "by", GS_OPT_CHOICE, offsetof(struct balance_opts, fold.by), .choices = by_words,
     .help = "one balance of the run, of each GPU, or of each zoom level"},
    GS_OPTS_SCALE,
    {0},
};

static const struct balance_opts defaults = {
    .run = {.dataset = {.duplicates = GS_DUPLICATES_DROP, .counts_once = true}},
    .fold = {.max_gap_ns = -1}};

#define INTERVAL .low = GS_COL_ENERGY_LOW_J, .high = GS_COL_ENERGY_HIGH_J

static const struct gs_panel panels[] = {
    GS_PANEL(BARS, PART, ENERGY_J, .title = "Energy while an event runs", INTERVAL,
             .largest_first = true, .group = GS_COL_PART, .by_name = true,
             .only_column = GS_COL_STATE, .only_value = "task"),
    GS_PANEL(BARS, PART, ENERGY_J, .title = "Energy while idle", INTERVAL, .largest_first = true,
             .plain = true, .only_column = GS_COL_STATE, .only_value = "idle"),
};

const struct gs_plot gs_balance_figures = GS_FIGURE(
    panels, "balance", "Where the energy went",
    .caption = "Energy of all GPUs, each joule counted once: with the innermost running event, or "
               "as idle.");

static const struct gs_panel gpu_panels[] = {
    GS_PANEL(BARS, HOSTNAME, ENERGY_J, INTERVAL, .largest_first = true, .only_column = GS_COL_PART,
             .only_value = "between events"),
};

static const struct gs_plot gpu_figure =
    GS_FIGURE(gpu_panels, "balance-gpu", "Energy of each GPU while idle between events",
              .caption = "What each GPU drew after one event and before the next.");

static const struct gs_panel level_panels[] = {
    GS_PANEL(HISTOGRAM_GROUPED, LEVEL, ENERGY_J, INTERVAL, .group = GS_COL_PART, .by_name = true,
             .log_y = true, .only_column = GS_COL_STATE, .only_value = "task",
             .x_label = "zoom level"),
};

static const struct gs_plot level_figure = GS_FIGURE(
    level_panels, "balance-level", "Energy of each zoom level",
    .caption = "Energy of the tasks of a level, each joule counted once; on a logarithmic scale.");

static void needs(const void *parsed, bool need[GS_N_TABLES])
{
    const struct balance_opts *const o = parsed;
    need[GS_TABLE_TASKS] |= o->fold.by == GS_BALANCE_LEVEL;
}

static enum gs_status draw(const struct gs_figure_of *of, struct gs_frames *out, struct gs_err *err)
{
    static const struct gs_plot *const figures[] = {[GS_BALANCE_RUN] = &gs_balance_figures,
                                                    [GS_BALANCE_GPU] = &gpu_figure,
                                                    [GS_BALANCE_LEVEL] = &level_figure};
    const struct balance_opts *const o = of->parsed;
    (void)err;
    out->last->plot = figures[o->fold.by];
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true},
    .needs = needs,
    .fold = &gs_balance_fold,
    .options_at = offsetof(struct balance_opts, fold),
    .options_size = sizeof(struct gs_balance_options),
    .draw = draw,
};

const struct gs_command gs_cmd_balance = {
    GS_FOLD_COMMAND(balance, struct balance_opts, opts, defaults, folds),
    .summary = "where the energy went: each event, between tasks, before and after",
};
