/* events.h - what START/STOP pairs cost, by event and by zoom level. */
#ifndef GPUSTAT_EVENTS_H
#define GPUSTAT_EVENTS_H

#include "model/frame.h"
#include "fold/fold.h"

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

/*
 * The frame "zoom": one row per level of the pairs of `event`, ascending; pairs whose task is not in the task table
 * form a last row without level. Options: struct gs_events_options with an event.
 */
extern const struct gs_fold gs_zoom_fold;

#endif
