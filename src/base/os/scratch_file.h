/* scratch_file.h - an unnamed temporary file for data that does not fit in memory: append, read anywhere. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/status.h"

/* Opens a file in `dir` that is gone with its descriptor; -1 with errno. */
int gs_nameless_file(const char *dir);

/* Do its bytes take memory, as on a tmpfs? */
bool gs_is_in_memory(int fd);

/* Start from {0}. */
struct gs_scratch_file {
    int fd;
    bool open;
    atomic_uint_least64_t end; /* bytes that were given out to be written */
};

/* Errors: GS_ERR_IO "temporary file in DIR: <reason>". */
enum gs_status gs_scratch_file_open(struct gs_scratch_file *f, const char *dir, struct gs_err *err);

/* Appends and says where; on several threads at once. Errors: GS_ERR_IO "temporary file: <reason>", a full disk's too. */
enum gs_status gs_scratch_file_put(struct gs_scratch_file *f, const void *bytes, size_t len,
                                   uint64_t *at, struct gs_err *err);

/* Reads what was put there; on several threads at once. Errors: GS_ERR_IO. */
enum gs_status gs_scratch_file_get(const struct gs_scratch_file *f, uint64_t at, void *bytes,
                                   size_t len, struct gs_err *err);

/* Nothing to do, and allowed, where none is open. */
void gs_scratch_file_close(struct gs_scratch_file *f);
