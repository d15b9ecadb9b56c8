/* scan.c - the fast way through a row: layout from bit masks, fields from words, names by comparison. */
#include "scan/scan.h"

#include <stdatomic.h>

#include "scan/scan_fields.h"
#include "scan/scan_names.h"
#include "scan/scan_usual.h"

void gs_scanner_file(struct gs_scanner *s, struct gs_gather *g, const struct gs_binding *b, size_t input)
{
    gs_gather_file(g, b);
    memset(s, 0, offsetof(struct gs_scanner, split)); /* all that was learnt of another file */
    s->gather = g;
    s->binding = b;
    s->input = input;
    s->span_first = s->span_last = s->host = GS_SCAN_BOUND_MAX;
    s->only_gpu = GS_INTERN_NONE;
    if (b->n_bound > GS_SCAN_BOUND_MAX)
        return;
    for (size_t i = 0; i < b->n_bound; i++) {
        const size_t n_unit = b->bound[i].metric == NULL ? 0 : strlen(b->bound[i].unit.shown);
        s->scaled |= b->bound[i].unit.num != b->bound[i].unit.den;
        if (b->bound[i].kind == GS_BIND_NAME && !b->bound[i].may_be_empty)
            s->needed[s->n_needed++] = (uint8_t)i;
        s->suffix[i] = (uint8_t)(n_unit < UINT8_MAX ? n_unit : 0);
        if (b->bound[i].column != GS_NOT_STORED) {
            s->of[b->bound[i].kind][s->n_of[b->bound[i].kind]++] = (uint8_t)i;
            continue;
        }
        if (b->bound[i].pool == GS_POOL_HOST)
            s->host = i;
        if (s->n_key++ == 0)
            s->span_first = i;
        s->span_last = i;
    }
    /* One name alone would be the same text quoted and bare, with blanks that count and blanks that do not. */
    s->spans = b->kind == GS_TABLE_SAMPLES && s->n_key > 1 && s->span_last - s->span_first + 1 == s->n_key &&
               (size_t)(b->bound[s->span_last].field - b->bound[s->span_first].field) + 1 == s->n_key;
    s->usual = usual_columns(s);
}

GS_INLINE bool take_event_type(struct gs_table_writer *w, unsigned column, const char *t, size_t len)
{
    const uint64_t v = load64(t);
    if (len == 4 && (v & UINT64_C(0xffffffff)) == UINT64_C(0x504f5453)) /* "STOP" */
        gs_table_put_whole(w, column, 1);
    else if (len == 5 && (v & UINT64_C(0xffffffffff)) == UINT64_C(0x5452415453)) /* "START" */
        gs_table_put_whole(w, column, 0);
    else {
        const int type = gs_event_type((struct gs_str){t, len});
        if (type < 0)
            return false;
        gs_table_put_whole(w, column, type);
    }
    return true;
}

/* What a path of the scanner does in its own way; constants to the compiler, which inlines them. */
struct path {
    gs_masks_fn *masks;
    four_decimals_fn *four_decimals;
    clock_fn *clock;
    usual_sample_fn *usual_sample; /* NULL: no row is taken as a usual one */
};

/* A value of eight digits in its metric's unit, where that takes no rounding and no more than 6 decimals. */
GS_INLINE bool scale_fast(struct gs_unit by, int64_t *value, unsigned *decimals)
{
    if (by.num == by.den)
        return true;
    const unsigned more = by.den == 1 ? 0 : by.den == 1000 ? 3 : by.den == 1000000 ? 6 : 7;
    *decimals += more;
    return *decimals <= 6 && by.num <= 3600000 && (*value *= by.num, true);
}

/* A reading as most are written: digits and a point, perhaps a blank before and the column's unit behind. */
GS_INLINE bool fast_reading(const struct gs_scanner *s, const struct gs_bound *b, size_t i, const char *t, size_t len,
                            int64_t *value, unsigned *decimals)
{
    const size_t blank = len > 0 && t[0] == ' ', n_unit = s->suffix[i];
    t += blank;
    len -= blank;
    if (n_unit > 0 && len > n_unit + 1 && (unsigned char)(t[len - 1] - '0') > 9 && t[len - n_unit - 1] == ' ' &&
        memcmp(t + len - n_unit, b->unit.shown, n_unit) == 0)
        len -= n_unit + 1;
    if (!fast_decimal(t, len, value, decimals))
        return false;
    return scale_fast(b->unit, value, decimals);
}

