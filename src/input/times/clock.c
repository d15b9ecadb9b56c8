/* clock.c - parses the text of a time in any supported format. */
#include "input/times/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/num/order.h"
#include "input/times/zone_file.h"
#include "input/scanner/byte_words.h"
#include "base/num/date_form.h"
#include "base/core/pattern.h"

/* Instants of a log lie in the years 2000 to 2100. */
static const int64_t from_ns = GS_TIME_DATED_NS, to_ns = GS_TIME_BEYOND_NS;
static const int64_t day_ns = INT64_C(86400) * GS_NS_PER_S;

/*
 * Words that real tools write: nvidia-smi in brackets, rocm-smi with a reason, Prometheus its
 * infinities. A new word belongs here and not into a format.
 */
bool gs_is_no_value(struct gs_str t)
{
    t = gs_trimmed(t);
    if (t.len == 0)
        return true;
    /* No word begins with a digit or ends in one, but for a reason behind N/A. */
    if (t.len > 32 || gs_is_digit(t.ptr[0]) || (gs_is_digit(t.ptr[t.len - 1]) && t.ptr[0] != 'N'))
        return false;
    if (gs_is_missing_word(t) ||
        GS_IS_ONE_OF(t, "-", "NA", "none", "null", "unknown", "ERR!", "[Insufficient Permissions]",
                     "[GPU is lost]", "[Not Found]", "[N/A]", "+Inf", "-Inf", "Inf", "Infinity",
                     "-Infinity"))
        return true;
    return t.len > 5 && memcmp(t.ptr, "N/A (", 5) == 0; /* rocm-smi says why */
}

/*
 * A number, perhaps with a fraction or an exponent. Only tells numbers from dates: "1.2.3" passes
 * here and is refused by number_ns.
 */
static bool is_number(struct gs_str t)
{
    for (size_t i = 0; i < t.len; i++) {
        const char c = t.ptr[i];
        const bool sign =
            (c == '+' || c == '-') && (i == 0 || t.ptr[i - 1] == 'e' || t.ptr[i - 1] == 'E');
        const bool exponent = (c == 'e' || c == 'E') && i > 0;
        if (!gs_is_digit(c) && c != '.' && !sign && !exponent)
            return false;
    }
    return t.len > 0;
}

/* In integers: a double has 53 bits and would round nanoseconds since 1970 to 256 ns. */
static bool number_ns(struct gs_str t, int64_t ns_per, bool *rounded, int64_t *out)
{
    struct gs_decimal d;
    return gs_decimal_take(&t, &d) && t.len == 0 &&
           gs_decimal_scale(&d, 0, ns_per, 1, out, rounded);
}

struct gs_clock gs_clock_of(struct gs_str separator)
{
    return (struct gs_clock){.origin_ns = GS_MISSING,
                             .last_of_day_ns = -1,
                             .commas = separator.len == 1 && gs_takes_commas(separator.ptr[0])};
}

enum gs_status gs_clock_adjust(struct gs_clock *c, const struct gs_source *s, const char *name,
                               struct gs_arena *arena, struct gs_err *err)
{
    struct gs_err why = {0};
    struct gs_str shift = s->shift;
    const enum gs_status status =
        s->zone.ptr == NULL ? GS_OK : gs_zone_named(s->zone, arena, &c->reader.zone, &why);
    if (status != GS_OK)
        return gs_fail(err, status == GS_ERR_USAGE ? GS_ERR_DATA : status, "%s: zone: %s", name,
                       why.text);
    const bool back = gs_str_begins(shift, "-");
    shift = gs_str_after(shift, back || gs_str_begins(shift, "+"));
    if (gs_str_eq(shift, gs_str("auto")))
        return gs_fail(err, GS_ERR_DATA,
                       "%s: shift: 'auto' is what `gpustat power SAMPLES --windows EVENTS --shift "
                       "auto` finds; say the length of time that it names",
                       name);
    if (shift.ptr != NULL && !gs_duration_parse(shift, &c->shift_ns))
        return gs_fail(err, GS_ERR_DATA,
                       "%s: shift: '%s' is not a length of time such as 2s or -500ms", name,
                       GS_SHOWN(s->shift, 128));
    c->shift_ns = back ? -c->shift_ns : c->shift_ns;
    return GS_OK;
}

