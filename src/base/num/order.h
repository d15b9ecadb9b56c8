/* order.h - comparison, minimum and maximum of numbers of any arithmetic type. */
#pragma once

#include <stdlib.h>

#include "base/num/int128.h"

#define GS_ORDER_OF(type, word)                                                                    \
    static inline int gs_cmp_##word(type a, type b)                                                \
    {                                                                                              \
        return (a > b) - (a < b);                                                                  \
    }                                                                                              \
    static inline type gs_min_##word(type a, type b)                                               \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline type gs_max_##word(type a, type b)                                               \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }

GS_ORDER_OF(int, int)
GS_ORDER_OF(unsigned, unsigned)
GS_ORDER_OF(long, long)
GS_ORDER_OF(unsigned long, ulong)
GS_ORDER_OF(long long, llong)
GS_ORDER_OF(unsigned long long, ullong)
GS_ORDER_OF(gs_i128, i128)
GS_ORDER_OF(gs_u128, u128)
GS_ORDER_OF(double, double)

/* The function of the type that C gives the sum of both. Each argument is evaluated once. */
#define GS_ORDER(verb, a, b)                                                                       \
    _Generic((a) + (b), int                                                                        \
             : gs_##verb##_int, unsigned                                                           \
             : gs_##verb##_unsigned, long                                                          \
             : gs_##verb##_long, unsigned long                                                     \
             : gs_##verb##_ulong, long long                                                        \
             : gs_##verb##_llong, unsigned long long                                               \
             : gs_##verb##_ullong, gs_i128                                                         \
             : gs_##verb##_i128, gs_u128                                                           \
             : gs_##verb##_u128, double                                                            \
             : gs_##verb##_double)((a), (b))

/* -1, 0, 1, as qsort wants it; 0 also where one of them is no number. */
#define gs_cmp(a, b) GS_ORDER(cmp, a, b)

/* In a comparison by several keys: returns this key's order, unless both are equal in it. */
#define GS_DIFFER(order)                                                                           \
    do {                                                                                           \
        const int key_order = (order);                                                             \
        if (key_order != 0)                                                                        \
            return key_order;                                                                      \
    } while (0)

/*
 * Defines a comparison for qsort of things of a type by their fields in turn:
 * GS_COMPARES(by_task, struct seen, GS_BY(task) GS_BY_TEXT(name) GS_DOWN(n));
 */
#define GS_COMPARES(name, type, keys)                                                              \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const type *const x = a, *const y = b;                                                     \
        keys return 0;                                                                             \
    }                                                                                              \
    _Static_assert(sizeof(type) > 0, "so that a semicolon ends it")
#define GS_BY(field)      GS_DIFFER(gs_cmp(x->field, y->field));
#define GS_DOWN(field)    GS_DIFFER(gs_cmp(y->field, x->field));
#define GS_BY_TEXT(field) GS_DIFFER(gs_str_compare(x->field, y->field));

/* Sorts a list, which is nowhere where there is nothing to sort: qsort is not to be given NULL. */
static inline void gs_sort(void *list, size_t n, size_t size, int (*by)(const void *, const void *))
{
    if (list != NULL && n > 1)
        qsort(list, n, size, by);
}
#define GS_SORT(list, n, by) gs_sort((list), (n), sizeof *(list), (by))

/* Moves `low` to the first `at` of [low, high) that is not below what is looked for; all behind it are not, either. */
#define GS_BISECT(low, high, at, is_below)                                                         \
    for (size_t at_high = (high), at = 0; (low) < at_high;) {                                      \
        at = (low) + (at_high - (low)) / 2;                                                        \
        if (is_below)                                                                              \
            (low) = at + 1;                                                                        \
        else                                                                                       \
            at_high = at;                                                                          \
    }

/* The smaller and the greater; of equal ones, and where one is no number, the second. */
#define gs_min(a, b) GS_ORDER(min, a, b)
#define gs_max(a, b) GS_ORDER(max, a, b)
