/* scan_fields.h - times and numbers of a row whose fields are known; part of scan.c. */
#pragma once

#include "input/scanner/scan.h"
#include "input/scanner/byte_words.h"

/* "07:41:55.921Z" as milliseconds of the day, from the 16 bytes that end there; negative: not such a text. `local`:
 * whatever stands in place of the Z. */
typedef int64_t clock_fn(const char *t, bool local);

/* A leap second (:60) is refused here, and gs_time_parse decides about it. */
GS_INLINE int64_t clock_plain(const char *t, bool local)
{
    const uint64_t clock =
        gs_load64(t + 3) ^ UINT64_C(0x30303a30303a3030); /* digits to values, colons to 0 */
    const uint64_t fraction = (gs_load64(t + 8) ^ UINT64_C(0x5a3030302e000000)) &
                              UINT64_MAX >> (local ? 8 : 0); /* ".921Z" */
    if (not_digits(clock) || not_digits(fraction >> 24) ||
        (clock & UINT64_C(0x0000ff0000ff0000)) != 0 ||
        (fraction & UINT64_C(0xff000000ff000000)) != 0)
        return -1;
    const uint64_t pairs = clock * 10 + (clock >> 8);
    const uint64_t hours = pairs & 0xff, minutes = pairs >> 24 & 0xff, seconds = pairs >> 48 & 0xff;
    const uint64_t thousandths =
        (fraction >> 32 & 0xff) * 100 + (fraction >> 40 & 0xff) * 10 + (fraction >> 48 & 0xff);
    if (hours > 23 || minutes > 59 || seconds > 59)
        return -1;
    return (int64_t)(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) int64_t
clock_of_16(const char *t, bool local)
{
    /* ..T07:41:55.921Z: what each byte may be above its zero; the first three are another's business. */
    const __m128i zero =
        _mm_setr_epi8(0, 0, 0, '0', '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z');
    const __m128i most = _mm_setr_epi8(-1, -1, -1, 2, 9, 0, 5, 9, 0, 5, 9, 0, 9, 9, 9, 0);
    __m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)t), zero);
    if (local)
        v = _mm_bsrli_si128(_mm_bslli_si128(v, 1), 1);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, most), most)) != 0xffff)
        return -1;
    const __m128i digits = _mm_shuffle_epi8(
        v, _mm_setr_epi8(3, 4, 6, 7, 9, 10, -1, 12, 13, 14, -1, -1, -1, -1, -1, -1));
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a)); /* hh mm ss f ff */
    const __m128i sums = _mm_madd_epi16(pairs, _mm_setr_epi16(60, 1, 1000, 100, 1, 0, 0, 0));
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(sums);
    const uint32_t minutes = (uint32_t)low;
    if (minutes >= 24 * 60)
        return -1;
    return (int64_t)minutes * 60000 + (int64_t)(low >> 32) + _mm_extract_epi32(sums, 2);
}

__attribute__((target("avx2"))) static inline int64_t clock_avx2(const char *t, bool local)
{
    return clock_of_16(t, local);
}
#endif

/*
 * Days from 1840 to 2099: within 2^62 ns of 1970, as gs_table_end_small_row wants them, and none that
 * the exact parser refuses. The margin of one day lets a caller add a time of day to a midnight
 * without a check.
 */
#define FAST_NS_MAX (GS_TIME_BEYOND_NS - INT64_C(86400) * GS_NS_PER_S)

/*
 * Learns the day of "2023/07/14 10:12:46.483" in the reader's zone; false where it has no one
 * offset. On a day when the clocks change, one offset does not hold from midnight to midnight.
 * Such a day is never learnt, and each of its times goes through the exact parser.
 */
static bool learn_local_date(struct gs_scanner *s, const char *t)
{
    struct gs_time_reader reader = {.zone = s->reader->time.zone};
    int64_t ns;
    char midnight[24] = "0000-00-00 00:00:00.000";
    memcpy(midnight, t, 11);
    if (!gs_time_parse(&reader, (struct gs_str){midnight, 23}, &ns) || ns > FAST_NS_MAX ||
        ns < -FAST_NS_MAX)
        return false;
    if (reader.zone.n_shifts > 0 && reader.until_s < ns / GS_NS_PER_S + reader.found_s + 86400)
        return false; /* the clock changes on this day */
    memcpy(s->local_date, t, 11);
    s->local_date_ms = ns / GS_NS_PER_MS;
    return true;
}

