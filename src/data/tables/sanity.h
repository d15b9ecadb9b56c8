/* sanity.h - warns about data that look like a mistake in the files or the map; corrects nothing. */
#pragma once

#include "data/tables/dataset.h"

/*
 * Notes GPUs whose median reading no GPU has; UUIDs of two hosts; two GPUs with the same readings at the same times (one file under two
 * names) where the dataset is `complete`: temperatures alone are often equal.
 * Errors: GS_ERR_MEMORY. Cost: a look at each sample's time; the rest is done on some thousand samples of each GPU.
 */
enum gs_status gs_sanity_check(const struct gs_dataset *d, bool complete, struct gs_notes *notes,
                               struct gs_err *err);

/*
 * Notes jobs that got fewer GPUs (the attribute "gpus") than they are joined with: the energy of the others counts for
 * them, too. Errors: GS_ERR_MEMORY. Cost: a look at each span.
 */
enum gs_status gs_sanity_shared(const struct gs_dataset *d, struct gs_notes *notes,
                                struct gs_err *err);

/* Notes samples whose jobs are none of the events', of a whole run. Errors: GS_ERR_MEMORY. Cost: a look at each event. */
enum gs_status gs_sanity_jobs(const struct gs_dataset *d, struct gs_notes *notes,
                              struct gs_err *err);
