/*
 * sampling.c - how GPUs were sampled: which power their energies are of, their sensors, the longest gap that is bridged;
 * and the median interval of all, from counts of the distinct intervals.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/timeline/host_view.h"
#include "analysis/timeline/join.h"
#include "base/core/key_sort.h"
#include "base/num/order.h"
#include "base/os/parallel.h"
#include "data/tables/packed_rows.h"

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

bool gs_gpu_find_sampling(const struct gs_dataset *d, struct gs_gpu_view *g,
                          struct gs_arena *scratch)
{
    const struct gs_sensor_hint hint = {.spec = d->sensor,
                                        .card = gs_str_or(d->card, d->gpu[g->gpu].card),
                                        .column = choose_power(d, g),
                                        .counted_step = g->counted_step};
    struct gs_power_series series = {g->n, g->t_ns, g->value[g->drawn], NULL};
    if (gs_sensor_find(&series, &hint, scratch, &g->sensor, NULL) != GS_OK)
        return false;
    g->interval_ns = g->sensor.interval_ns;
    g->max_gap_ns = d->max_gap_ns > 0 ? d->max_gap_ns : -1;
    /*
     * A GPU without power still has a sampling interval. Times serve as readings here because the
     * search only asks which are missing.
     */
    series.power = g->t_ns; /* which is never missing */
    return g->interval_ns != 0 ||
           gs_sensor_sampling(&series, scratch, &g->interval_ns, NULL) == GS_OK;
}

/* --- the interval of all --- */

/* Intervals repeat: a clock has a resolution. So a few thousand counts stand for millions of samples. */
struct count {
    uint64_t interval; /* 0: empty, for neighbouring instants are distinct */
    uint64_t n;
};

struct counts {
    struct gs_arena arena, scratch;
    struct count *slot;
    size_t n_slots, n_used; /* n_slots: a power of two */
};

static struct count *slot_of(struct count *slot, size_t n_slots, uint64_t interval)
{
    size_t i = (size_t)((interval * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (n_slots - 1);
    while (slot[i].interval != 0 && slot[i].interval != interval)
        i = (i + 1) & (n_slots - 1);
    return &slot[i];
}

/*
 * The old table stays in the arena: doubling wastes at most as much as the last table takes, and
 * the arena goes as a whole.
 */
static enum gs_status grow(struct counts *c, struct gs_err *err)
{
    const size_t n_slots = c->n_slots == 0 ? 4096 : c->n_slots * 2;
    GS_NEW(struct count, slot, n_slots, &c->arena, err);
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].interval != 0)
            *slot_of(slot, n_slots, c->slot[i].interval) = c->slot[i];
    c->slot = slot;
    c->n_slots = n_slots;
    return GS_OK;
}

static enum gs_status count_interval(struct counts *c, uint64_t interval, uint64_t n,
                                     struct gs_err *err)
{
    if (c->n_used * 2 >= c->n_slots)
        GS_TRY(grow(c, err));
    struct count *const at = slot_of(c->slot, c->n_slots, interval);
    c->n_used += at->interval == 0;
    at->interval = interval;
    at->n += n;
    return GS_OK;
}

/* Only times are looked at, so rows are read here and not through views, which unpack every reading. */
struct counting {
    const struct gs_dataset *d;
    struct counts *counts; /* [n_threads] */
};

/*
 * The ticks of all series of a GPU, ascending; *n 0: not the first of them, or no more than one
 * sample. The jobs of a GPU are separate series whose samples interleave in time. Intervals are
 * only right between neighbours of all series, so these are merged first.
 */
