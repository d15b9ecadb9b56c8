/* scan.c - the fast way through a row: layout from bit masks, fields from words, names by comparison. */
#include "scan.h"

#include <stdatomic.h>

#include "masks.h"
#include "words.h"

/* Are the columns those that telemetry is written with, in that order, and no others? */
static bool usual_columns(const struct gs_scanner *s)
{
    const struct gs_binding *const b = s->binding;
    if (b->n_bound != b->n_fields || b->bound[0].kind != GS_BIND_TIME)
        return false;
    if (b->kind == GS_TABLE_CHECKPOINTS)
        return b->n_fields == 6 && s->host == 1 && b->bound[2].pool == GS_POOL_EVENT &&
               b->bound[3].kind == GS_BIND_EVENT_TYPE && b->bound[4].pool == GS_POOL_JOB && b->bound[5].pool == GS_POOL_TASK;
    return b->kind == GS_TABLE_SAMPLES && s->spans && s->span_first == 1 &&
           s->span_last + 1 + GS_N_METRICS == b->n_fields && s->n_of[GS_BIND_FIXED] == GS_N_METRICS;
}

void gs_scanner_file(struct gs_scanner *s, struct gs_gather *g, const struct gs_binding *b, size_t input)
{
    s->gather = g;
    s->binding = b;
    s->input = input;
    s->span_first = s->span_last = GS_BOUND_MAX;
    s->has_gpu_column = false;
    s->host = GS_BOUND_MAX;
    s->date[0] = '\0';
    memset(s->n_of, 0, sizeof s->n_of);
    memset(s->last, 0, sizeof s->last);
    memset(s->name, 0, sizeof s->name);
    memset(s->span, 0, sizeof s->span);
    memset(s->layout, 0, sizeof s->layout);
    memset(&s->sample, 0, sizeof s->sample);
    memset(&s->checkpoint, 0, sizeof s->checkpoint);
    size_t n_key = 0;
    for (size_t i = 0; i < b->n_bound; i++) {
        s->has_gpu_column |= b->bound[i].kind == GS_BIND_NAME && b->bound[i].pool == GS_POOL_GPU_NAME;
        if (b->bound[i].column != GS_NOT_STORED) {
            s->of[b->bound[i].kind][s->n_of[b->bound[i].kind]++] = (uint8_t)i;
            continue;
        }
        if (b->bound[i].pool == GS_POOL_HOST)
            s->host = i;
        if (n_key++ == 0)
            s->span_first = i;
        s->span_last = i;
    }
    /* One name alone would be the same text quoted and bare, with blanks that count and blanks that do not. */
    s->spans = b->kind == GS_TABLE_SAMPLES && n_key > 1 && s->span_last - s->span_first + 1 == n_key &&
               (size_t)(b->bound[s->span_last].field - b->bound[s->span_first].field) + 1 == n_key;
    s->usual = usual_columns(s);
}

/* "07:41:55.921Z" as milliseconds of the day, from the 16 bytes that end there; negative: not such a text. */
typedef int64_t clock_fn(const char *t);

GS_INLINE int64_t clock_plain(const char *t)
{
    const uint64_t clock = load64(t + 3) ^ UINT64_C(0x30303a30303a3030); /* digits to values, colons to 0 */
    const uint64_t fraction = load64(t + 8) ^ UINT64_C(0x5a3030302e000000); /* ".921Z" behind the seconds */
    if (not_digits(clock) || not_digits(fraction >> 24) || (clock & UINT64_C(0x0000ff0000ff0000)) != 0 ||
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
__attribute__((target("avx2"))) static inline int64_t clock_avx2(const char *t)
{
    /* ..T07:41:55.921Z: what each byte may be above its zero; the first three are another's business. */
    const __m128i zero = _mm_setr_epi8(0, 0, 0, '0', '0', ':', '0', '0', ':', '0', '0', '.', '0', '0', '0', 'Z');
    const __m128i most = _mm_setr_epi8(-1, -1, -1, 2, 9, 0, 5, 9, 0, 5, 9, 0, 9, 9, 9, 0);
    const __m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)t), zero);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, most), most)) != 0xffff)
        return -1;
    const __m128i digits = _mm_shuffle_epi8(v, _mm_setr_epi8(3, 4, 6, 7, 9, 10, -1, 12, 13, 14, -1, -1, -1, -1, -1, -1));
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

