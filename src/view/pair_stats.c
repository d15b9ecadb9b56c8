/* pair_stats.c - accumulators over pairs. */
#include "view/pair_stats.h"

const struct gs_field gs_pair_stats_fields[GS_N_PAIR_STATS_FIELDS] = {
    {GS_FIELD_MOMENTS, offsetof(struct gs_pair_stats, duration)},
    {GS_FIELD_VALUES, offsetof(struct gs_pair_stats, durations)},
    {GS_FIELD_COUNT, offsetof(struct gs_pair_stats, n_samples)},
    {GS_FIELD_COUNT, offsetof(struct gs_pair_stats, n_energy)},
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, energy)},
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, covered_ns)},
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, window_ns)},
};
const struct gs_field gs_pair_stats_tail[1] = {{GS_FIELD_RATIO, 0}};

/* Instants can lie so far apart that their distance does not fit: such data are held at the limit. */
static int64_t duration_of(const struct gs_pair *p)
{
    int64_t v;
    if (__builtin_sub_overflow(p->stop_ns, p->start_ns, &v))
        return p->stop_ns > p->start_ns ? INT64_MAX : INT64_MIN + 1;
    return v;
}

enum gs_status gs_pair_stats_add(struct gs_pair_stats *s, const struct gs_host_view *host, const struct gs_pair *pair,
                                 const struct gs_joined *joined, struct gs_arena *arena, struct gs_err *err)
{
    const int64_t duration = duration_of(pair);
    enum gs_status status = gs_values_add(&s->durations, duration, arena, err);
    gs_moments_add(&s->duration, duration);
    for (unsigned m = 0; m < host->n_metrics && status == GS_OK; m++) {
        const struct gs_reading *const r = &joined->metric[m];
        if (r->den == 0)
            gs_ratio_add_missing(&s->metric[m]);
        else
            status = gs_ratio_add(&s->metric[m], r->num, r->den, arena, err);
    }
    s->n_samples += joined->n_samples;
    s->n_energy += joined->has_energy;
    s->energy += joined->energy;
    s->covered_ns += joined->covered_ns;
    /* On a host without samples an event is as little covered as one GPU's would be. */
    s->window_ns += duration > 0 ? (gs_i128)duration * (pair->gpu == GS_NONE && host->n_gpus > 0 ? host->n_gpus : 1) : 0;
    return status;
}
