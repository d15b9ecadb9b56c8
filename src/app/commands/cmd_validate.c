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

static const struct gs_example examples[] = {
    {"gpustat validate data/operations-validate.csv",
     "what summing the operations gets wrong, model by model"},
    {"gpustat validate data/operations-validate.csv --plot validate.svg", "a picture of the pairs"},
    {0},
};

const struct gs_command gs_cmd_validate = {
    .name = "validate",
    .summary = "sums of operations against whole models, in time and energy",
    .description =
        "Reads model, operation, count, time_s, time_sd_s, energy_j and energy_sd_j; the "
        "operation * is the whole model "
        "as measured. A column gpu or configuration parts a model's rows.\n\n"
        "The sum of count times value over a model's operations stands beside the measured whole, "
        "with the ratio of the "
        "two and their difference in units of the combined deviation: the sum's is the root of "
        "the sum of (count times "
        "deviation) squared. Where a deviation is not known, neither is that difference.\n\n"
        "Also reads tables that hold the sums already: model_input, measured_ms, measured_mJ, "
        "measured_err_mJ, "
        "summed_ms, summed_mJ.",
    .operands = "CSV",
    .operands_offset = offsetof(struct validate_opts, files),
    .operands_min = 1,
    .operands_max = 1,
    .opts = opts,
    .defaults = &defaults,
    .opts_size = sizeof defaults,
    .run = run,
    .examples = examples,
    .group = "power and prediction",
};
