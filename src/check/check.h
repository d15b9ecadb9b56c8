/* check.h - what is wrong with a data set, and what is merely worth knowing. */
#ifndef GPUSTAT_CHECK_H
#define GPUSTAT_CHECK_H

#include "check/finding.h"
#include "model/frame.h"
#include "view/host_view.h"

/*
 * Appends the frame "check": one row per finding (severity, finding, count, first_place, hint, id), errors first,
 * then warnings, then what was accepted, then information, each in a fixed order. A finding that did not occur has
 * no row; that one of `accepted` (NULL: none) did not is noted.
 * Returns GS_FINDINGS where there is an error or a warning that is not accepted, GS_OK where not.
 *
 * first_place is FILE:LINE of the first row concerned in the order of the files, for datasets loaded with
 * places; of duplicates it is the second of two equal rows. The task table may be absent.
 *
 * Errors: GS_ERR_MEMORY.
 * Memory: the frame lives in `arena`.
 * Cost:   two visits of the hosts, a pass over each table, a sort of the tasks.
 */
enum gs_status gs_check(const struct gs_dataset *d, const struct gs_accepted *accepted, unsigned n_threads,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

#endif
