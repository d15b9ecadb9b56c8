/* power_bursts.c - trains of windows by name, judged and fitted for one GPU. */
#include "analysis/power_logs/power_bursts.h"

#include "base/core/intern.h"
#include "base/num/timestamp.h"

/* "burst 12" is one of the bursts. */
static struct gs_str stem_of(struct gs_str name)
{
    if (name.ptr == NULL)
        return gs_str("");
    size_t len = name.len;
    while (len > 0 && gs_is_digit(name.ptr[len - 1]))
        len--;
    while (len > 0 &&
           (name.ptr[len - 1] == ' ' || name.ptr[len - 1] == '_' || name.ptr[len - 1] == '-'))
        len--;
    return (struct gs_str){name.ptr, len};
}

bool gs_power_too_short(const struct gs_power_meter *m, int64_t length_ns)
{
    return m->curve.sensor.period_from != GS_SENSOR_UNKNOWN && length_ns < m->curve.sensor.reach_ns;
}

static void note_train(struct gs_notes *notes, struct gs_str label, const struct gs_power_train *t,
                       bool bursts)
{
    const char *const name = label.ptr == NULL ? "the log" : GS_SHOWN(label, 80);
    const double period_ms = (double)t->train.period_ns / (double)GS_NS_PER_MS;
    if (t->view.refused)
        gs_note(notes, GS_NOTE_WARNING,
                "%s: the sensor sees only part of the %zu windows that repeat every %.4g ms: %s; "
                "no interval, and no energy of one of them",
                name, t->train.n, period_ms, t->view.why);
    else if (bursts && t->view.fitted && t->n_windows > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%s: %zu windows that repeat every %.4g ms: the readings fit %.1f W off and %.1f W "
                "on through a window of %.4g ms, %.4g ms late, R^2 = %.4f",
                name, t->train.n, period_ms, t->view.fit.off, t->view.fit.on,
                (double)t->view.fit.window_ns / (double)GS_NS_PER_MS,
                (double)t->view.fit.delay_ns / (double)GS_NS_PER_MS, t->view.fit.r_squared);
}

struct group {
    const struct gs_power_meter *meter;
    struct gs_power_series series;
    size_t n, *window;
    struct gs_burst *burst;
};

static enum gs_status inspect_group(const struct group *g, bool bursts, struct gs_arena *arena,
                                    struct gs_power_trains *trains, struct gs_err *err)
{
    const struct gs_sensor *const sensor = &g->meter->curve.sensor;
    const struct gs_bursts_seen seen = {&g->series, sensor, g->burst, g->n};
    struct gs_burst_train *found;
    size_t n;
    if (sensor->rhythm == GS_RHYTHM_COUNTED) /* it misses nothing of a train */
        return GS_OK;
    enum gs_status s = gs_burst_trains_find(g->burst, g->n, arena, &found, &n, err);
    GS_OWN struct gs_arena scratch = {0};
    for (size_t i = 0; s == GS_OK && i < n; i++) {
        struct gs_power_train *const t = &trains->train[trains->n++];
        const bool cut = gs_sensor_in_sight(sensor) && gs_burst_train_wants_fit(&found[i], sensor);
        *t = (struct gs_power_train){.train = found[i],
                                     .start_ns = g->burst[found[i].first].start_ns,
                                     .stop_ns = g->burst[found[i].first + found[i].n - 1].stop_ns,
                                     .n_windows = found[i].n,
                                     .window = g->window + found[i].first};
        s = gs_burst_train_inspect(&seen, &found[i], bursts || cut, &scratch, &t->view, err);
    }
    struct gs_burst_train_view view = {0};
    if (s == GS_OK && n == 0)
        s = gs_bursts_inspect(&seen, &scratch, &view, err);
    /* it covers no time: only its window counts */
    if (s == GS_OK && gs_burst_train_determines(&view, sensor))
        trains->train[trains->n++] =
            (struct gs_power_train){.view = view, .start_ns = INT64_MAX, .stop_ns = INT64_MIN};
    return s;
}

enum gs_status gs_power_bursts(const struct gs_power_gpu *gpu, const struct gs_span_list *spans,
                               const struct gs_power_options *o, struct gs_arena *arena,
                               struct gs_notes *notes, struct gs_power_trains *trains,
                               struct gs_err *err)
{
    const struct gs_span *const span = spans->span;
    const size_t n = spans->n;
    struct gs_intern stems = {.arena = arena, .seed = o->seed};
    GS_NEW_RAW(uint32_t, stem, n, arena, err);
    /*
     * A train has at least 5 windows of its own name. A name without a train may add one entry
     * that tells the window; it too has at least 5 windows.
     */
    *trains = (struct gs_power_trains){0};
    GS_TAKE(trains->train, n / 5 + 1, arena, err);
    struct group g = {.meter = &gpu->meter,
                      .series = {gpu->log->n, gpu->log->t_ns, gpu->log->value[GS_LOG_POWER], NULL}};
    for (size_t i = 0; i < n; i++)
        if ((stem[i] = gs_intern_add(&stems, stem_of(span[i].name))) == GS_INTERN_NONE)
            return gs_fail_memory(err);
    for (uint32_t k = 0; k < stems.n; k++) {
        g.n = 0;
        GS_TAKE_RAW(g.window, n, arena, err);
        GS_TAKE_RAW(g.burst, n, arena, err);
        for (size_t i = 0; i < n; i++)
            if (stem[i] == k) {
                g.window[g.n] = i;
                g.burst[g.n++] = (struct gs_burst){span[i].start_ns, span[i].stop_ns};
            }
        GS_TRY(inspect_group(&g, o->bursts, arena, trains, err));
    }
    for (size_t i = 0; i < trains->n; i++)
        note_train(notes, gpu->label, &trains->train[i], o->bursts);
    return GS_OK;
}

struct gs_energy_sum gs_power_burst(const struct gs_power_meter *m, const struct gs_power_train *t,
                                    int64_t length_ns)
{
    struct gs_energy_sum s = {0};
    gs_burst_train_burst(&t->view, &m->curve.sensor, length_ns, &s);
    gs_energy_sum_end_gpu(&s);
    return s;
}
