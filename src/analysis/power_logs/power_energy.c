/* power_energy.c - sensors of logs, energies of stretches with their doubt, energy counters. */
#include "analysis/power_logs/power_energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/num/timestamp.h"
#include "analysis/energy/energy.h"
#include "analysis/sensor/sensor_cards.h"
#include "stats/exact/quantile.h"

enum { DEAD_READINGS = 60, SAID_MOST = 4 };
static const int64_t dead_ns = 60 * GS_NS_PER_S;

static struct gs_power_series series_of(const struct gs_log *log)
{
    return (struct gs_power_series){log->n, log->t_ns, log->value[GS_LOG_POWER]};
}

/*
 * Sixty equal readings over a minute: a real sensor flickers even when idle. Short or sparse logs
 * prove nothing.
 */
static bool is_dead(const struct gs_log *log)
{
    const int64_t *const p = log->value[GS_LOG_POWER];
    if (log->t_ns == NULL || log->n < DEAD_READINGS ||
        (double)log->t_ns[log->n - 1] - (double)log->t_ns[0] < (double)dead_ns)
        return false;
    for (size_t i = 1; i < log->n; i++)
        if (p[i] != p[0])
            return false;
    return true;
}

bool gs_power_meter_note(const struct gs_log_table *t, const struct gs_power_meter *m,
                         size_t n_said, struct gs_notes *notes)
{
    char gpu[80], text[512], card[128];
    const bool named = m->log->gpu.ptr != NULL, has_sensor = m->timed && m->log->n > 1;
    const char *const between = named ? ": GPU " : "", *const name =
                                                           named ? gs_escape(gpu, sizeof gpu,
                                                                             m->log->gpu)
                                                                 : "";
    struct gs_arena scratch = {0};
    struct gs_buf b = {.arena = &scratch};
    gs_sensor_describe(&m->curve.sensor, &b);
    gs_escape(text, sizeof text, gs_buf_str(&b)); /* no data in it: only its end could be cut */
    if (has_sensor && n_said < SAID_MOST)
        gs_note(notes, GS_NOTE_INFO, "%s%s%s: sensor: %s", t->name, between, name,
                b.failed ? "" : text);
    gs_arena_release(&scratch);
    if (m->dead)
        gs_note(notes, GS_NOTE_WARNING,
                "%s%s%s: all %zu readings over %.0f s are %.2f W: the sensor looks dead", t->name,
                between, name, m->log->n, m->span_s, m->first_w);
    if (m->log->card.ptr != NULL && !gs_sensor_card_known(m->log->card))
        gs_note(notes, GS_NOTE_INFO,
                "%s: the card '%s' is not in the table of measured cards: its scale is unknown",
                t->name, gs_escape(card, sizeof card, m->log->card));
    return has_sensor;
}

void gs_power_meters_note_rest(const struct gs_power_meter *meter, size_t n_meters, size_t n,
                               struct gs_notes *notes)
{
    struct gs_view_totals totals;
    gs_view_totals_init(&totals);
    for (size_t k = 0; k < n_meters; k++)
        gs_view_totals_counter(&totals, &meter[k].counter);
    gs_counter_notes(&totals, notes);
    if (n > SAID_MOST)
        gs_note(notes, GS_NOTE_INFO, "sensor%s of %zu further GPU%s found in the same way",
                n - SAID_MOST == 1 ? "" : "s", n - SAID_MOST,
                n - SAID_MOST == 1 ? " was" : "s were");
}

enum gs_status gs_power_meter_of(const struct gs_log *log, enum gs_power_column column,
                                 const struct gs_power_options *o, struct gs_arena *arena,
                                 struct gs_power_meter *m, struct gs_err *err)
{
    static const int64_t nothing[1];
    const struct gs_sensor_hint hint = {o->sensor, o->card.ptr != NULL ? o->card : log->card,
                                        column, 0};
    struct gs_power_series series = series_of(log);
    *m = (struct gs_power_meter){.log = log, .column = column, .timed = log->t_ns != NULL};
    if (log->n > 0) {
        m->first_w = (double)log->value[GS_LOG_POWER][0] / (double)GS_FIXED_ONE;
        if (m->timed)
            m->span_s =
                (double)((gs_i128)log->t_ns[log->n - 1] - log->t_ns[0]) / (double)GS_NS_PER_S;
    }
    if (log->t_ns == NULL)
        /*
         * Without times there is no energy over time, but the log still has a mean. The empty
         * series makes a curve of no readings.
         */
        series = (struct gs_power_series){0, nothing, nothing};
    struct gs_arena scratch = {0};
    struct gs_sensor sensor;
    gs_u128 most = 0;
    const struct gs_gpu_view view = {
        .n = (uint32_t)series.n, .t_ns = series.t_ns, .value = &series.power};
    enum gs_status s =
        series.n > UINT32_MAX ? gs_fail_memory(err) : gs_energy_check_gpu(&view, &most, err);
    if (s == GS_OK)
        s = gs_sensor_find(&series, &hint, &scratch, &sensor, err);
    gs_arena_release(&scratch);
    if (s == GS_OK)
        s = gs_energy_curve_make(&series, &sensor, o->max_gap_ns > 0 ? o->max_gap_ns : -1, arena,
                                 &m->curve, err);
    m->dead = is_dead(log);
    series = (struct gs_power_series){log->n, log->t_ns, log->value[GS_LOG_ENERGY]};
    if (s == GS_OK && series.t_ns != NULL && series.power != NULL)
        s = gs_counter_read(&series, &m->curve, arena, &m->counter, err);
    return s;
}

