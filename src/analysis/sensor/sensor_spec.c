/* sensor_spec.c - a sensor as text: read from the command line, said to people. */
#include <math.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "analysis/sensor/sensor.h"

/* Up to an hour: what no sensor exceeds, and no sum of them overflows. */
static const int64_t longest_ns = 3600 * GS_NS_PER_S;

enum key { PERIOD, WINDOW, DELAY, GAIN, OFFSET, R2, KEYS };

static const char *const key_words[KEYS] = {"period", "window", "delay", "gain", "offset", "r2"};

static enum gs_status wrong(struct gs_str part, const char *expected, struct gs_err *err)
{
    return gs_fail(err, GS_ERR_USAGE, "--sensor: '%s' %s", GS_SHOWN(part, 80), expected);
}

/*
 * A length of time, also with more digits than gs_duration_parse takes: what fits and programs
 * print. gpustat prints fitted times with more digits than a duration takes on the command line.
 * What it prints must be accepted when it is pasted back, so the number is read as a real and
 * scaled by its unit.
 */
static bool parse_time(struct gs_str text, int64_t *ns)
{
    size_t end = text.len;
    while (end > 0 &&
           ((text.ptr[end - 1] >= 'a' && text.ptr[end - 1] <= 'z') || text.ptr[end - 1] == ' '))
        end--;
    char one[16] = "1";
    double number;
    int64_t unit;
    if (gs_duration_parse(text, ns))
        return true;
    if (end == 0 || text.len - end + 2 > sizeof one ||
        gs_real_parse((struct gs_str){text.ptr, end}, &number) != GS_NUMBER_OK)
        return false;
    memcpy(one + 1, text.ptr + end, text.len - end);
    if (!gs_duration_parse((struct gs_str){one, text.len - end + 1}, &unit) ||
        !(fabs(number * (double)unit) < 1e15))
        return false;
    *ns = (int64_t)nearbyint(number * (double)unit);
    return true;
}

static enum gs_status read_time(struct gs_str part, struct gs_str text, bool zero, int64_t *ns,
                                struct gs_err *err)
{
    int64_t v;
    if (text.len == 0 || !parse_time(text, &v) || v < (zero ? 0 : 1) || v > longest_ns)
        return wrong(part,
                     zero ? "must be a length of time such as 100ms, up to 1h"
                          : "must be a length of time above 0 such as 100ms, up to 1h",
                     err);
    *ns = v;
    return GS_OK;
}

static enum gs_status read_real(struct gs_str part, struct gs_str text, double low, double high,
                                const char *expected, double *value, struct gs_err *err)
{
    double v;
    if (gs_real_parse(text, &v) != GS_NUMBER_OK || !(v >= low) || !(v <= high))
        return wrong(part, expected, err);
    *value = v;
    return GS_OK;
}

static enum gs_status read_part(struct gs_str part, struct gs_sensor_spec *s, bool *given,
                                struct gs_err *err)
{
    size_t eq = 0;
    while (eq < part.len && part.ptr[eq] != '=')
        eq++;
    const struct gs_str key = {part.ptr, eq};
    const struct gs_str value = {part.ptr + eq + (eq < part.len), part.len - eq - (eq < part.len)};
    int k = 0;
    while (k < KEYS && !gs_str_eq(key, gs_str(key_words[k])))
        k++;
    if (k == KEYS || eq == part.len)
        return wrong(part,
                     "must be one of period=TIME, window=TIME, delay=TIME, gain=NUMBER, "
                     "offset=WATT, r2=NUMBER",
                     err);
    /*
     * A second value is an error, not an override: in a pasted list of six parts the later one is
     * most likely a slip.
     */
    if (given[k])
        return wrong(part, "is given twice", err);
    given[k] = true;
    switch ((enum key)k) {
    case PERIOD:
        return read_time(part, value, false, &s->period_ns, err);
    case WINDOW:
        return read_time(part, value, true, &s->window_ns, err);
    case DELAY:
        return read_time(part, value, true, &s->delay_ns, err);
    case GAIN:
        return read_real(part, value, 0.1, 10.0, "must be a number from 0.1 to 10", &s->gain, err);
    case OFFSET:
        return read_real(part, value, -1000.0, 1000.0, "must be a number of W from -1000 to 1000",
                         &s->offset_w, err);
    default:
        return read_real(part, value, 0.0, 1.0, "must be a number from 0 to 1", &s->r_squared, err);
    }
}

