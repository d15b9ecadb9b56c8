/* report_dir.c - a directory of files that takes the place of an earlier one as a whole. */
#define _GNU_SOURCE /* renameat2 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/sha256.h"
#include "base/os/dir.h"
#include "base/os/output.h"
#include "base/os/path.h"
#include "app/report/report.h"
#include "input/detect/detect.h"

enum { MANIFEST_MAX = 1 << 20 };

static enum gs_status cannot(const struct gs_report_dir *d, int e, struct gs_err *err)
{
    return gs_fail(err, e == ENOMEM ? GS_ERR_MEMORY : GS_ERR_CANTCREATE,
                   "%s: cannot be created: %s", d->shown, strerror(e));
}

static const char *join(struct gs_arena *arena, const char *dir, const char *name)
{
    return gs_format(arena, "%s/%s", dir, name);
}

/*
 * What files.csv of a directory says, empty where it says nothing that we would write.
 * O_NOFOLLOW and O_NONBLOCK: the directory may hold a link or a pipe of that name, and reading
 * must neither leave it nor wait. MANIFEST_MAX bounds what a foreign file can cost.
 */
static struct gs_str manifest_of(struct gs_arena *arena, const char *dir)
{
    struct gs_buf b = {.arena = arena};
    char room[4096];
    const char *const path = join(arena, dir, GS_REPORT_FILES);
    int fd = -1;
    if (path != NULL)
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = 0;
    while (fd >= 0 && b.len < MANIFEST_MAX && (n = read(fd, room, sizeof room)) > 0)
        gs_buf_bytes(&b, room, (size_t)n);
    if (fd >= 0)
        (void)close(fd);
    if (b.failed || !gs_str_begins(gs_buf_str(&b), GS_REPORT_FILES_HEADER))
        return (struct gs_str){"", 0};
    return gs_str_after(gs_buf_str(&b), strlen(GS_REPORT_FILES_HEADER));
}

/* The last field, a digest, of the line whose first is `name`; missing: there is none. Our own names need no quotes. */
static struct gs_str listed_digest(struct gs_str manifest, const char *name)
{
    const size_t len = strlen(name);
    while (manifest.len > 0) {
        struct gs_str line = gs_str_take(&manifest, '\n');
        if (line.len <= len || !gs_str_begins(line, name) || line.ptr[len] != ',')
            continue;
        struct gs_str digest = line;
        while (line.len > 0)
            digest = gs_str_take(&line, ',');
        return digest;
    }
    return GS_NO_STR;
}

static bool has_digest(int dir, const char *name, struct gs_str digest)
{
    const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char room[16 << 10], hex[GS_SHA256_HEX];
    struct gs_sha256 sum;
    ssize_t n = -1;
    gs_sha256_begin(&sum);
    while (fd >= 0 && (n = read(fd, room, sizeof room)) > 0)
        gs_sha256_add(&sum, room, (size_t)n);
    gs_sha256_end(&sum, hex);
    if (fd >= 0)
        (void)close(fd);
    return n == 0 && gs_str_eq(digest, gs_str(hex));
}

/* Calls `each` for every entry but . and ..; stops where it answers false. Returns 0 or an errno. */
typedef bool entry_fn(void *context, int dir, const char *name);

static int for_entries(const char *dir, entry_fn *each, void *context)
{
    DIR *const handle = opendir(dir);
    if (handle == NULL)
        return errno;
    const char *name;
    int e;
    while ((e = gs_dir_next(handle, &name)) == 0 && name != NULL &&
           each(context, dirfd(handle), name))
        ;
    (void)closedir(handle);
    return e;
}

struct inspection {
    struct gs_str manifest;
    size_t n_entries;
    char foreign[200]; /* an entry that no report wrote, or wrote otherwise, escaped */
    bool is_listed;    /* it was changed */
};

/*
 * One file that no report wrote, or that somebody changed, is enough to refuse: a directory named
 * by mistake must not lose anything.
 */
