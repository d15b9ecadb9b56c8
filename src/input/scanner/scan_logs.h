/* scan_logs.h - rows of logs, see scan.h; part of scan.c. */
#pragma once

#include "base/num/order.h"
#include "input/scanner/scan_codes.h"

/* Takes rows from *at on as long as their shapes are known, and moves *at behind them; returns how many. */
typedef uint64_t log_rows_fn(struct gs_scanner *s, const char **at, const char *limit,
                             const char *end, int64_t place);

/* What a row that the marks have parsed teaches about those of its shape. GS_LOG_BYTES are there. */
typedef void learn_log_fn(struct gs_scanner *s, const char *row, const struct gs_layout *l);

/*
 * Learning a shape costs as much as taking several rows by it. A file in which nearly every row
 * has a shape of its own uses up the credit, and is then read by the marks for longer and longer
 * stretches.
 */
enum {
    LOG_PAUSE = 1024,       /* rows, twice as many each time that it was in vain ... */
    LOG_PAUSES_LONGER = 10, /* ... so often */
    LOG_CREDIT = 512,       /* at first and at most                                 */
    LOG_LEARNING_COSTS = 8  /* rows that are taken by a shape for what one costs   */
};

#if defined(__x86_64__)

/*
 * The first of the free bytes: those below it, blanks and quotes among them, stand where they
 * stood. A name may change from row to row, but a blank or quote in it would change what the name
 * is; so these bytes must stand where they stood.
 */
enum { LOG_FREE = '"' + 1 };

/* The marks of the row at p; false where it is longer than `n_blocks`. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
mark_log_row(const char *p, unsigned n_blocks, char delimiter, uint64_t mark[GS_LOG_BLOCKS],
             uint32_t *length)
{
    const __m256i feeds = _mm256_set1_epi8('\n'), delimiters = _mm256_set1_epi8(delimiter);
    uint64_t seen =
        0; /* line feeds; no branch asks where the first is: rows are not equally long */
    uint32_t n = 0;
    for (unsigned k = 0; k < n_blocks; k++) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(p + 64 * k));
        const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 64 * k + 32));
        const uint64_t lf = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, feeds)) |
                            (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, feeds))
                                << 32;
        const uint64_t by =
            (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, delimiters)) |
            (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, delimiters)) << 32;
        const uint64_t upto = seen != 0 ? 0 : lf ^ (lf - 1); /* all where there is no line feed */
        mark[k] = (by | lf) & upto;
        n = seen != 0 ? n : 64 * k + (uint32_t)_tzcnt_u64(lf) + 1;
        seen |= lf;
    }
    *length = n;
    return seen != 0;
}

/*
 * Marks of blocks that are not read count as zero on both sides: a shape learnt with four blocks
 * is found with two if the row ends within them.
 */
GS_INLINE struct gs_log_shape *log_slot(struct gs_scanner *s, const uint64_t *mark,
                                        unsigned n_blocks)
{
    static const uint64_t odd[GS_LOG_BLOCKS] = {
        UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xc2b2ae3d27d4eb4f), UINT64_C(0x165667b19e3779f9),
        UINT64_C(0xff51afd7ed558ccd)};
    uint64_t h = 0;
    for (unsigned k = 0; k < n_blocks; k++)
        h += mark[k] * odd[k];
    return &s->log.shape[h >> 57];
}

_Static_assert(GS_LOG_SHAPES == 1 << (64 - 57), "a slot is the upper 7 bits of a hash");

/*
 * How the bytes of a row may be where no reading is; the marks say where its delimiters are.
 * Behind the row any byte is allowed: the next row stands there.
 */
static void shape_bytes(const char *row, struct gs_log_shape *h)
{
    for (uint32_t i = 0; i < h->length; i++) {
        const unsigned char c = (unsigned char)row[i];
        const bool fixed = c < LOG_FREE || (h->mark[i / 64] >> i % 64 & 1) != 0;
        h->least[i] = fixed ? c : LOG_FREE;
        h->span[i] = fixed ? 0 : UINT8_MAX - LOG_FREE;
    }
    memset(h->least + h->length, 0, GS_LOG_BYTES - h->length);
    memset(h->span + h->length, UINT8_MAX, GS_LOG_BYTES - h->length);
}

/*
 * A word that stands for no value: the i-th of four. False where the column has no code for it at
 * present. "[N/A]" and the like are part of the shape byte by byte, so a row with another word is
 * another shape and is looked at again.
 */
static bool shape_missing(const struct gs_code_four *c, size_t i, struct gs_log_shape *h)
{
    h->n_missing++;
    return c->least[i] == 1;
}

