/* deal.h - rows of one input dealt out to parts, on several threads and in their order. */
#pragma once

#include "base/core/status.h"
#include "input/scanner/row_find.h"
#include "app/cluster/split_parts.h"

/* The bytes at hand and what is known of them. */
struct gs_deal {
    const char *name;        /* of the input, escaped                             */
    const char *host_column; /* its header, escaped; NULL: every row is part 0's  */
    size_t host_field;
    struct gs_row_rules rules;
    uint32_t n_parts;
    unsigned n_threads;
    struct gs_deal_piece *piece; /* [n_threads], by gs_deal_init */
    uint64_t n_rows, line;       /* dealt so far; line of the next row */
};

/* Readies pieces; they live in `arena`, what they grow to is released by gs_deal_release. */
enum gs_status gs_deal_init(struct gs_deal *d, struct gs_arena *arena, struct gs_err *err);
void gs_deal_release(struct gs_deal *d);

/*
 * Appends every whole row of [p, end) to its part. *next is where the first row begins that is not whole; with
 * `at_end` there is none.
 * Errors: GS_ERR_DATA "NAME:LINE: ..." for the first row that cannot be dealt; what parts fail with.
 */
enum gs_status gs_deal_rows(struct gs_deal *d, const char *p, const char *end, bool at_end,
                            struct gs_part *part, const char **next, struct gs_err *err);
