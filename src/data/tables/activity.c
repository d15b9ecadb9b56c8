/* activity.c - when the GPUs of a run worked, in bins of equal length, and which clock of the events that fits. */
#include "data/tables/activity.h"

#include <stdlib.h>

#include "base/num/order.h"
#include "base/num/timestamp.h"
#include "data/tables/packed_rows.h"
#include "stats/descriptive/quantile.h"

/* Bins bound the memory: a log of a year at 8 minutes a bin aligns as well as its step times allow. */
enum { BINS_MAX = 1 << 16, LEAST_CONTRAST_PCT = 20 };

/*
 * Calls for every sample with a value of the metric. Two walks over the samples instead of a copy
 * of them: the first finds the range, the second fills.
 */
static void each_reading(const struct gs_dataset *d, uint32_t metric,
                         void (*take)(struct gs_activity *, int64_t, int64_t),
                         struct gs_activity *a)
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

static void widen(struct gs_activity *a, int64_t t_ns, int64_t value)
{
    (void)value;
    if (a->count == NULL) { /* the first: `n` counts readings until the bins are there */
        a->from_ns = a->n == 0 || t_ns < a->from_ns ? t_ns : a->from_ns;
        a->bin_ns = a->n == 0 || t_ns > a->bin_ns ? t_ns : a->bin_ns;
        a->n++;
    }
}

static void add_reading(struct gs_activity *a, int64_t t_ns, int64_t value)
{
    const size_t bin = (size_t)((t_ns - a->from_ns) / a->bin_ns);
    a->sum[bin] += value;
    a->count[bin]++;
}

/*
 * Bins of at least a second from the first reading to the last; GS_ERR_DATA where there are none.
 * Bins are a second at least, as finer ones would be empty at the usual interval of logs.
 */
static enum gs_status make_bins(const struct gs_dataset *d, uint32_t metric, struct gs_activity *a,
                                struct gs_arena *arena, struct gs_err *err)
{
    *a = (struct gs_activity){0};
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
static bool find_active(struct gs_activity *a, struct gs_arena *arena)
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

enum gs_status gs_activity_find(const struct gs_dataset *d, uint32_t metric, struct gs_activity *a,
                                struct gs_arena *arena)
{
    GS_TRY(make_bins(d, metric, a, arena, NULL));
    return find_active(a, arena) ? GS_OK : GS_ERR_DATA;
}

/* Active bins less idle ones of a window. Sums before each bin make it two subtractions. */
static int64_t active_less_idle(const struct gs_activity *a, size_t from, size_t width)
{
    const int64_t active = (int64_t)a->active[from + width] - a->active[from];
    const int64_t known = (int64_t)a->known[from + width] - a->known[from];
    return 2 * active - known;
}

size_t gs_activity_best(const struct gs_activity *a, size_t width, bool *alone)
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

/* Bins of events that some reading is in, those in which the GPUs were active, and those beyond all readings. */
struct fit {
    int64_t known, active, beyond;
};

/* Instants may be centuries apart: what is far outside counts as far outside. */
static int64_t bin_of(const struct gs_activity *a, int64_t t_ns, int64_t shift_ns)
{
    const gs_i128 since = (gs_i128)t_ns + shift_ns - a->from_ns, far = (gs_i128)BINS_MAX * 16;
    const gs_i128 bin = since / a->bin_ns - (since < 0);
    return (int64_t)gs_min(gs_max(bin, -far), far);
}

static void add_stretch(struct fit *fit, const struct gs_activity *a, int64_t from_ns,
                        int64_t to_ns, int64_t shift_ns)
{
    const int64_t from = bin_of(a, from_ns, shift_ns), to = bin_of(a, to_ns, shift_ns) + 1,
                  n = (int64_t)a->n;
    const int64_t first = gs_min(gs_max(from, 0), n), last = gs_min(gs_max(to, 0), n);
    fit->known += (int64_t)a->known[last] - a->known[first];
    fit->active += (int64_t)a->active[last] - a->active[first];
    fit->beyond += to - from - (last - first);
}

/* How well the events fit the activity: spans one by one, marks from their first to their last. */
static double fit_of(const struct gs_dataset *d, const struct gs_activity *a, int64_t shift_ns)
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
    struct gs_activity a = {0};
    if (!is_zoneless(d, GS_TABLE_SAMPLES) || !is_zoneless(d, GS_TABLE_CHECKPOINTS))
        return GS_OK;
    const enum gs_status s = gs_activity_find(d, GS_GPU_UTIL, &a, &own);
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
