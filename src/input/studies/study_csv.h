/* study_csv.h - reads the small tables of the other studies from CSV. */
#pragma once

#include "base/core/arena.h"
#include "base/core/notes.h"
#include "base/core/status.h"
#include "data/tables/study_tables.h"

/*
 * All readers take a path or "-", plain or compressed, with a header; columns are found by name, in any
 * order, others are ignored. A row that lacks a number it needs is left out and noted. Errors: GS_ERR_DATA
 * "FILE:LINE: COLUMN: 'x' ..." for a value that is no number or out of its bounds, for a missing column (with
 * those that there are) and for a table without rows; what gs_csv_read lists. Memory: tables live in `arena`;
 * `notes` may be NULL.
 */

/* iterations, runtime_s. */
enum gs_status gs_iterations_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                                  struct gs_iteration_table *table, struct gs_err *err);

/*
 * model, operation ('*' is the whole model, measured), count, time_s, time_sd_s, energy_j, energy_sd_j; count
 * is 1 where there is no such column, deviations and either quantity may be missing, and a column `gpu` or
 * `configuration` parts a model's rows: "MODEL on CONFIGURATION". Or a table of measured and summed models:
 * model_input, measured_ms, measured_mJ, measured_err_mJ, summed_ms, summed_mJ.
 */
enum gs_status gs_costs_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_cost_table *table, struct gs_err *err);

/* kernel, victims, co_runners, time_ms. */
enum gs_status gs_crosstalk_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                                 struct gs_crosstalk_table *table, struct gs_err *err);

/* Which columns of a sweep are what. NULL: the first of the usual names that is there. */
struct gs_sweep_columns {
    const char *
        group; /* one name or several, comma-separated: their values together name the group      */
    const char *frequency; /* core clock in MHz */
    const char *time;
    const char *
        power; /* W                                                                                */
    double
        time_units_per_s; /* 1000 for ms; 0: by the name's end (ms, us, s), else 1, which is noted */
    const char *const
        *where; /* [n_where] "COLUMN=VALUE": only rows for which all hold; numbers by value */
    size_t n_where;
};

/*
 * One row per run. Usual names of groups and numbers: network, model, benchmark, appName, app, name, group; core_frequency, coreF,
 * frequency, frequency_mhz, core_clock, clock; time, time_ms, time/ms, time_s ...; average_power, power,
 * power_w, power/W, max_power. Without such a group it is the first column of words that repeat, else all runs are one. Where `group` is not given, a memory clock (memory_frequency, memF,
 * memory_clock) that varies becomes a part of the group's name.
 */
enum gs_status gs_sweep_read(const char *path, const struct gs_sweep_columns *columns,
                             struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_sweep_table *table, struct gs_err *err);
