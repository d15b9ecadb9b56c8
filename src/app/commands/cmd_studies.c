/* cmd_studies.c - the other studies' tables: proportionality, validate, sweep, crosstalk. */
#include <math.h>
#include <string.h>

#include "app/options/dataset_opts.h"
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

/* What a study came to, and what its figures are drawn from. */
enum { FIGURES_MAX = 4, MARKED_MAX = 2 };
struct answer {
    struct gs_frame *shown, *detail;           /* detail: with --points or --matrix              */
    const struct gs_frame *drawn[FIGURES_MAX]; /* by each figure; NULL: what is shown            */
    const struct gs_mark *mark[MARKED_MAX];    /* [n_marks] in each of the first panels          */
    size_t n_marks[MARKED_MAX];
};

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

static enum gs_status proportionality(const struct study_opts *o, struct gs_arena *arena,
                                      struct gs_frames *out, struct answer *answer,
                                      struct gs_err *err)
{
    static const struct gs_mark bounds[] = {{.kind = GS_MARK_Y, .at = 5.0, .text = "+5σ"},
                                            {.kind = GS_MARK_Y, .at = -5.0, .text = "−5σ"}};
    struct gs_iteration_table table;
    struct gs_proportionality a;
    struct gs_frame *points;
    GS_NEW(struct gs_mark, threshold, 1, arena, err);
    GS_TRY(gs_iterations_read(o->files.item[0], arena, &out->notes, &table, err));
    GS_TRY(gs_proportionality_frames(&table, arena, out, &points, &a, err));
    *threshold = (struct gs_mark){.kind = GS_MARK_Y, .at = a.threshold_s, .text = "threshold"};
    *answer = (struct answer){.shown = out->last,
                              .detail = points,
                              .drawn = {points},
                              .mark = {threshold, bounds},
                              .n_marks = {a.n_outliers > 0, 2}};
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

static enum gs_status validate(const struct study_opts *o, struct gs_arena *arena,
                               struct gs_frames *out, struct answer *answer, struct gs_err *err)
{
    struct gs_cost_table table;
    GS_TRY(gs_costs_read(o->files.item[0], arena, &out->notes, &table, err));
    GS_TRY(gs_validate_frame(&table, arena, out, err));
    answer->shown = out->last;
    return GS_OK;
}

/* --- sweep: what the core clock does to time, power and energy ------------------------------------------------ */

static const char *const unit_words[] = {"auto", "s", "ms", "us", "ns", NULL};
static const double units_per_s[] = {0, 1, 1e3, 1e6, 1e9};

static const struct gs_opt sweep_opts[] = {
    {.kind = GS_OPT_GROUP, .help = "columns"},
    {0, "group", GS_OPT_TEXT, offsetof(struct study_opts, group), .arg = "COLUMN[,COLUMN]",
     .help = "what a run belongs to: network, application ...",
     .unset = "network or another usual name, a column of words, else none; with a memory clock "
              "that varies"},
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

/* The knee of every group that has one, in the group's own panel of the first figure. */
static enum gs_status mark_knees(const struct gs_frame *groups, struct gs_arena *arena,
                                 struct answer *answer, struct gs_err *err)
{
    const struct gs_str *const group = gs_frame_cells(groups, GS_COL_GROUP)->text;
    const double *const knee = gs_frame_cells(groups, GS_COL_KNEE_MHZ)->real;
    GS_NEW(struct gs_mark, mark, groups->n_rows, arena, err);
    for (size_t r = 0; r < groups->n_rows; r++) {
        const char *const facet = gs_arena_copy(arena, group[r].ptr, group[r].len);
        GS_TRY(gs_had_memory(facet != NULL, err));
        if (!isnan(knee[r]))
            mark[answer->n_marks[0]++] =
                (struct gs_mark){.kind = GS_MARK_X, .at = knee[r], .text = "knee", .facet = facet};
    }
    answer->mark[0] = mark;
    return GS_OK;
}

/* The figures draw the points whatever is printed. */
static enum gs_status sweep(const struct study_opts *o, struct gs_arena *arena,
                            struct gs_frames *out, struct answer *answer, struct gs_err *err)
{
    const struct gs_sweep_columns columns = {
        o->group,      o->frequency, o->time, o->power, units_per_s[o->time_unit],
        o->where.item, o->where.n};
    const struct gs_sweep_options options = {{o->span, (int)o->degree}};
    struct gs_sweep_table table;
    struct gs_sweep_frames f;
    GS_TRY(gs_sweep_read(o->files.item[0], &columns, arena, &out->notes, &table, err));
    GS_TRY(gs_sweep_evaluate(&table, &options, arena, &out->notes, &f, err));
    *answer = (struct answer){.shown = f.groups,
                              .detail = f.points,
                              .drawn = {[FIGURE_POWER] = f.points,
                                        [FIGURE_TIME] = f.points,
                                        [FIGURE_RELATIVE] = f.points,
                                        [FIGURE_CORRELATIONS] = f.correlations}};
    return mark_knees(f.groups, arena, answer, err);
}

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

/* The bars and the heat map are those of the long table, whichever is shown. */
static enum gs_status crosstalk(const struct study_opts *o, struct gs_arena *arena,
                                struct gs_frames *out, struct answer *answer, struct gs_err *err)
{
    struct gs_crosstalk_table table;
    GS_TRY(gs_crosstalk_read(o->files.item[0], arena, &out->notes, &table, err));
    GS_TRY(gs_crosstalk_frame(&table, arena, out, err));
    *answer = (struct answer){.shown = out->last, .drawn = {out->last, out->last}};
    if (o->matrix)
        GS_TRY(gs_crosstalk_matrix(answer->shown, arena, out, err));
    answer->detail = out->last;
    return GS_OK;
}

/* --- the commands --------------------------------------------------------------------------------------------- */

static const struct study {
    const char *command;
    const struct gs_plot *figures;
    enum gs_status (*evaluate)(const struct study_opts *o, struct gs_arena *arena,
                               struct gs_frames *out, struct answer *answer, struct gs_err *err);
} studies[] = {
    {"proportionality", &line_plot, proportionality},
    {"validate", &model_plot, validate},
    {"sweep", figures, sweep},
    {"crosstalk", &bars_plot, crosstalk},
};

/* Reads one table and shows what the study makes of it. */
static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct study_opts *const o = parsed;
    const struct study *study = studies;
    struct answer a = {0};
    struct gs_panel *panel;
    while (strcmp(study->command, context->command->name) != 0)
        study++;
    GS_TRY(gs_study_file_check(context->command->name, "", o->files.item[0], err));
    GS_TRY(study->evaluate(o, context->arena, out, &a, err));
    struct gs_plot *const figure = gs_plot_copy(study->figures, context->arena, &panel);
    GS_TRY(gs_had_memory(figure != NULL, err));
    for (size_t i = 0; i < FIGURES_MAX && a.drawn[i] != NULL; i++)
        figure[i].of = a.drawn[i];
    for (size_t k = 0; k < MARKED_MAX && a.mark[k] != NULL; k++) {
        panel[k].marks = a.mark[k];
        panel[k].n_marks = a.n_marks[k];
    }
    out->first = out->last = o->points || o->matrix ? a.detail : a.shown;
    out->first->plot = figure;
    out->first->next = NULL;
    return GS_OK;
}

#define STUDY(word, text)                                                                          \
    const struct gs_command gs_cmd_##word = {                                                      \
        GS_COMMAND(word, struct study_opts, word##_opts, defaults),                                \
        GS_OPERANDS("CSV", struct study_opts, files, 1, 1),                                        \
        .summary = text,                                                                           \
        .run = run,                                                                                \
        .group = "power and prediction",                                                           \
    }

STUDY(proportionality, "the shortest run time that is still proportional to the iterations");
STUDY(validate, "sums of operations against whole models, in time and energy");
STUDY(sweep, "time, power and energy over the core clock, with the best clock and the knee");
STUDY(crosstalk, "slowdown of kernels that share a GPU with persistent ones");
