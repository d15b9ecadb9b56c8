/* spool.h - buffers output until it is known to be wanted: a little in memory, the rest in an unnamed file. */
#pragma once

#include "base/os/output.h"
#include "base/os/scratch_file.h"

/* Start from `{.dir = ...}`. */
struct gs_spool {
    const char *dir; /* where a file may be made; NULL, or where none can be: all stays in memory */
    size_t most;     /* bytes held in memory before a file is made; 0: GS_SPOOL_MEMORY            */
    struct gs_arena arena;
    struct gs_buf memory;
    struct gs_scratch_file file; /* open once there is more than fits */
};

enum { GS_SPOOL_MEMORY = 4 << 20 };

/* Errors: GS_ERR_MEMORY; GS_ERR_IO "temporary file: ..." where the disk is full. */
struct gs_sink gs_spool_sink(struct gs_spool *s);

/* Hands everything on, in order, once. */
enum gs_status gs_spool_send(struct gs_spool *s, struct gs_sink to, struct gs_err *err);

void gs_spool_release(struct gs_spool *s);
