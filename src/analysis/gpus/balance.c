/* balance.c - the sweep over one GPU's time that gives every instant to exactly one part. */
#include "analysis/gpus/balance.h"

#include <string.h>

#include "analysis/energy/counter.h"
#include "analysis/timeline/counts.h"
#include "analysis/timeline/load_phases.h"
#include "analysis/timeline/pair_burst.h"
#include "base/num/order.h"

/* The pairs that run, a list through the pairs from the longest to the shortest. */
struct running {
    uint32_t last;             /* GS_NONE: none runs                                        */
    uint32_t *before, *behind; /* [n_pairs]                                                 */
    uint32_t *outer;           /* [n_pairs] slot of the shortest that it is part of, or GS_NONE */
    uint32_t *parts;           /* [n_pairs] how many of those that run are part of it       */
    uint32_t *count;           /* [n_slots]                                                 */
};

/* Is `a` to stand outside of `b`? The longer is; of two equally long the earlier, then that of the higher slot. */
static bool is_outside(const struct gs_host_view *h, const uint32_t *slot, uint32_t a, uint32_t b)
{
    const struct gs_pair *const x = &h->pair[a], *const y = &h->pair[b];
    const uint64_t x_ns = gs_pair_ns(x), y_ns = gs_pair_ns(y);
    if (x_ns != y_ns)
        return x_ns > y_ns;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns;
    return slot[a] > slot[b];
}

static bool differ(uint32_t a, uint32_t b)
{
    return a != b && a != GS_NONE && b != GS_NONE;
}

/* Of what different jobs, users or requests run neither is part of the other, whichever runs longer. */
static bool are_apart(const struct gs_balance_sweep *to, uint32_t a, uint32_t b)
{
    const struct gs_balance_owner *const x = &to->owner[a], *const y = &to->owner[b];
    const size_t names = (size_t)to->slot[a] * to->n_slots + to->slot[b];
    return differ(x->job, y->job) ||
           (x->user.len > 0 && y->user.len > 0 && !gs_str_eq(x->user, y->user)) ||
           (to->share_ids != NULL && to->share_ids[names] && differ(x->task, y->task));
}

/* Is pair p part of pair q, a longer one? */
static bool is_part(const struct gs_host_view *h, const struct gs_balance_sweep *to, uint32_t p,
                    uint32_t q)
{
    const struct gs_pair *const x = &h->pair[p], *const y = &h->pair[q];
    return y->start_ns <= x->start_ns && y->stop_ns >= x->stop_ns && y->event != x->event &&
           (to->owner == NULL || !are_apart(to, p, q));
}

/* The list is sorted, so insertion is linear in the pairs that run at once, which are few. */
static void put_in(struct running *r, const struct gs_host_view *h,
                   const struct gs_balance_sweep *to, uint32_t p)
{
    const uint32_t *const slot = to->slot;
    uint32_t outside = r->last, behind = GS_NONE;
    while (outside != GS_NONE && !is_outside(h, slot, outside, p)) {
        behind = outside;
        outside = r->before[outside];
    }
    r->before[p] = outside;
    r->behind[p] = behind;
    if (outside != GS_NONE)
        r->behind[outside] = p;
    if (behind != GS_NONE)
        r->before[behind] = p;
    else
        r->last = p;
    r->outer[p] = GS_NONE;
    r->parts[p] = 0;
    for (; outside != GS_NONE; outside = r->before[outside])
        if (is_part(h, to, p, outside)) {
            r->parts[outside]++;
            if (r->outer[p] == GS_NONE)
                r->outer[p] = slot[outside];
        }
}

static void extract(struct running *r, const struct gs_host_view *h,
                    const struct gs_balance_sweep *to, uint32_t p)
{
    for (uint32_t q = r->before[p]; q != GS_NONE; q = r->before[q])
        r->parts[q] -= is_part(h, to, p, q);
    if (r->before[p] != GS_NONE)
        r->behind[r->before[p]] = r->behind[p];
    if (r->behind[p] != GS_NONE)
        r->before[r->behind[p]] = r->before[p];
    else
        r->last = r->before[p];
}

/* What runs on a GPU at an instant: beyond as many the longest get nothing. */
enum { MOST_HOLDERS = 64 };

/* Beyond as many trains their rests are no one's concern. */
enum { MOST_TRAINS = 64 };

/* The boundaries of pairs at each instant, at the first of its places in time[]: lists through the pairs. */
struct boundaries {
    uint32_t *starts, *stops;         /* [n_times] first pair, GS_NONE: none */
    uint32_t *next_start, *next_stop; /* [n_pairs]                           */
    uint64_t n;
};