/* "2018-11-08T07:41:55.921Z" as milliseconds; anything else is for the exact parser. */
GS_INLINE bool fast_time(struct gs_scanner *s, const char *t, size_t len, int64_t *ms, clock_fn *clock)
{
    if (len != 24)
        return false;
    if (load64(t) != load64(s->date) || memcmp(t + 8, s->date + 8, 3) != 0) {
        struct gs_time_reader reader = {0};
        int64_t ns;
        char midnight[25] = "0000-00-00T00:00:00.000Z";
        memcpy(midnight, t, 10);
        if (t[10] != 'T' || !gs_time_parse(&reader, (struct gs_str){midnight, 24}, &ns) || ns > FAST_NS_MAX || ns < -FAST_NS_MAX)
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
    for (size_t k = 0; k < GS_N_METRICS; k++)
        ok = ok && fast_decimal(row + l->at[at[k]], l->len[at[k]], &value[k], &decimals[k]);
    return ok;
}

#if defined(__x86_64__)
/* fast_decimal, four at a time. */
__attribute__((target("avx2"))) static inline bool four_decimals_avx2(const char *row, const uint8_t *at,
                                                                      const struct gs_layout *l, int64_t *value,
                                                                      unsigned *decimals)
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
    const __m256i digits = _mm256_or_si256(_mm256_andnot_si256(moved, v), _mm256_sllv_epi64(_mm256_and_si256(v, below), by));
    const __m256i nine = _mm256_set1_epi8(9);
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine)) != -1)
        return false;
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    const __m256i eights = _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(fours, 32));
    _mm256_storeu_si256((__m256i *)(void *)value, eights);
    for (unsigned k = 0; k < GS_N_METRICS; k++)
        decimals[k] = 7 - (unsigned)__builtin_ctz((points >> (8 * k) & 0xff) | 0x80);
    return true;
}
#endif

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A name as libcsv would give it. */
GS_INLINE struct gs_str name_at(const char *row, const struct gs_layout *l, size_t i)
{
    struct gs_str v = {row + l->at[i], l->len[i]};
    if (l->bare[i]) {
        while (v.len > 0 && is_blank(v.ptr[0]))
            v.ptr++, v.len--;
        while (v.len > 0 && is_blank(v.ptr[v.len - 1]))
            v.len--;
    }
    return v;
}

/* A place for a text among `n` recent ones, from its ends: where names differ. Readable 8 beyond the text. */
GS_INLINE size_t recent_slot(struct gs_str v, size_t n)
{
    const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t h;
    if (v.len >= 8)
        h = load64(v.ptr) * k ^ load64(v.ptr + v.len - 8);
    else
        h = v.len == 0 ? 0 : load64(v.ptr) << (64 - 8 * v.len);
    h = (h ^ h >> 29 ^ v.len) * k;
    return (size_t)(h >> 40) & (n - 1);
}

GS_INLINE bool same_text(struct gs_str a, struct gs_str b)
{
    return a.len == b.len && a.ptr != NULL && same_bytes(a.ptr, b.ptr, a.len);
}

GS_INLINE uint32_t number_of(struct gs_scanner *s, unsigned pool, struct gs_str v)
{
    struct gs_recent_name *const last = &s->last[pool];
    if (same_text(last->text, v))
        return last->id;
    struct gs_recent_name *const recent = &s->name[pool][recent_slot(v, GS_RECENT_NAMES)];
    if (same_text(recent->text, v)) {
        *last = *recent;
        return recent->id;
    }
    struct gs_intern *const in = &s->gather->pool[pool];
    const uint32_t id = gs_intern_add(in, v);
    if (id != GS_INTERN_NONE)
        *last = *recent = (struct gs_recent_name){in->text[id], id, 0};
    return id;
}

/* The GPU of the three names of a row. */
static uint32_t gpu_of_names(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_gpu_key key = {GS_NONE, GS_NONE, GS_NONE};
    for (size_t i = 0; i < s->binding->n_bound; i++) {
        const struct gs_bound *const b = &s->binding->bound[i];
        if (b->kind != GS_BIND_NAME)
            continue;
        const struct gs_str name = name_at(row, l, i);
        const uint32_t id = name.len == 0 && !b->may_be_empty ? GS_INTERN_NONE : number_of(s, b->pool, name);
        if (id == GS_INTERN_NONE)
            return GS_INTERN_NONE;
        *(b->pool == GS_POOL_HOST ? &key.host : b->pool == GS_POOL_SERIAL ? &key.serial : &key.uuid) = id;
    }
    return gs_gather_gpu(s->gather, key);
}

/* The number of a span seen lately, which has two places to be; GS_INTERN_NONE: it is in neither. */
GS_INLINE uint32_t find_span(const struct gs_scanner *s, struct gs_str v, uint32_t ends)
{
    const struct gs_recent_name *r = &s->span[recent_slot(v, GS_RECENT_SPANS)];
    if (r->ends == ends && same_text(r->text, v))
        return r->id;
    r = &s->span[recent_slot(v, GS_RECENT_SPANS) ^ 1];
    return r->ends == ends && same_text(r->text, v) ? r->id : GS_INTERN_NONE;
}

GS_INLINE uint32_t ends_of_span(const struct gs_scanner *s, const struct gs_layout *l)
{
    return (uint32_t)l->bare[s->span_first] | (uint32_t)l->bare[s->span_last] << 1;
}

/* The GPU that a row names, through the raw text of its names where they stand side by side. */
GS_INLINE uint32_t gpu_at(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    if (!s->spans)
        return gpu_of_names(s, row, l);
    const size_t from = l->at[s->span_first], to = l->at[s->span_last] + (size_t)l->len[s->span_last];
    const struct gs_str v = {row + from, to - from};
    uint32_t gpu = find_span(s, v, ends_of_span(s, l));
    if (gpu != GS_INTERN_NONE)
        return gpu;
    struct gs_gather *const g = s->gather;
    struct gs_intern *const spans = &g->pool[GS_POOL_SPAN];
    const uint32_t span = gs_intern_add(spans, v);
    if (span == GS_INTERN_NONE)
        return GS_INTERN_NONE;
    gpu = span < g->n_span_gpus ? g->span_gpu[span] : GS_INTERN_NONE;
    if (gpu == GS_INTERN_NONE) {
        gpu = gpu_of_names(s, row, l);
        if (gpu == GS_INTERN_NONE || !gs_gather_span(g, span, gpu))
            return GS_INTERN_NONE;
    }
    const size_t slot = recent_slot(v, GS_RECENT_SPANS);
    s->span[slot ^ 1] = s->span[slot];
    s->span[slot] = (struct gs_recent_name){spans->text[span], gpu, ends_of_span(s, l)};
    return gpu;
}

