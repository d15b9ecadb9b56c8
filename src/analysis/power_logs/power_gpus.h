/* power_gpus.h - all GPUs of some power logs: evaluated one by one, and shown as frames. */
#pragma once

#include "analysis/power_logs/power_energy.h"
#include "analysis/power_logs/power_run.h"

/* One GPU of one log, and what was found of it: zeroed until it is asked for. */
struct gs_power_gpu {
    const struct gs_log_table *table;
    const struct gs_log *log;
    /*
     * as in its log, FILE:GPU where there are several logs, FILE where the log names none; missing where there is
     * none to give
     */
    struct gs_str label;
    struct gs_power_result result;
    struct gs_power_meter meter;
    struct gs_power_energies energies;
    struct gs_power_use *use; /* of the metrics */
};

/* The GPUs of the logs, in their order. */
struct gs_power_gpus {
    struct gs_power_gpu *gpu;
    size_t n, n_logs;
    const struct gs_power_options *options;
};

/* Lists them. Errors: GS_ERR_MEMORY. Memory: lives in `arena`; the runs and options must outlive it. */
enum gs_status gs_power_gpus_of(const struct gs_power_run *run, size_t n_runs,
                                const struct gs_power_options *options, struct gs_arena *arena,
                                struct gs_power_gpus *gpus, struct gs_err *err);

enum gs_power_visiting { GS_POWER_LOOK_SUMMARY, GS_POWER_LOOK_METRICS };

/*
 * Evaluates every GPU of these runs in one look at each, readings given back as soon as they were seen: results
 * (without `kept`), meters and energies for the summary, results and use for the metrics.
 * Errors: those of gs_power_run_visit; GS_ERR_MEMORY.
 * Memory: of the metrics in `arena`; of readings what a host has per thread.
 */
enum gs_status gs_power_visit(struct gs_power_run *run, size_t n_runs, enum gs_power_visiting what,
                              unsigned n_threads, struct gs_arena *arena,
                              struct gs_power_gpus *gpus, struct gs_err *err);

/* Evaluates every GPU of logs whose readings are kept. Errors: GS_ERR_MEMORY. */
enum gs_status gs_power_evaluate_all(struct gs_power_gpus *gpus, struct gs_arena *arena,
                                     struct gs_err *err);

/*
 * Finds the sensor and the counter of every GPU of logs whose readings are kept. Says in `notes` (NULL allowed) what
 * gs_power_meters_note does. Errors: GS_ERR_MEMORY. Memory: lives in `arena`.
 */
enum gs_status gs_power_meters(struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_notes *notes, struct gs_err *err);

/*
 * Says of the meters of `n` GPUs what was found: sensors, of the first few that have one; cards that are not in the
 * table; sensors that are dead. `n_said` counts those said so far. And once at the end, of how many sensors nothing
 * was said, and of all counters.
 */
void gs_power_meters_note(const struct gs_power_gpu *gpu, size_t n, size_t *n_said,
                          struct gs_notes *notes);
/* Notes GPUs of different logs with the same readings at the same times: one log under two names. Errors: GS_ERR_MEMORY. */
enum gs_status gs_power_copies_note(const struct gs_power_gpus *gpus, struct gs_notes *notes,
                                    struct gs_err *err);
void gs_power_meters_note_rest(const struct gs_power_gpus *gpus, size_t n_said,
                               struct gs_notes *notes);

/* "HOW; sensor of GPU 0: period 100 ms (from the log), ...": what --explain says of a column, with the
 * sensors in force, those of the first four GPUs. NULL: no memory. */
const char *gs_power_explained(const char *how, const struct gs_power_gpus *gpus,
                               struct gs_arena *arena);

/* The offset of the clock behind `spans` from the clock of the logs. */
struct gs_power_shift {
    int64_t shift_ns; /* to be added to the spans */
    double r;         /* Pearson correlation there of "in a span" with what was matched */
    enum gs_log_field matched;
};

/*
 * Finds the shift at which the spans' square wave correlates best with GPU utilisation over all readings, or
 * with power where utilisation is missing or constant. Every shift is looked at that leaves at least half of
 * the shorter of log and spans inside the other: first in steps of the median sampling interval (or of
 * 1/20,000 of the range, or what keeps steps * spans below 20 million, whichever is longest), then finer
 * around the best down to 1/16 of the interval; of equally good neighbours the middle one is taken, to the
 * millisecond.
 * A utilisation that is itself a running mean lags, and the shift found is late by about that lag.
 *
 * Errors:  GS_ERR_RANGE where logs have no times or no reading varies; GS_ERR_MEMORY.
 * Memory:  scratch of its own, released.
 */
enum gs_status gs_power_find_shift(const struct gs_power_gpus *gpus,
                                   const struct gs_span_list *spans, struct gs_power_shift *shift,
                                   struct gs_err *err);

/*
 * Appends the frame "power-points": one row per reading, kept, with its standing in the filter. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_points(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err);

/*
 * Appends the frame "power-metrics": the five metrics of a run: utilisation, memory, temperature and power, time to
 * solution, throughput. Readings are not looked at. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_metrics(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err);

/*
 * Appends the frame "power": one row per GPU of each log, in the order of the logs, with the columns of the
 * project's table, and with several GPUs a last row "total". Readings are not looked at. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_summary(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err);

/*
 * Appends the frame "power-windows": one row per span and GPU that it means and that has readings, the spans
 * moved by `shift_ns`; mean and sd of the readings inside (both ends included), energy with its interval, the
 * share of the span that readings cover. A span without a reading has missing means; those, and spans that
 * mean no GPU of the logs, are noted. The meters must be there. Errors: GS_ERR_DATA
 * for a log without times, and where no span means a GPU of the logs; GS_ERR_MEMORY.
 */
enum gs_status gs_power_windows(const struct gs_power_gpus *gpus, const struct gs_span_list *spans,
                                int64_t shift_ns, struct gs_arena *arena, struct gs_frames *out,
                                struct gs_err *err);
