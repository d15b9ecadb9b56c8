/* scan_usual.h - usual rows, see scan.h; part of scan.c. */
#pragma once

#include "input/scanner/scan_codes.h"
#include "input/scanner/scan_fields.h"
#include "input/scanner/scan_names.h"
#include "input/scanner/scan_readings.h"

/*
 * Are the columns those that telemetry is written with, in that order, and no others? The study's
 * own tables: time, host, serial, UUID and four readings, or the six columns of its checkpoints.
 * They are most of the bytes that gpustat reads, hence a way of their own.
 */
static bool usual_columns(const struct gs_scanner *s)
{
    const struct gs_binding *const b = s->binding;
    if (b->n_bound != b->n_fields || b->bound[0].kind != GS_BIND_TIME || b->delimiter != ',')
        return false;
    for (size_t i = 0; i < b->n_bound; i++)
        if (b->bound[i].field != i) /* one has two metrics, and another none */
            return false;
    if (b->kind == GS_TABLE_CHECKPOINTS)
        return b->n_fields == 6 && s->host == 1 && b->bound[2].pool == GS_POOL_EVENT &&
               b->bound[3].kind == GS_BIND_EVENT_TYPE && b->bound[4].pool == GS_POOL_JOB &&
               b->bound[5].pool == GS_POOL_TASK;
    return b->kind == GS_TABLE_SAMPLES && s->spans && s->span_first == 1 &&
           s->span_last + 1 + GS_USUAL_READINGS == b->n_fields &&
           s->n_of[GS_BIND_FIXED] == GS_USUAL_READINGS && !s->scaled;
}

/* Takes the sample at p if it is a usual one; its length, or 0. `one_word`: that holds its row, without a place. */
typedef uint32_t usual_sample_fn(struct gs_scanner *s, const char *p, int64_t place, bool one_word);

/* The tails hold factors for the decimals of the encoding that they were made by, so they are forgotten with it. */
static void prepare_sample(struct gs_scanner *s)
{
    struct gs_usual_sample *const u = &s->sample;
    const struct gs_row_codes *const c = &s->codes;
    if (c->encoding != s->reader->writer[GS_TABLE_SAMPLES].encoding)
        prepare_row_codes(s);
    u->encoding = c->encoding;
    u->fits = c->fits && c->n_words <= GS_SMALL_ROW_WORDS && c->time.most <= INT64_MAX;
    memset(u->tail, 0, sizeof u->tail);
}

/*
 * What a sample that the marks have parsed teaches about the next. The limits keep all words that
 * parse_usual_sample loads within GS_USUAL_BYTES from the row's start, which parse_usual makes
 * sure are there.
 */
static void learn_sample(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_usual_sample *const u = &s->sample;
    const uint32_t time_end = l->at[0] + 24u, tail_at = l->at[s->span_last + 1];
    u->known = false;
    if (!l->four || l->crlf || l->len[0] != 24 || l->at[0] > 1 || l->bare[0] != (l->at[0] == 0) ||
        !l->bare[s->span_last + 1])
        return;
    u->ends = ends_of_span(s, l);
    u->time_at = l->at[0];
    u->names_at = l->at[s->span_first];
    u->names_len = l->at[s->span_last] + (uint32_t)l->len[s->span_last] - u->names_at;
    u->tail_at = tail_at;
    const uint32_t n_before = u->names_at - time_end,
                   n_behind = tail_at - (u->names_at + u->names_len);
    u->before_names_mask =
        (UINT32_C(1) << 8 * n_before) - 1; /* a comma with at most two quotes: 3 bytes */
    u->before_names = (uint32_t)gs_load64(row + time_end) & u->before_names_mask;
    u->before_tail_mask =
        (uint16_t)((UINT32_C(1) << 8 * n_behind) - 1); /* a quote, a comma: 2 bytes */
    u->before_tail = (uint16_t)(gs_load64(row + tail_at - n_behind) & u->before_tail_mask);
    u->known = n_before <= 3 && n_behind <= 2 && tail_at <= GS_USUAL_BYTES - 32;
}

