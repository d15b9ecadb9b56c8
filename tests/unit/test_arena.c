/* test_arena.c - memory with one owner: alignment, growth, marks, adoption, running out. */
#include "fixture.h"

#include "base/core/arena.h"
#include "base/core/paged_memory.h"
#include "base/os/scratch_file.h"
#include <signal.h>

static void what_is_taken_is_zeroed_and_aligned(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *const p = gs_arena_take(&a, n, 3);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < 3 * n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xff, 3 * n); /* whoever comes after a rewind must not see this */
    }
    gs_arena_release(&a);
    assert_int_equal(a.n_bytes, 0);
}

static void memory_used_before_a_rewind_is_zeroed_again(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    (void)gs_arena_take(&a, 1, 1);
    const struct gs_arena_mark mark = gs_arena_mark(&a);
    memset(gs_arena_take(&a, 100, 1), 0xff, 100);
    gs_arena_rewind(&a, mark);
    const unsigned char *const p = gs_arena_take(&a, 100, 1);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(p[i], 0);
    gs_arena_release(&a);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    assert_null(gs_arena_take(&a, SIZE_MAX / 2, 3));
    assert_null(gs_arena_take(&a, SIZE_MAX, 1));
    assert_null(gs_arena_copy(&a, "x", SIZE_MAX));
    void *const p = gs_arena_take(&a, 4, 4);
    assert_null(gs_arena_grow(&a, p, 4, SIZE_MAX / 2, 4));
    assert_non_null(gs_arena_take(&a, 1, 1)); /* and it is still of use */
    gs_arena_release(&a);
}

static void arrays_grow_and_keep_what_they_hold(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    uint32_t *v = NULL;
    size_t capacity = 0;
    for (uint32_t n = 0; n < 100000; n++) {
        if (n == capacity) {
            v = gs_arena_grow(&a, v, n, capacity * 2 + 1, sizeof *v);
            assert_non_null(v);
            capacity = capacity * 2 + 1;
            if (n % 3 == 0) /* something taken in between forces a copy */
                (void)gs_arena_take(&a, 1, 1);
        }
        v[n] = n;
    }
    for (uint32_t n = 0; n < 100000; n++)
        assert_int_equal(v[n], n);
    gs_arena_release(&a);
}

static void the_newest_array_grows_in_place(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    void *const p = gs_arena_take(&a, 10, 8);
    assert_ptr_equal(gs_arena_grow(&a, p, 10, 100, 8), p);
    assert_ptr_equal(gs_arena_grow(&a, p, 100, 50, 8), p);
    gs_arena_release(&a);
}

static void a_loop_that_rewinds_asks_the_system_once(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    char *const kept = gs_arena_copy(&a, "kept", 4);
    const struct gs_arena_mark mark = gs_arena_mark(&a);
    size_t held = 0;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 10; i++)
            assert_non_null(gs_arena_take_raw(&a, 3, (1 << 20) - (size_t)i));
        assert_true(a.n_bytes > 29 << 20);
        assert_true(round == 0 || a.n_bytes == held);
        held = a.n_bytes;
        gs_arena_rewind(&a, mark);
    }
    assert_string_equal(kept, "kept");
    gs_arena_release(&a);
    assert_int_equal(a.n_bytes, 0);
    assert_null(a.head);
}

static void adopted_memory_lives_on(void **state)
{
    (void)state;
    struct gs_arena a = {0}, b = {0}, empty = {0};
    char *const of_a = gs_arena_copy(&a, "of a", 4);
    char *const of_b = gs_arena_copy(&b, "of b", 4);
    char *const large = gs_arena_take(&b, 1, 5 << 20);
    large[(5 << 20) - 1] = 'x';
    const size_t total = a.n_bytes + b.n_bytes;
    gs_arena_adopt(&a, &b);
    gs_arena_adopt(&a, &empty);
    assert_int_equal(a.n_bytes, total);
    assert_null(b.head);
    gs_arena_release(&b);
    assert_string_equal(of_a, "of a");
    assert_string_equal(of_b, "of b");
    assert_int_equal(large[(5 << 20) - 1], 'x');
    assert_non_null(gs_arena_copy(&a, "more", 4));
    gs_arena_release(&a);
}

