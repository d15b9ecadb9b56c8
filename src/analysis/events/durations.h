/* durations.h - how durations are distributed: bins for histograms, quantiles for boxes. */
#pragma once

#include "data/result/frame.h"
#include "analysis/aggregate/records.h"

enum { GS_DURATION_BINS = 40, GS_DURATION_GROUPS = 8, GS_DURATION_FEW = 10 };

/*
 * Of the groups that took most time, at most GS_DURATION_GROUPS, in the order of their keys: "duration-bins" (group,
 * from_ms, to_ms, n, share_pct, cumulative_pct), and "duration-boxes" (group, n, p5_ms, p25_ms, p50_ms, p75_ms,
 * p95_ms). A group's bins are equally long, or in equal ratios where the greatest lies beyond five medians.
 * "duration-shapes" (group, at_ms, width): the density of each group of GS_DURATION_FEW pairs or more between its 1st and
 * 99th percentile over its greatest, by Epanechnikov's kernel with Silverman's bandwidth, along a logarithmic axis
 * where `shapes_in_ratios`.
 */
struct gs_durations {
    struct gs_frame *bins, *boxes, *shapes; /* in no list of frames */
    size_t n_groups;
    bool by_level, shapes_in_ratios;
    struct gs_str name[GS_DURATION_GROUPS]; /* as in the column "group"   */
    uint64_t n[GS_DURATION_GROUPS];         /* pairs */
    size_t n_bins[GS_DURATION_GROUPS];      /* 1: all last the same */
    bool in_ratios[GS_DURATION_GROUPS];
};

/*
 * From the records of gs_pair_stats whose key is a text or, `by_level`, a number.
 * Missing: groups without pairs, and that without a level.
 * Memory:  lives in `arena`; the durations once more in a scratch arena, group by group.
 */
enum gs_status gs_durations_of(const struct gs_records *groups, bool by_level,
                               struct gs_arena *arena, struct gs_durations *durations,
                               struct gs_err *err);
