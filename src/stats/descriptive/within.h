/* within.h - correlation and slope within groups, after each group's means are subtracted. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Stores the Pearson correlation and the slope of y on x of the deviations from the means of each row's group, over
 * all groups together. With one group these are the plain ones.
 *
 * Shapes:  x, y, group: n rows in key order; x and y are overwritten.
 * Missing: rows with a NaN or a group not below n_groups are left out. Both results are NaN where x or y does not vary
 *          inside any group.
 * Memory:  allocates nothing. Cost: O(n * n_groups).
 */
void gs_real_within(double *x, double *y, const uint32_t *group, size_t n, size_t n_groups,
                    double *r, double *slope);
