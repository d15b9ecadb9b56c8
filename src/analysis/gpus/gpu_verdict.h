/* gpu_verdict.h - which GPU is slow, held against its siblings instant by instant; no events are needed. */
#pragma once

#include "analysis/gpus/gpu_profile.h"
#include "analysis/gpus/load_cells.h"

/* What a GPU is beside its siblings. */
enum gs_verdict {
    GS_VERDICT_NONE, /* no siblings, or never loaded */
    GS_VERDICT_OK,
    GS_VERDICT_SILENT,
    GS_VERDICT_STUCK,
    GS_VERDICT_IDLE,
    GS_VERDICT_HOT_AND_SLOW,
    GS_VERDICT_POWER_LIMITED,
    GS_VERDICT_SLOW_CLOCK,
    GS_VERDICT_SOMETIMES_SLOW,
    GS_VERDICT_WAITING,
    GS_VERDICT_STARVED,
    GS_VERDICT_HOT,
    GS_N_VERDICTS
};

#define GS_SLOW_CLOCK_PCT (-10.0) /* a clock this far from the siblings' is slow at that instant */

/* What is found about a GPU. NaN, GS_MISSING: not known. Differences are the GPU's less its siblings'. */
struct gs_gpu_verdict {
    enum gs_verdict verdict;
    uint32_t siblings;             /* GPUs that it is held against                                */
    double loaded_s, sm_clock_mhz; /* time under load; its median clock then          */
    double difference[GS_N_LOADS]; /* clock and power in %, degrees, points           */
    double told[GS_N_LOADS];       /* the same, of the time since the verdict holds      */
    double z[GS_N_LOADS];          /* above 0 on the bad side                         */
    double slow_time_pct;          /* of the loaded time with a clock 10 % below theirs */
    double thermal_pct, power_cap_pct; /* of the loaded samples with throttle reasons   */
    double q;                          /* the least of its metrics', Benjamini and Hochberg */
    double hotter_host;        /* K of its whole host above the others, where that is much */
    double low_by_pct;         /* its clock against theirs, where it is low a part of the time */
    double deficit_pct;        /* how much lower its clock is on average, at least 0           */
    bool is_alone;             /* it worked, but none of its siblings did                 */
    bool at_times;             /* what the verdict says stopped and came back             */
    bool is_hotter, is_capped; /* thermal and power reasons more often than theirs */
    uint64_t index;            /* on its host; UINT64_MAX: not known                   */
    int64_t
        since_ns; /* the begin of what the verdict says; GS_MISSING: from the start, or it is ok */
};

struct gs_gpu_verdicts {
    struct gs_gpu_verdict *gpu; /* [fleet->n_gpus] */
    bool has_clock;             /* without one throttling cannot be seen */
};

/*
 * Judges the GPUs of a fleet by the cells in a state's tables, into fleet->verdicts. Siblings are the GPUs of one card
 * in one job, else on one host, else of one population (`of_gpu`; NULL: the run has one).
 *
 * A GPU is called something only where a difference is both worth it and no chance: see the table in the .c file.
 * Temperature alone makes nothing slow.
 *
 * Errors: GS_ERR_DATA for a state that is none, GS_ERR_MEMORY. Memory: the result lives in `arena`.
 * Cost:   O(GPUs * cells), in groups of up to 16 times their size.
 */
enum gs_status gs_fleet_judge(const struct gs_records *table, const uint32_t *of_gpu,
                              struct gs_arena *arena, struct gs_gpu_list *fleet,
                              struct gs_err *err);

/* The columns of a verdict, and the cells of those that the frame has; `v` NULL: missing. */
enum { GS_N_VERDICT_COLUMNS = 17 };
extern const struct gs_column_spec gs_verdict_columns[GS_N_VERDICT_COLUMNS];
void gs_verdict_cells(struct gs_frame *f, size_t row, const struct gs_gpu_verdict *v);

/* Is something wrong with it? */
bool gs_gpu_verdict_is_bad(const struct gs_gpu_verdict *v);

/* Says each GPU that is not ok in one line (at most five), or that throttling cannot be seen. */
void gs_gpu_verdicts_note(const struct gs_gpu_list *fleet, struct gs_notes *notes);

/*
 * Appends, between `before` and `after`, the GPUs without a verdict by reason: "4 on gpu024 were never under load; 1 had
 * no samples". Nothing where all have one.
 */
void gs_gpu_verdicts_write_missing(const struct gs_gpu_list *fleet, const char *before,
                                   const char *after, struct gs_buf *b);

bool gs_gpu_list_has_one_host(const struct gs_gpu_list *fleet);

/*
 * How many other GPUs of its host have its verdict, where all of them do and it is the first, in a run of several hosts;
 * else 0. And ", so are its host's 7 other GPUs".
 */
size_t gs_gpu_verdict_alike(const struct gs_gpu_list *fleet, size_t g);
void gs_gpu_verdicts_write_alike(size_t n, struct gs_buf *b);

/*
 * "n5 GPU 3", "GPU 3" where there is one host, or "n5" where nothing names the GPU; "GPU 3 (GPU-2c1e7a90)" where it has
 * a UUID, too.
 */
void gs_gpu_verdict_name(const struct gs_gpu_list *fleet, size_t g, struct gs_buf *b);

/*
 * Appends "n5 GPU 3 is thermally throttled", " from the start" and "SM clock 1,355 MHz (-22.8 %), +20 K"; returns what
 * to look at next.
 */
const char *gs_gpu_verdict_words(const struct gs_gpu_list *fleet, size_t g, struct gs_buf *is,
                                 struct gs_buf *since, struct gs_buf *measured);
