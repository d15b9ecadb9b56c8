/* pair_energy.c - energies of pairs by the sensors of their GPUs, trains of short ones by their fit. */
#include "analysis/energy/pair_energy.h"

#include "analysis/timeline/counts.h"
#include "analysis/timeline/pair_burst.h"

/* One GPU of a host while its pairs are gone through. */
struct walk {
    const struct gs_host_view *host;
    uint32_t number; /* of the GPU among the host's */
    const struct gs_energy_curve *curve;
    const struct gs_energy_point *at; /* [n_times] */
    struct gs_joined *joined;
    struct gs_pair_bursts trains;
};

/* Brings one GPU's part to a pair. */
static void add_use(const struct walk *w, uint32_t p, struct gs_energy_sum *one)
{
    struct gs_joined *const j = &w->joined[p];
    /*
     * An unknown card's error is one per GPU, not per event. So the energy is kept by GPU as well,
     * and whoever sums events adds it up by GPU before squaring.
     */
    if (j->use != NULL)
        ((struct gs_energy_use *)j->use)[w->number] =
            (struct gs_energy_use){one->unknown, one->unknown_ns};
    if (one != &j->used)
        gs_energy_sum_merge(&j->used, one);
}

static void add_pair(const struct walk *w, uint32_t p)
{
    const struct gs_pair *const pair = &w->host->pair[p];
    const struct gs_energy_point *const a = &w->at[pair->start_at], *const b =
                                                                        &w->at[pair->stop_at];
    struct gs_energy_sum *const all = &w->joined[p].used, own, *one = all;
    if (all->n > 0) { /* the first GPU's is the sum so far, which most pairs' stays */
        own = (struct gs_energy_sum){0};
        one = &own;
    }
    const bool inside = gs_energy_sum_window(one, w->curve, a, b);
    if (w->trains.beside != NULL)
        gs_energy_sum_beside(one, w->curve, a, b, &w->trains.beside[p]);
    if (inside) {
        one->n_refused = gs_pair_bursts_refused(&w->trains, pair->start_ns, pair->stop_ns);
        add_use(w, p, one);
    } else if (one != all) {
        gs_energy_sum_merge(all, one);
    }
}

/*
 * A mean over more than a train's period shows the bursts and the rests between them as one level: the fit takes the rests for
 * idle, the readings take them for as busy as the bursts. What lies between the two is not known. From twice that period on the
 * readings ripple, which tells the two apart.
 */
static void add_unseen_rests(const struct walk *w, const struct gs_pair *pair,
                             const struct gs_pair_burst *t, struct gs_energy_sum *one)
{
    struct gs_energy_sum read = {0};
    const double ripple = (double)t->train.period_ns / (double)t->view.fit.window_ns - 1.0;
    if (gs_sensor_in_sight(&w->curve->sensor) || ripple >= 1.0 ||
        !gs_energy_sum_window(&read, w->curve, &w->at[pair->start_at], &w->at[pair->stop_at]))
        return;
    const gs_i128 apart = (gs_i128)gs_magnitude_i128(one->energy - read.energy);
    const int64_t hidden_ppm = GS_FIXED_ONE - (int64_t)(gs_max(ripple, 0.0) * GS_FIXED_ONE);
    one->blind += apart * hidden_ppm / GS_FIXED_ONE;
}

/* The short bursts of a train take the fit's energy; `done` says which pairs have theirs. */
static void apply_train(const struct walk *w, const struct gs_pair_burst *t, bool *done)
{
    const struct gs_burst_train_view *const v = &t->view;
    const struct gs_pair *const pair = w->host->pair;
    for (size_t i = 0; !v->refused && v->fitted && i < t->train.n; i++) {
        const uint32_t p = t->pair[i];
        const int64_t length = gs_pair_duration_ns(&pair[p]);
        /*
         * An event longer than the sensor's reach is seen whole by the readings themselves; its
         * integral is better than the fit's constant level.
         */
        if (length >= w->curve->sensor.reach_ns)
            continue;
        struct gs_energy_sum one = {0};
        done[p] = true;
        /*
         * Both ends clamp to the same instant outside the log: there is no energy, but the pair is
         * done all the same.
         */
        if (w->at[pair[p].stop_at].at_ns == w->at[pair[p].start_at].at_ns)
            continue;
        gs_burst_train_burst(v, &w->curve->sensor, length, &one);
        add_unseen_rests(w, &pair[p], t, &one);
        add_use(w, p, &one);
    }
}

/* Nearly all are short: one instruction then. */
static gs_i128 portion(gs_i128 energy, int64_t of)
{
    return energy == (int64_t)energy ? (int64_t)energy / of : energy / of;
}

