/* power_load.h - a power log of any form as a run whose GPUs are looked at one by one. */
#pragma once

#include "app/options/dataset_opts.h"
#include "analysis/power_logs/power_run.h"

struct gs_power_loading {
    struct gs_dataset_opts options; /* but for its operands and its file of rejects */
    /* takes malformed rows; NULL: they are counted, and a reading that is none is missing */
    gs_reject_fn *reject;
    void *reject_context;
    uint64_t n_gpus;     /* of a file whose rows name no GPU: of so many in turn; 0: not said */
    int64_t interval_ns; /* between the rows of one GPU in a log without times; 0: none       */
    struct gs_path_conflicts *claims;
    bool gives_zone; /* --tz */
    unsigned n_threads;
    uint64_t seed;
};

/*
 * Loads what `path` is: a file of any form of samples, or a directory. In a file any clock will do, and power without a
 * unit is in W. A row that is malformed is no error but counted with those that were set aside, its first place said.
 *
 * Errors: those of gs_run_load and gs_power_run_open. Memory: lives in `arena`.
 */
enum gs_status gs_power_load(const char *path, const struct gs_power_loading *loading,
                             struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_power_run *run, struct gs_err *err);
