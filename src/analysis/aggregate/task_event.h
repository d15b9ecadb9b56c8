/* task_event.h - which event is the task of a run that calls none TotalRender. */
#pragma once

#include "analysis/aggregate/fold.h"

enum { GS_TASK_EVENTS_MAX = 64 };

/*
 * The event that is a task where the user names none: `usual` if the checkpoints have it, else the longest-running event
 * of those that lie outermost, which a note then says. Outermost: at most half of its pairs lie inside a pair of another
 * event on their host. Where there is no event at all it is `usual`. *event lives in the dataset's arena.
 */
enum gs_status gs_task_event(const struct gs_dataset *d, const char *usual, unsigned n_threads,
                             const char **event, struct gs_notes *notes, struct gs_err *err);

/* What that is found from, of the hosts visited; it has no frames. Its state of no host at all. */
extern const struct gs_fold gs_task_event_fold;
enum gs_status gs_task_event_none(struct gs_state *state, struct gs_arena *arena,
                                  struct gs_err *err);

/*
 * The events of such a state that may be the task, the likeliest first, which is the task if these are all hosts; events
 * without pairs are none. Returns how many, at most `most` of GS_TASK_EVENTS_MAX; texts are the state's.
 */
size_t gs_task_event_list(const struct gs_state *state, struct gs_str *event, size_t most);

/* Says that this event was taken. */
void gs_task_event_note(const char *event, struct gs_notes *notes);
