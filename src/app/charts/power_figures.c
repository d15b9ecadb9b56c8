/* power_figures.c - bars of GPUs, the log with its channel, windows, metrics. */
#include "app/charts/power_figures.h"

#include <math.h>

#include "base/num/order.h"

static const struct gs_panel summary_panels[] = {
    GS_PANEL(BARS, GPU, FILTERED_MEAN_W, .title = "Filtered mean power", .count = GS_COL_KEPT),
    GS_PANEL(BARS, GPU, ENERGY_SENSOR_J, .title = "Energy, with its 95 % interval",
             .low = GS_COL_ENERGY_LOW_J, .high = GS_COL_ENERGY_HIGH_J, .count = GS_COL_KEPT),
};
static const struct gs_plot summary_plot =
    GS_FIGURE(summary_panels, "power", "Mean power and energy of each GPU",
              .caption = "Mean of the readings within 3 standard deviations, and the energy.");

static const struct gs_panel points_panels[] = {
    GS_PANEL(LINES, T_S, POWER_W, .facet = GS_COL_GPU, .from_zero = true, .shared = true,
             .far_column = GS_COL_STANDING, .far_value = "beyond 3 sigma")};
static const struct gs_plot points_plot = GS_FIGURE(
    points_panels, "power-points", "Power over time, active phases shaded",
    .caption = "Each reading of each GPU on the same axes. The line is the mean; bounds of the "
               "kept readings are drawn where they lie among them. Readings beyond are triangles "
               "at the edge. Shaded: the power is in the upper of its two states.");

static const struct gs_panel windows_panels[] = {
    GS_PANEL(POINTS_ERROR, WINDOW, POWER_MEAN_W, .title = "Mean power in each window",
             .y_error = GS_COL_POWER_SD_W, .group = GS_COL_GPU, .by_name = true),
    GS_PANEL(POINTS_ERROR, WINDOW, ENERGY_J,
             .title = "Energy of each window, with its 95 % interval", .low = GS_COL_ENERGY_LOW_J,
             .high = GS_COL_ENERGY_HIGH_J, .group = GS_COL_GPU, .by_name = true, .from_zero = true),
};
const struct gs_plot gs_power_windows_plot =
    GS_FIGURE(windows_panels, "power-windows", "Power and energy window by window",
              .caption = "Mean power with its standard deviation, and energy by trapezoid, for "
                         "each window in order of time.");

static const struct gs_panel metrics_panels[] = {
    GS_PANEL(BARS, GPU, GPU_UTIL_MEAN_PCT, .title = "GPU utilisation"),
    GS_PANEL(BARS, GPU, MEM_UTIL_MEAN_PCT, .title = "Memory utilisation"),
    GS_PANEL(BARS, GPU, POWER_MEAN_W, .title = "Mean power"),
    GS_PANEL(BARS, GPU, TEMP_MEAN_C, .title = "Mean temperature"),
};
static const struct gs_plot metrics_plot =
    GS_FIGURE(metrics_panels, "power-metrics", "Utilisation, power and temperature of each GPU",
              .columns = 2);

enum {
    LINES = 3,
    PARTS = 2000
}; /* of a GPU's panel; what is shorter than a part of the log is not shaded */

/* The mean and the channel of 3 sd. Answers how many marks those are. */
static size_t mark_channel(const struct gs_power_result *r, const char *facet, struct gs_mark *mark)
{
    size_t n = 0;
    if (isnan(r->sd_w))
        return 0;
    mark[n++] =
        (struct gs_mark){.kind = GS_MARK_Y, .at = r->mean_w, .text = "mean", .facet = facet};
    mark[n++] = (struct gs_mark){.kind = GS_MARK_Y,
                                 .at = r->mean_w + 3 * r->sd_w,
                                 .text = "+3σ",
                                 .facet = facet,
                                 .loose = true};
    if (r->mean_w > 3 * r->sd_w) /* no power is below zero */
        mark[n++] = (struct gs_mark){.kind = GS_MARK_Y,
                                     .at = r->mean_w - 3 * r->sd_w,
                                     .text = "−3σ",
                                     .facet = facet,
                                     .loose = true};
    return n;
}

/* The active phases, in seconds from the log's first reading. */
static size_t mark_phases(const struct gs_power_phases *phases, const struct gs_log *log,
                          const char *facet, struct gs_mark *mark)
{
    const double all = (double)((gs_i128)log->t_ns[log->n - 1] - log->t_ns[0]) / 1e9;
    size_t n = 0;
    for (size_t i = 0; i < phases->n; i++) {
        const struct gs_load_phase *const p = &phases->phase[i].at;
        const double from = (double)((gs_i128)p->start_ns - log->t_ns[0]) / 1e9,
                     to = (double)((gs_i128)p->stop_ns - log->t_ns[0]) / 1e9;
        if (p->active && to - from > all / PARTS)
            mark[n++] =
                (struct gs_mark){.kind = GS_MARK_BAND, .at = from, .to = to, .facet = facet};
    }
    return n;
}

