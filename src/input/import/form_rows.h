/*
 * form_rows.h - the records of a form of lines, written as rows of a table, so that the scanner reads them: in parallel, and
 * of the columns that the map names alone.
 */
#pragma once

#include "input/import/value.h"

struct gs_form_rows;

/* Are the records of such a source rows of a table, of which each line of the file has one? */
bool gs_form_rows_fit(const struct gs_source *s);

/*
 * Finds the columns of the table, from the first record in `head`, whole lines of which begin the file: those that the map
 * names and those that stand beside a GPU's name. *n == 0: there is no record in it.
 * Errors: GS_ERR_DATA where the form's reader has to look at the file.
 */
enum gs_status gs_form_rows_header(const struct gs_source *s, struct gs_str head, uint64_t seed,
                                   struct gs_arena *arena, const struct gs_str **field, size_t *n,
                                   struct gs_err *err);

/* Makes ready to write rows of these columns. Memory: lives in `arena`. */
enum gs_status gs_form_rows_open(const struct gs_source *s, const struct gs_str *field, size_t n,
                                 uint64_t seed, struct gs_arena *arena, struct gs_form_rows **rows,
                                 struct gs_err *err);

/* What some lines came to. */
struct gs_form_table {
    struct gs_str text; /* a row, or a blank one, for each; `padding` bytes behind may be read */
    uint64_t n_lines;
    uint64_t n_ignored; /* records that the map leaves out */
    bool torn;          /* the last one of the file broke off */
    bool by_size;       /* the unit of a time was told by its size */
};

/*
 * Writes whole lines, the last of which may be the file's. It stays until the next call.
 * Errors: GS_ERR_DATA where they are not records of one line each, or the mapper has to judge them; GS_ERR_MEMORY.
 */
enum gs_status gs_form_rows_write(struct gs_form_rows *r, struct gs_str lines, size_t padding,
                                  bool at_end, struct gs_form_table *table, struct gs_err *err);