static bool counts_for(const struct gs_host_view *h, const struct gs_pair *p, uint32_t gpu)
{
    return gs_pair_ns(p) > 0 && gs_pair_uses(h, p, gpu);
}

static enum gs_status collect_boundaries(const struct gs_host_view *h, uint32_t gpu,
                                         struct boundaries *b, struct gs_arena *scratch,
                                         struct gs_err *err)
{
    GS_TAKE_RAW(b->starts, h->n_times, scratch, err);
    GS_TAKE_RAW(b->stops, h->n_times, scratch, err);
    GS_TAKE_RAW(b->next_start, h->n_pairs, scratch, err);
    GS_TAKE_RAW(b->next_stop, h->n_pairs, scratch, err);
    GS_NEW_RAW(uint32_t, first, h->n_times, scratch, err);
    for (uint32_t i = 0; i < h->n_times; i++) {
        b->starts[i] = b->stops[i] = GS_NONE;
        /*
         * Equal instants share one list: time[] may hold a START before a STOP of the same
         * instant, but all stops must be handled first.
         */
        first[i] = i;
        if (i > 0 && h->time[i] == h->time[i - 1])
            first[i] = first[i - 1];
    }
    b->n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        if (!counts_for(h, &h->pair[p], gpu))
            continue;
        const uint32_t start = first[h->pair[p].start_at], stop = first[h->pair[p].stop_at];
        b->next_start[p] = b->starts[start];
        b->starts[start] = p;
        b->next_stop[p] = b->stops[stop];
        b->stops[stop] = p;
        b->n += 2;
    }
    return GS_OK;
}

static enum gs_status collect_running(struct running *r, uint32_t n_pairs, uint32_t n_slots,
                                      struct gs_arena *scratch, struct gs_err *err)
{
    r->last = GS_NONE;
    GS_TAKE_RAW(r->before, n_pairs, scratch, err);
    GS_TAKE_RAW(r->behind, n_pairs, scratch, err);
    GS_TAKE_RAW(r->outer, n_pairs, scratch, err);
    GS_TAKE_RAW(r->parts, n_pairs, scratch, err);
    GS_TAKE(r->count, n_slots, scratch, err);
    return GS_OK;
}

struct sweep {
    const struct gs_balance_sweep *to;
    const struct gs_host_view *host;
    struct running running;
    const struct gs_gpu_view *gpu;
    struct gs_energy_curve curve;
    struct gs_pair_bursts trains;
    struct gs_counter counter; /* of no readings where there is none */
    /* the last boundary; where the present part began */
    const struct gs_energy_point *past, *since;
    int64_t past_ns, since_ns;            /* their times                                     */
    uint32_t pair;                        /* the innermost of the present part, GS_NONE: idle */
    uint32_t slot[MOST_HOLDERS], n_slots; /* of the present part, which they have in equal shares */
    uint64_t n_left, n_all;               /* boundaries */
    enum gs_idle idle;                    /* what it is while no pair runs, by load */
};

/* What the board's counter says of such a stretch, as far as the GPU's samples go. */
static void count_part(const struct sweep *s, uint32_t k, const struct gs_energy_sum *used)
{
    struct gs_balance_part *const part = &s->to->part[s->slot[k]];
    const struct gs_gpu_view *const g = s->gpu;
    const int64_t from = gs_max(s->since_ns, gs_gpu_first_ns(g));
    const int64_t to = gs_min(s->past_ns, gs_gpu_last_ns(g));
    const gs_i128 window_ns = (gs_i128)to - from;
    gs_i128 counted;
    if (from >= to || !gs_counter_between(&s->counter, from, to, s->curve.max_gap_ns, &counted))
        return;
    /*
     * The sensor lags: what is left of a stretch at the end of a log may be of another time.
     * Counter and integral may be compared only where they are of the same time; one per cent is
     * tolerated.
     */
    const bool same =
        !g->counted && used->n_refused == 0 && 100 * used->time_ns * s->n_slots <= 101 * window_ns;
    const gs_i128 share_ns = gs_energy_portion(window_ns, s->n_slots, k);
    gs_counted_add(&part->counted, gs_energy_portion(counted, s->n_slots, k), used->energy,
                   same ? used->covered_ns : 0, share_ns);
    part->counted_ns += share_ns;
}

/*
 * What the bursts of a train that is faster than the sensor's reach have less than they took, and the rests between them
 * more: (on - off) D (1 - D) P of each, where the readings stand still. Nothing of it cancels but between the two.
 */
