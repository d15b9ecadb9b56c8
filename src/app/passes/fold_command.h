/* fold_command.h - commands whose answer comes from a fold: by shards, in passes, saved, or all at once. */
#pragma once

#include "app/options/dataset_opts.h"
#include "analysis/aggregate/fold.h"

/* clang-format off */
#define GS_OPTS_SCALE \
    {0, NULL, GS_OPT_GROUP, 0, .help = "scale"},                                                                      \
        {0, "shard", GS_OPT_TEXT, offsetof(struct gs_run_opts, scale.shard), .arg = "I/N", .apart = true, .unset = "the whole run", \
         .help = "only the hosts of shard I of N"},                                                                   \
        {0, "part", GS_OPT_TEXT, offsetof(struct gs_run_opts, scale.part), .arg = "I/N", .apart = true, .unset = "the whole run",   \
         .help = "the files are part I of N of a run, all hosts in them; with --partial, for merge"},                 \
        {0, "partial", GS_OPT_FILE, offsetof(struct gs_run_opts, scale.partial), .arg = "FILE", .use = GS_FILE_WRITTEN,             \
         .apart = true, .help = "write the partial result there instead of printing: see gpustat help merge"},        \
        {0, "max-memory", GS_OPT_SIZE, offsetof(struct gs_run_opts, scale.max_memory), .arg = "SIZE", .min = 1 << 20,              \
         .apart = true, .unset = "what one pass takes",                                                               \
         .help = "read the files as often as it takes to stay below it: 200M, 2G"}
/* clang-format on */

/* Does an answer compare tasks? Jobs of users differ, so a comparison of their lengths misleads. Or is it of jobs alone? */
enum gs_equal_tasks { GS_TASKS_ANY, GS_TASKS_LIKE, GS_TASKS_EQUAL, GS_TASKS_JOBS };

/* What the figure of an answer is made from. */
struct gs_figure_of {
    const void *parsed; /* the command's options */
    const struct gs_context *context;
    const void *also; /* what the fold's finish left for it */
};

/*
 * What the event of the options is to a command: the task, which is found in the data where the whole run is looked at
 * at once and none was given (gs_task_event), or one that is looked at alone.
 */
enum gs_event_use { GS_EVENT_UNUSED, GS_EVENT_TASK, GS_EVENT_ALONE };

/* What a command is made of whose `run` is gs_fold_command_run; its options begin with struct gs_run_opts. */
struct gs_fold_command {
    enum gs_event_use event;
    bool need[GS_N_TABLES], optional[GS_N_TABLES], places;
    enum gs_equal_tasks equal_tasks; /* what its answer is worth of a scheduler's jobs */
    bool metric_columns; /* columns are called as metrics of the data are, whatever that is */
    bool all_tasks;      /* a part looks at the names of all tasks, not of its own alone */

    /* Tables that the options need beside those; NULL: none. */
    void (*needs)(const void *parsed, bool need[GS_N_TABLES]);

    /*
     * Its fold, or the one that the options choose. What depends on the data is in its state, which may come from
     * elsewhere.
     */
    const struct gs_fold *fold;
    const struct gs_fold *(*choose)(const void *parsed);

    /*
     * Where the fold's own options stand in those of the command, 0: nowhere, and their size, 0: it has none. The fold
     * gets a copy, or zeroes, in which `options` sets what the table of options cannot; NULL: nothing.
     */
    size_t options_at, options_size;
    enum gs_status (*options)(const void *parsed, void *of_fold, struct gs_err *err);
    /* Offsets in them. Of the event that is the task, where they stand in the command's; of bools, 0: none. */
    size_t task, draws, brief, for_people; /* a figure is wanted; as of struct gs_context */
    bool compares_tasks;                   /* all jobs together are no task: gs_equal_tasks_event */

    /*
     * The figure of the last frame, or, where a figure is wanted, what gives it one: `also` (also_size bytes, in the
     * context's arena) is what the fold's finish left for that. With both `plot` and `also`, which then begins with a
     * frame, the figure draws that frame.
     */
    const struct gs_plot *plot;
    size_t also_size;
    enum gs_status (*draw)(const struct gs_figure_of *of, struct gs_frames *out,
                           struct gs_err *err);

    /*
     * Of a command over several runs: the options of the k-th, in the context's arena, each with its operands and hosts of its own,
     * whose states add up. *of: NULL past the last. NULL: there is one run.
     */
    enum gs_status (*run)(const void *parsed, size_t k, const struct gs_context *context,
                          const void **of, struct gs_err *err);
};

/* The parts of a row that are the same for all of them. */
#define GS_FOLD_COMMAND(word, options, table, preset, folded)                                      \
    GS_COMMAND(word, options, table, preset), GS_OPERANDS_RUN,                                     \
        .run = gs_fold_command_run, .folds = &folded, .group = "the run"

/* A gs_run_fn. Needs context->command and context->given. */
enum gs_status gs_fold_command_run(const void *parsed, const struct gs_context *context,
                                   struct gs_frames *out, struct gs_err *err);
