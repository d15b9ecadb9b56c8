/* fail_if.h - --fail-if 'COLUMN OP VALUE': an exit status that a script can ask for. */
#pragma once

#include "data/result/frame.h"

/*
 * Does some row hold what the condition says: "gpu_verdict!=ok", "energy_j > 5e6"? Numbers are compared as numbers, times
 * and texts as they are printed. A missing cell holds nothing.
 * Errors: GS_ERR_USAGE for what is no condition, a column that no frame has, or a number that is none.
 */
enum gs_status gs_fail_if(const char *condition, const struct gs_frames *frames, bool *holds,
                          struct gs_err *err);
