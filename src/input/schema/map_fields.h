/* map_fields.h - the fields of a source, in the order in which they are printed. */
#pragma once

#include "input/schema/map.h"

/* clang-format off */
enum gs_map_kind {
    GS_MAP_ROLE, GS_MAP_TEXT, GS_MAP_TEXTS, GS_MAP_COUNT, GS_MAP_VALUE, GS_MAP_WHERE, GS_MAP_FIELDS, GS_MAP_PHASE,
    GS_MAP_ORIGIN,
};
/* clang-format on */

struct gs_map_row {
    const char *name;
    enum gs_map_kind kind;
    size_t offset;  /* in struct gs_source           */
    unsigned roles; /* bits of enum gs_role          */
};

/* Ends in {0}. */
extern const struct gs_map_row gs_map_rows[];

/* The row of that name which the role has, or NULL. */
const struct gs_map_row *gs_map_row_find(struct gs_str name, enum gs_role role);

/* What a map calls the kinds of values; find: GS_VALUE_NONE where it has none of that name. */
extern const char *const gs_value_kind_names[];
enum gs_value_kind gs_value_kind_find(struct gs_str name);

/* The text of that name of a phase that pairs: column, start, stop; else NULL. */
struct gs_str *gs_phase_text(struct gs_map_phase *p, struct gs_str name);
