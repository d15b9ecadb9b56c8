/* headless.c - tables without a header: what the first row is. */
#include "input/schema/clock.h"
#include "input/detect/preview.h"

#include <string.h>

bool gs_preview_is_instant(struct gs_str text)
{
    static const struct gs_unit none = {GS_Q_NONE, 1, 1, ""};
    struct gs_clock c = {.origin_ns = GS_MISSING, .last_of_day_ns = -1};
    int64_t t;
    text = gs_trimmed(text);
    const enum gs_time_fault f = gs_clock_read(&c, text, (struct gs_str){NULL, 0}, none, &t);
    return text.len >= 10 && (f == GS_TIME_OK || f == GS_TIME_DAY_MONTH || f == GS_TIME_ZONE_WORD);
}

/* A cell as a number: GS_MISSING for a word that says there is none. False for anything else. */
static bool is_cell(struct gs_str cell, int64_t *v)
{
    static const struct gs_unit none = {GS_Q_NONE, 1, 1, ""};
    const char *const twice =
        cell.ptr == NULL ? NULL : memchr(cell.ptr, '(', cell.len); /* "0 (2)": a name twice */
    bool rounded = false;
    cell.len = twice == NULL ? cell.len : (size_t)(twice - cell.ptr);
    *v = GS_MISSING;
    return cell.ptr == NULL ||
           gs_scaled_parse(gs_trimmed(cell), none, v, &rounded) != GS_NUMBER_BAD;
}

bool gs_preview_is_study_log(const struct gs_preview *h)
{
    enum { UTIL = 1, USED = 3, TOTAL = 4, COLUMNS = 5 };
    int64_t total = GS_MISSING;
    if (h->n_columns != COLUMNS || !gs_preview_is_instant(h->column[0]))
        return false;
    for (size_t i = 0; i <= h->n_rows;
         i++) { /* the first row stands where the header was looked for */
        int64_t v[COLUMNS] = {0};
        for (uint32_t k = UTIL; k < COLUMNS; k++)
            if (!is_cell(i == 0 ? h->column[k] : gs_preview_cell(h, i - 1, k), &v[k]))
                return false;
        total = total == GS_MISSING ? v[TOTAL] : total;
        if ((v[TOTAL] != GS_MISSING && v[TOTAL] != total) || v[UTIL] > 100 * GS_FIXED_ONE ||
            v[USED] > total)
            return false;
    }
    return total > 100 * GS_FIXED_ONE;
}
