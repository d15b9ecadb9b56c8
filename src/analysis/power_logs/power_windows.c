/* power_windows.c - a power log cut into spans: their readings, and their energy as the sensor gives it. */
#include <math.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "base/num/dd.h"
#include "stats/exact/moments.h"
#include "analysis/power_logs/power_bursts.h"
#include "stats/exact/quantile.h"

/* A span's ends on the log's clock. What falls out of int64 is out of any log's time too. */
static int64_t shifted(int64_t t_ns, int64_t shift_ns)
{
    int64_t v;
    if (__builtin_add_overflow(t_ns, shift_ns, &v))
        return shift_ns < 0 ? INT64_MIN + 1 : INT64_MAX;
    return v;
}

enum {
    W_GPU,
    W_WINDOW,
    W_EVENT,
    W_START,
    W_STOP,
    W_DURATION,
    W_SAMPLES,
    W_MEAN,
    W_SD,
    W_MAX,
    W_UTIL,
    W_ENERGY,
    W_COVERAGE,
    W_LOW,
    W_HIGH,
    W_COLUMNS,
    W_COUNTER = W_COLUMNS,
    W_COUNTER_DIFFERENCE,
    W_COLUMNS_COUNTER
};

static const struct gs_column_spec window_columns[W_COLUMNS_COUNTER] = {
    [W_GPU] = GS_COL(GPU),
    [W_WINDOW] = GS_COL(WINDOW),
    [W_EVENT] = GS_COL(EVENT, .how = "name of the span, where it has one"),
    [W_START] = GS_COL(START, .how = "start of the span on the log's clock"),
    [W_STOP] = GS_COL(STOP, .how = "end of the span on the log's clock"),
    [W_DURATION] = GS_COL(DURATION_S),
    [W_SAMPLES] = GS_COL(N_SAMPLES, .how = "readings with start <= t <= stop"),
    [W_MEAN] = GS_COL(POWER_MEAN_W, .how = "mean of the readings inside"),
    [W_SD] = GS_COL(POWER_SD_W, .how = "their standard deviation, divisor n - 1"),
    [W_MAX] = GS_COL(POWER_MAX_W, .how = "greatest reading inside"),
    [W_UTIL] = GS_COL(GPU_UTIL_MEAN_PCT, .label = "GPU utilisation", .digits = GS_DIGITS(1),
                      .how = "mean of the readings inside"),
    [W_ENERGY] = GS_COL(
        ENERGY_J, .digits = GS_DIGITS(2),
        .how = "energy over the span: " GS_ENERGY_HOW ", its gain and offset taken out where they "
               "are known; with --bursts, of a repeated span too short for the sensor, the "
               "level of the repeated-burst fit times its length"),
    [W_COVERAGE] = GS_COL(COVERAGE_PCT),
    [W_LOW] =
        GS_COL(ENERGY_LOW_J, .digits = GS_DIGITS(2),
               .how = "lower end of the 95 % interval of the energy: " GS_ENERGY_INTERVAL_HOW),
    [W_HIGH] = GS_COL(ENERGY_HIGH_J, .digits = GS_DIGITS(2)),
    [W_COUNTER] = GS_COL(ENERGY_COUNTER_J, .digits = GS_DIGITS(2),
                         .how = "the board's own energy counter: difference between stop and "
                                "start, straight between the readings around each, resets taken "
                                "out; missing where it does not reach over the span"),
    [W_COUNTER_DIFFERENCE] = GS_COL(
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
    gs_frame_set_int(f, row, W_SAMPLES, (int64_t)power.n);
    double v;
    if (gs_moments_mean(&power, GS_FIXED_ONE, &v, NULL) == GS_OK)
        gs_frame_set_real(f, row, W_MEAN, v);
    if (gs_moments_ssd(&power, GS_FIXED_ONE, &v, NULL) == GS_OK)
        gs_frame_set_real(f, row, W_SD, v);
    if (gs_moments_max(&power, GS_FIXED_ONE, &v, NULL) == GS_OK)
        gs_frame_set_real(f, row, W_MAX, v);
    if (gs_moments_mean(&util, GS_FIXED_ONE, &v, NULL) == GS_OK)
        gs_frame_set_real(f, row, W_UTIL, v);
    return power.n > 0;
}

static void fill_span(struct gs_frame *f, size_t row, const struct gs_span *span, size_t window,
                      struct gs_str label)
{
    const gs_i128 duration = (gs_i128)span->stop_ns - span->start_ns;
    gs_frame_set_text(f, row, W_GPU, label);
    gs_frame_set_int(f, row, W_WINDOW, (int64_t)window + 1);
    gs_frame_set_text(f, row, W_EVENT, span->name);
    gs_frame_set_time(f, row, W_START, span->start_ns);
    gs_frame_set_time(f, row, W_STOP, span->stop_ns);
    gs_frame_set_real(f, row, W_DURATION, gs_dd_to_double(gs_dd_ratio(duration, GS_NS_PER_S)));
}

static void fill_energy(struct gs_frame *f, size_t row, const struct gs_power_meter *m,
                        const struct gs_span *span, const struct gs_energy_sum *e, bool counters)
{
    const gs_i128 duration = (gs_i128)span->stop_ns - span->start_ns;
    struct gs_counted counted = {0};
    double low, high;
    gs_energy_interval(e, &low, &high);
    if (e->n > 0)
        gs_frame_set_real(f, row, W_ENERGY, gs_energy_j(e->energy));
    gs_frame_set_real(f, row, W_LOW, low);
    gs_frame_set_real(f, row, W_HIGH, high);
    gs_frame_set_real(f, row, W_COVERAGE, gs_energy_coverage_pct(e, duration));
    if (!counters)
        return;
    gs_power_count(m, span->start_ns, span->stop_ns, e, &counted);
    gs_frame_set_real(f, row, W_COUNTER, gs_counted_j(&counted));
    gs_frame_set_real(f, row, W_COUNTER_DIFFERENCE, gs_counted_difference_pct(&counted));
}

static bool ends_in(struct gs_str text, struct gs_str end)
{
    return end.len < text.len && text.ptr[text.len - end.len - 1] == '/' &&
           memcmp(text.ptr + text.len - end.len, end.ptr, end.len) == 0;
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
static bool is_meant(const struct gs_span *span, const struct gs_log_table *table,
                     const struct gs_log *log, size_t n_logs)
{
    const struct gs_str gpu = log->gpu.ptr == NULL ? gs_str("") : log->gpu;
    const void *const slash = gpu.len == 0 ? NULL : memchr(gpu.ptr, '/', gpu.len);
    if (span->gpu.ptr != NULL && !gs_str_eq(span->gpu, gpu) && !ends_in(gpu, span->gpu))
        return false;
    if (span->host.ptr == NULL || (slash == NULL && n_logs == 1))
        return true;
    if (slash == NULL)
        return begins_with(table->stem, span->host);
    return begins_with(gpu, span->host) && span->host.len < gpu.len &&
           gpu.ptr[span->host.len] == '/';
}

/* Everything about the windows of one run that several functions need. */
struct cutting {
    const struct gs_log_table *logs;
    size_t n_logs;
    const struct gs_power_options *options;
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
                         const struct gs_span *span, size_t n, const struct gs_power_train *train,
                         size_t n_trains, struct gs_energy_sum *e)
{
    /*
     * Two groups of windows: those of a train that the sensor does not resolve lose their own
     * integral. All others that a train overlaps keep it, with the doubt that the train adds.
     */
    bool *const repeated = gs_arena_take(c->arena, n, sizeof *repeated);
    for (size_t k = 0; repeated != NULL && k < n_trains; k++) {
        const struct gs_power_train *const t = &train[k];
        for (size_t i = 0; i < t->n_windows; i++) {
            const size_t w = t->window[i];
            const int64_t length = span[w].stop_ns - span[w].start_ns;
            if (!t->view.refused && !gs_power_too_short(m, length))
                continue;
            repeated[w] = true;
            if (!t->view.refused && c->options->bursts && t->view.fitted)
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
    for (size_t w = 0; repeated != NULL && c->options->bursts && w < n; w++)
        if (!repeated[w] && gs_power_too_short(m, span[w].stop_ns - span[w].start_ns)) {
            e[w] = (struct gs_energy_sum){0};
            c->n_short++;
        }
}

/* Spans in the log's clock that mean one log, and their numbers; returns how many. */
static size_t choose_spans(const struct gs_span_list *spans, int64_t shift_ns,
                           const struct gs_log_table *table, const struct gs_log *log,
                           size_t n_logs, struct gs_span *chosen, size_t *window, bool *used)
{
    size_t n = 0;
    for (size_t w = 0; w < spans->n; w++) {
        if (!is_meant(&spans->span[w], table, log, n_logs))
            continue;
        used[w] = true;
        chosen[n] = spans->span[w];
        chosen[n].start_ns = shifted(chosen[n].start_ns, shift_ns);
        chosen[n].stop_ns = shifted(chosen[n].stop_ns, shift_ns);
        window[n++] = w;
    }
    return n;
}

/* The trains of the windows, then those of the load, which have no window. */
static enum gs_status find_trains(struct cutting *c, const struct gs_power_meter *m,
                                  struct gs_str label, const struct gs_span *span, size_t n,
                                  const struct gs_log_table *table, struct gs_power_train **train,
                                  size_t *n_trains, struct gs_err *err)
{
    const struct gs_span_list *const load = c->options->load;
    struct gs_power_train *own, *other, *all;
    size_t n_own, n_other;
    enum gs_status s =
        gs_power_bursts(m, label, span, n, c->options, c->arena, c->notes, &own, &n_own, err);
    *train = own;
    *n_trains = n_own;
    if (s != GS_OK || load == NULL)
        return s;
    struct gs_span *const ran = gs_arena_take(c->arena, load->n, sizeof *ran);
    size_t *const number = gs_arena_take(c->arena, load->n, sizeof *number);
    bool *const used = gs_arena_take(c->arena, load->n, sizeof *used);
    if (ran == NULL || number == NULL || used == NULL)
        return gs_fail_memory(err);
    const size_t n_ran =
        choose_spans(load, c->shift_ns, table, m->log, c->n_logs, ran, number, used);
    s = gs_power_bursts(m, label, ran, n_ran, c->options, c->arena, c->notes, &other, &n_other,
                        err);
    if (s == GS_OK && (all = gs_arena_take(c->arena, n_own + n_other, sizeof *all)) == NULL)
        s = gs_fail_memory(err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < n_own + n_other; i++) {
        all[i] = i < n_own ? own[i] : other[i - n_own];
        /*
         * The load's trains are no rows of the table, so they may only widen or refuse the windows
         * that they overlap.
         */
        all[i].n_windows = i < n_own ? own[i].n_windows : 0;
    }
    *train = all;
    *n_trains = n_own + n_other;
    return GS_OK;
}

/*
 * The meter with the window that the trains tell where it is only read from the log. A copy: what
 * the windows of one call tell of the sensor must not change other tables of the same log.
 */
static struct gs_power_meter settled(const struct gs_power_meter *m,
                                     const struct gs_power_train *train, size_t n)
{
    const struct gs_boxcar_fit *best = NULL;
    struct gs_power_meter own = *m;
    for (size_t i = 0; i < n; i++)
        if (gs_burst_train_determines(&train[i].view, &m->curve.sensor) &&
            (best == NULL || train[i].view.fit.r_squared > best->r_squared))
            best = &train[i].view.fit;
    if (best != NULL) {
        gs_sensor_set_window(&own.curve.sensor, best->window_ns, best->delay_ns, GS_SENSOR_FIT);
        own.curve.sensor.delay_from = GS_SENSOR_FIT;
    }
    return own;
}

static void note_settled(const struct gs_power_meter *m, struct gs_str label,
                         struct gs_notes *notes)
{
    char gpu[80];
    const double ms = (double)GS_NS_PER_MS;
    gs_note(notes, GS_NOTE_INFO,
            "%s: repeated events tell the sensor's window, %.4g ms, and that it is %.4g ms late",
            label.ptr == NULL ? "the log" : gs_escape(gpu, sizeof gpu, label),
            (double)m->curve.sensor.window_ns / ms, (double)m->curve.sensor.delay_ns / ms);
}

/* `span` are the spans of this GPU in the log's clock, `window` their numbers. */
static enum gs_status cut_log(struct cutting *c, const struct gs_log_table *table,
                              const struct gs_power_meter *meter, const struct gs_span *span,
                              const size_t *window, size_t n, struct gs_err *err)
{
    struct gs_str label;
    int64_t *const from = gs_arena_take_raw(c->arena, n, sizeof *from);
    int64_t *const to = gs_arena_take_raw(c->arena, n, sizeof *to);
    struct gs_energy_sum *const e = gs_arena_take(c->arena, n, sizeof *e);
    if (from == NULL || to == NULL || e == NULL ||
        !gs_power_label(table, meter->log, c->n_logs, c->arena, &label))
        return gs_fail_memory(err);
    for (size_t w = 0; w < n; w++) {
        from[w] = span[w].start_ns;
        to[w] = span[w].stop_ns;
    }
    struct gs_power_train *train = NULL;
    size_t n_trains = 0;
    enum gs_status s = find_trains(c, meter, label, span, n, table, &train, &n_trains, err);
    const struct gs_power_meter own = settled(meter, train, n_trains), *const m = &own;
    if (n > 0)
        gs_sensor_tally_add(&c->sensors, &own.curve.sensor);
    if (own.curve.sensor.window_from == GS_SENSOR_FIT)
        note_settled(&own, label, c->notes);
    if (s == GS_OK)
        s = gs_power_stretches(m, n, from, to, c->arena, e, err);
    if (s == GS_OK)
        apply_trains(c, m, span, n, train, n_trains, e);
    for (size_t w = 0; s == GS_OK && w < n; w++, c->row++) {
        const gs_i128 length_ns = (gs_i128)to[w] - from[w];
        fill_span(c->frame, c->row, &span[w], window[w], label);
        c->n_empty += !fill_readings(c->frame, c->row, m->log, from[w], to[w]);
        fill_energy(c->frame, c->row, m, &span[w], &e[w], c->counters);
        gs_energy_sum_merge(&c->used, &e[w]);
        c->total_ns += length_ns;
        c->n_outside += 100 * e[w].time_ns < 99 * length_ns;
    }
    return s;
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
    gs_energy_gaps_note(&c->used, c->notes);
    if (c->n_short > 0)
        gs_note(c->notes, GS_NOTE_WARNING,
                "%zu of %zu windows are shorter than the sensor's period and window, and have no "
                "energy of their own%s",
                c->n_short, c->row,
                c->options->bursts ? " without repetitions to fit"
                                   : " (--bursts fits repeated ones)");
    gs_energy_width_note(&c->used, &c->sensors, c->notes);
}

static enum gs_status check_used(const struct gs_span_list *spans, const bool *used,
                                 struct gs_notes *notes, struct gs_err *err)
{
    size_t n = 0, first = 0;
    for (size_t w = 0; w < spans->n; w++)
        if (!used[w]) {
            first = n++ == 0 ? w : first;
        }
    if (n == 0)
        return GS_OK;
    char host[80], gpu[80];
    const struct gs_span *const s = &spans->span[first];
    gs_escape(host, sizeof host, s->host.ptr == NULL ? gs_str("any host") : s->host);
    gs_escape(gpu, sizeof gpu, s->gpu.ptr == NULL ? gs_str("any GPU") : s->gpu);
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

enum gs_status gs_power_windows(const struct gs_log_table *logs, size_t n_logs,
                                const struct gs_power_meter *meter,
                                const struct gs_span_list *spans, int64_t shift_ns,
                                const struct gs_power_options *o, struct gs_arena *arena,
                                struct gs_frames *out, struct gs_err *err)
{
    struct cutting c = {.logs = logs,
                        .n_logs = n_logs,
                        .options = o,
                        .arena = arena,
                        .notes = &out->notes,
                        .shift_ns = shift_ns};
    bool *const used = gs_arena_take(arena, spans->n, sizeof *used);
    struct gs_span *const chosen = gs_arena_take(arena, spans->n, sizeof *chosen);
    size_t *const window = gs_arena_take(arena, spans->n, sizeof *window);
    if (used == NULL || chosen == NULL || window == NULL)
        return gs_fail_memory(err);
    size_t n_rows = 0, k = 0;
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, k++) {
            if (logs[l].log[g].n == 0)
                continue;
            if (logs[l].log[g].t_ns == NULL)
                return gs_fail(err, GS_ERR_DATA,
                               "%s: has no times, so it cannot be cut into windows (--interval)",
                               logs[l].name);
            c.counters |= meter[k].counter.n > 1;
            n_rows += choose_spans(spans, shift_ns, &logs[l], &logs[l].log[g], n_logs, chosen,
                                   window, used);
        }
    enum gs_status s = check_used(spans, used, &out->notes, err);
    struct gs_column_spec *const specs = gs_arena_take_raw(arena, W_COLUMNS_COUNTER, sizeof *specs);
    const char *const how =
        gs_power_explained(gs_column_resolve(&window_columns[W_LOW], W_LOW).how, meter, k, arena);
    if (s == GS_OK && (specs == NULL || how == NULL))
        s = gs_fail_memory(err);
    if (s == GS_OK) {
        memcpy(specs, window_columns, sizeof window_columns);
        specs[W_LOW].how = how;
    }
    if (s == GS_OK)
        s = gs_frame_new(arena, "power-windows", "Power and energy of each window", specs,
                         c.counters ? W_COLUMNS_COUNTER : W_COLUMNS, n_rows, out, &c.frame, err);
    k = 0;
    for (size_t l = 0; s == GS_OK && l < n_logs; l++)
        for (size_t g = 0; s == GS_OK && g < logs[l].n_logs; g++, k++) {
            if (logs[l].log[g].n == 0)
                continue;
            const size_t n = choose_spans(spans, shift_ns, &logs[l], &logs[l].log[g], n_logs,
                                          chosen, window, used);
            s = cut_log(&c, &logs[l], &meter[k], chosen, window, n, err);
        }
    if (s == GS_OK)
        note_windows(&c);
    return s;
}
