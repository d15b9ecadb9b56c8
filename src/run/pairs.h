/* pairs.h - every START/STOP pair with what it draws from the samples, as a frame. */
#ifndef GPUSTAT_PAIRS_H
#define GPUSTAT_PAIRS_H

#include "model/frame.h"
#include "view/join.h"

/*
 * Appends the frame "join": one row per pair, by hostname, start, event, job_id, task_id, stop, GPU. With the
 * task table loaded it has level, x and y; under the window join n_samples; then energy_j and coverage_pct.
 *
 * Rounds:  every real once, from exact integers.
 * Missing: a reading that the pair does not have; gpu_serial and gpu_uuid where all of several GPUs were
 *          joined; level, x and y where the task is not in the table; energy where nothing is covered.
 * Errors:  GS_ERR_DATA when `event` (NULL: all) is not among the names; GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`: 200 bytes a pair.
 * Cost:    one visit of the hosts; rows are sorted within a host, which only ever meets its own.
 */
enum gs_status gs_pairs_frame(const struct gs_dataset *d, const struct gs_join_options *join, const char *event,
                              unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

#endif