/* Events that run at once on a GPU, of one name or of any. */
struct at_once {
    gs_i128 from,
        shared; /* the GPU's energy where n last changed; what they had in common up to there */
    int64_t n;
};

static void change(struct at_once *a, gs_i128 energy, int by)
{
    if (a->n > 1)
        a->shared += portion((energy - a->from) * (a->n - 1), a->n);
    a->from = energy;
    a->n += by;
}

/*
 * What each pair of a GPU uses beside others, in equal parts: the sum of the pairs less this is what the GPU used while
 * any of them ran. Starts and stops are lists by their place in time[]: end 2 p is where pair p starts, 2 p + 1 where it
 * stops.
 */
static enum gs_status add_shared(const struct walk *w, struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_host_view *const h = w->host;
    uint32_t n_names = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++)
        n_names = gs_max(n_names, h->pair[p].event + 1);
    struct at_once any = {0};
    GS_NEW(struct at_once, named, n_names, arena, err);
    GS_NEW_RAW(uint32_t, first, h->n_times, arena, err);
    GS_NEW_RAW(uint32_t, next, 2 * (size_t)h->n_pairs, arena, err);
    for (uint32_t i = 0; i < h->n_times; i++)
        first[i] = GS_NONE;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        const struct gs_pair *const pair = &h->pair[p];
        const uint32_t at[] = {pair->start_at, pair->stop_at};
        for (uint32_t k = 0; at[0] < at[1] && k < 2 && gs_pair_uses(h, pair, w->number); k++) {
            next[2 * p + k] = first[at[k]];
            first[at[k]] = 2 * p + k;
        }
    }
    for (uint32_t i = 0; i < h->n_times; i++)
        for (uint32_t end = first[i]; end != GS_NONE; end = next[end]) {
            const int by = end % 2 == 0 ? 1 : -1;
            struct gs_joined *const j = &w->joined[end / 2];
            struct at_once *const alike = &named[h->pair[end / 2].event];
            change(&any, w->at[i].used.energy, by);
            change(alike, w->at[i].used.energy, by);
            j->again -= by * any.shared;
            j->again_alike -= by * alike->shared;
        }
    return GS_OK;
}

enum gs_status gs_pair_energies_add(const struct gs_host_view *h, uint32_t k,
                                    const struct gs_gpu_view *g, const struct gs_join_options *o,
                                    struct gs_arena *arena, struct gs_joined *joined,
                                    struct gs_err *err)
{
    if (gs_gpu_log(g)->n == 0)
        return GS_OK;
    GS_REWINDS(arena);
    GS_NEW_RAW(struct gs_energy_point, at, h->n_times, arena, err);
    GS_NEW(bool, done, h->n_pairs, arena, err);
    struct gs_energy_curve curve;
    struct walk w = {.host = h, .curve = &curve, .number = k, .at = at, .joined = joined};
    GS_TRY(gs_gpu_curve(g, o->max_gap_ns, arena, &curve, err));
    GS_TRY(gs_pair_bursts_find(h, k, g, arena, &curve.sensor, &w.trains, err));
    gs_energy_points(&curve, h->time, h->n_times, at);
    for (size_t i = 0; i < w.trains.n; i++)
        apply_train(&w, &w.trains.train[i], done);
    for (uint32_t p = 0; p < h->n_pairs; p++)
        if (!done[p] && gs_pair_uses(h, &h->pair[p], k))
            add_pair(&w, p);
    return add_shared(&w, arena, err);
}

enum gs_status gs_pair_energies_room(const struct gs_host_view *h, struct gs_arena *arena,
                                     struct gs_joined *joined, struct gs_err *err)
{
    /*
     * Room by GPU is needed only by a pair that uses several GPUs. With one GPU the pair's own sum
     * is that GPU's.
     */
    for (uint32_t p = 0; h->n_gpus > 1 && p < h->n_pairs; p++)
        if (h->pair[p].gpu == GS_NONE)
            GS_TAKE(joined[p].use, h->n_gpus, arena, err);
    return GS_OK;
}

enum gs_status gs_pair_energies(const struct gs_host_view *h, const struct gs_join_options *o,
                                struct gs_arena *arena, struct gs_joined *joined,
                                struct gs_err *err)
{
    GS_TRY(gs_energy_check(h, err));
    GS_TRY(gs_pair_energies_room(h, arena, joined, err));
    for (uint32_t k = 0; k < h->n_gpus; k++)
        GS_TRY(gs_pair_energies_add(h, k, &h->gpu[k], o, arena, joined, err));
    return GS_OK;
}
