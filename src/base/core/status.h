/* status.h - the status that a fallible function returns, and the error text that goes with a failure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
enum gs_status {
    GS_OK = 0,
    GS_FINDINGS,       /* the work is done and its answer is "something is wrong"; exit 1    */
    GS_ERR_USAGE,      /* the command line does not make sense; exit 2                       */
    GS_ERR_DATA,       /* malformed or contradictory input; exit 65                          */
    GS_ERR_NOINPUT,    /* an input does not exist or cannot be opened; exit 66               */
    GS_ERR_UNAVAILABLE,/* a library, driver or program that this needs is not there; exit 69 */
    GS_ERR_INTERNAL,   /* a bug in gpustat; exit 70                                          */
    GS_ERR_MEMORY,     /* memory or another system resource ran out; exit 71                 */
    GS_ERR_CANTCREATE, /* an output cannot be created; exit 73                               */
    GS_ERR_IO,         /* reading or writing failed half-way; exit 74                        */
    GS_ERR_RANGE,      /* a statistic is undefined for these data; a caller makes it missing */
    GS_ERR_AGAIN,      /* a cluster fails, or the caller stopped it: try again later; 75      */
};
/* clang-format on */

enum { GS_ERR_TEXT_MAX = 1024 };

/* A failure: complete text, lower case, without full stop, place first. Valid when zeroed. */
struct gs_err {
    enum gs_status status;
    char text[GS_ERR_TEXT_MAX]; /* NUL-terminated; text that came from data is already escaped */
};

/*
 * Stores status and text in `err` (NULL allowed) and returns status, so that a function can end in
 * `return gs_fail(err, GS_ERR_DATA, "...", ...)`. A text too long is cut and ends in "...".
 */
enum gs_status gs_fail(struct gs_err *err, enum gs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns from the function around it with the status of `call`, unless that is GS_OK. Only where nothing is held that
 * must be given back first.
 */
#define GS_TRY(call)                                                                               \
    do {                                                                                           \
        const enum gs_status try_status = (call);                                                  \
        if (try_status != GS_OK)                                                                   \
            return try_status;                                                                     \
    } while (0)

/* The next step, unless one before has failed: for functions that hold something until their end, where GS_TRY may not be. */
#define GS_THEN(status, call)                                                                      \
    do {                                                                                           \
        if ((status) == GS_OK)                                                                     \
            (status) = (call);                                                                     \
    } while (0)

/* The same of a line of a file, whose name is escaped: GS_ERR_DATA "NAME:LINE: ...". */
enum gs_status gs_fail_at(struct gs_err *err, const char *name, uint64_t line, const char *format,
                          ...) __attribute__((format(printf, 4, 5)));

/* Hands on what another gs_err holds: its status and text, or GS_OK where it holds no failure. */
enum gs_status gs_fail_again(struct gs_err *err, const struct gs_err *why);

/* The standard failure for memory that could not be had. */
enum gs_status gs_fail_memory(struct gs_err *err);

/* GS_OK where there was memory, else that failure: said here, so that compilers see that a NULL goes no further. */
static inline enum gs_status gs_had_memory(bool had, struct gs_err *err)
{
    if (had)
        return GS_OK;
    (void)gs_fail_memory(err);
    return GS_ERR_MEMORY;
}

/* Do the data, or what is asked of them, not allow one analysis? Others beside it may go on. */
static inline bool gs_status_is_of_data(enum gs_status s)
{
    return s == GS_ERR_DATA || s == GS_ERR_RANGE || s == GS_ERR_USAGE;
}

/* Did the system fail, or its user stop it? Then nothing is known of the data, and nothing may be decided by it. */
static inline bool gs_status_is_of_system(enum gs_status s)
{
    return s == GS_ERR_MEMORY || s == GS_ERR_IO || s == GS_ERR_AGAIN;
}

/* Hands on a failure that is the system's, of which `why` has the text; GS_OK for any other status. */
enum gs_status gs_fail_of_system(struct gs_err *err, enum gs_status status,
                                 const struct gs_err *why);

/* The exit code that the command line documents for a status. */
int gs_exit_code(enum gs_status status);
