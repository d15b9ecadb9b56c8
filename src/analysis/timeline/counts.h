/* counts.h - what counts, and as what: one definition each of what several analyses ask of a run. */
#pragma once

#include "base/num/int128.h"
#include "analysis/timeline/host_view.h"

/* The event that is a task where the user names none and the run has it, see fold/task_event.h. */
#define GS_USUAL_TASK "TotalRender"

/* In place of an event's name and number: a scheduler's jobs, whatever each is called. */
#define GS_ALL_JOBS   "*"
#define GS_EVENT_JOBS (UINT32_MAX - 1)

/*
 * Every pair of a host's view counts: its STOP is not before its START. One of no length has a duration, 0, and
 * readings, but no time and no energy of its own.
 */

/* How long a pair takes; instants of int64 may lie further apart than int64 holds. */
static inline uint64_t gs_pair_ns(const struct gs_pair *p)
{
    return (uint64_t)p->stop_ns - (uint64_t)p->start_ns;
}

/* The same, held at the limit of int64 where it is beyond. */
static inline int64_t gs_pair_duration_ns(const struct gs_pair *p)
{
    return (int64_t)gs_min(gs_pair_ns(p), (uint64_t)INT64_MAX);
}

/* Does a pair name the GPU at `k` of its host's? */
static inline bool gs_pair_names(const struct gs_host_view *h, const struct gs_pair *p, uint32_t k)
{
    return p->gpu == h->gpu[k].gpu - h->first_gpu;
}

/* Does any sample of the GPU at `k` of its host's name the job? */
bool gs_gpu_has_job(const struct gs_host_view *h, uint32_t k, uint32_t job);

/* gs_pair_uses where samples carry jobs, see struct gs_gpu. */
bool gs_pair_uses_job(const struct gs_host_view *h, const struct gs_pair *p, uint32_t k);

/* Does a pair use the GPU at `k` of its host's: the one that it names, or all of them? */
static inline bool gs_pair_uses(const struct gs_host_view *h, const struct gs_pair *p, uint32_t k)
{
    if (h->job != NULL)
        return gs_pair_uses_job(h, p, k);
    return p->gpu == GS_NONE || p->gpu == k;
}

/* gs_pair_n_used where samples carry jobs. */
uint32_t gs_pair_n_used_job(const struct gs_host_view *h, const struct gs_pair *p, uint32_t *first);

/*
 * How many GPUs a pair uses that have samples, and, where there are some, the first of them as an index in the host's
 * gpu[].
 */
static inline uint32_t gs_pair_n_used(const struct gs_host_view *h, const struct gs_pair *p,
                                      uint32_t *first)
{
    if (h->job != NULL)
        return gs_pair_n_used_job(h, p, first);
    *first = p->gpu == GS_NONE ? 0 : p->gpu;
    return p->gpu == GS_NONE ? h->n_gpus : p->gpu < h->n_gpus;
}

/* How many GPUs' time a pair takes: at least one, whose samples may all be missing. */
static inline uint32_t gs_pair_n_gpus(const struct gs_host_view *h, const struct gs_pair *p)
{
    uint32_t first;
    return gs_max(gs_pair_n_used(h, p, &first), 1u);
}

/* The number in the dataset of the one GPU that a pair uses; GS_NONE: several, none, or one without samples. */
uint32_t gs_pair_gpu(const struct gs_dataset *d, uint32_t host, const struct gs_pair *p);

/* Is a temperature hot: at or above the threshold? Missing is not. */
static inline bool gs_is_hot(int64_t temp, int64_t threshold)
{
    return temp != GS_MISSING && temp >= threshold;
}

/*
 * What a GPU read at the instant of its sample `first`, the first of that instant: of several samples there the mean
 * of those that have the metric, rounded to the nearest 10^-6, a half away from zero. So the order of rows never
 * matters. GS_MISSING where none has it.
 */
int64_t gs_reading_of_several(const struct gs_gpu_view *g, unsigned metric, uint32_t first);

static inline int64_t gs_reading_at(const struct gs_gpu_view *g, unsigned metric, uint32_t first)
{
    if (first + 1 < g->n && g->t_ns[first + 1] == g->t_ns[first])
        return gs_reading_of_several(g, metric, first);
    return g->value[metric][first];
}

/*
 * The index among a host's GPUs of the one that a text names: by UUID, else by serial, else by the samples' own index, and never by order. Words for
 * "no value" name none and are nobody's name. GS_NONE where there is no such GPU.
 */
uint32_t gs_gpu_named(const struct gs_dataset *d, uint32_t host, struct gs_str name);

/* Does some name of a GPU in the checkpoints stand in the samples? False without memory. */
bool gs_gpu_names_meet(const struct gs_dataset *d, bool *meet);

#define GS_GPU_NAMES_APART                                                                         \
    "no GPU that the events name is in the samples: they name %s; the samples have %s"
#define GS_GPU_NO_NAMES "no names of GPUs (gpuUUID, gpuSerial)"

/*
 * Makes sure that some GPU which the checkpoints name is in the samples, on whatever host.
 * Errors: GS_ERR_DATA with names of both; GS_ERR_MEMORY.
 */
enum gs_status gs_gpu_names_check(const struct gs_dataset *d, struct gs_err *err);

/*
 * Where the level of a row of the task table stands among level[0..n), which gs_levels gave; n for GS_NONE, no row. The
 * level of a pair is that of its task and job.
 */
size_t gs_level_at(const struct gs_dataset *d, uint32_t task_row, const int64_t *level, size_t n);
size_t gs_pair_level_at(const struct gs_dataset *d, const struct gs_pair *p, const int64_t *level,
                        size_t n);

/* The distinct levels of the task table, ascending; lives in `arena`. */
enum gs_status gs_levels(const struct gs_dataset *d, struct gs_arena *arena, int64_t **level,
                         size_t *n, struct gs_err *err);

/* Is an event with this set of attributes (GS_NONE: none) a scheduler's job? */
bool gs_is_job(const struct gs_dataset *d, uint32_t attributes);

/* Do some events carry what only a scheduler gives? Cost: O(sets of attributes). */
bool gs_has_jobs(const struct gs_dataset *d);

/* Does this name stand for all jobs? */
bool gs_is_all_jobs(const char *event);

/* The event whose pairs are held against one another as equal tasks: none where it is all jobs, which are not equal. */
const char *gs_equal_tasks_event(const char *event);

/* Is a pair one of the event with this number? */
static inline bool gs_pair_is(const struct gs_dataset *d, const struct gs_pair *p, uint32_t event)
{
    return p->event == event || (event == GS_EVENT_JOBS && gs_is_job(d, p->attributes));
}

/*
 * The number of an event (GS_EVENT_JOBS for GS_ALL_JOBS), or GS_ERR_DATA with the names that there are. In a part of a run, whose other parts may have
 * it, and in a run without any event, one that no event has: see fold/part_names.h.
 */
enum gs_status gs_event_number(const struct gs_dataset *d, const char *event, uint32_t *number,
                               struct gs_err *err);
