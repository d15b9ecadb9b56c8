/* options.h - one table of options gives parsing, bounds, help, man pages and completions. */
#ifndef GPUSTAT_OPTIONS_H
#define GPUSTAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpustat/arena.h"
#include "gpustat/status.h"

/* Texts given by a repeatable option or as operands, in order. */
struct gs_list {
    const char **item;
    size_t n;
};

/* The field that an option writes has the type named here. */
enum gs_opt_kind {
    GS_OPT_END = 0,
    GS_OPT_GROUP,    /* no option: a heading in the help, in .help            */
    GS_OPT_FLAG,     /* bool                                                  */
    GS_OPT_TEXT,     /* const char *                                          */
    GS_OPT_FILE,     /* const char *; completed as a file name                */
    GS_OPT_LIST,     /* struct gs_list: may be given more than once           */
    GS_OPT_FILES,    /* struct gs_list of file names                          */
    GS_OPT_COUNT,    /* uint64_t within [min, max]                            */
    GS_OPT_REAL,     /* double within [real_min, real_max]                    */
    GS_OPT_DURATION, /* int64_t ns, not negative                              */
    GS_OPT_CHOICE,   /* int: index into choices                               */
    GS_OPT_ZONE,     /* int32_t seconds east of UTC                           */
};

struct gs_opt {
    char short_name;    /* 0: none */
    const char *name;   /* long name without dashes */
    enum gs_opt_kind kind;
    size_t offset;      /* of the field in the command's option structure */
    const char *arg;    /* "N", "FILE" ... as the help shows it */
    const char *help;   /* lower case, without full stop */
    uint64_t min, max;
    double real_min, real_max;
    const char *const *choices; /* ends in NULL */
};

#endif
