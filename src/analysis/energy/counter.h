/* counter.h - what the boards' own energy counters say, beside the integral of their power. */
#pragma once

#include "analysis/energy/energy.h"
#include "analysis/timeline/join.h"

/*
 * A counter's readings as what was used since the first of them, fixed-point J. A reading below the one before it is a
 * counter that began anew at 0 only if the GPU can have used as much since (twice its largest power): that interval takes
 * what the power readings say. It is one that wrapped if 2^32 of its units are as near. Else the counter stepped back, and
 * the step counts with its sign. A column that falls about as often as it rises is no counter: each reading is what was
 * used since the one before it. Valid when zeroed: no readings.
 */
struct gs_counter {
    size_t n;
    const int64_t *
        t_ns; /* [n] ascending, each once; of several readings at one instant the greatest stands */
    const gs_i128 *used; /* [n] */
    bool of_intervals;
    uint64_t n_resets, n_back; /* how often it began anew, and stepped back */
    enum gs_counter_doubt doubt;
    double ratio; /* to the integrated power over the same time; NaN: nothing stands beside it */
};

/*
 * `power` is that of the same GPU; NULL, or of no readings, where it is not known: then a fall to less than half is a reset.
 * Missing: readings that are GS_MISSING are left out. Errors: GS_ERR_MEMORY. Memory: lives in `arena`. Cost: O(n).
 */
enum gs_status gs_counter_read(const struct gs_power_series *series,
                               const struct gs_energy_curve *power, struct gs_arena *arena,
                               struct gs_counter *counter, struct gs_err *err);

/*
 * The power that a counter alone tells: at the first row of each instant where it was renewed, what it rose by since
 * the one before over that time, and the same once more at the first; GS_MISSING elsewhere. A curve of them has the
 * counted energy. A counter that mostly stays from sample to sample begins with its first renewal, as nobody knows
 * when the first reading was. Where it began anew the power behind stands for the interval.
 * False: it tells none, as it never rises, or falls back in more than a tenth of its steps.
 * *step_j: how late its readings may be, fixed-point J, where it counts in Wh or kWh; else 0.
 * Shapes: power[counter->n]. Cost: O(n).
 */
bool gs_counter_power(const struct gs_power_series *counter, int64_t *power, int64_t *step_j);

/* The counter in a metric of a GPU's view, beside its power. */
enum gs_status gs_gpu_counter(const struct gs_gpu_view *gpu, uint32_t metric,
                              struct gs_arena *arena, struct gs_counter *counter,
                              struct gs_err *err);

/* The same where the curve of its power is there: the counter is held against the whole of it, whatever its range. */
enum gs_status gs_gpu_counter_beside(const struct gs_gpu_view *gpu, uint32_t metric,
                                     const struct gs_energy_curve *power, struct gs_arena *arena,
                                     struct gs_counter *counter, struct gs_err *err);

/*
 * What was used between two instants: the difference, straight between the readings around each. False where an end lies
 * before the first reading, behind the last, or inside a gap longer than max_gap_ns (negative: any), across which a line
 * would be a guess. What lies between the ends may hold gaps: the board counts through them.
 * Cost: O(log n).
 */
bool gs_counter_between(const struct gs_counter *counter, int64_t from_ns, int64_t to_ns,
                        int64_t max_gap_ns, gs_i128 *used);

/* What the counters of a pair's GPUs say so far. Zeroed: of none. */
struct gs_pair_counted {
    gs_i128 used;
    bool left_out; /* one of them does not reach over the pair */
    bool alone;    /* one of them has no power beside it       */
};

/* Adds GPU k of a host to each of its pairs. Memory: `scratch` is used and rewound. */
enum gs_status gs_pair_counters_add(const struct gs_host_view *host, uint32_t k,
                                    const struct gs_gpu_view *gpu, const struct gs_join_options *o,
                                    struct gs_arena *scratch, struct gs_pair_counted *counted,
                                    struct gs_err *err);

/* The pairs that all their GPUs' counters reach over, into joined[].counted, which comes zeroed; energies are there. */
void gs_pair_counters_end(const struct gs_host_view *host, const struct gs_pair_counted *counted,
                          struct gs_joined *joined);

/*
 * One stretch of time more: what the counters say of it and, where readings cover 99 % of the time, the energy beside
 * it, so that both are of the same stretches.
 */
void gs_counted_add(struct gs_counted *sum, gs_i128 used, gs_i128 energy, gs_i128 covered_ns,
                    gs_i128 window_ns);
void gs_counted_merge(struct gs_counted *sum, const struct gs_counted *other);

/*
 * The counter of a whole log, or of the curve's range, beside `used`, the energy of the curve, where both are of the same
 * time: the same for every command. A curve that the counter itself has made stands beside nothing.
 */
void gs_counted_add_log(struct gs_counted *sum, const struct gs_counter *counter,
                        const struct gs_energy_curve *curve, const struct gs_energy_sum *used);

/* In J; in % of the energy beside it. NaN where there is none. */
double gs_counted_j(const struct gs_counted *sum);
double gs_counted_difference_pct(const struct gs_counted *sum);
