/* power_figures.c - bars of GPUs, the log with its channel, windows, metrics. */
#include "figures/power_figures.h"

#include <math.h>

#include "gnuplot/gnuplot.h"

static const struct gs_panel summary_panel = {
    .kind = GS_PLOT_BARS,
    .title = "Filtered mean power",
    .x = "gpu",
    .y = "filtered_mean_w",
    .label = "kept",
};
const struct gs_plot gs_power_summary_plot = {
    .name = "power",
    .title = "Mean power of each GPU",
    .caption = "Mean of the readings within 3 standard deviations; n is how many those are.",
    .n_panels = 1,
    .panels = &summary_panel,
};

static const struct gs_panel points_panel = {
    .kind = GS_PLOT_LINES,
    .x = "t_s",
    .y = "power_w",
    .facet = "gpu",
    .from_zero = true,
    .shared = true,
};
static const struct gs_plot points_plot = {
    .name = "power-points",
    .title = "Power over time",
    .caption = "Each reading of each GPU on the same axes; the line is the mean, the bounds of the kept "
               "readings are "
               "shown where they lie among the readings.",
    .n_panels = 1,
    .panels = &points_panel,
};

static const struct gs_panel windows_panels[] = {
    {.kind = GS_PLOT_POINTS_ERROR,
     .title = "Mean power in each window",
     .x = "window",
     .y = "power_mean_w",
     .y_error = "power_sd_w",
     .group = "gpu"},
    {.kind = GS_PLOT_SCATTER,
     .title = "Energy of each window",
     .x = "window",
     .y = "energy_j",
     .group = "gpu",
     .from_zero = true},
};
const struct gs_plot gs_power_windows_plot = {
    .name = "power-windows",
    .title = "Power and energy window by window",
    .caption = "Mean power with its standard deviation, and energy by trapezoid, for each window in order of time.",
    .n_panels = 2,
    .panels = windows_panels,
};

static const struct gs_panel metrics_panels[] = {
    {.kind = GS_PLOT_BARS, .title = "GPU utilisation", .x = "gpu", .y = "gpu_util_mean_pct"},
    {.kind = GS_PLOT_BARS, .title = "Memory utilisation", .x = "gpu", .y = "mem_util_mean_pct"},
    {.kind = GS_PLOT_BARS, .title = "Mean power", .x = "gpu", .y = "power_mean_w"},
    {.kind = GS_PLOT_BARS, .title = "Mean temperature", .x = "gpu", .y = "temp_mean_c"},
};
static const struct gs_plot metrics_plot = {
    .name = "power-metrics",
    .title = "Utilisation, power and temperature of each GPU",
    .n_panels = 4,
    .panels = metrics_panels,
    .columns = 2,
};

/* The mean and the channel of 3 sd of every GPU as lines in its panel. */
static enum gs_status mark_channels(const struct gs_log_table *logs, size_t n_logs,
                                    const struct gs_power_result *result, struct gs_arena *arena,
                                    struct gs_panel *panel, struct gs_err *err)
{
    size_t n = 0, k = 0;
    for (size_t l = 0; l < n_logs; l++)
        n += logs[l].n_logs;
    struct gs_mark *const mark = gs_arena_take(arena, 3 * n, sizeof *mark);
    if (mark == NULL)
        return gs_fail_memory(err);
    n = 0;
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, k++) {
            struct gs_str label;
            if (!gs_power_label(&logs[l], &logs[l].log[g], n_logs, arena, &label))
                return gs_fail_memory(err);
            const double mean = result[k].mean_w, sd = result[k].sd_w;
            if (label.ptr == NULL || isnan(sd))
                continue;
            const char *const facet = gs_arena_copy(arena, label.ptr, label.len);
            if (facet == NULL)
                return gs_fail_memory(err);
            mark[n++] = (struct gs_mark){GS_MARK_Y, mean, "mean", facet, false};
            mark[n++] = (struct gs_mark){GS_MARK_Y, mean + 3 * sd, "+3σ", facet, true};
            if (mean > 3 * sd) /* no power is below zero */
                mark[n++] = (struct gs_mark){GS_MARK_Y, mean - 3 * sd, "−3σ", facet, true};
        }
    panel->marks = mark;
    panel->n_marks = n;
    return GS_OK;
}

enum gs_status gs_power_draw_log(const struct gs_log_table *logs, size_t n_logs, const struct gs_power_result *result,
                                 const struct gs_frame *points, struct gs_arena *arena, const struct gs_plot **plot,
                                 struct gs_err *err)
{
    enum { GPUS_MAX = 32, READINGS_MAX = 200000 };
    size_t n_gpus = 0, n = 0;
    for (size_t l = 0; l < n_logs; l++) {
        n_gpus += logs[l].n_logs;
        for (size_t g = 0; g < logs[l].n_logs; g++)
            n += logs[l].log[g].t_ns == NULL ? 0 : logs[l].log[g].n;
    }
    *plot = NULL;
    if (n == 0 || n > READINGS_MAX || n_gpus > GPUS_MAX)
        return GS_OK;
    struct gs_frames own = {.notes = {.arena = arena}};
    enum gs_status s = GS_OK;
    if (points == NULL) {
        s = gs_power_points(logs, n_logs, result, arena, &own, err);
        points = own.first;
    }
    struct gs_panel *panel;
    struct gs_plot *const copy = s == GS_OK ? gs_plot_copy(&points_plot, arena, &panel) : NULL;
    if (s == GS_OK)
        s = copy == NULL ? gs_fail_memory(err) : mark_channels(logs, n_logs, result, arena, panel, err);
    if (s == GS_OK) {
        copy->of = points;
        *plot = copy;
    }
    return s;
}

enum gs_status gs_power_draw_metrics(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(&metrics_plot, arena, &panel);
    if (copy == NULL)
        return gs_fail_memory(err);
    int n = 0;
    for (int i = 0; i < metrics_plot.n_panels; i++) {
        const int column = gs_frame_find(f, metrics_panels[i].y);
        bool any = false;
        for (size_t r = 0; column >= 0 && r < f->n_rows; r++)
            any |= !gs_frame_is_missing(f, r, (size_t)column);
        if (any)
            panel[n++] = metrics_panels[i];
    }
    copy->n_panels = n;
    f->plot = copy;
    return GS_OK;
}
