/* job_labels.c - jobs out of the labels of samples, where no list of jobs is there. */

#include "analysis/jobs/jobs.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"

/* The labels that the GPU at hand has at present, each since when. */
struct labels {
    struct gs_host_view *h;
    struct gs_pair *pair; /* of those that are over */
    struct open {
        uint32_t job;
        int64_t since_ns, last_ns; /* the instants of its first sample and of its last */
    } * open;
    size_t n_pairs, n_open;
    uint32_t gpu;
    struct gs_arena *scratch;
};

/* Ends what the samples at `t_ns` do not name any more; GS_MISSING: the log ends. An interval behind the last sample, if not before. */
static bool close_labels(struct labels *l, int64_t t_ns)
{
    const struct gs_gpu_view *const g = &l->h->gpu[l->gpu];
    size_t n = 0;
    for (size_t i = 0; i < l->n_open; i++) {
        const struct open *const o = &l->open[i];
        int64_t stop;
        if (o->last_ns == t_ns) {
            l->open[n++] = *o;
            continue;
        }
        if (!GS_HAS_ROOM(l->scratch, l->pair, l->n_pairs))
            return false;
        if (__builtin_add_overflow(o->last_ns, g->interval_ns, &stop) ||
            (t_ns != GS_MISSING && (stop > t_ns || g->interval_ns == 0)))
            stop = t_ns == GS_MISSING ? o->last_ns : t_ns;
        l->pair[l->n_pairs++] = (struct gs_pair){.start_ns = o->since_ns,
                                                 .stop_ns = stop,
                                                 .event = GS_NONE,
                                                 .job = o->job,
                                                 .gpu = g->gpu - l->h->first_gpu,
                                                 .attributes = GS_NONE};
    }
    l->n_open = n;
    return true;
}

static bool open_label(struct labels *l, uint32_t job, int64_t t_ns)
{
    size_t i = 0;
    while (i < l->n_open && l->open[i].job != job)
        i++;
    if (i == l->n_open) {
        if (!GS_HAS_ROOM(l->scratch, l->open, l->n_open))
            return false;
        l->open[l->n_open++] = (struct open){.job = job, .since_ns = t_ns};
    }
    l->open[i].last_ns = t_ns;
    return true;
}

/* Several jobs may have a GPU at once: at an instant all that its samples name do. */
static bool label_gpu(struct labels *l, const struct gs_dataset *d)
{
    const struct gs_gpu_view *const g = gs_gpu_log(&l->h->gpu[l->gpu]);
    const uint32_t only = gs_series_job(d, l->h->gpu[l->gpu].gpu);
    for (uint32_t i = 0, next; i < g->n; i = next) {
        for (next = i; next < g->n && g->t_ns[next] == g->t_ns[i]; next++) {
            const uint32_t job = g->job == NULL ? only : g->job[next];
            if (job != GS_NONE && job != l->h->no_job && !open_label(l, job, g->t_ns[i]))
                return false;
        }
        if (!close_labels(l, g->t_ns[i]))
            return false;
    }
    return close_labels(l, GS_MISSING);
}

enum gs_status gs_label_pairs(struct gs_host_view *h, const struct gs_dataset *d,
                              struct gs_arena *scratch, struct gs_err *err)
{
    struct labels l = {.h = h, .scratch = scratch};
    for (; h->job != NULL && l.gpu < h->n_gpus; l.gpu++)
        GS_TRY(gs_had_memory(label_gpu(&l, d), err));
    GS_NEW_RAW(int64_t, time, 2 * l.n_pairs, scratch, err);
    size_t n = 0;
    for (size_t i = 0; i < l.n_pairs; i++) {
        time[2 * i] = l.pair[i].start_ns;
        time[2 * i + 1] = l.pair[i].stop_ns;
    }
    GS_SORT(time, 2 * l.n_pairs, gs_compare_int64);
    for (size_t i = 0; i < 2 * l.n_pairs; i++)
        if (i == 0 || time[i] != time[n - 1])
            time[n++] = time[i];
    for (size_t i = 0; i < l.n_pairs; i++) {
        l.pair[i].start_at = (uint32_t)gs_count_below(time, n, l.pair[i].start_ns);
        l.pair[i].stop_at = (uint32_t)gs_count_below(time, n, l.pair[i].stop_ns);
    }
    h->pair = l.pair;
    h->n_pairs = (uint32_t)l.n_pairs;
    h->time = time;
    h->n_times = (uint32_t)n;
    h->place = NULL;
    return GS_OK;
}
