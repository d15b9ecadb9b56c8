/* row_order.c - codes and numbers sorted together in one word where both fit. */
#include "base/core/row_order.h"

#include <string.h>

#include "base/core/key_sort.h"
#include "base/num/order.h"

/* A stable merge sort: an instant may have a million rows where a clock is coarse. */
static void sort_by(gs_row_order_fn *order, const void *rows, uint32_t *index, uint32_t *spare,
                    uint32_t n)
{
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t lo = 0; lo < n; lo += 2 * width) {
            const uint32_t mid = lo + gs_min(n - lo, width), hi = mid + gs_min(n - mid, width);
            uint32_t i = lo, j = mid;
            for (uint32_t k = lo; k < hi; k++)
                if (j == hi || (i < mid && order(rows, index[i], index[j]) <= 0))
                    spare[k] = index[i++];
                else
                    spare[k] = index[j++];
        }
        memcpy(index, spare, n * sizeof *index);
    }
}

static int order_codes(const void *rows, uint32_t a, uint32_t b)
{
    const uint64_t *const code = rows;
    return gs_cmp(code[a], code[b]);
}

/*
 * Rows of equal code keep their order of input unless `order` decides: the row number in the
 * low bits makes every key distinct, and the merge sort is stable. The result is the same for
 * any sorting method and any number of threads.
 */
uint32_t *gs_rows_in_order(const uint64_t *code, unsigned code_bits, uint32_t n,
                           gs_row_order_fn *order, const void *rows, struct gs_arena *scratch)
{
    const unsigned number_bits = n < 2 ? 1 : 32 - (unsigned)__builtin_clz(n - 1);
    uint32_t *const index = gs_arena_take_raw(scratch, n, sizeof *index);
    uint32_t *const spare = gs_arena_take_raw(scratch, n, sizeof *spare);
    uint64_t *const key = gs_arena_take_raw(scratch, (size_t)n * 2, sizeof *key);
    if (index == NULL || spare == NULL || key == NULL)
        return NULL;
    /*
     * The code does not fit beside the row number. Such data is rare and large; it takes the
     * slower comparison sort and no more memory.
     */
    if (code_bits + number_bits > 64) {
        for (uint32_t i = 0; i < n; i++)
            index[i] = i;
        sort_by(order_codes, code, index, spare, n);
    } else {
        for (uint32_t i = 0; i < n; i++)
            key[i] = code[i] << number_bits | i;
        gs_key_sort(key, key + n, n);
        for (uint32_t i = 0; i < n; i++)
            index[i] = (uint32_t)(key[i] & ((UINT64_C(1) << number_bits) - 1));
    }
    for (uint32_t i = 0, end; order != NULL && i < n; i = end) {
        for (end = i + 1; end < n && code[index[end]] == code[index[i]];)
            end++;
        if (end - i > 1)
            sort_by(order, rows, index + i, spare, end - i);
    }
    return index;
}
