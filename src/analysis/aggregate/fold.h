/* fold.h - an analysis as a fold over hosts: one visit serves many, states merge exactly and can be saved. */
#pragma once

#include "data/result/frame.h"
#include "analysis/timeline/join.h"
#include "analysis/aggregate/host_rows.h"
#include "analysis/aggregate/part_names.h"
#include "analysis/aggregate/records.h"

enum { GS_STATE_TABLES = 12 };

/*
 * What an analysis has gathered from some hosts: tables of records, whose keys are texts and whole numbers, never
 * numbers of a dataset. What belongs to a host is added by its host; what belongs to the whole run (its task table,
 * its files) is the same in every state of the run, and stands in fields that take the least or greatest.
 */
struct gs_state {
    const void *plan; /* of the fold, for adding: made from the dataset, in no bytes */
    /* of a fold whose answer is rows of hosts: its plan says their types */
    struct gs_host_rows rows;
    size_t n_tables;
    struct gs_records table[GS_STATE_TABLES];
};

/* An input file of the run. */
struct gs_facts_input {
    struct gs_str name; /* escaped                                                 */
    uint64_t number;    /* gs_input_number: lines refer to it                      */
    enum gs_table_kind kind;
    uint64_t n_rows;
    struct gs_str sha256; /* digits of the digest of its bytes; missing: not made    */
};

/* What is known beside the states of one visit. Same for all of them. */
struct gs_facts {
    struct gs_view_totals totals; /* over the hosts visited */
    enum gs_duplicates duplicates;
    bool has_table[GS_N_TABLES], checkpoints_name_gpu, zoneless;
    uint32_t n_metrics;
    /* [n_metrics] as in the dataset; tails of records are in this order */
    const struct gs_metric **metric;
    bool *has_metric; /* [n_metrics] */
    size_t n_inputs, input_room;
    struct gs_facts_input *input; /* [n_inputs] by ascending number */
    bool is_part;                 /* the inputs are those of a part of the run (--part) */
    struct gs_intern seen;        /* digests of the inputs of parts: in no bytes, made by merging */
    size_t n_hosts, host_room;
    struct gs_str *host; /* [n_hosts] of a partial result: the hosts in it, ascending; else none */
    struct gs_part_names names;
    uint64_t seed; /* of hash tables, the dataset's; in no bytes: who loads facts gives them one */
};

/* The input of this number; NULL: there is none. */
const struct gs_facts_input *gs_facts_input(const struct gs_facts *facts, uint64_t number);

/* Is a file of the inputs one of this kind? Without one what it tells is missing, not zero. */
bool gs_facts_have(const struct gs_facts *facts, enum gs_table_kind kind);

/* "FILE:LINE" of what gs_dataset_line gave, as the places in `totals` are; "" for none. Lives in `arena`. */
const char *gs_facts_line(const struct gs_facts *facts, int64_t line, struct gs_arena *arena);

/*
 * One host while folds look at it. What several of them may want is computed once and kept until the host is done.
 * `arena` is the thread's and stays as long as the states; `scratch` is gone after the host.
 */
struct gs_fold_host {
    const struct gs_dataset *d;
    const struct gs_host_view *view;
    struct gs_arena *scratch, *arena;
    struct gs_host_joins *joins; /* see gs_fold_joined */
    const uint32_t *task_row;    /* once gs_fold_task_rows was called */
};

/* What every pair of the host draws under this join, one per pair. */
enum gs_status gs_fold_joined(struct gs_fold_host *host, const struct gs_join_options *join,
                              const struct gs_joined **joined, struct gs_err *err);

/* Fills host->task_row: the row of the task table that each pair of the host belongs to, GS_NONE: none. */
enum gs_status gs_fold_task_rows(struct gs_fold_host *host, struct gs_err *err);

/* What a fold makes its frames of. */
struct gs_finish {
    const void *options;
    const struct gs_state *state;
    const struct gs_facts *facts;
    unsigned n_threads;
    struct gs_arena *arena; /* the frames live there */
    void *also;             /* what the fold's header says: frames for figures; NULL: not wanted */
};

/*
 * An analysis. A new one is one of these with its tables, and a row in the table of folds of the unit test, which
 * then holds it to what is said here: any partition of the hosts into states, merged in any order, saved and
 * loaded, finishes as one visit of all does.
 */
struct gs_fold {
    const char *name;
    unsigned views; /* GS_VIEW_... that `add` looks at; BY_GPU: it may be shown a host so */
    const struct gs_records_spec *const *table; /* of the state                    */
    size_t n_tables;
    bool has_rows; /* of hosts */

