/* populations.c - k-means, and the reasons not to believe it. */
#include "stats/models/populations.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/num/dd.h"
#include "stats/models/kmeans.h"
#include "stats/models/silhouette.h"
#include "stats/exact/moments.h"
#include "stats/exact/quantile.h"
#include "base/num/order.h"

#define OUTLYING_IQRS    3.0
#define LEAST_SILHOUETTE 0.6
#define LEAST_DISTANCE   2.0 /* of two centres, in sums of their groups' deviations */

enum { LEAST_GROUP = 3, LEAST_GROUP_SHARE = 10 /* one in */ };

/* The units that have all columns, and those of them that take part in the search. */
struct search {
    size_t d; /* columns                                       */
    size_t n, n_core;
    uint32_t *unit; /* [n], ascending                                */
    bool *aside;    /* [n]                                           */
    double *x;      /* [n * d], input units, all; then standardised  */
    double *core;   /* [n_core * d], input units, of those not aside */
    double *column; /* [n]                                           */
    double mean[GS_POPULATIONS_COLUMNS_MAX],
        sd[GS_POPULATIONS_COLUMNS_MAX]; /* of the core; sd 0: constant */
};

static bool is_complete(const double *row, size_t d)
{
    for (size_t j = 0; j < d; j++)
        if (isnan(row[j]))
            return false;
    return d > 0;
}

/* Fewer than max(3, 10 %)? */
static bool are_few(size_t some, size_t n)
{
    return some < LEAST_GROUP || some * LEAST_GROUP_SHARE < n;
}

static enum gs_status begin(struct search *f, const double *x, size_t n, size_t d,
                            struct gs_arena *scratch, struct gs_err *err)
{
    *f = (struct search){.d = d,
                         .unit = gs_arena_take_raw(scratch, n, sizeof *f->unit),
                         .aside = gs_arena_take(scratch, n, sizeof *f->aside),
                         .x = gs_arena_take_raw(scratch, n * d, sizeof *f->x),
                         .core = gs_arena_take_raw(scratch, n * d, sizeof *f->core),
                         .column = gs_arena_take_raw(scratch, n, sizeof *f->column)};
    if (f->unit == NULL || f->aside == NULL || f->x == NULL || f->core == NULL || f->column == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        if (is_complete(x + i * d, d)) {
            memcpy(f->x + f->n * d, x + i * d, d * sizeof *x);
            f->unit[f->n++] = (uint32_t)i;
        }
    return GS_OK;
}

static void collect_column(struct search *f, const double *x, size_t n, size_t j)
{
    for (size_t i = 0; i < n; i++)
        f->column[i] = x[i * f->d + j];
}

static enum gs_status set_aside(struct search *f, struct gs_arena *scratch, size_t *n_aside,
                                struct gs_err *err)
{
    static const struct gs_prob quartiles[] = {{1, 4}, {3, 4}};
    double q[2];
    size_t n = 0;
    for (size_t j = 0; j < f->d; j++) {
        collect_column(f, f->x, f->n, j);
        const enum gs_status s = gs_real_quantiles(f->column, f->n, quartiles, 2, scratch, q, err);
        if (s != GS_OK)
            return s;
        const double far = OUTLYING_IQRS * (q[1] - q[0]);
        for (size_t i = 0; i < f->n; i++)
            f->aside[i] |= f->column[i] < q[0] - far || f->column[i] > q[1] + far;
    }
    for (size_t i = 0; i < f->n; i++)
        n += f->aside[i];
    if (!are_few(n, f->n)) {
        memset(f->aside, 0, f->n * sizeof *f->aside);
        n = 0;
    }
    *n_aside = n;
    return GS_OK;
}

/* Gathers the core and standardises all rows by it. */
static void standardise(struct search *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (!f->aside[i])
            memcpy(f->core + f->n_core++ * f->d, f->x + i * f->d, f->d * sizeof *f->x);
    for (size_t j = 0; j < f->d; j++) {
        collect_column(f, f->core, f->n_core, j);
        const struct gs_real_moments m = gs_real_describe(f->column, f->n_core);
        f->mean[j] = m.mean;
        f->sd[j] = m.max > m.min ? m.ssd : 0;
        for (size_t i = 0; i < f->n; i++)
            f->x[i * f->d + j] = f->sd[j] > 0 ? (f->x[i * f->d + j] - m.mean) / m.ssd : 0;
    }
}

static void standard_centre(const struct search *f, const struct gs_kmeans *fit, uint32_t c,
                            double *z)
{
    for (size_t j = 0; j < f->d; j++)
        z[j] = f->sd[j] > 0 ? (fit->centre[c * f->d + j] - f->mean[j]) / f->sd[j] : 0;
}

static double distance(const double *a, const double *b, size_t d)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sqrt(sum);
}

