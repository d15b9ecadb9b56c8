/* jobs_zone.c - moves the jobs through the offsets in use and looks at which the load follows the GPUs held. */
#include "data/tables/jobs_zone.h"

#include <math.h>
#include <stdlib.h>

#include "base/num/decimal.h"
#include "data/tables/packed_rows.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "base/num/zone_rule.h"

/* All offsets in use are multiples of a bin, so that a shift moves whole bins. */
enum { BIN_MINUTES = 15, MARGIN = 14 * 60 / BIN_MINUTES, BINS_MAX = 1 << 20 };
static const int64_t bin_ns = BIN_MINUTES * 60 * GS_NS_PER_S;

/*
 * Log-likelihoods of a straight line with one observation per job. Of forty offsets of jobs that have nothing to do with the
 * load one is better than UTC by `better` in less than 1 % of runs.
 */
static const double better = 7, sure = 3;

/* One host: what its GPUs do and what its jobs hold, bin by bin. */
struct host {
    size_t n; /* bins, the first begins with the first sample of any host        */
    int64_t *sum,
        *n_readings;      /* [n] of its GPUs                                                  */
    int64_t *part, *held; /* [n + 2 * MARGIN + 1] 10^-3 GPUs x s, of a bin; 10^-3 GPUs from it on */
};

/* Sums of products about the means of each host: of GPUs held, of both, of the load. */
struct sums {
    double xx, xy, yy;
};

struct fits {
    unsigned metric; /* of the load */
    int64_t from_ns; /* the first bin begins */
    size_t n;        /* bins */
    int sign;        /* 1: the jobs are in a zone's time; -1: the samples are */
    struct sums at[GS_N_ZONES];
    uint64_t n_jobs;
};

static void add_samples(const struct gs_dataset *d, uint32_t host, unsigned metric, int64_t from_ns,
                        struct host *h)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    const uint32_t first = d->host_first_gpu[host], end = d->host_first_gpu[host + 1];
    for (uint32_t k = t->first[first]; k < t->first[end]; k++)
        for (uint32_t i = 0; i < t->segment[k].n_rows; i++) {
            const int64_t v = gs_segment_value(&t->segment[k], i, GS_SAMPLE_METRIC + metric);
            const int64_t at = gs_segment_value(&t->segment[k], i, GS_SAMPLE_TIME);
            if (v == GS_MISSING)
                continue;
            h->sum[(at - from_ns) / bin_ns] += v / GS_FIXED_ONE;
            h->n_readings[(at - from_ns) / bin_ns]++;
        }
}

/* Thousandths of GPUs that a job holds on each of its hosts; one GPU where nothing tells how many. */
static int64_t gpus_of(const struct gs_dataset *d, int64_t set)
{
    uint64_t gpus, nodes;
    return gs_job_gpus(d, set, &gpus, &nodes) ? (int64_t)(1000 * gpus / nodes) : 1000;
}

/* From `t_ns` on so many more are held. */
static void add_change(struct host *h, gs_i128 t_ns, int64_t gpus)
{
    const gs_i128 most = (gs_i128)(h->n + 2 * MARGIN) * bin_ns - 1;
    const int64_t t = (int64_t)gs_min(gs_max(t_ns + MARGIN * bin_ns, 0), most);
    h->part[t / bin_ns] += gpus * ((bin_ns - t % bin_ns) / GS_NS_PER_S);
    h->held[t / bin_ns + 1] += gpus;
}

static uint64_t add_jobs(const struct gs_dataset *d, uint32_t host, int64_t from_ns, struct host *h)
{
    const struct gs_segments of = gs_table_segments(&d->table[GS_TABLE_SPANS], host);
    uint64_t n = 0;
    for (uint32_t k = 0; k < of.n; k++)
        for (uint32_t i = 0; i < of.segment[k].n_rows; i++) {
            const struct gs_segment *const s = &of.segment[k];
            const gs_i128 start = (gs_i128)gs_segment_value(s, i, GS_SPAN_START) - from_ns,
                          stop = (gs_i128)gs_segment_value(s, i, GS_SPAN_STOP) - from_ns;
            const int64_t gpus = gpus_of(d, gs_segment_value(s, i, GS_SPAN_ATTRIBUTES));
            add_change(h, start, gpus);
            add_change(h, stop, -gpus);
            n += stop > 0 && start < (gs_i128)h->n * bin_ns &&
                 gs_segment_value(s, i, GS_SPAN_IS_COPY) == GS_MISSING;
        }
    return n;
}

