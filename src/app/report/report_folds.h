/* report_folds.h - the analyses of a report: one visit of the hosts, then their frames one by one. Private to the report. */
#pragma once

#include "analysis/check/finding.h"
#include "app/report/report.h"
#include "analysis/gpus/balance.h"
#include "analysis/gpus/gpu_verdict.h"
#include "analysis/events/events.h"
#include "analysis/gpus/per_gpu.h"
#include "analysis/schedule/schedule.h"
#include "analysis/gpus/stragglers.h"
#include "analysis/gpus/tiles.h"
#include "analysis/jobs/jobs.h"
#include "analysis/gpus/timeline.h"

#define GS_REPORT_LEVEL 0.95 /* of intervals */

/*
 * The study's own come first: they count rows as --duplicates says, the others each row once. Profiles serve the GPUs
 * and correlations of the study, and the populations, stragglers and tiles by population beyond it.
 */
/* clang-format off */
enum gs_report_job {
    GS_REPORT_SUMMARY, GS_REPORT_CHECK, GS_REPORT_EVENTS, GS_REPORT_ZOOM, GS_REPORT_PROFILES,
    GS_REPORT_WINDOW, GS_REPORT_BIAS, GS_REPORT_BALANCE, GS_REPORT_TIMELINE, GS_REPORT_SCHEDULE, GS_REPORT_TILES,
    GS_REPORT_PROFILES_ONCE, GS_REPORT_JOBS, GS_REPORT_ALLOCATIONS, GS_N_REPORT_JOBS,
    GS_REPORT_FIRST_ONCE = GS_REPORT_WINDOW,
};
/* clang-format on */

/* What one visit found. */
struct gs_report_found {
    struct gs_facts facts;
    struct gs_gpu_list fleet; /* and its populations, where there are profiles */
    struct gs_clusters clusters;
};

struct gs_report_visit {
    struct gs_fold_job job[GS_N_REPORT_JOBS];
    struct gs_err why[GS_N_REPORT_JOBS]; /* status GS_OK: there is a state */
    struct gs_report_found study, once;
    struct gs_accepted accepted;
    struct gs_events_options events, window, zoom;
    struct gs_balance_options balance;
    struct gs_timeline_options timeline;
    struct gs_schedule_options schedule;
    struct gs_tiles_options tiles;
    struct gs_stragglers_options stragglers;
    struct gs_jobs_options jobs, allocations; /* by user where there are users, and each */
};

/* Visits the hosts and sets r->visit. What the data do not allow is told when its frames are asked for. */
enum gs_status gs_report_visit(struct gs_report *r, struct gs_err *err);

/* Appends the frames of one analysis to r->out; `also` as its fold says. */
enum gs_status gs_report_finish(struct gs_report *r, enum gs_report_job job, void *also,
                                struct gs_err *err);

/* Those that look at the profiles, and the tiles. */
enum gs_status gs_report_gpus_frames(struct gs_report *r, struct gs_gpus_found *found,
                                     struct gs_frame **gpus, struct gs_frame **correlate,
                                     struct gs_err *err);
enum gs_status gs_report_clusters_frame(struct gs_report *r, struct gs_clusters_frames *frames,
                                        struct gs_err *err);
enum gs_status gs_report_stragglers_frame(struct gs_report *r, struct gs_frame **all,
                                          struct gs_err *err);

/* A small picture of each of a few GPUs; nothing of one or of many. */
enum gs_status gs_report_multiples(struct gs_report *r, struct gs_report_section *s,
                                   const struct gs_gpu_list *fleet, struct gs_err *err);

/* By what tiles took, and by the population that rendered them; NULL without populations, whose section says why. */
enum gs_status gs_report_tiles_frames(struct gs_report *r, struct gs_frame **by_time,
                                      struct gs_frame **by_cluster, struct gs_err *err);
