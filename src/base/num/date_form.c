/* date_form.c - parses dates by a format string. */
#include "base/num/date_form.h"

#include "base/num/timestamp.h"

#include <stddef.h>
#include <string.h>

static bool parse_digits(const char **p, const char *end, int n, unsigned *value)
{
    unsigned v = 0;
    if (end - *p < n)
        return false;
    for (int i = 0; i < n; i++, ++*p) {
        if (**p < '0' || **p > '9')
            return false;
        v = v * 10 + (unsigned)(**p - '0');
    }
    *value = v;
    return true;
}

static bool parse_month(const char **p, const char *end, unsigned *value)
{
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    if (end - *p < 3)
        return false;
    for (unsigned m = 0; m < 12; m++)
        if (gs_str_eq_nocase((struct gs_str){*p, 3}, (struct gs_str){names + (size_t)m * 3, 3})) {
            *p += 3;
            *value = m + 1;
            return true;
        }
    return false;
}

enum { MONTH_NAME = 0, HALF_DAY = -1, ZONE_NAME = -2 };

static const struct {
    const char *token;
    int digits; /* or what else it is */
    size_t offset;
} tokens[] = {
    {"YYYY", 4, offsetof(struct gs_civil, year)},
    {"Mon", MONTH_NAME, offsetof(struct gs_civil, month)},
    {"MM", 2, offsetof(struct gs_civil, month)},
    {"DD", 2, offsetof(struct gs_civil, day)},
    {"hh", 2, offsetof(struct gs_civil, hour)},
    {"mm", 2, offsetof(struct gs_civil, minute)},
    {"ss", 2, offsetof(struct gs_civil, second)},
    {"AM", HALF_DAY, offsetof(struct gs_civil, half)},
    {"UTC", ZONE_NAME, 0},
};

/*
 * The token of a date form at a place, or -1. Tokens are matched with their case, so that MM is a
 * month and mm a minute.
 */
static int token_at(struct gs_str form, size_t at)
{
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        const size_t n = strlen(tokens[i].token);
        if (form.len - at >= n && memcmp(form.ptr + at, tokens[i].token, n) == 0)
            return (int)i;
    }
    return -1;
}

bool gs_date_form_valid(struct gs_str form)
{
    unsigned seen = 0;
    for (size_t at = 0; at < form.len;) {
        const int t = token_at(form, at);
        seen |= t < 0 ? 0u : 1u << t;
        at += t < 0 ? 1 : strlen(tokens[t].token);
    }
    return (seen >> 5 & 1) != 0 && (seen >> 4 & 5) != 0; /* minutes and hours, or seconds */
}

/*
 * A fraction of the second behind a point or comma, or a colon before three digits or more:
 * 7:36:22:035. Digits behind the ninth are dropped: the scale is 0 by then.
 */
static bool parse_fraction(const char **p, const char *end, int64_t *ns)
{
    int64_t scale = 100000000;
    unsigned three;
    const char *behind = *p + 1;
    if (*p == end ||
        (**p != '.' && **p != ',' && !(**p == ':' && parse_digits(&behind, end, 3, &three))))
        return true;
    const char *const first = ++*p;
    for (; *p < end && **p >= '0' && **p <= '9'; ++*p, scale /= 10)
        *ns += (**p - '0') * scale;
    return *p > first;
}

/* One of the words stands here, in any case: its number from 1 on, else 0. */
static unsigned parse_word(const char **p, const char *end, const char *const *words,
                           unsigned n_words)
{
    for (unsigned k = 0; k < n_words; k++) {
        const size_t n = strlen(words[k]);
        if ((size_t)(end - *p) >= n && gs_str_eq_nocase((struct gs_str){*p, n}, gs_str(words[k]))) {
            *p += n;
            return k + 1;
        }
    }
    return 0;
}

/* Minutes of a form without hours; so many digits that seconds of them are still a time. */
static bool parse_minutes(const char **p, const char *end, unsigned *value)
{
    enum { MOST = 6 };
    const char *const from = *p;
    *value = 0;
    for (; *p < end && *p - from < MOST && gs_is_digit(**p); ++*p)
        *value = *value * 10 + (unsigned)(**p - '0');
    return *p > from;
}

