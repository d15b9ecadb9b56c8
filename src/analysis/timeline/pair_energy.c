/* pair_energy.c - energies of pairs by the sensors of their GPUs, trains of short ones by their fit. */
#include "analysis/timeline/pair_energy.h"

#include <math.h>

#include "analysis/timeline/counts.h"
#include "analysis/timeline/pair_burst.h"

static struct gs_power_series series_of(const struct gs_gpu_view *g)
{
    return (struct gs_power_series){g->n, g->t_ns, g->value[g->drawn]};
}

enum gs_status gs_energy_points(const struct gs_gpu_view *g, const struct gs_sensor *sensor,
                                int64_t max_gap_ns, const int64_t *t, uint32_t n,
                                struct gs_arena *scratch, struct gs_energy_point *at,
                                struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct gs_power_series series = series_of(g);
    struct gs_sensor_edge *const edge = gs_arena_take_raw(scratch, n, sizeof *edge);
    enum gs_status s = edge == NULL ? gs_fail_memory(err)
                                    : gs_sensor_edges(&series, sensor, t, n, scratch, edge, err);
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
    const struct gs_gpu_view *gpu;
    uint32_t number; /* of it among the host's */
    struct gs_sensor sensor;
    const struct gs_energy_point *at; /* [n_times] */
    struct gs_arena *arena;
    struct gs_joined *joined;
    double *ripple2_j; /* [n_times + 1] of trains that an instant lies in; NULL: there are none */
    struct gs_pair_bursts trains;
};

static void add_pair(const struct walk *w, uint32_t p)
{
    const struct gs_pair *const pair = &w->host->pair[p];
    const struct gs_energy_point *const a = &w->at[pair->start_at], *const b =
                                                                        &w->at[pair->stop_at];
    struct gs_joined *const j = &w->joined[p];
    if (b->used.covered_ns == a->used.covered_ns)
        return;
    const gs_i128 energy = b->used.energy - a->used.energy;
    j->energy += energy;
    j->covered_ns += b->used.covered_ns - a->used.covered_ns;
    j->has_energy = true;
    gs_energy_error_add(&j->error, &w->sensor, energy, gs_pair_duration_ns(pair), &a->edge,
                        &b->edge);
    gs_energy_error_smear(&j->error, &w->sensor, gs_pair_duration_ns(pair), &a->edge, &b->edge);
    j->error.n_refused += gs_pair_bursts_refused(&w->trains, pair->start_ns, pair->stop_ns);
    gs_energy_error_apart(
        &j->error, gs_pair_bursts_beat_j(&w->trains, &w->sensor, pair->start_ns, pair->stop_ns));
    if (w->ripple2_j != NULL)
        gs_energy_error_apart(&j->error, sqrt(fmax(0.0, fmax(w->ripple2_j[pair->start_at],
                                                             w->ripple2_j[pair->stop_at]))));
}

/* One train: its short bursts take the fit's energy or are refused; `done` says which pairs have their
 * energy. */
static void apply_train(struct walk *w, const struct gs_pair_burst *t, bool *done)
{
    const struct gs_burst_train_view *const v = &t->view;
    const struct gs_pair *const pair = w->host->pair;
    const double ripple = gs_burst_train_ripple_j(&t->train, v, &w->sensor), n = (double)t->train.n;
    const double beat = gs_burst_train_beat_j(&t->train, v, &w->sensor, n) /
                        sqrt(n); /* of one, so that all have theirs */
    for (size_t i = 0; i < t->train.n; i++) {
        const uint32_t p = t->pair[i];
        const int64_t length = gs_pair_duration_ns(&pair[p]);
        struct gs_joined *const j = &w->joined[p];
        gs_energy_error_apart(&j->error, beat);
        if (!v->refused && v->fitted && length < w->sensor.reach_ns) {
            const struct gs_energy *const a = &w->at[pair[p].start_at].used,
                                          *const b = &w->at[pair[p].stop_at].used;
            done[p] = true;
            if (b->covered_ns == a->covered_ns)
                continue;
            j->energy += gs_burst_train_burst(v, &w->sensor, length, &j->error);
            j->covered_ns += b->covered_ns - a->covered_ns;
            j->has_energy = true;
        }
    }
    if (v->refused || !(ripple > 0.0))
        return;
    /* Every instant inside the train; summed up once all trains are in. */
    w->ripple2_j[pair[t->pair[0]].start_at + 1] += ripple * ripple;
    w->ripple2_j[pair[t->pair[t->train.n - 1]].stop_at] -= ripple * ripple;
}

static enum gs_status apply_trains(struct walk *w, bool *done, struct gs_err *err)
{
    const uint32_t n_times = w->host->n_times;
    if (w->trains.n == 0)
        return GS_OK;
    w->ripple2_j = gs_arena_take(w->arena, (size_t)n_times + 1, sizeof *w->ripple2_j);
    if (w->ripple2_j == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < w->trains.n; i++)
        apply_train(w, &w->trains.train[i], done);
    for (uint32_t i = 0; i < n_times; i++)
        w->ripple2_j[i + 1] += w->ripple2_j[i];
    return GS_OK;
}

static enum gs_status add_gpu(struct walk *w, const struct gs_join_options *o,
                              struct gs_energy_point *at, bool *done, struct gs_err *err)
{
    const struct gs_host_view *const h = w->host;
    enum gs_status s =
        gs_pair_bursts_find(h, w->number, w->gpu, w->arena, &w->sensor, &w->trains, err);
    if (s == GS_OK)
        s = gs_energy_points(w->gpu, &w->sensor, o->max_gap_ns, h->time, h->n_times, w->arena, at,
                             err);
    if (s == GS_OK)
        s = apply_trains(w, done, err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++)
        if (!done[p] && gs_pair_uses(h, &h->pair[p], w->number))
            add_pair(w, p);
    return s;
}

enum gs_status gs_pair_energies_add(const struct gs_host_view *h, uint32_t k,
                                    const struct gs_gpu_view *g, const struct gs_join_options *o,
                                    struct gs_arena *arena, struct gs_joined *joined,
                                    struct gs_err *err)
{
    if (g->n == 0)
        return GS_OK;
    const struct gs_arena_mark mark = gs_arena_mark(arena);
    struct gs_energy_point *const at = gs_arena_take_raw(arena, h->n_times, sizeof *at);
    bool *const done = gs_arena_take(arena, h->n_pairs, sizeof *done);
    struct walk w = {.host = h, .gpu = g, .number = k, .at = at, .arena = arena, .joined = joined};
    const enum gs_status s =
        at == NULL || done == NULL ? gs_fail_memory(err) : add_gpu(&w, o, at, done, err);
    gs_arena_rewind(arena, mark);
    return s;
}

enum gs_status gs_pair_energies(const struct gs_host_view *h, const struct gs_join_options *o,
                                struct gs_arena *arena, struct gs_joined *joined,
                                struct gs_err *err)
{
    enum gs_status s = gs_energy_check(h, err);
    for (uint32_t k = 0; s == GS_OK && k < h->n_gpus; k++)
        s = gs_pair_energies_add(h, k, &h->gpu[k], o, arena, joined, err);
    return s;
}