static bool collect_ticks(const struct counting *j, uint32_t series, struct gs_arena *scratch,
                          uint64_t **tick, uint32_t *n)
{
    const struct gs_table *const t = &j->d->table[GS_TABLE_SAMPLES];
    const struct gs_gpu *const gpu = j->d->gpu;
    uint32_t end = series;
    uint64_t total = 0;
    for (; end < j->d->n_gpus && gs_is_same_gpu(&gpu[series], &gpu[end]); end++)
        total += gs_table_rows_of(t, end);
    *n = 0;
    if (total < 2 || (series > 0 && gs_is_same_gpu(&gpu[series - 1], &gpu[series])))
        return true;
    if (total > UINT32_MAX)
        return false;
    if (end == series + 1)
        return gs_packed_ticks(t, series, GS_SAMPLE_TIME, scratch, tick, n);
    uint64_t *const all = gs_arena_take_raw(scratch, total, 2 * sizeof *all), *one;
    uint32_t n_one;
    for (uint32_t k = series; all != NULL && k < end; k++, *n += n_one) {
        if (!gs_packed_ticks(t, k, GS_SAMPLE_TIME, scratch, &one, &n_one))
            return false;
        memcpy(all + *n, one, n_one * sizeof *one);
    }
    if (all != NULL)
        gs_key_sort(all, all + *n, *n);
    *tick = all;
    return all != NULL;
}

static int count_gpu(void *context, size_t gpu, unsigned thread)
{
    const struct counting *const j = context;
    struct counts *const c = &j->counts[thread];
    GS_REWINDS(&c->scratch);
    const uint64_t unit = (uint64_t)gs_table_unit(&j->d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME);
    uint64_t *tick;
    uint32_t n_ticks;
    enum gs_status s =
        collect_ticks(j, (uint32_t)gpu, &c->scratch, &tick, &n_ticks) ? GS_OK : GS_ERR_MEMORY;
    for (uint32_t i = 1; s == GS_OK && i < n_ticks; i++)
        if (tick[i] != tick[i - 1])
            s = count_interval(c, (tick[i] - tick[i - 1]) * unit, 1, NULL);
    return (int)s;
}

GS_COMPARES(by_interval, struct count, GS_BY(interval));

/* Type 7 of an even number of values: the middle of the two in the middle, rounded down. */
static uint64_t median(struct counts *c)
{
    size_t n = 0;
    uint64_t total = 0, seen = 0, low = 0;
    for (size_t i = 0; i < c->n_slots; i++)
        if (c->slot[i].interval != 0) {
            total += c->slot[i].n;
            c->slot[n++] = c->slot[i];
        }
    /*
     * The entries were moved to the front of the table, so it is no hash table any more: nothing
     * may be counted after this.
     */
    qsort(c->slot, n, sizeof *c->slot, by_interval);
    for (size_t i = 0; i < n; i++) {
        const uint64_t next = seen + c->slot[i].n;
        if (seen <= (total - 1) / 2 && (total - 1) / 2 < next)
            low = c->slot[i].interval;
        if (total / 2 < next)
            return low + (c->slot[i].interval - low) / 2;
        seen = next;
    }
    return low;
}

enum gs_status gs_sampling_interval(const struct gs_dataset *d, unsigned n_threads,
                                    int64_t *interval_ns, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW(struct counts, c, n_threads, &own, err);
    struct counting job = {d, c};
    enum gs_status s = GS_OK;
    if (d->table[GS_TABLE_SAMPLES].n_segments > 0 &&
        /*
         * Counts are integers and a median depends on counts alone, so which thread counted which
         * GPU cannot show in the result.
         */
        gs_parallel_for(n_threads, d->n_gpus, count_gpu, &job) != 0)
        s = gs_fail_memory(err);
    for (unsigned t = 1; t < n_threads; t++)
        for (size_t i = 0; s == GS_OK && i < c[t].n_slots; i++)
            if (c[t].slot[i].interval != 0)
                s = count_interval(&c[0], c[t].slot[i].interval, c[t].slot[i].n, err);
    if (s == GS_OK) {
        *interval_ns = GS_MISSING;
        if (c[0].n_used > 0)
            *interval_ns = (int64_t)gs_min(median(&c[0]), (uint64_t)INT64_MAX);
    }
    for (unsigned t = 0; t < n_threads; t++) {
        gs_arena_release(&c[t].arena);
        gs_arena_release(&c[t].scratch);
    }
    return s;
}
