/* align_steps.c - finds the stretch of a GPU log that a list of step times fits. */
#include "input/import/align_steps.h"

#include "base/num/calendar.h"
#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "data/tables/activity.h"
#include "data/tables/packed_rows.h"
#include "input/detect/detect.h"
#include "input/import/map_load.h"

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
static enum gs_status align(struct gs_source *s, const struct gs_activity *a, int64_t length_ns,
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
    const size_t fit = gs_min(width, a->n), at = gs_activity_best(a, fit, &alone);
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
    return s->role == GS_ROLE_EVENTS && s->origin.kind == GS_VALUE_NONE &&
           (of_day ? s->time_of_day || s->time_of_year : gs_source_has_no_start(s));
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
    if (s->time_of_year) {
        gs_note(notes, GS_NOTE_INFO,
                "%s: its dates have no year and are of the one nearest to the samples (--set "
                "events.origin=TIME)",
                GS_SHOWN(gs_file_called(s->files.item[0]), 200));
        return GS_OK;
    }
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
    struct gs_activity a = {0};
    GS_TRY(load_part(map, GS_ROLE_SAMPLES, NULL, options, &own, &samples, err));
    /* utilisation is the better witness: idle power differs between cards */
    enum gs_status s = gs_activity_find(&samples, GS_GPU_UTIL, &a, &own);
    if (s == GS_ERR_DATA)
        s = gs_activity_find(&samples, GS_POWER, &a, &own);
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
