/* kind.h - what kind of run this is: a log, steps, phases, a farm of tasks, jobs, a trace, or a mixture. */
#pragma once

#include "data/tables/dataset.h"

enum gs_kind {
    GS_KIND_LOG,    /* samples alone                                                       */
    GS_KIND_STEPS,  /* one thing again and again, on all workers together: training        */
    GS_KIND_PHASES, /* named stretches of time                                             */
    GS_KIND_FARM,   /* equal tasks that workers take one by one: rendering, inference      */
    GS_KIND_JOBS,   /* allocations of a scheduler                                          */
    GS_KIND_TRACE,  /* a profiler's kernels and calls                                      */
    GS_KIND_MIXED,  /* jobs, and other events inside them                                  */
    GS_N_KINDS
};

extern const char *const gs_kind_words[]; /* "log", "steps", ...; ends in NULL */

/* A step that took at least twice the median of all. */
struct gs_long_step {
    char name[40]; /* its task, else its number in the order of time, from 1 */
    double seconds;
};

enum { GS_LONG_STEPS_NAMED = 3 };

/* The kind, why, and what repeats in it. */
struct gs_kind_found {
    enum gs_kind kind;
    const char *why;  /* a clause without full stop: "step runs 300 times; durations vary by 3 %" */
    const char *noun; /* what repeats is a "step", "epoch", "request" or "task"                   */
    struct gs_str event; /* its name, of the dataset; empty: nothing repeats                      */
    uint64_t n; /* of what repeats: of one worker, on average                               */
    uint64_t n_in_event; /* 10: events are of "10 steps", most of them */
    double
        clock_s; /* 1: lengths of what repeats vary by a clock of whole seconds, 0: it is finer */
    uint32_t n_names; /* of a farm whose tasks have several, none inside another; else 0          */
    uint64_t n_named; /* its tasks of all of these                                                */
    double drift_pct; /* of steps, median length of the last quarter against the first, else NaN  */
    double median_s;  /* of steps                                                                 */
    double whole_s;   /* mean length of steps until their last worker is done, NaN: not known     */
    size_t n_long;    /* on the first worker                                                      */
    struct gs_long_step long_step[GS_LONG_STEPS_NAMED]; /* the longest first                      */
};

/*
 * Finds the kind by the events: how often the longest-running repeats, how much its lengths spread, and whether workers
 * run it at the same time. `event` is what repeats where it is given; NULL: found.
 *
 * Errors:  GS_ERR_MEMORY; those of the hosts' visit.
 * Memory:  found->why lives in `arena`; 40 bytes for each event during the call.
 * Cost:    O(n log n) in the events; the samples are not looked at.
 */
enum gs_status gs_kind_find(const struct gs_dataset *d, const char *event, unsigned n_threads,
                            struct gs_arena *arena, struct gs_kind_found *found,
                            struct gs_err *err);

/* "Read as a training run: train_step runs 300 times; durations vary by 3 %." */
void gs_kind_put(struct gs_buf *b, const struct gs_kind_found *found);
