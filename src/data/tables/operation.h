/* operation.h - an operation of a network as PyTorch prints it, taken apart; and a table of measured ones. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

enum {
    GS_OP_TEXT_MAX = 4096, /* bytes of an operation or input size                    */
    GS_OP_ARGS_MAX = 64,   /* arguments, and items of one tuple                      */
    GS_OP_DEPTH_MAX = 8,   /* tuples in tuples                                       */
    GS_OP_DIMS_MAX = 8,    /* dimensions of an input                                 */
};

#define GS_OP_DIM_MAX INT64_C(1000000000) /* length of one dimension */

enum gs_op_value_kind {
    GS_OP_NONE,   /* None                                        */
    GS_OP_BOOL,   /* True, False: number is 1 or 0               */
    GS_OP_NUMBER, /* finite                                      */
    GS_OP_TEXT,   /* a bare word (mode=row) or a quoted string   */
    GS_OP_TUPLE,  /* (1, 2), (128,), [1, 2]                      */
};

struct gs_op_value {
    enum gs_op_value_kind kind;
    double number;                  /* BOOL, NUMBER                                    */
    struct gs_str text;             /* TEXT: printable ASCII without quotes, backslash */
    const struct gs_op_value *item; /* TUPLE: [n_items]                                */
    size_t n_items;
};

struct gs_op_arg {
    struct gs_str name; /* missing: positional */
    struct gs_op_value value;
};

/* `Conv2d(3, 64, kernel_size=(7, 7))`: kind Conv2d, two positional arguments and a named one. */
struct gs_op {
    struct gs_str kind; /* a name, with dots: "Conv2d", "torch.nn.Conv2d" keeps only "Conv2d" */
    const struct gs_op_arg *arg; /* [n_args], positional ones first */
    size_t n_args, n_positional;
    struct gs_str canonical; /* one spelling for all: single blanks, () for no arguments */
};

/*
 * Reads an operation. Grammar: NAME, or NAME(ARGUMENT, ...), where an ARGUMENT is VALUE or NAME=VALUE and a
 * VALUE is a number, True, False, None, a bare word, a quoted string or a tuple of values.
 * Errors:  GS_ERR_DATA, without a place: "',' or ')' expected at character 12, found 'x'"; GS_ERR_MEMORY.
 * Memory:  all of it lives in `arena`, none of it points into `text`.
 * Cost:    O(bytes).
 */
enum gs_status gs_op_parse(struct gs_str text, struct gs_arena *arena, struct gs_op *op,
                           struct gs_err *err);

/* The argument of that name, or the positional argument `position` (-1: none), or NULL. */
const struct gs_op_value *gs_op_find(const struct gs_op *op, const char *name, int position);

/* Lengths of an input's dimensions, the batch first. */
struct gs_op_size {
    size_t n;
    int64_t dim[GS_OP_DIMS_MAX]; /* [n], 1 .. GS_OP_DIM_MAX */
    struct gs_str canonical;     /* "(32, 3, 56, 56)"        */
};

/* Reads a tuple of positive integers such as (32, 3, 56, 56), or one integer. As gs_op_parse. */
enum gs_status gs_op_size_parse(struct gs_str text, struct gs_arena *arena, struct gs_op_size *size,
                                struct gs_err *err);

/* One row of an operations file. Missing numbers are NaN, missing texts have no ptr. */
struct gs_operation {
    struct gs_op op;
    struct gs_op_size size;
    double clock_mhz;
    double time_s, power_w; /* measured; > 0 */
    double count;           /* how often `model` does it; 1 where the file does not say */
    struct gs_str model;
    uint64_t line;
};

struct gs_operations {
    const char *name; /* of the file, escaped */
    struct gs_operation *row;
    size_t n;
    bool has_clock, has_power, has_model, has_count; /* the column is there */
};
