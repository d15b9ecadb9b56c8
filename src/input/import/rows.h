/*
 * rows.h - the door for every form of input that is no table of CSV: samples, marks, spans and tasks, one by one, into
 * what the scanner fills too. What results does not depend on which of the two read a file.
 */
#ifndef GPUSTAT_ROWS_H
#define GPUSTAT_ROWS_H

#include "input/import/row_reader.h"
#include "input/import/load_options.h"

/* A missing text (ptr NULL) says that the form has none; an empty one is a name like any other. */

/* What a GPU is called. All missing but its make, the card: the host's only one. */
struct gs_gpu_names {
    struct gs_str uuid, serial, index, card;
};

/* Readings of one GPU at one instant. */
struct gs_sample {
    int64_t t_ns;
    struct gs_str host; /* missing: the input's                                   */
    struct gs_gpu_names gpu;
    struct gs_str job;    /* missing: of no job                                     */
    const int64_t *value; /* [n_metrics of the form] fixed-point in the metric's unit, GS_MISSING */
};

/* An attribute of an event or task. */
struct gs_attribute_text {
    struct gs_str key, value;
};

/* What marks and spans have in common. */
struct gs_event {
    struct gs_str name;
    const struct gs_str *host; /* [n_hosts]; 0: the input's host, or all where it has none */
    const struct gs_str *gpu;  /* [n_gpus] as events name them; 0: all of each host        */
    size_t n_hosts, n_gpus;
    struct gs_str job, task; /* missing: none, the same as the empty text                */
    const struct gs_attribute_text *attribute; /* [n_attributes] in any order, keys distinct */
    size_t n_attributes;
};

struct gs_task {
    struct gs_str job, task;
    int64_t x, y, level; /* GS_MISSING: not known */
    const struct gs_attribute_text *attribute;
    size_t n_attributes;
};

/* One input while its rows come in, on one thread. */
struct gs_rows {
    const struct gs_load_options *options;
    struct gs_reader *gather;
    struct gs_input *input;
    size_t input_number;
    const struct gs_input_form *form;
    const uint16_t *column; /* [n_metrics of the form] of the table */
    uint64_t line;          /* see gs_rows_begin                    */
};

/* Makes ready to take the rows of input `number` of the dataset, whose form has a `read`. Lives in g's arena. */
enum gs_status gs_rows_open(struct gs_rows *rows, const struct gs_load_options *o,
                            const struct gs_dataset *d, size_t number, struct gs_reader *g,
                            struct gs_err *err);

/*
 * A row of the input begins, of whatever the form calls one: it counts as read, and is where all that follows came
 * from. Lines count from 1; a form without lines numbers its rows.
 */
void gs_rows_begin(struct gs_rows *rows, uint64_t line);

/*
 * Take what the present row says; any number of each for one row. A table that was not asked for takes nothing.
 *
 * Times:   any int64 but GS_MISSING.
 * Missing: readings that are GS_MISSING are counted and stay so.
 * Errors:  GS_ERR_DATA for a span that stops before it starts, with file and line; GS_ERR_MEMORY.
 */
enum gs_status gs_rows_sample(struct gs_rows *rows, const struct gs_sample *s, struct gs_err *err);
enum gs_status gs_rows_mark(struct gs_rows *rows, int64_t t_ns, bool is_stop,
                            const struct gs_event *e, struct gs_err *err);
enum gs_status gs_rows_span(struct gs_rows *rows, int64_t start_ns, int64_t stop_ns,
                            const struct gs_event *e, struct gs_err *err);
enum gs_status gs_rows_task(struct gs_rows *rows, const struct gs_task *t, struct gs_err *err);

/*
 * The present row is malformed: with --rejects it is set aside and counted, else an error "FILE:LINE: REASON".
 * `raw`: its bytes.
 */
enum gs_status gs_rows_reject(struct gs_rows *rows, const char *reason, struct gs_str raw,
                              struct gs_err *err);

/*
 * Gives the events that hold for all hosts to each host of the run: those that have samples, else all that anything
 * names, else the one without a name. They go into `all`, a gathering of its own. Where these gatherings are of a part of
 * the run, `first` is the least such host of all of it, and first_has_samples says whether it is one with samples.
 */
enum gs_status gs_rows_spread(struct gs_reader *const *gather, size_t n, struct gs_str first,
                              bool first_has_samples, struct gs_reader *all, struct gs_err *err);

#endif
