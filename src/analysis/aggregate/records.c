/* records.c - tables of records: keys, merging. */
#include "analysis/aggregate/records.h"

#include <string.h>

#include "base/num/decimal.h"
#include "base/num/order.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/ratio.h"

int gs_keys_compare(const char *parts, const union gs_key *a, const union gs_key *b)
{
    for (size_t i = 0; parts[i] != '\0'; i++)
        if (parts[i] == 't')
            GS_DIFFER(gs_str_compare(a[i].text, b[i].text));
        else
            GS_DIFFER(gs_cmp(a[i].number, b[i].number));
    return 0;
}

union gs_key *gs_keys_of_texts(const struct gs_intern *texts, struct gs_arena *arena)
{
    union gs_key *const key = gs_arena_take_raw(arena, texts->n, sizeof *key);
    for (uint32_t i = 0; key != NULL && i < texts->n; i++)
        key[i].text = texts->text[i];
    return key;
}

/* --- making ------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct gs_field_traits gs_field_traits[] = {
    [GS_FIELD_COUNT]     = {'c', false, sizeof(uint64_t),            1},
    [GS_FIELD_INT]       = {'i', false, sizeof(int64_t),             8},
    [GS_FIELD_SUM]       = {'s', false, sizeof(gs_i128),            16},
    [GS_FIELD_LEAST]     = {'l', true,  sizeof(int64_t),             8},
    [GS_FIELD_GREATEST]  = {'g', true,  sizeof(int64_t),             8},
    [GS_FIELD_MOMENTS]   = {'m', false, sizeof(struct gs_moments),  58},
    [GS_FIELD_RATIO]     = {'r', false, sizeof(struct gs_ratio_sum), 3},
    [GS_FIELD_VALUES]    = {'v', false, sizeof(struct gs_values),    1},
    [GS_FIELD_BYTES]     = {'b', false, sizeof(struct gs_str),       1},
};
/* clang-format on */
_Static_assert(sizeof gs_field_traits / sizeof *gs_field_traits == GS_N_FIELD_KINDS,
               "a row for each kind");

/* As the fields begin that begin missing. */
static const int64_t missing[2] = {GS_MISSING, GS_MISSING};

static size_t missing_bytes(enum gs_field_kind kind)
{
    return gs_field_traits[kind].missing ? gs_field_traits[kind].size : 0;
}

void gs_fields_begin(const struct gs_field *field, size_t n, void *record)
{
    for (size_t i = 0; i < n; i++)
        memcpy((char *)record + field[i].offset, missing, missing_bytes(field[i].kind));
}

static void begin_record(const struct gs_records *r, char *record)
{
    gs_fields_begin(r->spec->field, r->spec->n_fields, record);
    for (uint32_t k = 0; k < r->n_tail; k++)
        gs_fields_begin(r->spec->tail, r->spec->n_tail_fields,
                        record + r->spec->size + k * r->spec->tail_size);
}

/* Compares the bytes with themselves, shifted by one: all equal the first, which is 0. */
static bool is_zero(const char *at, size_t n)
{
    return n == 0 || (*at == 0 && memcmp(at, at + 1, n - 1) == 0);
}

static bool fields_are_new(const char *at, size_t size, const struct gs_field *field, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t n_bytes = missing_bytes(field[i].kind);
        if (n_bytes == 0)
            continue;
        if (!is_zero(at + from, field[i].offset - from) ||
            memcmp(at + field[i].offset, missing, n_bytes) != 0)
            return false;
        from = field[i].offset + n_bytes;
    }
    return is_zero(at + from, size - from);
}

/*
 * Relies on fields that begin missing being listed in ascending order of offset, and on padding
 * being zero: records are always taken zeroed. A new record is not saved, which keeps states small
 * and equal for any division of the hosts.
 */
bool gs_records_is_new(const struct gs_records *r, size_t i)
{
    const struct gs_records_spec *const spec = r->spec;
    const char *const at = gs_records_at(r, i);
    bool is_new = fields_are_new(at, spec->size, spec->field, spec->n_fields);
    for (uint32_t k = 0; k < r->n_tail && is_new; k++)
        is_new = fields_are_new(at + spec->size + k * spec->tail_size, spec->tail_size, spec->tail,
                                spec->n_tail_fields);
    return is_new;
}

