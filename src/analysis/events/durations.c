/* durations.c - bins and quantiles. */
#include "analysis/events/durations.h"

#include <math.h>
#include <string.h>

#include "base/num/timestamp.h"
#include "stats/descriptive/quantile.h"
#include "analysis/aggregate/pair_stats.h"
#include "base/num/order.h"

static const struct gs_column_spec bin_columns[] = {
    GS_COL(GROUP),     GS_COL(FROM_MS),
    GS_COL(TO_MS),     GS_COL(N, .label = "events", .how = "events whose duration lies in the bin"),
    GS_COL(SHARE_PCT), GS_COL(CUMULATIVE_PCT),
};
static const struct gs_column_spec box_columns[] = {
    GS_COL(GROUP),  GS_COL(N, .how = "events of the group"),
    GS_COL(P5_MS),  GS_COL(P25_MS),
    GS_COL(P50_MS), GS_COL(P75_MS),
    GS_COL(P95_MS),
};
static const struct gs_column_spec shape_columns[] = {GS_COL(GROUP), GS_COL(AT_MS), GS_COL(WIDTH)};
enum { N_QUANTILES = 5, SHAPE_POINTS = 128 };

/* A group while it is looked at. */
struct group {
    uint32_t record;
    double total_ms;
    size_t n_edges;
    int64_t edge[GS_DURATION_BINS + 1];
    uint64_t n[GS_DURATION_BINS];
    double quantile[N_QUANTILES]; /* ms */
    double first_ms, last_ms;     /* 1st and 99th percentile */
    size_t n_shape;               /* 0 or SHAPE_POINTS */
    double at_ms[SHAPE_POINTS], width[SHAPE_POINTS];
    bool in_ratios;
};

/*
 * The groups of most time, in the order of their keys. A figure has room for few groups; those
 * with the most time matter most. On a tie the earlier key stays, because a later one must
 * exceed the least.
 */
static size_t choose_groups(const struct gs_records *groups, bool by_level, struct group *group)
{
    size_t n = 0;
    for (uint32_t k = 0; k < groups->n; k++) {
        const struct gs_pair_stats *const s = gs_records_at(groups, k);
        double mean = 0;
        if (s->durations.n == 0 ||
            (by_level && gs_records_key(groups, k, 1)->number == GS_MISSING) ||
            gs_moments_mean(&s->duration, GS_NS_PER_MS, &mean, NULL) != GS_OK)
            continue;
        const double total = mean * (double)s->duration.n;
        if (n == GS_DURATION_GROUPS) {
            size_t least = 0;
            for (size_t i = 1; i < n; i++)
                if (group[i].total_ms < group[least].total_ms)
                    least = i;
            if (!(total > group[least].total_ms))
                continue;
            memmove(&group[least], &group[least + 1], (n - least - 1) * sizeof *group);
            n--;
        }
        group[n++] = (struct group){.record = k, .total_ms = total};
    }
    return n;
}

/* Equal ratios, to the millisecond where they are longer than that; an edge that falls on another is left out. */
static void set_edges(struct group *g, int64_t least, int64_t greatest)
{
    g->in_ratios = least > 0 && (double)greatest / 1e6 > 5 * g->quantile[2];
    g->edge[0] = least;
    g->n_edges = 1;
    for (int k = 1; k < GS_DURATION_BINS; k++) {
        const double share = (double)k / GS_DURATION_BINS;
        int64_t at = least + (int64_t)(((double)greatest - (double)least) * share);
        if (g->in_ratios)
            at = (int64_t)((double)least * pow((double)greatest / (double)least, share));
        if (at > GS_NS_PER_MS)
            at -= at % GS_NS_PER_MS;
        if (at > g->edge[g->n_edges - 1] && at < greatest)
            g->edge[g->n_edges++] = at;
    }
    g->edge[g->n_edges++] = greatest > least ? greatest : least + GS_NS_PER_MS;
}

/*
 * The last bin includes its upper edge, all others do not. Otherwise the greatest value would
 * be in no bin.
 */
static void count(struct group *g, const int64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t above = 1; /* the first edge that is above the value */
        GS_BISECT(above, g->n_edges - 1, at, g->edge[at] <= value[i]);
        g->n[above - 1]++;
    }
}

