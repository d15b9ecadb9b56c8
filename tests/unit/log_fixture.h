/* log_fixture.h - a power log under construction, as if it had been read from a.csv. */
#ifndef GPUSTAT_LOG_FIXTURE_H
#define GPUSTAT_LOG_FIXTURE_H

#include "study_fixture.h"

#include "analysis/power_logs/power_gpus.h"

enum { N_MAX = 8192 };

/* Seconds, watts, per cent, joules of a counter. Zeroed, then started. */
struct made {
    int64_t t[N_MAX], power[N_MAX], util[N_MAX], counter[N_MAX];
    struct gs_log log;
    struct gs_log_table table;
    struct gs_arena arena;
    struct gs_frames out;
    struct gs_power_run run;
    struct gs_power_gpus gpus;
};

static inline struct made *made_start(void)
{
    struct made *const m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->log.t_ns = m->t;
    m->log.value[GS_LOG_POWER] = m->power;
    m->table = (struct gs_log_table){
        .name = "a.csv", .stem = gs_str("a.csv"), .log = &m->log, .n_logs = 1};
    m->out.notes.arena = &m->arena;
    return m;
}

static inline void unmake(struct made *m)
{
    gs_arena_release(&m->arena);
    free(m);
}

static const struct gs_power_options plain = {.runtime_s = NAN, .runtime_sd_s = NAN, .hot_c = 80};

/* Another row's place; the caller fills in what else the log has. */
static inline size_t made_add(struct made *m, double t_s, double watts)
{
    assert_true(m->log.n < N_MAX);
    m->t[m->log.n] = llround(t_s * 1e9);
    m->power[m->log.n] = llround(watts * 1e6);
    return m->log.n++;
}

#endif
