/* join.h - what each START/STOP pair draws from the samples: as-of joins and the window join. */
#pragma once

#include "analysis/energy/energy.h"
#include "base/num/int128.h"

enum gs_join {
    GS_JOIN_NEAREST,
    GS_JOIN_BACKWARD,
    GS_JOIN_FORWARD,
    GS_JOIN_WINDOW,
    GS_JOIN_ENERGY /* no readings: every join has the energies */
};

struct gs_join_options {
    enum gs_join join;
    bool ties_later;      /* nearest: of two samples at the same distance the later      */
    int64_t tolerance_ns; /* as-of: at most this far, inclusive; negative: any distance  */
    int64_t max_gap_ns;   /* no energy across a longer gap; negative: every gap is bridged */
};

/* A mean not yet divided: num / den in fixed-point units; den == 0 is missing. */
struct gs_reading {
    gs_i128 num;
    uint64_t den;
};

/* What energy counters say, summed over stretches of time, see counter.h. Valid when zeroed. */
struct gs_counted {
    /* stretches that the counters reach over; of them those with an energy for nearly all of it */
    uint64_t n, n_beside;
    gs_i128 used, used_beside; /* of either, fixed-point J */
    gs_i128 energy_beside;     /* GS_ENERGY_PER_J per joule */
};

/* Energy and time of a pair on one GPU whose card is not known; none on others. */
struct gs_energy_use {
    gs_i128 energy, time_ns;
};

/* What a pair has. Energy and time are those of the window under any join. */
struct gs_joined {
    struct gs_reading *metric; /* [n_metrics of the dataset]; under GS_JOIN_ENERGY missing */
    uint64_t n_samples; /* window: samples inside, over all GPUs of the pair                   */
    /* over the GPUs of the pair, which are not ended: see gs_joined_alone */
    struct gs_energy_sum used;
    /* [its GPUs with samples] NULL: of one, whose use is all of `used` */
    const struct gs_energy_use *use;
    /* of its energy what other pairs of the GPU have as well, and what those of its event do */
    gs_i128 again, again_alike;
    bool is_stale; /* as-of: a sample was taken from further than 3 intervals of its GPU  */
    struct gs_counted counted; /* by the boards' own counters; of none where a GPU has none */
};

/*
 * Joins every pair of a host; the result has one entry per pair, in their order, and lives in `arena`.
 * As-of: a metric is the mean of the samples taken at START and at STOP, missing where one is missing; with
 * several GPUs the mean over those that have both. Window: the mean of the samples in [START, STOP]. The energy is that
 * of [START, STOP] under any of them.
 * Errors: as gs_energy_check.
 */
enum gs_status gs_join_host(const struct gs_host_view *host, const struct gs_join_options *o,
                            struct gs_arena *arena, struct gs_joined **joined, struct gs_err *err);

/* What a pair used, as a sum that stands alone: with 1 % and 3 W of each of its GPUs whose card is not known. */
struct gs_energy_sum gs_joined_alone(const struct gs_host_view *host, const struct gs_joined *j);
