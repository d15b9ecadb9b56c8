/* report_run.c - the sections on what the run really did: bias, energy, time, schedule, tiles, populations. */
#include <math.h>
#include <string.h>

#include "app/cli/costs.h"
#include "app/charts/figures.h"
#include "analysis/events/bias.h"
#include "base/num/calendar.h"
#include "app/report/report_answer.h"
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
        const double v = gs_cell_value(f, i, column);
        if (!isnan(v))
            sum += v;
    }
    return sum;
}

/* What really happened: inside the events, not at their ends. */
static const struct gs_panel inside_panels[] = {
    GS_PANEL(BARS, EVENT, POWER_WINDOW_W, .title = "Mean power inside", .group = GS_COL_EVENT,
             .by_name = true, .count = GS_COL_N_SAMPLED, .of = GS_COL_N, .largest_first = true,
             .y_label = "mean power (W)"),
    GS_PANEL(BARS, EVENT, GPU_UTIL_WINDOW_PCT, .title = "Mean GPU utilisation inside",
             .group = GS_COL_EVENT, .by_name = true, .count = GS_COL_N_SAMPLED, .of = GS_COL_N,
             .largest_first = true, .y_label = "mean GPU utilisation (%)"),
};

static const struct gs_plot inside_figure =
    GS_FIGURE(inside_panels, "figure-1-inside", "Mean power and utilisation inside each event");

/* "Saving Config has a sample inside only 124 of 66,040 events: its bar is an outline." of the first events of which few have. */
static void write_few(struct gs_buf *b, const struct gs_frame *f)
{
    enum { NAMED = 3 };
    size_t n_few = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        if (!(gs_cell_value(f, i, GS_COL_N_SAMPLED) < 0.05 * gs_cell_value(f, i, GS_COL_N)) ||
            n_few++ >= NAMED)
            continue;
        const char *const name = gs_cell_text(b, f, i, GS_COL_EVENT);
        if (gs_cell_value(f, i, GS_COL_N_SAMPLED) > 0)
            gs_buf_format(b, " %s has a sample inside only %s of %s events: its bar is an outline.",
                          name, gs_cell_text(b, f, i, GS_COL_N_SAMPLED),
                          gs_cell_text(b, f, i, GS_COL_N));
        else
            gs_buf_format(b, " %s has no sample inside any of its events, and no bar.", name);
    }
    if (n_few > NAMED)
        gs_buf_format(b, " Of %s more names as few events, or none, hold a sample.",
                      gs_number_text(b, (double)(n_few - NAMED), 0));
}

static void add_inside(struct gs_report *r, struct gs_report_section *s, const struct gs_frame *f)
{
    struct gs_buf b = {.arena = r->context->arena};
    gs_buf_text(&b, "By all samples inside each event.");
    gs_write_range(&b, f, GS_COL_EVENT, GS_COL_POWER_WINDOW_W,
                   (struct gs_range_words){"draws", "draws most", "draws least"});
    gs_write_range(&b, f, GS_COL_EVENT, GS_COL_GPU_UTIL_WINDOW_PCT,
                   (struct gs_range_words){"keeps the GPUs busy for", "keeps the GPUs busiest",
                                           "keeps the GPUs least busy"});
    write_few(&b, f);
    (void)gs_report_add_figure(r, s, &inside_figure, f, &b);
}

