/* check_hosts.c - what shows in a host's order of time: gaps, stuck sensors, orphans, uncovered checkpoints. */
#include "analysis/check/check_parts.h"

#include <stdio.h>

#include "analysis/timeline/counts.h"
#include "base/num/timestamp.h"
#include "analysis/aggregate/intervals.h"
#include "base/num/order.h"

/* Kinds of tallies, as they stand in the state. */
static const char no_samples[] = "no-samples", no_checkpoints[] = "no-checkpoints",
                  outside[] = "outside", cut[] = "cut", partly[] = "partly", gap[] = "gap",
                  stuck[] = "stuck";

/* By whether it is a STOP. */
static const struct {
    const char *kind, *finding, *hint;
    enum gs_finding id;
} orphan[] = {{"orphan-start", "START without STOP",
               "the event never ended, or its end was not recorded; it is in no result",
               GS_FINDING_START_WITHOUT_STOP},
              {"orphan-stop", "STOP without START",
               "its START was not recorded or lies after it; it is in no result",
               GS_FINDING_STOP_WITHOUT_START}};

enum {
    SERIES_MIN = 60,  /* samples below which a constant series says nothing                      */
    RUN_MIN = 30,     /* equal power readings in a row that are too many, a minute of TeraScope; */
    RUN_FACTOR = 10,  /* and this many times what is usual for the GPU                           */
    GLITCHES_MAX = 2, /* readings that show no change of the load */
    FEW_GAPS = 100,   /* one in so many intervals: the interval of an energy holds them           */
};

static int64_t least_place(const int64_t *place, uint32_t from, uint32_t to)
{
    struct gs_tally t = GS_TALLY_NONE;
    for (uint32_t i = from; i < to; i++)
        gs_tally_add(&t, 0, gs_place_at(place, i));
    return t.line;
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
        r.min = gs_min(v[i], r.min);
        r.max = gs_max(v[i], r.max);
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
static bool series_is_stuck(const struct gs_gpu_view *g, const struct gs_metric *metric,
                            struct range r, const struct range *all)
{
    const struct gs_stuck_rule *const rule = &metric->stuck;
    const int64_t *const other = g->value[rule->beside];
    uint32_t n_far = 0; /* one or two are glitches of the other */
    for (uint32_t i = 0; r.min == r.max && n_far <= GLITCHES_MAX && i < g->n; i++)
        n_far += other[i] != GS_MISSING && other[i] - all[rule->beside].min >= rule->varies_by;
    return n_far > GLITCHES_MAX && rule->varies_by > 0 && g->n >= SERIES_MIN && r.n >= SERIES_MIN &&
           r.min == r.max && varies(all[rule->beside], rule->varies_by / GS_FIXED_ONE) &&
           r.min != rule->but_not_at;
}

/*
 * Power is read to 0.01 W and never rests on a GPU at work. A run of equal readings is a stuck sensor where it is far
 * longer than the GPU's others and the GPU worked meanwhile, or its temperature moved. An idle GPU may be constant, and asleep it may
 * read 0 W while it cools.
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
        if (v[i] != GS_MISSING && end - i > *to - *from) {
            *from = i;
            *to = end;
        }
    }
    const uint64_t length = *to - *from, others = g->n - length;
    if (length < RUN_MIN || (n_runs > 1 && length < RUN_FACTOR * others / (n_runs - 1)))
        return false;
    const struct range work = range_of(g->value[GS_GPU_UTIL], *from, *to),
                       heat = range_of(g->value[GS_TEMP], *from, *to);
    if (v[*from] == 0) /* without utilisation, never another reading is no sleep */
        return work.n > 0 ? work.n_above_zero >= length / 2 : n_runs == 1;
    return work.n_above_zero >= length / 2 || varies(work, 20) || varies(heat, 5);
}

/* One more of a kind, at a place of the dataset. */
static bool count(struct gs_state *state, const struct gs_fold_host *host, const char *kind,
                  struct gs_str of, int64_t place)
{
    return gs_check_count(state, host, kind, of,
                          (struct gs_tally){1, gs_dataset_line(host->d, place)});
}

/*
 * A gap is more than three intervals: one lost sample is jitter. Distances are unsigned,
 * because two int64 instants may lie further apart than int64 can hold.
 */
