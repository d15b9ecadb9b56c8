/* events.c - the frames of events and zoom levels: pairs grouped, means taken once at the end. */
#include "run/events.h"

#include <stdio.h>
#include <string.h>

#include "stats/dd.h"
#include "base/parallel.h"
#include "stats/quantile.h"
#include "base/timestamp.h"
#include "view/pair_stats.h"

#define DURATION_HOW(what) what " of STOP - START over the group's pairs"
#define METRIC_HOW(what)                                                                                           \
    "mean over the pairs of " what ": under the nearest, backward and forward join the mean of the samples taken " \
    "at START and at STOP, under the window join the mean of the samples inside"

enum { N_KEY = 1, COL_N = N_KEY, COL_MEAN, COL_SD, COL_MIN, COL_P50, COL_P95, COL_P99, COL_MAX, COL_METRIC,
       COL_SAMPLES = COL_METRIC + GS_N_METRICS, COL_ENERGY_SUM, COL_ENERGY_MEAN, COL_COVERAGE, N_COLUMNS };

#define SHARED_COLUMNS                                                                                                 \
    {"n", "n", "", GS_TYPE_INT, 0, "START/STOP pairs of the group", false},                                            \
        {"duration_mean_ms", "mean duration", "ms", GS_TYPE_REAL, 0, DURATION_HOW("mean"), false},                     \
        {"duration_sd_ms", "sd", "ms", GS_TYPE_REAL, 0, DURATION_HOW("sample standard deviation (n - 1)"), false},     \
        {"duration_min_ms", "min", "ms", GS_TYPE_REAL, 0, DURATION_HOW("least"), false},                               \
        {"duration_p50_ms", "p50", "ms", GS_TYPE_REAL, 0, DURATION_HOW("median (type 7)"), false},                     \
        {"duration_p95_ms", "p95", "ms", GS_TYPE_REAL, 0, DURATION_HOW("95th percentile (type 7)"), false},            \
        {"duration_p99_ms", "p99", "ms", GS_TYPE_REAL, 0, DURATION_HOW("99th percentile (type 7)"), false},            \
        {"duration_max_ms", "max", "ms", GS_TYPE_REAL, 0, DURATION_HOW("greatest"), false},                            \
        {"power_mean_w", "power", "W", GS_TYPE_REAL, 2, METRIC_HOW("power"), false},                                   \
        {"temp_mean_c", "temp", "\xc2\xb0" "C", GS_TYPE_REAL, 2, METRIC_HOW("temperature"), false},                    \
        {"gpu_util_mean_pct", "GPU util", "%", GS_TYPE_REAL, 2, METRIC_HOW("GPU utilisation"), false},                 \
        {"mem_util_mean_pct", "mem util", "%", GS_TYPE_REAL, 2, METRIC_HOW("memory utilisation"), false},              \
        {"samples_mean", "samples", "", GS_TYPE_REAL, 2, "mean number of samples inside a pair's window", false},      \
        {"energy_sum_j", "energy", "J", GS_TYPE_REAL, 0,                                                               \
         "sum over the pairs of the trapezoid of power over [START, STOP], edges interpolated, no gap longer than "    \
         "--max-gap bridged",                                                                                          \
         false},                                                                                                       \
        {"energy_mean_j", "mean energy", "J", GS_TYPE_REAL, 1, "energy_sum_j over the pairs that have energy", false}, \
    {                                                                                                                  \
        "coverage_pct", "coverage", "%", GS_TYPE_REAL, 1, "covered time over duration, summed over the pairs", false   \
    }

static const struct gs_column_spec events_columns[N_COLUMNS] = {
    {"event", "event", "", GS_TYPE_TEXT, 0, "eventName of the checkpoints", false}, SHARED_COLUMNS};
static const struct gs_column_spec zoom_columns[N_COLUMNS] = {
    {"level", "level", "", GS_TYPE_INT, 0, "level of the pair's (taskId, jobId) in the task table", true},
    SHARED_COLUMNS};

/* Pairs of one event or all, put into groups. */
struct grouping {
    const struct gs_dataset *d;
    const struct gs_join_options *join;
    uint32_t only_event; /* GS_NONE: all */
    bool by_level;
    const int64_t *level;
    size_t n_levels, n_groups;
    struct gs_pair_stats **stats; /* [n_threads][n_groups] */
    struct gs_arena *arena;       /* [n_threads]           */
};