/* The deviation of a group of the core along a line. */
static double deviation_along(struct search *f, const struct gs_kmeans *fit, uint32_t c,
                              const double *line)
{
    size_t n = 0, row = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->aside[i])
            continue;
        if (fit->label[row++] != c)
            continue;
        double along = 0;
        for (size_t j = 0; j < f->d; j++)
            along += f->x[i * f->d + j] * line[j];
        f->column[n++] = along;
    }
    return gs_real_describe(f->column, n).ssd;
}

static bool are_apart(struct search *f, const struct gs_kmeans *fit, uint32_t a, uint32_t b)
{
    double za[GS_POPULATIONS_COLUMNS_MAX], zb[GS_POPULATIONS_COLUMNS_MAX],
        line[GS_POPULATIONS_COLUMNS_MAX];
    standard_centre(f, fit, a, za);
    standard_centre(f, fit, b, zb);
    const double between = distance(za, zb, f->d);
    if (!(between > 0))
        return false;
    for (size_t j = 0; j < f->d; j++)
        line[j] = (zb[j] - za[j]) / between;
    return between >
           LEAST_DISTANCE * (deviation_along(f, fit, a, line) + deviation_along(f, fit, b, line));
}

static bool is_acceptable(struct search *f, const struct gs_kmeans *fit)
{
    if (!(fit->silhouette >= LEAST_SILHOUETTE))
        return false;
    for (uint32_t a = 0; a < fit->k; a++)
        if (are_few(fit->size[a], f->n))
            return false;
    for (uint32_t a = 0; a < fit->k; a++)
        for (uint32_t b = a + 1; b < fit->k; b++)
            if (!are_apart(f, fit, a, b))
                return false;
    return true;
}

/* The best of the acceptable, or one population: k = 1 and no label. */
static enum gs_status choose(struct search *f, struct gs_arena *own, struct gs_arena *scratch,
                             struct gs_kmeans *best, struct gs_err *err)
{
    *best = (struct gs_kmeans){.k = 1, .silhouette = -INFINITY};
    for (size_t k = 2; k <= GS_POPULATIONS_MAX && k <= f->n_core; k++) {
        struct gs_kmeans fit;
        /* Too few rows that differ are no failure, and must leave no trace of one. */
        const enum gs_status s =
            gs_kmeans_fit(f->core, f->n_core, f->d, k, own, scratch, &fit, NULL);
        if (s == GS_ERR_RANGE)
            break;
        if (s != GS_OK)
            return gs_fail_memory(err);
        if (fit.silhouette > best->silhouette && is_acceptable(f, &fit))
            *best = fit;
    }
    return GS_OK;
}

