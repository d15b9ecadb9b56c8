/* names_steps.c - lists of step times as training scripts write them: step,time_s,loss. */
#include <string.h>

#include "base/num/int128.h"
#include "base/num/order.h"
#include "data/tables/dataset.h"
#include "input/detect/names_parts.h"
#include "input/detect/phase.h"

const char gs_steps_without_times[] =
    "its rows are steps, but none has a time of its own: instants or lengths (step_time_s) are "
    "needed";

/* A name behind what says of which loop it is: train/step_time is a step_time. */
static const char *bare(const char *name)
{
    static const char *const loops[] = {"training", "train", "perf", "timing", "completed"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strncmp(name, loops[i], strlen(loops[i])) == 0 && name[strlen(loops[i])] != '\0')
            return name + strlen(loops[i]);
    return name;
}

/*
 * The numbers of a column among the first rows, 75.3 of 75.3ms, in 10^-6 of its unit; how many, 0 where one is none, below 0 or
 * of another unit than the first. The rows that they stand in are told where `row` is given.
 */
static size_t numbers_at(const struct inference *g, uint32_t column, int64_t *v, size_t *row)
{
    const struct gs_str unit = gs_duration_unit(gs_infer_first(g->h, column));
    size_t n = 0;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        struct gs_str cell = gs_preview_cell(g->h, i, column);
        if (cell.ptr == NULL)
            continue;
        const struct gs_str own = gs_duration_unit(cell);
        cell.len -= own.len;
        const enum gs_number read = gs_fixed_parse(gs_trimmed(cell), &v[n], NULL);
        if (read == GS_NUMBER_MISSING)
            continue;
        if (read != GS_NUMBER_OK || v[n] < 0 || !gs_str_eq(own, unit))
            return 0;
        if (row != NULL)
            row[n] = i;
        n++;
    }
    return n;
}

static size_t numbers_of(const struct inference *g, uint32_t column, int64_t *v)
{
    return numbers_at(g, column, v, NULL);
}

/* Numbers that rise; where a run was restarted, or a loop begins anew, they fall, far less often. */
static bool rise(const int64_t *v, size_t n)
{
    enum { RISES_PER_FALL = 4 };
    size_t n_rises = 0, n_falls = 0;
    for (size_t i = 1; i < n; i++) {
        n_rises += v[i] > v[i - 1];
        n_falls += v[i] < v[i - 1];
    }
    return n_rises > RISES_PER_FALL * n_falls;
}

static bool are_whole(const int64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i] % GS_FIXED_ONE != 0)
            return false;
    return true;
}

/* Whole numbers that rise: 0, 1, 2 or 100, 200, 300, or an epoch that several rows share. */
static bool counts_up(const int64_t *v, size_t n)
{
    return are_whole(v, n) && rise(v, n);
}

/* A clock never falls, and moves; lengths of steps do, or are all one. Too few rows tell neither. */
static bool are_lengths(const int64_t *v, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (v[i] < v[i - 1])
            return true;
    return n > 1 && v[0] == v[n - 1];
}

static const char *const step_words[] = {
    "step",        "globalstep", "iteration", "iter",       "batch", "stepnum", "steps",
    "trainerstep", "batchidx",   "iters",     "numupdates", "epoch", "round"};
enum { N_STEP_WORDS = sizeof step_words / sizeof *step_words };

static bool counts_steps(struct gs_str name)
{
    return gs_str_is_one_of(name, step_words, N_STEP_WORDS);
}

/* Leaves each of the numbers that follow one another once; how many are left. */
static size_t leave_repeats(int64_t *v, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (left == 0 || v[i] != v[left - 1])
            v[left++] = v[i];
    return left;
}

/* The column that numbers steps: of two that differ much that which counts further, where each 250th is evaluated. */
static uint32_t step_column(const struct inference *g, int64_t *v)
{
    uint32_t found = UINT32_MAX;
    size_t n_found = 0;
    for (size_t k = 0; k < N_STEP_WORDS; k++)
        for (uint32_t i = 0; i < g->h->n_columns; i++) {
            if (strcmp(g->name[i].whole, step_words[k]) != 0 &&
                strcmp(bare(g->name[i].whole), step_words[k]) != 0)
                continue;
            const size_t n_numbers = numbers_of(g, i, v);
            if (!counts_up(v, n_numbers))
                continue;
            const size_t n = leave_repeats(v, n_numbers);
            if (found == UINT32_MAX || n > 2 * n_found) {
                found = i;
                n_found = n;
            }
        }
    return found;
}

