/* pair_energy.c - energies of pairs by the sensors of their GPUs, trains of short ones by their fit. */
#include "view/pair_energy.h"

#include <math.h>
#include <stdlib.h>

#include "view/counts.h"
#include "view/train.h"

static struct gs_power_series series_of(const struct gs_gpu_view *g)
{
    return (struct gs_power_series){g->n, g->t_ns, g->value[GS_POWER]};
}

enum gs_status gs_gpu_sensor(const struct gs_gpu_view *g, const struct gs_sensor_spec *said, struct gs_arena *scratch,
                             struct gs_sensor *sensor, struct gs_err *err)
{
    const struct gs_power_series series = series_of(g);
    if (said == NULL && g->sensor.gain > 0.0) {
        *sensor = g->sensor;
        return GS_OK;
    }
    return gs_sensor_find(&series, &(struct gs_sensor_hint){.spec = said}, scratch, sensor, err);
}

enum gs_status gs_energy_points(const struct gs_gpu_view *g, const struct gs_sensor *sensor, int64_t max_gap_ns,
                                const int64_t *t, uint32_t n, struct gs_arena *scratch, struct gs_energy_point *at,
                                struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_power_series series = series_of(g);
    struct gs_sensor_edge *const edge = gs_arena_take_raw(scratch, n, sizeof *edge);
    enum gs_status s = edge == NULL ? gs_fail_memory(err) : gs_sensor_edges(&series, sensor, t, n, scratch, edge, err);
    struct gs_energy_walker walker = gs_energy_walk(g, max_gap_ns);
    walker.sensor = sensor;
    for (uint32_t i = 0; s == GS_OK && i < n; i++) {
        at[i].used = gs_energy_at(&walker, t[i]);
        at[i].edge = edge[i];
    }
    gs_arena_rewind(scratch, mark);
    return s;
}

/* One GPU of a host while its pairs are gone through. */
struct walk {
    const struct gs_host_view *host;
    uint32_t gpu;
    struct gs_sensor sensor;
    const struct gs_energy_point *at; /* [n_times] */
    struct gs_arena *arena;
    struct gs_joined *joined;
    double *ripple2_j;        /* [n_times + 1] of trains that an instant lies in; NULL: there are none */
    struct gs_burst *refused; /* [n_refused] trains that the sensor sees only in part */
    size_t n_refused;
};

static void add_pair(const struct walk *w, uint32_t p)
{
    const struct gs_pair *const pair = &w->host->pair[p];
    const struct gs_energy_point *const a = &w->at[pair->start_at], *const b = &w->at[pair->stop_at];
    struct gs_joined *const j = &w->joined[p];
    if (b->used.covered_ns == a->used.covered_ns)
        return;
    const gs_i128 energy = b->used.energy - a->used.energy;
    j->energy += energy;
    j->covered_ns += b->used.covered_ns - a->used.covered_ns;
    j->has_energy = true;
    gs_energy_error_add(&j->error, &w->sensor, energy, gs_pair_duration_ns(pair), &a->edge, &b->edge);
    for (size_t i = 0; i < w->n_refused; i++)
        j->error.n_refused += pair->start_ns < w->refused[i].stop_ns && pair->stop_ns > w->refused[i].start_ns;
    if (w->ripple2_j != NULL)
        gs_energy_error_apart(&j->error,
                              sqrt(fmax(0.0, fmax(w->ripple2_j[pair->start_at], w->ripple2_j[pair->stop_at]))));
}

/* The pairs of one event on this GPU, in order of start. */
struct repeated {
    uint32_t n, *pair;
    struct gs_burst *burst;
};

struct by_start {
    uint32_t event, pair;
    int64_t start_ns;
};