GS_INLINE bool take_event_type(struct gs_table_writer *w, unsigned column, const char *t, size_t len)
{
    const uint64_t v = load64(t);
    if (len == 4 && (v & UINT64_C(0xffffffff)) == UINT64_C(0x504f5453)) /* "STOP" */
        gs_table_put_whole(w, column, 1);
    else if (len == 5 && (v & UINT64_C(0xffffffffff)) == UINT64_C(0x5452415453)) /* "START" */
        gs_table_put_whole(w, column, 0);
    else
        return false;
    return true;
}

/* Takes the sample at p if it is a usual one; its length, or 0. `one_word`: that holds its row, without a place. */
typedef uint32_t usual_sample_fn(struct gs_scanner *s, const char *p, int64_t place, bool one_word);

/* What a path of the scanner does in its own way; constants to the compiler, which inlines them. */
struct path {
    gs_masks_fn *masks;
    four_decimals_fn *four_decimals;
    clock_fn *clock;
    usual_sample_fn *usual_sample; /* NULL: none */
};

/* The columns of one kind of row whose fields are known. False where one wants the exact parser. */
GS_INLINE bool take_fields(struct gs_scanner *s, struct gs_table_writer *w, const char *row, const struct gs_layout *l,
                           const struct path path)
{
    const struct gs_bound *const bound = s->binding->bound;
    int64_t value;
    unsigned decimals;
    for (size_t k = 0; k < s->n_of[GS_BIND_TIME]; k++) {
        const size_t i = s->of[GS_BIND_TIME][k];
        if (!fast_time(s, row + l->at[i], l->len[i], &value, path.clock))
            return false;
        gs_table_put(w, bound[i].column, value, 3);
    }
    if (l->four) {
        int64_t values[GS_N_METRICS];
        unsigned places[GS_N_METRICS];
        if (!path.four_decimals(row, s->of[GS_BIND_FIXED], l, values, places))
            return false;
        for (size_t k = 0; k < GS_N_METRICS; k++)
            gs_table_put(w, bound[s->of[GS_BIND_FIXED][k]].column, values[k], places[k]);
    }
    for (size_t k = 0; !l->four && k < s->n_of[GS_BIND_FIXED]; k++) {
        const size_t i = s->of[GS_BIND_FIXED][k];
        if (!fast_decimal(row + l->at[i], l->len[i], &value, &decimals))
            return false;
        gs_table_put(w, bound[i].column, value, decimals);
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_INT]; k++) {
        const size_t i = s->of[GS_BIND_INT][k];
        if (!fast_decimal(row + l->at[i], l->len[i], &value, &decimals) || decimals != 0)
            return false;
        gs_table_put_whole(w, bound[i].column, value);
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_EVENT_TYPE]; k++) {
        const size_t i = s->of[GS_BIND_EVENT_TYPE][k];
        if (!take_event_type(w, bound[i].column, row + l->at[i], l->len[i]))
            return false;
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_NAME]; k++) {
        const size_t i = s->of[GS_BIND_NAME][k];
        const struct gs_str name = name_at(row, l, i);
        const uint32_t id = name.len == 0 && !bound[i].may_be_empty ? GS_INTERN_NONE : number_of(s, bound[i].pool, name);
        if (id == GS_INTERN_NONE)
            return false;
        gs_table_put_whole(w, bound[i].column, id);
    }
    return true;
}

/* One row whose fields are known. False, with nothing appended, where it wants the exact parser. */
GS_INLINE bool take_row(struct gs_scanner *s, const char *row, const struct gs_layout *l, int64_t place,
                        const struct path path)
{
    struct gs_table_writer *const w = &s->gather->writer[s->binding->kind];
    uint32_t owner = 0;
    if (!take_fields(s, w, row, l, path))
        return false;
    if (s->binding->kind == GS_TABLE_SAMPLES) {
        owner = gpu_at(s, row, l);
    } else if (s->binding->kind == GS_TABLE_CHECKPOINTS) {
        const struct gs_str name = name_at(row, l, s->host);
        owner = name.len == 0 ? GS_INTERN_NONE : number_of(s, GS_POOL_HOST, name);
        if (!s->has_gpu_column)
            gs_table_put_whole(w, GS_CHECKPOINT_GPU, GS_NO_GPU_NAME);
    }
    if (owner == GS_INTERN_NONE)
        return false;
    if (s->gather->keep_places)
        gs_table_put_whole(w, w->n_columns - 1, place);
    return gs_table_end_small_row(w, owner, NULL) == GS_OK;
}

/* The marks of one row: bits of its bytes, those behind its line feed cleared. */
struct row_marks {
    uint64_t quote[GS_SCAN_BLOCKS], comma[GS_SCAN_BLOCKS];
    unsigned n_blocks;
    uint32_t length; /* with the line feed */
};

