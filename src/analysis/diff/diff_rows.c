/* diff_rows.c - what is measured of each span, and the columns of the rows that hold it. */
#include <string.h>

#include "analysis/diff/diff_parts.h"

static const struct gs_diff_measure known[] = {
    {{"duration", 8}, DIFF_DURATION, 0, "ms", 1e6, true, false},
    {{"energy", 6}, DIFF_ENERGY, ROW_ENERGY, "J", 1, true, false},
    {{"power", 5}, DIFF_POWER, ROW_POWER, "W", 1, false, true},
    {{"throughput", 10}, DIFF_THROUGHPUT, 0, "1/s", 1, false, false},
    {{"sm_clock_mhz", 12}, DIFF_METRIC, ROW_METRIC, "MHz", 1, false, true},
};

enum { N_KNOWN = sizeof known / sizeof *known, N_NAMED = DIFF_METRIC };

size_t gs_diff_measures(const struct gs_diff_options *o, struct gs_diff_measure *m)
{
    size_t n = 0, column = ROW_METRIC;
    if (o->n_measures == 0) {
        for (size_t k = 0; k < N_KNOWN; k++)
            if (known[k].of_events || known[k].of_logs)
                m[n++] = known[k];
        return n;
    }
    for (size_t i = 0; i < o->n_measures; i++) {
        size_t k = 0;
        while (k < N_NAMED && !gs_str_eq(known[k].name, o->measure[i]))
            k++;
        const struct gs_metric *const metric = gs_metric_find(o->measure[i]);
        if (k < N_NAMED) {
            m[n] = known[k];
        } else {
            m[n] = (struct gs_diff_measure){.name = o->measure[i],
                                            .kind = DIFF_METRIC,
                                            .column = column,
                                            .unit = metric == NULL ? "" : metric->unit,
                                            .scale = 1};
            column++;
        }
        m[n].of_events = m[n].of_logs = true;
        n++;
    }
    return n;
}

enum gs_status gs_diff_rows(const struct gs_diff_options *o, struct gs_arena *arena,
                            struct gs_frame **frame, struct gs_err *err)
{
    static const struct gs_column_spec columns[ROW_METRIC] = {
        [ROW_RUN] = {.name = "run", .type = GS_TYPE_INT},
        [ROW_GROUP] = {.name = "group", .type = GS_TYPE_TEXT},
        [ROW_WORKER] = {.name = "worker", .type = GS_TYPE_TEXT},
        [ROW_TASK] = {.name = "task", .type = GS_TYPE_TEXT},
        [ROW_START] = {.name = "start", .type = GS_TYPE_TIME},
        [ROW_STOP] = {.name = "stop", .type = GS_TYPE_TIME},
        [ROW_IS_COPY] = {.name = "is_copy", .type = GS_TYPE_INT},
        [ROW_GPUS] = {.name = "gpus", .type = GS_TYPE_INT},
        [ROW_ENERGY] = {.name = "energy", .type = GS_TYPE_REAL},
        [ROW_POWER] = {.name = "power", .type = GS_TYPE_REAL},
    };
    struct gs_diff_measure m[DIFF_MEASURES_ROOM];
    const size_t n = gs_diff_measures(o, m);
    GS_NEW(struct gs_column_spec, specs, ROW_METRIC + n + 1, arena, err);
    size_t n_columns = ROW_METRIC;
    memcpy(specs, columns, sizeof columns);
    for (size_t i = 0; i < n; i++)
        if (m[i].kind == DIFF_METRIC)
            specs[n_columns++] = (struct gs_column_spec){.name = "metric", .type = GS_TYPE_REAL};
    if (o->by.per.len > 0)
        specs[n_columns++] = (struct gs_column_spec){.name = "items", .type = GS_TYPE_REAL};
    return gs_frame_new(arena, GS_HEAD("diff-rows", "", specs, n_columns), 0, NULL, frame, err);
}
