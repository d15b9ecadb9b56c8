/* row_reader.h - the state of one reading thread: its tables and its pools of names. */
#pragma once

#include <string.h>

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "input/import/name_filter.h"
#include "input/import/reject.h"
#include "input/import/pass_plan.h"
#include "data/tables/table_writer.h"

struct gs_gpu_key {
    uint32_t host, serial, uuid, index, card, user, account, job; /* GS_NONE: the row has none */
};

/* Where the number of a name from this pool goes. */
static inline uint32_t *gs_gpu_key_part(struct gs_gpu_key *key, unsigned pool)
{
    switch (pool) {
    case GS_POOL_HOST:
        return &key->host;
    case GS_POOL_SERIAL:
        return &key->serial;
    case GS_POOL_UUID:
        return &key->uuid;
    case GS_POOL_INDEX:
        return &key->index;
    case GS_POOL_CARD:
        return &key->card;
    case GS_POOL_USER:
        return &key->user;
    case GS_POOL_ACCOUNT:
        return &key->account;
    default:
        return &key->job;
    }
}

/* The first name in every GPU_NAME pool is the empty text: the GPU of a row whose file has no such column. */
enum { GS_NO_GPU_NAME = 0 };

/* An event that holds for all hosts, its names as numbers of the reader that has it. */
struct gs_shared_event {
    struct gs_shared_event *next;
    bool is_span, is_stop, runs;
    int64_t start_ns, stop_ns; /* of a mark both are its time */
    uint32_t event, job, task;
    int64_t attributes, place;
    const uint32_t *gpu, *host; /* [n_gpus]; [n_hosts], none: all */
    size_t n_gpus, n_hosts;
};

/* Where rows of each owner of a table were seen, and whether they are kept: found out once. */
struct gs_seen {
    struct gs_reach reach;
    bool is_known, is_dropped;
};

struct gs_seen_rows {
    uint32_t n;
    struct gs_seen *of; /* [n] by owner */
};

/* What one thread gathers. */
struct gs_reader {
    struct gs_arena arena;
    bool keep_places;
    struct gs_table_writer writer[GS_N_STORED];
    struct gs_intern pool[GS_N_POOLS];
    uint32_t last_number[GS_N_POOLS]; /* of the name that rows.c numbered last */
    uint32_t *span_gpu;               /* the GPU that each text of the span pool names */
    uint32_t n_span_gpus;
    struct gs_shared_event *shared;   /* see gs_rows_spread */
    enum gs_table_kind kind;          /* of the present file                            */
    const struct gs_binding *pending; /* gives rows names that no column has, once there is a row */
    struct gs_gpu_key key; /* what rows of the present file have without a column for it */
    struct gs_time_reader time;
    bool drops;                           /* rows of some hosts: see gs_reader_store */
    uint32_t shard, n_shards;             /* 0: of none */
    const struct gs_pass_plan *pass_plan; /* of earlier passes; NULL: none */
    uint32_t chunk;                       /* that rows are read from */
    bool skips;                           /* dropped rows of this chunk need no look */
    const struct gs_name_filter
        *tasks; /* rows of the task table keep the names of these alone; NULL: of all */
    struct gs_seen_rows
        seen[GS_N_STORED]; /* checkpoints by host, samples by GPU; where rows are dropped */
    bool
        bad_is_missing; /* of logs: a reading that is no number is missing, its row is none the worse */
    uint32_t n_bad;     /* such readings of the last row          */
    bool rounded;       /* a reading had more than 6 decimals             */
    uint64_t n_missing; /* readings that are missing                      */
};

/* `encodings`, one per stored table, are shared by all readers of a dataset and outlive them. */
enum gs_status gs_reader_init(struct gs_reader *g, const struct gs_dataset *d,
                              struct gs_encodings *encodings, const struct gs_zone *zone,
                              bool keep_places, const bool *need, struct gs_err *err);
void gs_reader_release(struct gs_reader *g);

/*
 * From now on rows of hosts that are not of shard `shard` (from 0) of n_shards (0 or 1: all) are read and not kept; with
 * a pass_plan of earlier passes only those that it keeps.
 */
void gs_reader_store(struct gs_reader *g, uint32_t shard, uint32_t n_shards,
                     const struct gs_pass_plan *pass_plan);

/* The first sight of an owner of `kind`, which is GS_TABLE_CHECKPOINTS or GS_TABLE_SAMPLES; NULL without memory. */
struct gs_seen *gs_reader_inspect(struct gs_reader *g, enum gs_table_kind kind, uint32_t owner);

/* A row of this owner stands in the present chunk. Only where g->drops; NULL without memory. */
static inline struct gs_seen *gs_reader_count(struct gs_reader *g, enum gs_table_kind kind,
                                              uint32_t owner)
{
    const struct gs_seen_rows *const r = &g->seen[kind];
    struct gs_seen *const s =
        owner < r->n && r->of[owner].is_known ? &r->of[owner] : gs_reader_inspect(g, kind, owner);
    if (s == NULL)
        return NULL;
    if (s->reach.n_rows++ == 0)
        s->reach.first = s->reach.last = g->chunk;
    s->reach.first = gs_min(g->chunk, s->reach.first);
    s->reach.last = gs_max(g->chunk, s->reach.last);
    return s;
}

/* Rows of a file follow. */
void gs_reader_file(struct gs_reader *g, const struct gs_binding *b);

/* To be called before a row is stored where g->pending is set; false without memory. */
bool gs_reader_names(struct gs_reader *g);

/* Why a row was not taken; `text` has no place in front. */
struct gs_row_fault {
    enum gs_status status;
    enum gs_fault_kind kind;
    char text[GS_ERR_TEXT_MAX / 2];
};

/*
 * Appends one row, parsed exactly. Returns false, with nothing appended and the reason in `fault`, for a
 * row that is malformed (GS_ERR_DATA) or for which there was no memory.
 */
bool gs_reader_row(struct gs_reader *g, const struct gs_binding *b, const struct gs_str *field,
                   size_t n_fields, int64_t place, struct gs_row_fault *fault);

/*
 * Parses a reading or a time of a bound column into the open row; the text is without blanks around it. False with the
 * reason in `fault`. Sets what was noticed (rounded, n_missing, time), which the caller takes back for a row that it
 * does not store.
 */
bool gs_reader_value(struct gs_reader *g, const struct gs_bound *b, struct gs_str text,
                     struct gs_row_fault *fault);

/* A number without a fraction; else false, and *value is what it was. */
bool gs_reader_whole(struct gs_str text, int64_t *value);

/* Is this a GPU's name, and none of the words for "no value"? The empty name is one. */
static inline bool gs_is_gpu_name(struct gs_str text)
{
    return text.len == 0 || !gs_is_missing_word(text);
}

/* Is this a UUID as the driver writes it? No serial and no index is. */
static inline bool gs_is_uuid(struct gs_str text)
{
    return text.len > 4 && (memcmp(text.ptr, "GPU-", 4) == 0 || memcmp(text.ptr, "MIG-", 4) == 0);
}

/* START: 0, STOP: 1, any other text: -1. */
int gs_event_type(struct gs_str text);

/* The number of the GPU with these names, GS_INTERN_NONE without memory. */
uint32_t gs_reader_gpu(struct gs_reader *g, struct gs_gpu_key key);

/* Remembers which GPU a span names; false without memory. */
bool gs_reader_span(struct gs_reader *g, uint32_t span, uint32_t gpu);
