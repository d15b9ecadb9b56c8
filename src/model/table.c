/* table.c - packing: frame of reference per column, a row's columns side by side for one cache miss each. */
#include "gpustat/table.h"

static const int64_t pow10_of[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

enum gs_status gs_table_writer_init(struct gs_table_writer *w, struct gs_arena *arena, uint32_t n_columns,
                                    const uint8_t *decimals_max, struct gs_err *err)
{
    *w = (struct gs_table_writer){.arena = arena, .n_columns = n_columns};
    memcpy(w->decimals_max, decimals_max, n_columns);
    w->value = gs_arena_take_raw(arena, n_columns, sizeof *w->value);
    return w->value == NULL ? gs_fail_memory(err) : GS_OK;
}

void gs_table_widen(struct gs_table_writer *w, unsigned column, unsigned decimals)
{
    const int64_t factor = pow10_of[decimals - w->decimals[column]];
    int64_t *const v = w->value[column];
    for (uint32_t i = 0; i < w->n; i++)
        v[i] = v[i] == GS_MISSING ? v[i] : v[i] * factor;
    w->decimals[column] = (uint8_t)decimals;
}

/* What the open segment holds in one column, in mantissas of unit `unit`. */
struct extent {
    int64_t min, max, unit;
    bool has_values, has_missing;
};

struct range {
    int64_t min, max;
};

/* The least and greatest of n values; missing, the least int64, is put aside by the caller. */
static inline __attribute__((always_inline)) struct range range_by(const int64_t *v, uint32_t n)
{
    struct range r = {INT64_MAX, INT64_MIN};
    for (uint32_t i = 0; i < n; i++) {
        r.min = v[i] < r.min ? v[i] : r.min;
        r.max = v[i] > r.max ? v[i] : r.max;
    }
    return r;
}

#if defined(__x86_64__)
/* The same loop for processors that compare four values at a time. */
__attribute__((target("avx2"))) static struct range range_avx2(const int64_t *v, uint32_t n)
{
    return range_by(v, n);
}
#endif

static struct range range_of(const int64_t *v, uint32_t n)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return range_avx2(v, n);
#endif
    return range_by(v, n);
}

static struct range range_present(const int64_t *v, uint32_t n)
{
    struct range r = {INT64_MAX, INT64_MIN};
    for (uint32_t i = 0; i < n; i++)
        if (v[i] != GS_MISSING) {
            r.min = v[i] < r.min ? v[i] : r.min;
            r.max = v[i] > r.max ? v[i] : r.max;
        }
    return r;
}

static struct extent extent_of(const struct gs_table_writer *w, unsigned column)
{
    const bool missing = w->nullable[column];
    const struct range r = missing ? range_present(w->value[column], w->n) : range_of(w->value[column], w->n);
    return (struct extent){r.min, r.max, pow10_of[w->decimals_max[column] - w->decimals[column]], r.min <= r.max, missing};
}

/* Codes run from 0 (1 where missing is 0) to the mask. */
static bool fits(const struct gs_encoded_column *c, const struct extent *e)
{
    if (e->has_missing && !c->nullable)
        return false;
    if (!e->has_values)
        return true;
    if (e->unit < c->unit || (c->mask == 0 && c->nullable))
        return false;
    const int64_t factor = e->unit / c->unit, base = c->base / c->unit;
    int64_t min, max;
    if (__builtin_mul_overflow(e->min, factor, &min) || __builtin_mul_overflow(e->max, factor, &max) || min < base)
        return false;
    return (uint64_t)max - (uint64_t)base <= c->mask - c->nullable;
}

static unsigned bytes_for(uint64_t code)
{
    unsigned n = 0;
    while (n < 8 && code >> (8 * n) != 0)
        n++;
    return n;
}

/*
 * A column that holds the extent with room around it, so that the next segments are likely to fit: from 0
 * where that costs nothing, else with the spare codes shared between both ends.
 */
