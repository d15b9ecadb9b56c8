/* fold_part.h - a part of a run through a command's folds. */
#pragma once

#include "app/passes/partial_result.h"

struct gs_pass_plan;

/* Which part of the run: shard (from 0) of n. */
struct gs_shard {
    uint32_t shard, n;
    /* of a part of files of its own: the numbers they have; else 0 */
    uint32_t first_input, n_inputs;
};

/*
 * Reads a part of the run into the context's arena and folds it; `alone`: this is all of it, and nothing is added. With a pass_plan it is one of several passes: the first
 * is of the part's hosts, the later ones are of those that the pass_plan keeps, see import/pass_plan.h; rows of hosts then go to
 * the context's scratch file where that is open.
 */
enum gs_status gs_fold_part(const struct gs_query *q, struct gs_shard part, bool alone,
                            struct gs_pass_plan *pass_plan, struct gs_partial_result *answer,
                            struct gs_frames *out, struct gs_err *err);
