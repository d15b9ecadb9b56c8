/* power_windows.c - a power log cut into spans: their readings, and their energy as the sensor gives it. */
#include <math.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "base/num/dd.h"
#include "stats/descriptive/moments.h"
#include "analysis/power_logs/power_bursts.h"
#include "stats/descriptive/quantile.h"

static const struct gs_column_spec window_columns[] = {
    GS_COL(GPU),
    GS_COL(WINDOW),
    GS_COL(EVENT, .how = "name of the span, where it has one"),
    GS_COL(START, .how = "start of the span on the log's clock"),
    GS_COL(STOP, .how = "end of the span on the log's clock"),
    GS_COL(DURATION_S),
    GS_COL(N_SAMPLES, .how = "readings with start <= t <= stop"),
    GS_COL(POWER_MEAN_W, .how = "mean of the readings inside"),
    GS_COL(POWER_SD_W, .how = "their standard deviation, divisor n - 1"),
    GS_COL(POWER_MAX_W, .how = "greatest reading inside"),
    GS_COL(GPU_UTIL_MEAN_PCT, .label = "GPU utilisation", .digits = GS_DIGITS(1),
           .how = "mean of the readings inside"),
    GS_COL(ENERGY_J, .digits = GS_DIGITS(2),
           .how =
               "energy over the span: " GS_ENERGY_HOW ", its gain and offset taken out where they "
               "are known; with --bursts, of a repeated span too short for the sensor, the "
               "level of the repeated-burst fit times its length"),
    GS_COL(COVERAGE_PCT),
    GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(2),
           .how = "lower end of the 95 % interval of the energy: " GS_ENERGY_INTERVAL_HOW),
    GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(2)),
    GS_COL(ENERGY_COUNTER_J, .digits = GS_DIGITS(2),
           .how = "the board's own energy counter: difference between stop and "
                  "start, straight between the readings around each, resets taken "
                  "out; missing where it does not reach over the span"),
    GS_COL(
        COUNTER_DIFFERENCE_PCT,
        .how =
            "counter less energy, as a share of the energy, where readings cover 99 % of the span"),
};

/* Returns whether any reading lies inside. */
static bool fill_readings(struct gs_frame *f, size_t row, const struct gs_log *log, int64_t start,
                          int64_t stop)
{
    struct gs_moments power = {0}, util = {0};
    const size_t first = gs_count_below(log->t_ns, log->n, start);
    for (size_t i = first; i < log->n && log->t_ns[i] <= stop; i++) {
        gs_moments_add(&power, log->value[GS_LOG_POWER][i]);
        if (log->value[GS_LOG_GPU_UTIL] != NULL)
            gs_moments_add(&util, log->value[GS_LOG_GPU_UTIL][i]);
    }
    double mean = (double)NAN, sd = mean, max = mean, util_mean = mean;
    (void)gs_moments_mean(&power, GS_FIXED_ONE, &mean, NULL);
    (void)gs_moments_ssd(&power, GS_FIXED_ONE, &sd, NULL);
    (void)gs_moments_max(&power, GS_FIXED_ONE, &max, NULL);
    (void)gs_moments_mean(&util, GS_FIXED_ONE, &util_mean, NULL);
    GS_PUT(f, row, GS_INT(N_SAMPLES, (int64_t)power.n), GS_REAL(POWER_MEAN_W, mean),
           GS_REAL(POWER_SD_W, sd), GS_REAL(POWER_MAX_W, max),
           GS_REAL(GPU_UTIL_MEAN_PCT, util_mean));
    return power.n > 0;
}

static void fill_span(struct gs_frame *f, size_t row, const struct gs_span *span, size_t window,
                      struct gs_str label)
{
    const gs_i128 duration = (gs_i128)span->stop_ns - span->start_ns;
    GS_PUT(f, row, GS_TEXT(GPU, label), GS_INT(WINDOW, (int64_t)window + 1),
           GS_TEXT(EVENT, span->name), GS_INT(START, span->start_ns), GS_INT(STOP, span->stop_ns),
           GS_REAL(DURATION_S, gs_ratio(duration, GS_NS_PER_S)));
}

