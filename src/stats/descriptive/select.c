/* select.c - selection in linear time: quickselect, with medians of medians where it goes badly. */
#include "stats/descriptive/quantile.h"
#include "base/num/order.h"

#include <assert.h>

enum {
    SMALL = 24,     /* below, insertion sort                                     */
    NINTHER = 256,  /* from here the pivot is the median of three medians of three */
    BAD_ROUNDS = 2, /* rounds that keep more than 7/8 before the pivot is chosen with care */
};

static void swap(int64_t *a, int64_t *b)
{
    const int64_t t = *a;
    *a = *b;
    *b = t;
}

static void sort_small(int64_t *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const int64_t v = x[i];
        size_t j = i;
        for (; j > 0 && x[j - 1] > v; j--)
            x[j] = x[j - 1];
        x[j] = v;
    }
}

static int64_t median_of_3(int64_t a, int64_t b, int64_t c)
{
    if (a > b)
        swap(&a, &b);
    return c < a ? a : gs_min(b, c);
}

static int64_t quick_pivot(const int64_t *x, size_t n)
{
    if (n < NINTHER)
        return median_of_3(x[0], x[n / 2], x[n - 1]);
    const size_t s = n / 8, m = n / 2;
    return median_of_3(median_of_3(x[0], x[s], x[2 * s]), median_of_3(x[m - s], x[m], x[m + s]),
                       median_of_3(x[n - 1 - 2 * s], x[n - 1 - s], x[n - 1]));
}

/* Gathers the medians of groups of five in front; their median is a pivot with 3/10 on either side. */
static int64_t careful_pivot(int64_t *x, size_t n)
{
    size_t n_groups = 0;
    for (size_t i = 0; i + 5 <= n; i += 5) {
        sort_small(x + i, 5);
        swap(&x[n_groups++], &x[i + 2]);
    }
    gs_select(x, n_groups, n_groups / 2);
    return x[n_groups / 2];
}

/*
 * Brings values below the pivot, with `too` also those like it, to the front and returns how many they are. No branch
 * depends on a value: which side it goes to nobody can foresee.
 */
static inline size_t gather(int64_t *x, size_t n, int64_t pivot, bool too)
{
    size_t front = 0;
    for (size_t i = 0; i < n; i++) {
        const int64_t v = x[i];
        x[i] = x[front];
        x[front] = v;
        front += too ? v <= pivot : v < pivot;
    }
    return front;
}

void gs_select(int64_t *x, size_t n, size_t k)
{
    assert(k < n);
    int bad = 0;
    while (n > SMALL) {
        const int64_t pivot = bad < BAD_ROUNDS ? quick_pivot(x, n) : careful_pivot(x, n);
        const size_t before = n, below = gather(x, n, pivot, false);
        if (k < below) {
            n = below;
        } else {
            /* Readings repeat: kept, a column of one would take quadratic time. */
            const size_t upto = below + gather(x + below, n - below, pivot, true);
            if (k < upto)
                return;
            x += upto;
            n -= upto;
            k -= upto;
        }
        /*
         * Sorted or adversarial data can make quick pivots keep nearly everything. After two such
         * rounds medians of medians guarantee linear time.
         */
        bad += n > before - before / 8;
    }
    sort_small(x, n);
}

size_t gs_count_below(const int64_t *x, size_t n, int64_t limit)
{
    size_t low = 0;
    GS_BISECT(low, n, at, x[at] < limit);
    return low;
}

int gs_compare_int64(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return gs_cmp(x, y);
}
