/* power_energy.c - sensors of logs, energies of stretches with their doubt, energy counters. */
#include "analysis/power_logs/power_energy.h"

#include <math.h>
#include <stdlib.h>

#include "base/num/timestamp.h"
#include "analysis/energy/energy.h"
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"

enum { DEAD_READINGS = 60 };
static const int64_t dead_ns = 60 * GS_NS_PER_S;

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

enum gs_status gs_power_meter_of(const struct gs_log *log, enum gs_power_column column,
                                 const struct gs_power_options *o, struct gs_arena *arena,
                                 struct gs_power_meter *m, struct gs_err *err)
{
    static const int64_t nothing[1];
    const struct gs_sensor_hint hint = {o->sensor, o->card.ptr != NULL ? o->card : log->card,
                                        log->counted ? GS_COLUMN_COUNTER : column, 0,
                                        log->counted_step};
    const struct gs_log *const all = log->all != NULL ? log->all : log;
    struct gs_power_series series = {all->n, all->t_ns, all->value[GS_LOG_POWER], NULL};
    *m = (struct gs_power_meter){.log = log, .column = column, .timed = log->t_ns != NULL};
    if (log->n > 0)
        m->first_w = (double)log->value[GS_LOG_POWER][0] / (double)GS_FIXED_ONE;
    if (all->n > 0 && m->timed)
        m->span_s = (double)((gs_i128)gs_range_held(log->range, all->t_ns[all->n - 1]) -
                             gs_range_held(log->range, all->t_ns[0])) /
                    (double)GS_NS_PER_S;
    if (log->t_ns == NULL)
        /*
         * Without times there is no energy over time, but the log still has a mean. The empty
         * series makes a curve of no readings.
         */
        series = (struct gs_power_series){0, nothing, nothing, NULL};
    GS_OWN struct gs_arena scratch = {0};
    struct gs_sensor sensor;
    gs_u128 most = 0;
    const struct gs_gpu_view view = {
        .n = (uint32_t)series.n, .t_ns = series.t_ns, .value = &series.power};
    enum gs_status s =
        series.n > UINT32_MAX ? gs_fail_memory(err) : gs_energy_check_gpu(&view, &most, err);
    GS_THEN(s, gs_power_instants(&series, arena, err));
    GS_THEN(s, gs_sensor_find(&series, &hint, &scratch, &sensor, err));
    GS_THEN(s, gs_energy_curve_make(&series, &sensor, o->max_gap_ns > 0 ? o->max_gap_ns : -1, arena,
                                    &m->curve, err));
    m->dead = !log->counted && is_dead(log); /* a counter rises, or there is no power */
    series =
        (struct gs_power_series){all->n_with_time, all->row_t_ns, all->value[GS_LOG_ENERGY], NULL};
    if (s == GS_OK && series.t_ns != NULL && series.power != NULL)
        s = gs_counter_read(&series, &m->curve, arena, &m->counter, err);
    m->curve.range = log->range;
    return s;
}

enum gs_status gs_power_stretches(const struct gs_power_meter *m, size_t n, const int64_t *from,
                                  const int64_t *to, struct gs_arena *scratch,
                                  struct gs_energy_sum *sum, struct gs_err *err)
{
    GS_REWINDS(scratch);
    GS_NEW_RAW(int64_t, t, 2 * n, scratch, err);
    GS_NEW_RAW(struct gs_energy_point, at, 2 * n, scratch, err);
    for (size_t i = 0; i < n; i++) {
        t[2 * i] = from[i];
        t[2 * i + 1] = to[i];
    }
    if (n > 0)
        /*
         * gs_energy_points wants ascending instants, and stretches may overlap. Equal instants
         * have equal points, so it does not matter which of them bsearch finds.
         */
        GS_SORT(t, 2 * n, gs_compare_int64);
    gs_energy_points(&m->curve, t, 2 * n, at);
    for (size_t i = 0; i < n; i++) {
        const int64_t *const a = bsearch(&from[i], t, 2 * n, sizeof *t, gs_compare_int64);
        const int64_t *const b = bsearch(&to[i], t, 2 * n, sizeof *t, gs_compare_int64);
        sum[i] = (struct gs_energy_sum){0};
        (void)gs_energy_sum_window(&sum[i], &m->curve, &at[a - t], &at[b - t]);
        gs_energy_sum_end_gpu(&sum[i]);
    }
    return GS_OK;
}

void gs_power_count(const struct gs_power_meter *m, int64_t from_ns, int64_t to_ns,
                    const struct gs_energy_sum *e, struct gs_counted *counted)
{
    gs_i128 used;
    if (gs_counter_between(&m->counter, from_ns, to_ns, m->curve.max_gap_ns, &used))
        gs_counted_add(counted, used, e->energy,
                       e->n_refused == 0 && !m->log->counted ? e->covered_ns : 0,
                       (gs_i128)to_ns - from_ns);
}
