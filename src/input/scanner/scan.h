/*
 * scan.h - rows of a telemetry table from bytes in memory, at the speed of memory.
 *
 * What holds here, and must for whoever changes it:
 * - Every text that is compared by words has 8 readable bytes behind it: rows by GS_SCAN_PADDING, names in an arena by
 *   its grain of 16.
 * - A row is stored whole or not at all, and no name of a row that is not stored is remembered.
 * - Values stored through gs_table_end_small_row are below 2^62: those of eight digits are, those that are parsed
 *   exactly are looked at (take_value), times are from 1840 to 2099 (FAST_NS_MAX).
 * - The place of a row is the last column of its table, where there is one (gs_load_options.places).
 * - What is learnt of a file is forgotten with it: all of struct gs_scanner up to `layout`, and the layouts.
 * - A row that cannot be taken so is the exact way's (row_reader.h), and that is held to libcsv.
 */
#pragma once

#include "input/import/row_reader.h"
#include "input/scanner/row_split.h"

/* --- usual rows, whose field positions are known: see scan_usual.h -------------------------------- */

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
    const struct gs_encoding *encoding; /* that the tails were made by ... */
    bool fits;                          /* ... and by which a row is one word or two */
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

/* --- the present encoding of sample rows, for code that builds their words directly ---------------- */

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
};

struct gs_row_codes {
    const struct gs_encoding *encoding; /* of the writer when the rest was made */
    bool fits;
    uint32_t n_words;
    struct gs_code_form time, place;
    struct gs_code_four four[GS_CODE_FOURS];
};

/* --- rows of logs, by where their delimiters stand: see scan_logs.h -------------------------------- */

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

/* --- the scanner ------------------------------------------------------------------------------------ */

/* clang-format off */
enum {
    GS_SCAN_PADDING = 64,       /* bytes readable behind the data                     */
    GS_SCAN_BLOCKS = 32,        /* rows of up to 2 KiB have a layout                  */
    GS_SCAN_LAYOUTS = 256,
    GS_SCAN_BOUND_MAX = GS_READINGS * GS_CODE_FOURS, /* columns; the rows of a file with more are the exact parser's */
};
/* clang-format on */

/* Readings of a row that are digits and a point, perhaps a blank before and their unit behind, by fours. */
struct gs_layout_readings {
    uint8_t n, n_other; /* n is whole fours: the last is there again to fill them    */
    uint8_t
        bound[GS_SCAN_BOUND_MAX]; /* [n] which they are                                        */
    uint16_t column[GS_SCAN_BOUND_MAX]; /* ... in the table */
    uint16_t at[GS_SCAN_BOUND_MAX]; /* with the blank                                            */
    uint8_t len[GS_SCAN_BOUND_MAX]; /* ... without the unit: 1 to 8                              */
    uint8_t
        blank[GS_SCAN_BOUND_MAX]; /* 0xff: begins with a blank, else 0                         */
    uint8_t with_unit[GS_SCAN_BOUND_MAX /
                      GS_READINGS]; /* bits of a four: the unit stands behind          */
    uint8_t
        other[GS_SCAN_BOUND_MAX]; /* [n_other] readings that are taken one by one              */
};

/*
 * Where the bound fields of a row stand, known by where its quotes, commas and line ends stand. Rows of one
 * file share few layouts: a row whose marks equal a known layout's needs no parsing to be split.
 */
struct gs_layout {
    uint64_t quote[GS_SCAN_BLOCKS],
        comma[GS_SCAN_BLOCKS]; /* as masks.h gives them; whatever the delimiter is */
    uint32_t length;           /* of the row with its line feed; 0: no layout        */
    bool crlf;                 /* a carriage return stands before the line feed      */
    bool four;                 /* the readings are four, of 1 to 8 characters each   */
    uint16_t at[GS_SCAN_BOUND_MAX];
    uint8_t len[GS_SCAN_BOUND_MAX];
    bool bare[GS_SCAN_BOUND_MAX];          /* not quoted: blanks around it do not belong to it   */
    struct gs_key_place key[GS_KEY_NAMES]; /* of the names that tell whose the row is */
    struct gs_layout_readings readings;
};

/* A text seen lately, and its number: of a name, or the GPU of a span. */
struct gs_recent_name {
    struct gs_str text;
    uint32_t id;
    uint32_t ends; /* of a span: which of its first and last names were bare, see gs_usual_sample */
};

/* The minute of the last time that was written otherwise: what stands before its seconds and behind them. */
struct gs_known_minute {
    char before[16], behind[8]; /* "2018-11-08T07:41", "+01:00" */
    size_t n_behind;
    int64_t begin_ns;
    bool zoneless;
};

/* clang-format off */
enum { GS_RECENT_NAMES = 64, GS_RECENT_SPANS = 4096 }; /* powers of two */

