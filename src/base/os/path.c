/* path.c - links are followed by hand: realpath gives up on one that dangles. */
#include "base/os/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/text.h"

size_t gs_path_dir_len(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

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

bool gs_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
