/* test_balance.c - every instant to exactly one part, against a count of every nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/gpus/balance.h"

enum { END = 64, SLOTS_MAX = 200, PAIRS_MAX = 40 };

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

/* Mostly nobody, so that some pairs are parts of others. */
static uint32_t anyone(uint64_t *seed)
{
    return next(seed) % 3 == 0 ? (uint32_t)(next(seed) % 3) : GS_NONE;
}

struct run {
    int64_t t[30], p[30], time[2 * PAIRS_MAX];
    struct gs_pair pair[PAIRS_MAX];
    uint32_t slot[PAIRS_MAX];
    struct gs_balance_owner owner[PAIRS_MAX];
    bool share[SLOTS_MAX * SLOTS_MAX];
    const int64_t *value[GS_FIXED_METRICS];
    struct gs_gpu_view gpu[2];
    struct gs_host_view host;
    uint32_t n_slots;
};

/* Ties, gaps, missing powers; pairs that overlap, repeat, end before they start, or name another GPU. */
static void make(struct run *r, uint64_t *seed, uint32_t n_slots)
{
    const uint32_t n = (uint32_t)(next(seed) % 30);
    int64_t at = (int64_t)(next(seed) % 10);
    memset(r, 0, sizeof *r);
    r->n_slots = n_slots;
    for (uint32_t i = 0; i < n; i++) {
        r->t[i] = at;
        r->p[i] = next(seed) % 9 == 0 ? GS_MISSING : (int64_t)(next(seed) % 100) * 1000000;
        at += (int64_t)(next(seed) % 4);
    }
    for (unsigned m = 0; m < GS_FIXED_METRICS; m++)
        r->value[m] = r->p;
    r->gpu[0] = r->gpu[1] = (struct gs_gpu_view){
        .n = n, .t_ns = r->t, .value = r->value, .sensor = {.gain = 1.0, .interval_ns = 1}};
    for (uint32_t k = 0; k < 2 * PAIRS_MAX; k++)
        r->time[k] = k; /* every nanosecond is an instant of the host */
    const uint32_t n_pairs = (uint32_t)(next(seed) % PAIRS_MAX);
    for (uint32_t k = 0; k < n_pairs; k++) {
        const uint32_t a = (uint32_t)(next(seed) % END), b = (uint32_t)(next(seed) % END);
        const uint32_t start = a < b ? a : b, stop = a < b ? b : a;
        r->pair[k] =
            (struct gs_pair){.start_ns = start,
                             .stop_ns = stop,
                             .start_at = start,
                             .stop_at = stop,
                             .gpu = next(seed) % 3 == 0 ? (uint32_t)(next(seed) % 2) : GS_NONE};
        r->slot[k] = r->pair[k].event = (uint32_t)(next(seed) % n_slots);
        r->owner[k] = (struct gs_balance_owner){anyone(seed), anyone(seed), {0}};
        if (next(seed) % 4 == 0)
            r->owner[k].user = gs_str(next(seed) % 2 == 0 ? "ann" : "bob");
    }
    for (uint32_t a = 0; a < n_slots; a++)
        for (uint32_t b = 0; b <= a; b++)
            r->share[a * n_slots + b] = r->share[b * n_slots + a] = next(seed) % 2 == 0;
    r->host = (struct gs_host_view){.n_gpus = 2,
                                    .gpu = r->gpu,
                                    .n_times = 2 * PAIRS_MAX,
                                    .time = r->time,
                                    .n_pairs = n_pairs,
                                    .pair = r->pair};
}

static bool runs(const struct run *r, uint32_t k, int64_t t)
{
    const struct gs_pair *const p = &r->pair[k];
    return p->start_ns <= t && p->stop_ns > t && (p->gpu == GS_NONE || p->gpu == 0);
}

/* Is pair `a` part of pair `b`, by the words of balance.h? */
static bool is_part(const struct run *r, uint32_t a, uint32_t b)
{
    const struct gs_pair *const x = &r->pair[a], *const y = &r->pair[b];
    const struct gs_balance_owner *const p = &r->owner[a], *const q = &r->owner[b];
    const bool equal = x->start_ns == y->start_ns && x->stop_ns == y->stop_ns;
    const bool jobs = p->job != q->job && p->job != GS_NONE && q->job != GS_NONE;
    const bool users = p->user.len > 0 && q->user.len > 0 && *p->user.ptr != *q->user.ptr;
    const bool tasks = p->task != q->task && p->task != GS_NONE && q->task != GS_NONE &&
                       r->share[r->slot[a] * r->n_slots + r->slot[b]];
    return x->event != y->event && y->start_ns <= x->start_ns && y->stop_ns >= x->stop_ns &&
           (!equal || r->slot[a] < r->slot[b]) && !jobs && !users && !tasks;
}

