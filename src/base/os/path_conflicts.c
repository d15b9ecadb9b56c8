/* path_conflicts.c - compares files by device and inode, not by the spelling of their paths. */
#include "base/os/path_conflicts.h"

#include <string.h>
#include <sys/stat.h>

#include "base/os/path.h"
#include "base/core/text.h"

struct gs_path_claim {
    struct gs_path_claim *next;
    enum gs_claim_use use;
    const char *role, *path;
    bool exists;
    dev_t device, dir_device;
    ino_t inode, dir_inode; /* dir: of the directory it is in; 0: that does not exist */
    const char *name;       /* in there                                               */
};

/* Looks at the file; false where nothing can be held against it: a device, a pipe, a directory that is read. */
static bool inspect(struct gs_path_claim *k, struct gs_arena *arena, bool *failed)
{
    struct stat st;
    k->exists = stat(k->path, &st) == 0;
    if (k->exists) {
        k->device = st.st_dev;
        k->inode = st.st_ino;
        if (!S_ISREG(st.st_mode) && !(S_ISDIR(st.st_mode) && k->use == GS_CLAIM_WRITE_DIR))
            return false;
    }
    const char *const target = gs_path_target(arena, k->path);
    *failed = target == NULL;
    if (*failed)
        return false;
    const size_t len = gs_path_dir_len(target);
    const char *const dir = gs_format(arena, "%.*s.", (int)len, target);
    *failed = dir == NULL;
    k->name = target + len;
    if (!*failed && stat(dir, &st) == 0) {
        k->dir_device = st.st_dev;
        k->dir_inode = st.st_ino;
    }
    return !*failed;
}

static bool is_inside(const struct gs_path_claim *file, const struct gs_path_claim *dir)
{
    return dir->exists && file->dir_inode == dir->inode && file->dir_device == dir->device;
}

/*
 * Device and inode, so links and different spellings of one file are found. Files that do not
 * exist yet are compared by directory and name. Two directories that do not exist count as one;
 * opening a file in either fails anyway.
 */
static bool same(const struct gs_path_claim *a, const struct gs_path_claim *b)
{
    if (a->use == GS_CLAIM_WRITE_DIR && b->use != GS_CLAIM_WRITE_DIR && is_inside(b, a))
        return true;
    if (b->use == GS_CLAIM_WRITE_DIR && a->use != GS_CLAIM_WRITE_DIR && is_inside(a, b))
        return true;
    if (a->exists && b->exists)
        return a->inode == b->inode && a->device == b->device;
    return !a->exists && !b->exists && a->dir_inode == b->dir_inode &&
           a->dir_device == b->dir_device && strcmp(a->name, b->name) == 0;
}

static enum gs_status refuse(const struct gs_path_claim *a, const struct gs_path_claim *b,
                             struct gs_err *err)
{
    const struct gs_path_claim *out = a, *other = b;
    if (a->use == GS_CLAIM_READ) {
        out = b;
        other = a;
    }
    char shown[400];
    (void)gs_escape(shown, sizeof shown, gs_str(other->path));
    if (other->use == GS_CLAIM_READ)
        return gs_fail(err, GS_ERR_USAGE, "%s would overwrite %s, which is read", out->role, shown);
    if (strcmp(out->role, other->role) == 0)
        return gs_fail(err, GS_ERR_USAGE, "%s writes %s twice", out->role, shown);
    return gs_fail(err, GS_ERR_USAGE, "%s and %s both write %s", other->role, out->role, shown);
}

/*
 * All claims are made before the first file is opened for writing. Two readers of one file do
 * not conflict. Standard input may be a file that the shell has opened.
 */
enum gs_status gs_path_claim(struct gs_path_conflicts *c, enum gs_claim_use use, const char *role,
                             const char *path, struct gs_err *err)
{
    bool failed = false;
    const bool stream = strcmp(path, "-") == 0;
    if (stream && use == GS_CLAIM_WRITE_DIR)
        return gs_fail(err, GS_ERR_USAGE, "%s: expected a folder, and standard output is none",
                       role);
    if (c == NULL || (stream && use != GS_CLAIM_READ))
        return GS_OK;
    path = stream ? "/dev/stdin" : path;
    GS_NEW(struct gs_path_claim, k, 1, c->arena, err);
    k->use = use;
    k->role = role;
    k->path = gs_arena_copy(c->arena, path, strlen(path));
    GS_TRY(gs_had_memory(k->path != NULL, err));
    if (!inspect(k, c->arena, &failed))
        return gs_had_memory(!failed, err);
    k->path = stream ? "standard input" : k->path;
    for (const struct gs_path_claim *other = c->first; other != NULL; other = other->next)
        if ((use != GS_CLAIM_READ || other->use != GS_CLAIM_READ) && same(k, other))
            return refuse(k, other, err);
    k->next = c->first;
    c->first = k;
    return GS_OK;
}
