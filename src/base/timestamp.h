/* timestamp.h - instants as int64 nanoseconds since 1970-01-01T00:00:00Z, to and from text. */
#ifndef GPUSTAT_TIMESTAMP_H
#define GPUSTAT_TIMESTAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define GS_NS_PER_S  INT64_C(1000000000)
#define GS_NS_PER_MS INT64_C(1000000)

/* How a text without a zone is to be read, and what was seen. Valid when zeroed (UTC). */
struct gs_time_reader {
    int32_t offset_s; /* --tz: seconds east of UTC of a time that names no zone */
    bool zoneless;    /* set, never cleared: a time without a zone was read     */
    bool rounded;     /* set, never cleared: digits beyond the nanosecond went  */
};

/*
 * Reads an instant: RFC 3339 (`T` or blank, up to 9 fraction digits, `Z`, an offset or nothing),
 * `YYYY/MM/DD HH:MM:SS.mmm`, a comma for the point, or epoch seconds with a fraction. An integer of 12 to
 * 14 digits is epoch milliseconds, of 15 to 17 microseconds, of 18 or 19 nanoseconds. Returns false, with
 * `t_ns` untouched, for anything else and for instants outside 1677 to 2262.
 * Source: RFC 3339; nvidia-smi(1).
 */
bool gs_time_parse(struct gs_time_reader *r, struct gs_str text, int64_t *t_ns);

/* Writes YYYY-MM-DDTHH:MM:SS.mmmZ with 3, 6 or 9 fraction digits, the fewest that hold it. */
enum { GS_TIME_TEXT_MAX = 40 };
int gs_time_format(char out[GS_TIME_TEXT_MAX], int64_t t_ns);

/* Reads a zone: UTC, Z, or +HH:MM, -HH:MM, +HHMM, +HH. */
bool gs_zone_parse(struct gs_str text, int32_t *offset_s);

/* Reads a length of time: a decimal with a unit ns, us, ms, s, m or min, h, d; a bare number is seconds. */
bool gs_duration_parse(struct gs_str text, int64_t *ns);

/* Days from 1970-01-01 of a proleptic Gregorian date. */
int64_t gs_days_from_civil(int64_t year, unsigned month, unsigned day);

#endif
