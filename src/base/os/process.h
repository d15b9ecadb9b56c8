/* process.h - runs another program to its end, without a shell, and collects its output. */
#pragma once

#include "base/core/status.h"
#include "base/core/text.h"

/* What came of a program. Start from {.out.arena = a, .complaints.arena = a}. */
struct gs_process {
    /* standard output and standard error, at most GS_PROCESS_BYTES_MAX each */
    struct gs_buf out, complaints;
    int exit_code; /* 128 + signal where one ended it */
};

enum { GS_PROCESS_BYTES_MAX = 16 << 20 };

/*
 * Runs argv[0], looked up in PATH, with no standard input, and waits for its end.
 * Errors: GS_ERR_UNAVAILABLE where there is no such program; GS_ERR_MEMORY; GS_ERR_IO. A program that fails is no
 *         error here: see exit_code.
 */
enum gs_status gs_process_run(const char *const *argv, struct gs_process *process,
                              struct gs_err *err);

/* Closes a descriptor that is open, -1: none, and marks it so. */
void gs_descriptor_close(int *fd);

/*
 * Appends what two pipes give to two buffers until both are at their end; of each what is beyond `most` bytes is read
 * and dropped. Both are closed. Returns 0 or an errno.
 */
int gs_pipes_drain(int pipes[2], struct gs_buf *const to[2], size_t most);