/* Reads the marks of the row at p up to its first line feed; false where there is none within reach. */
GS_INLINE bool read_marks(const char *p, const char *end, gs_masks_fn *masks, struct row_marks *m)
{
    for (unsigned k = 0; k < GS_SCAN_BLOCKS && p + 64 * k < end; k++) {
        const struct gs_masks b = masks(p + 64 * k);
        m->quote[k] = b.quote;
        m->comma[k] = b.comma;
        if (b.lf != 0) {
            const uint64_t upto = b.lf ^ (b.lf - 1); /* the lowest line feed and all below */
            m->quote[k] &= upto;
            m->comma[k] &= upto;
            m->n_blocks = k + 1;
            m->length = 64 * k + (uint32_t)__builtin_ctzll(b.lf) + 1;
            return p + m->length <= end;
        }
    }
    return false;
}

GS_INLINE struct gs_layout *layout_slot(struct gs_scanner *s, const struct row_marks *m)
{
    uint64_t h = m->length;
    for (unsigned k = 0; k < m->n_blocks; k++)
        h = (h ^ m->comma[k] ^ (m->quote[k] << 1)) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
    return &s->layout[h >> 58];
}

GS_INLINE bool same_marks(const struct gs_layout *l, const struct row_marks *m, const char *row)
{
    /* Word by word: the marks were stored so a moment ago, and a wider load would wait for them. */
    uint64_t difference = (l->length ^ m->length) | (l->quote[0] ^ m->quote[0]) | (l->comma[0] ^ m->comma[0]);
    if (m->n_blocks > 1)
        difference |= (l->quote[1] ^ m->quote[1]) | (l->comma[1] ^ m->comma[1]);
    if (m->n_blocks > 2)
        difference |= (l->quote[2] ^ m->quote[2]) | (l->comma[2] ^ m->comma[2]);
    if (m->n_blocks > 3)
        difference |= (l->quote[3] ^ m->quote[3]) | (l->comma[3] ^ m->comma[3]);
    /* What set both bits is the carriage return of a CRLF, or a NUL in its place. */
    return difference == 0 && (!l->crlf || row[m->length - 2] == '\r');
}

/* The next set bit of marks at or after `from`, or the row's line end. */
static uint32_t next_bit(const uint64_t *bits, unsigned n_blocks, uint32_t from, uint32_t none)
{
    unsigned k = from / 64;
    if (k >= n_blocks)
        return none;
    uint64_t rest = bits[k] & (UINT64_MAX << from % 64);
    while (rest == 0) {
        if (++k == n_blocks)
            return none;
        rest = bits[k];
    }
    return 64 * k + (uint32_t)__builtin_ctzll(rest);
}

/* Works the layout out from the marks. False for a row that is not plainly built: the exact parser's. */
static bool make_layout(const struct gs_scanner *s, const struct row_marks *m, const char *row, struct gs_layout *l)
{
    const struct gs_binding *const b = s->binding;
    uint32_t stop = m->length - 1; /* of the row's text */
    l->length = 0; /* whatever stood here before is overwritten, also where this fails */
    l->crlf = stop > 0 && row[stop - 1] == '\r';
    stop -= l->crlf;
    for (unsigned k = 0; k < m->n_blocks; k++) {
        const uint64_t odd = m->quote[k] & m->comma[k], last = k == stop / 64 && l->crlf ? UINT64_C(1) << stop % 64 : 0;
        if (odd != last)
            return false;
        l->quote[k] = m->quote[k];
        l->comma[k] = m->comma[k];
    }
    uint32_t at = 0;
    size_t field = 0, bound = 0;
    for (;; field++) {
        const uint32_t quote = next_bit(m->quote, m->n_blocks, at, stop);
        const bool bare = quote != at;
        uint32_t first = at, len, comma;
        if (bare) {
            comma = next_bit(m->comma, m->n_blocks, at, stop);
            if (quote < comma)
                return false;
            len = comma - at;
        } else {
            const uint32_t close = next_bit(m->quote, m->n_blocks, at + 1, stop);
            if (close == stop)
                return false;
            comma = next_bit(m->comma, m->n_blocks, close + 1, stop);
            if (comma != close + 1)
                return false;
            first = at + 1;
            len = close - first;
        }
        if (bound < b->n_bound && b->bound[bound].field == field) {
            if (first + len > UINT8_MAX)
                return false;
            l->at[bound] = (uint8_t)first;
            l->len[bound] = (uint8_t)len;
            l->bare[bound++] = bare;
        }
        if (comma >= stop)
            break;
        at = comma + 1;
    }
    if (field + 1 != b->n_fields || stop == 0)
        return false;
    l->four = s->n_of[GS_BIND_FIXED] == GS_N_METRICS;
    for (size_t k = 0; l->four && k < GS_N_METRICS; k++) {
        const size_t len = l->len[s->of[GS_BIND_FIXED][k]];
        l->four = len >= 1 && len <= 8;
        l->shift[k] = 64 - 8 * (uint64_t)len;
    }
    l->length = m->length;
    return true;
}

/* --- usual rows --------------------------------------------------------------------------------------- */

static int64_t pow10_of(unsigned n)
{
    int64_t p = 1;
    while (n-- > 0)
        p *= 10;
    return p;
}

