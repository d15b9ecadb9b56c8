/* csv_find.h - columns of foreign CSV files under any of their usual names. */
#ifndef GPUSTAT_CSV_FIND_H
#define GPUSTAT_CSV_FIND_H

#include "input/bytes/csv.h"

enum { GS_CSV_NONE = -1 };

/* The first of `names` (ends in NULL; ASCII case aside) that is a column, or GS_CSV_NONE. */
int gs_csv_find_any(const struct gs_csv_table *t, const char *const *names);

/* The same; without any, GS_ERR_DATA that names the first of them and lists what there is. */
enum gs_status gs_csv_need_any(const struct gs_csv_table *t, const char *const *names, int *column,
                               struct gs_err *err);

/*
 * A cell as a number within [min, max]; a missing one, or column GS_CSV_NONE, gives NaN.
 * Errors: GS_ERR_DATA with file, line and column.
 */
enum gs_status gs_csv_number(const struct gs_csv_table *t, size_t row, int column, double min,
                             double max, double *value, struct gs_err *err);

#endif
