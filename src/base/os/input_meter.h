/* input_meter.h - counts the input bytes read, for progress, and says when reading must stop; for any thread. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "base/core/status.h"

/* Is told what was read of `total` bytes, 0 while that is not known; answers 0, or anything else to stop. */
typedef int gs_input_watch_fn(void *context, uint64_t n_read, uint64_t total);

/* What one thread and those that work for it (gs_parallel_for) read. Valid when zeroed. */
struct gs_input_meter {
    atomic_uint_fast64_t n_read, total;
    atomic_bool stopped, telling; /* one thread at a time tells the watch */
    gs_input_watch_fn *watch;     /* NULL: nobody is told */
    void *context;
};

/* This thread's reading is counted by `meter` from here on, NULL: by the process's own. Returns the one before. */
struct gs_input_meter *gs_input_meter_use(struct gs_input_meter *meter);

/* Inputs of `total` bytes as they lie on disk are read from here on. */
void gs_input_meter_begin(uint64_t total);
void gs_input_meter_add(uint64_t n);

/* What was read, at most `*total`, which is 0 where nothing is known of it. */
uint64_t gs_input_meter_read(uint64_t *total);

/* GS_ERR_AGAIN once the watch has answered that it wants no more. Loops over large inputs ask. */
enum gs_status gs_input_meter_check(struct gs_err *err);