enum gs_status gs_records_init(struct gs_records *r, const struct gs_records_spec *spec,
                               union gs_key *key, uint32_t n, uint32_t n_metrics,
                               struct gs_arena *arena, struct gs_err *err)
{
    struct gs_records made = {.spec = spec, .n = n, .key = key, .seed = r->seed};
    if (spec->tail_size == 0)
        made.n_tail = 0;
    else if (spec->n_tail > 0)
        made.n_tail = spec->n_tail;
    else
        made.n_tail = n_metrics;
    made.stride = spec->size + made.n_tail * spec->tail_size;
    made.record = gs_arena_take(arena, n, made.stride);
    GS_TRY(gs_had_memory(made.record != NULL, err));
    for (uint32_t i = 0; i < n; i++)
        begin_record(&made, gs_records_at(&made, i));
    *r = made;
    return GS_OK;
}

/* --- keys as they are found --------------------------------------------------------------------------- */

/*
 * Keys are texts from files, so the seed is random per run: nobody can craft names that all
 * collide. The order of slots never reaches an output.
 */
static uint64_t hash_key(const char *parts, const union gs_key *key, uint64_t seed)
{
    uint64_t h = seed;
    for (size_t i = 0; parts[i] != '\0'; i++)
        if (parts[i] == 't')
            h = gs_hash(key[i].text.ptr, key[i].text.len, h);
        else
            h = gs_hash((const char *)&key[i].number, sizeof key[i].number, h);
    return h;
}

static uint32_t *slot_of(const struct gs_records *r, uint32_t *slot, uint32_t n_slots,
                         const union gs_key *key)
{
    const char *const parts = r->spec->key;
    uint32_t s = (uint32_t)(hash_key(parts, key, r->seed) >> 32) & (n_slots - 1);
    while (slot[s] != 0 &&
           gs_keys_compare(parts, gs_records_key(r, slot[s] - 1, strlen(parts)), key) != 0)
        s = (s + 1) & (n_slots - 1);
    return &slot[s];
}

bool gs_records_reserve(struct gs_records *r, uint32_t n, struct gs_arena *arena)
{
    const size_t n_parts = strlen(r->spec->key), capacity = gs_max(n, r->n);
    size_t n_slots = 128; /* a power of two, at most half of them taken */
    while (n_slots < capacity * 2)
        n_slots *= 2;
    if (capacity > UINT32_MAX / 4)
        return false;
    uint32_t *const slot = gs_arena_take(arena, n_slots, sizeof *slot);
    union gs_key *const key =
        gs_arena_grow(arena, r->key, r->n * n_parts, capacity * n_parts, sizeof *key);
    char *const record = gs_arena_grow(arena, r->record, r->n, capacity, r->stride);
    if (slot == NULL || key == NULL || record == NULL)
        return false;
    r->key = key;
    r->record = record;
    for (uint32_t i = 0; i < r->n; i++)
        /*
         * Slots hold a record's number plus one, not a pointer: records may move when they grow,
         * and a zeroed table is empty.
         */
        *slot_of(r, slot, (uint32_t)n_slots, gs_records_key(r, i, n_parts)) = i + 1;
    r->slot = slot;
    r->n_slots = (uint32_t)n_slots;
    r->capacity = (uint32_t)capacity;
    return true;
}

static bool make_room(struct gs_records *r, struct gs_arena *arena)
{
    return gs_records_reserve(r, gs_max(2 * r->n, 64u), arena);
}

/* The pointer is valid until the next find that makes a record: growing may move all of them. */
void *gs_records_find(struct gs_records *r, const union gs_key *key, struct gs_arena *arena)
{
    const size_t n_parts = strlen(r->spec->key);
    uint32_t *slot = r->n_slots == 0 ? NULL : slot_of(r, r->slot, r->n_slots, key);
    if (slot != NULL && *slot != 0)
        return gs_records_at(r, *slot - 1);
    if (slot == NULL || r->n == r->capacity) {
        if (!make_room(r, arena))
            return NULL;
        slot = slot_of(r, r->slot, r->n_slots, key);
    }
    *slot = ++r->n;
    r->unordered = true;
    memcpy(r->key + (r->n - 1) * n_parts, key, n_parts * sizeof *key);
    char *const record = gs_records_at(r, r->n - 1);
    memset(record, 0, r->stride);
    begin_record(r, record);
    return record;
}

uint32_t gs_records_from(const struct gs_records *r, const union gs_key *key)
{
    const size_t n_parts = strlen(r->spec->key);
    size_t low = 0;
    GS_BISECT(low, r->n, at,
              gs_keys_compare(r->spec->key, gs_records_key(r, at, n_parts), key) < 0);
    return (uint32_t)low;
}