/*
 * A time or reading that is written otherwise, parsed exactly. What it sets beside the row is taken back if the row is
 * not stored after all. False also for a value too large for gs_table_end_small_row.
 */
static bool take_value(struct gs_scanner *s, struct gs_table_writer *w, const char *row, const struct gs_layout *l,
                       size_t i)
{
    struct gs_gather *const g = s->gather;
    const struct gs_bound *const b = &s->binding->bound[i];
    struct gs_row_fault fault;
    int64_t whole;
    if (!s->noted) {
        s->before.rounded = g->rounded;
        s->before.n_missing = g->n_missing;
        s->before.time = g->time;
        s->noted = true;
    }
    if (!gs_gather_value(g, b, name_at(row, l, i), &fault))
        return false;
    const int64_t v = w->mantissa[b->column];
    return v == GS_MISSING ||
           (!__builtin_mul_overflow(v, gs_pow10(w->decimals_max[b->column] - (unsigned)w->decimals[b->column]),
                                    &whole) &&
            whole < INT64_C(1) << 62 && whole > -(INT64_C(1) << 62));
}

/* The columns of a row but for names. False where one wants the exact parser. */
GS_INLINE bool take_values(struct gs_scanner *s, struct gs_table_writer *w, const char *row, const struct gs_layout *l,
                           const struct path path)
{
    const struct gs_bound *const bound = s->binding->bound;
    int64_t value;
    unsigned decimals;
    for (size_t k = 0; k < s->n_of[GS_BIND_TIME]; k++) {
        const size_t i = s->of[GS_BIND_TIME][k];
        if (fast_time(s, row + l->at[i], l->len[i], &value, path.clock))
            gs_table_put(w, bound[i].column, value, 3);
        else if (!take_value(s, w, row, l, i))
            return false;
    }
    int64_t values[GS_USUAL_READINGS];
    unsigned places[GS_USUAL_READINGS];
    const bool four = l->four && path.four_decimals(row, s->of[GS_BIND_FIXED], l, values, places);
    for (size_t k = 0; four && k < GS_USUAL_READINGS; k++)
        gs_table_put(w, bound[s->of[GS_BIND_FIXED][k]].column, values[k], places[k]);
    for (size_t k = 0; !four && k < s->n_of[GS_BIND_FIXED]; k++) {
        const size_t i = s->of[GS_BIND_FIXED][k];
        if (fast_reading(s, &bound[i], i, row + l->at[i], l->len[i], &value, &decimals))
            gs_table_put(w, bound[i].column, value, decimals);
        else if (!take_value(s, w, row, l, i))
            return false;
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_INT]; k++) {
        const size_t i = s->of[GS_BIND_INT][k];
        if (!fast_decimal(row + l->at[i], l->len[i], &value, &decimals) || decimals != 0)
            return false;
        gs_table_put_whole(w, bound[i].column, value);
    }
    for (size_t k = 0; k < s->n_of[GS_BIND_EVENT_TYPE]; k++) {
        const size_t i = s->of[GS_BIND_EVENT_TYPE][k];
        const struct gs_str type = name_at(row, l, i);
        if (!take_event_type(w, bound[i].column, type.ptr, type.len))
            return false;
    }
    return true;
}

/* The names that are columns. `dropped`: the row is of a host that is not kept. */
GS_INLINE bool take_names(struct gs_scanner *s, struct gs_table_writer *w, const char *row, const struct gs_layout *l,
                          bool dropped)
{
    const struct gs_bound *const bound = s->binding->bound;
    for (size_t k = 0; k < s->n_of[GS_BIND_NAME]; k++) {
        const size_t i = s->of[GS_BIND_NAME][k];
        const struct gs_str name = name_at(row, l, i);
        uint32_t id = 0;
        if (name.len == 0 && !bound[i].may_be_empty)
            return false;
        if (!dropped || bound[i].pool != GS_POOL_TASK) /* the tasks of other shards are many */
            id = number_of(s, bound[i].pool, name);
        if (id == GS_INTERN_NONE)
            return false;
        gs_table_put_whole(w, bound[i].column, id);
    }
    return true;
}

