/* stragglers.h - GPUs that are slow for their own population, and GPUs that run hot. */
#ifndef GPUSTAT_STRAGGLERS_H
#define GPUSTAT_STRAGGLERS_H

#include "run/clusters.h"
#include "model/frame.h"

struct gs_stragglers_options {
    const char *event; /* the event that is a task                                  */
    double fdr;        /* false discovery rate, in (0, 1)                           */
    int64_t hot;       /* fixed-point degrees: from here on samples are hot (gs_is_hot) */
    size_t k;          /* clusters; 0: by silhouette                                */
    bool all;          /* a row for every GPU, not only for findings                */
};

/*
 * Appends the frame "stragglers": GPUs that are slow or have been hot, the slow first by what they cost, then by
 * their share of hot samples, then by host, serial and UUID.
 *
 * A GPU's task times are held against those of all other GPUs of its cluster (gs_clusters_find; where too few
 * GPUs have the features, all GPUs are one cluster and a note says so). It is slow where its tasks tend to take
 * longer (rank-sum test, one-sided, false discoveries held at `fdr` over all GPUs by Benjamini and Hochberg) and
 * its median is above the cluster's.
 *
 * `all` gets the frame of every GPU, which is only appended with o->all: for a figure.
 *
 * Missing: p and q of a GPU without tasks, or alone in its cluster.
 * Errors:  GS_ERR_DATA where the event is not there; GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`. Cost: one visit of the hosts, O(tasks).
 */
enum gs_status gs_stragglers(const struct gs_dataset *d, const struct gs_stragglers_options *o, unsigned n_threads,
                             struct gs_arena *arena, struct gs_frames *out, struct gs_frame **all, struct gs_err *err);

#endif
