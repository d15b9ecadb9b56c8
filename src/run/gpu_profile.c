/* population.c - what each GPU did over the whole run, and who is alike. */
#include <math.h>

#include "run/clusters.h"
#include "stats/dd.h"
#include "view/counts.h"
#include "base/timestamp.h"

enum { N_FEATURES = 3 };

struct profiling {
    const struct gs_dataset *d;
    const struct gs_profile_options *o;
    uint32_t event;
    struct gs_gpu_profile *profile; /* [n_gpus]: each is written by the one thread that visits its host */
    struct gs_arena *arena;         /* [n_threads]                                                      */
};

static void add_samples(struct gs_gpu_profile *p, const struct gs_gpu_view *g, int64_t hot)
{
    p->n_samples = g->n;
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        for (uint32_t i = 0; i < g->n; i++) {
            const int64_t v = g->value[m][i];
            if (v == GS_MISSING)
                continue;
            p->sum[m] += v;
            p->n[m]++;
            p->n_hot += m == GS_TEMP && gs_is_hot(v, hot);
        }
}

static enum gs_status add_tasks(const struct profiling *f, const struct gs_host_view *h, uint32_t gpu,
                                struct gs_gpu_profile *p, struct gs_arena *arena, struct gs_err *err)
{
    if (f->o->keep_durations) {
        p->duration_ns = gs_arena_take_raw(arena, h->n_pairs, sizeof *p->duration_ns);
        if (p->duration_ns == NULL)
            return gs_fail_memory(err);
    }
    for (uint32_t k = 0; k < h->n_pairs; k++) {
        const struct gs_pair *const pair = &h->pair[k];
        if (pair->event != f->event || !gs_pair_uses(pair, gpu))
            continue;
        const int64_t ns = gs_pair_duration_ns(pair);
        if (p->duration_ns != NULL)
            p->duration_ns[p->n_tasks] = ns;
        p->task_ns += ns;
        p->n_tasks++;
    }
    return GS_OK;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    (void)scratch;
    const struct profiling *const f = context;
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++) {
        struct gs_gpu_profile *const p = &f->profile[h->gpu[g].gpu];
        add_samples(p, &h->gpu[g], f->o->hot);
        s = add_tasks(f, h, g, p, &f->arena[thread], err);
    }
    return s;
}

enum gs_status gs_profiles(const struct gs_dataset *d, const struct gs_profile_options *o, unsigned n_threads,
                           struct gs_arena *arena, struct gs_gpu_profile **profile, struct gs_view_totals *totals,
                           struct gs_err *err)
{
    struct profiling f = {.d = d, .o = o};
    enum gs_status s = gs_event_number(d, o->event, &f.event, err);
    if (s != GS_OK)
        return s;
    f.profile = gs_arena_take(arena, d->n_gpus, sizeof *f.profile);
    f.arena = gs_arena_take(arena, n_threads, sizeof *f.arena);
    if (f.profile == NULL || f.arena == NULL)
        return gs_fail_memory(err);
    s = gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, &f, totals, err);
    for (unsigned t = 0; t < n_threads; t++)
        gs_arena_adopt(arena, &f.arena[t]);
    if (s == GS_OK)
        *profile = f.profile;
    return s;
}

double gs_profile_mean(const struct gs_gpu_profile *p, unsigned m)
{
    return p->n[m] == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(p->sum[m], (gs_i128)p->n[m] * GS_FIXED_ONE));
}

double gs_profile_task_s(const struct gs_gpu_profile *p)
{
    return p->n_tasks == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(p->task_ns, (gs_i128)p->n_tasks * GS_NS_PER_S));
}

static bool features_of(const struct gs_gpu_profile *p, double x[N_FEATURES])
{
    x[0] = gs_profile_mean(p, GS_GPU_UTIL);
    x[1] = gs_profile_mean(p, GS_MEM_UTIL);
    x[2] = gs_profile_task_s(p);
    return !isnan(x[0]) && !isnan(x[1]) && !isnan(x[2]);
}

enum gs_status gs_clusters_find(const struct gs_dataset *d, const struct gs_gpu_profile *profile, size_t k,
                                struct gs_arena *arena, struct gs_clusters *clusters, struct gs_err *err)
{
    struct gs_arena scratch = {0};
    struct gs_clusters c = {.of_gpu = gs_arena_take_raw(arena, d->n_gpus, sizeof *c.of_gpu)};
    double *const x = gs_arena_take_raw(arena, (size_t)d->n_gpus * N_FEATURES, sizeof *x);
    size_t n = 0;
    if (c.of_gpu == NULL || x == NULL)
        return gs_fail_memory(err);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        n += features_of(&profile[g], &x[n * N_FEATURES]);
    enum gs_status s = k == 0 ? gs_kmeans_choose(x, n, N_FEATURES, GS_CLUSTERS_K_MAX, arena, &scratch, &c.fit, err)
                              : gs_kmeans_fit(x, n, N_FEATURES, k, arena, &scratch, &c.fit, err);
    gs_arena_release(&scratch);
    if (s == GS_ERR_RANGE)
        return gs_fail(err, GS_ERR_DATA,
                       "%zu of %u GPUs have utilisation, memory utilisation and tasks; too few that differ for %zu "
                       "clusters",
                       n, d->n_gpus, k == 0 ? (size_t)2 : k);
    if (s != GS_OK)
        return s;
    n = 0;
    for (uint32_t g = 0; g < d->n_gpus; g++) {
        double features[N_FEATURES];
        c.of_gpu[g] = features_of(&profile[g], features) ? c.fit.label[n++] : GS_NONE;
    }
    *clusters = c;
    return GS_OK;
}
