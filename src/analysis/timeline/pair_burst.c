/* pair_burst.c - pairs by event and start, the trains among them, and the window that they tell. */
#include "analysis/timeline/pair_burst.h"

#include "analysis/timeline/counts.h"
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"
#include "base/num/whole.h"
#include "base/num/timestamp.h"

struct by_start {
    uint32_t event, pair;
    int64_t start_ns;
};

/*
 * The pair's number comes last and makes the order total: qsort alone would leave pairs of one
 * start in an order that differs between C libraries.
 */
GS_COMPARES(compare_starts, struct by_start, GS_BY(event) GS_BY(start_ns) GS_BY(pair));

/* The pairs of one event on a GPU, in order of start. */
struct repeated {
    size_t n;
    const uint32_t *pair;
    const struct gs_burst *burst;
};

/*
 * Events are looked at one kind at a time: the repetitions of one kind are alike, those of two
 * kinds are not. An event without a train may still tell the window, but only if no train of any
 * event does.
 */
static enum gs_status inspect_event(const struct gs_power_series *series,
                                    const struct gs_sensor *sensor, const struct repeated *r,
                                    struct gs_arena *arena, struct gs_pair_bursts *trains,
                                    struct gs_err *err)
{
    const struct gs_bursts_seen seen = {series, sensor, r->burst, r->n};
    struct gs_burst_train *found;
    size_t n;
    GS_TRY(gs_burst_trains_find(r->burst, r->n, arena, &found, &n, err));
    for (size_t i = 0; i < n; i++) {
        struct gs_pair_burst *const t = &trains->train[trains->n++];
        const size_t first = found[i].first;
        const bool fit = gs_burst_train_wants_fit(&found[i], sensor);
        *t = (struct gs_pair_burst){
            .train = found[i],
            .pair = r->pair + first,
            .all = {r->burst[first].start_ns, r->burst[first + found[i].n - 1].stop_ns}};
        GS_TRY(gs_burst_train_inspect(&seen, &found[i], fit, arena, &t->view, err));
    }
    struct gs_burst_train_view loose = {0};
    if (n == 0)
        GS_TRY(gs_bursts_inspect(&seen, arena, &loose, err));
    if (gs_burst_train_determines(&loose, sensor) &&
        (!trains->loose.fitted || loose.fit.r_squared > trains->loose.fit.r_squared))
        trains->loose = loose;
    return GS_OK;
}

/* The best of the trains that tell the window. */
static void collect_window(const struct gs_pair_bursts *trains, struct gs_sensor *sensor)
{
    const struct gs_boxcar_fit *best = NULL;
    for (size_t i = 0; i < trains->n; i++) {
        const struct gs_burst_train_view *const v = &trains->train[i].view;
        if (gs_burst_train_determines(v, sensor) &&
            (best == NULL || v->fit.r_squared > best->r_squared))
            best = &v->fit;
    }
    if (best == NULL && trains->loose.fitted)
        best = &trains->loose.fit;
    if (best == NULL)
        return;
    /*
     * The window changes shift and reach, so this must happen before gs_energy_points: points
     * taken earlier would lie on another clock.
     */
    gs_sensor_set_window(sensor, best->window_ns, best->delay_ns, GS_SENSOR_FIT);
    sensor->delay_from = GS_SENSOR_FIT;
}

static enum gs_status list_refused(struct gs_pair_bursts *t, struct gs_arena *arena,
                                   struct gs_err *err)
{
    GS_TAKE_RAW(t->refused_from, t->n, arena, err);
    GS_TAKE_RAW(t->refused_to, t->n, arena, err);
    for (size_t i = 0; i < t->n; i++)
        if (t->train[i].view.refused) {
            t->refused_from[t->n_refused] = t->train[i].all.start_ns;
            t->refused_to[t->n_refused++] = t->train[i].all.stop_ns;
        }
    /*
     * Starts and stops are sorted apart. The number of trains that overlap a window is then
     * (starts before its end) - (stops up to its start), two binary searches.
     */
    GS_SORT(t->refused_from, t->n_refused, gs_compare_int64);
    GS_SORT(t->refused_to, t->n_refused, gs_compare_int64);
    return GS_OK;
}

/* The pairs of a GPU, by event and start; without length they have no load, or one of less than a second that was cut off. */
static uint32_t list_pairs(const struct gs_host_view *h, uint32_t k, bool cut,
                           struct by_start *order)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (gs_pair_uses(h, &h->pair[p], k) && (cut || gs_pair_ns(&h->pair[p]) > 0))
            order[n++] = (struct by_start){h->pair[p].event, p, h->pair[p].start_ns};
    GS_SORT(order, n, compare_starts);
    return n;
}