/* One thread's scanning of one file after the other. Zeroed, then gs_scanner_file for each. */
struct gs_scanner {
    struct gs_reader *reader;
    const struct gs_binding *binding;
    size_t input;               /* number of the file, for places                     */
    bool spans;                 /* host, serial and uuid stand side by side, in this order and alone */
    size_t span_first, span_last; /* ... as bound columns                             */
    bool scaled;                /* a reading is in another unit than its metric      */
    size_t host;                /* bound column of the host that owns the row; GS_SCAN_BOUND_MAX: none */
    size_t n_key;               /* bound columns that name the GPU                    */
    uint8_t key[GS_SCAN_BOUND_MAX];
    uint32_t only_gpu;          /* ... of a file without any; GS_INTERN_NONE: not known yet */
    uint8_t suffix[GS_SCAN_BOUND_MAX]; /* length of the unit that may stand behind a reading */
    uint64_t unit[GS_SCAN_BOUND_MAX], unit_mask[GS_SCAN_BOUND_MAX]; /* ... " MiB" as gs_load64 gives it; no bits: longer */
    size_t n_needed;            /* bound names that must not be empty                 */
    uint8_t needed[GS_SCAN_BOUND_MAX];
    size_t n_of[GS_N_BIND_KINDS]; /* bound columns by kind: those of one kind are parsed together */
    uint8_t of[GS_N_BIND_KINDS][GS_SCAN_BOUND_MAX];
    bool usual;                 /* the columns are those of struct gs_usual_sample or gs_usual_checkpoint */
    struct gs_usual_sample sample;
    struct gs_row_codes codes;
    struct gs_usual_checkpoint checkpoint;
    char date[16];              /* "2018-11-08T" of the last time                     */
    int64_t date_ms;
    char local_date[16];        /* "2023/07/14 " of the last time without a zone      */
    int64_t local_date_ms;
    struct gs_known_minute minute;
    bool noted;                 /* the open row has set what `before` undoes          */
    struct {
        bool rounded;
        uint64_t n_missing;
        struct gs_time_reader time;
    } before;
    struct gs_recent_name last[GS_N_POOLS]; /* of the row before: rows of one task stand together */
    struct gs_recent_name name[GS_N_POOLS][GS_RECENT_NAMES];
    struct gs_recent_name span[GS_RECENT_SPANS];
    uint16_t span_after[GS_RECENT_SPANS], span_now; /* that of the row before, and which came after each: GPUs take turns */
    struct gs_layout layout[GS_SCAN_LAYOUTS]; /* from here on nothing is known of a file, but for their lengths */
    struct gs_log_rows log;     /* ... and those of these                             */
    struct gs_split_row split;
    bool has_fault;             /* the row that was refused is whole, and this is what is wrong with it: */
    struct gs_row_fault fault;
};
/* clang-format on */

/* Rows of a file follow. */
void gs_scanner_file(struct gs_scanner *s, struct gs_reader *g, const struct gs_binding *b,
                     size_t input);

/* What a stretch of bytes came to. */
struct gs_scan_result {
    const char *next;         /* the first row that was not taken                   */
    uint64_t n_rows, n_lines; /* taken; line ends passed                            */
    uint64_t n_headers;       /* passed over: the header again, see gs_binding      */
    uint64_t n_bad,
        bad_line; /* readings that are no number, see gs_reader; of the first the lines passed before */
    bool torn; /* the last row of all was passed over: it broke off  */
};

/* Bytes to scan: of rows that begin in [at, limit). Those up to `end` may be looked at, and GS_SCAN_PADDING behind. */
struct gs_scan_bytes {
    const char *at, *limit, *end;
    bool at_end; /* of the file */
    uint64_t chunk, first_line;
};

/*
 * Takes every row. Places are (input, chunk, first_line + lines passed).
 * Returns GS_SPLIT_ROW when all were taken, GS_SPLIT_MORE when one goes on beyond `end` (and not `at_end`),
 * GS_SPLIT_REFUSE at a row that is not taken: with s->has_fault its reason is s->fault and it ends at s->split.next,
 * s->split.n_lines lines on; without, the strict reader must look at it. No memory is a refusal as well.
 */
enum gs_split gs_scan(struct gs_scanner *s, const struct gs_scan_bytes *bytes,
                      struct gs_scan_result *result);

/*
 * The ways of the scanner, chosen for the processor at the first call; tests name one. PLAIN has layouts from masks, which is
 * the scanner of any processor. AVX2 has masks (masks.h), digits (scan_readings.h) and clocks (scan_fields.h) of its own,
 * takes usual rows without masks (scan_usual.h) and rows of logs by their shapes (scan_logs.h).
 */
enum gs_scan_path { GS_SCAN_BEST, GS_SCAN_PLAIN, GS_SCAN_AVX2, GS_N_SCAN_PATHS };

/* For tests: scan by this path from now on. False where the processor has it not. */
bool gs_scan_use(enum gs_scan_path path);
