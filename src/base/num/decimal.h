/* decimal.h - decimals to and from text, exact, without locale. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/text.h"
#include "base/num/int128.h"

/* A reading: int64 in units of 10^-6. GS_MISSING stands for "no value" in every int64 of this project. */
#define GS_FIXED_ONE INT64_C(1000000)
#define GS_MISSING   INT64_MIN
/* No reading or time is larger, and so none equals GS_MISSING. */
#define GS_FIXED_MAX INT64_C(9000000000000000000)

/* What a value that may be missing adds to a sum. */
static inline int64_t gs_or_zero(int64_t v)
{
    return v == GS_MISSING ? 0 : v;
}

enum gs_number {
    GS_NUMBER_OK = 0,
    GS_NUMBER_MISSING, /* empty, or one of nvidia-smi's words for "no value"     */
    GS_NUMBER_BAD,     /* not a number                                          */
    GS_NUMBER_RANGE,   /* a number, but beyond +-9,000,000,000,000 (or double)  */
};

/* A number as it is written: +-digits * 10^exponent. */
struct gs_decimal {
    gs_u128 digits; /* the first 27; leading zeros do not count */
    int exponent;
    bool negative;
    bool lost; /* a digit other than 0 stood behind them */
};

/* Takes the number that a text begins with (26.98, -3, .5, 1.2e-3); false where it begins with none. */
bool gs_decimal_take(struct gs_str *text, struct gs_decimal *d);

/*
 * d * 10^exponent * num / den in integers, rounded to nearest (ties away from zero), num up to 4 * 10^12 and den positive;
 * false beyond GS_FIXED_MAX. `rounded` (NULL allowed) is set, never cleared, where digits were lost.
 */
bool gs_decimal_scale(const struct gs_decimal *d, int exponent, int64_t num, int64_t den,
                      int64_t *value, bool *rounded);

/*
 * Reads a decimal such as 26.98, -3, .5 or 1.2e-3 in units of 10^-6, rounded to nearest (ties away from
 * zero); `rounded` (NULL allowed) is set, never cleared, where digits were lost. Blanks around it are allowed.
 * Missing: empty text, [N/A], N/A, NA, [Not Supported], Not Supported, [Unknown Error], [Not Found],
 *          [GPU requires reset], [Insufficient Permissions], [GPU is lost], ERR!, null, None, nan and -, in any case.
 */
enum gs_number gs_fixed_parse(struct gs_str text, int64_t *value, bool *rounded);

/* Reads a finite double with the same syntax and the same missing words. */
enum gs_number gs_real_parse(struct gs_str text, double *value);

/* Reads a non-negative integer of at most `max`. */
enum gs_number gs_count_parse(struct gs_str text, uint64_t max, uint64_t *value);

/* Is this one of the words for "no value" (see gs_fixed_parse)? */
bool gs_is_missing_word(struct gs_str text);

/*
 * Writes the shortest decimal text that reads back as the same double, in plain notation from 1e-5 to
 * 1e17 and as 1.5e-07 outside; "nan" is never written: the caller handles missing. Returns its length.
 */
enum { GS_REAL_TEXT_MAX = 40 };
int gs_real_format(char out[GS_REAL_TEXT_MAX], double value);

/* Writes an integer; returns its length. */
int gs_int_format(char out[GS_REAL_TEXT_MAX], int64_t value);

/* 10^n for n from 0 to 19. */
extern const uint64_t gs_powers_of_ten[20];

/* The same as a signed number, n at most 18. */
static inline int64_t gs_pow10(unsigned n)
{
    return (int64_t)gs_powers_of_ten[n];
}

/* Writes the last n digits of a number, zeros in front and no NUL behind; returns n. */
int gs_digits_format(char *out, uint64_t value, int n);