static size_t group_of(const struct grouping *g, const struct gs_pair *p)
{
    if (!g->by_level)
        return p->event;
    const uint32_t row = gs_dataset_task_row(g->d, p->task, p->job);
    if (row == GS_NONE)
        return g->n_levels;
    const int64_t level = gs_table_value(&g->d->table[GS_TABLE_TASKS], row, GS_TASK_LEVEL);
    size_t k = 0;
    for (size_t hi = g->n_levels; k < hi;) { /* first level not below */
        const size_t mid = (k + hi) / 2;
        if (g->level[mid] < level)
            k = mid + 1;
        else
            hi = mid;
    }
    return k;
}

static enum gs_status add_host(void *context, const struct gs_host_view *h, unsigned thread, struct gs_arena *scratch,
                               struct gs_err *err)
{
    const struct grouping *const g = context;
    struct gs_joined *joined;
    enum gs_status s = gs_join_host(h, g->join, scratch, &joined, err);
    for (uint32_t p = 0; s == GS_OK && p < h->n_pairs; p++)
        if (g->only_event == GS_NONE || h->pair[p].event == g->only_event)
            s = gs_pair_stats_add(&g->stats[thread][group_of(g, &h->pair[p])], &h->pair[p], &joined[p], h->n_gpus,
                                  &g->arena[thread], err);
    return s;
}

/* One row of results; what is undefined stays missing. */
static enum gs_status fill_row(struct gs_frame *f, size_t row, const struct gs_pair_stats *s, bool window,
                               struct gs_arena *scratch, struct gs_err *err)
{
    static const struct gs_prob prob[] = {{50, 100}, {95, 100}, {99, 100}};
    struct {
        double mean, sd, min, max, quantile[3];
    } v;
    int64_t *duration;
    gs_frame_set_int(f, row, COL_N, (int64_t)s->duration.n);
    if (gs_moments_mean(&s->duration, GS_NS_PER_MS, &v.mean, NULL) == GS_OK)
        gs_frame_set_real(f, row, COL_MEAN, v.mean);
    if (gs_moments_ssd(&s->duration, GS_NS_PER_MS, &v.sd, NULL) == GS_OK)
        gs_frame_set_real(f, row, COL_SD, v.sd);
    if (gs_moments_min(&s->duration, GS_NS_PER_MS, &v.min, NULL) == GS_OK)
        gs_frame_set_real(f, row, COL_MIN, v.min);
    if (gs_moments_max(&s->duration, GS_NS_PER_MS, &v.max, NULL) == GS_OK)
        gs_frame_set_real(f, row, COL_MAX, v.max);
    enum gs_status status = gs_pair_stats_durations(s, scratch, &duration, err);
    if (status != GS_OK)
        return status;
    if (gs_quantiles(duration, s->duration.n, prob, 3, GS_NS_PER_MS, v.quantile, NULL) == GS_OK)
        for (size_t q = 0; q < 3; q++)
            gs_frame_set_real(f, row, COL_P50 + q, v.quantile[q]);
    for (unsigned m = 0; m < GS_N_METRICS; m++) {
        double mean;
        status = gs_ratio_mean(&s->metric[m], GS_FIXED_ONE, scratch, &mean, err);
        if (status == GS_OK)
            gs_frame_set_real(f, row, COL_METRIC + m, mean);
        else if (status != GS_ERR_RANGE)
            return status;
    }
    if (!window || s->duration.n == 0)
        return GS_OK;
    gs_frame_set_real(f, row, COL_SAMPLES, gs_dd_to_double(gs_dd_ratio(s->n_samples, s->duration.n)));
    if (s->n_energy > 0) {
        const struct gs_dd energy = gs_dd_ratio(s->energy, GS_ENERGY_PER_J);
        gs_frame_set_real(f, row, COL_ENERGY_SUM, gs_dd_to_double(energy));
        gs_frame_set_real(f, row, COL_ENERGY_MEAN,
                          gs_dd_to_double(gs_dd_div(energy, gs_dd_of((double)s->n_energy))));
    }
    if (s->window_ns > 0)
        gs_frame_set_real(f, row, COL_COVERAGE, gs_dd_to_double(gs_dd_ratio(100 * s->covered_ns, s->window_ns)));
    return GS_OK;
}

