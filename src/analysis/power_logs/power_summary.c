/* power_summary.c - a power log as one row per GPU: the study's figures, then energy as the sensor gives it.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analysis/power_logs/power_gpus.h"

/* What the readings say. */
static const struct gs_column_spec reading_columns[] = {
    GS_COL(GPU, .how = "name of the GPU in the log; FILE:GPU with several logs, FILE "
                       "where the log names none"),
    GS_COL(ROWS),
    GS_COL(DROPPED),
    GS_COL(KEPT),
    GS_COL(POWER_MEAN_W, .how = "mean of all readings"),
    GS_COL(POWER_SD_W),
    GS_COL(FILTERED_MEAN_W),
    GS_COL(FILTERED_SD_W),
    GS_COL(RUNTIME_S),
    GS_COL(ENERGY_J, .label = "energy (filtered mean)", .how = "filtered mean times run time"),
    GS_COL(ENERGY_SD_J),
    GS_COL(ENERGY_TRAPEZOID_J),
    GS_COL(READINGS_DISTINCT),
    GS_COL(UPDATE_PERIOD_MS),
};

/* Of one iteration, where their number is known. */
static const struct gs_column_spec iteration_columns[] = {
    GS_COL(TIME_PER_ITERATION_S),
    GS_COL(TIME_PER_ITERATION_SD_S),
    GS_COL(ENERGY_PER_ITERATION_J),
    GS_COL(ENERGY_PER_ITERATION_SD_J),
};

/* What the sensor says of the energy; the first is it, with its interval behind. */
static const struct gs_column_spec energy_columns[] = {
    GS_COL(ENERGY_SENSOR_J, .label = "energy"),
    GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(1),
           .how = "lower end of the 95 % interval of energy_sensor_j: " GS_ENERGY_INTERVAL_HOW),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(1)),
    GS_COL(ENERGY_KWH),
    GS_COL(IDLE_S),
    GS_COL(IDLE_J),
    GS_COL(ACTIVE_S),
    GS_COL(ACTIVE_J),
};

/* Of the boards' own counters, where there are any. */
static const struct gs_column_spec counter_columns[] = {
    GS_COL(ENERGY_COUNTER_J,
           .how = "the board's own energy counter, last less first, resets taken out"),
    GS_COL(COUNTER_DIFFERENCE_PCT,
           .how =
               "counter less energy_sensor_j, as a share of it, where both are of the same time"),
};

static const struct gs_column_spec coverage_columns[] = {
    GS_COL(COVERAGE_PCT),
};

static void fill_energies(struct gs_frame *f, size_t row, const struct gs_power_energies *e)
{
    const double energy = e->used.n > 0 ? gs_energy_j(e->used.energy) : (double)NAN;
    double low, high;
    gs_energy_interval(&e->used, &low, &high);
    GS_PUT(f, row, GS_REAL(ENERGY_SENSOR_J, energy),
           GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(&e->used, e->span_ns)),
           GS_REAL(ENERGY_LOW_J, low), GS_REAL(ENERGY_HIGH_J, high),
           GS_REAL(ENERGY_KWH, energy / 3.6e6), GS_REAL(IDLE_S, e->idle_s),
           GS_REAL(IDLE_J, e->idle_j), GS_REAL(ACTIVE_S, e->active_s),
           GS_REAL(ACTIVE_J, e->active_j));
    if (gs_frame_column(f, GS_COL_ENERGY_COUNTER_J) < 0)
        return;
    GS_PUT(f, row, GS_REAL(ENERGY_COUNTER_J, gs_counted_j(&e->counted)),
           GS_REAL(COUNTER_DIFFERENCE_PCT, gs_counted_difference_pct(&e->counted)));
}

/* The total is of what is known; it stays missing only where every GPU's value is. */
static void add_known(double *sum, double value)
{
    if (!isnan(value))
        *sum = isnan(*sum) ? value : *sum + value;
}

