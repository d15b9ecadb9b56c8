/* op_features.h - what an operation computes and moves, and its feature vector. */
#pragma once

#include "data/tables/forest.h"
#include "data/tables/operation.h"

/* What one forward pass does, in single precision (4 bytes an element). */
struct gs_op_cost {
    double flop;                   /* floating-point operations; a multiply-add is two        */
    double bytes;                  /* least traffic: input, output and parameters once each   */
    double n_in, n_out, n_params;  /* elements                                               */
    double gemm_m, gemm_n, gemm_k; /* as a matrix product, per group; 0 where it is none    */
    double spatial;                /* output positions per channel and image                  */
    double kernel, groups;         /* elements of the kernel window; groups of channels       */
};

/*
 * Counts the work of an operation. Known are convolutions (transposed ones too), linear layers, the
 * normalisations, pooling and adaptive pooling in one to three dimensions; any other operation is taken as
 * one operation per element that keeps the shape.
 * Errors:  GS_ERR_DATA, without a place, where operation and input contradict each other: "Conv2d takes 3
 *          channels, the input has 64".
 * Memory:  allocates nothing.
 * Source:  the shape formulas of the PyTorch documentation, torch.nn.
 */
enum gs_status gs_op_cost(const struct gs_op *op, const struct gs_op_size *size,
                          struct gs_op_cost *cost, struct gs_err *err);

/*
 * Finds the vocabulary of some operations: their kinds, attributes and number of dimensions. Positional
 * arguments are named arg0, arg1 ...; the items of a tuple t, t.1, t.2 ...; text `mode=row` is an
 * attribute of its own; None is no attribute.
 * Errors:  GS_ERR_DATA for more kinds or attributes than forest.h allows.
 * Memory:  lives in `arena`.
 */
enum gs_status gs_op_encoding_learn(const struct gs_operation *row, size_t n, bool clock,
                                    bool derived, struct gs_arena *arena,
                                    struct gs_op_encoding *encoding, struct gs_err *err);

/* Is the operator one that the encoding knows? */
bool gs_op_encoding_has(const struct gs_op_encoding *e, const struct gs_op *op);

/*
 * Writes the feature vector: operators one-hot; each dimension and attribute as number and 0/1 flag, -1 and
 * 0 where it does not apply; the clock; ln(1 + x) of the derived counts. What the encoding does not know is
 * left out.
 *
 * Shapes:  x[gs_op_encoding_n_features(e)]; `cost` may be NULL where the encoding derives nothing.
 * Errors:  GS_ERR_MEMORY.
 * Memory:  `scratch` is rewound.
 * Source:  the study's encoding: C. Nicolai, master's thesis, Heidelberg University, 2024.
 */
enum gs_status gs_op_encode(const struct gs_op_encoding *e, const struct gs_operation *o,
                            const struct gs_op_cost *cost, struct gs_arena *scratch, float *x,
                            struct gs_err *err);

/* The name of feature i, for people: "kind=Conv2d", "dim2", "dim2?", "kernel_size", "ln flop". */
void gs_op_encoding_feature_name(const struct gs_op_encoding *e, size_t i, struct gs_buf *name);