bool gs_infer_is_count(const struct inference *g, uint32_t column)
{
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    return v != NULL && counts_steps(gs_str(bare(g->name[column].whole))) &&
           counts_up(v, numbers_of(g, column, v));
}

bool gs_infer_numbers_starts(const struct inference *g, uint32_t column, const struct gs_source *s)
{
    enum { BEFORE = 64 };
    const uint32_t event = gs_preview_plain_column(g->h, &s->event);
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    size_t *const row = gs_arena_take(g->arena, g->h->n_rows, sizeof *row), n_starts = 0;
    if (v == NULL || row == NULL || s->phase.column.ptr == NULL ||
        !counts_steps(gs_str(g->name[column].whole)))
        return true;
    const uint32_t phase = gs_preview_find(g->h, s->phase.column.ptr);
    const size_t n = numbers_at(g, column, v, row);
    for (size_t i = 0; i < n; i++) {
        if (!gs_str_eq(gs_preview_cell(g->h, row[i], phase), s->phase.start))
            continue;
        v[n_starts] = v[i];
        row[n_starts] = row[i];
        for (size_t k = n_starts - gs_min(n_starts, BEFORE); k < n_starts; k++)
            if (v[k] == v[i] && gs_str_eq(gs_preview_cell(g->h, row[k], event),
                                          gs_preview_cell(g->h, row[i], event)))
                return false;
        if (n_starts > 0 && v[i] > v[n_starts - 1] + GS_FIXED_ONE)
            return false;
        n_starts++;
    }
    return n_starts > 1;
}

/* Is a column of that name and unit only ever a length? step_ms is a step's length in ms, step alone its number. */
static bool names_length(const char *stem, enum gs_quantity unit)
{
    return GS_IS_ONE_OF(gs_str(bare(stem)), "steptime", "stepduration", "timeperstep", "itertime",
                        "iterationtime", "batchtime", "epochtime", "duration", "dur", "stepelapsed",
                        "dt", "epochduration", "timeperiter", "timethisiter", "iterduration",
                        "elapsedtimeperiteration", "timeperiteration", "secondsperstep",
                        "secperstep", "sperit", "timetaken", "steptiming", "steptimingin",
                        "batchduration") ||
           (unit == GS_Q_TIME && counts_steps(gs_str(stem)));
}

/* Names that only a length of time has come first; "time" is one where it is no clock. */
static uint32_t length_column(const struct inference *g, uint32_t step, int64_t *v)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < g->h->n_columns; i++) {
            const struct gs_name *const name = &g->name[i];
            const enum gs_quantity unit = name->unit.quantity;
            if (i == step || (unit != GS_Q_NONE && unit != GS_Q_TIME))
                continue;
            const char *const stem = unit == GS_Q_TIME ? name->stem : name->whole;
            const size_t n = numbers_of(g, i, v);
            const bool maybe_length = GS_IS_ONE_OF(gs_str(stem), "time", "elapsed", "walltime",
                                                   "elapsedtime", "seconds", "secs", "sec"),
                       /* what an evaluation took is told once for many steps */
                took = strcmp(stem, "took") == 0 && 2 * n > g->h->n_rows;
            if ((pass == 0 && n > 0 && (took || names_length(stem, unit))) ||
                (pass == 1 && maybe_length && are_lengths(v, n)))
                return i;
        }
    return UINT32_MAX;
}

/* The instant of a row; false where its cell is none. */
static bool instant_at(const struct inference *g, struct gs_clock *clock, size_t row, uint32_t time,
                       int64_t *t_ns)
{
    const enum gs_time_fault f =
        gs_clock_read(clock, gs_preview_cell(g->h, row, time), GS_NO_STR, g->name[time].unit, t_ns);
    return f == GS_TIME_OK || f == GS_TIME_OUTSIDE;
}

/*
 * Was the instant of a row written when its step ended, as loggers do? Then the distance to the row before is its own
 * length, not that of the row before, unless that fits at least twice as well. Rows without a length are of something else.
 */
static bool stamps_ends(const struct inference *g, uint32_t stamp, const int64_t *length_ns,
                        const size_t *row, size_t n)
{
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    gs_i128 as_end = 0, as_start = 0;
    int64_t last = GS_MISSING, t;
    for (size_t i = 0; i < n; i++) {
        if (!instant_at(g, &clock, row[i], stamp, &t))
            return true;
        if (last != GS_MISSING) {
            const gs_i128 step = (gs_i128)t - last;
            const gs_i128 end = step - (gs_i128)length_ns[i],
                          start = step - (gs_i128)length_ns[i - 1];
            as_end += gs_max(end, -end);
            as_start += gs_max(start, -start);
        }
        last = t;
    }
    return as_end <= 2 * as_start;
}

