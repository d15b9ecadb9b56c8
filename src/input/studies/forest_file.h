/* forest_file.h - a forest as a file: JSON, schema gpustat.forest/1. */
#pragma once

#include "data/tables/forest.h"

#define GS_FOREST_SCHEMA "gpustat.forest/1"

/* clang-format off */
enum { GS_FOREST_FILE_MAX = 256 << 20 }; /* bytes */

/*
 * Appends the forest as JSON, the same bytes for the same forest. Read back it predicts the same to the bit.
 * Errors:  GS_ERR_MEMORY.
 */
enum gs_status gs_forest_write(const struct gs_forest *forest, struct gs_buf *out, struct gs_err *err);

/*
 * Reads a forest (plain or compressed, "-" is standard input) and checks it with gs_forest_check: whatever
 * the bytes, what is returned can be walked.
 * Errors:  GS_ERR_NOINPUT; GS_ERR_IO; GS_ERR_DATA for what is not JSON, another schema, missing or
 *          contradictory members ("FILE: time: tree 3: node 7: its right child is not a later node"), for bytes
 *          that are not those of "sha256" (where there is none, as in files of version 0.2, it is not asked for), and
 *          for more than GS_FOREST_FILE_MAX bytes; GS_ERR_MEMORY.
 * Memory:  lives in `arena`.
 */
enum gs_status gs_forest_read(const char *path, struct gs_arena *arena, struct gs_forest *forest,
                              struct gs_err *err);

/* The same from bytes; `name` starts messages and is already escaped. */
enum gs_status gs_forest_parse(struct gs_str text, const char *name, struct gs_arena *arena,
                               struct gs_forest *forest, struct gs_err *err);

/* clang-format on */
