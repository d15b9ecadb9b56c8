/* rank.c - ordering by radix, mid-ranks and the step-up adjustment. */
#include "stats/descriptive/rank.h"
#include "base/num/order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * The bits of positive doubles ascend like the doubles. Those of negative ones descend, so they
 * are flipped. 0 and -0 become one key; NaN must be left out by the caller.
 */
enum { RADIX = 256, DIGITS = 8, SMALL = 48 };

struct item {
    uint64_t key;
    uint32_t id;
};

static void sort_small(struct item *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const struct item v = a[i];
        size_t j = i;
        for (; j > 0 && a[j - 1].key > v.key; j--)
            a[j] = a[j - 1];
        a[j] = v;
    }
}

/* Sorts by key, stable, and returns where the result stands: a or b. Digits that are all alike cost nothing.
 */
static struct item *sort_items(struct item *a, struct item *b, size_t n)
{
    if (n <= SMALL) {
        sort_small(a, n);
        return a;
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        size_t count[RADIX] = {0};
        const unsigned shift = 8 * digit;
        for (size_t i = 0; i < n; i++)
            count[(a[i].key >> shift) & (RADIX - 1)]++;
        if (count[(a[0].key >> shift) & (RADIX - 1)] == n)
            continue;
        size_t at = 0;
        for (int d = 0; d < RADIX; d++) {
            const size_t c = count[d];
            count[d] = at;
            at += c;
        }
        for (size_t i = 0; i < n; i++)
            b[count[(a[i].key >> shift) & (RADIX - 1)]++] = a[i];
        struct item *const t = a;
        a = b;
        b = t;
    }
    return a;
}

/*
 * The items of x in order, in scratch; NULL without memory. Turning the sign bit makes unsigned
 * order equal to signed order.
 */
static struct item *ordered(const int64_t *x, size_t n, struct gs_arena *scratch)
{
    assert(n < UINT32_MAX);
    struct item *const a = gs_arena_take_raw(scratch, n, sizeof *a);
    struct item *const b = n <= SMALL ? a : gs_arena_take_raw(scratch, n, sizeof *b);
    if (a == NULL || b == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++)
        a[i] = (struct item){(uint64_t)x[i] ^ (UINT64_C(1) << 63), (uint32_t)i};
    return sort_items(a, b, n);
}

enum gs_status gs_order(const int64_t *x, size_t n, uint32_t *order, struct gs_arena *scratch,
                        struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct item *const item = ordered(x, n, scratch);
    for (size_t i = 0; item != NULL && i < n; i++)
        order[i] = item[i].id;
    gs_arena_rewind(scratch, mark);
    return gs_had_memory(item != NULL, err);
}

enum gs_status gs_mid_ranks(const int64_t *x, size_t n, int64_t *twice_rank, gs_u128 *ties,
                            struct gs_arena *scratch, struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    const struct item *const item = ordered(x, n, scratch);
    gs_u128 sum = 0;
    for (size_t i = 0, end; item != NULL && i < n; i = end) {
        for (end = i + 1; end < n && item[end].key == item[i].key; end++)
            ;
        /* Places i+1 .. end: their mean, twice. */
        for (size_t j = i; j < end; j++)
            twice_rank[item[j].id] = (int64_t)(i + 1 + end);
        /* Twice the rank is whole also for ties; t^3 needs 96 bits for n below 2^32. */
        const gs_u128 t = end - i;
        sum += t * t * t - t;
    }
    gs_arena_rewind(scratch, mark);
    GS_TRY(gs_had_memory(item != NULL, err));
    if (ties != NULL)
        *ties = sum;
    return GS_OK;
}

enum gs_status gs_fdr_adjust(const double *p, size_t n, double *q, struct gs_arena *scratch,
                             struct gs_err *err)
{
    const struct gs_arena_mark mark = gs_arena_mark(scratch);
    enum gs_status s = GS_OK;
    int64_t *const key = gs_arena_take_raw(scratch, n, sizeof *key);
    uint32_t *const order = gs_arena_take_raw(scratch, n, sizeof *order);
    if (key == NULL || order == NULL) {
        s = gs_fail_memory(err);
        goto rewind;
    }
    size_t n_tests = 0;
    for (size_t i = 0; i < n; i++) {
        n_tests += isnan(p[i]) ? 0 : 1;
        key[i] = isnan(p[i]) ? INT64_MAX : gs_real_key(p[i]);
    }
    s = gs_order(key, n, order, scratch, err);
    if (s != GS_OK)
        goto rewind;
    /* From the largest p downwards: an adjusted value may not exceed that of a larger p. */
    double least = 1.0;
    for (size_t rank = n_tests; rank > 0; rank--) {
        const uint32_t i = order[rank - 1];
        const double adjusted = p[i] * ((double)n_tests / (double)rank);
        least = gs_min(adjusted, least);
        q[i] = least;
    }
    for (size_t i = n_tests; i < n; i++)
        q[order[i]] = NAN;
rewind:
    gs_arena_rewind(scratch, mark);
    return s;
}