void *gs_records_lookup(const struct gs_records *r, const union gs_key *key)
{
    const size_t n_parts = strlen(r->spec->key);
    if (r->slot != NULL) {
        const uint32_t slot = *slot_of(r, r->slot, r->n_slots, key);
        return slot == 0 ? NULL : gs_records_at(r, slot - 1);
    }
    const uint32_t lo = gs_records_from(r, key);
    if (lo < r->n && gs_keys_compare(r->spec->key, gs_records_key(r, lo, n_parts), key) == 0)
        return gs_records_at(r, lo);
    return NULL;
}

void *gs_records_find_text(struct gs_records *r, union gs_key *key, size_t part,
                           struct gs_arena *arena)
{
    void *const known = gs_records_lookup(r, key);
    struct gs_str *const text = &key[part].text;
    if (known != NULL)
        return known;
    text->ptr = gs_arena_copy(arena, text->ptr, text->len);
    if (text->ptr == NULL)
        return NULL;
    return gs_records_find(r, key, arena);
}

GS_COMPARES(by_key, struct gs_record_place, GS_DIFFER(gs_keys_compare(x->parts, x->key, y->key)););

struct gs_record_place *gs_records_order(const struct gs_records *r, struct gs_arena *arena)
{
    const size_t n_parts = strlen(r->spec->key);
    struct gs_record_place *const place = gs_arena_take_raw(arena, r->n, sizeof *place);
    for (uint32_t i = 0; place != NULL && i < r->n; i++)
        place[i] = (struct gs_record_place){r->spec->key, gs_records_key(r, i, n_parts)};
    GS_SORT(place, r->n, by_key);
    return place;
}

size_t gs_record_at(const struct gs_records *r, const struct gs_record_place *place, size_t n_parts)
{
    return (size_t)(place->key - r->key) / n_parts;
}

/*
 * Output order is defined by keys. After this the table has no hash any more and is searched by
 * bisection.
 */
enum gs_status gs_records_settle(struct gs_records *r, struct gs_arena *arena, struct gs_err *err)
{
    const size_t n_parts = strlen(r->spec->key);
    r->slot = NULL;
    r->n_slots = r->capacity = 0;
    r->unordered = false;
    bool sorted = true;
    for (uint32_t i = 1; i < r->n && sorted; i++)
        sorted = gs_keys_compare(r->spec->key, gs_records_key(r, i - 1, n_parts),
                                 gs_records_key(r, i, n_parts)) < 0;
    if (sorted)
        return GS_OK;
    const struct gs_record_place *const place = gs_records_order(r, arena);
    GS_NEW_RAW(union gs_key, key, r->n * n_parts, arena, err);
    char *const record = gs_arena_take_raw(arena, r->n, r->stride);
    GS_TRY(gs_had_memory(place != NULL && record != NULL, err));
    for (uint32_t i = 0; i < r->n; i++) {
        memcpy(key + i * n_parts, place[i].key, n_parts * sizeof *key);
        memcpy(record + i * r->stride, gs_records_at(r, gs_record_at(r, &place[i], n_parts)),
               r->stride);
    }
    r->key = key;
    r->record = record;
    return GS_OK;
}

/* --- merging ------------------------------------------------------------------------------------------ */

static void merge_bound(int64_t *mine, int64_t other, bool least)
{
    if (other != GS_MISSING && (*mine == GS_MISSING || (least ? other < *mine : other > *mine)))
        *mine = other;
}

/* Sums wrap: what a state claims may be anything. */
static enum gs_status merge_field(enum gs_field_kind kind, void *mine, void *other,
                                  struct gs_arena *arena, struct gs_err *err)
{
    switch (kind) {
    case GS_FIELD_COUNT:
    case GS_FIELD_INT:
        *(uint64_t *)mine += *(const uint64_t *)other;
        break;
    case GS_FIELD_SUM:
        *(gs_u128 *)mine += *(const gs_u128 *)other;
        break;
    case GS_FIELD_LEAST:
    case GS_FIELD_GREATEST:
        merge_bound(mine, *(const int64_t *)other, kind == GS_FIELD_LEAST);
        break;
    case GS_FIELD_MOMENTS:
        gs_moments_merge(mine, other);
        break;
    case GS_FIELD_RATIO:
        return gs_ratio_merge(mine, other, arena, err);
    case GS_FIELD_VALUES:
        gs_values_merge(mine, other);
        break;
    /*
     * The greater text wins, so the result is the same in any order of merges; the empty text is
     * the neutral element.
     */
    case GS_FIELD_BYTES:
        if (gs_str_compare(*(struct gs_str *)mine, *(const struct gs_str *)other) < 0)
            *(struct gs_str *)mine = *(const struct gs_str *)other;
        break;
    case GS_N_FIELD_KINDS:
        break;
    }
    return GS_OK;
}

