/* axis.c - ranges and tics. */
#include "output/chart/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "output/text/cells.h"
#include "output/text/si.h"
#include "base/num/timestamp.h"

#define SMALLEST 1e-300

#define ROUND_DECADES 0.8 /* below, a logarithmic axis has the tics of a linear one */

struct gs_axis gs_axis_empty(enum gs_axis_kind kind)
{
    return (struct gs_axis){.kind = kind, .lo = (double)NAN, .hi = (double)NAN};
}

/*
 * Values that an axis cannot show are passed over here, once for all panels. One infinite or
 * absurd reading would otherwise flatten everything else. The comparisons are negated so that
 * the first value replaces NaN.
 */
void gs_axis_see(struct gs_axis *a, double value)
{
    if (!isfinite(value) || (a->kind == GS_AXIS_LOG && value <= 0))
        return;
    if (fabs(value) > GS_AXIS_LARGEST || (a->kind == GS_AXIS_LOG && value < SMALLEST))
        return;
    if (!(a->lo <= value))
        a->lo = value;
    if (!(a->hi >= value))
        a->hi = value;
}

/* To six digits, so that the last bit of a logarithm or of many roundings shows nowhere. */
static double rounded(double v)
{
    if (!(v > 0) || !isfinite(v)) /* the padding went beyond what a double holds */
        return v;
    const int places = 5 - (int)floor(log10(v));
    const double power = pow(10, abs(places));
    if (!isfinite(power) || !isfinite(v * power))
        return v;
    if (places > 0)
        return round(v * power) / power;
    return round(v / power) * power;
}

/* An axis without length would divide by zero later: a single value gets room around it. */
void gs_axis_pad(struct gs_axis *a, double share_lo, double share_hi)
{
    if (isnan(a->lo)) {
        const bool logarithmic = a->kind == GS_AXIS_LOG;
        a->lo = logarithmic;
        a->hi = logarithmic ? 10 : 1;
    }
    if (a->kind == GS_AXIS_LOG) {
        if (a->hi / a->lo < 1.01) {
            a->lo /= 2;
            a->hi *= 2;
        }
        const double decades = log10(a->hi) - log10(a->lo); /* the ratio may overflow */
        a->lo = fmax(rounded(a->lo * pow(10, -share_lo * decades)), SMALLEST);
        a->hi = fmin(rounded(a->hi * pow(10, share_hi * decades)), GS_AXIS_LARGEST);
        return;
    }
    const double magnitude = fmax(fabs(a->lo), fabs(a->hi));
    if (a->hi - a->lo <= fmax(magnitude * 1e-12, SMALLEST)) {
        double half = 0.5;
        if (a->kind == GS_AXIS_TIME)
            half = 1;
        else if (magnitude > SMALLEST)
            half = magnitude * 0.05;
        a->lo -= half;
        a->hi += half;
    }
    const double length = a->hi - a->lo;
    a->lo -= share_lo * length;
    a->hi += share_hi * length;
}

void gs_axis_room(struct gs_axis *a, const struct gs_axis_text *text, size_t n, double room_px,
                  double most)
{
    enum {
        ROUNDS = 40
    }; /* a longer axis makes texts longer in its units: each round is nearer to where all fit */
    double top = a->hi, bottom = a->lo;
    for (int round = 0; round < ROUNDS && isfinite(top - bottom); round++) {
        const double length = top - bottom;
        for (size_t i = 0; i < n; i++) {
            if (!(fabs(text[i].end) <= GS_AXIS_LARGEST)) /* which the axis has not seen */
                continue;
            const double part = fmin(text[i].px / room_px, most) * length;
            if (text[i].down)
                bottom = fmin(bottom, text[i].end - part);
            else
                top = fmax(top, text[i].end + part);
        }
    }
    if (top > a->hi)
        a->hi = rounded(top);
    if (bottom < a->lo)
        a->lo = -rounded(-bottom);
}

void gs_buf_number(struct gs_buf *b, double value)
{
    char room[GS_REAL_TEXT_MAX];
    if (isfinite(value))
        gs_buf_bytes(b, room, (size_t)gs_real_format(room, value));
    else
        gs_buf_text(b, "NaN");
}

/*
 * Both bounds are fixed sizes of the structure. A tic beyond them is left out, never written
 * behind the array.
 */
static void add_tic(struct gs_tics *t, struct gs_str label, double at)
{
    if (t->n == GS_TICS_MAX)
        return;
    const size_t len = gs_min(label.len, GS_TIC_MAX - 1);
    memcpy(t->label[t->n], label.ptr, len);
    t->label[t->n][len] = '\0';
    t->at[t->n++] = at;
}

