/* pair_energy.h - what each pair of a host took on its GPUs, as their sensors give it, and how sure that is. */
#pragma once

#include "analysis/timeline/join.h"

/*
 * Fills `used` of every pair, which comes zeroed, summed over its GPUs. A pair that is one burst of a train and
 * shorter than the sensor's period and window takes the energy of the fit to the train; of a train that the sensor sees
 * only in part it is counted as refused. Memory: `arena` is used and rewound, but for room for the GPUs of a pair, which
 * gs_pair_energies_room makes before.
 */
enum gs_status gs_pair_energies(const struct gs_host_view *host, const struct gs_join_options *o,
                                struct gs_arena *arena, struct gs_joined *joined,
                                struct gs_err *err);

/* The part of it that GPU k of the host has; gs_energy_check_gpu has passed. */
enum gs_status gs_pair_energies_add(const struct gs_host_view *host, uint32_t k,
                                    const struct gs_gpu_view *gpu, const struct gs_join_options *o,
                                    struct gs_arena *arena, struct gs_joined *joined,
                                    struct gs_err *err);

/* Makes joined[p].use of the pairs that use several GPUs. */
enum gs_status gs_pair_energies_room(const struct gs_host_view *host, struct gs_arena *arena,
                                     struct gs_joined *joined, struct gs_err *err);