/* A year, of two digits where it stands at the end of a date in this century: 05/27/25. */
static bool parse_year(const char **p, const char *from, const char *end, unsigned *value)
{
    enum { CENTURY = 2000 };
    const bool two = *p > from && strchr("/.", (*p)[-1]) != NULL && end - *p >= 2 &&
                     (end - *p == 2 || !gs_is_digit((*p)[2]));
    if (!parse_digits(p, end, two ? 2 : 4, value))
        return false;
    *value += two ? CENTURY : 0;
    return true;
}

/* UTC by one of its names, or an offset, behind which its name may stand: +0200 CEST. */
static bool parse_zone(const char **p, const char *end, struct gs_civil *c)
{
    static const char *const zones[3] = {"UTC", "GMT", "Z"};
    if (*p == end || (**p != '+' && **p != '-'))
        return c->utc = parse_word(p, end, zones, 3) > 0;
    const struct gs_str rest = {*p, (size_t)(end - *p)};
    const size_t n = gs_str_until(rest, 0, " ");
    c->utc = gs_zone_parse(gs_str_part(rest, 0, n), &c->offset_s) &&
             gs_str_skip(rest, n, " " GS_ALL_LETTERS) == rest.len;
    *p = end;
    return c->utc;
}

/* A zone may stand behind any date, with a blank before it or not. */
static void parse_last_zone(const char **p, const char *end, struct gs_civil *c)
{
    const char *zone = *p;
    while (zone < end && *zone == ' ')
        zone++;
    if (c->has_date && !c->utc && zone < end && parse_zone(&zone, end, c))
        *p = zone;
}

/*
 * `date` pads a day with a blank, and many tools write 9:05 without a zero: both are accepted
 * where two digits are due.
 */
static bool parse_token(const char **p, const char *from, const char *end, int t,
                        struct gs_civil *c)
{
    static const char *const halves[4] = {"AM", "PM", "a.m.", "p.m."};
    const int digits = tokens[t].digits;
    unsigned *const to = (unsigned *)(void *)((char *)c + tokens[t].offset);
    if (digits == ZONE_NAME)
        return parse_zone(p, end, c);
    if (digits == HALF_DAY)
        return (c->half = parse_word(p, end, halves, 4)) > 0;
    c->has_date |= to == &c->day || to == &c->year;
    if (to == &c->year)
        return parse_year(p, from, end, to);
    if (to == &c->minute && c->of_hour)
        return parse_minutes(p, end, to);
    *p += digits == 2 && *p < end && **p == ' ';
    const bool one =
        digits == 2 && end - *p >= 1 && (end - *p == 1 || (*p)[1] < '0' || (*p)[1] > '9');
    if (digits == MONTH_NAME ? !parse_month(p, end, to)
                             : !parse_digits(p, end, one ? 1 : digits, to))
        return false;
    return to != &c->second || parse_fraction(p, end, &c->ns);
}

/*
 * A second of 60 is let through for leap seconds. 12 AM is midnight, and an hour of 13 with PM is
 * an error and not 13:00.
 */
bool gs_date_by_form(struct gs_str text, struct gs_str form, struct gs_civil *c)
{
    const char *p = text.ptr, *const end = text.ptr + text.len;
    *c = (struct gs_civil){.of_hour = gs_str_find(form, "hh") == form.len};
    for (size_t at = 0; at < form.len;) {
        const int t = token_at(form, at);
        if (t < 0) {
            if (form.ptr[at] == '*') { /* a word that does not count, such as the day's name */
                while (p < end && *p != ' ')
                    p++;
            } else if (p == end || *p++ != form.ptr[at]) {
                return false;
            }
            at++;
            continue;
        }
        if (!parse_token(&p, text.ptr, end, t, c))
            return false;
        at += strlen(tokens[t].token);
    }
    parse_last_zone(&p, end, c);
    if (c->half > 0 && (c->hour < 1 || c->hour > 12))
        return false;
    if (c->half > 0)
        c->hour = c->hour % 12 + (c->half % 2 == 0 ? 12 : 0);
    return p == end && c->hour < 24 && (c->minute < 60 || c->of_hour) && c->second < 61;
}