/* What is behind and across the readings of every GPU in its panel. */
static enum gs_status mark_logs(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                                struct gs_panel *panel, struct gs_err *err)
{
    size_t n = 0, capacity = 0;
    struct gs_mark *mark = NULL;
    for (size_t k = 0; k < gpus->n; k++) {
        const struct gs_power_gpu *const of = &gpus->gpu[k];
        struct gs_power_phases phases = {0};
        if (of->label.ptr == NULL || of->log->t_ns == NULL || of->log->n == 0)
            continue;
        GS_TRY(gs_power_split(&of->meter, arena, &phases, err));
        const char *const facet = gs_arena_copy(arena, of->label.ptr, of->label.len);
        const size_t more = n + LINES + phases.n;
        mark = gs_arena_grow(arena, mark, capacity, more, sizeof *mark);
        GS_TRY(gs_had_memory(facet != NULL && mark != NULL, err));
        capacity = more;
        n += mark_phases(&phases, of->log, facet, &mark[n]);
        n += mark_channel(&of->result, facet, &mark[n]);
    }
    panel->marks = mark;
    panel->n_marks = n;
    return GS_OK;
}

enum gs_status gs_power_draw_log(struct gs_power_gpus *gpus, const struct gs_frame *points,
                                 struct gs_arena *arena, const struct gs_plot **plot,
                                 struct gs_err *err)
{
    enum { PANEL_PX = 190 };
    const size_t n_gpus = gpus->n;
    size_t n = 0, longest = 0;
    GS_TRY(gs_power_evaluate_all(gpus, arena, err));
    GS_TRY(gs_power_meters(gpus, arena, NULL, err));
    for (size_t k = 0; k < n_gpus; k++) {
        const struct gs_log *const log = gpus->gpu[k].log;
        if (log->t_ns == NULL)
            continue;
        n += log->n;
        longest = gs_max(log->n, longest);
    }
    *plot = NULL;
    if (longest < 2 || n > GS_POWER_READINGS_DRAWN || n_gpus > GS_POWER_GPUS_DRAWN)
        return GS_OK;
    struct gs_frames own = {.notes = {.arena = arena}};
    if (points == NULL) {
        GS_TRY(gs_power_points(gpus, arena, &own, err));
        points = own.first;
    }
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(&points_plot, arena, &panel);
    GS_TRY(gs_had_memory(copy != NULL, err));
    GS_TRY(mark_logs(gpus, arena, panel, err));
    bool shaded = false;
    for (size_t i = 0; i < panel->n_marks; i++)
        shaded |= panel->marks[i].kind == GS_MARK_BAND;
    /* One under the other, so that the same moment is at the same place. */
    const int columns = n_gpus > 4 ? 2 : 1, rows = ((int)n_gpus + columns - 1) / columns;
    copy->of = points;
    if (!shaded)
        copy->title = "Power over time";
    copy->columns = columns;
    copy->width_px = 900;
    copy->height_px = n_gpus == 1 ? 380 : 60 + rows * PANEL_PX;
    *plot = copy;
    return GS_OK;
}

enum gs_status gs_power_draw_summary(struct gs_power_gpus *gpus, const struct gs_frame *summary,
                                     struct gs_arena *arena, const struct gs_plot **plot,
                                     struct gs_err *err)
{
    struct gs_panel *panels;
    struct gs_plot *log = NULL, *const bars = gs_plot_copy(&summary_plot, arena, &panels);
    const struct gs_plot *drawn = NULL;
    GS_TRY(gs_had_memory(bars != NULL, err));
    const enum gs_status s = gs_power_draw_log(gpus, NULL, arena, &drawn, err);
    bars->of = summary;
    bool any = false;
    for (size_t r = 0; r < summary->n_rows; r++)
        any |=
            !gs_frame_is_missing(summary, r, (size_t)gs_frame_column(summary, summary_panels[1].y));
    if (!any) {
        bars->n_panels = 1;
        bars->title = "Mean power of each GPU";
    }
    *plot = bars;
    if (s != GS_OK || drawn == NULL)
        return s;
    log = gs_plot_copy(drawn, arena, &panels);
    GS_TRY(gs_had_memory(log != NULL, err));
    if (summary->n_rows > 1)
        log->next = bars;
    *plot = log;
    return GS_OK;
}

enum gs_status gs_power_draw_metrics(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(&metrics_plot, arena, &panel);
    GS_TRY(gs_had_memory(copy != NULL, err));
    int n = 0;
    for (int i = 0; i < metrics_plot.n_panels; i++)
        if (gs_frame_has_values(f, metrics_panels[i].y))
            panel[n++] = metrics_panels[i];
    copy->n_panels = n;
    f->plot = copy;
    return GS_OK;
}
