/* study_csv.c - iterations, costs of operations and co-running kernels from CSV. */
#include "input/studies/study_csv.h"

#include <math.h>

#include "input/bytes/csv_find.h"

/* Squares and products of such values stay finite. */
#define VALUE_MAX 1e30

/* A table that is there but says nothing is as good as none. */
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
    static const char *const iterations[] = {"iterations", "n", NULL};
    static const char *const runtime[] = {"runtime_s", "runtime", "time_s", NULL};
    struct gs_csv_table t;
    int x = GS_CSV_NONE, y = GS_CSV_NONE;
    enum gs_status s = gs_csv_read(path, arena, &t, err);
    if (s == GS_OK)
        s = gs_csv_need_any(&t, iterations, &x, err);
    if (s == GS_OK)
        s = gs_csv_need_any(&t, runtime, &y, err);
    if (s != GS_OK)
        return s;
    struct gs_iteration_run *const run = gs_arena_take(arena, t.n_rows, sizeof *run);
    if (run == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows && s == GS_OK; r++) {
        s = gs_csv_number(&t, r, x, 0, VALUE_MAX, &run[n].iterations, err);
        if (s == GS_OK)
            s = gs_csv_number(&t, r, y, 0, VALUE_MAX, &run[n].runtime_s, err);
        n += s == GS_OK && !isnan(run[n].iterations) && !isnan(run[n].runtime_s);
    }
    if (s == GS_OK)
        s = check_rows(&t, n, t.n_rows - n, notes, err);
    if (s == GS_OK)
        *table = (struct gs_iteration_table){t.name, run, n};
    return s;
}

static enum gs_status whole_number(const struct gs_csv_table *t, size_t row, int column, double min,
                                   int64_t *value, struct gs_err *err)
{
    double v;
    const enum gs_status s = gs_csv_number(t, row, column, min, 1e6, &v, err);
    if (s != GS_OK)
        return s;
    char name[128], shown[128];
    if (!isnan(v) && v != floor(v))
        return gs_fail(err, GS_ERR_DATA, "%s:%llu: %s: '%s' is not a whole number", t->name,
                       (unsigned long long)t->line[row],
                       gs_escape(name, sizeof name, t->header[column]),
                       gs_escape(shown, sizeof shown, gs_csv_cell(t, row, (size_t)column)));
    *value = isnan(v) ? INT64_MIN : (int64_t)v;
    return GS_OK;
}

