/* rank.c - orders of numbers, mid-ranks and the step-up adjustment. */
#include "stats/descriptive/rank.h"
#include "base/core/key_sort.h"
#include "base/core/row_order.h"
#include "base/num/order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Turning the sign bit makes unsigned order equal to signed order. */
static const uint64_t sign = UINT64_C(1) << 63;

enum gs_status gs_sort_reals(double *x, size_t n, struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    assert(n < UINT32_MAX);
    GS_NEW_RAW(uint64_t, key, 2 * n, scratch, err);
    for (size_t i = 0; i < n; i++)
        key[i] = (uint64_t)gs_real_key(x[i]) ^ sign;
    gs_key_sort(key, key + n, (uint32_t)n);
    for (size_t i = 0; i < n; i++)
        x[i] = gs_real_of_key((int64_t)(key[i] ^ sign));
    return GS_OK;
}

enum gs_status gs_order(const int64_t *x, size_t n, uint32_t *order, struct gs_arena *scratch,
                        struct gs_err *err)
{
    GS_REWINDS(scratch);
    assert(n < UINT32_MAX);
    GS_NEW_RAW(uint64_t, code, n, scratch, err);
    for (size_t i = 0; i < n; i++)
        code[i] = (uint64_t)x[i] ^ sign;
    const uint32_t *const found = gs_rows_in_order(code, 64, (uint32_t)n, NULL, NULL, scratch);
    GS_TRY(gs_had_memory(found != NULL, err));
    if (n > 0)
        memcpy(order, found, n * sizeof *order);
    return GS_OK;
}

enum gs_status gs_mid_ranks(const int64_t *x, size_t n, int64_t *twice_rank, gs_u128 *ties,
                            struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    GS_NEW_RAW(uint32_t, order, n, scratch, err);
    GS_TRY(gs_order(x, n, order, scratch, err));
    gs_u128 sum = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && x[order[end]] == x[order[i]]; end++)
            ;
        /* Places i+1 .. end: their mean, twice. */
        for (size_t j = i; j < end; j++)
            twice_rank[order[j]] = (int64_t)(i + 1 + end);
        /* Twice the rank is whole also for ties; t^3 needs 96 bits for n below 2^32. */
        const gs_u128 t = end - i;
        sum += t * t * t - t;
    }
    if (ties != NULL)
        *ties = sum;
    return GS_OK;
}

/*
 * Adjusts each p by what comes before it in order: of Holm's method the smaller ones, from the least on; of the false discovery
 * rate the larger ones, from the greatest on. The adjusted values keep the order of the p-values; what is missing stays so.
 */
static enum gs_status adjust(const double *p, size_t n, bool holm, double *q,
                             struct gs_arena *scratch, struct gs_err *err)
{
    GS_REWINDS(scratch);
    GS_NEW_RAW(uint32_t, order, n, scratch, err);
    GS_NEW_RAW(int64_t, key, n, scratch, err);
    size_t n_tests = 0;
    for (size_t i = 0; i < n; i++) {
        n_tests += isnan(p[i]) == 0;
        key[i] = isnan(p[i]) ? INT64_MAX : gs_real_key(p[i]);
    }
    GS_TRY(gs_order(key, n, order, scratch, err));
    double bound = holm ? 0.0 : 1.0;
    for (size_t k = 0; k < n_tests; k++) {
        const uint32_t i = order[holm ? k : n_tests - 1 - k];
        if (holm)
            bound = fmax(bound, fmin(1.0, p[i] * (double)(n_tests - k)));
        else
            bound = gs_min(p[i] * ((double)n_tests / (double)(n_tests - k)), bound);
        q[i] = bound;
    }
    for (size_t i = n_tests; i < n; i++)
        q[order[i]] = NAN;
    return GS_OK;
}

enum gs_status gs_fdr_adjust(const double *p, size_t n, double *q, struct gs_arena *scratch,
                             struct gs_err *err)
{
    return adjust(p, n, false, q, scratch, err);
}

enum gs_status gs_holm(const double *p, size_t n, double *q, struct gs_arena *scratch,
                       struct gs_err *err)
{
    return adjust(p, n, true, q, scratch, err);
}
