/* test_parallel.c - the parallel loop does every item once and stops when told to. */
#include "fixture.h"

#include <stdatomic.h>

#include "base/os/parallel.h"

struct seen {
    atomic_uint times[5000];
    unsigned n_threads;
    atomic_uint bad_thread, done;
    size_t fail_at;
};

static int see(void *context, size_t item, unsigned thread)
{
    struct seen *const s = context;
    atomic_fetch_add(&s->times[item], 1);
    atomic_fetch_add(&s->done, 1);
    if (thread >= s->n_threads)
        atomic_fetch_add(&s->bad_thread, 1);
    return item == s->fail_at ? 42 : 0;
}

static void every_item_is_done_once_on_any_number_of_threads(void **state)
{
    (void)state;
    static const unsigned threads[] = {0, 1, 2, 7, 64, 256, 1000};
    static const size_t items[] = {0, 1, 2, 63, 5000};
    static struct seen s;
    for (size_t t = 0; t < COUNT_OF(threads); t++)
        for (size_t k = 0; k < COUNT_OF(items); k++) {
            memset(&s, 0, sizeof s);
            s.n_threads = threads[t] == 0 ? 1 : threads[t];
            s.fail_at = SIZE_MAX;
            assert_int_equal(gs_parallel_for(threads[t], items[k], see, &s), 0);
            for (size_t i = 0; i < COUNT_OF(s.times); i++)
                assert_int_equal(s.times[i], i < items[k]);
            assert_int_equal(s.bad_thread, 0);
        }
}

static void an_item_that_fails_stops_the_loop(void **state)
{
    (void)state;
    static struct seen s;
    memset(&s, 0, sizeof s);
    s.n_threads = 1;
    s.fail_at = 10;
    assert_int_equal(gs_parallel_for(1, 5000, see, &s), 42);
    assert_int_equal(s.done, 11);
    memset(&s, 0, sizeof s);
    s.n_threads = 4;
    s.fail_at = 0;
    assert_int_equal(gs_parallel_for(4, 5000, see, &s), 42);
    for (size_t i = 0; i < COUNT_OF(s.times); i++)
        assert_true(s.times[i] <= 1);
}

static void there_is_at_least_one_processor(void **state)
{
    (void)state;
    assert_true(gs_processors() >= 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once_on_any_number_of_threads),
        cmocka_unit_test(an_item_that_fails_stops_the_loop),
        cmocka_unit_test(there_is_at_least_one_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
