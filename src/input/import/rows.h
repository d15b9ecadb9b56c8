/*
 * rows.h - the mapper's rows into what the scanner fills too: samples, marks, spans and tasks, one by one. What results
 * does not depend on which of the two read a file.
 */
#pragma once

#include "input/import/load_options.h"
#include "input/import/mapper.h"
#include "input/import/row_reader.h"

/* One input while its rows come in, on one thread. */
struct gs_rows {
    const struct gs_load_options *options;
    struct gs_reader *reader;
    struct gs_input *input;
    size_t input_number;
    const struct gs_input_form *form;
    const uint16_t *column;         /* [n_metrics of the form] of the table               */
    const struct gs_source *source; /* what the mapper reads by: names attributes         */
    bool drops_gpu;        /* no samples tell GPUs apart: events of one GPU are the host's       */
    enum gs_pool gpu_pool; /* what the GPUs of samples are called by                      */
    uint64_t line;         /* of the present row                                          */
    uint32_t owner;        /* of the last sample: the number of its GPU                   */
};

/*
 * Makes ready to take the rows of input `number` of the dataset, whose form has a `read`, which sets the source and what
 * follows from it. Lives in g's arena.
 */
enum gs_status gs_rows_open(struct gs_rows *rows, const struct gs_load_options *o,
                            const struct gs_dataset *d, size_t number, struct gs_reader *g,
                            struct gs_err *err);

/*
 * Take a row: functions of a gs_mapped_sink, whose context is a struct gs_rows. A table that was not asked for takes
 * nothing. Names that are missing are the input's: of a sample its host, of an event its host or all.
 *
 * Missing: readings that are GS_MISSING are counted and stay so.
 * Errors:  GS_ERR_DATA for a span that stops before it starts, with file and line; GS_ERR_MEMORY.
 */
enum gs_status gs_rows_sample(void *rows, const struct gs_mapped_sample *s, struct gs_err *err);
enum gs_status gs_rows_event(void *rows, const struct gs_mapped_event *e, struct gs_err *err);
enum gs_status gs_rows_task(void *rows, const struct gs_mapped_task *t, struct gs_err *err);

/*
 * A malformed row, a gs_mapped_reject_fn: with --rejects it is set aside and counted, else an error "FILE:LINE: REASON".
 */
enum gs_status gs_rows_reject(void *rows, uint64_t line, const char *reason, struct gs_str raw,
                              struct gs_err *err);

/*
 * Gives the events that hold for all hosts to each host of the run: those that have samples, else all that anything
 * names, else the one without a name. They go into `all`, a reader of its own. Where these readers are of a part of
 * the run, `first` is the least such host of all of it, and first_has_samples says whether it is one with samples.
 * `in_part`: files of other hosts were not read. Errors: GS_ERR_DATA where an event's GPUs may be on these, GS_ERR_MEMORY.
 */
enum gs_status gs_rows_spread(struct gs_reader *const *reader, size_t n, struct gs_str first,
                              bool first_has_samples, bool in_part, struct gs_reader *all,
                              struct gs_err *err);
