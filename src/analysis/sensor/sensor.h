/* sensor.h - how a power reading comes about, and how sure an energy is that is made of such readings. */
#pragma once

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
    const struct gs_range *range; /* the energies of which time are asked for; NULL: of all */
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
    int64_t interval_ns;  /* between samples, median; 0: measured here   */
    int64_t counted_step; /* of the counter that the power is of         */
};

/* What repeated readings are. */
enum gs_rhythm {
    GS_RHYTHM_PLAIN,   /* every sample is a reading                                          */
    GS_RHYTHM_RENEWED, /* the log is faster than the sensor: a reading stays for a period    */
    GS_RHYTHM_HELD,    /* an exporter repeats point readings: the first sight of each counts */
    GS_RHYTHM_COUNTED  /* a reading is the mean since the one before it: an energy counter's */
};

/* Valid when zeroed but for gain 1; made by gs_sensor_find. */
struct gs_sensor {
    enum gs_sensor_source period_from, window_from, delay_from, scale_from;
    enum gs_rhythm rhythm;
    bool unlisted;       /* its card has a name, which the table of cards lacks           */
    int64_t interval_ns; /* median time between samples                                   */
    int64_t period_ns;   /* between renewals; the sampling interval where it is not known */
    int64_t
        window_ns; /* a reading's window; 1 s where nothing is known, of an instant column 100 ms */
    int64_t delay_ns;
    int64_t shift_ns;   /* how much later than an instant the log is looked at                 */
    int64_t reach_ns;   /* period + window: what an edge is smeared over                       */
    int64_t cut_ns;     /* and what the times of events were cut by, see gs_pairs_cut_ns    */
    int64_t log_cut_ns; /* what all times of the log were cut by: 1 s, or 0                 */
    int64_t
        counted_step;  /* fixed-point J that a counter may be late with; 0: nothing to speak of */
    int64_t unseen_ns; /* of each interval, what a reading's window takes in beyond an instant */
    double gain, offset_w; /* 1 and 0 where not known                                  */
    int32_t gain_ppm;      /* standard error of the scale, of the energy; 0: not known */
    int64_t offset_uw;     /* standard error of the zero                               */
    uint64_t n_renewals;   /* readings that differ from the one before                 */
    uint32_t card_rows;    /* rows of the table that the scale is from; for tests      */
};

/*
 * Leaves one reading at each instant that has one: of several there the mean, so that the order of rows never matters.
 * Arrays that are so stay; others live in `arena`.
 */
enum gs_status gs_power_instants(struct gs_power_series *series, struct gs_arena *arena,
                                 struct gs_err *err);

/*
 * Finds the sensor of a series that is as gs_power_instants leaves it.
 *
 * Period:  said, else the median time between changes of the reading, where there are at least 10 of them and 8 different
 *          values, it exceeds 1.5 sampling intervals, 3/4 of those times lie within an interval or a quarter of it,
 *          and it is at most 2 s. What is as regular but slower, with values half of which occur once, is held.
 *          Any other repetition (plateaus, whole watts) is a plain reading. Else the card's.
 * Window:  said, else the card's, where its rows agree or agree with what the log shows, else, of a period that shows, the
 *          period if the column is an instant one or a reading moves by half of the log's range within two periods,
 *          else 1 s. A column's name alone says nothing. Where no period shows, 1 s is taken unless steps of the log show
 *          that its readings are no such means: then 100 ms.
 * Shift:   delay + (period + window) / 2, the period 100 ms where it does not show; of an unknown window 300 ms, of an
 *          instant column 100 ms, of one of which the log tells the most a quarter of it less. Half an interval more where readings are held, half a second less where times were cut
 *          to seconds.
 * Scale:   said: 1 % and sqrt(2^2 + (1 - r2) (range / 2 gain)^2) W; the mean of the card's rows with
 *          r2 >= 0.999: 2.5 % and 4 W; else unknown, see gs_energy_interval.
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

/*
 * What the energy of an event is uncertain over at each of its ends: as of a log, the second that was cut off and half of
 * one. Of a log cut to seconds, too, these are in its reach already.
 */
static inline int64_t gs_sensor_edge_ns(const struct gs_sensor *s)
{
    return s->reach_ns + (s->log_cut_ns > 0 ? 0 : s->cut_ns + s->cut_ns / 2);
}

/* Are the times of the log or of the events whole seconds? */
static inline bool gs_sensor_is_cut(const struct gs_sensor *s)
{
    return s->log_cut_ns > 0 || s->cut_ns > 0;
}

/* How much later than an event's instant the log is looked at: half of what was cut off the instant comes on top. */
static inline int64_t gs_sensor_event_shift_ns(const struct gs_sensor *s)
{
    return s->shift_ns + s->cut_ns / 2;
}

/* Are readings near enough, or times cut, so that beside a short event lies what it smears? A counter smears nothing. */
bool gs_sensor_looks_aside(const struct gs_sensor *s);

/* Is the meter's scale another than the sensor's? */
static inline bool gs_sensor_scales(const struct gs_sensor *s)
{
    return s->gain != 1.0 || s->offset_w != 0.0;
}

/* A curve's energy (GS_ENERGY_PER_J units) over some time in the meter's scale; unchanged where that is unknown. */
gs_i128 gs_sensor_scale(const struct gs_sensor *sensor, gs_i128 energy, gs_i128 time_ns);