enum gs_status gs_report_bias(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_bias_frames frames;
    struct gs_buf b = {.arena = c->arena};
    GS_TRY(gs_report_finish(r, GS_REPORT_BIAS, &frames, err));
    GS_TRY(gs_report_finish(r, GS_REPORT_WINDOW, NULL, err));
    struct gs_frame *const f = frames.bias, *const inside = r->out->last;
    inside->title = "Events by all samples inside, with energy";
    if (r->join.join != GS_JOIN_WINDOW)
        add_inside(r, s, f);
    GS_TRY(gs_report_add_table(r, s, "events-window", inside, err));
    write_title(&b, f, "Nearest and window join, and the difference");
    enum { NAMED = 3 };
    size_t n_none = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        if (!(gs_cell_value(f, i, GS_COL_NO_SAMPLE_PCT) > 0) || n_none++ >= NAMED)
            continue;
        gs_buf_text(&b, gs_plural(n_none, " Not one sample lies inside ", ", "));
        gs_buf_format(&b, "%s of %s", gs_cell_text(&b, f, i, GS_COL_NO_SAMPLE_PCT),
                      gs_cell_text(&b, f, i, GS_COL_EVENT));
    }
    if (n_none > NAMED)
        gs_buf_format(&b, ". %zu more %s events without one", n_none - NAMED,
                      gs_plural(n_none - NAMED, "name has", "names have"));
    if (n_none > 0)
        gs_buf_text(&b, ". The bias is the mean difference of those that hold one, and not the "
                        "difference of the two means.");
    else
        gs_buf_text(&b, " Every event holds a sample.");
    (void)gs_report_add_figure(
        r, s, gs_report_plot(r, &gs_bias_figures, frames.by_join, "figure-bias", NULL), f, &b);
    GS_TRY(gs_report_add_table(r, s, "bias", f, err));
    gs_report_fold_last(s);
    return GS_OK;
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
    const struct gs_str *const state = gs_frame_cells(f, GS_COL_STATE)->text;
    size_t most[2] = {0};
    bool any[2] = {false}, is_nested = false;
    for (size_t i = 0; i < f->n_rows; i++) {
        const bool idle = gs_str_eq(state[i], gs_str("idle"));
        is_nested |= gs_cell_is_there(f, i, GS_COL_INSIDE);
        if (!idle && !gs_str_eq(state[i], gs_str("task")))
            continue;
        if (!any[idle] ||
            gs_cell_value(f, i, GS_COL_ENERGY_J) > gs_cell_value(f, most[idle], GS_COL_ENERGY_J))
            most[idle] = i;
        any[idle] = true;
    }
    write_title(&b, f, "Energy of the run");
    static const char *const largest[] = {"Of the events, the largest part is",
                                          "Of the idle time, the largest part is"};
    for (int idle = 0; idle < 2; idle++)
        if (any[idle])
            gs_buf_format(&b, " %s %s, %s (%s).", largest[idle],
                          gs_cell_text(&b, f, most[idle], GS_COL_PART),
                          gs_cell_text(&b, f, most[idle], GS_COL_ENERGY_J),
                          gs_cell_text(&b, f, most[idle], GS_COL_ENERGY_PCT));
    gs_buf_text_if(&b, is_nested, " While events run inside one another, the innermost counts.");
    (void)gs_report_add_figure(
        r, s, gs_report_plot(r, &gs_balance_figures, NULL, "figure-balance", NULL), f, &b);
    return gs_report_add_table(r, s, "balance", f, err);
}

/* " The fleet draws most, 102,995 W, in the interval from 07:41:50." With the day where the run has several. */
static void write_peak(struct gs_buf *b, const struct gs_zone *zone, const struct gs_frame *f,
                       enum gs_column_id column, const char *before, const char *after)
{
    size_t lo = 0, hi = 0;
    if (!gs_cell_extremes(f, column, &lo, &hi))
        return;
    enum { DAY = sizeof "2018-11-08" - 1, CLOCK = sizeof "07:41:50" - 1 };
    char first[GS_LOCAL_TEXT_MAX], last[GS_LOCAL_TEXT_MAX], text[GS_LOCAL_TEXT_MAX];
    const int64_t *const t_ns = gs_frame_cells(f, GS_COL_TIME)->integer;
    (void)gs_time_format_local(first, zone, t_ns[0], GS_LOCAL_FULL);
    (void)gs_time_format_local(last, zone, t_ns[f->n_rows - 1], GS_LOCAL_FULL);
    (void)gs_time_format_local(text, zone, t_ns[hi], GS_LOCAL_FULL);
    gs_buf_text_if(b, b->len > 0, " ");
    gs_buf_format(b, "%s %s%s in the interval from ", before, gs_cell_text(b, f, hi, column),
                  after);
    if (strncmp(first, last, DAY) != 0)
        gs_buf_format(b, "%.*s ", DAY, text);
    gs_buf_format(b, "%.*s", CLOCK, text + DAY + 1);
    gs_buf_char(b, '.');
}

/* A line of one host is called what the page calls its GPU: by the index, too, where that is known. */
static void name_lines(const struct gs_gpu_list *fleet, struct gs_frame *f, struct gs_arena *arena)
{
    struct gs_str *const name = gs_frame_cells(f, GS_COL_GPU)->text;
    for (uint32_t g = 0; g < fleet->n_gpus && fleet->n_gpus <= GS_FLEET_NAMED; g++) {
        struct gs_buf b = {.arena = arena};
        const struct gs_str uuid = fleet->gpu[g].uuid;
        gs_gpu_verdict_name(fleet, g, &b);
        for (size_t i = 0; i < f->n_rows && !b.failed && gs_str_begins(uuid, "GPU-"); i++)
            if (gs_str_eq(name[i], uuid))
                name[i] = gs_buf_str(&b);
    }
}

