/* split_frame.h - the files of a split as a frame. */
#ifndef GPUSTAT_SPLIT_FRAME_H
#define GPUSTAT_SPLIT_FRAME_H

#include "model/frame.h"

struct gs_split_file {
    const char *name;
    int64_t shard; /* from 1; GS_MISSING: rows of no host */
    uint64_t n_rows, n_bytes;
};

/* Appends the frame "split", a row per file, and a note of the rows in all. */
enum gs_status gs_split_frame(const struct gs_split_file *file, size_t n, struct gs_arena *arena, struct gs_frames *out,
                              struct gs_err *err);

#endif
