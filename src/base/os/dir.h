/* dir.h - the entries of a directory, whose end is not taken for an error nor an error for its end. */
#pragma once

#include <dirent.h>

/*
 * The name of the next entry but . and .., NULL at the end. Returns 0 or an errno, after which there is no next one.
 * Memory: the name is the directory's, until the next call.
 */
int gs_dir_next(DIR *dir, const char **name);
