/* row_split.h - one row of CSV at a time from bytes in memory, by the rules of libcsv's strict mode. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/text.h"

enum { GS_SPLIT_FIELDS_MAX = 256, GS_SPLIT_ROW_BYTES_MAX = 1 << 16 };

enum gs_split {
    GS_SPLIT_ROW,
    GS_SPLIT_BLANK,  /* a blank line: no row, but a line                                        */
    GS_SPLIT_MORE,   /* the row goes on beyond the bytes at hand                                */
    GS_SPLIT_REFUSE, /* malformed, or larger than this splitter takes: the strict reader's turn */
};

struct gs_split_row {
    struct gs_str
        field[GS_SPLIT_FIELDS_MAX]; /* into the bytes, or into `room` where quotes were doubled */
    size_t n_fields;
    const char *next; /* the first byte behind the row and its line end */
    uint32_t n_lines; /* line ends passed                               */
    char room[GS_SPLIT_ROW_BYTES_MAX];
};

/* The bytes of a row without its line end, from where it begins to the first byte behind it. */
struct gs_str gs_row_raw(const char *p, const char *next);

/*
 * Splits the row that begins at `p` at each `delimiter`; `at_end`: nothing follows `end`, a last line may lack its line
 * end.
 */
enum gs_split gs_row_split(const char *p, const char *end, bool at_end, char delimiter,
                           struct gs_split_row *row);
