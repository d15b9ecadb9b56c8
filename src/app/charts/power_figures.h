/* power_figures.h - how the tables of gpustat power are drawn. */
#pragma once

#include "data/result/plot.h"
#include "analysis/power_logs/power_phases.h"

extern const struct gs_plot gs_power_windows_plot;

enum {
    GS_POWER_GPUS_DRAWN = 32,
    GS_POWER_READINGS_DRAWN = 200000
}; /* of more there is no picture */

/*
 * Logs whose readings are kept, with their phases, drawn from their readings whatever table is shown; NULL in *plot where
 * it is too much for one picture, or too little. `points` is the frame of readings where it is there already.
 */
enum gs_status gs_power_draw_log(struct gs_power_gpus *gpus, const struct gs_frame *points,
                                 struct gs_arena *arena, const struct gs_plot **plot,
                                 struct gs_err *err);

/* The log, where it can be drawn, and behind it the summary of its GPUs, where there are several. */
enum gs_status gs_power_draw_summary(struct gs_power_gpus *gpus, const struct gs_frame *summary,
                                     struct gs_arena *arena, const struct gs_plot **plot,
                                     struct gs_err *err);

/* The metrics that the logs have: a panel for each column with a value. */
enum gs_status gs_power_draw_metrics(struct gs_frame *f, struct gs_arena *arena,
                                     struct gs_err *err);
