/* split_mapped.h - the rows of a run in any form, dealt out by host as tables of one kind with a map beside them. */
#pragma once

#include "input/import/mapper.h"
#include "app/cluster/split.h"

/*
 * Writes what each source of the map says to OUT/ROLE-SOURCE-NUMBER.csv.zst, where the number is that of the host's shard,
 * events of several hosts and of all to OUT/ROLE-SOURCE-all.csv.zst, and OUT/gpustat.json, the map of these files: OUT
 * answers as the first run does. Samples that name no host are gs_map_host's. Interrupted, it goes on with the first file that
 * was not settled; whether sources belong together is then left to who reads the parts.
 *
 * Appends the frame "split", and notes of what the forms set aside.
 * Errors: those of gs_split_out_open, gs_map_host, gs_map_file and gs_map_agree.
 * Memory: about 2 MiB a part, and what the mapper keeps of one file.
 */
enum gs_status gs_split_mapped(struct gs_map *map, const struct gs_split_options *o,
                               const struct gs_mapper_options *mapper, bool zone_given,
                               struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);
