/* dataset.h - a loaded run: its checkpoints, samples, spans and tasks, and the names in them. */
#pragma once

#include "base/core/intern.h"
#include "base/core/notes.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "data/tables/metric.h"
#include "data/tables/table.h"

/*
 * Columns of the tables. Readings are fixed-point (10^-6), times ns; names are numbers of texts, or missing. The rows
 * of samples are owned by their GPU, those of checkpoints and spans by their host, tasks all by one owner, 0.
 * Samples have a column for each of the dataset's metrics, in their order, and then that of gs_sample_place.
 * The columns of places, the last of each table, are there where places were asked for.
 *
 * A checkpoint is a START or a STOP that view/ pairs; a span is given with both. Either may belong to several hosts or
 * GPUs: it is stored once for each, and all but the first of these, by host, then GPU, have IS_COPY 1 (missing
 * otherwise). A copy is not one more event; its energy and readings are the event's. A span that had no end yet has the last
 * time of its list as its STOP, and RUNS 1.
 */
enum { GS_SAMPLE_TIME, GS_SAMPLE_METRIC };
/* clang-format off */
enum { GS_CHECKPOINT_TIME, GS_CHECKPOINT_IS_STOP, GS_CHECKPOINT_EVENT, GS_CHECKPOINT_JOB, GS_CHECKPOINT_TASK,
       GS_CHECKPOINT_GPU, GS_CHECKPOINT_IS_COPY, GS_CHECKPOINT_ATTRIBUTES, GS_CHECKPOINT_PLACE, GS_CHECKPOINT_COLUMNS };
enum { GS_SPAN_START, GS_SPAN_STOP, GS_SPAN_EVENT, GS_SPAN_JOB, GS_SPAN_TASK, GS_SPAN_GPU, GS_SPAN_IS_COPY,
       GS_SPAN_ATTRIBUTES, GS_SPAN_RUNS, GS_SPAN_PLACE, GS_SPAN_COLUMNS };
/* clang-format on */
enum {
    GS_TASK_TASK,
    GS_TASK_JOB,
    GS_TASK_X,
    GS_TASK_Y,
    GS_TASK_LEVEL,
    GS_TASK_ATTRIBUTES,
    GS_TASK_PLACE,
    GS_TASK_COLUMNS
};

/* Three kinds of tables are given; spans come with the events. */
enum gs_table_kind {
    GS_TABLE_CHECKPOINTS,
    GS_TABLE_SAMPLES,
    GS_TABLE_TASKS,
    GS_N_TABLES,
    GS_TABLE_SPANS = GS_N_TABLES,
    GS_N_STORED
};

#define GS_NONE UINT32_MAX /* "no such name", "no such row" */

/*
 * One GPU: the texts that name it, missing where no column has them. UUID, serial or both tell GPUs of a host apart;
 * of samples that have neither, the index does, and stands as UUID, too. The samples of a GPU that carry a job are stored as
 * a series of that job's alone, side by side; views join the series of a GPU into one log. A job's events use the GPUs that
 * have a series of it and those that have no job's; events without job use all.
 */
struct gs_gpu {
    uint32_t host;
    struct gs_str serial, uuid, index, job;
    struct gs_str card;          /* what the samples call the make of it; missing: they do not */
    struct gs_str user, account; /* likewise, of its job */
};

/* Are they one GPU, as two jobs used it? One without a name is itself and no other. */
static inline bool gs_is_same_gpu(const struct gs_gpu *a, const struct gs_gpu *b)
{
    if (a == b)
        return true;
    return a->host == b->host && gs_str_eq(a->serial, b->serial) && gs_str_eq(a->uuid, b->uuid);
}

/* What a GPU is called; missing: nothing tells it from others of its host. */
static inline struct gs_str gs_gpu_name(const struct gs_gpu *gpu)
{
    return gs_str_or(gpu->uuid, gpu->serial);
}

/* Does an index alone tell the GPU from others of its host? It stands as UUID then. */
static inline bool gs_gpu_has_index_only(const struct gs_gpu *gpu)
{
    return gpu->index.ptr != NULL && gs_str_eq(gpu->uuid, gpu->index);
}

/* A row of the task table, found by its task. */
struct gs_task_row {
    uint32_t job, row;
};

struct gs_input_form;

