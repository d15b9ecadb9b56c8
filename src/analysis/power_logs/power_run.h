/* power_run.h - a run as power logs, one of each GPU: what the study of power looks at, one host at a time. */
#pragma once

#include "base/core/notes.h"
#include "data/tables/dataset.h"
#include "data/tables/log_table.h"

/*
 * A run and its logs, in the order of their names: numbers by value, then text. In a file a GPU is called by the number
 * that is its index, behind its host where samples name hosts; without one, and in a directory, by its UUID, else its
 * serial, in a directory of several hosts with the host before it.
 */
struct gs_power_run {
    const struct gs_dataset *d; /* NULL: the readings of all logs are in the table */
    /*
     * log[]: names; counts once they were visited, readings once they are kept; rows that are no samples are the
     * table's, or of the only GPU
     */
    struct gs_log_table table;
    uint32_t metric[GS_LOG_FIELDS]; /* of the dataset; UINT32_MAX: it has none */
    uint32_t *log_of; /* [d->n_gpus] the place in table.log[] of the GPU with this first series */
    bool has_times;   /* as was chosen */
};

/* The columns of power, in the order in which they count: what --power-column calls each, and its metric. */
enum { GS_N_POWER_KINDS = 3 };
extern const struct gs_power_kind {
    const char *word, *metric;
    enum gs_power_column column;
} gs_power_kinds[GS_N_POWER_KINDS];

/* Which power counts, and what of the run's names and times. */
struct gs_power_choice {
    const char *metric; /* NULL: as everywhere the instant power, else the draw, else the average */
    enum gs_power_column column; /* of `metric` */
    bool has_times;    /* else the samples are but in order                                   */
    bool is_directory; /* of several hosts: the name of each stands before those of its GPUs  */
};

/*
 * Makes ready to look at a run that was read from `name`.
 *
 * Errors: GS_ERR_DATA where no sample has a power; GS_ERR_MEMORY.
 * Memory: lives in `arena`.
 */
enum gs_status gs_power_run_open(const struct gs_dataset *d, const char *name,
                                 const struct gs_power_choice *choice, struct gs_arena *arena,
                                 struct gs_notes *notes, struct gs_power_run *run,
                                 struct gs_err *err);

/* Looks at log `k` of a run, whose readings are there only during the call, as `scratch` is; threads as of a gs_host_fn. */
typedef enum gs_status gs_power_look_fn(void *context, size_t k, const struct gs_log *log,
                                        unsigned thread, struct gs_arena *scratch,
                                        struct gs_err *err);

/*
 * Shows every log once, in any order, those of different hosts on different threads, and counts the samples that are no
 * readings because they have no power.
 * Errors: those of the view and of `look`; of the hosts that fail the first is named.
 */
enum gs_status gs_power_run_visit(struct gs_power_run *run, unsigned n_threads,
                                  gs_power_look_fn *look, void *context, struct gs_err *err);

/* Says, after a visit, how many rows are no readings. */
void gs_power_run_note(const struct gs_power_run *run, struct gs_notes *notes);

/* Copies the readings of all logs into `arena`, where they stay, for what looks at them again and again. */
enum gs_status gs_power_run_store(struct gs_power_run *run, unsigned n_threads,
                                  struct gs_arena *arena, struct gs_err *err);
