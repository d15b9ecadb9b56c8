/* request.h - one command with its options: what a command line and a call of the library have in common. */
#pragma once

#include "app/options/command.h"
#include "app/cli/common.h"

/* Start from gs_request_begin. Everything lives in `arena`. */
struct gs_request {
    const struct gs_command *command; /* set by the caller before the arguments are parsed */
    struct gs_arena *arena;
    struct gs_common common;
    void *parsed; /* the command's own options */
    struct gs_list operands;
    struct gs_context context;
    struct gs_path_conflicts claims;
    /* for inputs that can be read once only; NULL: they are left as they are */
    const char *temp_dir;
};

/* `argv` is kept for provenance; NULL at its end. */
void gs_request_begin(struct gs_request *r, struct gs_arena *arena, const char *const *argv,
                      uint64_t seed);

/* Reads the arguments behind the command's name. Errors: GS_ERR_USAGE, GS_ERR_MEMORY. */
enum gs_status gs_request_parse(struct gs_request *r, const char *const *args, size_t n_args,
                                struct gs_err *err);

/*
 * Holds operands to what the command takes, and inputs and outputs against each other; settles format, threads and
 * the rest of the context. Errors: GS_ERR_USAGE, GS_ERR_MEMORY.
 */
enum gs_status gs_request_check(struct gs_request *r, struct gs_err *err);

/*
 * Makes inputs that can be read only once readable again (gs_input_replayable), because detection reads them before the
 * command does; then settles the options that depend on the files (gs_join_opts_settle). After gs_request_check.
 */
enum gs_status gs_request_prepare(struct gs_request *r, struct gs_err *err);

/* --sort and --top. A column needs to be in one of the frames only; those without it keep their order. */
enum gs_status gs_request_arrange(const struct gs_request *r, struct gs_frames *frames,
                                  struct gs_err *err);
