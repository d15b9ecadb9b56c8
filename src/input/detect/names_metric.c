/* names_metric.c - decides which metric a column holds, by its name, its first values and the columns beside it. */
#include <string.h>

#include "input/detect/names_parts.h"
#include "input/detect/phase.h"

bool gs_infer_has_readings(const struct gs_preview *h, uint32_t column, enum gs_quantity quantity,
                           bool *has_unit)
{
    struct gs_str cell;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);)
        if (gs_infer_reading(cell, quantity, has_unit))
            return true;
    return false;
}

bool gs_infer_is_load(const struct inference *g, uint32_t column)
{
    struct gs_str cell;
    bool beside = false, parts = false;
    if (strcmp(g->name[column].whole, "gpu") != 0)
        return false;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        beside |= strcmp(g->name[i].whole, "cpu") == 0;
    for (size_t i = 0; beside && gs_infer_next(g->h, column, &i, &cell);) {
        int64_t v;
        if (gs_fixed_parse(gs_trimmed(cell), &v, NULL) != GS_NUMBER_OK || v < 0 ||
            v > 100 * GS_FIXED_ONE)
            return false;
        parts |= v % GS_FIXED_ONE != 0;
    }
    return parts;
}

/* The metric that a column's name is, where its first values, or their lack on the second pass, do not speak against it. */
static const struct gs_metric *metric_of(const struct inference *g, uint32_t column, int pass,
                                         bool *needs_unit, bool *has_unit)
{
    struct gs_name name = g->name[column];
    const struct gs_str first = gs_infer_first(g->h, column);
    if (name.unit.quantity == GS_Q_NONE && first.ptr != NULL)
        name.unit = gs_reading_unit(first);
    const struct gs_metric *m = gs_name_metric(&name, needs_unit);
    *has_unit = false;
    if (m == NULL && gs_infer_is_load(g, column))
        m = &gs_known_metrics[GS_GPU_UTIL];
    if (m == NULL && g->h->form->names_fields) {
        m = gs_dcgm_field(g->h->column[column]);
        *needs_unit = m != NULL;
    }
    if (m == NULL || (first.ptr == NULL) != (pass == 1) || column == g->means[GS_MEANS_TIME])
        return NULL;
    if (pass == 0 && !gs_infer_has_readings(g->h, column, gs_metric_quantity(m), has_unit) &&
        g->name[column].unit.quantity == GS_Q_NONE)
        return NULL;
    /* 343 of a phone's battery are tenths of a degree, 89377230 of gfx_activity are a counter */
    const enum gs_quantity quantity = gs_metric_quantity(m);
    if (pass == 0 && name.unit.quantity == GS_Q_NONE &&
        (quantity == GS_Q_TEMPERATURE || quantity == GS_Q_SHARE) &&
        !gs_infer_are_usual(g, column, m))
        return NULL;
    *needs_unit |= gs_is_measure(m) && g->name[column].is_measured;
    return m;
}

static bool mentions(const struct inference *g, const char *part)
{
    bool is = false;
    for (uint32_t i = 0; i < g->h->n_columns && !is; i++)
        is = strstr(g->name[i].whole, part) != NULL;
    return is;
}

/* A table with columns of a processor and none of a GPU: its memory and heat are the processor's. */
static bool is_of_processor(const struct inference *g)
{
    static const char *const own[] = {"gpu", "vram", "cuda", "power", "watt", "gfx"};
    bool is = g->h->form->delimited && mentions(g, "cpu");
    for (size_t k = 0; k < sizeof own / sizeof *own && is; k++)
        is = !mentions(g, own[k]);
    return is;
}

/*
 * Is what a column measures another's, as some column that names the GPU shows? Where a processor is told of too, the same
 * metric with the GPU's name is; a clock beside the GPU's is where a processor's cores have theirs ("Core 0 Clock [MHz]").
 * Power without a unit is another's beside gpu_power; with one it is asked for. pass: 0 of columns with values, else 1.
 */
static bool is_of_another(const struct inference *g, uint32_t column, const struct gs_metric *m,
                          bool needs_unit, int pass)
{
    const bool open = needs_unit && g->name[column].unit.quantity == GS_Q_NONE,
               clock = gs_metric_quantity(m) == GS_Q_CLOCK;
    bool lacks, has, same = false, of_gpu = false, of_cores = false;
    if (gs_words_gpu(g->h->column[column]) || (gs_is_measure(m) ? !open : !mentions(g, "cpu")))
        return false;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const struct gs_metric *const other = metric_of(g, i, pass, &lacks, &has);
        const bool named = gs_words_gpu(g->h->column[i]),
                   is_clock = other != NULL && clock && gs_metric_quantity(other) == GS_Q_CLOCK;
        same |= named && other == m;
        of_gpu |= named && is_clock;
        of_cores |= !named && other == NULL && g->name[i].is_measured &&
                    g->name[i].unit.quantity == GS_Q_CLOCK;
    }
    return same || (of_gpu && of_cores);
}

const struct gs_metric *gs_infer_metric_of(const struct inference *g, uint32_t column, int pass,
                                           bool *needs_unit, bool *has_unit)
{
    const struct gs_metric *const m = metric_of(g, column, pass, needs_unit, has_unit);
    const bool other = m != NULL && ((!gs_words_gpu(g->h->column[column]) && is_of_processor(g)) ||
                                     is_of_another(g, column, m, *needs_unit, pass));
    return other ? NULL : m;
}
