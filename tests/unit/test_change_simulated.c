/*
 * test_change_simulated.c - false alarms and findings of the comparison of runs, on runs whose truth is known.
 * A small sample by default; SIMULATIONS=2000 in the environment asks for as many.
 */
#include "change_fixture.h"

#include "stats/descriptive/rank.h"

enum { WORKERS_MAX = 8, RUNS_MAX = 5, ROWS = 10 };

/* Deviations are of logarithms: of tasks, of one span, of a GPU, of a GPU in one run, of a run. */
struct world {
    const char *name;
    unsigned spans, workers, runs;
    double task, noise, gpu, gpu_in_run, run, autocorrelation;
    bool other_gpus, tail;
};

static const struct world same_8 = {
    .name = "8 GPUs of 2 %", .spans = 200, .workers = 8, .runs = 1, .noise = 0.02, .gpu = 0.02};

static const struct world quiet[] = {
    {"8 GPUs of 2 %, the same", 200, 8, 1, 0, 0.02, 0.02, 0, 0, 0, false, false},
    {"8 GPUs of 2 %, others", 200, 8, 1, 0, 0.02, 0.02, 0, 0, 0, true, false},
    {"GPU x run 1 %, the same 8", 200, 8, 1, 0, 0.02, 0.02, 0.01, 0, 0, false, false},
    {"GPU x run 1 %, tail of 3 %", 200, 8, 1, 0, 0.02, 0.02, 0.01, 0, 0, false, true},
    {"one GPU, autocorrelation 0.6", 200, 1, 1, 0, 0.02, 0.02, 0, 0, 0.6, false, false},
    {"one GPU, autocorrelation 0.6", 1000, 1, 1, 0, 0.02, 0.02, 0, 0, 0.6, false, false},
    {"tasks of 15 % that moved", 200, 8, 1, 0.15, 0.02, 0.02, 0.01, 0, 0, false, false},
    {"tasks of 15 % that moved, tail", 200, 8, 1, 0.15, 0.02, 0.02, 0.01, 0, 0, false, true},
    {"tasks of 15 % on 8 others", 200, 8, 1, 0.15, 0.02, 0.02, 0, 0, 0, true, false},
    {"3 + 3 runs of 1 %", 200, 8, 3, 0, 0.02, 0.02, 0.005, 0.01, 0, false, false},
    {"5 + 5 runs of 1 %", 200, 8, 5, 0, 0.02, 0.02, 0.005, 0.01, 0, false, false},
};

static const struct {
    struct world world;
    double least; /* share of a change of 3 % that is to be found */
} loud[] = {
    {{"200 spans on 8 GPUs", 200, 8, 1, 0, 0.02, 0.02, 0, 0, 0, false, false}, 0.95},
    {{"100 tasks of 15 %", 100, 8, 1, 0.15, 0.02, 0.02, 0, 0, 0, false, false}, 0.95},
    {{"5 + 5 runs of 1 %", 200, 8, 5, 0, 0.02, 0.02, 0.005, 0.01, 0, false, false}, 0.95},
};

static unsigned n_simulations(void)
{
    const char *const asked = getenv("SIMULATIONS");
    const unsigned n = asked == NULL ? 0 : (unsigned)strtoul(asked, NULL, 10);
    return n > 0 ? n : 100;
}

/* One run: its spans in time order on workers that are dealt anew. */
static void draw_run(const struct world *w, uint32_t run, uint32_t first, const double *gpu,
                     const double *task, double shift, struct gs_change_value *v)
{
    const double all = shift + w->run * random_normal();
    double in_run[WORKERS_MAX], last[WORKERS_MAX];
    uint32_t on[1000];
    for (unsigned g = 0; g < w->workers; g++) {
        in_run[g] = w->gpu_in_run * random_normal();
        last[g] = random_normal();
    }
    for (uint32_t i = 0; i < w->spans; i++)
        on[i] = i % w->workers;
    for (uint32_t i = w->spans - 1; i > 0; i--) {
        const uint32_t k = (uint32_t)random_below(i + 1), t = on[i];
        on[i] = on[k];
        on[k] = t;
    }
    for (uint32_t i = 0; i < w->spans; i++) {
        const uint32_t g = on[i];
        const double rho = w->autocorrelation;
        last[g] = rho * last[g] + sqrt(1 - rho * rho) * random_normal();
        double noise = last[g];
        if (w->tail && random_unit() < 0.03)
            noise = 20 * fabs(noise);
        const double y = all + gpu[g] + in_run[g] + w->noise * noise + (w->task > 0 ? task[i] : 0);
        v[i] = (struct gs_change_value){.run = run,
                                        .worker = first + g,
                                        .task = w->task > 0 ? i : GS_CHANGE_NO_TASK,
                                        .start_ns = i,
                                        .stop_ns = i + 1,
                                        .value = 1e9 * exp(y)};
    }
}

