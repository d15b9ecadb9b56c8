/* decimal.c - decimal text both ways. The locale is never set for LC_NUMERIC, so strtod sees a point. */
#include "base/num/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/int128.h"
#include "base/num/order.h"
#include "base/num/whole.h"

enum { POW10_MAX = 19 };
const uint64_t gs_powers_of_ten[POW10_MAX + 1] = {1,
                                                  10,
                                                  100,
                                                  1000,
                                                  10000,
                                                  100000,
                                                  1000000,
                                                  10000000,
                                                  100000000,
                                                  1000000000,
                                                  10000000000,
                                                  100000000000,
                                                  1000000000000,
                                                  10000000000000,
                                                  100000000000000,
                                                  1000000000000000,
                                                  10000000000000000,
                                                  100000000000000000,
                                                  1000000000000000000,
                                                  UINT64_C(10000000000000000000)};

bool gs_is_missing_word(struct gs_str text)
{
    const struct gs_str t = gs_trimmed(text);
    if (t.len == 0)
        return true;
    return GS_IS_ONE_OF(t, "[N/A]", "N/A", "[Not Supported]", "[Unknown Error]", "[Not Found]",
                        "[GPU requires reset]", "nan", "NA", "[Insufficient Permissions]",
                        "[GPU is lost]", "ERR!", "Not Supported", "null", "None", "-");
}

/* A text beyond is no number: the places of the longest are counted in an int. */
enum { DECIMAL_TEXT_MAX = 1 << 20, DECIMAL_DIGITS = 27 };

/* The sign that may stand at p: is it a minus? */
static bool take_sign(const char **p, const char *end)
{
    const bool minus = *p < end && **p == '-';
    *p += minus || (*p < end && **p == '+');
    return minus;
}

/* The exponent behind the e at p; p itself where there is none. Beyond 100000 its size no longer matters. */
static const char *take_exponent(const char *p, const char *end, int *exponent)
{
    const char *q = p + 1;
    const bool down = take_sign(&q, end);
    int e = 0;
    if (q == end || !gs_is_digit(*q))
        return p;
    for (; q < end && gs_is_digit(*q); q++)
        if (e < 100000)
            e = e * 10 + (*q - '0');
    *exponent += down ? -e : e;
    return q;
}

