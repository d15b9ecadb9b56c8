/* cmd_validate.c - gpustat validate: sums of operations against whole models. */
#include "app/options/command.h"
#include "data/result/plot.h"
#include "input/studies/study_csv.h"
#include "studies/tables/validate.h"

struct validate_opts {
    struct gs_list files;
};

static const struct validate_opts defaults = {{NULL, 0}};

static const struct gs_opt opts[] = {{0}};

static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_POINTS_ERROR,
     .title = "Time",
     .x = GS_COL_MEASURED_TIME_S,
     .y = GS_COL_SUMMED_TIME_S,
     .x_error = GS_COL_MEASURED_TIME_SD_S,
     .y_error = GS_COL_SUMMED_TIME_SD_S,
     .log_x = true,
     .log_y = true,
     .identity = true},
    {.kind = GS_PLOT_POINTS_ERROR,
     .title = "Energy",
     .x = GS_COL_MEASURED_ENERGY_J,
     .y = GS_COL_SUMMED_ENERGY_J,
     .x_error = GS_COL_MEASURED_ENERGY_SD_J,
     .y_error = GS_COL_SUMMED_ENERGY_SD_J,
     .log_x = true,
     .log_y = true,
     .identity = true},
    {.kind = GS_PLOT_BARS,
     .title = "Time, summed over measured",
     .x = GS_COL_MODEL,
     .y = GS_COL_TIME_RATIO},
    {.kind = GS_PLOT_BARS,
     .title = "Energy, summed over measured",
     .x = GS_COL_MODEL,
     .y = GS_COL_ENERGY_RATIO},
};

static const struct gs_plot plot = {
    .name = "validate",
    .title = "Operations summed against models measured whole",
    .caption =
        "Each point is a model, with the deviations that are known; on the line the sum equals the "
        "measurement.",
    .n_panels = 4,
    .panels = panels,
    .columns = 2,
    .width_px = 1200,
};

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct validate_opts *const o = parsed;
    struct gs_cost_table table;
    enum gs_status s = gs_costs_read(o->files.item[0], context->arena, &out->notes, &table, err);
    if (s == GS_OK)
        s = gs_validate_frame(&table, context->arena, out, err);
    if (s == GS_OK)
        out->first->plot = &plot;
    return s;
}

const struct gs_command gs_cmd_validate = {
    GS_COMMAND(validate, struct validate_opts, opts, defaults),
    GS_OPERANDS("CSV", struct validate_opts, files, 1, 1),
    .summary = "sums of operations against whole models, in time and energy",
    .run = run,
    .group = "power and prediction",
};