static struct gs_encoded_column column_for(const struct extent *e)
{
    struct gs_encoded_column c = {.unit = e->unit, .nullable = e->has_missing};
    if (!e->has_values) { /* nothing but missing, or nothing: no bytes at all */
        c.mask = 0;
        return c;
    }
    const uint64_t range = (uint64_t)e->max - (uint64_t)e->min;
    const unsigned width = bytes_for(range == UINT64_MAX ? range : range + c.nullable);
    c.mask = width == 0 ? 0 : UINT64_MAX >> (64 - 8 * width);
    int64_t base = e->min;
    if (width < 8) {
        const uint64_t spare = c.mask - c.nullable - range;
        if (e->min >= 0 && (uint64_t)e->max <= c.mask - c.nullable)
            base = 0;
        else if (width > 0 && e->min > INT64_MIN + (int64_t)(spare / 2))
            base = e->min - (int64_t)(spare / 2);
    }
    int64_t scaled;
    if (__builtin_mul_overflow(base, c.unit, &scaled)) {
        base = e->min;
        scaled = base * c.unit; /* a value of the column: fits by the bounds of what is put */
    }
    c.base = scaled;
    return c;
}

/* The extent that both hold, where that widens the column by at most a byte; else the new one's. */
static struct extent unite(const struct gs_encoded_column *old, const struct extent *e)
{
    struct extent u = *e;
    u.has_missing |= old->nullable;
    if (!e->has_values || old->mask == 0 || old->mask == UINT64_MAX)
        return u;
    u.unit = e->unit < old->unit ? e->unit : old->unit;
    int64_t min, max, low, high;
    if (__builtin_mul_overflow(e->min, e->unit / u.unit, &min) || __builtin_mul_overflow(e->max, e->unit / u.unit, &max))
        return *e;
    low = old->base / u.unit;
    if (__builtin_mul_overflow((int64_t)(old->mask - old->nullable), old->unit / u.unit, &high) ||
        __builtin_add_overflow(high, low, &high))
        return *e;
    u.min = min < low ? min : low;
    u.max = max > high ? max : high;
    const unsigned alone = bytes_for((uint64_t)max - (uint64_t)min + u.has_missing);
    return bytes_for((uint64_t)u.max - (uint64_t)u.min + u.has_missing) > alone + 1 ? *e : u;
}

struct gs_encoding_list {
    struct gs_encoding encoding;
    struct gs_encoding_list *older;
};

/* An encoding for the open segment: the newest where it fits, else a new one grown from it. */
static const struct gs_encoding *encoding_for(struct gs_table_writer *w, const struct extent *e)
{
    const struct gs_encoding_list *const last = w->encodings;
    bool all_fit = last != NULL;
    for (unsigned c = 0; all_fit && c < w->n_columns; c++)
        all_fit = fits(&last->encoding.column[c], &e[c]);
    if (all_fit)
        return &last->encoding;
    struct gs_encoding_list *const made = gs_arena_take(w->arena, 1, sizeof *made);
    if (made == NULL)
        return NULL;
    for (unsigned c = 0; c < w->n_columns; c++) {
        const struct extent u = last == NULL ? e[c] : unite(&last->encoding.column[c], &e[c]);
        struct gs_encoded_column *const column = &made->encoding.column[c];
        *column = column_for(&u);
        if (!fits(column, &e[c]))
            *column = column_for(&e[c]);
        column->offset = (uint16_t)made->encoding.stride;
        made->encoding.stride += bytes_for(column->mask);
    }
    made->older = w->encodings;
    w->encodings = made;
    return &made->encoding;
}

/* Turns a mantissa into a code: (v * factor - base), 0 for missing. */
struct coding {
    uint64_t factor, base;
    bool has_missing;
};

/* Stores one column's codes in `width` bytes each; inlined for every usual width. */
static inline __attribute__((always_inline)) void store_by(const int64_t *v, uint32_t n, struct coding c, unsigned width,
                                                           unsigned char *p, uint32_t stride)
{
    for (uint32_t i = 0; i < n; i++, p += stride) {
        uint64_t code = (uint64_t)v[i] * c.factor - c.base;
        if (c.has_missing && v[i] == GS_MISSING)
            code = 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        code = __builtin_bswap64(code);
#endif
        memcpy(p, &code, width);
    }
}

