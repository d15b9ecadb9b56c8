/* check_hosts.c - what shows in a host's order of time: gaps, stuck sensors, orphans, uncovered checkpoints. */
#include "check/check_parts.h"

#include <stdio.h>

#include "view/join.h"
#include "base/timestamp.h"

enum { NO_SAMPLES, NO_CHECKPOINTS, SEVERAL_GPUS, OUTSIDE, GAP, STUCK, ORPHAN = STUCK + GS_FIXED_METRICS };

enum {
    SERIES_MIN = 60, /* samples below which a constant series says nothing                      */
    RUN_MIN = 30,    /* equal power readings in a row that are too many, a minute of TeraScope; */
    RUN_FACTOR = 10, /* and this many times what is usual for the GPU                           */
};

struct host_check {
    const struct gs_dataset *d;
    struct gs_tallies tallies;
    struct longest {
        uint64_t gap_ns, n_intervals;
        int64_t place;
    } *longest; /* [n_threads] */
};

static int64_t place_at(const int64_t *place, uint32_t i)
{
    return place == NULL ? GS_MISSING : place[i];
}

static int64_t least_place(const int64_t *place, uint32_t from, uint32_t to)
{
    struct gs_tally t = GS_TALLY_NONE;
    for (uint32_t i = from; i < to; i++)
        gs_tally_add(&t, 0, place_at(place, i));
    return t.place;
}

struct range {
    int64_t min, max;
    uint32_t n, n_above_zero; /* readings that are there */
};

static struct range range_of(const int64_t *v, uint32_t from, uint32_t to)
{
    struct range r = {INT64_MAX, INT64_MIN, 0, 0};
    for (uint32_t i = from; i < to; i++) {
        if (v[i] == GS_MISSING)
            continue;
        r.min = v[i] < r.min ? v[i] : r.min;
        r.max = v[i] > r.max ? v[i] : r.max;
        r.n++;
        r.n_above_zero += v[i] > 0;
    }
    return r;
}

static bool varies(struct range r, int64_t by)
{
    return r.n > 0 && r.max - r.min >= by * GS_FIXED_ONE;
}

/* A series that never changes is a broken sensor only where another shows that the GPU did different things. */
static bool series_is_stuck(const struct gs_gpu_view *g, const struct gs_metric *metric, struct range r,
                            const struct range all[GS_FIXED_METRICS])
{
    const struct gs_stuck_rule *const rule = &metric->stuck;
    return rule->varies_by > 0 && g->n >= SERIES_MIN && r.n >= SERIES_MIN && r.min == r.max &&
           varies(all[rule->beside], rule->varies_by / GS_FIXED_ONE) && r.min != rule->but_not_at;
}

/*
 * Power is read to 0.01 W and never rests on a GPU at work. A run of equal readings is a stuck sensor where it is far
 * longer than the GPU's others and the GPU worked meanwhile, or its temperature moved. An idle GPU may be constant.
 */
static bool power_is_stuck(const struct gs_gpu_view *g, uint32_t *from, uint32_t *to)
{
    const int64_t *const v = g->value[GS_POWER];
    uint32_t n_runs = 0;
    *from = *to = 0;
    for (uint32_t i = 0, end; i < g->n; i = end) {
        for (end = i + 1; end < g->n && v[end] == v[i];)
            end++;
        n_runs++;
        if (v[i] != GS_MISSING && v[i] != 0 && end - i > *to - *from) {
            *from = i;
            *to = end;
        }
    }
    const uint64_t length = *to - *from, others = g->n - length;
    if (length < RUN_MIN || (n_runs > 1 && length < RUN_FACTOR * others / (n_runs - 1)))
        return false;
    const struct range work = range_of(g->value[GS_GPU_UTIL], *from, *to), heat = range_of(g->value[GS_TEMP], *from, *to);
    return work.n_above_zero >= length / 2 || varies(work, 20) || varies(heat, 5);
}

static void check_gpu(const struct host_check *c, const struct gs_gpu_view *g, unsigned thread)
{
    struct longest *const longest = &c->longest[thread];
    for (uint32_t i = 1; i < g->n; i++) {
        if (g->t_ns[i] == g->t_ns[i - 1])
            continue;
        const uint64_t gap = (uint64_t)g->t_ns[i] - (uint64_t)g->t_ns[i - 1];
        const int64_t place = place_at(g->place, i);
        longest->n_intervals++;
        if (gap > longest->gap_ns || (gap == longest->gap_ns && place < longest->place)) {
            longest->gap_ns = gap;
            longest->place = place;
        }
        if (g->max_gap_ns > 0 && gap > (uint64_t)g->max_gap_ns)
            gs_tally_add(gs_tallies_at(&c->tallies, thread, GAP), 1, place);
    }
    struct range all[GS_FIXED_METRICS];
    uint32_t from, to;
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        all[m] = range_of(g->value[m], 0, g->n);
    if (power_is_stuck(g, &from, &to))
        gs_tally_add(gs_tallies_at(&c->tallies, thread, STUCK + GS_POWER), 1, least_place(g->place, from, to));
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        if (series_is_stuck(g, &gs_known_metrics[m], all[m], all))
            gs_tally_add(gs_tallies_at(&c->tallies, thread, STUCK + m), 1, least_place(g->place, 0, g->n));
}