/*
 * Learns the day of "2018-11-08T07:41:55.921Z". Consecutive rows are nearly always of one day:
 * the calendar is computed once per day, and a row costs two comparisons.
 */
static bool learn_date(struct gs_scanner *s, const char *t)
{
    struct gs_time_reader reader = {0};
    int64_t ns;
    char midnight[25] = "0000-00-00T00:00:00.000Z";
    memcpy(midnight, t, 10);
    if (t[10] != 'T' || !gs_time_parse(&reader, (struct gs_str){midnight, 24}, &ns) ||
        ns > FAST_NS_MAX || ns < -FAST_NS_MAX)
        return false;
    memcpy(s->date, t, 11);
    s->date_ms = ns / GS_NS_PER_MS;
    return true;
}

/* The 11 bytes before a clock, which are compared 3 and 8 from the end: both words overlap. */
GS_INLINE bool same_date(const char *t, const char *date)
{
    return ((gs_load64(t) ^ gs_load64(date)) | (gs_load64(t + 3) ^ gs_load64(date + 3))) == 0;
}

/*
 * "2018-11-08T07:41:55.921Z" or "2023/07/14 10:12:46.483" as milliseconds; anything else is for
 * others. `zoneless` is set only for a text that is a time; a column of other texts must not make
 * gpustat report times without a zone.
 */
GS_INLINE bool fast_time(struct gs_scanner *s, const char *t, size_t len, int64_t *ms,
                         clock_fn *clock)
{
    const bool local = len == 23;
    if (len != 24 && !local)
        return false;
    if (local ? !same_date(t, s->local_date) && !learn_local_date(s, t)
              : !same_date(t, s->date) && !learn_date(s, t))
        return false;
    const int64_t of_day = clock(t + 8, local);
    *ms = (local ? s->local_date_ms : s->date_ms) + of_day;
    s->reader->time.zoneless |= local && of_day >= 0;
    return of_day >= 0;
}

/*
 * Learns the minute of a time with seconds at t[17]; false where it is no time or its minute has
 * no one offset. A minute in which the offset changes is not learnt. The 19 bytes in front must
 * be a time for gs_time_parse, so a text that merely has digits in these places is not learnt.
 */
static bool learn_minute(struct gs_scanner *s, const char *t, const char *behind, size_t n_behind)
{
    struct gs_known_minute *const m = &s->minute;
    struct gs_time_reader reader = {.zone = s->reader->time.zone};
    char begin[32] = "0000-00-00T00:00:00";
    int64_t ns;
    m->n_behind = sizeof m->behind; /* none is known */
    if (n_behind >= sizeof m->behind || (n_behind > 0 && (behind[0] == '.' || behind[0] == ',')))
        return false;
    memcpy(begin, t, 17);
    memcpy(begin + 19, behind, n_behind);
    if (!gs_time_parse(&reader, (struct gs_str){begin, 19 + n_behind}, &ns) || ns > FAST_NS_MAX ||
        ns < -FAST_NS_MAX ||
        (reader.zoneless && reader.zone.n_shifts > 0 &&
         reader.until_s < ns / GS_NS_PER_S + reader.found_s + 60))
        return false;
    memcpy(m->before, t, 16);
    memcpy(m->behind, behind, n_behind);
    m->n_behind = n_behind;
    m->begin_ns = ns;
    m->zoneless = reader.zoneless;
    return true;
}

/*
 * A time of the minute that the one before is of, with or without a fraction and a zone:
 * "2018-11-08 07:41:55.921044". The digits of the fraction are kept as they are, up to 9: more
 * would need rounding, which the exact parser does and reports.
 */
