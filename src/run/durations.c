/* durations.c - bins and quantiles. */
#include "run/durations.h"

#include <math.h>
#include <string.h>

#include "num/timestamp.h"
#include "stats/quantile.h"
#include "fold/pair_stats.h"

static const struct gs_column_spec bin_columns[] = {
    {"group", "group", "", GS_TYPE_TEXT, 0, "event or level", false},
    {"from_ms", "duration", "ms", GS_TYPE_REAL, 0, "begin of the bin; the first begins at the least duration", false},
    {"to_ms", "to", "ms", GS_TYPE_REAL, 0, "end of the bin, which belongs to the next but for the last", false},
    {"n", "pairs", "", GS_TYPE_INT, 0, "pairs whose duration lies in the bin", false},
    {"share_pct", "share", "%", GS_TYPE_REAL, 2, "n over the group's pairs", false},
    {"cumulative_pct", "up to here", "%", GS_TYPE_REAL, 2, "pairs up to the end of the bin over the group's", false},
};
static const struct gs_column_spec box_columns[] = {
    {"group", "group", "", GS_TYPE_TEXT, 0, "event or level", false},
    {"n", "n", "", GS_TYPE_INT, 0, "pairs of the group", false},
    {"p5_ms", "p5", "ms", GS_TYPE_REAL, 0, "5th percentile of the durations (type 7)", false},
    {"p25_ms", "p25", "ms", GS_TYPE_REAL, 0, "25th percentile", false},
    {"p50_ms", "median", "ms", GS_TYPE_REAL, 0, "median", false},
    {"p75_ms", "p75", "ms", GS_TYPE_REAL, 0, "75th percentile", false},
    {"p95_ms", "p95", "ms", GS_TYPE_REAL, 0, "95th percentile", false},
};
enum { N_QUANTILES = 5 };

/* A group while it is looked at. */
struct group {
    uint32_t record;
    double total_ms;
    size_t n_edges;
    int64_t edge[GS_DURATION_BINS + 1];
    uint64_t n[GS_DURATION_BINS];
    double quantile[N_QUANTILES]; /* ms */
    bool in_ratios;
};

/* The groups of most time, in the order of their keys. */
static size_t choose_groups(const struct gs_records *groups, bool by_level, struct group *group)
{
    size_t n = 0;
    for (uint32_t k = 0; k < groups->n; k++) {
        const struct gs_pair_stats *const s = gs_records_at(groups, k);
        double mean = 0;
        if (s->durations.n == 0 || (by_level && gs_records_key(groups, k, 1)->number == GS_MISSING) ||
            gs_moments_mean(&s->duration, GS_NS_PER_MS, &mean, NULL) != GS_OK)
            continue;
        const double total = mean * (double)s->duration.n;
        if (n == GS_DURATION_GROUPS) {
            size_t least = 0;
            for (size_t i = 1; i < n; i++)
                least = group[i].total_ms < group[least].total_ms ? i : least;
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

static void count(struct group *g, const int64_t *value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t lo = 0, hi = g->n_edges - 1; /* the last edge that is not above the value */
        while (hi - lo > 1) {
            const size_t mid = (lo + hi) / 2;
            if (g->edge[mid] <= value[i])
                lo = mid;
            else
                hi = mid;
        }
        g->n[lo]++;
    }
}

static enum gs_status look_at(const struct gs_records *groups, struct group *g, struct gs_arena *scratch,
                              struct gs_err *err)
{
    static const struct gs_prob prob[N_QUANTILES] = {{5, 100}, {25, 100}, {50, 100}, {75, 100}, {95, 100}};
    const struct gs_pair_stats *const stats = gs_records_at(groups, g->record);
    int64_t *value, least = INT64_MAX, greatest = INT64_MIN;
    const size_t n = (size_t)stats->durations.n;
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    enum gs_status s = gs_values_array(&stats->durations, scratch, &value, err);
    if (s == GS_OK)
        s = gs_quantiles(value, n, prob, N_QUANTILES, GS_NS_PER_MS, g->quantile, err);
    for (size_t i = 0; s == GS_OK && i < n; i++) {
        least = value[i] < least ? value[i] : least;
        greatest = value[i] > greatest ? value[i] : greatest;
    }
    if (s == GS_OK) {
        set_edges(g, least, greatest);
        count(g, value, n);
    }
    gs_arena_rewind(scratch, mark);
    return s;
}

static void fill(const struct group *g, struct gs_str name, uint64_t n, struct gs_durations *d, size_t row, size_t *bin)
{
    uint64_t up_to = 0;
    gs_frame_set_text(d->boxes, row, 0, name);
    gs_frame_set_int(d->boxes, row, 1, (int64_t)n);
    for (size_t q = 0; q < N_QUANTILES; q++)
        gs_frame_set_real(d->boxes, row, 2 + q, g->quantile[q]);
    for (size_t k = 0; k + 1 < g->n_edges; k++, ++*bin) {
        up_to += g->n[k];
        gs_frame_set_text(d->bins, *bin, 0, name);
        gs_frame_set_real(d->bins, *bin, 1, (double)g->edge[k] / 1e6);
        gs_frame_set_real(d->bins, *bin, 2, (double)g->edge[k + 1] / 1e6);
        gs_frame_set_int(d->bins, *bin, 3, (int64_t)g->n[k]);
        gs_frame_set_real(d->bins, *bin, 4, 100 * (double)g->n[k] / (double)n);
        gs_frame_set_real(d->bins, *bin, 5, 100 * (double)up_to / (double)n);
    }
}

static struct gs_str name_of(const struct gs_records *groups, const struct group *g, bool by_level,
                             struct gs_arena *arena)
{
    const union gs_key *const key = gs_records_key(groups, g->record, 1);
    if (!by_level)
        return key->text;
    struct gs_buf b = {.arena = arena};
    gs_buf_format(&b, "%lld", (long long)key->number);
    return gs_buf_str(&b);
}

enum gs_status gs_durations_of(const struct gs_records *groups, bool by_level, struct gs_arena *arena,
                               struct gs_durations *d, struct gs_err *err)
{
    struct gs_arena scratch = {0};
    struct group group[GS_DURATION_GROUPS] = {{0}};
    size_t n_bins = 0, bin = 0;
    *d = (struct gs_durations){.n_groups = choose_groups(groups, by_level, group)};
    enum gs_status s = GS_OK;
    for (size_t i = 0; i < d->n_groups && s == GS_OK; i++) {
        s = look_at(groups, &group[i], &scratch, err);
        n_bins += group[i].n_edges - 1;
    }
    if (s == GS_OK)
        s = gs_frame_new(arena, "duration-bins", "Distribution of durations", bin_columns,
                         sizeof bin_columns / sizeof *bin_columns, n_bins, NULL, &d->bins, err);
    if (s == GS_OK)
        s = gs_frame_new(arena, "duration-boxes", "Quantiles of durations", box_columns,
                         sizeof box_columns / sizeof *box_columns, d->n_groups, NULL, &d->boxes, err);
    for (size_t i = 0; i < d->n_groups && s == GS_OK; i++) {
        const struct gs_pair_stats *const stats = gs_records_at(groups, group[i].record);
        d->name[i] = name_of(groups, &group[i], by_level, arena);
        d->in_ratios[i] = group[i].in_ratios;
        fill(&group[i], d->name[i], stats->durations.n, d, i, &bin);
    }
    gs_arena_release(&scratch);
    return s;
}
