/* calendar.h - days of a zone: from its midnight to the next, also where the clock changes between them. */
#pragma once

#include "base/num/timestamp.h"

#define GS_DAY_NS (INT64_C(86400) * GS_NS_PER_S)

/* The day of an instant, counted from 1970-01-01, and where it begins. */
int64_t gs_day_of(const struct gs_zone *zone, int64_t t_ns);
int64_t gs_day_begin(const struct gs_zone *zone, int64_t day);

/* The hour of the zone's clock that an instant is in: where it begins. */
int64_t gs_hour_begin(const struct gs_zone *zone, int64_t t_ns);

/*
 * Writes the zone's time as "2026-09-12T14:00:00.000+02:00", without what is smaller than a minute or a day; an offset of
 * 0 is Z.
 */
enum gs_local_form { GS_LOCAL_FULL, GS_LOCAL_MINUTE, GS_LOCAL_DAY };
enum { GS_LOCAL_TEXT_MAX = 48 };
const char *gs_local_offset(const char *text); /* "+02:00" of such a text; "UTC" */
int gs_time_format_local(char out[GS_LOCAL_TEXT_MAX], const struct gs_zone *zone, int64_t t_ns,
                         enum gs_local_form form);

/* Writes it as prose has it, "2026-09-12 14:00:00 UTC", with a fraction of a second where there is one; NULL: UTC. */
const char *gs_time_words(char out[GS_LOCAL_TEXT_MAX], const struct gs_zone *zone, int64_t t_ns);
