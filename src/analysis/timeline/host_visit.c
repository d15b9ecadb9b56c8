/* host_visit.c - from host to host on several threads, by one way of counting or by several. */
#include <string.h>

#include "base/os/input_meter.h"
#include "base/os/parallel.h"
#include "analysis/timeline/host_view.h"
#include "base/num/order.h"
#include "stats/descriptive/quantile.h"

/* What ended a thread's part of a visit. Hosts are handed out in their order, so the least that failed is the same always. */
struct failure {
    enum gs_status status; /* GS_OK: nothing did */
    size_t host;
    struct gs_err err;
};

/* The visits that go from host to host together. */
struct walk {
    const struct gs_host_way *way; /* [n_ways] */
    size_t n_ways;
    const bool *takes;
    unsigned n_threads, what;
    bool gpus_apart; /* hosts come one after the other, and the GPUs of one on all threads */
    struct gs_view_totals *totals; /* [n_ways][n_threads] */
    struct gs_arena *scratch;      /* [n_threads]         */
    struct failure *failures;      /* [n_threads]         */
};

/*
 * What was noticed of one host comes to what was noticed on this thread. `one` is a copy because
 * gs_repeats_host changes it; a second way may show the same host again and must start from the
 * unchanged counts.
 */
static void add_totals(struct gs_view_totals *all, struct gs_view_totals one, struct gs_str host)
{
    gs_repeats_host(&one.checkpoints, 0, host);
    gs_repeats_host(&one.samples, 0, host);
    gs_repeats_host(&one.at_once, 0, host);
    gs_view_totals_add(all, &one);
}

/* What a thread sees of a host whose pairs are there while its GPUs are shown one by one. */
struct gpu_show {
    struct gs_host_view host;
    struct gs_gpu_view *gpus; /* those of `host` */
    struct gs_view_totals *totals;
    /* what ended it, and at which GPU: these are handed out in their order, as hosts are */
    enum gs_status status;
    size_t gpu;
    struct gs_err err;
};

struct gpu_shows {
    const struct walk *walk;
    const struct gs_host_way *way;
    unsigned first_thread;
    struct gpu_show *of; /* by thread, from the first */
};

/* Shows one GPU; what it took in scratch is free for the next. */
static int show_gpu(void *context, size_t g, unsigned thread)
{
    const struct gpu_shows *const all = context;
    struct gpu_show *const one = &all->of[thread];
    struct gs_arena *const scratch = &all->walk->scratch[all->first_thread + thread];
    GS_REWINDS(scratch);
    const struct gs_view_way v = gs_view_way_of(all->way->d, all->walk->what);
    enum gs_status s = gs_host_prepare_gpu(&v, (uint32_t)g, &one->host, one->gpus, one->totals,
                                           scratch, &one->err);
    GS_THEN(s, all->way->fn(all->way->context, &one->host, all->first_thread + thread, scratch,
                            &one->err));
    one->gpu = g;
    one->status = s;
    return (int)s;
}

/*
 * Room for another thread to see what the first one does. False without memory. Each thread needs
 * its own GPU array, because gs_host_prepare_gpu fills and clears entries of it. The pairs are
 * shared: nobody writes them after gs_host_prepare. The memory comes from the scratch of the first
 * thread, before the threads start, so no arena has two users.
 */
static bool copy_show(struct gpu_show *to, const struct gpu_show *from, struct gs_arena *scratch)
{
    struct gs_gpu_view *const gpus = gs_arena_take_raw(scratch, from->host.n_gpus, sizeof *gpus);
    *to = *from;
    to->totals = gs_arena_take_raw(scratch, 1, sizeof *to->totals);
    if (gpus == NULL || to->totals == NULL)
        return false;
    memcpy(gpus, from->gpus, from->host.n_gpus * sizeof *gpus);
    to->host.gpu = to->gpus = gpus;
    gs_view_totals_init(to->totals);
    return true;
}

/*
 * Shows a host GPU by GPU, on this thread or on all of them. The first failing GPU in the host's
 * order decides the error. GPUs are handed out in order and a failure stops the rest, so the
 * lowest failing number is always reached, whatever the thread count.
 */
static enum gs_status show_by_gpu(const struct walk *walk, const struct gs_host_way *way,
                                  const struct gs_host_view *h, struct gs_gpu_view *gpus,
                                  unsigned thread, struct gs_view_totals *totals,
                                  struct gs_err *err)
{
    struct gs_arena *const scratch = &walk->scratch[thread];
    const unsigned most = walk->gpus_apart ? walk->n_threads : 1, n = gs_min(most, h->n_gpus);
    struct gpu_shows all = {walk, way, thread, gs_arena_take_raw(scratch, n, sizeof *all.of)};
    GS_TRY(gs_had_memory(all.of != NULL, err));
    all.of[0] = (struct gpu_show){.host = *h, .gpus = gpus, .totals = totals};
    for (unsigned t = 1; t < n; t++)
        GS_TRY(gs_had_memory(copy_show(&all.of[t], &all.of[0], scratch), err));
    (void)gs_parallel_for(n, h->n_gpus, show_gpu, &all);
    const struct gpu_show *first = NULL;
    for (unsigned t = 0; t < n; t++) {
        if (t > 0)
            gs_view_totals_add(totals, all.of[t].totals);
        if (all.of[t].status != GS_OK && (first == NULL || all.of[t].gpu < first->gpu))
            first = &all.of[t];
    }
    if (first != NULL && err != NULL)
        *err = first->err;
    return first == NULL ? GS_OK : first->status;
}

/*
 * Runs on one thread for one host. It touches only this thread's arena, failure and totals; the
 * dataset is read by all threads and written by none.
 */
