/* cmd_studies.c - the other studies' tables: proportionality, validate, sweep, crosstalk. */
#include <math.h>

#include "app/options/command.h"
#include "data/result/plot.h"
#include "input/studies/study_csv.h"
#include "studies/tables/crosstalk.h"
#include "studies/tables/proportionality.h"
#include "studies/tables/sweep.h"
#include "studies/tables/validate.h"

/* Of all studies; each command has some of them in its table. */
struct study_opts {
    struct gs_list files;
    bool points, matrix;
    const char *group, *frequency, *time, *power;
    struct gs_list where;
    int time_unit;
    double span;
    uint64_t degree;
};

static const struct study_opts defaults = {.span = 0.75, .degree = 2};

/* A command that reads one table and shows what the study makes of it. */
#define STUDY(word, text)                                                                          \
    const struct gs_command gs_cmd_##word = {                                                      \
        GS_COMMAND(word, struct study_opts, word##_opts, defaults),                                \
        GS_OPERANDS("CSV", struct study_opts, files, 1, 1),                                        \
        .summary = text,                                                                           \
        .run = word,                                                                               \
        .group = "power and prediction",                                                           \
    }

/* --- proportionality: how long must a run be to be proportional? --------------------------------------------- */

static const struct gs_opt proportionality_opts[] = {
    {0, "points", GS_OPT_FLAG, offsetof(struct study_opts, points),
     .help = "one row per run, with its distance from the line"},
    {0},
};

static const struct gs_panel line_panels[] = {
    GS_PANEL(SCATTER, ITERATIONS, RUNTIME_S, .title = "Run time over iterations",
             .group = GS_COL_PART, .smooth = GS_COL_LINE_S, .log_x = true, .log_y = true),
    GS_PANEL(SCATTER, ITERATIONS, RESIDUAL_SIGMAS, .title = "Distance from the line",
             .group = GS_COL_PART, .log_x = true),
};

static const struct gs_plot line_plot = GS_FIGURE(
    line_panels, "proportionality", "Where run time is proportional to iterations",
    .caption =
        "Runs, the line through the longer six sevenths, and the bounds of 5 standard deviations.",
    .columns = 2, .width_px = 1000, .height_px = 420);

static enum gs_status draw_line(const struct gs_proportionality *a, const struct gs_frame *points,
                                struct gs_arena *arena, const struct gs_plot **drawn,
                                struct gs_err *err)
{
    static const struct gs_mark bounds[] = {{.kind = GS_MARK_Y, .at = 5.0, .text = "+5σ"},
                                            {.kind = GS_MARK_Y, .at = -5.0, .text = "−5σ"}};
    struct gs_panel *panel;
    struct gs_plot *const copy = gs_plot_copy(&line_plot, arena, &panel);
    GS_NEW(struct gs_mark, threshold, 1, arena, err);
    GS_TRY(gs_had_memory(copy != NULL, err));
    *threshold = (struct gs_mark){.kind = GS_MARK_Y, .at = a->threshold_s, .text = "threshold"};
    panel[0].marks = threshold;
    panel[0].n_marks = a->n_outliers > 0;
    panel[1].marks = bounds;
    panel[1].n_marks = 2;
    copy->of = points;
    *drawn = copy;
    return GS_OK;
}

static enum gs_status proportionality(const void *parsed, const struct gs_context *context,
                                      struct gs_frames *out, struct gs_err *err)
{
    const struct study_opts *const o = parsed;
    struct gs_iteration_table table;
    struct gs_proportionality a;
    struct gs_frame *points;
    const struct gs_plot *drawn = NULL;
    struct gs_frames shown = {.notes = out->notes};
    GS_TRY(gs_iterations_read(o->files.item[0], context->arena, &out->notes, &table, err));
    GS_TRY(gs_proportionality_frames(&table, context->arena, &shown, &points, &a, err));
    GS_TRY(draw_line(&a, points, context->arena, &drawn, err));
    out->first = out->last = o->points ? points : shown.first;
    out->first->plot = drawn;
    if (a.n_outliers > 0)
        gs_note(&out->notes, GS_NOTE_INFO,
                "run time is not proportional below %g s, the longest of %zu run%s off the line",
                a.threshold_s, a.n_outliers, gs_plural(a.n_outliers, "", "s"));
    if (a.n_outliers_fit > 0)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "%zu of the outliers %s in the fitted part itself: a disturbed long run sets the "
                "threshold, not the shortness of runs (--points)",
                a.n_outliers_fit, gs_plural(a.n_outliers_fit, "is", "are"));
    if (isnan(a.slope_s))
        gs_note(&out->notes, GS_NOTE_WARNING, "no line: it needs two runs of different iterations");
    return GS_OK;
}

