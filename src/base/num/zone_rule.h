/* zone_rule.h - the POSIX TZ rule of a zone: when its clock changes in future years. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/text.h"

/* One day of the year and the time of it. */
struct gs_zone_date {
    char
        kind; /* 'M': weekday of a week of a month, 'J': day 1 .. 365 without leap days, '0': day 0 .. 365 */
    int month, week, day;
    int32_t time_s; /* after midnight; may be negative or beyond a day */
};

struct gs_zone_rule {
    int32_t standard_s, summer_s;   /* seconds east of UTC               */
    bool changes;                   /* else always standard               */
    struct gs_zone_date begin, end; /* of summer, on the clock before it */
};

/* Reads "CET-1CEST,M3.5.0,M10.5.0/3". False for anything else. Source: POSIX.1-2017 8.3, RFC 8536 3.3. */
bool gs_zone_rule_parse(struct gs_str text, struct gs_zone_rule *rule);

/* The instant of a date in a year, in seconds since 1970 UTC, on a clock that is offset_s ahead. */
int64_t gs_zone_date_at(const struct gs_zone_date *date, int64_t year, int32_t offset_s);

/* Offsets from UTC in use, in minutes, the nearest first, so that a tie goes to it. */
enum { GS_N_ZONES = 40 };
extern const int16_t gs_zone_minutes[GS_N_ZONES];
