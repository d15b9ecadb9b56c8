/* axis.h - private to render: ranges and tics of an axis, worked out here so that they read the same everywhere. */
#ifndef GPUSTAT_AXIS_H
#define GPUSTAT_AXIS_H

#include "base/text.h"

enum gs_axis_kind {
    GS_AXIS_LINEAR,
    GS_AXIS_LOG,
    GS_AXIS_TIME, /* seconds since 1970 UTC */
};

struct gs_axis {
    enum gs_axis_kind kind;
    double lo, hi; /* NaN until a value was seen; for LOG both above 0 */
    bool whole;    /* of integers: no tic between two of them          */
};

/* An axis that has seen nothing. */
struct gs_axis gs_axis_empty(enum gs_axis_kind kind);

/* Widens the axis to hold `value`; NaN, infinities and what a logarithm cannot take are passed over. */
void gs_axis_see(struct gs_axis *a, double value);

/* Gives the axis a length where it has none, and `share` of its length more at each end (in log space for LOG). */
void gs_axis_pad(struct gs_axis *a, double share_lo, double share_hi);

/* Appends "('0' 0, '10,000' 10000)" with about `n` tics inside the axis. */
void gs_buf_tics(struct gs_buf *b, const struct gs_axis *a, int n);

/* Appends a number as gnuplot reads it; NaN and infinities as NaN. */
void gs_buf_number(struct gs_buf *b, double value);

#endif
