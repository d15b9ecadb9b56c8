/* input_meter.h - how much of the inputs was read, for a line of progress; any thread may add and look. */
#ifndef GPUSTAT_INPUT_METER_H
#define GPUSTAT_INPUT_METER_H

#include <stdint.h>

/* Inputs of `total` bytes as they lie on disk are read from here on. */
void gs_input_meter_begin(uint64_t total);
void gs_input_meter_add(uint64_t n);

/* What was read, at most `*total`, which is 0 where nothing is known of it. */
uint64_t gs_input_meter_read(uint64_t *total);

#endif