static int visit_host(void *context, size_t host, unsigned thread)
{
    const struct walk *const walk = context;
    if (walk->takes != NULL && !walk->takes[host])
        return GS_OK;
    struct gs_arena *const scratch = &walk->scratch[thread];
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    struct failure *const f = &walk->failures[thread];
    struct gs_host_view h = {0};
    struct gs_gpu_view *gpus = NULL;
    struct gs_view_totals totals;
    gs_input_meter_add(0);
    enum gs_status s = gs_input_meter_check(&f->err);
    for (size_t w = 0; w < walk->n_ways && s == GS_OK; w++) {
        const struct gs_host_way *const way = &walk->way[w];
        /*
         * The ways differ only in how duplicates are treated. A host without duplicates looks the
         * same to both, so its sorted rows are used again instead of being prepared twice.
         */
        h.shown_before = w > 0 && totals.checkpoints.n + totals.samples.n == 0;
        if (!h.shown_before) {
            gs_arena_rewind(scratch, mark);
            gs_view_totals_init(&totals);
            const struct gs_view_way v = gs_view_way_of(way->d, walk->what);
            s = gs_host_prepare(&v, (uint32_t)host, &h, &gpus, &totals, scratch, &f->err);
        }
        if (s == GS_OK && (walk->what & GS_VIEW_BY_GPU) != 0 && h.n_gpus > 0)
            s = show_by_gpu(walk, way, &h, gpus, thread, &totals, &f->err);
        else if (s == GS_OK)
            s = way->fn(way->context, &h, thread, scratch, &f->err);
        GS_THEN(s, gs_host_notice(&h, scratch, &f->err));
        add_totals(&walk->totals[w * walk->n_threads + thread], totals, way->d->host.text[host]);
    }
    f->host = host;
    f->status = s;
    gs_arena_rewind(scratch, mark);
    return (int)f->status;
}

/*
 * Are the GPUs of one host after the other done sooner than hosts side by side, as many GPUs as the largest has? Hosts of a
 * GPU each are not.
 */
static bool go_apart(const struct gs_dataset *d, const bool *takes, unsigned n_threads)
{
    uint64_t turns = 0, largest = 0;
    for (uint32_t h = 0; h < d->host.n; h++) {
        const uint32_t n =
            takes == NULL || takes[h] ? d->host_first_gpu[h + 1] - d->host_first_gpu[h] : 0;
        turns += n / n_threads + (n % n_threads > 0);
        largest = gs_max(n, largest);
    }
    return d->host.n < n_threads && turns < largest;
}

enum gs_status gs_hosts_visit(struct gs_host_way *way, size_t n_ways, const bool *takes,
                              unsigned n_threads, unsigned what, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct walk walk = {
        .way = way, .n_ways = n_ways, .takes = takes, .n_threads = n_threads, .what = what};
    GS_TAKE(walk.totals, n_ways * n_threads, &own, err);
    GS_TAKE(walk.scratch, n_threads, &own, err);
    GS_TAKE(walk.failures, n_threads, &own, err);
    for (size_t i = 0; i < n_ways * n_threads; i++)
        gs_view_totals_init(&walk.totals[i]);
    walk.gpus_apart = (what & GS_VIEW_BY_GPU) != 0 && go_apart(way[0].d, takes, n_threads);
    /*
     * Never both levels in parallel: thread t of the inner loop uses scratch[t], which an outer
     * worker would own. Outputs of the ways are written only after every host succeeded.
     */
    (void)gs_parallel_for(walk.gpus_apart ? 1 : n_threads, way[0].d->host.n, visit_host, &walk);
    const struct failure *first = NULL;
    for (unsigned t = 0; t < n_threads; t++) {
        const struct failure *const f = &walk.failures[t];
        if (f->status != GS_OK && (first == NULL || f->host < first->host))
            first = f;
        gs_arena_release(&walk.scratch[t]);
    }
    const enum gs_status s = first == NULL ? GS_OK : first->status;
    if (first != NULL && err != NULL)
        *err = first->err;
    for (size_t w = 0; w < n_ways && s == GS_OK; w++) {
        gs_view_totals_init(&way[w].totals);
        for (unsigned t = 0; t < n_threads; t++)
            gs_view_totals_add(&way[w].totals, &walk.totals[w * n_threads + t]);
    }
    return s;
}

static enum gs_status take_intervals(void *context, const struct gs_host_view *h, unsigned thread,
                                     struct gs_arena *scratch, struct gs_err *err)
{
    int64_t *const interval = context; /* [n_gpus] */
    (void)thread;
    for (uint32_t k = 0; k < h->n_gpus; k++) {
        const struct gs_gpu_view *const g = &h->gpu[k];
        GS_REWINDS(scratch);
        GS_NEW_RAW(int64_t, room, g->n, scratch, err);
        const int64_t own = gs_median_step(g->t_ns, g->n, room);
        if (own > 0)
            interval[g->gpu] = own;
    }
    return GS_OK;
}

enum gs_status gs_sampling_interval(const struct gs_dataset *d, unsigned n_threads,
                                    int64_t *interval_ns, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    GS_NEW(int64_t, interval, d->n_gpus, &own, err);
    struct gs_host_way way = {.d = d, .fn = take_intervals, .context = interval};
    size_t n = 0;
    GS_TRY(gs_hosts_visit(&way, 1, NULL, n_threads, GS_VIEW_SERIES, err));
    for (uint32_t g = 0; g < d->n_gpus; g++)
        if (interval[g] > 0)
            interval[n++] = interval[g];
    *interval_ns = n > 0 ? gs_median(interval, n) : GS_MISSING;
    return GS_OK;
}
