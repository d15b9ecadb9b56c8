/* costs.c - energy times a rate, row by row as the rows are read. */
#include "app/cli/costs.h"

#include <math.h>
#include <string.h>

enum { ADDED_MAX = 14 };

static const double joules_per_kwh = 3.6e6;

/* A column of joules as kWh, times two factors one after the other: the bytes of energy_kwh times --pue times --price. */
struct added {
    size_t from;
    double pue, rate;
};

/* The rows of a frame with its columns and those that are added. */
struct priced {
    struct gs_row_source own; /* of the frame before; .read NULL: its rows are in memory */
    size_t n_own, n_added;
    struct added added[ADDED_MAX];
};

static enum gs_status fill_added(const struct priced *p, size_t n, struct gs_column *columns,
                                 struct gs_arena *arena, struct gs_err *err)
{
    for (size_t k = 0; k < p->n_added; k++) {
        const double *const from = columns[p->added[k].from].real;
        GS_NEW_RAW(double, to, n, arena, err);
        /* NaN, which is missing, stays NaN */
        for (size_t r = 0; r < n; r++)
            to[r] = from[r] / joules_per_kwh * p->added[k].pue * p->added[k].rate;
        columns[p->n_own + k].real = to;
    }
    return GS_OK;
}

static enum gs_status read_priced(const void *rows, size_t first, size_t n,
                                  struct gs_column *columns, size_t n_columns,
                                  struct gs_arena *arena, struct gs_err *err)
{
    const struct priced *const p = rows;
    (void)n_columns;
    GS_TRY(p->own.read(p->own.rows, first, n, columns, p->n_own, arena, err));
    return fill_added(p, n, columns, arena, err);
}

