/* events.h - what START/STOP pairs cost, by event and by zoom level. */
#pragma once

#include "data/result/frame.h"
#include "analysis/aggregate/fold.h"

struct gs_events_options {
    struct gs_join_options join;
    const char *event; /* only this one; NULL: all, for events alone */
};

/* Both answer in `also`, a struct gs_durations, how their pairs' durations are distributed. */

/*
 * The frame "events": one row per event name, in the order of the names. Options: struct gs_events_options.
 *
 * Units:   in the column names.
 * Missing: a metric's mean is over the pairs that have one; missing where none has. The deviation is
 *          missing for n < 2.
 * Errors:  GS_ERR_DATA when `event` is not among the names; GS_ERR_MEMORY.
 * Cost:    a join, and selection among the durations.
 */
extern const struct gs_fold gs_events_fold;

/* Its finish without gs_events_distinguish, for a fold that names its groups in a way of its own. */
enum gs_status gs_events_rows(const struct gs_finish *of, struct gs_frames *out,
                              struct gs_err *err);

/* The energy of a row in which each instant of a GPU counts once for an event: energy_divided_j, or energy_sum_j where that is it. */
double gs_events_energy_j(const struct gs_frame *frame, size_t row);

/* Warns where the mean power of a row is not its power over time. */
void gs_events_distinguish(const struct gs_frame *frame, enum gs_join join, struct gs_notes *notes);

/*
 * The frame "zoom": one row per level of the pairs of `event`, ascending; pairs whose task is not in the task table
 * form a last row without level. Options: struct gs_events_options with an event.
 */
extern const struct gs_fold gs_zoom_fold;
