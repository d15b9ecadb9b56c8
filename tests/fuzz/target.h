/*
 * target.h - what every fuzz target begins with: the function that it is, a check that aborts, bytes as a file.
 * First among a target's includes.
 */
#ifndef GPUSTAT_FUZZ_TARGET_H
#define GPUSTAT_FUZZ_TARGET_H

#define _GNU_SOURCE /* memfd_create, memmem, mkdtemp */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort());             \
    } while (0)

enum { MEMORY_PATH_MAX = 64 };

/* A file in memory with these bytes, and in `path` a name that it can be opened by until it is closed. */
static inline int bytes_as_file(const uint8_t *bytes, size_t size, char path[MEMORY_PATH_MAX])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    (void)snprintf(path, MEMORY_PATH_MAX, "/proc/self/fd/%d", fd);
    MUST(fd >= 0 && (size == 0 || write(fd, bytes, size) == (ssize_t)size));
    return fd;
}

#endif
