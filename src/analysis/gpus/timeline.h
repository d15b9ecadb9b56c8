/* timeline.h - a run over time: tasks, power, temperature and utilisation in steps of equal length. */
#pragma once

#include "analysis/gpus/fleet_cells.h"
#include "analysis/energy/energy.h"
#include "analysis/aggregate/fold.h"

enum { GS_TIMELINE_STEPS_MAX = 1000000 };

struct gs_timeline_options {
    /* length of a step, at least 1; steps begin at multiples of it since 1970 UTC */
    int64_t every_ns;
    int64_t max_gap_ns; /* no energy across a longer gap between two samples */
    const char *event;  /* the event that is a task; NULL: there are no events */
    bool cells; /* the power of each GPU is kept, too, for a map of the fleet                  */
    bool brief; /* a row is of as many steps as make at most rows_max rows of a round length   */
    size_t rows_max; /* 0: a row is one step in any case                                       */
    struct gs_zone zone; /* whose days steps of whole days are                                 */
};

/*
 * The frame "timeline": one row per step, or per several, from that of the first checkpoint or sample to that of the last. What
 * happens at the boundary of two steps belongs to the later one. The energies add up to the total of gs_balance, the
 * finished tasks to the pairs of the event. Options: struct gs_timeline_options. Also: struct gs_fleet_map,
 * without a frame where the options did not keep the cells.
 *
 * Missing: means of a step without samples; fleet power of a step in which no power is known.
 * Errors:  GS_ERR_USAGE for more than GS_TIMELINE_STEPS_MAX steps; GS_ERR_DATA where the event is not there and
 *          as gs_energy_check; GS_ERR_MEMORY.
 * Memory:  a state takes some 250 bytes per step; with cells 7.5 KB per GPU, less where there are over 4,000.
 * Cost:    for each GPU the steps that it was sampled in.
 */
extern const struct gs_fold gs_timeline_fold;