static void fill_energy(struct gs_frame *f, size_t row, const struct gs_power_meter *m,
                        const struct gs_span *span, const struct gs_energy_sum *e, bool counters)
{
    const gs_i128 duration = (gs_i128)span->stop_ns - span->start_ns;
    struct gs_counted counted = {0};
    double low, high;
    gs_energy_interval(e, &low, &high);
    if (e->n > 0)
        GS_PUT(f, row, GS_REAL(ENERGY_J, gs_energy_j(e->energy)));
    GS_PUT(f, row, GS_REAL(ENERGY_LOW_J, low), GS_REAL(ENERGY_HIGH_J, high),
           GS_REAL(COVERAGE_PCT, gs_energy_coverage_pct(e, duration)));
    if (!counters)
        return;
    gs_power_count(m, span->start_ns, span->stop_ns, e, &counted);
    GS_PUT(f, row, GS_REAL(ENERGY_COUNTER_J, gs_counted_j(&counted)),
           GS_REAL(COUNTER_DIFFERENCE_PCT, gs_counted_difference_pct(&counted)));
}

/* Is `end` the last part of a path? */
static bool ends_in(struct gs_str path, struct gs_str end)
{
    const size_t at = path.len - end.len;
    return end.len < path.len && path.ptr[at - 1] == '/' && gs_str_eq(gs_str_after(path, at), end);
}

static bool begins_with(struct gs_str text, struct gs_str start)
{
    return start.len <= text.len && memcmp(text.ptr, start.ptr, start.len) == 0;
}

/*
 * Does a span that names a host or GPU mean this one? A log that knows no hosts goes by its file's
 * name. A name must match whole parts: host "nid1" must not match "nid10". Only a log that names
 * no host is matched by the beginning of its file's name.
 */
static bool is_meant(const struct gs_span *span, const struct gs_power_gpu *of, size_t n_logs)
{
    const struct gs_str gpu = of->log->gpu.ptr == NULL ? gs_str("") : of->log->gpu;
    const void *const slash = gpu.len == 0 ? NULL : memchr(gpu.ptr, '/', gpu.len);
    if (span->gpu.ptr != NULL && !gs_str_eq(span->gpu, gpu) && !ends_in(gpu, span->gpu))
        return false;
    if (span->host.ptr == NULL || (slash == NULL && n_logs == 1))
        return true;
    if (slash == NULL)
        return begins_with(of->table->stem, span->host);
    return begins_with(gpu, span->host) && span->host.len < gpu.len &&
           gpu.ptr[span->host.len] == '/';
}

/* Everything about the windows of one run that several functions need. */
struct cutting {
    const struct gs_power_gpus *gpus;
    int64_t shift_ns;
    struct gs_frame *frame;
    size_t row, n_empty, n_short, n_outside;
    gs_i128 total_ns;
    struct gs_energy_sum used; /* of all windows, for what is said of them */
    struct gs_sensor_tally sensors;
    bool counters;
    struct gs_arena *arena;
    struct gs_notes *notes;
};

