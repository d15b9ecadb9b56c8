/* metric_columns.c - a column for each metric, where frames have always had the first, and behind all for the rest. */
#include "analysis/events/metric_columns.h"

#include <string.h>

const struct gs_column_spec gs_counter_columns[GS_COUNTER_COLUMNS] = {
    GS_COL(ENERGY_COUNTER_J),
    GS_COL(COUNTER_DIFFERENCE_PCT, .label = "counter difference"),
};

static bool make_spec(const struct gs_metric_shown *shown, const struct gs_metric *m,
                      struct gs_arena *arena, struct gs_column_spec *spec)
{
    const char *const slot = strstr(shown->how, "%s");
    *spec = (struct gs_column_spec){
        .name = shown->what == NULL ? m->name : gs_metric_column(m, shown->what, arena),
        .label = gs_format(arena, "%s%s", m->label, gs_or_empty(shown->where)),
        .unit = m->unit,
        .type = GS_TYPE_REAL,
        .decimals = shown->what == NULL ? m->decimals : m->mean_decimals,
        .how =
            gs_format(arena, "%.*s%s%s", (int)(slot - shown->how), shown->how, m->words, slot + 2)};
    return spec->name != NULL && spec->how != NULL && spec->label != NULL;
}

bool gs_metrics_count(const struct gs_metric *const *metric, uint32_t n_metrics)
{
    for (uint32_t m = 0; m < n_metrics; m++)
        if (metric[m]->kind == GS_METRIC_COUNTER)
            return true;
    return false;
}

enum gs_status gs_metric_columns(const struct gs_metric_shown *shown,
                                 const struct gs_metric *const *metric, uint32_t n_metrics,
                                 struct gs_arena *arena, struct gs_metric_columns *columns,
                                 struct gs_err *err)
{
    const size_t n_own = shown->n_before + shown->n_behind;
    GS_NEW(struct gs_column_spec, spec, n_own + n_metrics + GS_COUNTER_COLUMNS + shown->n_last,
           arena, err);
    GS_NEW(uint32_t, which, n_metrics, arena, err);
    GS_NEW(size_t, column, n_metrics, arena, err);
    if (shown->n_before > 0)
        memcpy(spec, shown->before, shown->n_before * sizeof *spec);
    if (shown->n_behind > 0)
        memcpy(spec + shown->n_before + GS_FIXED_METRICS, shown->behind,
               shown->n_behind * sizeof *spec);
    size_t n_shown = 0;
    for (uint32_t m = 0; m < n_metrics; m++) {
        if (!gs_metric_has_mean(metric[m]))
            continue;
        const size_t at = (m < GS_FIXED_METRICS ? shown->n_before : n_own) + n_shown;
        GS_TRY(gs_had_memory(make_spec(shown, metric[m], arena, &spec[at]), err));
        which[n_shown] = m;
        column[n_shown++] = at;
    }
    *columns = (struct gs_metric_columns){
        .spec = spec, .n = n_own + n_shown, .n_shown = n_shown, .metric = which, .column = column};
    if (shown->counted && gs_metrics_count(metric, n_metrics)) {
        columns->counter = columns->n;
        columns->n += GS_COUNTER_COLUMNS;
        memcpy(spec + columns->counter, gs_counter_columns, sizeof gs_counter_columns);
    }
    columns->last = columns->n;
    columns->n += shown->n_last;
    if (shown->n_last > 0)
        memcpy(spec + columns->last, shown->last, shown->n_last * sizeof *spec);
    return GS_OK;
}

void gs_counter_cells(struct gs_frame *f, size_t row, size_t column,
                      const struct gs_counted *counted)
{
    if (column == 0)
        return;
    gs_frame_set_real(f, row, column, gs_counted_j(counted));
    gs_frame_set_real(f, row, column + 1, gs_counted_difference_pct(counted));
}
