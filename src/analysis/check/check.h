/* check.h - what is wrong with a data set, and what is merely worth knowing. */
#pragma once

#include "analysis/check/finding.h"
#include "analysis/aggregate/fold.h"

/*
 * The frame "check": one row per finding (severity, finding, count, first_place, hint, id), errors first, then
 * warnings, then what was accepted, then information, each in a fixed order. A finding that did not occur has no row;
 * that one of those accepted did not is noted. Options: struct gs_accepted.
 *
 * finish answers GS_FINDINGS where there is an error or a warning that is not accepted.
 *
 * first_place is FILE:LINE of the first row concerned in the order of the files, for datasets loaded with
 * places; of duplicates it is the second of two equal rows. The task table may be absent.
 *
 * Errors: GS_ERR_MEMORY.
 * Memory: 40 bytes for each task of the table, 24 for each that a host's checkpoints name, which may lie in a file.
 * Cost:   a pass over each table, a digest of each task, a sort of the tasks.
 */
extern const struct gs_fold gs_check_fold;
