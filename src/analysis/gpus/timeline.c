/* timeline.c - steps of equal length, filled by one visit of the hosts. */
#include "analysis/gpus/timeline.h"

#include <string.h>

#include "analysis/gpus/fleet_cells.h"
#include "base/num/dd.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"
#include "base/num/calendar.h"
#include "data/result/number_text.h"
#include "base/num/whole.h"
#include "data/tables/packed_rows.h"

/* clang-format off */
enum { COL_TIME, COL_ACTIVE, COL_STARTED, COL_FINISHED, COL_RATE, COL_GPUS, COL_ENERGY, COL_FLEET, COL_POWER, COL_TEMP,
       COL_TEMP_MAX, COL_GPU_UTIL, COL_MEM_UTIL, COL_SAMPLES, N_COLUMNS /* behind them the other metrics */ };

static const struct gs_column_spec columns[N_COLUMNS] = {
    GS_COL(TIME, .how = "begin of the step; steps begin at multiples of --every since 1970 UTC, those of whole days at "
                         "midnight of the zone of --tz"),
    GS_COL(ACTIVE_TASKS),
    GS_COL(STARTED_TASKS),
    GS_COL(FINISHED_TASKS),
    GS_COL(TASKS_PER_S),
    GS_COL(GPUS_SEEN),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(0), .how = "sum over the GPUs of " GS_ENERGY_HOW ", corrected for its gain and offset if known"),
    GS_COL(FLEET_POWER_W),
    GS_COL(POWER_MEAN_W, .label = "power", .how = "mean over the samples in the step"),
    GS_COL(TEMP_MEAN_C),
    GS_COL(TEMP_MAX_C),
    GS_COL(GPU_UTIL_MEAN_PCT, .how = "mean over the samples in the step"),
    GS_COL(MEM_UTIL_MEAN_PCT, .how = "mean over the samples in the step"),
    GS_COL(SAMPLES, .how = "samples with begin <= t < end of the step"),
};
/* clang-format on */

/* What one step adds up to, and each metric in it. */
struct step {
    gs_i128 energy, bridged, time_ns, covered_ns;
    gs_i128 logged_ns; /* of each GPU's log with the gaps that are left out, added up       */
    int64_t from_ns, until_ns; /* of any: the time that the energy is of, GS_MISSING: none */
    uint64_t n_samples, n_started, n_finished;
    gs_i128 running_ns; /* of tasks that begin or end here                                  */
    int64_t n_through;  /* change, at this step, of the number of tasks that fill steps     */
    int64_t temp_max;   /* GS_MISSING: none                                                 */
};
struct step_metric {
    gs_i128 sum;
    uint64_t n;
};

/* The first and the last instant of the data, and the logs of all GPUs with the gaps that are left out. */
struct span {
    int64_t first_ns, last_ns; /* GS_MISSING: none */
    gs_i128 logged_ns;
};

static const struct gs_field step_fields[] = {
    {GS_FIELD_SUM, offsetof(struct step, energy)},
    {GS_FIELD_SUM, offsetof(struct step, bridged)},
    {GS_FIELD_SUM, offsetof(struct step, time_ns)},
    {GS_FIELD_SUM, offsetof(struct step, covered_ns)},
    {GS_FIELD_SUM, offsetof(struct step, logged_ns)},
    {GS_FIELD_LEAST, offsetof(struct step, from_ns)},
    {GS_FIELD_GREATEST, offsetof(struct step, until_ns)},
    {GS_FIELD_COUNT, offsetof(struct step, n_samples)},
    {GS_FIELD_COUNT, offsetof(struct step, n_started)},
    {GS_FIELD_COUNT, offsetof(struct step, n_finished)},
    {GS_FIELD_SUM, offsetof(struct step, running_ns)},
    {GS_FIELD_INT, offsetof(struct step, n_through)},
    {GS_FIELD_GREATEST, offsetof(struct step, temp_max)},
};
enum { N_STEP_FIELDS = sizeof step_fields / sizeof *step_fields };
static const struct gs_field metric_fields[] = {
    {GS_FIELD_SUM, offsetof(struct step_metric, sum)},
    {GS_FIELD_COUNT, offsetof(struct step_metric, n)},
};
static const struct gs_field span_fields[] = {
    {GS_FIELD_LEAST, offsetof(struct span, first_ns)},
    {GS_FIELD_GREATEST, offsetof(struct span, last_ns)},
    {GS_FIELD_SUM, offsetof(struct span, logged_ns)},
};

