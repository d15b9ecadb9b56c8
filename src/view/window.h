/* window.h - the window half of gs_join_host. */
#ifndef GPUSTAT_WINDOW_H
#define GPUSTAT_WINDOW_H

#include "view/join.h"

/* Fills the readings and samples of joined[0 .. host->n_pairs) from the samples with START <= t <= STOP; they come zeroed. */
enum gs_status gs_window_join(const struct gs_host_view *host, struct gs_arena *arena, struct gs_joined *joined,
                              struct gs_err *err);

#endif
