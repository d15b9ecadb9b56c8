/* host_view.h - a run host by host: its GPUs' samples in time order, its START/STOP pairs. */
#pragma once

#include "base/num/int128.h"
#include "base/core/pack.h"
#include "analysis/sensor/sensor.h"
#include "analysis/timeline/totals.h"

/* Readings of a metric, over all samples. */
struct gs_metric_sum {
    gs_i128 sum;
    uint64_t n; /* that are there */
};

/*
 * The samples of one GPU, ascending by (time, its metrics in their order, place), whatever jobs they name: a GPU has one
 * power at a time. Missing: GS_MISSING.
 */
struct gs_gpu_view {
    uint32_t gpu, n_series; /* number in the dataset of its first series; it has so many, by job */
    uint32_t n, n_joined;   /* samples; rows beside these, of other metrics at the same instant */
    const int64_t *t_ns;    /* [n] */
    /* [n_metrics of the dataset][n], fixed-point; NULL: see GS_VIEW_SERIES */
    const int64_t *const *value;
    const struct gs_metric_sum *sum;  /* [n_metrics] with GS_VIEW_SERIES, else NULL */
    const int64_t *place;             /* [n], NULL where the dataset keeps none */
    const struct gs_gpu_view *series; /* [n_series] the samples of each alone; NULL: there is one */
    const uint32_t *job; /* [n] that each sample names, GS_NONE: none; NULL likewise  */
    /* median between samples that have a power, else between samples; 0: not known */
    int64_t interval_ns;
    /*
     * The metric that energies are of: with the rhythm the instant power where the GPU has
     * as many readings of it as of power, else GS_POWER
     */
    uint32_t drawn;
    /* no sample has a power: value[GS_POWER] is what its energy counter says it was */
    bool counted;
    int64_t counted_step;    /* see struct gs_sensor */
    struct gs_sensor sensor; /* as was said, its card tells and its samples show */
    struct gs_power_series
        readings; /* of `drawn`, see gs_power_instants; no times: not asked yet */
    /* all samples of the GPU, where some are out of the dataset's range; NULL: these are all */
    const struct gs_gpu_view *log;
    const struct gs_range *range; /* the dataset's; NULL: none, or no sample is out of it */
    int64_t max_gap_ns; /* no energy across a longer gap; not above 0: every gap is bridged */
};

/* The view of all samples, also of those out of the range: what a sensor is like, and power at a border, they tell. */
static inline const struct gs_gpu_view *gs_gpu_log(const struct gs_gpu_view *gpu)
{
    return gpu->log != NULL ? gpu->log : gpu;
}

/* The time that a GPU's samples cover, of which there are some in its log: inside the range, which may leave none. */
static inline int64_t gs_gpu_first_ns(const struct gs_gpu_view *gpu)
{
    return gs_range_held(gpu->range, gs_gpu_log(gpu)->t_ns[0]);
}

static inline int64_t gs_gpu_last_ns(const struct gs_gpu_view *gpu)
{
    const struct gs_gpu_view *const log = gs_gpu_log(gpu);
    return gs_range_held(gpu->range, log->t_ns[log->n - 1]);
}

#define GS_NO_GPU (GS_NONE - 1) /* of a pair: none that can be named, or a job that holds none */

/*
 * A START and its STOP, never before it, or a span that was given with both. A STOP closes the latest START of its key (event, job, task, GPU) that is
 * open; at one instant what was open before is closed first, and what begins there may end there.
 */
struct gs_pair {
    int64_t start_ns, stop_ns;
    uint32_t event, job, task; /* numbers in the dataset                                     */
    /*
     * Its first series, as a number from the host's first_gpu on; GS_NONE: names none, uses
     * all of the host; between the number of these and GS_NONE: one that has no samples, a
     * number each, or GS_NO_GPU
     */
    uint32_t gpu;
    uint32_t start_at, stop_at; /* places in the host's time[]                                */
    uint32_t attributes;        /* its set of them, see gs_attribute; GS_NONE: none           */
    bool is_copy; /* of an event that is on several hosts or GPUs: not one more, see dataset.h */
    bool cut_start, cut_stop; /* at a border of the range */
    bool runs;                /* it had no end yet, so that it stops with the samples */
    /* a piece of the pair before it in its array, which ends where this one starts */
    bool continues;
};

