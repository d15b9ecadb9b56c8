/* dataset_opts.h - the options of every command that reads a run's tables, and the loading they ask for. */
#pragma once

#include "base/num/timestamp.h"
#include "base/os/output.h"
#include "app/options/command.h"
#include "analysis/timeline/counts.h"
#include "analysis/timeline/join.h"
#include "input/import/load.h"

/* What is known of the power sensors beside the samples. */
struct gs_sensor_opts {
    const char *sensor, *card; /* NULL: not given */
};

struct gs_dataset_opts {
    struct gs_list dir; /* operands: a directory, or files */
    struct gs_list checkpoints, gpu, tasks, set;
    const char *map, *start;
    const char *from, *to;    /* see time_range.h; NULL: not given */
    const char *columns;      /* names of a headerless table's columns; NULL: as it has them   */
    const char *power_column; /* draw, average, instant, or a column; NULL: the first of those */
    struct gs_zone zone;
    struct gs_sensor_opts sensor;
    int64_t max_gap_ns; /* no energy across a longer gap; 0: not given */
    int duplicates;     /* enum gs_duplicates */
    const char *rejects;
    bool digest; /* no option: see gs_load_options */
    /* no option: no energy is counted for several jobs, so that none need a warning */
    bool counts_once;
    uint32_t shard, n_shards, first_input; /* no options: see gs_load_options */
    bool own_tasks;
    struct gs_pass_plan *pass_plan;
};

struct gs_join_opts {
    int join;             /* enum gs_join, or GS_JOIN_OF_RUN until gs_join_opts_settle */
    int ties;             /* 0 earlier, 1 later */
    int64_t tolerance_ns; /* negative: any */
};

/* How much of the run is looked at, and what becomes of it. The answer of all together does not depend on it. */
struct gs_scale_opts {
    const char *shard;   /* "3/8"; NULL: the whole run           */
    const char *part;    /* "3/8": the input is that of a run; NULL: all of it */
    const char *partial; /* the file of the state; NULL: print   */
    uint64_t max_memory; /* bytes; 0: as much as it takes        */
};

/* What the options of every command over a run begin with, whichever of them its table has. */
struct gs_run_opts {
    struct gs_dataset_opts dataset;
    struct gs_scale_opts scale;
    struct gs_join_opts join;
    const char *event; /* the task, or an event that is looked at alone; NULL: all */
};

#define GS_MAX_GAP_UNSET "every gap is bridged"
enum { GS_JOIN_OF_RUN = -1 };
#define GS_JOIN_DEFAULTS                                                                           \
    {                                                                                              \
        .join = GS_JOIN_OF_RUN, .tolerance_ns = -1                                                 \
    }

extern const char *const gs_duplicates_words[], *const gs_join_words[], *const gs_ties_words[];

/*
 * Rows of an option table whose options begin with struct gs_run_opts: the same of every command that reads
 * samples. GS_OPTS_LOG is of a command that reads nothing else, GS_OPTS_FILES of one that looks at no time in them.
 */
/* clang-format off */
#define GS_OPTS_SAMPLES                                                                                       \
        {0, "samples", GS_OPT_FILES, offsetof(struct gs_run_opts, dataset.gpu), .arg = "FILE",                \
         .help = "the samples, of any form (gpustat-formats(5)), in place of those of DIR"},                  \
        {0, "gpu", GS_OPT_FILES, offsetof(struct gs_run_opts, dataset.gpu), .arg = "FILE",                    \
         .help = "the same as --samples"}
#define GS_OPTS_EVENTS                                                                                        \
        {0, "events", GS_OPT_FILES, offsetof(struct gs_run_opts, dataset.checkpoints), .arg = "FILE",         \
         .help = "the events, of any form, in place of those of DIR; given again, or as a pattern in quotes, for several " \
                 "files; - is standard input"},                                                               \
        {0, "checkpoints", GS_OPT_FILES, offsetof(struct gs_run_opts, dataset.checkpoints), .arg = "FILE",    \
         .help = "the same as --events"},                                                                     \
        {0, "tasks", GS_OPT_FILES, offsetof(struct gs_run_opts, dataset.tasks), .arg = "FILE",                \
         .help = "the table of tasks, in place of that of DIR"},                                              \
        {0, "start", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.start), .arg = "TIME",                 \
         .unset = "where the samples show the load",                                                          \
         .help = "when the first of step times without a clock began: 2025-11-21T04:40:00Z"}
