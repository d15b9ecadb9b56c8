/* change.h - how much a measure changed from A to B: units of comparison, pairing, interval, verdict. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

/* What one span measured. Equal numbers of workers and tasks mean the same one in A and in B. */
struct gs_change_value {
    uint32_t run, worker; /* run: of its side, 0, 1, 2 ...                                    */
    uint32_t task;        /* GS_CHANGE_NO_TASK: none                                          */
    uint32_t at;          /* the caller's                                                     */
    int64_t start_ns, stop_ns;
    double value; /* NaN or not above 0: counted, and left out                               */
};

#define GS_CHANGE_NO_TASK UINT32_MAX

/* All spans of one side, in the order of (worker, run, start, stop, task). */
struct gs_change_side {
    const struct gs_change_value *v;
    size_t n;
    double resolution; /* of the value, by the clock that stamped it; 0: exact */
};

/* What varies independently: one number is taken of each. */
enum gs_change_unit { GS_CHANGE_RUN, GS_CHANGE_WORKER, GS_CHANGE_BLOCK };

enum gs_change_verdict {
    GS_CHANGE_ONLY_A,
    GS_CHANGE_ONLY_B,
    GS_CHANGE_UNSURE,
    GS_CHANGE_SAME,
    GS_CHANGE_MORE,
    GS_CHANGE_LESS
};

/* Changes are logarithms of B over A; NaN: not known. */
struct gs_change {
    size_t n[2], n_left_out;
    enum gs_change_unit unit;
    bool same_units, same_tasks, moved; /* paired by unit, by task; tasks ran on other workers   */
    size_t units[2];
    double typical[2]; /* geometric mean of the units' medians                                */
    double change, low, high, total, p;
    double df, se;       /* behind the interval; NaN without                                    */
    bool clock_decides;  /* the clock's resolution is more than half of the interval's width    */
    bool width_decides;  /* likewise half_width of the options                                  */
    uint32_t odd_worker; /* of paired workers the one that changed least like the others ... */
    double odd, others;  /* ... its change and the median of all; NaN where none stands out  */
};

struct gs_change_options {
    bool throughput;   /* spans per second of each worker, in place of the values             */
    double half_width; /* of what both sides do not share, of the logarithm, beside what varies */
};

/*
 * Compares B with A. The value of a unit is the median of the logarithms of its spans.
 *
 * Units:    runs where both sides have at least 3, or one has 1 and the other at least 3; else workers where both sides
 *           have at least 4; else blocks of consecutive spans of each worker, 4 to 10, a tenth of the spans.
 * Pairing:  by task where at least 90 % of the spans of both sides share one, once each; the effect of workers is
 *           taken out where tasks moved. Else by worker where both sides have the same ones in over 90 % of the spans.
 * Interval: 95 %, Student's t over the units (Welch's where they are not paired); missing below 4 units, 3 runs.
 * Errors:   GS_ERR_MEMORY. Memory: `scratch` is used and rewound.
 * Cost:     O(n log n).
 */
enum gs_status gs_change_find(const struct gs_change_side side[2],
                              const struct gs_change_options *options, struct gs_arena *scratch,
                              struct gs_change *change, struct gs_err *err);

/* The verdict with a margin (0.02 for 2 %) and the p-value that counts, adjusted for the other rows. */
enum gs_change_verdict gs_change_judge(const struct gs_change *c, double margin, double p);

/*
 * Which of n changes stands out: lies further from their median, `others`, than five standard deviations by the MAD,
 * which one of them cannot widen. `which` is n where none does, and of fewer than 4.
 * Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_change_odd(const double *d, size_t n, struct gs_arena *scratch, size_t *which,
                             double *others, struct gs_err *err);

/* 100 (exp(x) - 1): a change in per cent; NaN stays. */
double gs_change_pct(double x);
