/* scan_readings.h - readings of a row, four at a time, with the blanks and units of logs around them; part of scan.c. */
#pragma once

#include "input/scanner/scan_fields.h"

/*
 * A value of eight digits in its metric's unit, where that takes no rounding and no more than 6
 * decimals. A power of ten in the denominator only moves the point, so nothing is rounded. Other
 * denominators get 7 decimals, which is one too many: the exact parser takes them.
 */
GS_INLINE bool scale_fast(struct gs_unit by, int64_t *value, unsigned *decimals)
{
    if (by.num == by.den)
        return true;
    if (by.den == 1000)
        *decimals += 3;
    else if (by.den == 1000000)
        *decimals += 6;
    else if (by.den != 1)
        *decimals += 7;
    /* Beyond the exact parser's range it is the one that answers, with what is wrong. */
    const int64_t most = INT64_C(9000000000000) / by.num;
    if (*decimals > 6 || by.num > 3600000 || *value > most || *value < -most)
        return false;
    *value *= by.num;
    return true;
}

/*
 * A reading as most are written: digits and a point, perhaps a blank before and the column's unit
 * behind. nvidia-smi without `nounits` writes " 45.20 W" with a blank in front and the unit
 * behind. A text that ends in a digit has no unit, so it costs one comparison.
 */
GS_INLINE bool fast_reading(const struct gs_scanner *s, const struct gs_bound *b, size_t i,
                            const char *t, size_t len, int64_t *value, unsigned *decimals)
{
    const size_t blank = len > 0 && t[0] == ' ', n_unit = s->suffix[i];
    t += blank;
    len -= blank;
    if (n_unit > 0 && len > n_unit + 1 && (unsigned char)(t[len - 1] - '0') > 9 &&
        t[len - n_unit - 1] == ' ' && memcmp(t + len - n_unit, b->unit.shown, n_unit) == 0)
        len -= n_unit + 1;
    if (!fast_decimal(t, len, value, decimals))
        return false;
    return scale_fast(b->unit, value, decimals);
}

/* The unit that may stand behind readings of a bound column. */
static void expect_unit(struct gs_scanner *s, size_t i, const char *unit, size_t len)
{
    char text[8] = " ";
    if (len >= sizeof text)
        return;
    memcpy(text + 1, unit, len);
    s->unit[i] = gs_load64(text);
    s->unit_mask[i] = UINT64_MAX >> (8 * (sizeof text - 1 - len));
}

/*
 * Tells the readings of a row that may be parsed together from the others, by how this row has
 * them. What this row has (a blank, a unit) is only a forecast for later rows of the layout.
 * Whoever uses the groups checks it again in each row.
 */
static void group_readings(const struct gs_scanner *s, const char *row, struct gs_layout *l)
{
    struct gs_layout_readings *const r = &l->readings;
    r->n = r->n_other = 0;
    memset(r->with_unit, 0, sizeof r->with_unit);
    for (size_t k = 0; k < s->n_of[GS_BIND_FIXED]; k++) {
        const uint8_t i = s->of[GS_BIND_FIXED][k];
        const char *const t = row + l->at[i];
        const size_t n_unit = s->suffix[i], len = l->len[i], blank = len > 0 && t[0] == ' ';
        const bool with_unit =
            s->unit_mask[i] != 0 && len > blank + n_unit + 1 &&
            ((gs_load64(t + len - n_unit - 1) ^ s->unit[i]) & s->unit_mask[i]) == 0;
        const size_t n = with_unit ? len - n_unit - 1 : len;
        if (n <= blank || n > 8 || (unsigned char)(t[n - 1] - '0') > 9) {
            r->other[r->n_other++] = i;
            continue;
        }
        r->bound[r->n] = i;
        r->column[r->n] = s->binding->bound[i].column;
        r->at[r->n] = l->at[i];
        r->len[r->n] = (uint8_t)n;
        r->blank[r->n] = blank ? 0xff : 0;
        r->with_unit[r->n / GS_READINGS] |= (uint8_t)(with_unit << r->n % GS_READINGS);
        r->n++;
    }
    /* Not entered where n is 0, so `last` is never out of range then. */
    for (const size_t last = r->n - 1u; r->n % GS_READINGS != 0; r->n++) {
        r->bound[r->n] = r->bound[last];
        r->column[r->n] = r->column[last];
        r->at[r->n] = r->at[last];
        r->len[r->n] = r->len[last];
        r->blank[r->n] = r->blank[last];
    }
}

/*
 * Does the unit stand behind each of four readings that had it when the layout was made? The
 * differences are collected without a branch: in nearly every row all units stand there.
 */
GS_INLINE bool units_exist(const struct gs_scanner *s, const char *row,
                           const struct gs_layout_readings *r, size_t k)
{
    uint64_t difference = 0;
    for (unsigned with = r->with_unit[k / GS_READINGS]; with != 0; with &= with - 1) {
        const size_t j = k + (size_t)__builtin_ctz(with), i = r->bound[j];
        difference |= (gs_load64(row + r->at[j] + r->len[j]) ^ s->unit[i]) & s->unit_mask[i];
    }
    return difference == 0;
}

/* Four readings: values and decimals; false where one wants another parser. */
typedef bool readings_fn(const char *row, const struct gs_layout_readings *r, size_t k,
                         int64_t *value, unsigned *decimals);

