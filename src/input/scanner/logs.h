/* logs.h - recognises log rows by the positions of their delimiters. */
#pragma once

#include "input/scanner/codes.h"

/* clang-format off */
enum {
    GS_LOG_BLOCKS = 4,
    GS_LOG_BYTES = 64 * GS_LOG_BLOCKS, /* of the longest row that has a shape, and that must be there from a row on */
    GS_LOG_FOURS = 6,
    GS_LOG_SHAPES = 128,               /* a power of two */
    GS_KEY_NAMES = 6,                  /* that name a GPU: one of each kind */
};
/* clang-format on */

/* Where one of the names stands that tell whose a row is. */
struct gs_key_place {
    uint16_t at;
    uint8_t len;
    bool bare; /* not quoted */
};

/*
 * Four readings: how to bring the digits of each to the upper end of a word, and what they are multiplied with to be in
 * the unit of their codes. A word for "no value", and what fills the last four, have the factor 0: their code is 0.
 */
struct gs_log_four {
    uint8_t take[32]; /* byte of the eight to take, 0x80 for a zero */
    uint32_t factor[GS_READINGS];
    uint16_t at[GS_READINGS]; /* of eight bytes */
};

/*
 * A shape: rows whose delimiters stand so are like the row that taught it if each byte is as it was there, or another
 * digit where a digit of a reading was, or where no reading is another byte that is no blank and no quote. So nothing
 * of such a row needs a look but its time, its GPU and the range of its readings.
 */
struct gs_log_shape {
    uint64_t mark[GS_LOG_BLOCKS]; /* bits of the delimiters and of the line feed    */
    uint32_t length;              /* with the line feed; 0: no shape                */
    const struct gs_encoding
        *encoding; /* of the writer when the rest was made; NULL: such rows are not taken so */
    uint8_t n_fours, n_missing;
    uint8_t time_len;
    uint16_t time_at;
    struct gs_key_place key[GS_KEY_NAMES];
    uint8_t least[GS_LOG_BYTES],
        span[GS_LOG_BYTES]; /* a byte may be from least to least + span; behind the row any */
    struct gs_log_four four[GS_LOG_FOURS];
};

/* What is known of the rows of a file. Zeroed: nothing. */
struct gs_log_rows {
    unsigned n_blocks; /* of the longest row so far */
    int credit; /* rows taken less what learning cost: a file whose rows have too many shapes is left alone ... */
    unsigned pause;    /* ... for so many rows */
    unsigned n_pauses; /* since rows were taken by their shapes */
    struct gs_log_shape shape[GS_LOG_SHAPES];
};
