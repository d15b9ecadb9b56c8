/* balance.h - where the energy of a run went: every instant of every GPU belongs to exactly one part. */
#pragma once

#include "analysis/energy/pair_energy.h"
#include "analysis/aggregate/fold.h"

/* Parts in which no event runs, after the parts of the events. */
enum gs_idle {
    GS_IDLE_BEFORE,
    GS_IDLE_BETWEEN,
    GS_IDLE_AFTER,
    GS_IDLE_NO_EVENT,
    GS_ACTIVE,    /* in a run without events: the GPU had work */
    GS_IDLE_LOAD, /* likewise: it had none                     */
    GS_STEADY,    /* likewise: no utilisation was read, and a steady power shows neither */
    GS_N_IDLE
};

/* What went into one part. */
struct gs_balance_part {
    struct gs_energy_sum used;
    /* energy while the part's event ran at all, also where an inner one counted */
    gs_i128 inclusive;
    gs_i128 span_ns; /* of the time between the GPU's first and last sample                       */
    gs_i128 least, most; /* that `used` may be, where it is not known which GPUs a job held */
    /* by the boards' own counters, stretch by stretch that they reach over */
    struct gs_counted counted;
    gs_i128 counted_ns; /* the time of these stretches                                      */
};

/* Adds what went into the same part elsewhere. */
void gs_balance_part_add(struct gs_balance_part *sum, const struct gs_balance_part *p);

/* Whose a pair is; GS_NONE and the missing text: unknown. */
struct gs_balance_owner {
    uint32_t job, task;
    struct gs_str user;
};

/*
 * How one GPU's time is divided. An event runs from START up to, not including, STOP. It is part of another one, of
 * another name, that starts no later and stops no earlier; of equal ones that of the lower slot is part of the other.
 * What belongs to different jobs or users, or to different tasks where both names share the tasks' IDs, is not part
 * of one another. At any instant the energy belongs in equal portions to those that run and of which nothing that
 * runs is part. Where none runs the time is before the first START, after the last STOP or between; without any pair
 * it is GS_IDLE_NO_EVENT.
 */
struct gs_balance_sweep {
    uint32_t n_slots; /* of events                                                                */
    const uint32_t *slot;         /* [host->n_pairs] */
    struct gs_balance_part *part; /* [n_slots + GS_N_IDLE], added to */
    bool by_load; /* the run has no events: the GPU's own readings tell active from idle          */
    /* [n_slots * n_slots] or NULL: time that a slot's part spent inside another */
    uint64_t *inside_ns;
    const struct gs_balance_owner *owner; /* [host->n_pairs]; NULL: nobody's */
    /* [n_slots * n_slots] or NULL: do both names have the IDs of the same tasks? */
    const bool *share_ids;
};

/*
 * Divides what GPU `gpu` of the host used, from its first to its last sample, and adds it to the parts. The sum
 * over the parts is the energy of its whole log, to the last unit, whatever the pairs look like: that is added to *whole,
 * with what its counter says of the log.
 * Errors: GS_ERR_MEMORY; gs_energy_check must have passed.
 * Memory: `scratch` is rewound by the caller.
 * Cost:   O(samples + checkpoints), and for each START and STOP the events that run then.
 */
enum gs_status gs_balance_gpu(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              const struct gs_balance_sweep *sweep, struct gs_balance_part *whole,
                              struct gs_arena *scratch, struct gs_err *err);

/* Adds the energy of a GPU's whole log, and what its counter says of it, as gs_balance_gpu does. */
enum gs_status gs_balance_log(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              struct gs_balance_part *whole, struct gs_arena *scratch,
                              struct gs_err *err);

enum gs_balance_by { GS_BALANCE_RUN, GS_BALANCE_GPU, GS_BALANCE_LEVEL };

struct gs_balance_options {
    int64_t max_gap_ns; /* no energy across a longer gap; negative: every gap is bridged */
    enum gs_balance_by by;
};

/*
 * The frame "balance": rows for the events, the one that takes the most time over the run first, for idle time, and
 * sums, of the run or of each GPU or level. Options: struct gs_balance_options.
 *
 * Missing: energies where no power of the GPU, or of the run, is known; a mean power where none of the part is; what
 *          an event lies inside, on hosts with more than GS_BALANCE_INSIDE_MAX names of events (with levels: times
 *          levels).
 * Errors:  GS_ERR_DATA as gs_energy_check; GS_ERR_MEMORY.
 */
extern const struct gs_fold gs_balance_fold;

enum { GS_BALANCE_INSIDE_MAX = 128 };