/* One input file, as it was read. */
struct gs_input {
    enum gs_table_kind kind;
    const char *path;                 /* as given or found; not escaped          */
    const char *name;                 /* escaped, for messages                   */
    const struct gs_input_form *form; /* NULL: a table known by name, see gather/bind.h */
    bool left_out;    /* holds no host of the shard that was asked for: not opened, no rows */
    uint64_t n_bytes; /* of plain text read                      */
    uint64_t n_rows;  /* without the header, rejected and ignored ones not counted */
    uint64_t n_rejected;
    uint64_t n_skipped;   /* rows of a mapped file without what a row needs, or torn */
    uint64_t n_around;    /* lines that are no rows: a banner, a message of a program */
    uint64_t n_headers;   /* rows that are the header again, of a log, or left out by a map */
    uint64_t n_bad;       /* readings that are no number and were taken for missing, of a log */
    uint64_t bad_line;    /* of the first */
    bool zoneless;        /* some time of a mapped file names no zone */
    bool by_size;         /* the unit of some time was told by its size, of a form of lines */
    bool torn, nul_tail;  /* a log broke off within its last row; NULs stand behind it */
    uint64_t n_chunks;    /* parts of the file that places refer to  */
    uint64_t *chunk_line; /* [n_chunks] line on which each part begins */
    /* digest of the file as it lay on disk when it was read; NULL: not asked for */
    const char *sha256;
    uint64_t n_disk_bytes;    /* with sha256                           */
    const char *split_sha256; /* digest that a split wrote it with; NULL: of no split */
    uint64_t split_rows;      /* likewise, its rows                                   */
};

/* Exact duplicates are rows equal in every column that gpustat reads. */
enum gs_duplicates { GS_DUPLICATES_KEEP, GS_DUPLICATES_DROP };

struct gs_sensor_spec; /* sensor/sensor.h */

/*
 * A loaded run. Hosts, events, jobs and GPUs are numbered in the order of their texts (a GPU's: host,
 * serial, uuid); tasks are numbered in no order. Nothing changes after loading: threads share it.
 */
struct gs_dataset {
    struct gs_arena *arena;
    uint64_t seed;
    /* [n_metrics] what samples hold, the fixed ones first, see metric.h */
    const struct gs_metric *const *metric;
    const bool *has_metric; /* [n_metrics] some file has it; the fixed ones are listed without */
    uint32_t n_metrics;
    bool has_places;                    /* each row's place was kept */
    struct gs_table table[GS_N_STORED]; /* n_columns == 0: not loaded */
    /* gpu_name: what events name GPUs by, and "" for none */
    struct gs_intern host, event, job, task, gpu_name;
    struct gs_intern attributes; /* sets of them, see gs_attribute */
    bool checkpoints_name_gpu;   /* some event names one */
    bool has_shared_events;      /* some name no host and are of all that have samples */
    const bool
        *names_events; /* [host.n] of a part: had it marks, kept or not? NULL: all are kept */
    /* an earlier pass over the same files has looked at what belongs to the whole run */
    bool is_rest;
    bool is_part;       /* some inputs were left out: names that only they hold are not known */
    bool zoneless;      /* some time named no zone and was read as --tz says */
    bool hosts_assumed; /* no sample names a host: it is called after the file */
    /* the metric that power_w was taken from: its own, or one that the samples have in its stead */
    uint32_t power_metric;
    /* samples that name no GPU are of one, whatever they say of an instant: as was said */
    bool trusts_one_gpu;
    /* a row of the samples' files holds one reading: other readings are of other instants */
    bool has_long_rows;
    bool rows_complete; /* rows of one GPU and instant without a metric in common are one sample */
    bool counted_times; /* the samples have no times: these count their rows */
    /* rows of the samples' files that are no sample: torn, or without a time */
    uint64_t n_set_aside;
    struct gs_gpu *gpu;
    uint32_t n_gpus;
    uint32_t *host_first_gpu; /* [host.n + 1]: GPUs of host h are host_first_gpu[h] ... */
    /* [task.n + 1]: rows of task t are task_row[task_first[t]] ...; NULL: no table */
    uint32_t *task_first;
    struct gs_task_row *task_row; /* the task table by task and job */
    struct gs_input *input;
    size_t n_inputs;
    /* of a part of a larger run (--part): where its files' numbers begin; else 0 */
    uint32_t first_input;
    enum gs_duplicates duplicates;
    const struct gs_sensor_spec *sensor; /* what was said of the power sensors; NULL: nothing */
    struct gs_str card; /* what was said that all GPUs are; missing: as their samples say */
    int64_t max_gap_ns; /* no energy across a longer gap, as was said; 0: nothing was     */
    /* samples outside are in no view, and events are cut there; NULL: all count */
    const struct gs_range *range;
    bool power_told; /* power_w is the column that somebody named: no other goes before it */
};

