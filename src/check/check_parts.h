/* check_parts.h - the parts of gs_check. Private to analysis. */
#ifndef GPUSTAT_CHECK_PARTS_H
#define GPUSTAT_CHECK_PARTS_H

#include "check/finding.h"
#include "view/host_view.h"

enum gs_severity { GS_SEVERITY_ERROR, GS_SEVERITY_WARNING, GS_SEVERITY_ACCEPTED, GS_SEVERITY_INFO, GS_N_SEVERITIES };

/* How often something was found, and the least place. Start from GS_TALLY_NONE: sums and minima merge in any order. */
struct gs_tally {
    uint64_t n;
    int64_t place; /* GS_MISSING: none */
};

#define GS_TALLY_NONE ((struct gs_tally){0, GS_MISSING})

static inline void gs_tally_add(struct gs_tally *t, uint64_t n, int64_t place)
{
    t->n += n;
    if (place != GS_MISSING && (t->place == GS_MISSING || place < t->place))
        t->place = place;
}

/* Tallies of several kinds, one set per thread; gs_tallies_merge leaves the sums in the first set. */
struct gs_tallies {
    struct gs_tally *tally; /* [n_threads][n] */
    size_t n;
};

enum gs_status gs_tallies_init(struct gs_tallies *t, size_t n, unsigned n_threads, struct gs_arena *arena,
                               struct gs_err *err);
void gs_tallies_merge(struct gs_tallies *t, unsigned n_threads);

static inline struct gs_tally *gs_tallies_at(const struct gs_tallies *t, unsigned thread, size_t kind)
{
    return &t->tally[thread * t->n + kind];
}

/* A row of the frame to be; texts live in the report's arena. */
struct gs_check_row {
    enum gs_finding id;
    enum gs_severity severity;
    struct gs_str finding, hint;
    uint64_t count;
    const char *place;
};

/* The rows of the frame to be. Texts live in `arena`; a failure to get memory is remembered. */
struct gs_check_report {
    const struct gs_dataset *d;
    const struct gs_accepted *accepted; /* NULL: none */
    struct gs_arena *arena;
    struct gs_check_row *row;
    size_t n, capacity;
    bool failed;
};

/* Adds a row where something was counted; `hint` and `finding` are copied. */
void gs_check_add(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity, const char *finding,
                  struct gs_tally tally, const char *hint);

/* The same with a place in words. */
void gs_check_add_at(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity, const char *finding,
                     uint64_t count, const char *place, const char *hint);

/* Hosts, samples in time, pairs. */
enum gs_status gs_check_hosts(struct gs_check_report *r, unsigned n_threads, struct gs_err *err);

/* Readings and names, row by row. */
enum gs_status gs_check_readings(struct gs_check_report *r, unsigned n_threads, struct gs_err *err);

/* Tasks against checkpoints, tiles. */
enum gs_status gs_check_tasks(struct gs_check_report *r, unsigned n_threads, struct gs_err *err);

#endif