/* The second GPU in the order of the files is what makes a host one of several. */
static int64_t second_gpu_place(const struct gs_host_view *h)
{
    int64_t first = GS_MISSING, second = GS_MISSING;
    for (uint32_t k = 0; k < h->n_gpus; k++) {
        const int64_t p = least_place(h->gpu[k].place, 0, h->gpu[k].n);
        if (p == GS_MISSING)
            continue;
        if (first == GS_MISSING || p < first) {
            second = first;
            first = p;
        } else if (second == GS_MISSING || p < second) {
            second = p;
        }
    }
    return second;
}

static void check_times(const struct host_check *c, const struct gs_host_view *h, unsigned thread)
{
    int64_t first = INT64_MAX, last = INT64_MIN, samples = GS_MISSING;
    for (uint32_t k = 0; k < h->n_gpus; k++) {
        if (h->gpu[k].n == 0)
            continue;
        first = h->gpu[k].t_ns[0] < first ? h->gpu[k].t_ns[0] : first;
        last = h->gpu[k].t_ns[h->gpu[k].n - 1] > last ? h->gpu[k].t_ns[h->gpu[k].n - 1] : last;
        const int64_t place = least_place(h->gpu[k].place, 0, h->gpu[k].n);
        samples = samples == GS_MISSING || place < samples ? place : samples;
    }
    if (first > last && h->n_times > 0)
        gs_tally_add(gs_tallies_at(&c->tallies, thread, NO_SAMPLES), 1, least_place(h->place, 0, h->n_times));
    if (first <= last && h->n_times == 0)
        gs_tally_add(gs_tallies_at(&c->tallies, thread, NO_CHECKPOINTS), 1, samples);
    for (uint32_t i = 0; first <= last && i < h->n_times; i++)
        if (h->time[i] < first || h->time[i] > last)
            gs_tally_add(gs_tallies_at(&c->tallies, thread, OUTSIDE), 1, place_at(h->place, i));
}

static enum gs_status check_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    (void)scratch, (void)err;
    const struct host_check *const c = context;
    for (uint32_t k = 0; k < h->n_gpus; k++)
        check_gpu(c, &h->gpu[k], thread);
    check_times(c, h, thread);
    if (h->n_gpus > 1)
        gs_tally_add(gs_tallies_at(&c->tallies, thread, SEVERAL_GPUS), 1, second_gpu_place(h));
    for (uint32_t o = 0; o < h->n_orphans; o++)
        gs_tally_add(gs_tallies_at(&c->tallies, thread, ORPHAN + 2 * (size_t)h->orphan[o].event + h->orphan[o].is_stop), 1,
                     h->orphan[o].place);
    return GS_OK;
}

static void show_seconds(char out[GS_REAL_TEXT_MAX], uint64_t ns)
{
    (void)gs_real_format(out, (double)ns / (double)GS_NS_PER_S);
}

static void report_intervals(struct gs_check_report *r, const struct host_check *c, int64_t interval, unsigned n_threads)
{
    struct longest all = {0, 0, GS_MISSING};
    char hint[256], median[GS_REAL_TEXT_MAX], longest[GS_REAL_TEXT_MAX];
    for (unsigned t = 0; t < n_threads; t++) {
        const struct longest *const l = &c->longest[t];
        if (l->gap_ns > all.gap_ns || (l->gap_ns == all.gap_ns && l->place < all.place)) {
            all.gap_ns = l->gap_ns;
            all.place = l->place;
        }
        all.n_intervals += l->n_intervals;
    }
    if (interval == GS_MISSING)
        return;
    show_seconds(median, (uint64_t)interval);
    show_seconds(longest, all.gap_ns);
    (void)snprintf(hint, sizeof hint,
                   "longer than 3 median intervals of their GPU and 2 update periods of its sensor; the median of all is "
                   "%s s: no energy is counted across them (--max-gap)",
                   median);
    gs_check_add(r, GS_FINDING_SAMPLE_GAPS, GS_SEVERITY_WARNING, "gaps between samples",
                 *gs_tallies_at(&c->tallies, 0, GAP), hint);
    (void)snprintf(hint, sizeof hint, "median %s s; the longest, %s s, ends at the place named", median, longest);
    gs_check_add(r, GS_FINDING_SAMPLING_INTERVALS, GS_SEVERITY_INFO, "sampling intervals",
                 (struct gs_tally){all.n_intervals, all.place}, hint);
}

static void report_orphans(struct gs_check_report *r, const struct host_check *c)
{
    for (uint32_t e = 0; e < r->d->event.n; e++)
        for (unsigned stop = 0; stop < 2; stop++) {
            char finding[160], event[128];
            (void)snprintf(finding, sizeof finding, "%s without %s: %s", stop ? "STOP" : "START", stop ? "START" : "STOP",
                           gs_escape(event, sizeof event, r->d->event.text[e]));
            gs_check_add(r, stop ? GS_FINDING_STOP_WITHOUT_START : GS_FINDING_START_WITHOUT_STOP,
                         GS_SEVERITY_WARNING, finding,
                         *gs_tallies_at(&c->tallies, 0, ORPHAN + 2 * (size_t)e + stop),
                         stop ? "its START was not recorded or lies after it; it is in no result"
                              : "the event never ended, or its end was not recorded; it is in no result");
        }
}

