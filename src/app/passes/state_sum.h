/* state_sum.h - the states of a command's parts, added up. */
#pragma once

#include "app/passes/partial_result.h"
#include "app/passes/memory_bound.h"
#include "analysis/partial/state_file.h"

/* States that come together. Start from {.question = q, .arena = a}; everything lives there. */
struct gs_state_sum {
    struct gs_query question;
    struct gs_arena *arena;
    struct gs_partial_result answer;
    bool any;
    /* of states of this process: where rows of hosts are; NULL: in the bytes */
    struct gs_scratch_file *file;
};

/* Adds an answer's bytes, which must stay where rows of hosts are in them. Errors: GS_ERR_DATA as gs_answer_load; those of gs_answer_add. */
enum gs_status gs_state_sum_add(struct gs_state_sum *sum, struct gs_unpacker *bytes,
                                struct gs_err *err);

/*
 * Prints or, with --partial, writes what has come together; that is to stay below `bound` (NULL: none), else no file is
 * there. `head` names the shards that are in it.
 */
enum gs_status gs_state_sum_finish(const struct gs_state_sum *sum, const struct gs_state_head *head,
                                   const char *partial, const struct gs_memory_bound *bound,
                                   struct gs_frames *out, struct gs_err *err);
