/* defaults.h - options that need not be typed: gpustat.ini of the run, of the user, and the environment. */
#pragma once

#include "app/cli/request.h"

/* Options that may stand in a defaults file, ending in NULL, each as GPUSTAT_NAME in the environment, too. */
extern const char *const gs_default_names[];

/* Where defaults come from. Valid when zeroed: from nowhere. */
struct gs_default_sources {
    const char *const *environment; /* the values of gs_default_names, NULL where unset; or NULL */
    const char *user_file;          /* NULL: none */
};

/*
 * Puts the defaults in front of the arguments of a parsed request and parses it again: what is typed counts more
 * than gpustat.ini in a directory that is an operand, that more than the user's file, that more than the environment.
 * A line is `name = value`; `#` and `;` begin a comment. Names of options that the command lacks are passed over.
 * Errors: GS_ERR_USAGE "FILE:LINE: ..." for any other line and for a value that the option refuses; GS_ERR_MEMORY.
 */
enum gs_status gs_request_defaults(struct gs_request *r, const struct gs_default_sources *from,
                                   const char *const *args, size_t n_args, struct gs_err *err);
