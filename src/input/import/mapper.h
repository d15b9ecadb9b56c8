/* mapper.h - turns the records of a file into samples, marks, spans and tasks, as a map describes. */
#pragma once

#include "base/num/timestamp.h"
#include "input/formats/record_sink.h"
#include "input/import/gpu_names.h"

/* A row as it was understood. Texts are valid during the call; ptr == NULL is absent. */
struct gs_mapped_sample {
    int64_t t_ns;
    bool same_names;                     /* as those of the row handed out before     */
    struct gs_str host, gpu, job;        /* gpu: the name that tells GPUs apart       */
    struct gs_str other[GS_OTHER_NAMES]; /* that stand beside it                      */
    const int64_t *value;                /* [metrics of the source] fixed-point or GS_MISSING     */
    uint64_t line;
};

/* A mark where stop_ns is GS_MISSING and is_mark, else a span. */
struct gs_mapped_event {
    int64_t start_ns, stop_ns;
    bool is_mark, is_stop; /* a mark: at start_ns */
    struct gs_str event, job, task;
    const struct gs_str *host, *gpu;
    bool runs;              /* it has no end yet; stop_ns is that of its list */
    size_t n_hosts, n_gpus; /* 0: absent           */
    size_t n_nodes; /* that its number of GPUs is of together, where the row does not say; else 0 */
    const struct gs_str *attribute; /* [attributes of the source] */
    const int64_t *own;             /* [metrics of the source], the tool's own readings */
    uint64_t line;
};

struct gs_mapped_task {
    struct gs_str job, task;
    const struct gs_str *attribute;
    uint64_t line;
};

/* Takes rows; what is NULL is not wanted. */
struct gs_mapped_sink {
    enum gs_status (*sample)(void *context, const struct gs_mapped_sample *row, struct gs_err *err);
    enum gs_status (*event)(void *context, const struct gs_mapped_event *row, struct gs_err *err);
    enum gs_status (*task)(void *context, const struct gs_mapped_task *row, struct gs_err *err);
    gs_form_reject_fn *reject; /* malformed rows; NULL: they are errors */
    void *context;
};

struct gs_mapper_options {
    struct gs_zone zone; /* of --tz */
    uint64_t seed;
    bool
        bad_is_missing; /* a reading that is no number is missing, and counted; else its row is malformed */
    struct gs_mapped_sink sink;
};

/* What was noticed in one file. */
struct gs_mapped_file {
    uint64_t n_rows;      /* records that the form found, header lines not counted     */
    uint64_t n_set_aside; /* torn, or without a time, an event, a reading              */
    uint64_t n_rejected;  /* of them, malformed: handed to the caller                  */
    uint64_t n_waiting;   /* of them, jobs that have not started                       */
    uint64_t n_unbounded; /* of them, instants before or behind which nothing bounds an event */
    uint64_t n_running;   /* jobs without an end, which run until the last sample       */
    uint64_t n_ignored;   /* left out by `where`, repeated headers, prose              */
    uint64_t n_no_gpu;    /* of them, readings of several GPUs together or of another device */
    char no_gpu[80];      /* ... the name of the first, escaped                        */
    uint64_t n_prose;     /* of them, lines around a table                             */
    uint64_t n_foreign;   /* of them, rows of other tables                             */
    char others[80];      /* ... the columns of the first, escaped                     */
    uint64_t n_cut;       /* cells of several lines, of which the first counts         */
    uint64_t n_unequal;   /* lists of values left out: not as long as that of their times */
    uint64_t n_missing;   /* readings that are missing                                 */
    uint64_t n_bad;       /* of them, those that are no number                         */
    uint64_t bad_line;    /* of the first                                              */
    int64_t from_ns, to_ns;
    bool zoneless, zoned, by_size, rounded_time, rounded, latin1, has_nuls;
    uint64_t n_totals; /* jobs on several hosts whose number of GPUs is taken as theirs together */
    uint64_t n_disagree; /* spans whose duration is not stop - start                  */
    uint64_t n_without_host, n_without_gpu;
    uint64_t
        n_same_start; /* spans that start with another of their event, place and job, and last longer or less long */
};

/* Hosts and GPUs of a source, over its files. */
struct gs_mapped_found {
    struct gs_intern host, gpu;
};

/* A source as it was read. */
struct gs_mapped_source {
    const struct gs_source *source;
    struct gs_mapped_found found;
    struct gs_mapped_file *file; /* [source->path.n] */
    bool passed_over;            /* by the scanner: a column that names GPUs, as another does */
};

/* A source of which nothing was read yet; false without memory. */
bool gs_mapped_source_init(struct gs_mapped_source *m, const struct gs_source *source,
                           uint64_t seed, struct gs_arena *arena);

/*
 * Reads file k of a source to its end and hands its rows to the sink. `bytes`: the file, open already; NULL: by its path.
 * Errors: GS_ERR_DATA "FILE:LINE: COLUMN: ..." for what cannot be read; what the form refuses; columns of the map that
 *         the file does not have, all at once with those that it has; those of the sink.
 * Memory: names live in the arenas of m->found; everything else is given back.
 */
struct gs_bytes;
enum gs_status gs_map_file(struct gs_mapped_source *m, size_t k, struct gs_bytes *bytes,
                           const struct gs_mapper_options *options, struct gs_err *err);

/* Fills to->found from what the files of a source came to. */
void gs_mapped_sum(const struct gs_mapped_source *m, struct gs_source *to);
