/* power_visit.c - the evaluation of one GPU after the other, each on the thread that shows it. */
#include "analysis/power_logs/power_visit.h"

struct looking {
    const struct gs_power_options *options;
    struct gs_power_visited to;
    struct gs_power_run *run;
    size_t first; /* of this run, counted through them */
};

static enum gs_status inspect_at(void *context, size_t k, const struct gs_log *log, unsigned thread,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    (void)thread;
    const struct looking *const l = context;
    const size_t at = l->first + k;
    struct gs_power_result *const r = &l->to.result[at];
    enum gs_status s = gs_power_evaluate(log, l->options, scratch, r, err);
    /*
     * It lives in scratch, which is reused for the next GPU. The same holds for the counter's
     * arrays below; a caller that needs them evaluates stored logs.
     */
    r->kept = NULL;
    if (s == GS_OK && l->to.use != NULL)
        gs_power_use_of(log, l->options->hot_c, &l->to.use[at]);
    if (s != GS_OK || l->to.meter == NULL)
        return s;
    struct gs_power_meter *const m = &l->to.meter[at];
    s = gs_power_meter_of(log, l->run->table.column, l->options, scratch, m, err);
    if (s == GS_OK)
        s = gs_power_energies_of(m, r, l->options, scratch, &l->to.energies[at], err);
    m->log = &l->run->table.log[k];
    m->counter.t_ns = NULL;
    m->counter.used = NULL;
    return s;
}

enum gs_status gs_power_visit(struct gs_power_run *run, size_t n_runs, enum gs_power_visiting what,
                              const struct gs_power_options *options, unsigned n_threads,
                              struct gs_arena *arena, struct gs_power_visited *looked,
                              struct gs_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < n_runs; i++)
        n += run[i].table.n_logs;
    struct looking l = {.options = options,
                        .to.result = gs_arena_take(arena, n, sizeof *l.to.result)};
    bool had = l.to.result != NULL;
    if (what == GS_POWER_LOOK_METRICS) {
        l.to.use = gs_arena_take(arena, n, sizeof *l.to.use);
        had &= l.to.use != NULL;
    } else {
        l.to.meter = gs_arena_take(arena, n, sizeof *l.to.meter);
        l.to.energies = gs_arena_take(arena, n, sizeof *l.to.energies);
        had &= l.to.meter != NULL && l.to.energies != NULL;
    }
    enum gs_status s = had ? GS_OK : gs_fail_memory(err);
    for (size_t i = 0; s == GS_OK && i < n_runs; i++) {
        l.run = &run[i];
        s = gs_power_run_visit(&run[i], n_threads, inspect_at, &l, err);
        l.first += run[i].table.n_logs;
    }
    if (s == GS_OK)
        *looked = l.to;
    return s;
}
