/* log_table.h - a power log as a table: the readings of each GPU, in order of time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/decimal.h"
#include "base/num/timestamp.h"
#include "base/core/text.h"

/* What a log can hold beside the time. Values are fixed-point (decimal.h) in the unit named here. */
enum gs_log_field {
    GS_LOG_POWER,        /* W, never missing                                        */
    GS_LOG_TEMP,         /* degrees C                                               */
    GS_LOG_GPU_UTIL,     /* %                                                       */
    GS_LOG_MEM_UTIL,     /* %                                                       */
    GS_LOG_MEMORY_USED,  /* MiB                                                     */
    GS_LOG_MEMORY_TOTAL, /* MiB                                                     */
    GS_LOG_CLOCK,        /* MHz                                                     */
    GS_LOG_ENERGY,       /* J, a counter: what the board says it has used so far    */
    GS_LOG_FIELDS
};

/*
 * What a power column says it is. A name is no proof: power.draw is a mean over 1 s on some cards and drivers. Of a
 * counter: no column, but what an energy counter rose by since the reading before, over that time.
 */
enum gs_power_column { GS_COLUMN_DRAW, GS_COLUMN_AVERAGE, GS_COLUMN_INSTANT, GS_COLUMN_COUNTER };

/* One GPU of one log. */
struct gs_log {
    /* index, UUID, bus id or serial as the log has it; missing: the log names no GPU */
    struct gs_str gpu;
    struct gs_str card; /* the card's name, from a column of names; missing: none */
    size_t n; /* readings: rows with a time (where the log has times) and a power               */
    const int64_t *t_ns; /* [n] ascending; equal times keep the file's order; NULL: no times */
    /* [n] each, or NULL where no reading has it; else may be GS_MISSING */
    const int64_t *value[GS_LOG_FIELDS];
    /* rows that have a time, with or without a power; value[GS_LOG_ENERGY] is of these */
    size_t n_with_time;
    const int64_t *row_t_ns; /* [n_with_time] */
    /* with the readings out of the range, which energies know; NULL: no range */
    const struct gs_log *all;
    const struct gs_range *range; /* NULL: none */
    uint64_t n_dropped;           /* rows of this GPU that are no reading                         */
    uint64_t print;       /* of its readings and their times; 0: too few to compare, or all alike */
    bool counted;         /* its power is that of its energy counter                      */
    int64_t counted_step; /* how late that may be, fixed-point J                          */
};

/* One file. n_rows = readings of all GPUs + n_dropped: no row is lost. */
struct gs_log_table {
    const char *name; /* of the file, escaped                                                    */
    struct gs_str stem; /* the file's name without folders, as it is */
    struct gs_log *log; /* [n_logs] by GPU: numbers by value, then text by bytes, missing last */
    size_t n_logs;
    uint64_t n_rows; /* data rows in the file                                                   */
    uint64_t n_dropped;          /* of them, no reading */
    enum gs_power_column column; /* of the power */
};

/* Stretches of time, read beside a log, in order of (start, stop, name). */
struct gs_span {
    struct gs_str name, host, gpu; /* missing: none given */
    int64_t start_ns, stop_ns;
};

struct gs_span_list {
    struct gs_span *span;
    size_t n;
};
