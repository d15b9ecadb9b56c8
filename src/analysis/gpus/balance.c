/* balance.c - the sweep over one GPU's time that gives every instant to exactly one part. */
#include "analysis/gpus/balance.h"

#include "analysis/timeline/counter.h"
#include "analysis/timeline/counts.h"
#include "analysis/timeline/pair_burst.h"

/*
 * The pairs that run, a list through the pairs from the outermost to the innermost. What encloses a pair runs when it
 * starts and as long as it does, so that it is looked for once.
 */
struct running {
    uint32_t last;             /* GS_NONE: none runs                                        */
    uint32_t *before, *behind; /* [n_pairs]                                                 */
    uint32_t *outer;           /* [n_pairs] slot of the nearest that encloses it, or GS_NONE */
    uint32_t *count;           /* [n_slots]                                                 */
};

/* Is `a` to stand outside of `b`? The longer is; of two equally long the earlier, then that of the higher slot. */
static bool is_outside(const struct gs_host_view *h, const uint32_t *slot, uint32_t a, uint32_t b)
{
    const struct gs_pair *const x = &h->pair[a], *const y = &h->pair[b];
    const uint64_t x_ns = gs_pair_ns(x), y_ns = gs_pair_ns(y);
    if (x_ns != y_ns)
        return x_ns > y_ns;
    return x->start_ns != y->start_ns ? x->start_ns < y->start_ns : slot[a] > slot[b];
}

static void put_in(struct running *r, const struct gs_host_view *h, const uint32_t *slot,
                   uint32_t p)
{
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
    while (outside != GS_NONE && (h->pair[outside].stop_ns < h->pair[p].stop_ns ||
                                  h->pair[outside].event == h->pair[p].event))
        outside = r->before[outside];
    r->outer[p] = outside == GS_NONE ? GS_NONE : slot[outside];
}

static void extract(struct running *r, uint32_t p)
{
    if (r->before[p] != GS_NONE)
        r->behind[r->before[p]] = r->behind[p];
    if (r->behind[p] != GS_NONE)
        r->before[r->behind[p]] = r->before[p];
    else
        r->last = r->before[p];
}

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

