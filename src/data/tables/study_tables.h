/* study_tables.h - the small tables of the other studies: iterations, costs, sweeps, co-running kernels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/text.h"

/* All tables: missing numbers are NaN, missing texts have no ptr, rows are in the order of the file. */

/* How long a run of so many iterations took. */
struct gs_iteration_run {
    double iterations;
    double runtime_s;
};

struct gs_iteration_table {
    const char *name; /* of the file, escaped */
    struct gs_iteration_run *run;
    size_t n;
};

/* One operation of a model, or (`is_whole`) the model measured as a whole. */
struct gs_cost {
    struct gs_str model;
    struct gs_str operation;
    bool is_whole;
    /* rows behind this one: more than 1 where a file gives only their sum, 0: not said */
    uint64_t operations;
    double count; /* times it occurs                                                         */
    double time_s, time_sd_s; /* of one */
    double energy_j, energy_sd_j;
    uint64_t line;
};

struct gs_cost_table {
    const char *name;
    struct gs_cost *cost;
    size_t n;
};

/* One run of a frequency sweep. */
struct gs_sweep_run {
    /* the network or application, with the memory clock where that varies too */
    struct gs_str group;
    double frequency_mhz;
    double time_s;
    double power_w;
};

struct gs_sweep_table {
    const char *name;
    struct gs_sweep_run *run;
    size_t n;
};

/* One run of `victims` ordinary kernels beside `co_runners` persistent ones. */
struct gs_crosstalk_run {
    struct gs_str kernel;
    int64_t victims;    /* >= 1 */
    int64_t co_runners; /* >= 0 */
    double time_ms;
};

struct gs_crosstalk_table {
    const char *name;
    struct gs_crosstalk_run *run;
    size_t n;
};
