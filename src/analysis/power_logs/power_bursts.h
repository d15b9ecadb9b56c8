/* power_bursts.h - the repeated bursts among windows, and what the sensor of one GPU makes of them. */
#pragma once

#include "analysis/power_logs/power_gpus.h"
#include "analysis/timeline/burst.h"

/* One train on one GPU, in the clock of the log. */
struct gs_power_train {
    struct gs_burst_train train;
    struct gs_burst_train_view view;
    int64_t start_ns, stop_ns;
    /* [train.n] which spans it is made of; 0: of the further events, or bursts in no rhythm */
    size_t n_windows, *window;
};

struct gs_power_trains {
    struct gs_power_train *train;
    size_t n;
};

/*
 * Finds the trains among these spans (start_ns, stop_ns in the log's clock, in order of start) - those of one
 * name, digits at its end left out - and looks at each with the GPU's sensor. Says in `notes` what is
 * refused, and what the fit of a train found where options->bursts asks for it. Memory: lives in `arena`.
 * Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_bursts(const struct gs_power_gpu *gpu, const struct gs_span_list *spans,
                               const struct gs_power_options *options, struct gs_arena *arena,
                               struct gs_notes *notes, struct gs_power_trains *trains,
                               struct gs_err *err);

/* Is an event so short that the sensor sees it only together with what is around it? */
bool gs_power_too_short(const struct gs_power_meter *meter, int64_t length_ns);

/* The energy of one burst of a train that was fitted, with its doubt. */
struct gs_energy_sum gs_power_burst(const struct gs_power_meter *meter,
                                    const struct gs_power_train *train, int64_t length_ns);
