/* power_phases.h - when a GPU worked and when it waited, by its power, and its utilisation where that is known. */
#pragma once

#include "analysis/power_logs/power_gpus.h"

/* A stretch between two crossings, in the clock of the log. */
struct gs_power_phase {
    int64_t start_ns, stop_ns;
    bool active;
    struct gs_energy_sum used;
};

struct gs_power_phases {
    size_t n; /* 0: the power does not split in two, and no utilisation is known */
    struct gs_power_phase *phase;
    double idle_s, idle_j, active_s, active_j; /* NaN where n is 0 */
};

/*
 * Splits a log in two states. The readings are cut in two where the variance between the halves is greatest
 * (Otsu); it must be at least 0.8 of all; the hundredth at either end counts as what is next
 * to it, and a log of fewer than 10 readings is not split. A stretch of low power with a utilisation of 10 % or more at either end of most of its
 * intervals is active: the GPU was braked; a power that does not split is one stretch, by the utilisation alone. A state lasts until a reading crosses two thirds of the way to the
 * other's mean; it ends half way between the readings around that. Errors: GS_ERR_MEMORY. Memory: lives in
 * `arena`. Cost: O(n log n).
 */
enum gs_status gs_power_split(const struct gs_power_meter *meter, struct gs_arena *arena,
                              struct gs_power_phases *phases, struct gs_err *err);

/*
 * Appends the frame "power-phases": one row per phase of each GPU, with its times on the clock of the events
 * (earlier than the log's by what the sensor lags) and its energy. GPUs whose power does not split are noted.
 */
enum gs_status gs_power_phases(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err);