/* How far apart the numbers of all rows lie, but for restarts, and for 1 in front of 10, 20; 0: not evenly. */
static int64_t stride_of(const int64_t *v, size_t n)
{
    int64_t stride = 0;
    for (size_t i = n > 2 && v[0] == GS_FIXED_ONE ? 2 : 1; i < n; i++) {
        const int64_t rise = v[i] - v[i - 1];
        if (rise == 0 || (rise > 0 && stride > 0 && rise != stride))
            return 0;
        if (rise > 0)
            stride = rise;
    }
    return stride;
}

/* The column of an epoch that several rows are parts of: 0.12, 0.24. */
static uint32_t column_of_parts(const struct inference *g, int64_t *v)
{
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const size_t n = strcmp(bare(g->name[i].whole), "epoch") == 0 ? numbers_of(g, i, v) : 0;
        if (n > 2 && !are_whole(v, n) && rise(v, n))
            return i;
    }
    return UINT32_MAX;
}

/* What rows of every so many steps are events of: "step", "10 steps". */
static struct gs_map_value called(const struct inference *g, struct gs_str stem, int64_t by)
{
    struct gs_buf event = {.arena = g->arena};
    if (by > 1)
        gs_buf_format(&event, "%lld ", (long long)by);
    gs_buf_add(&event, stem);
    if (by > 1 && !gs_str_ends(stem, "s"))
        gs_buf_text(&event, gs_str_ends(stem, "ch") ? "es" : "s");
    return (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = gs_buf_str(&event)};
}

/*
 * Steps that only say when: a logger writes a row when its step is done, so each began with the row before. Rows of
 * every tenth step are named so, or one would seem to take as long as ten.
 */
static bool infer_ends(const struct inference *g, uint32_t step, uint32_t time, int64_t *v,
                       struct gs_source *s)
{
    const size_t n_numbers = numbers_of(g, step, v);
    const uint32_t words = gs_infer_words(g, true);
    const bool parts = !are_whole(v, n_numbers);
    const char *stem = g->name[step].stem;
    if (parts)
        stem = "part of an epoch";
    else if (gs_str_begins(gs_str(stem), "num")) /* num_updates */
        stem += strlen("num");
    const size_t n = leave_repeats(v, n_numbers);
    struct gs_source marks = {.role = GS_ROLE_EVENTS};
    gs_phase_find(g->h, time, &marks, g->arena);
    if (n < 3 || 2 * n < g->h->n_rows || marks.phase.kind != GS_PHASE_NONE)
        return false;
    gs_infer_note(g, &s->notes,
                  "its rows are taken as ends, each begins with the row before (--set "
                  "events.phase=points: each lasts to the next)");
    s->event = called(g, gs_str(stem), stride_of(v, n) / GS_FIXED_ONE);
    if (words != UINT32_MAX) {
        s->event = (struct gs_map_value){.kind = GS_VALUE_NONE};
        gs_infer_take(g, &s->event, words);
    } else if (n < g->h->n_rows) {
        gs_infer_note(g, &s->notes,
                      "rows without a %s, and of one that was before, are none: the next begins "
                      "with them where it is long",
                      stem);
    }
    s->phase.kind = GS_PHASE_ENDS;
    gs_infer_take(g, &s->task, step);
    gs_infer_time(g, s, g->h->column[time], &s->time);
    return true;
}

bool gs_infer_is_filled(const struct gs_preview *h, uint32_t column, size_t one_in)
{
    struct gs_str cell;
    size_t n = 0;
    for (size_t i = 0; gs_infer_next(h, column, &i, &cell);)
        n++;
    return one_in * n >= h->n_rows;
}

/* Is a column nothing that the source reads, not even another form of its times, and no key that all events have? */
static bool is_free(const struct inference *g, uint32_t column, const struct gs_source *s)
{
    const struct gs_map_value *const values[] = {&s->event, &s->task, &s->start, &s->stop,
                                                 &s->duration};
    const struct gs_str name = gs_trimmed(g->h->column[column]);
    unsigned rank;
    bool taken = gs_source_reads(s, g->h->column[column]) || name.len == 0 ||
                 gs_str_eq(s->phase.column, g->h->column[column]) ||
                 GS_IS_ONE_OF(name, "event", "host", "gpu", "job", "task", "level", "x", "y");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        taken |= gs_map_value_takes(values[i], g->h->column[column]);
    switch (gs_name_meaning(&g->name[column], &rank)) {
    case GS_MEANS_NOTHING:
    case GS_MEANS_EVENT:
    case GS_MEANS_TASK:
    case GS_MEANS_CARD:
    case GS_MEANS_PHASE:
        return !taken;
    default:
        return false;
    }
}