/*
 * The origin may come from the file's name (run-20240501.csv), and is read in the source's own
 * zone.
 */
enum gs_status gs_clock_init(struct gs_clock *c, const struct gs_source *s, struct gs_str path,
                             const char *name, struct gs_arena *arena, struct gs_err *err)
{
    struct gs_clock k = *c;
    k.last_of_day_ns = -1;
    k.commas = gs_clock_of(s->separator).commas;
    k.in_order = s->job.kind == GS_VALUE_NONE; /* lists of jobs are in any */
    GS_TRY(gs_clock_adjust(&k, s, name, arena, err));
    if (s->origin.kind != GS_VALUE_NONE) {
        struct gs_kept kept = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
        struct gs_str text = s->origin.text;
        struct gs_time_reader r = k.reader;
        struct gs_clock parse = {.reader = r, .origin_ns = GS_MISSING};
        if (s->origin.kind == GS_VALUE_FILE &&
            (!gs_pattern_match_path(s->origin.text, path, &kept) || kept.part.ptr == NULL))
            return gs_fail(err, GS_ERR_DATA,
                           "%s: origin: the file's name does not fit the pattern '%s'", name,
                           GS_SHOWN(s->origin.text, 128));
        text = s->origin.kind == GS_VALUE_FILE ? kept.part : text;
        const enum gs_time_fault f =
            gs_clock_read(&parse, text, s->origin.unit, GS_UNIT_NONE, &k.origin_ns);
        if (f != GS_TIME_OK &&
            (f != GS_TIME_OUTSIDE || is_number(text))) /* a date is any that was meant */
            return gs_fail(err, GS_ERR_DATA,
                           "%s: origin: '%s' is not an instant such as 2024-05-01T12:00:00Z", name,
                           GS_SHOWN(text, 128));
    }
    *c = k;
    return GS_OK;
}

static int64_t time_of_day(const struct gs_civil *v)
{
    return ((int64_t)v->hour * 3600 + (int64_t)v->minute * 60 + (int64_t)v->second) * GS_NS_PER_S +
           v->ns;
}

/*
 * A time of a day or an hour of `all_ns`, one of these later whenever the clock goes far back. Half of it means the end; less
 * is a row out of order, which must not add to all later rows.
 */
static int64_t counted_on(struct gs_clock *c, const struct gs_civil *v, int64_t all_ns)
{
    const int64_t part_ns = time_of_day(v);
    if (c->last_of_day_ns >= 0 && part_ns < c->last_of_day_ns - all_ns / 2)
        c->days_ns += all_ns;
    c->last_of_day_ns = part_ns;
    return c->days_ns + part_ns;
}

/* What counts from the begin of a run, from the origin on where there is one. */
static enum gs_time_fault from_origin(const struct gs_clock *c, int64_t *t_ns)
{
    const bool beyond =
        c->origin_ns != GS_MISSING && __builtin_add_overflow(*t_ns, c->origin_ns, t_ns);
    return beyond ? GS_TIME_BAD : GS_TIME_OK;
}

/* hh:mm:ss on the day that the origin names. */
static enum gs_time_fault of_day(struct gs_clock *c, const struct gs_civil *v, int64_t *t_ns)
{
    if (c->origin_ns == GS_MISSING)
        return GS_TIME_OF_DAY;
    const int64_t offset_ns =
        gs_zone_offset_at(&c->reader.zone, c->origin_ns / GS_NS_PER_S) * GS_NS_PER_S;
    const int64_t local = c->origin_ns + offset_ns;
    const int64_t midnight = local - (local % day_ns + day_ns) % day_ns;
    int32_t offset_s;
    const int64_t there = midnight + counted_on(c, v, day_ns);
    if (!gs_zone_offset_of_local(&c->reader, there / GS_NS_PER_S, &offset_s))
        return GS_TIME_ZONE_HOUR;
    *t_ns = there - offset_s * GS_NS_PER_S;
    return GS_TIME_OK;
}

