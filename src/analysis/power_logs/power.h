/* power.h - a power log evaluated: 3-sigma filter, energy with errors, the sensor's period, windows. */
#pragma once

#include "data/result/frame.h"
#include "data/tables/log_table.h"
#include "analysis/sensor/sensor.h"
#include "stats/descriptive/moments.h"

/* clang-format off */
enum gs_power_error {
    GS_POWER_ERROR_STUDY, /* sd of energy = filtered sd * run time: the run time is taken as exact          */
    GS_POWER_ERROR_FULL, /* first order in both: sqrt((filtered sd * t)^2 + (filtered mean * sd of t)^2)    */
};
/* clang-format on */

struct gs_power_options {
    double runtime_s;    /* NaN: from the log's first reading to its last */
    double runtime_sd_s; /* NaN: not known */
    uint64_t iterations; /* work items in the run; 0: not known */
    enum gs_power_error error;
    /*
     * The trapezoid leaves out longer gaps; 0: the summary bridges every gap, a window
     * leaves out those longer than 3 median intervals and 2 periods of the sensor
     */
    int64_t max_gap_ns;
    double hot_c;                        /* at or above this a reading is hot */
    const struct gs_sensor_spec *sensor; /* --sensor; NULL: nothing was said */
    struct gs_str card; /* --card; missing: as the log names it                          */
    /* windows: what ran, where that is not the windows; NULL: they are */
    const struct gs_span_list *load;
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

/* What --metrics says of one GPU's readings. */
struct gs_power_use {
    struct gs_moments of[GS_LOG_FIELDS];
    bool timed; /* there are readings, with times                                      */
    int64_t start_ns, stop_ns; /* first and last reading */
    int64_t free_least; /* of memory in all less memory used, 10^-6 MiB; GS_MISSING: not known */
    uint64_t n_hot;     /* temperatures at or above `hot_c`                                    */
};
void gs_power_use_of(const struct gs_log *log, double hot_c, struct gs_power_use *use);
