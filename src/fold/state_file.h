/* state_file.h - the state of a command's fold in a file: what one shard leaves for `merge`. */
#ifndef GPUSTAT_STATE_FILE_H
#define GPUSTAT_STATE_FILE_H

#include "os/output.h"
#include "fold/fold.h"

/*
 * A state file, all of it little-endian, counts and texts as pack.h writes them:
 *
 *   bytes   what
 *   16      magic "gpustat state 1\n"
 *   text    version of gpustat that wrote it: states are read by the version that wrote them
 *   text    command
 *   count   number of arguments, then each as a text: the options that the answer depends on, as given
 *   count   shards in all
 *   count   number of shards in here, then each, 1 .. shards in all, ascending
 *   facts   gs_facts_save: what was read
 *   state   gs_state_save: what the fold came to
 *   32      SHA-256 of everything before
 *
 * The bytes depend on the hosts of the shards alone: not on threads, order of rows, or the order of merges.
 */

/* What a state is of. Texts point into the bytes that were read, or to what the writer gave. */
struct gs_state_head {
    struct gs_str version, command;
    struct gs_str *argument; /* [n_arguments] */
    size_t n_arguments;
    uint32_t n_shards; /* of the whole run */
    uint32_t *shard;   /* [n] ascending, from 1 */
    uint32_t n;
};

/*
 * Writes head, facts and the job's state to `path`, which appears whole or not at all.
 * Errors: those of gs_output_commit; GS_ERR_MEMORY.
 * Memory: the file's size, given back.
 */
enum gs_status gs_state_write(const char *path, const struct gs_state_head *head, const struct gs_facts *facts,
                              const struct gs_fold_job *job, struct gs_err *err);

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

/*
 * Takes the facts and the state, for the job whose fold and options are given; everything lives in `arena`.
 * Errors: GS_ERR_DATA for bytes that this fold cannot have written.
 */
enum gs_status gs_state_take(struct gs_state_reader *reader, struct gs_facts *facts, struct gs_fold_job *job,
                             struct gs_arena *arena, struct gs_err *err);

#endif
