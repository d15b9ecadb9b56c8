/* split.h - deals the rows of a run's tables out to files by host, in bounded memory. */
#pragma once

#include "data/result/frame.h"
#include "input/import/load.h"
#include "input/schema/map.h"

enum {
    GS_SPLIT_PARTS_MAX = 1000
}; /* two tables of them, and the others, are inputs that a place can name */

struct gs_split_options {
    struct gs_load_options inputs; /* as the run's map was made with; and its n_threads */
    const char *out;               /* the directory to be made, or one that an earlier run began */
    uint32_t n_parts;
};

/* Can the rows of a map be dealt out as they stand? They are the study's own tables, whose hosts are called as their cells say. */
bool gs_split_keeps_rows(const struct gs_map *map);

/*
 * Of such a map, writes every row of those with hosts to OUT/STEM-NUMBER.csv.zst, where gs_shard_of(host, n_parts) + 1 is the
 * number, the others (tasks) whole to OUT/STEM.csv.zst, rows byte for byte and in their order, each file with its
 * header, and OUT/gpustat.json, the map of these files. OUT is then a run that answers as the first one does, and a shard's files alone are that shard.
 * Inputs of one table whose headers differ go to files of their own, numbered on.
 *
 * An interrupted split goes on where it was last settled (every GiB of input), if the inputs are still the same.
 * Files get their names when all is written; OUT/split.json says how far it is.
 *
 * Appends the frame "split": a row per file, with its rows and bytes.
 * Errors:  GS_ERR_DATA "FILE:LINE: ..." for a row that cannot be split or names no host; GS_ERR_CANTCREATE where OUT
 *          holds something else; GS_ERR_IO; GS_ERR_MEMORY.
 * Memory:  4 MiB a thread and about 2 MiB a part (less each where parts are many), whatever the size of the data.
 * Cost:    one pass over the bytes; the same files for any number of threads.
 */
enum gs_status gs_split(const struct gs_map *map, const struct gs_split_options *o,
                        struct gs_arena *arena, struct gs_frames *out, struct gs_err *err);
