/* scan_fields.h - times and numbers of a row whose fields are known; part of scan.c. */
#ifndef GPUSTAT_SCAN_FIELDS_H
#define GPUSTAT_SCAN_FIELDS_H

#include "scan/scan.h"
#include "scan/byte_words.h"

/* "07:41:55.921Z" as milliseconds of the day, from the 16 bytes that end there; negative: not such a text. */
typedef int64_t clock_fn(const char *t);

GS_INLINE int64_t clock_plain(const char *t)
{
    const uint64_t clock = load64(t + 3) ^ UINT64_C(0x30303a30303a3030);    /* digits to values, colons to 0 */
    const uint64_t fraction = load64(t + 8) ^ UINT64_C(0x5a3030302e000000); /* ".921Z" behind the seconds */
    if (not_digits(clock) || not_digits(fraction >> 24) || (clock & UINT64_C(0x0000ff0000ff0000)) != 0 ||
        (fraction & UINT64_C(0xff000000ff000000)) != 0)
        return -1;
    const uint64_t pairs = clock * 10 + (clock >> 8);
    const uint64_t hours = pairs & 0xff, minutes = pairs >> 24 & 0xff, seconds = pairs >> 48 & 0xff;
    const uint64_t thousandths = (fraction >> 32 & 0xff) * 100 + (fraction >> 40 & 0xff) * 10 + (fraction >> 48 & 0xff);
    if (hours > 23 || minutes > 59 || seconds > 59)
        return -1;
    return (int64_t)(((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static inline int64_t clock_avx2(const char *t)
{
    /* ..T07:41:55.921Z: what each byte may be above its zero; the first three are another's business. */
    const __m128i zero = _mm_setr_epi8(0, 0, 0, '0', '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z');
    const __m128i most = _mm_setr_epi8(-1, -1, -1, 2, 9, 0, 5, 9, 0, 5, 9, 0, 9, 9, 9, 0);
    const __m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)t), zero);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, most), most)) != 0xffff)
        return -1;
    const __m128i digits =
        _mm_shuffle_epi8(v, _mm_setr_epi8(3, 4, 6, 7, 9, 10, -1, 12, 13, 14, -1, -1, -1, -1, -1, -1));
    const __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010a)); /* hh mm ss f ff */
    const __m128i sums = _mm_madd_epi16(pairs, _mm_setr_epi16(60, 1, 1000, 100, 1, 0, 0, 0));
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(sums);
    const uint32_t minutes = (uint32_t)low;
    if (minutes >= 24 * 60)
        return -1;
    return (int64_t)minutes * 60000 + (int64_t)(low >> 32) + _mm_extract_epi32(sums, 2);
}
#endif

/* Days within 2^62 ns of 1970 (1823 to 2116), as gs_table_end_small_row wants them. */
#define FAST_NS_MAX ((INT64_C(1) << 62) - INT64_C(86400) * GS_NS_PER_S)

/* "2023/07/14 10:12:46.483", in the reader's zone, where a day has one offset; read as the other form with a Z behind. */
static bool fast_local_time(struct gs_scanner *s, const char *t, int64_t *ms, clock_fn *clock)
{
    char clock_text[16];
    if (load64(t) != load64(s->local_date) || memcmp(t + 8, s->local_date + 8, 3) != 0) {
        struct gs_time_reader reader = {.zone = s->gather->time.zone};
        int64_t ns;
        char midnight[24] = "0000-00-00 00:00:00.000";
        memcpy(midnight, t, 11);
        if (!gs_time_parse(&reader, (struct gs_str){midnight, 23}, &ns) || ns > FAST_NS_MAX || ns < -FAST_NS_MAX)
            return false;
        if (reader.zone.n_shifts > 0 && reader.until_s < ns / GS_NS_PER_S + reader.found_s + 86400)
            return false; /* the clock changes on this day */
        memcpy(s->local_date, t, 11);
        s->local_date_ms = ns / GS_NS_PER_MS;
    }
    memcpy(clock_text, t + 8, 15);
    clock_text[15] = 'Z';
    const int64_t of_day = clock(clock_text);
    *ms = s->local_date_ms + of_day;
    s->gather->time.zoneless |= of_day >= 0;
    return of_day >= 0;
}