STUDY(proportionality, "the shortest run time that is still proportional to the iterations");

/* --- validate: sums of operations against whole models -------------------------------------------------------- */

static const struct gs_opt validate_opts[] = {{0}};

static const struct gs_panel model_panels[] = {
    GS_PANEL(POINTS_ERROR, MEASURED_TIME_S, SUMMED_TIME_S, .title = "Time",
             .x_error = GS_COL_MEASURED_TIME_SD_S, .y_error = GS_COL_SUMMED_TIME_SD_S,
             .log_x = true, .log_y = true, .identity = true),
    GS_PANEL(POINTS_ERROR, MEASURED_ENERGY_J, SUMMED_ENERGY_J, .title = "Energy",
             .x_error = GS_COL_MEASURED_ENERGY_SD_J, .y_error = GS_COL_SUMMED_ENERGY_SD_J,
             .log_x = true, .log_y = true, .identity = true),
    GS_PANEL(BARS, MODEL, TIME_RATIO, .title = "Time, summed over measured"),
    GS_PANEL(BARS, MODEL, ENERGY_RATIO, .title = "Energy, summed over measured"),
};

static const struct gs_plot model_plot =
    GS_FIGURE(model_panels, "validate", "Operations summed against models measured whole",
              .caption = "Each point is a model, with the deviations that are known; on the line "
                         "the sum equals the measurement.",
              .columns = 2, .width_px = 1200);

static enum gs_status validate(const void *parsed, const struct gs_context *context,
                               struct gs_frames *out, struct gs_err *err)
{
    const struct study_opts *const o = parsed;
    struct gs_cost_table table;
    GS_TRY(gs_costs_read(o->files.item[0], context->arena, &out->notes, &table, err));
    GS_TRY(gs_validate_frame(&table, context->arena, out, err));
    out->first->plot = &model_plot;
    return GS_OK;
}

STUDY(validate, "sums of operations against whole models, in time and energy");

/* --- sweep: what the core clock does to time, power and energy ------------------------------------------------ */

static const char *const unit_words[] = {"auto", "s", "ms", "us", "ns", NULL};
static const double units_per_s[] = {0, 1, 1e3, 1e6, 1e9};

static const struct gs_opt sweep_opts[] = {
    {.kind = GS_OPT_GROUP, .help = "columns"},
    {0, "group", GS_OPT_TEXT, offsetof(struct study_opts, group), .arg = "COLUMN[,COLUMN]",
     .help = "what a run belongs to: network, application ...",
     .unset = "the first usual name, with a memory clock that varies"},
    {0, "frequency", GS_OPT_TEXT, offsetof(struct study_opts, frequency), .arg = "COLUMN",
     .help = "core clock in MHz", .unset = "core_frequency, coreF, frequency ..."},
    {0, "time", GS_OPT_TEXT, offsetof(struct study_opts, time), .arg = "COLUMN",
     .help = "time of a run", .unset = "time, time_ms, time/ms ..."},
    {0, "time-unit", GS_OPT_CHOICE, offsetof(struct study_opts, time_unit), .choices = unit_words,
     .help = "unit of that time; auto takes it from the end of the column's name, else seconds"},
    {0, "power", GS_OPT_TEXT, offsetof(struct study_opts, power), .arg = "COLUMN",
     .help = "power of a run in W", .unset = "average_power, power, power/W ..."},
    {0, "where", GS_OPT_LIST, offsetof(struct study_opts, where), .arg = "COLUMN=VALUE",
     .help = "only rows with this value; may be given more than once"},
    {.kind = GS_OPT_GROUP, .help = "what is computed"},
    {0, "points", GS_OPT_FLAG, offsetof(struct study_opts, points),
     .help = "one row per group and frequency: means, deviations, relative time, loess"},
    {0, "span", GS_OPT_REAL, offsetof(struct study_opts, span), .arg = "SHARE", .real_min = 0,
     .real_max = 100, .above_min = true,
     .help = "loess: share of the points in each neighbourhood"},
    {0, "degree", GS_OPT_COUNT, offsetof(struct study_opts, degree), .arg = "N", .min = 0, .max = 2,
     .help = "loess: degree of the local polynomial"},
    {0},
};

