/* jobs_zone.h - in which zone a scheduler wrote the times of its jobs. */
#pragma once

#include "data/tables/dataset.h"
#include "base/core/notes.h"

/*
 * Warns where the times of jobs name no zone and those of the samples do, or the other way round: read as UTC, all would
 * be off by hours. `name` is the file that names none, of jobs or of samples. Names the offset at which the load of the hosts follows the GPUs that their jobs hold far better than
 * at UTC; silent where UTC fits best. `whole`: the dataset has all rows of all hosts; else nothing is compared.
 *
 * Errors: GS_ERR_MEMORY. Cost: O(samples + spans + 40 x hosts x quarter hours), the last at most some 2^26.
 */
enum gs_status gs_doubt_jobs_zone(const struct gs_dataset *d, const char *name, bool of_jobs,
                                  bool whole, struct gs_notes *notes, struct gs_err *err);
