/* sweep_mix.h - detects groups of a sweep that mix different work, and the column that separates it. */
#pragma once

#include "base/core/notes.h"
#include "input/bytes/csv.h"
#include "data/tables/study_tables.h"

/* Runs of one group at one frequency whose times vary by more than this (sd over mean) are hardly one work. */
#define GS_SWEEP_CV_MAX 0.5

/*
 * Warns where the times of some group vary by more than GS_SWEEP_CV_MAX at one frequency, and names the column
 * whose values explain most of it: in log(time) = its frequency + its value, group by group, the least variance left,
 * where that is less than a quarter. `used` are the columns that are group, frequency, time and power already.
 *
 * Shapes:  runs->run[n] and the rows of `t` they come from, row[n]; used[t->n_columns]; group[n_group] columns.
 * Errors:  GS_ERR_MEMORY. Memory: `scratch` is rewound.
 * Cost:    O(columns * n log n), where there is something to warn of.
 */
struct gs_mix_columns {
    const bool *used;
    const int *group;
    size_t n_group;
};

enum gs_status gs_sweep_mix_note(const struct gs_csv_table *t, const struct gs_mix_columns *of,
                                 const struct gs_sweep_table *runs, const size_t *row,
                                 struct gs_arena *scratch, struct gs_notes *notes,
                                 struct gs_err *err);
