/* cleanup.h - removes temporary files and stops child programs when the process ends. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/core/text.h"

/* One of them. Valid when zeroed; the owner keeps it in place while it is listed. */
struct gs_cleanup {
    struct gs_cleanup *next, **link; /* link NULL: not listed                             */
    const char *path;                /* to be removed, NULL: none; a directory's files first */
    bool is_dir;
    pid_t pid;           /* to be ended, 0: none                              */
    struct gs_str words; /* for standard error where a signal ends the process; missing: none */
};

/* Making something and listing it are one step: both between these. Not to be held while waiting for anything. */
void gs_cleanup_block(void);
void gs_cleanup_unblock(void);

/* No signal ends the process between these: for what must not be half done and takes a bounded time. */
void gs_cleanup_delay(void);
void gs_cleanup_allow(void);

/* Lists it; between hold and release. */
void gs_cleanup_add(struct gs_cleanup *l);

/* It is gone, or stays: no longer listed. Nothing where it was not. */
void gs_cleanup_drop(struct gs_cleanup *l);

/* Waits for a listed program to end and drops it before its number can be another's. Returns 0 or an errno. */
int gs_cleanup_wait(struct gs_cleanup *l, int *status);

/*
 * Ends and removes all that is listed. For whoever ends the process: nothing can be listed any more, hold waits
 * forever. Not from a signal handler.
 */
void gs_cleanup_run(void);

/* Removes a directory and the files in it, none deeper. Takes no memory of ours. */
void gs_remove_dir(const char *path);
