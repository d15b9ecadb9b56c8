/* diff.h - runs compared with a baseline: what changed per group and measure, and whether that is sure. */
#pragma once

#include "analysis/events/events_by.h"

enum { GS_DIFF_MEASURES_MAX = 16, GS_DIFF_GATES_MAX = 16 };

/*
 * A condition that fails: the change of a measure, or of its total (total_duration), beyond a limit, upwards where
 * `sign` is 1, downwards where -1. A total has no interval: it fails as it stands.
 */
struct gs_diff_gate {
    struct gs_str measure;
    int sign;
    double limit_pct;
};

struct gs_diff_options {
    struct gs_events_by_options by;
    size_t n_measures; /* 0: duration and energy of events, power and SM clock of a log */
    struct gs_str measure[GS_DIFF_MEASURES_MAX];
    double margin; /* 0.02: changes within 2 % are the same                        */
    uint64_t skip; /* first spans of each worker and group, in each run            */
    size_t n_gates;
    struct gs_diff_gate gate[GS_DIFF_GATES_MAX];
    bool unsure_fails;
    uint32_t run; /* which run is added: those of A come first                      */
    uint32_t n_base, n_runs;
};

/* Takes "MEASURE>+5%" or "MEASURE<-5%" apart. Errors: GS_ERR_USAGE. */
enum gs_status gs_diff_gate_parse(const char *text, struct gs_diff_gate *gate, struct gs_err *err);

/*
 * The frame "diff": one row per group and measure, see change.h. A run without events is compared by its whole log and by
 * its active and idle phases (gs_load_phases), in pieces of time. Options: struct gs_diff_options.
 *
 * Missing: a span without a reading of the measure, or one that is not above 0, is left out and counted.
 * Errors:  GS_FINDINGS where a gate fails; GS_ERR_USAGE for a gate about no measure of the table; GS_ERR_DATA for a
 *          measure that no run has.
 */
extern const struct gs_fold gs_diff_fold;