static int compare_starts(const void *a, const void *b)
{
    const struct by_start *const x = a, *const y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* One train: its short bursts take the fit's energy or are refused; `done` says which pairs have their
 * energy. */
static void apply_train(struct walk *w, const struct repeated *r, const struct gs_train *t,
                        const struct gs_train_view *v, bool *done)
{
    const struct gs_pair *const pair = w->host->pair;
    const double ripple = gs_train_ripple_j(t, v, &w->sensor);
    for (size_t i = t->first; i < t->first + t->n; i++) {
        const uint32_t p = r->pair[i];
        const int64_t length = gs_pair_duration_ns(&pair[p]);
        struct gs_joined *const j = &w->joined[p];
        if (!v->refused && v->fitted && length < w->sensor.reach_ns) {
            const struct gs_energy *const a = &w->at[pair[p].start_at].used, *const b = &w->at[pair[p].stop_at].used;
            done[p] = true;
            if (b->covered_ns == a->covered_ns)
                continue;
            j->energy += gs_train_burst(v, &w->sensor, length, &j->error);
            j->covered_ns += b->covered_ns - a->covered_ns;
            j->has_energy = true;
        }
    }
    if (v->refused)
        w->refused[w->n_refused++] =
            (struct gs_burst){r->burst[t->first].start_ns, r->burst[t->first + t->n - 1].stop_ns};
    if (v->refused || !(ripple > 0.0))
        return;
    /* Every instant inside the train; summed up once all trains are in. */
    w->ripple2_j[pair[r->pair[t->first]].start_at + 1] += ripple * ripple;
    w->ripple2_j[pair[r->pair[t->first + t->n - 1]].stop_at] -= ripple * ripple;
}

static enum gs_status look_at_event(struct walk *w, const struct repeated *r, bool *done, struct gs_err *err)
{
    const struct gs_power_series series = series_of(&w->host->gpu[w->gpu]);
    const struct gs_arena_mark mark = gs_arena_mark(w->arena);
    struct gs_train *train;
    size_t n;
    enum gs_status s = gs_trains_find(r->burst, r->n, w->arena, &train, &n, err);
    for (size_t i = 0; s == GS_OK && i < n; i++) {
        struct gs_train_view v;
        s = gs_train_look(&series, &w->sensor, r->burst, r->n, &train[i], train[i].period_ns < w->sensor.reach_ns,
                          w->arena, &v, err);
        if (s == GS_OK)
            apply_train(w, r, &train[i], &v, done);
    }
    gs_arena_rewind(w->arena, mark);
    return s;
}

/* Where the sensor's period is known, the trains of each event. */
static enum gs_status look_at_trains(struct walk *w, bool *done, struct gs_err *err)
{
    const struct gs_host_view *const h = w->host;
    struct by_start *const order = gs_arena_take_raw(w->arena, h->n_pairs, sizeof *order);
    struct repeated r = {0, gs_arena_take_raw(w->arena, h->n_pairs, sizeof *r.pair),
                         gs_arena_take_raw(w->arena, h->n_pairs, sizeof *r.burst)};
    w->ripple2_j = gs_arena_take(w->arena, (size_t)h->n_times + 1, sizeof *w->ripple2_j);
    w->refused = gs_arena_take_raw(w->arena, h->n_pairs, sizeof *w->refused);
    if (order == NULL || r.pair == NULL || r.burst == NULL || w->ripple2_j == NULL || w->refused == NULL)
        return gs_fail_memory(err);
    uint32_t n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (gs_pair_uses(&h->pair[p], w->gpu) && gs_pair_ns(&h->pair[p]) > 0)
            order[n++] = (struct by_start){h->pair[p].event, p, h->pair[p].start_ns};
    if (n > 0)
        qsort(order, n, sizeof *order, compare_starts);
    enum gs_status s = GS_OK;
    for (uint32_t i = 0, end; s == GS_OK && i < n; i = end) {
        r.n = 0;
        for (end = i; end < n && order[end].event == order[i].event; end++) {
            const struct gs_pair *const p = &h->pair[order[end].pair];
            r.pair[r.n] = order[end].pair;
            r.burst[r.n++] = (struct gs_burst){p->start_ns, p->stop_ns};
        }
        s = look_at_event(w, &r, done, err);
    }
    for (uint32_t i = 0; i < h->n_times; i++)
        w->ripple2_j[i + 1] += w->ripple2_j[i];
    return s;
}

static enum gs_status add_gpu(struct walk *w, const struct gs_join_options *o, struct gs_energy_point *at, bool *done,
                              struct gs_err *err)
{
    const struct gs_host_view *const h = w->host;
    const struct gs_gpu_view *const g = &h->gpu[w->gpu];
    enum gs_status s = gs_gpu_sensor(g, o->sensor, w->arena, &w->sensor, err);
    if (s == GS_OK)
        s = gs_energy_points(g, &w->sensor, o->max_gap_ns, h->time, h->n_times, w->arena, at, err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++)
        done[p] = false;
    if (s == GS_OK && w->sensor.period_from != GS_SENSOR_UNKNOWN)
        s = look_at_trains(w, done, err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++)
        if (!done[p] && gs_pair_uses(&h->pair[p], w->gpu))
            add_pair(w, p);
    return s;
}

enum gs_status gs_pair_energies(const struct gs_host_view *h, const struct gs_join_options *o, struct gs_arena *arena,
                                struct gs_joined *joined, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(arena);
    struct gs_energy_point *const at = gs_arena_take_raw(arena, h->n_times, sizeof *at);
    bool *const done = gs_arena_take_raw(arena, h->n_pairs, sizeof *done);
    enum gs_status s = at == NULL || done == NULL ? gs_fail_memory(err) : gs_energy_check(h, err);
    for (uint32_t k = 0; s == GS_OK && k < h->n_gpus; k++) {
        struct walk w = {.host = h, .gpu = k, .at = at, .arena = arena, .joined = joined};
        const struct gs_arena_mark gpu = gs_arena_mark(arena);
        if (h->gpu[k].n > 0)
            s = add_gpu(&w, o, at, done, err);
        gs_arena_rewind(arena, gpu);
    }
    gs_arena_rewind(arena, mark);
    return s;
}
