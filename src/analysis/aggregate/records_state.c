/* records_state.c - tables of records as bytes: canonical when written, trusted in nothing when read. */
#include <string.h>

#include "base/core/key_sort.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/quantile.h"
#include "stats/descriptive/ratio.h"
#include "analysis/aggregate/records.h"
#include "base/num/order.h"
#include "base/os/output.h"

static void kinds_of(const struct gs_field *field, size_t n, struct gs_buf *b)
{
    gs_pack_count(b, n + 1); /* as gs_pack_text */
    for (size_t i = 0; i < n; i++)
        gs_buf_char(b, gs_field_traits[field[i].kind].letter);
}

static void describe_kinds(const struct gs_field *field, size_t n, struct gs_sha256 *sum)
{
    for (size_t i = 0; i < n; i++)
        gs_sha256_add(sum, &gs_field_traits[field[i].kind].letter, 1);
    gs_sha256_add(sum, "", 1);
}

void gs_records_describe(const struct gs_records_spec *spec, struct gs_sha256 *sum)
{
    gs_sha256_add(sum, spec->name, strlen(spec->name) + 1);
    gs_sha256_add(sum, spec->key, strlen(spec->key) + 1);
    describe_kinds(spec->field, spec->n_fields, sum);
    describe_kinds(spec->tail, spec->n_tail_fields, sum);
    gs_sha256_add(sum, &spec->n_tail, sizeof spec->n_tail);
}

enum { HANDED_ON = 1 << 16 }; /* bytes that wait before they go on */

/* --- saving ------------------------------------------------------------------------------------------- */

/*
 * Values are saved sorted. Two states of the same data are then the same bytes, and sorted numbers
 * take a byte or two each as differences.
 */
static void save_values(struct gs_buf *b, const struct gs_values *v, struct gs_arena *scratch)
{
    GS_REWINDS(scratch);
    int64_t *all, *const spare = gs_arena_take_raw(scratch, (size_t)v->n, sizeof *spare);
    if (spare == NULL || gs_values_array(v, scratch, &all, NULL) != GS_OK) {
        b->failed = true;
    } else {
        if (v->n > UINT32_MAX) {
            GS_SORT(all, v->n, gs_compare_int64);
        } else { /* as words, whose order is that of the values once the sign is turned */
            uint64_t *const key = (uint64_t *)all;
            for (size_t i = 0; i < v->n; i++)
                key[i] ^= UINT64_C(1) << 63;
            gs_key_sort(key, (uint64_t *)spare, (uint32_t)v->n);
            for (size_t i = 0; i < v->n; i++)
                key[i] ^= UINT64_C(1) << 63;
        }
        gs_pack_sorted(b, all, (size_t)v->n);
    }
}

/* Terms leave in ascending order of their denominators, whatever order they were added in. */
static void save_ratio(struct gs_buf *b, const struct gs_ratio_sum *r, struct gs_arena *scratch)
{
    GS_REWINDS(scratch);
    struct gs_ratio_term *term;
    size_t n;
    if (gs_ratio_terms(r, scratch, &term, &n, NULL) != GS_OK) {
        b->failed = true;
    } else {
        gs_pack_count(b, r->n);
        gs_pack_count(b, r->n_missing);
        gs_pack_count(b, n);
        for (size_t i = 0; i < n; i++) {
            gs_pack_count(b, term[i].den);
            gs_pack_i128(b, term[i].num);
        }
    }
}

static void save_moments(struct gs_buf *b, const struct gs_moments *m)
{
    gs_pack_count(b, m->n);
    gs_pack_count(b, m->n_missing);
    gs_pack_i128(b, m->sum);
    gs_pack_i128(b, (gs_i128)m->squares.lo);
    gs_pack_i64(b, m->squares.hi);
    gs_pack_i64(b, m->min);
    gs_pack_i64(b, m->max);
}