#if defined(__x86_64__)
/*
 * Works out a tail from its marks; false for one that is not four plain numbers. A tail is stored
 * only when all four numbers are plain. A failed attempt leaves the old tail, and is repeated for
 * the next row with these marks: such rows are rare.
 */
static bool make_tail(const struct gs_scanner *s, uint32_t marks, uint32_t points,
                      struct gs_usual_tail *t)
{
    struct gs_usual_tail made = {
        .marks = marks, .points = points, .length = 32u - (uint32_t)__builtin_clz(marks)};
    unsigned from = 0;
    memset(made.take, 0x80, sizeof made.take);
    for (unsigned k = 0; k < GS_USUAL_READINGS; k++) {
        const unsigned kept = s->codes.four[0].decimals[k];
        if (from == 32 || marks >> from == 0)
            return false;
        const unsigned to = from + (unsigned)__builtin_ctz(marks >> from), len = to - from;
        if (len < 1 || len > 8)
            return false;
        const uint32_t own = points >> from & ((UINT32_C(1) << len) - 1);
        const unsigned point = own == 0 ? len : (unsigned)__builtin_ctz(own);
        const unsigned decimals = own == 0 ? 0 : len - 1 - point;
        if ((own != 0 && (point == 0 || decimals == 0)) || decimals > kept)
            return false;
        unsigned byte = 8; /* of the word, from its end */
        for (unsigned i = len; i-- > 0;)
            if (i != point)
                made.take[8 * k + --byte] = (uint8_t)(8 * (k & 1) + i);
        made.at[k] = (uint8_t)from;
        made.factor[k] = (uint64_t)gs_pow10(kept - decimals);
        from = to + 1;
    }
    if (from != made.length)
        return false;
    *t = made;
    return true;
}

/* The sample at p, if it is a usual one, is stored; its length, or 0. GS_USUAL_BYTES are there. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) uint32_t
parse_usual_sample(struct gs_scanner *s, const char *p, int64_t place, bool one_word)
{
    struct gs_usual_sample *const u = &s->sample;
    const struct gs_row_codes *const c = &s->codes;
    const struct gs_code_four *const four = &c->four[0];
    const char *const names = p + u->names_at, *const tail = p + u->tail_at;
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)tail);
    const uint32_t lf =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')));
    const uint32_t upto =
        lf ^ (lf - 1); /* the line feed and all below; everything where there is none */
    const uint32_t comma =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(',')));
    const uint32_t point =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.')));
    const uint32_t marks = (comma | lf) & upto, points = point & upto;
    struct gs_usual_tail *const t =
        &u->tail[((marks ^ points << 1) * UINT32_C(0x9e3779b1)) >> 25 & (GS_USUAL_TAILS - 1)];
    if (lf == 0 || ((t->marks != marks || t->points != points) && !make_tail(s, marks, points, t)))
        return 0;

    const int64_t of_day = gs_load64(p + u->time_at) == gs_load64(s->date) &&
                                   gs_load64(p + u->time_at + 3) == gs_load64(s->date + 3)
                               ? clock_avx2(p + u->time_at + 8, false)
                               : -1;
    const uint64_t gaps =
        ((gs_load64(p + u->time_at + 24) ^ u->before_names) & u->before_names_mask) |
        ((gs_load64(names + u->names_len) ^ u->before_tail) & u->before_tail_mask) |
        (uint64_t)(u->time_at != 0 && p[0] != '"');

    const __m256i raw = _mm256_set_epi64x(
        (long long)gs_load64(tail + t->at[3]), (long long)gs_load64(tail + t->at[2]),
        (long long)gs_load64(tail + t->at[1]), (long long)gs_load64(tail));
    const __m256i digits =
        _mm256_shuffle_epi8(_mm256_xor_si256(raw, _mm256_set1_epi8('0')),
                            _mm256_loadu_si256((const __m256i *)(const void *)t->take));
    const __m256i nine = _mm256_set1_epi8(9);
    const bool all_digits =
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine)) == -1;
    __m256i misfit;
    const __m256i code = codes_of_numbers(numbers_of_digits(digits), four_words(t->factor),
                                          four->base, four->least, four->most, &misfit);
    const bool fit = _mm256_testz_si256(misfit, misfit) != 0;
    uint64_t row[GS_SMALL_ROW_WORDS] = {or_of_shifted(code, four->shift[0]), 0};
    if (!one_word)
        row[1] = or_of_shifted(code, four->shift[1]);
    if (of_day < 0 || gaps != 0 || !all_digits || !fit ||
        !gs_put_code(&c->time, s->date_ms + of_day, 3, row) ||
        (!one_word && s->reader->keep_places && !gs_put_code(&c->place, place, 0, row)))
        return 0;
    const uint32_t gpu = find_span(s, (struct gs_str){names, u->names_len}, u->ends);
    if (gpu == GS_INTERN_NONE ||
        gs_table_add_words(&s->reader->writer[GS_TABLE_SAMPLES], gpu, row[0], row[1],
                           one_word ? 1 : c->n_words, NULL) != GS_OK)
        return 0;
    return u->tail_at + t->length;
}
#endif

