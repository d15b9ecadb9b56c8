/* preview.h - internal to input/detect: the beginning of a file as records. */
#pragma once

#include "input/detect/detect.h"
#include "input/formats/record_sink.h"
#include "input/schema/column_meaning.h"

enum { GS_PREVIEW_BYTES = 1 << 20, GS_PREVIEW_HEAD = 2 << 10, GS_PREVIEW_ROWS = 4000 };

/* What was seen of a file: its form and the first records. */
struct gs_preview {
    struct gs_arena *arena;
    const struct gs_form *form;
    struct gs_source table; /* separator, skip, header, columns where it is a table */
    uint32_t n_columns;
    struct gs_str *column; /* [n_columns] */
    size_t n_rows;
    struct gs_str *cell; /* [n_rows * n_columns]; ptr == NULL: absent */
    uint64_t limit;      /* bytes that are looked at */
    bool is_whole;       /* the file has no other rows */
    bool is_broken;      /* further down it is not of its form */
    bool by_metric;      /* rows of another metric may follow further down */
    const char *why;     /* not NULL: not understood */
    const char *
        titled; /* not NULL: why it is no table from its first line on; lines above one were passed over */
};

/* A cell of the rows that were read; missing in a column that is not there (UINT32_MAX). */
static inline struct gs_str gs_preview_cell(const struct gs_preview *h, size_t row, uint32_t column)
{
    if (column == UINT32_MAX)
        return GS_NO_STR;
    return h->cell[row * h->n_columns + column];
}

/*
 * Looks at a file; what is not understood is in head->why.
 * Errors: GS_ERR_IO, GS_ERR_MEMORY, GS_ERR_NOINPUT. Memory: the records live in `arena`; what reading took is given back.
 */
enum gs_status gs_preview_read(const char *path, const struct gs_source *hint, bool alone,
                               uint64_t seed, struct gs_arena *arena, struct gs_preview *head,
                               struct gs_err *err);

/* The column of that name, or UINT32_MAX. */
uint32_t gs_preview_find(const struct gs_preview *h, const char *name);

/* The column of a value that is one column; UINT32_MAX: it is something else, or not there. */
uint32_t gs_preview_plain_column(const struct gs_preview *h, const struct gs_map_value *v);

/* Is the first row of a table one of its data: an instant, a number with its unit, or numbers alone? */
bool gs_preview_is_headless(const struct gs_preview *h);

/*
 * Names the columns of a table without a header by what stands in them, or one alone by the file's name, as far as only one
 * reading of them fits: into
 * h->table.columns, columns_inferred; those that may be several things are left out. Where none of them is a metric
 * (of a table that is asked for its power, the power), h->why says so, with the whole --columns line. False without memory.
 */
bool gs_preview_name_columns(struct gs_preview *h, const char *path, bool alone);

/* ClusterCockpit's data.json: its metrics, and its origin from meta.json beside it. */
enum gs_status gs_cockpit_apply(const struct gs_preview *h, const char *path, struct gs_map *map,
                                struct gs_arena *arena, struct gs_err *err);

/* Its jobs name their accelerators, which hold where the series of accelerators are there. */
void gs_cockpit_settle(struct gs_map *map);

/*
 * Adds the sources that a head fits to map: those of profiles, else by names. Their files are left empty. What the names
 * say of a role that they do not fill is left in part[role].
 */
enum gs_status gs_profiles_apply(const struct gs_preview *h, struct gs_map *map,
                                 struct gs_arena *arena, struct gs_err *err);
extern const char gs_names_unknown[];       /* *why where no name is known */
extern const char gs_names_no_rows[];       /* *why where a header stands alone */
extern const char gs_steps_without_times[]; /* *why where rows are steps that nothing places */
enum gs_status gs_names_apply(const struct gs_preview *h, const struct gs_candidate *c,
                              struct gs_map *map, struct gs_source part[GS_N_ROLES],
                              struct gs_arena *arena, const char **why, struct gs_err *err);
