/* energy.h - what a GPU has used up to an instant, as a whole number, and how sure a sum of such energies is. */
#pragma once

#include "analysis/timeline/host_view.h"

/*
 * The readings of one GPU as every energy is made of them: one at each instant with a power (the mean of several), held
 * ones at their first sight. The curve goes straight from each to the next, across every gap unless max_gap_ns says
 * otherwise.
 */
struct gs_energy_curve {
    struct gs_sensor sensor;
    const struct gs_range *range; /* of the log; NULL: all. Its borders are shifted as events are */
    int64_t max_gap_ns; /* no energy across a longer gap; negative: every gap is bridged */
    size_t n;
    const int64_t *t_ns,
        *power;       /* [n] of the series where that is as it should be, else in the arena    */
    size_t n_renewed; /* readings that are another look at the power: the same where all are   */
    const int64_t *renewed_ns,
        *renewed;             /* [n_renewed]                                                   */
    int64_t step_ns, near_ns; /* median between renewed readings; 3 medians between readings   */
    int64_t least, most;      /* readings                                                      */
    double variance, white,
        drift; /* W^2: of all; of what happens between two renewed readings and */
               /* what grows with their distance, see section F                 */
};

/*
 * The energy that the samples of one host may add up to, 19.8 TJ: 2^95 units. Every sum over fewer than 2^31
 * pairs, and over all hosts, then fits gs_i128, because the tables hold fewer than 2^32 rows.
 */
#define GS_ENERGY_HOST_MAX ((gs_i128)1 << 95)

/*
 * Makes sure that the samples in a view of a host stay below GS_ENERGY_HOST_MAX. To be asked before any walk.
 * Errors: GS_ERR_DATA with the largest reading and its time.
 * Cost:   O(samples).
 */
enum gs_status gs_energy_check(const struct gs_host_view *host, struct gs_err *err);

/* The same GPU by GPU: `total`, 0 before the first, comes to what those so far may add up to. */
enum gs_status gs_energy_check_gpu(const struct gs_gpu_view *gpu, gs_u128 *total,
                                   struct gs_err *err);

/* Makes the curve of a series that is as gs_power_instants leaves it. Memory: it may live in `arena`, and the series must stay. Cost: O(n). */
enum gs_status gs_energy_curve_make(const struct gs_power_series *series,
                                    const struct gs_sensor *sensor, int64_t max_gap_ns,
                                    struct gs_arena *arena, struct gs_energy_curve *curve,
                                    struct gs_err *err);

/* That of a GPU's view, with its max_gap_ns where that given is negative, whose sensor is found first where the view is one without its rhythm. */
enum gs_status gs_gpu_curve(const struct gs_gpu_view *gpu, int64_t max_gap_ns,
                            struct gs_arena *arena, struct gs_energy_curve *curve,
                            struct gs_err *err);

/* Where a curve begins and ends, on the log's clock: with its readings, or at the borders of its range. It has some. */
int64_t gs_energy_curve_first(const struct gs_energy_curve *curve);
int64_t gs_energy_curve_last(const struct gs_energy_curve *curve);

/*
 * What was used from the first reading up to an instant. It never depends on where one asked before, so that the parts
 * of any division of time add up to the whole, to the last unit.
 */
struct gs_energy {
    gs_i128
        energy; /* GS_ENERGY_PER_J per joule, in the meter's scale, rounded to the nearest, ties upwards */
    gs_i128
        bridged; /* of it in gaps of more than 3 medians                                                  */
    uint64_t
        time_ns; /* that the energy is of                                                                 */
    uint64_t
        covered_ns; /* of it outside of such gaps                                                            */
};

/* Instants that are the ends of a curve, whatever they are: where it ends with the log, nothing shifts them, and they are no edges. */
#define GS_LOG_START (INT64_MIN + 1)
#define GS_LOG_END   INT64_MAX