/*
 * The first eight bytes of a name choose the slot. Events that share them replace each other,
 * which costs time only: the whole text is compared.
 */
GS_INLINE struct gs_usual_event *event_slot(struct gs_usual_checkpoint *u, const char *name)
{
    return &u->event[(gs_load64(name) * UINT64_C(0x9e3779b97f4a7c15)) >> 59 &
                     (GS_USUAL_EVENTS - 1)];
}

/* How checkpoints of this job and task are stored as the writer has them at present. */
static void prepare_checkpoint(struct gs_scanner *s)
{
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    const struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_CHECKPOINTS];
    const uint32_t n_words = gs_table_row_words(w);
    u->encoding = w->encoding;
    u->fits = w->rest_fits && n_words > 0 && n_words <= GS_SMALL_ROW_WORDS;
    if (!u->fits)
        return;
    const struct gs_code_form job = gs_table_code_form(w, GS_CHECKPOINT_JOB),
                              task = gs_table_code_form(w, GS_CHECKPOINT_TASK);
    u->time = gs_table_code_form(w, GS_CHECKPOINT_TIME);
    u->stop = gs_table_code_form(w, GS_CHECKPOINT_IS_STOP);
    u->name = gs_table_code_form(w, GS_CHECKPOINT_EVENT);
    if (s->reader->keep_places)
        u->place = gs_table_code_form(w, GS_CHECKPOINT_PLACE);
    memset(u->same, 0, sizeof u->same);
    u->fits = gs_put_code(&job, u->job, 0, u->same) && gs_put_code(&task, u->task, 0, u->same);
}

/*
 * What a checkpoint that the marks have parsed teaches about the next: its ids, and where its
 * fields stand. The row is kept as a pointer into the caller's buffer. scan_by clears it at the
 * start of each call, since the buffer may hold other bytes by then.
 */
static void learn_checkpoint(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    const struct gs_str event = {row + l->at[2], l->len[2]};
    u->row = l->len[0] == 24 && l->at[0] == 1 && !l->bare[2] && !l->bare[4] &&
                     l->at[2] <= GS_USUAL_BYTES - 32
                 ? row
                 : NULL;
    u->event_at = l->at[2];
    u->job_at = l->at[4];
    u->length = l->length;
    u->host = s->last[GS_POOL_HOST].id;
    u->job = s->last[GS_POOL_JOB].id;
    u->task = s->last[GS_POOL_TASK].id;
    *event_slot(u, event.ptr) =
        (struct gs_usual_event){s->last[GS_POOL_EVENT].text, s->last[GS_POOL_EVENT].id};
    prepare_checkpoint(s);
}

