/* balance.h - where the energy of a run went: every instant of every GPU belongs to exactly one part. */
#ifndef GPUSTAT_BALANCE_H
#define GPUSTAT_BALANCE_H

#include "view/energy.h"
#include "model/frame.h"

/* Parts in which no event runs, after the parts of the events. */
enum gs_idle { GS_IDLE_BEFORE, GS_IDLE_BETWEEN, GS_IDLE_AFTER, GS_IDLE_NO_EVENT, GS_N_IDLE };

/* What went into one part. Merge by adding field by field. */
struct gs_part {
    gs_i128 energy;     /* GS_ENERGY_PER_J per joule                                                 */
    gs_i128 inclusive;  /* ... while the part's event ran at all, also where an inner one counted    */
    gs_i128 covered_ns; /* time with a known power                                                   */
    gs_i128 span_ns;    /* time between the GPU's first and last sample; the rest of it lies in gaps */
};

/*
 * How one GPU's time is divided. At any instant the running event of the lowest slot gets the energy: slots are
 * numbered from the innermost event outwards. An event runs from START up to, not including, STOP; a pair whose
 * STOP is not after its START never runs. Where none runs the time is before the first START, after the last
 * STOP or between; without any pair it is GS_IDLE_NO_EVENT.
 */
struct gs_balance_sweep {
    uint32_t n_slots;        /* of events                                                                */
    const uint32_t *slot;    /* [host->n_pairs]                                                          */
    struct gs_part *part;    /* [n_slots + GS_N_IDLE], added to                                          */
    uint64_t *inside_ns;     /* [n_slots * n_slots] or NULL: time that a slot's part spent inside another */
};

/*
 * Divides what GPU `gpu` of the host used, from its first to its last sample, and adds it to the parts. The sum
 * over the parts is gs_energy_at the last sample, to the last unit, whatever the pairs look like.
 * Errors: GS_ERR_MEMORY; gs_energy_check must have passed.
 * Memory: `scratch` is rewound by the caller.
 * Cost:   O(samples + checkpoints * log64(slots)).
 */
enum gs_status gs_balance_gpu(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              const struct gs_balance_sweep *sweep, struct gs_arena *scratch, struct gs_err *err);

enum gs_balance_by { GS_BALANCE_RUN, GS_BALANCE_GPU, GS_BALANCE_LEVEL };

/*
 * Appends the frame "balance": rows for the events from the outermost inwards, for idle time, and sums, of the run
 * or of each GPU or level. The event that takes the least time over the run is the innermost, then the next;
 * at a tie the first by name.
 *
 * Missing: a mean power where no power is known.
 * Errors:  GS_ERR_DATA as gs_energy_check; GS_ERR_MEMORY.
 * Memory:  the frame lives in `arena`.
 * Cost:    two visits of the hosts.
 */
enum gs_status gs_balance(const struct gs_dataset *d, int64_t max_gap_ns, enum gs_balance_by by, unsigned n_threads,
                          struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

#endif
