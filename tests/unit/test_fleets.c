/*
 * test_fleets.c - populations and slow units of simulated fleets, whose truth is known. FLEETS in the environment says
 * how many of each kind: 8 unless it does, 50 are asked for.
 *
 * A fleet is n GPUs of one or two kinds of machine, of which one works at 66 % and 36 % utilisation, the other at
 * 3.2 and 4.6 points less, each GPU 0.6 off; tasks take 44.6 or 40.7 s, a GPU 0.5 % more or less, a task 3 %.
 * Prints the rates that were reached.
 */
#include "fixture.h"

#include <math.h>

#include "stats/models/populations.h"
#include "stats/models/slow.h"

enum { GPUS_MAX = 256, TASKS_MAX = 40, N_TYPES = 4 };

/* What a fleet is to be like. */
struct kind {
    size_t n, n_kinds, n_tasks; /* GPUs, kinds of machine, tasks of each GPU                    */
    size_t n_slow;              /* GPUs 0 .. n_slow - 1 ...                                     */
    double slower;              /* ... take this many times as long                             */
    bool heavy;                 /* times have a tail of power 2.5 instead of 3 % normal         */
    bool far;                   /* the last GPU is throttled: 30 points less utilisation         */
    bool typed, types_known;    /* tasks of types up to 5 times as long, on some GPUs more      */
};

static struct fleet {
    double x[2 * GPUS_MAX], time[GPUS_MAX * TASKS_MAX];
    uint32_t type[GPUS_MAX * TASKS_MAX], second[GPUS_MAX];
    size_t first[GPUS_MAX + 1];
    struct gs_populations populations;
    size_t n_populations; /* that are told apart */
    struct gs_slow_unit unit[GPUS_MAX];
} fleet;

static struct gs_arena arena, scratch;
static size_t n_fleets = 8;

/* 5 % of the fleets, of few at least one. */
static size_t few(void)
{
    return n_fleets < 20 ? 1 : n_fleets * 5 / 100;
}

static int forget(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
    return 0;
}

static double task_factor(const struct kind *k, size_t gpu, uint32_t *type)
{
    static const double length[N_TYPES] = {1, 2, 3.5, 5};
    *type = 0;
    if (k->typed) /* every third GPU gets the long ones mostly */
        *type = gpu % 3 == 0 ? (uint32_t)(N_TYPES - 1 - random_below(2))
                             : (uint32_t)random_below(N_TYPES);
    const double spread = k->heavy ? pow(random_unit(), -0.4) - 1 : 0.03 * random_normal();
    return length[*type] * (1 + spread);
}

static void draw(const struct kind *k)
{
    size_t at = 0;
    for (size_t i = 0; i < k->n; i++) {
        const bool second = k->n_kinds == 2 && i % 2 == 1;
        const bool far = k->far && i == k->n - 1;
        fleet.x[2 * i] = (second ? 62.8 : 66) + 0.6 * random_normal() - (far ? 30 : 0);
        fleet.x[2 * i + 1] = (second ? 31.4 : 36) + 0.6 * random_normal() - (far ? 20 : 0);
        const double speed = (second ? 40.7 : 44.6) * (1 + 0.005 * random_normal()) *
                             (i < k->n_slow ? k->slower : 1);
        fleet.first[i] = at;
        for (size_t t = 0; t < k->n_tasks; t++, at++)
            fleet.time[at] = speed * task_factor(k, i, &fleet.type[at]);
    }
    fleet.first[k->n] = at;
}

static void judge(const struct kind *k)
{
    struct gs_populations *const p = &fleet.populations;
    struct gs_populations_input in_x = {
        .x = fleet.x, .n = k->n, .n_columns = 2, .joint = true, .least = GS_POPULATIONS_LEAST};
    assert_int_equal(gs_populations_find(&in_x, &arena, &scratch, p, NULL), GS_OK);
    fleet.n_populations = p->k;
    in_x.lenient = true; /* as stragglers does */
    if (p->doubted && p->k == 1)
        assert_int_equal(gs_populations_find(&in_x, &arena, &scratch, p, NULL), GS_OK);
    for (size_t i = 0; i < k->n; i++)
        fleet.second[i] = p->silhouette[i] < 0.4 ? p->next[i] : GS_SLOW_NONE;
    const struct gs_slow_input in = {.n_units = k->n,
                                     .n_populations = p->k,
                                     .first = fleet.first,
                                     .time = fleet.time,
                                     .type = k->types_known ? fleet.type : NULL,
                                     .n_types = k->types_known ? N_TYPES : 1,
                                     .population = p->of,
                                     .second = fleet.second,
                                     .least = 0.03,
                                     .fdr = 0.05};
    assert_int_equal(gs_slow_find(&in, fleet.unit, &scratch, NULL), GS_OK);
}

/* Of n_fleets fleets. */
struct rates {
    size_t found;  /* every slow GPU was called slow            */
    size_t alarms; /* some other GPU was                        */
    size_t right;  /* as many populations as kinds of machine   */
};

static struct rates run(const struct kind *k)
{
    struct rates r = {0};
    for (size_t i = 0; i < n_fleets; i++) {
        bool all = true, other = false;
        draw(k);
        judge(k);
        for (size_t g = 0; g < k->n; g++) {
            all &= g >= k->n_slow || fleet.unit[g].slow;
            other |= g >= k->n_slow && fleet.unit[g].slow;
        }
        r.found += all;
        r.alarms += other;
        r.right += fleet.n_populations == k->n_kinds;
        gs_arena_release(&arena);
    }
    return r;
}