/* A walk along a curve, forwards only. Start from {.curve = c}. */
struct gs_energy_walker {
    const struct gs_energy_curve *curve;
    size_t passed;       /* readings that lie behind            */
    struct gs_energy at; /* at the last of them, in the log's scale */
};

/*
 * What was used up to an instant in the clock of the events, which must not be before that of the last call: the log is
 * looked at later by the sensor's shift. Cost: O(1) and the readings passed.
 */
struct gs_energy gs_energy_at(struct gs_energy_walker *w, int64_t t_ns);

/* An instant as the end of a window. */
struct gs_energy_point {
    struct gs_energy used;
    int64_t at_ns;   /* on the log's clock, inside the log           */
    uint64_t out_ns; /* how far outside of it the instant surely lies */
    size_t renewed;  /* the last renewed reading up to it            */
    int64_t range, most,
        rise; /* of the readings that the instant is smeared over; the last less the first of them */
    /* what lies before and behind within what an end is smeared over, in the sensor's scale; see gs_sensor_looks_aside */
    struct {
        double j, s;
    } aside[2];
};

/* The points of t[0..n), ascending. Cost: O(n + readings). */
void gs_energy_points(const struct gs_energy_curve *curve, const int64_t *t, size_t n,
                      struct gs_energy_point *at);

/*
 * Energies of windows added up, with everything that an interval needs, in whole numbers, so that neither order nor
 * grouping changes a byte. Section F: 95 % of E is E -+ sqrt(card^2 + 4 sampling + 4 edges + blind^2). Valid when zeroed.
 */
struct gs_energy_sum {
    gs_i128 energy,
        bridged; /* GS_ENERGY_PER_J units; of it across gaps of more than 3 medians     */
    gs_i128 time_ns,
        covered_ns;      /* that it is of; outside of such gaps                                 */
    gs_i128 scale, zero; /* GS_ENERGY_PER_J units: standard errors of cards that are known      */
    gs_i128 unknown,
        unknown_ns;       /* energy and time of cards that are not                               */
    gs_i128 own_uj2;      /* (micro J)^2: 1 % and 3 W of each GPU whose card is not known        */
    gs_i128 sampling_uj2; /* (micro J)^2                                                         */
    gs_i128 edges_uj2,
        edges;      /* if edges have nothing to do with each other; if all err alike, signed */
    gs_i128 blind;  /* GS_ENERGY_PER_J units                                               */
    uint64_t n;     /* windows                                                             */
    uint64_t n_cut; /* that stick out of their log by more than an interval                */
    uint64_t
        n_whole; /* whose times, or the log's, are whole seconds                                     */
    uint64_t n_refused; /* of which the sensor sees only part                                  */
};

/* What an energy and its coverage are, for --explain. */
#define GS_ENERGY_HOW                                                                              \
    "integral of power, linear between readings and across gaps (--max-gap leaves long ones "      \
    "out), shifted by the sensor's delay"

/* What an interval takes in, for --explain. */
#define GS_ENERGY_INTERVAL_HOW                                                                     \
    "readings are samples of a power that changes between them and across gaps, the sensor lags "  \
    "and smears both ends of each event, and its gain and offset are known by --card or --sensor " \
    "or not at all (then the largest error in the table of cards, 1 % and 3 W); missing where a "  \
    "sensor sees only part of a repeated event"

/* Adds the window between two points of a curve; false: none of it is inside the log, and nothing was added. */
bool gs_energy_sum_window(struct gs_energy_sum *sum, const struct gs_energy_curve *curve,
                          const struct gs_energy_point *start, const struct gs_energy_point *stop);

/* What lies beside an event. */
struct gs_energy_beside {
    int64_t free_ns[2]; /* before and behind it, until another begins or since one ended          */
    bool in_step;       /* its like begin the same time after each other, and there is free time */
};

/*
 * Adds what a short event may have more than its window: the load around it beyond the least of the readings there, in the
 * half of the free time that is nearer to it than to another; the edges of a longer one tell. Where its like come in step
 * by times that were cut, the ends of all are off by the same, so that their errors add up.
 */
