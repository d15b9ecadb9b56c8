/* report_run.c - the sections on what the run really did: bias, energy, time, schedule, tiles, populations. */
#include <math.h>

#include "app/cli/costs.h"
#include "app/charts/figures.h"
#include "analysis/events/bias.h"
#include "base/num/timestamp.h"
#include "app/report/report_folds.h"

enum {
    TASKS_MANY = 10,   /* fewer have no rate         */
    WORKERS_SHOWN = 20 /* line by line; more fold away */
};

/* The title that an analysis computed, as a sentence; the table below it needs only a name then. */
static void write_title(struct gs_buf *b, struct gs_frame *f, const char *name)
{
    gs_buf_text(b, f->title);
    gs_buf_char(b, '.');
    f->title = name;
}

static double sum_of(const struct gs_frame *f, enum gs_column_id column)
{
    double sum = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        const double v = gs_write_value(f, i, gs_frame_column(f, column));
        sum += isnan(v) ? 0 : v;
    }
    return sum;
}

/* A figure with one paragraph. */
static enum gs_status add_figure(struct gs_report *r, struct gs_report_section *s,
                                 const struct gs_plot *plot, const struct gs_frame *f,
                                 const struct gs_buf *text, struct gs_err *err)
{
    struct gs_report_figure *const figure = gs_report_add_figure(r, s, plot, f);
    GS_TRY(gs_had_memory(figure != NULL, err));
    return gs_paragraph_end(&figure->text, text, false, err);
}

/* A figure of its own frame whose caption says what it shows. */
static enum gs_status add_captioned(struct gs_report *r, struct gs_report_section *s,
                                    const struct gs_plot *plot, struct gs_err *err)
{
    struct gs_buf words = {.arena = r->context->arena};
    gs_buf_text(&words, plot->caption);
    return add_figure(r, s, plot, plot->of, &words, err);
}

enum gs_status gs_report_bias(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_bias_frames frames;
    struct gs_buf b = {.arena = c->arena};
    enum gs_status status = gs_report_finish(r, GS_REPORT_BIAS, &frames, err);
    if (status == GS_OK)
        status = gs_report_finish(r, GS_REPORT_WINDOW, NULL, err);
    if (status != GS_OK)
        return status;
    struct gs_frame *const f = frames.bias, *const inside = r->out->last;
    if (r->join.join != GS_JOIN_WINDOW)
        status = gs_report_inside(r, s, f, err);
    inside->title = "Events by all samples inside, with energy";
    if (status == GS_OK)
        status = gs_report_add_table(r, s, "events-window", inside, err);
    if (status != GS_OK)
        return status;
    const int none = gs_frame_column(f, GS_COL_NO_SAMPLE_PCT);
    write_title(&b, f, "Nearest and window join, and the difference");
    enum { NAMED = 5 };
    size_t n_none = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        if (!(gs_write_value(f, i, none) > 0) || n_none++ >= NAMED)
            continue;
        gs_buf_text(&b, n_none > 1 ? ", " : " Not one sample lies inside ");
        gs_write_cell(&b, f, i, none);
        gs_buf_text(&b, " of ");
        gs_write_cell(&b, f, i, 0);
    }
    if (n_none > NAMED) {
        gs_buf_text(&b, ", and inside some pairs of ");
        gs_write_number(&b, (double)(n_none - NAMED), 0);
        gs_buf_text(&b, " more events");
    }
    gs_buf_text(&b, n_none > 0 ? "." : " Every event holds a sample.");
    if (n_none > 0)
        gs_buf_text(&b, " The bias is the mean difference of those that hold one, and not the "
                        "difference of the two means.");
    status = add_figure(
        r, s, gs_report_plot(r, &gs_bias_figures, frames.by_join, "figure-bias", NULL), f, &b, err);
    if (status == GS_OK)
        status = gs_report_add_table(r, s, "bias", f, err);
    if (status == GS_OK)
        gs_report_fold_last(s);
    return status;
}