static bool add_gpu(struct gs_state *state, const struct gs_fold_host *host,
                    const struct gs_gpu_view *g)
{
    const uint32_t n_metrics = host->d->n_metrics;
    struct range *const all = gs_arena_take_raw(host->scratch, n_metrics, sizeof *all);
    uint32_t from, to;
    bool fits = all != NULL;
    for (uint32_t m = 0; m < n_metrics && fits; m++)
        all[m] = range_of(g->value[m], 0, g->n);
    struct gs_tally gaps = GS_TALLY_NONE;
    if (!fits)
        return false;
    const uint64_t most = 3 * (uint64_t)gs_min(g->interval_ns, INT64_MAX / 3);
    for (uint32_t i = 1; most > 0 && i < g->n; i++)
        if ((uint64_t)g->t_ns[i] - (uint64_t)g->t_ns[i - 1] > most)
            gs_tally_add(&gaps, 1, gs_dataset_line(host->d, gs_place_at(g->place, i)));
    if (!gs_check_count(state, host, gap, (struct gs_str){0}, gaps))
        return false;
    if (power_is_stuck(g, &from, &to))
        fits = count(state, host, stuck, gs_str(gs_known_metrics[GS_POWER].name),
                     least_place(g->place, from, to));
    for (uint32_t m = 0; m < n_metrics && fits; m++)
        if (series_is_stuck(g, host->d->metric[m], all[m], all))
            fits = count(state, host, stuck, gs_str(host->d->metric[m]->name),
                         least_place(g->place, 0, g->n));
    return fits;
}

/* Of a scheduler's list, jobs that began before the samples or end after them are cut, and those without GPUs have none. */
static bool are_jobs(const struct gs_fold_host *host, bool *hold_gpus)
{
    const struct gs_host_view *const h = host->view;
    bool jobs = h->n_pairs > 0;
    *hold_gpus = false;
    for (uint32_t i = 0; jobs && i < h->n_pairs; i++) {
        const uint32_t set = h->pair[i].attributes;
        uint64_t gpus = 0;
        jobs = gs_is_job(host->d, set);
        *hold_gpus |= !jobs ||
                      gs_count_parse(gs_attribute(host->d, set, gs_str("gpus")), UINT32_MAX,
                                     &gpus) != GS_NUMBER_OK ||
                      gpus > 0;
    }
    return jobs;
}

/* Up to a sample's turn nothing is missing: the first comes at most an interval late, the last an interval early. */
static bool is_outside(const struct gs_check_host *span, int64_t t_ns)
{
    return (gs_i128)t_ns < (gs_i128)span->first_ns - span->interval_ns ||
           (gs_i128)t_ns > (gs_i128)span->last_ns + span->interval_ns;
}

/* Does it begin later than `of` or end before it, by more than jitter and a twentieth of the time? */
static bool is_partly(const struct gs_check_host *span, const struct gs_check_host *of)
{
    const gs_i128 late = (gs_i128)span->first_ns - of->first_ns,
                  early = (gs_i128)of->last_ns - span->last_ns,
                  most = gs_max(((gs_i128)of->last_ns - of->first_ns) / 20,
                                3 * (gs_i128)gs_max(span->interval_ns, of->interval_ns));
    return late > most || early > most;
}

/* GPUs whose samples begin or end while the host's others go on. Rows that name jobs may be there for jobs alone. */
static bool add_partly(struct gs_state *state, const struct gs_fold_host *host,
                       const struct gs_check_host *all)
{
    const struct gs_host_view *const h = host->view;
    bool fits = true;
    for (uint32_t k = 0; k < h->n_gpus && fits && h->job == NULL; k++) {
        const struct gs_gpu_view *const g = &h->gpu[k];
        if (g->n < 2)
            continue; /* how often it is sampled is not known */
        const struct gs_check_host own = {g->t_ns[0], g->t_ns[g->n - 1], 0, g->interval_ns};
        if (is_partly(&own, all))
            fits = count(state, host, partly, GS_NO_STR, gs_place_at(g->place, g->n - 1));
    }
    return fits;
}

