/* gpustat join - one row per START/STOP pair, with the readings joined to it. */
#include "args/dataset_opts.h"
#include "model/plot.h"
#include "run/pairs.h"

struct join_opts {
    struct gs_dataset_opts dataset;
    struct gs_join_opts join;
    const char *event;
};

static const struct gs_opt opts[] = {
    GS_OPTS_DATASET(struct join_opts, dataset),
    GS_OPTS_JOIN(struct join_opts, join),
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    {0, "event", GS_OPT_TEXT, offsetof(struct join_opts, event), .arg = "NAME", .help = "only this event", .unset = "all"},
    {0},
};

static const struct join_opts defaults = {.join = GS_JOIN_DEFAULTS};

static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_SCATTER, .title = "Duration over time", .x = "start", .y = "duration_ms", .group = "event",
     .log_y = true},
    {.kind = GS_PLOT_SCATTER, .title = "Power and duration", .x = "duration_ms", .y = "power_w", .group = "event",
     .log_x = true},
};

static const struct gs_plot figure = {
    .name = "join",
    .title = "START/STOP pairs",
    .caption = "One point per pair; of pairs that lie on one another one is drawn.",
    .n_panels = 2,
    .panels = panels,
};

static enum gs_status run(const void *parsed, const struct gs_context *context, struct gs_frames *out,
                          struct gs_err *err)
{
    static const bool need[GS_N_TABLES] = {true, true, true}, optional[GS_N_TABLES] = {[GS_TABLE_TASKS] = true};
    const struct join_opts *const o = parsed;
    struct gs_dataset data;
    const struct gs_join_options join = gs_join_opts_get(&o->join);
    enum gs_status s = gs_dataset_opts_load(&o->dataset, context, need, optional, false, &data, out, err);
    gs_join_opts_notes(&o->join, &out->notes);
    if (s == GS_OK)
        s = gs_fold_frames(&data, &gs_pairs_fold, &(struct gs_events_options){join, o->event}, context->n_threads,
                           context->arena, out, NULL, err);
    if (s == GS_OK)
        out->last->plot = &figure;
    return s;
}

static const struct gs_example examples[] = {
    {"gpustat join data/ --format csv -o pairs.csv", "every pair, for a notebook or a database"},
    {"gpustat join data/ --join window --event Render --sort energy_j:desc --top 10", "the ten renders that cost most"},
    {0},
};

const struct gs_command gs_cmd_join = {
    .name = "join",
    .summary = "every START/STOP pair with the readings joined to it",
    .description =
        "The table behind events and zoom: one row per pair with its GPU, its readings, its times, and its tile "
        "where there is a task table. Rows are ordered by hostname, start, event, job, task and stop.\n\n"
        "--join window takes all samples inside a pair and adds their number, the energy, and the share of the "
        "duration for which the power is known.",
    .operands = "[DIR|FILE...]",
    .operands_offset = offsetof(struct join_opts, dataset.dir),
    .operands_max = 4096,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .group = "the run",
};
