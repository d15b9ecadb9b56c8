/* report_sections.c - the sections of a report: what they hold, in which order, and the study's own. */
#include <math.h>
#include <string.h>

#include "app/charts/figures.h"
#include "base/os/parallel.h"
#include "app/report/report_answer.h"
#include "app/report/report_folds.h"

/* Histograms and boxes, each with what it shows. */
static enum gs_status add_durations(struct gs_report *r, struct gs_report_section *s,
                                    const struct gs_durations *d, const char *histograms,
                                    const char *boxes, struct gs_err *err)
{
    const struct gs_plot *p;
    GS_TRY(gs_durations_figures(d, histograms, boxes, r->context->arena, &p, err));
    for (; p != NULL; p = p->next) {
        struct gs_report_figure *const figure = gs_report_add_figure(r, s, p, NULL, NULL);
        /* shapes say the same in less room */
        figure->folded = (p->next != NULL) == (d->n_groups > 2);
    }
    return GS_OK;
}

/* Where the longest bar would hide the others, the same on a logarithmic axis; in its place where it hides them all. */
static void add_logarithmic(struct gs_report *r, struct gs_report_section *s,
                            struct gs_report_figure *linear, const struct gs_frame *f)
{
    enum { HIDES = 10, HIDES_ALL = 1000 };
    struct gs_buf b = {.arena = r->context->arena};
    size_t lo = 0, hi = 0;
    if (!gs_cell_extremes(f, GS_COL_DURATION_MEAN_MS, &lo, &hi) ||
        !(gs_cell_value(f, lo, GS_COL_DURATION_MEAN_MS) > 0) ||
        gs_cell_value(f, hi, GS_COL_DURATION_MEAN_MS) <
            HIDES * gs_cell_value(f, lo, GS_COL_DURATION_MEAN_MS))
        return;
    gs_buf_format(&b, "The scale is logarithmic: from %s to %s.",
                  gs_cell_text(&b, f, lo, GS_COL_DURATION_MEAN_MS),
                  gs_cell_text(&b, f, hi, GS_COL_DURATION_MEAN_MS));
    struct gs_report_figure *const figure =
        gs_report_add_figure(r, s,
                             gs_report_plot(r, linear->plot, NULL, "figure-2-log",
                                            "Mean duration by event, logarithmic"),
                             f, &b);
    figure->log_scale = true;
    linear->folded = gs_cell_value(f, hi, GS_COL_DURATION_MEAN_MS) >
                     HIDES_ALL * gs_cell_value(f, lo, GS_COL_DURATION_MEAN_MS);
    figure->folded = !linear->folded;
}

static enum gs_status fill_events(struct gs_report *r, struct gs_report_section *s,
                                  struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf cost = {.arena = c->arena}, time = {.arena = c->arena};
    struct gs_durations durations;
    GS_TRY(gs_report_finish(r, GS_REPORT_EVENTS, &durations, err));
    struct gs_frame *const f = r->out->last;
    if (gs_report_has(r, GS_TABLE_SAMPLES)) {
        gs_write_events(&cost, r, f);
        (void)gs_report_add_figure(r, s, &gs_events_figures, f, &cost);
    }
    gs_write_durations(&time, f);
    add_logarithmic(r, s, gs_report_add_figure(r, s, gs_events_figures.next, f, &time), f);
    GS_TRY(add_durations(r, s, &durations, "figure-durations", "figure-durations-boxes", err));
    return gs_report_add_table(r, s, "events", f, err);
}

static enum gs_status fill_zoom(struct gs_report *r, struct gs_report_section *s,
                                struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_buf cost = {.arena = c->arena}, time = {.arena = c->arena};
    struct gs_durations durations;
    GS_TRY(gs_report_finish(r, GS_REPORT_ZOOM, &durations, err));
    struct gs_frame *const f = r->out->last;
    if (gs_report_has(r, GS_TABLE_SAMPLES)) {
        gs_write_levels(&cost, f);
        (void)gs_report_add_figure(r, s, &gs_zoom_figures, f, &cost);
    }
    gs_write_level_durations(&time, f, r->opts->run.event);
    (void)gs_report_add_figure(r, s, gs_zoom_figures.next, f, &time);
    GS_TRY(add_durations(r, s, &durations, "figure-durations-levels",
                         "figure-durations-levels-boxes", err));
    return gs_report_add_table(r, s, "zoom", f, err);
}

