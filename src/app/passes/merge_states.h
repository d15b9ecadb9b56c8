/* merge_states.h - the result of shards from the states that they left. */
#pragma once

#include "app/passes/state_sum.h"

/*
 * Merges the state files and appends the frames that their command makes of the whole run to `out`; with `partial` the
 * merged state is written there instead, of whatever shards there are. Needs context->find.
 *
 * Errors: GS_ERR_DATA, naming the file, for what is no state, is damaged, of another version, command, options or
 *         number of shards, or holds a shard that another holds; for missing shards; GS_ERR_NOINPUT; GS_ERR_MEMORY.
 * Memory: the states' bytes and what they hold live in the context's arena.
 */
enum gs_status gs_merge_states(const struct gs_list *paths, const char *partial,
                               const struct gs_context *context, struct gs_frames *out,
                               struct gs_err *err);