enum { STEPS, SPAN, CELLS, N_TABLES };
static const struct gs_records_spec step_spec = {
    GS_RECORDS("steps", "i", struct step, step_fields),
    GS_RECORDS_TAIL(struct step_metric, metric_fields),
};
static const struct gs_records_spec span_spec = {GS_RECORDS("span", "", struct span, span_fields)};

/* The steps that the dataset lies in. */
struct plan {
    int64_t max_gap_ns;
    const struct gs_timeline_options *o;
    uint32_t event;
    int64_t first_step; /* begin of the first step over every_ns */
    size_t n_steps;
    const struct gs_records *steps; /* of the state that is added to */
    bool cells;
    struct gs_fleet_grid grid;
};

/* --- adding ------------------------------------------------------------------------------------------- */

/* Steps of whole days are those of the zone. */
static bool is_of_days(const struct gs_timeline_options *o)
{
    return o->every_ns % GS_DAY_NS == 0 && !gs_zone_is_utc(&o->zone);
}

static int64_t number_of(const struct gs_timeline_options *o, int64_t t)
{
    if (is_of_days(o))
        return gs_floor_div(gs_day_of(&o->zone, t), o->every_ns / GS_DAY_NS);
    return gs_floor_div(t, o->every_ns);
}

/* The end of a range that is the begin of a step belongs to the step before it. */
static size_t step_of(const struct plan *l, int64_t t)
{
    const size_t k = (size_t)(number_of(l->o, t) - l->first_step);
    return gs_min(k, l->n_steps - 1);
}

/* Beyond the range of int64 only before the first step's and after the last step's data. */
static int64_t time_of(gs_i128 step, const struct gs_timeline_options *o)
{
    const gs_i128 t = step * o->every_ns;
    if (is_of_days(o))
        return gs_day_begin(&o->zone, (int64_t)(step * (o->every_ns / GS_DAY_NS)));
    return (int64_t)gs_max(INT64_MIN + 1, gs_min(INT64_MAX, t));
}

static int64_t begin_of(const struct plan *l, size_t step)
{
    return time_of((gs_i128)l->first_step + (gs_i128)step, l->o);
}

static struct step *step_at(const struct plan *l, size_t k)
{
    return gs_records_at(l->steps, k);
}

static void add_samples(const struct plan *l, const struct gs_gpu_view *g, uint32_t n_metrics)
{
    int64_t end = 0;
    struct step *s = NULL;
    struct step_metric *metric = NULL;
    for (uint32_t i = 0; i < g->n; i++) {
        if (s == NULL || g->t_ns[i] >= end) {
            const size_t k = step_of(l, g->t_ns[i]);
            s = step_at(l, k);
            metric = gs_records_tail(l->steps, k);
            end = begin_of(l, k + 1);
        }
        s->n_samples++;
        for (unsigned m = 0; m < n_metrics; m++) {
            const int64_t v = g->value[m][i];
            if (v == GS_MISSING)
                continue;
            if (m == GS_TEMP && v > s->temp_max)
                s->temp_max = v;
            metric[m].sum += v;
            metric[m].n++;
        }
    }
}

/*
 * The first step has what the sensor showed before it, the last one all that is left: together they
 * are the log. So the time that an energy is of can reach a sensor's lag beyond its step, and power
 * is energy over that time, or a GPU at 300 W would show more.
 */
static void add_energy(const struct plan *l, const struct gs_gpu_view *g,
                       const struct gs_energy_curve *curve)
{
    const size_t first = step_of(l, gs_gpu_first_ns(g)), last = step_of(l, gs_gpu_last_ns(g));
    const int64_t until = gs_time_moved(gs_energy_curve_last(curve), -curve->sensor.shift_ns);
    struct gs_energy_walker walk = {.curve = curve};
    struct gs_energy past = gs_energy_at(&walk, GS_LOG_START);
    int64_t from = gs_time_moved(gs_energy_curve_first(curve), -curve->sensor.shift_ns);
    for (size_t k = first; k <= last; k++) {
        struct step *const s = step_at(l, k);
        const struct gs_energy now =
            gs_energy_at(&walk, k == last ? GS_LOG_END : begin_of(l, k + 1));
        const int64_t end = k == last ? until : gs_min(until, begin_of(l, k + 1));
        s->energy += now.energy - past.energy;
        s->bridged += now.bridged - past.bridged;
        s->time_ns += (gs_i128)now.time_ns - past.time_ns;
        s->covered_ns += now.covered_ns - past.covered_ns;
        if (now.time_ns > past.time_ns) {
            s->logged_ns += (gs_i128)end - from;
            s->from_ns = s->from_ns == GS_MISSING ? from : gs_min(from, s->from_ns);
            s->until_ns = gs_max(end, s->until_ns);
        }
        from = gs_max(from, end);
        past = now;
    }
}

