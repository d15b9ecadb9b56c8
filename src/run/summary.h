/* summary.h - what a data set holds: files, rows, distinct names, pairs per zoom level, span of time. */
#ifndef GPUSTAT_SUMMARY_H
#define GPUSTAT_SUMMARY_H

#include "model/frame.h"
#include "view/host_view.h"

/*
 * Appends the frame "summary": quantity and value, both text, in a fixed order. The task table may be absent;
 * its quantities are then 0 or missing.
 *
 * Units:   in the names of the quantities; times are RFC 3339.
 * Errors:  GS_ERR_MEMORY; GS_ERR_DATA for a task table with more levels than gs_levels takes.
 * Memory:  the frame lives in `arena`.
 * Cost:    two visits of the hosts, and a sort of the task table.
 */
enum gs_status gs_summary(const struct gs_dataset *d, unsigned n_threads, struct gs_arena *arena,
                          struct gs_frames *out, struct gs_err *err);

#endif