static enum gs_status inspect_at(const struct gs_records *groups, struct group *g,
                                 struct gs_arena *scratch, struct gs_err *err)
{
    static const struct gs_prob prob[N_QUANTILES] = {
        {5, 100}, {25, 100}, {50, 100}, {75, 100}, {95, 100}};
    static const struct gs_prob ends[2] = {{1, 100}, {99, 100}};
    double outer[2] = {0, 0};
    const struct gs_pair_stats *const stats = gs_records_at(groups, g->record);
    int64_t *value, least = INT64_MAX, greatest = INT64_MIN;
    const size_t n = (size_t)stats->durations.n;
    GS_REWINDS(scratch);
    GS_TRY(gs_values_array(&stats->durations, scratch, &value, err));
    GS_TRY(gs_quantiles(value, n, prob, N_QUANTILES, GS_NS_PER_MS, g->quantile, err));
    GS_TRY(gs_quantiles(value, n, ends, 2, GS_NS_PER_MS, outer, err));
    for (size_t i = 0; i < n; i++) {
        least = gs_min(value[i], least);
        greatest = gs_max(value[i], greatest);
    }
    g->first_ms = outer[0];
    g->last_ms = outer[1];
    set_edges(g, least, greatest);
    count(g, value, n);
    return GS_OK;
}

/* --- shapes ------------------------------------------------------------------------------------------- */

/*
 * Pairs by part of the way from the first percentile to the last, along the axis. Values beyond
 * the two percentiles are left out: a single outlier would squeeze the shape into a few points.
 */
static void count_parts(const struct group *g, bool in_ratios, const int64_t *value, size_t n,
                        double *part)
{
    double edge[SHAPE_POINTS + 1];
    for (size_t k = 0; k <= SHAPE_POINTS; k++) {
        const double share = (double)k / SHAPE_POINTS;
        edge[k] = in_ratios ? g->first_ms * pow(g->last_ms / g->first_ms, share)
                            : g->first_ms + (g->last_ms - g->first_ms) * share;
    }
    for (size_t i = 0; i < n; i++) {
        const double ms = (double)value[i] / 1e6;
        size_t above = 1;
        GS_BISECT(above, SHAPE_POINTS, at, edge[at] <= ms);
        part[above - 1] += ms >= g->first_ms && ms <= g->last_ms;
    }
}

/* Silverman's bandwidth, in parts: 0.9 times the lesser of sd and the middle half over 1.34, over n^(1/5). */
static double bandwidth_of(const double *part)
{
    enum { LEAST = 2 }; /* durations are whole milliseconds: a comb would say nothing */
    double n = 0, sum = 0, squares = 0, up_to = 0, quarter[2] = {-1, -1};
    for (size_t k = 0; k < SHAPE_POINTS; k++) {
        n += part[k];
        sum += part[k] * (double)k;
        squares += part[k] * (double)k * (double)k;
    }
    for (size_t k = 0; k < SHAPE_POINTS; k++) {
        up_to += part[k];
        for (int q = 0; q < 2; q++)
            if (quarter[q] < 0 && up_to >= n * (q == 0 ? 0.25 : 0.75))
                quarter[q] = (double)k;
    }
    const double sd = sqrt(fmax(squares / n - sum / n * (sum / n), 0)),
                 half = (quarter[1] - quarter[0]) / 1.34;
    return fmax(0.9 * (half > 0 ? fmin(sd, half) : sd) / pow(n, 0.2), LEAST);
}

/* To four digits, so that what libraries differ in shows nowhere. */
static double rounded(double v)
{
    return round(v * 1e4) / 1e4;
}

/*
 * Epanechnikov's kernel has a finite reach and needs no exp(), whose last digits differ between
 * libraries. The widest point is 1, so groups of any size can be compared.
 */
static void set_shape(struct group *g, bool in_ratios, const int64_t *value, size_t n)
{
    double part[SHAPE_POINTS] = {0}, most = 0;
    g->n_shape = 0;
    if (n < GS_DURATION_FEW || !(g->last_ms > g->first_ms) || (in_ratios && !(g->first_ms > 0)))
        return;
    count_parts(g, in_ratios, value, n, part);
    const double reach = sqrt(5) * bandwidth_of(part);
    for (size_t k = 0; k < SHAPE_POINTS; k++) {
        g->width[k] = 0;
        for (size_t i = 0; i < SHAPE_POINTS; i++) {
            const double far = ((double)i - (double)k) / reach;
            g->width[k] += fabs(far) < 1 ? part[i] * (1 - far * far) : 0;
        }
        most = fmax(most, g->width[k]);
    }
    for (size_t k = 0; k < SHAPE_POINTS; k++) {
        const double share = ((double)k + 0.5) / SHAPE_POINTS;
        g->at_ms[k] = rounded(in_ratios ? g->first_ms * pow(g->last_ms / g->first_ms, share)
                                        : g->first_ms + (g->last_ms - g->first_ms) * share);
        g->width[k] = rounded(g->width[k] / most);
    }
    g->n_shape = SHAPE_POINTS;
}

