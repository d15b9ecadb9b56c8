/* pager.h - an answer that is longer than the terminal goes through the user's pager. */
#pragma once

#include <stdio.h>
#include <sys/types.h>

#include "base/os/spool.h"

/* A running pager; `to` is its standard input. */
struct gs_pager {
    FILE *to;
    pid_t pid;
};

/* Does what the spool holds take more than `lines` lines? False where that is unknown (0). */
bool gs_pager_wanted(const struct gs_spool *spool, unsigned lines);

/* Starts the words of `command` as a program; false, and nothing, where there is no such program. */
bool gs_pager_start(struct gs_pager *p, const char *command);

/* Waits until the reader leaves. */
void gs_pager_finish(struct gs_pager *p);
