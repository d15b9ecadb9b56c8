/* power.h - a power log evaluated: 3-sigma filter, energy with errors, the sensor's period, windows. */
#ifndef GPUSTAT_POWER_H
#define GPUSTAT_POWER_H

#include "data/result/frame.h"
#include "data/tables/log_table.h"
#include "analysis/sensor/sensor.h"
#include "stats/exact/moments.h"

/* clang-format off */
enum gs_power_error {
    GS_POWER_ERROR_STUDY, /* sd of energy = filtered sd * run time: the run time is taken as exact          */
    GS_POWER_ERROR_FULL, /* first order in both: sqrt((filtered sd * t)^2 + (filtered mean * sd of t)^2)    */
};
/* clang-format on */

struct gs_power_options {
    double
        runtime_s; /* NaN: from the log's first reading to its last                                  */
    double
        runtime_sd_s; /* NaN: not known                                                                 */
    uint64_t
        iterations; /* work items in the run; 0: not known                                            */
    enum gs_power_error error;
    int64_t
        max_gap_ns; /* the trapezoid leaves out longer gaps; 0: the summary bridges every gap, a window
                           leaves out those longer than 3 median intervals and 2 periods of the sensor                      */
    double
        hot_c; /* at or above this a reading is hot                                              */
    const struct gs_sensor_spec
        *sensor;        /* --sensor; NULL: nothing was said                              */
    struct gs_str card; /* --card; missing: as the log names it                          */
    const struct gs_span_list
        *load;     /* windows: what ran, where that is not the windows; NULL: they are   */
    bool bursts;   /* windows: short repeated ones by the repeated-burst fit         */
    uint64_t seed; /* of hash tables                                                  */
};

/* One GPU's log evaluated. What is undefined is NaN. */
struct gs_power_result {
    uint64_t n, n_kept;
    double mean_w, sd_w;                   /* all readings; divisor n - 1            */
    double filtered_mean_w, filtered_sd_w; /* those with |W - mean| < 3 sd, strictly */
    double runtime_s, energy_j, energy_sd_j;
    double energy_trapezoid_j; /* all readings, in order of time         */
    uint64_t n_distinct;       /* runs of equal readings: 1 + changes    */
    double update_period_ms;   /* median time from change to change; NaN below 2 changes */
    uint64_t n_gaps;           /* longer than 3 times the median interval */
    double gap_s;              /* their length in all                    */
    bool *kept;                /* [n]                                    */
};

/*
 * Evaluates one log. Sums are exact integers; the filter's comparison is exact while 9 n^3
 * (range/resolution)^2 fits in 126 bits (10 million readings of 0.01 W), else made in double-double. A
 * constant log, and a single reading, keep everything.
 *
 * Missing: nothing is; a log without times has no run time of its own, no trapezoid and no period.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  result->kept lives in `arena`.
 * Source:  C. Nicolai, master's thesis, Heidelberg University, 2024 (filter and energy).
 */
enum gs_status gs_power_evaluate(const struct gs_log *log, const struct gs_power_options *options,
                                 struct gs_arena *arena, struct gs_power_result *result,
                                 struct gs_err *err);

/* Evaluates every GPU of every log: result[k] for the k-th, counted through the logs. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_evaluate_all(const struct gs_log_table *logs, size_t n_logs,
                                     const struct gs_power_options *options, struct gs_arena *arena,
                                     struct gs_power_result **result, struct gs_err *err);

/* What --metrics says of one GPU's readings. */
struct gs_power_use {
    struct gs_moments of[GS_LOG_FIELDS];
    bool timed; /* there are readings, with times                                      */
    int64_t start_ns,
        stop_ns;        /* first and last reading                                              */
    int64_t free_least; /* of memory in all less memory used, 10^-6 MiB; GS_MISSING: not known */
    uint64_t n_hot;     /* temperatures at or above `hot_c`                                    */
};
void gs_power_use_of(const struct gs_log *log, double hot_c, struct gs_power_use *use);

/*
 * Appends a frame: "power-points", one row per reading with its standing in the filter; "power-metrics", the five
 * metrics of a run: utilisation, memory, temperature and power, time to solution, throughput. A GPU is called as in its
 * log, FILE:GPU where there are several logs, FILE where the log names none. `result` and `use` are of the same logs and
 * options, counted through the logs. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_points(const struct gs_log_table *logs, size_t n_logs,
                               const struct gs_power_result *result, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err);
enum gs_status gs_power_metrics(const struct gs_log_table *logs, size_t n_logs,
                                const struct gs_power_use *use,
                                const struct gs_power_result *result,
                                const struct gs_power_options *options, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err);

/* The offset of the clock behind `spans` from the clock of the logs. */
struct gs_power_shift {
    int64_t shift_ns; /* to be added to the spans */
    double r;         /* Pearson correlation there of "in a span" with what was matched */
    enum gs_log_field matched;
};

/*
 * Finds the shift at which the spans' square wave correlates best with GPU utilisation over all readings, or
 * with power where utilisation is missing or constant. Every shift is looked at that leaves at least half of
 * the shorter of log and spans inside the other: first in steps of the median sampling interval (or of
 * 1/20,000 of the range, or what keeps steps * spans below 20 million, whichever is longest), then finer
 * around the best down to 1/16 of the interval; of equally good neighbours the middle one is taken, to the
 * millisecond.
 * A utilisation that is itself a running mean lags, and the shift found is late by about that lag.
 *
 * Errors:  GS_ERR_RANGE where logs have no times or no reading varies; GS_ERR_MEMORY.
 * Memory:  scratch of its own, released.
 */
enum gs_status gs_power_find_shift(const struct gs_log_table *logs, size_t n_logs,
                                   const struct gs_span_list *spans, struct gs_power_shift *shift,
                                   struct gs_err *err);

/* The name of a GPU in these frames; missing where there is none to give. False: out of memory. */
bool gs_power_label(const struct gs_log_table *table, const struct gs_log *log, size_t n_logs,
                    struct gs_arena *arena, struct gs_str *label);

/* The time between readings that half of the steps do not exceed; 0 below two readings or without times. */
enum gs_status gs_power_median_interval(const struct gs_log *log, int64_t *interval_ns,
                                        struct gs_err *err);

/*
 * The integral of power over [from, to] in joules, edges interpolated, gaps longer than max_gap_ns (0: none)
 * left out; *covered_ns is the time that was integrated. from <= to; log->t_ns must be there.
 */
void gs_power_integrate(const struct gs_log *log, int64_t from_ns, int64_t to_ns,
                        int64_t max_gap_ns, double *energy_j, int64_t *covered_ns);

#endif
