/* populations.c - the best groups on each axis and on two together, and the reasons not to believe them. */
#include "stats/models/populations.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/num/dd.h"
#include "base/num/order.h"
#include "stats/models/kmeans.h"
#include "stats/models/silhouette.h"
#include "stats/descriptive/moments.h"
#include "stats/descriptive/quantile.h"
#include "stats/descriptive/rank.h"

#define OUTLYING_IQRS    3.0
#define LEAST_SILHOUETTE 0.6
#define LEAST_DISTANCE   2.0  /* of two centres, in sums of their groups' deviations */
#define FLOOR_POINTS     0.25 /* noise of the readings: nothing narrower is a deviation */

enum { LEAST_GROUP = 3, LEAST_GROUP_SHARE = 10 /* one in */ };

/*
 * The distance that the best split of n units of one population exceeds in one to five cases of a hundred (simulated, 2,000
 * fleets). With 24 in place of 21, 54 in 100 fleets of 16 GPUs of two kinds 6.7 deviations apart are told apart, with 21
 * 66; of fleets of one kind 4 in 100 are split in the worst shape of 32 GPUs, with 21 6 (tests/unit/test_populations.c).
 */
static double distance_by_chance(size_t n)
{
    return fmax(LEAST_DISTANCE, 1.9 + 21.0 / (double)n);
}

/* The units that have all axes of a candidate, and those of them that take part in the search. */
struct search {
    size_t axis[GS_POPULATIONS_COLUMNS_MAX], d;
    size_t n, n_core;
    uint32_t *unit;                        /* [n], ascending                             */
    bool *aside;                           /* [n]                                        */
    double *x;                             /* [n * d], in points; then standardised      */
    double *core;                          /* [n_core * d], standardised, of those not aside */
    double *column;                        /* [n]                                        */
    double sd[GS_POPULATIONS_COLUMNS_MAX]; /* of the core, in points; 1 where it is constant */
    double least;                          /* points that centres differ by               */
};

/* Fewer than max(3, 10 %)? */
static bool are_few(size_t some, size_t n)
{
    return some < LEAST_GROUP || some * LEAST_GROUP_SHARE < n;
}

static void collect_column(struct search *f, const double *x, size_t n, size_t j)
{
    for (size_t i = 0; i < n; i++)
        f->column[i] = x[i * f->d + j];
}

/* Gathers the units that have all axes f->axis[0..d). */
static enum gs_status begin(struct search *f, const struct gs_populations_input *in,
                            struct gs_arena *scratch, struct gs_err *err)
{
    const size_t n = in->n, d = f->d;
    f->n = f->n_core = 0;
    f->least = in->least;
    GS_TAKE_RAW(f->unit, n, scratch, err);
    GS_TAKE(f->aside, n, scratch, err);
    GS_TAKE_RAW(f->x, n * d, scratch, err);
    GS_TAKE_RAW(f->core, n * d, scratch, err);
    GS_TAKE_RAW(f->column, n, scratch, err);
    for (size_t i = 0; i < n; i++) {
        bool complete = d > 0;
        for (size_t j = 0; j < d; j++) {
            f->x[f->n * d + j] = in->x[i * in->n_columns + f->axis[j]];
            complete &= !isnan(f->x[f->n * d + j]);
        }
        if (complete)
            f->unit[f->n++] = (uint32_t)i;
    }
    for (size_t j = 0; f->n > 0 && j < d; j++) {
        double median = 0;
        if ((in->relative >> f->axis[j] & 1) == 0)
            continue;
        collect_column(f, f->x, f->n, j);
        GS_TRY(gs_real_quantiles(f->column, f->n, &GS_PROB_MEDIAN, 1, scratch, &median, err));
        /* A metric whose median is 0 has no relative scale and keeps its own unit. */
        for (size_t i = 0; median != 0 && i < f->n; i++)
            f->x[i * d + j] *= 100 / fabs(median);
    }
    return GS_OK;
}

static enum gs_status set_aside(struct search *f, struct gs_arena *scratch, size_t *n_aside,
                                struct gs_err *err)
{
    static const struct gs_prob quartiles[] = {{1, 4}, {3, 4}};
    double q[2];
    size_t n = 0;
    for (size_t j = 0; j < f->d; j++) {
        collect_column(f, f->x, f->n, j);
        GS_TRY(gs_real_quantiles(f->column, f->n, quartiles, 2, scratch, q, err));
        const double far = OUTLYING_IQRS * (q[1] - q[0]);
        for (size_t i = 0; i < f->n; i++)
            f->aside[i] |= f->column[i] < q[0] - far || f->column[i] > q[1] + far;
    }
    for (size_t i = 0; i < f->n; i++)
        n += f->aside[i];
    /*
     * Outliers are few by definition. If they are not few, they are a group and must take part.
     */
    if (!are_few(n, f->n)) {
        memset(f->aside, 0, f->n * sizeof *f->aside);
        n = 0;
    }
    *n_aside = n;
    return GS_OK;
}

