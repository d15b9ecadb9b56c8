/* intervals.h - how far the samples of a GPU lie apart: a table of folds. */
#pragma once

#include "analysis/aggregate/fold.h"

/* An interval between neighbouring distinct instants of one GPU, by its ns. */
struct gs_interval {
    uint64_t n;
    /* gs_dataset_line of the least sample that ends one; GS_MISSING where none are kept */
    int64_t line;
};

extern const struct gs_records_spec gs_intervals_spec;

/* Adds those of a host; false without memory. */
bool gs_intervals_add(struct gs_records *intervals, const struct gs_fold_host *host);

/*
 * Their median of type 7, of two in the middle rounded down; GS_MISSING where there is none. An interval that int64
 * does not hold counts as the greatest that it does.
 */
int64_t gs_intervals_median(const struct gs_records *intervals);
