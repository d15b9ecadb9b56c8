/* events_by.h - what pairs cost, by any keys: --by of events. */
#pragma once

#include "analysis/aggregate/key_parts.h"
#include "analysis/events/events.h"

/* The options of events, first, and the keys: event, host, gpu, job, task, level, x, y, or an attribute of tasks. */
struct gs_events_by_options {
    struct gs_events_options events;
    size_t n_keys;
    struct gs_str key[GS_BY_MAX];
    struct gs_str per; /* an attribute that counts: tokens, samples; missing: none */
};

/* Do the keys need the table of tasks? */
bool gs_events_by_needs_tasks(const struct gs_events_by_options *o);

/* What the keys are in a dataset. */
struct gs_by_plan {
    int by[GS_BY_MAX];
    bool each_host, tasks; /* copies count; some key is the task table's */
};

/* Errors: those of gs_events_by_fold. */
enum gs_status gs_by_plan_make(const struct gs_events_by_options *o, const struct gs_dataset *d,
                               struct gs_by_plan *plan, struct gs_err *err);

/* A pair to be grouped: task_row is its row of the task table, or GS_NONE; `event` is what it is called. */
struct gs_by_pair {
    const struct gs_dataset *d;
    uint32_t host, task_row;
    const struct gs_pair *pair;
    struct gs_str event;
};

/* Appends the key of a pair, a text in whose order the groups come. */
void gs_by_put_key(struct gs_buf *b, const struct gs_by_plan *plan,
                   const struct gs_events_by_options *o, const struct gs_by_pair *of);

/* Are two pairs of a host the same in all that the keys look at? Then so are their keys. */
bool gs_by_alike(const struct gs_by_plan *plan, size_t n_keys, const struct gs_by_pair *a,
                 const struct gs_by_pair *b);

/* What the pair handled by the attribute `per`, in 10^-6 of one; GS_MISSING where it is no number from 0 on. */
int64_t gs_by_items(const struct gs_events_by_options *o, const struct gs_by_pair *of);

/* The columns of the keys, [n_keys], which live in `arena`; and the cells of one row of them. False without memory. */
bool gs_by_columns(const struct gs_events_by_options *o, struct gs_arena *arena,
                   struct gs_column_spec *specs);
void gs_by_cells(const struct gs_events_by_options *o, struct gs_frame *f, size_t row,
                 struct gs_str key);

/*
 * The frame "events" with the keys in place of the event: one row for each of their values that some pair has, in the
 * order of the keys. An event on several hosts or GPUs is counted once on each where the host or the GPU is a key.
 * Options: struct gs_events_by_options. Errors: GS_ERR_DATA for a key that is no attribute of any event or task; GS_ERR_NOINPUT for level, x or y without a table of tasks. Missing: a key that a pair does not have.
 * With `per` two columns more: the sum of what it counts, and the energy of one; missing where a pair has no such number.
 */
extern const struct gs_fold gs_events_by_fold;