/* A checkpoint of this host, job and task. */
GS_INLINE enum gs_status store_checkpoint(struct gs_scanner *s, int64_t ms, bool stop,
                                          uint32_t event, int64_t place)
{
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    struct gs_table_writer *const w = &s->reader->writer[GS_TABLE_CHECKPOINTS];
    const bool places = s->reader->keep_places;
    if (u->encoding != w->encoding)
        prepare_checkpoint(s);
    uint64_t row[GS_SMALL_ROW_WORDS] = {u->same[0], u->same[1]};
    if (u->fits && gs_put_code(&u->time, ms, 3, row) && gs_put_code(&u->stop, stop, 0, row) &&
        gs_put_code(&u->name, event, 0, row) && (!places || gs_put_code(&u->place, place, 0, row)))
        return gs_table_add_words(w, u->host, row[0], row[1], gs_table_row_words(w), NULL);
    gs_table_put(w, GS_CHECKPOINT_TIME, ms, 3); /* a value that has no code yet */
    gs_table_put_whole(w, GS_CHECKPOINT_IS_STOP, stop);
    gs_table_put_whole(w, GS_CHECKPOINT_EVENT, event);
    gs_table_put_whole(w, GS_CHECKPOINT_JOB, u->job);
    gs_table_put_whole(w, GS_CHECKPOINT_TASK, u->task);
    if (places)
        gs_table_put_whole(w, GS_CHECKPOINT_PLACE, place);
    return gs_table_end_small_row(w, u->host, NULL);
}

/*
 * The checkpoint at p, if it has the host, job and task of the row before, is stored; its length,
 * or 0. The bytes from the host to the event and from the job to the line end must equal those of
 * the row before, so their numbers are the same, and only the time, event and type are read.
 */
GS_INLINE uint32_t parse_usual_checkpoint(struct gs_scanner *s, const char *p, const char *end,
                                          int64_t place, clock_fn *clock)
{
    enum { TIME_AT = 1, TIME_END = 25, STOP_BYTES = 7, START_BYTES = 8 };
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    int64_t ms;
    if (!same_bytes(p + TIME_END, u->row + TIME_END, u->event_at - TIME_END) || p[0] != '"' ||
        !fast_time(s, p + TIME_AT, 24, &ms, clock))
        return 0;
    const struct gs_usual_event *const e = event_slot(u, p + u->event_at);
    const uint32_t n_rest = u->length - u->job_at; /* with the line feed */
    if (e->text.ptr == NULL ||
        (size_t)(end - p) < u->event_at + e->text.len + 3 + START_BYTES + n_rest ||
        !same_bytes(p + u->event_at, e->text.ptr, e->text.len))
        return 0;
    const char *const type = p + u->event_at + e->text.len; /* ","STOP"," or ","START"," */
    const uint64_t word = gs_load64(type + 3);
    const bool stop = (word & UINT64_C(0xffffffffffffff)) == UINT64_C(0x222c22504f5453);
    if ((gs_load64(type) & 0xffffff) != 0x222c22 || (!stop && word != UINT64_C(0x222c225452415453)))
        return 0;
    const char *const job = type + 3 + (stop ? STOP_BYTES : START_BYTES);
    if (!same_bytes(job, u->row + u->job_at, n_rest))
        return 0;
    u->row = p;
    u->job_at = (uint32_t)(job - p);
    u->length = u->job_at + n_rest;
    struct gs_seen *const seen =
        s->reader->drops ? &s->reader->seen[GS_TABLE_CHECKPOINTS].of[u->host] : NULL;
    if (seen != NULL &&
        (seen->reach.n_rows++, seen->is_dropped)) /* as the row before it was, in this chunk */
        return u->length;
    return store_checkpoint(s, ms, stop, e->id, place) == GS_OK ? u->length : 0;
}

/*
 * The sample at p, where those of some hosts are dropped: which of them need no look, end at
 * their line feed. A quote in the rest of a skipped row could hide a line feed inside a field;
 * then the exact way looks for the row's end.
 */
