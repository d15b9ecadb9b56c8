/* jobs.h - the accounting of jobs: what each held, used, left idle, and how sure that is. */
#pragma once

#include "analysis/aggregate/fold.h"
#include "analysis/aggregate/pair_stats.h"
#include "analysis/aggregate/key_parts.h"
#include "analysis/energy/energy.h"
#include "analysis/timeline/load_phases.h"

/* Whose GPU is whose, where neither the samples nor the jobs say so. */
enum gs_jobs_share {
    GS_SHARE_ALLOC, /* the free GPUs of a node are those of lowest power; the others are divided by GPUs held */
    GS_SHARE_FIRST_FIT, /* a job gets the lowest free indices when it starts                                      */
    GS_SHARE_NODE /* a job holds all GPUs of its nodes                                                      */
};

/* When no job held a GPU: before the first pair of its host, after the last, else between. */
enum gs_free { GS_FREE_BEFORE, GS_FREE_BETWEEN, GS_FREE_AFTER, GS_N_FREE };

/* Ascending. */
struct gs_instants {
    const int64_t *t_ns;
    size_t n;
};

struct gs_jobs_options {
    enum gs_jobs_share share;
    int64_t idle_below; /* fixed-point %: a GPU at less is idle     */
    bool by_time;       /* what nobody held is told apart by enum gs_free */
    bool brief;         /* a row of totals, too */
    bool for_people;    /* the row that surely wasted most first */
    size_t n_keys;      /* 0: a row for each allocation             */
    struct gs_str key[GS_BY_MAX];
    struct gs_zone zone; /* of the calendar                           */
    /* between readings energy is divided there as at a border of the range; NULL: none */
    const struct gs_instants *cuts;
};

/* What is between bounds where it is not known which GPUs a job had: energy, twice the time that they idled, and energy of that time. */
enum gs_doubted { GS_DOUBTED_ENERGY, GS_DOUBTED_IDLE, GS_DOUBTED_IDLE_ENERGY, GS_N_DOUBTED };

/* How the GPUs of a job were found. */
enum gs_attribution {
    GS_ATTRIBUTION_NONE,    /* no sample of its nodes lies in it                                */
    GS_ATTRIBUTION_EXACT,   /* the samples name the job, it names its GPUs, or it has them all  */
    GS_ATTRIBUTION_WHOLE,   /* the number it holds is unknown: all of its nodes                 */
    GS_ATTRIBUTION_ASSUMED, /* --share first-fit says which, the data do not                  */
    GS_ATTRIBUTION_SHARED,
    GS_N_ATTRIBUTIONS
};

/*
 * What some jobs came to, or GPUs that no job held. GPUs are counted in millionths, so that those of a job divide over its
 * nodes. Valid when zeroed but for mem_pct, GS_MISSING. The last three are not saved.
 */
struct gs_job_sum {
    uint64_t n_jobs, n_parts[GS_N_ATTRIBUTIONS]; /* a part is a job on a host                    */
    uint64_t n_cut_start, n_cut_stop;            /* parts that reach beyond the samples          */
    uint64_t n_over;                             /* parts with more held than the host has       */
    gs_i128 wall_ns, gpus, held;                 /* inside the samples; 10^-6 GPUs; x ns         */
    /* if its GPUs had the least and the most of it */
    gs_i128 low[GS_N_DOUBTED], high[GS_N_DOUBTED];
    /* twice utilisation x ns; time with one; twice idle: half per reading; time of which that is known */
    gs_i128 util2_ns, util_ns, idle2_ns, idle_ns;
    gs_i128 idle_energy; /* of idle2_ns */
    gs_i128 logged_ns;   /* of the logs, with the gaps that are left out */
    gs_i128 unused;      /* 10^-6 GPUs x ns of GPUs that never did anything */
    /* twice the time that GPUs assumed to be held idled while free ones worked: nobody's */
    gs_i128 refuted2_ns;
    int64_t mem_pct;           /* fixed-point, the most of its GPUs' memory    */
    struct gs_energy_sum used; /* n, n_cut and n_refused stay 0 */
    struct gs_energy_use *use; /* [GPUs of the host] of a part whose card is not known */
    struct gs_gpu_uses uses;   /* what each GPU of the host has of a sum of parts      */
    /* the first pair of the host that is in the same row: what they share among them is known */
    uint32_t row;
};

/* e x w / whole, rounded down; of several parts the last takes the rest. */
gs_i128 gs_jobs_portion(gs_i128 e, gs_u128 w, gs_u128 whole);

/* The least sure of those of its parts. */
enum gs_attribution gs_job_attribution(const struct gs_job_sum *sum);

/*
 * Divides what the GPUs of a host used among its pairs, which come zeroed but for their rows and mem_pct, and nobody: all of
 * it one sum, or by_time GS_N_FREE of them. The sum over all is that of the GPUs, to the last unit. See section J of the analyses in the manual: a boundary of a job divides the energy
 * between two readings as p0 x time before : p1 x time after. `used` of the fleet takes all of their logs (NULL: nothing does).
 * Cost: O(samples x GPUs of the host / GPUs sampled at once), and for each boundary the jobs that run.
 */
enum gs_status gs_jobs_divide(const struct gs_jobs_options *o, const struct gs_fold_host *host,
                              struct gs_job_sum *of_pair, struct gs_job_sum *nobody,
                              struct gs_job_sum *fleet, struct gs_err *err);

/*
 * Makes pairs of the jobs that samples name, in place of those of a host's view: of each GPU from the first sample with the
 * label to an interval behind the last, or to the sample without it. They live in `scratch`. Cost: O(samples).
 */
enum gs_status gs_label_pairs(struct gs_host_view *h, const struct gs_dataset *d,
                              struct gs_arena *scratch, struct gs_err *err);

/*
 * The frame "jobs": a row for each allocation, or "jobs-by": for each value of the keys, most energy first, and the last for what no
 * job held. Options: struct gs_jobs_options.
 * Errors: GS_ERR_DATA for a key that no event has.
 */
extern const struct gs_fold gs_jobs_fold;
