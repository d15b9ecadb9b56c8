/* csv_find.c - columns under any of several names, numbers within bounds. */
#include "input/bytes/csv_find.h"

#include <math.h>

#include "base/num/decimal.h"

int gs_csv_find_any(const struct gs_csv_table *t, const char *const *names)
{
    for (; *names != NULL; names++)
        for (size_t c = 0; c < t->n_columns; c++)
            if (gs_str_eq_nocase(t->header[c], gs_str(*names)))
                return (int)c;
    return GS_CSV_NONE;
}

enum gs_status gs_csv_need_any(const struct gs_csv_table *t, const char *const *names, int *column,
                               struct gs_err *err)
{
    size_t c;
    *column = gs_csv_find_any(t, names);
    /* gs_csv_column cannot find what is not there: it is asked for its error. */
    return *column != GS_CSV_NONE ? GS_OK : gs_csv_column(t, names[0], &c, err);
}

enum gs_status gs_csv_number(const struct gs_csv_table *t, size_t row, int column, double min,
                             double max, double *value, struct gs_err *err)
{
    double v = (double)NAN;
    if (column != GS_CSV_NONE) {
        const enum gs_status s = gs_csv_real(t, row, (size_t)column, &v, err);
        if (s != GS_OK)
            return s;
    }
    if (!isnan(v) && (v < min || v > max)) {
        char name[128], shown[128], low[GS_REAL_TEXT_MAX], high[GS_REAL_TEXT_MAX];
        (void)gs_real_format(low, min);
        if (isfinite(max))
            (void)gs_real_format(high, max);
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s: '%s' is out of bounds, expected %s%s%s",
                       t->name, (unsigned long long)t->line[row],
                       gs_escape(name, sizeof name, t->header[column]),
                       gs_escape(shown, sizeof shown, gs_csv_cell(t, row, (size_t)column)), low,
                       isfinite(max) ? " to " : " or more", isfinite(max) ? high : "");
    }
    *value = v;
    return GS_OK;
}
