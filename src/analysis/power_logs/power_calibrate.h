/* power_calibrate.h - a card's own sensor, measured against an external meter that ran beside it. */
#pragma once

#include "analysis/power_logs/power_gpus.h"

/*
 * Fits reading = gain x (mean of the meter over the window before the renewal, a delay ago) + offset to the
 * renewals of one GPU's log, by least squares over window and delay, and appends the frame
 * "power-calibration": one row, with the sensor as an argument of --sensor. `reference` is the meter's log,
 * its times moved by `shift_ns`. Of a reading's window the meter must have seen half; the power before its first
 * instant is a level of its own in the fit.
 *
 * Errors: GS_ERR_DATA where there is not exactly one GPU with times on either side, where fewer than 20
 * readings have the meter beside them, or nothing fits; GS_ERR_MEMORY.
 */
enum gs_status gs_power_calibrate(const struct gs_power_gpus *gpus,
                                  const struct gs_log_table *reference, int64_t shift_ns,
                                  struct gs_arena *arena, struct gs_frames *out,
                                  struct gs_err *err);
