/* records.h - exact sums by key: what an analysis keeps, merged, saved and loaded by one description of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/intern.h"
#include "base/core/pack.h"
#include "base/core/sha256.h"
#include "base/core/values.h"

/* How a field of a record comes together from two. All of them give the same for any order of merging. */
/* clang-format off */
enum gs_field_kind {
    GS_FIELD_COUNT,    /* uint64_t, added                                                       */
    GS_FIELD_INT,      /* int64_t, added                                                        */
    GS_FIELD_SUM,      /* gs_i128, added                                                        */
    GS_FIELD_LEAST,    /* int64_t, the least;    GS_MISSING: none, as every record begins       */
    GS_FIELD_GREATEST, /* int64_t, the greatest; GS_MISSING: none, as every record begins       */
    GS_FIELD_MOMENTS,  /* struct gs_moments                                                     */
    GS_FIELD_RATIO,    /* struct gs_ratio_sum                                                   */
    GS_FIELD_VALUES,   /* struct gs_values, all of them                                         */
    GS_FIELD_BYTES,    /* struct gs_str, whatever is in it, of one state: the greatest by bytes */
    GS_N_FIELD_KINDS
};
/* clang-format on */

/* A kind as the bytes and the beginning of a record know it; a new one is a row here and a case where compilers ask. */
struct gs_field_traits {
    char letter;    /* in the bytes                                                     */
    bool missing;   /* begins as GS_MISSING, all of it; else as zero                     */
    size_t size;    /* in the record                                                     */
    size_t n_least; /* bytes that a state has of it at least: what can be loaded at most */
};

extern const struct gs_field_traits gs_field_traits[GS_N_FIELD_KINDS];

/* What any measured sum and count stay below, so that what is computed from sums does not overflow. */
#define GS_SUM_MAX   ((gs_i128)1 << 118)
#define GS_COUNT_MAX (UINT64_C(1) << 56)

struct gs_field {
    enum gs_field_kind kind;
    size_t offset;
};

/* The fields of a struct gs_energy_sum. */
/* clang-format off */
#define GS_ENERGY_SUM_FIELDS(type, sum)                                                                                   \
    {GS_FIELD_SUM, offsetof(type, sum.energy)}, {GS_FIELD_SUM, offsetof(type, sum.bridged)},                              \
    {GS_FIELD_SUM, offsetof(type, sum.time_ns)}, {GS_FIELD_SUM, offsetof(type, sum.covered_ns)},                          \
    {GS_FIELD_SUM, offsetof(type, sum.scale)}, {GS_FIELD_SUM, offsetof(type, sum.zero)},                                  \
    {GS_FIELD_SUM, offsetof(type, sum.unknown)}, {GS_FIELD_SUM, offsetof(type, sum.unknown_ns)},                          \
    {GS_FIELD_SUM, offsetof(type, sum.own_uj2)}, {GS_FIELD_SUM, offsetof(type, sum.sampling_uj2)},                        \
    {GS_FIELD_SUM, offsetof(type, sum.edges_uj2)}, {GS_FIELD_SUM, offsetof(type, sum.edges)},                             \
    {GS_FIELD_SUM, offsetof(type, sum.blind)}, {GS_FIELD_COUNT, offsetof(type, sum.n)},                                   \
    {GS_FIELD_COUNT, offsetof(type, sum.n_cut)}, {GS_FIELD_COUNT, offsetof(type, sum.n_whole)}, {GS_FIELD_COUNT, offsetof(type, sum.n_refused)}
/* clang-format on */
enum { GS_N_ENERGY_SUM_FIELDS = 17 };

/* The fields of a struct gs_counted. */
#define GS_COUNTED_FIELDS(type, counted)                                                           \
    {GS_FIELD_COUNT, offsetof(type, counted.n)},                                                   \
        {GS_FIELD_COUNT, offsetof(type, counted.n_beside)},                                        \
        {GS_FIELD_SUM, offsetof(type, counted.used)},                                              \
        {GS_FIELD_SUM, offsetof(type, counted.used_beside)},                                       \
    {                                                                                              \
        GS_FIELD_SUM, offsetof(type, counted.energy_beside)                                        \
    }

/*
 * Of a struct with these fields, whatever else it holds: as they begin; adding those of another, from which values move
 * over; as bytes; and back, from bytes that may be anything.
 */
void gs_fields_begin(const struct gs_field *field, size_t n, void *record);
enum gs_status gs_fields_merge(const struct gs_field *field, size_t n, void *record, void *other,
                               struct gs_arena *arena, struct gs_err *err);
void gs_fields_save(const struct gs_field *field, size_t n, const void *record, struct gs_buf *b,
                    struct gs_arena *scratch);
void gs_fields_load(const struct gs_field *field, size_t n, void *record, struct gs_unpacker *u,
                    struct gs_arena *arena);

/* A part of a key: a text or a whole number. */
union gs_key {
    struct gs_str text;
    int64_t number;
};

/* The texts of a set whose numbers are in their order, as keys of one part; NULL without memory. */
union gs_key *gs_keys_of_texts(const struct gs_intern *texts, struct gs_arena *arena);

/* The order of two keys whose parts are these letters. */
int gs_keys_compare(const char *parts, const union gs_key *a, const union gs_key *b);

/*
 * What a table of records holds. A record is a struct of `size` bytes with these fields, behind it structs of
 * `tail_size` bytes (0: none) with the tail's fields: one for each of the run's metrics, or n_tail where that is given.
 * All begins zeroed but for the fields that say otherwise.
 */