/* The year in which a day is nearest to the origin. */
static unsigned year_by_origin(const struct gs_clock *c, const struct gs_civil *v)
{
    enum { DAYS_OF_400_YEARS = 146097 };
    const int64_t origin = c->origin_ns / day_ns, about = 1970 + origin * 400 / DAYS_OF_400_YEARS;
    int64_t best = about - 1;
    for (int64_t year = about; year <= about + 1; year++)
        if (llabs(gs_days_from_civil(year, v->month, v->day) - origin) <
            llabs(gs_days_from_civil(best, v->month, v->day) - origin))
            best = year;
    return (unsigned)best;
}

/* The years are those whose nanoseconds fit int64_t, with a year's margin for zones. */
static enum gs_time_fault read_form(struct gs_clock *c, struct gs_str text, struct gs_str form,
                                    int64_t *t_ns)
{
    struct gs_civil v;
    if (!gs_date_by_form(text, form, &v))
        return GS_TIME_BAD;
    if (!v.has_date && v.of_hour) { /* mm:ss */
        *t_ns = counted_on(c, &v, day_ns / 24);
        return from_origin(c, t_ns);
    }
    if (!v.has_date)
        return of_day(c, &v, t_ns);
    const bool yearless = gs_str_find(form, "YYYY") == form.len;
    if (v.month < 1 || v.month > 12 || v.day < 1 || v.day > 31)
        return GS_TIME_BAD;
    if (yearless && c->origin_ns == GS_MISSING)
        return GS_TIME_OF_YEAR;
    v.year = yearless ? year_by_origin(c, &v) : v.year;
    if (v.year < 1678 || v.year > 2261)
        return GS_TIME_BAD;
    const int64_t local_s = gs_days_from_civil(v.year, v.month, v.day) * 86400 +
                            (int64_t)v.hour * 3600 + (int64_t)v.minute * 60 + (int64_t)v.second;
    const bool zoneless = !v.utc;
    int32_t offset_s = v.offset_s;
    if (zoneless && !gs_zone_offset_of_local(&c->reader, local_s, &offset_s))
        return GS_TIME_ZONE_HOUR;
    *t_ns = (local_s - offset_s) * GS_NS_PER_S + v.ns;
    c->zoned |= v.utc;
    c->reader.zoneless |= zoneless;
    return GS_TIME_OK;
}

const char gs_date_with_zone[] = "* Mon DD hh:mm:ss * YYYY";

/*
 * What a text that is no time looks like, so that the message can help. Only called for texts
 * that are no time, so its cost does not matter. 03/04/2024 is two dates: it is named as such and
 * never guessed.
 */
static enum gs_time_fault fault_of(struct gs_clock *c, struct gs_str t, int64_t *t_ns)
{
    struct gs_civil v;
    static const char *const forms[] = {"DD-MM-YYYY hh:mm:ss", "DD/MM/YYYY hh:mm:ss",
                                        "DD-MM-YYYYThh:mm:ss", "DD/MM/YYYY hh:mm:ss AM",
                                        "DD-MM-YYYY hh:mm",    "DD/MM/YYYY hh:mm"};
    if (gs_date_by_form(t, gs_str("hh:mm:ss"), &v))
        return of_day(c, &v, t_ns);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (gs_date_by_form(t, gs_str(forms[i]), &v))
            return GS_TIME_DAY_MONTH;
    if (gs_date_by_form(t, gs_str(gs_date_with_zone), &v))
        return GS_TIME_ZONE_WORD;
    size_t n = gs_str_skip_back(t, t.len, GS_ALL_LETTERS);
    struct gs_time_reader r = {0};
    int64_t ignored;
    if (n < t.len)
        n = gs_str_skip_back(t, n, " ");
    return n < t.len && n > 10 && gs_time_parse(&r, (struct gs_str){t.ptr, n}, &ignored)
               ? GS_TIME_ZONE_WORD
               : GS_TIME_BAD;
}

/*
 * Forms that mean one thing everywhere: with points the day stands first, and a month's name is no day. With dashes and
 * slashes the day may be the month. `date` writes the day's name, and UTC as the zone's.
 */