/*
 * A task that fills many steps marks only the first and the last of them; the steps between are
 * counted when the rows are made. So a task costs O(1), however long it runs.
 */
static void add_task(const struct plan *l, const struct gs_pair *p)
{
    const size_t a = step_of(l, p->start_ns), b = step_of(l, p->stop_ns);
    step_at(l, a)->n_started++;
    step_at(l, b)->n_finished++;
    if (gs_pair_ns(p) == 0)
        return;
    if (a == b) {
        step_at(l, a)->running_ns += gs_pair_ns(p);
        return;
    }
    step_at(l, a)->running_ns += (gs_i128)begin_of(l, a + 1) - p->start_ns;
    step_at(l, b)->running_ns += (gs_i128)p->stop_ns - begin_of(l, b);
    step_at(l, a + 1)->n_through++;
    step_at(l, b)->n_through--;
}

/* By the time from one instant to another; the end of the range is no instant of it. */
static void widen(struct span *s, const struct gs_range *range, int64_t first_ns, int64_t last_ns)
{
    if (range != NULL)
        last_ns = gs_max(first_ns, gs_min(last_ns, range->to_ns - 1));
    gs_time_widen(&s->first_ns, &s->last_ns, first_ns);
    gs_time_widen(&s->first_ns, &s->last_ns, last_ns);
}

static enum gs_status add_host(const void *options, struct gs_state *state,
                               struct gs_fold_host *host, struct gs_err *err)
{
    (void)options;
    const struct gs_host_view *const h = host->view;
    /* The plan is shared by all threads; the copy may point at this thread's own steps. */
    struct plan l = *(const struct plan *)state->plan;
    struct span *const span = gs_records_at(&state->table[SPAN], 0);
    GS_TRY(gs_energy_check(h, err));
    l.steps = &state->table[STEPS];
    if (h->n_times > 0)
        widen(span, host->d->range, h->time[0], h->time[h->n_times - 1]);
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        if (gs_gpu_log(&h->gpu[g])->n > 0)
            widen(span, host->d->range, gs_gpu_first_ns(&h->gpu[g]), gs_gpu_last_ns(&h->gpu[g]));
        add_samples(&l, &h->gpu[g], h->n_metrics);
        GS_REWINDS(host->scratch);
        struct gs_energy_curve curve;
        GS_TRY(gs_gpu_curve(&h->gpu[g], l.max_gap_ns, host->scratch, &curve, err));
        if (curve.n > 0) {
            span->logged_ns +=
                (gs_i128)gs_energy_curve_last(&curve) - gs_energy_curve_first(&curve);
            add_energy(&l, &h->gpu[g], &curve);
        }
        if (l.cells)
            GS_TRY(
                gs_fleet_cells_add(&state->table[CELLS], &l.grid, host, &h->gpu[g], &curve, err));
    }
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (gs_pair_is(host->d, &h->pair[p], l.event))
            add_task(&l, &h->pair[p]);
    return GS_OK;
}

/* The number of steps from the first instant to the last. */
static enum gs_status count_steps(int64_t first_ns, int64_t last_ns,
                                  const struct gs_timeline_options *o, size_t *n_steps,
                                  struct gs_err *err)
{
    const gs_i128 n = (gs_i128)number_of(o, last_ns) - number_of(o, first_ns) + 1;
    /*
     * One wrong timestamp (1970) would ask for millions of steps. The limit turns this into a
     * message before the steps are allocated.
     */
    if (n > GS_TIMELINE_STEPS_MAX) {
        const gs_i128 span_ns = (gs_i128)last_ns - first_ns;
        const gs_i128 per_ms = (gs_i128)(GS_TIMELINE_STEPS_MAX - 2) * GS_NS_PER_MS;
        return gs_fail(err, GS_ERR_USAGE,
                       "--every: steps of %.9g s are more than %d: the run spans %.0f s; "
                       "type --every %lldms or longer, or see 'check' for its times",
                       (double)o->every_ns / GS_NS_PER_S, GS_TIMELINE_STEPS_MAX,
                       gs_dd_to_double(gs_dd_ratio(span_ns, GS_NS_PER_S)),
                       (long long)(span_ns / per_ms + 1));
    }
    *n_steps = (size_t)gs_max(n, 0);
    return GS_OK;
}

