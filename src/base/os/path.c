/* path.c - links are followed by hand: realpath gives up on one that dangles. */
#include "base/os/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/text.h"
#include "base/num/order.h"

size_t gs_path_dir_len(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/*
 * A link to a file that does not exist yet must give that file's place: `-o link` then creates
 * the target as `>` would. Links that run in a circle give the path itself, and opening it
 * reports why.
 */
const char *gs_path_target(struct gs_arena *arena, const char *path)
{
    enum { LINKS_MAX = 40 }; /* as Linux itself */
    char real[PATH_MAX];
    const char *at = path;
    if (realpath(path, real) != NULL)
        return gs_arena_copy(arena, real, strlen(real));
    for (int i = 0; i < LINKS_MAX; i++) {
        const ssize_t n = readlink(at, real, sizeof real - 1);
        if (n <= 0)
            return gs_arena_copy(arena, at, strlen(at));
        struct gs_buf next = {.arena = arena};
        if (real[0] != '/')
            gs_buf_bytes(&next, at, gs_path_dir_len(at));
        gs_buf_bytes(&next, real, (size_t)n);
        if (next.failed)
            return NULL;
        at = next.ptr;
    }
    return gs_arena_copy(arena, path, strlen(path));
}

/* The directory of a path, links followed, with a slash at its end; false where it cannot be looked at. */
static bool real_directory(const char *path, char real[PATH_MAX])
{
    char dir[PATH_MAX] = ".";
    const size_t n = gs_path_dir_len(path);
    if (n >= sizeof dir)
        return false;
    memcpy(dir, path, n);
    dir[gs_max(n, 1)] = '\0';
    if (realpath(dir, real) == NULL)
        return false;
    const size_t len = strlen(real);
    if (len + 2 > PATH_MAX)
        return false;
    if (len > 1)
        memcpy(real + len, "/", 2);
    return true;
}

/*
 * Works on real directories, because ".." through a symbolic link leads out of the link's
 * target.
 */
const char *gs_path_from(struct gs_arena *arena, const char *beside, const char *file)
{
    char from[PATH_MAX], to[PATH_MAX];
    struct gs_buf b = {.arena = arena};
    if (!real_directory(beside, from) || !real_directory(file, to))
        return NULL;
    size_t same = 0; /* bytes of the directories that both are in */
    for (size_t i = 0; from[i] != '\0' && from[i] == to[i]; i++)
        if (from[i] == '/')
            same = i + 1;
    for (size_t i = same; from[i] != '\0'; i++)
        if (from[i] == '/')
            gs_buf_text(&b, "../");
    gs_buf_text(&b, to + same);
    gs_buf_text(&b, file + gs_path_dir_len(file));
    return gs_buf_whole(&b);
}

void gs_path_put(struct gs_buf *b, const char *dir, const char *name)
{
    const size_t n = strlen(dir);
    gs_buf_bytes(b, dir, n);
    gs_buf_text_if(b, n > 0 && dir[n - 1] != '/', "/");
    gs_buf_text(b, name);
}

struct gs_str gs_path_unpacked(struct gs_str path)
{
    static const char *const packed[] = {".gz", ".xz", ".zst"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (path.len > strlen(packed[i]) && gs_str_ends(path, packed[i]))
            return gs_str_part(path, 0, path.len - strlen(packed[i]));
    return path;
}

struct gs_str gs_path_take_last(struct gs_str *path)
{
    const size_t n = gs_str_until_back(*path, path->len, "/");
    const struct gs_str last = path->ptr == NULL ? GS_NO_STR : gs_str_after(*path, n);
    *path = n == 0 ? GS_NO_STR : gs_str_part(*path, 0, n - 1);
    return last;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int gs_path_match(const char *pattern, glob_t *found)
{
    *found = (glob_t){0};
    const int code = glob(pattern, GLOB_NOSORT, NULL, found);
    if (code != 0) {
        globfree(found);
        *found = (glob_t){0};
    } else {
        GS_SORT(found->gl_pathv, found->gl_pathc, by_bytes);
    }
    return code;
}

bool gs_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
