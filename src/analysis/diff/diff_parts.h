/* diff_parts.h - internal to src/analysis/diff: the rows that runs leave, and what becomes of them. */
#pragma once

#include "analysis/aggregate/pair_stats.h"
#include "analysis/diff/change.h"
#include "analysis/diff/diff.h"

/* A row per span. Behind these a column for each metric that is compared, and with --per the last: how much it handled. */
enum {
    ROW_RUN,
    ROW_GROUP,
    ROW_WORKER,
    ROW_TASK,
    ROW_START,
    ROW_STOP,
    ROW_IS_COPY, /* the part of a span on another of its hosts or GPUs: not one more */
    ROW_GPUS,    /* that it uses there                                              */
    ROW_ENERGY,
    ROW_POWER,
    ROW_METRIC
};

/* Groups begin with one of these, workers with one of the others. */
enum { OF_EVENTS = 'E', OF_LOG = 'L', GPU_WORKER = 'g', HOST_WORKER = 'h' };

enum gs_diff_kind { DIFF_DURATION, DIFF_ENERGY, DIFF_POWER, DIFF_THROUGHPUT, DIFF_METRIC };

struct gs_diff_measure {
    struct gs_str name;
    enum gs_diff_kind kind;
    size_t column;    /* of the rows, where it has one     */
    const char *unit; /* of typical values                 */
    double scale;     /* by which they are divided         */
    bool of_events, of_logs;
};

enum { DIFF_MEASURES_ROOM = GS_DIFF_MEASURES_MAX };

/* The measures that the options ask for; returns how many. */
size_t gs_diff_measures(const struct gs_diff_options *o, struct gs_diff_measure *m);

/* A frame without rows, with the columns of the rows. */
enum gs_status gs_diff_rows(const struct gs_diff_options *o, struct gs_arena *arena,
                            struct gs_frame **frame, struct gs_err *err);

/* Energy of a run's group, for what the sensors leave open; by run and group. */
struct gs_diff_energy {
    struct gs_energy_sum used;
    struct gs_gpu_uses gpus;
};

/* Sums over the copies of spans of one key: side, run, group, task, start, stop. */
struct gs_diff_copies {
    struct gs_intern key;
    struct gs_diff_copy *of; /* [key.n] */
    size_t n_columns;        /* from ROW_ENERGY on */
    struct gs_arena *arena;
};

struct gs_diff_copy {
    uint32_t n_spans;     /* with this key, that copies are of: more than one share them equally */
    double *sum, *n_gpus; /* [n_columns] of values x GPUs, but of energy; of GPUs with a value  */
};

struct gs_diff_copy_key {
    int64_t side, run, group, task, start_ns, stop_ns;
};

/* Adds a row of the rows' frame that is a copy. False without memory. */
bool gs_diff_copies_add(struct gs_diff_copies *c, const struct gs_diff_copy_key *key,
                        const struct gs_column *row, size_t r);

/* The copies of the span with this key; NULL: it has none. */
struct gs_diff_copy *gs_diff_copies_find(const struct gs_diff_copies *c,
                                         const struct gs_diff_copy_key *key);

/* Of the whole span, by its own value of a column on so many GPUs; energy is added, the others are means over its GPUs. */
double gs_diff_copies_whole(const struct gs_diff_copy *c, size_t column, double own, double n_gpus);

/* The result of a group and measure. */
struct gs_diff_row {
    struct gs_str group; /* with its first letter */
    const struct gs_diff_measure *measure;
    struct gs_change change;
    double p_holm;
    enum gs_change_verdict verdict;
    double a_total;           /* sum of the values of A: which group matters most */
    bool hosts;               /* workers are hosts                                */
    struct gs_str odd_worker; /* the name behind change.odd, with its letter; missing: none */
};

/* What the sentences are made of. */
struct gs_diff_told {
    const struct gs_diff_options *o;
    const struct gs_diff_row *row;
    size_t n;
    uint32_t n_base, n_new;
    bool same_cards;
    double gpus[2]; /* of A and of B, in all of their runs */
};

/* The sentence above the table, and the lines below it; false without memory. */
bool gs_diff_say(const struct gs_diff_told *t, struct gs_arena *arena, const char **lead,
                 const char **below);

/* The finish of the fold. */
enum gs_status gs_diff_finish(const struct gs_finish *of, struct gs_frames *out,
                              struct gs_err *err);