static void add_number(struct gs_tics *t, double shown, int decimals, double at)
{
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf label = {.arena = &arena};
    gs_real_for_people(&label, shown, decimals);
    if (!label.failed)
        add_tic(t, gs_buf_str(&label), at);
}

/* "10 ms", "1 s", "100 s". */
static void add_with_unit(struct gs_tics *t, const char *unit, double at)
{
    const struct gs_si si = gs_si_of_decade(unit, at);
    const double shown = at / si.factor;
    GS_OWN struct gs_arena arena = {0};
    struct gs_buf label = {.arena = &arena};
    int decimals = 0;
    if (shown < 1)
        decimals = (int)-floor(log10(shown) + 1e-9);
    gs_real_for_people(&label, shown, decimals);
    gs_buf_format(&label, " %s", si.unit);
    if (!label.failed)
        add_tic(t, gs_buf_str(&label), at);
}

double gs_axis_factor(const struct gs_axis *a)
{
    return a->shown.factor > 0 ? a->shown.factor : 1;
}

bool gs_axis_is_scaled(const struct gs_axis *a)
{
    return gs_axis_factor(a) != 1;
}

static void add_linear(struct gs_tics *t, const struct gs_axis *a, int n)
{
    const double lo = a->lo / gs_axis_factor(a), hi = a->hi / gs_axis_factor(a);
    double raw = (hi - lo) / n;
    if (a->whole && raw < 1)
        raw = 1;
    const int exponent = (int)floor(log10(raw));
    const double power = pow(10, exponent), lead = raw / power;
    static const double steps[] = {1, 2, 5, 10};
    size_t nice = 0;
    while (nice < 3 && !(lead <= steps[nice]))
        nice++;
    const double step = steps[nice] * power;
    const int decimals = gs_max(0, -exponent - (lead > 5));
    const double first = ceil(lo / step - 1e-9);
    for (int k = 0; k <= 2 * n + 2; k++) {
        const double at = (first + k) * step;
        if (at > hi + step * 1e-9)
            break;
        /* Tics are small multiples of the step: a rounding crumb beside 0 is 0. */
        const double shown = fabs(at) < step * 1e-6 ? 0 : at;
        const bool by_itself = decimals > 9 || fabs(shown) >= 1e9;
        add_number(t, shown, by_itself ? -1 : decimals, shown * gs_axis_factor(a));
    }
}

/* Whole decades; where there are fewer than three of them 2 and 5 as well, if there is room. */
static void add_log(struct gs_tics *t, const struct gs_axis *a, int n)
{
    const double lo = a->lo / gs_axis_factor(a),
                 hi = (a->last > 0 ? fmin(10 * a->last, a->hi) : a->hi) / gs_axis_factor(a);
    const double decades = log10(hi) - log10(lo);
    if (decades < ROUND_DECADES) { /* too few of 1, 2 and 5 to read values between them */
        add_linear(t, a, n);
        return;
    }
    static const double leads[] = {1, 2, 5};
    const bool in_fives = decades < 3 && (decades < 1 || 3 * decades <= n + 1);
    const int n_leads = in_fives ? 3 : 1;
    const int every = gs_max((int)ceil(decades / gs_max(n, 1)), 1);
    for (int e = (int)floor(log10(lo)); e <= (int)ceil(log10(hi)); e++) {
        for (int k = 0; k < n_leads; k++) {
            const double at = leads[k] * pow(10, e);
            if (e % every != 0 || at < lo * (1 - 1e-9) || at > hi * (1 + 1e-9))
                continue;
            if (a->unit == NULL)
                add_number(t, at, gs_max(-e, 0), at * gs_axis_factor(a));
            else
                add_with_unit(t, a->unit, at * gs_axis_factor(a));
        }
    }
}

static int year_of(const struct gs_axis *a, double seconds)
{
    char text[GS_TIME_TEXT_MAX];
    int year = 0;
    (void)gs_time_format(text, ((int64_t)seconds + a->offset_s) * GS_NS_PER_S);
    for (int i = 0; i < 4; i++)
        year = 10 * year + text[i] - '0';
    return year;
}

int gs_axis_year(const struct gs_axis *a)
{
    const double edge = 0.02 * (a->hi - a->lo); /* what an axis has beyond its values */
    if (!(fabs(a->lo) < 9e9) || !(fabs(a->hi) < 9e9))
        return 0;
    const int year = year_of(a, a->lo + edge);
    return year == year_of(a, a->hi - edge) ? year : 0;
}

/* "Nov 8" of 2018-11-08T06:53:20.000Z, written over it. */
static struct gs_str short_date(const char *iso, char text[GS_TIME_TEXT_MAX])
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    const int month = 10 * (iso[5] - '0') + iso[6] - '0', day = 10 * (iso[8] - '0') + iso[9] - '0';
    const int n = snprintf(text, GS_TIME_TEXT_MAX, "%.3s %d", months + 3 * (month - 1), day);
    return (struct gs_str){text, (size_t)n};
}