static const char *const plain[] = {
    "DD.MM.YYYY hh:mm:ss",
    "DD.MM.YYYYThh:mm:ss",
    "DD.MM.YYYY hh:mm",
    "* Mon DD hh:mm:ss YYYY",
    "* Mon DD hh:mm:ss UTC YYYY",
    "* Mon DD hh:mm:ss AM UTC YYYY",
    "* DD Mon YYYY hh:mm:ss AM",
    "* DD Mon YYYY hh:mm:ss",
    "Mon DD YYYY hh:mm:ss",
    "Mon DD hh:mm:ss YYYY", /* LSF */
    "DD Mon YYYY hh:mm:ss",
    "DD-Mon-YYYY hh:mm:ss",
    "DD/Mon/YYYY:hh:mm:ss", /* Apache */
    "YYYY-MM-DD hh:mm:ss AM",
    "YYYY/MM/DD hh:mm:ss AM",
    "YYYY-MM-DD-hh:mm:ss",
    "YYYY-MM-DD_hh:mm:ss",
    "YYYY-MM-DD_hh-mm-ss",
    "YYYY-MM-DD-hh-mm-ss",
    "YYYY-MM-DD-hh:mm:ss-UTC",
    "YYYYMMDD_hhmmss",
    "YYYYMMDDThh:mm:ss",
    "YYYYMMDDThhmmss",
    "YYYYMMDD-hhmmss",
    "YYYY-MM-DD hh:mm:ss", /* a colon before the parts of the second */
    "YYYY-MM-DD hh:mm",
    "YYYY/MM/DD hh:mm",
    "YYYY-MM-DDThh:mm",
    "Mon DD hh:mm:ss", /* syslog, and LSF below */
    "Mon DD hh:mm",
    "MM-DD hh:mm:ss",
    "IMMDD hh:mm:ss", /* glog: a letter for the level */
    "WMMDD hh:mm:ss",
    "EMMDD hh:mm:ss",
};

/* "1 days 02:03:04.5", "1 day, 2:03:04": a length of time as pandas and Python print it. */
static enum gs_time_fault read_days(const struct gs_clock *c, struct gs_str text, int64_t *t_ns)
{
    enum { LONGEST = 36525 };
    static const char day[] = " day";
    const size_t at = gs_str_find(text, day);
    const struct gs_str behind = gs_str_after(text, at + sizeof day - 1);
    uint64_t days;
    struct gs_civil v;
    if (at == text.len ||
        gs_count_parse(gs_str_part(text, 0, at), LONGEST, &days) != GS_NUMBER_OK ||
        !gs_date_by_form(gs_str_strip(behind, "s, "), gs_str("hh:mm:ss"), &v))
        return GS_TIME_BAD;
    *t_ns = (int64_t)days * day_ns + time_of_day(&v);
    return from_origin(c, t_ns);
}

/* A date, in one of the forms that need no unit. */
static enum gs_time_fault read_date(struct gs_clock *c, struct gs_str text, int64_t *t_ns)
{
    const bool zoneless = c->reader.zoneless;
    c->reader.zoneless = false;
    const bool ok = gs_time_parse(&c->reader, text, t_ns);
    c->zoned |= ok && !c->reader.zoneless;
    c->reader.zoneless |= zoneless;
    if (ok)
        return GS_TIME_OK;
    const size_t since_start = gs_str_find(text, " m="); /* as Go prints it, behind the time */
    if (since_start < text.len)
        return read_date(c, gs_str_part(text, 0, since_start), t_ns);
    if (gs_str_begins(text, "[") && gs_str_ends(text, "]"))
        text = gs_str_part(text, 1, text.len - 1);
    if (gs_str_skip(text, 0, GS_ALL_LETTERS) > 0 && /* LSF: by its limit, estimated, beyond it */
        (gs_str_ends(text, " L") || gs_str_ends(text, " E") || gs_str_ends(text, " X")))
        text.len -= 2;
    for (size_t i = 0; c->reader.hit == NULL && i < sizeof plain / sizeof *plain; i++) {
        const enum gs_time_fault f = read_form(c, text, gs_str(plain[i]), t_ns);
        if (f != GS_TIME_BAD)
            return f;
    }
    if (c->reader.hit != NULL)
        return GS_TIME_ZONE_HOUR;
    return read_days(c, text, t_ns) == GS_TIME_OK ? GS_TIME_OK : fault_of(c, text, t_ns);
}

