/* energy.h - the energy that a GPU has used up to an instant, as a whole number. */
#ifndef GPUSTAT_ENERGY_H
#define GPUSTAT_ENERGY_H

#include "analysis/timeline/join.h"

/*
 * What a GPU has used from its first sample up to an instant t. All three never depend on where one asked
 * before, so that the parts of any division of time add up to the whole, to the last unit.
 *
 * The curve goes straight from each instant with a power to the next. Across a gap longer than max_gap it is
 * unknown and E(t) stands still, as it does before the first sample and after the last.
 */
struct gs_energy {
    gs_i128
        energy; /* GS_ENERGY_PER_J per joule; between samples rounded to the nearest, ties upwards */
    uint64_t
        covered_ns; /* time up to t for which the power is known                                      */
    uint64_t
        span_ns; /* time up to t since the first sample, at most up to the last; the rest of it are gaps */
};

/*
 * The energy that the samples of one host may add up to, 19.8 TJ: 2^95 units. Every sum over fewer than 2^31
 * pairs, and over all hosts, then fits gs_i128, because the tables hold fewer than 2^32 rows.
 */
#define GS_ENERGY_HOST_MAX ((gs_i128)1 << 95)

/*
 * Makes sure that the samples of a host stay below GS_ENERGY_HOST_MAX. To be asked before any walk.
 * Errors: GS_ERR_DATA with the largest reading and its time.
 * Cost:   O(samples).
 */
enum gs_status gs_energy_check(const struct gs_host_view *host, struct gs_err *err);

/* The same GPU by GPU: `total`, 0 before the first, comes to what those so far may add up to. */
enum gs_status gs_energy_check_gpu(const struct gs_gpu_view *gpu, gs_u128 *total,
                                   struct gs_err *err);

/* A walk along one GPU's curve, forwards only. Start with gs_energy_walk. Holds no memory of its own. */
struct gs_energy_walker {
    const struct gs_gpu_view *gpu;
    const struct gs_sensor
        *sensor; /* the instants asked for are looked at later by its shift, and energy is in its
                                       meter's scale; NULL: neither                                                 */
    uint64_t max_gap_ns;
    uint32_t next,
        after; /* first sample of the instant that ends the present segment, gpu->n: none is left;
                                first one behind that instant                                     */
    int64_t next_power; /* at that instant, see gs_reading_at                                */
    bool begun;         /* the first sample with a power is behind                           */
    int64_t first_ns, t_ns, power; /* of the curve, of the last point passed, fixed-point        */
    struct gs_energy passed; /* at that point                                                     */
};

/*
 * max_gap_ns below 0: that of the GPU's view, which then is one with its rhythm. The sensor is the view's where it
 * changes anything.
 */
struct gs_energy_walker gs_energy_walk(const struct gs_gpu_view *gpu, int64_t max_gap_ns);

/*
 * What was used up to `t_ns`, which must not be before that of the last call.
 * Cost: O(1) and the samples passed.
 */
struct gs_energy gs_energy_at(struct gs_energy_walker *w, int64_t t_ns);

/* The same for t[0..n), ascending. The tests' oracle: analyses walk. */
void gs_energy_curve(const struct gs_gpu_view *gpu, int64_t max_gap_ns, const int64_t *t,
                     uint32_t n, struct gs_energy *at);

/* Joules, rounded once. */
double gs_energy_j(gs_i128 energy);

/* The sensor of a GPU: that of its view where it has one, else found. Memory: `scratch` is used and rewound. */
enum gs_status gs_gpu_sensor(const struct gs_gpu_view *gpu, struct gs_arena *scratch,
                             struct gs_sensor *sensor, struct gs_err *err);

#endif
