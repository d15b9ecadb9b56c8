/* totals.h - what a visit of hosts notices beside the results: repeats, orphans, names that lead nowhere. */
#pragma once

#include "base/core/notes.h"
#include "base/core/pack.h"
#include "data/tables/dataset.h"
#include "analysis/sensor/sensor_tally.h"

/* Why a counter of energy cannot be right, see section F of the analyses. */
enum gs_counter_doubt {
    GS_COUNTER_FITS,
    GS_COUNTER_UNIT,    /* it is near a power of ten or an hour times the integrated power */
    GS_COUNTER_STANDS,  /* while power flows                                               */
    GS_COUNTER_FALLS,   /* back to nothing in more than a tenth of its intervals           */
    GS_COUNTER_DIFFERS, /* by more than the interval of the integrated power               */
    GS_N_COUNTER_DOUBTS
};
struct gs_counter;

enum { GS_LEAST_NAMES_KEPT = 5, GS_LEAST_NAMES_TEXT_MAX = GS_LEAST_NAMES_KEPT * 66 };

/* The least of the texts seen, ascending, each once: enough for a message. */
struct gs_least_names {
    uint32_t n;
    struct gs_str text[GS_LEAST_NAMES_KEPT];
};

/* Rows that are equal to an earlier one, kept or dropped. */
struct gs_repeats {
    uint64_t n, n_hosts;
    int64_t first_ns, last_ns, first_place; /* GS_MISSING: there are none; no places were kept */
    struct gs_least_names host;
};

struct gs_view_totals {
    uint64_t n_hosts; /* visited                                           */
    struct gs_repeats checkpoints, samples;
    uint64_t n_orphan_starts, n_orphan_stops;
    uint64_t n_range_cut;              /* pairs that reach beyond the range                 */
    uint64_t n_unknown_gpu;            /* pairs that name a GPU without samples             */
    struct gs_least_names unknown_gpu; /* these names                                       */
    struct gs_repeats at_once; /* samples of a GPU at the instant of another, not equal to it */
    uint64_t n_hosts_shared;   /* hosts with several GPUs and pairs for all of them */
    struct gs_sensor_tally sensors;          /* of the GPUs whose rhythm was looked at */
    uint64_t n_counter_resets, n_gpus_reset; /* falls of energy counters, and on how many GPUs */
    uint64_t n_counter_back, n_gpus_back;    /* likewise, that were no resets                  */
    uint64_t n_of_intervals;                 /* GPUs whose column of energies is no counter    */
    uint64_t n_doubted[GS_N_COUNTER_DOUBTS]; /* GPUs with a counter, by what is wrong with it  */
    /* of those that differ, to the power beside them, fixed-point; GS_MISSING: none do */
    int64_t ratio_least, ratio_greatest;
    uint64_t n_instant; /* of these: whose energies are of the instant power, beside another */
    uint64_t n_counted; /* GPUs without power, whose energies are those of an energy counter */
    /* of those whose period shows in the samples; GS_MISSING: none */
    int64_t period_least_ns, period_greatest_ns;
};

void gs_view_totals_init(struct gs_view_totals *totals);

void gs_least_names_add(struct gs_least_names *names, struct gs_str text);
void gs_least_names_unite(struct gs_least_names *names, const struct gs_least_names *other);

/* As bytes and back; the texts then live in `arena`. */
void gs_least_names_save(const struct gs_least_names *names, struct gs_buf *b);
void gs_least_names_load(struct gs_least_names *names, struct gs_unpacker *u,
                         struct gs_arena *arena);

/* "a, b, c, d, ..." for a message; returns `out`. */
const char *gs_least_names_list(char out[GS_LEAST_NAMES_TEXT_MAX],
                                const struct gs_least_names *names);

/* One row more at a time and place (GS_MISSING: not kept); the hosts are counted by gs_repeats_host. */
void gs_repeats_add(struct gs_repeats *r, int64_t t_ns, int64_t place);

/* To be called once for a host that has had `n_before` rows before it. */
void gs_repeats_host(struct gs_repeats *r, uint64_t n_before, struct gs_str host);

/* One GPU's sensor more. */
void gs_view_totals_sensor(struct gs_view_totals *totals, const struct gs_sensor *sensor);

/* One GPU's energy counter more. */
void gs_view_totals_counter(struct gs_view_totals *totals, const struct gs_counter *counter);

/* Warns of counters that began anew, stepped back or cannot be right. */
void gs_counter_notes(const struct gs_view_totals *totals, struct gs_notes *notes);

/* Totals of other hosts come to these; as bytes and back, names then live in `arena`. */
void gs_view_totals_add(struct gs_view_totals *totals, const struct gs_view_totals *other);
void gs_view_totals_save(const struct gs_view_totals *totals, struct gs_buf *b);
void gs_view_totals_load(struct gs_view_totals *totals, struct gs_unpacker *u,
                         struct gs_arena *arena);

/* Says in notes what the totals mean for a result: duplicates, which were treated so, orphans, shared hosts. */
void gs_view_notes(const struct gs_view_totals *totals, enum gs_duplicates duplicates,
                   struct gs_notes *notes);
