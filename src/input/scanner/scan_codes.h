/* scan_codes.h - plain rows of samples straight to the words that store them, see scan.h; part of scan.c. */
#pragma once

#include "base/num/order.h"
#include "input/scanner/scan_names.h"
#include "input/scanner/scan_readings.h"

/* Takes a row of samples if all of it is plain; false, with nothing appended, where it is not. */
typedef bool coded_row_fn(struct gs_scanner *s, const char *row, const struct gs_layout *l,
                          int64_t place, clock_fn *clock);

#if defined(__x86_64__)

/*
 * How four readings are stored at present; false where that is not by small codes. The table's
 * encoding changes while rows are read, when a value needs more bits. Everything here holds for
 * one encoding only, and each user compares `encoding` before it relies on it.
 */
static bool prepare_four(const struct gs_scanner *s, const struct gs_table_writer *w, size_t k,
                         struct gs_code_four *c)
{
    const size_t n = s->n_of[GS_BIND_FIXED];
    struct gs_code_form f[GS_READINGS];
    unsigned first = UINT16_MAX, last = 0;
    *c = (struct gs_code_four){.points = UINT32_MAX};
    for (size_t i = 0; i < GS_READINGS; i++) {
        const size_t of = s->of[GS_BIND_FIXED][k + i < n ? k + i : n - 1];
        f[i] = gs_table_code_form(w, s->binding->bound[of].column);
        if (f[i].most > INT64_MAX)
            return false;
        c->base[i] = (int64_t)f[i].base;
        c->least[i] = (int64_t)f[i].least;
        c->most[i] = (int64_t)f[i].most;
        c->decimals[i] = f[i].decimals;
        first = gs_min(f[i].word, first);
        last = gs_max(f[i].word, last);
    }
    if (gs_table_row_words(w) <= GS_SMALL_ROW_WORDS) { /* all of the row, as it were of two */
        first = 0;
        last = GS_SMALL_ROW_WORDS - 1;
    }
    c->first_word = first;
    c->n_words = last - first + 1;
    for (size_t j = 0; j < c->n_words && j < GS_CODE_WORDS; j++)
        for (size_t i = 0; i < GS_READINGS; i++)
            c->shift[j][i] = f[i].word == first + j
                                 ? f[i].shift
                                 : 64; /* which shifts all out: it is in another word */
    return c->n_words <= GS_CODE_WORDS;
}

/*
 * The codes of samples as the writer has them at present. One time, plain readings and nothing
 * else: a row with a name or an integer column needs the general way. `rest_fits` says that
 * columns which this file lacks have a code for "missing".
 */
static void prepare_row_codes(struct gs_scanner *s)
{
    struct gs_row_codes *const c = &s->codes;
    const struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_SAMPLES];
    c->encoding = w->encoding;
    c->n_words = gs_table_row_words(w);
    c->fits = s->binding->kind == GS_TABLE_SAMPLES && !s->scaled && s->n_of[GS_BIND_TIME] == 1 &&
              s->n_of[GS_BIND_FIXED] > 0 && s->n_of[GS_BIND_NAME] == 0 &&
              s->n_of[GS_BIND_INT] == 0 && c->n_words > 0 && c->n_words <= GS_ROW_WORDS &&
              w->rest_fits;
    if (!c->fits)
        return;
    c->time = gs_table_code_form(w, GS_SAMPLE_TIME);
    if (s->reader->keep_places)
        c->place = gs_table_code_form(w, w->n_columns - 1);
    for (size_t k = 0; c->fits && k < s->n_of[GS_BIND_FIXED]; k += GS_READINGS)
        c->fits = prepare_four(s, w, k, &c->four[k / GS_READINGS]);
}

/*
 * What the digits of four readings are to be multiplied with, from where their points stand;
 * false: too fine. The factor stays below 2^20 and the digits below 2^27, so the product of
 * 32-bit halves in codes_of_numbers is exact.
 */
static bool prepare_factors(struct gs_code_four *c, unsigned points)
{
    c->points = UINT32_MAX; /* as no four points stand */
    for (unsigned i = 0; i < GS_READINGS; i++) {
        const unsigned decimals = decimals_of(points, i);
        if (decimals > c->decimals[i] || c->decimals[i] - decimals > 6)
            return false;
        c->factor[i] = (uint64_t)gs_pow10(c->decimals[i] - decimals);
    }
    c->points = points;
    return true;
}

/* Four readings into the row's words. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
put_four(struct gs_scanner *s, const char *row, const struct gs_layout_readings *r, size_t k,
         uint64_t *word)
{
    struct gs_code_four *const c = &s->codes.four[k / GS_READINGS];
    __m256i numbers, misfit;
    unsigned points;
    if (!units_exist(s, row, r, k) || !digits_of_four(row, r, k, &numbers, &points) ||
        (points != c->points && !prepare_factors(c, points)))
        return false;
    const __m256i code =
        codes_of_numbers(numbers, four_words(c->factor), c->base, c->least, c->most, &misfit);
    for (unsigned j = 0; j < c->n_words; j++)
        word[c->first_word + j] |= or_of_shifted(code, c->shift[j]);
    return _mm256_testz_si256(misfit, misfit) != 0;
}

__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
parse_coded_row(struct gs_scanner *s, const char *row, const struct gs_layout *l, int64_t place,
                clock_fn *clock)
{
    struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_SAMPLES];
    const struct gs_row_codes *const c = &s->codes;
    const size_t time = s->of[GS_BIND_TIME][0];
    uint64_t word[GS_ROW_WORDS];
    int64_t t;
    unsigned decimals = 3;
    if (c->encoding != w->encoding)
        prepare_row_codes(s);
    if (!c->fits || l->readings.n_other > 0 || s->reader->pending != NULL ||
        !names_exist(s, row, l))
        return false;
    for (uint32_t k = 0; k < c->n_words; k++)
        word[k] = 0;
    for (size_t k = 0; k < l->readings.n; k += GS_READINGS)
        if (!put_four(s, row, &l->readings, k, word))
            return false;
    if (!fast_time(s, row + l->at[time], l->len[time], &t, clock) &&
        !other_time(s, row + l->at[time], l->len[time], &t, &decimals))
        return false;
    if (!gs_put_code(&c->time, t, decimals, word) ||
        (s->reader->keep_places && !gs_put_code(&c->place, place, 0, word)))
        return false;
    const uint32_t gpu = gpu_at(s, row, l);
    const struct gs_seen *seen;
    if (gpu == GS_INTERN_NONE || !sees(s, GS_TABLE_SAMPLES, gpu, &seen))
        return false;
    return (seen != NULL && seen->is_dropped) || gs_table_add_row(w, gpu, word, NULL) == GS_OK;
}

#endif
