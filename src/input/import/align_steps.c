/* align_steps.c - finds the stretch of a GPU log that a list of step times fits. */
#include "input/import/align_steps.h"

#include <stdlib.h>

#include "base/num/calendar.h"
#include "base/num/int128.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "data/tables/packed_rows.h"
#include "input/detect/detect.h"
#include "input/import/map_load.h"
#include "stats/descriptive/quantile.h"

/* Bins bound the memory: a log of a year at 8 minutes a bin aligns as well as its step times allow. */
enum { BINS_MAX = 1 << 16, LEAST_CONTRAST_PCT = 20 };

/* What all GPUs did in equal stretches of time. */
struct activity {
    int64_t from_ns, bin_ns;
    size_t n;
    gs_i128 *sum;     /* [n] readings, fixed-point */
    uint64_t *count;  /* [n] 0: nothing is known   */
    uint32_t *active; /* [n + 1] active bins before each */
    uint32_t *known;  /* [n + 1] known bins before each  */
};

/* Rows that are malformed are reported when the samples are read for the analysis. */
static enum gs_status ignore(void *context, const struct gs_reject *row, struct gs_err *err)
{
    (void)context, (void)row, (void)err;
    return GS_OK;
}

/*
 * The sources of one role, or one source alone, as a dataset. The map's own copy stays as it is.
 * Here the origin is set to the epoch, or loading the steps would call for their alignment again.
 */
static enum gs_status load_part(const struct gs_map *map, enum gs_role role,
                                const struct gs_source *only, const struct gs_load_options *options,
                                struct gs_arena *arena, struct gs_dataset *d, struct gs_err *err)
{
    struct gs_map part = {0};
    struct gs_notes notes = {.arena = arena};
    struct gs_load_options o = {.zone = options->zone,
                                .duplicates = options->duplicates,
                                .reject = ignore,
                                .bad_is_missing = true,
                                .n_threads = options->n_threads,
                                .seed = options->seed};
    o.need[role == GS_ROLE_SAMPLES ? GS_TABLE_SAMPLES : GS_TABLE_CHECKPOINTS] = true;
    for (size_t i = 0; i < map->n_sources; i++) {
        struct gs_source *const from = &map->source[i];
        if (from->role != role || (only != NULL && only != from))
            continue;
        struct gs_source *const to = gs_map_add(&part, arena);
        GS_TRY(gs_had_memory(to != NULL, err));
        *to = *from;
        if (only != NULL && only->origin.kind == GS_VALUE_NONE)
            to->origin = gs_map_epoch; /* an origin: a chain without one would be aligned again */
    }
    return gs_map_load(&part, &o, true, arena, d, &notes, err);
}

/*
 * Calls for every sample with a value of the metric. Two walks over the samples instead of a copy
 * of them: the first finds the range, the second fills.
 */
static void each_reading(const struct gs_dataset *d, uint32_t metric,
                         void (*take)(struct activity *, int64_t, int64_t), struct activity *a)
{
    const struct gs_table *const t = &d->table[GS_TABLE_SAMPLES];
    for (uint32_t i = 0; i < t->n_segments; i++)
        for (uint32_t k = 0; k < t->segment[i].n_rows; k++) {
            const int64_t at = gs_segment_value(&t->segment[i], k, GS_SAMPLE_TIME);
            const int64_t v = gs_segment_value(&t->segment[i], k, GS_SAMPLE_METRIC + metric);
            if (at != GS_MISSING && v != GS_MISSING)
                take(a, at, v);
        }
}

static void widen(struct activity *a, int64_t t_ns, int64_t value)
{
    (void)value;
    if (a->count == NULL) { /* the first: `n` counts readings until the bins are there */
        a->from_ns = a->n == 0 || t_ns < a->from_ns ? t_ns : a->from_ns;
        a->bin_ns = a->n == 0 || t_ns > a->bin_ns ? t_ns : a->bin_ns;
        a->n++;
    }
}

static void add_reading(struct activity *a, int64_t t_ns, int64_t value)
{
    const size_t bin = (size_t)((t_ns - a->from_ns) / a->bin_ns);
    a->sum[bin] += value;
    a->count[bin]++;
}

/*
 * Bins of at least a second from the first reading to the last; GS_ERR_DATA where there are none.
 * Bins are a second at least, as finer ones would be empty at the usual interval of logs.
 */