/* A mean over the pairs that have a reading stands beside the number of all pairs: says how many have none. */
static void note_missing(const struct grouping *g, struct gs_notes *notes)
{
    uint64_t n_missing = 0, n_pairs = 0;
    for (size_t k = 0; k < g->n_groups; k++) {
        n_missing += g->stats[0][k].metric[GS_POWER].n_missing;
        n_pairs += g->stats[0][k].duration.n;
    }
    if (n_missing > 0)
        gs_note(notes, GS_NOTE_INFO,
                "%llu of %llu pairs have no power reading %s; their power is missing, not zero, and not in the means",
                (unsigned long long)n_missing, (unsigned long long)n_pairs,
                g->join->join == GS_JOIN_WINDOW ? "inside" : "within reach");
}

/* The visit and the merge; fills g->stats[0]. */
static enum gs_status collect(struct grouping *g, unsigned n_threads, struct gs_arena *own, struct gs_frames *out,
                              struct gs_err *err)
{
    g->stats = gs_arena_take(own, n_threads, sizeof *g->stats);
    g->arena = gs_arena_take(own, n_threads, sizeof *g->arena);
    if (g->stats == NULL || g->arena == NULL)
        return gs_fail_memory(err);
    for (unsigned t = 0; t < n_threads; t++) {
        g->stats[t] = gs_arena_take(&g->arena[t], g->n_groups, sizeof **g->stats);
        if (g->stats[t] == NULL)
            return gs_fail_memory(err);
    }
    struct gs_view_totals totals;
    enum gs_status s = gs_hosts_visit(g->d, n_threads, GS_VIEW_SAMPLES | GS_VIEW_PAIRS, add_host, g, &totals, err);
    for (unsigned t = 1; s == GS_OK && t < n_threads; t++)
        for (size_t k = 0; s == GS_OK && k < g->n_groups; k++)
            s = gs_pair_stats_merge(&g->stats[0][k], &g->stats[t][k], &g->arena[0], err);
    if (s == GS_OK)
        gs_view_notes(&totals, g->d, &out->notes);
    if (s == GS_OK)
        note_missing(g, &out->notes);
    return s;
}

static void release(struct grouping *g, unsigned n_threads, struct gs_arena *own)
{
    for (unsigned t = 0; g->arena != NULL && t < n_threads; t++)
        gs_arena_release(&g->arena[t]);
    gs_arena_release(own);
}

/* Groups without pairs get no row; each row's quantiles are a thread's work. */
struct filling {
    const struct grouping *g;
    struct gs_frame *frame;
    const size_t *group; /* [n_rows] */
};

static int fill_one(void *context, size_t row, unsigned thread)
{
    const struct filling *const f = context;
    const struct grouping *const g = f->g;
    struct gs_arena *const scratch = &g->arena[thread];
    const size_t k = f->group[row];
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    if (!g->by_level)
        gs_frame_set_text(f->frame, row, 0, g->d->event.text[k]);
    else if (k < g->n_levels)
        gs_frame_set_int(f->frame, row, 0, g->level[k]);
    const enum gs_status s = fill_row(f->frame, row, &g->stats[0][k], g->join->join == GS_JOIN_WINDOW, scratch, NULL);
    gs_arena_rewind(scratch, mark);
    return (int)s;
}

static enum gs_status to_frame(const struct grouping *g, struct gs_frame *frame, unsigned n_threads,
                               struct gs_arena *scratch, struct gs_err *err)
{
    size_t *const group = gs_arena_take_raw(scratch, g->n_groups, sizeof *group);
    struct filling f = {g, frame, group};
    size_t n = 0;
    if (group == NULL)
        return gs_fail_memory(err);
    for (size_t k = 0; k < g->n_groups; k++)
        if (g->stats[0][k].duration.n > 0)
            group[n++] = k;
    /* Nothing but memory can be wrong with a row. */
    return gs_parallel_for(n_threads, n, fill_one, &f) == 0 ? GS_OK : gs_fail_memory(err);
}

static enum gs_status run(struct grouping *g, const char *name, const char *title, const struct gs_column_spec *specs,
                          unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct gs_arena own = {0};
    struct gs_frame *f;
    size_t n_rows = 0;
    enum gs_status s = collect(g, n_threads, &own, out, err);
    for (size_t k = 0; s == GS_OK && k < g->n_groups; k++)
        n_rows += g->stats[0][k].duration.n > 0;
    if (s == GS_OK)
        s = gs_frame_new(arena, name, title, specs, g->join->join == GS_JOIN_WINDOW ? N_COLUMNS : COL_SAMPLES, n_rows,
                         out, &f, err);
    if (s == GS_OK)
        s = to_frame(g, f, n_threads, &own, err);
    release(g, n_threads, &own);
    return s;
}

