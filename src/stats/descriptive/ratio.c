/* ratio.c - one exact numerator per denominator; the division waits until the end. */
#include "stats/descriptive/ratio.h"

#include <assert.h>

#include "base/num/dd.h"
#include "base/num/order.h"

enum { FIRST_SLOTS = 16 };

/* The slot that holds `den`, or the free one where it belongs. */
static struct gs_ratio_term *slot_of(struct gs_ratio_term *table, uint32_t n_slots, uint64_t den)
{
    const uint32_t mask = n_slots - 1;
    uint32_t at = (uint32_t)((den * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
    while (table[at].den != 0 && table[at].den != den)
        at = (at + 1) & mask;
    return &table[at];
}

static enum gs_status grow(struct gs_ratio_sum *r, struct gs_arena *arena, struct gs_err *err)
{
    const uint32_t n_slots = r->n_slots == 0 ? FIRST_SLOTS : r->n_slots * 2;
    struct gs_ratio_term *const table =
        n_slots == 0 ? NULL : gs_arena_take(arena, n_slots, sizeof *table);
    GS_TRY(gs_had_memory(table != NULL, err));
    for (uint32_t i = 0; i < r->n_slots; i++) {
        if (r->table[i].den != 0)
            *slot_of(table, n_slots, r->table[i].den) = r->table[i];
    }
    r->table = table;
    r->n_slots = n_slots;
    return GS_OK;
}

/*
 * The term of `den`, made where there is none. Most sums have one or two denominators (1 sample, 2
 * ends), which need no table and no memory. The table is for window joins, with one denominator
 * per number of samples.
 */
static enum gs_status term_of(struct gs_ratio_sum *r, uint64_t den, struct gs_arena *arena,
                              struct gs_ratio_term **term, struct gs_err *err)
{
    assert(den > 0);
    for (int i = 0; i < 2; i++) {
        if (r->near[i].den == den || r->near[i].den == 0) {
            r->near[i].den = den;
            *term = &r->near[i];
            return GS_OK;
        }
    }
    if (2 * (uint64_t)r->n_table >= r->n_slots)
        GS_TRY(grow(r, arena, err));
    *term = slot_of(r->table, r->n_slots, den);
    if ((*term)->den == 0) {
        (*term)->den = den;
        r->n_table++;
    }
    return GS_OK;
}

enum gs_status gs_ratio_add_far(struct gs_ratio_sum *r, gs_i128 num, uint64_t den,
                                struct gs_arena *arena, struct gs_err *err)
{
    GS_TRY(gs_ratio_put(r, num, den, arena, err));
    r->n++;
    return GS_OK;
}

/* Calls for every term held: first the two near ones, then the table. */
static const struct gs_ratio_term *next_term(const struct gs_ratio_sum *r, uint32_t *at)
{
    while (*at < 2 + r->n_slots) {
        const struct gs_ratio_term *const t = *at < 2 ? &r->near[*at] : &r->table[*at - 2];
        ++*at;
        if (t->den != 0)
            return t;
    }
    return NULL;
}

enum gs_status gs_ratio_merge(struct gs_ratio_sum *r, const struct gs_ratio_sum *other,
                              struct gs_arena *arena, struct gs_err *err)
{
    uint32_t at = 0;
    for (const struct gs_ratio_term *t; (t = next_term(other, &at)) != NULL;) {
        struct gs_ratio_term *mine = NULL;
        GS_TRY(term_of(r, t->den, arena, &mine, err));
        mine->num += t->num;
    }
    r->n += other->n;
    r->n_missing += other->n_missing;
    return GS_OK;
}

GS_COMPARES(by_den, struct gs_ratio_term, GS_BY(den));

enum gs_status gs_ratio_terms(const struct gs_ratio_sum *r, struct gs_arena *arena,
                              struct gs_ratio_term **terms, size_t *n, struct gs_err *err)
{
    GS_NEW(struct gs_ratio_term, all, (size_t)r->n_table + 2, arena, err);
    uint32_t at = 0;
    *n = 0;
    for (const struct gs_ratio_term *t; (t = next_term(r, &at)) != NULL;)
        all[(*n)++] = *t;
    GS_SORT(all, *n, by_den);
    *terms = all;
    return GS_OK;
}

enum gs_status gs_ratio_put(struct gs_ratio_sum *r, gs_i128 num, uint64_t den,
                            struct gs_arena *arena, struct gs_err *err)
{
    struct gs_ratio_term *term = NULL;
    GS_TRY(term_of(r, den, arena, &term, err));
    term->num += num;
    return GS_OK;
}

static enum gs_status total(const struct gs_ratio_sum *r, struct gs_arena *scratch,
                            struct gs_dd *sum, struct gs_err *err)
{
    GS_REWINDS(scratch);
    struct gs_ratio_term *terms;
    size_t n;
    GS_TRY(gs_ratio_terms(r, scratch, &terms, &n, err));
    /*
     * Terms come in ascending order of their denominators. That fixes the rounding, so the mean
     * does not depend on the order in which values were added.
     */
    *sum = gs_dd_of(0.0);
    for (size_t i = 0; i < n; i++)
        *sum = gs_dd_add(
            *sum, gs_dd_div(gs_dd_of_int(terms[i].num), gs_dd_of_int((gs_i128)terms[i].den)));
    return GS_OK;
}

enum gs_status gs_ratio_mean(const struct gs_ratio_sum *r, int64_t scale, struct gs_arena *scratch,
                             double *mean, struct gs_err *err)
{
    assert(scale > 0);
    if (r->n == 0)
        return gs_fail(err, GS_ERR_RANGE, "mean undefined: no values");
    struct gs_dd t;
    GS_TRY(total(r, scratch, &t, err));
    *mean = gs_dd_to_double(gs_dd_div(t, gs_dd_of_int((gs_i128)r->n * scale)));
    return GS_OK;
}