static void add_energies(struct gs_power_energies *t, const struct gs_power_energies *e)
{
    add_known(&t->study_j, e->study_j);
    add_known(&t->trapezoid_j, e->trapezoid_j);
    add_known(&t->idle_s, e->idle_s);
    add_known(&t->idle_j, e->idle_j);
    add_known(&t->active_s, e->active_s);
    add_known(&t->active_j, e->active_j);
    gs_counted_merge(&t->counted, &e->counted);
    gs_energy_sum_merge(&t->used, &e->used);
    t->span_ns += e->span_ns;
    t->n_rows += e->n_rows;
    t->n_kept += e->n_kept;
    t->n_distinct += e->n_distinct;
}

static void fill_total(struct gs_frame *f, size_t row, const struct gs_power_energies *t,
                       uint64_t n_dropped)
{
    GS_PUT(f, row, GS_TEXT(GPU, gs_str("total")), GS_INT(ROWS, (int64_t)t->n_rows),
           GS_INT(DROPPED, (int64_t)n_dropped), GS_INT(KEPT, (int64_t)t->n_kept),
           GS_INT(READINGS_DISTINCT, (int64_t)t->n_distinct), GS_REAL(ENERGY_J, t->study_j),
           GS_REAL(ENERGY_TRAPEZOID_J, t->trapezoid_j));
    fill_energies(f, row, t);
}

static void fill_summary(struct gs_frame *f, size_t row, const struct gs_power_gpu *of,
                         const struct gs_power_options *o)
{
    const struct gs_power_result *const r = &of->result;
    GS_PUT(f, row, GS_TEXT(GPU, of->label), GS_INT(ROWS, (int64_t)r->n),
           GS_INT(DROPPED, (int64_t)of->log->n_dropped), GS_INT(KEPT, (int64_t)r->n_kept),
           GS_REAL(POWER_MEAN_W, r->mean_w), GS_REAL(POWER_SD_W, r->sd_w),
           GS_REAL(FILTERED_MEAN_W, r->filtered_mean_w), GS_REAL(FILTERED_SD_W, r->filtered_sd_w),
           GS_REAL(RUNTIME_S, r->runtime_s), GS_REAL(ENERGY_J, r->energy_j),
           GS_REAL(ENERGY_SD_J, r->energy_sd_j), GS_REAL(ENERGY_TRAPEZOID_J, r->energy_trapezoid_j),
           GS_INT(READINGS_DISTINCT, (int64_t)r->n_distinct),
           GS_REAL(UPDATE_PERIOD_MS, r->update_period_ms));
    if (o->iterations > 0 && r->n > 0) {
        const double n = (double)o->iterations;
        GS_PUT(f, row, GS_REAL(TIME_PER_ITERATION_S, r->runtime_s / n),
               GS_REAL(TIME_PER_ITERATION_SD_S, o->runtime_sd_s / n),
               GS_REAL(ENERGY_PER_ITERATION_J, r->energy_j / n),
               GS_REAL(ENERGY_PER_ITERATION_SD_J, r->energy_sd_j / n));
    }
}

/* For people the energy and its interval come first of all energies: the filtered mean times the run time leaves out loads. */
static size_t *order_of(const struct gs_frame *f, struct gs_arena *arena)
{
    enum { FIRST = 3 };
    const size_t energy = (size_t)gs_frame_column(f, energy_columns[0].id);
    size_t *const order = gs_arena_take_raw(arena, f->n_columns, sizeof *order), k = 0;
    for (size_t c = 0; order != NULL && c < f->n_columns; c++) {
        for (size_t first = 0; c == 1 && first < FIRST; first++)
            order[k++] = energy + first;
        if (c < energy || c >= energy + FIRST)
            order[k++] = c;
    }
    return order;
}

enum { MOST = 64 }; /* columns; there are fewer */

static size_t add_columns(struct gs_column_spec specs[MOST], size_t n,
                          const struct gs_column_spec *columns, size_t n_columns)
{
    assert(n + n_columns <= MOST);
    memcpy(specs + n, columns, n_columns * sizeof *specs);
    return n + n_columns;
}

