/* replayable_input.h - keeps inputs that can be read once only, such as pipes, so that they can be read again. */
#pragma once

#include <stdbool.h>

#include "base/core/arena.h"
#include "base/core/status.h"

/* Is `path` ("-" is standard input) a regular file, which can be read as often as one likes? Then *is says more. */
struct stat;
bool gs_stat_regular(const char *path, struct stat *is);
bool gs_is_regular(const char *path);

/*
 * Keeps what a pipe, a socket or a terminal has to say until its end in a file without name and puts it in its place:
 * "-" and /dev/fd/N are regular files from then on, which lasts as long as the process; of a FIFO with a name
 * *path becomes /dev/fd/N, which is called by that name (gs_file_called). A regular file on standard input that was
 * read in part gives the rest. Everything else stays as it is.
 *
 * Errors: GS_ERR_IO where it cannot be read or takes more than half of what is free in `dir`; GS_ERR_DATA for 256 MiB of
 *         one line again and again, which has no end; GS_ERR_MEMORY. What cannot be opened is left to its reader.
 * Memory: a name that is new lives in `arena`; where `dir` takes no file the bytes are in memory.
 */
enum gs_status gs_input_replayable(const char **path, const char *dir, struct gs_arena *arena,
                                   struct gs_err *err);
