/* kmeans.c - Lloyd's iteration from two starts that involve no chance. */
#include "stats/models/kmeans.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "stats/descriptive/moments.h"
#include "base/num/ddsum.h"
#include "base/num/order.h"

enum { LLOYD_ROUNDS_MAX = 1000, AXIS_ROUNDS = 100 };

/* Standardised rows and the room for one attempt. */
struct work {
    size_t n, d;
    double *z;        /* [n * d]                     */
    double *distance; /* [n], squared                */
    double *centre;   /* [k_max * d]                 */
    double *sum;      /* [k_max * d]                 */
    double *scatter;  /* [d * d] of one cluster      */
    size_t *size;     /* [k_max]                     */
    uint32_t *label;  /* [n]                         */
};

static const double *row(const struct work *w, size_t i)
{
    return w->z + i * w->d;
}

static enum gs_status prepare(struct work *w, const struct gs_kmeans_rows *rows, size_t k_max,
                              struct gs_arena *scratch, struct gs_err *err)
{
    const size_t n = rows->n, d = rows->n_columns;
    *w = (struct work){.n = n, .d = d};
    GS_TAKE(w->z, n * d, scratch, err);
    GS_TAKE(w->distance, n, scratch, err);
    GS_TAKE(w->centre, k_max * d, scratch, err);
    GS_TAKE(w->sum, k_max * d, scratch, err);
    GS_TAKE(w->scatter, d * d, scratch, err);
    GS_TAKE(w->size, k_max, scratch, err);
    GS_TAKE(w->label, n, scratch, err);
    for (size_t j = 0; j < d; j++) {
        for (size_t i = 0; i < n; i++)
            w->distance[i] = rows->x[i * d + j];
        const struct gs_real_moments m = gs_real_describe(w->distance, n);
        /*
         * A constant column stays 0: its deviation is 0 or only rounding, and dividing by it would
         * make noise the widest axis.
         */
        for (size_t i = 0; m.max > m.min && i < n; i++)
            w->z[i * d + j] = (rows->x[i * d + j] - m.mean) / m.ssd;
    }
    return GS_OK;
}

static size_t farthest(const struct work *w)
{
    size_t at = 0;
    for (size_t i = 1; i < w->n; i++) {
        if (w->distance[i] > w->distance[at])
            at = i;
    }
    return at;
}

/* Rows each farthest from those before, the first from the mean of all. Returns how many differ, at most k.
 */
static size_t start_far(struct work *w, size_t k)
{
    static const double origin[GS_KMEANS_COLUMNS_MAX];
    for (size_t i = 0; i < w->n; i++)
        w->distance[i] = gs_squared_distance(row(w, i), origin, w->d);
    for (size_t c = 0; c < k; c++) {
        const size_t at = farthest(w);
        if (c > 0 && !(w->distance[at] > 0.0))
            return c;
        double *const centre = w->centre + c * w->d;
        memcpy(centre, row(w, at), w->d * sizeof *centre);
        for (size_t i = 0; i < w->n; i++) {
            const double d = gs_squared_distance(row(w, i), centre, w->d);
            w->distance[i] = c == 0 || d < w->distance[i] ? d : w->distance[i];
        }
    }
    return k;
}

/* Sets centre and size of every cluster from the labels. */
static void average(struct work *w, size_t k)
{
    memset(w->sum, 0, k * w->d * sizeof *w->sum);
    memset(w->size, 0, k * sizeof *w->size);
    for (size_t i = 0; i < w->n; i++) {
        double *const sum = w->sum + w->label[i] * w->d;
        for (size_t j = 0; j < w->d; j++)
            sum[j] += row(w, i)[j];
        w->size[w->label[i]]++;
    }
    for (size_t c = 0; c < k; c++) {
        for (size_t j = 0; w->size[c] > 0 && j < w->d; j++)
            w->centre[c * w->d + j] = w->sum[c * w->d + j] / (double)w->size[c];
    }
}