/* Makes the codes of samples from values, as the writer's encoding has them. */
static void prepare_codes(struct gs_scanner *s)
{
    struct gs_usual_sample *const u = &s->sample;
    const struct gs_table_writer *const w = &s->gather->writer[GS_TABLE_SAMPLES];
    const struct gs_encoding *const e = w->encoding;
    u->encoding = e;
    memset(u->tail, 0, sizeof u->tail);
    u->fits = e->n_words <= GS_SMALL_ROW_WORDS && w->decimals_kept[GS_SAMPLE_TIME] >= 3;
    for (unsigned k = 0; u->fits && k <= GS_N_METRICS; k++)
        u->fits = e->column[k].mask <= INT64_MAX;
    if (!u->fits)
        return;
    if (s->gather->keep_places) {
        u->place_base = (uint64_t)w->base[GS_SAMPLE_PLACE];
        u->place_most = e->column[GS_SAMPLE_PLACE].mask;
        u->place_word = e->column[GS_SAMPLE_PLACE].word;
        u->place_shift = e->column[GS_SAMPLE_PLACE].shift;
    }
    const struct gs_encoded_column *const time = &e->column[GS_SAMPLE_TIME];
    u->time_factor = (uint64_t)pow10_of(w->decimals_kept[GS_SAMPLE_TIME] - 3u);
    u->time_base = (uint64_t)w->base[GS_SAMPLE_TIME];
    u->time_least = time->nullable;
    u->time_most = time->mask;
    u->time_shift = time->shift;
    for (unsigned k = 0; k < GS_N_METRICS; k++) {
        const unsigned column = s->binding->bound[s->of[GS_BIND_FIXED][k]].column;
        u->base[k] = w->base[column];
        u->least[k] = e->column[column].nullable;
        u->most[k] = (int64_t)e->column[column].mask;
        u->shift[0][k] = e->column[column].word == 0 ? e->column[column].shift : 64;
        u->shift[1][k] = e->column[column].word == 1 ? e->column[column].shift : 64;
    }
}

/* What a sample that the marks have parsed teaches about the next. */
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
    const uint32_t n_before = u->names_at - time_end, n_behind = tail_at - (u->names_at + u->names_len);
    u->before_names_mask = (UINT32_C(1) << 8 * n_before) - 1; /* a comma with at most two quotes: 3 bytes */
    u->before_names = (uint32_t)load64(row + time_end) & u->before_names_mask;
    u->before_tail_mask = (uint16_t)((UINT32_C(1) << 8 * n_behind) - 1); /* a quote, a comma: 2 bytes */
    u->before_tail = (uint16_t)(load64(row + tail_at - n_behind) & u->before_tail_mask);
    u->known = n_before <= 3 && n_behind <= 2;
}

#if defined(__x86_64__)
/* Works out a tail from its marks; false for one that is not four plain numbers. */
static bool make_tail(const struct gs_scanner *s, uint32_t marks, uint32_t points, struct gs_usual_tail *t)
{
    const struct gs_table_writer *const w = &s->gather->writer[GS_TABLE_SAMPLES];
    struct gs_usual_tail made = {.marks = marks, .points = points, .length = 32u - (uint32_t)__builtin_clz(marks)};
    unsigned from = 0;
    memset(made.take, 0x80, sizeof made.take);
    for (unsigned k = 0; k < GS_N_METRICS; k++) {
        const unsigned column = s->binding->bound[s->of[GS_BIND_FIXED][k]].column;
        if (from == 32 || marks >> from == 0)
            return false;
        const unsigned to = from + (unsigned)__builtin_ctz(marks >> from), len = to - from;
        if (len < 1 || len > 8)
            return false;
        const uint32_t own = points >> from & ((UINT32_C(1) << len) - 1);
        const unsigned point = own == 0 ? len : (unsigned)__builtin_ctz(own);
        const unsigned decimals = own == 0 ? 0 : len - 1 - point;
        if ((own != 0 && (point == 0 || decimals == 0)) || decimals > w->decimals_kept[column])
            return false;
        unsigned byte = 8; /* of the word, from its end */
        for (unsigned i = len; i-- > 0;)
            if (i != point)
                made.take[8 * k + --byte] = (uint8_t)(8 * (k & 1) + i);
        made.at[k] = (uint8_t)from;
        made.factor[k] = (uint64_t)pow10_of(w->decimals_kept[column] - decimals);
        from = to + 1;
    }
    if (from != made.length)
        return false;
    *t = made;
    return true;
}

/* The codes, each shifted by its own, in one word. */
__attribute__((target("avx2"))) static inline uint64_t or_of_shifted(__m256i code, const uint64_t shift[GS_N_METRICS])
{
    const __m256i shifted = _mm256_sllv_epi64(code, _mm256_loadu_si256((const __m256i *)(const void *)shift));
    const __m128i halves = _mm_or_si128(_mm256_castsi256_si128(shifted), _mm256_extracti128_si256(shifted, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves)));
}

