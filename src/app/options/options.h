/* options.h - one table of options gives parsing, bounds, help, man pages and completions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

/* Texts given by a repeatable option or as operands, in order. */
struct gs_list {
    const char **item;
    size_t n;
};

/* The field that an option writes has the type named here; what it holds before is the default. */
enum gs_opt_kind {
    GS_OPT_END = 0,
    GS_OPT_GROUP,    /* no option: a heading in the help, in .help                  */
    GS_OPT_FLAG,     /* bool, set                                                   */
    GS_OPT_CLEAR,    /* bool, cleared: --no-features                                */
    GS_OPT_TEXT,     /* const char *                                                */
    GS_OPT_FILE,     /* const char *; completed as a file name                      */
    GS_OPT_LIST,     /* struct gs_list: may be given more than once                 */
    GS_OPT_FILES,    /* struct gs_list of file names                                */
    GS_OPT_COUNT,    /* uint64_t within [min, max]                                  */
    GS_OPT_SIZE,     /* uint64_t bytes within [min, max]: "200M", "2G"              */
    GS_OPT_REAL,     /* double, finite, within [real_min, real_max]                 */
    GS_OPT_SHARE,    /* double, as GS_OPT_REAL; 3% is 0.03                           */
    GS_OPT_DURATION, /* int64_t ns within [min, max]                                */
    GS_OPT_SHIFT,    /* int64_t ns, a sign allowed: "-3s"; or the word in choices[0] */
    GS_OPT_CHOICE,   /* int or enum: index into choices                             */
    GS_OPT_ZONE,     /* struct gs_zone                                              */
};

/* What a SHIFT may hold beside lengths of time. */
#define GS_SHIFT_UNSET INT64_MIN
#define GS_SHIFT_WORD  INT64_MAX /* choices[0] was given */

/* What becomes of the file that a FILE option names. */
enum gs_file_use {
    GS_FILE_READ,
    GS_FILE_WRITTEN,
    GS_FILE_EITHER, /* the command knows, and claims it itself */
};

/*
 * One option. The help shows the default that stands in the command's defaults, except for a number or
 * duration out of its own bounds, a NaN, a NULL and an empty list: these mean "not given".
 */
struct gs_opt {
    char short_name;  /* 0: none */
    const char *name; /* long name without dashes */
    enum gs_opt_kind kind;
    size_t offset;              /* of the field in the command's option structure */
    const char *arg;            /* "N", "FILE" ... as the help shows it; NULL: by kind */
    const char *help;           /* lower case, without full stop */
    uint64_t min, max;          /* COUNT, DURATION (ns); max 0: no limit above */
    double real_min, real_max;  /* REAL, SHARE; both 0: any finite number */
    bool above_min, below_max;  /* REAL, SHARE: the bound itself is refused */
    const char *const *choices; /* CHOICE: words, ends in NULL; SHIFT: one, or NULL */
    enum gs_file_use use;       /* FILE, FILES */
    bool apart;        /* the answer does not depend on it: how it is computed, what is set aside */
    const char *unset; /* what the help says in place of a default that is not given, or NULL */
};

/* One table and the structure its offsets speak of. */
struct gs_opt_set {
    const struct gs_opt *opts; /* ends in {0}; NULL: none */
    void *target;
    struct gs_list *given; /* NULL, or takes what was given as "--name=value", each scalar once */
    /* existing files right after the value of a FILES option belong to it, for commands without file operands */
    bool shards;
    struct gs_list *names; /* NULL, or takes the long name of each option that was given */
};

/*
 * Reads arguments against several tables at once: -j7, -j 7, -qj7, --threads=7, --threads 7; options and
 * operands mixed, `--` ends the options. Long names are never abbreviated. The last one of a scalar counts.
 *
 * Errors: GS_ERR_USAGE with a complete text ("-j: '0' must be a whole number from 1 to 256"; an unknown
 *         option names the nearest one). Targets may then be half written.
 * Memory: lists live in `arena`; texts point into `args`.
 */
enum gs_status gs_options_parse(const struct gs_opt_set *sets, size_t n_sets,
                                const char *const *args, size_t n_args, struct gs_list *operands,
                                struct gs_arena *arena, struct gs_err *err);

/* Does this option, as a set's `given` has it, name a file that is written? No number depends on one. */
bool gs_opt_is_written(const struct gs_opt *opts, const char *given);

/* The zone of --tz, of a command that has it; else NULL. */
const struct gs_zone *gs_opts_zone(const struct gs_opt *opts, const void *parsed);

/* Does the option take a value? */
bool gs_opt_has_value(const struct gs_opt *o);

/* What the help shows for the value: "N", "FILE", "nearest|backward"; "" for a flag. */
void gs_opt_show_arg(struct gs_buf *b, const struct gs_opt *o);

/* Appends the default as the help shows it; false, and nothing, where there is none. `target` NULL: none. */
bool gs_opt_show_default(struct gs_buf *b, const struct gs_opt *o, const void *target);