enum gs_status gs_report_balance(struct gs_report *r, struct gs_report_section *s,
                                 struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf b = {.arena = c->arena};
    GS_TRY(gs_report_finish(r, GS_REPORT_BALANCE, NULL, err));
    struct gs_frame *const f = r->out->last;
    r->energy = f;
    if (!gs_report_has(r, GS_TABLE_CHECKPOINTS))
        s->missing = "there are no events";
    else if (r->kind == GS_KIND_JOBS)
        s->missing = "the table of jobs has it";
    else if (r->kind == GS_KIND_TRACE)
        s->missing = "power sensors are slower than the calls of a trace";
    s->lacks = s->missing != NULL;
    if (s->lacks)
        return GS_OK;
    if (!(sum_of(f, GS_COL_TIME_S) > 0)) {
        s->missing = "no GPU has samples of power that are close enough in time";
        return GS_OK;
    }
    const int state = gs_frame_column(f, GS_COL_STATE), part = gs_frame_column(f, GS_COL_PART),
              energy = gs_frame_column(f, GS_COL_ENERGY_J),
              share = gs_frame_column(f, GS_COL_ENERGY_PCT);
    size_t most[2] = {0};
    bool any[2] = {false};
    for (size_t i = 0; i < f->n_rows; i++) {
        const bool idle = gs_str_eq(f->columns[state].text[i], gs_str("idle"));
        if (!idle && !gs_str_eq(f->columns[state].text[i], gs_str("task")))
            continue;
        if (!any[idle] || gs_write_value(f, i, energy) > gs_write_value(f, most[idle], energy))
            most[idle] = i;
        any[idle] = true;
    }
    write_title(&b, f, "Energy of the run");
    for (int idle = 0; idle < 2; idle++) {
        if (!any[idle])
            continue;
        gs_buf_text(&b, idle == 0 ? " Most went into " : " Of the idle time, the largest part is ");
        gs_write_cell(&b, f, most[idle], part);
        gs_buf_text(&b, ", ");
        gs_write_cell(&b, f, most[idle], energy);
        gs_buf_text(&b, " (");
        gs_write_cell(&b, f, most[idle], share);
        gs_buf_text(&b, ").");
    }
    gs_buf_text(&b, " While events run inside one another, the innermost counts.");
    GS_TRY(add_figure(r, s, gs_report_plot(r, &gs_balance_figures, NULL, "figure-balance", NULL), f,
                      &b, err));
    return gs_report_add_table(r, s, "balance", f, err);
}

/* " The fleet draws most, 102,995 W, in the step from 2018-11-08T07:41:50Z." */
static void write_peak(struct gs_buf *b, const struct gs_frame *f, enum gs_column_id column,
                       const char *before, const char *after)
{
    const int at = gs_frame_column(f, column), time = gs_frame_column(f, GS_COL_TIME);
    size_t lo = 0, hi = 0;
    if (!gs_write_extremes(f, at, &lo, &hi))
        return;
    char text[GS_TIME_TEXT_MAX];
    (void)gs_time_format(text, f->columns[time].integer[hi]);
    gs_buf_format(b, "%s%s ", b->len > 0 ? " " : "", before);
    gs_write_cell(b, f, hi, at);
    gs_buf_format(b, "%s in the interval from %.19sZ.", after, text);
}

