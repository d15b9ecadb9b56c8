/* number_text.c - formats numbers for sentences. */
#include "data/result/number_text.h"

#include <math.h>

void gs_words_count(struct gs_buf *b, uint64_t n)
{
    char text[32];
    size_t at = sizeof text, digits = 0;
    do {
        if (digits > 0 && digits % 3 == 0)
            text[--at] = ',';
        text[--at] = (char)('0' + n % 10);
        n /= 10;
        digits++;
    } while (n > 0);
    gs_buf_bytes(b, text + at, sizeof text - at);
}

void gs_words_real(struct gs_buf *b, double value, int decimals)
{
    uint64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    if (isnan(value)) {
        gs_buf_char(b, '-');
        return;
    }
    const double scaled = round(fabs(value) * (double)unit);
    if (!(scaled < 1e18)) {
        gs_buf_format(b, "%.3e", value);
        return;
    }
    const uint64_t whole = (uint64_t)scaled;
    if (value < 0 && whole > 0)
        gs_buf_char(b, '-');
    gs_words_count(b, whole / unit);
    if (decimals > 0)
        gs_buf_format(b, ".%0*llu", decimals, (unsigned long long)(whole % unit));
}

void gs_words_counted(struct gs_buf *b, uint64_t n, const char *noun)
{
    gs_words_count(b, n);
    gs_buf_format(b, gs_plural(n, " %s", " %ss"), noun);
}

void gs_words_energy(struct gs_buf *b, double joules)
{
    static const struct {
        double from, factor; /* shown so from here on */
        const char *unit;
    } units[] = {{3.6e10, 3.6e9, "MWh"}, {3.6e6, 3.6e6, "kWh"}, {360, 3.6e3, "Wh"}, {0, 1, "J"}};
    size_t k = 0;
    while (fabs(joules) < units[k].from)
        k++;
    const double shown = joules / units[k].factor, size = fabs(shown);
    gs_words_real(b, shown, (size < 1000) + (size < 100) + (size < 10));
    gs_buf_format(b, " %s", units[k].unit);
}

void gs_words_time(struct gs_buf *b, double seconds)
{
    const double s = fabs(seconds);
    const bool ms = s < 1, minutes = s >= 120, hours = s >= 7200;
    if (ms) {
        gs_words_real(b, seconds * 1e3, 1);
        gs_buf_text(b, " ms");
    } else if (hours) {
        gs_words_real(b, seconds / 3600, 1);
        gs_buf_text(b, " h");
    } else {
        gs_words_real(b, minutes ? seconds / 60 : seconds, 1);
        gs_buf_text(b, minutes ? " min" : " s");
    }
}

const char *gs_buf_piece(struct gs_buf *to, const struct gs_buf *text)
{
    to->failed |= text->failed;
    return gs_or_empty(gs_buf_whole(text));
}

/* What gs_words_NAME puts, as a text of its own that a sentence of `b` is made of. */
#define TEXT_OF(name, parameters, ...)                                                             \
    const char *gs_##name##_text parameters                                                        \
    {                                                                                              \
        struct gs_buf text = {.arena = b->arena};                                                  \
        gs_words_##name(&text, __VA_ARGS__);                                                       \
        return gs_buf_piece(b, &text);                                                             \
    }
TEXT_OF(real, (struct gs_buf * b, double value, int decimals), value, decimals)
TEXT_OF(count, (struct gs_buf * b, uint64_t n), n)
TEXT_OF(counted, (struct gs_buf * b, uint64_t n, const char *noun), n, noun)
TEXT_OF(energy, (struct gs_buf * b, double joules), joules)
TEXT_OF(time, (struct gs_buf * b, double seconds), seconds)
