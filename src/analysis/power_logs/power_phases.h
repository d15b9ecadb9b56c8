/* power_phases.h - when a GPU worked and when it waited, by its power, and its utilisation where that is known. */
#pragma once

#include "analysis/power_logs/power_gpus.h"
#include "analysis/timeline/load_phases.h"

struct gs_power_phase {
    struct gs_load_phase at; /* in the clock of the log */
    struct gs_energy_sum used;
};

struct gs_power_phases {
    size_t n; /* 0: the power does not split in two, and no utilisation is known */
    struct gs_power_phase *phase;
    double idle_s, idle_j, active_s, active_j; /* NaN where n is 0 */
};

/* The phases of gs_load_phases. Errors: GS_ERR_MEMORY. Memory: lives in `arena`. Cost: O(n). */
enum gs_status gs_power_split(const struct gs_power_meter *meter, struct gs_arena *arena,
                              struct gs_power_phases *phases, struct gs_err *err);

/*
 * Appends the frame "power-phases": one row per phase of each GPU, with its times on the clock of the events
 * (earlier than the log's by what the sensor lags) and its energy. GPUs whose power does not split are noted.
 */
enum gs_status gs_power_phases(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err);
