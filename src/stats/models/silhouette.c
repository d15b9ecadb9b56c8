/* silhouette.c - one pass over all pairs of rows serves every number of clusters. */
#include "stats/models/silhouette.h"

#include <math.h>
#include <string.h>

#include "base/num/dd.h"
#include "base/num/order.h"
#include "stats/models/kmeans.h"
#include "base/num/whole.h"

struct measure {
    double *z;      /* [m * d], the rows measured        */
    size_t n, d, m; /* rows, columns, rows measured      */
    size_t n_sums;  /* clusters of all partitions        */
    double *sum;    /* [m * n_sums], distances to each   */
    uint32_t *slot; /* [m * n_parts], own cluster in sum */
};

/*
 * One row from each of m equal stretches, at a place that a fixed hash chooses. A fixed stride
 * could fall into step with how GPUs are numbered on their hosts; a random one would change from
 * run to run.
 */
size_t gs_silhouette_row(size_t k, size_t m, size_t n)
{
    if (m == n)
        return k;
    const size_t begin = (size_t)((double)k * (double)n / (double)m),
                 end = (size_t)((double)(k + 1) * (double)n / (double)m);
    const uint64_t h =
        gs_mix64((uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x9e3779b97f4a7c15));
    return end > begin + 1 && end <= n ? begin + (size_t)(h % (end - begin)) : begin;
}

static size_t sampled(const struct measure *v, size_t i)
{
    return gs_silhouette_row(i, v->m, v->n);
}

static void add_pairs(const struct measure *v, size_t n_parts)
{
    for (size_t i = 0; i < v->m; i++) {
        const double *const a = v->z + i * v->d;
        double *const sum_i = v->sum + i * v->n_sums;
        const uint32_t *const slot_i = v->slot + i * n_parts;
        for (size_t j = i + 1; j < v->m; j++) {
            const double gap = sqrt(gs_squared_distance(a, v->z + j * v->d, v->d));
            double *const sum_j = v->sum + j * v->n_sums;
            const uint32_t *const slot_j = v->slot + j * n_parts;
            for (size_t p = 0; p < n_parts; p++) {
                sum_i[slot_j[p]] += gap;
                sum_j[slot_i[p]] += gap;
            }
        }
    }
}

/* One row's silhouette in a partition whose clusters have sum[0..k) and size[0..k). */
static double of_row(const double *sum, const size_t *size, size_t k, size_t own)
{
    if (size[own] < 2)
        return 0.0;
    const double inside = sum[own] / (double)(size[own] - 1);
    double outside = INFINITY;
    for (size_t c = 0; c < k; c++) {
        if (c != own && size[c] > 0)
            outside = fmin(outside, sum[c] / (double)size[c]);
    }
    const double widest = fmax(inside, outside);
    return isfinite(widest) && widest > 0.0 ? (outside - inside) / widest : 0.0;
}

enum gs_status gs_silhouettes(const double *z, size_t n, size_t d, struct gs_partition *part,
                              size_t n_parts, struct gs_arena *scratch, struct gs_err *err)
{
    struct measure v = {.n = n, .d = d, .m = gs_min(n, GS_SILHOUETTE_ROWS_MAX)};
    for (size_t p = 0; p < n_parts; p++)
        v.n_sums += part[p].k;
    GS_TAKE(v.sum, v.m * v.n_sums, scratch, err);
    GS_TAKE(v.slot, v.m * n_parts, scratch, err);
    GS_TAKE_RAW(v.z, v.m * d, scratch, err);
    GS_NEW(size_t, size, v.n_sums, scratch, err);
    for (size_t i = 0; i < v.m; i++) {
        size_t first = 0;
        memcpy(v.z + i * d, z + sampled(&v, i) * d, d * sizeof *v.z);
        for (size_t p = 0; p < n_parts; first += part[p++].k) {
            const size_t slot = first + part[p].label[sampled(&v, i)];
            v.slot[i * n_parts + p] = (uint32_t)slot;
            size[slot]++;
        }
    }
    add_pairs(&v, n_parts);
    size_t first = 0;
    for (size_t p = 0; p < n_parts; first += part[p++].k) {
        if (part[p].k < 2)
            continue;
        struct gs_dd total = gs_dd_of(0.0);
        for (size_t i = 0; i < v.m; i++) {
            const double s = of_row(v.sum + i * v.n_sums + first, size + first, part[p].k,
                                    v.slot[i * n_parts + p] - first);
            total = gs_dd_add(total, gs_dd_of(s));
        }
        part[p].silhouette = gs_dd_to_double(total) / (double)v.m;
    }
    return GS_OK;
}