GS_INLINE uint32_t parse_sample_of_shard(struct gs_scanner *s, const char *p, int64_t place,
                                         usual_sample_fn *usual_sample)
{
    const struct gs_usual_sample *const u = &s->sample;
    const char *const tail = p + u->tail_at;
    const uint32_t gpu = find_span(s, (struct gs_str){p + u->names_at, u->names_len}, u->ends);
    if (gpu == GS_INTERN_NONE)
        return 0;
    const struct gs_seen_rows *const seen = &s->reader->seen[GS_TABLE_SAMPLES];
    uint32_t length = 0;
    if (s->reader->skips && gpu < seen->n && seen->of[gpu].is_dropped) {
        const char *const lf = memchr(tail, '\n', GS_USUAL_BYTES - u->tail_at);
        if (lf != NULL && memchr(tail, '"', (size_t)(lf - tail)) == NULL)
            length = u->tail_at + (uint32_t)(lf - tail) + 1;
    } else {
        length = usual_sample(s, p, place, false);
    }
    return length > 0 && gs_reader_count(s->reader, GS_TABLE_SAMPLES, gpu) != NULL ? length : 0;
}

static void learn(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    if (s->binding->kind == GS_TABLE_SAMPLES)
        learn_sample(s, row, l);
    else
        learn_checkpoint(s, row, l);
}

/* Rows while they are taken: `at` and its `place` go on. */
struct usual_rows {
    const char *at, *limit, *end;
    int64_t place;
};

enum usual_kind { USUAL_CHECKPOINT, USUAL_SAMPLE, USUAL_SAMPLE_OF_ONE_WORD, USUAL_SAMPLE_OF_SHARD };

/* Each kind that is known to the compiler has a loop of its own. */
GS_INLINE void take_usual(struct gs_scanner *s, struct usual_rows *rows, enum usual_kind kind,
                          usual_sample_fn *sample, clock_fn *clock)
{
    for (uint32_t length; rows->at < rows->limit; rows->at += length, rows->place++) {
        if (kind == USUAL_CHECKPOINT)
            length = parse_usual_checkpoint(s, rows->at, rows->end, rows->place, clock);
        else if (kind == USUAL_SAMPLE_OF_SHARD)
            length = parse_sample_of_shard(s, rows->at, rows->place, sample);
        else
            length = sample(s, rows->at, rows->place, kind == USUAL_SAMPLE_OF_ONE_WORD);
        if (length == 0)
            break;
    }
}

/*
 * Takes rows as long as they are usual ones; returns how many. For samples the encoding is
 * compared once per call and not per row: a row that does not fit the codes returns length 0,
 * which ends this loop, and only the general way changes the encoding.
 */
GS_INLINE uint64_t parse_usual(struct gs_scanner *s, const char *limit, const char *end,
                               int64_t place, struct gs_scan_result *r, usual_sample_fn *sample,
                               clock_fn *clock)
{
    const bool samples = s->binding->kind == GS_TABLE_SAMPLES;
    const ptrdiff_t room =
        end - r->next - GS_USUAL_BYTES; /* all that is loaded of a row is there */
    struct usual_rows rows = {r->next, limit, end, place};
    if (samples && s->sample.encoding != s->reader->writer[GS_TABLE_SAMPLES].encoding)
        prepare_sample(s);
    if (room < 0 || (samples ? !s->sample.known || !s->sample.fits : s->checkpoint.row == NULL))
        return 0;
    if (limit - rows.at > room)
        rows.limit = rows.at + room + 1;
    if (!samples)
        take_usual(s, &rows, USUAL_CHECKPOINT, sample, clock);
    else if (s->reader->drops)
        take_usual(s, &rows, USUAL_SAMPLE_OF_SHARD, sample, clock);
    else if (s->codes.n_words == 1 && !s->reader->keep_places)
        take_usual(s, &rows, USUAL_SAMPLE_OF_ONE_WORD, sample, clock);
    else
        take_usual(s, &rows, USUAL_SAMPLE, sample, clock);
    const uint64_t n = (uint64_t)(rows.place - place);
    r->next = rows.at;
    r->n_rows += n;
    r->n_lines += n;
    return n;
}
