/* columns.h - every column that gpustat prints, defined once in columns.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/core/text.h"

enum gs_type {
    GS_TYPE_TEXT, /* counted text; missing: ptr == NULL     */
    GS_TYPE_INT,  /* int64 count or code; missing: GS_MISSING */
    GS_TYPE_REAL, /* double; missing: NaN                   */
    GS_TYPE_TIME, /* int64 ns since 1970 UTC; missing: GS_MISSING */
};

enum gs_column_id {
    GS_COL_NONE, /* a column that is named at run time: an attribute, a metric of a log */
#define GS_COLUMN(id, ...)      GS_COL_##id,
#define GS_METRIC_COLUMN(id, n) GS_COL_##id,
#include "data/result/columns.def"
#undef GS_METRIC_COLUMN
#undef GS_COLUMN
    GS_N_COLUMNS
};

/*
 * What a column is. In a frame's list, which is a static table beside the analysis, an id and what differs from
 * columns.def (NULL or 0: nothing); gs_frame_new fills in the rest.
 */
struct gs_column_spec {
    const char *name;  /* CSV and JSON name, unit at its end: "power_mean_w"                 */
    const char *label; /* heading for people, without the unit: "mean power"                 */
    const char *unit;  /* "W", "ms", "%", "" ...                                             */
    enum gs_type type;
    int decimals; /* in tables: of REAL digits after the point, -1: shortest; of TIME 0 or GS_WHOLE_SECONDS */
    const char *how; /* --explain: how it is computed, one sentence without full stop      */
    /* TEXT for people: what no name and an empty one are; NULL: "-", "" */
    const char *missing, *empty;
    bool is_id; /* INT that is a code or number of something: never gets separators   */
    int digits; /* in a frame's list: GS_DIGITS where the decimals differ             */
    enum gs_column_id id;
};

#define GS_COL(...)                                                                                \
    {                                                                                              \
        .id = GS_COL_##__VA_ARGS__                                                                 \
    }
#define GS_DIGITS(n) ((n) + 2)
enum { GS_WHOLE_SECONDS = -1 };

/* A column that was named at run time, by its place in its frame. */
#define GS_COL_AT(column) ((enum gs_column_id)(GS_N_COLUMNS + (int)(column)))

/* Is that its heading, in any case, with blanks or with _ in their place? */
bool gs_column_is_titled(const struct gs_column_spec *spec, struct gs_str name);

/* What people read for a column: its label, else its name. */
static inline const char *gs_column_title(const struct gs_column_spec *spec)
{
    return spec->label == NULL ? spec->name : spec->label;
}

/* The column as columns.def has it; `id` is none of GS_COL_NONE and GS_N_COLUMNS. */
const struct gs_column_spec *gs_column(enum gs_column_id id);

/* The id of the column of that name, or GS_COL_NONE. */
enum gs_column_id gs_column_find(const char *name);

/*
 * A row of a frame's list, filled in. One that was named at run time gets the id of the column of that name, else GS_COL_AT
 * (`column`), which is good within its frame only.
 */
struct gs_column_spec gs_column_resolve(const struct gs_column_spec *use, size_t column);
