/* power_dataset.h - the samples of a run as a power log: whatever reads a run feeds the study of power too. */
#ifndef GPUSTAT_POWER_DATASET_H
#define GPUSTAT_POWER_DATASET_H

#include "base/notes.h"
#include "model/dataset.h"
#include "model/log_table.h"

/*
 * Makes a log of every GPU of a run, in the dataset's order, called by its UUID, else its serial, and by its host where
 * there are several. The power is power_w, else power_average_w, else power_instant_w, of which the last goes first with
 * `prefer_instant`; a sample without it is no reading and counted as dropped.
 *
 * Errors: GS_ERR_DATA where no sample has a power; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_power_of_dataset(const struct gs_dataset *d, const char *name, bool prefer_instant,
                                   struct gs_arena *arena, struct gs_notes *notes, struct gs_log_table *table,
                                   struct gs_err *err);

#endif
