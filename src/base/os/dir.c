/* dir.c - readdir returns NULL at the end and on an error; only errno tells them apart. */
#include "base/os/dir.h"

#include <errno.h>
#include <string.h>

/*
 * NULL in *name with 0 is the end, with an errno a failing disk. A caller that looks at the
 * name alone would take half a directory for all of it.
 */
int gs_dir_next(DIR *dir, const char **name)
{
    for (;;) {
        errno = 0;
        const struct dirent *const e = readdir(dir);
        *name = NULL;
        if (e == NULL)
            return errno;
        *name = e->d_name;
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            return 0;
    }
}