/* The trains change what is known of the windows in them and across them. */
static void apply_trains(struct cutting *c, const struct gs_power_meter *m,
                         const struct gs_span_list *spans, const struct gs_power_trains *trains,
                         struct gs_energy_sum *e)
{
    const struct gs_span *const span = spans->span;
    const size_t n = spans->n;
    /*
     * Two groups of windows: those of a train that the sensor does not resolve lose their own
     * integral. All others that a train overlaps keep it, with the doubt that the train adds.
     */
    bool *const repeated = gs_arena_take(c->arena, n, sizeof *repeated);
    for (size_t k = 0; repeated != NULL && k < trains->n; k++) {
        const struct gs_power_train *const t = &trains->train[k];
        for (size_t i = 0; i < t->n_windows; i++) {
            const size_t w = t->window[i];
            const int64_t length = span[w].stop_ns - span[w].start_ns;
            if (!t->view.refused && !gs_power_too_short(m, length))
                continue;
            repeated[w] = true;
            if (!t->view.refused && c->gpus->options->bursts && t->view.fitted)
                e[w] = gs_power_burst(m, t, length);
            else {
                e[w] = (struct gs_energy_sum){0};
                c->n_short += !t->view.refused;
            }
        }
        for (size_t w = 0; w < n; w++) {
            if (repeated[w] || span[w].start_ns >= t->stop_ns || span[w].stop_ns <= t->start_ns)
                continue;
            e[w].n_refused += t->view.refused;
            gs_energy_sum_apart(&e[w],
                                gs_burst_train_ripple_j(&t->train, &t->view, &m->curve.sensor));
        }
    }
    for (size_t w = 0; repeated != NULL && c->gpus->options->bursts && w < n; w++)
        if (!repeated[w] && gs_power_too_short(m, span[w].stop_ns - span[w].start_ns)) {
            e[w] = (struct gs_energy_sum){0};
            c->n_short++;
        }
}

/* Spans in the log's clock that mean one GPU, and their numbers; `used` marks them. */
struct chosen {
    struct gs_span_list spans;
    size_t *window; /* [spans.n] */
    bool *used;     /* [of the list that they are chosen from] */
};

static bool make_chosen(const struct gs_span_list *from, struct gs_arena *arena,
                        struct chosen *chosen)
{
    chosen->spans.span = gs_arena_take(arena, from->n, sizeof *chosen->spans.span);
    chosen->window = gs_arena_take(arena, from->n, sizeof *chosen->window);
    chosen->used = gs_arena_take(arena, from->n, sizeof *chosen->used);
    return chosen->spans.span != NULL && chosen->window != NULL && chosen->used != NULL;
}

static void choose_spans(const struct cutting *c, const struct gs_span_list *from,
                         const struct gs_power_gpu *of, struct chosen *chosen)
{
    size_t n = 0;
    for (size_t w = 0; w < from->n; w++) {
        if (!is_meant(&from->span[w], of, c->gpus->n_logs))
            continue;
        struct gs_span *const span = &chosen->spans.span[n];
        *span = from->span[w];
        span->start_ns = gs_time_moved(span->start_ns, c->shift_ns);
        span->stop_ns = gs_time_moved(span->stop_ns, c->shift_ns);
        chosen->used[w] = true;
        chosen->window[n++] = w;
    }
    chosen->spans.n = n;
}

/* The trains of the windows, then those of the load, which have no window. */
static enum gs_status find_trains(struct cutting *c, const struct gs_power_gpu *of,
                                  const struct gs_span_list *spans, struct gs_power_trains *trains,
                                  struct gs_err *err)
{
    const struct gs_power_options *const o = c->gpus->options;
    struct gs_power_trains other;
    enum gs_status s = gs_power_bursts(of, spans, o, c->arena, c->notes, trains, err);
    if (s != GS_OK || o->load == NULL)
        return s;
    struct chosen ran;
    GS_TRY(gs_had_memory(make_chosen(o->load, c->arena, &ran), err));
    choose_spans(c, o->load, of, &ran);
    GS_TRY(gs_power_bursts(of, &ran.spans, o, c->arena, c->notes, &other, err));
    GS_NEW(struct gs_power_train, all, trains->n + other.n, c->arena, err);
    memcpy(all, trains->train, trains->n * sizeof *all);
    trains->train = all;
    for (size_t i = 0; i < other.n; i++) {
        /*
         * The load's trains are no rows of the table, so they may only widen or refuse the windows
         * that they overlap.
         */
        other.train[i].n_windows = 0;
        all[trains->n++] = other.train[i];
    }
    return GS_OK;
}