void gs_energy_sum_beside(struct gs_energy_sum *sum, const struct gs_energy_curve *curve,
                          const struct gs_energy_point *start, const struct gs_energy_point *stop,
                          const struct gs_energy_beside *beside);

/* Adds all of a curve: its readings, first to last, unshifted and without edges, or the window that its range is. */
bool gs_energy_sum_log(struct gs_energy_sum *sum, const struct gs_energy_curve *curve);

/* Part i of k equal ones of a whole number, and of a window: the parts add up to the whole, to the last unit. */
static inline gs_i128 gs_energy_portion(gs_i128 x, uint32_t k, uint32_t i)
{
    return x * (i + 1) / k - x * i / k;
}
struct gs_energy_sum gs_energy_sum_portion(const struct gs_energy_sum *window, uint32_t k,
                                           uint32_t i);

/* What is added of energy and time of a sensor's card. */
void gs_energy_sum_card(struct gs_energy_sum *sum, const struct gs_sensor *sensor, gs_i128 energy,
                        gs_i128 time_ns);

/* Ends the sum over one GPU's windows, before others come to it; of no windows it does nothing. */
void gs_energy_sum_end_gpu(struct gs_energy_sum *sum);

/* 1 % and 3 W of one GPU, in (micro J)^2. */
gs_i128 gs_energy_own_uj2(gs_i128 energy, gs_i128 time_ns);

/* Adds independent standard errors in J, and one that is the same mistake in all, signed. */
void gs_energy_sum_apart(struct gs_energy_sum *sum, double sd_j);
void gs_energy_sum_alike(struct gs_energy_sum *sum, double sd_j);

/* Adds the windows of other GPUs. */
void gs_energy_sum_merge(struct gs_energy_sum *sum, const struct gs_energy_sum *other);

/*
 * The 95 % interval around the energy, not below 0 where the energy is not; NaN both where a window was refused, and where
 * one window of a hundred sticks out of its log.
 */
void gs_energy_interval(const struct gs_energy_sum *sum, double *low_j, double *high_j);

/* That of a sum of which only bounds are known: the sensors' doubt below the least that it may be and above the most. */
void gs_energy_interval_between(const struct gs_energy_sum *sum, gs_i128 least, gs_i128 most,
                                double *low_j, double *high_j);

/*
 * Half of the interval around the logarithm of b over a, which the same sensors read: a mistake of gain, offset or lag
 * cancels as far as it is as large a share of either, what samples miss does not. 0 where either is not above 0.
 */
double gs_energy_half_between(const struct gs_energy_sum *a, const struct gs_energy_sum *b);

/* Is there no interval, for an energy that is there? */
bool gs_energy_is_refused(const struct gs_energy_sum *sum);

/* The parts of the square of an interval's half, J^2. */
struct gs_energy_halves {
    double card_j2, sampling_j2, edges_j2, blind_j2;
};
/* Share of `window_ns` that is covered, in %; NaN of no time. */
double gs_energy_coverage_pct(const struct gs_energy_sum *sum, gs_i128 window_ns);

/* Watts: energy over its time; NaN where there is none. */
double gs_energy_power_w(const struct gs_energy_sum *sum);

/* Joules, rounded once. */
double gs_energy_j(gs_i128 energy);

/* Says that `n` of a table's rows, of `n_rows`, have no interval for that; nothing where there are none. */
void gs_energy_refused_note(size_t n, size_t n_rows, struct gs_notes *notes);

/*
 * Says how much of an energy lies in gaps of the log, and of how much of the time of its samples it is (span_ns, 0: it is
 * that of events), with what to type; nothing of what is below 1 % of the time.
 */
void gs_energy_gaps_note(const struct gs_energy_sum *sum, gs_i128 span_ns, struct gs_notes *notes);

/* Where a half width is more than a tenth of the energy and an option would narrow it, says so. */
void gs_energy_width_note(const struct gs_energy_sum *sum, const struct gs_sensor_tally *sensors,
                          struct gs_notes *notes);