/* Gathers the core and standardises all rows by it. Returns whether every axis is wide enough to divide units. */
static bool standardise(struct search *f)
{
    bool wide = true;
    for (size_t i = 0; i < f->n; i++)
        if (!f->aside[i])
            memcpy(f->core + f->n_core++ * f->d, f->x + i * f->d, f->d * sizeof *f->x);
    for (size_t j = 0; j < f->d; j++) {
        collect_column(f, f->core, f->n_core, j);
        const struct gs_real_moments m = gs_real_describe(f->column, f->n_core);
        f->sd[j] = m.max > m.min ? m.ssd : 1;
        wide &= m.max > m.min && m.ssd >= FLOOR_POINTS;
        for (size_t i = 0; i < f->n; i++)
            f->x[i * f->d + j] = (f->x[i * f->d + j] - m.mean) / f->sd[j];
    }
    for (size_t i = 0, row = 0; i < f->n; i++)
        if (!f->aside[i])
            memcpy(f->core + row++ * f->d, f->x + i * f->d, f->d * sizeof *f->x);
    return wide;
}

/* --- one axis ----------------------------------------------------------------------------------------- */

/* The core in ascending order with running sums, and the cheapest ways to cut its first rows. */
struct line {
    size_t n, least;                   /* least: rows of a group                          */
    uint32_t *order;                   /* [n]                                             */
    double *sum, *square;              /* [n + 1], of the rows before                     */
    double *cost, *next;               /* [n + 1], of the first rows in q, q + 1 groups   */
    uint32_t *cut[GS_POPULATIONS_MAX]; /* [n + 1], where the last group begins */
};

static enum gs_status begin_line(const struct search *f, struct line *l, struct gs_arena *scratch,
                                 struct gs_err *err)
{
    const size_t n = f->n_core, least = (f->n + LEAST_GROUP_SHARE - 1) / LEAST_GROUP_SHARE;
    GS_NEW_RAW(int64_t, key, n, scratch, err);
    GS_NEW(double, room, 4 * (n + 1), scratch, err);
    GS_NEW(uint32_t, places, n + GS_POPULATIONS_MAX * (n + 1), scratch, err);
    *l = (struct line){.n = n,
                       .least = gs_max(LEAST_GROUP, least),
                       .order = places,
                       .sum = room,
                       .square = room + n + 1,
                       .cost = room + 2 * (n + 1),
                       .next = room + 3 * (n + 1)};
    for (size_t q = 0; q < GS_POPULATIONS_MAX; q++)
        l->cut[q] = places + n + q * (n + 1);
    for (size_t i = 0; i < n; i++)
        key[i] = gs_real_key(f->core[i]);
    GS_TRY(gs_order(key, n, l->order, scratch, err));
    for (size_t i = 0; i < n; i++) {
        const double y = f->core[l->order[i]];
        l->sum[i + 1] = l->sum[i] + y;
        l->square[i + 1] = l->square[i] + y * y;
    }
    return GS_OK;
}

/*
 * Differences of running sums: O(1) for any group. Values are standardised before, so the sums of
 * squares hardly cancel.
 */
static double cost_of(const struct line *l, size_t from, size_t to)
{
    const double sum = l->sum[to] - l->sum[from];
    return l->square[to] - l->square[from] - sum * sum / (double)(to - from);
}

/*
 * Where the last of q + 1 groups of the first `end` rows best begins, for ends [from, to], within [low, high]: the
 * place never moves back as the end moves on, so each half of the ends needs only its part of the places.
 */
static void cut_between(struct line *l, size_t q, size_t from, size_t to, size_t low, size_t high)
{
    while (from <= to) {
        const size_t end = from + (to - from) / 2;
        const size_t last = gs_min(end - l->least, high);
        size_t best = low;
        double least = INFINITY;
        for (size_t i = low; i <= last; i++) {
            const double c = l->cost[i] + cost_of(l, i, end);
            best = c < least ? i : best;
            least = gs_min(c, least);
        }
        l->next[end] = least;
        l->cut[q][end] = (uint32_t)best;
        if (end > from)
            cut_between(l, q, from, end - 1, low, best);
        from = end + 1;
        low = best;
    }
}