static enum gs_status make_plan(const void *options, const struct gs_dataset *d,
                                struct gs_state *state, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_timeline_options *const o = options;
    int64_t first = INT64_MAX, last = INT64_MIN;
    GS_NEW(struct plan, l, 1, arena, err);
    *l = (struct plan){.o = o, .max_gap_ns = o->max_gap_ns, .cells = o->cells};
    l->event = GS_NONE;
    if (o->event != NULL)
        GS_TRY(gs_event_number(d, o->event, &l->event, err));
    gs_table_widen_range(&d->table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME, &first, &last);
    gs_table_widen_range(&d->table[GS_TABLE_SPANS], GS_SPAN_START, &first, &last);
    gs_table_widen_range(&d->table[GS_TABLE_SPANS], GS_SPAN_STOP, &first, &last);
    gs_table_widen_range(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &first, &last);
    if (first <= last && d->range != NULL) {
        first = gs_range_held(d->range, first);
        last = gs_max(first, gs_min(last, d->range->to_ns - 1));
    }
    if (first <= last) {
        l->first_step = number_of(o, first);
        l->grid = gs_fleet_grid_of(first, last, d->n_gpus);
        GS_TRY(count_steps(first, last, o, &l->n_steps, err));
    }
    GS_NEW_RAW(union gs_key, key, l->n_steps, arena, err);
    for (size_t k = 0; k < l->n_steps; k++)
        key[k].number = l->first_step + (int64_t)k;
    GS_TRY(gs_records_plan(&state->table[STEPS], key, (uint32_t)l->n_steps, arena, err));
    state->plan = l;
    return GS_OK;
}

/* --- rows --------------------------------------------------------------------------------------------- */

/* The columns, those of further metrics last. */
struct layout {
    struct gs_column_spec *spec;
    size_t n;
    uint32_t n_metrics;
    size_t *column; /* [n_metrics] COL_SAMPLES: a counter has none */
};

static enum gs_status lay_out(const struct gs_facts *facts, struct gs_arena *arena,
                              struct layout *l, struct gs_err *err)
{
    static const size_t fixed[GS_FIXED_METRICS] = {COL_POWER, COL_TEMP, COL_GPU_UTIL, COL_MEM_UTIL};
    *l = (struct layout){
        gs_arena_take(arena, N_COLUMNS + (size_t)facts->n_metrics + 1, sizeof *l->spec), N_COLUMNS,
        facts->n_metrics, gs_arena_take(arena, facts->n_metrics, sizeof *l->column)};
    GS_TRY(gs_had_memory(l->spec != NULL && l->column != NULL, err));
    memcpy(l->spec, columns, sizeof columns);
    for (uint32_t m = 0; m < facts->n_metrics; m++) {
        const struct gs_metric *const metric = facts->metric[m];
        if (m < GS_FIXED_METRICS)
            l->column[m] = fixed[m];
        else if (!gs_metric_has_mean(metric))
            l->column[m] = COL_SAMPLES;
        else
            l->column[m] = l->n;
        if (l->column[m] != l->n)
            continue;
        l->spec[l->n] = (struct gs_column_spec){.name = gs_metric_column(metric, "mean", arena),
                                                .label = metric->label,
                                                .unit = metric->unit,
                                                .type = GS_TYPE_REAL,
                                                .decimals = metric->mean_decimals,
                                                .how = "mean over the samples in the step"};
        GS_TRY(gs_had_memory(l->spec[l->n++].name != NULL, err));
    }
    l->spec[l->n++] = (struct gs_column_spec)GS_COL(
        COVERAGE_PCT,
        .how = "share of the energy's time that is not in gaps of more than 3 intervals");
    return GS_OK;
}

/* The steps of one row, added up. */
struct row {
    struct step all;
    struct step_metric *metric; /* [n_metrics] */
};

