/* scan_codes.h - how the readings of samples are stored at present, see scan.h; part of scan.c. */
#pragma once

#include "base/num/order.h"
#include "input/scanner/scan_names.h"
#include "input/scanner/scan_readings.h"

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
    *c = (struct gs_code_four){.n_words = 0};
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

#endif
