/*
 * Numbers, times, zones and lengths of time of any bytes: what is read is written, and read again as the same; two
 * readers of one number agree. The first byte chooses the zone of times that name none.
 */
#include "target.h"
#include <math.h>

#include "base/num/decimal.h"
#include "base/num/timestamp.h"

static void try_time(struct gs_str text, int32_t offset_s)
{
    struct gs_time_reader r = {.zone = {.offset_s = offset_s}}, utc = {0};
    int64_t t = 42, again = 0;
    char room[GS_TIME_TEXT_MAX];
    if (!gs_time_parse(&r, text, &t)) {
        MUST(t == 42);
        return;
    }
    const int n = gs_time_format(room, t);
    MUST(n > 0 && n < GS_TIME_TEXT_MAX);
    MUST(gs_time_parse(&utc, (struct gs_str){room, (size_t)n}, &again) && again == t &&
         !utc.zoneless && !utc.rounded);
}

static void try_real(struct gs_str text)
{
    double v = 0, again = 0;
    int64_t fixed = 0;
    bool rounded = false;
    char room[GS_REAL_TEXT_MAX];
    const enum gs_number n = gs_real_parse(text, &v), f = gs_fixed_parse(text, &fixed, &rounded);
    MUST((n == GS_NUMBER_MISSING) == (f == GS_NUMBER_MISSING) &&
         (n == GS_NUMBER_BAD) == (f == GS_NUMBER_BAD));
    if (n != GS_NUMBER_OK)
        return;
    MUST(isfinite(v));
    const int len = gs_real_format(room, v);
    MUST(len > 0 && len < GS_REAL_TEXT_MAX);
    MUST(gs_real_parse((struct gs_str){room, (size_t)len}, &again) == GS_NUMBER_OK && again == v);
    /* Half a unit of the fixed point, and what a double of that size can hold. */
    if (f == GS_NUMBER_OK)
        MUST(fabs((double)fixed / 1e6 - v) <= 0.5e-6 * (1 + 1e-9) + fabs(v) * 0x1p-52);
}

static void try_whole(struct gs_str text)
{
    uint64_t v = 0, again = 0;
    char room[GS_REAL_TEXT_MAX];
    if (gs_count_parse(text, INT64_MAX, &v) != GS_NUMBER_OK)
        return;
    MUST(v <= INT64_MAX);
    const int n = gs_int_format(room, (int64_t)v);
    MUST(gs_count_parse((struct gs_str){room, (size_t)n}, INT64_MAX, &again) == GS_NUMBER_OK &&
         again == v);
}

static void try_length(struct gs_str text)
{
    int64_t ns = -1, again = 0;
    char room[GS_REAL_TEXT_MAX + 2];
    if (!gs_duration_parse(text, &ns)) {
        MUST(ns == -1);
        return;
    }
    MUST(ns >= 0);
    const int n = gs_int_format(room, ns);
    memcpy(room + n, "ns", 2);
    MUST(gs_duration_parse((struct gs_str){room, (size_t)n + 2}, &again) && again == ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct gs_str text = {(const char *)data + 1, size - 1};
    const int32_t offset_s = ((int32_t)data[0] - 128) * 60;
    int32_t zone = 0;
    try_time(text, offset_s);
    try_real(text);
    try_whole(text);
    try_length(text);
    if (gs_zone_parse(text, &zone))
        MUST(zone >= -86400 && zone <= 86400);
    return 0;
}
