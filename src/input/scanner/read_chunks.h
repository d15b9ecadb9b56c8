/* read_chunks.h - reads tables in parallel: plain files in chunks, each stream on one thread. */
#pragma once

#include "input/import/row_reader.h"
#include "input/scanner/heads.h"
#include "input/import/load_options.h"

/* What was read: one reader per thread and per stream. Lives in the dataset's arena. */
struct gs_readers {
    struct gs_reader **reader;
    size_t n;
    struct gs_encodings encodings[GS_N_STORED]; /* shared by the readers */
};

/*
 * Reads all inputs of `d`, whose heads are given, with the scanner; what it refuses goes through the strict reader, so that rows
 * and errors are what libcsv gives. Inputs get their counts of rows, bytes, lines.
 * Errors:  of the first input, in their order, that has one.
 * Memory:  the caller releases the readers, also after a failure.
 */
enum gs_status gs_read_chunks(const struct gs_load_options *o, struct gs_dataset *d,
                              struct gs_head *head, struct gs_readers *g, struct gs_err *err);

/*
 * Reads one input in order into `g`, a table or what its form reads: what comes through a pipe or is compressed, and a
 * plain file, whose first bytes were only looked at, from its beginning. Its places are lines.
 */
enum gs_status gs_read_stream(const struct gs_load_options *o, const struct gs_dataset *d,
                              size_t number, const struct gs_head *head, struct gs_reader *g,
                              struct gs_err *err);
