/* split_out.c - files are .partial until all is written; what split.json has settled is never written again. */
#include "app/cluster/split_out.h"

#include "base/os/output.h"
#include "input/detect/detect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os/dir.h"

static const char *path_in(const struct gs_split_out *out, const char *name, const char *ending)
{
    return gs_format(out->arena, "%s/%s%s", out->dir, name, ending);
}

static const char *shown(const struct gs_split_out *out, const char *path)
{
    const char *const text = gs_escaped(out->arena, gs_str(path), 512);
    return text == NULL ? "?" : text;
}

/* --- what an earlier run left ------------------------------------------------------------------------------- */

/* Names, sizes and times of the inputs, and what was asked: a split goes on only where all are the same. */
static enum gs_status digest_inputs(struct gs_split_out *out, const struct gs_split_input *input,
                                    size_t n, struct gs_str how, struct gs_err *err)
{
    struct gs_sha256 sum;
    gs_sha256_begin(&sum);
    for (size_t i = 0; i < n; i++) {
        struct stat is;
        char text[128];
        const char *const path = input[i].path;
        if (strcmp(path, "-") == 0 || stat(path, &is) != 0 || !S_ISREG(is.st_mode))
            return gs_fail(err, GS_ERR_NOINPUT,
                           "%s: is not a file that can be read again, which split needs",
                           input[i].name);
        if (access(path, R_OK) != 0)
            return gs_fail(err, GS_ERR_NOINPUT, "%s: %s", input[i].name, strerror(errno));
        gs_sha256_add(&sum, path, strlen(path) + 1);
        const int len =
            snprintf(text, sizeof text, "%d %lld %lld.%09ld", input[i].role, (long long)is.st_size,
                     (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
        gs_sha256_add(&sum, text, (size_t)len);
    }
    if (how.len > 0)
        gs_sha256_add(&sum, how.ptr, how.len);
    gs_sha256_add(&sum, &out->at.n_shards, sizeof out->at.n_shards);
    gs_sha256_end(&sum, out->at.inputs);
    return GS_OK;
}

/* A directory that holds something must hold a split of the same inputs. */
static enum gs_status resume(struct gs_split_out *out, struct gs_err *err)
{
    struct gs_manifest before;
    const char *const manifest = path_in(out, GS_MANIFEST_NAME, "");
    GS_TRY(gs_had_memory(manifest != NULL, err));
    if (access(manifest, F_OK) != 0)
        return gs_fail(err, GS_ERR_CANTCREATE,
                       "%s: holds something else than a split; name a directory that is new",
                       shown(out, out->dir));
    GS_TRY(gs_manifest_read(out->dir, out->arena, &before, err));
    if (strcmp(before.inputs, out->at.inputs) != 0)
        return gs_fail(err, GS_ERR_CANTCREATE,
                       "%s: holds a split of other inputs, or into another number of parts; name a "
                       "directory that is new",
                       shown(out, out->dir));
    out->at = before;
    out->at.part = NULL;
    out->at.n_parts = 0;
    out->known = before.part;
    out->n_known = before.n_parts;
    out->goes_on = before.input > 0 || before.offset > 0;
    return GS_OK;
}

/* The directory cannot be used; `e` is the system's reason. */
static enum gs_status fail_dir(const struct gs_split_out *out, const char *what, int e,
                               struct gs_err *err)
{
    const bool scarce = e == ENOMEM || e == EMFILE || e == ENFILE;
    return gs_fail(err, scarce ? GS_ERR_MEMORY : GS_ERR_CANTCREATE, "%s: %s%s",
                   shown(out, out->dir), what, strerror(e));
}

/*
 * The lock goes with the process, however it ends. A file system that has no locks is not refused:
 * the parts' digests would tell that two splits wrote there.
 */
static enum gs_status hold_dir(struct gs_split_out *out, struct gs_err *err)
{
    if (mkdir(out->dir, 0777) != 0 && errno != EEXIST)
        return fail_dir(out, "cannot be made: ", errno, err);
    out->held = open(out->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->held < 0)
        return fail_dir(out, "", errno, err);
    if (flock(out->held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return gs_fail(err, GS_ERR_CANTCREATE,
                       "%s: another split is at work there; wait for it or name another directory",
                       shown(out, out->dir));
    return GS_OK;
}

/* An empty directory is made ours; what a killed write of split.json has left there is nothing. */
static enum gs_status inspect_dir(struct gs_split_out *out, struct gs_err *err)
{
    DIR *const d = opendir(out->dir);
    if (d == NULL)
        return fail_dir(out, "", errno, err);
    const char *first;
    int e;
    do
        e = gs_dir_next(d, &first);
    while (e == 0 && first != NULL && strncmp(first, ".gpustat-", 9) == 0);
    (void)closedir(d);
    if (e != 0)
        return fail_dir(out, "", e, err);
    if (first == NULL)
        return GS_OK;
    return resume(out, err);
}

enum gs_status gs_split_out_open(struct gs_split_out *out, const struct gs_split_options *o,
                                 const struct gs_split_input *input, size_t n_inputs,
                                 struct gs_str how, struct gs_arena *arena, struct gs_err *err)
{
    *out = (struct gs_split_out){
        .dir = o->out, .arena = arena, .at = {.n_shards = o->n_parts}, .held = -1};
    GS_TRY(digest_inputs(out, input, n_inputs, how, err));
    GS_TRY(hold_dir(out, err));
    GS_TRY(inspect_dir(out, err));
    if (out->goes_on)
        return GS_OK;
    return gs_split_out_write(out, err); /* says whose the directory is */
}

void gs_split_out_close(struct gs_split_out *out)
{
    if (out->held >= 0)
        (void)close(out->held);
}

/* --- the files ---------------------------------------------------------------------------------------------- */

/* Both arrays grow together: entry k of each is about the same file. */
static bool make_room(struct gs_split_out *out)
{
    if (out->at.n_parts < out->capacity)
        return true;
    const size_t n = out->at.n_parts, capacity = n * 2 + 64;
    out->at.part = gs_arena_grow(out->arena, out->at.part, n, capacity, sizeof *out->at.part);
    out->part = gs_arena_grow(out->arena, out->part, n, capacity, sizeof *out->part);
    out->capacity = capacity;
    return out->at.part != NULL && out->part != NULL;
}

enum gs_status gs_split_out_add(struct gs_split_out *out, const char *name, uint32_t shard,
                                struct gs_part *part, struct gs_err *err)
{
    const size_t k = out->at.n_parts;
    const char *const copy = gs_arena_copy(out->arena, name, strlen(name));
    GS_TRY(gs_had_memory(copy != NULL && make_room(out), err));
    const char *const ending = out->at.complete ? "" : ".partial";
    *part = (struct gs_part){.fd = -1, .path = path_in(out, copy, ending)};
    GS_TRY(gs_had_memory(part->path != NULL, err));
    part->shown = shown(out, part->path);
    if (k < out->n_known && strcmp(out->known[k].name, name) == 0) {
        part->n_bytes = out->known[k].n_bytes;
        part->n_rows = out->known[k].n_rows;
    }
    out->at.part[k] = (struct gs_manifest_part){.name = copy, .shard = shard};
    out->part[k] = part;
    out->at.n_parts = k + 1;
    return GS_OK;
}

enum gs_status gs_split_out_write(struct gs_split_out *out, struct gs_err *err)
{
    for (size_t i = 0; i < out->at.n_parts; i++) {
        out->at.part[i].n_rows = out->part[i]->n_rows;
        out->at.part[i].n_bytes = out->part[i]->n_bytes;
    }
    return gs_manifest_write(out->dir, &out->at, err);
}

enum gs_status gs_split_out_map(const struct gs_split_out *out, const struct gs_map *map,
                                struct gs_err *err)
{
    struct gs_buf text = {.arena = out->arena};
    const char *const path = path_in(out, GS_MAP_NAME, "");
    gs_map_print(map, &text);
    GS_TRY(gs_had_memory(!text.failed && path != NULL, err));
    return gs_output_file(path, gs_buf_str(&text), err);
}

/* The mark of a part behind its rows, and the digest of all its bytes as they are on disk. */
static enum gs_status finish_part(const char *path, const char *shown, struct gs_manifest_part *p,
                                  struct gs_err *err)
{
    enum { ROOM = 64 << 10 };
    struct gs_sha256 sum;
    char room[ROOM];
    ssize_t n = 0;
    uint64_t at = 0;
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    struct stat is = {0};
    bool ok = fd >= 0 && fstat(fd, &is) == 0;
    if (ok && (uint64_t)is.st_size != p->n_bytes &&
        (uint64_t)is.st_size != p->n_bytes + GS_MANIFEST_MARK_BYTES) {
        (void)close(fd);
        return gs_fail(err, GS_ERR_DATA,
                       "%s: is not as the split left it; remove the directory and split again",
                       shown);
    }
    ok = ok &&
         pwrite(fd, GS_MANIFEST_MARK, GS_MANIFEST_MARK_BYTES, (off_t)p->n_bytes) ==
             GS_MANIFEST_MARK_BYTES &&
         (fdatasync(fd) == 0 || errno == EINVAL || errno == EROFS);
    p->n_bytes += GS_MANIFEST_MARK_BYTES;
    gs_sha256_begin(&sum);
    for (; ok && (n = pread(fd, room, sizeof room, (off_t)at)) > 0; at += (uint64_t)n)
        gs_sha256_add(&sum, room, (size_t)n);
    ok = ok && n == 0;
    gs_sha256_end(&sum, p->sha256);
    const int e = errno;
    if (fd >= 0)
        (void)close(fd);
    if (!ok)
        return gs_fail(err, GS_ERR_IO, "%s: %s", shown, strerror(e));
    return GS_OK;
}

enum gs_status gs_split_out_complete(struct gs_split_out *out, struct gs_err *err)
{
    for (size_t i = 0; i < out->at.n_parts; i++) {
        struct gs_part *const p = out->part[i];
        const char *const name = path_in(out, out->at.part[i].name, "");
        GS_TRY(gs_had_memory(name != NULL, err));
        if (rename(p->path, name) != 0 && !(errno == ENOENT && access(name, F_OK) == 0))
            return gs_fail(err, GS_ERR_IO, "%s: cannot get its name: %s", p->shown,
                           strerror(errno));
        out->at.part[i].n_bytes = p->n_bytes;
        GS_TRY(finish_part(name, p->shown, &out->at.part[i], err));
        p->n_bytes = out->at.part[i].n_bytes;
    }
    out->at.complete = true;
    return gs_split_out_write(out, err);
}

enum gs_status gs_split_out_frame(const struct gs_split_out *out, struct gs_frames *frames,
                                  struct gs_err *err)
{
    static const struct gs_column_spec specs[] = {GS_COL(FILE), GS_COL(SHARD),
                                                  GS_COL(ROWS, .how = "rows without the header"),
                                                  GS_COL(BYTES, .unit = "B")};
    struct gs_frame *f;
    const size_t n = out->at.n_parts;
    uint64_t n_rows = 0;
    GS_TRY(gs_frame_new(out->arena, GS_HEAD("split", "Files of the split", GS_COLUMNS(specs)), n,
                        frames, &f, err));
    for (size_t row = 0; row < n; row++) {
        const struct gs_manifest_part *const p = &out->at.part[row];
        if (p->shard > 0)
            GS_PUT(f, row, GS_INT(SHARD, (int64_t)p->shard));
        GS_PUT(f, row, GS_TEXT(FILE, gs_str(p->name)),
               GS_INT(ROWS, (int64_t)out->part[row]->n_rows),
               GS_INT(BYTES, (int64_t)out->part[row]->n_bytes));
        n_rows += out->part[row]->n_rows;
    }
    gs_note(&frames->notes, GS_NOTE_INFO, "%llu rows partitioned into %zu files",
            (unsigned long long)n_rows, n);
    return GS_OK;
}
