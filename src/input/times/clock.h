/* clock.h - reads the times of a file: any format, zone and unit, with an origin and an offset. */
#pragma once

#include "base/num/timestamp.h"
#include "input/schema/map.h"
#include "input/schema/column_meaning.h"

/* How the times of a source are read, and what was seen of them. */
struct gs_clock {
    struct gs_time_reader reader; /* zone; zoneless, rounded as seen                          */
    int64_t origin_ns;            /* added to plain numbers; GS_MISSING: they are instants    */
    int64_t shift_ns;             /* added to all                                             */
    int64_t last_of_day_ns; /* of times of day alone, which begin again at midnight; -1: none yet */
    int64_t days_ns;
    bool commas;           /* a comma may stand for the point of a number                 */
    int64_t last_ns;       /* the instant before, which settles an hour that occurs twice  */
    bool in_order;         /* rows follow one another in time                             */
    const char *unit_text; /* that `unit` was found by; NULL: none was                 */
    struct gs_unit unit;
    bool by_size; /* a plain number's unit was told by its size               */
    bool zoned;   /* a time named its zone, or was a number                   */
};

/* clang-format off */
enum gs_time_fault {
    GS_TIME_OK, GS_TIME_MISSING, GS_TIME_BAD,
    GS_TIME_OF_DAY,   /* a time of day alone, and no origin                             */
    GS_TIME_OF_YEAR,  /* a date without its year, and no origin                         */
    GS_TIME_DAY_MONTH,/* 05-06-2024: which is the day?                                  */
    GS_TIME_OUTSIDE,  /* not from 2000 to 2100, and no origin                           */
    GS_TIME_ZONE_WORD,/* a zone's name behind it                                        */
    GS_TIME_ZONE_HOUR,/* occurs twice or never in the zone: see gs_time_zone_fault      */
};
/* clang-format on */

/* Is a text with that fault a date with a time of day, whatever it lacks? */
static inline bool gs_time_is_dated(enum gs_time_fault f)
{
    return f == GS_TIME_OK || f == GS_TIME_OF_YEAR || f == GS_TIME_DAY_MONTH ||
           f == GS_TIME_ZONE_WORD;
}

/* A clock in UTC without an origin, of a table with that separator; ptr == NULL: of none, or between commas. */
struct gs_clock gs_clock_of(struct gs_str separator);

/*
 * A source's own zone, which lives in `arena`, and its shift; both stay as they are where it says none. Errors: GS_ERR_DATA
 * for texts that are none.
 */
enum gs_status gs_clock_adjust(struct gs_clock *c, const struct gs_source *s, const char *name,
                               struct gs_arena *arena, struct gs_err *err);

/*
 * Reads a source's own zone, which lives in `arena`, origin and shift. Start from {.reader = {.zone = of --tz},
 * .origin_ns = of the form}.
 */
enum gs_status gs_clock_init(struct gs_clock *c, const struct gs_source *s, struct gs_str path,
                             const char *name, struct gs_arena *arena, struct gs_err *err);

/*
 * Reads an instant. `unit` is the value's own in the map (a unit of time, or a date form: YYYY MM Mon DD hh mm ss and
 * what stands between, a fraction may follow the seconds), ptr == NULL: none; `named` the unit in the column's name.
 */
enum gs_time_fault gs_clock_read(struct gs_clock *c, struct gs_str text, struct gs_str unit,
                                 struct gs_unit named, int64_t *t_ns);

/* The same of an instant that stands alone, without an origin or others before it; t_ns NULL: only what is wrong with it. */
enum gs_time_fault gs_clock_read_alone(struct gs_str text, struct gs_str unit, struct gs_unit named,
                                       int64_t *t_ns);

/* Reads a duration: a number in the unit given, else with its own unit, else seconds; also 1-02:03:04. */
bool gs_duration_read(struct gs_str text, struct gs_unit unit, int64_t *ns);

/* How `date` writes a time with the name of a zone that is not UTC. */
extern const char gs_date_with_zone[];

/* Empty, or one of the words by which tools say that there is no value. */
bool gs_is_no_value(struct gs_str text);