/* Each unit's population: the core's as found, the others' by the nearest centre, the lower number at a tie. */
static void assign(const struct search *f, const struct gs_kmeans *fit, struct gs_populations *r)
{
    double z[GS_POPULATIONS_COLUMNS_MAX];
    size_t row = 0;
    for (size_t i = 0; i < f->n; i++) {
        uint32_t own = 0;
        if (!f->aside[i]) {
            own = fit->label[row++];
        } else {
            double least = INFINITY;
            for (uint32_t c = 0; c < fit->k; c++) {
                standard_centre(f, fit, c, z);
                const double there = distance(f->x + i * f->d, z, f->d);
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
    *sample = (struct sample){m, gs_arena_take_raw(scratch, m, sizeof *sample->row),
                              gs_arena_take_raw(scratch, m, sizeof *sample->of),
                              gs_arena_take_raw(scratch, m * f->d, sizeof *sample->x)};
    if (sample->row == NULL || sample->of == NULL || sample->x == NULL)
        return gs_fail_memory(err);
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
        sum[sample->of[k]] += distance(f->x + i * f->d, sample->x + k * f->d, f->d);
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
    const enum gs_status s = collect_sample(f, r, scratch, &sample, err);
    if (s != GS_OK)
        return s;
    for (size_t i = 0; i < f->n; i++) {
        const uint32_t u = f->unit[i];
        place(f, r, &sample, i, &r->silhouette[u], &r->next[u]);
        total = gs_dd_add(total, gs_dd_of(r->silhouette[u]));
    }
    r->mean_silhouette = gs_dd_to_double(total) / (double)f->n;
    return GS_OK;
}

static enum gs_status inspect(struct search *f, size_t k, struct gs_arena *own,
                              struct gs_arena *scratch, struct gs_kmeans *fit,
                              struct gs_populations *r, struct gs_err *err)
{
    enum gs_status s = GS_OK;
    if (k == 0 && f->n > 0)
        s = set_aside(f, scratch, &r->n_aside, err);
    if (s != GS_OK)
        return s;
    standardise(f);
    if (k > 0)
        return gs_kmeans_fit(f->core, f->n_core, f->d, k, own, scratch, fit, err);
    s = choose(f, own, scratch, fit, err);
    if (fit->k == 1)
        r->n_aside = 0;
    return s;
}

static enum gs_status find(const double *x, size_t n, size_t d, size_t k, struct gs_arena *arena,
                           struct gs_arena *own, struct gs_arena *scratch,
                           struct gs_populations *result, struct gs_err *err)
{
    struct search f;
    struct gs_kmeans fit = {.k = 1};
    struct gs_populations r = {.n = n, .n_columns = d, .mean_silhouette = NAN};
    enum gs_status s = begin(&f, x, n, d, scratch, err);
    if (s == GS_OK && k > 1 && f.n == 0)
        return gs_fail(err, GS_ERR_RANGE, "clusters undefined: fewer than %zu distinct rows", k);
    if (s == GS_OK && k != 1)
        s = inspect(&f, k, own, scratch, &fit, &r, err);
    if (s != GS_OK)
        return s;
    r.k = fit.k;
    r.of = gs_arena_take_raw(arena, n, sizeof *r.of);
    r.next = gs_arena_take_raw(arena, n, sizeof *r.next);
    r.silhouette = gs_arena_take_raw(arena, n, sizeof *r.silhouette);
    r.size = gs_arena_take(arena, r.k, sizeof *r.size);
    if (r.of == NULL || r.next == NULL || r.silhouette == NULL || r.size == NULL)
        return gs_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        r.of[i] = r.k == 1 ? 0 : GS_POPULATION_NONE;
        r.next[i] = GS_POPULATION_NONE;
        r.silhouette[i] = NAN;
    }
    if (r.k == 1) {
        r.size[0] = n;
    } else {
        assign(&f, &fit, &r);
        s = measure(&f, scratch, &r, err);
    }
    if (s == GS_OK)
        *result = r;
    return s;
}

enum gs_status gs_populations_find(const double *x, size_t n, size_t n_columns, size_t k,
                                   struct gs_arena *arena, struct gs_arena *scratch,
                                   struct gs_populations *result, struct gs_err *err)
{
    assert(arena != scratch && n_columns <= GS_POPULATIONS_COLUMNS_MAX && k <= GS_KMEANS_K_MAX);
    struct gs_arena own = {0};
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const enum gs_status s = find(x, n, n_columns, k, arena, &own, scratch, result, err);
    gs_arena_rewind(scratch, mark);
    gs_arena_release(&own);
    return s;
}
