/* time_sort.h - puts row numbers in the order of their instants. */
#ifndef GPUSTAT_TIME_SORT_H
#define GPUSTAT_TIME_SORT_H

#include <stdint.h>

struct gs_timed_row {
    int64_t t_ns;
    uint32_t row;
};

/*
 * Sorts by time; rows of one instant come in any order. `spare` has room for n.
 * Cost: O(n) where the rows are in order or nearly, or spread evenly over their time; a radix sort of two
 *       more passes where they crowd, O(n log n) at worst.
 */
void gs_time_sort(struct gs_timed_row *r, struct gs_timed_row *spare, uint32_t n);

#endif
