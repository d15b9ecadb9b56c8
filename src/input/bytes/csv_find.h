/* csv_find.h - columns of foreign CSV files under any of their usual names. */
#pragma once

#include "input/bytes/csv.h"

enum { GS_CSV_NONE = -1 };

/* The first of `names` (parted by '|'; ASCII case aside) that is a column, or GS_CSV_NONE. */
int gs_csv_find_any(const struct gs_csv_table *t, const char *names);

/* The same; without any, GS_ERR_DATA that names the first of them and lists what there is. */
enum gs_status gs_csv_need_any(const struct gs_csv_table *t, const char *names, int *column,
                               struct gs_err *err);

/* A column of numbers. */
struct gs_csv_field {
    const char *names; /* see gs_csv_find_any; the first stands in messages */
    const char *given; /* named by the user, then that one and no other; NULL: not */
    double min, max;   /* a number is within them */
    bool is_needed, is_whole;
    int column; /* filled by gs_csv_fields_find */
};

/* Finds the columns. Errors: GS_ERR_DATA for a needed or given one that is not there. */
enum gs_status gs_csv_fields_find(const struct gs_csv_table *t, struct gs_csv_field *field,
                                  size_t n, struct gs_err *err);

/*
 * A row's numbers: value[n], NaN where a cell or the column is missing.
 * Errors: GS_ERR_DATA with file, line and column for what is no number, or out of its bounds.
 */
enum gs_status gs_csv_fields_read(const struct gs_csv_table *t, size_t row,
                                  const struct gs_csv_field *field, size_t n, double *value,
                                  struct gs_err *err);
