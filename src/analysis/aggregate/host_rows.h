/* host_rows.h - rows that a fold leaves behind, host by host: packed, in memory or in a file. */
#pragma once

#include "base/core/pack.h"
#include "data/result/frame.h"
#include "base/os/output.h"
#include "base/os/scratch_file.h"

/* Some rows of a host, side by side. */
struct gs_rows_block {
    struct gs_str host;
    uint64_t number; /* of the host's blocks            */
    uint64_t first;  /* its first row's place in the frame */
    uint32_t n;
    uint32_t n_bytes;
    const char *bytes; /* NULL: in the file, at `at` */
    uint64_t at;
};

/*
 * The rows of some hosts. Valid when zeroed: no rows. Of one thread; several may share the file. Blocks and what they
 * point to live in the arenas that the calls are given.
 */
struct gs_host_rows {
    const char *types;            /* of the columns, by enum gs_type: 't', 'i', 'r', 'T' */
    struct gs_scratch_file *file; /* where the bytes go; NULL: they are held             */
    struct gs_rows_block *block;
    size_t n_blocks, capacity;
    uint64_t n_rows;
};

/* The types of a frame's columns as gs_host_rows has them; NULL without memory. */
const char *gs_row_types(const struct gs_frame *f, struct gs_arena *arena);

/* Room for n rows of such columns; NULL without memory. */
struct gs_column *gs_rows_append(const struct gs_frame *f, size_t n, struct gs_arena *arena);

/*
 * Adds n rows of a host behind those that it has: columns[][n] of the types.
 * Errors: those of the file; GS_ERR_MEMORY. Cost: 8 bytes a number, unless all of a block are one,
 * and 1 or 2 a text that stands where one of the rows before has it, too.
 */
enum gs_status gs_host_rows_add(struct gs_host_rows *rows, struct gs_str host,
                                const struct gs_column *columns, size_t n, struct gs_arena *arena,
                                struct gs_err *err);

/*
 * Adds the blocks of `other`, whose bytes are not copied and must stay. A host is in one of them.
 * Errors: GS_ERR_DATA for rows of other columns.
 */
enum gs_status gs_host_rows_merge(struct gs_host_rows *rows, const struct gs_host_rows *other,
                                  struct gs_arena *arena, struct gs_err *err);

/*
 * As bytes, hosts ascending: handed on block by block, so that a file of them is never in memory. `here`: for this
 * process, which has the file open; of rows there only the places are told.
 */
enum gs_status gs_host_rows_save(const struct gs_host_rows *rows, bool here, struct gs_sink to,
                                 struct gs_err *err);

/*
 * Checks all that is read; the bytes must stay. `file`: where the rows are whose places were told, NULL: nowhere, as
 * for bytes of anybody else.
 */
enum gs_status gs_host_rows_load(struct gs_host_rows *rows, struct gs_scratch_file *file,
                                 struct gs_unpacker *u, struct gs_arena *arena);

/*
 * Makes the rows those of a frame that has its columns and no rows, by host. What it reads stays where it is.
 * Errors: GS_ERR_DATA for rows of other columns.
 */
enum gs_status gs_host_rows_frame(const struct gs_host_rows *rows, struct gs_frame *f,
                                  struct gs_arena *arena, struct gs_err *err);
