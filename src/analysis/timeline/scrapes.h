/* scrapes.h - readings of one moment that were scraped a little apart, each metric by itself. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/core/arena.h"

/* The samples of a series in the order of time. */
struct gs_scrapes {
    uint32_t n;         /* rows, then samples                                        */
    uint32_t n_metrics; /*                                                           */
    int64_t **metric;   /* [n_metrics] readings; NULL: the series has none           */
    int64_t **column;   /* [n_columns] what is moved with the rows, the metrics too  */
    uint32_t n_columns; /*                                                           */
    const int64_t *t_ns;
};

/*
 * Makes one sample of what belongs to one moment. A sample is where the series' first metric was read: power, or where it
 * has none the metric with the most readings. A reading of another metric joins the nearest sample if that lies less than
 * half an interval away, the shorter one of the two metrics' median steps, and has no reading of this metric, nor one that
 * is nearer. What joins none stays as it is: no reading is lost, none is merged with another, no power moves. Times alone
 * decide, so that the order of files and rows does not matter.
 *
 * Memory: `scratch` is rewound. Cost: O(rows x metrics).
 */
enum gs_status gs_scrapes_join(struct gs_scrapes *s, struct gs_arena *scratch, struct gs_err *err);
