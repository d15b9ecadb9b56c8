/* pair_energy.h - what each pair of a host took on its GPUs, as their sensors give it, and how sure that is.
 */
#ifndef GPUSTAT_PAIR_ENERGY_H
#define GPUSTAT_PAIR_ENERGY_H

#include "analysis/timeline/energy.h"

/* A GPU's energy up to an instant in the clock of the events, in the meter's scale, and what an edge there
 * misses. */
struct gs_energy_point {
    struct gs_energy used;
    struct gs_sensor_edge edge;
};

/*
 * The points of t[0..n), ascending. Where the sensor is not known `used` is that of gs_energy_at.
 * Memory: `scratch` is used and rewound. Cost: O(n + samples).
 */
enum gs_status gs_energy_points(const struct gs_gpu_view *gpu, const struct gs_sensor *sensor,
                                int64_t max_gap_ns, const int64_t *t, uint32_t n,
                                struct gs_arena *scratch, struct gs_energy_point *at,
                                struct gs_err *err);

/*
 * Fills energy, covered_ns, has_energy and error of every pair, which come zeroed, summed over its GPUs. A
 * pair that is one burst of a train and shorter than the sensor's period and window takes the energy of the
 * fit to the train; of a train that the sensor sees only in part it is counted as refused. Memory: `arena` is
 * used and rewound.
 */
enum gs_status gs_pair_energies(const struct gs_host_view *host, const struct gs_join_options *o,
                                struct gs_arena *arena, struct gs_joined *joined,
                                struct gs_err *err);

/* The part of it that GPU k of the host has; gs_energy_check_gpu has passed. */
enum gs_status gs_pair_energies_add(const struct gs_host_view *host, uint32_t k,
                                    const struct gs_gpu_view *gpu, const struct gs_join_options *o,
                                    struct gs_arena *arena, struct gs_joined *joined,
                                    struct gs_err *err);

#endif
