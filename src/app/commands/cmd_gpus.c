/* gpustat gpus, gpustat correlate - one row per GPU; how its metrics go with its task time. */
#include <string.h>

#include "app/passes/fold_command.h"
#include "app/charts/figures.h"

struct gpus_opts {
    struct gs_run_opts run;
    struct gs_per_gpu_options fold;
};

static const struct gs_opt gpus_opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    GS_OPT_TASK,
    GS_OPTS_SCALE,
    {0},
};

static const struct gs_opt correlate_opts[] = {
    GS_OPTS_DATASET,
    {0, NULL, GS_OPT_GROUP, 0, .help = "selection"},
    GS_OPT_TASK,
    {0, "level", GS_OPT_REAL, offsetof(struct gpus_opts, fold.level), .arg = "P",
     .help = "coverage of the interval of r", .real_min = 0, .real_max = 1, .above_min = true,
     .below_max = true},
    GS_OPTS_SCALE,
    {0},
};

static const struct gpus_opts gpus_defaults = {
    .run = {.dataset = {.counts_once = true}, .event = GS_USUAL_TASK},
    .fold = {.profile = {.hot = INT64_MAX, .energy = true, .loads = true}, .level = 0.95}};

static const struct gpus_opts correlate_defaults = {
    .run = {.dataset = {.counts_once = true}, .event = GS_USUAL_TASK},
    .fold = {.profile.hot = INT64_MAX, .level = 0.95}};

#define AGAINST(what, column, label)                                                               \
    {                                                                                              \
        .kind = GS_PLOT_SCATTER, .title = what, .x = column, .y = GS_COL_TOTAL_RENDER_MEAN_S,      \
        .line = true, .line_each = true, .x_label = label, .y_label = "mean task time (s)"         \
    }

/* clang-format off */
static const struct gs_panel figure_5[GS_FIXED_METRICS] = {
    [GS_POWER] = AGAINST("Power", GS_COL_POWER_MEAN_W, "mean power (W)"),
    [GS_TEMP] = AGAINST("Temperature", GS_COL_TEMP_MEAN_C, "mean temperature (\xc2\xb0" "C)"),
    [GS_GPU_UTIL] = AGAINST("GPU utilisation", GS_COL_GPU_UTIL_MEAN_PCT, "mean GPU utilisation (%)"),
    [GS_MEM_UTIL] = AGAINST("Memory utilisation", GS_COL_MEM_UTIL_MEAN_PCT, "mean memory utilisation (%)"),
};
/* clang-format on */

const struct gs_plot gs_gpus_figures =
    GS_FIGURE(figure_5, "figure-5",
              "Task time of each GPU against its power, temperature and utilisation", .columns = 2);

static const struct gs_column_spec cluster_column =
    GS_COL(CLUSTER, .how = "number of the GPU's group, see gpustat clusters");

/* The columns of `f` and behind them each GPU's cluster. */
static enum gs_status with_clusters(const struct gs_frame *f, const uint32_t *of_gpu,
                                    const struct gs_context *context, const struct gs_frame **with,
                                    struct gs_err *err)
{
    struct gs_frame *own;
    GS_NEW(struct gs_column_spec, specs, f->n_columns + 1, context->arena, err);
    for (size_t c = 0; c < f->n_columns; c++)
        specs[c] = *f->columns[c].spec;
    specs[f->n_columns] = cluster_column;
    GS_TRY(gs_frame_new(context->arena, GS_HEAD(f->name, f->title, specs, f->n_columns + 1),
                        f->n_rows, NULL, &own, err));
    /* Copied, because --sort moves the cells of `f` afterwards. */
    for (size_t c = 0; c < f->n_columns; c++) {
        size_t cell;
        if (f->columns[c].spec->type == GS_TYPE_TEXT)
            cell = sizeof *f->columns[c].text;
        else if (f->columns[c].spec->type == GS_TYPE_REAL)
            cell = sizeof *f->columns[c].real;
        else
            cell = sizeof *f->columns[c].integer;
        memcpy(own->columns[c].text, f->columns[c].text, f->n_rows * cell);
    }
    for (size_t g = 0; g < f->n_rows; g++)
        if (of_gpu[g] != GS_NONE)
            gs_frame_set_int(own, g, f->n_columns, (int64_t)of_gpu[g] + 1);
    *with = own;
    return GS_OK;
}

enum gs_status gs_gpus_draw(const struct gs_frame *f, const struct gs_gpus_found *found,
                            const struct gs_context *context, const struct gs_plot **plot,
                            struct gs_err *err)
{
    struct gs_panel *panels;
    const struct gs_frame *points = NULL;
    GS_TRY(with_clusters(f, found->of_gpu, context, &points, err));
    struct gs_plot *const drawn = gs_plot_copy(&gs_gpus_figures, context->arena, &panels);
    GS_NEW(struct gs_fit, fit, GS_FIXED_METRICS, context->arena, err);
    GS_TRY(gs_had_memory(drawn != NULL, err));
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++) {
        fit[m] = gs_relation_fit(&found->relation[m]);
        panels[m].fit = &fit[m];
        panels[m].group = found->n_clusters > 1 ? GS_COL_CLUSTER : GS_COL_NONE;
    }
    drawn->of = points;
    *plot = drawn;
    return GS_OK;
}

static enum gs_status gpus_draw(const struct gs_figure_of *of, struct gs_frames *out,
                                struct gs_err *err)
{
    return gs_gpus_draw(out->last, of->also, of->context, &out->last->plot, err);
}

static const struct gs_fold_command gpus_folds = {
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .optional = {[GS_TABLE_CHECKPOINTS] = true},
    .fold = &gs_gpus_fold,
    .options_at = offsetof(struct gpus_opts, fold),
    .options_size = sizeof(struct gs_per_gpu_options),
    .task = offsetof(struct gs_per_gpu_options, profile.event),
    .also_size = sizeof(struct gs_gpus_found),
    .draw = gpus_draw,
};

static const struct gs_panel correlate_panels[] = {
    GS_PANEL(BARS, METRIC, PEARSON_R, .low = GS_COL_PEARSON_CI_LOW, .high = GS_COL_PEARSON_CI_HIGH,
             .count = GS_COL_N, .y_label = "r with mean task time, and its interval")};

static const struct gs_plot correlate_figure =
    GS_FIGURE(correlate_panels, "correlate", "What goes along with task time",
              .caption = "Correlation of each GPU's mean with its mean task time.");

static const struct gs_fold_command correlate_folds = {
    .equal_tasks = GS_TASKS_EQUAL,
    .event = GS_EVENT_TASK,
    .need = {[GS_TABLE_CHECKPOINTS] = true, [GS_TABLE_SAMPLES] = true},
    .fold = &gs_correlate_fold,
    .options_at = offsetof(struct gpus_opts, fold),
    .options_size = sizeof(struct gs_per_gpu_options),
    .task = offsetof(struct gs_per_gpu_options, profile.event),
    .compares_tasks = true,
    .plot = &correlate_figure,
};

const struct gs_command gs_cmd_gpus = {
    GS_FOLD_COMMAND(gpus, struct gpus_opts, gpus_opts, gpus_defaults, gpus_folds),
    .summary = "mean power, temperature, utilisation and task time of each GPU",
};

const struct gs_command gs_cmd_correlate = {
    GS_FOLD_COMMAND(correlate, struct gpus_opts, correlate_opts, correlate_defaults,
                    correlate_folds),
    .summary = "correlation of each metric with task time over the GPUs",
};