static enum gs_status fill_gpus(struct gs_report *r, struct gs_report_section *s,
                                struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_gpus_found found;
    struct gs_frame *gpus, *correlate;
    const struct gs_plot *plot;
    if (!gs_report_has(r, GS_TABLE_CHECKPOINTS))
        return gs_report_power(r, s, err);
    GS_TRY(gs_report_gpus_frames(r, &found, &gpus, &correlate, err));
    GS_TRY(gs_gpus_draw(gpus, &found, c, &plot, err));
    double most = 0; /* GPUs, or hosts, that have a task time and a reading */
    for (size_t m = 0; m < correlate->n_rows; m++)
        most = fmax(most, gs_cell_value(correlate, m, GS_COL_N));
    if (most < 3) { /* two points are always on a line */
        struct gs_buf b = {.arena = c->arena};
        gs_buf_text(
            &b, "Fewer than three GPUs, or hosts, have tasks and readings: too few to correlate.");
        GS_TRY(gs_paragraph_end(&s->text, &b, false, err));
        return gs_report_add_table(r, s, "gpus", gpus, err);
    }
    const struct gs_buf none = {0};
    struct gs_report_figure *const five = gs_report_add_figure(r, s, plot, gpus, &none);
    for (size_t m = 0; m < correlate->n_rows; m++) {
        struct gs_buf b = {.arena = c->arena};
        if (!(gs_cell_value(correlate, m, GS_COL_N) > 0))
            continue;
        gs_write_correlation(&b, correlate, m, GS_REPORT_LEVEL);
        GS_TRY(gs_paragraph_end(&five->text, &b, false, err));
        five->text.last->column = GS_N_COLUMNS;
        if (m < (size_t)plot->n_panels)
            five->text.last->column = plot->panels[m].y;
    }
    GS_TRY(gs_report_add_table(r, s, "correlate", correlate, err));
    return gs_report_add_table(r, s, "gpus", gpus, err);
}

static enum gs_status fill_check(struct gs_report *r, struct gs_report_section *s,
                                 struct gs_err *err)
{
    size_t n_bad = 0;
    struct gs_buf b = {.arena = r->context->arena};
    for (size_t i = 0; i < r->check->n_rows; i++)
        n_bad += !gs_answer_told_so(r, i) &&
                 (gs_answer_text_is(r->check, i, GS_COL_SEVERITY, "error") ||
                  gs_answer_text_is(r->check, i, GS_COL_SEVERITY, "warning"));
    if (n_bad == 0)
        gs_buf_text(&b, "The checks of the data found neither errors nor warnings.");
    const uint64_t n_twice =
        r->visit->once.facts.totals.checkpoints.n + r->visit->once.facts.totals.samples.n;
    gs_buf_text_if(&b, n_twice > 0 && b.len > 0, " ");
    if (n_twice > 0 && r->data.duplicates == GS_DUPLICATES_KEEP)
        gs_buf_text(&b, "Rows that are exact duplicates are kept and count twice in what the "
                        "study computed, and count once in all other sections.");
    else if (n_twice > 0)
        gs_buf_text(&b, "Rows that are exact duplicates are dropped.");
    GS_TRY(gs_paragraph_end(&s->text, &b, n_bad > 0, err));
    return gs_report_add_table(r, s, "check", r->check, err);
}

/* How the data were read, where that changes the answer: the warnings of all sections, less what the checks list. */
static enum gs_status add_warnings(struct gs_report *r, struct gs_err *err)
{
    struct gs_text *const text = &r->section[GS_PART_CHECK].text;
    for (const struct gs_note *n = r->out->notes.first; n != NULL; n = n->next) {
        struct gs_buf b = {.arena = r->context->arena};
        if (n->kind != GS_NOTE_WARNING)
            continue;
        r->n_warnings++;
        gs_buf_text(&b, n->text);
        gs_buf_text_if(&b, !gs_str_ends(gs_str(n->text), "?"), ".");
        GS_TRY(gs_paragraph_end(text, &b, true, err));
    }
    return GS_OK;
}

/* The order of the commands in `gpustat help`. */
static const struct {
    const char *id, *title;
    gs_report_fill_fn *fill;
} parts[GS_N_PARTS] = {
    [GS_PART_EVENTS] = {"events", "Time and power of each event", fill_events},
    [GS_PART_ZOOM] = {"zoom", "Zoom levels", fill_zoom},
    [GS_PART_GPUS] = {"gpus", "GPUs and task time", fill_gpus},
    [GS_PART_CHECK] = {"check", "Data quality", fill_check},
    [GS_PART_BIAS] = {"bias", "Inside the events", gs_report_bias},
    [GS_PART_BALANCE] = {"balance", "Where the energy went", gs_report_balance},
    [GS_PART_TIMELINE] = {"timeline", "The run over time", gs_report_timeline},
    [GS_PART_SCHEDULE] = {"schedule", "Busy and idle workers", gs_report_schedule},
    [GS_PART_TILES] = {"tiles", "The picture by tiles", gs_report_tiles},
    [GS_PART_CLUSTERS] = {"clusters", "Groups of GPUs", gs_report_clusters},
    [GS_PART_STRAGGLERS] = {"stragglers", "Slow and hot GPUs", gs_report_stragglers},
    [GS_PART_JOBS] = {"jobs", "Who used what", gs_report_jobs},
    [GS_PART_AGAINST] = {"against", "Beside the other run", gs_report_against},
};