    /*
     * Keys of the state's tables from the dataset, where they are known, and the plan for adding; what belongs to the whole
     * run. The tables are there without a record, or with the one of a table without keys. NULL: that is all.
     */
    enum gs_status (*plan)(const void *options, const struct gs_dataset *d, struct gs_state *state,
                           struct gs_arena *arena, struct gs_err *err);

    /* One host. Called on several threads at once, each with a state of its own. */
    enum gs_status (*add)(const void *options, struct gs_state *state, struct gs_fold_host *host,
                          struct gs_err *err);

    /* The frames, appended to `out`, and the notes, from the state alone, which must stay. NULL: others read the state. */
    enum gs_status (*finish)(const struct gs_finish *of, struct gs_frames *out, struct gs_err *err);

    /* of what is saved, to be counted up where its meaning changes and its fields do not */
    unsigned layout;
};

/* An analysis to run: a fold with its options; the state it came to. */
struct gs_fold_job {
    const struct gs_fold *fold;
    const void *options;
    struct gs_state state;
    struct gs_scratch_file *rows_file; /* where rows of hosts go; NULL: they are held */
    /* where what the data do not allow is told, while the others go on; NULL: it ends the visit */
    struct gs_err *own_err;
};

/* A way of counting: a dataset, what is asked of it, and what is known beside the states then. */
struct gs_fold_way {
    const struct gs_dataset *d;
    struct gs_fold_job *job; /* [n_jobs] */
    size_t n_jobs;
    struct gs_facts *facts;
};

/*
 * Visits the hosts once for all jobs and leaves their states. `takes` says which hosts, NULL: all. Several ways differ in
 * `duplicates` alone: what a host is like is found once for all.
 *
 * Errors: those of the folds; of the hosts that fail the first is named, and so it is of a job's own failures.
 * Memory: the states live in `arena`, one per thread until they are merged.
 * Cost:   one preparation of each host.
 */
enum gs_status gs_folds_run(const struct gs_fold_way *way, size_t n_ways, const bool *takes,
                            unsigned n_threads, struct gs_arena *arena, struct gs_err *err);

/* One fold from the dataset to its frames: gs_folds_run over all hosts, then finish, but for state and facts as `of` says. */
enum gs_status gs_fold_frames(const struct gs_dataset *d, const struct gs_fold *fold,
                              struct gs_finish of, struct gs_frames *out, struct gs_err *err);

/*
 * Adds what `other` holds, which is not to be used again; its arena must stay.
 * Errors: GS_ERR_DATA for facts that cannot be of one run.
 */
enum gs_status gs_state_merge(const struct gs_fold *fold, struct gs_state *state,
                              struct gs_state *other, struct gs_arena *arena, struct gs_err *err);

/*
 * Adds what is known of other hosts of the same run.
 * Errors: GS_ERR_DATA for other data (by name), for hosts that are in both, for files that were read in different ways.
 */
enum gs_status gs_facts_merge(struct gs_facts *facts, const struct gs_facts *other,
                              struct gs_arena *arena, struct gs_err *err);

/* Adds what is known of another run: its files come behind, the metrics stay those of the first. Lives in `arena`. */
enum gs_status gs_facts_join(struct gs_facts *facts, const struct gs_facts *other,
                             struct gs_arena *arena, struct gs_err *err);

enum { GS_FOLD_LAYOUT_MAX = 17 };

/* A text that is another one where bytes of states of this fold, or of facts, mean something else. */
void gs_fold_layout(const struct gs_fold *fold, char text[GS_FOLD_LAYOUT_MAX]);

/* Where the bytes of states go. */
struct gs_saving {
    struct gs_buf *b;
    const struct gs_sink *to; /* what is in `b` goes on there, bit by bit; NULL: it stays */
    bool here; /* for this process: of rows of hosts in a file the places are told, not the bytes */
    struct gs_arena *scratch; /* gone afterwards: not the one that `b` grows in */
};

/* Hands on what is in `b`. */
enum gs_status gs_saving_hand_on(const struct gs_saving *how, struct gs_err *err);

/*
 * As bytes, the same for any order of adding and merging, and back; everything loaded lives in `arena`, but for rows
 * of hosts, which stay where the bytes are, or in `file`, see gs_host_rows_load.
 */
enum gs_status gs_state_save(const struct gs_fold *fold, const struct gs_state *state,
                             const struct gs_saving *how, struct gs_err *err);
enum gs_status gs_state_load(const struct gs_fold *fold, const struct gs_facts *facts,
                             struct gs_state *state, struct gs_scratch_file *file,
                             struct gs_unpacker *u, struct gs_arena *arena);
void gs_facts_save(const struct gs_facts *facts, struct gs_buf *b);
enum gs_status gs_facts_load(struct gs_facts *facts, struct gs_unpacker *u, struct gs_arena *arena);