/* Has a column what an attribute of that name is made of: numbers of GPUs, a scheduler's states? */
static bool holds(const struct inference *g, uint32_t column, const char *label, int64_t *v)
{
    struct gs_str type;
    uint64_t n;
    if (strcmp(label, "gpus") == 0)
        return numbers_of(g, column, v) > 0 ||
               gs_gres_count(gs_infer_first(g->h, column), &n, &type);
    return strcmp(label, "state") != 0 || gs_infer_holds_states(g->h, column);
}

/* Has another column the very name of an attribute? */
static bool is_called_better(const struct inference *g, const char *label, struct gs_str name)
{
    bool other = false;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        other |= strcmp(g->name[i].whole, label) == 0 && !gs_str_eq(name, gs_str(label));
    return other;
}

/* A job with a user and nodes or GPUs is a scheduler's, whatever else its list leaves out: these are an attribute that says so. */
static void show_nodes(const struct inference *g, struct gs_source *s)
{
    const struct gs_map_value *const held = s->host.kind == GS_VALUE_COLUMN ? &s->host : &s->gpu;
    if (s->job.kind != GS_VALUE_NONE && held->kind == GS_VALUE_COLUMN &&
        gs_infer_find(&s->attributes, "user") != NULL)
        gs_infer_add_column(&s->attributes, "nodelist", held->column.item[0], NULL, g->arena);
}

/* Is every cell of a column a word and a number in brackets behind it? */
static bool ends_in_id(const struct inference *g, uint32_t column)
{
    struct gs_str cell;
    bool all = true, any = false;
    for (size_t i = 0; all && gs_infer_next(g->h, column, &i, &cell); any = true) {
        const size_t open = gs_str_until(cell, 0, "(");
        all = open > 0 && gs_str_skip(cell, open + 1, GS_ALL_DIGITS) + 1 == cell.len &&
              cell.ptr[cell.len - 1] == ')';
    }
    return all && any;
}

/*
 * What a step handled and whose it was, tokens, batch_size, user, and what many events share, as a configuration. A count that
 * only rises is a running total, which no step may be charged with; the GPUs of a job are a number; a status that no scheduler
 * has is none of a job.
 */
void gs_infer_attributes(const struct inference *g, struct gs_source *s)
{
    static const char *const things[] = {"tokens",   "samples", "images", "sequences", "requests",
                                         "examples", "prompts", "frames", "batchsize"};
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    for (uint32_t i = 0; v != NULL && i < g->h->n_columns; i++) {
        const struct gs_str name = gs_str(g->name[i].whole);
        const struct gs_str column = gs_trimmed(g->h->column[i]);
        const char *label = gs_infer_attribute(g, i);
        bool counts = false;
        for (size_t k = 0; k < sizeof things / sizeof *things; k++)
            counts |= gs_str_ends(name, things[k]);
        if (gs_map_value_takes(&s->task, g->h->column[i]) ||
            (label != NULL && gs_map_value_takes(&s->gpu, g->h->column[i])) ||
            (label != NULL && is_called_better(g, label, name)))
            continue;
        if (label == NULL) {
            const size_t n = counts ? numbers_of(g, i, v) : 0;
            if (n > 0 ? gs_str_ends(name, "size") || !counts_up(v, n)
                      : is_free(g, i, s) && gs_infer_is_filled(g->h, i, 2) &&
                            gs_infer_comes_again(g->h, i))
                label = gs_arena_copy(g->arena, column.ptr, column.len);
        }
        if (label == NULL || gs_infer_find(&s->attributes, label) != NULL || !holds(g, i, label, v))
            continue;
        gs_infer_add_column(&s->attributes, label, g->h->column[i], NULL, g->arena);
        if (ends_in_id(g, i)) /* "ann(1001)" is ann */
            s->attributes.item[s->attributes.n - 1].value.like = gs_str("{}({number})");
    }
    show_nodes(g, s);
}