/* The least sum of squares in k groups of at least l->least rows each: the exact k-means of a line. n >= k * least. */
static void cut_line(struct line *l, struct gs_kmeans *fit)
{
    const size_t k = fit->k;
    for (size_t e = l->least; e <= l->n; e++)
        l->cost[e] = cost_of(l, 0, e);
    for (size_t q = 1; q < k; q++) {
        cut_between(l, q, (q + 1) * l->least, l->n, q * l->least, l->n);
        double *const swap = l->cost;
        l->cost = l->next;
        l->next = swap;
    }
    for (size_t c = k, end = l->n; c-- > 0;) {
        const size_t from = c > 0 ? l->cut[c][end] : 0;
        fit->size[c] = end - from;
        fit->centre[c] = (l->sum[end] - l->sum[from]) / (double)(end - from);
        for (size_t i = from; i < end; i++)
            fit->label[l->order[i]] = (uint32_t)c;
        end = from;
    }
}

/* --- belief ------------------------------------------------------------------------------------------- */

/* The deviation of a group of the core along a line. */
static double deviation_along(struct search *f, const struct gs_kmeans *fit, uint32_t c,
                              const double *line)
{
    double floor = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->n_core; i++) {
        if (fit->label[i] != c)
            continue;
        double along = 0;
        for (size_t j = 0; j < f->d; j++)
            along += f->core[i * f->d + j] * line[j];
        f->column[n++] = along;
    }
    for (size_t j = 0; j < f->d; j++)
        floor += line[j] * line[j] * (FLOOR_POINTS / f->sd[j]) * (FLOOR_POINTS / f->sd[j]);
    /*
     * Never below the noise of readings: a group of identical values would be infinitely far from
     * any other.
     */
    return fmax(gs_real_describe(f->column, n).ssd, sqrt(floor));
}

/* How far two groups lie apart, in sums of their deviations; 0 where their centres differ by too few points. */
static double apart(struct search *f, const struct gs_kmeans *fit, uint32_t a, uint32_t b)
{
    const double *const za = fit->centre + a * f->d, *const zb = fit->centre + b * f->d;
    const double between = sqrt(gs_squared_distance(za, zb, f->d));
    double line[GS_POPULATIONS_COLUMNS_MAX];
    bool differ = false;
    for (size_t j = 0; j < f->d; j++) {
        line[j] = (zb[j] - za[j]) / between;
        differ |= fabs(zb[j] - za[j]) * f->sd[j] >= f->least;
    }
    if (!(between > 0) || !differ)
        return 0;
    return between / (deviation_along(f, fit, a, line) + deviation_along(f, fit, b, line));
}

enum belief { REFUSED, DOUBTED, ACCEPTED };

/* All but the silhouette, which costs the most. */
static enum belief weigh(struct search *f, const struct gs_kmeans *fit)
{
    enum belief belief = ACCEPTED;
    for (uint32_t a = 0; a < fit->k; a++)
        if (are_few(fit->size[a], f->n))
            return REFUSED;
    for (uint32_t a = 0; a < fit->k; a++)
        for (uint32_t b = a + 1; b < fit->k; b++) {
            const double t = apart(f, fit, a, b);
            if (!(t > LEAST_DISTANCE))
                return REFUSED;
            if (!(t > distance_by_chance(fit->size[a] + fit->size[b])))
                belief = DOUBTED;
        }
    return belief;
}

/* What is believed so far. */
struct chosen {
    struct search search;
    struct gs_kmeans fit; /* k = 1: one population */
    double silhouette;    /* of the fit            */
    size_t n_aside;
    bool doubted;
};

/* The best k groups of one candidate, and what to believe of them. GS_ERR_RANGE: fewer than k rows differ. */
static enum gs_status try_number(struct search *f, struct line *l, struct gs_kmeans *fit,
                                 enum belief *belief, double *silhouette, struct gs_arena *own,
                                 struct gs_arena *scratch)
{
    enum gs_status s = GS_OK;
    if (f->d == 1) {
        GS_TAKE_RAW(fit->label, f->n_core, own, NULL);
        GS_TAKE_RAW(fit->centre, fit->k, own, NULL);
        GS_TAKE_RAW(fit->size, fit->k, own, NULL);
        cut_line(l, fit);
    } else {
        s = gs_kmeans_fit(&(struct gs_kmeans_rows){f->core, f->n_core, f->d}, fit->k, own, scratch,
                          fit, NULL);
    }
    if (s != GS_OK)
        return s;
    *belief = weigh(f, fit);
    if (*belief == REFUSED)
        return GS_OK;
    struct gs_partition part = {.k = fit->k, .label = fit->label};
    s = gs_silhouettes(f->core, f->n_core, f->d, &part, 1, scratch, NULL);
    *silhouette = part.silhouette;
    if (!(part.silhouette >= LEAST_SILHOUETTE))
        *belief = REFUSED;
    return s;
}

