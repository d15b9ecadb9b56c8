/* input_meter.c - one reading at a time is what people wait for; counts need no order, so no lock either. */
#include "base/os/input_meter.h"

#include <stdatomic.h>

static atomic_uint_fast64_t n_read, n_total;

void gs_input_meter_begin(uint64_t total)
{
    atomic_store_explicit(&n_read, 0, memory_order_relaxed);
    atomic_store_explicit(&n_total, total, memory_order_relaxed);
}

void gs_input_meter_add(uint64_t n)
{
    atomic_fetch_add_explicit(&n_read, n, memory_order_relaxed);
}

uint64_t gs_input_meter_read(uint64_t *total)
{
    const uint64_t n = atomic_load_explicit(&n_read, memory_order_relaxed);
    *total = atomic_load_explicit(&n_total, memory_order_relaxed);
    return n < *total ? n : *total; /* what is read a second time is not more */
}
