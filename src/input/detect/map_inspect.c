/* map_inspect.c - reads each source of a map for what it holds. */
#include "input/detect/map_build.h"

#include <math.h>

#include "input/detect/detect.h"
#include "input/import/align_steps.h"
#include "input/import/map_agree.h"
#include "input/import/map_load.h"
#include "data/tables/sanity.h"
#include "stats/descriptive/quantile.h"

/* GPUs that samples name, each once: one that several jobs used is stored as often. */
static uint32_t named_gpus(const struct gs_dataset *d)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < d->n_gpus; g++)
        n += gs_gpu_name(&d->gpu[g]).ptr != NULL &&
             (g == 0 || !gs_is_same_gpu(&d->gpu[g - 1], &d->gpu[g]));
    return n;
}

/* The median of all readings of a metric, NaN where there is none. */
static enum gs_status median_of(const struct gs_table *t, uint32_t metric, double *median,
                                struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW_RAW(int64_t, value, t->n_rows, &own, err);
    size_t n = 0;
    for (uint32_t k = 0; k < t->n_segments; k++) {
        const struct gs_cells cell = gs_cells_of(&t->segment[k], GS_SAMPLE_METRIC + metric);
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++)
            value[n++] = gs_cell(&cell, i);
    }
    if (gs_quantiles(value, n, &GS_PROB_MEDIAN, 1, GS_FIXED_ONE, median, NULL) != GS_OK)
        *median = NAN;
    return GS_OK;
}

/* `alone`: no other source has samples, so that this one has all that its GPUs measured. */
static enum gs_status inspect_samples(struct gs_source *s, const struct gs_dataset *d, bool alone,
                                      struct gs_arena *arena, struct gs_notes *notes,
                                      struct gs_err *err)
{
    s->found.n_gpus = named_gpus(d);
    GS_TAKE(s->found.median, s->metrics.n, arena, err);
    for (size_t k = 0; k < s->metrics.n; k++) {
        const uint32_t m = gs_metrics_find(d->metric, d->n_metrics, s->metrics.item[k].name);
        GS_TRY(median_of(&d->table[GS_TABLE_SAMPLES], m, &s->found.median[k], err));
    }
    return gs_sanity_check(d, alone, notes, err);
}

enum gs_status gs_map_inspect(struct gs_map *map, const struct gs_load_options *o,
                              const struct gs_map_seen *seen, struct gs_arena *arena,
                              struct gs_notes *notes, struct gs_err *err)
{
    size_t n_sampled = 0;
    GS_TRY(gs_place_days(map, o, arena, notes, err));
    for (size_t i = 0; i < map->n_sources; i++)
        n_sampled += map->source[i].role == GS_ROLE_SAMPLES;
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const source = &map->source[i];
        GS_OWN struct gs_arena own = {0};
        struct gs_mapped_source *m;
        struct gs_dataset d;
        const struct gs_map_value origin = source->origin;
        if (origin.kind == GS_VALUE_NONE && gs_source_has_no_start(source))
            source->origin = gs_map_epoch; /* relative times, until they are aligned */
        GS_TRY(gs_map_load_source(source, o, &own, &m, &d, err));
        source->origin = origin;
        gs_mapped_sum(m, source);
        source->found.apart = gs_map_find_apart(m, source->found.pair);
        gs_mapped_notes(m, &o->zone, notes);
        if (source->role == GS_ROLE_SAMPLES)
            GS_TRY(inspect_samples(source, &d, n_sampled == 1, arena, notes, err));
        if (seen != NULL)
            GS_TRY(seen->fn(seen->context, i, &d, err));
    }
    return GS_OK;
}
