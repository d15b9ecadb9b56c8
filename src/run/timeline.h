/* timeline.h - a run over time: tasks, power, temperature and utilisation in steps of equal length. */
#ifndef GPUSTAT_TIMELINE_H
#define GPUSTAT_TIMELINE_H

#include "view/energy.h"
#include "model/frame.h"

enum { GS_TIMELINE_STEPS_MAX = 1000000 };

struct gs_timeline_options {
    int64_t every_ns;   /* length of a step, at least 1; steps begin at multiples of it since 1970 UTC */
    int64_t max_gap_ns; /* no energy across a longer gap between two samples                           */
    const char *event;  /* the event that is a task: "TotalRender"                                     */
};

/*
 * Appends the frame "timeline": one row per step, from that of the first checkpoint or sample to that of the
 * last. What happens at the boundary of two steps belongs to the later one. The energies add up to the total of
 * gs_balance, the finished tasks to the pairs of the event.
 *
 * Missing: means of a step without samples; fleet power of a step in which no power is known.
 * Errors:  GS_ERR_USAGE for more than GS_TIMELINE_STEPS_MAX steps; GS_ERR_DATA where the event is not there and
 *          as gs_energy_check; GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`; each thread takes some 150 bytes per step.
 * Cost:    one visit of the hosts, and for each GPU the steps that it was sampled in.
 */
enum gs_status gs_timeline(const struct gs_dataset *d, const struct gs_timeline_options *o, unsigned n_threads,
                           struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

#endif
