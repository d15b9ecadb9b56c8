/* clusters.h - the populations of GPUs: who is alike in GPU and memory utilisation. */
#pragma once

#include "data/result/frame.h"
#include "analysis/gpus/gpu_profile.h"
#include "stats/models/populations.h"

/* How to look for populations; all zero: as everywhere. */
struct gs_clusters_how {
    uint64_t k;       /* 0: found */
    const char *axes; /* metrics beside the utilisations, "sm_clock_mhz,mem_used_mib"; NULL: none */
    double least_points; /* see struct gs_populations_input; 0: GS_POPULATIONS_LEAST */
    bool lenient;        /* see there */
};

/* Who belongs to which population. */
struct gs_clusters {
    struct gs_subjects subjects; /* the GPUs, or hosts, that were compared                      */
    struct gs_populations found; /* of subjects.subject */
    struct gs_str *card; /* [found.k] the model of each; NULL: there is one, or none is known */
    uint32_t axis[GS_POPULATIONS_COLUMNS_MAX]; /* [n_axes] metrics that were looked at */
    size_t n_axes;
    uint32_t *of_gpu; /* [n_gpus], 0 .. found.k - 1; GS_NONE: its utilisation is not known */
};

/*
 * Finds them, of each model by itself, by utilisation alone, never by task time (gs_populations_find). Of GPU and memory utilisation the
 * ones count that any subject has, each alone and both together, and the metrics of how->axes each alone; without any
 * all are one population. Population 0 has the lowest centre.
 * Errors: GS_ERR_DATA where fewer than k subjects differ or a metric is not there; GS_ERR_USAGE for too many of them.
 * Memory: lives in `arena`.
 */
enum gs_status gs_clusters_find(const struct gs_gpu_list *fleet, const struct gs_clusters_how *how,
                                struct gs_arena *arena, struct gs_clusters *clusters,
                                struct gs_err *err);

struct gs_clusters_frames {
    /* the one that was not asked for is not appended to `out` */
    struct gs_frame *members, *clusters;
};

/*
 * Makes the frames "clusters" (one row per cluster) and "cluster-members" (one row per GPU, by host, serial and
 * UUID; one for a host whose tasks name none of its GPUs) and appends one of them. Clusters are numbered from 1.
 */
enum gs_status gs_clusters_frame(const struct gs_gpu_list *fleet,
                                 const struct gs_clusters *clusters, bool by_gpu,
                                 struct gs_arena *arena, struct gs_frames *out,
                                 struct gs_clusters_frames *frames, struct gs_err *err);

struct gs_clusters_options {
    struct gs_profile_options profile;
    struct gs_clusters_how how;
    int by_gpu; /* 0: a row for each cluster; 1: for each GPU */
};

/* Both from the hosts on. Options: struct gs_clusters_options. Also: struct gs_clusters_frames. */
extern const struct gs_fold gs_clusters_fold;
