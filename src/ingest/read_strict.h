/* read_strict.h - a telemetry table through libcsv: the reference, and the source of every error text. */
#ifndef GPUSTAT_READ_STRICT_H
#define GPUSTAT_READ_STRICT_H

#include "bind.h"
#include "gpustat/load.h"

/*
 * Reads one input from its beginning into `g`; rows that cannot be taken are errors, or go to
 * options->reject. Counts rows and bytes in `input`, whose places have one chunk that begins on line 1.
 */
enum gs_status gs_read_strict(const struct gs_load_options *o, struct gs_input *input, size_t input_number,
                              struct gs_gather *g, struct gs_err *err);

#endif