/* A number in a unit that is known, from the origin on where there is one. */
static enum gs_time_fault read_in_unit(struct gs_clock *c, struct gs_str text, int64_t ns_per,
                                       int64_t *t_ns)
{
    if (!number_ns(text, ns_per, &c->reader.rounded, t_ns)) {
        *t_ns = INT64_MAX;
        return c->origin_ns == GS_MISSING ? GS_TIME_OUTSIDE : GS_TIME_BAD;
    }
    return from_origin(c, t_ns);
}

/*
 * A number since 1970 whose digits tell its unit: seconds, ms, us or ns. What gs_time_parse leaves
 * to its caller is read here: 1700000000123.5 is milliseconds with a fraction, 1.7e9 and .005 are
 * seconds.
 */
static enum gs_time_fault read_by_size(struct gs_clock *c, struct gs_str text, int64_t *t_ns)
{
    const char *const point = memchr(text.ptr, '.', text.len);
    const size_t whole = point == NULL ? text.len : (size_t)(point - text.ptr);
    const bool large = point != NULL && whole >= 12 && gs_str_skip(text, 0, GS_ALL_DIGITS) == whole;
    int64_t ns_per = GS_NS_PER_S;
    c->by_size |= whole >= 12;
    if (large) {
        ns_per = 1;
        if (whole < 18)
            ns_per = whole < 15 ? GS_NS_PER_MS : 1000;
    }
    if (large || memchr(text.ptr, 'e', text.len) != NULL ||
        memchr(text.ptr, 'E', text.len) != NULL || (whole == 0 && point != NULL))
        return number_ns(text, ns_per, &c->reader.rounded, t_ns) ? GS_TIME_OK : GS_TIME_BAD;
    *t_ns = INT64_MAX; /* a number of seconds beyond 2262 */
    return gs_time_parse(&c->reader, text, t_ns) ? GS_TIME_OK : GS_TIME_OUTSIDE;
}

/* The number whose digits stand from *n on, before place `most`; *n is behind them then. */
static uint64_t parse_digits(struct gs_str t, size_t *n, size_t most)
{
    const char *const end = t.ptr + gs_min(t.len, most), *p = t.ptr + *n;
    uint64_t v = 0;
    if (end - p >= 8) {
        const uint64_t eight = gs_load64(p) ^ UINT64_C(0x3030303030303030);
        if (!not_digits(eight)) {
            v = eight_digits(eight);
            p += 8;
        }
    }
    for (unsigned digit; p < end && (digit = (unsigned char)*p - '0') <= 9; p++)
        v = v * 10 + digit;
    *n = (size_t)(p - t.ptr);
    return v;
}

/*
 * An instant as nearly all exporters write it, a plain number: of seconds with a fraction, or without one in the unit
 * that is known or that its digits tell. False: not so written, the other readers say what it is.
 */
static bool read_plain(struct gs_clock *c, struct gs_str text, struct gs_unit u, int64_t *t_ns)
{
    static const int64_t by_digits[20] = {
        [10] = GS_NS_PER_S, [13] = GS_NS_PER_MS, [16] = 1000, [19] = 1};
    size_t n = 0;
    uint64_t part = 0;
    int64_t t;
    const uint64_t whole = parse_digits(text, &n, 19);
    const int64_t per = u.quantity == GS_Q_TIME ? u.num : by_digits[n];
    size_t end = n;
    if (per == GS_NS_PER_S && end + 1 < text.len && text.ptr[end] == '.') {
        end++;
        part = parse_digits(text, &end, n + 10) * gs_powers_of_ten[10 - (end - n)];
    }
    if (end < text.len || per == 0 || c->origin_ns != GS_MISSING ||
        __builtin_mul_overflow(whole, per, &t) || __builtin_add_overflow(t, part, &t) ||
        t < from_ns || t >= to_ns)
        return false;
    c->by_size |= u.quantity != GS_Q_TIME && n >= 12;
    *t_ns = t;
    return true;
}