/* The mean time between the instants of a step and the next that is told, whatever their ranks; GS_MISSING: there is none. */
static int64_t time_apart(const struct inference *g, uint32_t step, uint32_t time)
{
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    int64_t number, t_ns, number_before = 0, before_ns = GS_MISSING;
    gs_i128 n_steps = 0, sum = 0;
    for (size_t i = 0; time != UINT32_MAX && i < g->h->n_rows; i++) {
        if (gs_fixed_parse(gs_trimmed(gs_preview_cell(g->h, i, step)), &number, NULL) !=
                GS_NUMBER_OK ||
            !instant_at(g, &clock, i, time, &t_ns))
            continue;
        if (before_ns != GS_MISSING && number > number_before && t_ns >= before_ns) {
            n_steps++;
            sum += (gs_i128)t_ns - before_ns;
        }
        number_before = number;
        before_ns = t_ns;
    }
    return n_steps > 0 ? (int64_t)(sum / n_steps) : GS_MISSING;
}

/*
 * The unit of a column of steps' lengths. Where neither its name nor its cells have one it is seconds, unless the steps lie closer
 * together: then it is the largest unit in which they fit between their stamps. *inferred: so.
 */
static struct gs_unit length_unit(const struct inference *g, uint32_t step, uint32_t length,
                                  uint32_t time, int64_t *v, bool *inferred)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    struct gs_unit unit = g->name[length].unit;
    if (unit.quantity == GS_Q_NONE)
        unit = gs_unit_find(gs_duration_unit(gs_infer_first(g->h, length)));
    *inferred = false;
    if (unit.quantity == GS_Q_TIME)
        return unit;
    const int64_t apart_ns =
        time == length || time == step ? GS_MISSING : time_apart(g, step, time);
    const size_t n = numbers_of(g, length, v);
    gs_i128 sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        unit = gs_unit_find(gs_str(units[k]));
        *inferred = k > 0;
        if (apart_ns <= 0 || n == 0 ||
            sum / (gs_i128)n * unit.num / GS_FIXED_ONE <= 2 * (gs_i128)apart_ns)
            return unit;
    }
    *inferred = false;
    return gs_unit_find(gs_str("s"));
}

void gs_infer_step_unit(const struct inference *g, struct gs_source *s, uint32_t step,
                        uint32_t length, uint32_t time)
{
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    bool inferred;
    if (v == NULL)
        return;
    const struct gs_unit unit = length_unit(g, step, length, time, v, &inferred);
    if (!inferred)
        return;
    s->duration.unit = gs_str(unit.shown);
    gs_infer_note(g, &s->notes,
                  "column '%s' has no unit: read in %s, as its rows lie that far apart (--set "
                  "events.duration.unit=s)",
                  GS_SHOWN(g->h->column[length], 64), unit.shown);
}

/* When the steps were: by a column of ends or starts, or of instants that are either, as their distances fit. */
static void place_steps(const struct inference *g, struct gs_source *s, uint32_t step,
                        uint32_t length, int64_t *v)
{
    const uint32_t time = g->means[GS_MEANS_TIME];
    const bool stop = g->means[GS_MEANS_STOP] != UINT32_MAX;
    const uint32_t named = g->means[stop ? GS_MEANS_STOP : GS_MEANS_START];
    size_t *const row = gs_arena_take(g->arena, g->h->n_rows, sizeof *row);
    if (named != UINT32_MAX)
        gs_infer_time(g, s, g->h->column[named], stop ? &s->stop : &s->start);
    if (row == NULL || named != UINT32_MAX || time == UINT32_MAX || time == length || time == step)
        return;
    bool inferred = false;
    gs_i128 unit_ns = length_unit(g, step, length, time, v, &inferred).num;
    if (s->duration.unit.len > 0)
        unit_ns = gs_unit_find(s->duration.unit).num;
    const size_t n = numbers_at(g, length, v, row);
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)(v[i] * unit_ns / GS_FIXED_ONE);
    gs_infer_time(g, s, g->h->column[time], stamps_ends(g, time, v, row, n) ? &s->stop : &s->start);
}

/*
 * Rows of every tenth step, with a time and the length of one: do they lie as far apart as ten steps last? Then each is of
 * all ten, from the row before on.
 */
static bool spans_stride(const struct inference *g, uint32_t step, uint32_t time, uint32_t length,
                         int64_t by, int64_t *v)
{
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    bool inferred;
    const gs_i128 unit_ns = length_unit(g, step, length, time, v, &inferred).num;
    size_t *const row = gs_arena_take(g->arena, g->h->n_rows, sizeof *row);
    const size_t n = row == NULL ? 0 : numbers_at(g, length, v, row);
    int64_t first, last;
    gs_i128 sum = 0;
    if (time == UINT32_MAX || by <= GS_FIXED_ONE || n < 2)
        return false;
    for (size_t i = 1; i < n; i++)
        sum += v[i];
    return instant_at(g, &clock, row[0], time, &first) &&
           instant_at(g, &clock, row[n - 1], time, &last) &&
           2 * ((gs_i128)last - first) > sum * unit_ns / GS_FIXED_ONE * by / GS_FIXED_ONE;
}

