/* formats.h - inside the readers of forms: what they share. */
#pragma once

#include "input/bytes/json_cut.h"
#include "input/formats/record_sink.h"
#include "input/formats/shape.h"

/* Delimited tables, see the map's separator, skip, header and columns. */
enum gs_status gs_table_read(struct gs_text_in *in, struct gs_record_sink *out, struct gs_err *err);

/*
 * Puts the leaves of a JSON object as columns with dotted names into the open record; of lists those of values. Errors:
 * GS_ERR_DATA "NAME:LINE: not JSON". Start from {.room = ..., .out = ...}.
 */
struct gs_json_record {
    struct gs_json_room room;
    struct gs_record_sink *out;
    struct gs_shapes shapes;
};
struct gs_json_record gs_json_record_of(struct gs_text_in *in, struct gs_record_sink *out);
bool gs_json_put_leaf(void *json_record, struct gs_str path,
                      struct gs_str value); /* a gs_json_leaf_fn */
enum gs_status gs_json_put(struct gs_json_record *j, struct gs_str text, uint64_t line,
                           struct gs_err *err);

/* Rejects a line of a value that was left open: a gs_json_torn_fn, whose context is the sink. */
enum gs_status gs_json_reject_torn(void *out, uint64_t line, struct gs_str text,
                                   struct gs_err *err);

/*
 * Makes a record of each item of a list of GPUs in an object, with the leaves around the list; *any: there is one.
 * Start from {.item = ..., .around = ..., .items.item.arena = a}; both records are of one intake.
 */
struct gs_json_lists {
    struct gs_json_record item, around;
    struct gs_json_cut items; /* of the list */
};
enum gs_status gs_json_read_lists(struct gs_json_lists *lists, struct gs_str text, uint64_t line,
                                  bool *any, struct gs_err *err);

/* Puts the number of a job and of its step, "4711.batch". */
void gs_tres_put_id(struct gs_record_sink *out, struct gs_str id);

/*
 * Puts the GPUs of "billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=64G", the first of their types, and the nodes: the sum of the
 * GPUs stands without a type, or the types add up. Old lists of GRES are "gpu:a100:2". A list without any says that it got
 * none, an empty one nothing.
 */
void gs_tres_put_held(struct gs_record_sink *out, struct gs_str tres, struct gs_str nodes);

/* What stands behind "node=" in "cpu=8,node=2"; ptr == NULL: nothing. */
struct gs_str gs_tres_value(struct gs_str tres, const char *key);

/* The numbers of GPUs and nodes, and of the step, of the open record of a job as sacct calls its columns. */
void gs_tres_put(struct gs_record_sink *out);

/*
 * The instant in front of a line, perhaps beside a logger's level, or at its end, and what is left of it, without brackets
 * around; false: there is none, and *rest is the line.
 */
bool gs_line_instant(struct gs_str line, struct gs_str *time, struct gs_str *rest);

/* rocm-smi as it is printed for people, see format_rocm_text.c: is it, and its reader. */
bool gs_is_rocm_text(struct gs_str head);
extern const struct gs_line_reader gs_rocm_text_lines;

enum { GS_LINE_CELLS = 512 };

/* A file that is read line by line. */
struct gs_lines {
    struct gs_text_in *in;
    struct gs_record_sink *out;
    void *own;              /* [own_bytes] of the form, zeroed at first */
    struct gs_arena kept;   /* of the form, given back at the end           */
    struct gs_arena record; /* of the record that the form has open, likewise */
    struct gs_buf time; /* the instant that holds for the rows that follow; empty: none was met */
    struct gs_str cell[GS_LINE_CELLS]; /* of the line */
    uint32_t column[GS_LINE_CELLS];    /* [n_columns] of a table whose columns were named */
    size_t n_columns;
};

/* Hands each line to the reader. Errors: those of reading, and the reader's. */
enum gs_status gs_read_lines(const struct gs_line_reader *reader, struct gs_text_in *in,
                             struct gs_record_sink *out, struct gs_err *err);

/* Cuts a line into cells: at a separator, or into words; how many. */
size_t gs_lines_cut(struct gs_lines *l, struct gs_str line, char separator);
size_t gs_lines_cut_words(struct gs_lines *l, struct gs_str line);

/* Names the columns as the cells say; puts the cells into the columns of these places. */
void gs_lines_name(struct gs_lines *l, size_t n);
void gs_lines_put(struct gs_lines *l, size_t n);

/* The time of the rows that follow; puts it into the column of that name, where there is one. */
void gs_lines_set_time(struct gs_lines *l, struct gs_str time);
void gs_lines_put_time(struct gs_lines *l, const char *column);

/*
 * Has a line as many cells as there are columns? Else it is torn, where the file broke off, or *s is what its cells, called
 * `what`, being too many or too few comes to.
 */
bool gs_lines_fits(struct gs_lines *l, size_t n, const char *what, struct gs_str line,
                   enum gs_status *s, struct gs_err *err);

/* Ends the record of a line. */
enum gs_status gs_lines_end(struct gs_lines *l, struct gs_str line, struct gs_err *err);