enum gs_status gs_report_timeline(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf b = {.arena = c->arena};
    struct gs_fleet_map map;
    const struct gs_plot *fleet = NULL;
    GS_TRY(gs_report_finish(r, GS_REPORT_TIMELINE, &map, err));
    struct gs_frame *const f = r->out->last;
    if (r->kind == GS_KIND_FARM && gs_report_has(r, GS_TABLE_CHECKPOINTS))
        gs_buf_format(&b, "%s.", f->title + strlen("The run over time: "));
    f->title = "Interval by interval";
    struct gs_buf who = {.arena = c->arena};
    if (gs_report_quantity(r, "gpus") < 2)
        gs_buf_format(&who, "The %s draws most,", gs_report_device(r));
    else
        gs_buf_format(&who, "All %ss together draw most,", gs_report_device(r));
    GS_TRY(gs_had_memory(!who.failed, err));
    write_peak(&b, &r->opts->run.dataset.zone, f, GS_COL_FLEET_POWER_W, who.ptr, ",");
    if (sum_of(f, GS_COL_FINISHED_TASKS) >= TASKS_MANY)
        write_peak(&b, &r->opts->run.dataset.zone, f, GS_COL_TASKS_PER_S, "Tasks finish fastest,",
                   ",");
    write_peak(&b, &r->opts->run.dataset.zone, f, GS_COL_TEMP_MAX_C, "The hottest sample,",
               ", lies");
    (void)gs_report_add_figure(
        r, s, gs_report_plot(r, &gs_timeline_figures, NULL, "figure-timeline", NULL), f, &b);
    if (map.frame != NULL)
        name_lines(&r->visit->once.fleet, map.frame, c->arena);
    GS_TRY(gs_fleet_figure(&map, "figure-fleet", c->arena, &fleet, err));
    if (fleet != NULL)
        (void)gs_report_add_figure(r, s, fleet, NULL, NULL);
    GS_TRY(gs_report_add_table(r, s, "timeline", f, err));
    for (struct gs_report_table *t = s->tables; t != NULL; t = t->next)
        t->folded = true; /* the pictures say it */
    return GS_OK;
}

/* "from 58 to 71", "3" */
static void write_between(struct gs_buf *b, const struct gs_frame *f, size_t lo, size_t hi,
                          enum gs_column_id column)
{
    if (gs_cell_value(f, lo, column) < gs_cell_value(f, hi, column))
        gs_buf_format(b, "from %s to ", gs_cell_text(b, f, lo, column));
    gs_write_cell(b, f, hi, column);
}

enum gs_status gs_report_schedule(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_schedule_frames frames;
    struct gs_buf b = {.arena = c->arena};
    GS_TRY(gs_report_finish(r, GS_REPORT_SCHEDULE, &frames, err));
    const struct gs_frame *const w = frames.workers;
    size_t lo = 0, hi = 0;
    write_title(&b, frames.jobs, "Jobs, and all of them together");
    const bool several = w->n_rows > 1; /* one is what all of them are */
    if (several && gs_cell_extremes(w, GS_COL_TASKS, &lo, &hi)) {
        gs_buf_text(&b, " A worker has ");
        write_between(&b, w, lo, hi, GS_COL_TASKS);
        gs_buf_text(&b, " task");
        gs_buf_text_if(&b, gs_cell_value(w, hi, GS_COL_TASKS) > 1, "s");
    }
    if (several && gs_cell_extremes(w, GS_COL_BUSY_PCT, &lo, &hi)) {
        gs_buf_text(&b, " and is busy ");
        write_between(&b, w, lo, hi, GS_COL_BUSY_PCT);
        gs_buf_text(&b, " of the run.");
    }
    if (w->n_rows > 2) /* of two the text has it all */
        (void)gs_report_add_figure(
            r, s, gs_report_plot(r, &gs_schedule_figures, w, "figure-schedule", NULL), frames.jobs,
            &b);
    else
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
    const struct gs_plot *tail = NULL, *run = NULL;
    GS_TRY(gs_tail_figure(w, "figure-tail", c->arena, &tail, err));
    GS_TRY(gs_run_figure(&frames, "figure-run", tail, c->arena, &run, err));
    for (; run != NULL; run = run->next)
        gs_report_add_figure(r, s, run, NULL, NULL)->folded = w->n_rows > WORKERS_SHOWN;
    GS_TRY(gs_report_add_table(r, s, "schedule", frames.jobs, err));
    s->tables->folded = frames.jobs->n_rows < 3; /* one job, which is all */
    return GS_OK;
}

