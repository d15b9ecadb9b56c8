/* output.h - output sinks, and files that appear whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/os/cleanup.h"
#include "base/core/status.h"
#include "base/core/text.h"

/* Takes all of `len` bytes or fails; after a failure nothing more is offered. */
typedef enum gs_status gs_write_fn(void *context, const char *bytes, size_t len,
                                   struct gs_err *err);

/* The seam between whoever makes bytes and whoever keeps them. Copy it freely; it owns nothing. */
struct gs_sink {
    gs_write_fn *write;
    void *context;
};

/* Hands bytes to a sink; a length of 0 is not offered. */
enum gs_status gs_sink_write(struct gs_sink sink, const char *bytes, size_t len,
                             struct gs_err *err);

/* Into a growing buffer. Errors: GS_ERR_MEMORY. */
struct gs_sink gs_sink_buf(struct gs_buf *buf);

/*
 * Into an open descriptor, every byte, across interruptions. `fd` is pointed at, not copied.
 * Errors: GS_ERR_IO "writing failed: <reason>". Where SIGPIPE is not ignored a closed pipe ends the process.
 */
struct gs_sink gs_sink_fd(const int *fd);

/* A file being written. Start from `= {0}`, keep it by value, never copy it while open. */
struct gs_output {
    struct gs_arena arena; /* of the texts below                                        */
    bool open;
    bool direct; /* no temporary file: the target is a device, a FIFO or a socket */
    int fd;
    const char *path;           /* the target, symbolic links followed                           */
    const char *temp;           /* the temporary file beside it; NULL where direct               */
    const char *shown;          /* the path as given, escaped, for messages                      */
    struct gs_cleanup leftover; /* the temporary file, in case a signal ends the process */
};

/*
 * Opens `path` for writing whole or not at all: bytes go to a temporary file in the same directory, made
 * with O_EXCL, which takes the target's permissions where the target exists and the umask's where not. A
 * symbolic link stays and its target is replaced, or made where the link dangles, as `>` does. What is not a regular file (/dev/null, a FIFO) is
 * written directly.
 * Errors: GS_ERR_CANTCREATE "PATH: cannot be created: <reason>"; GS_ERR_MEMORY.
 */
enum gs_status gs_output_open(struct gs_output *o, const char *path, struct gs_err *err);

/* Appends. Errors: GS_ERR_IO "PATH: writing failed: <reason>". */
enum gs_status gs_output_write(struct gs_output *o, const char *bytes, size_t len,
                               struct gs_err *err);

/* The same as a sink. */
struct gs_sink gs_output_sink(struct gs_output *o);

/*
 * Makes the file durable (fsync) and visible (rename), and closes. On failure the target is as it was and
 * the temporary file is gone.
 */
enum gs_status gs_output_commit(struct gs_output *o, struct gs_err *err);

/* Closes and removes the temporary file. Nothing to do, and allowed, after commit or a failed open. */
void gs_output_abandon(struct gs_output *o);

/* open, write, commit of bytes in memory. */
enum gs_status gs_output_file(const char *path, struct gs_str bytes, struct gs_err *err);
