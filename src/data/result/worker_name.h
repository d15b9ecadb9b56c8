/* worker_name.h - what the host and GPU of a row are called. */
#pragma once

#include "data/result/frame.h"

/*
 * What a row is of, beside the other rows: its host, and its GPU where the host has others; of one host the GPU alone.
 * The name of both: "n1 GPU 3", "GPU 3"; missing where memory ran out.
 */
struct gs_worker {
    struct gs_str host, gpu;
};
struct gs_worker gs_frame_worker(const struct gs_frame *f, size_t row);
struct gs_str gs_worker_name(struct gs_worker w, struct gs_arena *arena);
