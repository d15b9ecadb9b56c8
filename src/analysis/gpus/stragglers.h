/* stragglers.h - GPUs that are slow for their own population, and GPUs that run hot. */
#pragma once

#include "analysis/gpus/clusters.h"
#include "data/result/frame.h"

struct gs_stragglers_options {
    struct gs_profile_options profile; /* hot: degrees from which samples are hot; tasks are kept */
    double least; /* effect: slow is a median of (1 + least) times the others' */
    double fdr;   /* false discovery rate, in (0, 1)                           */
    uint64_t k;   /* clusters; 0: found, see gs_populations_find               */
    bool all;     /* a row for every GPU, not only for findings                */
};

/*
 * Appends the frame "stragglers": GPUs that are slow or have been hot, the slow first by what they cost, then by
 * their share of hot samples, then by host, serial and UUID; where none is slow the nearest follow, as not slow.
 *
 * A GPU's task times are held against those of the others of its cluster (gs_clusters_find, gs_slow_find), and of the
 * next one where its silhouette is below 0.4. With a task table loaded, level by level. A host whose tasks name none
 * of its several GPUs is one row, whose cost is that of all of them. The fleet's profiles have their tasks.
 *
 * `all` gets the frame of every GPU, which is only appended with o->all: for a figure.
 *
 * Missing: p and q of a GPU without tasks, or alone in its cluster.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`. Cost: O(tasks).
 */
enum gs_status gs_stragglers_frame(const struct gs_gpu_list *fleet,
                                   const struct gs_clusters *clusters,
                                   const struct gs_stragglers_options *o, struct gs_arena *arena,
                                   struct gs_frames *out, struct gs_frame **all,
                                   struct gs_err *err);

/* The same from the hosts on. Options: struct gs_stragglers_options. Also: struct gs_frame *, every GPU. */
extern const struct gs_fold gs_stragglers_fold;
