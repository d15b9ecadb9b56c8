/* timestamp.h - instants as int64 nanoseconds since 1970-01-01T00:00:00Z, to and from text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/text.h"
#include "base/num/decimal.h"
#include "base/num/order.h"

#define GS_NS_PER_S  INT64_C(1000000000)
#define GS_NS_PER_MS INT64_C(1000000)

/* A change of a zone's clock: on the wall the seconds from from_s up to until_s occur twice, or never. */
struct gs_zone_shift {
    int64_t from_s, until_s;   /* local seconds since 1970-01-01T00:00:00 */
    int32_t before_s, after_s; /* seconds east of UTC                     */
};

/* A zone: an offset, or a name with all changes of its clock. Valid when zeroed (UTC). */
struct gs_zone {
    const char *name; /* NULL: a plain offset                                */
    int32_t offset_s; /* seconds east of UTC; of a name: before all changes  */
    size_t n_shifts;
    const struct gs_zone_shift *shift; /* [n_shifts], ascending, not overlapping */
};

/* An instant moved by a length of time. At the ends of int64 it is held, out of any log's time; never GS_MISSING. */
static inline int64_t gs_time_moved(int64_t t_ns, int64_t by_ns)
{
    int64_t v;
    if (__builtin_add_overflow(t_ns, by_ns, &v))
        v = by_ns < 0 ? INT64_MIN : INT64_MAX;
    return gs_max(v, GS_MISSING + 1);
}

/* Widens from..to, both GS_MISSING where there is none, by an instant, which may be GS_MISSING. */
static inline void gs_time_widen(int64_t *from_ns, int64_t *to_ns, int64_t t_ns)
{
    if (t_ns != GS_MISSING && (*from_ns == GS_MISSING || t_ns < *from_ns))
        *from_ns = t_ns;
    if (t_ns > *to_ns) /* GS_MISSING is the least */
        *to_ns = t_ns;
}

/* The time that is looked at, [from, to). At the ends of int64 there is no border. */
struct gs_range {
    int64_t from_ns, to_ns;
};

/* An instant, or the border that it lies beyond; NULL: there are none. */
static inline int64_t gs_range_held(const struct gs_range *r, int64_t t_ns)
{
    return r == NULL ? t_ns : gs_min(gs_max(t_ns, r->from_ns), r->to_ns);
}

/* How an hour is read that occurs twice, as the clock goes back. */
enum gs_twice { GS_TWICE_REFUSED, GS_TWICE_FIRST, GS_TWICE_SECOND };

/* How a text without a zone is to be read, and what was seen. Valid when zeroed (UTC). */
struct gs_time_reader {
    struct gs_zone zone; /* --tz: of a time that names none */
    enum gs_twice twice;
    bool zoneless; /* set, never cleared: a time without a zone was read                          */
    bool rounded;  /* set, never cleared: digits beyond the nanosecond went                       */
    /* of the last text: its hour occurs twice or never; NULL: neither */
    const struct gs_zone_shift *hit;
    int64_t from_s, until_s; /* local seconds for which found_s holds: what was looked up last  */
    int32_t found_s;
};

/* The offset of local seconds in the reader's zone; false, with `hit` set, where they occur twice or never. */
bool gs_zone_offset_of_local(struct gs_time_reader *r, int64_t local_s, int32_t *offset_s);

/* The offset at an instant, seconds since 1970 UTC. */
int32_t gs_zone_offset_at(const struct gs_zone *z, int64_t t_s);

static inline bool gs_zone_is_utc(const struct gs_zone *z)
{
    return z->name == NULL && z->offset_s == 0;
}

/* "UTC", "UTC+01:00", "Europe/Berlin". */
enum { GS_ZONE_TEXT_MAX = 80, GS_ZONE_FAULT_MAX = 256 };
const char *gs_zone_format(const struct gs_zone *z, char out[GS_ZONE_TEXT_MAX]);

/*
 * Why the last text was refused, where its zone is the reason: "occurs twice in Europe/Berlin: ...". NULL where it is not.
 * Of a row of a file with what helps there, too.
 */
const char *gs_time_zone_fault(const struct gs_time_reader *r, bool of_row,
                               char out[GS_ZONE_FAULT_MAX]);

/*
 * Reads an instant: RFC 3339 (`T` or blank, up to 9 fraction digits, `Z`, an offset or nothing),
 * `YYYY/MM/DD HH:MM:SS.mmm`, a comma for the point, or epoch seconds with a fraction. An integer of 12 to
 * 14 digits is epoch milliseconds, of 15 to 17 microseconds, of 18 or 19 nanoseconds. Returns false, with
 * `t_ns` untouched, for anything else and for instants outside 1677 to 2262.
 * Source: RFC 3339; nvidia-smi(1).
 */
bool gs_time_parse(struct gs_time_reader *r, struct gs_str text, int64_t *t_ns);

/* Earlier is no instant of a log: it counts from the begin of a run, or of a day. */
#define GS_TIME_DATED_NS INT64_C(946684800000000000) /* 2000-01-01 */

/* From here on it is none either. */
#define GS_TIME_BEYOND_NS INT64_C(4102444800000000000) /* 2100-01-01 */

/* Writes YYYY-MM-DDTHH:MM:SS.mmmZ with 3, 6 or 9 fraction digits, the fewest that hold it. */
enum { GS_TIME_TEXT_MAX = 40 };
int gs_time_format(char out[GS_TIME_TEXT_MAX], int64_t t_ns);

/* Reads a zone: UTC, Z, or +HH:MM, -HH:MM, +HHMM, +HH. */
bool gs_zone_parse(struct gs_str text, int32_t *offset_s);

/* Reads a length of time: a decimal with a unit ns, us, ms, s, m or min, h, d; a bare number is seconds. */
bool gs_duration_parse(struct gs_str text, int64_t *ns);

/* Days from 1970-01-01 of a proleptic Gregorian date. */
int64_t gs_days_from_civil(int64_t year, unsigned month, unsigned day);