#define GS_OPTS_MEANING                                                                                       \
        {0, "map", GS_OPT_FILE, offsetof(struct gs_run_opts, dataset.map), .arg = "FILE", .unset = "gpustat.json beside the files where it is there", \
         .help = "what the files mean, as gpustat map prints it"},                                            \
        {0, "set", GS_OPT_LIST, offsetof(struct gs_run_opts, dataset.set), .arg = "ROLE.PATH=VALUE",          \
         .help = "change one thing of that: samples.zone=+01:00"},                                            \
        {0, "columns", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.columns), .arg = "NAMES",            \
         .help = "columns of samples without header, comma-separated: timestamp, host, gpu, power, temp, gpu_util, mem_util, " \
                 "memory_used, memory_total, clock; - ignores one"},                                          \
        {0, "tz", GS_OPT_ZONE, offsetof(struct gs_run_opts, dataset.zone), .arg = "ZONE",                     \
         .help = "zone of times that name none: UTC, +01:00, Europe/Berlin"}
#define GS_OPTS_RANGE                                                                                         \
        {0, "from", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.from), .arg = "TIME", .unset = "the start of the run", \
         .help = "look at nothing before: 2026-09-12T06:00:00Z, a day, 06:00, or +10m after the run's start; --tz is the zone"}, \
        {0, "to", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.to), .arg = "TIME", .unset = "the end of the run", \
         .help = "look at nothing from then on; -10m is before the run's end"}
#define GS_OPTS_ROWS                                                                                          \
        {0, "power-column", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.power_column), .arg = "NAME",   \
         .help = "the power column by its header, or draw, average, instant", .unset = "the first of these with values"}, \
        {0, "duplicates", GS_OPT_CHOICE, offsetof(struct gs_run_opts, dataset.duplicates), .choices = gs_duplicates_words, \
         .help = "what becomes of rows that are exactly equal to another: the commands of the study and power keep them, all others " \
                 "count a row once"},                                                                         \
        {0, "rejects", GS_OPT_FILE, offsetof(struct gs_run_opts, dataset.rejects), .arg = "FILE",             \
         .use = GS_FILE_WRITTEN,                                                                              \
         .help = "write malformed rows there, with the reason, and go on"},                                   \
        {0, NULL, GS_OPT_GROUP, 0, .help = "energy"},                                                         \
        {0, "sensor", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.sensor.sensor), .arg = "KEY=VALUE,...", \
         .help = "what is known of the power sensor: period=100ms, window=1s, delay=0s, gain=0.95, offset=4.6 (W), " \
                 "r2=0.9999 (of the line that gave gain and offset); gpustat power --calibrate prints it",    \
         .unset = "what the card's name and the samples tell"},                                               \
        {0, "card", GS_OPT_TEXT, offsetof(struct gs_run_opts, dataset.sensor.card), .arg = "NAME",            \
         .help = "the card's exact name, such as 'NVIDIA GeForce RTX 3090': its sensor and scale as others measured them", \
         .unset = "the column of names in the samples"},                                                      \
        {0, "max-gap", GS_OPT_DURATION, offsetof(struct gs_run_opts, dataset.max_gap_ns), .arg = "TIME", .min = 1, \
         .unset = GS_MAX_GAP_UNSET, .help = "no energy across a longer gap between two samples"}
#define GS_OPTS_LOG                                                                                           \
        GS_OPTS_SAMPLES,                                                                                      \
        GS_OPTS_MEANING,                                                                                      \
        GS_OPTS_RANGE,                                                                                        \
        GS_OPTS_ROWS
#define GS_OPTS_FILES                                                                                         \
        GS_OPTS_SAMPLES,                                                                                      \
        GS_OPTS_EVENTS,                                                                                       \
        GS_OPTS_MEANING,                                                                                      \
        GS_OPTS_ROWS
#define GS_OPTS_DATASET                                                                                       \
        {0, NULL, GS_OPT_GROUP, 0, .help = "input"},                                                          \
        GS_OPTS_SAMPLES,                                                                                      \
        GS_OPTS_EVENTS,                                                                                       \
        GS_OPTS_MEANING,                                                                                      \
        GS_OPTS_RANGE,                                                                                        \
        GS_OPTS_ROWS
/* clang-format on */