/* Equal rows, and where they sit. */
static void report_repeats(struct gs_check_report *r, enum gs_finding id, const char *finding, const struct gs_repeats *repeats,
                           uint64_t n_hosts)
{
    const bool dropped = r->d->duplicates == GS_DUPLICATES_DROP;
    char hint[GS_NAMES_TEXT_MAX + 256], hosts[GS_NAMES_TEXT_MAX];
    (void)snprintf(hint, sizeof hint, "equal to an earlier row in every column%s; on %llu of %llu hosts: %s",
                   dropped ? "; dropped" : " and counted twice; --duplicates drop removes them",
                   (unsigned long long)repeats->n_hosts, (unsigned long long)n_hosts, gs_names_list(hosts, &repeats->host));
    gs_check_add(r, id, dropped ? GS_SEVERITY_INFO : GS_SEVERITY_WARNING, finding,
                 (struct gs_tally){repeats->n, repeats->first_place}, hint);
}

static void report_hosts(struct gs_check_report *r, const struct host_check *c, const struct gs_view_totals *totals)
{
    static const char *const stuck[GS_FIXED_METRICS] = {"stuck power sensors", "stuck temperature sensors",
                                                    "stuck GPU utilisation", "stuck memory utilisation"};
    const struct gs_tally *const found = c->tallies.tally;
    report_repeats(r, GS_FINDING_DUPLICATE_CHECKPOINTS, "duplicate checkpoint rows", &totals->checkpoints, totals->n_hosts);
    report_repeats(r, GS_FINDING_DUPLICATE_SAMPLES, "duplicate sample rows", &totals->samples, totals->n_hosts);
    gs_check_add(r, GS_FINDING_SAMPLES_AT_ONCE, GS_SEVERITY_WARNING, "several samples at one instant",
                 (struct gs_tally){totals->at_once.n, totals->at_once.first_place},
                 "other readings of the same GPU at the instant of another sample: their mean counts");
    report_orphans(r, c);
    gs_check_add(r, GS_FINDING_HOSTS_WITHOUT_SAMPLES, GS_SEVERITY_WARNING, "hosts without samples", found[NO_SAMPLES],
                 "their events have no readings; hostnames of the two tables may be spelt differently");
    gs_check_add(r, GS_FINDING_HOSTS_WITHOUT_CHECKPOINTS, GS_SEVERITY_INFO, "hosts without checkpoints",
                 found[NO_CHECKPOINTS], "GPUs that were sampled and did nothing that was recorded");
    gs_check_add(r, GS_FINDING_OUTSIDE_SAMPLED_TIME, GS_SEVERITY_WARNING, "checkpoints outside the sampled time",
                 found[OUTSIDE],
                 "before the first or after the last sample of their host: the nearest sample may be far away "
                 "(--tolerance)");
    if (r->d->checkpoints_name_gpu)
        gs_check_add(r, GS_FINDING_SEVERAL_GPUS, GS_SEVERITY_INFO, "hosts with several GPUs", found[SEVERAL_GPUS],
                     "checkpoints name the GPU that they belong to");
    else
        gs_check_add(r, GS_FINDING_SEVERAL_GPUS, GS_SEVERITY_WARNING, "hosts with several GPUs", found[SEVERAL_GPUS],
                     "checkpoints do not say which: an event's readings are means over all GPUs of its host, its energy "
                     "the sum");
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        gs_check_add(r, GS_FINDING_STUCK_SENSORS, GS_SEVERITY_WARNING, stuck[m], found[STUCK + m],
                     m == GS_POWER ? "GPUs that worked while 30 readings or more, far more than usual, were the same"
                                   : "GPUs whose reading never changed though others show that their load did");
}

enum gs_status gs_check_hosts(struct gs_check_report *r, unsigned n_threads, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct host_check c = {.d = r->d};
    struct gs_view_totals totals;
    int64_t interval;
    enum gs_status s = gs_sampling_interval(r->d, n_threads, &interval, err);
    if (s == GS_OK)
        s = gs_tallies_init(&c.tallies, ORPHAN + 2 * (size_t)r->d->event.n, n_threads, &own, err);
    if (s == GS_OK && (c.longest = gs_arena_take(&own, n_threads, sizeof *c.longest)) == NULL)
        s = gs_fail_memory(err);
    if (s == GS_OK) {
        s = gs_hosts_visit(r->d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS | GS_VIEW_RHYTHM, check_host, &c, &totals, err);
    }
    if (s == GS_OK) {
        gs_tallies_merge(&c.tallies, n_threads);
        report_hosts(r, &c, &totals);
        report_intervals(r, &c, interval, n_threads);
    }
    gs_arena_release(&own);
    return s;
}
