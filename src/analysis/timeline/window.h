/* window.h - the window half of gs_join_host. */
#pragma once

#include "analysis/timeline/join.h"

/*
 * Adds GPU k of a host to the readings and samples of joined[0 .. host->n_pairs), which come zeroed: its samples with
 * START <= t <= STOP. n_means, zeroed as well, counts the GPUs that have a mean, for each pair and metric.
 * Memory: `scratch` is used.
 */
enum gs_status gs_window_add(const struct gs_host_view *host, uint32_t k,
                             const struct gs_gpu_view *gpu, struct gs_arena *scratch,
                             uint32_t *n_means, struct gs_joined *joined, struct gs_err *err);

/* After all GPUs: means over them. */
void gs_window_end(const struct gs_host_view *host, const uint32_t *n_means,
                   struct gs_joined *joined);
