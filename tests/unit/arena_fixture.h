/* arena_fixture.h - for tests that make what they need in one arena, which is empty again after each. */
#ifndef GPUSTAT_ARENA_FIXTURE_H
#define GPUSTAT_ARENA_FIXTURE_H

#include "fixture.h"

#include "data/result/frame.h"

static struct gs_arena arena;

/* A teardown; the memory of the next test does not fail. */
static inline int forget(void **state)
{
    (void)state;
    gs_memory_fail_after(0);
    gs_arena_release(&arena);
    return 0;
}

static inline struct gs_frame *new_frame(const struct gs_column_spec *specs, size_t n_columns,
                                         size_t n_rows)
{
    const struct gs_frame_head head = {"test", "Test", specs, n_columns};
    struct gs_frame *f = NULL;
    assert_int_equal(gs_frame_new(&arena, &head, n_rows, NULL, &f, NULL), GS_OK);
    return f;
}

#endif
