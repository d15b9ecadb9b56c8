/* scratch_file.c - an unlinked file needs no clean-up. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/os/scratch_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include <unistd.h>

#include "base/core/text.h"

enum { PATH_ROOM = 4096 };

/* A file system without O_TMPFILE gets a name for a moment. */
int gs_nameless_file(const char *dir)
{
    const int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char name[PATH_ROOM];
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    const int len = snprintf(name, sizeof name, "%s/.gpustat-%ld-scratch.tmp", dir, (long)getpid());
    if (len < 0 || (size_t)len >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    const int named = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (named >= 0)
        (void)unlink(name);
    return named;
}

bool gs_is_in_memory(int fd)
{
    struct statfs of;
    return fstatfs(fd, &of) == 0 && (of.f_type == TMPFS_MAGIC || of.f_type == RAMFS_MAGIC);
}

enum gs_status gs_scratch_file_open(struct gs_scratch_file *f, const char *dir, struct gs_err *err)
{
    const int fd = gs_nameless_file(dir);
    if (fd < 0) {
        const int e = errno;
        return gs_fail(err, GS_ERR_IO, "temporary file in %s: %s", GS_SHOWN(gs_str(dir), 200),
                       strerror(e));
    }
    f->fd = fd;
    f->open = true;
    atomic_store(&f->end, 0);
    return GS_OK;
}

/*
 * Threads append without a lock: each reserves its range first and then writes only there. A
 * write that fails leaves a hole, which is harmless because *at is not set and nobody reads it.
 */
enum gs_status gs_scratch_file_put(struct gs_scratch_file *f, const void *bytes, size_t len,
                                   uint64_t *at, struct gs_err *err)
{
    const uint64_t first = atomic_fetch_add(&f->end, len);
    for (size_t done = 0; done < len;) {
        const ssize_t n =
            pwrite(f->fd, (const char *)bytes + done, len - done, (off_t)(first + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return gs_fail(err, GS_ERR_IO, "temporary file: %s",
                           n == 0 ? "takes nothing more" : strerror(errno));
        done += (size_t)n;
    }
    *at = first;
    return GS_OK;
}

/* pread moves no file position, so threads may read while others append. */
enum gs_status gs_scratch_file_get(const struct gs_scratch_file *f, uint64_t at, void *bytes,
                                   size_t len, struct gs_err *err)
{
    for (size_t done = 0; done < len;) {
        const ssize_t n = pread(f->fd, (char *)bytes + done, len - done, (off_t)(at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return gs_fail(err, GS_ERR_IO, "temporary file: %s",
                           n == 0 ? "is cut off" : strerror(errno));
        done += (size_t)n;
    }
    return GS_OK;
}

void gs_scratch_file_close(struct gs_scratch_file *f)
{
    if (f->open)
        (void)close(f->fd);
    f->open = false;
}
