/* pair_stats.h - what a group of pairs adds up to, exactly: a record of the folds over pairs. */
#pragma once

#include "stats/descriptive/moments.h"
#include "stats/descriptive/ratio.h"
#include "analysis/timeline/join.h"
#include "analysis/aggregate/records.h"

/* What each GPU of the host that is being added has of a sum so far; not saved. Valid when zeroed. */
struct gs_gpu_uses {
    uint64_t host; /* 1 + its number */
    struct gs_gpu_use {
        struct gs_energy_use sum;
        gs_i128 own_uj2; /* of the sum */
    } * use;
};

struct gs_pair_stats {
    struct gs_moments duration;            /* ns                                             */
    struct gs_values durations;            /* all of them, for quantiles                     */
    uint64_t n_samples, n_energy, n_stale; /* n_energy: pairs with energy                    */
    struct gs_energy_sum used;
    gs_i128 window_ns;          /* durations, one per GPU of the pair             */
    struct gs_counted counted;  /* by the boards' own counters                    */
    gs_i128 again, again_alike; /* see gs_joined                                 */
    struct gs_gpu_uses gpus;
    struct gs_ratio_sum metric[]; /* the tail                                       */
};

enum { GS_N_PAIR_STATS_FIELDS = 13 + GS_N_ENERGY_SUM_FIELDS };
extern const struct gs_field gs_pair_stats_fields[GS_N_PAIR_STATS_FIELDS], gs_pair_stats_tail[1];

/* The table of these records by a key. */
#define GS_PAIR_STATS_SPEC(table_name, key_parts)                                                  \
    {                                                                                              \
        GS_RECORDS(table_name, key_parts, struct gs_pair_stats, gs_pair_stats_fields),             \
            GS_RECORDS_TAIL(struct gs_ratio_sum, gs_pair_stats_tail)                               \
    }

/* All pairs of a result, for what is said beside it. */
struct gs_pairs_told {
    uint64_t n, n_missing, n_stale; /* without a power reading; with a sample from far away */
    uint64_t n_refused;             /* in join: with an energy that has no interval          */
    struct gs_energy_sum used;
    gs_i128 window_ns;
};

/* Says how many have no reading or one from far away, and how much of their time has no known power; or that there are none. */
void gs_pairs_notes(const struct gs_pairs_told *told, enum gs_join join, struct gs_notes *notes);

/* Adds what GPU `g` of `host` has of a pair, whose energy is in `used` already. Errors: GS_ERR_MEMORY. */
enum gs_status gs_gpu_use_add(struct gs_gpu_uses *gpus, struct gs_energy_sum *used,
                              const struct gs_host_view *host, uint32_t g,
                              const struct gs_energy_use *more, struct gs_arena *scratch,
                              struct gs_err *err);

/* Adds the energy of a pair of `host`. Errors: GS_ERR_MEMORY. `scratch` lives as long as the host is shown. */
enum gs_status gs_gpu_uses_add(struct gs_gpu_uses *gpus, struct gs_energy_sum *used,
                               const struct gs_host_view *host, const struct gs_pair *pair,
                               const struct gs_joined *joined, struct gs_arena *scratch,
                               struct gs_err *err);

/* Adds a pair of `host`, which has as many metrics as the record. `scratch` lives as long as the host is shown. */
enum gs_status gs_pair_stats_add(struct gs_pair_stats *s, const struct gs_host_view *host,
                                 const struct gs_pair *pair, const struct gs_joined *joined,
                                 struct gs_arena *arena, struct gs_arena *scratch,
                                 struct gs_err *err);
