/* cmd_sweep.c - gpustat sweep: what the core clock does to time, power and energy. */
#include <math.h>

#include "app/options/command.h"
#include "data/result/plot.h"
#include "input/studies/study_csv.h"
#include "studies/tables/sweep.h"

struct sweep_opts {
    struct gs_list files;
    const char *group, *frequency, *time, *power;
    struct gs_list where;
    int time_unit;
    double span;
    uint64_t degree;
    bool points;
};

static const struct sweep_opts defaults = {.span = 0.75, .degree = 2};

static const char *const unit_words[] = {"auto", "s", "ms", "us", "ns", NULL};
static const double units_per_s[] = {0, 1, 1e3, 1e6, 1e9};

static const struct gs_opt opts[] = {
    {.kind = GS_OPT_GROUP, .help = "columns"},
    {0, "group", GS_OPT_TEXT, offsetof(struct sweep_opts, group), .arg = "COLUMN[,COLUMN]",
     .help = "what a run belongs to: network, application ...",
     .unset = "the first usual name, with a memory clock that varies"},
    {0, "frequency", GS_OPT_TEXT, offsetof(struct sweep_opts, frequency), .arg = "COLUMN",
     .help = "core clock in MHz", .unset = "core_frequency, coreF, frequency ..."},
    {0, "time", GS_OPT_TEXT, offsetof(struct sweep_opts, time), .arg = "COLUMN",
     .help = "time of a run", .unset = "time, time_ms, time/ms ..."},
    {0, "time-unit", GS_OPT_CHOICE, offsetof(struct sweep_opts, time_unit), .choices = unit_words,
     .help = "unit of that time; auto takes it from the end of the column's name, else seconds"},
    {0, "power", GS_OPT_TEXT, offsetof(struct sweep_opts, power), .arg = "COLUMN",
     .help = "power of a run in W", .unset = "average_power, power, power/W ..."},
    {0, "where", GS_OPT_LIST, offsetof(struct sweep_opts, where), .arg = "COLUMN=VALUE",
     .help = "only rows with this value; may be given more than once"},
    {.kind = GS_OPT_GROUP, .help = "what is computed"},
    {0, "points", GS_OPT_FLAG, offsetof(struct sweep_opts, points),
     .help = "one row per group and frequency: means, deviations, relative time, loess"},
    {0, "span", GS_OPT_REAL, offsetof(struct sweep_opts, span), .arg = "SHARE", .real_min = 0,
     .real_max = 100, .above_min = true,
     .help = "loess: share of the points in each neighbourhood"},
    {0, "degree", GS_OPT_COUNT, offsetof(struct sweep_opts, degree), .arg = "N", .min = 0, .max = 2,
     .help = "loess: degree of the local polynomial"},
    {0},
};

enum { FIGURE_POWER, FIGURE_TIME, FIGURE_RELATIVE, FIGURE_CORRELATIONS, FIGURES };

static const struct gs_panel panels[FIGURES] = {
    [FIGURE_POWER] = {.kind = GS_PLOT_POINTS_ERROR,
                      .x = GS_COL_FREQUENCY_MHZ,
                      .y = GS_COL_POWER_MEAN_W,
                      .y_error = GS_COL_POWER_SD_W,
                      .facet = GS_COL_GROUP},
    [FIGURE_TIME] = {.kind = GS_PLOT_POINTS_ERROR,
                     .x = GS_COL_FREQUENCY_MHZ,
                     .y = GS_COL_TIME_MEAN_S,
                     .y_error = GS_COL_TIME_SD_S,
                     .facet = GS_COL_GROUP},
    [FIGURE_RELATIVE] = {.kind = GS_PLOT_SCATTER,
                         .x = GS_COL_FREQUENCY_MHZ,
                         .y = GS_COL_RELATIVE_TIME,
                         .smooth = GS_COL_LOESS,
                         .facet = GS_COL_GROUP},
    [FIGURE_CORRELATIONS] = {.kind = GS_PLOT_HISTOGRAM_GROUPED,
                             .x = GS_COL_GROUP,
                             .y = GS_COL_R,
                             .group = GS_COL_PAIR},
};