/* A START without STOP or the other way round. */
struct gs_orphan {
    int64_t t_ns, place;
    uint32_t event, job, task;
    bool is_stop;
};

/* One of places that may not be kept. */
static inline int64_t gs_place_at(const int64_t *place, uint32_t i)
{
    return place == NULL ? GS_MISSING : place[i];
}

/* What a host did. Valid only during the call that shows it. */
struct gs_host_view {
    uint32_t host;
    uint32_t n_metrics; /* of the dataset */
    /* the metric that is the boards' energy counter, with the rhythm; 0: there is none */
    uint32_t counter;
    uint32_t n_gpus, first_gpu;    /* number in the dataset of its first series of samples */
    const struct gs_gpu_view *gpu; /* [n_gpus], in the dataset's order                     */
    uint32_t from_gpu, to_gpu; /* of these the samples are there: all, or one with GS_VIEW_BY_GPU */
    uint32_t n_times;
    const int64_t *time; /* [n_times] instants of the checkpoints, ascending */
    uint32_t n_pairs;
    const struct gs_pair *pair; /* grouped by key, in time order within one         */
    uint32_t n_orphans;
    const struct gs_orphan *orphan;
    const int64_t *place; /* [n_times] of time[], NULL where none are kept    */
    bool shown_before;    /* the same, with its scratch, to the way before    */
    /* of each series, GS_NONE: none; NULL: no samples of the host carry a job */
    const uint32_t *job;
    uint32_t no_job; /* number of the empty text among the jobs             */
    /* with GS_VIEW_JOINS, where the samples come from; NULL: they are there */
    struct gs_gpus_apart *apart;
};

/* What the times of a host's pairs were cut by: 1 s where all are whole seconds, as a scheduler's are, else 0. */
int64_t gs_pairs_cut_ns(const struct gs_host_view *host);

/*
 * GPU k of a host: as it is in the view, or, with GS_VIEW_JOINS, put into *room and `scratch`, until that is rewound.
 * Errors: those of gs_gpu_prepare.
 */
enum gs_status gs_host_gpu(const struct gs_host_view *host, uint32_t k, struct gs_gpu_view *room,
                           const struct gs_gpu_view **gpu, struct gs_arena *scratch,
                           struct gs_err *err);

/*
 * Fills interval_ns, drawn, sensor and readings of a view whose samples are there.
 * Errors: GS_ERR_MEMORY. Memory: the readings may live in `scratch`. Cost: O(n).
 */
enum gs_status gs_gpu_find_sampling(const struct gs_dataset *d, struct gs_gpu_view *gpu,
                                    struct gs_arena *scratch, struct gs_err *err);

/* What to prepare: views cost what they show. */
enum {
    GS_VIEW_SAMPLES = 1,
    GS_VIEW_PAIRS = 2,
    GS_VIEW_RHYTHM = 4, /* with samples: interval_ns, drawn, sensor; 0 without */
    /* with samples: a host is shown once for each of its GPUs, with the samples of that one alone */
    GS_VIEW_BY_GPU = 8,
    /* samples as times, power and the energy counter; of all metrics the sums */
    GS_VIEW_SERIES = 16,
    /*
     * Samples for joins alone, which take a host's GPUs one by one: gpu[] has none of
     * several; nothing is changed where samples are asked for otherwise
     */
    GS_VIEW_JOINS = 32,
    GS_VIEW_TEMP = 64, /* with GS_VIEW_SERIES: the temperature as well */
    /* with GS_VIEW_SERIES: what tells a slow GPU as well, see gs_metric_tells_load */
    GS_VIEW_LOAD = 128
};

/* What is prepared, and from what. */
struct gs_view_way {
    const struct gs_dataset *d;
    unsigned what;
    uint32_t counter; /* the metric that is the energy counter; 0: none */
};
struct gs_view_way gs_view_way_of(const struct gs_dataset *d, unsigned what);

