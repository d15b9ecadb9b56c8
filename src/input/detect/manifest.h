/* manifest.h - split.json, the manifest of a split: its progress, and which file holds which shard. */
#pragma once

#include "base/core/sha256.h"
#include "input/import/load_options.h"

#define GS_MANIFEST_NAME "split.json"

/* A file of the split. */
struct gs_manifest_part {
    const char *name; /* in the directory                              */
    uint32_t shard;   /* of the hosts in it, from 1; 0: it is of all   */
    uint64_t n_rows, n_bytes;
    char sha256[GS_SHA256_HEX]; /* of its bytes; empty while it is written */
};

/*
 * The last bytes of every file of a split: a frame that zstd skips. It tells a part whose split.json was lost or
 * damaged from a file that somebody else calls so.
 */
#define GS_MANIFEST_MARK "\x5e\x2a\x4d\x18\x10\0\0\0gpustat.split/1\n"
enum { GS_MANIFEST_MARK_BYTES = sizeof GS_MANIFEST_MARK - 1 };

struct gs_manifest {
    char inputs
        [GS_SHA256_HEX]; /* digest of the inputs' names, sizes and times, and of the number of shards */
    bool complete; /* files have their names                                                    */
    uint32_t n_shards;
    uint64_t input;                /* the input being dealt                           */
    uint64_t offset, line, n_rows; /* of its plain bytes, that are dealt and settled  */
    struct gs_str
        first_host; /* the least host: on it events of all hosts count; missing: not kept */
    bool
        first_is_of_samples; /* ... of those with samples; else no host has any                    */
    struct gs_manifest_part *part; /* [n_parts] */
    size_t n_parts;
};

/*
 * Reads DIR/split.json; everything lives in `arena`.
 * Errors: GS_ERR_NOINPUT where there is none; GS_ERR_DATA for a file that no split wrote; GS_ERR_MEMORY.
 */
enum gs_status gs_manifest_read(const char *dir, struct gs_arena *arena, struct gs_manifest *m,
                                struct gs_err *err);

/* Writes DIR/split.json, whole or not at all. */
enum gs_status gs_manifest_write(const char *dir, const struct gs_manifest *m, struct gs_err *err);

/*
 * A directory that a split has made: are all its parts there, each as large as it was? Else nothing is checked.
 * Errors: GS_ERR_DATA, naming the part or split.json; GS_ERR_MEMORY.
 */
enum gs_status gs_manifest_check(const char *dir, uint64_t seed, struct gs_err *err);

/*
 * Finds the inputs that a split has made: notes the digest and rows they were left with, and marks those that hold no
 * host of the shard that is loaded, of a number of shards that need not be that of the parts: these are not even
 * opened. *whole is the manifest of the last such split, if a shard is loaded.
 * Errors: GS_ERR_DATA where any part of such a split is missing or of another size than the split left it with, and for a
 *         part whose split.json is missing, damaged or not complete, or a table beside its parts; GS_ERR_MEMORY.
 */
enum gs_status gs_manifest_leave_out(struct gs_input *input, size_t n,
                                     const struct gs_load_options *o, struct gs_arena *arena,
                                     struct gs_manifest *whole, struct gs_err *err);
