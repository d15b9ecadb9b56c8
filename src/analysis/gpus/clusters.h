/* clusters.h - the populations of GPUs: who is alike in GPU and memory utilisation. */
#ifndef GPUSTAT_CLUSTERS_H
#define GPUSTAT_CLUSTERS_H

#include "data/result/frame.h"
#include "analysis/gpus/gpu_profile.h"
#include "stats/models/populations.h"

/* Who belongs to which population. */
struct gs_clusters {
    struct gs_subjects subjects; /* the GPUs, or hosts, that were compared                      */
    struct gs_populations
        found;        /* of subjects.subject                                                */
    uint32_t *of_gpu; /* [n_gpus], 0 .. found.k - 1; GS_NONE: its utilisation is not known */
};

/*
 * Finds them by utilisation alone, never by task time (gs_populations_find; k = 0 leaves the number to it). Of GPU and
 * memory utilisation the ones count that any subject has; without both all are one population. Population 0 has the
 * least GPU utilisation.
 * Errors: GS_ERR_DATA where fewer than k subjects differ; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_clusters_find(const struct gs_gpu_list *fleet, size_t k, struct gs_arena *arena,
                                struct gs_clusters *clusters, struct gs_err *err);

struct gs_clusters_frames {
    struct gs_frame *clusters,
        *members; /* the one that was not asked for is not appended to `out` */
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
    size_t k; /* 0: found */
    bool by_gpu;
};

/* Both from the hosts on. Options: struct gs_clusters_options. Also: struct gs_clusters_frames. */
extern const struct gs_fold gs_clusters_fold;

#endif
