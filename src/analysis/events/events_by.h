/* events_by.h - what pairs cost, by any keys: --by of events. */
#ifndef GPUSTAT_EVENTS_BY_H
#define GPUSTAT_EVENTS_BY_H

#include "analysis/aggregate/key_parts.h"
#include "analysis/events/events.h"

/* The options of events, first, and the keys: event, host, gpu, job, task, level, x, y, or an attribute of tasks. */
struct gs_events_by_options {
    struct gs_events_options events;
    size_t n_keys;
    struct gs_str key[GS_BY_MAX];
};

/* Do the keys need the table of tasks? */
bool gs_events_by_needs_tasks(const struct gs_events_by_options *o);

/*
 * The frame "events" with the keys in place of the event: one row for each of their values that some pair has, in the
 * order of the keys. An event on several hosts or GPUs is counted once on each where the host or the GPU is a key.
 * Options: struct gs_events_by_options. Errors: GS_ERR_DATA for a key that is no attribute of any event or task; GS_ERR_NOINPUT for level, x or y without a table of tasks. Missing: a key that a pair does not have.
 */
extern const struct gs_fold gs_events_by_fold;

#endif