GS_INLINE bool readings_plain(const char *row, const struct gs_layout_readings *r, size_t k,
                              int64_t *value, unsigned *decimals)
{
    bool ok = true;
    for (size_t i = 0; i < GS_READINGS; i++) {
        const char *const t = row + r->at[k + i];
        const size_t blank = r->blank[k + i] & 1;
        ok = ok && (blank == 0 || t[0] == ' ') &&
             fast_decimal(t + blank, r->len[k + i] - blank, &value[i], &decimals[i]);
    }
    return ok;
}

#if defined(__x86_64__)

GS_INLINE uint32_t load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Four times eight values of digits, as numbers. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) __m256i
numbers_of_digits(__m256i digits)
{
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    return _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)),
                            _mm256_srli_epi64(fours, 32));
}

__attribute__((target("avx2"))) static inline __attribute__((always_inline)) __m256i
four_words(const void *at)
{
    return _mm256_loadu_si256((const __m256i *)at);
}

/* The codes of four numbers, number * factor - base; *misfit has bits where one lies outside of least to most. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) __m256i
codes_of_numbers(__m256i numbers, __m256i factor, const int64_t *base, const int64_t *least,
                 const int64_t *most, __m256i *misfit)
{
    const __m256i code = _mm256_sub_epi64(_mm256_mul_epu32(numbers, factor), four_words(base));
    *misfit = _mm256_or_si256(_mm256_cmpgt_epi64(four_words(least), code),
                              _mm256_cmpgt_epi64(code, four_words(most)));
    return code;
}

/* fast_decimal, four at a time: the digits as numbers, and where points stand. False also for a rare place of a point. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) bool
digits_of_four(const char *row, const struct gs_layout_readings *r, size_t k, __m256i *value,
               unsigned *marks)
{
    const uint16_t *const at = r->at + k;
    const __m256i len = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)load32(r->len + k)));
    const __m256i shift = _mm256_sub_epi64(_mm256_set1_epi64x(64), _mm256_slli_epi64(len, 3));
    const __m256i blank = _mm256_sllv_epi64(
        _mm256_cvtepu8_epi64(_mm_cvtsi32_si128((int)load32(r->blank + k))), shift);
    const __m256i raw =
        _mm256_set_epi64x((long long)gs_load64(row + at[3]), (long long)gs_load64(row + at[2]),
                          (long long)gs_load64(row + at[1]), (long long)gs_load64(row + at[0]));
    /* Digits become their values, a blank where one belongs becomes 0 as well: '0' and ' ' differ by one bit. */
    const __m256i v =
        _mm256_xor_si256(_mm256_xor_si256(_mm256_sllv_epi64(raw, shift),
                                          _mm256_sllv_epi64(_mm256_set1_epi8('0'), shift)),
                         _mm256_and_si256(blank, _mm256_set1_epi8('0' ^ ' ')));
    const __m256i point = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('.' ^ '0'));
    const unsigned points = (unsigned)_mm256_movemask_epi8(point);
    *marks = points;
    /* What is below the lowest point moves up over it; without one, below is all and moves by nothing. */
    const __m256i below =
        _mm256_andnot_si256(point, _mm256_sub_epi64(point, _mm256_set1_epi64x(1)));
    const __m256i by = _mm256_andnot_si256(_mm256_cmpeq_epi64(point, _mm256_setzero_si256()),
                                           _mm256_set1_epi64x(8));
    const __m256i moved = _mm256_or_si256(_mm256_sllv_epi64(below, by), _mm256_set1_epi64x(0xff));
    const __m256i digits = _mm256_or_si256(_mm256_andnot_si256(moved, v),
                                           _mm256_sllv_epi64(_mm256_and_si256(v, below), by));
    const __m256i nine = _mm256_set1_epi8(9);
    /* A point first of eight, or last, is not always of a number. */
    if ((points & 0x81818181u) != 0 || _mm256_testz_si256(v, blank) == 0 ||
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine)) != -1)
        return false;
    *value = numbers_of_digits(digits);
    return true;
}

/* The decimals of the i-th of four, whose digits end with its word. */
GS_INLINE unsigned decimals_of(unsigned points, unsigned i)
{
    return 7 - (unsigned)__builtin_ctz((points >> (8 * i) & 0xff) | 0x80);
}

__attribute__((target("avx2"))) static inline bool readings_avx2(const char *row,
                                                                 const struct gs_layout_readings *r,
                                                                 size_t k, int64_t *value,
                                                                 unsigned *decimals)
{
    __m256i eights;
    unsigned points;
    if (!digits_of_four(row, r, k, &eights, &points))
        return (points & 0x81818181u) != 0 && readings_plain(row, r, k, value, decimals);
    _mm256_storeu_si256((__m256i *)(void *)value, eights);
    for (unsigned i = 0; i < GS_READINGS; i++)
        decimals[i] = decimals_of(points, i);
    return true;
}

/* Four words in one. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) uint64_t
or_of_four(__m256i words)
{
    const __m128i halves =
        _mm_or_si128(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves)));
}

/* The codes, each shifted by its own, in one word. */
__attribute__((target("avx2"))) static inline __attribute__((always_inline)) uint64_t
or_of_shifted(__m256i code, const uint64_t shift[GS_READINGS])
{
    return or_of_four(_mm256_sllv_epi64(code, four_words(shift)));
}

#endif
