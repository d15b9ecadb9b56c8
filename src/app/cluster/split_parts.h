/* split_parts.h - the files that rows are dealt out to: zstd, written on from where an earlier run got to. */
#pragma once

#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

enum { GS_PART_STAGED = 128 << 10 };

/* One file. A part belongs to one thread at a time. */
struct gs_part {
    const char *path, *shown; /* while it is written; shown: escaped, for messages   */
    int fd;                   /* -1: not open                                        */
    struct gs_packer *packer;
    char *staged, *packed; /* [GS_PART_STAGED] each: rows to be packed, and what they came to */
    size_t n_staged;
    bool in_frame;            /* something of the present frame has been packed      */
    uint64_t n_bytes, n_rows; /* written to the file; n_rows: handed to gs_part_add  */
    struct gs_err err;        /* of the call that failed                             */
};

/*
 * Opens a part for writing: new where n_bytes is 0, else its file cut to n_bytes and written on.
 * Errors: GS_ERR_CANTCREATE; GS_ERR_DATA where the file is shorter than n_bytes; GS_ERR_MEMORY.
 * Memory: buffers in `arena`; the packer and descriptor until gs_part_close.
 */
enum gs_status gs_part_open(struct gs_part *p, unsigned window_log, struct gs_arena *arena);

/* Appends bytes. Errors: GS_ERR_IO, GS_ERR_MEMORY, in p->err. */
enum gs_status gs_part_add(struct gs_part *p, const char *bytes, size_t len);

/* Packs what is staged, ends the frame, makes the file durable: n_bytes is then where another run may go on. */
enum gs_status gs_part_settle(struct gs_part *p);

void gs_part_close(struct gs_part *p); /* allowed at any time */

/*
 * All parts of one kind of rows: opened, those that are new with their header and a line end; settled, on n_threads;
 * closed. Errors: those of the first part that failed.
 */
enum gs_status gs_parts_open(struct gs_part *part, uint32_t n, struct gs_str header,
                             struct gs_arena *arena, struct gs_err *err);
enum gs_status gs_parts_settle(struct gs_part *part, uint32_t n, unsigned n_threads,
                               struct gs_err *err);
void gs_parts_close(struct gs_part *part, uint32_t n);
