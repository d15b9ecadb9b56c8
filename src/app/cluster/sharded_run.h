/* sharded_run.h - a command over the shards of a run as jobs of a cluster, in a folder that all machines see. */
#pragma once

#include "base/core/status.h"
#include <stdint.h>

#include "app/options/command.h"
#include "base/core/text.h"
#include "base/os/cleanup.h"

struct gs_sharded_run {
    /* [n_words] the program and the command with its options, without those of shards */
    const char *const *word;
    size_t n_words;
    const char *folder; /* where states and logs go */
    uint32_t n_shards;
    const char *const *option; /* [n_options] further words for sbatch */
    size_t n_options;
    const char *const *merge_option; /* [n_merge_options] likewise, for the merge */
    size_t n_merge_options;
    /* the command with its options and shards, one word a line; missing: whatever it was */
    struct gs_str question;
    const char *data; /* digest of the files' names, sizes and times              */
    const struct gs_context *context;
    /* locks of the folder: for as long as it is used, and while jobs are submitted */
    int held, submits;
    bool is_new; /* the folder was made or begun by this run                                     */
    struct gs_cleanup at_end;
};

/*
 * Makes the folder, or takes up one of the same question over the same data, and locks it: another run of it waits
 * while this one submits, and then joins its jobs. gs_sharded_close is for the end. Without a question the folder must be
 * there, of any question and data.
 * Errors: GS_ERR_CANTCREATE for a folder with other files or another question, GS_ERR_DATA for one of other data,
 *         GS_ERR_NOINPUT where it must be there and is not.
 */
enum gs_status gs_sharded_open(struct gs_sharded_run *r, struct gs_arena *arena,
                               struct gs_err *err);
void gs_sharded_close(struct gs_sharded_run *r);

/* Takes the jobs back that are still in the queue; what is computed stays. */
enum gs_status gs_sharded_cancel(struct gs_sharded_run *r, struct gs_arena *arena,
                                 struct gs_err *err);

/* The state of shard i (from 1), and of all of them; in `arena`, NULL without memory. */
const char *gs_sharded_state(const struct gs_sharded_run *r, uint32_t i, struct gs_arena *arena);
const char *gs_sharded_merged(const struct gs_sharded_run *r, struct gs_arena *arena);

/*
 * Submits what is not yet there: an array with the shards whose state is missing, and a merge that depends on it. A
 * run whose jobs are still in the queue is left to them. Stores whether anything had to be submitted.
 * Errors: GS_ERR_CANTCREATE, GS_ERR_IO, GS_ERR_UNAVAILABLE, GS_ERR_MEMORY.
 */
enum gs_status gs_sharded_submit(struct gs_sharded_run *r, struct gs_arena *arena,
                                 size_t *n_submitted, struct gs_err *err);

/*
 * Waits until the jobs are done and all states are there.
 * Errors: where a shard is missing in the end, the status with which its task ended (GS_ERR_AGAIN where Slurm ended
 *         it), naming the shard, what became of it and its log.
 */
enum gs_status gs_sharded_wait(const struct gs_sharded_run *r, struct gs_arena *arena,
                               struct gs_err *err);

/* Removes the folder and what this run put there, unless another run of the question still uses it. */
void gs_sharded_remove(const struct gs_sharded_run *r, struct gs_arena *arena);
