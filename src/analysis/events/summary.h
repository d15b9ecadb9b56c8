/* summary.h - what a data set holds: files, rows, distinct names, pairs per zoom level, span of time. */
#pragma once

#include "analysis/aggregate/fold.h"

/*
 * The frame "summary": quantity and value, both text, in a fixed order. The task table may be absent; its quantities
 * are then 0 or missing. Without options.
 *
 * Units:   in the names of the quantities; times are RFC 3339.
 * Errors:  GS_ERR_MEMORY; GS_ERR_DATA for a task table with more levels than gs_levels takes.
 * Memory:  24 bytes for each name of a task.
 * Cost:    a look at each sample's time, and a sort of the task table.
 */
extern const struct gs_fold gs_summary_fold;
