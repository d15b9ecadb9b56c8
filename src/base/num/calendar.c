/* calendar.c - a zone's clock by its offsets. */
#include "base/num/calendar.h"

#include <stdio.h>
#include <string.h>

#include "base/num/whole.h"

static int64_t offset_ns(const struct gs_zone *zone, int64_t t_ns)
{
    return gs_zone_offset_at(zone, gs_floor_div(t_ns, GS_NS_PER_S)) * GS_NS_PER_S;
}

int64_t gs_day_of(const struct gs_zone *zone, int64_t t_ns)
{
    return gs_floor_div(gs_time_moved(t_ns, offset_ns(zone, t_ns)), GS_DAY_NS);
}

int64_t gs_day_begin(const struct gs_zone *zone, int64_t day)
{
    struct gs_time_reader r = {.zone = *zone};
    const int64_t most = INT64_MAX / GS_DAY_NS - 2;
    day = gs_max(-most, gs_min(day, most));
    int32_t offset_s;
    /* A midnight that never is, or is twice, is that of the clock before it changed. */
    if (!gs_zone_offset_of_local(&r, day * 86400, &offset_s))
        offset_s = r.hit->before_s;
    return day * GS_DAY_NS - offset_s * GS_NS_PER_S;
}

int64_t gs_hour_begin(const struct gs_zone *zone, int64_t t_ns)
{
    const int64_t hour_ns = 3600 * GS_NS_PER_S, offset = offset_ns(zone, t_ns);
    return gs_floor_div(gs_time_moved(t_ns, offset), hour_ns) * hour_ns - offset;
}

int gs_time_format_local(char out[GS_LOCAL_TEXT_MAX], const struct gs_zone *zone, int64_t t_ns,
                         enum gs_local_form form)
{
    enum { DAY_DIGITS = 10, MINUTE_DIGITS = 16 }; /* of years with four digits */
    char text[GS_TIME_TEXT_MAX];
    const int64_t offset = offset_ns(zone, t_ns);
    const int minutes = (int)(offset / GS_NS_PER_S / 60), east = minutes < 0 ? -minutes : minutes;
    int n = gs_time_format(text, gs_time_moved(t_ns, offset)) - 1;
    if (form == GS_LOCAL_DAY)
        return snprintf(out, GS_LOCAL_TEXT_MAX, "%.*s", DAY_DIGITS, text);
    if (form == GS_LOCAL_MINUTE)
        n = MINUTE_DIGITS;
    if (offset == 0)
        return snprintf(out, GS_LOCAL_TEXT_MAX, "%.*sZ", n, text);
    return snprintf(out, GS_LOCAL_TEXT_MAX, "%.*s%c%02d:%02d", n, text, minutes < 0 ? '-' : '+',
                    east / 60, east % 60);
}

const char *gs_local_offset(const char *text)
{
    const size_t len = strlen(text), offset = sizeof "+02:00" - 1;
    return len < offset || text[len - 1] == 'Z' ? "UTC" : text + len - offset;
}

const char *gs_time_words(char out[GS_LOCAL_TEXT_MAX], const struct gs_zone *zone, int64_t t_ns)
{
    static const struct gs_zone utc;
    enum { DAY = 10, CLOCK = 8 };
    char text[GS_LOCAL_TEXT_MAX];
    (void)gs_time_format_local(text, zone != NULL ? zone : &utc, t_ns, GS_LOCAL_FULL);
    const char *const fraction = text + DAY + 1 + CLOCK;
    size_t n = 1 + strspn(fraction + 1, "0123456789");
    if (strspn(fraction + 1, "0") + 1 == n)
        n = 0;
    (void)snprintf(out, GS_LOCAL_TEXT_MAX, "%.*s %.*s%.*s %s", DAY, text, CLOCK, text + DAY + 1,
                   (int)n, fraction, gs_local_offset(text));
    return out;
}
