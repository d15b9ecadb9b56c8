/* state_sum.h - the states of a command's parts, added up. */
#ifndef GPUSTAT_STATE_SUM_H
#define GPUSTAT_STATE_SUM_H

#include "args/fold_command.h"

/* States that come together. Start from {.arena = a}; everything lives there. */
struct gs_state_sum {
    struct gs_arena *arena;
    struct gs_fold_job job;
    struct gs_facts facts;
    bool any;
};

/* Adds what a state file holds behind its head; its bytes must stay. Errors: GS_ERR_DATA as gs_state_take. */
enum gs_status gs_state_sum_add(struct gs_state_sum *sum, struct gs_state_reader *reader, struct gs_err *err);

/*
 * Prints or, with --partial, writes what has come together, for the options that `parsed` holds.
 * `head` names the shards that are in it.
 */
enum gs_status gs_state_sum_finish(const struct gs_state_sum *sum, const struct gs_command *command, const void *parsed,
                                   const struct gs_state_head *head, const char *partial,
                                   const struct gs_context *context, struct gs_frames *out, struct gs_err *err);

#endif
