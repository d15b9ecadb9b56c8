/* partial_result.h - what a command's question comes to in some hosts of a run: states, saved, loaded and added up. */
#pragma once

#include "app/passes/fold_command.h"

/* A command and its options. */
struct gs_query {
    const struct gs_run_opts *parsed; /* what the command's options begin with */
    const struct gs_context *context; /* everything lives in its arena         */
};

/*
 * The states. Where the event that is the task is to be found and these are not all hosts, it is open: there is a state
 * for each event that it may be, and one, the first, for any other event, which is none of these hosts'.
 */
struct gs_partial_result {
    struct gs_facts facts;
    size_t n;
    struct gs_fold_job *job;  /* [n] */
    struct gs_str *event;     /* [n] of an open one: missing, then ascending */
    struct gs_fold_job tally; /* of gs_task_event_fold, where it is open; else without fold */
};

/* Room for n states; false without memory. */
bool gs_answer_collect_jobs(struct gs_partial_result *a, size_t n, struct gs_arena *arena);

/* The event that the options ask about, NULL: none. */
const char *gs_question_event(const struct gs_query *q);

/* Names the tasks for people by the event that is one: "train_step" is a step, of a scheduler's jobs "lammps" is a lammps job. */
void gs_question_noun(const struct gs_query *q, struct gs_frames *out);

/* Is the event that is the task not given, and thus to be found? */
bool gs_question_finds_task(const struct gs_query *q);

/* The same question with this event; NULL without memory. */
const void *gs_question_about(const struct gs_query *q, struct gs_str event);

/* The fold that the options ask for; with its own options. */
const struct gs_fold *gs_question_fold(const struct gs_query *q);
enum gs_status gs_question_job(const struct gs_query *q, const void *parsed,
                               struct gs_fold_job *job, struct gs_err *err);

/* As bytes, and back, as gs_state_save and gs_state_load. Errors: GS_ERR_DATA for bytes that this question cannot have written. */
enum gs_status gs_answer_save(const struct gs_partial_result *a, const struct gs_saving *how,
                              struct gs_err *err);
enum gs_status gs_answer_load(const struct gs_query *q, struct gs_scratch_file *file,
                              struct gs_unpacker *u, struct gs_partial_result *a,
                              struct gs_arena *arena);

/* Adds what `other` holds, which is not to be used again; its arena must stay. */
enum gs_status gs_answer_add(const struct gs_query *q, struct gs_partial_result *a,
                             struct gs_partial_result *other, struct gs_arena *arena,
                             struct gs_err *err);

/*
 * Of all hosts: the state that counts, and the question with the event that is the task, of which a note tells.
 * Errors: GS_ERR_DATA for what gs_part_names_check refuses, and where it is not among those that some part kept.
 */
enum gs_status gs_answer_settle(const struct gs_query *q, const struct gs_partial_result *a,
                                const struct gs_fold_job **job, const void **parsed,
                                struct gs_notes *notes, struct gs_err *err);
