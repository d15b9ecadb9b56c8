/* value.h - internal to the mapper: values of a map, bound to the columns of a file. */
#pragma once

#include "input/times/clock.h"
#include "input/formats/record_sink.h"

/* A condition on columns. */
struct gs_bound_where {
    uint32_t *column; /* [n] */
    bool *literal;    /* [n] patterns without wild parts, which are compared as they stand */
    const struct gs_map_wheres *where;
};

struct gs_bound_value {
    const struct gs_map_value *v;
    const char *name;       /* in the map                                      */
    bool is_cell;           /* a column's text as it stands, where `where` holds */
    uint32_t *column;       /* [v->column.n]                                   */
    struct gs_str constant; /* FILE, TEXT                                      */
    struct gs_unit named;   /* the unit in the column's name                   */
    struct gs_bound_where where;
    struct gs_buf joined; /* scratch                                         */
    struct gs_texts many; /* scratch: the parts of a list                    */
    struct gs_buf part;
};

/* Binds; columns that were never seen get numbers all the same. Errors: GS_ERR_DATA where a file's name does not fit. */
enum gs_status gs_value_bind(struct gs_bound_value *b, const struct gs_map_value *v,
                             struct gs_str path, struct gs_record_sink *records, const char *what,
                             struct gs_err *err);
enum gs_status gs_where_bind(struct gs_bound_where *b, const struct gs_map_wheres *w,
                             struct gs_record_sink *records, struct gs_err *err);

/* Do all conditions hold? */
bool gs_where_matches(const struct gs_bound_where *w, const struct gs_form_row *r);

/* Does it read one of these two columns? */
bool gs_where_reads(const struct gs_bound_where *w, const uint32_t column[2]);
bool gs_value_reads(const struct gs_bound_value *b, const uint32_t column[2]);

/* The cell or constant as it stands, before like and names. */
struct gs_str gs_value_raw(struct gs_bound_value *b, const struct gs_form_row *r);

/* What `like` and `names` make of a text; ptr == NULL: missing. */
struct gs_str gs_value_refined(const struct gs_map_value *v, struct gs_str text);

/* The text of a value; ptr == NULL: missing. Valid until the next call with the same value. */
struct gs_str gs_value_text(struct gs_bound_value *b, const struct gs_form_row *r);

/* The same where its conditions are known to hold; an empty cell is an empty text. */
static inline struct gs_str gs_value_matched(struct gs_bound_value *b, const struct gs_form_row *r)
{
    if (b->is_cell)
        return gs_form_cell(r, b->column[0]);
    const struct gs_str text = gs_value_raw(b, r);
    return text.ptr == NULL ? text : gs_value_refined(b->v, text);
}

/* The parts of a list: "n[01-04,07]", commas, blanks; one part where the value is not `many`. GS_ERR_DATA: no list; GS_ERR_MEMORY. */
enum gs_status gs_value_list(struct gs_bound_value *b, const struct gs_form_row *r,
                             struct gs_arena *scratch, struct gs_texts *list);

enum { GS_LIST_MAX = 1 << 14 };