enum gs_status gs_report_timeline(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf b = {.arena = c->arena};
    struct gs_fleet_map map;
    const struct gs_plot *fleet = NULL;
    enum gs_status status = gs_report_finish(r, GS_REPORT_TIMELINE, &map, err);
    if (status != GS_OK)
        return status;
    struct gs_frame *const f = r->out->last;
    if (r->kind == GS_KIND_FARM && gs_report_has(r, GS_TABLE_CHECKPOINTS))
        write_title(&b, f, "The run over time");
    f->title = "The run over time";
    const bool one = gs_report_quantity(r, "gpus") < 2;
    struct gs_buf who = {.arena = c->arena};
    gs_buf_format(&who, one ? "The %s draws most," : "All %ss together draw most,",
                  gs_report_device(r));
    GS_TRY(gs_had_memory(!who.failed, err));
    write_peak(&b, f, GS_COL_FLEET_POWER_W, who.ptr, ",");
    if (sum_of(f, GS_COL_FINISHED_TASKS) >= TASKS_MANY)
        write_peak(&b, f, GS_COL_TASKS_PER_S, "Tasks finish fastest,", ",");
    write_peak(&b, f, GS_COL_TEMP_MAX_C, "The hottest sample,", ", lies");
    status = add_figure(
        r, s, gs_report_plot(r, &gs_timeline_figures, NULL, "figure-timeline", NULL), f, &b, err);
    if (status == GS_OK)
        status = gs_fleet_figure(&map, "figure-fleet", c->arena, &fleet, err);
    if (status == GS_OK && fleet != NULL)
        status = add_captioned(r, s, fleet, err);
    if (status == GS_OK)
        status = gs_report_add_table(r, s, "timeline", f, err);
    for (struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        t->folded = true; /* the pictures say it */
    return status;
}

/* "from 58 to 71", "3" */
static void write_between(struct gs_buf *b, const struct gs_frame *f, size_t lo, size_t hi,
                          int column)
{
    if (gs_write_value(f, lo, column) < gs_write_value(f, hi, column)) {
        gs_buf_text(b, "from ");
        gs_write_cell(b, f, lo, column);
        gs_buf_text(b, " to ");
    }
    gs_write_cell(b, f, hi, column);
}

enum gs_status gs_report_schedule(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_schedule_frames frames;
    struct gs_buf b = {.arena = c->arena};
    enum gs_status status = gs_report_finish(r, GS_REPORT_SCHEDULE, &frames, err);
    if (status != GS_OK)
        return status;
    const struct gs_frame *const w = frames.workers;
    const int tasks = gs_frame_column(w, GS_COL_TASKS), busy = gs_frame_column(w, GS_COL_BUSY_PCT);
    size_t lo = 0, hi = 0;
    write_title(&b, frames.jobs, "Jobs, and all of them together");
    const bool several = w->n_rows > 1; /* one is what all of them are */
    if (several && gs_write_extremes(w, tasks, &lo, &hi)) {
        gs_buf_text(&b, " A worker has ");
        write_between(&b, w, lo, hi, tasks);
        gs_buf_text(&b, gs_write_value(w, hi, tasks) > 1 ? " tasks" : " task");
    }
    if (several && gs_write_extremes(w, busy, &lo, &hi)) {
        gs_buf_text(&b, " and is busy ");
        write_between(&b, w, lo, hi, busy);
        gs_buf_text(&b, " of the run.");
    }
    if (several)
        status =
            add_figure(r, s, gs_report_plot(r, &gs_schedule_figures, w, "figure-schedule", NULL),
                       frames.jobs, &b, err);
    else
        status = gs_paragraph_end(&s->text, &b, false, err);
    const struct gs_plot *tail = NULL, *run = NULL;
    if (status == GS_OK)
        status = gs_tail_figure(w, "figure-tail", c->arena, &tail, err);
    if (status == GS_OK)
        status = gs_run_figure(&frames, "figure-run", tail, c->arena, &run, err);
    for (; status == GS_OK && run != NULL; run = run->next) {
        status = add_captioned(r, s, run, err);
        for (struct gs_report_figure *f = s->figures; f != NULL; f = f->next)
            f->folded |= f->plot == run && w->n_rows > WORKERS_SHOWN;
    }
    return status == GS_OK ? gs_report_add_table(r, s, "schedule", frames.jobs, err) : status;
}

static void write_tile(struct gs_buf *b, const struct gs_frame *f, size_t row, int value)
{
    gs_buf_text(b, "x ");
    gs_write_cell(b, f, row, gs_frame_column(f, GS_COL_X));
    gs_buf_text(b, ", y ");
    gs_write_cell(b, f, row, gs_frame_column(f, GS_COL_Y));
    gs_buf_text(b, " (");
    gs_write_cell(b, f, row, value);
    gs_buf_char(b, ')');
}

static void write_tiles(struct gs_buf *b, struct gs_frame *f)
{
    const int value = gs_frame_column(f, GS_COL_DURATION_MS), n = gs_frame_column(f, GS_COL_N);
    size_t lo = 0, hi = 0, n_none = 0, n_again = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        n_none += !(gs_write_value(f, i, n) > 0);
        n_again += gs_write_value(f, i, n) > 1;
    }
    write_title(b, f, "Tiles");
    if (gs_write_extremes(f, value, &lo, &hi) && lo != hi) {
        gs_buf_text(b, " The slowest tile is ");
        write_tile(b, f, hi, value);
        gs_buf_text(b, ", the fastest ");
        write_tile(b, f, lo, value);
        gs_buf_text(b, ".");
    }
    gs_buf_text(b, " Tiles rendered more than once: ");
    gs_write_number(b, (double)n_again, 0);
    gs_buf_text(b, "; never: ");
    gs_write_number(b, (double)n_none, 0);
    gs_buf_char(b, '.');
}

