/* gpu_profile.h - what each GPU did over the whole run: its readings, its tasks. */
#pragma once

#include "analysis/gpus/load_cells.h"

/* One task of a GPU. */
struct gs_profile_task {
    int64_t ns;    /* how long it took                            */
    uint32_t kind; /* its level, as a place in the fleet's list; n_levels: not in the task table */
    bool named;    /* its pair names the GPU, or uses no other of the host before it */
};

/* The readings of a metric: how many, and their sum, fixed-point. */
struct gs_profile_sum {
    uint64_t n;
    gs_i128 sum;
};

/* The sums of one GPU, exact: they add up in any order. Times are of the event's pairs. */
struct gs_gpu_profile {
    uint64_t n_samples;
    struct gs_profile_sum *metric; /* [n_metrics] of the run */
    uint64_t n_hot;    /* samples of the temperature asked for or above                           */
    bool shares_tasks; /* its host has several GPUs and some task names none: they are the host's */
    uint32_t n_tasks, n_named; /* tasks; those of them that name the GPU, or use no GPU before it */
    gs_i128 task_ns, named_ns; /* sums of their durations */
    struct gs_profile_task *task; /* [n_tasks], in no order; NULL unless asked for */
    uint64_t n_task_power;        /* samples with a power inside tasks, once for each task */
    gs_i128 task_power;           /* their sum, fixed-point */
    struct gs_energy_sum used;    /* over all its samples, where asked for                        */
    gs_i128 span_ns;              /* from the first of them to the last                           */
    struct gs_str card;           /* what the samples call its make; empty: they do not */
    struct gs_counted counted;    /* by the board's own counter, where energy is asked for */
};

struct gs_profile_options {
    const char *event; /* the event that is a task                                  */
    int64_t hot;       /* fixed-point degrees: samples of this or more are counted  */
    bool keep_tasks;
    bool energy; /* of each GPU; its view must have its rhythm                */
    bool loads;  /* what slow GPUs are told by; its view must have GS_VIEW_LOAD */
};

/*
 * The tables that hold the profiles in a state, side by side from `table` on: sums by GPU, its task times by level
 * (where they are kept), the levels of the task table, cells of load (likewise). A pair that names a GPU is a task of this GPU, another one of
 * all GPUs of its host. A GPU that several jobs used, each with samples of its own, has one record.
 */
enum {
    GS_PROFILE_GPUS,
    GS_PROFILE_TASKS,
    GS_PROFILE_LEVELS,
    GS_PROFILE_LOADS,
    GS_N_PROFILE_TABLES
};
extern const struct gs_records_spec gs_profile_specs[GS_PROFILE_LOADS]; /* but for the cells */
extern const struct gs_records_spec *const gs_profile_tables[GS_N_PROFILE_TABLES];

/* For adding, of the dataset. */
struct gs_profile_plan {
    uint32_t event;
    uint32_t *record; /* [n_gpus of the dataset] of each of its series */
    int64_t *level;
    size_t n_levels;
};

/* Errors: GS_ERR_DATA where the event is not there; GS_ERR_MEMORY. */
enum gs_status gs_profiles_plan(const struct gs_profile_options *o, const struct gs_dataset *d,
                                struct gs_records *table, struct gs_profile_plan *plan,
                                struct gs_arena *arena, struct gs_err *err);
enum gs_status gs_profiles_add(const struct gs_profile_options *o,
                               const struct gs_profile_plan *plan, struct gs_records *table,
                               const struct gs_fold_host *host, struct gs_err *err);

/* The GPUs of a run with their profiles, by host, serial and UUID, from a state. */
struct gs_gpu_name {
    struct gs_str host, serial, uuid;
};
struct gs_gpu_list {
    const struct gs_facts *facts;
    uint32_t n_gpus;
    const struct gs_gpu_name *gpu;          /* [n_gpus]   */
    const struct gs_gpu_profile *profile;   /* [n_gpus]   */
    size_t n_levels;                        /* of the task table */
    const struct gs_gpu_verdicts *verdicts; /* see gs_fleet_judge; NULL: not judged */
};

/* Lives in `arena` and points into the state. Errors: GS_ERR_MEMORY. */
enum gs_status gs_fleet_of(const struct gs_records *table, const struct gs_facts *facts,
                           struct gs_arena *arena, struct gs_gpu_list *fleet, struct gs_err *err);

/* The GPU of that name, or where serial and UUID are missing the host's first; GS_NONE: there is none. */
uint32_t gs_fleet_find(const struct gs_gpu_list *fleet, const struct gs_gpu_name *name);

/*
 * A fold whose state is the profiles alone: what gpus, correlate, clusters and stragglers are a finish of. Options:
 * struct gs_profile_options. It has no frames of its own.
 */
extern const struct gs_fold gs_profiles_fold;

/* Of these folds, too, whose options all begin with those of the profiles. */
enum gs_status gs_profiles_fold_plan(const void *options, const struct gs_dataset *d,
                                     struct gs_state *state, struct gs_arena *arena,
                                     struct gs_err *err);
enum gs_status gs_profiles_fold_add(const void *options, struct gs_state *state,
                                    struct gs_fold_host *host, struct gs_err *err);

/* The mean of a metric in its unit, or of the task times in s; NaN where there is none. */
double gs_profile_mean(const struct gs_gpu_profile *p, unsigned m);
double gs_profile_task_s(const struct gs_gpu_profile *p);

/*
 * What is one point in a comparison: a GPU, or all GPUs of a host whose tasks name none of them. As many points as
 * GPUs would make one observation many.
 */
struct gs_subject {
    uint32_t first_gpu, n_gpus; /* in the fleet */
    struct gs_gpu_profile sum;  /* of its GPUs; tasks once */
};

struct gs_subjects {
    struct gs_subject *subject; /* [n], in the order of the GPUs */
    size_t n, n_hosts;          /* n_hosts: subjects that are hosts  */
};

/* Puts the profiles together. GS_ERR_MEMORY; lives in `arena`. */
enum gs_status gs_subjects_of(const struct gs_gpu_list *fleet, struct gs_arena *arena,
                              struct gs_subjects *subjects, struct gs_err *err);

/* Fills the cells of hostname, serial and UUID, which stand side by side; a host has neither of the last two. */
void gs_subject_name(const struct gs_gpu_list *fleet, const struct gs_subject *u,
                     struct gs_frame *f, size_t row, size_t column);

/* Says how many subjects are hosts, where there are any. */
void gs_subjects_note(const struct gs_subjects *subjects, struct gs_frames *out);
