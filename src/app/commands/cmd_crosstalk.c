/* cmd_crosstalk.c - gpustat crosstalk: interference between kernels that share a GPU. */
#include "app/options/command.h"
#include "studies/tables/crosstalk.h"
#include "data/result/plot.h"
#include "input/studies/study_csv.h"

struct crosstalk_opts {
    struct gs_list files;
    bool matrix;
};

static const struct crosstalk_opts defaults = {.matrix = false};

static const struct gs_opt opts[] = {
    {0, "matrix", GS_OPT_FLAG, offsetof(struct crosstalk_opts, matrix),
     .help = "slowdowns as a matrix: a row for each number of victims, a column for each number of "
             "co-runners"},
    {0},
};

static const struct gs_panel bars = {
    .kind = GS_PLOT_HISTOGRAM_GROUPED,
    .x = GS_COL_VICTIMS,
    .y = GS_COL_SLOWDOWN,
    .group = GS_COL_CO_RUNNERS,
    .facet = GS_COL_KERNEL,
};
static const struct gs_panel heat = {
    .kind = GS_PLOT_HEAT,
    .x = GS_COL_CO_RUNNERS,
    .y = GS_COL_VICTIMS,
    .value = GS_COL_SLOWDOWN,
    .facet = GS_COL_KERNEL,
    .down = true,
};
static const struct gs_plot heat_plot = {
    .name = "crosstalk-heat",
    .title = "Slowdown by victims and co-runners",
    .caption =
        "Each cell is the time of the victims beside the co-runners over their time without any.",
    .n_panels = 1,
    .panels = &heat,
};
static const struct gs_plot bars_plot = {
    .name = "crosstalk",
    .title = "Slowdown beside co-runners",
    .caption = "Time over the time without co-runners, for each number of victims; a bar for each "
               "number of "
               "co-runners.",
    .n_panels = 1,
    .panels = &bars,
    .next = &heat_plot,
};

/* The bars and the heat map of the long table, whichever table is shown. */
static enum gs_status draw(struct gs_frame *shown, const struct gs_frame *of,
                           struct gs_arena *arena, struct gs_err *err)
{
    struct gs_plot *const figure = gs_arena_take(arena, 2, sizeof *figure);
    if (figure == NULL)
        return gs_fail_memory(err);
    figure[0] = bars_plot;
    figure[1] = heat_plot;
    figure[0].next = &figure[1];
    figure[0].of = figure[1].of = of;
    shown->plot = figure;
    return GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct crosstalk_opts *const o = parsed;
    struct gs_crosstalk_table table;
    struct gs_frames rows = {.notes = {.arena = context->arena}};
    enum gs_status s =
        gs_crosstalk_read(o->files.item[0], context->arena, &out->notes, &table, err);
    if (s == GS_OK)
        s = gs_crosstalk_frame(&table, context->arena, &rows, err);
    if (s == GS_OK && o->matrix)
        s = gs_crosstalk_matrix(rows.first, context->arena, out, err);
    else if (s == GS_OK)
        out->first = out->last = rows.first;
    if (s == GS_OK)
        s = draw(out->first, rows.first, context->arena, err);
    return s;
}

const struct gs_command gs_cmd_crosstalk = {
    GS_COMMAND(crosstalk, struct crosstalk_opts, opts, defaults),
    GS_OPERANDS("CSV", struct crosstalk_opts, files, 1, 1),
    .summary = "slowdown of kernels that share a GPU with persistent ones",
    .run = run,
    .group = "power and prediction",
};
