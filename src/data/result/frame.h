/* frame.h - the typed result table: what a command computes and what a renderer prints. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/num/decimal.h"
#include "base/core/notes.h"
#include "base/core/status.h"
#include "base/core/text.h"
#include "data/result/columns.h"

struct gs_column {
    const struct gs_column_spec *spec;
    union {
        struct gs_str *text;
        int64_t *integer; /* INT and TIME */
        double *real;
    };
};

struct gs_plot; /* plot.h: how a frame is drawn; NULL where it is not */

/* Where the rows of a frame are that it does not hold. */
struct gs_row_source {
    const void *rows;
    bool far; /* they are not in memory: it is not to be filled with them */

    /*
     * Stores the cells of rows [first, first + n) in `columns`, whose specs are there; cells and texts live in `arena`.
     * Called on several threads at once.
     */
    enum gs_status (*read)(const void *rows, size_t first, size_t n, struct gs_column *columns,
                           size_t n_columns, struct gs_arena *arena, struct gs_err *err);
};

struct gs_frame {
    const char *name; /* "events": schema is gpustat.<name>/1 and the stem of file names */
    /* one line for people; may hold text computed from the data, already escaped */
    const char *title;
    /* for people, escaped: what is read before the table; lines behind it; NULL */
    const char *lead, *below;
    size_t n_rows, n_columns;
    /* [n_columns], each with [n_rows] values, or with none where there is a source */
    struct gs_column *columns;
    struct gs_row_source source; /* .read == NULL: the rows are in the columns */
    const size_t *row_order; /* [n_rows] of a source whose rows were sorted; NULL: as they come   */
    size_t first_row;        /* of a part of a frame: what the frame calls its first row, else 0  */
    const struct gs_zone *zone; /* of the times that people read; NULL: UTC                      */
    const size_t *order;        /* [n_columns] how tables for people show them; NULL: as they are */
    const struct gs_plot *plot;
    struct gs_frame *next; /* a command may print several; order of printing */
};

/* The column that tables for people show as their k-th. */
static inline size_t gs_frame_shown(const struct gs_frame *f, size_t k)
{
    return f->order != NULL ? f->order[k] : k;
}

/* The frames of a run and what is to be said beside them. Start from `{.notes.arena = a}`. */
struct gs_frames {
    struct gs_frame *first, *last;
    struct gs_notes notes;
    /* printed in their place by --format table and json; ptr == NULL: none */
    struct gs_str document;
    struct gs_str brief; /* the same for --format table without --show */
    /* for people, what a task of this run is: "job", "step"; NULL: a task; "": it has none */
    const char *noun;
};

/* "task", or the run's word for it. */
static inline const char *gs_frames_noun(const struct gs_frames *f)
{
    return f->noun == NULL || *f->noun == '\0' ? "task" : f->noun;
}

/* What a new frame is called, and its columns. Texts must outlive the frame. */
struct gs_frame_head {
    const char *name, *title;
    const struct gs_column_spec *specs; /* [n_columns], each filled in by gs_column_resolve */
    size_t n_columns;
};

#define GS_HEAD(...) (&(const struct gs_frame_head){__VA_ARGS__})

/* Makes a frame with every cell missing and appends it to `out` (NULL: not appended). Memory: lives in `arena`. */
enum gs_status gs_frame_new(struct gs_arena *arena, const struct gs_frame_head *head, size_t n_rows,
                            struct gs_frames *out, struct gs_frame **frame, struct gs_err *err);

/* Puts a frame behind those that `out` has. */
void gs_frame_append(struct gs_frames *out, struct gs_frame *f);

/*
 * Rows [first, first + n) of a frame as a frame of their own, whatever holds them: what goes through all rows goes
 * through parts of them. On several threads at once, each with an arena, in which the part lives.
 * Errors: those of the source; GS_ERR_MEMORY.
 */
enum gs_status gs_frame_part(const struct gs_frame *f, size_t first, size_t n,
                             struct gs_arena *arena, struct gs_frame *part, struct gs_err *err);

/*
 * Hands all rows on in parts, in order; a part is gone when it has been taken.
 * Errors: those of gs_frame_part and of who takes them, which end it.
 */
typedef enum gs_status gs_frame_part_fn(void *context, const struct gs_frame *part,
                                        struct gs_err *err);
enum gs_status gs_frame_parts(const struct gs_frame *f, gs_frame_part_fn *take, void *context,
                              struct gs_err *err);

/* Takes all rows from the source into columns in `arena`; only then have they cells. Nothing to do without a source. */
enum gs_status gs_frame_load(struct gs_frame *f, struct gs_arena *arena, struct gs_err *err);

/* The cells of the wanted columns (NULL: all) of every row, in `arena`; the others keep those that they have. */
enum gs_status gs_frame_load_columns(const struct gs_frame *f, const bool *wanted,
                                     struct gs_arena *arena, struct gs_column *columns,
                                     struct gs_err *err);

