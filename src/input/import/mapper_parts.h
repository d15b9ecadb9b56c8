/* mapper_parts.h - internal to the mapper: its state while it reads a file. */
#pragma once

#include <stdio.h>

#include "input/import/gpu_names.h"
#include "input/import/mapper.h"
#include "base/core/pattern.h"
#include "input/import/value.h"

struct bound_metric {
    struct gs_bound_value value;
    struct gs_unit unit; /* of the file's numbers, to the metric's */
};

/* A GPU or host of a wide table. */
struct lane {
    struct gs_str host, gpu;
    uint32_t *column; /* [metrics] number + 1; 0: none */
};

/* What is known of a host and GPU of records before, so that it is found out once. */
struct known_place {
    bool judged, no_gpu; /* a sum over GPUs, or a device that is none */
    bool found;          /* is among m->found */
};

/* clang-format off */
struct kept_event; /* events that wait for the file's end */
enum { N_MERGED_NAMES = 3 + GS_OTHER_NAMES }; /* host, GPU, job, and those beside them */

struct gs_mapper {
    const struct gs_source *source;
    const struct gs_mapper_options *options;
    const struct gs_mapped_sink *sink;
    struct gs_arena *arena;   /* of this file   */
    struct gs_arena scratch;  /* of this record */
    struct gs_record_sink records;
    struct gs_clock clock;
    struct gs_str path;
    struct gs_mapped_found *found;
    struct gs_mapped_file *file;
    bool begun, wide, is_long;
    struct gs_bound_where where;
    struct gs_bound_value time, start, stop, duration, host, gpu, job, task, event;
    struct bound_metric *metric;
    struct gs_bound_value *attribute;
    struct gs_str *attribute_text;
    char held[2][GS_REAL_TEXT_MAX]; /* of the open row: GPUs, and of each node, where Slurm's list says them */
    int64_t *value;           /* of the open row */
    enum gs_number (*scaled_parse)(struct gs_str text, struct gs_unit unit, int64_t *value, bool *rounded);
    uint32_t phase;           /* column          */
    uint32_t *asked;          /* columns that the map names */
    size_t n_asked;
    uint32_t other[GS_OTHER_NAMES];
    struct lane *lane;
    size_t n_lanes;
    uint32_t n_looked;        /* columns seen by gs_mapper_find_lanes */
    int64_t every_ns;         /* rows without times          */
    uint64_t n_turns;         /* GPUs whose rows come in turn; 0: the map names them otherwise */
    char turn[24];            /* the open row's              */
    struct gs_intern ticking; /* "host\0gpu" that had rows   */
    int64_t *next_ns;
    int64_t chain_ns;         /* gs_source_is_chain: when the next event starts; GS_MISSING: the first */
    uint64_t chained, awaited; /* ... hash of the step of the last row with a length, of the last without */
    uint64_t awaited_line;     /* of the latter, 0 where a row with a length followed */
    bool awaits;               /* no row of its step has a length yet */
    int64_t last_step, last_steps; /* the number of the last row, and of how many steps it was; 0: none was read */
    int64_t step_ns;               /* the length that it had */
    struct gs_intern starts;  /* of spans: event, job and place            */
    int64_t *start_stop;      /* [2 * starts.n] of the last of each        */
    struct gs_intern merged_name, merged_key;        /* long tables: names; host, GPU and job by number */
    uint32_t merged_number[N_MERGED_NAMES], last_name[N_MERGED_NAMES]; /* of the record before */
    bool merged_known;        /* merged_number and merged_last are of the names in `before` */
    uint32_t n_merged, merged_last;
    uint64_t n_others, others_line; /* other readings of one metric, GPU and time; the first's line */
    struct gs_buf gpu_key; /* of gs_mapper_number_gpu */
    struct gs_intern place_name; /* "host\0gpu" */
    struct known_place *place;   /* [place_name.n] */
    uint32_t last_place;
    enum { SERIES_UNKNOWN, SERIES_REPEAT, SERIES_VARY } series; /* names within a series */
    struct gs_mapped_sample before; /* names of the record before   */
    bool before_no_gpu;             /* ... are no GPU's             */
    bool *matches;                  /* [metrics] of the same record */
    bool unwanted;                  /* ... is left out by the map, or of a metric that it does not name */
    struct merged_place *merged_place; /* [merged_key.n] */
    struct merged_row **merged_row;
    int64_t **merged_value;
    struct kept_event *kept;
    size_t n_kept;
};
/* clang-format on */

/* mapper_bind.c */
enum gs_status gs_mapper_bind(struct gs_mapper *m, struct gs_err *err);

/* mapper_lanes.c: columns of wide tables met since the last record; GS_ERR_DATA where two are one metric of one GPU */
enum gs_status gs_mapper_find_lanes(struct gs_mapper *m, struct gs_err *err);

/* mapper_reject.c: rows that a caller keeps; the second is a gs_form_reject_fn */
enum gs_status gs_mapper_reject(struct gs_mapper *m, const struct gs_form_row *r,
                                const struct gs_err *fault, struct gs_err *err);
enum gs_status gs_mapper_reject_row(void *mapper, uint64_t line, const char *reason,
                                    struct gs_str raw, struct gs_err *err);

/* mapper_late.c: what only the end of the file can tell */
enum gs_status gs_mapper_next_tick(struct gs_mapper *m, struct gs_str host, struct gs_str gpu,
                                   int64_t *t_ns, struct gs_err *err);
struct gs_str
gs_mapper_turn(struct gs_mapper *m); /* the GPU of the open row, where rows come in turn */
enum gs_status gs_mapper_merge(struct gs_mapper *m, const struct gs_mapped_sample *row,
                               struct gs_err *err);
enum gs_status gs_mapper_store_event(struct gs_mapper *m, const struct gs_mapped_event *row,
                                     struct gs_err *err);
enum gs_status gs_mapper_finish(struct gs_mapper *m, struct gs_err *err);

/* mapper_found.c: rows handed out and counted; the number of a host's GPU in a set, GS_INTERN_NONE without memory */
uint32_t gs_mapper_number_gpu(struct gs_mapper *m, struct gs_intern *in, struct gs_str host,
                              struct gs_str gpu);
struct known_place *gs_mapper_place(struct gs_mapper *m, struct gs_str host,
                                    struct gs_str gpu); /* NULL without memory */
enum gs_status gs_mapper_give_sample(struct gs_mapper *m, struct gs_mapped_sample *row,
                                     struct gs_err *err);
enum gs_status gs_mapper_give_event(struct gs_mapper *m, struct gs_mapped_event *row,
                                    struct gs_err *err);