static void write_tile(struct gs_buf *b, const struct gs_frame *f, size_t row)
{
    gs_buf_format(b, "x %s, y %s (%s)", gs_cell_text(b, f, row, GS_COL_X),
                  gs_cell_text(b, f, row, GS_COL_Y), gs_cell_text(b, f, row, GS_COL_DURATION_MS));
}

static void write_tiles(struct gs_buf *b, struct gs_frame *f)
{
    size_t lo = 0, hi = 0, n_none = 0, n_again = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        n_none += !(gs_cell_value(f, i, GS_COL_N) > 0);
        n_again += gs_cell_value(f, i, GS_COL_N) > 1;
    }
    write_title(b, f, "Tiles");
    if (gs_cell_extremes(f, GS_COL_DURATION_MS, &lo, &hi) && lo != hi) {
        gs_buf_text(b, " The slowest tile is ");
        write_tile(b, f, hi);
        gs_buf_text(b, ", the fastest ");
        write_tile(b, f, lo);
        gs_buf_text(b, ".");
    }
    gs_buf_format(b, " Tiles rendered more than once: %s; never: %s.",
                  gs_number_text(b, (double)n_again, 0), gs_number_text(b, (double)n_none, 0));
}

/* How many tiles each population rendered. */
static void write_tile_clusters(struct gs_buf *b, const struct gs_frame *f)
{
    size_t n[GS_POPULATIONS_MAX + 1] = {0}, all = 0;
    for (size_t i = 0; i < f->n_rows; i++) {
        const double k = gs_cell_value(f, i, GS_COL_CLUSTER);
        if (k >= 1 && k <= GS_POPULATIONS_MAX) {
            n[(size_t)k]++;
            all++;
        }
    }
    for (size_t k = 1; k <= GS_POPULATIONS_MAX; k++) {
        if (n[k] == 0)
            continue;
        gs_buf_text(b, b->len == 0 ? "Group" : ", group");
        gs_buf_format(b, " %zu rendered %s (%s %%)", k, gs_counted_text(b, n[k], "tile"),
                      gs_number_text(b, 100 * (double)n[k] / (double)all, 1));
    }
    gs_buf_text_if(b, b->len > 0, ".");
}

enum gs_status gs_report_tiles(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf slow = {.arena = c->arena}, who = {.arena = c->arena};
    struct gs_frame *by_time, *by_cluster;
    GS_TRY(gs_report_tiles_frames(r, &by_time, &by_cluster, err));
    write_tiles(&slow, by_time);
    (void)gs_report_add_figure(
        r, s,
        gs_report_plot(r, &gs_tiles_figures[GS_TILE_DURATION], NULL, "figure-tiles-duration", NULL),
        by_time, &slow);
    if (by_cluster == NULL)
        return GS_OK;
    write_tile_clusters(&who, by_cluster);
    (void)gs_report_add_figure(
        r, s,
        gs_report_plot(r, &gs_tiles_figures[GS_TILE_CLUSTER], NULL, "figure-tiles-cluster", NULL),
        by_cluster, &who);
    gs_report_fold_last(s);
    return GS_OK;
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
    const bool one = frames.clusters->n_rows < 2; /* the sentence has it all */
    if (one)
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
    else
        (void)gs_report_add_figure(
            r, s, gs_report_plot(r, &gs_clusters_figures, frames.members, "figure-clusters", NULL),
            frames.clusters, &b);
    GS_TRY(gs_report_add_table(r, s, "clusters", frames.clusters, err));
    s->tables->folded = one;
    return GS_OK;
}

/* A GPU that is like neither group is slow only where it is slow for both. */
static void write_second(struct gs_buf *b, const struct gs_frame *f, size_t row)
{
    const double second = gs_cell_value(f, row, GS_COL_SECOND_SLOWDOWN_PCT);
    if (isnan(second))
        return;
    gs_buf_format(b, ". It lies between two groups: beside the other its tasks take %s %% %s",
                  gs_number_text(b, fabs(second), 2), second < 0 ? "less" : "longer");
}