static void misplace(const struct sweep *s, struct gs_energy_sum *used)
{
    for (size_t i = 0; i < s->trains.n && s->trains.n <= MOST_TRAINS; i++) {
        const struct gs_pair_burst *const t = &s->trains.train[i];
        if (!t->view.fitted || t->view.refused || t->train.period_ns >= s->curve.sensor.reach_ns ||
            s->since_ns < t->all.start_ns || s->past_ns > t->all.stop_ns)
            continue;
        const bool on =
            s->pair != GS_NONE && s->host->pair[s->pair].event == s->host->pair[t->pair[0]].event;
        double joule = 2.0 * gs_burst_train_ripple_j(&t->train, &t->view, &s->curve.sensor);
        if (!on)
            joule = -joule;
        gs_energy_sum_alike(used, joule);
    }
}

/* What an event of whole seconds misses or has too much is in the rest beside it. */
static void add_beside(const struct sweep *s, uint32_t pair, const struct gs_energy_point *start,
                       const struct gs_energy_point *stop, struct gs_energy_sum *used)
{
    if (pair == GS_NONE || s->trains.beside == NULL)
        return;
    const gs_i128 before = used->blind;
    gs_energy_sum_beside(used, &s->curve, start, stop, &s->trains.beside[pair]);
    s->to->part[s->to->n_slots + GS_IDLE_BETWEEN].used.blind += used->blind - before;
}

/* A stretch that one part had without a break is a window. */
static void end_part(struct sweep *s)
{
    struct gs_energy_sum used = {0};
    if (s->n_slots == 0)
        return;
    if (gs_energy_sum_window(&used, &s->curve, s->since, s->past))
        used.n_refused = gs_pair_bursts_refused(&s->trains, s->since_ns, s->past_ns);
    add_beside(s, s->pair, s->since, s->past, &used);
    misplace(s, &used);
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct gs_energy_sum share =
            /*
             * Events that share a GPU get whole-number portions that add up to the stretch. A
             * division by n for each would lose units.
             */
            s->n_slots == 1 ? used : gs_energy_sum_portion(&used, s->n_slots, k);
        count_part(s, k, &share);
        gs_energy_sum_merge(&s->to->part[s->slot[k]].used, &share);
    }
}

/* The pairs that run and of which nothing that runs is part: they share the GPU. In the order of their slots. */
static uint32_t find_holders(const struct sweep *s, uint32_t holder[MOST_HOLDERS])
{
    const uint32_t *const slot = s->to->slot;
    uint32_t n = 0;
    for (uint32_t p = s->running.last; p != GS_NONE && n < MOST_HOLDERS; p = s->running.before[p]) {
        uint32_t k = n;
        if (s->running.parts[p] > 0)
            continue;
        for (; k > 0 && slot[holder[k - 1]] > slot[p]; k--)
            holder[k] = holder[k - 1];
        holder[k] = p;
        n++;
    }
    /* One name alone has it whole: a window goes on while its events come and go. */
    return n > 0 && slot[holder[0]] == slot[holder[n - 1]] ? 1 : n;
}

/*
 * Gives the time since the last call to the part that was on. Every instant goes to exactly one
 * part: this is called at each boundary in ascending order, and the parts are differences of one
 * cumulative energy. That is why they add up to the whole to the last unit.
 */
static void advance(struct sweep *s, const struct gs_energy_point *now, int64_t t_ns)
{
    const uint64_t span_ns = (uint64_t)now->at_ns - (uint64_t)s->past->at_ns;
    if (span_ns == 0) {
        s->past_ns = t_ns;
        return;
    }
    const uint32_t pair = s->running.last;
    enum gs_idle idle = GS_IDLE_BETWEEN;
    if (s->n_all == 0)
        idle = s->idle;
    else if (s->n_left == s->n_all)
        idle = GS_IDLE_BEFORE;
    else if (s->n_left == 0)
        idle = GS_IDLE_AFTER;
    uint32_t holder[MOST_HOLDERS], slot[MOST_HOLDERS] = {s->to->n_slots + idle};
    uint32_t n = find_holders(s, holder);
    for (uint32_t k = 0; k < n; k++)
        slot[k] = s->to->slot[holder[k]];
    n += n == 0;
    /*
     * Boundaries that do not change the holder do not end a window. Fewer windows mean fewer
     * edges, each of which widens the interval.
     */
    if (n != s->n_slots || memcmp(slot, s->slot, n * sizeof *slot) != 0) {
        end_part(s);
        memcpy(s->slot, slot, n * sizeof *slot);
        s->n_slots = n;
        s->pair = pair;
        s->since = s->past;
        s->since_ns = s->past_ns;
    }
    if (pair == GS_NONE)
        s->to->part[slot[0]].inclusive += now->used.energy - s->past->used.energy;
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t share_ns = (uint64_t)gs_energy_portion(span_ns, n, k);
        const uint32_t outer = pair == GS_NONE ? GS_NONE : s->running.outer[holder[k]];
        s->to->part[slot[k]].span_ns += share_ns;
        if (s->to->inside_ns != NULL && outer != GS_NONE)
            s->to->inside_ns[(size_t)slot[k] * s->to->n_slots + outer] += share_ns;
    }
    s->past = now;
    s->past_ns = t_ns;
}