/* "2018-11-08T07:41:55.921Z" as milliseconds; anything else is for the exact parser. */
GS_INLINE bool fast_time(struct gs_scanner *s, const char *t, size_t len, int64_t *ms, clock_fn *clock)
{
    if (len == 23)
        return fast_local_time(s, t, ms, clock);
    if (len != 24)
        return false;
    if (load64(t) != load64(s->date) || memcmp(t + 8, s->date + 8, 3) != 0) {
        struct gs_time_reader reader = {0};
        int64_t ns;
        char midnight[25] = "0000-00-00T00:00:00.000Z";
        memcpy(midnight, t, 10);
        if (t[10] != 'T' || !gs_time_parse(&reader, (struct gs_str){midnight, 24}, &ns) || ns > FAST_NS_MAX ||
            ns < -FAST_NS_MAX)
            return false;
        memcpy(s->date, t, 11);
        s->date_ms = ns / GS_NS_PER_MS;
    }
    const int64_t of_day = clock(t + 8);
    *ms = s->date_ms + of_day;
    return of_day >= 0;
}

/* Up to eight characters, digits with at most one point among them: mantissa and decimals. */
GS_INLINE bool fast_decimal(const char *t, size_t len, int64_t *mantissa, unsigned *decimals)
{
    if (len - 1 > 7)
        return false;
    const uint64_t raw = load64(t);
    const unsigned unused = 64 - 8 * (unsigned)len;
    uint64_t v = (raw << unused) ^ (UINT64_C(0x3030303030303030) << unused); /* zeros in front */
    /* A point became 0x1e; the lowest such byte is found by its borrow. */
    const uint64_t points = v ^ UINT64_C(0x1e1e1e1e1e1e1e1e);
    const uint64_t found = (points - UINT64_C(0x0101010101010101)) & ~points & UINT64_C(0x8080808080808080);
    *decimals = 0;
    if (found != 0) {
        const unsigned bit = (unsigned)__builtin_ctzll(found) & ~7u; /* first bit of the point's byte */
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

/* The four readings of a sample: values and decimals; false where one wants the exact parser. */
typedef bool four_decimals_fn(const char *row, const uint8_t *at, const struct gs_layout *l, int64_t *value,
                              unsigned *decimals);

GS_INLINE bool four_decimals_plain(const char *row, const uint8_t *at, const struct gs_layout *l, int64_t *value,
                                   unsigned *decimals)
{
    bool ok = true;
    for (size_t k = 0; k < GS_USUAL_READINGS; k++)
        ok = ok && fast_decimal(row + l->at[at[k]], l->len[at[k]], &value[k], &decimals[k]);
    return ok;
}

#if defined(__x86_64__)
/* fast_decimal, four at a time. */
__attribute__((target("avx2"))) static inline bool
four_decimals_avx2(const char *row, const uint8_t *at, const struct gs_layout *l, int64_t *value, unsigned *decimals)
{
    const __m256i shift = _mm256_loadu_si256((const __m256i *)(const void *)l->shift);
    const __m256i raw = _mm256_set_epi64x((long long)load64(row + l->at[at[3]]), (long long)load64(row + l->at[at[2]]),
                                          (long long)load64(row + l->at[at[1]]), (long long)load64(row + l->at[at[0]]));
    const __m256i v = _mm256_xor_si256(_mm256_sllv_epi64(raw, shift), _mm256_sllv_epi64(_mm256_set1_epi8('0'), shift));
    const __m256i point = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('.' ^ '0'));
    const unsigned points = (unsigned)_mm256_movemask_epi8(point);
    if ((points & 0x81818181u) != 0) /* a point first of eight, or last: rare, and not always a number */
        return four_decimals_plain(row, at, l, value, decimals);
    /* What is below the lowest point moves up over it; without one, below is all and moves by nothing. */
    const __m256i below = _mm256_andnot_si256(point, _mm256_sub_epi64(point, _mm256_set1_epi64x(1)));
    const __m256i by = _mm256_andnot_si256(_mm256_cmpeq_epi64(point, _mm256_setzero_si256()), _mm256_set1_epi64x(8));
    const __m256i moved = _mm256_or_si256(_mm256_sllv_epi64(below, by), _mm256_set1_epi64x(0xff));
    const __m256i digits =
        _mm256_or_si256(_mm256_andnot_si256(moved, v), _mm256_sllv_epi64(_mm256_and_si256(v, below), by));
    const __m256i nine = _mm256_set1_epi8(9);
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine)) != -1)
        return false;
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    const __m256i eights =
        _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(fours, 32));
    _mm256_storeu_si256((__m256i *)(void *)value, eights);
    for (unsigned k = 0; k < GS_USUAL_READINGS; k++)
        decimals[k] = 7 - (unsigned)__builtin_ctz((points >> (8 * k) & 0xff) | 0x80);
    return true;
}
#endif

#endif