/* Groups of very different durations share a logarithmic axis. */
static bool differ(const struct group *group, size_t n)
{
    double least = (double)INFINITY, most = 0;
    bool in_ratios = false;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, group[i].quantile[0]);
        most = fmax(most, group[i].quantile[N_QUANTILES - 1]);
        in_ratios |= group[i].in_ratios;
    }
    return in_ratios || most > 20 * least;
}

static enum gs_status set_shapes(const struct gs_records *groups, struct group *group,
                                 struct gs_arena *arena, struct gs_durations *d, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    enum gs_status s = GS_OK;
    size_t n_rows = 0, row = 0;
    d->shapes_in_ratios = differ(group, d->n_groups);
    for (size_t i = 0; i < d->n_groups && s == GS_OK; i++) {
        const struct gs_pair_stats *const stats = gs_records_at(groups, group[i].record);
        GS_REWINDS(&scratch);
        int64_t *value;
        s = gs_values_array(&stats->durations, &scratch, &value, err);
        if (s == GS_OK)
            set_shape(&group[i], d->shapes_in_ratios, value, (size_t)stats->durations.n);
        n_rows += s == GS_OK ? group[i].n_shape : 0;
    }
    GS_THEN(s, gs_frame_new(
                   arena,
                   GS_HEAD("duration-shapes", "Density of durations", GS_COLUMNS(shape_columns)),
                   n_rows, NULL, &d->shapes, err));
    for (size_t i = 0; i < d->n_groups && s == GS_OK; i++)
        for (size_t k = 0; k < group[i].n_shape; k++, row++) {
            GS_PUT(d->shapes, row, GS_TEXT(GROUP, d->name[i]));
            gs_frame_put_real(d->shapes, row, GS_COL_AT_MS, group[i].at_ms[k]);
            GS_PUT(d->shapes, row, GS_REAL(WIDTH, group[i].width[k]));
        }
    return s;
}

static void fill(const struct group *g, struct gs_str name, uint64_t n, struct gs_durations *d,
                 size_t row, size_t *bin)
{
    uint64_t up_to = 0;
    GS_PUT(d->boxes, row, GS_TEXT(GROUP, name), GS_INT(N, (int64_t)n));
    for (size_t q = 0; q < N_QUANTILES; q++)
        gs_frame_set_real(d->boxes, row, 2 + q, g->quantile[q]);
    for (size_t k = 0; k + 1 < g->n_edges; k++, ++*bin) {
        up_to += g->n[k];
        GS_PUT(d->bins, *bin, GS_TEXT(GROUP, name), GS_REAL(FROM_MS, (double)g->edge[k] / 1e6),
               GS_REAL(TO_MS, (double)g->edge[k + 1] / 1e6), GS_INT(N, (int64_t)g->n[k]),
               GS_REAL(SHARE_PCT, 100 * (double)g->n[k] / (double)n),
               GS_REAL(CUMULATIVE_PCT, 100 * (double)up_to / (double)n));
    }
}

static struct gs_str name_of(const struct gs_records *groups, const struct group *g, bool by_level,
                             struct gs_arena *arena)
{
    const union gs_key *const key = gs_records_key(groups, g->record, 1);
    if (!by_level)
        return key->text;
    return gs_str(gs_format(arena, "%lld", (long long)key->number));
}

/*
 * All groups are counted before the first frame is made, because a frame has a fixed number of
 * rows.
 */
enum gs_status gs_durations_of(const struct gs_records *groups, bool by_level,
                               struct gs_arena *arena, struct gs_durations *d, struct gs_err *err)
{
    GS_OWN struct gs_arena scratch = {0};
    struct group group[GS_DURATION_GROUPS] = {{0}};
    size_t n_bins = 0, bin = 0;
    *d = (struct gs_durations){.n_groups = choose_groups(groups, by_level, group),
                               .by_level = by_level};
    for (size_t i = 0; i < d->n_groups; i++) {
        GS_TRY(inspect_at(groups, &group[i], &scratch, err));
        n_bins += d->n_bins[i] = group[i].n_edges - 1;
    }
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("duration-bins", "Distribution of durations", GS_COLUMNS(bin_columns)),
        n_bins, NULL, &d->bins, err));
    GS_TRY(gs_frame_new(
        arena, GS_HEAD("duration-boxes", "Quantiles of durations", GS_COLUMNS(box_columns)),
        d->n_groups, NULL, &d->boxes, err));
    for (size_t i = 0; i < d->n_groups; i++) {
        const struct gs_pair_stats *const stats = gs_records_at(groups, group[i].record);
        d->name[i] = name_of(groups, &group[i], by_level, arena);
        d->n[i] = stats->durations.n;
        d->in_ratios[i] = group[i].in_ratios;
        fill(&group[i], d->name[i], stats->durations.n, d, i, &bin);
    }
    return set_shapes(groups, group, arena, d, err);
}