/* The direction in which a cluster is widest, by power iteration on its scatter matrix. */
static void principal_axis(const struct work *w, uint32_t c, double axis[GS_KMEANS_COLUMNS_MAX])
{
    const size_t d = w->d;
    const double *const centre = w->centre + c * d;
    double *const scatter = w->scatter;
    memset(scatter, 0, d * d * sizeof *scatter);
    for (size_t i = 0; i < w->n; i++) {
        if (w->label[i] != c)
            continue;
        for (size_t a = 0; a < d; a++) {
            for (size_t b = 0; b < d; b++)
                scatter[a * d + b] += (row(w, i)[a] - centre[a]) * (row(w, i)[b] - centre[b]);
        }
    }
    size_t widest = 0;
    for (size_t a = 1; a < d; a++)
        widest = scatter[a * d + a] > scatter[widest * d + widest] ? a : widest;
    memset(axis, 0, d * sizeof *axis);
    axis[widest] = 1.0;
    for (int round = 0; round < AXIS_ROUNDS; round++) {
        double next[GS_KMEANS_COLUMNS_MAX] = {0}, length = 0.0;
        for (size_t a = 0; a < d; a++) {
            for (size_t b = 0; b < d; b++)
                next[a] += scatter[a * d + b] * axis[b];
            length += next[a] * next[a];
        }
        length = sqrt(length);
        if (!(length > 0.0))
            return;
        for (size_t a = 0; a < d; a++)
            axis[a] = next[a] / length;
    }
}

/* Splits the widest cluster at its mean again and again. Returns false where rounding leaves nothing to
 * split. */
static bool start_split(struct work *w, size_t k)
{
    memset(w->label, 0, w->n * sizeof *w->label);
    for (size_t have = 1; have < k; have++) {
        average(w, have);
        double spread[GS_KMEANS_K_MAX] = {0};
        for (size_t i = 0; i < w->n; i++)
            spread[w->label[i]] +=
                gs_squared_distance(row(w, i), w->centre + w->label[i] * w->d, w->d);
        uint32_t widest = 0;
        for (uint32_t c = 1; c < have; c++)
            widest = spread[c] > spread[widest] ? c : widest;

        double axis[GS_KMEANS_COLUMNS_MAX];
        principal_axis(w, widest, axis);
        const double *const centre = w->centre + widest * w->d;
        size_t moved = 0;
        for (size_t i = 0; i < w->n; i++) {
            if (w->label[i] != widest)
                continue;
            double along = 0.0;
            for (size_t j = 0; j < w->d; j++)
                along += axis[j] * (row(w, i)[j] - centre[j]);
            if (along > 0.0) {
                w->label[i] = (uint32_t)have;
                moved++;
            }
        }
        if (moved == 0 || moved == w->size[widest])
            return false;
    }
    average(w, k);
    return true;
}

/*
 * Gives an empty cluster the row that is farthest from its own centre, of those not alone in their cluster:
 * as there are k distinct rows and fewer clusters in use, one of these is away from its centre.
 */
static void fill_empty(struct work *w, size_t k)
{
    for (size_t c = 0; c < k; c++) {
        if (w->size[c] > 0)
            continue;
        size_t at = w->n;
        for (size_t i = 0; i < w->n; i++) {
            if (w->size[w->label[i]] > 1 && (at == w->n || w->distance[i] > w->distance[at]))
                at = i;
        }
        w->label[at] = (uint32_t)c;
        w->distance[at] = 0.0;
        average(w, k);
    }
}

/* Iterates from the centres; returns the inertia. Leaves labels, distances and centres in `w`. */
static double iterate(struct work *w, size_t k)
{
    for (size_t i = 0; i < w->n; i++)
        w->label[i] = UINT32_MAX;
    bool moved = true;
    for (int round = 0; moved && round < LLOYD_ROUNDS_MAX; round++) {
        moved = false;
        for (size_t i = 0; i < w->n; i++) {
            uint32_t nearest = 0;
            double least = INFINITY;
            for (uint32_t c = 0; c < k; c++) {
                const double d = gs_squared_distance(row(w, i), w->centre + c * w->d, w->d);
                if (d < least) {
                    least = d;
                    nearest = c;
                }
            }
            moved = moved || nearest != w->label[i];
            w->label[i] = nearest;
            w->distance[i] = least;
        }
        average(w, k);
        fill_empty(w, k);
    }
    struct gs_dd inertia = gs_dd_of(0.0);
    for (size_t i = 0; i < w->n; i++)
        inertia = gs_dd_add(inertia, gs_dd_of(gs_squared_distance(
                                         row(w, i), w->centre + w->label[i] * w->d, w->d)));
    return gs_dd_to_double(inertia);
}

