/* test_memory.c - every allocation of a whole run fails once; each time it says so, leaks nothing, and prints nothing. */
#define _GNU_SOURCE
#include "run_fixture.h"

#include "analysis/check/check.h"
#include "analysis/events/events.h"
#include "analysis/events/pairs.h"
#include "analysis/gpus/per_gpu.h"
#include "output/writers/render.h"
#include "analysis/events/summary.h"

static struct random_run run;

typedef enum gs_status work_fn(const struct gs_dataset *d, unsigned n_threads,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);

/* clang-format off */
static const struct gs_join_options window = {.join = GS_JOIN_WINDOW, .tolerance_ns = -1, .max_gap_ns = 1000 * GS_NS_PER_MS};
/* clang-format on */
static const struct gs_join_options nearest = {.join = GS_JOIN_NEAREST, .tolerance_ns = -1};

static enum gs_status do_events(const struct gs_dataset *d, unsigned n_threads,
                                struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    return fold_frames(d, &gs_events_fold, &(struct gs_events_options){window, NULL}, n_threads,
                       arena, out, NULL, err);
}

static enum gs_status do_zoom(const struct gs_dataset *d, unsigned n_threads,
                              struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    return fold_frames(d, &gs_zoom_fold, &(struct gs_events_options){nearest, run_event[0]},
                       n_threads, arena, out, NULL, err);
}

static enum gs_status do_join(const struct gs_dataset *d, unsigned n_threads,
                              struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    return fold_frames(d, &gs_pairs_fold, &(struct gs_events_options){window, NULL}, n_threads,
                       arena, out, NULL, err);
}

static enum gs_status do_gpus(const struct gs_dataset *d, unsigned n_threads,
                              struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    const struct gs_per_gpu_options options = {{.event = run_event[0], .hot = INT64_MAX}, 0.95};
    const enum gs_status s =
        fold_frames(d, &gs_gpus_fold, &options, n_threads, arena, out, NULL, err);
    return s == GS_OK
               ? fold_frames(d, &gs_correlate_fold, &options, n_threads, arena, out, NULL, err)
               : s;
}

static enum gs_status do_summary(const struct gs_dataset *d, unsigned n_threads,
                                 struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    return fold_frames(d, &gs_summary_fold, NULL, n_threads, arena, out, NULL, err);
}

static enum gs_status do_check(const struct gs_dataset *d, unsigned n_threads,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    const enum gs_status s =
        fold_frames(d, &gs_check_fold, &(struct gs_accepted){0}, n_threads, arena, out, NULL, err);
    return s == GS_FINDINGS ? GS_OK : s;
}

static enum gs_status discard(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    (void)bytes, (void)err;
    *(size_t *)context += len;
    return GS_OK;
}

/* Loads, computes and renders with the n-th allocation failing; false once nothing fails any more. */
static bool fails_at(uint64_t n, work_fn *work, const struct run_options *o)
{
    struct gs_arena arena = {0};
    struct gs_dataset d = {.n_gpus = 4711};
    struct gs_frames out = {.notes.arena = &arena};
    struct gs_err err = {0};
    size_t n_bytes = 0;
    const struct run_texts texts = random_run_texts(&run);
    const struct gs_render_options render = {.n_threads = o->n_threads};
    gs_memory_fail_after(n);
    enum gs_status s = run_load(&texts, o, &arena, &d, &out.notes, &err);
    if (s != GS_OK)
        assert_int_equal(d.n_gpus, 4711); /* outputs are untouched on failure */
    if (s == GS_OK)
        s = work(&d, o->n_threads, &arena, &out, &err);
    if (s == GS_OK)
        s = gs_render(out.first, GS_FORMAT_CSV, &render, (struct gs_sink){discard, &n_bytes}, &err);
    gs_memory_fail_after(0);
    if (s != GS_OK) {
        assert_int_equal(s, GS_ERR_MEMORY);
        assert_int_equal(err.status, GS_ERR_MEMORY);
        assert_non_null(strstr(err.text, "memory"));
    } else {
        assert_true(n_bytes > 0);
    }
    gs_arena_release(&arena);
    return s != GS_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static work_fn *const works[] = {do_events, do_zoom, do_join, do_gpus, do_summary, do_check};
    static const struct run_options ways[] = {{.n_threads = 1, .strict = true, .places = true},
                                              {.n_threads = 1},
                                              {.n_threads = 3, .places = true, .chunk_bytes = 256}};
    do
        random_run_draw(&run);
    while (run.n_samples < 100 || run.n_checkpoints < 100);
    random_run_write(&run);
    for (size_t w = 0; w < COUNT_OF(works); w++)
        for (size_t k = 0; k < COUNT_OF(ways); k++) {
            uint64_t n = 1;
            /* Threads share the countdown, so what is the n-th there varies: a few in a row must succeed. */
            for (int fine = 0; fine < 3; n++)
                fine = fails_at(n, works[w], &ways[k]) ? 0 : fine + 1;
            assert_true(n > 8); /* a run takes memory more than once */
        }
    random_run_free(&run);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
