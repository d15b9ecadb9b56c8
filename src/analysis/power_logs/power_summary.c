/* power_summary.c - a power log as one row per GPU: the study's figures, then energy as the sensor gives it.
 */
#include <math.h>

#include "base/num/timestamp.h"
#include "analysis/power_logs/power_phases.h"

enum {
    P_GPU,
    P_ROWS,
    P_DROPPED,
    P_KEPT,
    P_MEAN,
    P_SD,
    P_FILTERED_MEAN,
    P_FILTERED_SD,
    P_RUNTIME,
    P_ENERGY,
    P_ENERGY_SD,
    P_TRAPEZOID,
    P_DISTINCT,
    P_PERIOD,
    P_COLUMNS,
    P_TIME_ITEM = P_COLUMNS,
    P_TIME_ITEM_SD,
    P_ENERGY_ITEM,
    P_ENERGY_ITEM_SD,
    P_COLUMNS_ITEM,
    P_SENSOR = P_COLUMNS_ITEM,
    P_LOW,
    P_HIGH,
    P_KWH,
    P_IDLE_S,
    P_IDLE_J,
    P_ACTIVE_S,
    P_ACTIVE_J,
    P_ALWAYS,
    P_COUNTER = P_ALWAYS,
    P_COUNTER_DIFFERENCE,
    P_COVERAGE,
    P_ALL
};

static const struct gs_column_spec summary_columns[P_ALL] = {
    [P_GPU] = GS_COL(GPU, .how = "name of the GPU in the log; FILE:GPU with several logs, FILE "
                                 "where the log names none"),
    [P_ROWS] = GS_COL(ROWS),
    [P_DROPPED] = GS_COL(DROPPED),
    [P_KEPT] = GS_COL(KEPT),
    [P_MEAN] = GS_COL(POWER_MEAN_W, .how = "mean of all readings"),
    [P_SD] = GS_COL(POWER_SD_W),
    [P_FILTERED_MEAN] = GS_COL(FILTERED_MEAN_W),
    [P_FILTERED_SD] = GS_COL(FILTERED_SD_W),
    [P_RUNTIME] = GS_COL(RUNTIME_S),
    [P_ENERGY] =
        GS_COL(ENERGY_J, .label = "energy (filtered mean)", .how = "filtered mean times run time"),
    [P_ENERGY_SD] = GS_COL(ENERGY_SD_J),
    [P_TRAPEZOID] = GS_COL(ENERGY_TRAPEZOID_J),
    [P_DISTINCT] = GS_COL(READINGS_DISTINCT),
    [P_PERIOD] = GS_COL(UPDATE_PERIOD_MS),
    [P_TIME_ITEM] = GS_COL(TIME_PER_ITERATION_S),
    [P_TIME_ITEM_SD] = GS_COL(TIME_PER_ITERATION_SD_S),
    [P_ENERGY_ITEM] = GS_COL(ENERGY_PER_ITERATION_J),
    [P_ENERGY_ITEM_SD] = GS_COL(ENERGY_PER_ITERATION_SD_J),
    [P_SENSOR] = GS_COL(ENERGY_SENSOR_J, .label = "energy"),
    [P_LOW] =
        GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(1),
               .how = "lower end of the 95 % interval of energy_sensor_j: " GS_ENERGY_INTERVAL_HOW),
    [P_HIGH] = GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(1)),
    [P_KWH] = GS_COL(ENERGY_KWH),
    [P_IDLE_S] = GS_COL(IDLE_S),
    [P_IDLE_J] = GS_COL(IDLE_J),
    [P_ACTIVE_S] = GS_COL(ACTIVE_S),
    [P_ACTIVE_J] = GS_COL(ACTIVE_J),
    [P_COUNTER] =
        GS_COL(ENERGY_COUNTER_J,
               .how = "the board's own energy counter, last less first, resets taken out"),
    [P_COUNTER_DIFFERENCE] = GS_COL(
        COUNTER_DIFFERENCE_PCT,
        .how = "counter less energy_sensor_j, as a share of it, where both are of the same time"),
    [P_COVERAGE] = GS_COL(COVERAGE_PCT),
};

/* The frame and where each column stands in it: which are there depends on options and logs. */
struct summary {
    struct gs_frame *frame;
    int at[P_ALL]; /* -1: not there */
};

static void set_real(const struct summary *s, size_t row, int column, double value)
{
    if (s->at[column] >= 0)
        gs_frame_set_real(s->frame, row, (size_t)s->at[column], value);
}

