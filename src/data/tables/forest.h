/* forest.h - a trained random forest for run time and power: its training options and its trees. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/core/status.h"
#include "base/core/text.h"

enum {
    GS_FOREST_KINDS_MAX = 1024,      /* operators                         */
    GS_FOREST_ATTRIBUTES_MAX = 4096, /* attributes over all operators     */
    GS_FOREST_TREES_MAX = 10000,
    GS_FOREST_NODES_MAX = 1 << 24, /* of one tree                       */
};

/*
 * A regression tree, nodes in pre-order: the left child of node i is i + 1, the right one right[i] > i + 1.
 * A walk therefore only goes forward and ends. Left where x[feature] < value, as single precision.
 */
struct gs_tree {
    uint32_t n;             /* nodes, at least 1                                */
    const int32_t *feature; /* [n]; -1: a leaf                                  */
    const float *value;     /* [n] threshold, of a leaf its answer; finite      */
    const uint32_t *right;  /* [n]; of a leaf 0                                 */
};

/* What each number of a feature vector is: all operators, the dimensions, the attributes, then the rest. */
struct gs_op_encoding {
    const struct gs_str *kind; /* [n_kinds] sorted: one 0/1 each */
    size_t n_kinds;
    size_t n_dims; /* dimensions of the largest input: number and flag each              */
    /* [n_attributes] sorted: number and flag; "mode=row": one 0/1 */
    const struct gs_str *attribute;
    size_t n_attributes;
    bool clock;   /* the clock in MHz                                                   */
    bool derived; /* gs_op_cost's numbers                                               */
};

/*
 * One predicted quantity. With y = offset + scale * sum of the trees' answers the prediction is y, or exp(y)
 * where `log`, times the roofline's time where `roofline`.
 */
struct gs_ensemble {
    bool log, roofline;
    double bytes_per_s, flop_per_s, overhead_s; /* the roofline; > 0, > 0, >= 0 */
    double offset, scale;
    const struct gs_tree *tree; /* [n_trees] */
    size_t n_trees;             /* 0: not trained */
};

enum gs_forest_target { GS_FOREST_TIME, GS_FOREST_POWER, GS_FOREST_TARGETS };

/* Time, power and their product. */
enum gs_forest_quantity {
    GS_FOREST_OF_TIME,
    GS_FOREST_OF_POWER,
    GS_FOREST_OF_ENERGY,
    GS_FOREST_QUANTITIES
};

/*
 * How far predictions of operations never seen are off: for 95 % of them |ln(measured / predicted)| is at most
 * factor * (floor + spread), spread being how much the trees disagree about this operation (gs_forest_answer).
 */
struct gs_forest_error {
    double factor, floor; /* factor 0: not known */
};

struct gs_forest {
    struct gs_forest_error error[GS_FOREST_QUANTITIES];
    struct gs_op_encoding encoding;
    struct gs_ensemble target[GS_FOREST_TARGETS];
    uint64_t n_rows, n_operations, seed; /* rows learnt from, different operations among them */
};

extern const char *const gs_forest_target_names[GS_FOREST_TARGETS]; /* "time", "power" */

/* Numbers that gs_op_cost adds; their names and meanings are in op_features.c. */
enum { GS_FOREST_DERIVED = 12 };

/* Length of a feature vector. */
size_t gs_op_encoding_n_features(const struct gs_op_encoding *e);

/* Is this attribute one 0/1 number ("mode=row") rather than number and flag? */
bool gs_op_encoding_is_word(struct gs_str attribute);

/*
 * Checks everything that a walk relies on: shapes, sorted names, nodes that only point forward, features
 * within the encoding, finite numbers. A forest from a file is used only after this.
 * Errors:  GS_ERR_DATA "time: tree 3: node 7: ..."
 * Cost:    O(nodes).
 */
enum gs_status gs_forest_check(const struct gs_forest *f, struct gs_err *err);

/* The tree's answer for the feature vector x, of a tree that was checked. */
float gs_tree_walk(const struct gs_tree *t, const float *x);