/* A list of specs and its length, as gs_frame_head has them. */
#define GS_COLUMNS(list) list, sizeof(list) / sizeof *(list)

/* The column of that id, which the frame must have (asserted). */
struct gs_column *gs_frame_cells(const struct gs_frame *f, enum gs_column_id id);

/* A value for the column of that id. */
struct gs_put {
    enum gs_column_id column;
    enum gs_type type;
    union {
        struct gs_str text;
        int64_t integer; /* of INT and TIME */
        double real;
    };
};

#define GS_TEXT(id, value)                                                                         \
    {                                                                                              \
        .column = GS_COL_##id, .type = GS_TYPE_TEXT, .text = (value)                               \
    }
#define GS_INT(id, value)                                                                          \
    {                                                                                              \
        .column = GS_COL_##id, .type = GS_TYPE_INT, .integer = (value)                             \
    }
#define GS_REAL(id, value)                                                                         \
    {                                                                                              \
        .column = GS_COL_##id, .type = GS_TYPE_REAL, .real = (value)                               \
    }

/*
 * Sets cells of a row: GS_PUT(f, row, GS_TEXT(EVENT, name), GS_INT(N, n)). Each column must be there, and of that type
 * (asserted).
 */
void gs_frame_put(struct gs_frame *f, size_t row, const struct gs_put *cell, size_t n);
#define GS_PUT(f, row, ...)                                                                        \
    gs_frame_put(f, row, (const struct gs_put[]){__VA_ARGS__},                                     \
                 sizeof((const struct gs_put[]){__VA_ARGS__}) / sizeof(struct gs_put))

/* The same for those of the columns that the frame has. */
void gs_frame_put_shown(struct gs_frame *f, size_t row, const struct gs_put *cell, size_t n);
#define GS_PUT_SHOWN(f, row, ...)                                                                  \
    gs_frame_put_shown(f, row, (const struct gs_put[]){__VA_ARGS__},                               \
                       sizeof((const struct gs_put[]){__VA_ARGS__}) / sizeof(struct gs_put))

/* The same of one number where the column is known at run time only. */
void gs_frame_put_real(struct gs_frame *f, size_t row, enum gs_column_id id, double value);

/* The same by the column's place, for those that are named at run time. */
void gs_frame_set_text(struct gs_frame *f, size_t row, size_t column, struct gs_str value);
void gs_frame_set_int(struct gs_frame *f, size_t row, size_t column, int64_t value);
void gs_frame_set_real(struct gs_frame *f, size_t row, size_t column, double value);
void gs_frame_set_time(struct gs_frame *f, size_t row, size_t column, int64_t t_ns);

/* Copies cells [first, first + n) of a column to `at` of another of its type; texts are shared. */
void gs_frame_copy_cells(struct gs_column *to, size_t at, const struct gs_column *from,
                         size_t first, size_t n);

bool gs_frame_is_missing(const struct gs_frame *f, size_t row, size_t column);

/* The column, or -1: this frame has none such. By name for names that users give, else by id. */
int gs_frame_find(const struct gs_frame *f, const char *name);
int gs_frame_column(const struct gs_frame *f, enum gs_column_id id);

/* Has a row of it a value? False, too, where the frame has no such column. */
bool gs_frame_has_values(const struct gs_frame *f, enum gs_column_id id);

/* The column that a user means: by its name, else by its printed heading in any case where one column alone has it; or -1. */
int gs_frame_find_named(const struct gs_frame *f, struct gs_str name);

/*
 * Sorts rows by `order`: "column", "column:asc" or "column:desc", several separated by commas. Stable;
 * missing values come last either way. Rows that are far stay where they are: 8 bytes a row and what `order` names of
 * it are held.
 * Errors: GS_ERR_USAGE for an unknown column, with the columns that there are.
 */
enum gs_status gs_frame_sort(struct gs_frame *f, const char *order, struct gs_arena *arena,
                             struct gs_err *err);

/*
 * Puts rows that stand in the order of their leading texts into the natural order of these ("burst 2" before
 * "burst 10"). Rows in any other order stay, and so do those of a source. A last row that breaks the order, as
 * a total does, stays last.
 */
enum gs_status gs_frame_sort_naturally(struct gs_frame *f, struct gs_arena *arena,
                                       struct gs_err *err);

/* Keeps the rows r with keep[r], [n_rows]. Rows that are far stay where they are: 8 bytes a row are held. */
enum gs_status gs_frame_keep(struct gs_frame *f, const bool *keep, struct gs_arena *arena,
                             struct gs_err *err);

/* Keeps the first n rows. */
void gs_frame_top(struct gs_frame *f, size_t n);

/*
 * Writes a cell as CSV and JSON show it, unescaped: bare numbers, shortest doubles, RFC 3339 times, text as
 * it is, nothing for missing. `room` holds a number or time; the result points into it or into the frame.
 */
struct gs_str gs_frame_cell(const struct gs_frame *f, size_t row, size_t column,
                            char room[GS_REAL_TEXT_MAX]);