/* Energies of which costs are made, and what is added for each: the value, then the ends of its interval. */
#define USUAL(energy)                                                                              \
    {                                                                                              \
        .from = {GS_COL_##energy, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J},                      \
        .facility = {GS_COL_FACILITY_KWH},                                                         \
        .cost = {GS_COL_COST, GS_COL_COST_LOW, GS_COL_COST_HIGH}, .co2 = {                         \
            GS_COL_CO2_G,                                                                          \
            GS_COL_CO2_LOW_G,                                                                      \
            GS_COL_CO2_HIGH_G                                                                      \
        }                                                                                          \
    }
#define PART(part, low, high)                                                                      \
    {                                                                                              \
        .from = {GS_COL_##part##_ENERGY_J, low, high}, .facility = {GS_COL_##part##_FACILITY_KWH}, \
        .cost = {GS_COL_##part##_COST, GS_COL_##part##_COST_LOW, GS_COL_##part##_COST_HIGH},       \
        .co2 = {                                                                                   \
            GS_COL_##part##_CO2_G,                                                                 \
            GS_COL_##part##_CO2_LOW_G,                                                             \
            GS_COL_##part##_CO2_HIGH_G                                                             \
        }                                                                                          \
    }
static const struct energy {
    enum gs_column_id from[3], facility[3], cost[3], co2[3];
} energies[] = {
    USUAL(ENERGY_SENSOR_J),
    USUAL(ENERGY_SUM_J),
    USUAL(ENERGY_J),
    PART(GAP, GS_COL_ENERGY_LOW_J, GS_COL_ENERGY_HIGH_J),
    PART(WASTED, GS_COL_WASTED_ENERGY_LOW_J, GS_COL_WASTED_ENERGY_HIGH_J),
    PART(TAIL, GS_COL_TAIL_ENERGY_LOW_J, GS_COL_TAIL_ENERGY_HIGH_J),
};

static void add_rate(struct priced *p, const struct gs_frame *f, struct gs_column_spec *specs,
                     const enum gs_column_id from[3], const enum gs_column_id id[3],
                     const char *unit, const double factor[2])
{
    for (size_t k = 0; k < 3 && !isnan(factor[1]); k++) {
        const int column = gs_frame_column(f, from[k]);
        if (column < 0 || id[k] == GS_COL_NONE)
            continue;
        specs[p->n_added] = *gs_column(id[k]);
        if (unit != NULL)
            specs[p->n_added].unit = unit;
        p->added[p->n_added++] = (struct added){(size_t)column, factor[0], factor[1]};
    }
}

static void add_rates(struct priced *p, const struct gs_frame *f, struct gs_column_spec *specs,
                      const struct energy *e, const struct gs_rates *rates)
{
    const double pue = rates->pue;
    if (pue > 1.0)
        add_rate(p, f, specs, e->from, e->facility, NULL, (double[]){pue, 1.0});
    add_rate(p, f, specs, e->from, e->cost, rates->currency, (double[]){pue, rates->price_per_kwh});
    add_rate(p, f, specs, e->from, e->co2, NULL, (double[]){pue, rates->carbon_g_per_kwh});
}

/* The columns of the frame and, behind them, those that are added. */
static enum gs_status extend(struct gs_frame *f, const struct priced *p,
                             const struct gs_column_spec *specs, struct gs_arena *arena,
                             struct gs_err *err)
{
    const size_t n = p->n_own + p->n_added;
    GS_NEW(struct gs_column, columns, n, arena, err);
    GS_NEW(size_t, order, n, arena, err);
    memcpy(columns, f->columns, p->n_own * sizeof *columns);
    for (size_t c = 0; c < n; c++)
        order[c] = c;
    if (f->order != NULL)
        memcpy(order, f->order, p->n_own * sizeof *order);
    for (size_t k = 0; k < p->n_added; k++)
        columns[p->n_own + k].spec = &specs[k];
    f->columns = columns;
    f->n_columns = n;
    f->order = order;
    if (p->own.read == NULL)
        return fill_added(p, f->n_rows, columns, arena, err);
    f->source = (struct gs_row_source){p, p->own.far, read_priced};
    return GS_OK;
}

/* What a row of diff is in money or CO2: of an energy, and of a mean power for each hour. */
struct row_rate {
    const char *measure, *unit;
    double per_kwh;
};

static double kwh_of(struct gs_str measure)
{
    if (gs_str_eq(measure, gs_str("energy")))
        return 1 / joules_per_kwh;
    if (gs_str_eq(measure, gs_str("power")))
        return 1e-3;
    return (double)NAN;
}

/* A copy of the row; what it was in J or W is multiplied. The change and all that is known of it stay. */
static void add_row(struct gs_frame *to, size_t at, const struct gs_frame *f, size_t row,
                    const struct row_rate *rate, struct gs_arena *arena)
{
    const size_t measure = (size_t)gs_frame_column(f, GS_COL_MEASURE);
    for (size_t c = 0; c < f->n_columns; c++)
        gs_frame_copy_cells(&to->columns[c], at, &f->columns[c], row, 1);
    if (rate == NULL)
        return;
    const double kwh = kwh_of(f->columns[measure].text[row]);
    const enum gs_column_id values[] = {GS_COL_A, GS_COL_B};
    struct gs_buf unit = {.arena = arena};
    gs_buf_text(&unit, rate->unit);
    gs_buf_text_if(&unit, !(kwh < 1e-6), "/h");
    for (size_t k = 0; k < 2; k++)
        to->columns[gs_frame_column(f, values[k])].real[at] *= kwh * rate->per_kwh;
    gs_frame_set_text(to, at, measure, gs_str(rate->measure));
    gs_frame_set_text(to, at, (size_t)gs_frame_column(f, GS_COL_MEASURE_UNIT), gs_buf_str(&unit));
}

/* The frame of diff with a row of the cost and of the CO2 behind each energy and mean power. */
static enum gs_status add_rows(struct gs_frame *f, const struct gs_rates *rates,
                               struct gs_arena *arena, struct gs_err *err)
{
    const struct row_rate all[] = {{"cost", rates->currency, rates->pue * rates->price_per_kwh},
                                   {"co2", "g", rates->pue * rates->carbon_g_per_kwh}};
    const struct gs_str *const measure = f->columns[gs_frame_column(f, GS_COL_MEASURE)].text;
    struct gs_frame *to;
    GS_NEW(struct gs_column_spec, specs, f->n_columns, arena, err);
    size_t n = 0;
    for (size_t c = 0; c < f->n_columns; c++)
        specs[c] = *f->columns[c].spec;
    GS_TRY(gs_frame_new(arena, GS_HEAD(f->name, f->title, specs, f->n_columns), 3 * f->n_rows, NULL,
                        &to, err));
    for (size_t r = 0; r < f->n_rows; r++) {
        add_row(to, n++, f, r, NULL, arena);
        for (size_t k = 0; k < 2; k++)
            if (!isnan(all[k].per_kwh) && !isnan(kwh_of(measure[r])))
                add_row(to, n++, f, r, &all[k], arena);
    }
    f->columns = to->columns;
    f->n_rows = n;
    return GS_OK;
}

enum gs_status gs_costs_add(struct gs_frames *frames, const struct gs_rates *rates,
                            struct gs_arena *arena, struct gs_err *err)
{
    bool any = false;
    if (isnan(rates->price_per_kwh) && isnan(rates->carbon_g_per_kwh) && !(rates->pue > 1.0))
        return GS_OK;
    for (struct gs_frame *f = frames->first; f != NULL; f = f->next) {
        if (strcmp(f->name, "diff") == 0) {
            any = true;
            GS_TRY(add_rows(f, rates, arena, err));
            continue;
        }
        GS_NEW(struct priced, p, 1, arena, err);
        GS_NEW(struct gs_column_spec, specs, ADDED_MAX, arena, err);
        p->own = f->source;
        p->n_own = f->n_columns;
        const enum gs_column_id *done = NULL; /* the facility of an energy counts once */
        for (size_t k = 0; k < sizeof energies / sizeof *energies; k++) {
            const struct energy *const e = &energies[k];
            if (gs_frame_column(f, e->from[0]) < 0 || (done != NULL && *done == e->facility[0]))
                continue;
            add_rates(p, f, specs, e, rates);
            done = e->facility;
        }
        any |= p->n_added > 0;
        if (p->n_added > 0)
            GS_TRY(extend(f, p, specs, arena, err));
    }
    if (!any && frames->first != NULL)
        gs_note(&frames->notes, GS_NOTE_INFO,
                "no column here is an energy in J: --price, --carbon and --pue change nothing");
    return GS_OK;
}