/* Of one block, of several, of none before: what came first is found again, or its memory would be lost. */
static void what_adopted_is_adopted_whole(void **state)
{
    (void)state;
    const size_t held = gs_memory_held();
    struct gs_arena a[4] = {{0}}, none = {0};
    for (int i = 0; i < 4; i++)
        for (int blocks = 0; blocks <= i; blocks++)
            assert_non_null(gs_arena_take(&a[i], 1, 2 << 20));
    gs_arena_adopt(&none, &a[0]);
    gs_arena_adopt(&none, &a[1]);
    gs_arena_adopt(&a[2], &none);
    gs_arena_adopt(&a[3], &a[2]);
    const size_t total = a[3].n_bytes;
    assert_true(total >= 10 * (2 << 20) && gs_memory_held() == held + total);
    gs_arena_release(&a[3]);
    assert_int_equal(gs_memory_held(), held);
}

static void memory_fails_when_a_test_says_so(void **state)
{
    (void)state;
    struct gs_arena a = {0};
    gs_memory_fail_after(2);
    void *const first = gs_memory_reserve(10), *const second = gs_memory_reserve(10),
                *const third = gs_memory_reserve(2 << 20);
    void *const of_arena = gs_arena_take(&a, 1, 1);
    gs_memory_fail_after(0);
    assert_non_null(first);
    assert_null(second);
    assert_null(third);
    assert_null(of_arena);
    gs_memory_give(first, 10);
    assert_non_null(gs_arena_take(&a, 1, 1));
    gs_arena_release(&a);
}

/* What has moved out of pages of its own is not held twice; a mark that names its place stays one. */
static void what_grows_gives_its_old_pages_back(void **state)
{
    (void)state;
    enum { FIRST = 1 << 18, LAST = 1 << 22 };
    struct gs_arena a = {0};
    const size_t held = gs_memory_held();
    uint64_t *v = gs_arena_take(&a, FIRST, sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < FIRST; i++)
        v[i] = i;
    const struct gs_arena_mark mark = gs_arena_mark(&a);
    for (size_t n = FIRST; n < LAST; n *= 2) {
        assert_non_null(gs_arena_take(&a, 3, 1)); /* so that it cannot grow where it is */
        v = gs_arena_grow(&a, v, n, 2 * n, sizeof *v);
        assert_non_null(v);
        for (size_t i = n; i < 2 * n; i++)
            v[i] = i;
        assert_true(gs_memory_held() - held < 2 * n * sizeof *v + (20 << 20));
    }
    for (size_t i = 0; i < LAST; i++)
        assert_true(v[i] == i);
    gs_arena_rewind(&a, mark);
    for (int k = 0; k < 100; k++) {
        char *const p = gs_arena_take(&a, 100000, 1);
        assert_non_null(p);
        memset(p, k, 100000);
    }
    gs_arena_release(&a);
    assert_int_equal(a.n_bytes, 0);
    assert_int_equal(gs_memory_held(), held);
}

/* Goes last: from then on the whole program keeps large blocks there. */
static void pages_in_a_file_keep_what_they_hold_and_are_counted_nowhere(void **state)
{
    enum { SMALL = 256 << 10, MANY = 1 << 20 };
    struct gs_arena a = {0};
    const int fd = gs_nameless_file(".");
    (void)state;
    assert_true(fd >= 0 && gs_paged_memory_begin(fd, 0)); /* nothing may stay in memory */
    gs_memory_limit(gs_memory_held() + SMALL);
    for (int turn = 1; turn <= 3; turn++) {
        uint64_t *v = NULL;
        for (size_t n = 1; n <= MANY; n *= 2) {
            v = gs_arena_grow(&a, v, n / 2, n, sizeof *v);
            assert_non_null(v);
            for (size_t i = n / 2; i < n; i++)
                v[i] = i * (uint64_t)turn;
        }
        assert_int_equal(raise(SIGPROF), 0);
        for (size_t i = 0; i < MANY; i++)
            assert_true(v[i] == i * (uint64_t)turn);
        const unsigned char *const fresh = gs_arena_take(&a, MANY, 1);
        assert_non_null(fresh);
        for (size_t i = 0; i < MANY; i++)
            assert_int_equal(fresh[i], 0);
        gs_arena_release(&a);
    }
    gs_memory_limit(0);
    assert_int_equal(gs_paged_memory_error(), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zeroed_and_aligned),
        cmocka_unit_test(memory_used_before_a_rewind_is_zeroed_again),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(arrays_grow_and_keep_what_they_hold),
        cmocka_unit_test(the_newest_array_grows_in_place),
        cmocka_unit_test(a_loop_that_rewinds_asks_the_system_once),
        cmocka_unit_test(adopted_memory_lives_on),
        cmocka_unit_test(what_adopted_is_adopted_whole),
        cmocka_unit_test(memory_fails_when_a_test_says_so),
        cmocka_unit_test(what_grows_gives_its_old_pages_back),
        cmocka_unit_test(pages_in_a_file_keep_what_they_hold_and_are_counted_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
