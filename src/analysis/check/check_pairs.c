/* check_pairs.c - events without length or at once, GPUs on two hosts, hosts whose clocks disagree. */
#include "analysis/check/check_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"

static const char events[] = "events", empty[] = "zero-length", at_once[] = "at-once",
                  uuid[] = "uuid";

enum {
    CLOCK_HOSTS_MIN = 4, /* hosts from which three in four are a majority */
    CLOCK_SLACK_S = 60,
    CLOCK_SLACK_SHARE = 20 /* of the sampled time, one in */
};

GS_COMPARES(by_event_and_start, struct gs_pair,
            GS_BY(event) GS_BY(gpu) GS_BY(start_ns) GS_DOWN(stop_ns));

static bool count_pair(struct gs_state *state, const struct gs_fold_host *host, const char *kind,
                       const struct gs_pair *p)
{
    const struct gs_host_view *const h = host->view;
    const int64_t place = gs_place_at(h->place, p->start_at);
    return gs_check_count(state, host, kind, host->d->event.text[p->event],
                          (struct gs_tally){1, gs_dataset_line(host->d, place)});
}

/* Does `next` run on the GPU while `last`, another, still does? What lies inside is one's own recursion without names. */
static bool overlap(const struct gs_dataset *d, const struct gs_pair *last,
                    const struct gs_pair *next)
{
    if (last->event != next->event || last->gpu != next->gpu || next->start_ns >= last->stop_ns)
        return false;
    if (last->task == next->task && last->job == next->job)
        return d->task.text[next->task].len == 0 && next->stop_ns > last->stop_ns;
    return next->stop_ns > next->start_ns;
}

/* Each GPU of the host once; a host may show one by its jobs. */
static bool count_uuids(struct gs_state *state, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    bool fits = true;
    for (uint32_t g = 0; fits && g < h->n_gpus; g++) {
        const struct gs_gpu *const gpu = &host->d->gpu[h->gpu[g].gpu];
        const bool again = g > 0 && gs_is_same_gpu(gpu, &host->d->gpu[h->gpu[g - 1].gpu]);
        if (!again && gpu->uuid.len > 4 && memcmp(gpu->uuid.ptr, "GPU-", 4) == 0)
            fits = gs_check_count(
                state, host, uuid, gpu->uuid,
                (struct gs_tally){1, h->gpu[g].n == 0 || h->gpu[g].place == NULL
                                         ? GS_MISSING
                                         : gs_dataset_line(host->d, h->gpu[g].place[0])});
    }
    return fits;
}

/* Pairs of a GPU: they name it, or their host has one. */
bool gs_check_add_pairs(struct gs_state *state, const struct gs_fold_host *host)
{
    const struct gs_host_view *const h = host->view;
    struct gs_pair *const p = gs_arena_take_raw(host->scratch, h->n_pairs, sizeof *p);
    size_t n = 0;
    bool fits = p != NULL;
    for (uint32_t i = 0; fits && i < h->n_pairs; i++) {
        const struct gs_pair *const one = &h->pair[i];
        if (one->is_copy)
            continue;
        fits = count_pair(state, host, events, one) &&
               (one->stop_ns > one->start_ns || count_pair(state, host, empty, one));
        if (one->gpu != GS_NONE || h->n_gpus == 1)
            p[n++] = *one;
    }
    if (fits)
        GS_SORT(p, n, by_event_and_start);
    for (size_t i = 1, longest = 0; fits && i < n; i++) {
        if (overlap(host->d, &p[longest], &p[i]))
            fits = count_pair(state, host, at_once, &p[i]);
        if (p[i].event != p[longest].event || p[i].gpu != p[longest].gpu ||
            p[i].stop_ns > p[longest].stop_ns)
            longest = i;
    }
    return fits && count_uuids(state, host);
}

static void report_events(struct gs_check_report *r, const char *kind, enum gs_finding id,
                          const char *what, const char *hint)
{
    const struct gs_records *const t = &r->state->table[GS_CHECK_TALLIES];
    char finding[192];
    uint32_t from, to;
    gs_check_tallies_of(r->state, kind, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        const struct gs_str event = gs_records_key(t, i, 2)[1].text;
        const struct gs_tally found = *(const struct gs_tally *)gs_records_at(t, i);
        /* Where most are so, the clock is coarse or the events are meant to overlap: nothing went wrong. */
        const bool usual = 2 * found.n >= gs_check_tally(r->state, events, event).n;
        (void)snprintf(finding, sizeof finding, "%s: %s", what, GS_SHOWN(event, 128));
        gs_check_add(r, id, gs_severity_unless(usual), finding, found, hint);
    }
}