/* The sample at p, if it is a usual one, is stored; its length, or 0. GS_USUAL_BYTES are there. */
__attribute__((target("avx2,bmi,bmi2"))) static inline __attribute__((always_inline)) uint32_t
take_usual_sample(struct gs_scanner *s, const char *p, int64_t place, bool one_word)
{
    struct gs_usual_sample *const u = &s->sample;
    const char *const names = p + u->names_at, *const tail = p + u->tail_at;
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)tail);
    const uint32_t lf = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')));
    const uint32_t upto = lf ^ (lf - 1); /* the line feed and all below; everything where there is none */
    const uint32_t comma = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(',')));
    const uint32_t point = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.')));
    const uint32_t marks = (comma | lf) & upto, points = point & upto;
    struct gs_usual_tail *const t =
        &u->tail[((marks ^ points << 1) * UINT32_C(0x9e3779b1)) >> 25 & (GS_USUAL_TAILS - 1)];
    if (lf == 0 || ((t->marks != marks || t->points != points) && !make_tail(s, marks, points, t)))
        return 0;

    const int64_t of_day = load64(p + u->time_at) == load64(s->date) && load64(p + u->time_at + 3) == load64(s->date + 3)
                               ? clock_avx2(p + u->time_at + 8)
                               : -1;
    const uint64_t gaps = ((load64(p + u->time_at + 24) ^ u->before_names) & u->before_names_mask) |
                          ((load64(names + u->names_len) ^ u->before_tail) & u->before_tail_mask) |
                          (uint64_t)(u->time_at != 0 && p[0] != '"');
    const uint64_t tick = (uint64_t)(s->date_ms + of_day) * u->time_factor - u->time_base;

    const __m256i raw = _mm256_set_epi64x((long long)load64(tail + t->at[3]), (long long)load64(tail + t->at[2]),
                                          (long long)load64(tail + t->at[1]), (long long)load64(tail));
    const __m256i digits = _mm256_shuffle_epi8(_mm256_xor_si256(raw, _mm256_set1_epi8('0')),
                                               _mm256_loadu_si256((const __m256i *)(const void *)t->take));
    const __m256i nine = _mm256_set1_epi8(9);
    const bool all_digits = _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(digits, nine), nine)) == -1;
    const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(0x010a));
    const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010064));
    const __m256i eights = _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(fours, 32));
    const __m256i value = _mm256_mul_epu32(eights, _mm256_loadu_si256((const __m256i *)(const void *)t->factor));
    const __m256i code = _mm256_sub_epi64(value, _mm256_loadu_si256((const __m256i *)(const void *)u->base));
    const __m256i misfit =
        _mm256_or_si256(_mm256_cmpgt_epi64(_mm256_loadu_si256((const __m256i *)(const void *)u->least), code),
                        _mm256_cmpgt_epi64(code, _mm256_loadu_si256((const __m256i *)(const void *)u->most)));
    if (of_day < 0 || gaps != 0 || !all_digits || _mm256_testz_si256(misfit, misfit) == 0 ||
        tick - u->time_least > u->time_most - u->time_least)
        return 0;
    uint64_t row[GS_SMALL_ROW_WORDS] = {tick << u->time_shift | or_of_shifted(code, u->shift[0]), 0};
    if (!one_word)
        row[1] = or_of_shifted(code, u->shift[1]);
    if (!one_word && s->gather->keep_places) {
        const uint64_t place_code = (uint64_t)place - u->place_base;
        if (place_code > u->place_most)
            return 0;
        row[u->place_word] |= place_code << u->place_shift;
    }
    const uint32_t gpu = find_span(s, (struct gs_str){names, u->names_len}, u->ends);
    if (gpu == GS_INTERN_NONE || gs_table_add_words(&s->gather->writer[GS_TABLE_SAMPLES], gpu, row[0], row[1],
                                                    one_word ? 1 : u->encoding->n_words, NULL) != GS_OK)
        return 0;
    return u->tail_at + t->length;
}
#endif

GS_INLINE struct gs_usual_event *event_slot(struct gs_usual_checkpoint *u, const char *name)
{
    return &u->event[(load64(name) * UINT64_C(0x9e3779b97f4a7c15)) >> 59 & (GS_USUAL_EVENTS - 1)];
}

/* What a checkpoint that the marks have parsed teaches about the next: its ids, and where its fields stand. */
static void learn_checkpoint(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    const struct gs_str event = {row + l->at[2], l->len[2]};
    u->row = l->len[0] == 24 && l->at[0] == 1 && !l->bare[2] && !l->bare[4] ? row : NULL;
    u->event_at = l->at[2];
    u->job_at = l->at[4];
    u->length = l->length;
    u->host = s->last[GS_POOL_HOST].id;
    u->job = s->last[GS_POOL_JOB].id;
    u->task = s->last[GS_POOL_TASK].id;
    *event_slot(u, event.ptr) = (struct gs_usual_event){s->last[GS_POOL_EVENT].text, s->last[GS_POOL_EVENT].id};
}