static enum gs_status make_bins(const struct gs_dataset *d, uint32_t metric, struct activity *a,
                                struct gs_arena *arena, struct gs_err *err)
{
    *a = (struct activity){0};
    each_reading(d, metric, widen, a);
    if (a->n == 0)
        return gs_fail(err, GS_ERR_DATA, "no readings");
    const int64_t span = a->bin_ns - a->from_ns;
    a->bin_ns = span / BINS_MAX < GS_NS_PER_S ? GS_NS_PER_S : span / BINS_MAX + 1;
    a->n = (size_t)(span / a->bin_ns) + 1;
    GS_TAKE(a->sum, a->n, arena, err);
    GS_TAKE(a->count, a->n, arena, err);
    GS_TAKE(a->active, a->n + 1, arena, err);
    GS_TAKE(a->known, a->n + 1, arena, err);
    each_reading(d, metric, add_reading, a);
    return GS_OK;
}

/*
 * Active: above the middle between the 1st and 99th percentile. False where the two hardly
 * differ. Percentiles instead of extremes, so a single peak does not decide what counts as
 * active.
 */
static bool find_active(struct activity *a, struct gs_arena *arena)
{
    int64_t *const mean = gs_arena_take(arena, a->n, sizeof *mean);
    size_t n = 0;
    if (mean == NULL)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->count[i] > 0)
            mean[n++] = (int64_t)(a->sum[i] / (gs_i128)a->count[i]);
    static const struct gs_prob ends[] = {{1, 100}, {99, 100}};
    double at[2];
    if (gs_quantiles(mean, n, ends, 2, 1, at, NULL) != GS_OK)
        return false;
    const double middle = at[0] + (at[1] - at[0]) / 2;
    if (!(at[1] - at[0] > LEAST_CONTRAST_PCT / 100.0 * at[1]))
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const bool known = a->count[i] > 0;
        a->known[i + 1] = a->known[i] + known;
        a->active[i + 1] =
            a->active[i] + (known && (double)(int64_t)(a->sum[i] / (gs_i128)a->count[i]) > middle);
    }
    return true;
}

/* GS_ERR_DATA: the samples do not tell when the GPUs were active. */
static enum gs_status find_activity(const struct gs_dataset *d, uint32_t metric, struct activity *a,
                                    struct gs_arena *arena)
{
    GS_TRY(make_bins(d, metric, a, arena, NULL));
    return find_active(a, arena) ? GS_OK : GS_ERR_DATA;
}

/* Active bins less idle ones of a window. Sums before each bin make it two subtractions. */
static int64_t active_less_idle(const struct activity *a, size_t from, size_t width)
{
    const int64_t active = (int64_t)a->active[from + width] - a->active[from];
    const int64_t known = (int64_t)a->known[from + width] - a->known[from];
    return 2 * active - known;
}

/*
 * The first of the windows that fit best, so that the result is always the same. *alone: none that it does not overlap fits
 * as well.
 */
static size_t best_window(const struct activity *a, size_t width, bool *alone)
{
    size_t best = 0;
    *alone = true;
    for (size_t i = 1; i + width <= a->n; i++) {
        const int64_t more = active_less_idle(a, i, width) - active_less_idle(a, best, width);
        if (more > 0)
            best = i;
        *alone = more > 0 || (*alone && (more < 0 || i - best < width));
    }
    return best;
}

static enum gs_status set_origin(struct gs_source *s, int64_t t_ns, struct gs_arena *arena,
                                 struct gs_err *err)
{
    char *const text = gs_arena_take(arena, 1, GS_TIME_TEXT_MAX);
    GS_TRY(gs_had_memory(text != NULL, err));
    gs_time_format(text, t_ns);
    s->origin = (struct gs_map_value){.kind = GS_VALUE_TEXT, .text = gs_str(text)};
    return GS_OK;
}

/* Lengths in ms look like seconds where nothing says what they are in. */
static bool has_no_unit(const struct gs_map_value *length)
{
    struct gs_name name;
    if (length->kind != GS_VALUE_COLUMN || length->unit.len > 0)
        return false;
    gs_name_split(length->column.item[0], &name);
    return name.unit.quantity == GS_Q_NONE;
}

