/*
 * sampling.c - how GPUs were sampled: which power their energies are of, their sensors, the longest gap that is bridged;
 * and the median interval of all.
 */
#include <string.h>

#include "analysis/timeline/host_view.h"
#include "stats/descriptive/quantile.h"

static enum gs_power_column column_of(const struct gs_metric *m)
{
    if (strcmp(m->name, "power_instant_w") == 0)
        return GS_COLUMN_INSTANT;
    if (strcmp(m->name, "power_average_w") == 0)
        return GS_COLUMN_AVERAGE;
    return GS_COLUMN_DRAW;
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
    if (g->counted)
        return GS_COLUMN_COUNTER;
    /*
     * At least as many readings: an instant column with holes would trade the error of a long
     * window for the error of gaps. A power column that the user named is never replaced.
     */
    if (m != UINT32_MAX && !d->power_told &&
        count_readings(g->value[m], g->n) >= count_readings(g->value[GS_POWER], g->n))
        g->drawn = m;
    return column_of(d->metric[g->drawn != GS_POWER ? g->drawn : d->power_metric]);
}

enum gs_status gs_gpu_find_sampling(const struct gs_dataset *d, struct gs_gpu_view *g,
                                    struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_sensor_hint hint = {.spec = d->sensor,
                                        .card = gs_str_or(d->card, d->gpu[g->gpu].card),
                                        .column = choose_power(d, g),
                                        .counted_step = g->counted_step};
    g->readings = (struct gs_power_series){g->n, g->t_ns, g->value[g->drawn], NULL};
    GS_TRY(gs_power_instants(&g->readings, scratch, err));
    GS_TRY(gs_sensor_find(&g->readings, &hint, scratch, &g->sensor, err));
    g->interval_ns = g->sensor.interval_ns;
    g->max_gap_ns = d->max_gap_ns > 0 ? d->max_gap_ns : -1;
    if (g->interval_ns != 0)
        return GS_OK;
    /* A GPU without power still has a sampling interval. */
    GS_REWINDS(scratch);
    GS_NEW_RAW(int64_t, room, g->n, scratch, err);
    g->interval_ns = gs_median_step(g->t_ns, g->n, room);
    return GS_OK;
}