/* Starts and stops, or jobs, that reach beyond the samples. */
static bool add_outside(struct gs_state *state, const struct gs_fold_host *host,
                        const struct gs_check_host *span, bool jobs)
{
    const struct gs_host_view *const h = host->view;
    struct gs_tally out = GS_TALLY_NONE, jobs_cut = GS_TALLY_NONE;
    for (uint32_t i = 0; !jobs && i < h->n_times; i++)
        if (is_outside(span, h->time[i]))
            gs_tally_add(&out, 1, gs_place_at(h->place, i));
    for (uint32_t i = 0; jobs && i < h->n_pairs; i++)
        if (!h->pair[i].is_copy &&
            (is_outside(span, h->pair[i].start_ns) || is_outside(span, h->pair[i].stop_ns)))
            gs_tally_add(&jobs_cut, 1, gs_place_at(h->place, h->pair[i].start_at));
    out.line = gs_dataset_line(host->d, out.line);
    jobs_cut.line = gs_dataset_line(host->d, jobs_cut.line);
    return gs_check_count(state, host, outside, GS_NO_STR, out) &&
           gs_check_count(state, host, cut, GS_NO_STR, jobs_cut);
}

static bool add_span(struct gs_state *state, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    struct gs_check_host all = {INT64_MAX, INT64_MIN, GS_MISSING, 0};
    int64_t samples = INT64_MAX;
    for (uint32_t k = 0; k < h->n_gpus; k++) {
        const struct gs_gpu_view *const g = &h->gpu[k];
        if (g->n == 0)
            continue;
        all.first_ns = gs_min(g->t_ns[0], all.first_ns);
        all.last_ns = gs_max(g->t_ns[g->n - 1], all.last_ns);
        all.interval_ns = gs_max(g->interval_ns, all.interval_ns);
        samples = gs_min(least_place(g->place, 0, g->n), samples);
    }
    bool hold_gpus;
    const bool jobs = are_jobs(host, &hold_gpus);
    if (all.first_ns > all.last_ns)
        return h->n_times == 0 || (jobs && !hold_gpus) ||
               count(state, host, no_samples, GS_NO_STR, least_place(h->place, 0, h->n_times));
    const union gs_key key = {.text = host->d->host.text[h->host]};
    struct gs_check_host *const span =
        gs_records_find(&state->table[GS_CHECK_HOSTS], &key, host->arena);
    if (span == NULL)
        return false;
    all.line = gs_dataset_line(host->d, samples);
    *span = all;
    return (h->n_times > 0 || count(state, host, no_checkpoints, GS_NO_STR, samples)) &&
           add_partly(state, host, &all) && add_outside(state, host, &all, jobs);
}

bool gs_check_add_times(struct gs_state *state, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    bool fits = gs_intervals_add(&state->table[GS_CHECK_INTERVALS], host) && add_span(state, host);
    for (uint32_t k = 0; k < h->n_gpus && fits; k++)
        fits = add_gpu(state, host, &h->gpu[k]);
    for (uint32_t o = 0; o < h->n_orphans && fits; o++)
        fits = count(state, host, orphan[h->orphan[o].is_stop].kind,
                     host->d->event.text[h->orphan[o].event], h->orphan[o].place);
    return fits;
}

static void show_seconds(char out[GS_REAL_TEXT_MAX], uint64_t ns)
{
    (void)gs_real_format(out, (double)ns / (double)GS_NS_PER_S);
}