/* One bin more than the samples is tolerated: steps may begin and end within a bin. */
static enum gs_status align(struct gs_source *s, const struct activity *a, int64_t length_ns,
                            struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err)
{
    char shown[128];
    (void)gs_escape(shown, sizeof shown, s->path.n > 0 ? s->path.item[0] : s->files.item[0]);
    if (a == NULL)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: the step times have no start, and the samples no idle time to align "
                       "with; give their start with --start 2025-11-21T04:40:00Z",
                       shown);
    const size_t wanted = (size_t)(length_ns / a->bin_ns) + (length_ns % a->bin_ns > 0);
    const size_t width = gs_max(1, wanted);
    if (width > a->n + 1 && width / 1000 <= a->n && has_no_unit(&s->duration))
        return gs_fail(err, GS_ERR_DATA,
                       "%s: its steps last longer than the samples; if they are in ms, type --set "
                       "events.duration.unit=ms",
                       shown);
    const struct gs_str unit = s->duration.unit;
    const size_t digits =
        gs_str_skip(unit, 0, GS_ALL_DIGITS); /* 10s: each of ten steps took so many */
    if (width > a->n + 1 && digits > 0)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: its steps last longer than the samples; if a length is that of all "
                       "steps since the row before, type --set events.duration.unit=%s",
                       shown, GS_SHOWN(gs_str_after(unit, digits), 8));
    if (width > a->n + 1)
        return gs_fail(err, GS_ERR_DATA,
                       "%s: its steps last longer than the samples; say when they began with "
                       "--start 2025-11-21T04:40:00Z",
                       shown);
    bool alone;
    const size_t fit = gs_min(width, a->n), at = best_window(a, fit, &alone);
    const uint32_t inside = a->active[at + fit] - a->active[at],
                   known = a->known[at + fit] - a->known[at], all = a->active[a->n];
    const int64_t origin_ns = a->from_ns + (int64_t)at * a->bin_ns;
    char origin[GS_LOCAL_TEXT_MAX];
    GS_TRY(set_origin(s, origin_ns, arena, err));
    gs_note(notes, GS_NOTE_WARNING,
            "%s has no start times: aligned to the load from %s on (%.0f %% busy, %.0f %% of all "
            "load)%s; --start TIME corrects it",
            shown, gs_time_words(origin, NULL, origin_ns), known == 0 ? 0 : 100.0 * inside / known,
            all == 0 ? 0 : 100.0 * inside / all,
            gs_text_if(!alone, ", but fits elsewhere as well"));
    return GS_OK;
}

static bool is_open(const struct gs_source *s, bool of_day)
{
    const bool since_start = s->own_clock && !s->time_of_day && s->phase.kind == GS_PHASE_ENDS;
    return s->role == GS_ROLE_EVENTS && s->origin.kind == GS_VALUE_NONE &&
           (of_day ? s->time_of_day : since_start || gs_source_is_chain(s));
}

/*
 * Gives times of day the one date at which they and the samples have time in common; none where there are several. They are read as
 * of noon, whose date is the same in most zones, of the day on which the samples begin.
 */
static enum gs_status place_day(struct gs_map *map, struct gs_source *s, const int64_t range[2],
                                const struct gs_load_options *options, struct gs_arena *arena,
                                struct gs_notes *notes, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_dataset events;
    int64_t first = INT64_MAX, last = INT64_MIN;
    const int64_t noon = range[0] / GS_DAY_NS * GS_DAY_NS + GS_DAY_NS / 2;
    int64_t day = 0;
    size_t n = 0;
    GS_TRY(set_origin(s, noon, arena, err));
    GS_TRY(load_part(map, GS_ROLE_EVENTS, s, options, &own, &events, err));
    gs_table_widen_range(&events.table[GS_TABLE_SPANS], GS_SPAN_START, &first, &last);
    gs_table_widen_range(&events.table[GS_TABLE_SPANS], GS_SPAN_STOP, &first, &last);
    gs_table_widen_range(&events.table[GS_TABLE_CHECKPOINTS], GS_CHECKPOINT_TIME, &first, &last);
    s->origin = (struct gs_map_value){.kind = GS_VALUE_NONE};
    for (int64_t k = -1; first <= last && k < 3; k++)
        if (first + k * GS_DAY_NS <= range[1] && last + k * GS_DAY_NS >= range[0]) {
            n++;
            day = k;
        }
    if (n != 1)
        return GS_OK; /* who reads them says what they lack */
    GS_TRY(set_origin(s, noon + day * GS_DAY_NS, arena, err));
    gs_note(notes, GS_NOTE_INFO,
            "%s: its times of day are of %.10s, as the samples' are (--set events.origin=TIME)",
            GS_SHOWN(gs_file_called(s->files.item[0]), 200), s->origin.text.ptr);
    return GS_OK;
}