static struct gs_change draw_change(const struct world *w, double shift, struct gs_arena *scratch)
{
    static struct gs_change_value v[2][1000 * RUNS_MAX];
    double gpu[2][WORKERS_MAX], task[1000];
    const size_t n = (size_t)w->spans * w->runs;
    for (unsigned i = 0; i < w->spans; i++)
        task[i] = w->task * random_normal();
    for (unsigned g = 0; g < w->workers; g++) {
        gpu[0][g] = w->gpu * random_normal();
        gpu[1][g] = w->other_gpus ? w->gpu * random_normal() : gpu[0][g];
    }
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t r = 0; r < w->runs; r++)
            draw_run(w, r, side == 1 && w->other_gpus ? w->workers : 0, gpu[side], task,
                     side == 1 ? shift : 0.0, v[side] + (size_t)r * w->spans);
        qsort(v[side], n, sizeof **v, in_order);
    }
    const struct gs_change_side side[2] = {{v[0], n, 0}, {v[1], n, 0}};
    const struct gs_change_options plain = {0};
    struct gs_change c;
    assert_int_equal(gs_change_find(side, &plain, scratch, &c, NULL), GS_OK);
    return c;
}

/* Two standard errors of a share that is seen n times; three of a small sample, of which there are many. */
static double doubt(double share, unsigned n)
{
    return (n < 1000 ? 3 : 2) * sqrt(share * (1 - share) / n);
}

static void nothing_changed_and_few_alarms(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    const unsigned n = n_simulations();
    for (size_t k = 0; k < COUNT_OF(quiet); k++) {
        unsigned alarms = 0;
        for (unsigned i = 0; i < n; i++) {
            const struct gs_change c = draw_change(&quiet[k], 0.0, &scratch);
            alarms += c.low > 0.0 || c.high < 0.0;
        }
        printf("%s, %u spans: %.1f %% false alarms\n", quiet[k].name, quiet[k].spans,
               100.0 * alarms / n);
        assert_true((double)alarms / n <= 0.065 + doubt(0.065, n));
    }
    gs_arena_release(&scratch);
}

static void a_table_of_ten_rows_has_few_alarms(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    const unsigned n = n_simulations();
    unsigned alarms = 0;
    for (unsigned i = 0; i < n; i++) {
        double p[ROWS], adjusted[ROWS];
        bool any = false;
        for (unsigned row = 0; row < ROWS; row++)
            p[row] = draw_change(&same_8, 0.0, &scratch).p;
        assert_int_equal(gs_holm(p, ROWS, adjusted, &scratch, NULL), GS_OK);
        for (unsigned row = 0; row < ROWS; row++)
            any |= adjusted[row] < 0.05;
        alarms += any;
    }
    printf("table of %d rows: %.1f %% false alarms\n", (int)ROWS, 100.0 * alarms / n);
    assert_true((double)alarms / n <= 0.05 + doubt(0.05, n));
    gs_arena_release(&scratch);
}

static void three_per_cent_are_found(void **state)
{
    (void)state;
    struct gs_arena scratch = {0};
    const unsigned n = n_simulations();
    for (size_t k = 0; k < COUNT_OF(loud); k++) {
        unsigned found = 0;
        for (unsigned i = 0; i < n; i++) {
            const struct gs_change c = draw_change(&loud[k].world, log(1.03), &scratch);
            found += gs_change_judge(&c, 0.02, c.p) == GS_CHANGE_MORE;
        }
        printf("%s: 3 %% are found in %.1f %%\n", loud[k].world.name, 100.0 * found / n);
        assert_true((double)found / n >= loud[k].least - doubt(loud[k].least, n));
    }
    gs_arena_release(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changed_and_few_alarms),
        cmocka_unit_test(a_table_of_ten_rows_has_few_alarms),
        cmocka_unit_test(three_per_cent_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