/* One row whose fields are known. False, with nothing appended, where it wants the exact parser. */
GS_INLINE bool store_row(struct gs_scanner *s, const char *row, const struct gs_layout *l, int64_t place,
                         const struct path path)
{
    struct gs_table_writer *const w = &s->gather->writer[s->binding->kind];
    const bool checkpoint = s->binding->kind == GS_TABLE_CHECKPOINTS;
    uint32_t owner = 0;
    for (size_t k = 0; k < s->n_needed; k++) /* before any of the row's names is remembered */
        if (l->len[s->needed[k]] == 0 || (l->bare[s->needed[k]] && name_at(row, l, s->needed[k]).len == 0))
            return false;
    if (!take_values(s, w, row, l, path) || (s->gather->pending != NULL && !gs_gather_names(s->gather)))
        return false;
    if (checkpoint && s->host == GS_SCAN_BOUND_MAX) {
        owner = s->gather->key.host; /* none: the event holds for all, as the exact way knows */
    } else if (checkpoint) {
        const struct gs_str name = name_at(row, l, s->host);
        owner = name.len == 0 ? GS_INTERN_NONE : number_of(s, GS_POOL_HOST, name);
    }
    if (owner == GS_INTERN_NONE || !take_names(s, w, row, l, checkpoint && gs_gather_drops(s->gather, owner)))
        return false;
    if (s->binding->kind == GS_TABLE_SAMPLES)
        owner = gpu_at(s, row, l);
    if (owner == GS_INTERN_NONE)
        return false;
    if (s->gather->keep_places)
        gs_table_put_whole(w, w->n_columns - 1, place);
    return gs_table_end_small_row(w, owner, NULL) == GS_OK;
}

GS_INLINE bool take_row(struct gs_scanner *s, const char *row, const struct gs_layout *l, int64_t place,
                        const struct path path)
{
    const bool stored = store_row(s, row, l, place, path);
    if (s->noted && !stored) {
        s->gather->rounded = s->before.rounded;
        s->gather->n_missing = s->before.n_missing;
        s->gather->time = s->before.time;
    }
    s->noted = false;
    return stored;
}

/* The marks of one row: bits of its bytes, those behind its line feed cleared. */
struct row_marks {
    uint64_t quote[GS_SCAN_BLOCKS], comma[GS_SCAN_BLOCKS];
    unsigned n_blocks;
    uint32_t length; /* with the line feed */
};

/* Reads the marks of the row at p up to its first line feed; false where there is none within reach. */
GS_INLINE bool read_marks(const char *p, const char *end, gs_masks_fn *masks, char delimiter, struct row_marks *m)
{
    for (unsigned k = 0; k < GS_SCAN_BLOCKS && p + 64 * k < end; k++) {
        const struct gs_masks b = masks(p + 64 * k, delimiter);
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
    for (unsigned k = 3; k < m->n_blocks; k++)
        difference |= (l->quote[k] ^ m->quote[k]) | (l->comma[k] ^ m->comma[k]);
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
    l->length = 0;                 /* whatever stood here before is overwritten, also where this fails */
    if (b->n_bound > GS_SCAN_BOUND_MAX)
        return false;
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
            if (len > UINT8_MAX)
                return false;
            l->at[bound] = (uint16_t)first;
            l->len[bound] = (uint8_t)len;
            l->bare[bound++] = bare;
        }
        if (comma >= stop)
            break;
        at = comma + 1;
    }
    if (field + 1 != b->n_fields || stop == 0)
        return false;
    l->four = s->n_of[GS_BIND_FIXED] == GS_USUAL_READINGS && !s->scaled;
    for (size_t k = 0; l->four && k < GS_USUAL_READINGS; k++) {
        const size_t len = l->len[s->of[GS_BIND_FIXED][k]];
        l->four = len >= 1 && len <= 8;
        l->shift[k] = 64 - 8 * (uint64_t)len;
    }
    l->length = m->length;
    return true;
}

