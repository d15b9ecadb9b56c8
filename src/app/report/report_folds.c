/* report_folds.c - every analysis of a report in one visit of the hosts, with what the study counts twice and without; sections finish the states. */
#include "base/num/timestamp.h"
#include "analysis/gpus/gpu_verdict.h"
#include "analysis/check/check.h"
#include "base/os/parallel.h"
#include "app/report/report_folds.h"
#include "analysis/events/bias.h"
#include "analysis/events/events.h"
#include "analysis/schedule/schedule.h"
#include "analysis/events/summary.h"
#include "data/tables/packed_rows.h"

#define FDR   0.05
#define LEAST 0.03

/*
 * Round steps, few enough to be read and long enough that each holds samples. A step shorter
 * than two sampling intervals would be empty for some GPUs and show gaps that are not there.
 */
static int64_t choose_step(const struct gs_report *r)
{
    enum { MAX_STEPS = 300, SAMPLES = 2 };
    static const int64_t seconds[] = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                      600, 900, 1800, 3600, 7200, 21600, 43200, 86400};
    int64_t first = INT64_MAX, last = INT64_MIN;
    const size_t n = sizeof seconds / sizeof *seconds;
    gs_table_widen_range(&r->data.table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME, &first, &last);
    gs_table_widen_range(&r->data.table[GS_TABLE_SPANS], GS_SPAN_START, &first, &last);
    gs_table_widen_range(&r->data.table[GS_TABLE_SPANS], GS_SPAN_STOP, &first, &last);
    gs_table_widen_range(&r->data.table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &first, &last);
    if (first <= last) {
        first = gs_range_held(r->data.range, first);
        last = gs_range_held(r->data.range, last);
    }
    double span_s = 0, interval_s = 0;
    if (first <= last)
        span_s = ((double)last - (double)first) / 1e9;
    if (r->interval_ns != GS_MISSING)
        interval_s = (double)r->interval_ns / 1e9;
    for (size_t i = 0; i < n; i++)
        if (span_s <= (double)seconds[i] * MAX_STEPS && (double)seconds[i] >= SAMPLES * interval_s)
            return seconds[i] * GS_NS_PER_S;
    return seconds[n - 1] * GS_NS_PER_S;
}

static void choose_options(struct gs_report_visit *v, const struct gs_report *r)
{
    const char *const event = r->opts->run.event;
    const struct gs_profile_options profile = {.event = event,
                                               .hot = (int64_t)GS_REPORT_HOT_C * GS_FIXED_ONE,
                                               .keep_tasks = true,
                                               .energy = true,
                                               .loads = true};
    v->events = (struct gs_events_options){.join = r->join};
    v->zoom = (struct gs_events_options){.join = r->join, .event = event};
    v->window = v->events;
    v->window.join.join = GS_JOIN_WINDOW;
    v->balance =
        (struct gs_balance_options){.max_gap_ns = r->join.max_gap_ns, .by = GS_BALANCE_RUN};
    v->timeline = (struct gs_timeline_options){
        .every_ns = choose_step(r), .max_gap_ns = r->join.max_gap_ns, .cells = true};
    if (r->kind == GS_KIND_FARM && gs_report_has(r, GS_TABLE_CHECKPOINTS))
        v->timeline.event = event;
    v->schedule = (struct gs_schedule_options){.event = event, .spans = true};
    v->tiles = (struct gs_tiles_options){.value = GS_TILE_DURATION,
                                         .level = GS_MISSING,
                                         .event = event,
                                         .max_gap_ns = r->join.max_gap_ns};
    v->jobs = (struct gs_jobs_options){.idle_below = (int64_t)GS_IDLE_BELOW_PCT * GS_FIXED_ONE,
                                       .key = {gs_str("user")}};
    v->jobs.n_keys = gs_keys_check_attribute(&r->data, "--by", v->jobs.key[0], "", NULL) == GS_OK;
    v->allocations = (struct gs_jobs_options){.idle_below = v->jobs.idle_below};
    v->stragglers = (struct gs_stragglers_options){.profile = profile, .least = LEAST, .fdr = FDR};
}

