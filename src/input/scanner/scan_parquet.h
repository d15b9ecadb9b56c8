/* scan_parquet.h - row groups of Parquet into tables without a detour by text. */
#pragma once

#include "input/import/row_reader.h"
#include "input/parquet/parquet.h"

/*
 * Stores the rows of a row group, whose columns are bound as those of the table that gs_parquet_table_open makes of the
 * file, up to the first batch with a value that wants the exact way: malformed, or written as no other. g is set up for
 * the file (gs_reader_file). Places are (input, group, row).
 *
 * Returns how many rows were taken in *n_rows; the others are to be scanned as text, which gives the same for any row.
 * Errors: those of gs_parquet_begin and gs_parquet_next; GS_ERR_MEMORY.
 */
enum gs_status gs_parquet_scan(struct gs_reader *g, const struct gs_binding *b,
                               const struct gs_parquet *p, size_t group, size_t input,
                               uint64_t *n_rows, struct gs_err *err);