/* The columns that these GPUs have. */
static enum gs_status make_frame(const struct gs_power_gpus *gpus, size_t n_rows,
                                 struct gs_arena *arena, struct gs_frames *out, struct gs_frame **f,
                                 struct gs_err *err)
{
    struct gs_column_spec specs[MOST];
    bool counters = false;
    for (size_t k = 0; k < gpus->n; k++)
        counters |= gpus->gpu[k].meter.counter.n > 1;
    size_t n = add_columns(specs, 0, GS_COLUMNS(reading_columns));
    if (gpus->options->iterations > 0)
        n = add_columns(specs, n, GS_COLUMNS(iteration_columns));
    struct gs_column_spec *const low = &specs[n + 1];
    n = add_columns(specs, n, GS_COLUMNS(energy_columns));
    low->how = gs_power_explained(low->how, gpus, arena);
    GS_TRY(gs_had_memory(low->how != NULL, err));
    if (counters)
        n = add_columns(specs, n, GS_COLUMNS(counter_columns));
    n = add_columns(specs, n, GS_COLUMNS(coverage_columns));
    const enum gs_status s = gs_frame_new(
        arena,
        GS_HEAD("power", "Power of each GPU, readings beyond 3 sigma left out of the filtered mean",
                specs, n),
        n_rows, out, f, err);
    if (s == GS_OK)
        (*f)->order = order_of(*f, arena);
    return s == GS_OK && (*f)->order == NULL ? gs_fail_memory(err) : s;
}

/* Of a range between two readings there is an energy all the same. */
static bool has_readings(const struct gs_power_gpu *of)
{
    return of->log->n > 0 || of->energies.used.n > 0;
}

enum gs_status gs_power_summary(const struct gs_power_gpus *gpus, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err)
{
    const struct gs_power_options *const o = gpus->options;
    const double nan = (double)NAN;
    struct gs_power_energies total = {.study_j = nan,
                                      .trapezoid_j = nan,
                                      .idle_s = nan,
                                      .idle_j = nan,
                                      .active_s = nan,
                                      .active_j = nan};
    struct gs_sensor_tally sensors = {0};
    size_t n_gpus = 0, n_stateless = 0;
    uint64_t n_dropped = 0; /* of each file, some of them of no GPU */
    bool from_log = false;
    for (size_t k = 0; k < gpus->n; k++) {
        n_gpus += has_readings(&gpus->gpu[k]);
        if (k == 0 || gpus->gpu[k].table != gpus->gpu[k - 1].table)
            n_dropped += gpus->gpu[k].table->n_dropped;
    }
    struct gs_frame *f;
    GS_TRY(make_frame(gpus, n_gpus > 1 ? gpus->n + 1 : gpus->n, arena, out, &f, err));
    for (size_t k = 0; k < gpus->n; k++) {
        const struct gs_power_gpu *const of = &gpus->gpu[k];
        fill_summary(f, k, of, o);
        fill_energies(f, k, &of->energies);
        add_energies(&total, &of->energies);
        n_stateless += of->log->n > 0 && isnan(of->energies.active_s);
        from_log |= isnan(o->runtime_s) && !isnan(of->result.runtime_s);
        if (of->meter.timed && of->log->n > 1 && !of->log->counted)
            gs_sensor_tally_add(&sensors, &of->meter.curve.sensor);
        else if (!of->meter.timed && of->log->n > 0 && isnan(o->runtime_s))
            gs_note(&out->notes, GS_NOTE_WARNING,
                    "%s: has no times: energy needs --runtime, or --interval between its rows",
                    of->table->name);
    }
    gs_energy_gaps_note(&total.used, total.span_ns, &out->notes);
    gs_energy_width_note(&total.used, &sensors, &out->notes);
    if (n_gpus > 1)
        fill_total(f, gpus->n, &total, n_dropped);
    if (n_gpus > 1 && n_stateless > 0 && n_stateless < n_gpus)
        gs_note(&out->notes, GS_NOTE_WARNING,
                "active and idle: the total leaves out %zu of %zu GPUs, whose power shows no two "
                "states",
                n_stateless, n_gpus);
    if (from_log)
        gs_note(&out->notes, GS_NOTE_INFO,
                "the run time is that from the first reading to the last (--runtime gives the "
                "measured one)");
    return GS_OK;
}