/* The checkpoint at p, if it has the host, job and task of the row before, is stored; its length, or 0. */
GS_INLINE uint32_t take_usual_checkpoint(struct gs_scanner *s, const char *p, const char *end, int64_t place, clock_fn *clock)
{
    enum { TIME_AT = 1, TIME_END = 25, STOP_BYTES = 7, START_BYTES = 8 };
    struct gs_usual_checkpoint *const u = &s->checkpoint;
    int64_t ms;
    if (!same_bytes(p + TIME_END, u->row + TIME_END, u->event_at - TIME_END) || p[0] != '"' ||
        !fast_time(s, p + TIME_AT, 24, &ms, clock))
        return 0;
    const struct gs_usual_event *const e = event_slot(u, p + u->event_at);
    const uint32_t n_rest = u->length - u->job_at; /* with the line feed */
    if (e->text.ptr == NULL || (size_t)(end - p) < u->event_at + e->text.len + 3 + START_BYTES + n_rest ||
        !same_bytes(p + u->event_at, e->text.ptr, e->text.len))
        return 0;
    const char *const type = p + u->event_at + e->text.len; /* ","STOP"," or ","START"," */
    const uint64_t word = load64(type + 3);
    const bool stop = (word & UINT64_C(0xffffffffffffff)) == UINT64_C(0x222c22504f5453);
    if ((load64(type) & 0xffffff) != 0x222c22 || (!stop && word != UINT64_C(0x222c225452415453)))
        return 0;
    const char *const job = type + 3 + (stop ? STOP_BYTES : START_BYTES);
    if (!same_bytes(job, u->row + u->job_at, n_rest))
        return 0;
    struct gs_table_writer *const w = &s->gather->writer[GS_TABLE_CHECKPOINTS];
    gs_table_put(w, GS_CHECKPOINT_TIME, ms, 3);
    gs_table_put_whole(w, GS_CHECKPOINT_IS_STOP, stop);
    gs_table_put_whole(w, GS_CHECKPOINT_EVENT, e->id);
    gs_table_put_whole(w, GS_CHECKPOINT_JOB, u->job);
    gs_table_put_whole(w, GS_CHECKPOINT_TASK, u->task);
    gs_table_put_whole(w, GS_CHECKPOINT_GPU, GS_NO_GPU_NAME);
    gs_table_put_whole(w, GS_CHECKPOINT_PLACE, place); /* where there is such a column */
    if (gs_table_end_small_row(w, u->host, NULL) != GS_OK)
        return 0;
    u->row = p;
    u->job_at = (uint32_t)(job - p);
    u->length = u->job_at + n_rest;
    return u->length;
}

static void learn(struct gs_scanner *s, const char *row, const struct gs_layout *l)
{
    if (s->binding->kind == GS_TABLE_SAMPLES)
        learn_sample(s, row, l);
    else
        learn_checkpoint(s, row, l);
}

/* Takes rows as long as they are usual ones; returns how many. */
GS_INLINE uint64_t take_usual(struct gs_scanner *s, const char *limit, const char *end, uint64_t chunk,
                              uint64_t first_line, struct gs_scan_result *r, const struct path path)
{
    const bool samples = s->binding->kind == GS_TABLE_SAMPLES;
    const char *p = r->next;
    const int64_t place = gs_place(s->input, chunk, first_line + r->n_lines);
    uint64_t n = 0;
    if (samples && s->sample.encoding != s->gather->writer[GS_TABLE_SAMPLES].encoding)
        prepare_codes(s);
    if (samples ? path.usual_sample == NULL || !s->sample.known || !s->sample.fits : s->checkpoint.row == NULL)
        return 0;
    const bool one_word = samples && s->sample.encoding->n_words == 1 && !s->gather->keep_places;
    for (uint32_t length = 1; p < limit && end - p >= GS_USUAL_BYTES && length > 0; p += length, n += length > 0) {
        if (one_word) /* the loop of most rows of all: compiled for itself */
            length = path.usual_sample(s, p, 0, true);
        else if (samples)
            length = path.usual_sample(s, p, place + (int64_t)n, false);
        else
            length = take_usual_checkpoint(s, p, end, place + (int64_t)n, path.clock);
    }
    r->next = p;
    r->n_rows += n;
    r->n_lines += n;
    return n;
}

/* The exact parser for the row at p. */
static enum gs_split take_exactly(struct gs_scanner *s, const char *p, const char *end, bool at_end, uint64_t chunk,
                                  uint64_t line, struct gs_scan_result *r)
{
    const enum gs_split kind = gs_row_split(p, end, at_end, &s->split);
    if (kind == GS_SPLIT_MORE || kind == GS_SPLIT_REFUSE)
        return kind;
    if (memchr(p, '\0', (size_t)(s->split.next - p)) != NULL)
        return GS_SPLIT_REFUSE;
    if (kind == GS_SPLIT_ROW) {
        struct gs_row_fault fault;
        if (!gs_gather_row(s->gather, s->binding, s->split.field, s->split.n_fields, gs_place(s->input, chunk, line), &fault))
            return GS_SPLIT_REFUSE;
        r->n_rows++;
    }
    r->n_lines += s->split.n_lines;
    r->next = s->split.next;
    return GS_SPLIT_ROW;
}

enum {
    BATCH_ROWS = 32,     /* rows whose look-ups are under way at the same time        */
    LARGE_POOL = 1 << 10 /* names that no longer fit the nearest cache                */
};

/* A row whose layout is known and whose fields are not taken yet. */
struct pending {
    const char *row;
    const struct gs_layout *layout;
    uint32_t length;
};

/* Collects rows up to the first that has no layout, or whose layout would overwrite one that is in use. */
GS_INLINE size_t collect(struct gs_scanner *s, const char *p, const char *limit, const char *end, size_t most,
                         struct pending pending[BATCH_ROWS], gs_masks_fn *masks)
{
    size_t n = 0;
    while (n < most && p < limit) {
        struct row_marks m;
        if (!read_marks(p, end, masks, &m))
            break;
        struct gs_layout *const l = layout_slot(s, &m);
        if (!same_marks(l, &m, p) && ((n > 0 && l->length != 0) || !make_layout(s, &m, p, l)))
            break;
        pending[n++] = (struct pending){p, l, m.length};
        p += m.length;
    }
    return n;
}