static void store(const int64_t *v, uint32_t n, struct coding c, unsigned width, unsigned char *p, uint32_t stride)
{
    const struct coding plain = {1, c.base, false};
    const bool is_plain = c.factor == 1 && !c.has_missing;
    if (width == 0)
        return;
    if (is_plain && width == 1)
        store_by(v, n, plain, 1, p, stride);
    else if (is_plain && width == 2)
        store_by(v, n, plain, 2, p, stride);
    else if (is_plain && width == 3)
        store_by(v, n, plain, 3, p, stride);
    else if (is_plain && width == 4)
        store_by(v, n, plain, 4, p, stride);
    else
        store_by(v, n, c, width, p, stride);
}

enum gs_status gs_table_seal(struct gs_table_writer *w, struct gs_err *err)
{
    if (w->n == 0)
        return GS_OK;
    if (w->n_segments == w->capacity) {
        const uint32_t capacity = w->capacity == 0 ? 64 : w->capacity * 2;
        struct gs_segment *const grown = gs_arena_grow(w->arena, w->segment, w->n_segments, capacity, sizeof *grown);
        if (grown == NULL)
            return gs_fail_memory(err);
        w->segment = grown;
        w->capacity = capacity;
    }
    struct extent e[GS_TABLE_COLUMNS_MAX];
    for (unsigned c = 0; c < w->n_columns; c++)
        e[c] = extent_of(w, c);
    const struct gs_encoding *const encoding = encoding_for(w, e);
    unsigned char *const rows =
        encoding == NULL ? NULL : gs_arena_take_raw(w->arena, (size_t)w->n * encoding->stride + sizeof(uint64_t), 1);
    if (rows == NULL)
        return gs_fail_memory(err);
    for (unsigned c = 0; c < w->n_columns; c++) {
        const struct gs_encoded_column *const k = &encoding->column[c];
        const struct coding coding = {(uint64_t)(e[c].unit / k->unit), (uint64_t)(k->base / k->unit) - k->nullable,
                                      e[c].has_missing};
        store(w->value[c], w->n, coding, bytes_for(k->mask), rows + k->offset, encoding->stride);
    }
    memset(rows + (size_t)w->n * encoding->stride, 0, sizeof(uint64_t));
    w->segment[w->n_segments++] = (struct gs_segment){rows, encoding, w->n};
    w->n = 0;
    memset(w->decimals, 0, sizeof w->decimals);
    memset(w->nullable, 0, sizeof w->nullable);
    return GS_OK;
}

enum gs_status gs_table_join(struct gs_table_writer *const *writers, const uint32_t *const *const *maps, size_t n,
                             struct gs_arena *arena, struct gs_table *table, struct gs_err *err)
{
    struct gs_table t = {0};
    uint64_t n_segments = 0;
    for (size_t i = 0; i < n; i++) {
        const enum gs_status s = gs_table_seal(writers[i], err);
        if (s != GS_OK)
            return s;
        n_segments += writers[i]->n_segments;
        t.n_rows += writers[i]->n_rows;
        t.n_columns = writers[i]->n_columns;
    }
    if (n_segments >= UINT64_C(1) << (32 - GS_SEGMENT_BITS))
        return gs_fail(err, GS_ERR_DATA, "a table of %llu rows, at most about 4,000,000,000 fit",
                       (unsigned long long)t.n_rows);
    t.segment = gs_arena_take_raw(arena, (size_t)n_segments, sizeof *t.segment);
    if (t.segment == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        for (struct gs_encoding_list *l = writers[i]->encodings; l != NULL; l = l->older)
            for (unsigned c = 0; maps != NULL && maps[i] != NULL && c < t.n_columns; c++)
                l->encoding.column[c].map = maps[i][c];
        for (uint32_t k = 0; k < writers[i]->n_segments; k++)
            t.segment[t.n_segments++] = writers[i]->segment[k];
    }
    *table = t;
    return GS_OK;
}
