/* merge_readers.h - merges what the threads read: names numbered once, tables joined. */
#pragma once

#include "input/import/row_reader.h"

/*
 * Fills the names, GPUs and tables of `d` from `n` readers, which must outlive it (their rows and maps
 * are used in place). Hosts, events, jobs and GPUs are numbered in the order of their texts.
 */
enum gs_status gs_reader_merge(struct gs_reader *const *reader, size_t n, struct gs_dataset *d,
                               struct gs_err *err);