enum { FIGURE_POWER, FIGURE_TIME, FIGURE_RELATIVE, FIGURE_CORRELATIONS, FIGURES };

static const struct gs_panel sweep_panels[FIGURES][1] = {
    [FIGURE_POWER] = {GS_PANEL(POINTS_ERROR, FREQUENCY_MHZ, POWER_MEAN_W,
                               .y_error = GS_COL_POWER_SD_W, .facet = GS_COL_GROUP)},
    [FIGURE_TIME] = {GS_PANEL(POINTS_ERROR, FREQUENCY_MHZ, TIME_MEAN_S, .y_error = GS_COL_TIME_SD_S,
                              .facet = GS_COL_GROUP)},
    [FIGURE_RELATIVE] = {GS_PANEL(SCATTER, FREQUENCY_MHZ, RELATIVE_TIME, .smooth = GS_COL_LOESS,
                                  .facet = GS_COL_GROUP)},
    [FIGURE_CORRELATIONS] = {GS_PANEL(HISTOGRAM_GROUPED, GROUP, R, .group = GS_COL_PAIR)},
};

static const struct gs_plot figures[FIGURES] = {
    [FIGURE_POWER] = GS_FIGURE(
        sweep_panels[FIGURE_POWER], "sweep-power", "Power over the core clock",
        .caption =
            "Mean power and its standard deviation at each frequency; a line marks the knee.",
        .next = &figures[FIGURE_TIME]),
    [FIGURE_TIME] = GS_FIGURE(sweep_panels[FIGURE_TIME], "sweep-time", "Time over the core clock",
                              .caption = "Mean time and its standard deviation at each frequency.",
                              .next = &figures[FIGURE_RELATIVE]),
    [FIGURE_RELATIVE] = GS_FIGURE(
        sweep_panels[FIGURE_RELATIVE], "sweep-relative-time", "Relative time over the core clock",
        .caption = "Mean time over the group's least; the line is a loess.",
        .next = &figures[FIGURE_CORRELATIONS]),
    [FIGURE_CORRELATIONS] = GS_FIGURE(sweep_panels[FIGURE_CORRELATIONS], "sweep-correlations",
                                      "Correlation of power, time and frequency",
                                      .caption = "Pearson's r over the runs of each group.",
                                      .width_px = 1400, .height_px = 520),
};

/* The knee of every group that has one, in the group's own panel. */
static enum gs_status mark_knees(const struct gs_frame *groups, struct gs_arena *arena,
                                 struct gs_panel *panel, struct gs_err *err)
{
    const struct gs_str *const group = gs_frame_cells(groups, GS_COL_GROUP)->text;
    const double *const knee = gs_frame_cells(groups, GS_COL_KNEE_MHZ)->real;
    struct gs_mark *const mark = gs_arena_take(arena, groups->n_rows, sizeof *mark);
    size_t n = 0;
    for (size_t r = 0; mark != NULL && r < groups->n_rows; r++) {
        const char *const facet = gs_arena_copy(arena, group[r].ptr, group[r].len);
        GS_TRY(gs_had_memory(facet != NULL, err));
        if (!isnan(knee[r]))
            mark[n++] =
                (struct gs_mark){.kind = GS_MARK_X, .at = knee[r], .text = "knee", .facet = facet};
    }
    panel->marks = mark;
    panel->n_marks = n;
    return gs_had_memory(mark != NULL, err);
}