/* The profiles of one way of counting, of which populations are found. */
struct populated {
    struct gs_report_visit *v;
    enum gs_report_job profiles;
    struct gs_report_found *found;
};

static enum gs_status find_populations(void *context, size_t item, struct gs_arena *arena,
                                       struct gs_err *err)
{
    const struct populated *const p = (struct populated *)context + item;
    struct gs_err *const why = &p->v->why[p->profiles];
    const struct gs_records *const table = p->v->job[p->profiles].state.table;
    if (why->status != GS_OK)
        return GS_OK;
    enum gs_status s = gs_fleet_of(table, &p->found->facts, arena, &p->found->fleet, err);
    GS_THEN(s, gs_clusters_find(&p->found->fleet, &(struct gs_clusters_how){0}, arena,
                                &p->found->clusters, why));
    GS_THEN(s, gs_fleet_judge(table, p->found->clusters.of_gpu, arena, &p->found->fleet, err));
    if (s == GS_OK)
        return GS_OK;
    if (s == GS_ERR_DATA) /* the sections that need them say why they are not there */
        *err = (struct gs_err){0};
    else if (err->status == GS_OK)
        *err = *why;
    return err->status;
}

enum gs_status gs_report_visit(struct gs_report *r, struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    GS_NEW(struct gs_report_visit, v, 1, c->arena, err);
    const struct gs_fold_job job[GS_N_REPORT_JOBS] = {
        [GS_REPORT_SUMMARY] = {.fold = &gs_summary_fold},
        [GS_REPORT_CHECK] = {.fold = &gs_check_fold, .options = &v->accepted},
        [GS_REPORT_EVENTS] = {.fold = &gs_events_fold, .options = &v->events},
        [GS_REPORT_WINDOW] = {.fold = &gs_events_fold, .options = &v->window},
        [GS_REPORT_ZOOM] = {.fold = &gs_zoom_fold, .options = &v->zoom},
        [GS_REPORT_PROFILES] = {.fold = &gs_profiles_fold, .options = &v->stragglers.profile},
        [GS_REPORT_PROFILES_ONCE] = {.fold = &gs_profiles_fold, .options = &v->stragglers.profile},
        [GS_REPORT_BIAS] = {.fold = &gs_bias_fold, .options = &r->join},
        [GS_REPORT_BALANCE] = {.fold = &gs_balance_fold, .options = &v->balance},
        [GS_REPORT_TIMELINE] = {.fold = &gs_timeline_fold, .options = &v->timeline},
        [GS_REPORT_SCHEDULE] = {.fold = &gs_schedule_fold, .options = &v->schedule},
        [GS_REPORT_TILES] = {.fold = &gs_tiles_fold, .options = &v->tiles},
        [GS_REPORT_JOBS] = {.fold = &gs_jobs_fold, .options = &v->jobs},
        [GS_REPORT_ALLOCATIONS] = {.fold = &gs_jobs_fold, .options = &v->allocations},
    };
    choose_options(v, r);
    for (int k = 0; k < GS_N_REPORT_JOBS; k++) {
        v->job[k] = job[k];
        v->job[k].own_err = &v->why[k];
    }
    struct gs_dataset once = r->data;
    once.duplicates = GS_DUPLICATES_DROP;
    const bool with_jobs = gs_report_missing(r, GS_PART_JOBS) == NULL;
    const int n_jobs = with_jobs ? GS_N_REPORT_JOBS : GS_REPORT_JOBS;
    const struct gs_fold_way way[] = {{&r->data, v->job, GS_REPORT_FIRST_ONCE, &v->study.facts},
                                      {&once, v->job + GS_REPORT_FIRST_ONCE,
                                       (size_t)(n_jobs - GS_REPORT_FIRST_ONCE), &v->once.facts}};
    GS_TRY(gs_folds_run(way, sizeof way / sizeof *way, NULL, c->n_threads, c->arena, err));
    struct populated p[] = {{.v = v, .profiles = GS_REPORT_PROFILES, .found = &v->study},
                            {.v = v, .profiles = GS_REPORT_PROFILES_ONCE, .found = &v->once}};
    r->visit = v;
    return gs_parallel_tasks(c->n_threads, sizeof p / sizeof *p, find_populations, p, c->arena,
                             err);
}