static void switch_slot(struct sweep *s, uint32_t slot, bool on, gs_i128 energy)
{
    uint32_t *const count = &s->running.count[slot];
    s->n_left--;
    /*
     * Pairs of one event may overlap. Only the first start and the last stop count, so overlapping
     * time is in the inclusive energy once.
     */
    if (on ? (*count)++ == 0 : --*count == 0)
        s->to->part[slot].inclusive += on ? -energy : energy;
}

/* The pairs that start at one instant, the outermost first: a merge sort of the list that they are in. */
static uint32_t sort_starts(const struct sweep *s, uint32_t *next, uint32_t first)
{
    uint32_t half = first, end = first;
    if (first == GS_NONE || next[first] == GS_NONE)
        return first;
    for (end = next[first]; end != GS_NONE && next[end] != GS_NONE; end = next[next[end]])
        half = next[half];
    uint32_t b = next[half], sorted = GS_NONE, *tail = &sorted;
    next[half] = GS_NONE;
    uint32_t a = sort_starts(s, next, first);
    b = sort_starts(s, next, b);
    while (a != GS_NONE && b != GS_NONE) {
        uint32_t *const from = is_outside(s->host, s->to->slot, b, a) ? &b : &a;
        *tail = *from;
        tail = &next[*from];
        *from = *tail;
    }
    *tail = gs_min(a, b); /* the one that is left */
    return sorted;
}

/* Instants at which the parts of a GPU may change, and the points of its curve there. */
struct instants {
    const int64_t *time;
    uint32_t n;
    struct gs_energy_point *at; /* [n + 2], to be filled: the log's start and end besides */
};

/* The curve and the counter of a GPU, and what both tell of its whole log. */
static enum gs_status add_log(struct sweep *s, int64_t max_gap_ns, struct gs_balance_part *whole,
                              struct gs_arena *scratch, struct gs_err *err)
{
    GS_TRY(gs_gpu_curve(s->gpu, max_gap_ns, scratch, &s->curve, err));
    (void)gs_energy_sum_log(&whole->used, &s->curve);
    if (s->host->counter != 0)
        GS_TRY(gs_gpu_counter(s->gpu, s->host->counter, scratch, &s->counter, err));
    gs_counted_add_log(&whole->counted, &s->counter, &s->curve, &whole->used);
    return GS_OK;
}

enum gs_status gs_balance_log(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              struct gs_balance_part *whole, struct gs_arena *scratch,
                              struct gs_err *err)
{
    struct sweep s = {.host = host, .gpu = &host->gpu[gpu]};
    if (gs_gpu_log(s.gpu)->n == 0)
        return GS_OK;
    return add_log(&s, max_gap_ns, whole, scratch, err);
}

/* The points of the log's start, of the instants and of the log's end. */
static enum gs_status find_points(struct sweep *s, const struct instants *instants,
                                  struct gs_arena *scratch, struct gs_err *err)
{
    const uint32_t n = instants->n;
    GS_NEW_RAW(int64_t, t, (size_t)n + 2, scratch, err);
    t[0] = GS_LOG_START;
    for (uint32_t i = 0; i < n; i++)
        t[i + 1] = instants->time[i];
    t[n + 1] = GS_LOG_END;
    gs_energy_points(&s->curve, t, (size_t)n + 2, instants->at);
    for (uint32_t i = 0; i < n; i++)
        instants->at[i + 1].out_ns = 0; /* a part is of what lies inside the log */
    return GS_OK;
}

