/* report_without.c - what a report can say without events or without samples, and that it is without them. */
#include <math.h>
#include <string.h>

#include "app/charts/power_figures.h"
#include "analysis/power_logs/power_gpus.h"
#include "app/report/report.h"

bool gs_report_has(const struct gs_report *r, enum gs_table_kind kind)
{
    const struct gs_table *const t = r->data.table;
    if (kind == GS_TABLE_CHECKPOINTS)
        return t[GS_TABLE_CHECKPOINTS].n_rows + t[GS_TABLE_SPANS].n_rows > 0;
    if (kind == GS_TABLE_SAMPLES)
        return t[GS_TABLE_SAMPLES].n_rows > 0;
    return t[kind].n_columns > 0;
}

bool gs_report_is_of_jobs(const struct gs_report *r)
{
    return r->kind == GS_KIND_JOBS || r->kind == GS_KIND_MIXED;
}

bool gs_report_is_of_steps(const struct gs_report *r)
{
    return r->kind == GS_KIND_STEPS ||
           (r->kind == GS_KIND_PHASES && strcmp(r->kind_found.noun, "request") == 0);
}

const char *gs_report_missing(const struct gs_report *r, enum gs_report_part part)
{
    enum { EVENTS = 1, SAMPLES = 2, TASKS = 4 };
    static const unsigned char needs[GS_N_PARTS] = {
        [GS_PART_EVENTS] = EVENTS,        [GS_PART_ZOOM] = EVENTS | TASKS,
        [GS_PART_GPUS] = SAMPLES,         [GS_PART_BIAS] = EVENTS | SAMPLES,
        [GS_PART_BALANCE] = SAMPLES,      [GS_PART_SCHEDULE] = EVENTS,
        [GS_PART_TILES] = EVENTS | TASKS, [GS_PART_CLUSTERS] = EVENTS | SAMPLES,
        [GS_PART_STRAGGLERS] = SAMPLES,   [GS_PART_JOBS] = EVENTS,
    };
    /* What a kind of run has no use for: zoom levels of training steps, a tail of jobs, ends of events. */
    enum {
        TASKS_ALONE = 1 << GS_PART_ZOOM | 1 << GS_PART_BIAS | 1 << GS_PART_SCHEDULE |
                      1 << GS_PART_TILES | 1 << GS_PART_CLUSTERS | 1 << GS_PART_GPUS
    };
    static const unsigned hides[GS_N_KINDS] = {
        [GS_KIND_STEPS] = TASKS_ALONE,
        [GS_KIND_PHASES] = TASKS_ALONE,
        [GS_KIND_JOBS] = TASKS_ALONE | 1 << GS_PART_EVENTS,
        [GS_KIND_MIXED] = TASKS_ALONE,
        [GS_KIND_TRACE] = TASKS_ALONE,
    };
    static const char *const because[GS_N_KINDS] = {
        [GS_KIND_STEPS] = "this is a training run (--kind farm shows them)",
        [GS_KIND_PHASES] = "this is no farm of equal tasks (--kind farm shows them)",
        [GS_KIND_JOBS] = "these are jobs of a scheduler (--kind farm shows them)",
        [GS_KIND_MIXED] = "these are jobs of a scheduler (--kind farm shows them)",
        [GS_KIND_TRACE] = "this is a profiler's trace (--kind farm shows them)",
    };
    if ((hides[r->kind] >> part & 1) != 0)
        return because[r->kind];
    if ((needs[part] & EVENTS) != 0 && !gs_report_has(r, GS_TABLE_CHECKPOINTS))
        return "there are no events";
    if ((needs[part] & SAMPLES) != 0 && !gs_report_has(r, GS_TABLE_SAMPLES))
        return "there are no samples";
    if ((needs[part] & TASKS) != 0 && !gs_report_has(r, GS_TABLE_TASKS))
        return "there is no table of tasks";
    if (part == GS_PART_TIMELINE && r->kind != GS_KIND_FARM && !gs_report_has(r, GS_TABLE_SAMPLES))
        return "there are no samples";
    if (part == GS_PART_JOBS && !gs_report_is_of_jobs(r))
        return "no events are jobs of a scheduler";
    if (part == GS_PART_BIAS && r->join.join == GS_JOIN_WINDOW)
        return "all readings are of the samples inside events (--join nearest compares)";
    if (part == GS_PART_AGAINST && r->opts->against == NULL)
        return "no other run is named (--against RUN)";
    return NULL;
}

bool gs_report_missing_first(const struct gs_report *r, int part)
{
    for (int p = 0; p < part; p++)
        if (r->section[p].lacks && r->section[part].lacks &&
            strcmp(r->section[p].missing, r->section[part].missing) == 0)
            return false;
    return r->section[part].lacks;
}

/* The readings themselves, where they are few enough for a picture. */
static enum gs_status add_log(struct gs_report *r, struct gs_report_section *s,
                              struct gs_power_run *run, struct gs_power_gpus *gpus,
                              struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    const struct gs_plot *log = NULL;
    if (run->table.n_logs > GS_POWER_GPUS_DRAWN ||
        r->data.table[GS_TABLE_SAMPLES].n_rows > GS_POWER_READINGS_DRAWN)
        return GS_OK;
    GS_TRY(gs_power_run_store(run, c->n_threads, c->arena, err));
    GS_TRY(gs_power_draw_log(gpus, NULL, c->arena, &log, err));
    if (log == NULL)
        return GS_OK;
    const struct gs_plot *const own = gs_report_plot(r, log, log->of, "figure-power", NULL);
    /* Of a few GPUs there are smaller pictures. */
    gs_report_add_figure(r, s, own, log->of, NULL)->folded = run->table.n_logs > 2;
    return GS_OK;
}

/* As `gpustat power DIR` shows it. */
enum gs_status gs_report_power(struct gs_report *r, struct gs_report_section *s, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    const struct gs_power_choice choice = {.has_times = true, .is_directory = true};
    const double nan = (double)NAN;
    const struct gs_power_options options = {.runtime_s = nan,
                                             .max_gap_ns = r->data.max_gap_ns,
                                             .runtime_sd_s = nan,
                                             .hot_c = GS_REPORT_HOT_C,
                                             .sensor = r->data.sensor,
                                             .card = r->data.card,
                                             .seed = c->seed};
    struct gs_power_run run;
    struct gs_power_gpus gpus;
    GS_TRY(gs_power_run_open(&r->data, r->title, &choice, c->arena, &r->out->notes, &run, err));
    GS_TRY(gs_power_gpus_of(&run, 1, &options, c->arena, &gpus, err));
    GS_TRY(gs_power_visit(&run, 1, GS_POWER_LOOK_SUMMARY, c->n_threads, c->arena, &gpus, err));
    GS_TRY(gs_power_summary(&gpus, c->arena, r->out, err));
    r->out->last->title = "GPUs, with the energy and time of their idle and active phases";
    GS_TRY(gs_report_add_table(r, s, "power", r->out->last, err));
    return add_log(r, s, &run, &gpus, err);
}
