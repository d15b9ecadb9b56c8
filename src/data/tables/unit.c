/* unit.c - the table of units, and numbers as exporters write them. */
#include "data/tables/unit.h"

#include <string.h>

static const struct {
    const char *names; /* parted by blanks; with capitals they count, else in any case */
    struct gs_unit unit;
} units[] = {
    {"w watt watts \xd0\x92\xd1\x82 \xd0\xb2\xd1\x82 \xe7\x93\xa6", /* Cyrillic, Chinese */
     {GS_Q_POWER, 1, 1, "W"}},
    {"MW megawatt megawatts", {GS_Q_POWER, 1000000, 1, "MW"}},
    {"mw mwatt mwatts milliwatt milliwatts", {GS_Q_POWER, 1, 1000, "mW"}},
    {"dw dwatt deciwatt deciwatts", {GS_Q_POWER, 1, 10, "dW"}},
    {"uw uwatt uwatts microwatt microwatts", {GS_Q_POWER, 1, 1000000, "uW"}},
    {"kw kwatt kwatts kilowatt kilowatts", {GS_Q_POWER, 1000, 1, "kW"}},
    {"MJ megajoule megajoules", {GS_Q_ENERGY, 1000000, 1, "MJ"}},
    {"j joule joules ws wattsecond wattseconds", {GS_Q_ENERGY, 1, 1, "J"}},
    {"mj millijoule millijoules", {GS_Q_ENERGY, 1, 1000, "mJ"}},
    {"uj microjoule microjoules", {GS_Q_ENERGY, 1, 1000000, "uJ"}},
    {"kj kilojoule kilojoules", {GS_Q_ENERGY, 1000, 1, "kJ"}},
    {"uwh", {GS_Q_ENERGY, 3600, 1000000, "uWh"}},
    {"mwh", {GS_Q_ENERGY, 3600, 1000, "mWh"}},
    {"wh", {GS_Q_ENERGY, 3600, 1, "Wh"}},
    {"kwh", {GS_Q_ENERGY, 3600000, 1, "kWh"}},
    {"% pct percent perc percentage", {GS_Q_SHARE, 1, 1, "%"}},
    {"share ratio fraction", {GS_Q_SHARE, 100, 1, "share"}},
    {"b byte bytes", {GS_Q_MEMORY, 1, 1 << 20, "B"}},
    {"kib", {GS_Q_MEMORY, 1, 1024, "KiB"}},
    {"mib", {GS_Q_MEMORY, 1, 1, "MiB"}},
    {"gib", {GS_Q_MEMORY, 1024, 1, "GiB"}},
    {"kb", {GS_Q_MEMORY, 1000, 1 << 20, "KB"}},
    {"mb", {GS_Q_MEMORY, 1000000, 1 << 20, "MB"}},
    {"gb", {GS_Q_MEMORY, 1000000000, 1 << 20, "GB"}},
    {"c celsius degc \xc2\xb0"
     "c \xe2\x84\x83", /* as one letter, too */
     {GS_Q_TEMPERATURE, 1, 1, "C"}},
    {"mc millicelsius millidegc", {GS_Q_TEMPERATURE, 1, 1000, "mC"}},
    {"hz", {GS_Q_CLOCK, 1, 1000000, "Hz"}},
    {"khz", {GS_Q_CLOCK, 1, 1000, "kHz"}},
    {"mhz megahertz", {GS_Q_CLOCK, 1, 1, "MHz"}},
    {"ghz", {GS_Q_CLOCK, 1000, 1, "GHz"}},
    {"ns nanos nanosecond nanoseconds nsec unixnano", {GS_Q_TIME, 1, 1, "ns"}},
    {"us micros microsecond microseconds usec \xc2\xb5s \xce\xbcs", {GS_Q_TIME, 1000, 1, "us"}},
    {"ms millis millisecond milliseconds msec", {GS_Q_TIME, 1000000, 1, "ms"}},
    {"s sec secs second seconds", {GS_Q_TIME, 1000000000, 1, "s"}},
    {"min minute minutes", {GS_Q_TIME, 60000000000, 1, "min"}},
    {"h hour hours", {GS_Q_TIME, 3600000000000, 1, "h"}},
    {"days", {GS_Q_TIME, 86400000000000, 1, "days"}},
    {"mib/s", {GS_Q_RATE, 1, 1, "MiB/s"}},
    {"mb/s", {GS_Q_RATE, 1000000, 1 << 20, "MB/s"}},
    {"kb/s", {GS_Q_RATE, 1000, 1 << 20, "KB/s"}},
    {"b/s", {GS_Q_RATE, 1, 1 << 20, "B/s"}},
};