static bool inspect(void *context, int dir, const char *name)
{
    struct inspection *const i = context;
    const struct gs_str digest = listed_digest(i->manifest, name);
    i->n_entries++;
    i->is_listed = digest.ptr != NULL;
    if (strcmp(name, GS_REPORT_FILES) != 0 && !(i->is_listed && has_digest(dir, name, digest)))
        (void)gs_escape(i->foreign, sizeof i->foreign, gs_str(name));
    return i->foreign[0] == '\0';
}

/* An earlier report may be replaced, an empty directory be filled; anything else is not ours to touch. */
static enum gs_status inspect_target(struct gs_report_dir *d, struct gs_err *err)
{
    struct stat st;
    struct inspection i = {0};
    if (stat(d->path, &st) != 0) {
        if (errno == ENOENT)
            return GS_OK;
        return cannot(d, errno, err);
    }
    if (!S_ISDIR(st.st_mode))
        return gs_fail(err, GS_ERR_CANTCREATE, "%s: cannot be created: a file of that name exists",
                       d->shown);
    i.manifest = manifest_of(d->arena, d->path);
    const int e = for_entries(d->path, inspect, &i);
    if (e != 0)
        return cannot(d, e, err);
    if (i.n_entries > 0 && i.foreign[0] != '\0')
        return gs_fail(
            err, GS_ERR_CANTCREATE,
            i.is_listed ? "%s: cannot be replaced: '%s' in it was changed since a report wrote it"
                        : "%s: cannot be replaced: no report wrote '%s' in it",
            d->shown, i.foreign);
    if (i.n_entries > 0 && i.manifest.len == 0)
        return gs_fail(err, GS_ERR_CANTCREATE,
                       "%s: cannot be replaced: no report wrote what is in it", d->shown);
    d->replaces = i.n_entries > 0;
    return GS_OK;
}

/* The path without slashes at its end and with symbolic links followed, so that a link survives. */
static const char *resolve(struct gs_arena *arena, const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    const char *const bare = gs_arena_copy(arena, path, len);
    if (bare == NULL)
        return NULL;
    return gs_path_target(arena, bare);
}

/*
 * The temporary directory stands beside the target, on the same file system, or rename could
 * not exchange the two.
 */
enum gs_status gs_report_dir_open(struct gs_report_dir *d, const char *path, struct gs_arena *arena,
                                  struct gs_err *err)
{
    enum { TRIES = 1000 };
    *d = (struct gs_report_dir){
        .arena = arena, .path = resolve(arena, path), .shown = gs_escaped(arena, gs_str(path), 0)};
    GS_TRY(gs_had_memory(d->shown != NULL && d->path != NULL, err));
    if (path[0] == '\0')
        return cannot(d, ENOENT, err);
    GS_TRY(inspect_target(d, err));
    const int parent = (int)gs_path_dir_len(d->path);
    for (int k = 0; k < TRIES; k++) {
        char *const temp =
            gs_format(arena, "%.*s.gpustat-%ld-%d.tmp", parent, d->path, (long)getpid(), k);
        GS_TRY(gs_had_memory(temp != NULL, err));
        gs_cleanup_block();
        int e = 0;
        if (mkdir(temp, 0777) != 0)
            e = errno;
        if (e == 0) {
            d->temp = temp;
            d->leftover = (struct gs_cleanup){.path = temp, .is_dir = true};
            gs_cleanup_add(&d->leftover);
        }
        gs_cleanup_unblock();
        if (e == 0)
            return GS_OK;
        errno = e;
        if (e != EEXIST)
            break;
    }
    return cannot(d, errno, err);
}

/* Only what is ours: the rest of the system may have much to write. A file system without the promise is no failure. */
static int sync_fd(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP)
        return 0;
    return errno;
}

/*
 * Called by several threads at once. Each opens one name, so O_EXCL fails only if the list
 * names a file twice.
 */
enum gs_status gs_report_dir_write(const struct gs_report_dir *d, const char *name,
                                   struct gs_str bytes, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    const char *const path = join(&own, d->temp, name);
    GS_TRY(gs_had_memory(path != NULL, err));
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot(d, errno, err);
    struct gs_err why = {0};
    enum gs_status s = gs_sink_write(gs_sink_fd(&fd), bytes.ptr, bytes.len, &why);
    int e = 0;
    if (s == GS_OK)
        e = sync_fd(fd);
    if (e != 0)
        s = gs_fail(&why, GS_ERR_IO, "writing failed: %s", strerror(e));
    if (close(fd) != 0 && s == GS_OK && errno != EINTR)
        s = gs_fail(&why, GS_ERR_IO, "writing failed: %s", strerror(errno));
    if (s != GS_OK)
        return gs_fail(err, s, "%s: %s", d->shown, why.text);
    return GS_OK;
}

