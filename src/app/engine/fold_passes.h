/* fold_passes.h - a run that does not fit into memory, in as many passes over its files as that takes. */
#pragma once

#include "app/engine/fold_part.h"
#include "app/engine/memory_bound.h"
#include "app/engine/state_sum.h"

/*
 * Adds the part to `sum`, whose arena holds nothing else and whose question is asked, in passes that stay below
 * max_memory, of which the first guess is from the files' sizes and every next one from what those before took. The
 * first reads everything, a later one the chunks in which its hosts have rows.
 *
 * A size that is too small is found to be so by trying it. Then larger ones are tried, and `sum` is what came together
 * under the least of them that was seen to work, to within an eighth; `bound` says so and will be refused: what is
 * still to come may take even more.
 *
 * Errors: those of gs_fold_part.
 */
enum gs_status gs_fold_passes(struct gs_shard part, uint64_t max_memory, struct gs_state_sum *sum,
                              struct gs_memory_bound *bound, struct gs_frames *out,
                              struct gs_err *err);