/* The order of the table matters: MW stands before mw, which takes any case. */
struct gs_unit gs_unit_find(struct gs_str text)
{
    for (size_t i = 0; text.len > 0 && i < sizeof units / sizeof *units; i++)
        if (gs_is_word_of(text, units[i].names))
            return units[i].unit;
    return GS_UNIT_NONE;
}

struct gs_unit gs_unit_counted(struct gs_str text, int64_t *count)
{
    const size_t n = gs_str_skip(text, 0, GS_ALL_DIGITS);
    const struct gs_unit unit = gs_unit_find(gs_trimmed(gs_str_after(text, n)));
    uint64_t several = 1;
    if (n > 0 && (gs_count_parse(gs_str_part(text, 0, n), INT32_MAX, &several) != GS_NUMBER_OK ||
                  several == 0 || unit.num > INT64_MAX / (int64_t)several))
        return GS_UNIT_NONE;
    *count = (int64_t)several;
    return unit;
}

struct gs_unit gs_reading_unit(struct gs_str reading)
{
    const size_t n = gs_str_until_back(reading, reading.len, GS_ALL_DIGITS ".");
    return gs_unit_find(gs_trimmed(gs_str_after(reading, n)));
}

enum gs_quantity gs_metric_quantity(const struct gs_metric *m)
{
    return gs_unit_find(gs_str(m->unit)).quantity;
}

/*
 * DCGM writes "no value" as numbers near the ends of its integers. Read as readings they would be
 * powers of 2 GW; the values are DCGM's DCGM_INT32_BLANK and the like.
 */
static bool is_blank_number(struct gs_str t)
{
    if (t.len < 10 || t.len > 24 || memchr("219", t.ptr[0], 3) == NULL)
        return false;
    const struct gs_str whole = {t.ptr, gs_str_find_byte(t, '.')};
    return GS_IS_ONE_OF(whole, "2147483632", "2147483633", "2147483634", "2147483635",
                        "140737488355328", "9223372036854775792", "9223372036854775793",
                        "9223372036854775794", "9223372036854775795");
}

/* How nvidia-smi writes throttle reasons: one as "Active" or "Not Active", all together as 0x0000000000000004. */
static bool parse_reason(struct gs_str text, int64_t *value)
{
    int64_t bits = 0;
    if (gs_str_eq_nocase(text, gs_str("Active")) || gs_str_eq_nocase(text, gs_str("Not Active"))) {
        *value = text.len == 6 ? GS_FIXED_ONE : 0;
        return true;
    }
    if (text.len < 3 || text.ptr[0] != '0' || (text.ptr[1] | 32) != 'x')
        return false;
    for (size_t i = 2; i < text.len; i++) {
        const int digit = gs_hex_digit(gs_lower(text.ptr[i]));
        if (digit < 0 ||
            bits > INT64_C(0xfffffffff)) /* what fits a reading, and far more than there are */
            return false;
        bits = bits << 4 | digit;
    }
    *value = bits * GS_FIXED_ONE;
    return true;
}