/* Why an analysis has no state, GS_OK where it has one. */
static enum gs_status reason(const struct gs_report *r, enum gs_report_job k, struct gs_err *err)
{
    return gs_fail_again(err, &r->visit->why[k]);
}

enum gs_status gs_report_finish(struct gs_report *r, enum gs_report_job k, void *also,
                                struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    const struct gs_fold_job *const job = &r->visit->job[k];
    const bool study = k < GS_REPORT_FIRST_ONCE;
    const struct gs_facts *const facts = study ? &r->visit->study.facts : &r->visit->once.facts;
    GS_TRY(reason(r, k, err));
    return job->fold->finish(
        &(struct gs_finish){job->options, &job->state, facts, c->n_threads, c->arena, also}, r->out,
        err);
}

enum gs_status gs_report_tiles_frames(struct gs_report *r, struct gs_frame **by_time,
                                      struct gs_frame **by_cluster, struct gs_err *err)
{
    struct gs_tile_picture picture[] = {{.value = GS_TILE_DURATION}, {.value = GS_TILE_CLUSTER}};
    const struct gs_context *const c = r->context;
    struct gs_report_visit *const v = r->visit;
    size_t n_pictures = 1;
    const struct gs_clusters *clusters = NULL;
    if (v->why[GS_REPORT_PROFILES_ONCE].status == GS_OK) {
        n_pictures = 2;
        clusters = &v->once.clusters;
    }
    GS_TRY(reason(r, GS_REPORT_TILES, err));
    gs_view_notes(&v->once.facts.totals, v->once.facts.duplicates, &r->out->notes);
    GS_TRY(gs_tiles_frames(picture, n_pictures,
                           &(struct gs_finish){.state = &v->job[GS_REPORT_TILES].state,
                                               .n_threads = c->n_threads,
                                               .arena = c->arena},
                           &v->once.fleet, clusters, r->out, err));
    *by_time = picture[0].frame;
    *by_cluster = picture[1].frame;
    return GS_OK;
}

enum gs_status gs_report_gpus_frames(struct gs_report *r, struct gs_gpus_found *found,
                                     struct gs_frame **gpus, struct gs_frame **correlate,
                                     struct gs_err *err)
{
    const struct gs_context *const c = r->context;
    struct gs_report_visit *const v = r->visit;
    GS_TRY(reason(r, GS_REPORT_PROFILES, err));
    gs_view_notes(&v->study.facts.totals, v->study.facts.duplicates, &r->out->notes);
    *found = (struct gs_gpus_found){v->study.clusters.of_gpu, v->study.clusters.found.k, NULL};
    GS_TRY(gs_correlate(&v->study.clusters, v->study.facts.n_metrics, GS_REPORT_LEVEL, c->arena,
                        &found->relation, err));
    GS_TRY(gs_gpus_frame(&v->study.fleet, c->arena, r->out, err));
    *gpus = r->out->last;
    GS_TRY(gs_correlate_frame(&v->study.facts, found->relation, GS_REPORT_LEVEL, c->arena, r->out,
                              err));
    *correlate = r->out->last;
    return GS_OK;
}

enum gs_status gs_report_clusters_frame(struct gs_report *r, struct gs_clusters_frames *frames,
                                        struct gs_err *err)
{
    const struct gs_report_visit *const v = r->visit;
    GS_TRY(reason(r, GS_REPORT_PROFILES_ONCE, err));
    return gs_clusters_frame(&v->once.fleet, &v->once.clusters, false, r->context->arena, r->out,
                             frames, err);
}

enum gs_status gs_report_stragglers_frame(struct gs_report *r, struct gs_frame **all,
                                          struct gs_err *err)
{
    const struct gs_report_visit *const v = r->visit;
    GS_TRY(reason(r, GS_REPORT_PROFILES_ONCE, err));
    return gs_stragglers_frame(&v->once.fleet, &v->once.clusters, &v->stragglers, r->context->arena,
                               r->out, all, err);
}
