/*
 * packed_rows.h - all rows of an owner as the table stores them, put in order; ranges. How they are stored nobody outside
 * model/ knows.
 */
#pragma once

#include "data/tables/table.h"

struct gs_packed_rows {
    const struct gs_encoding *encoding;
    uint64_t *word;
    uint32_t n;
};

/*
 * Copies the rows of an owner, in no order; n is 0 for one that has none. Columns of names are as their writers
 * numbered them: tables with such columns are read by segments.
 * False without memory, or for more rows than UINT32_MAX / 4. Lives in `arena`.
 */
bool gs_packed_copy(const struct gs_table *t, uint32_t owner, struct gs_arena *arena,
                    struct gs_packed_rows *rows);

/* Puts rows in the order of their columns, the first first; missing values come before others. False without memory. */
bool gs_packed_sort(struct gs_packed_rows *rows, struct gs_arena *scratch);

/* What all differences between values of a column without missing ones are multiples of. */
int64_t gs_table_unit(const struct gs_table *t, unsigned column);

/* Can rows differ in a column? */
bool gs_table_varies(const struct gs_table *t, unsigned column);

/*
 * Widens a range, least > greatest where it is empty, by the values of a column that has none missing and holds no names;
 * those of one owner.
 */
void gs_table_widen_range(const struct gs_table *t, unsigned column, int64_t *least,
                          int64_t *greatest);
void gs_table_widen_range_of(const struct gs_table *t, uint32_t owner, unsigned column,
                             int64_t *least, int64_t *greatest);
