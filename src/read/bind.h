/* bind.h - from the fields of a row to the columns of a table: schemas, headers, names, exact parsing. */
#ifndef GPUSTAT_BIND_H
#define GPUSTAT_BIND_H

#include "model/dataset.h"
#include "base/timestamp.h"
#include "read/columns.h"

enum gs_bind_kind { GS_BIND_TIME, GS_BIND_FIXED, GS_BIND_INT, GS_BIND_NAME, GS_BIND_EVENT_TYPE, GS_N_BIND_KINDS };

/* Kinds of names, numbered by each reader for itself and brought together at the end. */
enum gs_pool {
    GS_POOL_HOST,
    GS_POOL_EVENT,
    GS_POOL_JOB,
    GS_POOL_TASK,
    GS_POOL_SERIAL,
    GS_POOL_UUID,
    GS_POOL_INDEX,
    GS_POOL_GPU_NAME,
    GS_POOL_ATTRIBUTES,
    GS_POOL_GPU, /* not a text: the bytes of a struct gs_gpu_key */
    GS_POOL_SPAN, /* raw text of a row that names a GPU, see scan_names.h */
    GS_N_POOLS
};

struct gs_gpu_key {
    uint32_t host, serial, uuid, index, job; /* GS_NONE: the row has none */
};

/* Where the number of a name from this pool goes. */
static inline uint32_t *gs_gpu_key_part(struct gs_gpu_key *key, unsigned pool)
{
    return pool == GS_POOL_HOST     ? &key->host
           : pool == GS_POOL_SERIAL ? &key->serial
           : pool == GS_POOL_UUID   ? &key->uuid
           : pool == GS_POOL_INDEX  ? &key->index
                                    : &key->job;
}

enum { GS_NOT_STORED = UINT16_MAX };

/* The first name in every GPU_NAME pool is the empty text: the GPU of a row whose file has no such column. */
enum { GS_NO_GPU_NAME = 0 };

/* A column of a file that is read. */
struct gs_bound {
    uint16_t field;     /* place in the row                                     */
    uint16_t column;    /* of the table; GS_NOT_STORED: only part of a GPU's key */
    uint8_t kind;       /* enum gs_bind_kind                                    */
    uint8_t pool;
    bool may_be_empty;  /* of a name                                            */
    const struct gs_metric *metric; /* of a reading; NULL: none                 */
    struct gs_scale scale;          /* of a reading                             */
    const char *name;   /* header text, escaped                                 */
};

struct gs_binding {
    enum gs_table_kind kind;
    size_t n_fields; /* of every row of the file */
    size_t n_bound;
    struct gs_bound *bound; /* by field */
    uint16_t *put;          /* [n_put] columns of the table that its rows fill, ascending */
    uint32_t n_put;
};

/*
 * Finds the columns in a header, by name: needed ones, and those of every metric that is known. Which column of
 * the table a metric has is open until gs_binding_settle.
 * Errors: GS_ERR_DATA "NAME:1: no column 'x'; found a, b, c", or a name that appears twice.
 * Memory: lives in `arena`.
 */
enum gs_status gs_bind_header(enum gs_table_kind kind, const char *name, const struct gs_str *field, size_t n_fields,
                              struct gs_arena *arena, struct gs_binding *binding, struct gs_err *err);

/* Gives metrics their columns, as the dataset lists them: all of the binding's must be there. Fills `put`. */
enum gs_status gs_binding_settle(struct gs_binding *b, const struct gs_dataset *d, struct gs_arena *arena,
                                 struct gs_err *err);

struct gs_bytes;
struct gs_load_options;
struct gs_rows;

/*
 * What is known of an input beyond its name: how a table is cut and which columns mean what, or who reads what is no
 * table. All zero: a table with commas whose columns are found by their names.
 */
struct gs_input_form {
    const void *context;
    char delimiter;          /* of a table; 0: comma */

    /* Finds the columns of a table in its first row; settled later. NULL: gs_bind_header. */
    enum gs_status (*bind)(const void *context, const struct gs_input *input, const struct gs_str *field, size_t n_fields,
                           struct gs_arena *arena, struct gs_binding *binding, struct gs_err *err);

    /* Reads what is no table, to its end, and hands over its rows (rows.h). NULL: it is a table. */
    enum gs_status (*read)(const void *context, struct gs_bytes *source, struct gs_rows *rows, struct gs_err *err);
    const struct gs_metric *const *metric; /* [n_metrics] that `read` has values of */
    uint32_t n_metrics;
    struct gs_str host;      /* of rows that name none; missing: their events hold for all hosts */
};

struct gs_shared_event;

/* What one thread gathers. */
struct gs_gather {
    struct gs_arena arena;
    bool keep_places;
    struct gs_table_writer writer[GS_N_STORED];
    struct gs_intern pool[GS_N_POOLS];
    uint32_t *span_gpu;       /* the GPU that each text of the span pool names */
    uint32_t n_span_gpus, span_capacity;
    struct gs_shared_event *shared; /* events that hold for all hosts, see rows.c */
    struct gs_time_reader time;
    uint32_t shard, n_shards; /* see gs_gather_keep_shard; n_shards 0: all are kept */
    bool rounded;             /* a reading had more than 6 decimals             */
    uint64_t n_missing;       /* readings that are missing                      */
};

/* `encodings`, one per stored table, are shared by all gatherings of a dataset and outlive them. */
enum gs_status gs_gather_init(struct gs_gather *g, const struct gs_dataset *d, struct gs_encodings *encodings,
                              int32_t zone_s, bool keep_places, const bool *need, struct gs_err *err);
void gs_gather_release(struct gs_gather *g);

/* From now on rows of hosts that are not of shard `shard` (from 0) of n_shards are read and not kept. */
void gs_gather_keep_shard(struct gs_gather *g, uint32_t shard, uint32_t n_shards);

/* Is the host with this number in the gathering one of those? */
bool gs_gather_drops(const struct gs_gather *g, uint32_t host);

/* Rows of a file follow. */
void gs_gather_file(struct gs_gather *g, const struct gs_binding *b);

/* Why a row was not taken; `text` has no place in front. */
struct gs_row_fault {
    enum gs_status status;
    char text[GS_ERR_TEXT_MAX / 2];
};

/*
 * Appends one row, parsed exactly. Returns false, with nothing appended and the reason in `fault`, for a
 * row that is malformed (GS_ERR_DATA) or for which there was no memory.
 */
bool gs_gather_row(struct gs_gather *g, const struct gs_binding *b, const struct gs_str *field, size_t n_fields,
                   int64_t place, struct gs_row_fault *fault);

/* The number of the GPU with these names, GS_INTERN_NONE without memory. */
uint32_t gs_gather_gpu(struct gs_gather *g, struct gs_gpu_key key);

/* Remembers which GPU a span names; false without memory. */
bool gs_gather_span(struct gs_gather *g, uint32_t span, uint32_t gpu);

#endif
