/* intervals.c - a few thousand counts stand for millions of samples, because a clock has a resolution. */
#include "analysis/aggregate/intervals.h"
#include "base/num/order.h"

static const struct gs_field fields[] = {
    {GS_FIELD_COUNT, offsetof(struct gs_interval, n)},
    {GS_FIELD_LEAST, offsetof(struct gs_interval, line)},
};
const struct gs_records_spec gs_intervals_spec = {
    GS_RECORDS("intervals", "i", struct gs_interval, fields)};

/* Most intervals are found where the last equal one was. */
enum { CACHE_BITS = 10 };
struct cached {
    uint64_t ns, n;
    int64_t place;
};

/* The least line is kept, not the first that was seen: threads see hosts in any order. */
static bool store(struct gs_records *intervals, struct cached *c, const struct gs_fold_host *host)
{
    const union gs_key key = {.number = (int64_t)gs_min(c->ns, (uint64_t)INT64_MAX)};
    if (c->n == 0)
        return true;
    struct gs_interval *const i = gs_records_find(intervals, &key, host->arena);
    if (i == NULL)
        return false;
    const int64_t line = gs_dataset_line(host->d, c->place);
    i->n += c->n;
    if (line != GS_MISSING && (i->line == GS_MISSING || line < i->line))
        i->line = line;
    return true;
}

bool gs_intervals_add(struct gs_records *intervals, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    struct cached *const cache =
        gs_arena_take(host->scratch, (size_t)1 << CACHE_BITS, sizeof *cache);
    bool fits = cache != NULL;
    for (uint32_t g = 0; g < h->n_gpus; g++) {
        const struct gs_gpu_view *const gpu = &h->gpu[g];
        for (uint32_t i = 1; fits && i < gpu->n; i++) {
            const uint64_t ns = (uint64_t)gpu->t_ns[i] - (uint64_t)gpu->t_ns[i - 1];
            const int64_t place = gs_place_at(gpu->place, i);
            struct cached *const c =
                &cache[(ns * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - CACHE_BITS)];
            if (ns == 0)
                continue;
            /*
             * A collision writes the older interval out and takes its slot. The cache only saves
             * look-ups; counts are complete once all slots are stored.
             */
            if (c->ns != ns) {
                fits = store(intervals, c, host);
                *c = (struct cached){ns, 0, place};
            }
            c->n++;
            c->place = gs_min(place, c->place);
        }
    }
    for (size_t k = 0; fits && k < (size_t)1 << CACHE_BITS; k++)
        fits = store(intervals, &cache[k], host);
    return fits;
}

int64_t gs_intervals_median(const struct gs_records *intervals)
{
    uint64_t total = 0, seen = 0;
    int64_t low = GS_MISSING;
    for (uint32_t i = 0; i < intervals->n; i++)
        total += ((const struct gs_interval *)gs_records_at(intervals, i))->n;
    for (uint32_t i = 0; i < intervals->n; i++) {
        const int64_t ns = gs_records_key(intervals, i, 1)->number;
        seen += ((const struct gs_interval *)gs_records_at(intervals, i))->n;
        if (low == GS_MISSING && (total - 1) / 2 < seen)
            low = ns;
        if (total / 2 < seen)
            return low + (int64_t)(((uint64_t)ns - (uint64_t)low) / 2);
    }
    return GS_MISSING;
}
