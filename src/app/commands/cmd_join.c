/* gpustat join - one row per START/STOP pair, with the readings joined to it. */
#include "app/engine/fold_command.h"
#include "data/result/plot.h"
#include "analysis/events/pairs.h"

struct join_opts {
    struct gs_dataset_opts dataset;
    struct gs_scale_opts scale;
    struct gs_join_opts join;
    const char *event;
};

/* clang-format off */
static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct join_opts, dataset),
    GS_OPTS_JOIN(struct join_opts, join),
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct join_opts, event), .arg = "NAME", .help = "only this event", .unset = "all"},
    GS_OPTS_SCALE(struct join_opts, scale),
    {0},
};
/* clang-format on */

static const struct join_opts defaults = {.join = GS_JOIN_DEFAULTS};

/* clang-format off */
static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_SCATTER, .title = "Duration over time", .x = GS_COL_START, .y = GS_COL_DURATION_MS, .group = GS_COL_EVENT, .by_name = true,
     .log_y = true},
    {.kind = GS_PLOT_SCATTER, .title = "Power and duration", .x = GS_COL_DURATION_MS, .y = GS_COL_POWER_W, .group = GS_COL_EVENT, .by_name = true,
     .log_x = true},
};
/* clang-format on */

static const struct gs_plot figure = {
    .name = "join",
    .title = "START/STOP pairs",
    .caption = "One point per pair; of pairs that lie on one another one is drawn.",
    .n_panels = 2,
    .panels = panels,
};

static void note_result(const void *parsed, struct gs_notes *notes)
{
    const struct join_opts *const o = parsed;
    gs_join_opts_notes(&o->join, notes);
}

static enum gs_status options(const void *parsed, void *of_fold, struct gs_err *err)
{
    const struct join_opts *const o = parsed;
    (void)err;
    *(struct gs_events_options *)of_fold =
        (struct gs_events_options){gs_join_opts_get(&o->join), o->event};
    return GS_OK;
}

static const struct gs_fold_command folds = {
    .dataset = offsetof(struct join_opts, dataset),
    .scale = offsetof(struct join_opts, scale),
    .event = offsetof(struct join_opts, event),
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .optional = {[GS_TABLE_SAMPLES] = true, [GS_TABLE_TASKS] = true},
    .tell = note_result,
    .fold = &gs_pairs_fold,
    .options_size = sizeof(struct gs_events_options),
    .options = options,
    .plot = &figure,
};

static const struct gs_example examples[] = {
    {"gpustat join data/ --format csv -o pairs.csv", "every pair, for a notebook or a database"},
    {"gpustat join data/ --join window --event Render --sort energy_j:desc --top 10",
     "the ten renders that cost most"},
    {0},
};

const struct gs_command gs_cmd_join = {
    .name = "join",
    .summary = "every START/STOP pair with the readings joined to it",
    .description = "The table behind events and zoom: one row per pair with its GPU, its readings, "
                   "its times, and its tile "
                   "where there is a task table. Rows are ordered by hostname, start, event, job, "
                   "task and stop.\n\n"
                   "--join window takes all samples inside a pair and adds their number, the "
                   "energy, and the share of the "
                   "duration for which the power is known.\n\n"
                   "With --max-memory the rows are not held: they wait in a file without name in "
                   "TMPDIR, packed to some 120 bytes "
                   "each, until they are printed.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct join_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .dataset = offsetof(struct join_opts, dataset),
    .join = offsetof(struct join_opts, join),
    .run = gs_fold_command_run,
    .folds = &folds,
    .examples = examples,
    .group = "the run",
};
