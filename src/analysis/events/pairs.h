/* pairs.h - every START/STOP pair with what it draws from the samples, as a frame. */
#pragma once

#include "analysis/events/events.h"

/*
 * The frame "join": one row per pair, by hostname, start, event, job_id, task_id, stop, GPU. With the task table
 * loaded it has level, x and y; under the window join n_samples; then energy_j and coverage_pct. Options: struct
 * gs_events_options.
 *
 * Rounds:  every real once, from exact integers.
 * Missing: a reading that the pair does not have; gpu_serial and gpu_uuid where all of several GPUs were
 *          joined; level, x and y where the task is not in the table; energy where nothing is covered.
 * Errors:  GS_ERR_DATA when the event is not among the names; GS_ERR_MEMORY.
 * Memory:  the state is the rows, some 120 bytes a pair, in memory or in a file, from which the frame reads them.
 * Cost:    rows are sorted within a host, which only ever meets its own.
 */
extern const struct gs_fold gs_pairs_fold;