/* Verdicts that begin so. */
static size_t count_verdicts(const struct gs_frame *f, const char *begin)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n_rows; i++)
        n += gs_str_begins(gs_frame_cells(f, GS_COL_VERDICT)->text[i], begin);
    return n;
}

/* The tasks of each GPU against those of its group. Steps wait for one another: of these it is told where some GPU is slow. */
static enum gs_status add_task_times(struct gs_report *r, struct gs_report_section *s,
                                     struct gs_err *err)
{
    struct gs_frame *all;
    struct gs_buf b = {.arena = r->context->arena};
    GS_TRY(gs_report_stragglers_frame(r, &all, err));
    if (r->kind == GS_KIND_STEPS && count_verdicts(all, "slow") == 0)
        return GS_OK;
    struct gs_frame *const found = r->out->last;
    size_t lo = 0, hi = 0;
    const bool calm = count_verdicts(all, "ok") + count_verdicts(all, "not slow") == all->n_rows;
    found->title = calm ? "GPUs nearest to slow" : "Slow and hot GPUs";
    write_title(&b, all, "GPUs against their own group");
    r->verdicts = all;
    if (!gs_cell_extremes(all, GS_COL_SLOWDOWN_PCT, &lo, &hi)) {
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
        return gs_report_add_table(r, s, "stragglers", found, err);
    }
    if (lo != hi) {
        gs_buf_format(&b,
                      " Their task times differ by %s to %s from the median of their group. The "
                      "slowest is ",
                      gs_cell_text(&b, all, lo, GS_COL_SLOWDOWN_PCT),
                      gs_cell_text(&b, all, hi, GS_COL_SLOWDOWN_PCT));
        gs_answer_subject(&b, all, hi, 64);
        write_second(&b, all, hi);
        gs_buf_char(&b, '.');
    }
    gs_buf_text(&b, " A cost is the extra time of a GPU against its group; below 0 it was faster.");
    const struct gs_buf none = {0};
    (void)gs_report_add_figure(
        r, s, gs_report_plot(r, &gs_stragglers_figures, all, "figure-stragglers", NULL), all,
        calm ? &none : &b);
    if (calm)
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
    GS_TRY(gs_report_add_table(r, s, "stragglers", found, err));
    if (calm)
        gs_report_fold_last(s); /* of GPUs of which none is slow */
    return GS_OK;
}

enum gs_status gs_report_stragglers(struct gs_report *r, struct gs_report_section *s,
                                    struct gs_err *err)
{
    GS_TRY(gs_report_slow(r, s, err));
    if (r->kind != GS_KIND_FARM && (r->kind != GS_KIND_STEPS || !r->data.checkpoints_name_gpu))
        return GS_OK;
    return add_task_times(r, s, err);
}

enum gs_status gs_report_jobs(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_plot *plot;
    GS_TRY(gs_report_finish(r, GS_REPORT_JOBS, NULL, err));
    struct gs_frame *const f = r->out->last;
    struct gs_frames priced = {.first = f, .notes = {.arena = r->context->arena}};
    GS_TRY(gs_costs_add(&priced, &r->context->rates, r->context->arena, err));
    r->jobs = f;
    const bool sampled = gs_report_has(r, GS_TABLE_SAMPLES);
    const char *const of_jobs = sampled ? "Jobs, the most wasteful first" : "Jobs by GPU-hours";
    f->title = of_jobs;
    if (r->visit->jobs.n_keys > 0)
        f->title = sampled ? "Users, the most wasteful first" : "Users by GPU-hours";
    GS_TRY(gs_jobs_figure(f, "figure-jobs", r->context->arena, &plot, err));
    (void)gs_report_add_figure(r, s, plot, NULL, NULL);
    GS_TRY(gs_report_add_table(r, s, "jobs", f, err));
    if (r->visit->jobs.n_keys == 0)
        return GS_OK;
    /* Its notes are left: those of the users are nearly the same, and count other pairs that share a node. */
    struct gs_frames *const out = r->out, own = {.notes = {.arena = r->context->arena}};
    r->out = &own;
    const enum gs_status status = gs_report_finish(r, GS_REPORT_ALLOCATIONS, NULL, err);
    r->out = out;
    if (status != GS_OK)
        return status;
    r->allocations = own.last;
    own.last->title = of_jobs;
    return gs_report_add_table(r, s, "allocations", own.last, err);
}
