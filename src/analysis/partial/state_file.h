/* state_file.h - the state of a command's fold in a file: what one shard leaves for `merge`. */
#pragma once

#include "base/core/pack.h"
#include "base/core/sha256.h"
#include "base/os/output.h"

/*
 * A state file, all of it little-endian, counts and texts as pack.h writes them:
 *
 *   bytes   what
 *   16      magic "gpustat state 3\n"
 *   text    version of gpustat that wrote it: states are read by the version that wrote them
 *   text    command
 *   text    gs_fold_layout of its fold: what comes behind is laid out so
 *   count   number of arguments, then each as a text: the options that the answer depends on, as given
 *   count   0: shards of one run's files; 1: parts, each of files of its own
 *   count   shards in all
 *   count   number of shards in here, then each, 1 .. shards in all, ascending
 *   answer  gs_answer_save: the files with their digests, the hosts, and what the fold came to
 *   32      SHA-256 of everything before
 *
 * The bytes depend on the hosts of the shards alone: not on threads, order of rows, or the order of merges.
 */

/* What a state is of. Texts point into the bytes that were read, or to what the writer gave. */
struct gs_state_head {
    struct gs_str version, command, layout;
    struct gs_str *argument; /* [n_arguments] */
    size_t n_arguments;
    bool is_parts;     /* each of files of its own (--part), not of hosts of all files (--shard) */
    uint32_t n_shards; /* of the whole run */
    uint32_t *shard;   /* [n] ascending, from 1 */
    uint32_t n;
};

/* A state file that is being written. Start from `= {0}`. */
struct gs_state_writer {
    struct gs_output file;
    struct gs_sha256 sum;
};

/*
 * A file: its head; then what it holds goes to the sink; then the checksum, and `path` appears whole or not at all.
 * gs_state_abandon is for the end, whatever came before.
 * Errors: those of gs_output_open, gs_output_commit; GS_ERR_MEMORY.
 */
enum gs_status gs_state_begin(struct gs_state_writer *w, const char *path,
                              const struct gs_state_head *head, struct gs_err *err);
struct gs_sink gs_state_sink(struct gs_state_writer *w);
enum gs_status gs_state_end(struct gs_state_writer *w, struct gs_err *err);
void gs_state_abandon(struct gs_state_writer *w);

/* A state file that is being read. */
struct gs_state_reader {
    struct gs_state_head head;
    struct gs_unpacker rest;
};

/* Do these bytes, all of a file or 64 and more of its first, begin a state? GS_ERR_DATA: they do not. */
enum gs_status gs_state_check(const char *name, struct gs_str bytes, struct gs_err *err);

/*
 * Takes the head of a state file whose bytes are given, which must outlive everything read. `name` is escaped.
 * Errors: GS_ERR_DATA for bytes that are no whole state, or of another version.
 */
enum gs_status gs_state_open(const char *name, struct gs_str bytes, const char *version,
                             struct gs_arena *arena, struct gs_state_reader *reader,
                             struct gs_err *err);
