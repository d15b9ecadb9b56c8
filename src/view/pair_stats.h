/* pair_stats.h - exact accumulators over pairs, per group and thread, merged at the end. */
#ifndef GPUSTAT_PAIR_STATS_H
#define GPUSTAT_PAIR_STATS_H

#include "view/join.h"
#include "stats/moments.h"
#include "stats/ratio.h"

struct gs_duration_block;

/* What one group of pairs adds up to. Valid when zeroed; grows in the arena of its thread. */
struct gs_pair_stats {
    struct gs_moments duration;            /* ns                                             */
    struct gs_ratio_sum metric[GS_N_METRICS];
    struct gs_duration_block *block;       /* all durations, for quantiles                   */
    uint64_t n_samples, n_energy;          /* n_energy: pairs with energy                    */
    gs_i128 energy, covered_ns, window_ns; /* window_ns: durations, negative ones as 0       */
};

enum gs_status gs_pair_stats_add(struct gs_pair_stats *s, const struct gs_pair *pair, const struct gs_joined *joined,
                                 uint32_t n_gpus, struct gs_arena *arena, struct gs_err *err);

/* Adds what `other` has, whose durations move over: `other` is not to be used again, its arena must stay. */
enum gs_status gs_pair_stats_merge(struct gs_pair_stats *s, struct gs_pair_stats *other, struct gs_arena *arena,
                                   struct gs_err *err);

/* The durations of a group as one array in `arena`, in no order. */
enum gs_status gs_pair_stats_durations(const struct gs_pair_stats *s, struct gs_arena *arena, int64_t **duration,
                                       struct gs_err *err);

#endif
