/* pair_stats.c - accumulators over pairs. */
#include "analysis/aggregate/pair_stats.h"

#include "base/num/dd.h"
#include "analysis/energy/counter.h"
#include "analysis/timeline/counts.h"
#include "base/num/order.h"

const struct gs_field gs_pair_stats_fields[GS_N_PAIR_STATS_FIELDS] = {
    {GS_FIELD_MOMENTS, offsetof(struct gs_pair_stats, duration)},
    {GS_FIELD_VALUES, offsetof(struct gs_pair_stats, durations)},
    {GS_FIELD_COUNT, offsetof(struct gs_pair_stats, n_samples)},
    {GS_FIELD_COUNT, offsetof(struct gs_pair_stats, n_energy)},
    {GS_FIELD_COUNT, offsetof(struct gs_pair_stats, n_stale)},
    GS_ENERGY_SUM_FIELDS(struct gs_pair_stats, used),
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, window_ns)},
    GS_COUNTED_FIELDS(struct gs_pair_stats, counted),
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, again)},
    {GS_FIELD_SUM, offsetof(struct gs_pair_stats, again_alike)},
};
const struct gs_field gs_pair_stats_tail[1] = {{GS_FIELD_RATIO, 0}};

/*
 * A GPU's 1 % and 3 W are of the sum of its pairs, so each pair adds the difference that it makes to the square of the sum
 * so far: what comes out in the end does not depend on the order.
 */
enum gs_status gs_gpu_use_add(struct gs_gpu_uses *gpus, struct gs_energy_sum *used,
                              const struct gs_host_view *h, uint32_t g,
                              const struct gs_energy_use *more, struct gs_arena *scratch,
                              struct gs_err *err)
{
    if (more->time_ns == 0)
        return GS_OK;
    /*
     * The sums by GPU are of one host and live in its scratch. `host` is its number plus one, so
     * that a zeroed struct belongs to none.
     */
    if (gpus->host != (uint64_t)h->host + 1) {
        gpus->use = gs_arena_take(scratch, h->n_gpus, sizeof *gpus->use);
        gpus->host = (uint64_t)h->host + 1;
    }
    GS_TRY(gs_had_memory(gpus->use != NULL, err));
    struct gs_gpu_use *const use = &gpus->use[g];
    used->own_uj2 -= use->own_uj2;
    use->sum.energy += more->energy;
    use->sum.time_ns += more->time_ns;
    use->own_uj2 = gs_energy_own_uj2(use->sum.energy, use->sum.time_ns);
    used->own_uj2 += use->own_uj2;
    return GS_OK;
}

enum gs_status gs_gpu_uses_add(struct gs_gpu_uses *gpus, struct gs_energy_sum *used,
                               const struct gs_host_view *h, const struct gs_pair *pair,
                               const struct gs_joined *j, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct gs_energy_use all = {j->used.unknown, j->used.unknown_ns};
    uint32_t only;
    gs_energy_sum_merge(
        used, &j->used); /* of no time, too, where it may have had some that was cut off */
    if (j->used.n == 0)
        return GS_OK;
    (void)gs_pair_n_used(h, pair, &only);
    if (j->use == NULL)
        return gs_gpu_use_add(gpus, used, h, only, &all, scratch, err);
    for (uint32_t g = 0; g < h->n_gpus; g++)
        GS_TRY(gs_gpu_use_add(gpus, used, h, g, &j->use[g], scratch, err));
    return GS_OK;
}

enum gs_status gs_pair_stats_add(struct gs_pair_stats *s, const struct gs_host_view *host,
                                 const struct gs_pair *pair, const struct gs_joined *joined,
                                 struct gs_arena *arena, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    const int64_t duration = gs_pair_duration_ns(pair);
    if (!pair->is_copy) { /* an event on several hosts is one, with the energy of all */
        GS_TRY(gs_values_add(&s->durations, duration, arena, err));
        gs_moments_add(&s->duration, duration);
    }
    if (pair->gpu == GS_NO_GPU) /* nothing is missing */
        return GS_OK;
    /* A pair without a reading is counted as missing and not in the mean: 0 W would be a claim. */
    for (unsigned m = 0; m < host->n_metrics; m++) {
        const struct gs_reading *const r = &joined->metric[m];
        if (r->den == 0)
            gs_ratio_add_missing(&s->metric[m]);
        else
            GS_TRY(gs_ratio_add(&s->metric[m], r->num, r->den, arena, err));
    }
    s->n_samples += joined->n_samples;
    s->n_energy += joined->used.n > 0 && !pair->is_copy;
    s->n_stale += joined->is_stale;
    GS_TRY(gs_gpu_uses_add(&s->gpus, &s->used, host, pair, joined, scratch, err));
    gs_counted_merge(&s->counted, &joined->counted);
    s->again += joined->again;
    s->again_alike += joined->again_alike;
    /* On a host without samples an event is as little covered as one GPU's would be. */
    if (pair->gpu != GS_NO_GPU)
        s->window_ns += (gs_i128)duration * gs_pair_n_gpus(host, pair);
    return GS_OK;
}

void gs_pairs_notes(const struct gs_pairs_told *t, enum gs_join join, struct gs_notes *notes)
{
    if (t->n == 0)
        gs_note(notes, GS_NOTE_WARNING, "no START has a STOP: there is nothing to show");
    if (t->n_missing > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%llu of %llu pairs have no power reading %s; their power is missing, not zero, "
                "and not in the means",
                (unsigned long long)t->n_missing, (unsigned long long)t->n,
                join == GS_JOIN_WINDOW ? "inside" : "within reach");
    if (t->n_stale > 0)
        gs_note(notes, GS_NOTE_WARNING,
                "%llu of %llu pairs take a sample that is further away than 3 sampling intervals "
                "(--tolerance leaves it out)",
                (unsigned long long)t->n_stale, (unsigned long long)t->n);
    gs_energy_gaps_note(&t->used, 0, notes);
    const gs_i128 inside_ns = t->used.time_ns;
    if (inside_ns > 0 && 100 * inside_ns < 99 * t->window_ns) {
        const double pct = gs_ratio(100 * inside_ns, t->window_ns);
        gs_note(
            notes, GS_NOTE_WARNING,
            "the power is known for %.1f %% of the pairs' time: their energy is that of this part",
            /* The warning appears below 99 %, so rounding must not make it read "99.0 %". */
            gs_min(98.9, pct));
    }
}
