/* bind.h - from the columns of a file to those of a table. */
#pragma once

#include "data/tables/dataset.h"
#include "input/schema/column_meaning.h"

enum gs_bind_kind {
    GS_BIND_TIME,
    GS_BIND_FIXED,
    GS_BIND_INT,
    GS_BIND_NAME,
    GS_BIND_EVENT_TYPE,
    GS_N_BIND_KINDS
};

/* Kinds of names, numbered by each reader for itself and brought together at the end. */
/* clang-format off */
enum gs_pool {
    GS_POOL_HOST,
    GS_POOL_EVENT,
    GS_POOL_JOB,
    GS_POOL_TASK,
    GS_POOL_SERIAL,
    GS_POOL_UUID,
    GS_POOL_INDEX,
    GS_POOL_CARD,
    GS_POOL_USER,
    GS_POOL_ACCOUNT,
    GS_POOL_GPU_NAME,
    GS_POOL_ATTRIBUTES,
    GS_POOL_GPU, /* not a text: the bytes of a struct gs_gpu_key */
    GS_POOL_SPAN, /* raw text of a row that names a GPU, see scan_names.h */
    GS_N_POOLS
};
/* clang-format on */

enum { GS_NOT_STORED = UINT16_MAX };

/* A column of a file that is read. */
struct gs_bound {
    uint16_t field;  /* place in the row                                     */
    uint16_t column; /* of the table; GS_NOT_STORED: only part of a GPU's key */
    uint8_t kind;    /* enum gs_bind_kind                                    */
    uint8_t pool;
    bool may_be_empty;              /* of a name                                            */
    const struct gs_metric *metric; /* of a reading; NULL: none                 */
    struct gs_unit unit;            /* of a reading                             */
    const char *name;               /* header text, escaped                                 */
};

struct gs_binding {
    enum gs_table_kind kind;
    char delimiter;
    size_t n_fields; /* of every row of the file */
    const struct gs_str *
        header; /* [n_fields] of a log, which may say it again between its rows and break off in its
                                    last one; NULL: such a row is malformed */
    struct gs_str
        host; /* of rows where no column names one; missing: their events hold for all hosts */
    size_t n_bound;
    struct gs_bound *bound; /* by field; a map may give one two metrics */
    uint16_t *put;          /* [n_put] columns of the table that its rows fill, ascending */
    uint32_t n_put;
    struct {
        uint16_t column;
        uint8_t pool;
    } constant[2]; /* [n_constant] names that no column gives: the empty text */
    uint32_t n_constant;
};

/* Columns of a table, that of places included. */
uint32_t gs_table_columns_of(enum gs_table_kind kind, uint32_t n_metrics);

/* Adds a column, for which b->bound has room, in the order of fields: the scanner walks both side by side. */
void gs_binding_add(struct gs_binding *b, struct gs_bound one);

/* Gives metrics their columns, as the dataset lists them: all of the binding's must be there. Fills `put`. */
enum gs_status gs_binding_settle(struct gs_binding *b, const struct gs_dataset *d,
                                 struct gs_arena *arena, struct gs_err *err);

struct gs_bytes;
struct gs_load_options;
struct gs_rows;
struct gs_source;

/*
 * What is known of an input beyond its name: how a table is cut and which columns mean what, or who reads what is no
 * table.
 */
struct gs_input_form {
    const void *context;
    char delimiter; /* of a table: ; tab | ... 0: comma */
    const struct gs_source *
        lines; /* of lines that form_rows.h makes a table of, as this source says; NULL: it is one */

    /* Finds the columns of a table in its first row; settled later. */
    enum gs_status (*bind)(const void *context, const struct gs_input *input,
                           const struct gs_str *field, size_t n_fields, struct gs_arena *arena,
                           struct gs_binding *binding, struct gs_err *err);

    /* Reads what is no table, to its end, and hands over its rows (rows.h). NULL: it is a table. */
    enum gs_status (*read)(const void *context, struct gs_bytes *source, struct gs_rows *rows,
                           struct gs_err *err);
    const struct gs_metric *const *metric; /* [n_metrics] that `read` has values of */
    uint32_t n_metrics;
    struct gs_str host; /* of rows that name none; missing: their events hold for all hosts */
};