static void report_intervals(struct gs_check_report *r)
{
    const struct gs_records *const intervals = &r->state->table[GS_CHECK_INTERVALS];
    const int64_t median_ns = gs_intervals_median(intervals);
    struct gs_tally all = GS_TALLY_NONE;
    gs_i128 total_ns = 0;
    char hint[256], median[GS_REAL_TEXT_MAX], longest[GS_REAL_TEXT_MAX];
    if (median_ns == GS_MISSING)
        return;
    for (uint32_t i = 0; i < intervals->n; i++) {
        const struct gs_interval *const one = gs_records_at(intervals, i);
        all.n += one->n;
        total_ns += (gs_i128)one->n * gs_records_key(intervals, i, 1)->number;
        all.line = one->line; /* of the longest, which is the last */
    }
    const int64_t longest_ns = gs_records_key(intervals, intervals->n - 1, 1)->number;
    const bool is_far = longest_ns > total_ns - longest_ns;
    show_seconds(median, (uint64_t)median_ns);
    show_seconds(longest, (uint64_t)longest_ns);
    (void)snprintf(hint, sizeof hint,
                   is_far ? "the longest, %s s, is more than all other intervals of all GPUs "
                            "together: is a time wrong, or two runs in one log?"
                          : "longer than 3 median intervals of their GPU; the median of all is %s "
                            "s: energies bridge them by straight lines (--max-gap leaves them out)",
                   is_far ? longest : median);
    const struct gs_tally gaps = gs_check_tally(r->state, gap, (struct gs_str){0});
    gs_check_add(r, GS_FINDING_SAMPLE_GAPS,
                 gs_severity_unless(gaps.n < all.n / FEW_GAPS && !is_far), "gaps between samples",
                 gaps, hint);
    (void)snprintf(hint, sizeof hint, "median %s s; the longest, %s s, ends at the place named",
                   median, longest);
    gs_check_add(r, GS_FINDING_SAMPLING_INTERVALS, GS_SEVERITY_INFO, "sampling intervals", all,
                 hint);
}

static void report_orphan(struct gs_check_report *r, struct gs_str name, bool stop)
{
    char finding[160];
    (void)snprintf(finding, sizeof finding, "%s: %s", orphan[stop].finding, GS_SHOWN(name, 128));
    gs_check_add(r, orphan[stop].id, GS_SEVERITY_WARNING, finding,
                 gs_check_tally(r->state, orphan[stop].kind, name), orphan[stop].hint);
}

/* Event by event, START first: both kinds stand by event in the state. */
static void report_orphans(struct gs_check_report *r)
{
    const struct gs_records *const tallies = &r->state->table[GS_CHECK_TALLIES];
    uint32_t at[2], end[2];
    for (int stop = 0; stop < 2; stop++)
        gs_check_tallies_of(r->state, orphan[stop].kind, &at[stop], &end[stop]);
    while (at[0] < end[0] || at[1] < end[1]) {
        const struct gs_str start =
            at[0] < end[0] ? gs_records_key(tallies, at[0], 2)[1].text : (struct gs_str){0};
        const struct gs_str stop =
            at[1] < end[1] ? gs_records_key(tallies, at[1], 2)[1].text : (struct gs_str){0};
        int order;
        if (at[0] == end[0])
            order = 1;
        else if (at[1] == end[1])
            order = -1;
        else
            order = gs_str_compare(start, stop);
        if (order <= 0)
            report_orphan(r, start, false);
        if (order >= 0)
            report_orphan(r, stop, true);
        at[0] += order <= 0;
        at[1] += order >= 0;
    }
}

/* Hosts whose samples begin or end while half of the hosts go on: logs of different runs stand for themselves. */
static struct gs_tally partly_of_hosts(const struct gs_check_report *r)
{
    const struct gs_records *const hosts = &r->state->table[GS_CHECK_HOSTS];
    struct gs_check_host all = {INT64_MAX, INT64_MIN, 0, 0};
    struct gs_tally found = GS_TALLY_NONE;
    for (uint32_t i = 0; i < hosts->n; i++) {
        const struct gs_check_host *const h = gs_records_at(hosts, i);
        all.first_ns = gs_min(h->first_ns, all.first_ns);
        all.last_ns = gs_max(h->last_ns, all.last_ns);
    }
    for (uint32_t i = 0; i < hosts->n; i++) {
        const struct gs_check_host *const h = gs_records_at(hosts, i);
        if (is_partly(h, &all))
            gs_tally_add(&found, 1, h->line);
    }
    return 2 * found.n <= hosts->n ? found : GS_TALLY_NONE;
}

