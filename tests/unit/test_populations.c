/*
 * test_populations.c - simulated fleets of one kind of machine and of several, whose truth is known. FLEETS in the
 * environment says how many of each kind: 20 unless it does, 300 and more are asked for of a release.
 *
 * Limits: the shares that a prototype of the same rule in another language reached (2, 4, 5, 3 and 0 % of fleets of one
 * kind split in the worst of eleven shapes; several kinds found in 97 to 100 %), and two standard errors.
 */
#include "fixture.h"

#include <math.h>

#include "stats/models/populations.h"

enum { GPUS_MAX = 256 };

static struct gs_arena arena, scratch;
static double x[2 * GPUS_MAX];
static size_t n_fleets = 20;

static int forget(void **state)
{
    (void)state;
    gs_arena_release(&arena);
    gs_arena_release(&scratch);
    return 0;
}

static size_t populations(size_t n)
{
    struct gs_populations p;
    const struct gs_populations_input in = {
        .x = x, .n = n, .n_columns = 2, .joint = true, .least = GS_POPULATIONS_LEAST};
    assert_int_equal(gs_populations_find(&in, &arena, &scratch, &p, NULL), GS_OK);
    const size_t k = p.k;
    gs_arena_release(&arena);
    return k;
}

/* --- one kind ------------------------------------------------------------------------------------------- */

static double random_exponential(void)
{
    return -log(1 - random_unit());
}

static double random_t3(void)
{
    double squares = 0;
    for (int i = 0; i < 3; i++)
        squares += pow(random_normal(), 2);
    return random_normal() / sqrt(squares / 3);
}

/* Johnk's way, for small parameters. */
static double random_beta(double a, double b)
{
    for (;;) {
        const double u = pow(random_unit(), 1 / a), v = pow(random_unit(), 1 / b);
        if (u + v > 0 && u + v <= 1)
            return u / (u + v);
    }
}

/* Utilisation of GPU and memory of the i-th GPU. */
static void correlated(double *p, size_t i)
{
    (void)i;
    const double z = random_normal();
    p[0] = 80 + 5 * z + 0.5 * random_normal();
    p[1] = 40 + 4 * z + 0.5 * random_normal();
}

static void independent(double *p, size_t i)
{
    (void)i;
    p[0] = 80 + 3 * random_normal();
    p[1] = 40 + 3 * random_normal();
}

static void uniform(double *p, size_t i)
{
    (void)i;
    p[0] = 40 + 55 * random_unit();
    p[1] = 20 + 40 * random_unit();
}

static void uniform_line(double *p, size_t i)
{
    (void)i;
    const double z = random_unit();
    p[0] = 50 + 40 * z;
    p[1] = 20 + 30 * z;
}

static void exponential_line(double *p, size_t i)
{
    (void)i;
    const double z = random_exponential();
    p[0] = 95 - 8 * z;
    p[1] = 50 - 5 * z;
}

static void log_normal_line(double *p, size_t i)
{
    (void)i;
    const double z = fmin(exp(random_normal()), 20);
    p[0] = 95 - 4 * z;
    p[1] = 50 - 2 * z;
}

static void exponential(double *p, size_t i)
{
    (void)i;
    p[0] = 98 - 6 * random_exponential();
    p[1] = 20 + 9 * random_exponential();
}

static void heavy_tailed(double *p, size_t i)
{
    (void)i;
    p[0] = 80 + 3 * random_t3();
    p[1] = 40 + 3 * random_t3();
}

static void against_the_ends(double *p, size_t i)
{
    (void)i;
    p[0] = 100 * random_beta(2, 0.6);
    p[1] = 50 * random_beta(0.8, 2);
}

static void of_99_or_100(double *p, size_t i)
{
    p[0] = 99 + (double)(i % 2);
    p[1] = 50;
}

static void constant(double *p, size_t i)
{
    (void)i;
    p[0] = 97;
    p[1] = 50;
}

static const struct {
    const char *name;
    void (*draw)(double *p, size_t i);
} shapes[] = {{"correlated", correlated},
              {"independent", independent},
              {"uniform", uniform},
              {"uniform on a line", uniform_line},
              {"exponential on a line", exponential_line},
              {"log-normal on a line", log_normal_line},
              {"exponential", exponential},
              {"heavy-tailed", heavy_tailed},
              {"against the ends", against_the_ends},
              {"99 or 100", of_99_or_100},
              {"constant", constant}};

