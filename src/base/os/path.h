/* path.h - resolves symbolic links of a path, also where the target does not exist yet. */
#pragma once

#include <glob.h>
#include <stdbool.h>

#include "base/core/text.h"

/*
 * The path of the file that opening `path` for writing would reach or create: links are followed, a dangling one to
 * the name that it holds. `path` itself where it leads in circles. NULL when memory ran out. Lives in `arena`.
 */
const char *gs_path_target(struct gs_arena *arena, const char *path);

/* How many bytes of `path` name its directory, up to and with the last slash; 0: the current one. */
size_t gs_path_dir_len(const char *path);

/* The part of `path` behind its directory. */
static inline const char *gs_path_last(const char *path)
{
    return path + gs_path_dir_len(path);
}

/* Appends the path of a file in a directory; "": the current one. */
void gs_path_put(struct gs_buf *b, const char *dir, const char *name);

/* Takes the ending of compression off a path: .gz, .xz, .zst. */
struct gs_str gs_path_unpacked(struct gs_str path);

/* Takes the last component off a path, and the slash in front; missing where none is left, as *path is then. */
struct gs_str gs_path_take_last(struct gs_str *path);

/*
 * `file` as it is called from the directory of `beside`, which need not exist: "../run/gpu.csv". Links in both their
 * directories are followed. NULL where a directory cannot be looked at or memory ran out. Lives in `arena`.
 */
const char *gs_path_from(struct gs_arena *arena, const char *beside, const char *file);

/*
 * As glob, the paths in the order of their bytes: that of glob depends on the locale. After anything but 0 there are none;
 * to be freed with globfree in any case.
 */
int gs_path_match(const char *pattern, glob_t *found);

/* Is there a directory? */
bool gs_is_directory(const char *path);
