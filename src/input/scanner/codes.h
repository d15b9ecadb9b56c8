/* codes.h - the present encoding of sample rows, for code that builds their words directly. */
#pragma once

#include "input/import/row_reader.h"

/* clang-format off */
enum {
    GS_READINGS = 4,   /* that are parsed together, one in each quarter of a vector */
    GS_CODE_FOURS = 32,
    GS_CODE_WORDS = 8, /* from the first word of four to the last                   */
    GS_ROW_WORDS = 16, /* of a row that is made so                                  */
};
/* clang-format on */

/* Four readings, see gs_code_form; the last of a row is there again to fill them. */
struct gs_code_four {
    int64_t base[GS_READINGS], least[GS_READINGS], most[GS_READINGS];
    uint64_t shift[GS_CODE_WORDS]
                  [GS_READINGS]; /* by word from first_word on; 64 where a code is in another */
    unsigned decimals[GS_READINGS], first_word, n_words;
    uint32_t points; /* where the points stood when `factor` was made */
    uint64_t factor[GS_READINGS];
};

struct gs_row_codes {
    const struct gs_encoding *encoding; /* of the writer when the rest was made */
    bool fits;
    uint32_t n_words;
    struct gs_code_form time, place;
    struct gs_code_four four[GS_CODE_FOURS];
};