static const size_t sizes[] = {8, 16, 32, 64, 256};

/* How many of n_fleets a true share of at most `percent` explains: two standard errors above. */
static size_t at_most(double percent)
{
    const double p = fmax(percent, 1) / 100, n = (double)n_fleets;
    return (size_t)ceil(n * p + 2 * sqrt(n * p * (1 - p)));
}

static void gpus_of_one_kind_are_one_population(void **state)
{
    (void)state;
    static const double reached[] = {2, 4, 5, 3, 0};
    for (size_t s = 0; s < COUNT_OF(sizes); s++) {
        size_t worst = 0;
        const char *of = "none";
        for (size_t k = 0; k < COUNT_OF(shapes); k++) {
            size_t split = 0;
            for (size_t f = 0; f < n_fleets; f++) {
                for (size_t i = 0; i < sizes[s]; i++)
                    shapes[k].draw(x + 2 * i, i);
                split += populations(sizes[s]) != 1;
            }
            of = split > worst ? shapes[k].name : of;
            worst = split > worst ? split : worst;
        }
        print_message("%3zu GPUs of one kind: split %zu of %zu (%s)\n", sizes[s], worst, n_fleets,
                      of);
        assert_true(worst <= at_most(reached[s]));
    }
}

/* --- several kinds -------------------------------------------------------------------------------------- */

struct planted {
    const char *name;
    size_t k;
    double util[4], mem[4], sd;
    double first;      /* share of the first of two kinds; 0: equal shares */
    double reached[5]; /* % by size; 0: not asked                          */
};

static const struct planted planted[] = {
    {"memory 40 or 48", 2, {90, 90}, {40, 48}, 0.4, 0, {99, 99, 99, 99, 99}},
    {"GPU 90 or 70", 2, {90, 70}, {40, 40}, 0.4, 0, {99, 99, 99, 99, 99}},
    {"both, 1 in 5", 2, {90, 60}, {50, 30}, 1, 0.2, {0, 99, 99, 99, 99}},
    {"6.7 deviations apart", 2, {90, 90}, {40, 48}, 1.2, 0, {0, 65, 98, 98, 98}},
    {"three on one axis", 3, {90, 90, 90}, {30, 40, 50}, 0.8, 0, {0, 97, 97, 97, 97}},
    {"a triangle", 3, {90, 70, 80}, {30, 30, 50}, 0.8, 0, {0, 97, 97, 97, 97}},
    {"two by two", 4, {90, 70, 90, 70}, {30, 30, 50, 50}, 0.8, 0, {0, 99, 99, 99, 99}},
};

static size_t right(const struct planted *p, size_t n)
{
    size_t found = 0;
    for (size_t f = 0; f < n_fleets; f++) {
        for (size_t i = 0; i < n; i++) {
            size_t kind = i % p->k;
            if (p->first > 0)
                kind = (double)i >= round((double)n * p->first);
            x[2 * i] = p->util[kind] + p->sd * random_normal();
            x[2 * i + 1] = p->mem[kind] + p->sd * random_normal();
        }
        found += populations(n) == p->k;
    }
    return found;
}

static void kinds_of_gpus_are_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT_OF(planted); k++)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            if (!(planted[k].reached[s] > 0))
                continue;
            const size_t found = right(&planted[k], sizes[s]);
            print_message("%s, %zu GPUs: found %zu of %zu\n", planted[k].name, sizes[s], found,
                          n_fleets);
            assert_true(n_fleets - found <= at_most(100 - planted[k].reached[s] + 2));
        }
}

static void what_differs_by_less_than_2_points_is_one_population(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(sizes); s++)
        for (int half = 2; half <= 3; half++) {
            const struct planted p = {
                .k = 2, .util = {90, 90}, .mem = {40, 40 + half / 2.0}, .sd = 0.05};
            assert_int_equal(right(&p, sizes[s]), 0);
        }
}

int main(void)
{
    const char *const asked = getenv("FLEETS");
    n_fleets = asked == NULL ? n_fleets : strtoul(asked, NULL, 10);
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(gpus_of_one_kind_are_one_population, forget),
        cmocka_unit_test_teardown(kinds_of_gpus_are_found, forget),
        cmocka_unit_test_teardown(what_differs_by_less_than_2_points_is_one_population, forget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
