/* test_balance.c - every instant to exactly one part, against a count of every nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/balance.h"

enum { END = 64, SLOTS_MAX = 200, PAIRS_MAX = 40 };

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return *seed >> 33;
}

struct run {
    int64_t t[30], p[30], time[2 * PAIRS_MAX];
    struct gs_pair pair[PAIRS_MAX];
    uint32_t slot[PAIRS_MAX];
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
    r->gpu[0] = r->gpu[1] = (struct gs_gpu_view){.n = n, .t_ns = r->t, .value = r->value};
    for (uint32_t k = 0; k < 2 * PAIRS_MAX; k++)
        r->time[k] = k; /* every nanosecond is an instant of the host */
    const uint32_t n_pairs = (uint32_t)(next(seed) % PAIRS_MAX);
    for (uint32_t k = 0; k < n_pairs; k++) {
        const uint32_t a = (uint32_t)(next(seed) % END), b = (uint32_t)(next(seed) % END);
        const uint32_t start = a < b ? a : b, stop = a < b ? b : a;
        r->pair[k] = (struct gs_pair){.start_ns = start, .stop_ns = stop, .start_at = start, .stop_at = stop,
                                      .gpu = next(seed) % 3 == 0 ? (uint32_t)(next(seed) % 2) : GS_NONE};
        r->slot[k] = (uint32_t)(next(seed) % n_slots);
    }
    r->host = (struct gs_host_view){.n_gpus = 2, .gpu = r->gpu, .n_times = 2 * PAIRS_MAX, .time = r->time,
                                    .n_pairs = n_pairs, .pair = r->pair};
}

static bool runs(const struct run *r, uint32_t k, int64_t t)
{
    const struct gs_pair *const p = &r->pair[k];
    return p->start_ns <= t && p->stop_ns > t && (p->gpu == GS_NONE || p->gpu == 0);
}

/* The part of the nanosecond that begins at t, by looking at every pair. */
static uint32_t part_of(const struct run *r, int64_t t)
{
    uint32_t slot = GS_NONE;
    bool any = false, before = true, after = true;
    for (uint32_t k = 0; k < r->host.n_pairs; k++) {
        const struct gs_pair *const p = &r->pair[k];
        if (p->stop_ns <= p->start_ns || (p->gpu != GS_NONE && p->gpu != 0))
            continue;
        any = true;
        before &= p->start_ns > t;
        after &= p->stop_ns <= t;
        if (runs(r, k, t) && r->slot[k] < slot)
            slot = r->slot[k];
    }
    if (slot != GS_NONE)
        return slot;
    return r->n_slots + (uint32_t)(!any ? GS_IDLE_NO_EVENT : before ? GS_IDLE_BEFORE : after ? GS_IDLE_AFTER
                                                                                            : GS_IDLE_BETWEEN);
}