/*
 * The free time beside the pairs: up to the start of another event behind a stop, and back to the stop of another before a
 * start. Events around them are no neighbours.
 */
static enum gs_status find_beside(const struct gs_host_view *h, const struct by_start *order,
                                  size_t n, struct gs_arena *arena,
                                  struct gs_energy_beside **beside, struct gs_err *err)
{
    GS_TAKE(*beside, h->n_pairs, arena, err);
    GS_NEW_RAW(int64_t, start, n, arena, err);
    GS_NEW_RAW(int64_t, stop, n, arena, err);
    for (size_t i = 0; i < n; i++) {
        start[i] = order[i].start_ns;
        stop[i] = h->pair[order[i].pair].stop_ns;
    }
    GS_SORT(start, n, gs_compare_int64);
    GS_SORT(stop, n, gs_compare_int64);
    for (size_t i = 0; i < n; i++) {
        const struct gs_pair *const p = &h->pair[order[i].pair];
        /* One of no time is no neighbour of its own. */
        const int64_t own = p->stop_ns == p->start_ns;
        const size_t next = gs_count_below(start, n, gs_time_moved(p->stop_ns, own)),
                     before = gs_count_below(stop, n, gs_time_moved(p->start_ns, 1 - own));
        struct gs_energy_beside b = {{INT64_MAX, INT64_MAX}, false};
        if (before > 0)
            b.free_ns[0] = gs_difference(p->start_ns, stop[before - 1]);
        if (next < n)
            b.free_ns[1] = gs_difference(start[next], p->stop_ns);
        (*beside)[order[i].pair] = b;
    }
    for (size_t i = 0, end; i < n; i = end) {
        const int64_t step = gs_difference(order[i + (i + 1 < n)].start_ns, order[i].start_ns);
        bool in_step = (*beside)[order[i].pair].free_ns[1] > 0;
        for (end = i + 1; end < n && order[end].event == order[i].event; end++)
            in_step &= gs_difference(order[end].start_ns, order[end - 1].start_ns) == step;
        for (size_t k = i; k < end; k++)
            (*beside)[order[k].pair].in_step = in_step && end - i > 2;
    }
    return GS_OK;
}

enum gs_status gs_pair_bursts_find(const struct gs_host_view *h, uint32_t k,
                                   const struct gs_gpu_view *g, struct gs_arena *arena,
                                   struct gs_sensor *sensor, struct gs_pair_bursts *trains,
                                   struct gs_err *err)
{
    const struct gs_gpu_view *const log = gs_gpu_log(g);
    const struct gs_power_series series = {log->n, log->t_ns, log->value[g->drawn], NULL};
    *trains = (struct gs_pair_bursts){0};
    sensor->cut_ns = gs_pairs_cut_ns(h);
    const bool cut = gs_sensor_is_cut(sensor);
    if (!gs_sensor_looks_aside(sensor))
        return GS_OK;
    GS_NEW_RAW(struct by_start, order, h->n_pairs, arena, err);
    const uint32_t n = list_pairs(h, k, cut, order);
    GS_TRY(find_beside(h, order, n, arena, &trains->beside, err));
    /*
     * In a range the log has more bursts than are known here, and what is fitted would not be the same in its parts: there
     * each event has its edges.
     */
    if (cut || g->range != NULL)
        return GS_OK;
    GS_NEW_RAW(uint32_t, pair, h->n_pairs, arena, err);
    GS_NEW_RAW(struct gs_burst, burst, h->n_pairs, arena, err);
    /* Each train takes at least 5 pairs of its own. */
    GS_TAKE_RAW(trains->train, h->n_pairs, arena, err);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && order[end].event == order[i].event; end++) {
            const struct gs_pair *const p = &h->pair[order[end].pair];
            pair[end] = order[end].pair;
            burst[end] = (struct gs_burst){p->start_ns, p->stop_ns};
        }
        GS_TRY(inspect_event(&series, sensor, &(struct repeated){end - i, pair + i, burst + i},
                             arena, trains, err));
    }
    collect_window(trains, sensor);
    if (!gs_sensor_looks_aside(sensor)) /* the fitted window is shorter than the steps of the log */
        trains->beside = NULL;
    return list_refused(trains, arena, err);
}

uint64_t gs_pair_bursts_refused(const struct gs_pair_bursts *t, int64_t from_ns, int64_t to_ns)
{
    if (t->n_refused == 0 || from_ns >= to_ns || from_ns == INT64_MAX)
        return 0;
    return gs_count_below(t->refused_from, t->n_refused, to_ns) -
           gs_count_below(t->refused_to, t->n_refused, from_ns + 1);
}
