/* heads.h - reads the header of every input before any row is read. */
#pragma once

#include <limits.h>

#include "input/bytes/bytes.h"
#include "input/import/row_reader.h"
#include "input/import/load_options.h"
#include "input/parquet/parquet.h"

enum {
    GS_HEAD_CLOSED = INT_MAX
}; /* the descriptor of a plain file that is opened for each chunk */

/* An open input. */
struct gs_head {
    struct gs_bytes *source;    /* NULL: closed, and opened anew with gs_head_open, in `own` */
    struct gs_file_stamp stamp; /* when it was opened first */
    struct gs_arena own;
    int fd;        /* plain, to be read with pread; else -1, and `bytes` are gone from `source` */
    uint64_t size; /* of a plain file                                                           */
    char *bytes;   /* [n] the first ones                                                        */
    size_t n;
    bool at_end;     /* these are all                                                             */
    bool has_header; /* `binding` is what it says, settled                                        */
    bool scans;      /* and the scanner reads from `behind` on, after n_lines lines               */
    size_t behind;
    uint64_t n_lines;
    struct gs_binding binding;
    const struct gs_str *field; /* [binding.n_fields] columns of a form of lines; NULL: a table */
    struct gs_parquet
        *parquet; /* read by row groups through parquet_fd, besides; NULL: as a table of text */
    int parquet_fd;
    bool is_parquet;
};

/*
 * Opens all inputs of `d` but those that are left out, reads their headers, and lists the metrics that any of them holds in `d`.
 *
 * A header that cannot be read is left to the strict reader, which says why.
 * Shapes:  (*head)[d->n_inputs]; to be closed with gs_heads_close, also after a failure.
 * Errors:  GS_ERR_NOINPUT; GS_ERR_DATA for what a header lacks, of the first input that lacks something; GS_ERR_IO.
 * Memory:  lives in d's arena.
 */
enum gs_status gs_heads_read(const struct gs_load_options *o, struct gs_dataset *d,
                             struct gs_head **head, struct gs_err *err);

/*
 * A packed file is closed once its header is known, so that of many one is open at a time: opens it, if it is closed, and
 * closes it for good. Errors: those of gs_bytes_open.
 */
enum gs_status gs_head_open(const struct gs_load_options *o, const struct gs_input *in,
                            struct gs_head *h, struct gs_err *err);
void gs_head_close(struct gs_head *h);

void gs_heads_close(struct gs_head *head, size_t n); /* NULL allowed */