enum gs_status gs_fields_merge(const struct gs_field *field, size_t n, void *record, void *other,
                               struct gs_arena *arena, struct gs_err *err)
{
    for (size_t i = 0; i < n; i++)
        GS_TRY(merge_field(field[i].kind, (char *)record + field[i].offset,
                           (char *)other + field[i].offset, arena, err));
    return GS_OK;
}

static enum gs_status merge_record(const struct gs_records *r, char *mine, char *other,
                                   struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_records_spec *const spec = r->spec;
    GS_TRY(gs_fields_merge(spec->field, spec->n_fields, mine, other, arena, err));
    for (uint32_t k = 0; k < r->n_tail; k++) {
        const size_t at = spec->size + k * spec->tail_size;
        GS_TRY(gs_fields_merge(spec->tail, spec->n_tail_fields, mine + at, other + at, arena, err));
    }
    return GS_OK;
}

/* The union of two tables of different keys, side by side in their order. */
static enum gs_status unite(struct gs_records *r, struct gs_records *other, struct gs_arena *arena,
                            struct gs_err *err)
{
    const char *const parts = r->spec->key;
    const size_t n_parts = strlen(parts), n_most = (size_t)r->n + other->n;
    union gs_key *const key = gs_arena_take_raw(arena, n_most * n_parts, sizeof *key);
    char *const record = gs_arena_take_raw(arena, n_most, r->stride);
    enum gs_status s = gs_had_memory(key != NULL && record != NULL, err);
    uint32_t i = 0, j = 0, n = 0;
    while (s == GS_OK && (i < r->n || j < other->n)) {
        int order;
        if (i == r->n)
            order = 1;
        else if (j == other->n)
            order = -1;
        else
            order = gs_keys_compare(parts, gs_records_key(r, i, n_parts),
                                    gs_records_key(other, j, n_parts));
        const struct gs_records *const from = order <= 0 ? r : other;
        const uint32_t at = order <= 0 ? i : j;
        memcpy(key + n * n_parts, gs_records_key(from, at, n_parts), n_parts * sizeof *key);
        memcpy(record + n * r->stride, gs_records_at(from, at), r->stride);
        if (order == 0)
            s = merge_record(r, record + n * r->stride, gs_records_at(other, j), arena, err);
        i += order <= 0;
        j += order >= 0;
        n++;
    }
    if (s != GS_OK)
        return s;
    r->key = key;
    r->record = record;
    r->n = n;
    return GS_OK;
}

/* Record by record, each found by its key. */
static enum gs_status adopt(struct gs_records *r, struct gs_records *other, struct gs_arena *arena,
                            struct gs_err *err)
{
    const size_t n_parts = strlen(r->spec->key);
    if (r->slot == NULL && r->n > 0 && !make_room(r, arena)) /* it was loaded */
        return gs_fail_memory(err);
    for (uint32_t i = 0; i < other->n; i++) {
        char *const mine = gs_records_find(r, gs_records_key(other, i, n_parts), arena);
        GS_TRY(gs_had_memory(mine != NULL, err));
        GS_TRY(merge_record(r, mine, gs_records_at(other, i), arena, err));
    }
    return GS_OK;
}

enum gs_status gs_records_merge(struct gs_records *r, struct gs_records *other,
                                struct gs_arena *arena, struct gs_err *err)
{
    if (r->n_tail != other->n_tail)
        return gs_fail(err, GS_ERR_DATA, "states of %s have %u and %u metrics", r->spec->name,
                       (unsigned)r->n_tail, (unsigned)other->n_tail);
    if (other->n == 0)
        return GS_OK;
    /*
     * Where no order is wanted, hashing costs O(other) per merge. Uniting sorted tables costs
     * O(both), which is quadratic over many states.
     */
    if (r->spec->any_order)
        return adopt(r, other, arena, err);
    /* The same key array means planned keys: record i is of the same key in both. */
    if (r->key != other->key || r->n != other->n) {
        if (r->unordered)
            GS_TRY(gs_records_settle(r, arena, err));
        if (other->unordered)
            GS_TRY(gs_records_settle(other, arena, err));
        return unite(r, other, arena, err);
    }
    for (uint32_t i = 0; i < r->n; i++)
        GS_TRY(merge_record(r, gs_records_at(r, i), gs_records_at(other, i), arena, err));
    return GS_OK;
}
