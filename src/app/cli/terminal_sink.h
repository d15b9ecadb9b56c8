/* terminal_sink.h - results in formats for programs, shown on a terminal: nothing in them acts on it. */
#pragma once

#include "base/os/output.h"

/* Start from `{.to = ...}`. */
struct gs_terminal_sink {
    struct gs_sink to;
    char cut[4]; /* the beginning of a character whose rest has not come */
    size_t n_cut;
};

/* Control characters, and what reorders or hides text, are escaped as in messages; line ends and tabs stay. */
struct gs_sink gs_terminal_sink(struct gs_terminal_sink *t);

/* Hands on what was held back. */
enum gs_status gs_terminal_sink_end(struct gs_terminal_sink *t, struct gs_err *err);