/* epoch_time is the length of an epoch, also where a step is numbered beside it; else `step`. */
static uint32_t counted_by(const struct inference *g, uint32_t length, uint32_t step, int64_t *v)
{
    for (uint32_t i = 0; length != UINT32_MAX && i < g->h->n_columns; i++) {
        const struct gs_str name = gs_str(bare(g->name[i].whole));
        if (i != length && counts_steps(name) &&
            gs_str_begins(gs_str(bare(g->name[length].whole)), name.ptr) &&
            counts_up(v, numbers_of(g, i, v)))
            return i;
    }
    return step;
}

/* The time per step says nothing of how long an epoch took. */
static bool is_part_of(const char *length, const char *counted)
{
    return strstr(counted, "epoch") != NULL &&
           (strstr(length, "step") != NULL || strstr(length, "iter") != NULL ||
            strstr(length, "batch") != NULL);
}

/* Steps by their instants, if they have these. */
static bool infer_without_lengths(const struct inference *g, uint32_t step, uint32_t time,
                                  int64_t *v, struct gs_source *s)
{
    if (time == UINT32_MAX)
        *g->why = gs_steps_without_times;
    return time != UINT32_MAX && time != step && infer_ends(g, step, time, v, s);
}

/*
 * Is the time of rows that of a line somewhere above them, such as a banner's? Most have that of the row before then, and the
 * next is further away than the second that stamps may be cut to. What has no step, or that of the row before, tells nothing.
 */
static bool is_of_headings(const struct inference *g, uint32_t time, uint32_t step)
{
    struct gs_clock clock = gs_clock_of(g->h->table.separator);
    size_t n = 0, n_same = 0;
    int64_t t, first = 0, last = 0;
    struct gs_str before = GS_NO_STR;
    if (time == UINT32_MAX || g->h->form->delimited)
        return false;
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, step);
        if (!instant_at(g, &clock, i, time, &t) ||
            (step != UINT32_MAX && (cell.len == 0 || gs_str_eq(cell, before))))
            continue;
        before = cell;
        n_same += n > 0 && t == last;
        first = n == 0 ? t : first;
        last = t;
        n++;
    }
    const gs_i128 n_moves = n - n_same - (n > 0);
    return n > 2 && 2 * n_same >= n - 1 &&
           (n_moves == 0 || (gs_i128)last - first > n_moves * GS_NS_PER_S);
}

/* Does a row measure a GPU? Then it is a sample; of its memory a training tells, too. */
static bool measures_gpus(const struct inference *g)
{
    char pattern[GS_NAME_MAX];
    bool needs_unit;
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const struct gs_metric *const m = gs_name_metric(&g->name[i], &needs_unit);
        if ((m != NULL && gs_metric_quantity(m) != GS_Q_MEMORY) ||
            gs_infer_wide_column(g, i, pattern, &needs_unit) != NULL)
            return true;
    }
    return false;
}

/*
 * Rows of a name, an instant and a length, as benchmarks write them: spans that began or ended then, whichever their distances
 * fit. What answers has a latency is a request, whatever it is called.
 */
static bool infer_named(const struct inference *g, int64_t *v, struct gs_source *s)
{
    const uint32_t words = gs_infer_words(g, false), length = g->means[GS_MEANS_DURATION],
                   time = g->means[GS_MEANS_TIME];
    const bool named = words != UINT32_MAX && gs_infer_comes_again(g->h, words);
    unsigned rank;
    if (length == UINT32_MAX || time == UINT32_MAX || time == length ||
        (!named && !gs_infer_is_of_requests(g, length)) ||
        numbers_of(g, length, v) != g->h->n_rows || g->h->n_rows == 0)
        return false;
    if (g->h->n_rows > 1 && !are_lengths(v, g->h->n_rows)) /* what rises is a clock */
        return false;
    for (uint32_t i = 0; i < g->h->n_columns; i++)
        if (gs_words_metric(g->h->column[i], &rank) != NULL) /* means of runs: is_of_runs */
            return false;
    if (named)
        gs_infer_take(g, &s->event, words);
    else
        s->event = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = {"request", 7}};
    gs_infer_cell_unit(g, gs_infer_first(g->h, length), &s->duration);
    gs_infer_take(g, &s->duration, length);
    gs_infer_length_unit(g, length, time, s);
    place_steps(g, s, length, length, v);
    return true;
}

