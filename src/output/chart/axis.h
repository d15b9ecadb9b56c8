/* axis.h - ranges and tics of an axis, worked out here so that they read the same everywhere. */
#pragma once

#include "base/core/text.h"
#include "output/text/si.h"

/* Beyond this arithmetic on a range, ours and gnuplot's, would overflow: an axis sees nothing of it. */
#define GS_AXIS_LARGEST 1e300

enum gs_axis_kind {
    GS_AXIS_LINEAR,
    GS_AXIS_LOG,
    GS_AXIS_TIME, /* seconds since 1970 UTC */
};

struct gs_axis {
    enum gs_axis_kind kind;
    double lo, hi;    /* NaN until a value was seen; for LOG both above 0 */
    double last;      /* of LOG, above 0: the room beyond it is for texts  */
    int32_t offset_s; /* of TIME: tics and dates are local times this far east of UTC */
    bool whole;       /* of integers: no tic between two of them          */
    /* Labels are numbers over its factor, in its unit; factor 0: as they are. */
    struct gs_si shown;
    /* of LOG: where set, each label is in the multiple that suits it: "10 J", "1 MJ" */
    const char *unit;
};

enum { GS_TICS_MAX = 32, GS_TIC_MAX = 24 };

/* The places along an axis that carry a label. */
struct gs_tics {
    int n;
    double at[GS_TICS_MAX];
    char label[GS_TICS_MAX][GS_TIC_MAX];
};

/* By what the numbers of labels are divided; is that another multiple of the unit than the axis' own? */
double gs_axis_factor(const struct gs_axis *a);
bool gs_axis_is_scaled(const struct gs_axis *a);

/* An axis that has seen nothing. */
struct gs_axis gs_axis_empty(enum gs_axis_kind kind);

/* Widens the axis to hold `value`; NaN, infinities and what a logarithm cannot take are passed over. */
void gs_axis_see(struct gs_axis *a, double value);

/* Gives the axis a length where it has none (around an instant two seconds), and `share` of its length more at each end (in log space for LOG). */
void gs_axis_pad(struct gs_axis *a, double share_lo, double share_hi);

/* Where something drawn ends, and how many pixels the text beyond it takes. */
struct gs_axis_text {
    double end, px;
    bool down; /* it lies below the end, not above it */
};

/* Lengthens a linear axis of `room_px` pixels so that the texts stay inside; one may take `most` of its length. */
void gs_axis_room(struct gs_axis *a, const struct gs_axis_text *text, size_t n, double room_px,
                  double most);

/* About `n` tics inside the axis. */
struct gs_tics gs_tics_of(const struct gs_axis *a, int n);

/* The same along `room_px` pixels, fewer where labels of letters `px_char` wide would touch. */
struct gs_tics gs_tics_apart(const struct gs_axis *a, int n, double room_px, double px_char);

/* The year of all times of an axis, whose days need not repeat it; 0: there are several. */
int gs_axis_year(const struct gs_axis *a);

/* Where a value lies along the axis: 0 at its begin, 1 at its end. */
double gs_axis_share(const struct gs_axis *a, double value);

/* Appends "('0' 0, '10,000' 10000)". */
void gs_buf_tics(struct gs_buf *b, const struct gs_tics *tics);

/* Appends a number as gnuplot reads it; NaN and infinities as NaN. */
void gs_buf_number(struct gs_buf *b, double value);