/*
 * The digits of the reading at t, the i-th of four: false where it is not one that shapes have.
 * The same limits as those of make_tail: a product of 32-bit halves must be exact.
 */
static bool shape_digits(const struct gs_code_four *c, size_t i, const char *t, size_t len,
                         struct gs_log_four *f)
{
    size_t point = len, n_points = 0;
    for (size_t k = 0; k < len; k++)
        if (t[k] == '.') {
            point = k;
            n_points++;
        } else if ((unsigned char)(t[k] - '0') > 9) {
            return false;
        }
    const size_t decimals = point == len ? 0 : len - point - 1;
    if (len < 1 || len > 8 || n_points > 1 || (n_points == 1 && (point == 0 || decimals == 0)) ||
        decimals > c->decimals[i] || c->decimals[i] - decimals > 6)
        return false;
    size_t byte = 8; /* of the word, from its end */
    for (size_t k = len; k-- > 0;)
        if (k != point)
            f->take[8 * i + --byte] = (uint8_t)(8 * (i & 1) + k);
    f->factor[i] = (uint32_t)gs_pow10(c->decimals[i] - (unsigned)decimals);
    return true;
}

/* The k-th reading of a row. False where shapes have no such readings. */
static bool shape_reading(const struct gs_scanner *s, const char *row, const struct gs_layout *l,
                          size_t k, struct gs_log_shape *h)
{
    const uint8_t b = s->of[GS_BIND_FIXED][k];
    const struct gs_code_four *const c = &s->codes.four[k / GS_READINGS];
    struct gs_log_four *const f = &h->four[k / GS_READINGS];
    const size_t i = k % GS_READINGS, blank = l->len[b] > 0 && row[l->at[b]] == ' ';
    const char *const t = row + l->at[b] + blank;
    const size_t len = l->len[b] - blank, n_unit = s->suffix[b];
    bool rounded = false;
    int64_t value;
    f->at[i] = (uint16_t)(l->at[b] + blank);
    for (uint32_t at = l->at[b]; at < (uint32_t)l->at[b] + l->len[b]; at++) {
        h->least[at] = (uint8_t)row[at];
        h->span[at] = 0;
    }
    if (gs_scaled_parse(name_at(row, l, b), s->binding->bound[b].unit, &value, &rounded) ==
        GS_NUMBER_MISSING)
        return shape_missing(c, i, h);
    size_t n = len;
    if (n_unit > 0 && len > n_unit + 1 && t[len - n_unit - 1] == ' ' &&
        memcmp(t + len - n_unit, s->binding->bound[b].unit.shown, n_unit) == 0 &&
        (unsigned char)(t[len - 1] - '0') > 9)
        n -= n_unit + 1;
    if (!shape_digits(c, i, t, n, f))
        return false;
    for (size_t at = 0; at < n; at++)
        if (t[at] != '.') {
            h->least[f->at[i] + at] = '0';
            h->span[f->at[i] + at] = 9;
        }
    return true;
}

/* Fills up the last four with factors of 0, whose codes are 0 and change nothing in the words. */
static bool shape_readings(const struct gs_scanner *s, const char *row, const struct gs_layout *l,
                           struct gs_log_shape *h)
{
    const size_t n = s->n_of[GS_BIND_FIXED];
    if (n > (size_t)GS_LOG_FOURS * GS_READINGS)
        return false;
    h->n_fours = (uint8_t)((n + GS_READINGS - 1) / GS_READINGS);
    h->n_missing = 0;
    for (size_t k = 0; k < h->n_fours; k++) {
        h->four[k] = (struct gs_log_four){.at = {0}};
        memset(h->four[k].take, 0x80, sizeof h->four[k].take);
    }
    for (size_t k = 0; k < n; k++)
        if (!shape_reading(s, row, l, k, h))
            return false;
    return true;
}

/* What a row that the marks have parsed teaches about those of its shape. GS_LOG_BYTES are there. */
__attribute__((target("avx2,bmi,bmi2"))) static void
learn_log(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    const struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_SAMPLES];
    uint64_t mark[GS_LOG_BLOCKS];
    uint32_t length;
    if (s->log.pause > 0 || l->length > GS_LOG_BYTES || w->encoding == NULL)
        return;
    if (s->codes.encoding != w->encoding)
        prepare_row_codes(s);
    if (!s->codes.fits || !mark_log_row(row, GS_LOG_BLOCKS, s->binding->delimiter, mark, &length))
        return;
    struct gs_log_shape *const h = log_slot(s, mark, GS_LOG_BLOCKS);
    const unsigned n_blocks = (length + 63) / 64;
    s->log.n_blocks = gs_max(n_blocks, s->log.n_blocks);
    s->log.credit -= LOG_LEARNING_COSTS;
    if (s->log.credit < -LOG_CREDIT) {
        s->log.credit = 0;
        s->log.pause = (unsigned)LOG_PAUSE << s->log.n_pauses;
        s->log.n_pauses += s->log.n_pauses < LOG_PAUSES_LONGER;
    }
    memcpy(h->mark, mark, sizeof mark);
    h->length = length;
    shape_bytes(row, h);
    const size_t time = s->of[GS_BIND_TIME][0];
    h->time_at = l->at[time];
    h->time_len = l->len[time];
    memcpy(h->key, l->key, sizeof h->key);
    h->encoding = shape_readings(s, row, l, h) ? w->encoding : NULL;
}

