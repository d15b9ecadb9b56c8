/* operations_csv.h - a CSV file of operations, one per row, as a table of parsed operations. */
#pragma once

#include "base/core/notes.h"
#include "data/tables/operation.h"

/* Names of columns. NULL: the usual name, and where it is not there the file has no such column. */
struct gs_operations_columns {
    const char *op;         /* op; always needed                            */
    const char *input_size; /* input_size; always needed                    */
    const char *clock;      /* clock_mhz or clock                           */
    const char *time;       /* time_s                                       */
    const char *power;      /* power_mean_w, in any case, or power_w        */
    const char *model;      /* model                                        */
    const char *count;      /* count                                        */
};

/*
 * Reads operations, in the order of their canonical texts, input sizes, clocks and measured values, so that
 * the order of rows in the file never matters. A column named by the caller must be there.
 *
 * Units:   clock MHz, time s, power W.
 * Missing: with `need_measured` a row without time (or power, where that column is there) is left out, and a
 *          note counts such rows; a missing clock stays missing; a missing count is an error.
 * Errors:  GS_ERR_NOINPUT; GS_ERR_DATA "FILE:LINE: op: 'Conv2d(3': ',' or ')' expected at the end", for a
 *          time, power or count that is not above 0, for no rows, and with `need_measured` for no time
 *          column.
 * Memory:  lives in `arena`.
 */
enum gs_status gs_operations_read(const char *path, const struct gs_operations_columns *columns,
                                  bool need_measured, struct gs_arena *arena,
                                  struct gs_notes *notes, struct gs_operations *out,
                                  struct gs_err *err);
