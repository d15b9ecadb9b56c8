/* split_parts.c - staged rows, packed and written; a settled part ends on a frame's end. */
#include "app/cluster/split_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/output.h"
#include "base/os/parallel.h"
#include "input/bytes/decompress.h"

/* Level 1 makes a tenth of telemetry; the levels below it are no faster, those above cost twice the time. */
enum { LEVEL = 1 };

static enum gs_status fail_errno(struct gs_part *p, enum gs_status status, const char *what)
{
    if (errno == EMFILE || errno == ENFILE)
        status = GS_ERR_MEMORY;
    return gs_fail(&p->err, status, "%s: %s: %s", p->shown, what, strerror(errno));
}

/*
 * An earlier run may have died behind the place that it settled. The file is cut back to that
 * place, so rows after it are not there twice.
 */
enum gs_status gs_part_open(struct gs_part *p, unsigned window_log, struct gs_arena *arena)
{
    struct stat is;
    p->fd = -1;
    p->staged = gs_arena_take_raw(arena, GS_PART_STAGED, 1);
    p->packed = gs_arena_take_raw(arena, GS_PART_STAGED, 1);
    p->packer = gs_packer_open(LEVEL, window_log);
    GS_TRY(gs_had_memory(p->staged != NULL && p->packed != NULL && p->packer != NULL, &p->err));
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    if (p->n_bytes == 0)
        flags |= O_TRUNC;
    p->fd = open(p->path, flags, 0666);
    if (p->fd < 0)
        return fail_errno(p, GS_ERR_CANTCREATE, "cannot be created");
    if (p->n_bytes == 0)
        return GS_OK;
    if (fstat(p->fd, &is) != 0)
        return fail_errno(p, GS_ERR_IO, "cannot be looked at");
    if (!S_ISREG(is.st_mode) || (uint64_t)is.st_size < p->n_bytes)
        return gs_fail(
            &p->err, GS_ERR_DATA,
            "%s: is not as an earlier split left it; remove the directory and split again",
            p->shown);
    if (ftruncate(p->fd, (off_t)p->n_bytes) != 0 || lseek(p->fd, 0, SEEK_END) < 0)
        return fail_errno(p, GS_ERR_IO, "cannot be cut");
    return GS_OK;
}

/*
 * Packs `len` bytes; with `end` until the frame has ended. The packer may hold bytes back: only
 * after `end` is the file complete up to here.
 */
static enum gs_status pack(struct gs_part *p, const char *bytes, size_t len, bool end)
{
    struct gs_unpack_buffers b = {bytes, len, p->packed, GS_PART_STAGED};
    struct gs_err why = {0};
    p->in_frame = true;
    for (;;) {
        b.out = p->packed;
        b.out_left = GS_PART_STAGED;
        const enum gs_unpack u = gs_packer_step(p->packer, &b, end);
        const size_t n = GS_PART_STAGED - b.out_left;
        GS_TRY(gs_had_memory(u != GS_UNPACK_MEMORY, &p->err));
        const enum gs_status written = gs_sink_write(gs_sink_fd(&p->fd), p->packed, n, &why);
        if (written != GS_OK)
            return gs_fail(&p->err, written, "%s: %s", p->shown, why.text);
        p->n_bytes += n;
        if (u == GS_UNPACK_END || (!end && b.in_left == 0))
            return GS_OK;
    }
}

enum gs_status gs_part_add(struct gs_part *p, const char *bytes, size_t len)
{
    if (len > GS_PART_STAGED - p->n_staged) {
        GS_TRY(pack(p, p->staged, p->n_staged, false));
        p->n_staged = 0;
        if (len > GS_PART_STAGED)
            return pack(p, bytes, len, false);
    }
    memcpy(p->staged + p->n_staged, bytes, len);
    p->n_staged += len;
    return GS_OK;
}

/*
 * The data reach the disk before the manifest that counts on them is written. A file system
 * that cannot promise that is no failure.
 */
enum gs_status gs_part_settle(struct gs_part *p)
{
    if (p->n_staged > 0 || p->in_frame) {
        GS_TRY(pack(p, p->staged, p->n_staged, true));
        p->n_staged = 0;
        p->in_frame = false;
    }
    if (fdatasync(p->fd) != 0 && errno != EINVAL && errno != EROFS)
        return fail_errno(p, GS_ERR_IO, "writing failed");
    return GS_OK;
}

void gs_part_close(struct gs_part *p)
{
    gs_packer_close(p->packer);
    p->packer = NULL;
    if (p->fd >= 0)
        (void)close(p->fd);
    p->fd = -1;
}

/* --- all parts of one kind ---------------------------------------------------------------------------------- */

/* About 3 << log bytes for each of the parts: a hundred MiB for all of them at most. */
static unsigned window_log(uint32_t n_parts)
{
    if (n_parts <= 32)
        return 19;
    if (n_parts <= 128)
        return 17;
    return 15;
}

static enum gs_status fail_as(const struct gs_part *p, struct gs_err *err)
{
    if (err != NULL)
        *err = p->err;
    return p->err.status;
}

enum gs_status gs_parts_open(struct gs_part *part, uint32_t n, struct gs_str header,
                             struct gs_arena *arena, struct gs_err *err)
{
    for (uint32_t i = 0; i < n; i++) {
        struct gs_part *const p = &part[i];
        const bool is_new = p->n_bytes == 0;
        enum gs_status s = gs_part_open(p, window_log(n), arena);
        if (s == GS_OK && is_new)
            s = gs_part_add(p, header.ptr, header.len);
        if (s == GS_OK && is_new)
            s = gs_part_add(p, "\n", 1);
        if (s != GS_OK)
            return fail_as(p, err);
    }
    return GS_OK;
}

static int settle_one(void *context, size_t i, unsigned thread)
{
    struct gs_part *const part = context;
    (void)thread;
    return (int)gs_part_settle(&part[i]);
}

/* The failure of the first part by number is reported, whichever thread failed first. */
enum gs_status gs_parts_settle(struct gs_part *part, uint32_t n, unsigned n_threads,
                               struct gs_err *err)
{
    (void)gs_parallel_for(n_threads, n, settle_one, part);
    for (uint32_t i = 0; i < n; i++)
        if (part[i].err.status != GS_OK)
            return fail_as(&part[i], err);
    return GS_OK;
}

void gs_parts_close(struct gs_part *part, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        gs_part_close(&part[i]);
}