/* Adds a host's bins with `bins` of the jobs moved onto each of the load. */
static void add_sums(struct sums *to, const struct host *h, int bins)
{
    double n = 0, x = 0, y = 0;
    struct sums s = {0};
    for (size_t i = 0; i < h->n; i++) {
        if (h->n_readings[i] == 0)
            continue;
        const double held = (double)h->part[i + (size_t)(MARGIN + bins)],
                     load = (double)h->sum[i] / (double)h->n_readings[i];
        n++;
        x += held;
        y += load;
        s.xx += held * held;
        s.xy += held * load;
        s.yy += load * load;
    }
    if (n == 0)
        return;
    to->xx += s.xx - x * x / n;
    to->xy += s.xy - x * y / n;
    to->yy += s.yy - y * y / n;
}

static enum gs_status add_host(const struct gs_dataset *d, uint32_t host, struct fits *fits,
                               struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    const size_t n = fits->n, n_held = n + 2 * MARGIN + 1;
    struct host h = {.n = n,
                     .sum = gs_arena_take(&own, n, sizeof *h.sum),
                     .n_readings = gs_arena_take(&own, n, sizeof *h.n_readings),
                     .part = gs_arena_take(&own, n_held, sizeof *h.part),
                     .held = gs_arena_take(&own, n_held, sizeof *h.held)};
    if (h.sum == NULL || h.n_readings == NULL || h.part == NULL || h.held == NULL)
        return gs_fail_memory(err);
    add_samples(d, host, fits->metric, fits->from_ns, &h);
    fits->n_jobs += add_jobs(d, host, fits->from_ns, &h);
    int64_t held = 0;
    for (size_t i = 0; i < n_held; i++) {
        held += h.held[i];
        h.part[i] += held * (bin_ns / GS_NS_PER_S);
    }
    for (size_t z = 0; z < GS_N_ZONES; z++)
        add_sums(&fits->at[z], &h, fits->sign * gs_zone_minutes[z] / BIN_MINUTES);
    return GS_OK;
}

/* Log-likelihood that the load rises with the GPUs held, against that it has nothing to do with them. */
static double likelihood(const struct fits *f, size_t zone)
{
    const struct sums *const s = &f->at[zone];
    if (!(s->xy > 0) || !(s->xx > 0) || !(s->yy > 0))
        return 0;
    return -0.5 * (double)f->n_jobs * log(fmax(1 - s->xy * s->xy / (s->xx * s->yy), 1e-9));
}

static enum gs_status fit_hosts(const struct gs_dataset *d, struct fits *fits, struct gs_err *err)
{
    const struct gs_table *const samples = &d->table[GS_TABLE_SAMPLES];
    int64_t to = INT64_MIN;
    fits->from_ns = INT64_MAX;
    gs_table_widen_range(samples, GS_SAMPLE_TIME, &fits->from_ns, &to);
    fits->metric = d->has_metric[GS_GPU_UTIL] ? GS_GPU_UTIL : GS_POWER;
    if (fits->from_ns > to || !d->has_metric[fits->metric])
        return GS_OK;
    fits->n = (size_t)(((uint64_t)to - (uint64_t)fits->from_ns) / (uint64_t)bin_ns + 1);
    size_t left = BINS_MAX;
    for (uint32_t h = 0; h < d->host.n && fits->n <= left; h++)
        if (d->host_first_gpu[h + 1] > d->host_first_gpu[h] &&
            gs_table_segments(&d->table[GS_TABLE_SPANS], h).n > 0) {
            GS_TRY(add_host(d, h, fits, err));
            left -= fits->n;
        }
    return GS_OK;
}

enum gs_status gs_doubt_jobs_zone(const struct gs_dataset *d, const char *name, bool of_jobs,
                                  bool whole, struct gs_notes *notes, struct gs_err *err)
{
    struct fits fits = {.sign = of_jobs ? 1 : -1};
    size_t best = 0, next = 1;
    if (whole)
        GS_TRY(fit_hosts(d, &fits, err));
    for (size_t z = 1; z < GS_N_ZONES; z++) {
        if (likelihood(&fits, z) > likelihood(&fits, best))
            best = z;
        if (likelihood(&fits, z) > likelihood(&fits, next))
            next = z;
    }
    const double utc = likelihood(&fits, 0);
    if (best == 0 && utc >= likelihood(&fits, next) + sure)
        return GS_OK;
    const int minutes = gs_zone_minutes[best];
    if (likelihood(&fits, best) >= utc + better)
        gs_note(notes, GS_NOTE_WARNING,
                "%s names no time zone and was read as UTC; its %s fit the %s far better with --tz "
                "%c%02d:%02d, or the name of that zone",
                name, of_jobs ? "jobs" : "load", of_jobs ? "load" : "jobs", minutes < 0 ? '-' : '+',
                abs(minutes) / 60, abs(minutes) % 60);
    else
        gs_note(notes, GS_NOTE_WARNING,
                "%s names no time zone and was read as UTC: if its times are local, all is off by "
                "hours; --tz ZONE (Europe/Berlin, -05:00) or --tz UTC",
                name);
    return GS_OK;
}