/* How many tiles each population rendered. */
static void write_tile_clusters(struct gs_buf *b, const struct gs_frame *f)
{
    const int cluster = gs_frame_column(f, GS_COL_CLUSTER);
    size_t n[GS_POPULATIONS_MAX + 1] = {0}, all = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        const double k = gs_write_value(f, i, cluster);
        if (k >= 1 && k <= GS_POPULATIONS_MAX) {
            n[(size_t)k]++;
            all++;
        }
    }
    for (size_t k = 1; k <= GS_POPULATIONS_MAX; k++) {
        if (n[k] == 0)
            continue;
        gs_buf_format(b, "%sroup %zu rendered ", b->len == 0 ? "G" : ", g", k);
        gs_write_number(b, (double)n[k], 0);
        gs_buf_text(b, gs_plural(n[k], " tile (", " tiles ("));
        gs_write_number(b, 100 * (double)n[k] / (double)all, 1);
        gs_buf_text(b, " %)");
    }
    gs_buf_text_if(b, b->len > 0, ".");
}

enum gs_status gs_report_tiles(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf slow = {.arena = c->arena}, who = {.arena = c->arena};
    struct gs_frame *by_time, *by_cluster;
    enum gs_status status = gs_report_tiles_frames(r, &by_time, &by_cluster, err);
    if (status != GS_OK)
        return status;
    write_tiles(&slow, by_time);
    status = add_figure(
        r, s,
        gs_report_plot(r, &gs_tiles_figures[GS_TILE_DURATION], NULL, "figure-tiles-duration", NULL),
        by_time, &slow, err);
    if (status != GS_OK || by_cluster == NULL)
        return status;
    write_tile_clusters(&who, by_cluster);
    status = add_figure(
        r, s,
        gs_report_plot(r, &gs_tiles_figures[GS_TILE_CLUSTER], NULL, "figure-tiles-cluster", NULL),
        by_cluster, &who, err);
    if (status == GS_OK)
        gs_report_fold_last(s);
    return status;
}

/*
 * With fewer than two members the section states why it is empty. A section that vanishes would
 * look like a fault of the report.
 */
enum gs_status gs_report_clusters(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_clusters_frames frames;
    struct gs_buf b = {.arena = c->arena};
    GS_TRY(gs_report_clusters_frame(r, &frames, err));
    if (frames.members->n_rows < 2) {
        s->missing = "there is one GPU, or one host, and nothing to compare it with";
        return GS_OK;
    }
    write_title(&b, frames.clusters, "Groups");
    GS_TRY(add_figure(
        r, s, gs_report_plot(r, &gs_clusters_figures, frames.members, "figure-clusters", NULL),
        frames.clusters, &b, err));
    return gs_report_add_table(r, s, "clusters", frames.clusters, err);
}

