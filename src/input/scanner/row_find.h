/* row_find.h - finds the end of a row and one of its fields; enough for split. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/text.h"

enum gs_row_end {
    GS_ROW_FOUND,
    GS_ROW_BLANK,   /* a blank line: no row, but a line                      */
    GS_ROW_GOES_ON, /* beyond the bytes at hand                              */
    GS_ROW_QUOTE,   /* a quote that neither opens nor closes a field         */
};

struct gs_row_place {
    const char
        *next; /* the first byte behind the row's line end                                     */
    struct gs_str
        field;    /* the field asked for, without quotes and blanks around it; missing: too few   */
    bool doubled; /* quotes in it are doubled                                                     */
    uint32_t n_fields, n_lines;
};

/* The bytes that end a stretch of an unquoted field. */
struct gs_row_rules {
    char separator;
    bool ends[256];
};

struct gs_row_rules gs_row_rules_of(char separator);

/*
 * Finds the end of the row at `p` < `end`, by the rules of RFC 4180 as gpustat reads tables, and its field
 * number `field`. `at_end`: nothing follows `end`, a last line may lack its line end.
 * Memory: allocates nothing; the field points into the bytes.
 */
enum gs_row_end gs_row_find(const char *p, const char *end, bool at_end,
                            const struct gs_row_rules *rules, size_t field,
                            struct gs_row_place *row);