/* Rows for the join of such a structure. */
/* clang-format off */
#define GS_OPTS_JOIN \
    {0, NULL, GS_OPT_GROUP, 0, .help = "join"},                                                                       \
        {0, "join", GS_OPT_CHOICE, offsetof(struct gs_run_opts, join.join), .choices = gs_join_words,                              \
         .unset = "window; nearest for the study's own files",                                                        \
         .help = "which samples an event takes: those nearest to its two ends, or all inside its window"},            \
        {0, "tolerance", GS_OPT_DURATION, offsetof(struct gs_run_opts, join.tolerance_ns), .arg = "TIME", .unset = "any distance", \
         .help = "take no sample further away than this: 500ms, 2s, 1min; a bare number is seconds"},                 \
        {0, "ties", GS_OPT_CHOICE, offsetof(struct gs_run_opts, join.ties), .choices = gs_ties_words,                              \
         .help = "of two samples equally near, take the earlier or the later"}
/* clang-format on */

/* Fills what is asked of the maker of the map; points into the options. */
struct gs_map_request;
void gs_dataset_opts_request(const struct gs_dataset_opts *o, const struct gs_context *context,
                             struct gs_notes *notes, struct gs_map_request *request);

/* The file of --rejects: malformed rows go there with their reason. */
struct gs_rejects_file {
    const char *path; /* NULL: none was asked for */
    struct gs_output file;
    struct gs_arena scratch;
};

/* Opens it, and lets `load` hand rows to it; `close` follows in any case: the file is whole, or not there. */
enum gs_status gs_rejects_open(struct gs_rejects_file *r, const char *path,
                               struct gs_load_options *load, struct gs_err *err);
enum gs_status gs_rejects_close(struct gs_rejects_file *r, enum gs_status s, struct gs_err *err);

/* The tables to load: those needed, those taken where they are there (NULL: none), with their rows' places? */
struct gs_wanted_tables {
    const bool *need, *optional; /* [GS_N_TABLES] */
    bool places;
};

/*
 * Loads what is wanted with these options; says notes in out. With --rejects the file is written whole or not at all.
 */
enum gs_status gs_dataset_opts_load(const struct gs_dataset_opts *o,
                                    const struct gs_context *context,
                                    struct gs_wanted_tables wanted, struct gs_dataset *dataset,
                                    struct gs_frames *out, struct gs_err *err);

/*
 * What these options say of the sensors: *spec is NULL where nothing was said, else lives in `arena`.
 * Errors: GS_ERR_USAGE, for a card that is not in the table with those that are.
 */
enum gs_status gs_sensor_opts_get(const struct gs_sensor_opts *o, struct gs_arena *arena,
                                  const struct gs_sensor_spec **spec, struct gs_err *err);

/* Was the option of this long name given on the command line, and not by a default? */
bool gs_gives(const struct gs_context *context, const char *option);

/* The row of the event that is the task. */
#define GS_OPT_TASK                                                                                \
    {                                                                                              \
        0, "event", GS_OPT_TEXT, offsetof(struct gs_run_opts, event),                              \
            .arg = "NAME",                                                                         \
            .help = "the event that is a task; if no event has the default name, the outermost "   \
                    "that takes longest"                                                           \
    }

/* The event that is the task: the one that was given, else gs_task_event; `usual` is the default of the options. */
enum gs_status gs_task_event_opt(const char *given, const char *usual,
                                 const struct gs_context *context, const struct gs_dataset *d,
                                 const char **event, struct gs_notes *notes, struct gs_err *err);

/*
 * Replaces GS_JOIN_OF_RUN among a command's options by the join that suits the run: nearest, as published, for the
 * study's own files, else window, because readings at an event's two ends say nothing about what ran in between. It
 * counts as given from here on: a partial result records its join, and merge has no files to ask.
 */
enum gs_status gs_join_opts_settle(const struct gs_command *command, void *parsed,
                                   struct gs_context *context, struct gs_err *err);

/* The join that these options ask for; it is settled. */
struct gs_join_options gs_join_opts_get(const struct gs_join_opts *o);

/* Says which options of the join, where a command has them, were given but mean nothing to the one that was chosen. */
void gs_join_opts_notes(const struct gs_command *command, const void *parsed,
                        struct gs_notes *notes);

/* Errors: GS_ERR_NOINPUT with what to type where the one table that a study reads is a directory. */
enum gs_status gs_study_file_check(const char *command, const char *action, const char *file,
                                   struct gs_err *err);