static void fill_energies(const struct summary *s, size_t row, const struct gs_power_energies *e)
{
    const double energy = e->used.n > 0 ? gs_energy_j(e->used.energy) : (double)NAN;
    double low, high;
    gs_energy_interval(&e->used, &low, &high);
    set_real(s, row, P_SENSOR, energy);
    set_real(s, row, P_COVERAGE, gs_energy_coverage_pct(&e->used, e->span_ns));
    set_real(s, row, P_LOW, low);
    set_real(s, row, P_HIGH, high);
    set_real(s, row, P_KWH, energy / 3.6e6);
    set_real(s, row, P_IDLE_S, e->idle_s);
    set_real(s, row, P_IDLE_J, e->idle_j);
    set_real(s, row, P_ACTIVE_S, e->active_s);
    set_real(s, row, P_ACTIVE_J, e->active_j);
    set_real(s, row, P_COUNTER, gs_counted_j(&e->counted));
    set_real(s, row, P_COUNTER_DIFFERENCE, gs_counted_difference_pct(&e->counted));
}

/* The counter from its first reading to its last; beside the energy where both are of the same time. */
static void count_whole(const struct gs_power_meter *m, const struct gs_energy_sum *whole,
                        struct gs_counted *counted)
{
    const struct gs_counter *const c = &m->counter;
    const struct gs_log *const log = m->log;
    struct gs_energy_sum beside = *whole;
    if (c->t_ns[0] != log->t_ns[0] || c->t_ns[c->n - 1] != log->t_ns[log->n - 1])
        beside.time_ns = 0;
    gs_power_count(m, c->t_ns[0], c->t_ns[c->n - 1], &beside, counted);
}

enum gs_status gs_power_energies_of(const struct gs_power_meter *m, const struct gs_power_result *r,
                                    const struct gs_power_options *o, struct gs_arena *arena,
                                    struct gs_power_energies *e, struct gs_err *err)
{
    struct gs_energy_sum whole = {0};
    struct gs_power_phases phases;
    (void)o;
    if (gs_energy_sum_log(&whole, &m->curve))
        gs_energy_sum_end_gpu(&whole);
    const enum gs_status s = gs_power_split(m, arena, &phases, err);
    if (s != GS_OK)
        return s;
    *e = (struct gs_power_energies){
        .study_j = r->energy_j,
        .trapezoid_j = r->energy_trapezoid_j,
        .used = whole,
        .span_ns =
            m->timed && m->log->n > 0 ? (gs_i128)m->log->t_ns[m->log->n - 1] - m->log->t_ns[0] : 0,
        .idle_s = phases.idle_s,
        .idle_j = phases.idle_j,
        .active_s = phases.active_s,
        .active_j = phases.active_j,
        .n_rows = r->n,
        .n_dropped = m->log->n_dropped,
        .n_kept = r->n_kept,
        .n_distinct = r->n_distinct};
    if (m->counter.n > 1)
        count_whole(m, &whole, &e->counted);
    return GS_OK;
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
    t->n_dropped += e->n_dropped;
    t->n_kept += e->n_kept;
    t->n_distinct += e->n_distinct;
}

static void fill_total(const struct summary *s, size_t row, const struct gs_power_energies *t)
{
    gs_frame_set_text(s->frame, row, P_GPU, gs_str("total"));
    gs_frame_set_int(s->frame, row, P_ROWS, (int64_t)t->n_rows);
    gs_frame_set_int(s->frame, row, P_DROPPED, (int64_t)t->n_dropped);
    gs_frame_set_int(s->frame, row, P_KEPT, (int64_t)t->n_kept);
    gs_frame_set_int(s->frame, row, P_DISTINCT, (int64_t)t->n_distinct);
    gs_frame_set_real(s->frame, row, P_ENERGY, t->study_j);
    gs_frame_set_real(s->frame, row, P_TRAPEZOID, t->trapezoid_j);
    fill_energies(s, row, t);
}

static void fill_summary(struct gs_frame *f, size_t row, const struct gs_log *log,
                         const struct gs_power_result *r, const struct gs_power_options *o)
{
    gs_frame_set_int(f, row, P_ROWS, (int64_t)r->n);
    gs_frame_set_int(f, row, P_DROPPED, (int64_t)log->n_dropped);
    gs_frame_set_int(f, row, P_KEPT, (int64_t)r->n_kept);
    gs_frame_set_real(f, row, P_MEAN, r->mean_w);
    gs_frame_set_real(f, row, P_SD, r->sd_w);
    gs_frame_set_real(f, row, P_FILTERED_MEAN, r->filtered_mean_w);
    gs_frame_set_real(f, row, P_FILTERED_SD, r->filtered_sd_w);
    gs_frame_set_real(f, row, P_RUNTIME, r->runtime_s);
    gs_frame_set_real(f, row, P_ENERGY, r->energy_j);
    gs_frame_set_real(f, row, P_ENERGY_SD, r->energy_sd_j);
    gs_frame_set_real(f, row, P_TRAPEZOID, r->energy_trapezoid_j);
    gs_frame_set_int(f, row, P_DISTINCT, (int64_t)r->n_distinct);
    gs_frame_set_real(f, row, P_PERIOD, r->update_period_ms);
    if (o->iterations > 0 && r->n > 0) {
        const double n = (double)o->iterations;
        gs_frame_set_real(f, row, P_TIME_ITEM, r->runtime_s / n);
        gs_frame_set_real(f, row, P_TIME_ITEM_SD, o->runtime_sd_s / n);
        gs_frame_set_real(f, row, P_ENERGY_ITEM, r->energy_j / n);
        gs_frame_set_real(f, row, P_ENERGY_ITEM_SD, r->energy_sd_j / n);
    }
}

