/* study_csv.c - iterations, costs of operations and co-running kernels from CSV. */
#include "input/studies/study_csv.h"

#include <math.h>

#include "input/bytes/csv_find.h"

/* Squares and products of such values stay finite. */
#define VALUE_MAX 1e30
#define OPTIONAL(name)                                                                             \
    {                                                                                              \
        .names = (name), .max = VALUE_MAX                                                          \
    }
#define NEEDED(name)                                                                               \
    {                                                                                              \
        .names = (name), .max = VALUE_MAX, .is_needed = true                                       \
    }

/*
 * A table that is there but says nothing is as good as none. A row that lacks a number is left
 * out and counted: zero in its place would move every fit.
 */
static enum gs_status check_rows(const struct gs_csv_table *t, size_t n, size_t n_left_out,
                                 struct gs_notes *notes, struct gs_err *err)
{
    if (n == 0)
        return gs_fail(err, GS_ERR_DATA, "%s: no row with all the numbers that are needed",
                       t->name);
    if (n_left_out > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: %zu of %zu rows lack a number that is needed and are left out", t->name,
                n_left_out, t->n_rows);
    return GS_OK;
}

enum gs_status gs_iterations_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                                  struct gs_iteration_table *table, struct gs_err *err)
{
    struct gs_csv_field field[] = {NEEDED("iterations|n"), NEEDED("runtime_s|runtime|time_s")};
    struct gs_csv_table t;
    GS_TRY(gs_csv_read(path, arena, &t, err));
    GS_TRY(gs_csv_fields_find(&t, field, 2, err));
    GS_NEW(struct gs_iteration_run, run, t.n_rows, arena, err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows; r++) {
        double v[2];
        GS_TRY(gs_csv_fields_read(&t, r, field, 2, v, err));
        if (!isnan(v[0]) && !isnan(v[1]))
            run[n++] = (struct gs_iteration_run){.iterations = v[0], .runtime_s = v[1]};
    }
    GS_TRY(check_rows(&t, n, t.n_rows - n, notes, err));
    *table = (struct gs_iteration_table){t.name, run, n};
    return GS_OK;
}

enum gs_status gs_crosstalk_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                                 struct gs_crosstalk_table *table, struct gs_err *err)
{
    enum { VICTIMS, CO_RUNNERS, TIME, N_FIELDS };
    struct gs_csv_field field[] = {
        {.names = "victims|k|victim_kernels",
         .min = 1,
         .max = 1e6,
         .is_needed = true,
         .is_whole = true},
        {.names = "co_runners|p|persistent", .max = 1e6, .is_needed = true, .is_whole = true},
        NEEDED("time_ms|time/ms|time")};
    struct gs_csv_table t;
    int kernel = GS_CSV_NONE;
    GS_TRY(gs_csv_read(path, arena, &t, err));
    GS_TRY(gs_csv_need_any(&t, "kernel|name|benchmark", &kernel, err));
    GS_TRY(gs_csv_fields_find(&t, field, N_FIELDS, err));
    GS_NEW(struct gs_crosstalk_run, run, t.n_rows, arena, err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows; r++) {
        double v[N_FIELDS];
        GS_TRY(gs_csv_fields_read(&t, r, field, N_FIELDS, v, err));
        if (!isnan(v[VICTIMS]) && !isnan(v[CO_RUNNERS]) && !isnan(v[TIME]))
            run[n++] = (struct gs_crosstalk_run){.kernel = gs_csv_cell(&t, r, (size_t)kernel),
                                                 .victims = (int64_t)v[VICTIMS],
                                                 .co_runners = (int64_t)v[CO_RUNNERS],
                                                 .time_ms = v[TIME]};
    }
    GS_TRY(check_rows(&t, n, t.n_rows - n, notes, err));
    *table = (struct gs_crosstalk_table){t.name, run, n};
    return GS_OK;
}

/*
 * "MODEL on CONFIGURATION", or the model alone. One model may be measured in several
 * configurations, which must not be averaged.
 */
static enum gs_status model_name(const struct gs_csv_table *t, size_t row, int model,
                                 int configuration, struct gs_arena *arena, struct gs_str *name,
                                 struct gs_err *err)
{
    *name = gs_csv_cell(t, row, (size_t)model);
    if (configuration == GS_CSV_NONE)
        return GS_OK;
    *name = gs_str_joined(arena, *name, " on ", gs_csv_cell(t, row, (size_t)configuration));
    return gs_had_memory(name->ptr != NULL, err);
}