/*
 * The GPUs of what Slurm says that a job holds, "cpu=8,gres/gpu:a100=2,gres/gpu=2" or "gpu:a100:2(IDX:0,3)", and the first of
 * their types: their sum stands without a type, or the types add up. False: it names none.
 */
bool gs_gres_count(struct gs_str list, uint64_t *gpus, struct gs_str *type);

/* The GPUs that a job with these attributes holds on its nodes together, and how many nodes these are; false where nothing tells. */
bool gs_job_gpus(const struct gs_dataset *d, int64_t set, uint64_t *gpus, uint64_t *nodes);

/* Does a job of this state wait for its start, or run, in the words of schedulers? */
bool gs_job_waits(struct gs_str state);
bool gs_job_runs(struct gs_str state);

/*
 * The value of an attribute in a set of them, whose number a row's ATTRIBUTES column has (GS_MISSING, GS_NONE: the empty set);
 * missing where it is not in the set.
 */
struct gs_str gs_attribute(const struct gs_dataset *d, int64_t set, struct gs_str key);
struct gs_str gs_attribute_in(struct gs_str set, struct gs_str key); /* of the text of a set */

/* Appends the keys of all sets to `n` texts, each once and up to `most` in all. Returns how many there are. */
size_t gs_attribute_keys(const struct gs_dataset *d, struct gs_str *key, size_t n, size_t most);

/* Appends one more attribute to the text of a set, whose keys ascend: equal sets are equal texts. */
void gs_attribute_put(struct gs_buf *set, struct gs_str key, struct gs_str value);

/* The column of a sample's place. */
static inline unsigned gs_sample_place(uint32_t n_metrics)
{
    return GS_SAMPLE_METRIC + n_metrics;
}

/* Builds the indexes of a dataset whose tables and names are in place; called by the loader. */
enum gs_status gs_dataset_index(struct gs_dataset *d, struct gs_err *err);

/* The row of the task table for a task, or GS_NONE; of several the first by (level, x, y). */
uint32_t gs_dataset_task_row(const struct gs_dataset *d, uint32_t task, uint32_t job);

/* A column of a row of the task table, GS_NONE: none; GS_MISSING then. */
static inline int64_t gs_task_value(const struct gs_dataset *d, uint32_t task_row, unsigned column)
{
    if (task_row == GS_NONE)
        return GS_MISSING;
    return gs_table_value(&d->table[GS_TABLE_TASKS], task_row, column);
}

/*
 * The number of an input among those of the whole run, of which this may be a part. Task tables, which all parts have
 * alike, have the same numbers in each, behind all others.
 */
uint64_t gs_input_number(const struct gs_dataset *d, size_t i);

/* Inputs by ascending number: the first behind SIZE_MAX, n_inputs behind the last. */
size_t gs_input_next(const struct gs_dataset *d, size_t i);

/*
 * A place that says more without the dataset: its line within the whole input. In the order of the places.
 */
int64_t gs_dataset_line(const struct gs_dataset *d, int64_t place);

/* A place: input, part of it, line within that part; a line that is too large for it is the last. */
enum { GS_PLACE_LINE_BITS = 29, GS_PLACE_CHUNK_BITS = 14, GS_PLACE_INPUT_BITS = 20 };
_Static_assert(GS_PLACE_LINE_BITS + GS_PLACE_CHUNK_BITS + GS_PLACE_INPUT_BITS == 63,
               "a place is no negative number");

enum {
    GS_INPUTS_MAX = 1 << GS_PLACE_INPUT_BITS, /* that a run may have                */
    GS_TASK_INPUTS_MAX = 8,                   /* task tables of a part of a run      */
};

static inline int64_t gs_place(uint64_t input, uint64_t chunk, uint64_t line)
{
    const uint64_t last = (UINT64_C(1) << GS_PLACE_LINE_BITS) - 1;
    return (int64_t)(input << (GS_PLACE_LINE_BITS + GS_PLACE_CHUNK_BITS) |
                     chunk << GS_PLACE_LINE_BITS | (gs_min(line, last)));
}

/* What gs_dataset_line gives: its input, and the line within that. */
static inline uint64_t gs_line_input(int64_t line)
{
    return (uint64_t)line >> (GS_PLACE_LINE_BITS + GS_PLACE_CHUNK_BITS);
}

static inline uint64_t gs_line_number(int64_t line)
{
    return (uint64_t)line & ((UINT64_C(1) << (GS_PLACE_LINE_BITS + GS_PLACE_CHUNK_BITS)) - 1);
}