void gs_fields_save(const struct gs_field *field, size_t n, const void *record, struct gs_buf *b,
                    struct gs_arena *scratch)
{
    for (size_t i = 0; i < n; i++) {
        const void *const at = (const char *)record + field[i].offset;
        switch (field[i].kind) {
        case GS_FIELD_COUNT:
            gs_pack_count(b, *(const uint64_t *)at);
            break;
        case GS_FIELD_INT:
        case GS_FIELD_LEAST:
        case GS_FIELD_GREATEST:
            gs_pack_i64(b, *(const int64_t *)at);
            break;
        case GS_FIELD_SUM:
            gs_pack_i128(b, *(const gs_i128 *)at);
            break;
        case GS_FIELD_MOMENTS:
            save_moments(b, at);
            break;
        case GS_FIELD_RATIO:
            save_ratio(b, at, scratch);
            break;
        case GS_FIELD_VALUES:
            save_values(b, at, scratch);
            break;
        case GS_FIELD_BYTES:
            gs_pack_text(b, *(const struct gs_str *)at);
            break;
        case GS_N_FIELD_KINDS:
            break;
        }
    }
}

/*
 * The least bytes that fields take, by kind. The loader divides the bytes that are left by this,
 * so a forged number of records cannot make it allocate more than the file is worth.
 */
static size_t least_bytes(const struct gs_field *field, size_t n)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += gs_field_traits[field[i].kind].n_least;
    return bytes;
}

/* About what records take as bytes: what is asked for at once need not grow by halves. */
static size_t expected_bytes(const struct gs_records *r)
{
    const struct gs_records_spec *const spec = r->spec;
    const size_t n_parts = strlen(spec->key);
    size_t n =
        r->n * (least_bytes(spec->field, spec->n_fields) + spec->n_fields +
                r->n_tail * (least_bytes(spec->tail, spec->n_tail_fields) + spec->n_tail_fields));
    for (uint32_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < n_parts; k++)
            n += spec->key[k] == 't' ? gs_records_key(r, i, n_parts)[k].text.len + 2 : 8;
    return n;
}

static void save_record(const struct gs_records *r, uint32_t i, struct gs_buf *b,
                        struct gs_arena *scratch)
{
    const struct gs_records_spec *const spec = r->spec;
    const size_t n_parts = strlen(spec->key);
    const union gs_key *const key = gs_records_key(r, i, n_parts);
    for (size_t k = 0; k < n_parts; k++) {
        if (spec->key[k] == 't')
            gs_pack_text(b, key[k].text);
        else
            gs_pack_i64(b, key[k].number);
    }
    gs_fields_save(spec->field, spec->n_fields, gs_records_at(r, i), b, scratch);
    for (uint32_t k = 0; k < r->n_tail; k++)
        gs_fields_save(spec->tail, spec->n_tail_fields,
                       (const char *)gs_records_tail(r, i) + k * spec->tail_size, b, scratch);
}

enum gs_status gs_records_save(const struct gs_records *r, struct gs_buf *b,
                               const struct gs_sink *to, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct gs_records_spec *const spec = r->spec;
    const size_t n_parts = strlen(spec->key);
    const struct gs_record_place *const place =
        r->unordered && n_parts > 0 ? gs_records_order(r, scratch) : NULL;
    uint32_t n = 0;
    if (r->unordered && n_parts > 0 && place == NULL)
        b->failed = true;
    for (uint32_t i = 0; i < r->n; i++)
        n += !gs_records_is_new(r, i);
    if (to == NULL)
        (void)gs_buf_reserve(b, expected_bytes(r));
    gs_pack_text(b, gs_str(spec->name));
    gs_pack_text(b, gs_str(spec->key));
    kinds_of(spec->field, spec->n_fields, b);
    kinds_of(spec->tail, spec->n_tail_fields, b);
    gs_pack_count(b, r->n_tail);
    gs_pack_count(b, n);
    enum gs_status s = GS_OK;
    for (uint32_t k = 0; k < r->n && !b->failed && s == GS_OK; k++) {
        const uint32_t i = place == NULL ? k : (uint32_t)gs_record_at(r, &place[k], n_parts);
        if (!gs_records_is_new(r, i))
            save_record(r, i, b, scratch);
        if (to != NULL && b->len >= HANDED_ON && !b->failed) {
            s = gs_sink_write(*to, b->ptr, b->len, err);
            b->len = 0;
        }
    }
    GS_TRY(gs_had_memory(!b->failed, err));
    return s;
}

