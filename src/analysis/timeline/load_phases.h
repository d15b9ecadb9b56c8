/* load_phases.h - when a GPU worked and when it idled: by its power, and its utilisation where that is known. */
#pragma once

#include "analysis/timeline/host_view.h"

/* At less utilisation a GPU idles; of jobs --idle-below says another one. */
enum { GS_IDLE_BELOW_PCT = 10 };

/*
 * The power below which a GPU idles: a quarter of the way from the least of its n readings to the greatest, but for the
 * hundredth at either end. Boards with a process that does nothing take up to that much. GS_MISSING: the greatest is not
 * twice the least, as no board's idle power is, so it may have worked all the time, or never. Reorders the readings.
 */
int64_t gs_idle_power(int64_t *power, size_t n);

/* What idle is, for --explain. */
#define GS_LOAD_HOW                                                                                \
    "idle is a power below a quarter of the way from the 1st to the 99th percentile of the GPU's " \
    "readings, of which the latter must be twice the former; active where the utilisation is "     \
    "10 % or more at either end of most intervals"

/* What tells of load: readings in order of time, GS_MISSING: none. */
struct gs_load_readings {
    size_t n;
    const int64_t *t_ns, *power, *util; /* [n], util NULL: none */
    int64_t first_ns, last_ns;          /* of the time to divide */
    bool counted;                       /* the power is the mean since the reading before */
};

struct gs_load_readings gs_gpu_load(const struct gs_gpu_view *gpu, int64_t first_ns,
                                    int64_t last_ns);

/* A stretch of one state, up to the next one, in the clock of the readings. */
struct gs_load_phase {
    int64_t start_ns, stop_ns;
    bool active;
};

/*
 * Divides the time into phases; none: the power does not split, and no utilisation is known. A phase ends half way
 * between the readings on both sides of gs_idle_power. It is active where most of its intervals have a utilisation of 10 % or
 * more at either end: that board is braked. A utilisation that says otherwise for three readings and two seconds ends it.
 * Errors: GS_ERR_MEMORY. Memory: lives in `arena`. Cost: O(n).
 */
enum gs_status gs_load_phases(const struct gs_load_readings *readings, struct gs_arena *arena,
                              struct gs_load_phase **phase, size_t *n, struct gs_err *err);