enum gs_status gs_crosstalk_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                                 struct gs_crosstalk_table *table, struct gs_err *err)
{
    static const char *const names[4][4] = {{"kernel", "name", "benchmark", NULL},
                                            {"victims", "k", "victim_kernels", NULL},
                                            {"co_runners", "p", "persistent", NULL},
                                            {"time_ms", "time/ms", "time", NULL}};
    struct gs_csv_table t;
    int column[4] = {0};
    enum gs_status s = gs_csv_read(path, arena, &t, err);
    for (size_t c = 0; c < 4 && s == GS_OK; c++)
        s = gs_csv_need_any(&t, names[c], &column[c], err);
    if (s != GS_OK)
        return s;
    struct gs_crosstalk_run *const run = gs_arena_take(arena, t.n_rows, sizeof *run);
    if (run == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    for (size_t r = 0; r < t.n_rows && s == GS_OK; r++) {
        struct gs_crosstalk_run *const k = &run[n];
        k->kernel = gs_csv_cell(&t, r, (size_t)column[0]);
        s = whole_number(&t, r, column[1], 1, &k->victims, err);
        if (s == GS_OK)
            s = whole_number(&t, r, column[2], 0, &k->co_runners, err);
        if (s == GS_OK)
            s = gs_csv_number(&t, r, column[3], 0, VALUE_MAX, &k->time_ms, err);
        n += s == GS_OK && k->victims != INT64_MIN && k->co_runners != INT64_MIN &&
             !isnan(k->time_ms);
    }
    if (s == GS_OK)
        s = check_rows(&t, n, t.n_rows - n, notes, err);
    if (s == GS_OK)
        *table = (struct gs_crosstalk_table){t.name, run, n};
    return s;
}

/* "MODEL on CONFIGURATION", or the model alone. */
static enum gs_status model_name(const struct gs_csv_table *t, size_t row, int model,
                                 int configuration, struct gs_arena *arena, struct gs_str *name,
                                 struct gs_err *err)
{
    *name = gs_csv_cell(t, row, (size_t)model);
    if (configuration == GS_CSV_NONE)
        return GS_OK;
    struct gs_buf b = {.arena = arena};
    const struct gs_str on = gs_csv_cell(t, row, (size_t)configuration);
    gs_buf_bytes(&b, name->ptr, name->len);
    gs_buf_text(&b, " on ");
    gs_buf_bytes(&b, on.ptr, on.len);
    *name = gs_buf_str(&b);
    return b.failed ? gs_fail_memory(err) : GS_OK;
}

struct cost_columns {
    int model, configuration, operation, count, time, time_sd, energy, energy_sd;
};

static enum gs_status read_cost(const struct gs_csv_table *t, size_t row,
                                const struct cost_columns *c, struct gs_arena *arena,
                                struct gs_cost *cost, struct gs_err *err)
{
    const struct gs_str operation = gs_csv_cell(t, row, (size_t)c->operation);
    *cost = (struct gs_cost){.operation = operation, .operations = 1, .line = t->line[row]};
    cost->is_whole = gs_str_eq(operation, gs_str("*"));
    enum gs_status s = model_name(t, row, c->model, c->configuration, arena, &cost->model, err);
    const struct {
        int column;
        double *value;
    } wanted[] = {{c->count, &cost->count},
                  {c->time, &cost->time_s},
                  {c->time_sd, &cost->time_sd_s},
                  {c->energy, &cost->energy_j},
                  {c->energy_sd, &cost->energy_sd_j}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && s == GS_OK; i++)
        s = gs_csv_number(t, row, wanted[i].column, 0, VALUE_MAX, wanted[i].value, err);
    if (isnan(cost->count))
        cost->count = 1;
    return s;
}

static enum gs_status read_operations(const struct gs_csv_table *t, struct gs_arena *arena,
                                      struct gs_cost *cost, size_t *n, struct gs_err *err)
{
    static const char *const model[] = {"model", NULL}, *const operation[] = {"operation", "op",
                                                                              NULL};
    static const char *const configuration[] = {"configuration", "gpu", NULL}, *const count[] = {
                                                                                   "count", NULL};
    static const char *const time[] = {"time_s", NULL}, *const time_sd[] = {"time_sd_s",
                                                                            "time_std_s", NULL};
    static const char *const energy[] = {"energy_j", NULL}, *const energy_sd[] = {"energy_sd_j",
                                                                                  "energy_std_j",
                                                                                  NULL};
    struct cost_columns c = {.configuration = gs_csv_find_any(t, configuration),
                             .count = gs_csv_find_any(t, count),
                             .time = gs_csv_find_any(t, time),
                             .time_sd = gs_csv_find_any(t, time_sd),
                             .energy = gs_csv_find_any(t, energy),
                             .energy_sd = gs_csv_find_any(t, energy_sd)};
    enum gs_status s = gs_csv_need_any(t, model, &c.model, err);
    if (s == GS_OK)
        s = gs_csv_need_any(t, operation, &c.operation, err);
    if (s == GS_OK && c.time == GS_CSV_NONE && c.energy == GS_CSV_NONE)
        s = gs_csv_need_any(t, time, &c.time, err);
    for (size_t r = 0; r < t->n_rows && s == GS_OK; r++)
        s = read_cost(t, r, &c, arena, &cost[(*n)++], err);
    return s;
}

/* A row of measured and summed values is a whole model and one operation that stands for all. */
static enum gs_status read_sums(const struct gs_csv_table *t, struct gs_cost *cost, size_t *n,
                                struct gs_err *err)
{
    static const char *const model[] = {"model_input", "model", NULL};
    static const char *const names[5][2] = {{"measured_ms", NULL},
                                            {"measured_mJ", NULL},
                                            {"measured_err_mJ", NULL},
                                            {"summed_ms", NULL},
                                            {"summed_mJ", NULL}};
    int m, column[5];
    double v[5];
    enum gs_status s = gs_csv_need_any(t, model, &m, err);
    for (size_t c = 0; c < 5; c++)
        column[c] = gs_csv_find_any(t, names[c]);
    for (size_t r = 0; r < t->n_rows && s == GS_OK; r++) {
        for (size_t c = 0; c < 5 && s == GS_OK; c++)
            s = gs_csv_number(t, r, column[c], 0, VALUE_MAX, &v[c], err);
        const double nan = (double)NAN;
        const struct gs_str name = gs_csv_cell(t, r, (size_t)m);
        cost[(*n)++] = (struct gs_cost){.model = name,
                                        .operation = gs_str("*"),
                                        .is_whole = true,
                                        .count = 1,
                                        .time_s = v[0] / 1e3,
                                        .time_sd_s = nan,
                                        .energy_j = v[1] / 1e3,
                                        .energy_sd_j = v[2] / 1e3,
                                        .line = t->line[r]};
        cost[(*n)++] = (struct gs_cost){.model = name,
                                        .operation = gs_str("sum"),
                                        .count = 1,
                                        .time_s = v[3] / 1e3,
                                        .time_sd_s = nan,
                                        .energy_j = v[4] / 1e3,
                                        .energy_sd_j = nan,
                                        .line = t->line[r]};
    }
    return s;
}

enum gs_status gs_costs_read(const char *path, struct gs_arena *arena, struct gs_notes *notes,
                             struct gs_cost_table *table, struct gs_err *err)
{
    static const char *const summed[] = {"summed_ms", "summed_mJ", NULL};
    struct gs_csv_table t;
    enum gs_status s = gs_csv_read(path, arena, &t, err);
    if (s != GS_OK)
        return s;
    struct gs_cost *const cost = gs_arena_take(arena, 2 * t.n_rows, sizeof *cost);
    if (cost == NULL)
        return gs_fail_memory(err);
    size_t n = 0;
    s = gs_csv_find_any(&t, summed) != GS_CSV_NONE ? read_sums(&t, cost, &n, err)
                                                   : read_operations(&t, arena, cost, &n, err);
    if (s == GS_OK)
        s = check_rows(&t, n, 0, notes, err);
    if (s == GS_OK)
        *table = (struct gs_cost_table){t.name, cost, n};
    return s;
}
