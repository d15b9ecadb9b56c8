/* part_names.h - names that a question is about: whether they are anywhere only all parts of a run together know. */
#pragma once

#include "analysis/timeline/totals.h"

struct gs_part_names {
    bool event_seen;             /* the event that was asked for                    */
    struct gs_least_names event; /* some of those there are, for the message        */
    bool has_gpus, gpu_met;      /* the samples have GPUs; events name one of these */
    struct gs_least_names gpu_named, gpu_known;
};

/* Those of a dataset, for a question about `event`, NULL: about no event. False without memory. */
bool gs_part_names_of(const struct gs_dataset *d, const char *event, struct gs_part_names *names);

void gs_part_names_add(struct gs_part_names *names, const struct gs_part_names *other);

/*
 * Of the whole run, whose parts have been read without the others.
 * Errors: GS_ERR_DATA for an event that is nowhere, and for events that name GPUs of which the samples have none.
 */
enum gs_status gs_part_names_check(const struct gs_part_names *names, const char *event,
                                   struct gs_err *err);

/* As bytes and back; then in `arena`. */
void gs_part_names_save(const struct gs_part_names *names, struct gs_buf *b);
void gs_part_names_load(struct gs_part_names *names, struct gs_unpacker *u, struct gs_arena *arena);
