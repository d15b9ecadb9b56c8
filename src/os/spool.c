/* spool.c - a file that has no name needs no cleaning up. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "os/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A file system without O_TMPFILE gets a name for a moment. */
int gs_nameless_file(const char *dir, struct gs_arena *arena)
{
    const int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    struct gs_buf name = {.arena = arena};
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    gs_buf_format(&name, "%s/.gpustat-%ld-spool.tmp", dir, (long)getpid());
    const int named = name.failed ? -1 : open(name.ptr, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (named >= 0)
        (void)unlink(name.ptr);
    return named;
}

static enum gs_status to_file(struct gs_spool *s, const char *bytes, size_t len, struct gs_err *err)
{
    struct gs_err why = {0};
    const enum gs_status status = gs_sink_write(gs_sink_fd(&s->fd), bytes, len, &why);
    s->n_in_file += len;
    return status == GS_OK ? GS_OK : gs_fail(err, status, "temporary file: %s", why.text);
}

static enum gs_status keep(void *context, const char *bytes, size_t len, struct gs_err *err)
{
    struct gs_spool *const s = context;
    s->memory.arena = &s->arena;
    if (!s->in_file && s->dir != NULL && s->memory.len + len > GS_SPOOL_MEMORY) {
        s->fd = gs_nameless_file(s->dir, &s->arena);
        s->in_file = s->fd >= 0;
        if (!s->in_file)
            s->dir = NULL;
        const enum gs_status status = s->in_file ? to_file(s, s->memory.ptr, s->memory.len, err) : GS_OK;
        if (s->in_file)
            s->memory.len = 0;
        if (status != GS_OK)
            return status;
    }
    if (s->in_file)
        return to_file(s, bytes, len, err);
    gs_buf_bytes(&s->memory, bytes, len);
    return s->memory.failed ? gs_fail_memory(err) : GS_OK;
}

struct gs_sink gs_spool_sink(struct gs_spool *s)
{
    return (struct gs_sink){keep, s};
}

enum gs_status gs_spool_send(struct gs_spool *s, struct gs_sink to, struct gs_err *err)
{
    char room[1 << 14];
    if (!s->in_file)
        return gs_sink_write(to, s->memory.ptr, s->memory.len, err);
    for (uint64_t at = 0; at < s->n_in_file;) {
        const ssize_t n = pread(s->fd, room, sizeof room, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return gs_fail(err, GS_ERR_IO, "temporary file: %s", n == 0 ? "is cut off" : strerror(errno));
        const enum gs_status status = gs_sink_write(to, room, (size_t)n, err);
        if (status != GS_OK)
            return status;
        at += (uint64_t)n;
    }
    return GS_OK;
}

void gs_spool_release(struct gs_spool *s)
{
    if (s->in_file)
        (void)close(s->fd);
    gs_arena_release(&s->arena);
    *s = (struct gs_spool){.fd = -1};
}
