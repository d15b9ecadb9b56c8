/* kept_data.h - tables of a run that stay loaded, so that one reading serves many commands. */
#pragma once

#include "app/options/dataset_opts.h"

struct gs_kept_load;

/* Start from {0}; gs_arena_release(&k->arena) ends it. Belongs to one thread at a time. */
struct gs_kept_data {
    /* owns all that was loaded: release it after the last result that points there */
    struct gs_arena arena;
    struct gs_kept_load *first;
};

/* What a command asks to be loaded: options, and tables as gs_dataset_opts_load takes them. */
struct gs_kept_question {
    const struct gs_dataset_opts *options;
    const bool *need, *optional;   /* [GS_N_TABLES] */
    bool places, gives_zone, ends; /* ends: of all that has times, see gs_time_range_want_ends */
};

/*
 * The tables that were loaded for the same question, and their notes; NULL: none, also where the files may only be
 * read once more (shards, passes, digests, rejected rows). An optional table makes no other question where it is there.
 */
const struct gs_dataset *gs_kept_data_find(const struct gs_kept_data *k,
                                           const struct gs_kept_question *question,
                                           struct gs_notes *notes);

/* May an answer to it be kept? */
bool gs_kept_data_may(const struct gs_kept_question *question);

/*
 * Copies what the options point to, so that the tables need nothing of the command that asked first.
 * Errors: GS_ERR_MEMORY. Memory: lives in `arena`.
 */
enum gs_status gs_kept_data_options(const struct gs_dataset_opts *o, struct gs_arena *arena,
                                    struct gs_dataset_opts *copy, struct gs_err *err);

/* Keeps tables that live in `loaded`, which is empty afterwards. Errors: GS_ERR_MEMORY; nothing is kept then. */
enum gs_status gs_kept_data_add(struct gs_kept_data *k, const struct gs_kept_question *question,
                                const struct gs_dataset *dataset, const struct gs_notes *notes,
                                struct gs_arena *loaded, struct gs_err *err);
