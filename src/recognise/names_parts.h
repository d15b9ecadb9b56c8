/* names_parts.h - inside recognition by names: what its parts share. */
#ifndef GPUSTAT_NAMES_PARTS_H
#define GPUSTAT_NAMES_PARTS_H

#include "recognise/glimpse.h"

/* What the columns of a head were taken for. */
struct guess {
    const struct gs_glimpse *h;
    struct gs_arena *arena;
    struct gs_name *name;          /* [n_columns] */
    uint32_t means[GS_N_MEANINGS]; /* column, UINT32_MAX: none */
    const char **why;
    bool alone; /* see gs_map_alone */
};

/* Makes a value a column of that name; false without memory. */
bool gs_guess_column(struct gs_map_value *v, struct gs_str column, struct gs_arena *arena);

/* Adds a metric without a value yet, NULL without memory; finds one, NULL: there is none. */
struct gs_map_field *gs_guess_metric(struct gs_map_fields *f, const char *name, struct gs_arena *arena);
struct gs_map_field *gs_guess_find(const struct gs_map_fields *f, const char *name);

/* A number, perhaps with a unit of the quantity behind it; *has_unit where it has. */
bool gs_guess_reading(struct gs_str text, enum gs_quantity quantity, bool *has_unit);

/* metric, value: each name of the first column that is a metric's is one. False without memory. */
bool gs_guess_long(const struct guess *g, const char *name_column, const char *value_column, struct gs_map_fields *f);

#endif