static bool fast_minute(struct gs_scanner *s, const char *t, size_t len, int64_t *mantissa,
                        unsigned *decimals)
{
    const struct gs_known_minute *const m = &s->minute;
    const unsigned tens = len < 19 ? 9 : (unsigned char)(t[17] - '0'),
                   ones = (unsigned char)(t[18] - '0');
    if (tens > 5 || ones > 9 || t[16] != ':')
        return false;
    int64_t fraction = 0;
    size_t at = 19 + (size_t)(len > 20 && (t[19] == '.' || t[19] == ','));
    const size_t first = at;
    for (; at > 19 && at < len && at < first + 10 && (unsigned char)(t[at] - '0') <= 9; at++)
        fraction = fraction * 10 + (t[at] - '0');
    const size_t n_digits = at - first;
    if (n_digits > 9 || (at > 19 && n_digits == 0))
        return false;
    if ((len - at != m->n_behind || memcmp(t, m->before, 16) != 0 ||
         memcmp(t + at, m->behind, m->n_behind) != 0) &&
        !learn_minute(s, t, t + at, len - at))
        return false;
    const int64_t seconds = m->begin_ns / GS_NS_PER_S + tens * 10 + ones;
    *mantissa = seconds * gs_pow10((unsigned)n_digits) + fraction;
    *decimals = (unsigned)n_digits;
    s->reader->time.zoneless |= m->zoneless;
    return true;
}

/*
 * Seconds, perhaps with a fraction, milliseconds, microseconds or nanoseconds since 1970, told
 * apart by their digits. Up to 11 digits are seconds, up to 14 milliseconds, up to 17
 * microseconds, else nanoseconds: for times of this century these ranges do not overlap.
 */
static bool fast_epoch(const char *t, size_t len, int64_t *mantissa, unsigned *decimals)
{
    uint64_t v = 0;
    size_t n = 0, at;
    while (n < len && n < 19 && (unsigned char)(t[n] - '0') <= 9)
        v = v * 10 + (unsigned)(t[n++] - '0');
    *decimals = 3u * ((unsigned)(n >= 12) + (unsigned)(n >= 15) + (unsigned)(n >= 18));
    if (n == 0 || v > (uint64_t)(FAST_NS_MAX / gs_pow10(9 - *decimals)))
        return false;
    for (at = n + 1;
         n < 12 && t[n] == '.' && at < len && at < n + 10 && (unsigned char)(t[at] - '0') <= 9;
         at++)
        v = v * 10 + (unsigned)(t[at] - '0');
    if (n < len) {
        *decimals = (unsigned)(at - n - 1);
        if (at != len || *decimals == 0)
            return false;
    }
    *mantissa = (int64_t)v;
    return true;
}

/* A time that is not written as most are. */
static bool other_time(struct gs_scanner *s, const char *t, size_t len, int64_t *mantissa,
                       unsigned *decimals)
{
    return fast_minute(s, t, len, mantissa, decimals) || fast_epoch(t, len, mantissa, decimals);
}

/*
 * Up to eight characters, digits with at most one point among them: mantissa and decimals. Signs,
 * exponents and words are not digits and are refused. `len - 1 > 7` is true for 0 as well,
 * because it wraps.
 */
GS_INLINE bool fast_decimal(const char *t, size_t len, int64_t *mantissa, unsigned *decimals)
{
    if (len - 1 > 7)
        return false;
    const uint64_t raw = gs_load64(t);
    const unsigned unused = 64 - 8 * (unsigned)len;
    uint64_t v = (raw << unused) ^ (UINT64_C(0x3030303030303030) << unused); /* zeros in front */
    /* A point became 0x1e; the lowest such byte is found by its borrow. */
    const uint64_t points = v ^ UINT64_C(0x1e1e1e1e1e1e1e1e);
    const uint64_t found =
        (points - UINT64_C(0x0101010101010101)) & ~points & UINT64_C(0x8080808080808080);
    *decimals = 0;
    if (found != 0) {
        const unsigned bit =
            (unsigned)__builtin_ctzll(found) & ~7u; /* first bit of the point's byte */
        const uint64_t below = (UINT64_C(1) << bit) - 1;
        *decimals = 7 - bit / 8;
        if (*decimals > 6 || len == 1)
            return false;
        v = (v & ~below & ~(UINT64_C(0xff) << bit)) | (v & below) << 8;
    }
    if (not_digits(v))
        return false;
    *mantissa = (int64_t)eight_digits(v);
    return true;
}