/* The four figures of a run; they draw the points whatever is printed. */
static enum gs_status draw_sweep(const struct gs_sweep_frames *f, struct gs_arena *arena,
                                 const struct gs_plot **drawn, struct gs_err *err)
{
    struct gs_panel *panel;
    struct gs_plot *const figure = gs_plot_copy(figures, arena, &panel);
    GS_TRY(gs_had_memory(figure != NULL, err));
    for (size_t i = 0; i < FIGURES; i++)
        figure[i].of = i == FIGURE_CORRELATIONS ? f->correlations : f->points;
    *drawn = figure;
    return mark_knees(f->groups, arena, &panel[FIGURE_POWER], err);
}

static enum gs_status sweep(const void *parsed, const struct gs_context *context,
                            struct gs_frames *out, struct gs_err *err)
{
    const struct study_opts *const o = parsed;
    const struct gs_sweep_columns columns = {
        o->group,      o->frequency, o->time, o->power, units_per_s[o->time_unit],
        o->where.item, o->where.n};
    const struct gs_sweep_options options = {{o->span, (int)o->degree}};
    struct gs_sweep_table table;
    struct gs_sweep_frames f;
    const struct gs_plot *drawn = NULL;
    GS_TRY(gs_sweep_read(o->files.item[0], &columns, context->arena, &out->notes, &table, err));
    GS_TRY(gs_sweep_evaluate(&table, &options, context->arena, &out->notes, &f, err));
    GS_TRY(draw_sweep(&f, context->arena, &drawn, err));
    out->first = out->last = o->points ? f.points : f.groups;
    out->first->plot = drawn;
    return GS_OK;
}

STUDY(sweep, "time, power and energy over the core clock, with the best clock and the knee");

/* --- crosstalk: interference between kernels that share a GPU ------------------------------------------------- */

static const struct gs_opt crosstalk_opts[] = {
    {0, "matrix", GS_OPT_FLAG, offsetof(struct study_opts, matrix),
     .help = "slowdowns as a matrix: a row for each number of victims, a column for each number of "
             "co-runners"},
    {0},
};

static const struct gs_panel bars[] = {GS_PANEL(
    HISTOGRAM_GROUPED, VICTIMS, SLOWDOWN, .group = GS_COL_CO_RUNNERS, .facet = GS_COL_KERNEL)};
static const struct gs_panel heat[] = {GS_PANEL(HEAT, CO_RUNNERS, VICTIMS, .value = GS_COL_SLOWDOWN,
                                                .facet = GS_COL_KERNEL, .down = true)};
static const struct gs_plot heat_plot = GS_FIGURE(
    heat, "crosstalk-heat", "Slowdown by victims and co-runners",
    .caption =
        "Each cell is the time of the victims beside the co-runners over their time without any.");
static const struct gs_plot bars_plot =
    GS_FIGURE(bars, "crosstalk", "Slowdown beside co-runners",
              .caption = "Time over the time without co-runners, for each number of victims; a bar "
                         "for each number of co-runners.",
              .next = &heat_plot);

/* The bars and the heat map of the long table, whichever table is shown. */
static enum gs_status draw_crosstalk(struct gs_frame *shown, const struct gs_frame *of,
                                     struct gs_arena *arena, struct gs_err *err)
{
    struct gs_panel *panel;
    struct gs_plot *const figure = gs_plot_copy(&bars_plot, arena, &panel);
    GS_TRY(gs_had_memory(figure != NULL, err));
    figure[0].of = figure[1].of = of;
    shown->plot = figure;
    return GS_OK;
}

static enum gs_status crosstalk(const void *parsed, const struct gs_context *context,
                                struct gs_frames *out, struct gs_err *err)
{
    const struct study_opts *const o = parsed;
    struct gs_crosstalk_table table;
    struct gs_frames rows = {.notes = {.arena = context->arena}};
    enum gs_status s =
        gs_crosstalk_read(o->files.item[0], context->arena, &out->notes, &table, err);
    GS_THEN(s, gs_crosstalk_frame(&table, context->arena, &rows, err));
    if (s == GS_OK && o->matrix)
        s = gs_crosstalk_matrix(rows.first, context->arena, out, err);
    else if (s == GS_OK)
        out->first = out->last = rows.first;
    GS_THEN(s, draw_crosstalk(out->first, rows.first, context->arena, err));
    return s;
}

STUDY(crosstalk, "slowdown of kernels that share a GPU with persistent ones");
