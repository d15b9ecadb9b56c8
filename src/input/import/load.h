/* load.h - reads a run's three tables from files into a dataset. */
#pragma once

#include "input/import/load_options.h"

/*
 * Loads a run.
 *
 * Missing: an empty reading, [N/A] and its kin stay missing; empty names of hosts and events are errors.
 * Errors:  GS_ERR_NOINPUT for a file or table that is not there; GS_ERR_DATA "FILE:LINE: COLUMN: ..." for
 *          the first malformed row in the order of the files; GS_ERR_IO; GS_ERR_MEMORY.
 * Memory:  everything lives in `arena`, which must outlive the dataset.
 * Cost:    one pass over the bytes on n_threads threads; about 12 bytes kept per row.
 */
enum gs_status gs_load(const struct gs_load_options *options, struct gs_arena *arena,
                       struct gs_dataset *dataset, struct gs_notes *notes, struct gs_err *err);
