/* power_log_rows.h - inside the power-log reader: what a column means, and rows on their way to a table. */
#ifndef GPUSTAT_POWER_LOG_ROWS_H
#define GPUSTAT_POWER_LOG_ROWS_H

#include "base/int128.h"
#include "base/intern.h"
#include "read/power_log.h"
#include "num/timestamp.h"

/* The places of a row. A log can have several power columns; which one counts is settled at its end. */
enum pl_slot {
    PL_POWER_DRAW,
    PL_POWER_AVERAGE,
    PL_POWER_INSTANT,
    PL_POWER_NAMED, /* --power-column */
    PL_POWERS,
    PL_TEMP = PL_POWERS,
    PL_GPU_UTIL,
    PL_MEM_UTIL,
    PL_MEMORY_USED,
    PL_MEMORY_TOTAL,
    PL_CLOCK,
    PL_ENERGY, /* a counter */
    PL_SLOTS
};

/* A value in the file times num / den is a value in the table's unit; num 0: no unit was named. */
struct pl_unit {
    int32_t num, den;
};

enum { PL_NONE = -1, PL_GPU_RANKS = 4 };

/* Where things stand in a row. */
struct pl_binding {
    size_t n_columns; /* 0: nothing bound yet */
    int time, date;   /* date: dmon's, apart from the time of day */
    int host, gpu, card;
    int gpu_rank;     /* how good a name `gpu` is; smaller is better */
    int field, value; /* long form                                   */
    int slot[PL_SLOTS];
    struct pl_unit unit[PL_SLOTS];
};

/* Does a row hold one field and its value? */
static inline bool pl_is_long(const struct pl_binding *b)
{
    return b->field != PL_NONE && b->value != PL_NONE;
}

/* Why a row is no reading. */
enum pl_drop { PL_DROP_FIELDS, PL_DROP_TIME, PL_DROP_POWER_MISSING, PL_DROP_POWER_BAD, PL_DROPS };

struct pl_row {
    int64_t t_ns; /* GS_MISSING: the log has no times */
    uint32_t gpu; /* intern number, GS_INTERN_NONE: none named */
    uint32_t card;
    bool dropped, long_form;
    uint64_t line;
    int64_t value[PL_SLOTS];
};

struct pl_block; /* of rows */

/* Everything read so far. */
struct pl_rows {
    struct gs_arena *arena;
    struct gs_notes *notes;
    const struct gs_power_log_options *options;
    const char *name;
    struct gs_str stem;
    struct pl_binding bind;
    struct gs_str power_name[PL_POWERS];   /* as the header has it */
    enum gs_power_column named_column;     /* what --power-column's is */
    bool value_rounded, has_times, no_gpu; /* no_gpu: some header named none */
    struct gs_time_reader time;
    int64_t last_of_day_ns, day_ns; /* of a clock that shows no date */
    struct gs_intern gpus, cards;
    struct gs_buf label;   /* scratch: HOST/GPU */
    struct gs_str *joined; /* [GS_CSV_FIELDS_MAX] scratch, NULL until it is wanted */
    uint64_t n_rows, n_headers;
    uint64_t n_dropped[PL_DROPS], first_line[PL_DROPS];
    struct pl_block *first, *last;
};

/* Does this row name columns? At least two of its cells are names that logs use. */
bool pl_is_header(const struct pl_rows *p, const struct gs_str *cell, size_t n);

/*
 * Binds columns by their names.
 * Errors: GS_ERR_DATA where no power column (or long form) is among them, with what was found, and for a unit
 *         that is not known; with `names_by_user` GS_ERR_USAGE for a name that is not known.
 */
enum gs_status pl_bind(struct pl_rows *p, const struct gs_str *cell, size_t n, uint64_t line, bool names_by_user,
                       struct gs_err *err);

/* Reads a value in a slot's quantity, its own unit before the column's: "22.19 W", "22190 mW", "55 %". */
enum gs_number pl_value(struct pl_rows *p, enum pl_slot slot, struct pl_unit unit, struct gs_str text, int64_t *value);

/* The slot of a field of DCGM's long form, by name or number; PL_SLOTS for one that is not used here. */
enum pl_slot pl_field_slot(struct gs_str name, struct pl_unit *unit);

/* Takes one data row under the current binding. Errors: GS_ERR_MEMORY. */
enum gs_status pl_row(struct pl_rows *p, const struct gs_str *cell, size_t n, uint64_t line, struct gs_err *err);

/* Makes the table of what was taken and says what was dropped. */
enum gs_status pl_finish(struct pl_rows *p, struct gs_log_table *table, struct gs_err *err);

#endif
