/* balance.c - the sweep over one GPU's time that gives every instant to exactly one part. */
#include "run/balance.h"

#include "view/counts.h"

/* Which slots have running events: bits in words, and a bit for each word that is not 0. */
struct running {
    uint32_t n_words;
    uint32_t *count;   /* [n_slots]                */
    uint64_t *word;    /* [n_words]                */
    uint64_t *summary; /* [(n_words + 63) / 64]    */
};

static unsigned lowest_bit(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

static void mark(struct running *r, uint32_t slot, bool on)
{
    const uint64_t bit = UINT64_C(1) << slot % 64, word_bit = UINT64_C(1) << slot / 64 % 64;
    if (on) {
        r->word[slot / 64] |= bit;
        r->summary[slot / 64 / 64] |= word_bit;
        return;
    }
    r->word[slot / 64] &= ~bit;
    if (r->word[slot / 64] == 0)
        r->summary[slot / 64 / 64] &= ~word_bit;
}

/* The lowest running slot from `from` on, or GS_NONE. */
static uint32_t lowest(const struct running *r, uint32_t from)
{
    const uint32_t w = from / 64;
    if (w >= r->n_words)
        return GS_NONE;
    const uint64_t here = r->word[w] >> from % 64;
    if (here != 0)
        return from + lowest_bit(here);
    for (uint32_t s = (w + 1) / 64; s * 64 < r->n_words; s++) {
        const uint64_t words = s == (w + 1) / 64 ? r->summary[s] >> (w + 1) % 64 << (w + 1) % 64 : r->summary[s];
        if (words != 0) {
            const uint32_t found = s * 64 + lowest_bit(words);
            return found * 64 + lowest_bit(r->word[found]);
        }
    }
    return GS_NONE;
}

/* The boundaries of pairs at each place of time[]: lists through the pairs. */
struct boundaries {
    uint32_t *starts, *stops;           /* [n_times] first pair, GS_NONE: none */
    uint32_t *next_start, *next_stop;   /* [n_pairs]                           */
    uint64_t n;
};

static bool counts_for(const struct gs_pair *p, uint32_t gpu)
{
    return gs_pair_ns(p) > 0 && gs_pair_uses(p, gpu);
}

static bool take_boundaries(const struct gs_host_view *h, uint32_t gpu, struct boundaries *b, struct gs_arena *scratch)
{
    b->starts = gs_arena_take_raw(scratch, h->n_times, sizeof *b->starts);
    b->stops = gs_arena_take_raw(scratch, h->n_times, sizeof *b->stops);
    b->next_start = gs_arena_take_raw(scratch, h->n_pairs, sizeof *b->next_start);
    b->next_stop = gs_arena_take_raw(scratch, h->n_pairs, sizeof *b->next_stop);
    if (b->starts == NULL || b->stops == NULL || b->next_start == NULL || b->next_stop == NULL)
        return false;
    for (uint32_t i = 0; i < h->n_times; i++)
        b->starts[i] = b->stops[i] = GS_NONE;
    b->n = 0;
    for (uint32_t p = 0; p < h->n_pairs; p++) {
        if (!counts_for(&h->pair[p], gpu))
            continue;
        b->next_start[p] = b->starts[h->pair[p].start_at];
        b->starts[h->pair[p].start_at] = p;
        b->next_stop[p] = b->stops[h->pair[p].stop_at];
        b->stops[h->pair[p].stop_at] = p;
        b->n += 2;
    }
    return true;
}

static bool take_running(struct running *r, uint32_t n_slots, struct gs_arena *scratch)
{
    r->n_words = (n_slots + 63) / 64;
    r->count = gs_arena_take(scratch, n_slots, sizeof *r->count);
    r->word = gs_arena_take(scratch, r->n_words, sizeof *r->word);
    r->summary = gs_arena_take(scratch, ((size_t)r->n_words + 63) / 64, sizeof *r->summary);
    return r->count != NULL && r->word != NULL && r->summary != NULL;
}

struct sweep {
    const struct gs_balance_sweep *to;
    struct running running;
    struct gs_energy past;
    uint64_t n_left, n_all; /* boundaries */
};

/* Gives what was used since the last call to the part that was on. */
static void advance(struct sweep *s, const struct gs_energy *now)
{
    const uint64_t span_ns = now->span_ns - s->past.span_ns;
    if (span_ns == 0)
        return;
    const uint32_t slot = s->n_all == 0 ? GS_NONE : lowest(&s->running, 0);
    const enum gs_idle idle = s->n_all == 0         ? GS_IDLE_NO_EVENT
                              : s->n_left == s->n_all ? GS_IDLE_BEFORE
                              : s->n_left == 0        ? GS_IDLE_AFTER
                                                      : GS_IDLE_BETWEEN;
    struct gs_part *const part = &s->to->part[slot == GS_NONE ? s->to->n_slots + idle : slot];
    part->energy += now->energy - s->past.energy;
    part->covered_ns += now->covered_ns - s->past.covered_ns;
    part->span_ns += span_ns;
    if (slot == GS_NONE) {
        part->inclusive += now->energy - s->past.energy;
    } else if (s->to->inside_ns != NULL) {
        const uint32_t outer = lowest(&s->running, slot + 1);
        if (outer != GS_NONE)
            s->to->inside_ns[(size_t)slot * s->to->n_slots + outer] += span_ns;
    }
    s->past = *now;
}

static void switch_slot(struct sweep *s, uint32_t slot, bool on, gs_i128 energy)
{
    uint32_t *const count = &s->running.count[slot];
    s->n_left--;
    if (on ? (*count)++ == 0 : --*count == 0) {
        mark(&s->running, slot, on);
        s->to->part[slot].inclusive += on ? -energy : energy;
    }
}

enum gs_status gs_balance_gpu(const struct gs_host_view *host, uint32_t gpu, int64_t max_gap_ns,
                              const struct gs_balance_sweep *to, struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_gpu_view *const g = &host->gpu[gpu];
    struct boundaries b;
    struct sweep s = {.to = to};
    if (!take_boundaries(host, gpu, &b, scratch) || !take_running(&s.running, to->n_slots, scratch))
        return gs_fail_memory(err);
    if (g->n == 0)
        return GS_OK;
    s.n_left = s.n_all = b.n;
    struct gs_energy_walker walk = gs_energy_walk(g, max_gap_ns);
    for (uint32_t i = 0; i < host->n_times; i++) {
        if (b.starts[i] == GS_NONE && b.stops[i] == GS_NONE)
            continue;
        const struct gs_energy now = gs_energy_at(&walk, host->time[i]);
        advance(&s, &now);
        for (uint32_t p = b.starts[i]; p != GS_NONE; p = b.next_start[p])
            switch_slot(&s, to->slot[p], true, now.energy);
        for (uint32_t p = b.stops[i]; p != GS_NONE; p = b.next_stop[p])
            switch_slot(&s, to->slot[p], false, now.energy);
    }
    const int64_t last = g->t_ns[g->n - 1];
    const struct gs_energy end =
        host->n_times > 0 && host->time[host->n_times - 1] > last ? gs_energy_at(&walk, host->time[host->n_times - 1])
                                                                  : gs_energy_at(&walk, last);
    advance(&s, &end);
    return GS_OK;
}
