/* figures.h - how the commands draw what they compute: plots as data, shared with the report. */
#pragma once

#include "app/options/command.h"
#include "analysis/gpus/fleet_cells.h"
#include "analysis/gpus/per_gpu.h"
#include "analysis/schedule/schedule.h"
#include "data/result/plot.h"
#include "analysis/events/durations.h"

/* Each lives in the command's own file; a list where the command has several figures. */
extern const struct gs_plot gs_events_figures, gs_zoom_figures, gs_gpus_figures, gs_bias_figures,
    gs_balance_figures, gs_timeline_figures, gs_schedule_figures, gs_clusters_figures,
    gs_stragglers_figures;
extern const struct gs_plot gs_tiles_figures[]; /* indexed by enum gs_tile_value */

/*
 * The figures of `gpus`, with each metric's line and correlation, and the points coloured by their population where
 * there are several. The points are rows of `f`, the frame of gs_gpus_frame; it gets no column.
 * Errors: GS_ERR_MEMORY. Memory: lives in the context's arena.
 */
enum gs_status gs_gpus_draw(const struct gs_frame *f, const struct gs_gpus_found *found,
                            const struct gs_context *context, const struct gs_plot **plot,
                            struct gs_err *err);

/*
 * A histogram for each group with the share up to there, and behind it in the list the shapes and quantiles of all. NULL
 * in *figures where no group has more than a few pairs. And the same behind a copy of other figures.
 * Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_durations_figures(const struct gs_durations *d, const char *histogram_name,
                                    const char *boxes_name, struct gs_arena *arena,
                                    const struct gs_plot **figures, struct gs_err *err);
enum gs_status gs_with_durations(const struct gs_plot *figures, const struct gs_durations *d,
                                 const char *histogram_name, const char *boxes_name,
                                 struct gs_arena *arena, const struct gs_plot **with,
                                 struct gs_err *err);

/*
 * The end of the run from the frame of workers of gs_schedule_fold: working and dry, of at most 40 of them. NULL in
 * *plot where there is no tail.
 */
enum gs_status gs_tail_figure(const struct gs_frame *workers, const char *name,
                              struct gs_arena *arena, const struct gs_plot **plot,
                              struct gs_err *err);

/*
 * The whole run from gs_schedule_frames: when each worker worked, where the first ran dry, and `next` behind it in the
 * list. Only that where it was not kept.
 */
enum gs_status gs_run_figure(const struct gs_schedule_frames *frames, const char *name,
                             const struct gs_plot *next, struct gs_arena *arena,
                             const struct gs_plot **plot, struct gs_err *err);

/* Energy and waste of the rows of gs_jobs_fold, by their first column. Errors: GS_ERR_MEMORY. */
enum gs_status gs_jobs_figure(const struct gs_frame *f, const char *name, struct gs_arena *arena,
                              const struct gs_plot **plot, struct gs_err *err);

/*
 * The changes of gs_diff_fold's rows with their intervals, a panel for each measure, the margin shaded; NULL in *plot
 * where there is no row. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_diff_figure(const struct gs_frame *f, const char *name, double margin,
                              struct gs_arena *arena, const struct gs_plot **plot,
                              struct gs_err *err);

/* The power of each GPU over time as a map; NULL in *plot where there is none to draw. Errors: GS_ERR_MEMORY. */
enum gs_status gs_fleet_figure(const struct gs_fleet_map *map, const char *name,
                               struct gs_arena *arena, const struct gs_plot **plot,
                               struct gs_err *err);
