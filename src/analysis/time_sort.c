/* time_sort.c - samples come at a steady pace: buckets of a coarse clock leave little for insertion to do. */
#include "time_sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 11, N_BUCKETS = 1 << DIGIT_BITS, SMALL = 48 };

/* Insertion sort that gives up after `moves`; false: not finished. */
static bool insertion(struct gs_timed_row *r, uint32_t n, uint64_t moves)
{
    for (uint32_t i = 1; i < n; i++) {
        const struct gs_timed_row x = r[i];
        uint32_t k = i;
        for (; k > 0 && r[k - 1].t_ns > x.t_ns; k--)
            r[k] = r[k - 1];
        r[k] = x;
        if (i - k > moves)
            return false;
        moves -= i - k;
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const int64_t x = ((const struct gs_timed_row *)a)->t_ns, y = ((const struct gs_timed_row *)b)->t_ns;
    return (x > y) - (x < y);
}

/* One stable pass over bits [shift, shift + DIGIT_BITS) of the distance from `min`. */
static void radix_pass(const struct gs_timed_row *from, struct gs_timed_row *to, uint32_t n, int64_t min,
                       unsigned shift)
{
    uint32_t at[N_BUCKETS] = {0};
    for (uint32_t i = 0; i < n; i++)
        at[((uint64_t)from[i].t_ns - (uint64_t)min) >> shift & (N_BUCKETS - 1)]++;
    uint32_t sum = 0;
    for (uint32_t b = 0; b < N_BUCKETS; b++) {
        const uint32_t count = at[b];
        at[b] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[at[((uint64_t)from[i].t_ns - (uint64_t)min) >> shift & (N_BUCKETS - 1)]++] = from[i];
}

void gs_time_sort(struct gs_timed_row *r, struct gs_timed_row *spare, uint32_t n)
{
    int64_t min = n > 0 ? r[0].t_ns : 0, max = min;
    uint32_t n_descents = 0;
    for (uint32_t i = 1; i < n; i++) {
        n_descents += r[i].t_ns < r[i - 1].t_ns;
        min = r[i].t_ns < min ? r[i].t_ns : min;
        max = r[i].t_ns > max ? r[i].t_ns : max;
    }
    if (n_descents == 0)
        return;
    if (n <= SMALL || n_descents <= n / 64) {
        if (insertion(r, n, n <= SMALL ? UINT64_MAX : (uint64_t)n * 8))
            return;
    }
    const unsigned range_bits = 64 - (unsigned)__builtin_clzll((uint64_t)max - (uint64_t)min);
    const unsigned top = range_bits > DIGIT_BITS ? range_bits - DIGIT_BITS : 0;
    radix_pass(r, spare, n, min, top);
    memcpy(r, spare, n * sizeof *r);
    if (insertion(r, n, (uint64_t)n * 16))
        return;
    if (top >= DIGIT_BITS) { /* crowded buckets: a finer clock */
        radix_pass(r, spare, n, min, top - DIGIT_BITS);
        radix_pass(spare, r, n, min, top);
    }
    if (!insertion(r, n, (uint64_t)n * 16))
        qsort(r, n, sizeof *r, compare);
}
