/* held_rejects.h - rows that the scanner set aside, until it is certain that the mapper need not look at the file. */
#pragma once

#include "input/import/load_options.h"
#include "input/schema/map.h"

struct gs_held_reject {
    struct gs_held_reject *next;
    struct gs_reject row; /* its name is the input's, which outlives it */
};

/* Start from {.arena = ..., .source = ...}: of the samples. */
struct gs_held_rejects {
    struct gs_arena *arena;
    const struct gs_source *source;
    struct gs_held_reject *first, *last;
};

/*
 * Keeps a row: a gs_reject_fn, whose context is a struct gs_held_rejects. Errors: GS_ERR_DATA for a row that the mapper may
 * read otherwise, which then is to read the file.
 */
enum gs_status gs_reject_defer(void *context, const struct gs_reject *row, struct gs_err *err);

/* Hands the rows on in their order. Errors: those of to->reject. */
enum gs_status gs_rejects_hand_on(const struct gs_held_rejects *held,
                                  const struct gs_load_options *to, struct gs_err *err);
