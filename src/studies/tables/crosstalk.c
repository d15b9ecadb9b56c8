/* crosstalk.c - slowdown of kernels beside persistent ones, and what a persistent one is worth. */
#include "studies/tables/crosstalk.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/num/order.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/quantile.h"
#include "studies/tables/quotient.h"

static const struct gs_column_spec columns[] = {
    GS_COL(KERNEL),
    GS_COL(VICTIMS),
    GS_COL(CO_RUNNERS),
    GS_COL(N, .how = "runs"),
    GS_COL(TIME_MEAN_MS),
    GS_COL(SLOWDOWN),
    GS_COL(PERFORMANCE),
    GS_COL(EQUIVALENT_MS),
    GS_COL(EQUIVALENCE_ERROR_PCT),
    GS_COL(DIAGONAL_SPREAD_PCT),
};

/* Runs of the same kernel, victims and co-runners, with their mean time. */
struct cell {
    struct gs_crosstalk_run run; /* first: cells are compared as runs */
    size_t n;
};

GS_COMPARES(compare_cells, struct gs_crosstalk_run,
            GS_BY_TEXT(kernel) GS_BY(victims) GS_BY(co_runners));

GS_COMPARES(compare_runs, struct gs_crosstalk_run,
            GS_BY_TEXT(kernel) GS_BY(victims) GS_BY(co_runners) GS_BY(time_ms));

/* Runs into sorted cells; returns how many, or SIZE_MAX when memory ran out. */
static size_t gather(const struct gs_crosstalk_table *t, struct gs_arena *scratch,
                     struct cell **cells)
{
    struct gs_crosstalk_run *const run = gs_arena_take(scratch, t->n, sizeof *run);
    double *const time = gs_arena_take(scratch, t->n, sizeof *time);
    struct cell *const cell = gs_arena_take(scratch, t->n, sizeof *cell);
    if (run == NULL || time == NULL || cell == NULL)
        return SIZE_MAX;
    for (size_t i = 0; i < t->n; i++)
        run[i] = t->run[i];
    GS_SORT(run, t->n, compare_runs);
    size_t n = 0;
    for (size_t lo = 0, hi; lo < t->n; lo = hi, n++) {
        for (hi = lo; hi < t->n && compare_cells(&run[hi], &run[lo]) == 0; hi++)
            time[hi] = run[hi].time_ms;
        cell[n] = (struct cell){run[lo], hi - lo};
        cell[n].run.time_ms = gs_real_describe(time + lo, hi - lo).mean;
    }
    *cells = cell;
    return n;
}

static double time_of(const struct cell *cell, size_t n, struct gs_str kernel, int64_t victims)
{
    const struct cell key = {.run = {.kernel = kernel, .victims = victims}};
    const struct cell *const found =
        n == 0 ? NULL : bsearch(&key, cell, n, sizeof *cell, compare_cells);
    return found == NULL ? (double)NAN : found->run.time_ms;
}

struct by_diagonal {
    struct gs_str kernel;
    int64_t diagonal;
    size_t cell;
};

GS_COMPARES(compare_diagonals, struct by_diagonal, GS_BY_TEXT(kernel) GS_BY(diagonal));

/* spread[i] of the anti-diagonal that cell i lies on, in per cent. False: out of memory. */
static bool spreads(const struct cell *cell, size_t n, struct gs_arena *scratch, double **spread)
{
    struct by_diagonal *const by = gs_arena_take(scratch, n, sizeof *by);
    *spread = gs_arena_take(scratch, n, sizeof **spread);
    if (by == NULL || *spread == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        by[i] = (struct by_diagonal){cell[i].run.kernel,
                                     cell[i].run.victims + cell[i].run.co_runners, i};
    GS_SORT(by, n, compare_diagonals);
    for (size_t lo = 0, hi; lo < n; lo = hi) {
        double least = INFINITY, greatest = 0;
        for (hi = lo; hi < n && compare_diagonals(&by[lo], &by[hi]) == 0; hi++) {
            least = fmin(least, cell[by[hi].cell].run.time_ms);
            greatest = fmax(greatest, cell[by[hi].cell].run.time_ms);
        }
        for (size_t i = lo; i < hi; i++)
            (*spread)[by[i].cell] =
                hi - lo > 1 ? 100.0 * (gs_quotient(greatest, least) - 1.0) : (double)NAN;
    }
    return true;
}

static void fill(struct gs_frame *f, const struct cell *cell, size_t n, const double *spread)
{
    assert(n == 0 || (cell != NULL && spread != NULL));
    for (size_t i = 0; i < n; i++) {
        const struct gs_crosstalk_run *const c = &cell[i].run;
        const double alone = time_of(cell, n, c->kernel, c->victims);
        const double equivalent = c->co_runners == 0
                                      ? (double)NAN
                                      : time_of(cell, n, c->kernel, c->victims + c->co_runners);
        GS_PUT(f, i, GS_TEXT(KERNEL, c->kernel), GS_INT(VICTIMS, c->victims),
               GS_INT(CO_RUNNERS, c->co_runners), GS_INT(N, (int64_t)cell[i].n),
               GS_REAL(TIME_MEAN_MS, c->time_ms),
               GS_REAL(SLOWDOWN, gs_quotient(c->time_ms, alone)));
        if (alone > 0)
            GS_PUT(f, i, GS_REAL(PERFORMANCE, gs_quotient(alone, c->time_ms)));
        GS_PUT(f, i, GS_REAL(EQUIVALENT_MS, equivalent),
               GS_REAL(EQUIVALENCE_ERROR_PCT, 100.0 * (gs_quotient(c->time_ms, equivalent) - 1.0)),
               GS_REAL(DIAGONAL_SPREAD_PCT, spread[i]));
    }
}

enum gs_status gs_crosstalk_frame(const struct gs_crosstalk_table *table, struct gs_arena *arena,
                                  struct gs_frames *out, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct cell *cell = NULL;
    double *spread = NULL;
    struct gs_frame *f;
    const size_t n = gather(table, &scratch, &cell);
    GS_TRY(gs_had_memory(n != SIZE_MAX && spreads(cell, n, &scratch, &spread), err));
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("crosstalk", "What co-running kernels cost each other", GS_COLUMNS(columns)),
        n, out, &f, err));
    fill(f, cell, n, spread);
    return GS_OK;
}

