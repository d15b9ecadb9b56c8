/* shard.h - which shard a host belongs to: the one rule of --shard, split and merge. */
#pragma once

#include <stdint.h>

#include "base/core/text.h"

enum { GS_SHARDS_MAX = 1 << 16 };

/*
 * The shard, 0 .. n - 1, of the host with this name. It depends on the name's bytes and n alone, on every machine
 * and in every version: states and files that shards left behind stay valid.
 */
uint32_t gs_shard_of(struct gs_str host, uint32_t n);
