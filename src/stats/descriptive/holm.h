/* holm.h - p-values of several tests, adjusted for their number. */
#pragma once

#include <stddef.h>

#include "base/core/arena.h"

/*
 * Stores in adjusted[0..n) the p-values p[0..n) by Holm's method: a test whose adjusted value is below alpha may be
 * called a finding, and with probability 1 - alpha no finding of the table is false, whatever depends on what.
 *
 * Missing: NaN is no test: it is not counted, and stays NaN.
 * Memory:  `scratch` is used and rewound; false without memory.
 * Cost:    O(n log n).
 * Source:  S. Holm, Scandinavian Journal of Statistics 6, 1979.
 */
bool gs_holm(const double *p, size_t n, struct gs_arena *scratch, double *adjusted);
