/* key_sort.c - a bucket sort on a coarse clock: samples come at a steady pace, so little is left for insertion. */
#include "base/core/key_sort.h"
#include "base/num/order.h"

#include <stdbool.h>
#include <string.h>

enum { DIGIT_BITS_MAX = 11, SMALL = 48 };

/*
 * Insertion sort that gives up after `moves`; false: not finished. Whether it finishes or not,
 * the keys are a permutation of those given, so a caller may go on with another method from
 * there.
 */
static bool insertion(uint64_t *key, uint32_t n, uint64_t moves)
{
    for (uint32_t i = 1; i < n; i++) {
        const uint64_t x = key[i];
        uint32_t k = i;
        for (; k > 0 && key[k - 1] > x; k--)
            key[k] = key[k - 1];
        key[k] = x;
        if (i - k > moves)
            return false;
        moves -= i - k;
    }
    return true;
}

GS_COMPARES(compare, uint64_t, GS_DIFFER(gs_cmp(*x, *y)););

/* One stable pass over bits [shift, shift + digit_bits) of the distance from `min`. */
static void radix_pass(const uint64_t *from, uint64_t *to, uint32_t n, uint64_t min, unsigned shift,
                       unsigned digit_bits)
{
    uint32_t at[1 << DIGIT_BITS_MAX];
    const uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
    memset(at, 0, (mask + 1) * sizeof *at);
    for (uint32_t i = 0; i < n; i++)
        at[(from[i] - min) >> shift & mask]++;
    uint32_t sum = 0;
    for (uint64_t b = 0; b <= mask; b++) {
        const uint32_t count = at[b];
        at[b] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < n; i++)
        to[at[(from[i] - min) >> shift & mask]++] = from[i];
}

/*
 * Every path has a bound: insertion gives up after a multiple of n moves, and qsort takes over
 * where keys crowd in few buckets. No input makes this quadratic.
 */
void gs_key_sort(uint64_t *key, uint64_t *spare, uint32_t n)
{
    if (n == 0)
        return;
    uint64_t min = key[0], max = key[0];
    uint32_t n_descents = 0;
    for (uint32_t i = 1; i < n; i++) {
        n_descents += key[i] < key[i - 1];
        min = gs_min(key[i], min);
        max = gs_max(key[i], max);
    }
    if (n_descents == 0)
        return;
    if (n <= SMALL || n_descents <= n / 64) {
        if (insertion(key, n, n <= SMALL ? UINT64_MAX : (uint64_t)n * 8))
            return;
    }
    unsigned digit_bits = 32 - (unsigned)__builtin_clz(n); /* about a bucket for each */
    digit_bits = gs_min(digit_bits, (unsigned)DIGIT_BITS_MAX);
    const unsigned range_bits = 64 - (unsigned)__builtin_clzll(max - min);
    const unsigned top = gs_max(range_bits, digit_bits) - digit_bits;
    radix_pass(key, spare, n, min, top, digit_bits);
    memcpy(key, spare, n * sizeof *key);
    if (insertion(key, n, (uint64_t)n * 16))
        return;
    if (top >= digit_bits) { /* crowded buckets: a finer clock */
        radix_pass(key, spare, n, min, top - digit_bits, digit_bits);
        radix_pass(spare, key, n, min, top, digit_bits);
    }
    if (!insertion(key, n, (uint64_t)n * 16))
        GS_SORT(key, n, compare);
}