static void check(const struct run *r, int64_t max_gap, struct gs_arena *arena)
{
    struct gs_part *const part = gs_arena_take(arena, SLOTS_MAX + GS_N_IDLE, sizeof *part);
    struct gs_part *const want = gs_arena_take(arena, SLOTS_MAX + GS_N_IDLE, sizeof *want);
    const struct gs_balance_sweep sweep = {.n_slots = r->n_slots, .slot = r->slot, .part = part};
    assert_int_equal(gs_balance_gpu(&r->host, 0, max_gap, &sweep, arena, NULL), GS_OK);
    struct gs_energy_walker walk = gs_energy_walk(&r->gpu[0], max_gap);
    struct gs_energy past = gs_energy_at(&walk, 0);
    for (int64_t t = 0; t < 200; t++) {
        const struct gs_energy now = gs_energy_at(&walk, t + 1);
        const uint32_t k = part_of(r, t);
        want[k].energy += now.energy - past.energy;
        want[k].covered_ns += now.covered_ns - past.covered_ns;
        want[k].span_ns += now.span_ns - past.span_ns;
        for (uint32_t s = 0; s < r->n_slots; s++) {
            bool on = false;
            for (uint32_t p = 0; p < r->host.n_pairs; p++)
                on |= r->slot[p] == s && runs(r, p, t);
            want[s].inclusive += on ? now.energy - past.energy : 0;
        }
        if (k >= r->n_slots)
            want[k].inclusive += now.energy - past.energy;
        past = now;
    }
    gs_i128 sum = 0;
    for (uint32_t k = 0; k < r->n_slots + GS_N_IDLE; k++) {
        assert_true(part[k].energy == want[k].energy);
        assert_true(part[k].inclusive == want[k].inclusive);
        assert_true(part[k].covered_ns == want[k].covered_ns);
        assert_true(part[k].span_ns == want[k].span_ns);
        sum += part[k].energy;
    }
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

/* Slots thousands apart: whole words and summaries of words lie between them. */
static void slots_far_apart_are_found(void **state)
{
    (void)state;
    enum { N = 10000 };
    static const int64_t t[] = {0, 40}, p[] = {1, 1}, time[] = {0, 10, 20, 30};
    static const struct gs_pair pair[] = {
        {.start_ns = 0, .stop_ns = 30, .start_at = 0, .stop_at = 3, .gpu = GS_NONE},
        {.start_ns = 10, .stop_ns = 20, .start_at = 1, .stop_at = 2, .gpu = GS_NONE},
    };
    static const uint32_t slot[] = {N - 1, 70};
    const int64_t *const value[GS_FIXED_METRICS] = {p, p, p, p};
    const struct gs_gpu_view g = {.n = 2, .t_ns = t, .value = value};
    const struct gs_host_view h = {.n_gpus = 1, .gpu = &g, .n_times = 4, .time = time, .n_pairs = 2, .pair = pair};
    struct gs_arena arena = {0};
    struct gs_part *const part = gs_arena_take(&arena, N + GS_N_IDLE, sizeof *part);
    const struct gs_balance_sweep sweep = {.n_slots = N, .slot = slot, .part = part};
    assert_int_equal(gs_balance_gpu(&h, 0, 100, &sweep, &arena, NULL), GS_OK);
    assert_true(part[70].energy == 20 && part[N - 1].energy == 40 && part[N - 1].inclusive == 60);
    assert_true(part[N + GS_IDLE_AFTER].energy == 20 && part[N + GS_IDLE_BEFORE].energy == 0);
    gs_arena_release(&arena);
}

static void what_a_part_lies_inside_is_counted(void **state)
{
    (void)state;
    enum { N = 3 };
    static const int64_t t[] = {0, 100}, p[] = {2, 2}, time[] = {0, 10, 30, 50};
    static const struct gs_pair pair[] = {
        {.start_ns = 0, .stop_ns = 50, .start_at = 0, .stop_at = 3, .gpu = GS_NONE},
        {.start_ns = 10, .stop_ns = 30, .start_at = 1, .stop_at = 2, .gpu = GS_NONE},
    };
    static const uint32_t slot[] = {2, 0};
    const int64_t *const value[GS_FIXED_METRICS] = {p, p, p, p};
    const struct gs_gpu_view g = {.n = 2, .t_ns = t, .value = value};
    const struct gs_host_view h = {.n_gpus = 1, .gpu = &g, .n_times = 4, .time = time, .n_pairs = 2, .pair = pair};
    struct gs_part part[N + GS_N_IDLE] = {{0}};
    uint64_t inside[N * N] = {0};
    const struct gs_balance_sweep sweep = {N, slot, part, inside};
    struct gs_arena arena = {0};
    assert_int_equal(gs_balance_gpu(&h, 0, 1000, &sweep, &arena, NULL), GS_OK);
    for (size_t k = 0; k < N * N; k++)
        assert_int_equal(inside[k], k == 2 ? 20 : 0);
    gs_arena_release(&arena);
}

static void running_out_of_memory_is_a_status(void **state)
{
    (void)state;
    struct run *const r = malloc(sizeof *r);
    struct gs_part part[5 + GS_N_IDLE] = {{0}};
    uint64_t seed = 3;
    assert_non_null(r);
    make(r, &seed, 5);
    const struct gs_balance_sweep sweep = {.n_slots = 5, .slot = r->slot, .part = part};
    struct gs_arena arena = {0};
    gs_memory_fail_after(1);
    assert_int_equal(gs_balance_gpu(&r->host, 0, 5, &sweep, &arena, NULL), GS_ERR_MEMORY);
    gs_memory_fail_after(0);
    gs_arena_release(&arena);
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_agree_with_every_nanosecond),
        cmocka_unit_test(slots_far_apart_are_found),
        cmocka_unit_test(what_a_part_lies_inside_is_counted),
        cmocka_unit_test(running_out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