/* The exact parser for the row at p. */
static enum gs_split take_exactly(struct gs_scanner *s, const char *p, const char *end, bool at_end, uint64_t chunk,
                                  uint64_t line, struct gs_scan_result *r)
{
    const enum gs_split kind = gs_row_split(p, end, at_end, s->binding->delimiter, &s->split);
    if (kind == GS_SPLIT_MORE || kind == GS_SPLIT_REFUSE)
        return kind;
    if (memchr(p, '\0', (size_t)(s->split.next - p)) != NULL)
        return GS_SPLIT_REFUSE;
    if (kind == GS_SPLIT_ROW) {
        if (!gs_gather_row(s->gather, s->binding, s->split.field, s->split.n_fields, gs_place(s->input, chunk, line),
                           &s->fault)) {
            s->has_fault = s->fault.status == GS_ERR_DATA;
            return GS_SPLIT_REFUSE;
        }
        r->n_rows++;
    }
    r->n_lines += s->split.n_lines;
    r->next = s->split.next;
    return GS_SPLIT_ROW;
}

/* Blank lines before `limit`, of which a file may be full. */
static void pass_blank_lines(const char *limit, struct gs_scan_result *r)
{
    while (r->next < limit && (*r->next == '\n' || (*r->next == '\r' && limit - r->next > 1 && r->next[1] == '\n'))) {
        r->next += *r->next == '\r' ? 2 : 1;
        r->n_lines++;
    }
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
        if (!read_marks(p, end, masks, s->binding->delimiter, &m))
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
    s->has_fault = false;
    size_t batch = 1; /* grows while rows are not usual: then they are best looked up together */
    s->checkpoint.row = NULL;
    gs_table_catch_up(&s->gather->writer[s->binding->kind]);
    while (r->next < limit) {
        struct pending pending[BATCH_ROWS];
        if (s->usual && path.usual_sample != NULL &&
            take_usual(s, limit, end, chunk, first_line, r, path.usual_sample, path.clock) > 0) {
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
            if (s->usual && path.usual_sample != NULL)
                learn(s, pending[n - 1].row, pending[n - 1].layout);
            continue;
        }
        const enum gs_split k = take_exactly(s, r->next, end, at_end, chunk, first_line + r->n_lines, r);
        if (k != GS_SPLIT_ROW)
            return k;
        pass_blank_lines(limit, r);
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

__attribute__((target("avx2,bmi,bmi2"))) static enum gs_split scan_avx2(struct gs_scanner *s, const char *p,
                                                                        const char *limit, const char *end, bool at_end,
                                                                        uint64_t chunk, uint64_t first_line,
                                                                        struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_avx2, four_decimals_avx2, clock_avx2, NULL});
}

__attribute__((target("avx2,bmi,bmi2"))) static enum gs_split scan_usual(struct gs_scanner *s, const char *p,
                                                                         const char *limit, const char *end,
                                                                         bool at_end, uint64_t chunk,
                                                                         uint64_t first_line, struct gs_scan_result *r)
{
    return scan_by(s, p, limit, end, at_end, chunk, first_line, r,
                   (struct path){gs_masks_avx2, four_decimals_avx2, clock_avx2, take_usual_sample});
}
#endif

static _Atomic(scan_fn *) chosen;

bool gs_scan_use(enum gs_scan_path path)
{
    scan_fn *fn = path == GS_SCAN_BEST || path == GS_SCAN_PLAIN ? scan_plain : NULL;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (path == GS_SCAN_SSE2 || (path == GS_SCAN_BEST && !avx2))
        fn = scan_sse2;
    else if (avx2 && path == GS_SCAN_AVX2)
        fn = scan_avx2;
    else if (avx2 && (path == GS_SCAN_USUAL || path == GS_SCAN_BEST))
        fn = scan_usual;
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