/* For people the energy and its interval come first of all energies: the filtered mean times the run time leaves out loads. */
static const size_t *order_of(const struct summary *s, size_t n, struct gs_arena *arena)
{
    size_t *const order = gs_arena_take_raw(arena, n, sizeof *order), k = 0;
    for (int c = 0; order != NULL && c < P_ALL; c++) {
        for (int first = P_SENSOR; c == P_GPU + 1 && first <= P_HIGH; first++)
            order[k++] = (size_t)s->at[first];
        if ((c < P_SENSOR || c > P_HIGH) && s->at[c] >= 0)
            order[k++] = (size_t)s->at[c];
    }
    return order;
}

/* The columns that this run has, in the order of the enumeration: those on every run's table, then the rest.
 */
static enum gs_status make_frame(struct summary *s, const struct gs_power_options *o, bool counters,
                                 size_t n_rows, const char *low_how, struct gs_arena *arena,
                                 struct gs_frames *out, struct gs_err *err)
{
    struct gs_column_spec *const specs = gs_arena_take(arena, P_ALL, sizeof *specs);
    size_t n = 0;
    if (specs == NULL)
        return gs_fail_memory(err);
    for (int c = 0; c < P_ALL; c++) {
        bool there = true;
        if (c >= P_COLUMNS && c < P_COLUMNS_ITEM)
            there = o->iterations > 0;
        else if (c == P_COUNTER || c == P_COUNTER_DIFFERENCE)
            there = counters;
        s->at[c] = there ? (int)n : -1;
        if (there)
            specs[n++] = summary_columns[c];
        if (c == P_LOW)
            specs[n - 1].how = low_how;
    }
    const enum gs_status status = gs_frame_new(
        arena, "power", "Power of each GPU, readings beyond 3 sigma left out of the filtered mean",
        specs, n, n_rows, out, &s->frame, err);
    if (status == GS_OK)
        s->frame->order = order_of(s, n, arena);
    return status == GS_OK && s->frame->order == NULL ? gs_fail_memory(err) : status;
}

enum gs_status gs_power_summary(const struct gs_log_table *logs, size_t n_logs,
                                const struct gs_power_result *result,
                                const struct gs_power_meter *meter,
                                const struct gs_power_energies *energies,
                                const struct gs_power_options *o, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err)
{
    size_t n = 0, row = 0, n_gpus = 0;
    bool from_log = false, counters = false;
    for (size_t l = 0; l < n_logs; l++)
        n += logs[l].n_logs;
    for (size_t k = 0; k < n; k++) {
        counters |= meter[k].counter.n > 1;
        n_gpus += meter[k].log->n > 0;
    }
    struct summary s;
    const char *const how =
        gs_power_explained(gs_column_resolve(&summary_columns[P_LOW], P_LOW).how, meter, n, arena);
    const enum gs_status status =
        how == NULL ? gs_fail_memory(err)
                    : make_frame(&s, o, counters, n_gpus > 1 ? n + 1 : n, how, arena, out, err);
    if (status != GS_OK)
        return status;
    const double nan = (double)NAN;
    struct gs_power_energies total = {.study_j = nan,
                                      .trapezoid_j = nan,
                                      .idle_s = nan,
                                      .idle_j = nan,
                                      .active_s = nan,
                                      .active_j = nan};
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, row++) {
            const struct gs_log *const log = &logs[l].log[g];
            struct gs_str label;
            if (!gs_power_label(&logs[l], log, n_logs, arena, &label))
                return gs_fail_memory(err);
            gs_frame_set_text(s.frame, row, P_GPU, label);
            fill_summary(s.frame, row, log, &result[row], o);
            fill_energies(&s, row, &energies[row]);
            add_energies(&total, &energies[row]);
            from_log |= isnan(o->runtime_s) && !isnan(result[row].runtime_s);
            if (!meter[row].timed && log->n > 0 && isnan(o->runtime_s))
                gs_note(&out->notes, GS_NOTE_WARNING,
                        "%s: has no times: energy needs --runtime, or --interval between its rows",
                        logs[l].name);
        }
    struct gs_sensor_tally sensors = {0};
    for (size_t k = 0; k < n; k++)
        if (meter[k].timed && meter[k].log->n > 1)
            gs_sensor_tally_add(&sensors, &meter[k].curve.sensor);
    gs_energy_gaps_note(&total.used, &out->notes);
    gs_energy_width_note(&total.used, &sensors, &out->notes);
    if (n_gpus > 1)
        fill_total(&s, n, &total);
    if (from_log)
        gs_note(&out->notes, GS_NOTE_INFO,
                "the run time is that from the first reading to the last (--runtime gives the "
                "measured one)");
    return GS_OK;
}