/* The samples of a host whose GPUs are prepared one by one, each as often as it is asked for. */
struct gs_gpus_apart {
    struct gs_view_way way;
    struct gs_view_totals *totals; /* where what is noticed the first time goes */
    bool *noticed;                 /* [n_gpus] */
};

/* What nobody has asked for is noticed as well. Errors: those of gs_gpu_prepare. */
enum gs_status gs_host_notice(const struct gs_host_view *host, struct gs_arena *scratch,
                              struct gs_err *err);

/*
 * The samples of one GPU of a dataset, n_series from `gpu` on, into *g, what is noticed of them added to `totals`. Lives in
 * `scratch`.
 * Errors: GS_ERR_DATA for repeated times of what may be several GPUs without names, with how to say which each is;
 *         GS_ERR_MEMORY. Cost: O(n); rows in no order are sorted.
 */
enum gs_status gs_gpu_prepare(const struct gs_view_way *v, uint32_t gpu, uint32_t n_series,
                              struct gs_gpu_view *g, struct gs_view_totals *totals,
                              struct gs_arena *scratch, struct gs_err *err);

/* The job that the samples of a series name, as a number of the dataset; GS_NONE: none. */
static inline uint32_t gs_series_job(const struct gs_dataset *d, uint32_t series)
{
    if (d->gpu[series].job.ptr == NULL)
        return GS_NONE;
    return gs_intern_find(&d->job, d->gpu[series].job);
}

/*
 * Everything that is wanted of one host, and what is noticed of it, which is added to `totals`. Lives in `scratch`; with
 * GS_VIEW_BY_GPU without samples, which gs_host_prepare_gpu puts into gpus[] for one GPU instead of the one before.
 * Errors: GS_ERR_DATA for repeated times of what may be several GPUs without names; GS_ERR_MEMORY.
 */
enum gs_status gs_host_prepare(const struct gs_view_way *v, uint32_t host,
                               struct gs_host_view *view, struct gs_gpu_view **gpus,
                               struct gs_view_totals *totals, struct gs_arena *scratch,
                               struct gs_err *err);
enum gs_status gs_host_prepare_gpu(const struct gs_view_way *v, uint32_t g,
                                   struct gs_host_view *view, struct gs_gpu_view *gpus,
                                   struct gs_view_totals *totals, struct gs_arena *scratch,
                                   struct gs_err *err);

/*
 * Looks at one host. `scratch` is the thread's: rewound after the call. A status other than GS_OK ends the
 * visit. Calls on different threads run at the same time: keep one accumulator per thread (thread 0 is the
 * caller's, all are below n_threads) and merge them exactly.
 */
typedef enum gs_status gs_host_fn(void *context, const struct gs_host_view *host, unsigned thread,
                                  struct gs_arena *scratch, struct gs_err *err);

/* A way of counting: a dataset, and who looks at its hosts. */
struct gs_host_way {
    const struct gs_dataset *d;
    gs_host_fn *fn;
    void *context;
    struct gs_view_totals totals; /* the answer */
};

/*
 * Calls `fn` once for every host of the dataset of which takes[host] is true (NULL: all), in any order. Duplicates are
 * dropped as d->duplicates says. Several GPUs on a host are in the view together, but with GS_VIEW_BY_GPU, where a host has
 * a call for each of its GPUs: one after the other on one thread, or on all threads where hosts are too few for these.
 *
 * Several ways differ in `duplicates` alone: a host without any is prepared once, and shown to one way after the other.
 * GS_VIEW_BY_GPU only with one way.
 * Memory: per thread, what the largest host needs; with GS_VIEW_BY_GPU its pairs and its largest GPU.
 * Cost:   O(rows): samples and checkpoints are sorted only where they are out of order.
 */
enum gs_status gs_hosts_visit(struct gs_host_way *way, size_t n_ways, const bool *takes,
                              unsigned n_threads, unsigned what, struct gs_err *err);

/*
 * The median interval between neighbouring distinct instants of a GPU's samples, and of these over all GPUs, rounded
 * down to ns; GS_MISSING where no GPU has two.
 */
enum gs_status gs_sampling_interval(const struct gs_dataset *d, unsigned n_threads,
                                    int64_t *interval_ns, struct gs_err *err);