/* Removes what the list names. Without memory of ours, because there may be none left. */
static bool remove_entry(void *context, int dir, const char *name)
{
    const struct gs_str *const only = context;
    if (listed_digest(*only, name).ptr != NULL || strcmp(name, GS_REPORT_FILES) == 0)
        (void)unlinkat(dir, name, 0);
    return true;
}

/* Removes the files that `only` names and, where none is left, the directory; once more where something failed. */
static int remove_dir(const char *dir, struct gs_str only)
{
    int e = 0;
    for (int k = 0; k < 2; k++) {
        (void)for_entries(dir, remove_entry, &only);
        if (rmdir(dir) == 0)
            return 0;
        e = errno;
    }
    return e;
}

/* The names of its files have reached the disk before the directory takes the place of what was there. */
static int sync_dir(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    const int e = sync_fd(fd);
    (void)close(fd);
    return e;
}

/*
 * Exchanges the two; where the file system cannot, the earlier one moves aside first. With
 * RENAME_EXCHANGE there is a whole report under the name at every instant. Without it there is
 * none for a moment; if the second rename fails the earlier report is put back.
 */
static int swap(const struct gs_report_dir *d, const char *aside)
{
    if (renameat2(AT_FDCWD, d->temp, AT_FDCWD, d->path, RENAME_EXCHANGE) == 0)
        return rename(d->temp, aside) == 0 ? 0 : errno;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    if (rename(d->path, aside) != 0)
        return errno;
    if (rename(d->temp, d->path) == 0)
        return 0;
    const int e = errno;
    (void)rename(aside, d->path);
    return e;
}

/*
 * The target is inspected again, because hours may lie between opening and committing. The
 * earlier report is removed last and only by the names that it lists: what a user put there
 * meanwhile stays, under the name that the message gives.
 */
enum gs_status gs_report_dir_commit(struct gs_report_dir *d, struct gs_err *err)
{
    struct stat st;
    const int e = sync_dir(d->temp);
    if (e != 0)
        return gs_fail(err, GS_ERR_IO, "%s: writing failed: %s", d->shown, strerror(e));
    /* Somebody may have put a file there meanwhile. */
    GS_TRY(inspect_target(d, err));
    if (stat(d->path, &st) == 0)
        (void)chmod(d->temp, st.st_mode & 07777);
    char *const aside = gs_format(d->arena, "%s.old", d->temp);
    GS_TRY(gs_had_memory(aside != NULL, err));
    if (!d->replaces) {
        if (rename(d->temp, d->path) != 0)
            return cannot(d, errno, err);
        d->temp = NULL;
        gs_cleanup_drop(&d->leftover);
        return GS_OK;
    }
    const struct gs_str earlier = manifest_of(d->arena, d->path);
    if (earlier.len == 0) /* it was read a moment ago */
        return cannot(d, EIO, err);
    gs_cleanup_block(); /* until it is settled which of the two is to go */
    const int failure = swap(d, aside);
    if (failure == 0)
        d->leftover.path = aside;
    gs_cleanup_unblock();
    if (failure != 0)
        return cannot(d, failure, err);
    d->temp = NULL;
    const int left = remove_dir(aside, earlier);
    gs_cleanup_drop(&d->leftover);
    if (left != 0)
        return gs_fail(err, GS_ERR_IO,
                       "%s: written, but the earlier report cannot be removed: it is %s: %s",
                       d->shown, GS_SHOWN(gs_str(aside), 512), strerror(left));
    return GS_OK;
}

/* Safe after a commit: the temporary name is gone then. */
void gs_report_dir_abandon(struct gs_report_dir *d)
{
    if (d->temp != NULL)
        gs_remove_dir(d->temp);
    d->temp = NULL;
    gs_cleanup_drop(&d->leftover);
}
