/* reject.h - a malformed row and its reason, for --rejects. */
#pragma once

#include <stdint.h>

#include "base/core/status.h"
#include "base/core/text.h"

struct gs_load_options;
struct gs_input;

/* What is wrong, for those who read by other rules and may take such a row. */
enum gs_fault_kind {
    GS_FAULT_OTHER,
    GS_FAULT_FIELDS, /* too few fields, or too many by two and more                                       */
    GS_FAULT_ONE_FIELD_MORE, /* than the header has                                                               */
    GS_FAULT_VALUE /* a reading that is neither a number nor a word for none */
};

/* A row that --rejects sets aside: where it stood, why, and its bytes as they were; all lent for the call. */
struct gs_reject {
    const char *name; /* of the file */
    uint64_t line;
    const char *reason; /* for people: without the place */
    struct gs_str raw;
    enum gs_fault_kind kind;
};

typedef enum gs_status gs_reject_fn(void *context, const struct gs_reject *row, struct gs_err *err);

/*
 * A malformed row of `input`, told of in the order of the file: counted and handed to o->reject.
 * Errors: without that GS_ERR_DATA "FILE:LINE: REASON"; those of o->reject.
 */
enum gs_status gs_set_aside(const struct gs_load_options *o, struct gs_input *input,
                            const struct gs_reject *row, struct gs_err *err);
