/* power_energy.h - the energy of a power log as its sensor gives it: with an interval, beside the board's
 * counter. */
#pragma once

#include "analysis/power_logs/power.h"
#include "analysis/energy/counter.h"
#include "analysis/energy/energy.h"

/* One GPU's log with its sensor. */
struct gs_power_meter {
    const struct gs_log *log;
    enum gs_power_column column;
    struct gs_energy_curve curve; /* of no readings where the log has no times                  */
    bool timed;                   /* the log has times */
    bool dead; /* at least 60 equal readings over at least a minute                               */
    /* from its first reading to its last; the first; 0 where there is none */
    double span_s, first_w;
    struct gs_counter counter; /* of its board; n == 0: none */
};

/* Finds the sensor and the counter of one GPU's log. Errors: GS_ERR_MEMORY. Memory: lives in `arena`. */
enum gs_status gs_power_meter_of(const struct gs_log *log, enum gs_power_column column,
                                 const struct gs_power_options *options, struct gs_arena *arena,
                                 struct gs_power_meter *meter, struct gs_err *err);

/*
 * The energies of the stretches [from[i], to[i]] of one GPU, in the clock of the events. Stretches in any order; sum[i].n
 * is 0 where none of it lies inside the log. Errors: GS_ERR_MEMORY.
 */
enum gs_status gs_power_stretches(const struct gs_power_meter *meter, size_t n,
                                  const int64_t *from_ns, const int64_t *to_ns,
                                  struct gs_arena *scratch, struct gs_energy_sum *sum,
                                  struct gs_err *err);

/*
 * Adds what the board's counter says of [from, to], see gs_counter_between, beside the energy of that stretch; nothing
 * where it does not reach over it.
 */
void gs_power_count(const struct gs_power_meter *meter, int64_t from_ns, int64_t to_ns,
                    const struct gs_energy_sum *used, struct gs_counted *counted);

/* What a row says of the energy; the total is made of the same. NaN: not known. */
struct gs_power_energies {
    double study_j, trapezoid_j, idle_s, idle_j, active_s, active_j;
    struct gs_energy_sum used;
    struct gs_counted counted; /* by the board's counter, from its first reading to its last */
    gs_i128 span_ns;           /* from its first reading to its last */
    uint64_t n_rows, n_kept, n_distinct;
};
