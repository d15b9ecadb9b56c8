/* empty_run.h - the frames of a command that has seen nothing: which columns its options ask for. */
#pragma once

#include "app/passes/partial_result.h"

/*
 * The frames of a run without files, in the arena of the question's context; columns of metrics that are not the fixed
 * ones are not among them. Errors: those of the fold, for options that no run can answer.
 */
enum gs_status gs_empty_run(const struct gs_query *q, struct gs_frames *out, struct gs_err *err);
