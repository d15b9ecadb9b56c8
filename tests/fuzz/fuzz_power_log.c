/*
 * Power logs of any bytes: refused with a reason or read with no row lost, the same in pieces of any size,
 * and evaluated, cut into windows and shifted without a fault. The first byte chooses options and the size of
 * pieces.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "power/power_look.h"
#include "read/power_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            abort();                                                                                                   \
    } while (0)

static enum gs_status parse(const char *bytes, size_t len, size_t piece, const struct gs_power_log_options *o,
                            struct gs_arena *arena, struct gs_log_table *t, struct gs_err *err)
{
    struct gs_power_log_parser *p = NULL;
    struct gs_notes notes = {.arena = arena};
    enum gs_status s = gs_power_log_open("log", o, arena, &notes, &p, err);
    for (size_t i = 0; s == GS_OK && i < len; i += piece)
        s = gs_power_log_feed(p, bytes + i, len - i < piece ? len - i : piece, err);
    if (s == GS_OK)
        s = gs_power_log_finish(p, t, err);
    gs_power_log_close(p);
    return s;
}

static void check_logs(const struct gs_log_table *t)
{
    uint64_t n = t->n_dropped + t->n_other;
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

static void use_logs(const struct gs_log_table *t, struct gs_arena *arena)
{
    const struct gs_power_options o = {
        .runtime_s = (double)NAN, .runtime_sd_s = (double)NAN, .iterations = 3, .hot_c = 80, .bursts = true};
    struct gs_power_result *r;
    struct gs_power_meter *meter;
    struct gs_frames out = {.notes = {.arena = arena}};
    MUST(gs_power_evaluate_all(t, 1, &o, arena, &r, NULL) == GS_OK);
    for (size_t g = 0; g < t->n_logs; g++)
        MUST(r[g].n_kept <= r[g].n && (r[g].n == 0 || r[g].n_kept > 0));
    MUST(gs_power_meters(t, 1, &o, arena, &meter, &out.notes, NULL) == GS_OK);
    struct gs_power_run run = {.table = *t};
    struct gs_power_looked sums, uses;
    MUST(gs_power_look(&run, 1, GS_POWER_LOOK_SUMMARY, &o, 1, arena, &sums, NULL) == GS_OK);
    MUST(gs_power_look(&run, 1, GS_POWER_LOOK_METRICS, &o, 1, arena, &uses, NULL) == GS_OK);
    MUST(gs_power_summary(t, 1, sums.result, sums.meter, sums.energies, &o, arena, &out, NULL) == GS_OK);
    MUST(gs_power_points(t, 1, r, arena, &out, NULL) == GS_OK);
    MUST(gs_power_metrics(t, 1, uses.use, uses.result, &o, arena, &out, NULL) == GS_OK);
    for (size_t g = 0; g < t->n_logs; g++) {
        const struct gs_log *const log = &t->log[g];
        if (log->n < 2 || log->t_ns == NULL)
            continue;
        struct gs_span span[] = {{.start_ns = log->t_ns[0], .stop_ns = log->t_ns[log->n / 2]},
                                 {.start_ns = log->t_ns[log->n / 2], .stop_ns = log->t_ns[log->n - 1]}};
        const struct gs_span_list spans = {span, 2};
        struct gs_power_shift shift;
        const enum gs_status s = gs_power_find_shift(t, 1, &spans, &shift, NULL);
        MUST(s == GS_OK || s == GS_ERR_RANGE);
        const enum gs_status w =
            gs_power_windows(t, 1, meter, &spans, s == GS_OK ? shift.shift_ns : INT64_MAX, &o, arena, &out, NULL);
        MUST(w == GS_OK || w == GS_ERR_DATA);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const columns[] = {NULL, "timestamp,gpu,power,temp", "power", "-,time,power,gpu_util,mem_util"};
    if (size == 0)
        return 0;
    const struct gs_power_log_options o = {
        .columns = columns[data[0] & 3],
        .power_column = data[0] & 4 ? "power.draw.instant" : NULL,
        .zone.offset_s = data[0] & 8 ? 3600 : 0,
        .interval_ns = data[0] & 16 ? 1000000000 : 0,
    };
    const char *const text = (const char *)data + 1;
    struct gs_arena arena = {0}, again = {0};
    struct gs_log_table t, u;
    struct gs_err err = {0}, err_again = {0};
    const enum gs_status s = parse(text, size - 1, size, &o, &arena, &t, &err);
    const enum gs_status s_again = parse(text, size - 1, 1 + (data[0] >> 5), &o, &again, &u, &err_again);
    MUST(s == GS_OK || ((s == GS_ERR_DATA || s == GS_ERR_USAGE) && err.text[0] != '\0'));
    MUST(s == s_again); /* of two faults in one line, pieces may show another first */
    if (s == GS_OK) {
        check_logs(&t);
        MUST(t.n_rows == u.n_rows && t.n_dropped == u.n_dropped && t.n_logs == u.n_logs && t.n_headers == u.n_headers);
        for (size_t g = 0; g < t.n_logs; g++)
            MUST(t.log[g].n == u.log[g].n && gs_str_eq(t.log[g].gpu, u.log[g].gpu));
        use_logs(&t, &arena);
    }
    gs_arena_release(&arena);
    gs_arena_release(&again);
    return 0;
}