/* The length of what parts groups of three digits here: 1,902 or 1'902, or with a narrow blank; 0: nothing does. */
static size_t group_mark(struct gs_str rest)
{
    static const char *const marks[] = {
        ",", "'", "\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf", "\xe2\x80\x99"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (gs_str_begins(rest, marks[i]))
            return strlen(marks[i]);
    return 0;
}

/* 62,000 or -1,062,000.5: the text without what parts its groups of three digits; ptr == NULL: it is not such. */
static struct gs_str without_groups(struct gs_str text, char *room, size_t size)
{
    size_t n = gs_str_begins(text, "-"), first = gs_str_skip(text, n, GS_ALL_DIGITS);
    if (text.len >= size || first == n || first - n > 3)
        return GS_NO_STR;
    memcpy(room, text.ptr, n = first);
    for (size_t mark; (mark = group_mark(gs_str_after(text, first))) > 0; n += 3) {
        const size_t end = gs_str_skip(text, first + mark, GS_ALL_DIGITS);
        if (end != first + mark + 3)
            return GS_NO_STR;
        memcpy(room + n, text.ptr + first + mark, 3);
        first = end;
    }
    memcpy(room + n, text.ptr + first, text.len - first);
    return (struct gs_str){room, n + text.len - first};
}

/*
 * A unit in the cell wins over the column's if it measures the same quantity; otherwise the cell
 * is no number: "45 C" in a column of watts is a shifted row.
 */
enum gs_number gs_scaled_parse(struct gs_str text, struct gs_unit unit, int64_t *value,
                               bool *rounded)
{
    struct gs_decimal d;
    text = gs_trimmed(text);
    if (is_blank_number(text))
        return GS_NUMBER_MISSING;
    /* Most readings by far: no unit to convert and none behind the number. */
    if (unit.num == 1 && unit.den == 1) {
        const enum gs_number n = gs_fixed_parse(text, value, rounded);
        if (n != GS_NUMBER_BAD)
            return n;
    }
    if (text.len == 0 || gs_is_missing_word(text))
        return GS_NUMBER_MISSING;
    if (parse_reason(text, value))
        return GS_NUMBER_OK;
    struct gs_str rest = text;
    char ungrouped[80];
    if (!gs_decimal_take(&rest, &d))
        return GS_NUMBER_BAD;
    if (group_mark(rest) > 0) {
        rest = without_groups(text, ungrouped, sizeof ungrouped);
        if (!gs_decimal_take(&rest, &d))
            return GS_NUMBER_BAD;
    }
    const size_t slash = gs_str_find(rest, "/ "), limit = gs_str_skip(rest, slash, "/ ");
    if (limit < rest.len &&
        gs_is_digit(rest.ptr[limit])) /* 59W / 400W: the reading, and its limit */
        rest.len = slash;
    rest = gs_trimmed(rest);
    if (rest.len > 0) {
        const struct gs_unit own = gs_unit_find(rest);
        if (own.quantity == GS_Q_NONE ||
            (unit.quantity != GS_Q_NONE && own.quantity != unit.quantity))
            return GS_NUMBER_BAD;
        unit = own;
    }
    return gs_decimal_scale(&d, 6, unit.num, unit.den, value, rounded) ? GS_NUMBER_OK
                                                                       : GS_NUMBER_RANGE;
}

/* Points before a comma group digits: 1.902,5. Where a point is behind it the comma does, as in the usual way. */
enum gs_number gs_scaled_parse_comma(struct gs_str text, struct gs_unit unit, int64_t *value,
                                     bool *rounded)
{
    char with_point[80];
    const size_t comma = gs_str_until(text, 0, ",");
    size_t n = 0;
    if (comma == text.len || gs_str_until(text, comma, ".") < text.len ||
        text.len >= sizeof with_point)
        return gs_scaled_parse(text, unit, value, rounded);
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        if (c == '.' && gs_str_skip(text, i + 1, GS_ALL_DIGITS) != i + 4)
            return GS_NUMBER_BAD;
        with_point[n] = c == ',' ? '.' : c;
        n += c != '.';
    }
    return gs_scaled_parse((struct gs_str){with_point, n}, unit, value, rounded);
}