/*
 * The meter with the window that the trains tell where it is only read from the log. A copy: what
 * the windows of one call tell of the sensor must not change other tables of the same log.
 */
static struct gs_power_meter settled(const struct gs_power_meter *m,
                                     const struct gs_power_trains *trains)
{
    const struct gs_boxcar_fit *best = NULL;
    struct gs_power_meter own = *m;
    for (size_t i = 0; i < trains->n; i++) {
        const struct gs_burst_train_view *const view = &trains->train[i].view;
        if (gs_burst_train_determines(view, &m->curve.sensor) &&
            (best == NULL || view->fit.r_squared > best->r_squared))
            best = &view->fit;
    }
    if (best != NULL) {
        gs_sensor_set_window(&own.curve.sensor, best->window_ns, best->delay_ns, GS_SENSOR_FIT);
        own.curve.sensor.delay_from = GS_SENSOR_FIT;
    }
    return own;
}

static void note_settled(const struct gs_power_meter *m, struct gs_str label,
                         struct gs_notes *notes)
{
    const double ms = (double)GS_NS_PER_MS;
    gs_note(notes, GS_NOTE_INFO,
            "%s: repeated events show that the sensor's window is %.4g ms, %.4g ms late",
            label.ptr == NULL ? "the log" : GS_SHOWN(label, 80),
            (double)m->curve.sensor.window_ns / ms, (double)m->curve.sensor.delay_ns / ms);
}

static enum gs_status cut_log(struct cutting *c, const struct gs_power_gpu *of,
                              const struct chosen *chosen, struct gs_err *err)
{
    const struct gs_span *const span = chosen->spans.span;
    const size_t n = chosen->spans.n;
    GS_NEW_RAW(int64_t, from, n, c->arena, err);
    GS_NEW_RAW(int64_t, to, n, c->arena, err);
    GS_NEW(struct gs_energy_sum, e, n, c->arena, err);
    bool whole = true;
    for (size_t w = 0; w < n; w++) {
        from[w] = span[w].start_ns;
        to[w] = span[w].stop_ns;
        whole &= from[w] % GS_NS_PER_S == 0 && to[w] % GS_NS_PER_S == 0;
    }
    struct gs_power_trains trains = {NULL, 0};
    GS_TRY(find_trains(c, of, &chosen->spans, &trains, err));
    struct gs_power_meter m = settled(&of->meter, &trains);
    m.curve.sensor.cut_ns = whole ? GS_NS_PER_S : 0; /* see gs_pairs_cut_ns */
    if (n > 0)
        gs_sensor_tally_add(&c->sensors, &m.curve.sensor);
    if (m.curve.sensor.window_from == GS_SENSOR_FIT)
        note_settled(&m, of->label, c->notes);
    GS_TRY(gs_power_stretches(&m, n, from, to, c->arena, e, err));
    apply_trains(c, &m, &chosen->spans, &trains, e);
    for (size_t w = 0; w < n; w++, c->row++) {
        const gs_i128 length_ns = (gs_i128)to[w] - from[w];
        fill_span(c->frame, c->row, &span[w], chosen->window[w], of->label);
        c->n_empty += !fill_readings(c->frame, c->row, of->log, from[w], to[w]);
        fill_energy(c->frame, c->row, &m, &span[w], &e[w], c->counters);
        gs_energy_sum_merge(&c->used, &e[w]);
        c->total_ns += length_ns;
        c->n_outside += 100 * e[w].time_ns < 99 * length_ns;
    }
    return GS_OK;
}