enum gs_status gs_power_meters(const struct gs_log_table *logs, size_t n_logs,
                               const struct gs_power_options *o, struct gs_arena *arena,
                               struct gs_power_meter **meter, struct gs_notes *notes,
                               struct gs_err *err)
{
    size_t n = 0, k = 0, n_said = 0;
    for (size_t l = 0; l < n_logs; l++)
        n += logs[l].n_logs;
    struct gs_power_meter *const m = gs_arena_take(arena, n, sizeof *m);
    if (m == NULL)
        return gs_fail_memory(err);
    for (size_t l = 0; l < n_logs; l++)
        for (size_t g = 0; g < logs[l].n_logs; g++, k++) {
            const enum gs_status s =
                gs_power_meter_of(&logs[l].log[g], logs[l].column, o, arena, &m[k], err);
            if (s != GS_OK)
                return s;
            if (notes != NULL)
                n_said += gs_power_meter_note(&logs[l], &m[k], n_said, notes);
        }
    if (notes != NULL)
        gs_power_meters_note_rest(m, n, n_said, notes);
    *meter = m;
    return GS_OK;
}

const char *gs_power_explained(const char *how, const struct gs_power_meter *meter, size_t n,
                               struct gs_arena *arena)
{
    struct gs_buf b = {.arena = arena};
    size_t said = 0, left = 0;
    gs_buf_text(&b, how);
    for (size_t k = 0; k < n; k++) {
        if (!meter[k].timed || meter[k].log->n < 2)
            continue;
        if (said++ >= SAID_MOST) {
            left++;
            continue;
        }
        gs_buf_text(&b, "; sensor");
        if (meter[k].log->gpu.ptr != NULL) {
            gs_buf_text(&b, " of GPU ");
            gs_buf_escaped(&b, meter[k].log->gpu, 80);
        }
        gs_buf_text(&b, ": ");
        gs_sensor_describe(&meter[k].curve.sensor, &b);
    }
    if (left > 0)
        gs_buf_format(&b, "; and %zu more", left);
    return b.failed ? NULL : b.ptr;
}

enum gs_status gs_power_stretches(const struct gs_power_meter *m, size_t n, const int64_t *from,
                                  const int64_t *to, struct gs_arena *scratch,
                                  struct gs_energy_sum *sum, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    int64_t *const t = gs_arena_take_raw(scratch, 2 * n, sizeof *t);
    struct gs_energy_point *const at = gs_arena_take_raw(scratch, 2 * n, sizeof *at);
    if (t == NULL || at == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        t[2 * i] = from[i];
        t[2 * i + 1] = to[i];
    }
    if (n > 0)
        /*
         * gs_energy_points wants ascending instants, and stretches may overlap. Equal instants
         * have equal points, so it does not matter which of them bsearch finds.
         */
        qsort(t, 2 * n, sizeof *t, gs_compare_int64);
    gs_energy_points(&m->curve, t, 2 * n, at);
    for (size_t i = 0; i < n; i++) {
        const int64_t *const a = bsearch(&from[i], t, 2 * n, sizeof *t, gs_compare_int64);
        const int64_t *const b = bsearch(&to[i], t, 2 * n, sizeof *t, gs_compare_int64);
        sum[i] = (struct gs_energy_sum){0};
        (void)gs_energy_sum_window(&sum[i], &m->curve, &at[a - t], &at[b - t]);
        gs_energy_sum_end_gpu(&sum[i]);
    }
    gs_arena_rewind(scratch, mark);
    return GS_OK;
}

void gs_power_count(const struct gs_power_meter *m, int64_t from_ns, int64_t to_ns,
                    const struct gs_energy_sum *e, struct gs_counted *counted)
{
    gs_i128 used;
    if (gs_counter_between(&m->counter, from_ns, to_ns, m->curve.max_gap_ns, &used))
        gs_counted_add(counted, used, e->energy, e->n_refused == 0 ? e->covered_ns : 0,
                       (gs_i128)to_ns - from_ns);
}
