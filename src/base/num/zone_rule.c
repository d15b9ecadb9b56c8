/* zone_rule.c - parses POSIX TZ rules and computes their change dates in a year. */
#include "base/num/zone_rule.h"

#include "base/num/timestamp.h"

struct cursor {
    const char *p, *end;
};

static bool parse(struct cursor *c, char a)
{
    if (c->p == c->end || *c->p != a)
        return false;
    c->p++;
    return true;
}

static bool number(struct cursor *c, int max, int *value)
{
    int v = 0, n = 0;
    for (; c->p < c->end && gs_is_digit(*c->p) && n < 4; c->p++, n++)
        v = v * 10 + (*c->p - '0');
    *value = v;
    return n > 0 && v <= max;
}

/* "CEST" or "<+03>": what the clock is called does not matter. */
static bool skip_name(struct cursor *c)
{
    const char *const begin = c->p;
    if (parse(c, '<')) {
        while (c->p < c->end && *c->p != '>')
            c->p++;
        return parse(c, '>');
    }
    while (c->p < c->end && ((*c->p >= 'a' && *c->p <= 'z') || (*c->p >= 'A' && *c->p <= 'Z')))
        c->p++;
    return c->p - begin >= 3;
}

/*
 * [+-]h[:mm[:ss]] as seconds. The hours of a rule reach 167, beyond POSIX's 24: RFC 8536 allows
 * it, and real zones use it.
 */
static bool time_of(struct cursor *c, int max_hours, int32_t *seconds)
{
    int h, m = 0, s = 0;
    const bool negative = parse(c, '-');
    if (!negative)
        (void)parse(c, '+');
    if (!number(c, max_hours, &h) ||
        (parse(c, ':') && (!number(c, 59, &m) || (parse(c, ':') && !number(c, 59, &s)))))
        return false;
    const int32_t v = h * 3600 + m * 60 + s;
    *seconds = negative ? -v : v;
    return true;
}

/* Without a time of its own the change is at 2:00, as POSIX has it. */
static bool date_of(struct cursor *c, struct gs_zone_date *d)
{
    *d = (struct gs_zone_date){.time_s = 7200};
    if (!parse(c, ','))
        return false;
    if (parse(c, 'M')) {
        d->kind = 'M';
        if (!number(c, 12, &d->month) || d->month < 1 || !parse(c, '.') ||
            !number(c, 5, &d->week) || d->week < 1 || !parse(c, '.') || !number(c, 6, &d->day))
            return false;
    } else {
        d->kind = parse(c, 'J') ? 'J' : '0';
        if (!number(c, 365, &d->day) || (d->kind == 'J' && d->day < 1))
            return false;
    }
    return !parse(c, '/') || time_of(c, 167, &d->time_s);
}

/*
 * POSIX counts offsets to the west, the opposite of everybody else: hence the sign. Summer time
 * is an hour ahead unless it is given.
 */
bool gs_zone_rule_parse(struct gs_str text, struct gs_zone_rule *rule)
{
    struct cursor c = {text.ptr, text.ptr + text.len};
    struct gs_zone_rule r = {0};
    int32_t west;
    if (!skip_name(&c) || !time_of(&c, 24, &west))
        return false;
    r.standard_s = -west;
    r.summer_s = r.standard_s + 3600;
    if (c.p < c.end) {
        r.changes = true;
        if (!skip_name(&c))
            return false;
        if (c.p < c.end && *c.p != ',') {
            if (!time_of(&c, 24, &west))
                return false;
            r.summer_s = -west;
        }
        if (!date_of(&c, &r.begin) || !date_of(&c, &r.end))
            return false;
    }
    if (c.p != c.end)
        return false;
    *rule = r;
    return true;
}

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int64_t gs_zone_date_at(const struct gs_zone_date *d, int64_t year, int32_t offset_s)
{
    int64_t day = gs_days_from_civil(year, 1, 1);
    if (d->kind == 'M') {
        const int64_t first = gs_days_from_civil(year, (unsigned)d->month, 1);
        const int64_t next = d->month == 12 ? gs_days_from_civil(year + 1, 1, 1)
                                            : gs_days_from_civil(year, (unsigned)d->month + 1, 1);
        const int64_t weekday =
            ((first + 4) % 7 + 7) % 7; /* 1970 began on a Thursday, 0 is Sunday */
        day = first + (d->day - weekday + 7) % 7 + 7 * (int64_t)(d->week - 1);
        if (day >= next) /* week 5 is the last there is */
            day -= 7;
    } else if (d->kind == 'J') {
        day += d->day - 1 + (is_leap(year) && d->day >= 60);
    } else {
        day += d->day;
    }
    return day * 86400 + d->time_s - offset_s;
}

const int16_t gs_zone_minutes[GS_N_ZONES] = {
    0,    60,  -60,  120, -120, -150, 180, -180, 210, -210, 240, -240, 270,  300,
    -300, 330, 345,  360, -360, 390,  420, -420, 480, -480, 525, 540,  -540, 570,
    -570, 600, -600, 630, 660,  -660, 720, -720, 765, 780,  825, 840};
