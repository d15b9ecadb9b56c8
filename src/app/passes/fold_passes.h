/* fold_passes.h - a run that does not fit into memory, in as many passes over its files as that takes. */
#pragma once

#include "app/passes/fold_part.h"
#include "app/passes/memory_bound.h"
#include "app/passes/state_sum.h"

/*
 * Adds the part to `sum`, whose arena holds nothing else and whose question is asked, in passes that stay below
 * max_memory, of which the first guess is from the files' sizes and every next one from what those before took. The
 * first reads everything, a later one the chunks in which its hosts have rows.
 *
 * A size that is too small is refused by what was read until then: under the same limit, or where that tells nothing
 * after one more look under 16 MiB, and with a size to type that is estimated.
 *
 * Errors: GS_ERR_USAGE for such a size, and those of gs_fold_part.
 */
enum gs_status gs_fold_passes(struct gs_shard part, uint64_t max_memory, struct gs_state_sum *sum,
                              struct gs_memory_bound *bound, struct gs_frames *out,
                              struct gs_err *err);
