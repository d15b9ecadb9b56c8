/* option_values.h - the value of one option: out of its text, within its bounds. */
#pragma once

#include "app/options/options.h"

struct gs_opt_text {
    const struct gs_opt *opt;
    const char *option; /* as it was written: "-j", "--threads" */
    const char *value;
    const char *shown; /* the value, escaped                   */
    struct gs_arena *arena;
    struct gs_err *err;
};

/*
 * Writes the value of a COUNT, SIZE, REAL, SHARE, DURATION, SHIFT, CHOICE or ZONE into *target, whose type is that of the
 * option's kind. Errors: GS_ERR_USAGE with what was found and what was expected, nothing written; GS_ERR_MEMORY.
 */
enum gs_status gs_opt_read(const struct gs_opt_text *in, void *target);