static const struct gs_plot figures[FIGURES] = {
    [FIGURE_POWER] =
        {.name = "sweep-power",
         .title = "Power over the core clock",
         .caption =
             "Mean power and its standard deviation at each frequency; a line marks the knee.",
         .n_panels = 1},
    [FIGURE_TIME] = {.name = "sweep-time",
                     .title = "Time over the core clock",
                     .caption = "Mean time and its standard deviation at each frequency.",
                     .n_panels = 1},
    [FIGURE_RELATIVE] = {.name = "sweep-relative-time",
                         .title = "Relative time over the core clock",
                         .caption = "Mean time over the group's least; the line is a loess.",
                         .n_panels = 1},
    [FIGURE_CORRELATIONS] = {.name = "sweep-correlations",
                             .title = "Correlation of power, time and frequency",
                             .caption = "Pearson's r over the runs of each group.",
                             .n_panels = 1,
                             .width_px = 1400,
                             .height_px = 520},
};

/* The knee of every group that has one, in the group's own panel. */
static enum gs_status mark_knees(const struct gs_frame *groups, struct gs_arena *arena,
                                 struct gs_panel *panel, struct gs_err *err)
{
    const int name = gs_frame_column(groups, GS_COL_GROUP),
              knee = gs_frame_column(groups, GS_COL_KNEE_MHZ);
    struct gs_mark *const mark = gs_arena_take(arena, groups->n_rows, sizeof *mark);
    size_t n = 0;
    if (mark == NULL || name < 0 || knee < 0)
        return mark == NULL ? gs_fail_memory(err)
                            : gs_fail(err, GS_ERR_INTERNAL, "sweep: no knees in the frame");
    for (size_t r = 0; r < groups->n_rows; r++) {
        const struct gs_str group = groups->columns[name].text[r];
        const double at = groups->columns[knee].real[r];
        const char *const facet = gs_arena_copy(arena, group.ptr, group.len);
        if (facet == NULL)
            return gs_fail_memory(err);
        if (!isnan(at))
            mark[n++] =
                (struct gs_mark){.kind = GS_MARK_X, .at = at, .text = "knee", .facet = facet};
    }
    panel->marks = mark;
    panel->n_marks = n;
    return GS_OK;
}

/* The four figures of a run; they draw the points whatever is printed. */
static enum gs_status draw(const struct gs_sweep_frames *f, struct gs_arena *arena,
                           const struct gs_plot **drawn, struct gs_err *err)
{
    struct gs_plot *const figure = gs_arena_take(arena, FIGURES, sizeof *figure);
    struct gs_panel *const panel = gs_arena_take(arena, FIGURES, sizeof *panel);
    if (figure == NULL || panel == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < FIGURES; i++) {
        panel[i] = panels[i];
        figure[i] = figures[i];
        figure[i].panels = &panel[i];
        figure[i].of = i == FIGURE_CORRELATIONS ? f->correlations : f->points;
        figure[i].next = i + 1 < FIGURES ? &figure[i + 1] : NULL;
    }
    *drawn = figure;
    return mark_knees(f->groups, arena, &panel[FIGURE_POWER], err);
}

static enum gs_status run(const void *parsed, const struct gs_context *context,
                          struct gs_frames *out, struct gs_err *err)
{
    const struct sweep_opts *const o = parsed;
    const struct gs_sweep_columns columns = {
        o->group,      o->frequency, o->time, o->power, units_per_s[o->time_unit],
        o->where.item, o->where.n};
    const struct gs_sweep_options options = {{o->span, (int)o->degree}};
    struct gs_sweep_table table;
    struct gs_sweep_frames f;
    const struct gs_plot *drawn = NULL;
    enum gs_status s =
        gs_sweep_read(o->files.item[0], &columns, context->arena, &out->notes, &table, err);
    if (s == GS_OK)
        s = gs_sweep_evaluate(&table, &options, context->arena, &out->notes, &f, err);
    if (s == GS_OK)
        s = draw(&f, context->arena, &drawn, err);
    if (s != GS_OK)
        return s;
    out->first = out->last = o->points ? f.points : f.groups;
    out->first->plot = drawn;
    return GS_OK;
}

const struct gs_command gs_cmd_sweep = {
    GS_COMMAND(sweep, struct sweep_opts, opts, defaults),
    GS_OPERANDS("CSV", struct sweep_opts, files, 1, 1),
    .summary = "time, power and energy over the core clock, with the best clock and the knee",
    .run = run,
    .group = "power and prediction",
};