/* Tries 2, 3, 4 groups on the axes of f. Of what is accepted the most groups win, then the greatest silhouette. */
static enum gs_status try_axes(const struct gs_populations_input *in, struct search *f,
                               struct chosen *best, struct gs_arena *own, struct gs_arena *scratch,
                               struct gs_err *err)
{
    struct line l = {.least = LEAST_GROUP};
    size_t n_aside = 0;
    enum gs_status s = begin(f, in, scratch, err);
    if (s == GS_OK && f->n > 0)
        s = set_aside(f, scratch, &n_aside, err);
    if (s != GS_OK || f->n == 0 || !standardise(f))
        return s;
    if (f->d == 1)
        s = begin_line(f, &l, scratch, err);
    for (size_t k = 2; s == GS_OK && k <= GS_POPULATIONS_MAX && k * l.least <= f->n_core; k++) {
        struct gs_kmeans fit = {.n = f->n_core, .n_columns = f->d, .k = k};
        enum belief belief = REFUSED;
        double silhouette = 0;
        s = try_number(f, &l, &fit, &belief, &silhouette, own, scratch);
        if (s == GS_ERR_RANGE)
            return GS_OK;
        GS_TRY(gs_had_memory(s == GS_OK, err));
        best->doubted |= belief == DOUBTED;
        if (belief == REFUSED || (belief == DOUBTED && !in->lenient))
            continue;
        if (k > best->fit.k || (k == best->fit.k && silhouette > best->silhouette)) {
            best->search = *f;
            best->fit = fit;
            best->silhouette = silhouette;
            best->n_aside = n_aside;
        }
    }
    return s;
}

/* Every axis alone, and the first two together. */
static enum gs_status choose(const struct gs_populations_input *in, struct chosen *best,
                             struct gs_arena *own, struct gs_arena *scratch, struct gs_err *err)
{
    for (size_t c = 0; c < in->n_columns + in->joint; c++) {
        struct search f = {.axis = {c}, .d = 1};
        if (c == in->n_columns)
            f = (struct search){.axis = {0, 1}, .d = 2};
        GS_TRY(try_axes(in, &f, best, own, scratch, err));
    }
    return GS_OK;
}

/* As many groups as were asked for, of all units, on all columns together. */
static enum gs_status take_asked(const struct gs_populations_input *in, struct chosen *c,
                                 struct gs_arena *own, struct gs_arena *scratch, struct gs_err *err)
{
    struct search *const f = &c->search;
    for (f->d = 0; f->d < in->n_columns; f->d++)
        f->axis[f->d] = f->d;
    GS_TRY(begin(f, in, scratch, err));
    if (f->n == 0)
        return gs_fail(err, GS_ERR_RANGE, "clusters undefined: fewer than %zu distinct rows",
                       in->k);
    (void)standardise(f);
    return gs_kmeans_fit(&(struct gs_kmeans_rows){f->core, f->n_core, f->d}, in->k, own, scratch,
                         &c->fit, err);
}

/* Each unit's population: the core's as found, the others' by the nearest centre, the lower number at a tie. */
static void assign(const struct search *f, const struct gs_kmeans *fit, struct gs_populations *r)
{
    size_t row = 0;
    for (size_t i = 0; i < f->n; i++) {
        uint32_t own = 0;
        if (!f->aside[i]) {
            own = fit->label[row++];
        } else {
            double least = INFINITY;
            for (uint32_t c = 0; c < fit->k; c++) {
                const double there =
                    sqrt(gs_squared_distance(f->x + i * f->d, fit->centre + c * f->d, f->d));
                own = there < least ? c : own;
                least = gs_min(there, least);
            }
        }
        r->of[f->unit[i]] = own;
        r->size[own]++;
    }
}

/* The rows that distances are measured to: side by side, for they are gone through once for every unit. */
struct sample {
    size_t m;
    size_t *row;  /* [m], ascending            */
    uint32_t *of; /* [m], population of each   */
    double *x;    /* [m * d], standardised     */
};

