#include "output/text/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/calendar.h"
#include "base/num/decimal.h"
#include "base/num/order.h"

enum { MAX_DECIMALS = 12 };

/* Appends plain decimal text with commas between groups of three digits before the point. */
static void append_grouped(struct gs_buf *b, const char *text, size_t len)
{
    size_t i = 0;
    if (i < len && text[i] == '-')
        gs_buf_char(b, text[i++]);
    size_t n_digits = 0;
    while (i + n_digits < len && gs_is_digit(text[i + n_digits]))
        n_digits++;
    for (size_t k = 0; k < n_digits; k++) {
        if (k > 0 && (n_digits - k) % 3 == 0)
            gs_buf_char(b, ',');
        gs_buf_char(b, text[i + k]);
    }
    gs_buf_bytes(b, text + i + n_digits, len - i - n_digits);
}

/*
 * As "%.*f" of a value, where that is at most 2^51 / 10^places: the product with 10^places and its error are known
 * exactly, and so is which whole number is nearest, of two the even one. 0 for what is larger.
 */
static int format_places(char *out, double value, int places)
{
    static const double pow10[MAX_DECIMALS + 1] = {1,   1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                                   1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    const double magnitude = fabs(value), scaled = magnitude * pow10[places];
    if (!(scaled < 0x1p51))
        return 0;
    const double error = fma(magnitude, pow10[places], -scaled);
    uint64_t n = (uint64_t)scaled;
    /* a multiple of the last bit of `scaled`; the error is less */
    const double above = scaled - (double)n - 0.5;
    n += above > 0 || (above == 0 && (error > 0 || (error == 0 && n % 2 == 1)));
    const uint64_t one = (uint64_t)pow10[places];
    int len = 0;
    if (signbit(value))
        out[len++] = '-';
    len += gs_int_format(out + len, (int64_t)(n / one));
    if (places > 0) {
        out[len++] = '.';
        len += gs_digits_format(out + len, n % one, places);
    }
    return len;
}

void gs_real_for_people(struct gs_buf *b, double value, int decimals)
{
    static const double half[MAX_DECIMALS + 1] = {0.5,     0.5e-1,  0.5e-2, 0.5e-3, 0.5e-4,
                                                  0.5e-5,  0.5e-6,  0.5e-7, 0.5e-8, 0.5e-9,
                                                  0.5e-10, 0.5e-11, 0.5e-12};
    char text[64];
    int len;
    const double magnitude = fabs(value);
    const int places = gs_min(MAX_DECIMALS, decimals);
    if (decimals < 0 || !(magnitude < 1e15)) {
        len = gs_real_format(text, value);
    } else if (value != 0 && magnitude < half[places]) {
        /* Rounded it would read as zero, which it is not. */
        const int leading = (int)floor(log10(magnitude)); /* -3 for 0.0026 */
        if (leading >= -4)
            len = snprintf(text, sizeof text, "%.*f", -leading + 1, value);
        else
            len = snprintf(text, sizeof text, "%.1e", value);
    } else {
        const double shown = value == 0 ? 0.0 : value;
        len = format_places(text, shown, places);
        if (len == 0)
            len = snprintf(text, sizeof text, "%.*f", places, shown);
    }
    append_grouped(b, text, (size_t)len);
}

int gs_leading_decade(double value)
{
    const double magnitude = fabs(value);
    if (!(magnitude > 0) || !isfinite(magnitude))
        return 0;
    return (int)floor(log10(magnitude));
}

void gs_buf_four(struct gs_buf *b, double value)
{
    gs_real_for_people(b, value, gs_max(0, gs_min(6, 3 - gs_leading_decade(value))));
}

/* A p or q below this says no more by its digits, and 0, where it underflows, would not be true. */
#define LEAST_CHANCE 0.0001

static bool is_chance(const struct gs_column_spec *spec)
{
    return spec->id == GS_COL_P_VALUE || spec->id == GS_COL_Q_VALUE || spec->id == GS_COL_P_HOLM ||
           spec->id == GS_COL_R_WITHIN_P || spec->id == GS_COL_R_WITHIN_P_HOLM;
}

/*
 * "0:18:21.738" where it counts from the begin of a run: 1970 would be read as a date. "2025-11-21 04:40:00" where
 * the heading names the zone and the column has whole seconds.
 */
static void append_time(struct gs_buf *b, const struct gs_zone *zone,
                        const struct gs_column_spec *spec, int64_t t_ns)
{
    static const int64_t hour = INT64_C(3600) * GS_NS_PER_S;
    static const struct gs_zone utc;
    char text[GS_LOCAL_TEXT_MAX];
    (void)gs_time_format_local(text, zone != NULL ? zone : &utc, t_ns, GS_LOCAL_FULL);
    char *const fraction = strchr(text, '.'), *const date_end = strchr(text, 'T');
    if (spec->decimals == GS_WHOLE_SECONDS && fraction != NULL) {
        const char *const after = fraction + 1 + strspn(fraction + 1, "0123456789");
        memmove(fraction, after, strlen(after) + 1);
    }
    *date_end = ' ';
    if (*gs_or_empty(spec->unit) != '\0')
        text[strlen(text) - 1] = '\0'; /* the Z */
    const char *const rest = strchr(text, ':');
    if (t_ns < 0 || t_ns >= GS_TIME_DATED_NS)
        gs_buf_text(b, text);
    else
        gs_buf_format(b, "%lld%.*s", (long long)(t_ns / hour), (int)strcspn(rest, "Z"), rest);
}

/* Values of several units in one column, from 0.0015 EUR to 18,281 J: four digits of each. */
static bool is_mixed(const struct gs_column_spec *spec)
{
    return spec->id == GS_COL_A || spec->id == GS_COL_B;
}

void gs_cell_for_people(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    char room[GS_REAL_TEXT_MAX];
    if (gs_frame_is_missing(f, row, column)) {
        gs_buf_text(b, c->spec->missing != NULL ? c->spec->missing : "-");
        return;
    }
    switch (c->spec->type) {
    case GS_TYPE_TEXT:
        gs_buf_bytes(b, c->text[row].ptr, c->text[row].len);
        gs_buf_text_if(b, c->text[row].len == 0, gs_or_empty(c->spec->empty));
        return;
    case GS_TYPE_REAL:
        if (is_chance(c->spec) && c->real[row] < LEAST_CHANCE)
            gs_buf_text(b, "<0.0001");
        else if (is_mixed(c->spec))
            gs_buf_four(b, c->real[row]);
        else
            gs_real_for_people(b, c->real[row], c->spec->decimals);
        return;
    case GS_TYPE_INT: {
        const size_t len = (size_t)gs_int_format(room, c->integer[row]);
        if (c->spec->is_id)
            gs_buf_bytes(b, room, len);
        else
            append_grouped(b, room, len);
        return;
    }
    case GS_TYPE_TIME:
        append_time(b, f->zone, c->spec, c->integer[row]);
        return;
    }
}

void gs_buf_bare(struct gs_buf *b, const struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_column *const c = &f->columns[column];
    if (c->spec->type == GS_TYPE_TEXT) {
        gs_buf_bytes(b, c->text[row].ptr, c->text[row].len);
        return;
    }
    if (gs_frame_is_missing(f, row, column) || !gs_buf_reserve(b, GS_REAL_TEXT_MAX))
        return;
    char *const room = b->ptr + b->len;
    int len;
    if (c->spec->type == GS_TYPE_INT)
        len = gs_int_format(room, c->integer[row]);
    else if (c->spec->type == GS_TYPE_REAL)
        len = gs_real_format(room, c->real[row]);
    else
        len = gs_time_format(room, c->integer[row]);
    b->len += (size_t)len;
}
