/* sensor.h - how a power reading comes about, and how sure an energy is that is made of such readings. */
#ifndef GPUSTAT_SENSOR_H
#define GPUSTAT_SENSOR_H

#include <stdbool.h>

#include "base/core/arena.h"
#include "base/core/notes.h"
#include "base/num/decimal.h"
#include "base/num/int128.h"
#include "base/core/status.h"
#include "base/core/text.h"
#include "data/tables/log_table.h"

/*
 * A reading is renewed every period and is the mean of the power over a window, a delay before. What the
 * meter of the board makes of it is reading = gain x power + offset. Source: Z. Yang, K. Adamek, W. Armour,
 * Part-time Power Measurements, SC'24.
 */

/* Energy in units of half a femtojoule (10^-6 W * ns / 2), so that trapezoids are whole numbers. */
#define GS_ENERGY_PER_J INT64_C(2000000000000000)

/* Readings of one GPU, ascending by time. Power is fixed-point W and may be GS_MISSING. */
struct gs_power_series {
    size_t n;
    const int64_t *t_ns, *power;
};

/* What was said on the command line. Negative times and NaN: not said. */
struct gs_sensor_spec {
    int64_t period_ns, window_ns, delay_ns;
    double gain, offset_w, r_squared; /* r_squared: of the line that gave gain and offset */
};

#define GS_SENSOR_UNSAID                                                                           \
    {                                                                                              \
        -1, -1, -1, (double)NAN, (double)NAN, (double)NAN                                          \
    }

/*
 * Reads "period=100ms,window=1s,delay=0s,gain=0.95,offset=4.6,r2=0.9999", any of them, in any order.
 * Errors: GS_ERR_USAGE with the part that is wrong and what was expected.
 */
enum gs_status gs_sensor_parse(struct gs_str text, struct gs_sensor_spec *spec, struct gs_err *err);

/* Where a part of a sensor is known from. */
enum gs_sensor_source {
    GS_SENSOR_UNKNOWN,
    GS_SENSOR_LOG,
    GS_SENSOR_CARD,
    GS_SENSOR_GIVEN,
    GS_SENSOR_FIT,
    GS_SENSOR_METER
};

/* What is known of a series before it is looked at. */
struct gs_sensor_hint {
    const struct gs_sensor_spec *spec; /* NULL: nothing was said                     */
    struct gs_str card;                /* name of the card; missing: not known       */
    enum gs_power_column column;
    int64_t interval_ns; /* between samples, median; 0: measured here   */
};

/* Valid when zeroed but for gain 1; made by gs_sensor_find. */
struct gs_sensor {
    enum gs_sensor_source period_from, window_from, delay_from, scale_from;
    int64_t
        interval_ns;   /* median time between samples                                             */
    int64_t period_ns; /* between renewals; the sampling interval where it is not known           */
    int64_t
        window_ns; /* a reading's window; where the period is not known 1 s, of an instant column 0 */
    int64_t
        longest_ns; /* a longer window that the log does not exclude; 0: none                  */
    int64_t delay_ns;
    int64_t shift_ns; /* delay + (period + window) / 2; 0 where the period is not known          */
    int64_t
        reach_ns; /* period or sampling interval, the longer, + window, or longest: what an edge may miss */
    double gain,
        offset_w;      /* 1 and 0 where not known                                               */
    int32_t gain_ppm;  /* standard error of the scale, of the energy                              */
    int64_t offset_uw; /* standard error of the zero                                              */
    uint64_t
        n_renewals; /* readings that differ from the one before                                */
    uint32_t
        card_rows; /* rows of the table that the scale is from; for tests                     */
};

/*
 * The median time between neighbouring samples that have a power, 0 where there are not two, and the median time between
 * renewals of the power where it shows, else 0: see gs_sensor_find.
 * Errors:  GS_ERR_MEMORY. Memory: `scratch` is used and rewound. Cost: O(n).
 */
enum gs_status gs_sensor_sampling(const struct gs_power_series *series, struct gs_arena *scratch,
                                  int64_t *interval_ns, int64_t *period_ns, struct gs_err *err);

/*
 * Finds the sensor of a series.
 *
 * Period:  said, else the median time between renewals where that is at least 1.5 sampling intervals (and, in
 *          a log slower than 50 ms, at most a tenth of the renewals follow at the next sample: a slow log
 *          repeats itself by rounding too), else the card's, else unknown.
 * Window:  said, else the card's, where its rows agree or agree with what the log shows, else the period if
 *          the column is an instant one or a reading moves by half of the log's range within two periods, else 1 s.
 *          Such a move shows a short mean of a long rise as well as a long mean of a short one, which falls again
 *          a window later: the shortest time for which a reading stays up is the longest window that is not
 *          excluded, and reach_ns has it. An instant column whose readings go straight up over several periods
 *          is a mean over twice that, whatever it is called: a name never says the window against the log.
 * Scale:   said: 1 % and sqrt(2^2 + (1 - r2) (range / 2 gain)^2) W; the mean of the card's rows with
 *          r2 >= 0.999: 2.5 % and 4 W; else unknown: 4.5 % and 10 W.
 * An instrument (GS_POWER_ANALYSER as the card): a reading is the mean since the one before it, and right but
 *          for 0.5 %: SPEC accepts analysers of at most 1 %, which is taken as twice the standard error.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  `scratch` is used and rewound.
 * Cost:    O(n).
 */
