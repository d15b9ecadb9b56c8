/* csv_find.c - columns under any of several names, numbers within bounds. */
#include "input/bytes/csv_find.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/decimal.h"

/* The order of `names` decides, not that of the columns: the first is the best name. */
int gs_csv_find_any(const struct gs_csv_table *t, const char *names)
{
    for (const char *at = names; *at != '\0';) {
        const struct gs_str name = {at, strcspn(at, "|")};
        for (size_t c = 0; c < t->n_columns; c++)
            if (gs_str_eq_nocase(t->header[c], name))
                return (int)c;
        at += name.len + (at[name.len] == '|');
    }
    return GS_CSV_NONE;
}

enum gs_status gs_csv_need_any(const struct gs_csv_table *t, const char *names, int *column,
                               struct gs_err *err)
{
    char first[64];
    size_t c;
    *column = gs_csv_find_any(t, names);
    (void)snprintf(first, sizeof first, "%.*s", (int)strcspn(names, "|"), names);
    /* gs_csv_column cannot find what is not there: it is asked for its error. */
    if (*column != GS_CSV_NONE)
        return GS_OK;
    return gs_csv_column(t, first, &c, err);
}

enum gs_status gs_csv_fields_find(const struct gs_csv_table *t, struct gs_csv_field *field,
                                  size_t n, struct gs_err *err)
{
    char missing[80] = ""; /* all of them at once: first', 'second */
    size_t at = 0, len = 0;
    for (size_t i = 0; i < n; i++) {
        if (field[i].given != NULL) {
            GS_TRY(gs_csv_column(t, field[i].given, &at, err));
            field[i].column = (int)at;
            continue;
        }
        field[i].column = gs_csv_find_any(t, field[i].names);
        if (field[i].column == GS_CSV_NONE && field[i].is_needed && len < sizeof missing)
            len += (size_t)snprintf(missing + len, sizeof missing - len, "%s%.*s",
                                    gs_text_if(len > 0, "', '"), (int)strcspn(field[i].names, "|"),
                                    field[i].names);
    }
    return len == 0 ? GS_OK : gs_csv_column(t, missing, &at, err);
}

/* NaN stands for "missing" and passes the bounds: a caller decides whether it needs the value. */
static enum gs_status read_number(const struct gs_csv_table *t, size_t row,
                                  const struct gs_csv_field *f, double *value, struct gs_err *err)
{
    double v = (double)NAN;
    if (f->column != GS_CSV_NONE)
        GS_TRY(gs_csv_real(t, row, (size_t)f->column, &v, err));
    if (!isnan(v) && (v < f->min || v > f->max)) {
        char what[200], low[GS_REAL_TEXT_MAX], high[GS_REAL_TEXT_MAX] = "";
        (void)gs_real_format(low, f->min);
        if (isfinite(f->max))
            (void)gs_real_format(high, f->max);
        (void)snprintf(what, sizeof what, "is out of bounds, expected %s%s%s", low,
                       isfinite(f->max) ? " to " : " or more", high);
        return gs_csv_refuse(t, row, (size_t)f->column, what, err);
    }
    *value = v;
    return GS_OK;
}

enum gs_status gs_csv_fields_read(const struct gs_csv_table *t, size_t row,
                                  const struct gs_csv_field *field, size_t n, double *value,
                                  struct gs_err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct gs_csv_field *const f = &field[i];
        GS_TRY(read_number(t, row, f, &value[i], err));
        if (f->is_whole && !isnan(value[i]) && value[i] != floor(value[i]))
            return gs_csv_refuse(t, row, (size_t)f->column, "is not a whole number", err);
    }
    return GS_OK;
}
