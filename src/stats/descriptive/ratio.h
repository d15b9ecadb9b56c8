/* ratio.h - an exact sum of fractions, for the mean of means. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/core/arena.h"
#include "base/num/int128.h"
#include "base/core/status.h"

struct gs_ratio_term {
    gs_i128 num;  /* sum of the numerators over this denominator */
    uint64_t den; /* 0: unused                                   */
};

/*
 * The sum of num_i / den_i, kept as one exact numerator per distinct denominator. The mean over events of
 * each event's mean over its samples is such a sum. Valid when zeroed. Beyond two denominators it points
 * into the arena given to the calls, so it must not be copied.
 */
struct gs_ratio_sum {
    uint64_t n;                   /* fractions added                              */
    uint64_t n_missing;           /* counted by the caller through ..._missing    */
    struct gs_ratio_term near[2]; /* the first two denominators seen              */
    struct gs_ratio_term *table;  /* the others: open addressing by denominator   */
    uint32_t n_table, n_slots;    /* terms held; a power of two or 0              */
};

/* The part of gs_ratio_add for a denominator that is not near. */
enum gs_status gs_ratio_add_far(struct gs_ratio_sum *r, gs_i128 num, uint64_t den,
                                struct gs_arena *arena, struct gs_err *err);

/*
 * Adds num / den, den > 0 (asserted).
 *
 * Bounds:  the numerators of one denominator must add up to less than 2^127 in magnitude.
 * Errors:  GS_ERR_MEMORY; then nothing was added.
 * Memory:  the table of the third and further denominators lives in `arena`; 64 bytes or less each,
 *          doubled where it grows.
 * Cost:    an addition for the first two denominators, a hash look-up for others.
 */
static inline enum gs_status gs_ratio_add(struct gs_ratio_sum *r, gs_i128 num, uint64_t den,
                                          struct gs_arena *arena, struct gs_err *err)
{
    for (int i = 0; i < 2; i++) {
        if (r->near[i].den == den && den != 0) {
            r->near[i].num += num;
            r->n++;
            return GS_OK;
        }
    }
    return gs_ratio_add_far(r, num, den, arena, err);
}

static inline void gs_ratio_add_missing(struct gs_ratio_sum *r)
{
    r->n_missing++;
}

/* Adds what `other` holds; GS_ERR_MEMORY leaves `r` unusable. The order of merges does not matter. */
enum gs_status gs_ratio_merge(struct gs_ratio_sum *r, const struct gs_ratio_sum *other,
                              struct gs_arena *arena, struct gs_err *err);

/*
 * What is held as terms by ascending denominator, in `arena`; and the way back: adds a term's numerator, den > 0
 * (asserted), without counting fractions. Copying n, n_missing and all terms copies the sum.
 */
enum gs_status gs_ratio_terms(const struct gs_ratio_sum *r, struct gs_arena *arena,
                              struct gs_ratio_term **terms, size_t *n, struct gs_err *err);
enum gs_status gs_ratio_put(struct gs_ratio_sum *r, gs_i128 num, uint64_t den,
                            struct gs_arena *arena, struct gs_err *err);

/*
 * The mean (1/n) * sum num_i / den_i, divided by `scale` > 0.
 *
 * Rounds:  terms are added in double-double by ascending denominator and rounded once; the result is the
 *          same for any order of additions and any partition into merges.
 * Errors:  GS_ERR_RANGE "mean undefined: no values" when n = 0; GS_ERR_MEMORY.
 * Memory:  `scratch` holds the sorted terms during the call and is rewound.
 * Cost:    O(d log d) for d denominators.
 */
enum gs_status gs_ratio_mean(const struct gs_ratio_sum *r, int64_t scale, struct gs_arena *scratch,
                             double *mean, struct gs_err *err);
