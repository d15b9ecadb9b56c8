/* timestamp.c - calendar arithmetic on integers; no locale, and zones as tables that others read. */
#include "base/num/timestamp.h"

#include <stdio.h>

#include "base/num/decimal.h"
#include "base/num/int128.h"
#include "base/num/whole.h"

/* March-based years make the leap day the last of the year, so months have fixed offsets. */
int64_t gs_days_from_civil(int64_t year, unsigned month, unsigned day)
{
    const int64_t y = year - (month <= 2);
    const int64_t era = gs_floor_div(y, 400);
    const int64_t of_era = y - era * 400;
    const int64_t of_year = (153 * (((int64_t)month + 9) % 12) + 2) / 5 + (int64_t)day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil_from_days(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    const int64_t z = days + 719468;
    const int64_t era = gs_floor_div(z, 146097);
    const int64_t of_era = z - era * 146097;
    const int64_t yoe = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t doy = of_era - (365 * yoe + yoe / 4 - yoe / 100);
    const int64_t mp = (5 * doy + 2) / 153;
    *day = (unsigned)(doy - (153 * mp + 2) / 5 + 1);
    *month = (unsigned)((mp + 2) % 12 + 1);
    *year = yoe + era * 400 + (*month <= 2);
}

/* A cursor over the text; every step says whether it fitted. */
struct cursor {
    const char *p, *end;
};

static bool digits(struct cursor *c, int n, unsigned *value)
{
    unsigned v = 0;
    if (c->end - c->p < n)
        return false;
    for (int i = 0; i < n; i++) {
        const char d = *c->p++;
        if (!gs_is_digit(d))
            return false;
        v = v * 10 + (unsigned)(d - '0');
    }
    *value = v;
    return true;
}

static bool literal(struct cursor *c, char a)
{
    if (c->p == c->end || *c->p != a)
        return false;
    c->p++;
    return true;
}

/*
 * The digits after a point, as nanoseconds; those beyond the ninth round half up. Rounding may
 * give a whole second (1,000,000,000); to_ns carries it.
 */
static bool fraction(struct cursor *c, int64_t *ns, bool *rounded)
{
    int64_t v = 0;
    int n = 0;
    for (; c->p < c->end && gs_is_digit(*c->p); c->p++, n++) {
        if (n < 9)
            v = v * 10 + (*c->p - '0');
        else if (n == 9)
            v += *c->p >= '5';
        *rounded |= n >= 9 && *c->p != '0';
    }
    for (int i = n; i < 9; i++)
        v *= 10;
    *ns = v;
    return n > 0;
}

static unsigned days_in_month(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

/*
 * Accepts +01, +0100 and +01:00. No name of a zone gets here: they need tables, which this file
 * only reads.
 */
static bool zone(struct cursor *c, int32_t *offset_s)
{
    unsigned h, m = 0;
    if (c->p == c->end || (*c->p != '+' && *c->p != '-'))
        return false;
    const bool west = *c->p++ == '-';
    if (!digits(c, 2, &h))
        return false;
    if (c->p < c->end) {
        if (*c->p == ':')
            c->p++;
        if (!digits(c, 2, &m))
            return false;
    }
    if (h > 23 || m > 59)
        return false;
    const int32_t s = (int32_t)(h * 3600 + m * 60);
    *offset_s = west ? -s : s;
    return true;
}

static bool to_ns(int64_t seconds, int64_t ns, int64_t *t_ns)
{
    const gs_i128 v = (gs_i128)seconds * GS_NS_PER_S + ns;
    if (v <= INT64_MIN || v > INT64_MAX) /* the least int64 is GS_MISSING */
        return false;
    *t_ns = (int64_t)v;
    return true;
}

/* The last change whose span of local seconds begins at or before a local second; n_shifts: none does. */
static size_t change_before(const struct gs_zone *z, int64_t local_s)
{
    size_t lo = 0, n = z->n_shifts;
    while (n > 0) {
        const size_t half = n / 2;
        if (z->shift[lo + half].from_s <= local_s) {
            lo += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return lo > 0 ? lo - 1 : z->n_shifts;
}

/*
 * Rows of a log are close in time, so the range between two changes is remembered and most rows
 * need no search. The reader is written to: each thread has its own. A time that occurs twice
 * or never at a change of the clock is refused, never guessed.
 */
bool gs_zone_offset_of_local(struct gs_time_reader *r, int64_t local_s, int32_t *offset_s)
{
    const struct gs_zone *const z = &r->zone;
    if (z->n_shifts == 0) {
        *offset_s = z->offset_s;
        return true;
    }
    if (local_s < r->from_s || local_s >= r->until_s) { /* both 0 at first: nothing is known */
        const size_t at = change_before(z, local_s);
        const bool first = at == z->n_shifts;
        if (!first && local_s < z->shift[at].until_s) {
            const bool twice = z->shift[at].after_s < z->shift[at].before_s;
            if (twice && r->twice != GS_TWICE_REFUSED) {
                *offset_s =
                    r->twice == GS_TWICE_FIRST ? z->shift[at].before_s : z->shift[at].after_s;
                return true;
            }
            r->hit = &z->shift[at];
            return false;
        }
        r->from_s = INT64_MIN;
        r->until_s = INT64_MAX;
        r->found_s = z->offset_s;
        size_t next = 0;
        if (!first) {
            r->from_s = z->shift[at].until_s;
            r->found_s = z->shift[at].after_s;
            next = at + 1;
        }
        if (next < z->n_shifts)
            r->until_s = z->shift[next].from_s;
    }
    *offset_s = r->found_s;
    return true;
}

int32_t gs_zone_offset_at(const struct gs_zone *z, int64_t t_s)
{
    int32_t offset_s = z->offset_s;
    for (size_t i = 0; i < z->n_shifts; i++) {
        const struct gs_zone_shift *const s = &z->shift[i];
        /* On the clock before it, a change is where its span ends if it goes back, where it begins if forward. */
        const int64_t local_s = s->after_s < s->before_s ? s->until_s : s->from_s;
        if (t_s < local_s - s->before_s)
            break;
        offset_s = s->after_s;
    }
    return offset_s;
}

/* hh:mm:ss; a leap second counts as the one after it. */
static bool read_clock(struct cursor *c, int64_t *of_day_s)
{
    unsigned hour, minute, second;
    if (!digits(c, 2, &hour) || !literal(c, ':') || !digits(c, 2, &minute) || !literal(c, ':') ||
        !digits(c, 2, &second))
        return false;
    *of_day_s = (int64_t)hour * 3600 + (int64_t)minute * 60 + (int64_t)second;
    return hour <= 23 && minute <= 59 && second <= 60;
}

/* YYYY-MM-DD or YYYY/MM/DD, then T or a blank, then the time of day. */
static bool read_calendar(struct cursor *c, int64_t *local_s)
{
    unsigned year, month, day;
    if (!digits(c, 4, &year) || c->p == c->end)
        return false;
    const char separator = *c->p;
    if ((separator != '-' && separator != '/') || !literal(c, separator) || !digits(c, 2, &month) ||
        !literal(c, separator) || !digits(c, 2, &day))
        return false;
    if ((!literal(c, 'T') && !literal(c, 't') && !literal(c, ' ')) || !read_clock(c, local_s))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month))
        return false;
    *local_s += gs_days_from_civil(year, month, day) * 86400;
    return true;
}

/*
 * The flags of the reader are set only after the whole text was accepted, so a malformed row
 * does not mark the file as one without a zone.
 */
static bool parse_calendar(struct gs_time_reader *r, struct cursor c, int64_t *t_ns)
{
    int64_t local_s, ns = 0;
    bool rounded = false;
    if (!read_calendar(&c, &local_s))
        return false;
    if ((literal(&c, '.') || literal(&c, ',')) && !fraction(&c, &ns, &rounded))
        return false;
    int32_t offset = 0;
    const bool zoneless = c.p == c.end;
    if (zoneless) {
        if (!gs_zone_offset_of_local(r, local_s, &offset))
            return false;
    } else if (!literal(&c, 'Z') && !literal(&c, 'z')) {
        (void)literal(&c, ' ');
        if (!zone(&c, &offset))
            return false;
    }
    if (c.p != c.end || !to_ns(local_s - offset, ns, t_ns))
        return false;
    r->zoneless |= zoneless;
    r->rounded |= rounded;
    return true;
}

/*
 * The number of digits decides the unit, because logs do not name it: seconds below 12 digits
 * (until the year 5138), then milliseconds, microseconds and nanoseconds. The bounds leave no
 * overlap for any time after 1973.
 */
static bool parse_epoch(struct gs_time_reader *r, struct cursor c, int64_t *t_ns)
{
    const bool negative = literal(&c, '-');
    int64_t v = 0, ns = 0;
    int n = 0;
    for (; c.p < c.end && gs_is_digit(*c.p); c.p++, n++)
        if (n >= 19 || __builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, *c.p - '0', &v))
            return false;
    if (n == 0)
        return false;
    bool rounded = false;
    if (n < 12) {
        if (literal(&c, '.') && !fraction(&c, &ns, &rounded))
            return false;
        if (!to_ns(v, ns, &v))
            return false;
    } else {
        int64_t unit = 1;
        if (n < 15)
            unit = 1000000;
        else if (n < 18)
            unit = 1000;
        if (__builtin_mul_overflow(v, unit, &v))
            return false;
    }
    if (c.p != c.end)
        return false;
    *t_ns = negative ? -v : v;
    r->rounded |= rounded;
    return true;
}

bool gs_time_parse(struct gs_time_reader *r, struct gs_str text, int64_t *t_ns)
{
    struct cursor c = {text.ptr, text.ptr + text.len};
    r->hit = NULL;
    while (c.p < c.end && (*c.p == ' ' || *c.p == '\t'))
        c.p++;
    while (c.end > c.p && (c.end[-1] == ' ' || c.end[-1] == '\t'))
        c.end--;
    if (c.end - c.p > 4 && (c.p[4] == '-' || c.p[4] == '/'))
        return parse_calendar(r, c, t_ns);
    return c.p < c.end && parse_epoch(r, c, t_ns);
}

/* Writes `n` digits and, where it is not NUL, what follows them. */
static char *put(char *p, uint64_t value, int n, char then)
{
    (void)gs_digits_format(p, value, n);
    p[n] = then;
    return p + n + (then != '\0');
}

/*
 * Four digits are enough for the year: int64 nanoseconds end in 2262. Groups of three zeros are
 * dropped from the fraction, never below milliseconds.
 */
int gs_time_format(char out[GS_TIME_TEXT_MAX], int64_t t_ns)
{
    int64_t seconds = t_ns / GS_NS_PER_S, ns = t_ns % GS_NS_PER_S;
    if (ns < 0)
        seconds--, ns += GS_NS_PER_S;
    int64_t days = seconds / 86400, of_day = seconds % 86400;
    if (of_day < 0)
        days--, of_day += 86400;
    int64_t year;
    unsigned month, day;
    civil_from_days(days, &year, &month, &day);
    char *p = put(out, (uint64_t)year, 4, '-');
    p = put(p, month, 2, '-');
    p = put(p, day, 2, 'T');
    p = put(p, (uint64_t)of_day / 3600, 2, ':');
    p = put(p, (uint64_t)of_day / 60 % 60, 2, ':');
    p = put(p, (uint64_t)of_day % 60, 2, '.');
    int n_digits = 9, unit = 1;
    for (; n_digits > 3 && ns % (unit * 1000) == 0; n_digits -= 3)
        unit *= 1000;
    p = put(p, (uint64_t)(ns / unit), n_digits, 'Z');
    *p = '\0';
    return (int)(p - out);
}

/* "+02:00" */
static void show_offset(char out[16], int32_t offset_s)
{
    const unsigned s = (unsigned)gs_magnitude(offset_s);
    const char sign = offset_s < 0 ? '-' : '+';
    (void)snprintf(out, 16, "%c%02u:%02u", sign, s / 3600 % 100, s / 60 % 60);
}

const char *gs_zone_format(const struct gs_zone *z, char out[GS_ZONE_TEXT_MAX])
{
    char offset[16] = "";
    if (z->name == NULL && z->offset_s != 0)
        show_offset(offset, z->offset_s);
    (void)snprintf(out, GS_ZONE_TEXT_MAX, "%s%s", z->name != NULL ? z->name : "UTC", offset);
    return out;
}

const char *gs_time_zone_fault(const struct gs_time_reader *r, bool of_row,
                               char out[GS_ZONE_FAULT_MAX])
{
    char zone[GS_ZONE_TEXT_MAX], before[16], after[16], choose[80] = "";
    if (r->hit == NULL)
        return NULL;
    (void)gs_zone_format(&r->zone, zone);
    show_offset(before, r->hit->before_s);
    show_offset(after, r->hit->after_s);
    if (r->hit->after_s < r->hit->before_s) {
        (void)snprintf(out, GS_ZONE_FAULT_MAX,
                       "occurs twice in %s: write its offset (%s or %s) behind it%s", zone, before,
                       after, of_row ? ", or leave such rows out with --rejects FILE" : "");
        return out;
    }
    if (of_row)
        (void)snprintf(choose, sizeof choose, ": --tz %s or --tz %s chooses one of them", before,
                       after);
    (void)snprintf(out, GS_ZONE_FAULT_MAX,
                   "does not occur in %s, whose clock goes from %s to %s there%s", zone, before,
                   after, choose);
    return out;
}

bool gs_zone_parse(struct gs_str text, int32_t *offset_s)
{
    if (gs_str_eq_nocase(text, gs_str("UTC")) || gs_str_eq_nocase(text, gs_str("Z"))) {
        *offset_s = 0;
        return true;
    }
    struct cursor c = {text.ptr, text.ptr + text.len};
    int32_t s;
    if (!zone(&c, &s) || c.p != c.end)
        return false;
    *offset_s = s;
    return true;
}

/*
 * A value that would be rounded is refused: a duration is an option, and the user should get
 * the one that was typed.
 */
bool gs_duration_parse(struct gs_str text, int64_t *ns)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {
        {"ns", 1},          {"us", 1000},         {"ms", 1000000},      {"s", GS_NS_PER_S},
        {"m", 60000000000}, {"min", 60000000000}, {"h", 3600000000000}, {"d", 86400000000000},
        {"", GS_NS_PER_S}};
    const size_t n = gs_str_skip(text, 0, GS_ALL_DIGITS ".");
    const struct gs_str number = gs_str_part(text, 0, n),
                        unit = gs_str_after(text, gs_str_skip(text, n, " "));
    int64_t v = 0;
    uint64_t whole = 0; /* a number without a point may be longer than a reading */
    bool rounded = false;
    const bool is_whole = gs_count_parse(number, INT64_MAX, &whole) == GS_NUMBER_OK;
    if (n == 0 || (!is_whole && (gs_fixed_parse(number, &v, &rounded) != GS_NUMBER_OK || rounded)))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!gs_str_eq(unit, gs_str(units[i].unit)))
            continue;
        gs_i128 total = (gs_i128)v * units[i].ns / GS_FIXED_ONE;
        if (is_whole)
            total = (gs_i128)whole * units[i].ns;
        if (total > INT64_MAX)
            return false;
        *ns = (int64_t)total;
        return true;
    }
    return false;
}
