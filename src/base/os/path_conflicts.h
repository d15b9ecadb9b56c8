/* path_conflicts.h - refuses a file that is both read and written, or written twice. */
#pragma once

#include "base/core/arena.h"
#include "base/core/status.h"

enum gs_claim_use {
    GS_CLAIM_READ,
    GS_CLAIM_WRITE,
    GS_CLAIM_WRITE_DIR, /* a directory that is replaced as a whole */
};

/* Start from `{.arena = a}`. Claims are made before anything is opened for writing. */
struct gs_path_conflicts {
    struct gs_arena *arena;
    struct gs_path_claim *first;
};

/*
 * Claims `path` for what `role` says, the option as the user knows it ("--rejects"); NULL for what is read. "-" is the
 * file that standard input may be, and nobody's where it is written. Two paths are one file where device and inode are
 * the same, or, for what does not exist yet, directory and name. Devices and pipes may serve several. `c` NULL: nothing
 * is held against anything.
 * Errors: GS_ERR_USAGE "--rejects would overwrite run/gpu.csv, which is read",
 *         "-o and --rejects both write x.csv"; GS_ERR_MEMORY.
 */
enum gs_status gs_path_claim(struct gs_path_conflicts *c, enum gs_claim_use use, const char *role,
                             const char *path, struct gs_err *err);
