/* input_meter.c - atomic counters; their order does not matter. */
#include "base/os/input_meter.h"

#include <stddef.h>

#include "base/num/order.h"

static struct gs_input_meter of_process;
static _Thread_local struct gs_input_meter *of_thread;

static struct gs_input_meter *current(void)
{
    return of_thread == NULL ? &of_process : of_thread;
}

struct gs_input_meter *gs_input_meter_use(struct gs_input_meter *meter)
{
    struct gs_input_meter *const before = of_thread;
    of_thread = meter;
    return before;
}

void gs_input_meter_begin(uint64_t total)
{
    struct gs_input_meter *const m = current();
    atomic_store_explicit(&m->n_read, 0, memory_order_relaxed);
    atomic_store_explicit(&m->total, total, memory_order_relaxed);
}

uint64_t gs_input_meter_read(uint64_t *total)
{
    struct gs_input_meter *const m = current();
    const uint64_t n = atomic_load_explicit(&m->n_read, memory_order_relaxed);
    *total = atomic_load_explicit(&m->total, memory_order_relaxed);
    return gs_min(n, *total); /* what is read a second time is not more */
}

/* A thread that finds another one telling goes on reading: the next bytes tell it again. */
void gs_input_meter_add(uint64_t n)
{
    struct gs_input_meter *const m = current();
    atomic_fetch_add_explicit(&m->n_read, n, memory_order_relaxed);
    if (m->watch == NULL || atomic_exchange(&m->telling, true))
        return;
    uint64_t total;
    const uint64_t done = gs_input_meter_read(&total);
    if (!atomic_load(&m->stopped) && m->watch(m->context, done, total) != 0)
        atomic_store(&m->stopped, true);
    atomic_store(&m->telling, false);
}

enum gs_status gs_input_meter_check(struct gs_err *err)
{
    if (!atomic_load_explicit(&current()->stopped, memory_order_relaxed))
        return GS_OK;
    return gs_fail(err, GS_ERR_AGAIN, "stopped by the caller");
}
