/* test_schedule.c - tasks of one worker added up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/schedule/schedule.h"

#include "data/result/number_text.h"

static void one_task_has_no_gap(void **state)
{
    (void)state;
    static const struct gs_task_time task[] = {{.start_ns = 5, .stop_ns = 9}};
    const struct gs_worker_sum w = gs_worker_add_up(task, 1, NULL);
    assert_int_equal(w.n_tasks, 1);
    assert_true(w.first_ns == 5 && w.last_ns == 9 && w.busy_ns == 4 && w.gap_ns == 0);
}

static void overlapping_tasks_are_busy_once_and_leave_no_gap(void **state)
{
    (void)state;
    static const struct gs_task_time task[] = {
        {0, 10, 0, 0}, {2, 4, 0, 0}, {8, 12, 0, 0}, {12, 13, 0, 0}, {20, 21, 0, 0}};
    static const int64_t want[] = {0, 0, 0, 7};
    int64_t gap[4];
    const struct gs_worker_sum w = gs_worker_add_up(task, 5, gap);
    assert_true(w.busy_ns == 14 && w.gap_ns == 7 && w.last_ns == 21);
    assert_memory_equal(gap, want, sizeof want);
}

static void a_gap_beyond_all_time_is_as_long_as_can_be(void **state)
{
    (void)state;
    static const struct gs_task_time task[] = {{INT64_MIN + 1, INT64_MIN + 2, 0, 0},
                                               {INT64_MAX - 1, INT64_MAX, 0, 0}};
    int64_t gap[1];
    const struct gs_worker_sum w = gs_worker_add_up(task, 2, gap);
    assert_int_equal(gap[0], INT64_MAX);
    assert_true(w.gap_ns == (gs_i128)INT64_MAX * 2 - 2 && w.busy_ns == 2);
}

static const char *words(struct gs_buf *b)
{
    const char *const text = b->ptr;
    b->ptr = NULL;
    b->len = b->capacity = 0;
    return text;
}

static void numbers_in_sentences_are_rounded_and_separated(void **state)
{
    (void)state;
    struct gs_arena arena = {0};
    struct gs_buf b = {.arena = &arena};
    gs_words_real(&b, 1234567.891, 2);
    assert_string_equal(words(&b), "1,234,567.89");
    gs_words_real(&b, -0.004, 2);
    assert_string_equal(words(&b), "0.00");
    gs_words_real(&b, -999.996, 2);
    assert_string_equal(words(&b), "-1,000.00");
    gs_words_real(&b, 0.0 / 0.0, 2);
    assert_string_equal(words(&b), "-");
    gs_words_real(&b, 1e30, 2);
    assert_string_equal(words(&b), "1.000e+30");
    gs_words_counted(&b, 1, "GPU");
    gs_words_counted(&b, 1024, " GPU");
    assert_string_equal(words(&b), "1 GPU1,024  GPUs");
    gs_words_energy(&b, 271756713.0);
    assert_string_equal(words(&b), "75.49 kWh");
    gs_words_energy(&b, 3599.0);
    assert_string_equal(words(&b), "1.000 Wh");
    gs_words_energy(&b, 359.0);
    assert_string_equal(words(&b), "359.0 J");
    gs_words_time(&b, 0.002);
    gs_words_time(&b, 2925.4);
    assert_string_equal(words(&b), "2.0 ms48.8 min");
    gs_words_time(&b, 60);
    gs_words_time(&b, 7200);
    assert_string_equal(words(&b), "60.0 s2.0 h");
    gs_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_task_has_no_gap),
        cmocka_unit_test(overlapping_tasks_are_busy_once_and_leave_no_gap),
        cmocka_unit_test(a_gap_beyond_all_time_is_as_long_as_can_be),
        cmocka_unit_test(numbers_in_sentences_are_rounded_and_separated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