/* --- loading ------------------------------------------------------------------------------------------ */

/*
 * Loaded counts and sums are far below the limits of their types: sums over many states and
 * products with units still fit.
 */
static uint64_t load_count(struct gs_unpacker *u)
{
    const uint64_t v = gs_unpack_count(u);
    if (v < GS_COUNT_MAX)
        return v;
    (void)gs_unpack_fail(u, "found a count of 2^56 or more");
    return 0;
}

static gs_i128 load_sum(struct gs_unpacker *u)
{
    const gs_i128 v = gs_unpack_i128(u);
    if (v > -GS_SUM_MAX && v < GS_SUM_MAX)
        return v;
    (void)gs_unpack_fail(u, "found a sum of 2^118 or more");
    return 0;
}

static void load_moments(struct gs_unpacker *u, struct gs_moments *m)
{
    m->n = load_count(u);
    m->n_missing = load_count(u);
    m->sum = load_sum(u);
    m->squares.lo = (gs_u128)gs_unpack_i128(u);
    m->squares.hi = gs_unpack_i64(u);
    m->min = gs_unpack_i64(u);
    m->max = gs_unpack_i64(u);
}

static void load_ratio(struct gs_unpacker *u, struct gs_ratio_sum *r, struct gs_arena *arena)
{
    const uint64_t n = load_count(u), n_missing = load_count(u);
    const size_t n_terms = gs_unpack_length(u, 17);
    uint64_t last = 0;
    for (size_t i = 0; i < n_terms && u->status == GS_OK; i++) {
        const uint64_t den = load_count(u);
        const gs_i128 num = load_sum(u);
        /* Ascending from 1: a denominator of 0 is refused with the same check. */
        if (u->status == GS_OK && den <= last)
            (void)gs_unpack_fail(u, "found denominators that do not ascend");
        else if (u->status == GS_OK)
            u->status = gs_ratio_put(r, num, den, arena, u->err);
        last = den;
    }
    r->n = n;
    r->n_missing = n_missing;
}

static void load_values(struct gs_unpacker *u, struct gs_values *v, struct gs_arena *arena)
{
    size_t n;
    const int64_t *const all = gs_unpack_sorted(u, &n, arena);
    for (size_t i = 0; all != NULL && i < n && u->status == GS_OK; i++)
        u->status = gs_values_add(v, all[i], arena, u->err);
}

void gs_fields_load(const struct gs_field *field, size_t n, void *record, struct gs_unpacker *u,
                    struct gs_arena *arena)
{
    for (size_t i = 0; i < n && u->status == GS_OK; i++) {
        void *const at = (char *)record + field[i].offset;
        switch (field[i].kind) {
        case GS_FIELD_COUNT:
            *(uint64_t *)at = load_count(u);
            break;
        case GS_FIELD_INT:
        case GS_FIELD_LEAST:
        case GS_FIELD_GREATEST:
            *(int64_t *)at = gs_unpack_i64(u);
            break;
        case GS_FIELD_SUM:
            *(gs_i128 *)at = load_sum(u);
            break;
        case GS_FIELD_MOMENTS:
            load_moments(u, at);
            break;
        case GS_FIELD_RATIO:
            load_ratio(u, at, arena);
            break;
        case GS_FIELD_VALUES:
            load_values(u, at, arena);
            break;
        case GS_FIELD_BYTES:
            *(struct gs_str *)at = gs_unpack_copy(u, arena);
            break;
        case GS_N_FIELD_KINDS:
            break;
        }
    }
}

