/* manifest.h - split.json: how far a split is, and which of its files holds the hosts of which shard. */
#ifndef GPUSTAT_MANIFEST_H
#define GPUSTAT_MANIFEST_H

#include "base/core/sha256.h"
#include "input/import/load_options.h"

#define GS_MANIFEST_NAME "split.json"

/* A file of the split. */
struct gs_manifest_part {
    const char *name; /* in the directory                              */
    uint32_t shard;   /* of the hosts in it, from 1; 0: it is of all   */
    uint64_t n_rows, n_bytes;
};

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
 * Marks those of the inputs that a split has made and that hold no host of the shard that is loaded, of a number
 * of shards that need not be that of the parts: these are not even opened. *whole is the manifest of the last such
 * split, if there was one.
 * Errors: GS_ERR_DATA for a file that is to be read and has another size than the split left it with; GS_ERR_MEMORY.
 */
enum gs_status gs_manifest_leave_out(struct gs_input *input, size_t n,
                                     const struct gs_load_options *o, struct gs_arena *arena,
                                     struct gs_manifest *whole, struct gs_err *err);

#endif
