/* missing_unit.h - advice for columns that are not read because their unit or their choice is unknown. */
#pragma once

#include "base/core/notes.h"
#include "base/core/text.h"

struct gs_metric;

struct gs_missing_unit {
    struct gs_str column; /* empty: none of several */
    const struct gs_metric *metric;
    const char *why; /* that it is not read, and the options to type */
};

/* In the order in which they were met. */
struct gs_missing_units {
    struct gs_missing_unit *item;
    size_t n;
};

/* Is it a power or an energy? Without its unit nothing is to be told of it. */
bool gs_is_measure(const struct gs_metric *m);

/* Keeps one, its texts copied, unless the metric has one already; false without memory. */
bool gs_missing_units_add(struct gs_missing_units *l, struct gs_missing_unit lack,
                          struct gs_arena *arena);

/* " --set samples.metrics.METRIC.FIELD=VALUE", whole, between quotes where a shell would take it apart. */
void gs_put_set(struct gs_buf *b, const char *metric, const char *field, struct gs_str value);

/* " --set samples.metrics.METRIC.unit=" with the one that its values fit (NULL: several), or units that it may be. */
void gs_put_unit(struct gs_buf *b, const struct gs_metric *m, const char *fits);

/* "column 'energy' has no unit; type --set ... --set ..."; `field`: column, or columns where it is a pattern. */
void gs_put_missing_unit(struct gs_buf *b, struct gs_str column, const struct gs_metric *m,
                         const char *field, const char *fits);

/* Why a column is not read, and all that can be typed for it; lives in `arena`. */
const char *gs_missing_unit_advice(const struct gs_missing_unit *lack, struct gs_arena *arena);

/* Says that a column of a file is not read. */
void gs_missing_unit_note(const struct gs_missing_unit *lack, const char *shown_file,
                          struct gs_notes *notes);
