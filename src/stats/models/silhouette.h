/* silhouette.h - the silhouette of several partitions of the same rows. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"

struct gs_partition {
    size_t k;
    const uint32_t *label; /* [n], 0 .. k-1                    */
    double silhouette;     /* set by gs_silhouettes; NaN: k = 1 */
};

/*
 * Sets the mean silhouette of every partition of the rows z[n * d], measuring each distance once. Above
 * GS_SILHOUETTE_ROWS_MAX rows, gs_silhouette_row of as many stand for all. A row alone in its cluster counts 0.
 * GS_ERR_MEMORY.
 */
enum gs_status gs_silhouettes(const double *z, size_t n, size_t d, struct gs_partition *part,
                              size_t n_parts, struct gs_arena *scratch, struct gs_err *err);

/*
 * The k-th of m rows that stand for n: one from each m-th part of them, at a place that looks random, because rows
 * in key order repeat (every second node of a rack another machine) and even steps would meet one kind only. The same
 * for the same numbers; k where m is n.
 */
size_t gs_silhouette_row(size_t k, size_t m, size_t n);