/* The parts of the nanosecond that begins at t, ascending, by looking at every pair; returns how many. */
static uint32_t parts_of(const struct run *r, int64_t t, uint32_t of[PAIRS_MAX])
{
    uint32_t n = 0;
    bool any = false, before = true, after = true, alike = true;
    for (uint32_t k = 0; k < r->host.n_pairs; k++) {
        const struct gs_pair *const p = &r->pair[k];
        bool leaf = runs(r, k, t);
        if (p->stop_ns <= p->start_ns || (p->gpu != GS_NONE && p->gpu != 0))
            continue;
        any = true;
        before &= p->start_ns > t;
        after &= p->stop_ns <= t;
        for (uint32_t i = 0; i < r->host.n_pairs && leaf; i++)
            leaf = i == k || !runs(r, i, t) || !is_part(r, i, k);
        uint32_t at = leaf ? n++ : 0;
        for (; leaf && at > 0 && of[at - 1] > r->slot[k]; at--)
            of[at] = of[at - 1];
        if (leaf)
            of[at] = r->slot[k];
    }
    for (uint32_t k = 1; k < n; k++)
        alike &= of[k] == of[0];
    if (n > 0)
        return alike ? 1 : n;
    of[0] = r->n_slots + (uint32_t)(!any     ? GS_IDLE_NO_EVENT
                                    : before ? GS_IDLE_BEFORE
                                    : after  ? GS_IDLE_AFTER
                                             : GS_IDLE_BETWEEN);
    return 1;
}

/* The n-th part of whole numbers, so that all of them are the whole. */
static gs_i128 portion(gs_i128 x, uint32_t n, uint32_t k)
{
    return x * (k + 1) / n - x * k / n;
}

static void check(const struct run *r, int64_t max_gap, struct gs_arena *arena)
{
    struct gs_balance_part *const part = gs_arena_take(arena, SLOTS_MAX + GS_N_IDLE, sizeof *part);
    struct gs_balance_part *const want = gs_arena_take(arena, SLOTS_MAX + GS_N_IDLE, sizeof *want);
    const struct gs_balance_sweep sweep = {.n_slots = r->n_slots,
                                           .slot = r->slot,
                                           .part = part,
                                           .owner = r->owner,
                                           .share_ids = r->share};
    struct gs_balance_part whole = {0};
    struct gs_energy_curve curve;
    assert_int_equal(gs_balance_gpu(&r->host, 0, max_gap, &sweep, &whole, arena, NULL), GS_OK);
    assert_int_equal(gs_gpu_curve(&r->gpu[0], max_gap, arena, &curve, NULL), GS_OK);
    struct gs_energy_walker walk = {.curve = &curve};
    struct gs_energy past = gs_energy_at(&walk, 0), since = past;
    uint32_t now_of[PAIRS_MAX], of[PAIRS_MAX], n_now = 0, n = 0;
    for (int64_t t = 0; t <= 200; t++) {
        n_now = t < 200 ? parts_of(r, t, now_of) : 0;
        if (n_now != n || memcmp(now_of, of, n * sizeof *of) != 0) { /* a stretch ends */
            for (uint32_t k = 0; k < n; k++) {
                want[of[k]].used.energy += portion(past.energy - since.energy, n, k);
                want[of[k]].used.time_ns += portion(past.time_ns - since.time_ns, n, k);
            }
            memcpy(of, now_of, sizeof of);
            n = n_now;
            since = past;
        }
        const struct gs_energy now = gs_energy_at(&walk, t + 1);
        for (uint32_t s = 0; s < r->n_slots; s++) {
            bool on = false;
            for (uint32_t p = 0; p < r->host.n_pairs; p++)
                on |= r->slot[p] == s && runs(r, p, t);
            want[s].inclusive += on ? now.energy - past.energy : 0;
        }
        if (n > 0 && of[0] >= r->n_slots)
            want[of[0]].inclusive += now.energy - past.energy;
        past = now;
    }
    gs_i128 sum = 0;
    for (uint32_t k = 0; k < r->n_slots + GS_N_IDLE; k++) {
        assert_true(part[k].used.energy == want[k].used.energy);
        assert_true(part[k].inclusive == want[k].inclusive);
        assert_true(part[k].used.time_ns == want[k].used.time_ns);
        sum += part[k].used.energy;
    }
    assert_true(sum == whole.used.energy);
    assert_true(sum == past.energy); /* to the last unit */
}

static void random_runs_agree_with_every_nanosecond(void **state)
{
    (void)state;
    static const uint32_t n_slots[] = {1, 5, 63, 64, 65, 130, SLOTS_MAX};
    struct run *const r = malloc(sizeof *r);
    uint64_t seed = 77;
    assert_non_null(r);
    for (int round = 0; round < 140; round++) {
        struct gs_arena arena = {0};
        make(r, &seed, n_slots[round % 7]);
        check(r, (int64_t)(next(&seed) % 4), &arena);
        gs_arena_release(&arena);
    }
    free(r);
}

