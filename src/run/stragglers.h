/* stragglers.h - GPUs that are slow for their own population, and GPUs that run hot. */
#ifndef GPUSTAT_STRAGGLERS_H
#define GPUSTAT_STRAGGLERS_H

#include "run/clusters.h"
#include "model/frame.h"

struct gs_stragglers_options {
    const char *event; /* the event that is a task                                  */
    double least;      /* effect: slow is a median of (1 + least) times the others' */
    double fdr;        /* false discovery rate, in (0, 1)                           */
    int64_t hot;       /* fixed-point degrees: samples of this or more are hot      */
    size_t k;          /* clusters; 0: found, see gs_populations_find               */
    bool all;          /* a row for every GPU, not only for findings                */
};

/*
 * Appends the frame "stragglers": GPUs that are slow or have been hot, the slow first by what they cost, then by
 * their share of hot samples, then by host, serial and UUID; where none is slow the nearest follow, as not slow.
 *
 * A GPU's task times are held against those of the others of its cluster (gs_clusters_find, gs_slow_find), and of the
 * next one where its silhouette is below 0.4. With a task table loaded, level by level. A host whose tasks name none
 * of its several GPUs is one row, whose cost is that of all of them.
 *
 * `all` gets the frame of every GPU, which is only appended with o->all: for a figure.
 *
 * Missing: p and q of a GPU without tasks, or alone in its cluster.
 * Errors:  GS_ERR_DATA where the event is not there, or fewer than k GPUs differ; GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`. Cost: one visit of the hosts, O(tasks).
 */
enum gs_status gs_stragglers(const struct gs_dataset *d, const struct gs_stragglers_options *o, unsigned n_threads,
                             struct gs_arena *arena, struct gs_frames *out, struct gs_frame **all, struct gs_err *err);

#endif