static bool collect_boundaries(const struct gs_host_view *h, uint32_t gpu, struct boundaries *b,
                               struct gs_arena *scratch)
{
    b->starts = gs_arena_take_raw(scratch, h->n_times, sizeof *b->starts);
    b->stops = gs_arena_take_raw(scratch, h->n_times, sizeof *b->stops);
    b->next_start = gs_arena_take_raw(scratch, h->n_pairs, sizeof *b->next_start);
    b->next_stop = gs_arena_take_raw(scratch, h->n_pairs, sizeof *b->next_stop);
    uint32_t *const first = gs_arena_take_raw(scratch, h->n_times, sizeof *first);
    if (b->starts == NULL || b->stops == NULL || b->next_start == NULL || b->next_stop == NULL ||
        first == NULL)
        return false;
    for (uint32_t i = 0; i < h->n_times; i++) {
        b->starts[i] = b->stops[i] = GS_NONE;
        first[i] = i > 0 && h->time[i] == h->time[i - 1] ? first[i - 1] : i;
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
    return true;
}

static bool collect_running(struct running *r, uint32_t n_pairs, uint32_t n_slots,
                            struct gs_arena *scratch)
{
    r->last = GS_NONE;
    r->before = gs_arena_take_raw(scratch, n_pairs, sizeof *r->before);
    r->behind = gs_arena_take_raw(scratch, n_pairs, sizeof *r->behind);
    r->outer = gs_arena_take_raw(scratch, n_pairs, sizeof *r->outer);
    r->count = gs_arena_take(scratch, n_slots, sizeof *r->count);
    return r->before != NULL && r->behind != NULL && r->outer != NULL && r->count != NULL;
}

struct sweep {
    const struct gs_balance_sweep *to;
    const struct gs_host_view *host;
    struct running running;
    const struct gs_gpu_view *gpu;
    struct gs_sensor sensor;
    struct gs_pair_bursts trains;
    struct gs_counter counter; /* of no readings where there is none                             */
    int64_t max_gap_ns;
    struct gs_energy_point past, since; /* of the last boundary; of where the present part began */
    int64_t past_ns, since_ns;          /* their times                                           */
    uint32_t slot, pair;    /* the present part, GS_NONE: none yet; its pair, GS_NONE: idle */
    uint64_t n_left, n_all; /* boundaries */
};

/*
 * What the bursts of a train that is shorter than the sensor's reach have less than they took, and the rests between
 * them more: (on - off) D (1 - D) P of each where the readings stand still.
 */
static void misplace(const struct sweep *s, struct gs_energy_error *error)
{
    for (size_t i = 0; i < s->trains.n && s->trains.n <= MOST_TRAINS; i++) {
        const struct gs_pair_burst *const t = &s->trains.train[i];
        const bool on =
            s->pair != GS_NONE && s->host->pair[s->pair].event == s->host->pair[t->pair[0]].event;
        if (s->since_ns >= t->all.start_ns && s->past_ns <= t->all.stop_ns)
            gs_energy_error_misplaced(error,
                                      (on ? 2.0 : -2.0) *
                                          gs_burst_train_ripple_j(&t->train, &t->view, &s->sensor));
    }
}

/* What the board's counter says of such a stretch, as far as the GPU's samples go. */
static void count_part(const struct sweep *s, struct gs_balance_part *part, gs_i128 energy,
                       gs_i128 covered_ns, bool refused)
{
    const struct gs_gpu_view *const g = s->gpu;
    const int64_t from = s->since_ns > g->t_ns[0] ? s->since_ns : g->t_ns[0];
    const int64_t to = s->past_ns < g->t_ns[g->n - 1] ? s->past_ns : g->t_ns[g->n - 1];
    const gs_i128 window_ns = (gs_i128)to - from;
    gs_i128 used;
    if (from >= to || !gs_counter_between(&s->counter, from, to, s->max_gap_ns, &used))
        return;
    const bool same =
        !refused &&
        100 * covered_ns <= 101 * window_ns; /* the sensor lags: samples of more than that */
    gs_counted_add(&part->counted, used, energy, same ? covered_ns : 0, window_ns);
    part->counted_ns += window_ns;
}

/* The doubt about a stretch that one part had without a break. */
static void end_part(struct sweep *s)
{
    const struct gs_energy *const from = &s->since.used, *const to = &s->past.used;
    if (s->slot == GS_NONE)
        return;
    struct gs_balance_part *const part = &s->to->part[s->slot];
    const gs_i128 energy = to->energy - from->energy;
    const uint64_t covered_ns = to->covered_ns - from->covered_ns;
    const uint64_t n_refused = gs_pair_bursts_refused(&s->trains, s->since_ns, s->past_ns);
    count_part(s, part, energy, covered_ns, n_refused > 0);
    if (to->covered_ns <= from->covered_ns)
        return;
    gs_energy_error_add(&part->error, &s->sensor, energy, (int64_t)covered_ns, &s->since.edge,
                        &s->past.edge);
    gs_energy_error_smear(&part->error, &s->sensor, (int64_t)covered_ns, &s->since.edge,
                          &s->past.edge);
    part->error.n_refused += n_refused;
    misplace(s, &part->error);
}

/* Gives what was used since the last call to the part that was on. */
static void advance(struct sweep *s, const struct gs_energy_point *point, int64_t t_ns)
{
    const struct gs_energy *const now = &point->used, *const past = &s->past.used;
    const uint64_t span_ns = now->span_ns - past->span_ns;
    if (span_ns == 0) {
        s->past_ns = t_ns;
        return;
    }
    const uint32_t pair = s->running.last;
    const enum gs_idle idle = s->n_all == 0           ? GS_IDLE_NO_EVENT
                              : s->n_left == s->n_all ? GS_IDLE_BEFORE
                              : s->n_left == 0        ? GS_IDLE_AFTER
                                                      : GS_IDLE_BETWEEN;
    const uint32_t slot = pair == GS_NONE ? s->to->n_slots + idle : s->to->slot[pair];
    struct gs_balance_part *const part = &s->to->part[slot];
    if (slot != s->slot) {
        end_part(s);
        s->slot = slot;
        s->pair = pair;
        s->since = s->past;
        s->since_ns = s->past_ns;
    }
    part->energy += now->energy - past->energy;
    part->covered_ns += now->covered_ns - past->covered_ns;
    part->span_ns += span_ns;
    if (pair == GS_NONE)
        part->inclusive += now->energy - past->energy;
    else if (s->to->inside_ns != NULL && s->running.outer[pair] != GS_NONE)
        s->to->inside_ns[(size_t)slot * s->to->n_slots + s->running.outer[pair]] += span_ns;
    s->past = *point;
    s->past_ns = t_ns;
}

static void switch_slot(struct sweep *s, uint32_t slot, bool on, gs_i128 energy)
{
    uint32_t *const count = &s->running.count[slot];
    s->n_left--;
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
    *tail = a != GS_NONE ? a : b;
    return sorted;
}

enum gs_status gs_balance_gpu(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              const struct gs_balance_sweep *to, struct gs_arena *scratch,
                              struct gs_err *err)
{
    const struct gs_gpu_view *const g = &host->gpu[gpu];
    struct boundaries b;
    struct sweep s = {.to = to, .host = host, .gpu = g, .past_ns = INT64_MIN, .slot = GS_NONE};
    struct gs_energy_point *const at =
        gs_arena_take_raw(scratch, (size_t)host->n_times + 1, sizeof *at);
    int64_t *const t = gs_arena_take_raw(scratch, (size_t)host->n_times + 1, sizeof *t);
    if (at == NULL || t == NULL || !collect_boundaries(host, gpu, &b, scratch) ||
        !collect_running(&s.running, host->n_pairs, to->n_slots, scratch))
        return gs_fail_memory(err);
    if (g->n == 0)
        return GS_OK;
    s.n_left = s.n_all = b.n;
    const uint32_t n = host->n_times;
    const int64_t last = g->t_ns[g->n - 1];
    for (uint32_t i = 0; i < n; i++)
        t[i] = host->time[i];
    t[n] = n > 0 && t[n - 1] > last ? t[n - 1] : last;
    enum gs_status status = gs_pair_bursts_find(host, gpu, g, scratch, &s.sensor, &s.trains, err);
    if (status == GS_OK)
        status = gs_energy_points(g, &s.sensor, max_gap_ns, t, n + 1, scratch, at, err);
    s.max_gap_ns = max_gap_ns < 0 ? g->max_gap_ns : max_gap_ns;
    if (status == GS_OK && host->counter != 0)
        status = gs_counter_read(&(struct gs_power_series){g->n, g->t_ns, g->value[host->counter]},
                                 scratch, &s.counter, err);
    if (status != GS_OK)
        return status;
    for (uint32_t i = 0; i < host->n_times; i++) {
        if (b.starts[i] == GS_NONE && b.stops[i] == GS_NONE)
            continue;
        const gs_i128 now = at[i].used.energy;
        advance(&s, &at[i], t[i]);
        for (uint32_t p = b.stops[i]; p != GS_NONE; p = b.next_stop[p]) {
            switch_slot(&s, to->slot[p], false, now);
            extract(&s.running, p);
        }
        for (uint32_t p = sort_starts(&s, b.next_start, b.starts[i]); p != GS_NONE;
             p = b.next_start[p]) {
            switch_slot(&s, to->slot[p], true, now);
            put_in(&s.running, host, to->slot, p);
        }
    }
    advance(&s, &at[n], t[n]);
    end_part(&s);
    return GS_OK;
}

void gs_balance_part_add(struct gs_balance_part *sum, const struct gs_balance_part *p)
{
    sum->energy += p->energy;
    sum->inclusive += p->inclusive;
    sum->covered_ns += p->covered_ns;
    sum->span_ns += p->span_ns;
    gs_energy_error_merge(&sum->error, &p->error);
    gs_counted_merge(&sum->counted, &p->counted);
    sum->counted_ns += p->counted_ns;
}
