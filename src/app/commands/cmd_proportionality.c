/* cmd_proportionality.c - gpustat proportionality: how long must a run be to be proportional? */
#include <math.h>

#include "app/options/command.h"
#include "data/result/plot.h"
#include "studies/tables/proportionality.h"
#include "input/studies/study_csv.h"

struct proportionality_opts {
    struct gs_list files;
    bool points;
};

static const struct proportionality_opts defaults = {.points = false};

static const struct gs_opt opts[] = {
    {0, "points", GS_OPT_FLAG, offsetof(struct proportionality_opts, points),
     .help = "one row per run, with its distance from the line"},
    {0},
};

static const struct gs_panel panels[] = {
    {.kind = GS_PLOT_SCATTER,
     .title = "Run time over iterations",
     .x = GS_COL_ITERATIONS,
     .y = GS_COL_RUNTIME_S,
     .group = GS_COL_PART,
     .smooth = GS_COL_LINE_S,
     .log_x = true,
     .log_y = true},
    {.kind = GS_PLOT_SCATTER,
     .title = "Distance from the line",
     .x = GS_COL_ITERATIONS,
     .y = GS_COL_RESIDUAL_SIGMAS,
     .group = GS_COL_PART,
     .log_x = true},
};

static const struct gs_plot plot = {
    .name = "proportionality",
    .title = "Where run time is proportional to iterations",
    .caption =
        "Runs, the line through the longer six sevenths, and the bounds of 5 standard deviations.",
    .n_panels = 2,
    .panels = panels,
    .columns = 2,
    .width_px = 1000,
    .height_px = 420,
};

static enum gs_status draw(const struct gs_proportionality *a, const struct gs_frame *points,
                           struct gs_arena *arena, const struct gs_plot **drawn, struct gs_err *err)
{
    static const struct gs_mark bounds[] = {{.kind = GS_MARK_Y, .at = 5.0, .text = "+5σ"},
                                            {.kind = GS_MARK_Y, .at = -5.0, .text = "−5σ"}};
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(&plot, arena, &panel);
    struct gs_mark *const threshold = gs_arena_take(arena, 1, sizeof *threshold);
    if (copy == NULL || threshold == NULL)
        return gs_fail_memory(err);
    *threshold = (struct gs_mark){.kind = GS_MARK_Y, .at = a->threshold_s, .text = "threshold"};
    panel[0].marks = threshold;
    panel[0].n_marks = a->n_outliers > 0;
    panel[1].marks = bounds;
    panel[1].n_marks = 2;
    copy->of = points;
    *drawn = copy;
    return GS_OK;
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct proportionality_opts *const o = parsed;
    struct gs_iteration_table table;
    struct gs_proportionality a;
    struct gs_frame *points;
    const struct gs_plot *drawn = NULL;
    struct gs_frames shown = {.notes = out->notes};
    enum gs_status s =
        gs_iterations_read(o->files.item[0], context->arena, &out->notes, &table, err);
    if (s == GS_OK)
        s = gs_proportionality_frames(&table, context->arena, &shown, &points, &a, err);
    if (s == GS_OK)
        s = draw(&a, points, context->arena, &drawn, err);
    if (s != GS_OK)
        return s;
    out->first = out->last = o->points ? points : shown.first;
    out->first->plot = drawn;
    if (a.n_outliers > 0)
        gs_note(&out->notes, GS_NOTE_INFO,
                "run time is not proportional below %g s, the longest of %zu run%s off the line",
                a.threshold_s, a.n_outliers, a.n_outliers == 1 ? "" : "s");
    if (a.n_outliers_fit > 0)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%zu of the outliers %s in the fitted part itself: a disturbed long run sets the "
                "threshold, "
                "not the "
                "shortness of runs (--points)",
                a.n_outliers_fit, a.n_outliers_fit == 1 ? "is" : "are");
    if (isnan(a.slope_s))
        gs_note(&out->notes, GS_NOTE_WARNING, "no line: it needs two runs of different iterations");
    return GS_OK;
}

const struct gs_command gs_cmd_proportionality = {
    GS_COMMAND(proportionality, struct proportionality_opts, opts, defaults),
    GS_OPERANDS("CSV", struct proportionality_opts, files, 1, 1),
    .summary = "the shortest run time that is still proportional to the iterations",
    .run = run,
    .group = "power and prediction",
};
