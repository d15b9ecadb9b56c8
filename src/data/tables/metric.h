/* metric.h - the metrics that a sample can have: a table of known ones, and lists of those in use. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/num/decimal.h"
#include "base/core/status.h"
#include "base/core/text.h"

/*
 * The places in every dataset's list of metrics that are always taken by the same ones, whether a file has them
 * or not. Behind them come the other known ones that some file has, in the order of the table, then any others
 * by name: nothing may assume how many.
 */
enum { GS_POWER, GS_TEMP, GS_GPU_UTIL, GS_MEM_UTIL, GS_FIXED_METRICS };

/*
 * When a series that never changes is a broken sensor: only where another metric shows that the GPU did
 * different things.
 */
struct gs_stuck_rule {
    int64_t varies_by; /* of the other, fixed-point; 0: a constant series says nothing */
    /* a value at which the series may well rest, fixed-point; GS_MISSING: none */
    int64_t but_not_at;
    uint8_t beside; /* the other: one of the fixed places                            */
};

enum gs_metric_kind {
    GS_METRIC_GAUGE,
    GS_METRIC_COUNTER, /* only grows: no mean of it is shown; energy_j is read by what measures energy */
    GS_METRIC_MASK, /* bits of a whole number: it has no mean either */
};

struct gs_metric {
    const char *name;  /* column name, the unit at its end: "power_w"                  */
    const char *stem;  /* the name without unit: "power"                               */
    const char *label; /* heading for people: "mem util"                               */
    const char *words; /* in sentences: "memory utilisation"                           */
    const char *unit;  /* "W", "%", "" ...                                             */
    uint8_t decimals, mean_decimals; /* of a reading, of a mean, in tables */
    enum gs_metric_kind kind;
    int64_t low, high; /* readings outside are impossible, fixed-point                  */
    int64_t usual_low, usual_high; /* a GPU's median outside is implausible, fixed-point  */
    struct gs_stuck_rule stuck;
    /*
     * Its names in files without case, punctuation and unit, parted by blanks; "?" in front: only where a unit
     * stands with it.
     */
    const char *aliases;
};

/* Does a mean of its readings mean anything? */
static inline bool gs_metric_has_mean(const struct gs_metric *m)
{
    return m->kind == GS_METRIC_GAUGE;
}

/* The highest usual reading: a power that names no GPU may be that of a host with eight. */
static inline int64_t gs_metric_usual_high(const struct gs_metric *m, bool names_gpu)
{
    enum { GPUS_OF_HOST = 8 };
    const bool shared = !names_gpu && m->unit[0] == 'W' && m->unit[1] == '\0';
    return shared ? m->usual_high * GPUS_OF_HOST : m->usual_high;
}

/* The table: gs_n_known_metrics rows, the fixed ones first. */
extern const struct gs_metric gs_known_metrics[];
extern const uint32_t gs_n_known_metrics;

/* Whose readings are power_w where it has none of its own, the better one first. */
enum { GS_N_STAND_INS = 2 };
extern const char *const gs_power_stand_ins[GS_N_STAND_INS];

/* What stands for the name of a card in the log of a power analyser, which is an instrument and no sensor of a board. */
#define GS_POWER_ANALYSER "power analyser (SPEC PTDaemon)"

/* Is it the utilisation, the temperature, a clock, a power limit or a throttle reason: what a slow GPU is told by? */
bool gs_metric_tells_load(const struct gs_metric *m);

/* The known metric of that name, NULL where there is none. */
const struct gs_metric *gs_metric_find(struct gs_str name);

/*
 * Makes a metric of a name that is not known. A unit at its end ("_ms", "_mb") becomes its unit.
 * Memory: lives in `arena`; NULL without.
 */
const struct gs_metric *gs_metric_new(struct gs_str name, struct gs_arena *arena);

/*
 * The name of a column that tells something about a metric: stem, "what", unit: "power_mean_w". NULL without memory.
 */
const char *gs_metric_column(const struct gs_metric *m, const char *what, struct gs_arena *arena);

/* A list of distinct metrics. Start from gs_metrics_init. */
struct gs_metrics {
    struct gs_arena *arena;
    const struct gs_metric **metric;
    uint32_t n;
};

/* The fixed ones. */
enum gs_status gs_metrics_init(struct gs_metrics *list, struct gs_arena *arena, struct gs_err *err);

/* Adds one that the list does not have yet; the order of a list is that of datasets, whatever order they come in. */
enum gs_status gs_metrics_add(struct gs_metrics *list, const struct gs_metric *m,
                              struct gs_err *err);

/* The place of a metric in a list, by name; UINT32_MAX where it is not there. */
uint32_t gs_metrics_find(const struct gs_metric *const *metric, uint32_t n, struct gs_str name);