/*
 * The loop runs over whole steps of int64. The test before it bounds its rounds and keeps the
 * conversion from double in range.
 */
static void add_time(struct gs_tics *t, const struct gs_axis *a, int n)
{
    enum { DAY_S = 86400 };
    static const int64_t steps[] = {1,       2,       5,       10,      15,    30,     60,
                                    120,     300,     600,     900,     1200,  1800,   3600,
                                    7200,    10800,   21600,   43200,   86400, 172800, 604800,
                                    1209600, 2592000, 7776000, 31536000};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && (a->hi - a->lo) / (double)steps[i] > n)
        i++;
    const int64_t step = steps[i];
    /* 2018-11-08T06:53:20.000Z: the date, or the time to the minute or second. */
    size_t from = 11, len = 5;
    const bool dates = step >= DAY_S, in_a_year = gs_axis_year(a) != 0;
    const bool days = a->hi - a->lo > DAY_S; /* then midnight alone would not say of which */
    if (dates) {
        from = 0;
        len = 10;
    } else if (step % 60 != 0) {
        len = 8;
    }
    if ((a->hi - a->lo) / (double)step > GS_TICS_MAX || fabs(a->lo) > 9e9 || fabs(a->hi) > 9e9)
        return;
    const double first = ceil((a->lo + a->offset_s) / (double)step);
    for (int64_t local = (int64_t)first * step; (double)(local - a->offset_s) <= a->hi;
         local += step) {
        char text[GS_TIME_TEXT_MAX];
        (void)gs_time_format(text, local * GS_NS_PER_S);
        if (in_a_year && (dates || (days && local % DAY_S == 0)))
            add_tic(t, short_date(text, text), (double)(local - a->offset_s));
        else
            add_tic(t, (struct gs_str){text + from, len}, (double)(local - a->offset_s));
    }
}

struct gs_tics gs_tics_of(const struct gs_axis *a, int n)
{
    enum { MOST = 6 };
    struct gs_tics t = {0};
    if (a->kind == GS_AXIS_LOG)
        add_log(&t, a, n);
    else if (a->kind == GS_AXIS_TIME)
        add_time(&t, a, n);
    else
        add_linear(&t, a, n);
    for (; a->kind == GS_AXIS_LINEAR && t.n < 2 && n < MOST; n++) { /* one alone says no scale */
        t.n = 0;
        add_linear(&t, a, n + 1);
    }
    return t;
}

/*
 * May lie outside [0, 1], or be NaN for a value that a logarithmic axis cannot show. Callers
 * that index with it must clamp it.
 */
double gs_axis_share(const struct gs_axis *a, double value)
{
    if (a->kind == GS_AXIS_LOG)
        return (log10(value) - log10(a->lo)) / (log10(a->hi) - log10(a->lo));
    return (value - a->lo) / (a->hi - a->lo);
}

/* Are there two letters between each label and the next? */
static bool are_apart(const struct gs_tics *t, const struct gs_axis *a, double room_px,
                      double px_char)
{
    for (int i = 1; i < t->n; i++) {
        const double px = (gs_axis_share(a, t->at[i]) - gs_axis_share(a, t->at[i - 1])) * room_px;
        const double letters = (double)(strlen(t->label[i]) + strlen(t->label[i - 1])) / 2 + 2;
        if (px < letters * px_char)
            return false;
    }
    return true;
}

struct gs_tics gs_tics_apart(const struct gs_axis *a, int n, double room_px, double px_char)
{
    const struct gs_tics all = gs_tics_of(a, n);
    struct gs_tics t = all;
    while (n > 1 && !are_apart(&t, a, room_px, px_char))
        t = gs_tics_of(a, --n);
    if (are_apart(&t, a, room_px, px_char) && (t.n > 1 || all.n < 2))
        return t;
    /* The first and the last: what lies between them would not fit, and one alone would say no scale. */
    struct gs_tics two = t.n > 1 ? t : all;
    two.at[1] = two.at[two.n - 1];
    memcpy(two.label[1], two.label[two.n - 1], GS_TIC_MAX);
    two.n = 2;
    if (are_apart(&two, a, room_px, px_char))
        return two;
    t.n = gs_min(1, t.n);
    return t;
}

void gs_buf_tics(struct gs_buf *b, const struct gs_tics *tics)
{
    gs_buf_char(b, '(');
    for (int i = 0; i < tics->n; i++) {
        gs_buf_text_if(b, i > 0, ", ");
        gs_buf_format(b, "'%s' ", tics->label[i]);
        gs_buf_number(b, tics->at[i]);
    }
    gs_buf_char(b, ')');
}
