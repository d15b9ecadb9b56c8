/* load_cells.h - what each GPU did, cell by cell of time: the readings that a slow GPU is told by. */
#pragma once

#include "analysis/aggregate/fold.h"
#include "analysis/gpus/fleet_cells.h"

/* What is compared between siblings. */
enum gs_load { GS_LOAD_CLOCK, GS_LOAD_POWER, GS_LOAD_TEMP, GS_LOAD_UTIL, GS_N_LOADS };

/* A reading of this or more is counted apart: a GPU is hot by any standard. */
#define GS_LOAD_HOT_C 85

/* The readings of one GPU within one cell. Impossible readings count as missing. */
struct gs_load_cell {
    int64_t at;              /* the cell begins at `at` times the width of the series' grid */
    int64_t sum[GS_N_LOADS]; /* fixed-point                                                 */
    uint32_t n[GS_N_LOADS];
    uint32_t n_hot;                          /* temperatures of GS_LOAD_HOT_C or more */
    uint32_t n_reasons, n_thermal, n_capped; /* samples with throttle reasons; what they say */
};

/* A GPU's cells, or those of one job's series of it, as bytes in a state. */
struct gs_load_series {
    /* job: the only one that it worked for; missing: several or none */
    struct gs_str card, index, job;
    bool of_jobs; /* of a scheduler: its cells are of times when one job alone held the host, or, */
    bool is_part; /* where that was hardly ever so, of all times when jobs held some of its GPUs */
    /* of its samples; interval: median, 0 where there is one */
    int64_t first_ns, last_ns, interval_ns;
    int64_t power_limit; /* median, fixed-point; GS_MISSING: not known  */
    int doublings;       /* of its grid                                 */
    uint32_t n_cells;    /* left to read         */
    int64_t at, last;    /* the cell before them, and that of the last sample */
    struct gs_unpacker cells;
};

/* A table of a fold's state by host, serial, UUID and the job of the samples; records come as they are found. */
extern const struct gs_records_spec gs_load_spec;

/* Adds GPU g of a host, whose view has GS_VIEW_LOAD. Errors: GS_ERR_MEMORY. Cost: O(samples). */
enum gs_status gs_load_add(struct gs_records *loads, const struct gs_fold_host *host, uint32_t g,
                           struct gs_err *err);

/* Reads record i. Errors: GS_ERR_DATA for bytes that gs_load_add cannot have written. */
enum gs_status gs_load_open(const struct gs_records *loads, size_t i, struct gs_load_series *series,
                            struct gs_err *err);

/* The next cell of a series, in ascending order; false at the end and for bytes that are no cells. */
bool gs_load_next(struct gs_load_series *series, struct gs_load_cell *cell);

/* The grid of a run: the finest that keeps so many GPUs small and no finer than `interval_ns`. */
struct gs_fleet_grid gs_load_grid(int64_t first_ns, int64_t last_ns, int64_t interval_ns,
                                  uint64_t n_gpus);
