/* parallel.c - a parallel for over an atomic counter. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/os/parallel.h"
#include "base/core/paged_memory.h"
#include "base/num/order.h"
#include "base/os/input_meter.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 256 };

struct loop {
    gs_item_fn *fn;
    void *context;
    struct gs_input_meter *meter; /* of the caller: what its threads read counts there, too */
    size_t n_items;
    atomic_size_t next;
    atomic_int result;
};

struct worker {
    pthread_t thread;
    struct loop *loop;
    unsigned index;
};

/*
 * Items are taken in order but end in any order. Where several fail, the last to store wins, so
 * which failure is returned depends on timing; a caller that must report the first keeps the
 * failures by item. Items that have begun always end.
 */
static void *work(void *arg)
{
    const struct worker *const w = arg;
    struct loop *const l = w->loop;
    timer_t timer;
    const bool watched = w->index > 0 && gs_paged_memory_watch(&timer);
    (void)gs_input_meter_use(l->meter);
    while (atomic_load_explicit(&l->result, memory_order_relaxed) == 0) {
        const size_t item = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (item >= l->n_items)
            break;
        const int r = l->fn(l->context, item, w->index);
        if (r != 0)
            atomic_store(&l->result, r);
    }
    if (watched)
        (void)timer_delete(timer);
    return NULL;
}

/*
 * A thread that cannot be started is not a failure: fewer threads do the same items. The
 * calling thread works too, as index 0, so this never needs a thread to make progress.
 */
int gs_parallel_for(unsigned n_threads, size_t n_items, gs_item_fn *fn, void *context)
{
    struct loop l = {
        .fn = fn, .context = context, .meter = gs_input_meter_use(NULL), .n_items = n_items};
    struct worker workers[MAX_THREADS];
    const unsigned n = (unsigned)gs_max(1, gs_min(n_items, gs_min(MAX_THREADS, n_threads)));
    unsigned started = 1;
    for (; started < n; started++) {
        workers[started] = (struct worker){.loop = &l, .index = started};
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    workers[0] = (struct worker){.loop = &l, .index = 0};
    (void)work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        (void)pthread_join(workers[i].thread, NULL);
    return atomic_load(&l.result);
}

struct tasks {
    gs_task_fn *fn;
    void *context;
    struct gs_arena *arena; /* [items]: arenas are not shared between threads */
    struct gs_err *err;     /* [items] */
};

static int do_task(void *context, size_t item, unsigned thread)
{
    const struct tasks *const t = context;
    (void)thread;
    return (int)t->fn(t->context, item, &t->arena[item], &t->err[item]);
}

enum gs_status gs_parallel_tasks(unsigned n_threads, size_t n_items, gs_task_fn *fn, void *context,
                                 struct gs_arena *arena, struct gs_err *err)
{
    struct tasks t = {.fn = fn, .context = context};
    GS_TAKE(t.arena, n_items, arena, err);
    GS_TAKE(t.err, n_items, arena, err);
    (void)gs_parallel_for(n_threads, n_items, do_task, &t);
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < n_items; i++) {
        GS_THEN(s, gs_fail_again(err, &t.err[i]));
        gs_arena_adopt(arena, &t.arena[i]);
    }
    return s;
}

/*
 * The affinity first: a batch system or container may allow fewer processors than the machine
 * has.
 */
unsigned gs_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        const int n = CPU_COUNT(&set);
        if (n > 0)
            return (unsigned)n;
    }
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return (unsigned)gs_max(1, n);
}
