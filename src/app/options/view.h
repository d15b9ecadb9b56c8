/* view.h - which columns of a result a person sees, and in which units. */
#pragma once

#include "data/result/frame.h"

struct gs_view_options {
    const char *show; /* --show; NULL: the default of the format                   */
    bool usual;       /* show is not of this command line: what the result lacks is passed over */
    bool people;      /* a table: units follow the size, energy and its ± share a cell */
    const char *noun; /* what stands for "task" in headings for people; NULL: that     */
};

/* What came of it. */
struct gs_view {
    struct gs_frame *first;
    size_t n_left_out; /* columns of all frames that are not shown */
    bool fits;         /* columns may go from the right until the rest fits the width */
    bool intervals;    /* some column has its ± beside it                             */
};

/*
 * The frames with the columns that are asked for, in that order. A table without --show gets the columns that
 * answer its question (view_defaults.c), without those that hold no value. "all" changes nothing at all.
 *
 * Rows are read from the frames when they are printed; none are copied. Frames without any of the named columns
 * are left out.
 * Errors: GS_ERR_USAGE for a name or pattern that no frame has, with those that there are; GS_ERR_MEMORY.
 * Memory: lives in `arena`, as long as the frames do.
 */
enum gs_status gs_view_frames(const struct gs_frame *first, const struct gs_view_options *options,
                              struct gs_arena *arena, struct gs_view *view, struct gs_err *err);

/*
 * Those columns of a frame that hold values (n == 0: all of them), as people read them: units of their size, each
 * energy with its ±.
 */
enum gs_status gs_view_columns(const struct gs_frame *f, const enum gs_column_id *columns, size_t n,
                               struct gs_arena *arena, struct gs_frame *out, struct gs_err *err);

/*
 * The default columns of a frame, separated by commas, or NULL where the first that hold values are shown.
 * "event..n" is every column up to n, usually event first; "a|b" is b only where a holds no value, "a?" is a where it is not 0 everywhere; "a~" is a time to the second; "energy_j±" is followed, in its own
 * cell, by half of the interval energy_low_j to energy_high_j.
 */
const char *gs_view_default(const char *frame);