struct gs_records_spec {
    const char *name; /* for the bytes and messages                                     */
    const char *key;  /* a letter per part: 't' text, 'i' number; "": there is one record */
    size_t size;
    const struct gs_field *field; /* by ascending offset, the tail's too */
    size_t n_fields;
    size_t tail_size;
    uint32_t n_tail; /* 0: one for each metric */
    const struct gs_field *tail;
    size_t n_tail_fields;
    bool any_order; /* keys are found and looked up, and in order only in the bytes */
};

/* A table of records: what messages call it, its key, the record's type, and the array of the record's fields. */
#define GS_RECORDS(words, parts, type, array)                                                      \
    .name = words, .key = parts, .size = sizeof(type), .field = (array),                           \
    .n_fields = sizeof(array) / sizeof *(array)

/* What stands behind each record of the table: a type, and the array of its fields. */
#define GS_RECORDS_TAIL(type, array)                                                               \
    .tail_size = sizeof(type), .tail = (array), .n_tail_fields = sizeof(array) / sizeof *(array)

/* Records in ascending order of their keys, part by part: texts by bytes, a missing one first, numbers by size. */
struct gs_records {
    const struct gs_records_spec *spec;
    uint32_t n, n_tail;
    size_t stride;
    union gs_key *key; /* [n * parts of a key] */
    char *record;      /* [n * stride]         */
    bool unordered;    /* keys are in no order: that is made up for where it matters */
    /* Of a table whose keys come as they are found, until gs_records_settle: */
    /* so that input cannot be made to collide on purpose: set before gs_records_init, which keeps it */
    uint64_t seed;
    uint32_t capacity, n_slots;
    uint32_t *slot;
};

/*
 * A table with a record for each of `n` keys, ascending and distinct, which are shared, not copied; texts must
 * outlive it. Start from `{.seed = s}`. Tables over the same `key` merge record by record.
 */
enum gs_status gs_records_init(struct gs_records *r, const struct gs_records_spec *spec,
                               union gs_key *key, uint32_t n, uint32_t n_metrics,
                               struct gs_arena *arena, struct gs_err *err);

/* The same of a table that is there, without records so far. */
static inline enum gs_status gs_records_plan(struct gs_records *r, union gs_key *key, uint32_t n,
                                             struct gs_arena *arena, struct gs_err *err)
{
    return gs_records_init(r, r->spec, key, n, r->n_tail, arena, err);
}

static inline void *gs_records_at(const struct gs_records *r, size_t i)
{
    return r->record + i * r->stride;
}

/* The tail of a record. */
static inline void *gs_records_tail(const struct gs_records *r, size_t i)
{
    return r->record + i * r->stride + r->spec->size;
}

static inline const union gs_key *gs_records_key(const struct gs_records *r, size_t i,
                                                 size_t n_parts)
{
    const size_t at = i * n_parts;
    return at == 0 ? r->key : r->key + at; /* a table without records has no keys */
}

/*
 * The same of a key whose text in one part does not last: a new record keeps a copy.
 */
void *gs_records_find_text(struct gs_records *r, union gs_key *key, size_t part,
                           struct gs_arena *arena);

/* Makes room for n records, so that none is left behind while they are found one by one; false without memory. */
bool gs_records_reserve(struct gs_records *r, uint32_t n, struct gs_arena *arena);

/* The record of a key, made where there is none; NULL without memory. Valid until the next call. Then settle. */
void *gs_records_find(struct gs_records *r, const union gs_key *key, struct gs_arena *arena);

/* Puts what was found, or was planned in no order, in the order of the keys; before it, records are only found. */
enum gs_status gs_records_settle(struct gs_records *r, struct gs_arena *arena, struct gs_err *err);

/* A record in the order of the keys, with what a comparison needs; a table of keys of one part at least. */
struct gs_record_place {
    const char *parts;
    const union gs_key *key;
};

/* All records in the order of their keys, whatever theirs is: [n] in `arena`, NULL without memory; and where one is. */
struct gs_record_place *gs_records_order(const struct gs_records *r, struct gs_arena *arena);
size_t gs_record_at(const struct gs_records *r, const struct gs_record_place *place,
                    size_t n_parts);

/* The record of a key, NULL where there is none. O(1) before settling, O(log n) after. */
void *gs_records_lookup(const struct gs_records *r, const union gs_key *key);

/* The place of the first record whose key is not below this one, in a table whose keys are in order; r->n: all are. */
uint32_t gs_records_from(const struct gs_records *r, const union gs_key *key);

/* Is it as every record begins? Such records are not saved. */
bool gs_records_is_new(const struct gs_records *r, size_t i);

/* Adds what `other` holds; values move over, so `other` is not to be used again and its arena must stay. */
enum gs_status gs_records_merge(struct gs_records *r, struct gs_records *other,
                                struct gs_arena *arena, struct gs_err *err);

/* Adds to a digest what its bytes look like. */
void gs_records_describe(const struct gs_records_spec *spec, struct gs_sha256 *sum);

/*
 * The bytes do not depend on the order of adding and merging. `scratch` may hold an order of records afterwards.
 * `to`: what is in `b` goes on there, bit by bit; NULL: it stays.
 */
struct gs_sink;
enum gs_status gs_records_save(const struct gs_records *records, struct gs_buf *b,
                               const struct gs_sink *to, struct gs_arena *scratch,
                               struct gs_err *err);

/*
 * Errors: GS_ERR_DATA for bytes that gs_records_save cannot have written from this spec.
 * Memory: everything is copied into `arena`, at most some hundred times the bytes. Start from `{.seed = s}`.
 */
enum gs_status gs_records_load(struct gs_records *r, const struct gs_records_spec *spec,
                               uint32_t n_metrics, struct gs_unpacker *u, struct gs_arena *arena);
