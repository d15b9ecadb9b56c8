/* test_time_sort.c - every shape of input comes out in order, with the rows that went in. */
#include "fixture.h"

#include "../../src/analysis/time_sort.h"

static int64_t shaped(int shape, uint32_t i, uint32_t n)
{
    switch (shape) {
    case 0:
        return i; /* in order */
    case 1:
        return (int64_t)n - i; /* backwards */
    case 2:
        return (int64_t)random_bits(); /* anywhere in int64 */
    case 3:
        return (int64_t)random_below(3); /* nearly all at one instant */
    case 4:
        return (int64_t)(i * UINT64_C(2000000000) + random_below(4000000000)); /* a log with late rows */
    case 5:
        return i % 2 == 0 ? INT64_MIN + 1 + i : INT64_MAX - i; /* the two ends */
    case 6: /* crowded: the coarse clock of a radix sort sees one instant */
        return i == 0 ? INT64_MAX : (int64_t)random_below(1000000);
    case 7:
        return i + 1 == n ? -1 : (int64_t)i; /* one row late */
    default:
        return 42;
    }
}

static int by_time_and_row(const void *a, const void *b)
{
    const struct gs_timed_row *const x = a, *const y = b;
    if (x->t_ns != y->t_ns)
        return x->t_ns < y->t_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void every_shape_is_sorted_and_complete(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 2, 3, 47, 48, 49, 50, 200, 3000, 70000};
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for (int shape = 0; shape < 9; shape++) {
            const uint32_t n = sizes[k];
            struct gs_timed_row *const r = calloc(n + 1, sizeof *r), *const spare = calloc(n + 1, sizeof *r);
            struct gs_timed_row *const want = calloc(n + 1, sizeof *r);
            assert_true(r != NULL && spare != NULL && want != NULL);
            for (uint32_t i = 0; i < n; i++)
                r[i] = want[i] = (struct gs_timed_row){shaped(shape, i, n), i};
            gs_time_sort(r, spare, n);
            for (uint32_t i = 1; i < n; i++)
                assert_true(r[i - 1].t_ns <= r[i].t_ns);
            qsort(r, n, sizeof *r, by_time_and_row); /* rows of one instant come in any order */
            qsort(want, n, sizeof *want, by_time_and_row);
            for (uint32_t i = 0; i < n; i++) {
                assert_true(r[i].t_ns == want[i].t_ns);
                assert_int_equal(r[i].row, want[i].row);
            }
            free(r);
            free(spare);
            free(want);
        }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_sorted_and_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
