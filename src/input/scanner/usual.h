/* usual.h - recognises rows of the common layouts, whose field positions are then known. */
#pragma once

#include "input/import/row_reader.h"

/* clang-format off */
enum {
    GS_USUAL_TAILS = 128,     /* powers of two */
    GS_USUAL_EVENTS = 32,
    GS_USUAL_READINGS = 4,    /* of a row, one in each quarter of a vector */
    GS_USUAL_BYTES = 288,     /* that must be there from a usual row on: its readings begin before byte 256 and end within 32 */
};
/* clang-format on */

/*
 * The readings at the end of a sample, by where their commas, points and line end stand: how to bring the
 * digits of each to the upper end of a word, and what each then is multiplied with.
 */
struct gs_usual_tail {
    uint32_t marks, points; /* bits of the bytes up to the line feed; marks 0: none   */
    uint32_t length;        /* with the line feed                                     */
    uint8_t at[GS_USUAL_READINGS];
    uint8_t take[32]; /* byte of the word to take, 0x80 for a zero              */
    uint64_t factor[GS_USUAL_READINGS];
};

/*
 * A sample as the last one stood: time, names, four bare readings and nothing else. All up to the readings
 * is as long as it was then if the bytes between are the same, the time is one and the names are known, quoted
 * where they were quoted when they became known.
 */
struct gs_usual_sample {
    bool known;
    uint32_t ends; /* 1: the first of the names is bare, 2: the last is */
    uint32_t time_at, names_at, names_len, tail_at;
    uint32_t before_names, before_names_mask; /* bytes between time and names          */
    uint16_t before_tail, before_tail_mask;
    const struct gs_encoding *encoding; /* of the writer when the rest was made  */
    uint32_t n_words;                   /* of a row then                         */
    bool fits;                          /* ... and can be: one word or two           */
    uint64_t time_factor, time_base, time_least, time_most;
    unsigned time_shift;
    unsigned decimals[GS_USUAL_READINGS]; /* that a reading's code counts          */
    int64_t base[GS_USUAL_READINGS], least[GS_USUAL_READINGS], most[GS_USUAL_READINGS];
    uint64_t shift[GS_SMALL_ROW_WORDS]
                  [GS_USUAL_READINGS]; /* 64, which shifts all out: it stands in the other word */
    uint64_t place_base, place_most;
    unsigned place_word, place_shift;
    struct gs_usual_tail tail[GS_USUAL_TAILS];
};

struct gs_usual_event {
    struct gs_str text;
    uint32_t id;
};

/*
 * A checkpoint of the same host, job and task as the row before it: time, host, event, type, job, task. The event
 * and the job are quoted; the others stand as they did.
 */
struct gs_usual_checkpoint {
    const char *row; /* the row before, still in memory; NULL: none */
    uint32_t event_at, job_at, length;
    uint32_t host, job, task;           /* their numbers */
    const struct gs_encoding *encoding; /* of the writer when the rest was made */
    bool fits;                          /* ... and can be: a row is one word or two */
    uint64_t same[GS_SMALL_ROW_WORDS];  /* the codes of job and task            */
    struct gs_code_form time, stop, name, place;
    struct gs_usual_event event[GS_USUAL_EVENTS];
};
