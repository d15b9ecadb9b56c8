/* scrapes.c - see scrapes.h. */
#include "analysis/timeline/scrapes.h"

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/num/whole.h"
#include "data/tables/metric.h"
#include "stats/descriptive/quantile.h"

/* Room for one metric at a time, all [s->n]. */
struct room {
    int64_t *step;
    uint32_t *sample; /* rows that are samples       */
    uint32_t *joins;  /* by sample: the row that does; UINT32_MAX: none */
    bool *emptied;    /* by row: all that it had has joined others      */
    uint32_t n_samples;
};

static bool has(const struct gs_scrapes *s, uint32_t metric, uint32_t row)
{
    return s->metric[metric] != NULL && s->metric[metric][row] != GS_MISSING;
}

static uint32_t count(const struct gs_scrapes *s, uint32_t metric)
{
    uint32_t n = 0;
    for (uint32_t i = 0; s->metric[metric] != NULL && i < s->n; i++)
        n += s->metric[metric][i] != GS_MISSING;
    return n;
}

/* The metric whose readings are the samples. */
static uint32_t first_metric(const struct gs_scrapes *s)
{
    uint32_t best = GS_POWER, most = 0;
    if (count(s, GS_POWER) > 0)
        return GS_POWER;
    for (uint32_t m = 0; m < s->n_metrics; m++) {
        const uint32_t n = count(s, m);
        if (n > most)
            best = m;
        most = gs_max(n, most);
    }
    return best;
}

/* The median step between a metric's readings; the longest where it has one, or none. */
static uint64_t interval_of(const struct gs_scrapes *s, uint32_t metric, int64_t *step)
{
    uint32_t n = 0, last = UINT32_MAX;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!has(s, metric, i))
            continue;
        if (last != UINT32_MAX) {
            const uint64_t apart = gs_span(s->t_ns[last], s->t_ns[i]);
            step[n++] = (int64_t)gs_min(apart, (uint64_t)INT64_MAX);
        }
        last = i;
    }
    if (n == 0)
        return UINT64_MAX;
    gs_select(step, n, (n - 1) / 2);
    return (uint64_t)step[(n - 1) / 2];
}

/* Each reading of a metric joins the nearest sample, of equal ones the earlier; of two readings the nearer does. */
static void join_metric(struct gs_scrapes *s, uint32_t metric, uint64_t interval, struct room *room)
{
    for (uint32_t k = 0; k < room->n_samples; k++)
        room->joins[k] = UINT32_MAX;
    for (uint32_t i = 0, k = 0; i < s->n; i++) {
        if (!has(s, metric, i))
            continue;
        while (k + 1 < room->n_samples && gs_distance(s->t_ns[i], s->t_ns[room->sample[k + 1]]) <
                                              gs_distance(s->t_ns[i], s->t_ns[room->sample[k]]))
            k++;
        const uint64_t far = gs_distance(s->t_ns[i], s->t_ns[room->sample[k]]);
        if (far >= interval / 2 + interval % 2 || has(s, metric, room->sample[k]))
            continue;
        if (room->joins[k] == UINT32_MAX ||
            far < gs_distance(s->t_ns[room->joins[k]], s->t_ns[room->sample[k]]))
            room->joins[k] = i;
    }
    for (uint32_t k = 0; k < room->n_samples; k++) {
        const uint32_t from = room->joins[k];
        if (from == UINT32_MAX)
            continue;
        s->metric[metric][room->sample[k]] = s->metric[metric][from];
        s->metric[metric][from] = GS_MISSING;
        room->emptied[from] = true;
    }
}

static bool is_empty(const struct gs_scrapes *s, uint32_t row)
{
    for (uint32_t m = 0; m < s->n_metrics; m++)
        if (has(s, m, row))
            return false;
    return true;
}

static void drop_emptied(struct gs_scrapes *s, const bool *emptied)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (emptied[i] && is_empty(s, i))
            continue;
        for (uint32_t c = 0; c < s->n_columns && n < i; c++)
            if (s->column[c] != NULL)
                s->column[c][n] = s->column[c][i];
        n++;
    }
    s->n = n;
}

enum gs_status gs_scrapes_join(struct gs_scrapes *s, struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    const uint32_t first = first_metric(s), n_samples = count(s, first);
    struct room room = {0};
    if (n_samples < 2 || n_samples == s->n)
        return GS_OK;
    GS_TAKE_RAW(room.step, s->n, scratch, err);
    GS_TAKE_RAW(room.sample, s->n, scratch, err);
    GS_TAKE_RAW(room.joins, s->n, scratch, err);
    GS_TAKE(room.emptied, s->n, scratch, err);
    for (uint32_t i = 0; i < s->n; i++)
        if (has(s, first, i))
            room.sample[room.n_samples++] = i;
    const uint64_t own = interval_of(s, first, room.step);
    for (uint32_t m = 0; m < s->n_metrics; m++)
        if (m != first && s->metric[m] != NULL)
            join_metric(s, m, gs_min(own, interval_of(s, m, room.step)), &room);
    drop_emptied(s, room.emptied);
    return GS_OK;
}