static size_t distinct(int64_t *v, size_t n)
{
    size_t k = 0;
    GS_SORT(v, n, gs_compare_int64);
    for (size_t i = 0; i < n; i++)
        if (k == 0 || v[i] != v[k - 1])
            v[k++] = v[i];
    return k;
}

/* Columns of the matrix: kernel, victims, then slowdown_p0, slowdown_p1 ... as the table has them. */
static struct gs_column_spec *matrix_columns(const int64_t *co, size_t n_co, struct gs_arena *arena)
{
    struct gs_column_spec *const spec = gs_arena_take(arena, 2 + n_co, sizeof *spec);
    if (spec == NULL)
        return NULL;
    spec[0] = (struct gs_column_spec)GS_COL(KERNEL);
    spec[1] = (struct gs_column_spec)GS_COL(VICTIMS);
    for (size_t c = 0; c < n_co; c++) {
        spec[2 + c] =
            (struct gs_column_spec){.name = gs_format(arena, "slowdown_p%lld", (long long)co[c]),
                                    .label = gs_format(arena, "p = %lld", (long long)co[c]),
                                    .unit = "",
                                    .type = GS_TYPE_REAL,
                                    .decimals = 4,
                                    .how = "T(k, p) / T(k, 0) with this many co-runners p"};
        if (spec[2 + c].name == NULL || spec[2 + c].label == NULL)
            return NULL;
    }
    return spec;
}

enum gs_status gs_crosstalk_matrix(const struct gs_frame *frame, struct gs_arena *arena,
                                   struct gs_frames *out, struct gs_err *err)
{
    const size_t n = frame->n_rows;
    const struct gs_str *const kernel = gs_frame_cells(frame, GS_COL_KERNEL)->text;
    const int64_t *const victims = gs_frame_cells(frame, GS_COL_VICTIMS)->integer,
                         *const p = gs_frame_cells(frame, GS_COL_CO_RUNNERS)->integer;
    GS_NEW(int64_t, co, n, arena, err);
    size_t n_rows = 0;
    for (size_t i = 0; i < n; i++) {
        co[i] = p[i];
        n_rows += i == 0 || victims[i] != victims[i - 1] || !gs_str_eq(kernel[i], kernel[i - 1]);
    }
    const size_t n_co = distinct(co, n);
    const struct gs_column_spec *const spec = matrix_columns(co, n_co, arena);
    struct gs_frame *f;
    GS_TRY(gs_had_memory(spec != NULL, err));
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("crosstalk-matrix", "Slowdown by victims and co-runners", spec, 2 + n_co),
        n_rows, out, &f, err));
    size_t row = 0;
    for (size_t i = 0; i < n; i++) {
        row += i > 0 && (victims[i] != victims[i - 1] || !gs_str_eq(kernel[i], kernel[i - 1]));
        const int64_t *const at = bsearch(&p[i], co, n_co, sizeof *co, gs_compare_int64);
        GS_PUT(f, row, GS_TEXT(KERNEL, kernel[i]), GS_INT(VICTIMS, victims[i]));
        gs_frame_set_real(f, row, 2 + (size_t)(at - co),
                          gs_frame_cells(frame, GS_COL_SLOWDOWN)->real[i]);
    }
    return GS_OK;
}
