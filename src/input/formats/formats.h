/* formats.h - inside the readers of forms: what they share. */
#pragma once

#include "input/bytes/json_cut.h"
#include "input/formats/record_sink.h"
#include "input/formats/shape.h"

/* Delimited tables, see the map's separator, skip, header and columns. */
enum gs_status gs_table_read(struct gs_text_in *in, struct gs_record_sink *out, struct gs_err *err);

/*
 * Puts the leaves of a JSON object as columns with dotted names into the open record; lists are passed over. Errors:
 * GS_ERR_DATA "NAME:LINE: not JSON". Start from {.room = ..., .out = ...}.
 */
struct gs_json_record {
    struct gs_json_room room;
    struct gs_record_sink *out;
    struct gs_shapes shapes;
};
bool gs_json_put_leaf(void *json_record, struct gs_str path,
                      struct gs_str value); /* a gs_json_leaf_fn */
enum gs_status gs_json_put(struct gs_json_record *j, struct gs_str text, uint64_t line,
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

/*
 * The instant in front of a line, perhaps behind a logger's level, or at its end, and what is left of it, without brackets
 * around; false: there is none, and *rest is the line.
 */
bool gs_line_instant(struct gs_str line, struct gs_str *time, struct gs_str *rest);

/* rocm-smi as it is printed for people, see format_rocm_text.c: is it, and reads it to its end. */
bool gs_is_rocm_text(struct gs_str head);
enum gs_status gs_rocm_text_read(struct gs_text_in *in, struct gs_record_sink *out,
                                 struct gs_err *err);