/* Starts the look-ups of names that the row before does not have: rows in no order miss every cache. */
static void prefetch_names(const struct gs_scanner *s, const struct pending *pending, size_t n, size_t column)
{
    const struct gs_intern *const in = &s->gather->pool[s->binding->bound[column].pool];
    uint64_t hash[BATCH_ROWS];
    size_t n_hashed = 0;
    struct gs_str before = {0};
    if (in->n < LARGE_POOL)
        return;
    for (size_t k = 0; k < n; k++) {
        const struct gs_str name = name_at(pending[k].row, pending[k].layout, column);
        if (!same_text(before, name)) {
            hash[n_hashed] = gs_hash(name.ptr, name.len, in->seed);
            gs_intern_prefetch(in, hash[n_hashed++], 0);
        }
        before = name;
    }
    for (unsigned step = 1; step <= 2 && n_hashed > 4; step++)
        for (size_t k = 0; k < n_hashed; k++)
            gs_intern_prefetch(in, hash[k], step);
}

GS_INLINE enum gs_split scan_by(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end,
                                uint64_t chunk, uint64_t first_line, struct gs_scan_result *r, const struct path path)
{
    *r = (struct gs_scan_result){.next = p};
    size_t batch = 1; /* grows while rows are not usual: then they are best looked up together */
    s->checkpoint.row = NULL;
    gs_table_catch_up(&s->gather->writer[s->binding->kind]);
    while (r->next < limit) {
        struct pending pending[BATCH_ROWS];
        if (s->usual && take_usual(s, limit, end, chunk, first_line, r, path) > 0) {
            batch = 1;
            if (r->next >= limit)
                break;
        }
        const size_t n = collect(s, r->next, limit, end, batch, pending, path.masks);
        batch = batch < BATCH_ROWS ? batch * 2 : batch;
        for (size_t k = 0; n > 1 && k < s->n_of[GS_BIND_NAME]; k++)
            prefetch_names(s, pending, n, s->of[GS_BIND_NAME][k]);
        size_t taken = 0;
        while (taken < n && take_row(s, pending[taken].row, pending[taken].layout,
                                     gs_place(s->input, chunk, first_line + r->n_lines), path)) {
            r->n_rows++;
            r->n_lines++;
            r->next = pending[taken].row + pending[taken].length;
            taken++;
        }
        if (taken == n && n > 0) {
            if (s->usual)
                learn(s, pending[n - 1].row, pending[n - 1].layout);
            continue;
        }
        const enum gs_split k = take_exactly(s, r->next, end, at_end, chunk, first_line + r->n_lines, r);
        if (k != GS_SPLIT_ROW)
            return k;
    }
    return GS_SPLIT_ROW;
}

typedef enum gs_split scan_fn(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end,
                              uint64_t chunk, uint64_t first_line, struct gs_scan_result *r);

static enum gs_split scan_plain(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end,
                                uint64_t chunk, uint64_t first_line, struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_plain, four_decimals_plain, clock_plain, NULL});
}

#if defined(__x86_64__)
static enum gs_split scan_sse2(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end,
                               uint64_t chunk, uint64_t first_line, struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_sse2, four_decimals_plain, clock_plain, NULL});
}

__attribute__((target("avx2,bmi,bmi2"))) static enum gs_split scan_avx2(struct gs_scanner *s, const char *p, const char *limit,
                                                                   const char *end, bool at_end, uint64_t chunk,
                                                                   uint64_t first_line, struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_avx2, four_decimals_avx2, clock_avx2, take_usual_sample});
}

__attribute__((target("avx2,bmi,bmi2,avx512f,avx512bw"))) static enum gs_split
scan_avx512(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end, uint64_t chunk,
            uint64_t first_line, struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_avx512, four_decimals_avx2, clock_avx2, take_usual_sample});
}
#endif

static _Atomic(scan_fn *) chosen;

bool gs_scan_use(enum gs_scan_path path)
{
    scan_fn *fn = path == GS_SCAN_BEST || path == GS_SCAN_PLAIN ? scan_plain : NULL;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    if (path == GS_SCAN_SSE2 || (path == GS_SCAN_BEST && !avx2))
        fn = scan_sse2;
    else if (avx2 && (path == GS_SCAN_AVX2 || (path == GS_SCAN_BEST && !avx512)))
        fn = scan_avx2;
    else if (avx512 && (path == GS_SCAN_AVX512 || path == GS_SCAN_BEST))
        fn = scan_avx512;
#endif
    if (fn != NULL)
        atomic_store(&chosen, fn);
    return fn != NULL;
}

enum gs_split gs_scan(struct gs_scanner *s, const char *p, const char *limit, const char *end, bool at_end,
                      uint64_t chunk, uint64_t first_line, struct gs_scan_result *r)
{
    scan_fn *fn = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (fn == NULL) {
        (void)gs_scan_use(GS_SCAN_BEST);
        fn = atomic_load(&chosen);
    }
    return fn(s, p, limit, end, at_end, chunk, first_line, r);
}
