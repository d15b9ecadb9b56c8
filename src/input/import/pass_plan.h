/* pass_plan.h - what the first pass over the inputs learns, so that later passes read less of them. */
#pragma once

#include "input/import/bind.h"
#include "data/tables/dataset.h"

struct gs_reader;
struct gs_load_options;

enum { GS_PASS_REACHES = 2 }; /* of a host: its checkpoints, its samples */

/* The chunks, numbered over all files, in which rows of somebody begin; n_rows 0: in none. */
struct gs_reach {
    uint64_t n_rows;
    uint32_t first, last;
};

/* A chunk of a plain file, as the first pass found it; behind them one for each file, of those that are read in order. */
struct gs_pass_plan_chunk {
    uint64_t begin, end; /* the first byte of its first row, and of the row behind its last */
    uint64_t n_rows, n_lines;
    bool
        is_faulty; /* it holds malformed rows, or rows of whom is not known: every pass looks at it */
};

struct gs_pass_plan_host {
    struct gs_reach reach[GS_PASS_REACHES];
    uint32_t pass; /* the one that keeps its rows */
};

#define GS_PASS_NEVER UINT32_MAX /* no pass keeps the host any more */

/*
 * The files of a run and their hosts. Start from {.arena = a, .seed = s} and load with it: that is the first pass, and
 * keeps what its shard says. Then every load keeps the hosts whose `pass` is `present`, and passes over the chunks and
 * rows of all others: that they are sound is known.
 * Cost: 40 bytes a host and a chunk of 256 KiB, and the names.
 */
struct gs_pass_plan {
    struct gs_arena *arena;
    uint64_t seed;
    uint32_t shard,
        n_shards; /* of the run: what all passes together are to look at; n_shards 0 or 1: all of it */
    bool again;   /* the files have been read before, in an attempt that is not counted        */
    bool learned; /* the first pass is done                                                  */
    bool scans;   /* ... and the scanner's reading of it counts                              */
    bool skips;   /* ... and saw whose rows stand where: chunks of others may be passed over */
    uint32_t present;
    size_t n_files;
    struct gs_pass_plan_file {
        uint64_t size;
        int64_t changed_ns;
    } * file; /* [n_files] to notice a change between passes */
    size_t n_chunks;
    struct gs_pass_plan_chunk *chunk;
    struct gs_intern
        pool[GS_N_POOLS]; /* of names but those of tasks: a later pass knows them all, too */
    struct gs_pass_plan_host *of; /* [hosts of the pool] */
};

/* The pass_plan once it is of passes before; NULL: there were none. */
static inline const struct gs_pass_plan *gs_pass_plan_learned(const struct gs_pass_plan *s)
{
    return s != NULL && s->learned ? s : NULL;
}

/* A shard of a run. */
struct gs_pass_plan_shard {
    uint32_t shard, n_shards;
};

/* The shard in whose files a load looks: its own, or where there are several passes that of all of them. */
struct gs_pass_plan_shard gs_pass_plan_shard(const struct gs_load_options *o);

/* Does the present pass, which is not the first, keep this host? */
bool gs_pass_plan_keeps(const struct gs_pass_plan *s, struct gs_str host);

/* Rows of a host: what it weighs among others. */
uint64_t gs_pass_plan_rows(const struct gs_pass_plan_host *host);

/*
 * Before a pass reads: remembers the files, or refuses those that are not what they were.
 * Errors: GS_ERR_DATA for a file that changed between passes; GS_ERR_USAGE for one that can be read once only, standard
 *         input, and is read again; GS_ERR_MEMORY.
 */
enum gs_status gs_pass_plan_files(struct gs_pass_plan *s, const struct gs_dataset *d,
                                  struct gs_err *err);

/* After the first pass: its names, its hosts and where their rows stand; the chunks are the caller's to give. */
enum gs_status gs_pass_plan_learn(struct gs_pass_plan *s, struct gs_reader *const *reader, size_t n,
                                  struct gs_err *err);

/* Makes all names known to a reader of a later pass. */
enum gs_status gs_pass_plan_seed(const struct gs_pass_plan *s, struct gs_reader *reader,
                                 struct gs_err *err);

/* Which chunks the present pass needs: wanted[n_chunks]. */
void gs_pass_plan_wanted(const struct gs_pass_plan *s, bool *wanted);