/* Spans by hand: [start, stop) of an event, each its own slot, over 100 ns at 2 units of power. */
struct span {
    int64_t start, stop;
    uint32_t event;
};

enum { BY_HAND_MAX = 6 };

static void divide_by_hand(const struct span *span, uint32_t n,
                           struct gs_balance_part part[BY_HAND_MAX + GS_N_IDLE],
                           uint64_t inside[BY_HAND_MAX * BY_HAND_MAX])
{
    static const int64_t t[] = {0, 100}, p[] = {2, 2};
    int64_t time[101];
    struct gs_pair pair[BY_HAND_MAX];
    uint32_t slot[BY_HAND_MAX];
    const int64_t *const value[GS_FIXED_METRICS] = {p, p, p, p};
    const struct gs_gpu_view g = {
        .n = 2, .t_ns = t, .value = value, .sensor = {.gain = 1.0, .interval_ns = 100}};
    const struct gs_host_view h = {
        .n_gpus = 1, .gpu = &g, .n_times = 101, .time = time, .n_pairs = n, .pair = pair};
    struct gs_arena arena = {0};
    for (int64_t k = 0; k <= 100; k++)
        time[k] = k;
    for (uint32_t k = 0; k < n; k++) {
        slot[k] = k;
        pair[k] = (struct gs_pair){.start_ns = span[k].start,
                                   .stop_ns = span[k].stop,
                                   .event = span[k].event,
                                   .start_at = (uint32_t)span[k].start,
                                   .stop_at = (uint32_t)span[k].stop,
                                   .gpu = GS_NONE};
    }
    memset(part, 0, (BY_HAND_MAX + GS_N_IDLE) * sizeof *part);
    memset(inside, 0, BY_HAND_MAX * BY_HAND_MAX * sizeof *inside);
    struct gs_balance_part whole = {0};
    const struct gs_balance_sweep sweep = {
        .n_slots = n, .slot = slot, .part = part, .inside_ns = inside};
    assert_int_equal(gs_balance_gpu(&h, 0, -1, &sweep, &whole, &arena, NULL), GS_OK);
    gs_arena_release(&arena);
}

/* An event of one host may take longer over the run than the one that encloses it there. */
static void an_inner_span_counts_before_the_one_that_encloses_it(void **state)
{
    (void)state;
    static const struct span span[] = {{0, 50, 0}, {10, 30, 1}, {10, 30, 2}};
    struct gs_balance_part part[BY_HAND_MAX + GS_N_IDLE];
    uint64_t inside[BY_HAND_MAX * BY_HAND_MAX];
    divide_by_hand(span, 2, part, inside);
    assert_true(part[0].used.energy == 120 && part[0].inclusive == 200 &&
                part[1].used.energy == 80); /* 2 units of power, in halves */
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(inside[k], k == 2 ? 20 : 0); /* slot 1 inside slot 0 */
    divide_by_hand(span, 3, part, inside);
    assert_true(part[1].used.energy == 80 && part[2].used.energy == 0 && part[2].inclusive == 80);
    assert_int_equal(inside[1 * 3 + 2], 20); /* of two equal spans one lies in the other */
}

static void what_does_not_enclose_a_span_is_not_around_it(void **state)
{
    (void)state;
    static const struct span span[] = {
        {0, 20, 0}, {10, 60, 1}, {70, 90, 2}, {70, 90, 2}, {65, 95, 2}};
    struct gs_balance_part part[BY_HAND_MAX + GS_N_IDLE];
    uint64_t inside[BY_HAND_MAX * BY_HAND_MAX];
    divide_by_hand(span, 5, part, inside);
    assert_true(part[0].used.energy == 60 &&
                part[1].used.energy == 180); /* half each of what both share */
    for (size_t k = 0; k < 25; k++)
        assert_int_equal(inside[k], 0); /* nor does an event lie inside its own name */
    assert_true(part[5 + GS_IDLE_BETWEEN].used.energy == 20 &&
                part[5 + GS_IDLE_AFTER].used.energy == 20);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    struct run *const r = malloc(sizeof *r);
    struct gs_balance_part part[5 + GS_N_IDLE];
    uint64_t seed = 3;
    assert_non_null(r);
    make(r, &seed, 5);
    memset(part, 0, sizeof part);
    const struct gs_balance_sweep sweep = {.n_slots = 5, .slot = r->slot, .part = part};
    struct gs_balance_part whole = {0};
    struct gs_arena arena = {0};
    gs_memory_fail_after(1);
    assert_int_equal(gs_balance_gpu(&r->host, 0, 5, &sweep, &whole, &arena, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    gs_arena_release(&arena);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_agree_with_every_nanosecond),
        cmocka_unit_test(an_inner_span_counts_before_the_one_that_encloses_it),
        cmocka_unit_test(what_does_not_enclose_a_span_is_not_around_it),
        cmocka_unit_test(running_out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
