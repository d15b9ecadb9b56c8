/* run.h - the program without a process around it: what main() and the tests call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "app/cli/defaults.h"

/* The outside world, looked at once by main(). */
struct gs_streams {
    FILE *out, *err;
    const char *program; /* what messages call the program; NULL: as argv[0] was installed */
    bool out_terminal, err_terminal;
    bool no_color;        /* NO_COLOR asks for none                                            */
    bool unicode;         /* the terminal's character set is UTF-8                             */
    unsigned width;       /* columns of the terminal, 0: not a terminal, or it would not say   */
    unsigned lines;       /* lines of the terminal, likewise                                   */
    const char *temp_dir; /* for what is too large to be held back in memory; NULL: none   */
    struct gs_default_sources defaults;
    const char *pager; /* a command line for the shell, or NULL */
    uint64_t seed;     /* of hash tables: random, so that input cannot be made to collide   */
};

/*
 * Does what the command line asks for and returns the exit code. Nothing reaches `out` when the command
 * fails; `out` is flushed and checked, so that a full disk is an error (74).
 *
 * Memory: everything is released on return.
 */
int gs_main(int argc, const char *const *argv, const struct gs_streams *streams);