enum gs_status gs_place_days(struct gs_map *map, const struct gs_load_options *options,
                             struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_dataset samples;
    int64_t range[2] = {INT64_MAX, INT64_MIN};
    bool open = false, dated = false;
    for (size_t i = 0; i < map->n_sources; i++) {
        const struct gs_source *const s = &map->source[i];
        open |= is_open(s, true);
        dated |= s->role == GS_ROLE_SAMPLES && !s->own_clock;
    }
    if (!open || !dated)
        return GS_OK;
    GS_TRY(load_part(map, GS_ROLE_SAMPLES, NULL, options, &own, &samples, err));
    gs_table_widen_range(&samples.table[GS_TABLE_SAMPLES], GS_SAMPLE_TIME, &range[0], &range[1]);
    for (size_t i = 0; range[0] <= range[1] && i < map->n_sources; i++)
        if (is_open(&map->source[i], true))
            GS_TRY(place_day(map, &map->source[i], range, options, arena, notes, err));
    return GS_OK;
}

/* A command that can do without events goes on without those that cannot be placed. */
static enum gs_status leave_out(struct gs_map *map, size_t i, const struct gs_load_options *options,
                                const struct gs_err *why, struct gs_notes *notes,
                                struct gs_err *err)
{
    if (why->status != GS_ERR_DATA || !options->optional[GS_TABLE_CHECKPOINTS])
        return gs_fail(err, why->status, "%s", why->text);
    gs_note(notes, GS_NOTE_WARNING, "%s; its events are left out", why->text);
    map->n_sources--;
    for (size_t k = i; k < map->n_sources; k++)
        map->source[k] = map->source[k + 1];
    return GS_OK;
}

/*
 * The origin is found per list of steps and set in the map, so the second loading is the usual
 * one.
 */
static enum gs_status align_to_samples(struct gs_map *map, const struct gs_load_options *options,
                                       struct gs_arena *arena, struct gs_notes *notes,
                                       struct gs_err *err)
{
    GS_OWN struct gs_arena own = {0};
    struct gs_dataset samples, steps;
    struct activity a = {0};
    GS_TRY(load_part(map, GS_ROLE_SAMPLES, NULL, options, &own, &samples, err));
    /* utilisation is the better witness: idle power differs between cards */
    enum gs_status s = find_activity(&samples, GS_GPU_UTIL, &a, &own);
    if (s == GS_ERR_DATA)
        s = find_activity(&samples, GS_POWER, &a, &own);
    if (s != GS_ERR_DATA)
        GS_TRY(gs_had_memory(s == GS_OK, err));
    for (size_t i = 0; i < map->n_sources;) {
        struct gs_source *const e = &map->source[i];
        const size_t n = map->n_sources;
        int64_t first = 0, length = 0;
        if (is_open(e, false)) {
            struct gs_err why = {0};
            enum gs_status placed = load_part(map, GS_ROLE_EVENTS, e, options, &own, &steps, &why);
            if (placed == GS_OK)
                gs_table_widen_range(&steps.table[GS_TABLE_SPANS], GS_SPAN_STOP, &first, &length);
            GS_THEN(placed, align(e, s == GS_OK ? &a : NULL, length, arena, notes, &why));
            if (placed != GS_OK)
                GS_TRY(leave_out(map, i, options, &why, notes, err));
        }
        i += map->n_sources == n;
    }
    return GS_OK;
}

enum gs_status gs_align_steps(struct gs_map *map, const struct gs_load_options *options,
                              struct gs_arena *arena, struct gs_notes *notes, struct gs_err *err)
{
    bool open = false, sampled = false;
    if (!options->need[GS_TABLE_CHECKPOINTS])
        return GS_OK;
    GS_TRY(gs_place_days(map, options, arena, notes, err));
    for (size_t i = 0; i < map->n_sources; i++) {
        open |= is_open(&map->source[i], false);
        sampled |= map->source[i].role == GS_ROLE_SAMPLES;
    }
    if (!open)
        return GS_OK;
    if (sampled)
        return align_to_samples(map, options, arena, notes, err);
    for (size_t i = 0; i < map->n_sources; i++)
        if (is_open(&map->source[i], false))
            map->source[i].origin = gs_map_epoch;
    gs_note(notes, GS_NOTE_INFO,
            "the steps have no start: times are relative (--start TIME gives their start)");
    return GS_OK;
}

