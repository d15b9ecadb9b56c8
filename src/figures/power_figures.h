/* power_figures.h - how the tables of gpustat power are drawn. */
#ifndef GPUSTAT_POWER_FIGURES_H
#define GPUSTAT_POWER_FIGURES_H

#include "model/plot.h"
#include "power/power.h"

extern const struct gs_plot gs_power_summary_plot, gs_power_windows_plot;

/*
 * The log itself, drawn from its readings whatever table is shown; NULL in *plot where it is too much for one
 * picture. `points` is the frame of readings where it is there already.
 */
enum gs_status gs_power_draw_log(const struct gs_log_table *logs, size_t n_logs, const struct gs_power_result *result,
                                 const struct gs_frame *points, struct gs_arena *arena, const struct gs_plot **plot,
                                 struct gs_err *err);

/* The metrics that the logs have: a panel for each column with a value. */
enum gs_status gs_power_draw_metrics(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err);

#endif
