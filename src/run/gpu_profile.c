/* gpu_profile.c - one visit, each profile written by the one thread that visits its host. */
#include "run/gpu_profile.h"

#include <math.h>
#include <string.h>

#include "base/timestamp.h"
#include "view/counts.h"
#include "stats/dd.h"

struct profiling {
    const struct gs_dataset *d;
    const struct gs_profile_options *o;
    uint32_t event;
    struct gs_gpu_profile *profile; /* [n_gpus]    */
    struct gs_arena *arena;         /* [n_threads] */
};

static void add_samples(struct gs_gpu_profile *p, const struct gs_gpu_view *g, uint32_t n_metrics, int64_t hot)
{
    p->n_samples = g->n;
    for (uint32_t m = 0; m < n_metrics; m++)
        for (uint32_t i = 0; i < g->n; i++) {
            const int64_t v = g->value[m][i];
            if (v == GS_MISSING)
                continue;
            p->metric[m].sum += v;
            p->metric[m].n++;
            p->n_hot += m == GS_TEMP && gs_is_hot(v, hot);
        }
}

/* The first sample that is not before an instant. */
static uint32_t first_from(const struct gs_gpu_view *g, int64_t t_ns)
{
    uint32_t lo = 0, n = g->n;
    while (n > 0) {
        const uint32_t half = n / 2;
        if (g->t_ns[lo + half] < t_ns) {
            lo += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return lo;
}

static void add_task(struct gs_gpu_profile *p, const struct gs_dataset *d, const struct gs_gpu_view *g,
                     const struct gs_pair *pair)
{
    const int64_t ns = gs_pair_duration_ns(pair);
    const bool named = pair->gpu != GS_NONE;
    if (p->task != NULL)
        p->task[p->n_tasks] = (struct gs_profile_task){
            ns, d->task_first == NULL ? GS_NONE : gs_dataset_task_row(d, pair->task, pair->job), named};
    p->task_ns += ns;
    p->n_tasks++;
    p->named_ns += named ? ns : 0;
    p->n_named += named;
    p->shares_tasks |= !named;
    for (uint32_t i = first_from(g, pair->start_ns); i < g->n && g->t_ns[i] <= pair->stop_ns; i++)
        if (g->value[GS_POWER][i] != GS_MISSING) {
            p->task_power += g->value[GS_POWER][i];
            p->n_task_power++;
        }
}

static enum gs_status add_tasks(const struct profiling *f, const struct gs_host_view *h, uint32_t gpu,
                                struct gs_gpu_profile *p, struct gs_arena *arena, struct gs_err *err)
{
    if (f->o->keep_tasks) {
        p->task = gs_arena_take_raw(arena, h->n_pairs, sizeof *p->task);
        if (p->task == NULL)
            return gs_fail_memory(err);
    }
    for (uint32_t k = 0; k < h->n_pairs; k++) {
        const struct gs_pair *const pair = &h->pair[k];
        if (pair->event == f->event && gs_pair_uses(pair, gpu))
            add_task(p, f->d, &h->gpu[gpu], pair);
    }
    return GS_OK;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    (void)scratch;
    const struct profiling *const f = context;
    enum gs_status s = GS_OK;
    bool shares = false;
    for (uint32_t g = 0; s == GS_OK && g < h->n_gpus; g++) {
        struct gs_gpu_profile *const p = &f->profile[h->gpu[g].gpu];
        add_samples(p, &h->gpu[g], h->n_metrics, f->o->hot);
        s = add_tasks(f, h, g, p, &f->arena[thread], err);
        shares |= p->shares_tasks;
    }
    for (uint32_t g = 0; g < h->n_gpus; g++)
        f->profile[h->gpu[g].gpu].shares_tasks = shares && h->n_gpus > 1;
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
    struct gs_profile_sum *const metric = gs_arena_take(arena, (size_t)d->n_gpus * d->n_metrics, sizeof *metric);
    if (f.profile == NULL || f.arena == NULL || metric == NULL)
        return gs_fail_memory(err);
    for (uint32_t g = 0; g < d->n_gpus; g++)
        f.profile[g].metric = metric + (size_t)g * d->n_metrics;
    s = gs_hosts_visit(d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, &f, totals, err);
    for (unsigned t = 0; t < n_threads; t++)
        gs_arena_adopt(arena, &f.arena[t]);
    if (s == GS_OK)
        *profile = f.profile;
    return s;
}

double gs_profile_mean(const struct gs_gpu_profile *p, unsigned m)
{
    const struct gs_profile_sum *const s = &p->metric[m];
    return s->n == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(s->sum, (gs_i128)s->n * GS_FIXED_ONE));
}

double gs_profile_task_s(const struct gs_gpu_profile *p)
{
    return p->n_tasks == 0 ? (double)NAN : gs_dd_to_double(gs_dd_ratio(p->task_ns, (gs_i128)p->n_tasks * GS_NS_PER_S));
}

/* --- units -------------------------------------------------------------------------------------------- */

/* Gives a sum its own metrics, which were those of the host's first GPU. */
static enum gs_status begin_host(struct gs_gpu_profile *sum, uint32_t n_metrics, struct gs_arena *arena,
                                 struct gs_err *err)
{
    struct gs_profile_sum *const metric = gs_arena_take_raw(arena, n_metrics, sizeof *metric);
    if (metric == NULL)
        return gs_fail_memory(err);
    memcpy(metric, sum->metric, n_metrics * sizeof *metric);
    sum->metric = metric;
    return GS_OK;
}

/* Adds another GPU of a host: of its tasks those that name it, as the first has those that name none. */
static enum gs_status add_gpu(struct gs_gpu_profile *sum, const struct gs_gpu_profile *p, uint32_t n_metrics,
                              struct gs_arena *arena, struct gs_err *err)
{
    sum->n_samples += p->n_samples;
    sum->n_hot += p->n_hot;
    for (uint32_t m = 0; m < n_metrics; m++) {
        sum->metric[m].n += p->metric[m].n;
        sum->metric[m].sum += p->metric[m].sum;
    }
    sum->n_task_power += p->n_task_power;
    sum->task_power += p->task_power;
    if (sum->task != NULL && p->n_named > 0) {
        struct gs_profile_task *const all = gs_arena_take_raw(arena, (size_t)sum->n_tasks + p->n_named, sizeof *all);
        size_t n = sum->n_tasks;
        if (all == NULL)
            return gs_fail_memory(err);
        memcpy(all, sum->task, n * sizeof *all);
        for (uint32_t i = 0; i < p->n_tasks; i++)
            if (p->task[i].named)
                all[n++] = p->task[i];
        sum->task = all;
    }
    sum->n_tasks += p->n_named;
    sum->task_ns += p->named_ns;
    return GS_OK;
}

enum gs_status gs_units_of(const struct gs_dataset *d, const struct gs_gpu_profile *profile, struct gs_arena *arena,
                           struct gs_units *units, struct gs_err *err)
{
    struct gs_units u = {.unit = gs_arena_take_raw(arena, d->n_gpus, sizeof *u.unit)};
    if (u.unit == NULL)
        return gs_fail_memory(err);
    enum gs_status s = GS_OK;
    for (uint32_t g = 0; s == GS_OK && g < d->n_gpus; g++) {
        const bool again = g > 0 && profile[g].shares_tasks && d->gpu[g - 1].host == d->gpu[g].host;
        if (again) {
            struct gs_unit *const unit = &u.unit[u.n - 1];
            if (unit->n_gpus == 1)
                s = begin_host(&unit->sum, d->n_metrics, arena, err);
            u.n_hosts += unit->n_gpus == 1;
            unit->n_gpus++;
            if (s == GS_OK)
                s = add_gpu(&unit->sum, &profile[g], d->n_metrics, arena, err);
        } else {
            u.unit[u.n++] = (struct gs_unit){.first_gpu = g, .n_gpus = 1, .sum = profile[g]};
        }
    }
    if (s == GS_OK)
        *units = u;
    return s;
}

void gs_unit_name(const struct gs_dataset *d, const struct gs_unit *u, struct gs_frame *f, size_t row, size_t column)
{
    const struct gs_gpu *const gpu = &d->gpu[u->first_gpu];
    gs_frame_set_text(f, row, column, d->host.text[gpu->host]);
    if (u->n_gpus > 1)
        return;
    gs_frame_set_text(f, row, column + 1, gpu->serial);
    gs_frame_set_text(f, row, column + 2, gpu->uuid);
}

void gs_units_note(const struct gs_units *units, struct gs_notes *notes)
{
    if (units->n_hosts > 0)
        gs_note(notes, GS_NOTE_INFO, "%zu %s several GPUs and tasks that name none: each host is one point, not its GPUs",
                units->n_hosts, units->n_hosts == 1 ? "host has" : "hosts have");
}
