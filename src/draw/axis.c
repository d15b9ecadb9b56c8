/* axis.c - ranges and tics. */
#include "draw/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "render/render.h"
#include "base/timestamp.h"

#define LARGEST  1e300
#define SMALLEST 1e-300

struct gs_axis gs_axis_empty(enum gs_axis_kind kind)
{
    return (struct gs_axis){.kind = kind, .lo = (double)NAN, .hi = (double)NAN};
}

void gs_axis_see(struct gs_axis *a, double value)
{
    if (!isfinite(value) || (a->kind == GS_AXIS_LOG && value <= 0))
        return;
    /* Beyond this arithmetic on the range, ours and gnuplot's, would overflow. */
    if (fabs(value) > LARGEST || (a->kind == GS_AXIS_LOG && value < SMALLEST))
        return;
    if (!(a->lo <= value))
        a->lo = value;
    if (!(a->hi >= value))
        a->hi = value;
}

/* To six digits, so that the last bit of a logarithm, which libraries differ in, shows nowhere. */
static double rounded(double v)
{
    if (!(v > 0) || !isfinite(v)) /* the padding went beyond what a double holds */
        return v;
    const int places = 5 - (int)floor(log10(v));
    const double power = pow(10, abs(places));
    if (!isfinite(power) || !isfinite(v * power))
        return v;
    return places > 0 ? round(v * power) / power : round(v / power) * power;
}

void gs_axis_pad(struct gs_axis *a, double share_lo, double share_hi)
{
    if (isnan(a->lo)) {
        a->lo = a->kind == GS_AXIS_LOG ? 1 : 0;
        a->hi = a->kind == GS_AXIS_LOG ? 10 : 1;
    }
    if (a->kind == GS_AXIS_LOG) {
        if (a->hi / a->lo < 1.01) {
            a->lo /= 2;
            a->hi *= 2;
        }
        const double decades = log10(a->hi) - log10(a->lo); /* the ratio may overflow */
        a->lo = fmax(rounded(a->lo * pow(10, -share_lo * decades)), SMALLEST);
        a->hi = fmin(rounded(a->hi * pow(10, share_hi * decades)), LARGEST);
        return;
    }
    const double magnitude = fmax(fabs(a->lo), fabs(a->hi));
    if (a->hi - a->lo <= fmax(magnitude * 1e-12, SMALLEST)) {
        const double half = magnitude > SMALLEST ? magnitude * 0.05 : 0.5;
        a->lo -= half;
        a->hi += half;
    }
    const double length = a->hi - a->lo;
    a->lo -= share_lo * length;
    a->hi += share_hi * length;
}

void gs_buf_number(struct gs_buf *b, double value)
{
    char room[GS_REAL_TEXT_MAX];
    if (isfinite(value))
        gs_buf_bytes(b, room, (size_t)gs_real_format(room, value));
    else
        gs_buf_text(b, "NaN");
}

static void append_tic(struct gs_buf *b, bool *any, struct gs_str label, double at)
{
    gs_buf_text(b, *any ? ", '" : "'");
    gs_buf_bytes(b, label.ptr, label.len);
    gs_buf_text(b, "' ");
    gs_buf_number(b, at);
    *any = true;
}

static void append_linear(struct gs_buf *b, const struct gs_axis *a, int n, bool *any)
{
    double raw = (a->hi - a->lo) / n;
    if (a->whole && raw < 1)
        raw = 1;
    const int exponent = (int)floor(log10(raw));
    const double power = pow(10, exponent), lead = raw / power;
    const double step = (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
    const int decimals = lead > 5 ? (exponent + 1 < 0 ? -exponent - 1 : 0) : exponent < 0 ? -exponent : 0;
    const double first = ceil(a->lo / step - 1e-9);
    for (int k = 0; k <= 2 * n + 2; k++) {
        const double at = (first + k) * step;
        if (at > a->hi + step * 1e-9)
            break;
        /* Tics are small multiples of the step: a rounding crumb beside 0 is 0. */
        const double shown = fabs(at) < step * 1e-6 ? 0 : at;
        struct gs_buf label = {.arena = b->arena};
        gs_real_for_people(&label, shown, decimals > 9 || fabs(shown) >= 1e9 ? -1 : decimals);
        append_tic(b, any, gs_buf_str(&label), shown);
    }
}

/* Whole decades; where there are fewer than three of them 2 and 5 as well. */
static void append_log(struct gs_buf *b, const struct gs_axis *a, int n, bool *any)
{
    const double decades = log10(a->hi) - log10(a->lo);
    static const double fine[] = {1, 2, 5}, coarse[] = {1};
    const double *const leads = decades < 3 ? fine : coarse;
    const int n_leads = decades < 3 ? 3 : 1;
    const int every = (int)ceil(decades / (n > 0 ? n : 1)) > 1 ? (int)ceil(decades / n) : 1;
    for (int e = (int)floor(log10(a->lo)); e <= (int)ceil(log10(a->hi)); e++) {
        for (int k = 0; k < n_leads; k++) {
            const double at = leads[k] * pow(10, e);
            if (e % every != 0 || at < a->lo * (1 - 1e-9) || at > a->hi * (1 + 1e-9))
                continue;
            struct gs_buf label = {.arena = b->arena};
            gs_real_for_people(&label, at, e < 0 ? -e : 0);
            append_tic(b, any, gs_buf_str(&label), at);
        }
    }
}

static void append_time(struct gs_buf *b, const struct gs_axis *a, int n, bool *any)
{
    static const int64_t steps[] = {1,     2,     5,      10,     15,      30,      60,      120,
                                    300,   600,   900,    1800,   3600,    7200,    10800,   21600,
                                    43200, 86400, 172800, 604800, 1209600, 2592000, 7776000, 31536000};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && (a->hi - a->lo) / (double)steps[i] > n)
        i++;
    const int64_t step = steps[i];
    if ((a->hi - a->lo) / (double)step > 100 || fabs(a->lo) > 9e9 || fabs(a->hi) > 9e9)
        return;
    for (int64_t t = (int64_t)ceil(a->lo / (double)step) * step; (double)t <= a->hi; t += step) {
        char text[GS_TIME_TEXT_MAX];
        (void)gs_time_format(text, t * GS_NS_PER_S);
        /* 2018-11-08T06:53:20.000Z: the date, or the time to the minute or second. */
        const struct gs_str label = step >= 86400    ? (struct gs_str){text, 10}
                                    : step % 60 != 0 ? (struct gs_str){text + 11, 8}
                                                     : (struct gs_str){text + 11, 5};
        append_tic(b, any, label, (double)t);
    }
}

void gs_buf_tics(struct gs_buf *b, const struct gs_axis *a, int n)
{
    bool any = false;
    gs_buf_char(b, '(');
    if (a->kind == GS_AXIS_LOG)
        append_log(b, a, n, &any);
    else if (a->kind == GS_AXIS_TIME)
        append_time(b, a, n, &any);
    else
        append_linear(b, a, n, &any);
    gs_buf_char(b, ')');
}