static enum gs_status fill_section(struct gs_report *r, struct gs_report_section *s,
                                   enum gs_report_part part, struct gs_err *err)
{
    struct gs_err why = {0};
    const bool alone = part == GS_PART_GPUS && !gs_report_has(r, GS_TABLE_CHECKPOINTS);
    *s = (struct gs_report_section){.id = parts[part].id,
                                    .title = alone ? "GPUs" : parts[part].title};
    s->missing = gs_report_missing(r, part);
    s->lacks = s->missing != NULL;
    if (s->lacks)
        return GS_OK;
    const enum gs_status status = parts[part].fill(r, s, &why);
    if (status == GS_OK)
        return GS_OK;
    if (!gs_status_is_of_data(status))
        return gs_fail(err, status, "%s", why.text);
    s->figures = NULL;
    s->tables = NULL;
    s->text = (struct gs_text){0};
    s->missing = gs_arena_copy(r->context->arena, why.text, strlen(why.text));
    gs_note(&r->out->notes, GS_NOTE_WARNING, "the report has no section %s: %s", s->id, why.text);
    return gs_had_memory(s->missing != NULL, err);
}

/* A section on its way, with frames and memory of its own: none reads what another writes. */
struct filling {
    struct gs_report report; /* with the context and frames below */
    struct gs_context context;
    struct gs_frames out;
};

struct fillings {
    struct gs_report *report;
    struct filling *part; /* [GS_N_PARTS] */
};

/* Those that take longest first: none is waited for alone. */
static enum gs_status fill_item(void *context, size_t item, struct gs_arena *arena,
                                struct gs_err *err)
{
    static const enum gs_report_part order[] = {
        GS_PART_TILES,    GS_PART_STRAGGLERS, GS_PART_EVENTS,  GS_PART_TIMELINE, GS_PART_SCHEDULE,
        GS_PART_BIAS,     GS_PART_ZOOM,       GS_PART_GPUS,    GS_PART_CHECK,    GS_PART_BALANCE,
        GS_PART_CLUSTERS, GS_PART_JOBS,       GS_PART_AGAINST,
    };
    _Static_assert(sizeof order / sizeof *order == GS_N_PARTS, "every part, once");
    const struct fillings *const all = context;
    const enum gs_report_part part = order[item];
    struct filling *const f = &all->part[part];
    f->context.arena = f->out.notes.arena = arena;
    return fill_section(&f->report, &all->report->section[part], part, err);
}

static enum gs_status fill_sections(struct gs_report *r, struct gs_err *err)
{
    struct fillings all = {.report = r};
    GS_TAKE(all.part, GS_N_PARTS, r->context->arena, err);
    for (int p = 0; p < GS_N_PARTS;
         p++) { /* before any is filled: the report that is copied holds the sections */
        struct filling *const f = &all.part[p];
        f->context = *r->context;
        f->report = *r;
        f->report.context = &f->context;
        f->report.out = &f->out;
    }
    const enum gs_status s = gs_parallel_tasks(r->context->n_threads, GS_N_PARTS, fill_item, &all,
                                               r->context->arena, err);
    for (int p = 0; p < GS_N_PARTS; p++) {
        struct filling *const f = &all.part[p];
        gs_notes_add(&r->out->notes, &f->out.notes);
        if (f->report.energy != NULL)
            r->energy = f->report.energy;
        if (f->report.against != NULL)
            r->against = f->report.against;
        if (f->report.jobs != NULL)
            r->jobs = f->report.jobs;
        if (f->report.allocations != NULL)
            r->allocations = f->report.allocations;
        if (f->report.verdicts != NULL)
            r->verdicts = f->report.verdicts;
    }
    return s;
}

enum gs_status gs_report_compute(struct gs_report *r, struct gs_err *err)
{
    GS_TRY(gs_report_visit(r, err));
    GS_TRY(gs_report_finish(r, GS_REPORT_SUMMARY, NULL, err));
    r->summary = r->out->last;
    r->summary_words = r->out->brief;
    const enum gs_status s = gs_report_finish(r, GS_REPORT_CHECK, NULL, err);
    if (s != GS_FINDINGS)
        GS_TRY(s);
    r->check = r->out->last;
    GS_TRY(fill_sections(r, err));
    GS_TRY(add_warnings(r, err));
    GS_TRY(gs_report_sensors(r, err));
    GS_TRY(gs_report_drop_empty(r, err));
    GS_TRY(gs_report_answer(r, err));
    return gs_report_verdict(r, err);
}