/* Four readings as codes; false where one has none at present. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
log_codes(const struct gs_code_four *c, const struct gs_log_four *f, const char *p, __m256i *code)
{
    const __m256i raw =
        _mm256_set_epi64x((long long)gs_load64(p + f->at[3]), (long long)gs_load64(p + f->at[2]),
                          (long long)gs_load64(p + f->at[1]), (long long)gs_load64(p + f->at[0]));
    const __m256i digits =
        _mm256_shuffle_epi8(_mm256_xor_si256(raw, _mm256_set1_epi8('0')), four_words(f->take));
    const __m256i factor =
        _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)f->factor));
    const __m256i none = _mm256_cmpeq_epi64(factor, _mm256_setzero_si256());
    __m256i misfit;
    const __m256i all =
        codes_of_numbers(numbers_of_digits(digits), factor, c->base, c->least, c->most, &misfit);
    *code = _mm256_andnot_si256(none, all);
    return _mm256_testc_si256(none, misfit) != 0;
}

/* The readings of a row of one word or two, both of which are written. False where one has no code at present. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
put_log_small(const struct gs_code_four *c, const struct gs_log_shape *h, const char *p,
              uint64_t *word)
{
    __m256i code, first = _mm256_setzero_si256(), second = first;
    const struct gs_log_four *const end = h->four + h->n_fours;
    for (const struct gs_log_four *f = h->four; f < end; f++, c++) {
        if (!log_codes(c, f, p, &code))
            return false;
        first = _mm256_or_si256(first, _mm256_sllv_epi64(code, four_words(c->shift[0])));
        second = _mm256_or_si256(second, _mm256_sllv_epi64(code, four_words(c->shift[1])));
    }
    word[0] = or_of_four(first);
    word[1] = or_of_four(second);
    return true;
}

/* The same of a row of any number of words, of which all that there may be are written. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
put_log_large(const struct gs_code_four *c, const struct gs_log_shape *h, const char *p,
              uint64_t *word)
{
    __m256i code;
    for (unsigned k = 0; k < GS_ROW_WORDS; k += 4)
        _mm256_storeu_si256((__m256i *)(void *)(word + k), _mm256_setzero_si256());
    for (unsigned k = 0; k < h->n_fours; k++, c++) {
        if (!log_codes(c, &h->four[k], p, &code))
            return false;
        for (unsigned j = 0; j < c->n_words; j++)
            word[c->first_word + j] |= or_of_shifted(code, c->shift[j]);
    }
    return true;
}

/* Is every byte of the row one that its shape may have? */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
has_shape(const char *p, const struct gs_log_shape *h, unsigned n_blocks)
{
    __m256i within = _mm256_set1_epi8(-1);
    for (unsigned k = 0; k < 64 * n_blocks; k += 32) {
        const __m256i above =
            _mm256_sub_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(p + k)),
                            _mm256_loadu_si256((const __m256i *)(const void *)(h->least + k)));
        const __m256i span = _mm256_loadu_si256((const __m256i *)(const void *)(h->span + k));
        within = _mm256_and_si256(within, _mm256_cmpeq_epi8(_mm256_min_epu8(above, span), above));
    }
    return _mm256_movemask_epi8(within) == -1;
}

