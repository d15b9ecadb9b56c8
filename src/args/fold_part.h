/* fold_part.h - a part of a run through a command's folds. */
#ifndef GPUSTAT_FOLD_PART_H
#define GPUSTAT_FOLD_PART_H

#include "args/fold_command.h"

struct gs_survey;

/* Which part of the run: shard (from 0) of n. */
struct gs_shard {
    uint32_t shard, n;
};

/* The fold that the options ask for, with its own options in the context's arena. */
enum gs_status gs_fold_command_job(const void *parsed, const struct gs_context *context, struct gs_fold_job *job,
                                   struct gs_err *err);

/* The event that the options ask about, NULL: none. */
const char *gs_fold_command_event(const struct gs_fold_command *f, const void *parsed);

/*
 * Reads a part of the run into the context's arena and folds it. With a survey it is one of several passes: the first
 * is of the part's hosts, the later ones are of those that the survey keeps, see gather/survey.h.
 */
enum gs_status gs_fold_part(const void *parsed, const struct gs_context *context, struct gs_shard part,
                            struct gs_survey *survey, struct gs_fold_job *job, struct gs_facts *facts,
                            struct gs_frames *out, struct gs_err *err);

#endif
