/* state_file.h - the state of a command's fold in a file: what one shard leaves for `merge`. */
#ifndef GPUSTAT_STATE_FILE_H
#define GPUSTAT_STATE_FILE_H

#include "base/pack.h"

/*
 * A state file, all of it little-endian, counts and texts as pack.h writes them:
 *
 *   bytes   what
 *   16      magic "gpustat state 2\n"
 *   text    version of gpustat that wrote it: states are read by the version that wrote them
 *   text    command
 *   text    gs_fold_layout of its fold: what comes behind is laid out so
 *   count   number of arguments, then each as a text: the options that the answer depends on, as given
 *   count   shards in all
 *   count   number of shards in here, then each, 1 .. shards in all, ascending
 *   answer  gs_answer_save: what was read, and what the fold came to
 *   32      SHA-256 of everything before
 *
 * The bytes depend on the hosts of the shards alone: not on threads, order of rows, or the order of merges.
 */

/* What a state is of. Texts point into the bytes that were read, or to what the writer gave. */
struct gs_state_head {
    struct gs_str version, command, layout;
    struct gs_str *argument; /* [n_arguments] */
    size_t n_arguments;
    uint32_t n_shards; /* of the whole run */
    uint32_t *shard;   /* [n] ascending, from 1 */
    uint32_t n;
};

/*
 * A file: its head, to which what it holds is appended; then the checksum, and the bytes in `path`, which appears whole or
 * not at all. Errors: those of gs_output_commit; GS_ERR_MEMORY.
 */
void gs_state_begin(const struct gs_state_head *head, struct gs_buf *b);
enum gs_status gs_state_end(const char *path, struct gs_buf *b, struct gs_err *err);

/* A state file that is being read. */
struct gs_state_reader {
    struct gs_state_head head;
    struct gs_unpacker rest;
};

/*
 * Takes the head of a state file whose bytes are given, which must outlive everything read. `name` is escaped.
 * Errors: GS_ERR_DATA for bytes that are no whole state, or of another version.
 */
enum gs_status gs_state_open(const char *name, struct gs_str bytes, const char *version, struct gs_arena *arena,
                             struct gs_state_reader *reader, struct gs_err *err);

#endif