/* A time of the day before as nvidia-smi writes it, else what another way makes of it. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) bool
log_time(struct gs_scanner *s, const char *t, size_t len, int64_t *mantissa, unsigned *decimals)
{
    if (len == 23 && same_date(t, s->local_date)) {
        const int64_t of_day = clock_of_16(t + 8, true);
        *mantissa = s->local_date_ms + of_day;
        s->reader->time.zoneless |= of_day >= 0;
        return of_day >= 0;
    }
    return fast_time(s, t, len, mantissa, clock_avx2) || other_time(s, t, len, mantissa, decimals);
}

/* The length of the row at p if it is taken, else 0. `small`: rows are of one word or two. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) uint32_t
parse_log_row(struct gs_scanner *s, const char *p, int64_t place, unsigned n_blocks, bool small)
{
    struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_SAMPLES];
    const struct gs_row_codes *const c = &s->codes;
    uint64_t mark[GS_LOG_BLOCKS], word[GS_ROW_WORDS], difference = 0;
    uint32_t length;
    if (!mark_log_row(p, n_blocks, s->binding->delimiter, mark, &length))
        return 0;
    const struct gs_log_shape *const h = log_slot(s, mark, n_blocks);
    for (unsigned k = 0; k < n_blocks; k++)
        difference |= mark[k] ^ h->mark[k]; /* equal: so are the lengths */
    if (difference != 0 || h->encoding != w->encoding || !has_shape(p, h, n_blocks))
        return 0;
    if (!(small ? put_log_small : put_log_large)(c->four, h, p, word))
        return 0;
    int64_t t;
    unsigned decimals = 3;
    if (!log_time(s, p + h->time_at, h->time_len, &t, &decimals) ||
        !gs_put_code(&c->time, t, decimals, word) ||
        (s->reader->keep_places && !gs_put_code(&c->place, place, 0, word)))
        return 0;
    uint32_t gpu = s->only_gpu;
    if (s->n_key > 0 && (gpu = gpu_in_turn(s, p, h->key)) == GS_INTERN_NONE)
        gpu = gpu_met(s, p, h->key);
    const struct gs_seen *seen;
    if (gpu == GS_INTERN_NONE || !sees(s, GS_TABLE_SAMPLES, gpu, &seen))
        return 0;
    if ((seen == NULL || !seen->is_dropped) &&
        (small ? gs_table_add_words(w, gpu, word[0], word[1], c->n_words, NULL)
               : gs_table_add_row(w, gpu, word, NULL)) != GS_OK)
        return 0;
    s->reader->n_missing += h->n_missing;
    return length;
}

/* Rows of up to so many blocks. What is constant makes straight code of a row. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) uint64_t
parse_rows_of(struct gs_scanner *s, const char **at, const char *limit, const char *end,
              int64_t place, unsigned n_blocks, bool small)
{
    const char *p = *at;
    const char *stop = end - p < GS_LOG_BYTES ? p : end - (GS_LOG_BYTES - 1);
    if (limit < stop)
        stop = limit;
    uint64_t n = 0;
    for (uint32_t length = 1; p < stop && length > 0; p += length, n += length > 0)
        length = parse_log_row(s, p, place + (int64_t)n, n_blocks, small);
    *at = p;
    return n;
}

/* Functions of their own: there the registers are for a row alone. */
#define LOG_ROWS(name, n_blocks, small)                                                            \
    __attribute__((target("avx2,bmi,bmi2"), noinline)) static uint64_t name(                       \
        struct gs_scanner *s, const char **at, const char *limit, const char *end, int64_t place)  \
    {                                                                                              \
        return parse_rows_of(s, at, limit, end, place, n_blocks, small);                           \
    }
LOG_ROWS(take_small_short_rows, 1, true)
LOG_ROWS(take_small_usual_rows, 2, true)
LOG_ROWS(take_usual_rows, 2, false)
LOG_ROWS(take_long_rows, GS_LOG_BLOCKS, false)
#undef LOG_ROWS

static uint64_t take_log_rows(struct gs_scanner *s, const char **at, const char *limit,
                              const char *end, int64_t place)
{
    const bool small = s->codes.n_words <= GS_SMALL_ROW_WORDS;
    if (s->log.n_blocks > 2)
        return take_long_rows(s, at, limit, end, place);
    if (!small)
        return take_usual_rows(s, at, limit, end, place);
    if (s->log.n_blocks == 2)
        return take_small_usual_rows(s, at, limit, end, place);
    return take_small_short_rows(s, at, limit, end, place);
}

#endif

/*
 * The same; how many are counted in r. Not while names are pending or rows are skipped: both need
 * a look at each row that this way saves.
 */
GS_INLINE uint64_t parse_logs(struct gs_scanner *s, const char *limit, const char *end,
                              int64_t place, struct gs_scan_result *r, log_rows_fn *log_rows)
{
    if (s->log.pause > 0) {
        s->log.pause--;
        return 0;
    }
    if (!s->codes.fits || s->codes.encoding != s->reader->writer[GS_TABLE_SAMPLES].encoding ||
        s->reader->pending != NULL || s->reader->skips)
        return 0;
    const uint64_t n = log_rows(s, &r->next, limit, end, place);
    s->log.credit =
        n > (uint64_t)(LOG_CREDIT - s->log.credit) ? LOG_CREDIT : s->log.credit + (int)n;
    s->log.n_pauses = s->log.credit == LOG_CREDIT ? 0 : s->log.n_pauses;
    r->n_rows += n;
    r->n_lines += n;
    return n;
}
