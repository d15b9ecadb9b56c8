/* table.c - packing of segments: frame of reference per column, rows side by side for one cache miss each. */
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

static void range_of(const struct gs_table_writer *w, unsigned column, int64_t *min, int64_t *max)
{
    const int64_t *const v = w->value[column];
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    if (w->nullable[column]) {
        for (uint32_t i = 0; i < w->n; i++)
            if (v[i] != GS_MISSING) {
                lo = v[i] < lo ? v[i] : lo;
                hi = v[i] > hi ? v[i] : hi;
            }
    } else {
        for (uint32_t i = 0; i < w->n; i++) {
            lo = v[i] < lo ? v[i] : lo;
            hi = v[i] > hi ? v[i] : hi;
        }
    }
    *min = lo <= hi ? lo : 0;
    *max = lo <= hi ? hi : 0;
}

static unsigned bytes_for(uint64_t code)
{
    unsigned n = 0;
    while (n < 8 && code >> (8 * n) != 0)
        n++;
    return n;
}

/* Row by row, eight bytes a column: what one column spills, the next column or row overwrites. */
static void pack_rows(const struct gs_table_writer *w, const struct gs_segment *s, const int64_t *min,
                      unsigned char *rows)
{
    bool any_nullable = false;
    for (unsigned c = 0; c < w->n_columns; c++)
        any_nullable |= s->column[c].nullable;
    for (uint32_t i = 0; i < w->n; i++) {
        unsigned char *const p = rows + (size_t)i * s->stride;
        for (unsigned c = 0; c < w->n_columns; c++) {
            uint64_t code = (uint64_t)w->value[c][i] - (uint64_t)min[c];
            if (any_nullable && s->column[c].nullable)
                code = w->value[c][i] == GS_MISSING ? 0 : code + 1;
            memcpy(p + s->column[c].offset, &code, sizeof code);
        }
    }
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
    struct gs_segment s = {.n_rows = w->n};
    int64_t min[GS_TABLE_COLUMNS_MAX];
    for (unsigned c = 0; c < w->n_columns; c++) {
        int64_t max;
        range_of(w, c, &min[c], &max);
        const int64_t unit = pow10_of[w->decimals_max[c] - w->decimals[c]];
        const unsigned width = bytes_for((uint64_t)max - (uint64_t)min[c] + w->nullable[c]);
        s.column[c] = (struct gs_segment_column){.base = (int64_t)((uint64_t)min[c] * (uint64_t)unit),
                                                 .unit = unit,
                                                 .mask = width == 0 ? 0 : UINT64_MAX >> (64 - 8 * width),
                                                 .offset = (uint16_t)s.stride,
                                                 .nullable = w->nullable[c]};
        s.stride += width;
    }
    unsigned char *const rows = gs_arena_take_raw(w->arena, (size_t)w->n * s.stride + sizeof(uint64_t), 1);
    if (rows == NULL)
        return gs_fail_memory(err);
    pack_rows(w, &s, min, rows);
    s.rows = rows;
    w->segment[w->n_segments++] = s;
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
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < writers[i]->n_segments; k++) {
            struct gs_segment *const s = &t.segment[t.n_segments++];
            *s = writers[i]->segment[k];
            for (unsigned c = 0; maps != NULL && maps[i] != NULL && c < t.n_columns; c++)
                s->column[c].map = maps[i][c];
        }
    *table = t;
    return GS_OK;
}
