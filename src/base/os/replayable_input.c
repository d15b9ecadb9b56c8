/* replayable_input.c - replaces the descriptor of a pipe by that of a file with the same bytes. */
#define _GNU_SOURCE 1 /* memfd_create */
#include "base/os/replayable_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/core/text.h"
#include "base/os/output.h"
#include "base/os/scratch_file.h"

enum { COPY_BYTES = 256 << 10, REPEATS_MAX = 256 << 20 };

bool gs_stat_regular(const char *path, struct stat *is)
{
    if (strcmp(path, "-") == 0)
        return fstat(STDIN_FILENO, is) == 0 && S_ISREG(is->st_mode);
    return stat(path, is) == 0 && S_ISREG(is->st_mode);
}

bool gs_is_regular(const char *path)
{
    struct stat st;
    errno = 0;
    return gs_stat_regular(path, &st) || errno == EIO; /* of a disk that fails the reader tells */
}

/* The descriptor that a path is another word for, -1: none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t n = strlen(folders[i]);
        char *end = NULL;
        if (strncmp(path, folders[i], n) != 0 || !gs_is_digit(path[n]))
            continue;
        const long fd = strtol(path + n, &end, 10);
        return *end == '\0' && fd < (1 << 20) ? (int)fd : -1;
    }
    return -1;
}

/* Can it be read once only? A regular file that was read in part cannot be read from there again. */
static bool is_fleeting(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    if (S_ISREG(st.st_mode))
        return lseek(fd, 0, SEEK_CUR) > 0;
    return S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd) == 1;
}

/* How many of the bytes that came last are one line, or one byte where there is no line, again and again. */
struct repeats {
    char *line; /* begins anywhere in it */
    size_t length, at;
    uint64_t n_bytes;
};

static void count_repeats(struct repeats *r, const char *bytes, size_t n)
{
    if (r->n_bytes == 0) {
        const char *const first = memchr(bytes, '\n', n);
        const size_t before = first == NULL ? n : (size_t)(first - bytes) + 1;
        const char *const next = memchr(bytes + before, '\n', n - before);
        r->length = next == NULL ? 1 : (size_t)(next - first);
        r->at = 0;
        memcpy(r->line, bytes, r->length);
    }
    size_t i = 0;
    while (i < n && bytes[i] == r->line[r->at]) {
        r->at = r->at + 1 == r->length ? 0 : r->at + 1;
        i++;
    }
    r->n_bytes = i == n ? r->n_bytes + n : 0;
}

/* What a file may take of where it lies: half of what is free, so that a pipe without end fills no disk that others need. */
static uint64_t room_of(int fd)
{
    struct statvfs is;
    if (fstatvfs(fd, &is) != 0)
        return UINT64_MAX;
    if (is.f_blocks == 0) /* memory without a bound of its own */
        return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    return (uint64_t)is.f_bavail * is.f_frsize / 2;
}

static enum gs_status copy(int from, int to, const char *name, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    char *const room = gs_arena_take_raw(&own, COPY_BYTES, 1);
    struct repeats same = {.line = gs_arena_take_raw(&own, COPY_BYTES, 1)};
    enum gs_status s = gs_had_memory(room != NULL && same.line != NULL, err);
    const uint64_t most = room_of(to);
    for (uint64_t total = 0; s == GS_OK;) {
        struct gs_err why = {GS_OK, ""};
        const ssize_t n = read(from, room, COPY_BYTES);
        if (n == 0)
            break;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return gs_fail(err, GS_ERR_IO, "%s: %s", name, strerror(errno));
        total += (size_t)n;
        count_repeats(&same, room, (size_t)n);
        if (same.n_bytes > REPEATS_MAX)
            return gs_fail(err, GS_ERR_DATA, "%s: has no end: '%s' again and again for 256 MiB",
                           name, GS_SHOWN(((struct gs_str){same.line, same.length}), 80));
        if (total > most)
            return gs_fail(err, GS_ERR_IO,
                           "%s: more than half of what is free for temporary files; write it to a "
                           "file, or name another folder by TMPDIR",
                           name);
        if (gs_sink_write(gs_sink_fd(&to), room, (size_t)n, &why) != GS_OK)
            s = gs_fail(err, GS_ERR_IO, "%s: temporary file: %s", name, why.text);
    }
    return s;
}

/* All that comes from a descriptor, in a file without a name that begins anew; *held < 0 where there is none. */
static enum gs_status hold(int from, const char *name, const char *dir, int *held,
                           struct gs_err *err)
{
    *held = gs_nameless_file(dir);
    if (*held < 0)
        *held = memfd_create("gpustat", MFD_CLOEXEC);
    if (*held < 0)
        return gs_fail(err, GS_ERR_IO, "%s: temporary file: %s", name, strerror(errno));
    GS_TRY(copy(from, *held, name, err));
    if (lseek(*held, 0, SEEK_SET) != 0)
        return gs_fail(err, GS_ERR_IO, "%s: temporary file: %s", name, strerror(errno));
    return GS_OK;
}

enum gs_status gs_input_replayable(const char **path, const char *dir, struct gs_arena *arena,
                                   struct gs_err *err)
{
    struct stat st;
    const int own = descriptor_of(*path);
    const bool named = own < 0 && stat(*path, &st) == 0 && S_ISFIFO(st.st_mode);
    if (!named && (own < 0 || !is_fleeting(own)))
        return GS_OK;
    const char *const name = GS_SHOWN(gs_file_called(gs_str(*path)), 512);
    int from = own;
    if (named)
        from = open(*path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (from < 0)
        return GS_OK;
    int held;
    enum gs_status s = hold(from, name, dir, &held, err);
    struct gs_buf now = {.arena = arena};
    if (s == GS_OK && named) {
        gs_buf_format(&now, "/dev/fd/%d", held);
        s = gs_had_memory(!now.failed && gs_file_is_substitute(gs_buf_str(&now), gs_str(*path)),
                          err);
    } else if (s == GS_OK && dup2(held, own) < 0) {
        s = gs_fail(err, GS_ERR_IO, "%s: %s", name, strerror(errno));
    }
    if (named)
        (void)close(from);
    if (held >= 0 && (s != GS_OK || !named))
        (void)close(held);
    if (s == GS_OK && named)
        *path = gs_buf_str(&now).ptr;
    return s;
}
