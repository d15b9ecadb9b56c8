/* check_parts.h - the parts of gs_check. Private to check. */
#pragma once

#include "analysis/check/finding.h"
#include "analysis/aggregate/fold.h"
#include "analysis/timeline/task_list.h"

enum gs_severity {
    GS_SEVERITY_ERROR,
    GS_SEVERITY_WARNING,
    GS_SEVERITY_ACCEPTED,
    GS_SEVERITY_INFO,
    GS_N_SEVERITIES
};

/* A warning, unless what was found is usual. */
static inline enum gs_severity gs_severity_unless(bool usual)
{
    return usual ? GS_SEVERITY_INFO : GS_SEVERITY_WARNING;
}

/* How often something was found, and the least line, gs_dataset_line. Start from GS_TALLY_NONE. */
struct gs_tally {
    uint64_t n;
    int64_t line; /* GS_MISSING: none */
};

#define GS_TALLY_NONE ((struct gs_tally){0, GS_MISSING})

static inline void gs_tally_add(struct gs_tally *t, uint64_t n, int64_t line)
{
    t->n += n;
    if (line != GS_MISSING && (t->line == GS_MISSING || line < t->line))
        t->line = line;
}

/*
 * The state. Tallies are by a name of their own and that of an event or metric. What the table of tasks shows is the
 * same in every state: its tasks, by digest, and by a name and a level figures that a finding tells. The tasks that a
 * host's checkpoints name are its rows, in the order of their digests.
 */
enum {
    GS_CHECK_TALLIES,
    GS_CHECK_INTERVALS,
    GS_CHECK_LISTED,
    GS_CHECK_TABLE,
    GS_CHECK_FILES,
    GS_CHECK_HOSTS,
    GS_N_CHECK_TABLES
};

/* What the table of tasks shows of one kind and level. */
struct gs_check_figures {
    /* GS_MISSING where they do not belong to the kind */
    int64_t n, line, width, height, n_distinct, x, y;
};

/* A task of the table. */
struct gs_check_listed {
    int64_t line; /* the least of its rows; GS_CHECK_NO_LINE: not known */
};

#define GS_CHECK_NO_LINE INT64_MAX

/* When a host's samples begin and end; line: of the first of them. */
struct gs_check_host {
    int64_t first_ns, last_ns, line, interval_ns;
};

/* What the checkpoints and the table of tasks have of each other. */
struct gs_check_seen {
    /* on several hosts; seen and not listed; listed and not seen */
    struct gs_tally several, unlisted, idle;
};

/* An input, by its number. */
struct gs_check_file {
    int64_t n_rejected, n_skipped, n_around;
};

/* Adds to a tally of the state; false without memory. */
bool gs_check_count(struct gs_state *state, const struct gs_fold_host *host, const char *kind,
                    struct gs_str of, struct gs_tally tally);

/* A tally of the state. */
struct gs_tally gs_check_tally(const struct gs_state *state, const char *kind, struct gs_str of);

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
    const struct gs_state *state;
    const struct gs_facts *facts;
    const struct gs_accepted *accepted;
    struct gs_arena *arena;
    struct gs_check_row *row;
    size_t n, capacity;
    bool failed;
};

/* Adds a row where something was counted; `hint` and `finding` are copied. */
void gs_check_add(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity,
                  const char *finding, struct gs_tally tally, const char *hint);

/* The same with a place in words. */
void gs_check_add_at(struct gs_check_report *r, enum gs_finding id, enum gs_severity severity,
                     const char *finding, uint64_t count, const char *place, const char *hint);

/* Adding a host, part by part; false without memory. What the table of tasks shows is planned. */
bool gs_check_add_times(struct gs_state *state, const struct gs_fold_host *host);
bool gs_check_add_pairs(struct gs_state *state, const struct gs_fold_host *host);
bool gs_check_add_readings(struct gs_state *state, const struct gs_fold_host *host);
enum gs_status gs_check_add_tasks(struct gs_state *state, const struct gs_fold_host *host,
                                  struct gs_err *err);
enum gs_status gs_check_plan_tasks(struct gs_state *state, const struct gs_dataset *d,
                                   struct gs_arena *arena, struct gs_err *err);

/* The frame of a host's rows, without any: the plan of the state. */
enum gs_status gs_check_rows_new(struct gs_arena *arena, struct gs_frame **rows,
                                 struct gs_err *err);

/* A task by half of the SHA-256 of its job and ID: no two that are not the same have the same one. */
struct gs_check_sighting {
    int64_t high, low;
    int64_t line; /* GS_MISSING: not known */
};

/*
 * The tasks of the table from what gs_task_list gave, in `arena`, NULL without memory; and into a table of the state.
 * Between the two the list may go: both at once are much.
 */
struct gs_check_sighting *gs_check_list_tasks(const struct gs_dataset *d,
                                              const struct gs_task_entry *task, size_t n,
                                              struct gs_arena *arena, size_t *n_tasks);
enum gs_status gs_check_store_tasks(struct gs_records *listed, struct gs_check_sighting *task,
                                    size_t n, struct gs_arena *arena, struct gs_err *err);

/* Errors: those of the file that the rows are in; GS_ERR_DATA for rows of other columns; GS_ERR_MEMORY. */
enum gs_status gs_check_seen_tasks(const struct gs_state *state, struct gs_check_seen *found,
                                   struct gs_err *err);

/* The tallies [from, to) of a kind in the state, by what they are of. */
void gs_check_tallies_of(const struct gs_state *state, const char *kind, uint32_t *from,
                         uint32_t *to);

/* Their rows: readings and names; hosts, samples in time; pairs; clocks; tasks against checkpoints, tiles. */
void gs_check_report_readings(struct gs_check_report *r);
void gs_check_report_hosts(struct gs_check_report *r);
void gs_check_report_pairs(struct gs_check_report *r);
void gs_check_report_clocks(struct gs_check_report *r);
void gs_check_report_tasks(struct gs_check_report *r, const struct gs_check_seen *seen);
