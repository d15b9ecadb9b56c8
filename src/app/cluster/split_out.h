/* split_out.h - the directory that a split makes: whose it is, its files, how far it is. */
#pragma once

#include "data/result/frame.h"
#include "input/detect/manifest.h"
#include "app/cluster/split.h"
#include "app/cluster/split_parts.h"

struct gs_split_out {
    const char *dir;
    struct gs_arena *arena;
    struct gs_manifest at; /* how far it is, with the parts so far          */
    struct gs_part **part; /* [at.n_parts] whose sizes these are            */
    size_t capacity;
    /* [n_known] as an earlier run left them, in their order */
    const struct gs_manifest_part *known;
    size_t n_known;
    bool goes_on; /* an earlier run began */
    int held;     /* the directory, locked against other splits; -1: not */
};

/* An input as the digest sees it: a file of another name, size, time or role is another. */
struct gs_split_input {
    const char *path, *name; /* name: escaped */
    int role;
};

/*
 * Makes o->out for o->n_parts shards, or goes on with what an earlier split of the same inputs, `how` they are read
 * and number of shards has left there; out->at says where.
 * To be closed in any case.
 * Errors: GS_ERR_CANTCREATE where it holds something else or another split is at work; GS_ERR_NOINPUT for an input
 *         that is no file; GS_ERR_DATA.
 */
enum gs_status gs_split_out_open(struct gs_split_out *out, const struct gs_split_options *o,
                                 const struct gs_split_input *input, size_t n_inputs,
                                 struct gs_str how, struct gs_arena *arena, struct gs_err *err);

void gs_split_out_close(struct gs_split_out *out);

/* The next part: its name, whose hosts it holds (0: rows of all), where an earlier run has got to. It is not opened. */
enum gs_status gs_split_out_add(struct gs_split_out *out, const char *name, uint32_t shard,
                                struct gs_part *part, struct gs_err *err);

/* split.json says how far all is, with the parts' sizes; to be called when these are on disk. */
enum gs_status gs_split_out_write(struct gs_split_out *out, struct gs_err *err);

/* Writes OUT/gpustat.json. */
enum gs_status gs_split_out_map(const struct gs_split_out *out, const struct gs_map *map,
                                struct gs_err *err);

/* All is written: the files get their names, then split.json says so. */
enum gs_status gs_split_out_complete(struct gs_split_out *out, struct gs_err *err);

/* Appends the frame "split", a row per file, and a note of the rows in all. */
enum gs_status gs_split_out_frame(const struct gs_split_out *out, struct gs_frames *frames,
                                  struct gs_err *err);