enum { NUMBER_MAX = 32, COMPACT_DIGITS = 14 };

/*
 * A number with a comma for its point, in a table where that is usual or of the seconds since 1970, as text with a point; any
 * other text as it is.
 */
static struct gs_str pointed(const struct gs_clock *c, struct gs_str text, char room[NUMBER_MAX])
{
    enum { EPOCH_DIGITS = 10 };
    const size_t whole = gs_str_skip(text, 0, GS_ALL_DIGITS);
    if (whole == 0 || whole + 1 >= text.len || text.len >= NUMBER_MAX || text.ptr[whole] != ',' ||
        gs_str_skip(text, whole + 1, GS_ALL_DIGITS) < text.len ||
        (!c->commas && whole < EPOCH_DIGITS))
        return text;
    memcpy(room, text.ptr, text.len);
    room[whole] = '.';
    return (struct gs_str){room, text.len};
}

/*
 * What the map says comes first, then the unit in the column's name, then the number of digits. A
 * date needs none of them.
 */
static enum gs_time_fault read_any(struct gs_clock *c, struct gs_str text, struct gs_str unit,
                                   struct gs_unit named, int64_t *t_ns)
{
    if (unit.ptr != NULL && unit.ptr != c->unit_text) {
        c->unit_text = unit.ptr;
        c->unit = gs_unit_find(unit);
    }
    const struct gs_unit u = unit.ptr == NULL ? named : c->unit;
    char with_point[NUMBER_MAX];
    const bool has_form = unit.ptr != NULL && u.quantity != GS_Q_TIME;
    const bool is_plain = !has_form && read_plain(c, text, u, t_ns);
    if (!is_plain && gs_is_no_value(text))
        return GS_TIME_MISSING;
    if (!is_plain)
        text = pointed(c, text, with_point);
    if (has_form)
        return read_form(c, text, unit, t_ns);
    if (!is_plain && !is_number(text))
        return read_date(c, text, t_ns);
    /* As milliseconds they would begin in 2286. */
    const bool compact = !is_plain && gs_str_skip(text, 0, GS_ALL_DIGITS) == COMPACT_DIGITS;
    if (compact && u.quantity == GS_Q_NONE &&
        read_form(c, text, gs_str("YYYYMMDDhhmmss"), t_ns) == GS_TIME_OK)
        return GS_TIME_OK;
    c->zoned = true;
    if (is_plain)
        return GS_TIME_OK;
    if (u.quantity == GS_Q_TIME)
        return read_in_unit(c, text, u.num, t_ns);
    return c->origin_ns != GS_MISSING ? read_in_unit(c, text, GS_NS_PER_S, t_ns)
                                      : read_by_size(c, text, t_ns);
}

/*
 * Without an origin a time outside of 2000 to 2100 is most likely a clock that counts from the
 * boot, or a wrong unit: an error now is better than a series in 1970.
 */
static enum gs_time_fault read_one(struct gs_clock *c, struct gs_str text, struct gs_str unit,
                                   struct gs_unit named, int64_t *t_ns)
{
    int64_t t;
    text = gs_trimmed(text);
    if (text.ptr == NULL)
        return GS_TIME_MISSING;
    const enum gs_time_fault f = read_any(c, text, unit, named, &t);
    if (f == GS_TIME_OUTSIDE)
        *t_ns = t;
    if (f != GS_TIME_OK)
        return f;
    if (c->origin_ns == GS_MISSING && (t < from_ns || t >= to_ns)) {
        *t_ns = t;
        return GS_TIME_OUTSIDE;
    }
    if (__builtin_add_overflow(t, c->shift_ns, &t))
        return GS_TIME_BAD;
    *t_ns = t;
    return GS_TIME_OK;
}