static void row_begin(struct row *row, uint32_t n_metrics)
{
    row->all = (struct step){0};
    gs_fields_begin(step_fields, N_STEP_FIELDS, &row->all);
    for (uint32_t m = 0; m < n_metrics; m++)
        row->metric[m] = (struct step_metric){0};
}

static void row_add(struct row *row, const struct step *s, const struct step_metric *metric,
                    uint32_t n_metrics)
{
    struct step one = *s;
    /* Sums and bounds take no memory. */
    (void)gs_fields_merge(step_fields, N_STEP_FIELDS, &row->all, &one, NULL, NULL);
    for (uint32_t m = 0; m < n_metrics; m++) {
        row->metric[m].sum += metric[m].sum;
        row->metric[m].n += metric[m].n;
    }
}

/* The steps that a row is of: a length that clocks show. */
static int64_t steps_per_row(const struct gs_timeline_options *o, size_t n_steps)
{
    static const int of_s[] = {10,   20,   30,   60,    120,   300,   600,   900,
                               1800, 3600, 7200, 10800, 21600, 43200, 86400, 604800};
    const size_t n = sizeof of_s / sizeof *of_s;
    int64_t per_row = 1;
    for (size_t k = 0; o->brief && o->rows_max > 0 && k < n; k++) {
        per_row = gs_max(1, of_s[k] * GS_NS_PER_S / o->every_ns);
        if (n_steps / (size_t)per_row <= o->rows_max)
            break;
    }
    return per_row;
}

static void fill_tasks(struct gs_frame *f, size_t row, const struct row *r, int64_t length)
{
    const struct step *const s = &r->all;
    GS_PUT(f, row, GS_REAL(ACTIVE_TASKS, gs_ratio(r->all.running_ns, length)),
           GS_INT(STARTED_TASKS, (int64_t)s->n_started),
           GS_INT(FINISHED_TASKS, (int64_t)s->n_finished),
           GS_REAL(TASKS_PER_S, gs_ratio((gs_i128)s->n_finished * GS_NS_PER_S, length)));
}

static void fill_samples(struct gs_frame *f, const struct layout *l, size_t row,
                         const struct row *r)
{
    const struct step *const s = &r->all;
    const struct step_metric *const metric = r->metric;
    if (s->time_ns > 0) { /* of a step without readings nothing is zero */
        const gs_i128 length = (gs_i128)s->until_ns - s->from_ns;
        const struct gs_dd power =
            gs_dd_div(gs_dd_ratio(s->energy, GS_ENERGY_PER_J), gs_dd_ratio(length, GS_NS_PER_S));
        GS_PUT(f, row, GS_REAL(ENERGY_J, gs_energy_j(s->energy)),
               GS_REAL(FLEET_POWER_W,
                       gs_dd_to_double(gs_dd_mul(power, gs_dd_ratio(s->logged_ns, s->time_ns)))),
               GS_REAL(GPUS_SEEN, gs_ratio(s->logged_ns, length)));
        gs_frame_set_real(f, row, l->n - 1, gs_ratio(100 * s->covered_ns, s->time_ns));
    } else {
        GS_PUT(f, row, GS_REAL(GPUS_SEEN, 0.0));
    }
    for (uint32_t m = 0; m < l->n_metrics; m++)
        if (metric[m].n > 0 && l->column[m] != COL_SAMPLES)
            gs_frame_set_real(f, row, l->column[m],
                              gs_ratio(metric[m].sum, (gs_i128)metric[m].n * GS_FIXED_ONE));
    if (s->temp_max != GS_MISSING)
        GS_PUT(f, row, GS_REAL(TEMP_MAX_C, gs_ratio(s->temp_max, GS_FIXED_ONE)));
    GS_PUT(f, row, GS_INT(SAMPLES, (int64_t)s->n_samples));
}

/* All steps in one, of what is added up. */
static struct step run_of(const struct gs_records *steps)
{
    struct step all = {0};
    for (uint32_t k = 0; k < steps->n; k++) {
        const struct step *const s = gs_records_at(steps, k);
        all.n_finished += s->n_finished;
        all.energy += s->energy;
        all.bridged += s->bridged;
        all.time_ns += s->time_ns;
        all.covered_ns += s->covered_ns;
    }
    return all;
}

static const char *title_of(const struct step *run, bool has_tasks, struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    gs_buf_text(&b, "The run over time: ");
    if (has_tasks)
        gs_buf_format(&b, "%s finished, ", gs_counted_text(&b, run->n_finished, "task"));
    gs_words_energy(&b, gs_energy_j(run->energy));
    return gs_buf_whole(&b);
}

