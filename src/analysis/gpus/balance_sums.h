/* balance_sums.h - the state of the balance's fold. */
#pragma once

#include "analysis/gpus/balance.h"

/*
 * Tables of struct gs_balance_part by who, what and level; of times by event and by (event, level, event outside); of the
 * GPUs; and one of sums over all. Texts are missing and levels GS_MISSING where they do not tell anything apart.
 */
enum {
    GS_BALANCE_PARTS,
    GS_BALANCE_EVENTS,
    GS_BALANCE_INSIDE,
    GS_BALANCE_GPUS,
    GS_BALANCE_TOTAL,
    GS_N_BALANCE_TABLES
};
/* clang-format off */
enum { GS_PART_HOST, GS_PART_SERIAL, GS_PART_UUID, GS_PART_IDLE /* 0: an event; else 1 + enum gs_idle */, GS_PART_LEVEL,
       GS_PART_EVENT, GS_N_PART_KEYS };
/* clang-format on */
enum { GS_INSIDE_EVENT, GS_INSIDE_LEVEL, GS_INSIDE_OUTER, GS_N_INSIDE_KEYS };

struct gs_balance_time {
    gs_i128 ns;
};
struct gs_balance_gpu_row {
    uint64_t n_samples;
    struct gs_energy_sum whole; /* its log, taken apart from the parts */
    struct gs_counted counted;  /* likewise */
};
struct gs_balance_total {
    struct gs_energy_sum whole; /* of all GPUs */
    struct gs_counted counted;
    uint64_t n_gpus;
};

/* The finish of gs_balance_fold. */
enum gs_status gs_balance_finish(const struct gs_finish *of, struct gs_frames *out,
                                 struct gs_err *err);