enum gs_status gs_sensor_parse(struct gs_str text, struct gs_sensor_spec *spec, struct gs_err *err)
{
    /* *spec is written at the end only, so a list with one bad part changes nothing. */
    struct gs_sensor_spec s = GS_SENSOR_UNSAID;
    bool given[KEYS] = {false};
    /*
     * `at` may equal the length: an empty text and a trailing comma are an empty part, which is
     * refused.
     */
    for (size_t at = 0; at <= text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] != ',')
            end++;
        GS_TRY(read_part((struct gs_str){text.ptr + at, end - at}, &s, given, err));
        at = end + 1;
    }
    *spec = s;
    return GS_OK;
}

static const char *source_words(enum gs_sensor_source from, bool timing)
{
    switch (from) {
    case GS_SENSOR_LOG:
        return "from the log";
    case GS_SENSOR_CARD:
        return "from the table of cards";
    case GS_SENSOR_GIVEN:
        return "given";
    case GS_SENSOR_METER:
        return "a power analyser's";
    case GS_SENSOR_FIT:
        return "fitted to the events";
    default:
        return timing ? "assumed" : "unknown";
    }
}

/* "100 ms"; "30 s" of what would be 3e+04 ms. */
static void note_length(struct gs_buf *b, const char *before, int64_t ns)
{
    const double ms = (double)ns / (double)GS_NS_PER_MS;
    if (ms < 1e4)
        gs_buf_format(b, "%s %.4g ms", before, ms);
    else
        gs_buf_format(b, "%s %.4g s", before, ms / 1e3);
}

static void note_time(struct gs_buf *b, const char *what, int64_t ns, enum gs_sensor_source from)
{
    note_length(b, what, ns);
    gs_buf_format(b, " (%s)", source_words(from, true));
}

void gs_sensor_describe(const struct gs_sensor *s, struct gs_buf *b)
{
    if (s->rhythm == GS_RHYTHM_COUNTED) {
        note_length(b, "energy counter, renewed every", s->interval_ns);
    } else if (s->period_from == GS_SENSOR_UNKNOWN) {
        note_length(b, "period not seen in samples", s->interval_ns);
        gs_buf_text(b, " apart, ");
    } else {
        note_time(b, "period", s->period_ns, s->period_from);
        gs_buf_text(b, ", ");
    }
    if (s->rhythm != GS_RHYTHM_COUNTED)
        note_time(b, "window", s->window_ns, s->window_from);
    if (s->delay_ns > 0) {
        gs_buf_text(b, ", ");
        note_time(b, "delay", s->delay_ns, s->delay_from);
    }
    note_length(b, s->shift_ns < 0 ? ", times early by" : ", readings lag",
                (int64_t)gs_magnitude(s->shift_ns));
    gs_buf_text_if(b, s->log_cut_ns > 0, " (whole seconds)");
    if (s->scale_from == GS_SENSOR_UNKNOWN) {
        gs_buf_format(b, ", gain and offset unknown");
        return;
    }
    gs_buf_format(b, ", reading = %.6g x power %c %.4g W (%s)", s->gain,
                  s->offset_w < 0 ? '-' : '+', fabs(s->offset_w),
                  source_words(s->scale_from, false));
    gs_buf_format(b, ", standard errors %.2g %% and %.3g W", (double)s->gain_ppm / 1e4,
                  (double)s->offset_uw / 1e6);
}