bool gs_decimal_take(struct gs_str *text, struct gs_decimal *d)
{
    uint64_t first = 0;
    int n = 0;
    bool any = false, point = false;
    *d = (struct gs_decimal){0};
    /* A missing cell has no bytes to point at. */
    if (text->len == 0 || text->len > DECIMAL_TEXT_MAX)
        return false;
    const char *p = text->ptr, *const end = text->ptr + text->len;
    d->negative = take_sign(&p, end);
    for (; p < end && (gs_is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        const unsigned digit = (unsigned)(*p - '0');
        any = true;
        if (n < 19) { /* 64 bits hold them */
            first = first * 10 + digit;
            n += first > 0;
        } else if (n < DECIMAL_DIGITS) {
            d->digits = (n == 19 ? first : d->digits) * 10 + digit;
            n++;
        } else {
            d->lost |= digit != 0;
            d->exponent++;
        }
        d->exponent -= point;
    }
    if (n <= 19)
        d->digits = first;
    if (any && p < end && (*p == 'e' || *p == 'E'))
        p = take_exponent(p, end, &d->exponent);
    *text = (struct gs_str){p, (size_t)(end - p)};
    return any;
}

/* The division comes as late as possible, so that 0.1 kW is exactly 100 W. */
bool gs_decimal_scale(const struct gs_decimal *d, int exponent, int64_t num, int64_t den,
                      int64_t *value, bool *rounded)
{
    const uint64_t limit = GS_FIXED_MAX;
    const gs_u128 most = (gs_u128)1000000000000 * 1000000000000;
    gs_u128 v = d->digits;
    uint64_t divisor = (uint64_t)den;
    bool lost = d->lost;
    exponent += d->exponent;
    for (; v > most; exponent++, v /= 10) /* 10^24 times 4 * 10^12, the largest num, fit 128 bits */
        lost |= v % 10 != 0;
    v *= (uint64_t)num;
    for (; v != 0 && exponent > 0; exponent--)
        if ((v *= 10) > most * 10000000000000)
            return false;
    for (; v != 0 && exponent < 0; exponent++)
        if (divisor <= limit / 10) {
            divisor *= 10;
        } else {
            lost |= v % 10 != 0;
            v /= 10;
        }
    const gs_u128 whole = v / divisor;
    const uint64_t rest = (uint64_t)(v - whole * divisor);
    v = whole + (rest >= divisor - rest);
    if (v > limit)
        return false;
    *value = d->negative ? -(int64_t)v : (int64_t)v;
    if (rounded != NULL)
        *rounded |= lost || rest != 0;
    return true;
}

/* Most readings by far: few digits, and no more than six of them behind the point. */
static bool parse_short(struct gs_str t, int64_t *value)
{
    uint64_t v = 0;
    size_t behind = 0; /* the place behind the point; 0: none was met */
    if (t.len == 0 || t.len > 12)
        return false;
    for (size_t i = 0; i < t.len; i++)
        if (gs_is_digit(t.ptr[i]))
            v = v * 10 + (uint64_t)(t.ptr[i] - '0');
        else if (t.ptr[i] == '.' && i > 0 && behind == 0)
            behind = i + 1;
        else
            return false;
    size_t n = 0;
    if (behind > 0)
        n = t.len - behind;
    if (n > 6)
        return false;
    *value = (int64_t)(v * gs_powers_of_ten[6 - n]);
    return true;
}

/* All of a text as a number. */
static enum gs_number take_all(struct gs_str t, struct gs_decimal *d)
{
    struct gs_str rest = t;
    if (gs_decimal_take(&rest, d) && rest.len == 0)
        return GS_NUMBER_OK;
    return gs_is_missing_word(t) ? GS_NUMBER_MISSING : GS_NUMBER_BAD;
}

enum gs_number gs_fixed_parse(struct gs_str text, int64_t *value, bool *rounded)
{
    const struct gs_str t = gs_trimmed(text);
    struct gs_decimal d;
    if (parse_short(t, value))
        return GS_NUMBER_OK;
    const enum gs_number is = take_all(t, &d);
    if (is == GS_NUMBER_OK && !gs_decimal_scale(&d, 6, 1, 1, value, rounded))
        return GS_NUMBER_RANGE;
    return is;
}

/*
 * strtod gets only what gs_decimal_take accepted: no hexadecimal numbers, "inf" or "nan". It reads
 * the decimal point of LC_NUMERIC, which must stay "C"; main sets LC_CTYPE only.
 */
enum gs_number gs_real_parse(struct gs_str text, double *value)
{
    const struct gs_str t = gs_trimmed(text);
    struct gs_decimal d;
    char copy[512];
    const enum gs_number is = take_all(t, &d);
    if (is != GS_NUMBER_OK)
        return is;
    if (t.len >= sizeof copy)
        return GS_NUMBER_RANGE;
    memcpy(copy, t.ptr, t.len);
    copy[t.len] = '\0';
    const double v = strtod(copy, NULL);
    if (!isfinite(v))
        return GS_NUMBER_RANGE;
    *value = v;
    return GS_NUMBER_OK;
}

/* No sign is accepted: strtoull would read -1 as the largest count. */
enum gs_number gs_count_parse(struct gs_str text, uint64_t max, uint64_t *value)
{
    const struct gs_str t = gs_trimmed(text);
    uint64_t v = 0;
    if (t.len == 0)
        return GS_NUMBER_MISSING;
    for (size_t i = 0; i < t.len; i++) {
        if (!gs_is_digit(t.ptr[i]))
            return GS_NUMBER_BAD;
        if (__builtin_mul_overflow(v, 10, &v) ||
            __builtin_add_overflow(v, (uint64_t)(t.ptr[i] - '0'), &v))
            return GS_NUMBER_RANGE;
    }
    if (v > max)
        return GS_NUMBER_RANGE;
    *value = v;
    return GS_NUMBER_OK;
}

/* Two digits at a time: a division by 100 for each pair. */
static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
                            "3536373839404142434445464748495051525354555657585960616263646566676869"
                            "707172737475767778798081828384858687888990919293949596979899";

static int count_digits(uint64_t v)
{
    if (v == 0)
        return 1;
    const int n = (64 - __builtin_clzll(v)) * 1233 >> 12; /* log10(2) = 1233 / 4096, or one less */
    return n + (n < 20 && v >= gs_powers_of_ten[n]);
}

/* Writes the last n digits of v at p, zeros in front. */
static void put_digits(char *p, uint64_t v, int n)
{
    for (; n >= 2; n -= 2, v /= 100)
        memcpy(p + n - 2, pairs + 2 * (v % 100), 2);
    if (n == 1)
        p[0] = (char)('0' + v % 10);
}

int gs_digits_format(char *out, uint64_t value, int n)
{
    put_digits(out, value, n);
    return n;
}

int gs_int_format(char out[GS_REAL_TEXT_MAX], int64_t value)
{
    const uint64_t v = gs_magnitude(value);
    const int n = count_digits(v), sign = value < 0;
    out[0] = '-';
    put_digits(out + sign, v, n);
    out[sign + n] = '\0';
    return sign + n;
}

/*
 * A value m / 10^k with m below 10^15 has one decimal of at most 15 digits that reads back as it, so once
 * its trailing zeros are gone that decimal is the shortest. Most results of fixed-point data are such.
 */
static int format_short(char out[GS_REAL_TEXT_MAX], double value)
{
    const double magnitude = fabs(value);
    const double scaled = magnitude * 1e6;
    if (!(scaled < 1e15) || magnitude < 1e-4)
        return 0;
    const uint64_t m = (uint64_t)(scaled + 0.5);
    if ((double)m / 1e6 != magnitude)
        return 0;
    int len = 0;
    if (value < 0)
        out[len++] = '-';
    len += gs_int_format(out + len, (int64_t)(m / GS_FIXED_ONE));
    const uint64_t fraction = m % (uint64_t)GS_FIXED_ONE;
    if (fraction != 0) {
        out[len++] = '.';
        put_digits(out + len, fraction, 6);
        for (len += 6; out[len - 1] == '0';)
            len--;
    }
    out[len] = '\0';
    return len;
}

/* Digits of a decimal with `places` of them after the point, without trailing zeros there. */
static int put_decimal(char out[GS_REAL_TEXT_MAX], bool negative, uint64_t digits, int places)
{
    for (; places > 0 && digits % 10 == 0; places--)
        digits /= 10;
    char room[GS_REAL_TEXT_MAX];
    const int n = gs_max(count_digits(digits), places + 1);
    const int whole = n - places;
    int len = 0;
    put_digits(room, digits, n);
    if (negative)
        out[len++] = '-';
    memcpy(out + len, room, (size_t)whole);
    len += whole;
    if (places > 0) {
        out[len++] = '.';
        memcpy(out + len, room + whole, (size_t)places);
        len += places;
    }
    out[len] = '\0';
    return len;
}

/*
 * The shortest of 15 to 17 digits for a value within [1e-5, 1e17). The value m * 2^e times 10^p has 17 digits before
 * its point and is exact in 128 bits as x / 2^shift. A candidate reads back as the value where it lies within half
 * the distance to the next double, or on that boundary if m is even.
 */
static int format_exact(char out[GS_REAL_TEXT_MAX], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t hidden = UINT64_C(1) << 52, m = (bits & (hidden - 1)) | hidden;
    const int e = (int)(bits >> 52 & 0x7ff) - 1075;
    const int shift = gs_max(-e, 0);
    int p = 16 - (int)floor((e + 52) * 0.30102999566398120); /* or one less */
    gs_u128 ulp, x;
    for (;; p--) {
        const int first = gs_min(p, POW10_MAX);
        ulp = (gs_u128)gs_powers_of_ten[first] * gs_powers_of_ten[p - first];
        ulp <<= gs_max(e, 0);
        x = ulp * m;
        if (x >> shift < gs_powers_of_ten[17])
            break;
    }
    for (uint64_t unit = 100;; unit /= 10) {
        uint64_t c = (uint64_t)(x >> shift) / unit;
        const gs_u128 step = (gs_u128)unit << shift, rest = 2 * (x - c * step);
        c += rest > step || (rest == step && c % 2 == 1);
        const gs_u128 candidate = c * step, off = 4 * (gs_max(candidate, x) - gs_min(candidate, x));
        /* Below a power of two the next double is half as far. */
        const gs_u128 reach = candidate < x && m == hidden ? ulp : 2 * ulp;
        if (off < reach || (off == reach && m % 2 == 0) || unit == 1)
            return put_decimal(out, value < 0, c * unit, p);
    }
}

/*
 * The shortest decimal that reads back as the same double. Output files are compared byte by
 * byte, so every path must give the same text as every other. The fast paths only save time.
 */
int gs_real_format(char out[GS_REAL_TEXT_MAX], double value)
{
    if (value == 0) {
        memcpy(out, "0", 2);
        return 1;
    }
    int len = format_short(out, value);
    if (len > 0)
        return len;
    if (fabs(value) >= 1e-5 && fabs(value) < 1e17)
        return format_exact(out, value);
    int precision = 15;
    for (; precision < 17; precision++) {
        (void)snprintf(out, GS_REAL_TEXT_MAX, "%.*e", precision - 1, value);
        if (strtod(out, NULL) == value)
            break;
    }
    len = snprintf(out, GS_REAL_TEXT_MAX, "%.*e", precision - 1, value);
    const char *const e = memchr(out, 'e', (size_t)len);
    if (e == NULL)
        return len;
    /* Drop trailing zeros of the mantissa. */
    char tail[8];
    const size_t tail_len = (size_t)(out + len - e);
    memcpy(tail, e, tail_len);
    size_t cut = (size_t)(e - out);
    if (memchr(out, '.', cut) != NULL)
        while (out[cut - 1] == '0' || out[cut - 1] == '.')
            if (out[--cut] == '.')
                break;
    memcpy(out + cut, tail, tail_len);
    out[cut + tail_len] = '\0';
    return (int)(cut + tail_len);
}
