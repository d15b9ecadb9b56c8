/* load_options.h - how a run is read. */
#pragma once

#include "base/num/timestamp.h"
#include "base/os/path_conflicts.h"
#include "input/import/reject.h"
#include "data/tables/dataset.h"

struct gs_pass_plan;

struct gs_load_options {
    const struct gs_input
        *input; /* [n_inputs] the files, with their forms                        */
    size_t n_inputs;
    bool need[GS_N_TABLES];     /* which tables are read at all                                   */
    bool optional[GS_N_TABLES]; /* ... but may be absent                                          */
    bool places;                /* keep each row's place, for `check`                             */
    bool digest;                /* of every input its SHA-256 is made */
    struct gs_path_conflicts
        *claims;         /* held against the inputs before any is read; NULL: none         */
    bool strict_reader;  /* read with libcsv only: what the scanner is held to             */
    size_t chunk_bytes;  /* bytes that a thread takes at a time; 0: chosen; tests vary it   */
    struct gs_zone zone; /* of times that name none                                        */
    enum gs_duplicates duplicates;
    gs_reject_fn *reject; /* NULL: a malformed row is an error                              */
    void *reject_context;
    bool
        bad_is_missing; /* of what a map reads: a reading that is no number is missing, and said   */
    bool zone_told;     /* times without a zone are told of by the caller                     */
    bool rejects_told;  /* the caller says himself what became of them                     */
    uint32_t shard,
        n_shards; /* only hosts of shard `shard` (from 0), see base/shard.h; n_shards 0: all */
    uint32_t first_input; /* see gs_dataset */
    bool
        own_tasks; /* of a shard: of the task table's names those alone that its events name, the others are missing */
    struct gs_pass_plan *
        pass_plan; /* of several passes over the files, see import/pass_plan.h; NULL: there is one */
    unsigned n_threads;
    uint64_t seed; /* for hash tables; never changes a result                        */
};
