/* read_strict.h - a telemetry table through libcsv: the reference, and the source of every error text. */
#pragma once

#include "input/scanner/heads.h"

/*
 * Reads one input from its beginning into `g`, whose head has not been looked at with pread only; rows that cannot be
 * taken are errors, or go to options->reject. Counts rows and bytes in `input`; its places have one chunk.
 */
enum gs_status gs_read_strict(const struct gs_load_options *o, struct gs_input *input,
                              size_t input_number, const struct gs_head *head, struct gs_reader *g,
                              struct gs_err *err);

/* Makes the places of an input hold the line itself: one chunk that begins on line 0, kept in g's arena. */
enum gs_status gs_places_are_lines(struct gs_input *input, struct gs_reader *g, struct gs_err *err);

/* Where in a stream the strict reader takes over: bytes already read, and what goes before them. */
struct gs_strict_start {
    const char *bytes;
    size_t n_bytes;
    uint64_t line; /* of the first byte, 0: the file's beginning, its header included */
    uint64_t n_rows, n_rejected; /* before it */
};

/* The same from the middle of an open source to its end; places refer to lines of the file. */
enum gs_status gs_read_strict_rest(const struct gs_load_options *o, struct gs_input *input,
                                   size_t input_number, const struct gs_head *head,
                                   const struct gs_strict_start *start, struct gs_reader *g,
                                   struct gs_err *err);