enum gs_status gs_sensor_find(const struct gs_power_series *series,
                              const struct gs_sensor_hint *hint, struct gs_arena *scratch,
                              struct gs_sensor *sensor, struct gs_err *err);

/* Is the window known from the table of cards or the command line, and not read from the log? */
bool gs_sensor_window_known(const struct gs_sensor *sensor);

/* Does the log show the sensor, or could it: a period is known, or samples follow each other within 50 ms? */
bool gs_sensor_in_sight(const struct gs_sensor *sensor);

/* Gives a sensor a window and a delay, and the shift and the reach that follow. */
void gs_sensor_set_window(struct gs_sensor *sensor, int64_t window_ns, int64_t delay_ns,
                          enum gs_sensor_source from);

/* Appends "period 100 ms (seen in the log), window 100 ms (table of cards), ..." for people. */
void gs_sensor_describe(const struct gs_sensor *sensor, struct gs_buf *b);

/* A curve's energy (GS_ENERGY_PER_J units) and covered time in the meter's scale; unchanged where that is
 * unknown. */
gs_i128 gs_sensor_scale(const struct gs_sensor *sensor, gs_i128 energy, gs_i128 covered_ns);

/* What an instant adds to the doubt: the unrest of the readings around it, and that of the renewals up to it.
 */
struct gs_sensor_edge {
    uint64_t range_uw;    /* max - min of the readings within reach of the shifted instant */
    gs_u128 renewals_uj2; /* sum of squares up to it, (micro J)^2                          */
    int64_t before_uw, level_uw,
        after_uw; /* readings a reach before, there, and a reach later; 0 where neither the
                                              period nor the window is known */
};

/*
 * The edges of t[0..n), ascending, in the clock of the events (they are shifted in here).
 * Memory: `scratch` is used and rewound. Cost: O(n + readings).
 */
enum gs_status gs_sensor_edges(const struct gs_power_series *series, const struct gs_sensor *sensor,
                               const int64_t *t, size_t n, struct gs_arena *scratch,
                               struct gs_sensor_edge *edge, struct gs_err *err);

/*
 * Standard errors of energies, added up in whole numbers. Those of scale and zero are one sensor's mistake
 * and taken as the same in every window and on every GPU; those of edges and renewals are independent. Valid
 * when zeroed.
 */
struct gs_energy_error {
    gs_i128 scale, zero; /* GS_ENERGY_PER_J units */
    gs_i128
        misplaced; /* GS_ENERGY_PER_J units; signed: what one window has too much another has too little */
    gs_i128 apart_uj2; /* (micro J)^2           */
    uint64_t
        n_refused; /* windows for which there is no interval: the sensor sees only part of the load */
};

/* What an interval takes in, for --explain. */
#define GS_ENERGY_INTERVAL_HOW                                                                     \
    "what is not known of the sensors' scale and zero (4.5 % and 10 W, the same mistake "          \
    "everywhere), the unrest of "                                                                  \
    "the samples around both ends of each pair (within a period and a window of the sensor where " \
    "its period shows in "                                                                         \
    "the samples, else within the sampling interval and 1 s), what its running mean then puts "    \
    "outside of them, the "                                                                        \
    "same "                                                                                        \
    "mistake in all, and what lies unseen between samples; missing where a "                       \
    "sensor sees only part of a repeated event; --card and --sensor narrow it where they say "     \
    "more of the sensor"

/* Adds the doubt about one window: its energy (in the meter's scale), its length, its two edges. */
void gs_energy_error_add(struct gs_energy_error *e, const struct gs_sensor *sensor, gs_i128 energy,
                         int64_t length_ns, const struct gs_sensor_edge *start,
                         const struct gs_sensor_edge *stop);

/*
 * Adds what the sensor's running mean puts outside of an event, on average: its reach smears an edge, so that what is
 * hotter than its surroundings always loses, and they win; edges of many events do not make up for each other. Signed,
 * see gs_energy_error_misplaced. Of an event longer than the reach what it adds is taken off the edges again: one alone has
 * the interval that its edges give. Nothing where neither period nor window is known.
 */
void gs_energy_error_smear(struct gs_energy_error *e, const struct gs_sensor *sensor,
                           int64_t length_ns, const struct gs_sensor_edge *start,
                           const struct gs_sensor_edge *stop);

/* Adds a standard error in J that is another window's with the other sign: it cancels where both are added up. */
void gs_energy_error_misplaced(struct gs_energy_error *e, double sd_j);

/* Adds one more independent standard error, in J. */
void gs_energy_error_apart(struct gs_energy_error *e, double sd_j);
void gs_energy_error_merge(struct gs_energy_error *e, const struct gs_energy_error *other);

/* Says that `n` of a table's rows, of `n_rows`, have no interval for that; nothing where there are none. */
void gs_energy_refused_note(size_t n, size_t n_rows, struct gs_notes *notes);

/* The 95 % interval around an energy: energy -+ 2 standard errors, not below 0 where the energy is not; NaN
 * both where a window was refused. */
void gs_energy_interval(const struct gs_energy_error *e, gs_i128 energy, double *low_j,
                        double *high_j);

#endif
