/* repeated_hour.c - see repeated_hour.h. Readings are counted by their time, so that their order does not matter. */
#include "input/import/repeated_hour.h"

#include "base/num/order.h"
#include "data/tables/packed_rows.h"
#include "input/times/zone_file.h"

/* One zone for each hour at which the clocks of many go back. */
static const char *const zones[] = {"Europe/Berlin", "Europe/London", "Europe/Athens",
                                    "America/New_York", "Australia/Sydney"};

enum { PARTS = 6, FEWEST = 4 };

/* An hour that may be there twice, and a GPU's readings in parts of it, and before and behind it. */
struct hour {
    int64_t from_ns, until_ns;
    uint32_t n[PARTS];
    struct side {
        int64_t from_ns, to_ns;
        uint32_t n;
    } side[2];
};

static void count(struct hour *h, int64_t at)
{
    const int64_t length = h->until_ns - h->from_ns;
    struct side *const side = &h->side[at >= h->until_ns];
    if (at < h->from_ns - length || at >= h->until_ns + length)
        return;
    if (at >= h->from_ns && at < h->until_ns) {
        h->n[gs_min((at - h->from_ns) / (length / PARTS), PARTS - 1)]++;
        return;
    }
    gs_time_widen(&side->from_ns, &side->to_ns, at);
    side->n++;
}

/* The time between two readings; INT64_MAX where they are too few. */
static int64_t step_of(const struct side *s)
{
    return s->n < FEWEST ? INT64_MAX : (s->to_ns - s->from_ns) / (s->n - 1);
}

/* Are a GPU's readings nearly twice as dense in some part of the hour as beside it? */
static bool is_twice(const struct gs_table *t, uint32_t gpu, int64_t from_ns, int64_t until_ns)
{
    const struct side none = {GS_MISSING, GS_MISSING, 0};
    struct hour h = {.from_ns = from_ns, .until_ns = until_ns, .side = {none, none}};
    const struct gs_segments all = gs_table_segments(t, gpu);
    uint32_t most = 0;
    for (uint32_t k = 0; k < all.n; k++) {
        const struct gs_cells time = gs_cells_of(&all.segment[k], GS_SAMPLE_TIME);
        for (uint32_t i = 0; i < all.segment[k].n_rows; i++)
            count(&h, gs_cell(&time, i));
    }
    for (int k = 0; k < PARTS; k++)
        most = gs_max(most, h.n[k]);
    const int64_t step = gs_min(step_of(&h.side[0]), step_of(&h.side[1])),
                  part = (until_ns - from_ns) / PARTS;
    return most >= FEWEST && step <= part && 4 * (int64_t)most * step >= 7 * part;
}

static enum gs_status refuse_shift(const struct gs_dataset *d, const char *name, const char *zone,
                                   const struct gs_zone_shift *shift, struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    const int64_t from_ns = shift->from_s * GS_NS_PER_S, until_ns = shift->until_s * GS_NS_PER_S;
    char from[GS_TIME_TEXT_MAX];
    uint32_t gpu = 0;
    while (gpu < d->n_gpus && !is_twice(t, gpu, from_ns, until_ns))
        gpu++;
    if (gpu == d->n_gpus)
        return GS_OK;
    (void)gs_time_format(from, from_ns);
    return gs_fail(
        err, GS_ERR_DATA,
        "%s: has the hour from %.16s twice, as where summer time ends; the zone tells the "
        "two apart: --tz %s (--tz UTC if the times are UTC)",
        name, from, zone);
}

/* The next hour from the one of number *k on that a zone has twice and that lies between two instants; NULL: there is none. */
static const struct gs_zone_shift *next_shift(const struct gs_zone *zone, size_t *k, int64_t least,
                                              int64_t most)
{
    for (; *k < zone->n_shifts; ++*k) {
        const struct gs_zone_shift *const s = &zone->shift[*k];
        if (s->after_s < s->before_s && s->until_s > least / GS_NS_PER_S &&
            s->from_s < most / GS_NS_PER_S)
            return &zone->shift[(*k)++];
    }
    return NULL;
}

bool gs_repeated_hour_has(int64_t t_ns)
{
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        GS_OWN struct gs_arena own = {0};
        struct gs_zone zone;
        size_t k = 0;
        if (gs_zone_named(gs_str(zones[i]), &own, &zone, NULL) == GS_OK &&
            next_shift(&zone, &k, t_ns, t_ns + GS_NS_PER_S) != NULL)
            return true;
    }
    return false;
}

enum gs_status gs_repeated_hour_refuse(const struct gs_dataset *d, const char *name,
                                       struct gs_err *err)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    gs_table_widen_range(&d->table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &least, &most);
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        GS_OWN struct gs_arena own = {0};
        struct gs_zone zone;
        if (gs_zone_named(gs_str(zones[i]), &own, &zone, NULL) != GS_OK)
            continue; /* a system without zones */
        const struct gs_zone_shift *shift;
        for (size_t k = 0; (shift = next_shift(&zone, &k, least, most)) != NULL;)
            GS_TRY(refuse_shift(d, name, zones[i], shift, err));
    }
    return GS_OK;
}
