/* slurm.h - jobs of the cluster's scheduler, through its own commands: sbatch, squeue, scontrol, scancel. */
#pragma once

#include <stdint.h>

#include "base/core/status.h"
#include "base/core/text.h"

enum { GS_SLURM_ID_MAX = 32 };

/* A job to be. */
struct gs_slurm_request {
    const char *script; /* a file */
    const char *name;
    const char *log;           /* file for its output; %a stands for the task of an array */
    const char *array;         /* "1,3-5"; NULL: one job */
    const char *after;         /* id of the job that must have done well before; NULL: none */
    const char *const *option; /* [n_options] further words for sbatch */
    size_t n_options;
};

/*
 * Submits it and stores its number.
 * Errors: GS_ERR_UNAVAILABLE where there is no sbatch; GS_ERR_AGAIN with what sbatch said. `scratch` is rewound.
 */
enum gs_status gs_slurm_submit(const struct gs_slurm_request *r, struct gs_arena *scratch,
                               char id[GS_SLURM_ID_MAX], struct gs_err *err);

/* Tasks that Slurm still has to do. */
struct gs_slurm_queue {
    uint32_t n_waiting, n_running; /* of the array or job */
    char reason[64];               /* why the first of those waits */
};

/* Looks a job up; one that Slurm no longer knows has nothing to do. */
enum gs_status gs_slurm_poll(const char *id, struct gs_arena *scratch, struct gs_slurm_queue *queue,
                             struct gs_err *err);

/* How a task ended, as Slurm says while it remembers it. */
struct gs_slurm_end {
    char state[32], node[64]; /* "COMPLETED", "NODE_FAIL", ...; empty: not known */
    int exit_code;
};

enum gs_status gs_slurm_end_of(const char *id, uint32_t task, struct gs_arena *scratch,
                               struct gs_slurm_end *end, struct gs_err *err);

/* The greatest number that a task of an array may have here; UINT64_MAX where Slurm does not say. */
uint64_t gs_slurm_array_max(struct gs_arena *scratch);

/* Takes a job back. What is no longer there is not an error. */
enum gs_status gs_slurm_cancel(const char *id, struct gs_arena *scratch, struct gs_err *err);