enum gs_status gs_event_number(const struct gs_dataset *d, const char *event, uint32_t *number, struct gs_err *err)
{
    const uint32_t k = gs_intern_find(&d->event, gs_str(event));
    if (k != GS_INTERN_NONE) {
        *number = k;
        return GS_OK;
    }
    char shown[128], known[512] = "", one[96];
    size_t used = 0;
    for (uint32_t i = 0; i < d->event.n; i++) {
        const int w = snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                               gs_escape(one, sizeof one, d->event.text[i]));
        if (w < 0 || (size_t)w >= sizeof known - used)
            break;
        used += (size_t)w;
    }
    return gs_fail(err, GS_ERR_DATA, "no event '%s' in the checkpoints; found %s",
                   gs_escape(shown, sizeof shown, gs_str(event)), d->event.n == 0 ? "none" : known);
}

enum gs_status gs_events(const struct gs_dataset *d, const struct gs_join_options *join, const char *event,
                         unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct grouping g = {.d = d, .join = join, .only_event = GS_NONE, .n_groups = d->event.n};
    const enum gs_status s = event == NULL ? GS_OK : gs_event_number(d, event, &g.only_event, err);
    if (s != GS_OK)
        return s;
    return run(&g, "events", join->join == GS_JOIN_WINDOW ? "Events, all samples inside each" : "Events", events_columns,
               n_threads, arena, out, err);
}

/* Few levels are expected: a sorted list with binary search, bounded against nonsense. */
enum gs_status gs_levels(const struct gs_dataset *d, struct gs_arena *arena, int64_t **level, size_t *n,
                         struct gs_err *err)
{
    const struct gs_table *const t = &d->table[GS_TABLE_TASKS];
    size_t n_kept = 0, capacity = 64;
    int64_t *kept = gs_arena_take_raw(arena, capacity, sizeof *kept);
    for (uint32_t k = 0; kept != NULL && k < t->n_segments; k++)
        for (uint32_t i = 0; kept != NULL && i < t->segment[k].n_rows; i++) {
            const int64_t v = gs_segment_value(&t->segment[k], i, GS_TASK_LEVEL);
            size_t lo = 0, hi = n_kept;
            while (lo < hi) {
                const size_t mid = (lo + hi) / 2;
                if (kept[mid] < v)
                    lo = mid + 1;
                else
                    hi = mid;
            }
            if (lo < n_kept && kept[lo] == v)
                continue;
            if (n_kept == 4096)
                return gs_fail(err, GS_ERR_DATA, "more than 4096 levels in the task table");
            if (n_kept == capacity) {
                kept = gs_arena_grow(arena, kept, n_kept, capacity * 2, sizeof *kept);
                capacity *= 2;
            }
            if (kept != NULL) {
                memmove(kept + lo + 1, kept + lo, (n_kept - lo) * sizeof *kept);
                kept[lo] = v;
                n_kept++;
            }
        }
    if (kept == NULL)
        return gs_fail_memory(err);
    *level = kept;
    *n = n_kept;
    return GS_OK;
}

enum gs_status gs_zoom(const struct gs_dataset *d, const struct gs_join_options *join, const char *event,
                       unsigned n_threads, struct gs_arena *arena, struct gs_frames *out, struct gs_err *err)
{
    struct grouping g = {.d = d, .join = join, .by_level = true};
    int64_t *level = NULL;
    enum gs_status s = gs_event_number(d, event, &g.only_event, err);
    if (s == GS_OK)
        s = gs_levels(d, arena, &level, &g.n_levels, err);
    if (s != GS_OK)
        return s;
    g.level = level;
    g.n_groups = g.n_levels + 1;
    struct gs_buf title = {.arena = arena};
    gs_buf_text(&title, "Zoom levels, ");
    gs_buf_escaped(&title, d->event.text[g.only_event], 80);
    if (title.failed)
        return gs_fail_memory(err);
    return run(&g, "zoom", title.ptr, zoom_columns, n_threads, arena, out, err);
}
