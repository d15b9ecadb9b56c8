/* dir.h - lists the entries of a directory and tells its end from an error. */
#pragma once

#include <dirent.h>

/*
 * The name of the next entry but . and .., NULL at the end. Returns 0 or an errno, after which there is no next one.
 * Memory: the name is the directory's, until the next call.
 */
int gs_dir_next(DIR *dir, const char **name);