static enum gs_status collect_sample(const struct search *f, const struct gs_populations *r,
                                     struct gs_arena *scratch, struct sample *sample,
                                     struct gs_err *err)
{
    const size_t m = gs_min(f->n, GS_SILHOUETTE_ROWS_MAX);
    *sample = (struct sample){.m = m};
    GS_TAKE_RAW(sample->row, m, scratch, err);
    GS_TAKE_RAW(sample->of, m, scratch, err);
    GS_TAKE_RAW(sample->x, m * f->d, scratch, err);
    for (size_t k = 0; k < m; k++) {
        sample->row[k] = gs_silhouette_row(k, m, f->n);
        sample->of[k] = r->of[f->unit[sample->row[k]]];
        memcpy(sample->x + k * f->d, f->x + sample->row[k] * f->d, f->d * sizeof *sample->x);
    }
    return GS_OK;
}

/* One unit's mean distances to every population, against the rows of the sample. */
static void place(const struct search *f, const struct gs_populations *r,
                  const struct sample *sample, size_t i, double *silhouette, uint32_t *next)
{
    double sum[GS_KMEANS_K_MAX] = {0};
    size_t n[GS_KMEANS_K_MAX] = {0};
    const uint32_t own = r->of[f->unit[i]];
    for (size_t k = 0; k < sample->m; k++) {
        if (sample->row[k] == i)
            continue;
        sum[sample->of[k]] +=
            sqrt(gs_squared_distance(f->x + i * f->d, sample->x + k * f->d, f->d));
        n[sample->of[k]]++;
    }
    double outside = INFINITY;
    *next = GS_POPULATION_NONE;
    for (uint32_t c = 0; c < r->k; c++)
        if (c != own && n[c] > 0 && sum[c] / (double)n[c] < outside) {
            outside = sum[c] / (double)n[c];
            *next = c;
        }
    const double inside = n[own] > 0 ? sum[own] / (double)n[own] : 0;
    const double widest = fmax(inside, outside);
    *silhouette = n[own] > 0 && isfinite(widest) && widest > 0 ? (outside - inside) / widest : 0;
}

static enum gs_status measure(const struct search *f, struct gs_arena *scratch,
                              struct gs_populations *r, struct gs_err *err)
{
    struct sample sample;
    struct gs_dd total = gs_dd_of(0);
    GS_TRY(collect_sample(f, r, scratch, &sample, err));
    for (size_t i = 0; i < f->n; i++) {
        const uint32_t u = f->unit[i];
        place(f, r, &sample, i, &r->silhouette[u], &r->next[u]);
        total = gs_dd_add(total, gs_dd_of(r->silhouette[u]));
    }
    r->mean_silhouette = gs_dd_to_double(total) / (double)f->n;
    return GS_OK;
}

static enum gs_status find(const struct gs_populations_input *in, struct gs_arena *arena,
                           struct gs_arena *own, struct gs_arena *scratch,
                           struct gs_populations *result, struct gs_err *err)
{
    struct chosen c = {.fit = {.k = 1}, .silhouette = -INFINITY};
    struct gs_populations r = {.n = in->n, .mean_silhouette = NAN};
    if (in->k == 0)
        GS_TRY(choose(in, &c, own, scratch, err));
    else if (in->k > 1)
        GS_TRY(take_asked(in, &c, own, scratch, err));
    r.k = c.fit.k;
    r.doubted = c.doubted;
    r.n_aside = c.n_aside;
    GS_TAKE_RAW(r.of, r.n, arena, err);
    GS_TAKE_RAW(r.next, r.n, arena, err);
    GS_TAKE_RAW(r.silhouette, r.n, arena, err);
    GS_TAKE(r.size, r.k, arena, err);
    for (size_t i = 0; i < r.n; i++) {
        r.of[i] = r.k == 1 ? 0 : GS_POPULATION_NONE;
        r.next[i] = GS_POPULATION_NONE;
        r.silhouette[i] = NAN;
    }
    if (r.k == 1)
        r.size[0] = r.n;
    else {
        for (size_t j = 0; j < c.search.d; j++)
            r.axes |= 1u << c.search.axis[j];
        assign(&c.search, &c.fit, &r);
        GS_TRY(measure(&c.search, scratch, &r, err));
    }
    *result = r;
    return GS_OK;
}

enum gs_status gs_populations_find(const struct gs_populations_input *in, struct gs_arena *arena,
                                   struct gs_arena *scratch, struct gs_populations *result,
                                   struct gs_err *err)
{
    assert(arena != scratch && in->n_columns <= GS_POPULATIONS_COLUMNS_MAX &&
           in->k <= GS_KMEANS_K_MAX);
    GS_OWN struct gs_arena own = {0};
    GS_REWINDS(scratch);
    return find(in, arena, &own, scratch, result, err);
}
