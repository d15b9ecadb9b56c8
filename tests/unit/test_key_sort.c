/* test_key_sort.c - every shape of input comes out in order, and complete. */
#include "fixture.h"

#include "base/core/key_sort.h"

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
        return (int64_t)(i * UINT64_C(2000000000) +
                         random_below(4000000000)); /* a log with late rows */
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

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void every_shape_is_sorted_and_complete(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 2, 3, 47, 48, 49, 50, 200, 3000, 70000};
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        for (int shape = 0; shape < 9; shape++) {
            const uint32_t n = sizes[k];
            uint64_t *const key = calloc(n + 1, sizeof *key), *const spare =
                                                                  calloc(n + 1, sizeof *key);
            uint64_t *const want = calloc(n + 1, sizeof *key);
            assert_true(key != NULL && spare != NULL && want != NULL);
            for (uint32_t i = 0; i < n; i++)
                key[i] = want[i] = (uint64_t)shaped(shape, i, n) + (UINT64_C(1) << 63);
            gs_key_sort(key, spare, n);
            qsort(want, n, sizeof *want, by_number);
            for (uint32_t i = 0; i < n; i++)
                assert_true(key[i] == want[i]);
            free(key);
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