static enum gs_status read_operations(const struct gs_csv_table *t, struct gs_arena *arena,
                                      struct gs_cost *cost, size_t *n, struct gs_err *err)
{
    enum { COUNT, TIME, TIME_SD, ENERGY, ENERGY_SD, N_FIELDS };
    struct gs_csv_field field[] = {[COUNT] = OPTIONAL("count"),
                                   [TIME] = OPTIONAL("time_s"),
                                   [TIME_SD] = OPTIONAL("time_sd_s|time_std_s"),
                                   [ENERGY] = OPTIONAL("energy_j"),
                                   [ENERGY_SD] = OPTIONAL("energy_sd_j|energy_std_j")};
    int model, operation;
    const int configuration = gs_csv_find_any(t, "configuration|gpu");
    GS_TRY(gs_csv_need_any(t, "model", &model, err));
    GS_TRY(gs_csv_need_any(t, "operation|op", &operation, err));
    field[TIME].is_needed = gs_csv_find_any(t, field[ENERGY].names) == GS_CSV_NONE;
    GS_TRY(gs_csv_fields_find(t, field, N_FIELDS, err));
    for (size_t r = 0; r < t->n_rows; r++) {
        struct gs_cost *const one = &cost[(*n)++];
        double v[N_FIELDS];
        GS_TRY(model_name(t, r, model, configuration, arena, &one->model, err));
        GS_TRY(gs_csv_fields_read(t, r, field, N_FIELDS, v, err));
        one->operation = gs_csv_cell(t, r, (size_t)operation);
        one->operations = 1;
        one->line = t->line[r];
        one->is_whole = gs_str_eq(one->operation, gs_str("*"));
        one->count = isnan(v[COUNT]) ? 1 : v[COUNT];
        one->time_s = v[TIME];
        one->time_sd_s = v[TIME_SD];
        one->energy_j = v[ENERGY];
        one->energy_sd_j = v[ENERGY_SD];
    }
    return GS_OK;
}

/* A row of measured and summed values is a whole model and one operation that stands for all. */
static enum gs_status read_sums(const struct gs_csv_table *t, struct gs_cost *cost, size_t *n,
                                struct gs_err *err)
{
    struct gs_csv_field field[] = {OPTIONAL("measured_ms"), OPTIONAL("measured_mJ"),
                                   OPTIONAL("measured_err_mJ"), OPTIONAL("summed_ms"),
                                   OPTIONAL("summed_mJ")};
    const double nan = (double)NAN;
    double v[5];
    int m;
    GS_TRY(gs_csv_need_any(t, "model_input|model", &m, err));
    GS_TRY(gs_csv_fields_find(t, field, 5, err));
    for (size_t r = 0; r < t->n_rows; r++) {
        GS_TRY(gs_csv_fields_read(t, r, field, 5, v, err));
        const struct gs_cost whole = {.model = gs_csv_cell(t, r, (size_t)m),
                                      .operation = gs_str("*"),
                                      .is_whole = true,
                                      .count = 1,
                                      .time_s = v[0] / 1e3,
                                      .time_sd_s = nan,
                                      .energy_j = v[1] / 1e3,
                                      .energy_sd_j = v[2] / 1e3,
                                      .line = t->line[r]};
        struct gs_cost sum = whole;
        sum.operation = gs_str("sum");
        sum.is_whole = false;
        sum.time_s = v[3] / 1e3;
        sum.energy_j = v[4] / 1e3;
        sum.energy_sd_j = nan;
        cost[(*n)++] = whole;
        cost[(*n)++] = sum;
    }
    return GS_OK;
}

enum gs_status gs_costs_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_cost_table *table, struct gs_err *err)
{
    struct gs_csv_table t;
    GS_TRY(gs_csv_read(path, arena, &t, err));
    GS_NEW(struct gs_cost, cost, 2 * t.n_rows, arena, err);
    size_t n = 0;
    GS_TRY(gs_csv_find_any(&t, "summed_ms|summed_mJ") != GS_CSV_NONE
               ? read_sums(&t, cost, &n, err)
               : read_operations(&t, arena, cost, &n, err));
    GS_TRY(check_rows(&t, n, 0, notes, err));
    *table = (struct gs_cost_table){t.name, cost, n};
    return GS_OK;
}