/* --- a shift that would fit better --------------------------------------------------------------------- */

/* Bins of events that some reading is in, those in which the GPUs were active, and those beyond all readings. */
struct fit {
    int64_t known, active, beyond;
};

/* Instants may be centuries apart: what is far outside counts as far outside. */
static int64_t bin_of(const struct activity *a, int64_t t_ns, int64_t shift_ns)
{
    const gs_i128 since = (gs_i128)t_ns + shift_ns - a->from_ns, far = (gs_i128)BINS_MAX * 16;
    const gs_i128 bin = since / a->bin_ns - (since < 0);
    return (int64_t)gs_min(gs_max(bin, -far), far);
}

static void add_stretch(struct fit *fit, const struct activity *a, int64_t from_ns, int64_t to_ns,
                        int64_t shift_ns)
{
    const int64_t from = bin_of(a, from_ns, shift_ns), to = bin_of(a, to_ns, shift_ns) + 1,
                  n = (int64_t)a->n;
    const int64_t first = gs_min(gs_max(from, 0), n), last = gs_min(gs_max(to, 0), n);
    fit->known += (int64_t)a->known[last] - a->known[first];
    fit->active += (int64_t)a->active[last] - a->active[first];
    fit->beyond += to - from - (last - first);
}

/* How well the events fit the activity: spans one by one, marks from their first to their last. */
static double fit_of(const struct gs_dataset *d, const struct activity *a, int64_t shift_ns)
{
    const struct gs_table *const spans = &d->table[GS_TABLE_SPANS],
                                 *const marks = &d->table[GS_TABLE_CHECKPOINTS];
    struct fit fit = {0};
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint32_t i = 0; i < spans->n_segments; i++)
        for (uint32_t k = 0; k < spans->segment[i].n_rows; k++)
            add_stretch(&fit, a, gs_segment_value(&spans->segment[i], k, GS_SPAN_START),
                        gs_segment_value(&spans->segment[i], k, GS_SPAN_STOP), shift_ns);
    gs_table_widen_range(marks, GS_CHECKPOINT_TIME, &first, &last);
    if (first <= last)
        add_stretch(&fit, a, first, last, shift_ns);
    /* Beyond them as many would be known as elsewhere. */
    const double share = (double)a->known[a->n] / (double)a->n,
                 all = (double)fit.known + share * (double)fit.beyond;
    if (all > 0)
        return (double)fit.active / all;
    return 0;
}

static bool is_zoneless(const struct gs_dataset *d, enum gs_table_kind kind)
{
    for (size_t i = 0; i < d->n_inputs; i++)
        if (d->input[i].kind == kind && d->input[i].zoneless)
            return true;
    return false;
}

enum gs_status gs_doubt_zone(const struct gs_dataset *d, struct gs_notes *notes, struct gs_err *err)
{
    static const double least = 0.8, better = 0.3; /* of the events' time the GPUs are active */
    enum { HALF_HOURS = 28 };
    GS_OWN struct gs_arena own = {0};
    struct activity a = {0};
    if (!is_zoneless(d, GS_TABLE_SAMPLES) || !is_zoneless(d, GS_TABLE_CHECKPOINTS))
        return GS_OK;
    const enum gs_status s = find_activity(d, GS_GPU_UTIL, &a, &own);
    if (s == GS_ERR_DATA)
        return GS_OK;
    GS_TRY(gs_had_memory(s == GS_OK, err));
    const double now = fit_of(d, &a, 0);
    double best = now;
    int at = 0;
    for (int k = 1; k <= 2 * HALF_HOURS;
         k++) { /* 30 min, -30 min, 60 min ...: the least of equal ones */
        const int shift = k % 2 == 1 ? (k + 1) / 2 : -k / 2;
        const double fit = fit_of(d, &a, shift * 1800 * GS_NS_PER_S);
        if (fit > best) {
            best = fit;
            at = shift;
        }
    }
    if (best < least || best < now + better)
        return GS_OK;
    const int minutes = 30 * abs(at);
    gs_note(notes, GS_NOTE_WARNING,
            "the GPUs are active in %.0f %% of the events' time; in %.0f %% if the events' clock "
            "is of another zone: --set events.zone=%c%02d:%02d",
            100 * now, 100 * best, at < 0 ? '+' : '-', minutes / 60, minutes % 60);
    return GS_OK;
}