/*
 * Stores the better of the two attempts in label[0..n). Returns false with fewer than k distinct
 * rows. Lloyd's method finds a local minimum. Two different deterministic starts replace random
 * restarts: the same data always give the same groups.
 */
static bool cluster(struct work *w, size_t k, uint32_t *label, double *inertia)
{
    if (start_far(w, k) < k)
        return false;
    *inertia = iterate(w, k);
    memcpy(label, w->label, w->n * sizeof *label);
    if (start_split(w, k)) {
        const double other = iterate(w, k);
        if (other <= *inertia) {
            *inertia = other;
            memcpy(label, w->label, w->n * sizeof *label);
        }
    }
    return true;
}

static int compare_rows(const double *a, const double *b, size_t d)
{
    for (size_t j = 0; j < d; j++) {
        if (a[j] < b[j] || a[j] > b[j])
            return gs_cmp(a[j], b[j]);
    }
    return 0;
}

/* Builds the result in input units from labels in any numbering. */
static enum gs_status describe(const double *x, const struct gs_kmeans *shape,
                               const uint32_t *label, struct gs_arena *arena,
                               struct gs_arena *scratch, struct gs_kmeans *result,
                               struct gs_err *err)
{
    const size_t n = shape->n, d = shape->n_columns, k = shape->k;
    struct gs_kmeans r = *shape;
    GS_TAKE(r.label, n, arena, err);
    GS_TAKE(r.centre, k * d, arena, err);
    GS_TAKE(r.size, k, arena, err);
    GS_NEW(struct gs_dd, sum, k * d, scratch, err);
    GS_NEW(double, centre, (k * d), scratch, err);

    uint64_t size[GS_KMEANS_K_MAX] = {0};
    for (size_t i = 0; i < n; i++) {
        size[label[i]]++;
        for (size_t j = 0; j < d; j++) {
            struct gs_dd *const s = &sum[label[i] * d + j];
            *s = gs_dd_add(*s, gs_dd_of(x[i * d + j]));
        }
    }
    /*
     * Groups are renumbered by their centres in input units, so a number does not depend on which
     * start won.
     */
    uint32_t order[GS_KMEANS_K_MAX], number[GS_KMEANS_K_MAX] = {0};
    for (uint32_t c = 0; c < k; c++) {
        for (size_t j = 0; j < d; j++)
            centre[c * d + j] =
                gs_dd_to_double(gs_dd_div(sum[c * d + j], gs_dd_of_int((gs_i128)size[c])));
        uint32_t at = c;
        for (; at > 0 && compare_rows(centre + order[at - 1] * d, centre + c * d, d) > 0; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    for (uint32_t c = 0; c < k; c++) {
        number[order[c]] = c;
        memcpy(r.centre + c * d, centre + order[c] * d, d * sizeof *r.centre);
        r.size[c] = size[order[c]];
    }
    for (size_t i = 0; i < n; i++)
        r.label[i] = number[label[i]];
    *result = r;
    return GS_OK;
}

static enum gs_status fit(const struct gs_kmeans_rows *rows, size_t k, struct gs_arena *arena,
                          struct gs_arena *scratch, struct gs_kmeans *result, struct gs_err *err)
{
    const size_t n = rows->n, d = rows->n_columns;
    assert(arena != scratch && d >= 1 && d <= GS_KMEANS_COLUMNS_MAX && k >= 1 &&
           k <= GS_KMEANS_K_MAX);
    struct work w;
    GS_TRY(prepare(&w, rows, k, scratch, err));
    GS_NEW(uint32_t, label, n, scratch, err);
    double inertia;
    if (n < k || !cluster(&w, k, label, &inertia))
        return gs_fail(err, GS_ERR_RANGE, "clusters undefined: fewer than %zu distinct rows", k);
    const struct gs_kmeans shape = {.n = n, .n_columns = d, .k = k, .inertia = inertia};
    return describe(rows->x, &shape, label, arena, scratch, result, err);
}

enum gs_status gs_kmeans_fit(const struct gs_kmeans_rows *rows, size_t k, struct gs_arena *arena,
                             struct gs_arena *scratch, struct gs_kmeans *result, struct gs_err *err)
{
    GS_REWINDS(scratch);
    return fit(rows, k, arena, scratch, result, err);
}