static void note_windows(const struct cutting *c)
{
    if (c->n_empty > 0)
        gs_note(c->notes, GS_NOTE_WARNING, "%zu of %zu windows hold no reading%s", c->n_empty,
                c->row,
                c->n_empty == c->row ? "; is the windows' clock another one? (--shift, --tz)" : "");
    else if (100 * c->used.time_ns < 99 * c->total_ns)
        gs_note(c->notes, GS_NOTE_WARNING,
                "readings reach over %.1f %% of the windows' time, less than 99 %% of %zu of %zu "
                "windows; the rest has no energy",
                100.0 * (double)c->used.time_ns / (double)c->total_ns, c->n_outside, c->row);
    gs_energy_gaps_note(&c->used, 0, c->notes);
    if (c->n_short > 0)
        gs_note(c->notes, GS_NOTE_WARNING,
                "%zu of %zu windows are shorter than the sensor's period and window, and have no "
                "energy of their own%s",
                c->n_short, c->row,
                c->gpus->options->bursts ? " without repetitions to fit"
                                         : " (--bursts fits repeated ones)");
    gs_energy_width_note(&c->used, &c->sensors, c->notes);
}

static enum gs_status check_used(const struct gs_span_list *spans, const bool *used,
                                 struct gs_notes *notes, struct gs_err *err)
{
    size_t n = 0, first = 0;
    for (size_t w = 0; w < spans->n; w++)
        if (!used[w])
            first = n++ == 0 ? w : first;
    if (n == 0)
        return GS_OK;
    const struct gs_span *const s = &spans->span[first];
    const char *const host = GS_SHOWN(gs_str_or(s->host, gs_str("any host")), 80),
                      *const gpu = GS_SHOWN(gs_str_or(s->gpu, gs_str("any GPU")), 80);
    if (n == spans->n)
        return gs_fail(err, GS_ERR_DATA,
                       "no window is of a GPU in the log; the first names '%s' on '%s'", gpu, host);
    gs_note(
        notes, GS_NOTE_WARNING,
        "%zu of %zu windows name a GPU that is not in the log and are left out; the first '%s' on "
        "'%s'",
        n, spans->n, gpu, host);
    return GS_OK;
}

enum gs_status gs_power_windows(const struct gs_power_gpus *gpus, const struct gs_span_list *spans,
                                int64_t shift_ns, struct gs_arena *arena, struct gs_frames *out,
                                struct gs_err *err)
{
    enum { ALL = sizeof window_columns / sizeof *window_columns, OF_COUNTERS = 2 };
    struct cutting c = {.gpus = gpus, .arena = arena, .notes = &out->notes, .shift_ns = shift_ns};
    struct chosen chosen;
    size_t n_rows = 0;
    GS_TRY(gs_had_memory(make_chosen(spans, arena, &chosen), err));
    for (size_t k = 0; k < gpus->n; k++) {
        const struct gs_power_gpu *const of = &gpus->gpu[k];
        if (of->log->n == 0)
            continue;
        if (of->log->t_ns == NULL)
            return gs_fail(err, GS_ERR_DATA,
                           "%s: has no times, so it cannot be cut into windows (--interval)",
                           of->table->name);
        c.counters |= of->meter.counter.n > 1;
        choose_spans(&c, spans, of, &chosen);
        n_rows += chosen.spans.n;
    }
    GS_TRY(check_used(spans, chosen.used, &out->notes, err));
    struct gs_column_spec specs[ALL];
    memcpy(specs, window_columns, sizeof window_columns);
    struct gs_column_spec *low = specs;
    while (low->id != GS_COL_ENERGY_LOW_J)
        low++;
    low->how = gs_power_explained(low->how, gpus, arena);
    GS_TRY(gs_had_memory(low->how != NULL, err));
    GS_TRY(gs_frame_new(arena,
                        GS_HEAD("power-windows", "Power and energy of each window", specs,
                                c.counters ? ALL : ALL - OF_COUNTERS),
                        n_rows, out, &c.frame, err));
    for (size_t k = 0; k < gpus->n; k++) {
        if (gpus->gpu[k].log->n == 0)
            continue;
        choose_spans(&c, spans, &gpus->gpu[k], &chosen);
        GS_TRY(cut_log(&c, &gpus->gpu[k], &chosen, err));
    }
    note_windows(&c);
    return GS_OK;
}