static void say(const char *what, const struct kind *k, struct rates r)
{
    print_message(
        "%-24s %3zu GPUs, %zu kinds: found %zu, alarms %zu, populations right %zu of %zu\n", what,
        k->n, k->n_kinds, r.found, r.alarms, r.right, n_fleets);
}

static const size_t sizes[] = {8, 16, 64, 256};

static void a_slow_gpu_is_found_and_no_other(void **state)
{
    (void)state;
    static const double slower[] = {1, 1.1, 1.3, 2};
    size_t right = 0, runs = 0;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t kinds = 1; kinds <= 2; kinds++)
            for (size_t f = 0; f < COUNT_OF(slower); f++) {
                const struct kind k = {.n = sizes[s],
                                       .n_kinds = kinds,
                                       .n_tasks = 40,
                                       .n_slow = f > 0,
                                       .slower = slower[f]};
                const struct rates r = run(&k);
                char what[32];
                (void)snprintf(what, sizeof what, "one slower by %g", slower[f]);
                say(f == 0 ? "none slow" : what, &k, r);
                assert_true(f == 0 || r.found >= (f == 1 ? n_fleets - few() : n_fleets));
                assert_true(r.alarms <= few());
                right += k.n > 8 ? r.right : 0; /* 8 GPUs are too few to tell kinds so near */
                runs += k.n > 8 ? n_fleets : 0;
            }
    print_message("as many populations as kinds of machine: %zu of %zu\n", right, runs);
    assert_true(right * 100 >= runs * 95);
}

static void a_share_of_slow_gpus_is_found(void **state)
{
    (void)state;
    static const size_t percent[] = {2, 10, 25};
    for (size_t s = 2; s < COUNT_OF(sizes); s++)
        for (size_t kinds = 1; kinds <= 2; kinds++)
            for (size_t f = 0; f < COUNT_OF(percent); f++) {
                const struct kind k = {.n = sizes[s],
                                       .n_kinds = kinds,
                                       .n_tasks = 40,
                                       .n_slow = (sizes[s] * percent[f] + 50) / 100,
                                       .slower = 1.3};
                const struct rates r = run(&k);
                char what[32];
                (void)snprintf(what, sizeof what, "%zu %% slower by 1.3", percent[f]);
                say(what, &k, r);
                assert_int_equal(r.found, n_fleets);
                assert_true(r.alarms <= few());
            }
}

static void a_gpu_far_away_in_utilisation_is_no_alarm(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t kinds = 1; kinds <= 2; kinds++) {
            const struct kind k = {
                .n = sizes[s], .n_kinds = kinds, .n_tasks = 40, .far = true, .slower = 1};
            const struct rates r = run(&k);
            say("one throttled far away", &k, r);
            assert_true(r.alarms <= few());
        }
}

static void few_tasks_are_enough(void **state)
{
    (void)state;
    static const size_t tasks[] = {3, 10};
    for (size_t t = 0; t < COUNT_OF(tasks); t++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++)
            for (size_t kinds = 1; kinds <= 2; kinds++) {
                const struct kind k = {.n = sizes[s],
                                       .n_kinds = kinds,
                                       .n_tasks = tasks[t],
                                       .n_slow = 1,
                                       .slower = 1.3};
                const struct rates r = run(&k);
                say(tasks[t] == 3 ? "3 tasks, slower by 1.3" : "10 tasks, slower by 1.3", &k, r);
                assert_true(r.alarms <= few());
                assert_true(r.found >= n_fleets - few());
            }
}

static void heavy_tails_are_no_alarm(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t kinds = 1; kinds <= 2; kinds++) {
            const struct kind k = {
                .n = sizes[s], .n_kinds = kinds, .n_tasks = 40, .heavy = true, .slower = 1};
            const struct rates r = run(&k);
            say("heavy tails", &k, r);
            assert_true(r.alarms <= few());
        }
}

static void types_of_tasks_are_divided_out(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (size_t kinds = 1; kinds <= 2; kinds++)
            for (size_t slow = 0; slow < 2; slow++) {
                const struct kind k = {.n = sizes[s],
                                       .n_kinds = kinds,
                                       .n_tasks = 40,
                                       .n_slow = slow,
                                       .slower = 1.3,
                                       .typed = true,
                                       .types_known = true};
                const struct rates r = run(&k);
                say(slow ? "types, slower by 1.3" : "types, none slow", &k, r);
                assert_true(r.alarms <= few());
                assert_true(r.found >= n_fleets - few());
            }
}

static void types_that_are_not_known_look_like_slowness(void **state)
{
    (void)state;
    const struct kind k = {.n = 64, .n_kinds = 1, .n_tasks = 40, .slower = 1, .typed = true};
    const struct rates r = run(&k);
    say("types not known", &k, r);
    assert_true(r.alarms > 0); /* it cannot be told: stragglers says so */
}

int main(void)
{
    const char *const asked = getenv("FLEETS");
    n_fleets = asked == NULL ? n_fleets : strtoul(asked, NULL, 10);
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_slow_gpu_is_found_and_no_other, forget),
        cmocka_unit_test_teardown(a_share_of_slow_gpus_is_found, forget),
        cmocka_unit_test_teardown(a_gpu_far_away_in_utilisation_is_no_alarm, forget),
        cmocka_unit_test_teardown(few_tasks_are_enough, forget),
        cmocka_unit_test_teardown(heavy_tails_are_no_alarm, forget),
        cmocka_unit_test_teardown(types_of_tasks_are_divided_out, forget),
        cmocka_unit_test_teardown(types_that_are_not_known_look_like_slowness, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
