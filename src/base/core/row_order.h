/* row_order.h - the order of rows by a code, then by a number, without moving the rows. */
#pragma once

#include <stdint.h>

#include "base/core/arena.h"

/* The order of two rows, by their numbers, where their codes are equal. */
typedef int gs_row_order_fn(const void *rows, uint32_t a, uint32_t b);

/*
 * The numbers of n rows in the order of their codes, which have at most `code_bits` bits, of equal codes by `order`
 * (NULL: any).
 * Memory: lives in `scratch`; NULL without.
 * Cost:   a radix sort where code and number fit one word, else O(n log n).
 */
uint32_t *gs_rows_in_order(const uint64_t *code, unsigned code_bits, uint32_t n,
                           gs_row_order_fn *order, const void *rows, struct gs_arena *scratch);