/* Equal rows, and where they sit. */
static void report_repeats(struct gs_check_report *r, enum gs_finding id, const char *finding,
                           const struct gs_repeats *repeats, uint64_t n_hosts)
{
    const bool dropped = r->facts->duplicates == GS_DUPLICATES_DROP;
    char hint[GS_LEAST_NAMES_TEXT_MAX + 256], hosts[GS_LEAST_NAMES_TEXT_MAX];
    (void)snprintf(hint, sizeof hint,
                   "equal to an earlier row in every column%s; on %llu of %llu hosts: %s",
                   dropped ? "; dropped" : " and counted twice; --duplicates drop removes them",
                   (unsigned long long)repeats->n_hosts, (unsigned long long)n_hosts,
                   gs_least_names_list(hosts, &repeats->host));
    gs_check_add(r, id, gs_severity_unless(dropped), finding,
                 (struct gs_tally){repeats->n, repeats->first_place}, hint);
}

void gs_check_report_hosts(struct gs_check_report *r)
{
    static const char *const sensor[GS_FIXED_METRICS] = {
        "stuck power sensors", "stuck temperature sensors", "stuck GPU utilisation",
        "stuck memory utilisation"};
    const struct gs_view_totals *const totals = &r->facts->totals;
    const struct gs_str name = {0};
    report_repeats(r, GS_FINDING_DUPLICATE_CHECKPOINTS, "duplicate event rows",
                   &totals->checkpoints, totals->n_hosts);
    report_repeats(r, GS_FINDING_DUPLICATE_SAMPLES, "duplicate sample rows", &totals->samples,
                   totals->n_hosts);
    gs_check_add(
        r, GS_FINDING_SAMPLES_AT_ONCE, GS_SEVERITY_WARNING, "several samples at one instant",
        (struct gs_tally){totals->at_once.n, totals->at_once.first_place},
        "other readings of the same GPU at the instant of another sample: their mean counts");
    report_orphans(r);
    const struct gs_tally unsampled = gs_check_tally(r->state, no_samples, name),
                          silent = gs_check_tally(r->state, no_checkpoints, name);
    const bool any_event = silent.n < totals->n_hosts;
    gs_check_add(
        r, GS_FINDING_HOSTS_WITHOUT_SAMPLES, GS_SEVERITY_WARNING, "hosts without samples",
        unsampled,
        unsampled.n < totals->n_hosts
            ? "their events have no readings; hostnames of the two tables may be spelt differently"
            : "no host has any: events have no readings");
    if (any_event) /* a bare log is no fault of its hosts */
        gs_check_add(r, GS_FINDING_HOSTS_WITHOUT_CHECKPOINTS, GS_SEVERITY_INFO,
                     "hosts without events", silent,
                     "GPUs that were sampled and did nothing that was recorded");
    gs_check_add(r, GS_FINDING_OUTSIDE_SAMPLED_TIME, GS_SEVERITY_WARNING,
                 "starts and stops outside the sampled time",
                 gs_check_tally(r->state, outside, name),
                 "before the first or after the last sample of their host: the nearest sample may "
                 "be far away (--tolerance)");
    gs_check_add(r, GS_FINDING_CUT_JOBS, GS_SEVERITY_INFO, "jobs beyond the sampled time",
                 gs_check_tally(r->state, cut, name),
                 "they began before the first or ended after the last sample of their host: what "
                 "they used there is not known (cut and covered_pct of jobs)");
    gs_check_add(r, GS_FINDING_PARTLY_SAMPLED, GS_SEVERITY_WARNING,
                 "GPUs sampled a part of the time", gs_check_tally(r->state, partly, name),
                 "their samples begin after or end before those of the others on their host: did "
                 "they fall off the bus?");
    gs_check_add(r, GS_FINDING_PARTLY_SAMPLED, GS_SEVERITY_WARNING,
                 "hosts sampled a part of the time", partly_of_hosts(r),
                 "their samples begin after or end before those of most hosts");
    char other[160];
    for (uint32_t m = 0; m < r->facts->n_metrics; m++) {
        (void)snprintf(other, sizeof other, "stuck %s sensors", r->facts->metric[m]->words);
        gs_check_add(
            r, GS_FINDING_STUCK_SENSORS, GS_SEVERITY_WARNING,
            m < GS_FIXED_METRICS ? sensor[m] : other,
            gs_check_tally(r->state, stuck, gs_str(r->facts->metric[m]->name)),
            m == GS_POWER
                ? "GPUs that worked while 30 readings or more, far more than usual, were the same"
                : "GPUs whose reading never changed though others show that their load did");
    }
    report_intervals(r);
}