bool gs_infer_is_of_lengths(const struct inference *g, uint32_t column)
{
    enum { FALLS = 20, FEWEST = 3 };
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    const size_t n = v == NULL || column == UINT32_MAX ? 0 : numbers_of(g, column, v);
    size_t n_falls = 0;
    for (size_t i = 1; i < n; i++)
        n_falls += v[i] < v[i - 1];
    return n >= FEWEST && n == g->h->n_rows && n_falls * FALLS >= n &&
           gs_infer_words(g, false) != UINT32_MAX;
}

/* Is every row with a length called so in a column, and no other? {"event": "epoch", "seconds": 12}, {"event": "done"} */
static bool names_lengths(const struct inference *g, uint32_t column, uint32_t length,
                          struct gs_str name)
{
    for (size_t i = 0; i < g->h->n_rows; i++) {
        const struct gs_str cell = gs_preview_cell(g->h, i, column);
        if ((gs_preview_cell(g->h, i, length).len > 0) != (cell.len > 0 && gs_str_eq(cell, name)))
            return false;
    }
    return gs_str_skip(name, 0, GS_ALL_LETTERS) > 0 && gs_str_until(name, 0, "*{}\\") == name.len;
}

/* Lines of another kind, of a configuration or an evaluation, are no steps where a column tells them apart in the whole file. */
static void leave_others(const struct inference *g, uint32_t length, struct gs_source *s)
{
    size_t first = 0;
    while (first < g->h->n_rows && gs_preview_cell(g->h, first, length).len == 0)
        first++;
    for (uint32_t c = 0;
         g->h->is_whole && first < g->h->n_rows && s->where.n == 0 && c < g->h->n_columns; c++) {
        const struct gs_str name = gs_preview_cell(g->h, first, c);
        struct gs_texts kept = {0};
        bool only = true; /* a column that says one thing tells nothing apart */
        for (size_t i = 0; only && i < g->h->n_rows; i++)
            only = gs_str_eq(gs_preview_cell(g->h, i, c), name);
        if (!only && names_lengths(g, c, length, name) && gs_texts_add(&kept, name, g->arena)) {
            gs_infer_keep_rows(g, g->h->column[c], kept, s);
            gs_infer_note(g, &s->notes, "only rows whose '%s' is '%s' are steps",
                          GS_SHOWN(g->h->column[c], 64), GS_SHOWN(name, 64));
        }
    }
}

/* Rows of every so many steps, each with the time of one: such a row lasts as long as all of them. Returns the time's unit. */
static const char *take_means(const struct inference *g, uint32_t length, int64_t by,
                              struct gs_source *s)
{
    struct gs_unit unit = g->name[length].unit;
    struct gs_buf counted = {.arena = g->arena};
    if (unit.quantity == GS_Q_NONE)
        unit = gs_unit_find(gs_duration_unit(gs_infer_first(g->h, length)));
    const char *const shown = unit.quantity == GS_Q_TIME ? unit.shown : "s";
    gs_buf_format(&counted, "%lld%s", (long long)by, shown);
    gs_infer_cell_unit(g, gs_infer_first(g->h, length), &s->duration);
    gs_infer_take(g, &s->duration, length);
    s->duration.unit = gs_buf_str(&counted);
    return shown;
}

/* Rows that are the ends of several steps each, without what came between two rows, an evaluation or a checkpoint. */
static void take_mean_ends(const struct inference *g, uint32_t length, int64_t by,
                           struct gs_source *s)
{
    s->notes.n = 0; /* what it said of ends */
    s->phase.kind = GS_PHASE_NONE;
    s->stop = s->time;
    s->time = (struct gs_map_value){.kind = GS_VALUE_NONE};
    (void)take_means(g, length, by, s);
    gs_infer_note(g, &s->notes,
                  "its rows are of %lld steps each, %lld times as long as '%s' (--set "
                  "events.phase=ends: each lasts from the row before)",
                  (long long)by, (long long)by, GS_SHOWN(g->h->column[length], 64));
}

/*
 * Rows of every tenth step: where nothing says when they were each stands for all ten. Not where rows have words, some are of
 * something else then.
 */