/* Without events: the log's phases, by the GPU's own readings. */
static enum gs_status divide_by_load(struct sweep *s, int64_t max_gap_ns,
                                     struct gs_balance_part *whole, struct gs_arena *scratch,
                                     struct gs_err *err)
{
    size_t n = 0;
    struct gs_load_phase *phase = NULL;
    GS_TRY(add_log(s, max_gap_ns, whole, scratch, err));
    if (s->curve.n > 0) {
        const struct gs_load_readings readings =
            gs_gpu_load(s->gpu, gs_energy_curve_first(&s->curve), gs_energy_curve_last(&s->curve));
        GS_TRY(gs_load_phases(&readings, scratch, &phase, &n, err));
    }
    GS_NEW_RAW(int64_t, time, n, scratch, err);
    GS_NEW_RAW(struct gs_energy_point, at, n + 2, scratch, err);
    struct instants instants = {time, 0, at};
    /* A phase is on the log's clock, an energy is asked for on that of the events. */
    for (; instants.n + 1 < n; instants.n++)
        time[instants.n] = gs_time_moved(phase[instants.n].stop_ns, -s->curve.sensor.shift_ns);
    GS_TRY(find_points(s, &instants, scratch, err));
    s->past = s->since = &at[0];
    s->past_ns = gs_gpu_first_ns(s->gpu);
    for (uint32_t i = 0; i <= instants.n; i++) {
        s->idle = GS_STEADY;
        if (n > 0)
            s->idle = phase[i].active ? GS_ACTIVE : GS_IDLE_LOAD;
        advance(s, &at[i + 1], i < instants.n ? time[i] : gs_gpu_last_ns(s->gpu));
    }
    end_part(s);
    return GS_OK;
}

enum gs_status gs_balance_gpu(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              const struct gs_balance_sweep *to, struct gs_balance_part *whole,
                              struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_gpu_view *const g = &host->gpu[gpu];
    const uint32_t n = host->n_times;
    struct boundaries b;
    struct sweep s = {
        .to = to, .host = host, .gpu = g, .idle = GS_IDLE_NO_EVENT, .running = {.last = GS_NONE}};
    if (to->by_load && g->n > 0)
        return divide_by_load(&s, max_gap_ns, whole, scratch, err);
    GS_NEW_RAW(struct gs_energy_point, at, (size_t)n + 2, scratch, err);
    GS_TRY(collect_boundaries(host, gpu, &b, scratch, err));
    GS_TRY(collect_running(&s.running, host->n_pairs, to->n_slots, scratch, err));
    if (gs_gpu_log(g)->n == 0)
        return GS_OK;
    /* Before events tell more of the sensor. */
    GS_TRY(add_log(&s, max_gap_ns, whole, scratch, err));
    GS_TRY(gs_pair_bursts_find(host, gpu, g, scratch, &s.curve.sensor, &s.trains, err));
    GS_TRY(find_points(&s, &(struct instants){host->time, n, at}, scratch, err));
    s.n_left = s.n_all = b.n;
    s.past = s.since = &at[0];
    s.past_ns = gs_gpu_first_ns(g);
    for (uint32_t i = 0; i < n; i++) {
        if (b.starts[i] == GS_NONE && b.stops[i] == GS_NONE)
            continue;
        const gs_i128 now = at[i + 1].used.energy;
        advance(&s, &at[i + 1], host->time[i]);
        /* Stops before starts: what ends at an instant must not enclose what begins there. */
        for (uint32_t p = b.stops[i]; p != GS_NONE; p = b.next_stop[p]) {
            switch_slot(&s, to->slot[p], false, now);
            extract(&s.running, host, to, p);
        }
        for (uint32_t p = sort_starts(&s, b.next_start, b.starts[i]); p != GS_NONE;
             p = b.next_start[p]) {
            switch_slot(&s, to->slot[p], true, now);
            put_in(&s.running, host, to, p);
        }
    }
    advance(&s, &at[n + 1], gs_gpu_last_ns(g));
    end_part(&s);
    for (uint32_t p = 0; p < host->n_pairs; p++) /* events of no time, of which some was cut off */
        if (gs_pair_ns(&host->pair[p]) == 0 && gs_pair_uses(host, &host->pair[p], gpu)) {
            const struct gs_energy_point *const then = &at[host->pair[p].start_at + 1];
            struct gs_energy_sum used = {0};
            (void)gs_energy_sum_window(&used, &s.curve, then, then);
            add_beside(&s, p, then, then, &used);
            gs_energy_sum_merge(&to->part[to->slot[p]].used, &used);
        }
    return GS_OK;
}

void gs_balance_part_add(struct gs_balance_part *sum, const struct gs_balance_part *p)
{
    gs_energy_sum_merge(&sum->used, &p->used);
    sum->inclusive += p->inclusive;
    sum->span_ns += p->span_ns;
    sum->least += p->least;
    sum->most += p->most;
    gs_counted_merge(&sum->counted, &p->counted);
    sum->counted_ns += p->counted_ns;
}