void gs_check_report_pairs(struct gs_check_report *r)
{
    const struct gs_records *const t = &r->state->table[GS_CHECK_TALLIES];
    struct gs_tally twice = GS_TALLY_NONE;
    uint32_t from, to;
    report_events(r, empty, GS_FINDING_ZERO_LENGTH_EVENTS, "events of zero length",
                  "they start and stop at one instant: durations and rates count them");
    report_events(r, at_once, GS_FINDING_EVENTS_AT_ONCE, "events at once on a GPU",
                  "each has all energy of its time: sums by event count joules twice, balance and "
                  "jobs divide them");
    gs_check_tallies_of(r->state, uuid, &from, &to);
    for (uint32_t i = from; i < to; i++) {
        const struct gs_tally one = *(const struct gs_tally *)gs_records_at(t, i);
        if (one.n > 1)
            gs_tally_add(&twice, 1, one.line);
    }
    gs_check_add(r, GS_FINDING_UUID_ON_SEVERAL_HOSTS, GS_SEVERITY_WARNING,
                 "GPU UUIDs on several hosts", twice,
                 "a GPU is in one host: a log was copied, or a host has two names; its energy "
                 "counts twice");
}

/*
 * Both ends of a host's samples lie off by the same time where those of most hosts agree: three in four, within four times
 * what they differ by themselves, be it seconds or a twentieth of the sampled time.
 */
void gs_check_report_clocks(struct gs_check_report *r)
{
    const struct gs_records *const hosts = &r->state->table[GS_CHECK_HOSTS];
    const uint32_t n = hosts->n;
    int64_t *const v = gs_arena_take_raw(r->arena, n, sizeof *v);
    struct gs_tally off = GS_TALLY_NONE;
    uint32_t n_agree = 0;
    double most = 0, middle[2];
    if (n < CLOCK_HOSTS_MIN)
        return;
    r->failed |= v == NULL;
    if (r->failed)
        return;
    for (int last = 0; last < 2; last++) {
        for (uint32_t i = 0; i < n; i++) {
            const struct gs_check_host *const h = gs_records_at(hosts, i);
            v[i] = last ? h->last_ns : h->first_ns;
        }
        const size_t half = n / 2;
        gs_select(v, n, half);
        middle[last] = (double)v[half];
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_check_host *const h = gs_records_at(hosts, i);
        v[i] = (int64_t)gs_max(fabs((double)h->first_ns - middle[0]),
                               fabs((double)h->last_ns - middle[1]));
    }
    const size_t upper = (3 * (size_t)n - 1) / 4;
    gs_select(v, n, upper);
    const double least = (double)CLOCK_SLACK_S * (double)GS_NS_PER_S,
                 slack = gs_min(gs_max(4 * (double)v[upper], least),
                                least + (middle[1] - middle[0]) / CLOCK_SLACK_SHARE);
    for (uint32_t i = 0; i < n; i++) {
        const struct gs_check_host *const h = gs_records_at(hosts, i);
        const double a = (double)h->first_ns - middle[0], b = (double)h->last_ns - middle[1];
        const bool early = a < -slack && b<-slack, late = a> slack && b > slack;
        n_agree += fabs(a) <= slack && fabs(b) <= slack;
        if ((!early && !late) || fabs(a - b) > slack)
            continue;
        gs_tally_add(&off, 1, h->line);
        if (a * a > most * most)
            most = a;
    }
    char hint[192];
    (void)snprintf(hint, sizeof hint,
                   "samples begin and end off by up to %.0f s where most hosts agree: a clock or a "
                   "zone is wrong (--set samples[GLOB].zone=+01:00)",
                   most / (double)GS_NS_PER_S);
    if (4 * n_agree >= 3 * n)
        gs_check_add(r, GS_FINDING_CLOCKS_DISAGREE, GS_SEVERITY_WARNING,
                     "hosts whose clocks disagree with the others", off, hint);
}
