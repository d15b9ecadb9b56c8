/* names_steps.c - lists of step times as training scripts write them: step,time_s,loss. */
#include <string.h>

#include "base/num/int128.h"
#include "input/detect/names_parts.h"

static bool is_any(const char *name, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

/* The numbers of a column among the first rows, in 10^-6 of its unit; how many, 0 where one is none or below 0. */
static size_t numbers_of(const struct guess *g, uint32_t column, int64_t *v)
{
    size_t n = 0;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, column);
        bool rounded = false;
        const enum gs_number read = cell.ptr == NULL
                                        ? GS_NUMBER_MISSING
                                        : gs_fixed_parse(gs_trimmed(cell), &v[n], &rounded);
        if (read == GS_NUMBER_MISSING)
            continue;
        if (read != GS_NUMBER_OK || v[n] < 0)
            return 0;
        n++;
    }
    return n;
}

/* Whole numbers that rise: 0, 1, 2 or 100, 200, 300, or an epoch that several rows share. */
static bool counts_up(const int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] % GS_FIXED_ONE != 0 || (i > 0 && v[i] < v[i - 1]))
            return false;
    return n > 0 && v[n - 1] > v[0];
}

/* A clock never falls, lengths of steps do somewhere. Too few rows tell neither. */
static bool falls(const int64_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (v[i] < v[i - 1])
            return true;
    return false;
}

static uint32_t step_column(const struct guess *g, int64_t *v)
{
    static const char *const words[] = {"step",  "globalstep",  "iteration", "iter",
                                        "batch", "epoch",       "round",     "stepnum",
                                        "steps", "trainerstep", "batchidx"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (uint32_t i = 0; i < g->h->n_columns; i++)
            if (strcmp(g->name[i].whole, words[k]) == 0 && counts_up(v, numbers_of(g, i, v)))
                return i;
    return UINT32_MAX;
}

/* Names that only a length of time has come first; "time" is one where it is no clock. */
static uint32_t length_column(const struct guess *g, uint32_t step, int64_t *v)
{
    static const char *const own[] = {"steptime",      "stepduration", "timeperstep",  "itertime",
                                      "iterationtime", "batchtime",    "epochtime",    "duration",
                                      "dur",           "stepelapsed",  "epochduration"};
    static const char *const maybe[] = {"time", "elapsed", "walltime", "elapsedtime", "seconds"};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < g->h->n_columns; i++) {
            const struct gs_name *const name = &g->name[i];
            const enum gs_quantity unit = name->unit.quantity;
            if (i == step || (unit != GS_Q_NONE && unit != GS_Q_TIME))
                continue;
            const char *const stem = unit == GS_Q_TIME ? name->stem : name->whole;
            const size_t n = numbers_of(g, i, v);
            if (pass == 0 ? n > 0 && is_any(stem, own, sizeof own / sizeof *own)
                          : is_any(stem, maybe, sizeof maybe / sizeof *maybe) && falls(v, n))
                return i;
        }
    return UINT32_MAX;
}

/*
 * Was the instant of a row written when its step ended, as loggers do? Then the distance to the row before is its own
 * length, not that of the row before.
 */
static bool stamps_ends(const struct guess *g, uint32_t stamp, const int64_t *length_ns, size_t n)
{
    struct gs_clock clock = {.origin_ns = GS_MISSING, .last_of_day_ns = -1};
    const struct gs_unit unit = g->name[stamp].unit;
    gs_i128 as_end = 0, as_start = 0;
    int64_t last = GS_MISSING, t;
    for (size_t i = 0; i < n && i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, stamp);
        const enum gs_time_fault f =
            cell.ptr == NULL ? GS_TIME_BAD
                             : gs_clock_read(&clock, cell, (struct gs_str){NULL, 0}, unit, &t);
        if (f != GS_TIME_OK && f != GS_TIME_OUTSIDE)
            return true;
        if (last != GS_MISSING) {
            const gs_i128 step = (gs_i128)t - last;
            const gs_i128 end = step - (gs_i128)length_ns[i],
                          start = step - (gs_i128)length_ns[i - 1];
            as_end += end < 0 ? -end : end;
            as_start += start < 0 ? -start : start;
        }
        last = t;
    }
    return as_end <= as_start;
}

bool gs_guess_steps(const struct guess *g, struct gs_source *s, bool *found)
{
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    bool needs_unit;
    *found = false;
    if (v == NULL)
        return false;
    for (uint32_t i = 0; i < g->h->n_columns; i++) /* a row that measures a GPU is a sample */
        if (gs_name_metric(&g->name[i], &needs_unit) != NULL)
            return true;
    const uint32_t step = step_column(g, v);
    const uint32_t length = step == UINT32_MAX ? step : length_column(g, step, v);
    if (length == UINT32_MAX)
        return true;
    const size_t n = numbers_of(g, length, v);
    const uint32_t time = g->means[GS_MEANS_TIME];
    const struct gs_str name = g->h->column[step];
    *found = true;
    s->event = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = name};
    if (!gs_guess_column(&s->duration, g->h->column[length], g->arena) ||
        !gs_guess_column(&s->task, name, g->arena))
        return false;
    if (time == UINT32_MAX || time == length || time == step || n != g->h->n_rows)
        return true;
    const struct gs_unit unit = g->name[length].unit;
    const gs_i128 unit_ns = unit.quantity == GS_Q_TIME ? unit.num : GS_NS_PER_S;
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)(v[i] * unit_ns / GS_FIXED_ONE);
    return gs_guess_time(g, g->h->column[time], stamps_ends(g, time, v, n) ? &s->stop : &s->start);
}