/* A GPU that is like neither population is slow only where it is slow for both. */
static void write_second(struct gs_buf *b, const struct gs_frame *f, size_t row)
{
    const double second = gs_write_value(f, row, gs_frame_column(f, GS_COL_SECOND_SLOWDOWN_PCT));
    if (isnan(second))
        return;
    gs_buf_text(b, ", which lies between two groups and takes ");
    gs_write_number(b, fabs(second), 2);
    gs_buf_text(b, second < 0 ? " % less than the other" : " % longer than the other");
}

static bool any_is_bad(const struct gs_frame *f)
{
    const int verdict = gs_frame_column(f, GS_COL_VERDICT);
    for (size_t i = 0; i < f->n_rows; i++)
        if (!gs_str_eq(f->columns[verdict].text[i], gs_str("ok")) &&
            !gs_str_eq(f->columns[verdict].text[i], gs_str("not slow")))
            return true;
    return false;
}

/* The tasks of each GPU against those of its group: of a farm alone. */
static enum gs_status add_task_times(struct gs_report *r, struct gs_report_section *s,
                                     struct gs_err *err)
{
    struct gs_frame *all;
    struct gs_buf b = {.arena = r->context->arena};
    GS_TRY(gs_report_stragglers_frame(r, &all, err));
    struct gs_frame *const found = r->out->last;
    const int slower = gs_frame_column(all, GS_COL_SLOWDOWN_PCT);
    size_t lo = 0, hi = 0;
    found->title = "Slow and hot GPUs, the costliest first";
    write_title(&b, all, "GPUs against their own group");
    r->verdicts = all;
    if (!gs_write_extremes(all, slower, &lo, &hi)) {
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
        return gs_report_add_table(r, s, "stragglers", found, err);
    }
    if (lo != hi) {
        gs_buf_text(&b, " Against the median of their groups the GPUs range from ");
        gs_write_cell(&b, all, lo, slower);
        gs_buf_text(&b, " to ");
        gs_write_cell(&b, all, hi, slower);
        gs_buf_text(&b, ". The slowest is ");
        gs_write_cell(&b, all, hi, 0);
        write_second(&b, all, hi);
        gs_buf_char(&b, '.');
    }
    gs_buf_text(&b, " A cost is the extra time of a GPU against its group; below 0 it was faster.");
    struct gs_report_figure *const figure = gs_report_add_figure(
        r, s, gs_report_plot(r, &gs_stragglers_figures, all, "figure-stragglers", NULL), all);
    GS_TRY(gs_had_memory(figure != NULL, err));
    figure->folded = !any_is_bad(all);
    GS_TRY(gs_paragraph_end(figure->folded ? &s->text : &figure->text, &b, false, err));
    GS_TRY(gs_report_add_table(r, s, "stragglers", found, err));
    if (figure->folded)
        gs_report_fold_last(s); /* of GPUs of which none is slow */
    return GS_OK;
}

enum gs_status gs_report_stragglers(struct gs_report *r, struct gs_report_section *s,
                                    struct gs_err *err)
{
    enum gs_status status = gs_report_slow(r, s, err);
    return status == GS_OK && r->kind == GS_KIND_FARM ? add_task_times(r, s, err) : status;
}

enum gs_status gs_report_jobs(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_plot *plot;
    GS_TRY(gs_report_finish(r, GS_REPORT_JOBS, NULL, err));
    struct gs_frame *const f = r->out->last;
    struct gs_frames priced = {.first = f, .notes = {.arena = r->context->arena}};
    GS_TRY(gs_costs_add(&priced, &r->context->rates, r->context->arena, err));
    r->jobs = f;
    f->title = r->visit->jobs.n_keys > 0 ? "Users, the most wasteful first"
                                         : "Jobs, the most wasteful first";
    GS_TRY(gs_jobs_figure(f, "figure-jobs", r->context->arena, &plot, err));
    GS_TRY(add_captioned(r, s, plot, err));
    return gs_report_add_table(r, s, "jobs", f, err);
}
