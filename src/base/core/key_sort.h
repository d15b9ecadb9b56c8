/* key_sort.h - sorts words that begin with an instant. */
#pragma once

#include <stdint.h>

/*
 * Sorts n words, ascending. `spare` has room for n.
 * Cost: O(n) where they are in order or nearly, or spread evenly over their range; two more passes of a
 *       radix sort where they crowd, O(n log n) at worst.
 */
void gs_key_sort(uint64_t *key, uint64_t *spare, uint32_t n);