static bool same_kinds(struct gs_unpacker *u, const struct gs_field *field, size_t n)
{
    const struct gs_str kinds = gs_unpack_text(u);
    bool same = kinds.ptr != NULL && kinds.len == n;
    for (size_t i = 0; i < n && same; i++)
        same = kinds.ptr[i] == gs_field_traits[field[i].kind].letter;
    return same;
}

/*
 * Does the head of the bytes describe this table? All four parts are read before the verdict,
 * because an unpacker must advance past every one of them.
 */
static bool head_fits(struct gs_unpacker *u, const struct gs_records_spec *spec)
{
    const bool name = gs_str_eq(gs_unpack_text(u), gs_str(spec->name)),
               key = gs_str_eq(gs_unpack_text(u), gs_str(spec->key));
    const bool fields = same_kinds(u, spec->field, spec->n_fields),
               tail = same_kinds(u, spec->tail, spec->n_tail_fields);
    return name && key && fields && tail;
}

static void load_key(struct gs_unpacker *u, const char *parts, union gs_key *key,
                     struct gs_arena *arena)
{
    for (size_t k = 0; parts[k] != '\0'; k++) {
        if (parts[k] == 't')
            key[k].text = gs_unpack_copy(u, arena);
        else
            key[k].number = gs_unpack_i64(u);
    }
}

static size_t tail_of(const struct gs_records_spec *spec, uint32_t n_metrics)
{
    if (spec->tail_size == 0)
        return 0;
    return spec->n_tail > 0 ? spec->n_tail : n_metrics;
}

static void load_record(struct gs_unpacker *u, struct gs_records *r, size_t i,
                        struct gs_arena *arena)
{
    const struct gs_records_spec *const spec = r->spec;
    gs_fields_load(spec->field, spec->n_fields, gs_records_at(r, i), u, arena);
    for (uint32_t k = 0; k < r->n_tail && u->status == GS_OK; k++)
        gs_fields_load(spec->tail, spec->n_tail_fields,
                       (char *)gs_records_tail(r, i) + k * spec->tail_size, u, arena);
}

enum gs_status gs_records_load(struct gs_records *r, const struct gs_records_spec *spec,
                               uint32_t n_metrics, struct gs_unpacker *u, struct gs_arena *arena)
{
    const size_t n_parts = strlen(spec->key);
    struct gs_records made = {.seed = r->seed};
    if (!head_fits(u, spec))
        return gs_unpack_fail(u, "found another table, or one of another version");
    const size_t n_tail = tail_of(spec, n_metrics);
    if (gs_unpack_count(u) != n_tail)
        return gs_unpack_fail(u, "found another number of metrics than the run has");
    const size_t least = n_parts + least_bytes(spec->field, spec->n_fields) +
                         n_tail * least_bytes(spec->tail, spec->n_tail_fields);
    const size_t n = gs_unpack_length(u, gs_max(least, 1));
    if (u->status == GS_OK && (n > UINT32_MAX / 4 || (n_parts == 0 && n > 1)))
        return gs_unpack_fail(u, "found too many records");
    if (u->status != GS_OK)
        return u->status;
    union gs_key *const key = gs_arena_take(arena, n * n_parts, sizeof *key);
    /* A table without keys has its one record always, saved or not. */
    if (key == NULL ||
        gs_records_init(&made, spec, n_parts == 0 ? NULL : key, n_parts == 0 ? 1 : (uint32_t)n,
                        n_metrics, arena, NULL) != GS_OK)
        return u->status = gs_fail_memory(u->err);
    for (size_t i = 0; i < n && u->status == GS_OK; i++) {
        load_key(u, spec->key, key + i * n_parts, arena);
        load_record(u, &made, i, arena);
        if (u->status == GS_OK && i > 0 && n_parts > 0 &&
            /*
             * Strictly ascending: bisection needs the order, and a repeated key would count a
             * record twice.
             */
            gs_keys_compare(spec->key, key + (i - 1) * n_parts, key + i * n_parts) >= 0)
            (void)gs_unpack_fail(u, "found keys that do not ascend");
    }
    if (u->status == GS_OK)
        *r = made;
    return u->status;
}