static enum gs_status to_frame(const struct gs_state *state, const struct gs_facts *facts,
                               const struct gs_timeline_options *o, struct gs_arena *arena,
                               struct gs_frames *out, struct gs_err *err)
{
    const struct gs_records *const steps = &state->table[STEPS];
    const struct span *const span = gs_records_at(&state->table[SPAN], 0);
    const bool has_tasks = o->event != NULL && gs_facts_have(facts, GS_TABLE_CHECKPOINTS);
    const struct step run = run_of(steps);
    const char *const title = title_of(&run, has_tasks, arena);
    const bool any = span->first_ns != GS_MISSING && span->last_ns >= span->first_ns;
    const int64_t first = any ? number_of(o, span->first_ns) : 0;
    struct gs_frame *f;
    struct layout l = {0};
    size_t n_steps = 0;
    GS_TRY(gs_had_memory(title != NULL, err));
    GS_TRY(lay_out(facts, arena, &l, err));
    if (any)
        GS_TRY(count_steps(span->first_ns, span->last_ns, o, &n_steps, err));
    const int64_t per_row = steps_per_row(o, n_steps), first_row = gs_floor_div(first, per_row);
    const int64_t end = first + (int64_t)n_steps;
    const size_t n_rows = any ? (size_t)(gs_floor_div(end - 1, per_row) - first_row + 1) : 0;
    struct row row = {.metric = gs_arena_take(arena, l.n_metrics + 1, sizeof *row.metric)};
    GS_TRY(gs_had_memory(row.metric != NULL, err));
    GS_TRY(gs_frame_new(arena, GS_HEAD("timeline", title, l.spec, l.n), n_rows, out, &f, err));
    gs_i128 n_through = 0;
    uint32_t at = 0;
    for (size_t k = 0; k < n_rows; k++) {
        const int64_t from = (first_row + (int64_t)k) * per_row;
        row_begin(&row, l.n_metrics);
        for (int64_t i = gs_max(from, first); i < gs_min(from + per_row, end); i++) {
            while (at < steps->n && gs_records_key(steps, at, 1)->number < i)
                at++;
            if (at < steps->n && gs_records_key(steps, at, 1)->number == i) {
                const struct step *const step = gs_records_at(steps, at);
                n_through += step->n_through;
                row_add(&row, step, gs_records_tail(steps, at), l.n_metrics);
            }
            row.all.running_ns += n_through * (time_of((gs_i128)i + 1, o) - time_of(i, o));
        }
        const int64_t begin = time_of((gs_i128)from, o);
        GS_PUT(f, k, GS_INT(TIME, begin));
        if (has_tasks)
            fill_tasks(f, k, &row, time_of((gs_i128)from + per_row, o) - begin);
        fill_samples(f, &l, k, &row);
    }
    const struct gs_energy_sum used = {.energy = run.energy,
                                       .bridged = run.bridged,
                                       .time_ns = run.time_ns,
                                       .covered_ns = run.covered_ns};
    gs_energy_gaps_note(&used, span->logged_ns, &out->notes);
    return GS_OK;
}

static enum gs_status finish(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err)
{
    struct gs_fleet_map *const map = of->also;
    const struct span *const span = gs_records_at(&of->state->table[SPAN], 0);
    const struct gs_records *const cells = &of->state->table[CELLS];
    gs_view_notes(&of->facts->totals, of->facts->duplicates, &out->notes);
    const enum gs_status s = to_frame(of->state, of->facts, of->options, of->arena, out, err);
    if (map == NULL || s != GS_OK)
        return s;
    *map = (struct gs_fleet_map){0};
    if (cells->n == 0)
        return GS_OK;
    return gs_fleet_cells_map(cells, span->first_ns, span->last_ns, of->arena, map, err);
}

static const struct gs_records_spec *const tables[N_TABLES] = {
    [STEPS] = &step_spec, [SPAN] = &span_spec, [CELLS] = &gs_fleet_cells_spec};

/* clang-format off */
const struct gs_fold gs_timeline_fold = {
    .name = "timeline", .views = GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, .table = tables, .n_tables = N_TABLES,
    .plan = make_plan, .add = add_host, .finish = finish,
};
/* clang-format on */
