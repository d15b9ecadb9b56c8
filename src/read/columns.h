/* columns.h - what the header of a column says: a name without case and punctuation, and a unit. */
#ifndef GPUSTAT_COLUMNS_H
#define GPUSTAT_COLUMNS_H

#include "model/metric.h"

enum { GS_FOLDED_MAX = 96 };

/* value in the metric's unit = value in the column's unit * num / den. */
struct gs_scale {
    int64_t num, den;
};

/* A header, taken apart. */
struct gs_column_name {
    char folded[GS_FOLDED_MAX]; /* letters in lower case, digits, %; empty where there are too many */
    char unit[16];              /* folded, of what stands in brackets at the end; empty: none          */
};

void gs_column_fold(struct gs_str header, struct gs_column_name *c);

/*
 * The known metric that a column holds, and its unit's scale; NULL where it holds none. Names match as a whole,
 * with a unit in brackets or at the end of the name, or none.
 */
const struct gs_metric *gs_column_metric(struct gs_str header, struct gs_scale *scale);

/* The scale of a unit of the same quantity as `m` has: "mW" for power_w. False: it is none. */
bool gs_unit_scale(const struct gs_metric *m, struct gs_str unit, struct gs_scale *scale);

#endif
