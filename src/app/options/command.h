/* command.h - what a subcommand is: one file cmd_<name>.c (several studies in cmd_studies.c), one row in commands.def. */
#pragma once

#include "base/os/path_conflicts.h"
#include "base/os/scratch_file.h"
#include "data/result/frame.h"
#include "app/options/rates.h"

struct gs_command;
struct gs_fold_command; /* fold_command.h */
struct gs_memory_bound; /* memory_bound.h */
struct gs_kept_data;    /* kept_data.h */

/* A command line that is the operands of another command (slurm). */
struct gs_inner_command {
    const struct gs_command *command;
    void *parsed;
    struct gs_list given, operands; /* given: as in the context */
};

/* What main hands every command beside its options. */
struct gs_context {
    struct gs_inner_command inner;                  /* for commands that wrap one */
    void (*progress)(void *line, const char *text); /* says how far it is; NULL: nobody looks */
    void *progress_line;
    void (*tell)(void *to, const char *text); /* a line for people, at once; NULL: nobody looks */
    void *tell_to;
    bool watched; /* a progress line is shown: no lines of progress beside it */
    const struct gs_command *command;
    /* a command, NULL where there is none of that name */
    const struct gs_command *(*find)(const char *name);
    struct gs_list given;    /* its options as given, one spelling, without those that are apart */
    struct gs_arena *arena;  /* owns everything the run keeps                              */
    unsigned n_threads;      /* -j, at least 1                                             */
    uint64_t seed;           /* for hash tables, from the system's random numbers          */
    struct gs_list typed;    /* long names of all options that were given, without defaults */
    const char *output;      /* -o as given, or NULL                                       */
    const char *const *argv; /* the command line as given, NULL at its end: provenance     */
    const char *version;     /* "0.2.0"                                                    */
    const char *title;       /* --title, NULL where not given                              */
    struct gs_rates rates;   /* --price, --carbon and --pue                                */
    bool dark;               /* --theme dark, for commands that draw themselves (report)   */
    int height_px;           /* --height, likewise; 0 where not given                      */
    const char *temp_dir;    /* for what does not fit memory; NULL: there is none */
    /* likewise, opened by who needs it, there until all is printed; or NULL */
    struct gs_scratch_file *scratch;
    /* of --max-memory, held by who prints, too; NULL: by the command alone */
    struct gs_memory_bound *bound;
    /* inputs that the command finds itself are claimed here; NULL in tests */
    struct gs_path_conflicts *claims;
    struct gs_kept_data *kept; /* tables that later commands use, too; NULL: each loads its own */
    bool draws;                /* a figure is wanted: --plot or --format gnuplot             */
    bool for_people;           /* the rows are a table in the order that the command chooses */
    bool brief;                /* likewise, with all of its rows and none of them tested     */
};

/*
 * Fills `out` with frames; returns GS_FINDINGS where the answer is "something is wrong" (the frames are
 * printed all the same). Sorting, cutting, --explain and printing are the caller's.
 */
typedef enum gs_status gs_run_fn(const void *parsed, const struct gs_context *context,
                                 struct gs_frames *out, struct gs_err *err);

struct gs_example {
    const char *command; /* "gpustat events data/"; run as a test where it needs only data/ */
    const char *what;    /* what it shows, one line                                         */
};

struct gs_command {
    const char *name;
    const char *summary;     /* one line of `gpustat help`, lower case, without full stop       */
    const char *description; /* paragraphs separated by blank lines, for help and the man page */
    const char *operands;    /* "DIR", "LOG...", "" as the usage line shows them                */
    size_t operands_offset;  /* of a struct gs_list in the option structure                     */
    size_t operands_min, operands_max; /* both 0: takes none                                    */
    /* the command's own, ends in {0}; options of every command are main's */
    const struct gs_opt *opts;
    const void *defaults; /* opts_size bytes, copied before parsing                        */
    size_t opts_size;
    bool joins; /* its table has GS_OPTS_JOIN: the run's files settle which         */
    gs_run_fn *run;
    const struct gs_fold_command *folds; /* where run is gs_fold_command_run; else NULL */
    /* without folds: all columns of its answers are in the registry, so that another is refused before files are read */
    bool registered_columns;
    const struct gs_example *examples; /* ends in {0}; may be NULL */
    /* why --plot draws nothing: words after "has no figure: "; NULL: it draws */
    const char *no_figure;
    const char *group; /* heading in `gpustat help`: "the run", "power and prediction" ... */
    /* the operands are a command line; its options of output count as this one's own */
    bool wraps_command;
    bool writes_directory; /* -o names a directory that the command writes itself (report)    */
    bool has_actions;      /* the first operand is an action word listed in .actions (forest) */
    const char *const *actions; /* ends in NULL */
};

/* The manual of each command, made of src/app/commands/manual/NAME.md by scripts/embed-texts.sh. */
#define GS_COMMAND_ROW(word)                                                                       \
    extern const struct gs_command gs_cmd_##word;                                                  \
    extern const char gs_about_##word[];                                                           \
    extern const struct gs_example gs_examples_##word[];
#include "app/options/commands.def"
#undef GS_COMMAND_ROW

/* What every command has: its name, its manual, the table of its options and their defaults. */
#define GS_COMMAND(word, options, table, preset)                                                   \
    .name = #word, .description = gs_about_##word, .examples = gs_examples_##word, .opts = table,  \
    .defaults = &preset, .opts_size = sizeof(options)
#define GS_OPERANDS(shown, options, list, min, max)                                                \
    .operands = shown, .operands_offset = offsetof(options, list), .operands_min = min,            \
    .operands_max = max
#define GS_OPERANDS_RUN GS_OPERANDS("[DIR|FILE...]", struct gs_run_opts, dataset.dir, 0, 4096)
