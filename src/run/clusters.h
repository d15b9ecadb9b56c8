/* clusters.h - the populations of GPUs: who is alike in utilisation, memory utilisation and task time. */
#ifndef GPUSTAT_CLUSTERS_H
#define GPUSTAT_CLUSTERS_H

#include "model/frame.h"
#include "view/host_view.h"
#include "base/int128.h"
#include "stats/kmeans.h"

enum { GS_CLUSTERS_K_MAX = 8 }; /* the most that are tried where k is not given */

/* What is known of one GPU over the whole run. */
struct gs_gpu_profile {
    uint64_t n_samples;
    uint64_t n[GS_FIXED_METRICS];   /* samples that have the metric                                  */
    gs_i128 sum[GS_FIXED_METRICS];  /* fixed-point                                                   */
    uint64_t n_hot;             /* samples at or above the temperature asked for                 */
    uint32_t n_tasks;           /* of the GPU, or of its host where checkpoints name no GPU      */
    gs_i128 task_ns;            /* sum of their durations                                        */
    int64_t *duration_ns;       /* [n_tasks], in no order; NULL unless asked for                 */
};

struct gs_profile_options {
    const char *event;      /* the event that is a task                                                    */
    int64_t hot;            /* fixed-point degrees; from here on samples are hot (gs_is_hot)              */
    bool keep_durations;
};

/*
 * Makes a profile of every GPU. Tasks are pairs of the event whose STOP is not before their START.
 * Shapes: (*profile)[d->n_gpus].
 * Errors: GS_ERR_DATA where the event is not there; GS_ERR_MEMORY.
 * Memory: lives in `arena`. Cost: one visit of the hosts.
 */
enum gs_status gs_profiles(const struct gs_dataset *d, const struct gs_profile_options *o, unsigned n_threads,
                           struct gs_arena *arena, struct gs_gpu_profile **profile, struct gs_view_totals *totals,
                           struct gs_err *err);

/* The mean of a metric in its unit, or of the task times in s; NaN where there is none. */
double gs_profile_mean(const struct gs_gpu_profile *p, unsigned m);
double gs_profile_task_s(const struct gs_gpu_profile *p);

/* Which GPU belongs to which population. */
struct gs_clusters {
    uint32_t *of_gpu;     /* [n_gpus], 0 .. fit.k - 1, GS_NONE: it lacks a feature      */
    struct gs_kmeans fit; /* columns: GPU utilisation, memory utilisation, task seconds */
};

/*
 * Finds them by k-means on the three features, standardised; k = 0 takes the k of 2 .. GS_CLUSTERS_K_MAX whose
 * mean silhouette is greatest. Cluster 0 has the least GPU utilisation.
 * Errors: GS_ERR_DATA where fewer than k (or 2) GPUs that differ have all three features; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_clusters_find(const struct gs_dataset *d, const struct gs_gpu_profile *profile, size_t k,
                                struct gs_arena *arena, struct gs_clusters *clusters, struct gs_err *err);

struct gs_clusters_frames {
    struct gs_frame *clusters, *members; /* the one that was not asked for is not appended to `out` */
};

/*
 * Makes the frames "clusters" (one row per cluster) and "cluster-members" (one row per GPU, by host, serial and
 * UUID) and appends one of them. Clusters are numbered from 1.
 */
enum gs_status gs_clusters_frame(const struct gs_dataset *d, const char *event, size_t k, bool by_gpu,
                                 unsigned n_threads, struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_clusters_frames *frames, struct gs_err *err);

#endif