/* Of an hour that occurs twice that is meant which the instant before is near; where none is, nobody knows. */
static bool settle_hour(struct gs_clock *c, struct gs_str text, struct gs_str unit,
                        struct gs_unit named, int64_t *t_ns)
{
    const struct gs_time_reader refused = c->reader;
    const struct gs_zone_shift *const s = refused.hit;
    const gs_i128 near = s == NULL ? 0 : (s->before_s - s->after_s) * (gs_i128)GS_NS_PER_S / 2;
    for (int k = GS_TWICE_FIRST; near > 0 && k <= GS_TWICE_SECOND; k++) {
        c->reader.twice = (enum gs_twice)k;
        const bool reads = read_one(c, text, unit, named, t_ns) == GS_TIME_OK;
        c->reader.twice = GS_TWICE_REFUSED;
        if (reads && gs_magnitude_i128((gs_i128)*t_ns - c->last_ns) < (gs_u128)near)
            return true;
    }
    c->reader = refused;
    return false;
}

enum gs_time_fault gs_clock_read(struct gs_clock *c, struct gs_str text, struct gs_str unit,
                                 struct gs_unit named, int64_t *t_ns)
{
    enum gs_time_fault f = read_one(c, text, unit, named, t_ns);
    if (f == GS_TIME_ZONE_HOUR && c->in_order && c->reader.twice == GS_TWICE_REFUSED &&
        settle_hour(c, text, unit, named, t_ns))
        f = GS_TIME_OK;
    if (f == GS_TIME_OK)
        c->last_ns = *t_ns;
    return f;
}

enum gs_time_fault gs_clock_read_alone(struct gs_str text, struct gs_str unit, struct gs_unit named,
                                       int64_t *t_ns)
{
    struct gs_clock c = gs_clock_of(GS_NO_STR);
    int64_t t;
    return gs_clock_read(&c, text, unit, named, t_ns == NULL ? &t : t_ns);
}

/*
 * [D-]HH:MM:SS, as Slurm prints lengths of time. Each part has at most 6 digits, so the sum
 * cannot overflow before the multiplication is checked.
 */
static bool by_colons(struct gs_str t, int64_t *ns)
{
    int64_t v = 0, part = 0;
    unsigned colons = 0;
    size_t digits = 0;
    for (size_t i = 0; i <= t.len; i++) {
        const char c = i < t.len ? t.ptr[i] : ':';
        if (gs_is_digit(c) && digits < 6) {
            part = part * 10 + (c - '0');
            digits++;
        } else if (digits > 0 && (c == ':' || (c == '-' && colons == 0 && v == 0))) {
            v = c == '-' ? part * 24 : v * (colons == 0 ? 1 : 60) + part;
            colons += c == ':';
            part = 0;
            digits = 0;
        } else {
            return false;
        }
    }
    return (colons == 3 || colons == 2) && !__builtin_mul_overflow(v, GS_NS_PER_S, ns);
}

/* "2.345678901s": seconds finer than options have them. */
static bool parse_fine(struct gs_str text, int64_t *ns)
{
    bool rounded = false;
    return gs_str_ends(text, "s") && text.len > 1 && gs_is_digit(text.ptr[text.len - 2]) &&
           number_ns(gs_str_part(text, 0, text.len - 1), GS_NS_PER_S, &rounded, ns);
}

bool gs_duration_read(struct gs_str text, struct gs_unit unit, int64_t *ns)
{
    bool rounded = false;
    text = gs_str_after(text, gs_str_skip(text, 0, " "));
    if (is_number(text))
        return number_ns(text, unit.quantity == GS_Q_TIME ? unit.num : GS_NS_PER_S, &rounded, ns) &&
               *ns >= 0;
    if (memchr(text.ptr, ':', text.len) != NULL)
        return by_colons(text, ns);
    /* "1m 3s", "2h 5m": the sum of its parts */
    int64_t total = 0;
    for (size_t from = 0; from < text.len;) {
        const size_t at_unit = gs_str_skip(text, gs_str_skip(text, from, GS_ALL_DIGITS "."), " "),
                     i = gs_str_until(text, at_unit, GS_ALL_DIGITS " ");
        int64_t part;
        if (!(gs_duration_parse(gs_str_part(text, from, i), &part) ||
              parse_fine(gs_str_part(text, from, i), &part)) ||
            __builtin_add_overflow(total, part, &total))
            return false;
        from = gs_str_skip(text, i, " ");
    }
    *ns = total;
    return text.len > 0;
}