static void tell_strides(const struct inference *g, uint32_t step, uint32_t length, int64_t by,
                         int64_t *v, struct gs_source *s)
{
    const bool chain = gs_source_is_chain(s);
    const long long every = by / GS_FIXED_ONE;
    const struct gs_str name = g->h->column[step];
    if (by <= GS_FIXED_ONE)
        return;
    if (chain && s->event.kind == GS_VALUE_TEXT) {
        const char *const unit = take_means(g, length, every, s);
        s->event = called(g, s->event.text, every);
        gs_infer_note(g, &s->notes,
                      "its rows are of every %lldth %s: each is of all since the row before, of "
                      "which each took '%s' (--set events.duration.unit=%s: each row is one)",
                      every, GS_SHOWN(name, 40), GS_SHOWN(g->h->column[length], 64), unit);
    } else if (chain ||
               spans_stride(g, step, g->means[GS_MEANS_TIME], length, 3 * GS_FIXED_ONE, v)) {
        gs_infer_note(g, &s->notes,
                      "its rows are of every %lldth %s: each is taken as one, and the others are "
                      "missing in all sums",
                      every, GS_SHOWN(name, 40));
    }
}

/* Are numbers that count steps evenly apart, each perhaps told several times? */
static bool are_even(int64_t *v, size_t n)
{
    return stride_of(v, leave_repeats(v, n)) > 0;
}

/* train_time:1212ms: the time since training began, which only rises and which n_steps rows have; UINT32_MAX: no column is it. */
static uint32_t running_time(const struct inference *g, size_t n_steps, int64_t *v)
{
    enum { FEWEST = 3 };
    for (uint32_t i = 0; i < g->h->n_columns; i++) {
        const size_t n = GS_IS_ONE_OF(gs_str(g->name[i].stem), "traintime", "trainingtime",
                                      "totaltime", "elapsedtime", "timeelapsed", "elapsed",
                                      "walltime", "timetotal", "runtime")
                             ? numbers_of(g, i, v)
                             : 0;
        if (n >= FEWEST && n == n_steps && !are_lengths(v, n))
            return i;
    }
    return UINT32_MAX;
}

/*
 * The time of rows is not that of a heading; where there is none, and no length, the total since training began is one. Rows
 * that lie unevenly apart are of as many steps as nobody says.
 */
static void settle_time(struct inference *g, int64_t *v)
{
    uint32_t *const time = &g->means[GS_MEANS_TIME];
    const uint32_t step = step_column(g, v);
    if (is_of_headings(g, *time, step))
        *time = UINT32_MAX;
    if (step == UINT32_MAX || *time != UINT32_MAX || length_column(g, step, v) != UINT32_MAX)
        return;
    const size_t n_steps = numbers_of(g, step, v);
    if (are_even(v, n_steps))
        *time = running_time(g, n_steps, v);
}

bool gs_infer_steps(const struct inference *all, struct gs_source *s)
{
    struct inference own = *all;
    const struct inference *const g = &own;
    int64_t *const v = gs_arena_take(g->arena, g->h->n_rows, sizeof *v);
    if (v == NULL || measures_gpus(g))
        return false;
    settle_time(&own, v);
    uint32_t step = step_column(g, v);
    const uint32_t length = step == UINT32_MAX ? step : length_column(g, step, v);
    const uint32_t time = g->means[GS_MEANS_TIME];
    step = counted_by(g, length, step, v);
    const uint32_t part = step == UINT32_MAX ? column_of_parts(g, v) : step;
    if (part == UINT32_MAX)
        return infer_named(g, v, s);
    if (step == UINT32_MAX)
        return infer_without_lengths(g, part, time, v, s);
    if (length == UINT32_MAX)
        return infer_without_lengths(g, step, time, v, s);
    if (is_part_of(g->name[length].whole, g->name[step].whole))
        return false;
    const int64_t by = stride_of(v, leave_repeats(v, numbers_of(g, step, v)));
    if (g->means[GS_MEANS_START] == UINT32_MAX && g->means[GS_MEANS_STOP] == UINT32_MAX &&
        spans_stride(g, step, time, length, by, v) && infer_ends(g, step, time, v, s)) {
        if (strstr(g->name[length].whole, "per") != NULL)
            take_mean_ends(g, length, by / GS_FIXED_ONE, s);
        return true;
    }
    struct gs_str event = g->h->column[step];
    for (; event.len > 1 && *event.ptr == '_'; event.len--)
        event.ptr++;
    s->event = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = event};
    gs_infer_take(g, &s->event, gs_infer_words(g, true));
    gs_infer_cell_unit(g, gs_infer_first(g->h, length), &s->duration);
    gs_infer_take(g, &s->duration, length);
    gs_infer_take(g, &s->task, step);
    gs_infer_step_unit(g, s, step, length, time);
    leave_others(g, length, s);
    place_steps(g, s, step, length, v);
    tell_strides(g, step, length, by, v, s);
    return true;
}
