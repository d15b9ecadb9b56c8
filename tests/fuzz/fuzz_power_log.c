/*
 * Power logs of any bytes: refused with a reason or read with no row lost, and evaluated, cut into windows and shifted
 * without a fault, the same on one thread and on two. The first byte chooses options.
 */
#include "target.h"
#include <math.h>

#include "app/passes/power_load.h"
#include "analysis/power_logs/power_gpus.h"

static void check_logs(const struct gs_log_table *t)
{
    uint64_t n = t->n_dropped;
    for (size_t g = 0; g < t->n_logs; g++) {
        const struct gs_log *const log = &t->log[g];
        n += log->n;
        for (size_t i = 0; i < log->n; i++) {
            MUST(log->value[GS_LOG_POWER][i] != GS_MISSING);
            MUST(log->t_ns == NULL || i == 0 || log->t_ns[i - 1] <= log->t_ns[i]);
        }
    }
    MUST(n == t->n_rows);
}

static void use_logs(struct gs_power_run *run, struct gs_arena *arena)
{
    const struct gs_log_table *const t = &run->table;
    const struct gs_power_options o = {.runtime_s = (double)NAN,
                                       .runtime_sd_s = (double)NAN,
                                       .iterations = 3,
                                       .hot_c = 80,
                                       .bursts = true};
    struct gs_power_gpus gpus;
    struct gs_frames out = {.notes = {.arena = arena}};
    MUST(gs_power_gpus_of(run, 1, &o, arena, &gpus, NULL) == GS_OK && gpus.n == t->n_logs);
    MUST(gs_power_evaluate_all(&gpus, arena, NULL) == GS_OK);
    for (size_t g = 0; g < gpus.n; g++) {
        const struct gs_power_result *const r = &gpus.gpu[g].result;
        MUST(r->n_kept <= r->n && (r->n == 0 || r->n_kept > 0));
    }
    const enum gs_status metered = gs_power_meters(&gpus, arena, &out.notes, NULL);
    MUST(metered == GS_OK || metered == GS_ERR_DATA); /* an energy too large to add up */
    if (metered != GS_OK)
        return;
    MUST(gs_power_points(&gpus, arena, &out, NULL) == GS_OK);
    for (size_t g = 0; g < t->n_logs; g++) {
        const struct gs_log *const log = &t->log[g];
        if (log->n < 2 || log->t_ns == NULL)
            continue;
        struct gs_span span[] = {
            {.start_ns = log->t_ns[0], .stop_ns = log->t_ns[log->n / 2]},
            {.start_ns = log->t_ns[log->n / 2], .stop_ns = log->t_ns[log->n - 1]}};
        const struct gs_span_list spans = {span, 2};
        struct gs_power_shift shift;
        const enum gs_status s = gs_power_find_shift(&gpus, &spans, &shift, NULL);
        MUST(s == GS_OK || s == GS_ERR_RANGE);
        const enum gs_status w = gs_power_windows(
            &gpus, &spans, s == GS_OK ? shift.shift_ns : INT64_MAX, arena, &out, NULL);
        MUST(w == GS_OK || w == GS_ERR_DATA);
        break;
    }
    MUST(gs_power_visit(run, 1, GS_POWER_LOOK_SUMMARY, 1, arena, &gpus, NULL) == GS_OK);
    MUST(gs_power_visit(run, 1, GS_POWER_LOOK_METRICS, 1, arena, &gpus, NULL) == GS_OK);
    MUST(gs_power_summary(&gpus, arena, &out, NULL) == GS_OK);
    MUST(gs_power_metrics(&gpus, arena, &out, NULL) == GS_OK);
}

static enum gs_status load(const char *path, const struct gs_power_loading *l, unsigned n_threads,
                           struct gs_arena *arena, struct gs_power_run *run, struct gs_err *err)
{
    struct gs_power_loading own = *l;
    struct gs_notes notes = {.arena = arena};
    own.n_threads = n_threads;
    const enum gs_status s = gs_power_load(path, &own, arena, &notes, run, err);
    return s == GS_OK ? gs_power_run_store(run, n_threads, arena, err) : s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {NULL, "timestamp,gpu,power,temp", "power",
                                          "-,timestamp,power,gpu_util,mem_util"};
    if (size == 0)
        return 0;
    const struct gs_power_loading l = {
        .options.columns = columns[data[0] & 3],
        .options.power_column = data[0] & 4 ? "power.draw.instant" : NULL,
        .options.zone.offset_s = data[0] & 8 ? 3600 : 0,
        .interval_ns = data[0] & 16 ? 1000000000 : 0,
        .n_gpus = data[0] >> 6,
    };
    char path[MEMORY_PATH_MAX];
    const int fd = bytes_as_file(data + 1, size - 1, path);
    struct gs_arena arena = {0}, again = {0};
    struct gs_power_run run, other;
    struct gs_err err = {0}, err_again = {0};
    const enum gs_status s = load(path, &l, 1, &arena, &run, &err);
    const enum gs_status s_again = load(path, &l, 2, &again, &other, &err_again);
    /* GS_ERR_IO: SQLite opens what looks like a database by its name, and this file has none. */
    MUST(s == GS_OK ||
         ((s == GS_ERR_DATA || s == GS_ERR_USAGE || s == GS_ERR_NOINPUT || s == GS_ERR_IO) &&
          err.text[0] != '\0'));
    MUST(s == s_again && strcmp(err.text, err_again.text) == 0);
    if (s == GS_OK) {
        check_logs(&run.table);
        MUST(run.table.n_rows == other.table.n_rows && run.table.n_logs == other.table.n_logs);
        for (size_t g = 0; g < run.table.n_logs; g++)
            MUST(run.table.log[g].n == other.table.log[g].n);
        use_logs(&run, &arena);
    }
    gs_arena_release(&arena);
    gs_arena_release(&again);
    MUST(close(fd) == 0);
    return 0;
}
