/* output.c - sinks, and files that are replaced in one step. */
#include "base/os/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/arena.h"
#include "base/num/order.h"
#include "base/os/path.h"

enum gs_status gs_sink_write(struct gs_sink sink, const char *bytes, size_t len, struct gs_err *err)
{
    if (len == 0)
        return GS_OK;
    return sink.write(sink.context, bytes, len, err);
}

static enum gs_status write_buf(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    struct gs_buf *const b = context;
    gs_buf_bytes(b, bytes, len);
    return gs_had_memory(!b->failed, err);
}

struct gs_sink gs_sink_buf(struct gs_buf *buf)
{
    return (struct gs_sink){write_buf, buf};
}

/* Writes everything; returns 0 or the errno of the first failure. */
static int write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        const ssize_t n = write(fd, bytes, gs_min(len, SSIZE_MAX));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        len -= (size_t)n;
    }
    return 0;
}

static enum gs_status write_fd(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    const int *const fd = context;
    const int e = write_all(*fd, bytes, len);
    if (e != 0)
        return gs_fail(err, GS_ERR_IO, "writing failed: %s", strerror(e));
    return GS_OK;
}

/* The sink keeps the pointer: the variable must outlive it. */
struct gs_sink gs_sink_fd(const int *fd)
{
    return (struct gs_sink){write_fd, (void *)(uintptr_t)fd};
}

static enum gs_status cannot_create(const struct gs_output *o, int e, struct gs_err *err)
{
    return gs_fail(err, GS_ERR_CANTCREATE, "%s: cannot be created: %s", o->shown, strerror(e));
}

/* Makes the temporary file beside o->path. The name is short: the target's own may fill NAME_MAX. */
static enum gs_status open_temp(struct gs_output *o, const struct stat *existing,
                                struct gs_err *err)
{
    enum { TRIES = 1000 };
    const int dir_len = (int)gs_path_dir_len(o->path);
    const mode_t mode = existing != NULL ? existing->st_mode & 0777 : 0666;
    for (int k = 0; k < TRIES; k++) {
        char *const temp =
            gs_format(&o->arena, "%.*s.gpustat-%ld-%d.tmp", dir_len, o->path, (long)getpid(), k);
        GS_TRY(gs_had_memory(temp != NULL, err));
        /*
         * From the creation until the file is on the list no signal may end the process, or the
         * temporary file would stay behind.
         */
        gs_cleanup_block();
        o->fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        const int e = errno;
        if (o->fd >= 0) {
            o->temp = o->leftover.path = temp;
            gs_cleanup_add(&o->leftover);
        }
        gs_cleanup_unblock();
        errno = e;
        if (o->fd >= 0) {
            /* The umask has cut the mode of a new file, as it should, but not that of one replaced. */
            if (existing != NULL)
                (void)fchmod(o->fd, mode);
            return GS_OK;
        }
        if (errno != EEXIST)
            break;
    }
    return cannot_create(o, errno, err);
}

static enum gs_status open_target(struct gs_output *o, const char *path, struct gs_err *err)
{
    struct stat st;
    const bool exists = stat(path, &st) == 0;
    if (!exists && errno != ENOENT)
        return cannot_create(o, errno, err);
    if (exists && S_ISDIR(st.st_mode))
        return cannot_create(o, EISDIR, err);
    /*
     * A device or a pipe cannot be replaced by rename. It is written directly, and what was
     * written before a failure has left already.
     */
    if (exists && !S_ISREG(st.st_mode)) {
        o->direct = true;
        o->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        if (o->fd < 0)
            return cannot_create(o, errno, err);
        return GS_OK;
    }
    if (path[0] == '\0')
        return cannot_create(o, ENOENT, err);
    /* rename would replace a file that its owner made read-only; `>` would not. */
    if (exists && access(path, W_OK) != 0)
        return cannot_create(o, errno, err);
    o->path = gs_path_target(&o->arena, path);
    GS_TRY(gs_had_memory(o->path != NULL, err));
    return open_temp(o, exists ? &st : NULL, err);
}

enum gs_status gs_output_open(struct gs_output *o, const char *path, struct gs_err *err)
{
    *o = (struct gs_output){.fd = -1};
    o->shown = gs_escaped(&o->arena, gs_str(path), 0);
    enum gs_status s = o->shown == NULL ? gs_fail_memory(err) : open_target(o, path, err);
    o->open = s == GS_OK;
    if (s != GS_OK)
        gs_output_abandon(o);
    return s;
}

enum gs_status gs_output_write(struct gs_output *o, const char *bytes, size_t len,
                               struct gs_err *err)
{
    const int e = write_all(o->fd, bytes, len);
    if (e != 0)
        return gs_fail(err, GS_ERR_IO, "%s: writing failed: %s", o->shown, strerror(e));
    return GS_OK;
}

static enum gs_status write_output(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    return gs_output_write(context, bytes, len, err);
}

struct gs_sink gs_output_sink(struct gs_output *o)
{
    return (struct gs_sink){write_output, o};
}

/*
 * fsync, close, rename, in this order: the name then stands for the old file or the whole new
 * one, even after a power failure. A full disk or quota may show only in fsync or close, and
 * then the old file stays. The directory itself is not synchronised, so a crash may bring the
 * old file back.
 */
enum gs_status gs_output_commit(struct gs_output *o, struct gs_err *err)
{
    int e = 0;
    /* EINVAL, ENOTSUP: the file system has no such promise to give, which is not a failure to write. */
    if (!o->direct && fsync(o->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        e = errno;
    if (close(o->fd) != 0 && e == 0 && errno != EINTR)
        e = errno;
    o->fd = -1;
    enum gs_status s = GS_OK;
    if (e != 0)
        s = gs_fail(err, GS_ERR_IO, "%s: writing failed: %s", o->shown, strerror(e));
    else if (!o->direct && rename(o->temp, o->path) != 0)
        s = cannot_create(o, errno, err);
    else
        o->temp = NULL;
    gs_output_abandon(o);
    return s;
}

/*
 * Safe after a commit and on a structure that never opened: every caller ends with it, whatever
 * happened before.
 */
void gs_output_abandon(struct gs_output *o)
{
    if (o->open && o->fd >= 0)
        (void)close(o->fd);
    if (o->temp != NULL && unlink(o->temp) != 0)
        (void)unlink(o->temp); /* once more: it is not to stay because of one fault */
    gs_cleanup_drop(&o->leftover);
    gs_arena_release(&o->arena);
    *o = (struct gs_output){.fd = -1};
}

enum gs_status gs_output_file(const char *path, struct gs_str bytes, struct gs_err *err)
{
    struct gs_output o = {0};
    enum gs_status s = gs_output_open(&o, path, err);
    GS_THEN(s, gs_output_write(&o, bytes.ptr, bytes.len, err));
    GS_THEN(s, gs_output_commit(&o, err));
    gs_output_abandon(&o);
    return s;
}
