/* rhythm.c - how a GPU was sampled: which power its energies are of, its sensor, the longest gap that is bridged. */
#include <string.h>

#include "view/host_view.h"

static int64_t times(int64_t ns, int64_t n)
{
    return ns > INT64_MAX / n ? INT64_MAX : ns * n;
}

static enum gs_power_column column_of(const struct gs_metric *m)
{
    return strcmp(m->name, "power_instant_w") == 0   ? GS_COLUMN_INSTANT
           : strcmp(m->name, "power_average_w") == 0 ? GS_COLUMN_AVERAGE
                                                     : GS_COLUMN_DRAW;
}

static uint32_t count_readings(const int64_t *v, uint32_t n)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < n; i++)
        there += v[i] != GS_MISSING;
    return there;
}

/* In windows a reading of an instant goes before one that may be a mean over a second. Says what the power is. */
static enum gs_power_column choose_power(const struct gs_dataset *d, struct gs_gpu_view *g)
{
    const uint32_t m = gs_metrics_find(d->metric, d->n_metrics, gs_str("power_instant_w"));
    if (m != UINT32_MAX && count_readings(g->value[m], g->n) >= count_readings(g->value[GS_POWER], g->n))
        g->drawn = m;
    return column_of(d->metric[g->drawn != GS_POWER ? g->drawn : d->power_metric]);
}

bool gs_gpu_find_rhythm(const struct gs_dataset *d, struct gs_gpu_view *g, struct gs_arena *scratch)
{
    const struct gs_sensor_hint hint = {
        .spec = d->sensor, .card = d->card.ptr != NULL ? d->card : d->gpu[g->gpu].card, .column = choose_power(d, g)};
    struct gs_power_series series = {g->n, g->t_ns, g->value[g->drawn]};
    if (gs_sensor_find(&series, &hint, scratch, &g->sensor, NULL) != GS_OK)
        return false;
    int64_t interval = g->sensor.interval_ns, period = 0;
    if (g->sensor.period_from != GS_SENSOR_UNKNOWN)
        period = g->sensor.period_ns;
    g->max_gap_ns = times(interval, 3) > times(period, 2) ? times(interval, 3) : times(period, 2);
    series.power = g->t_ns; /* which is never missing */
    if (interval == 0 && gs_sensor_rhythm(&series, scratch, &interval, &period, NULL) != GS_OK)
        return false;
    g->interval_ns = interval;
    return true;
}
