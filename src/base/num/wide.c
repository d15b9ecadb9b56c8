/* wide.c - schoolbook arithmetic on a few limbs: it runs once per result, not once per value. */
#include "base/num/wide.h"
#include "base/num/order.h"

#include <assert.h>

static int compare_magnitude(const struct gs_wide *a, const struct gs_wide *b)
{
    for (int i = GS_WIDE_LIMBS - 1; i >= 0; i--)
        GS_DIFFER(gs_cmp(a->limb[i], b->limb[i]));
    return 0;
}

bool gs_wide_is_zero(const struct gs_wide *a)
{
    for (int i = 0; i < GS_WIDE_LIMBS; i++) {
        if (a->limb[i] != 0)
            return false;
    }
    return true;
}

struct gs_wide gs_wide_of(gs_i128 v)
{
    struct gs_wide w = {.negative = v < 0};
    const gs_u128 magnitude = v < 0 ? -(gs_u128)v : (gs_u128)v;
    w.limb[0] = (uint64_t)magnitude;
    w.limb[1] = (uint64_t)(magnitude >> 64);
    return w;
}

static struct gs_wide wide_of_sum(const struct gs_i192 *v)
{
    gs_u128 lo = v->lo;
    uint64_t hi = (uint64_t)v->hi;
    if (v->hi < 0) {
        lo = -lo;
        hi = ~hi + (lo == 0);
    }
    return (struct gs_wide){.negative = v->hi < 0,
                            .limb = {(uint64_t)lo, (uint64_t)(lo >> 64), hi}};
}

/*
 * Callers bound their operands so that the product fits. The asserts state this; they do not
 * handle input.
 */
struct gs_wide gs_wide_mul(const struct gs_wide *a, const struct gs_wide *b)
{
    struct gs_wide p = {0};
    for (int i = 0; i < GS_WIDE_LIMBS; i++) {
        if (a->limb[i] == 0)
            continue;
        uint64_t carry = 0;
        for (int j = 0; j < GS_WIDE_LIMBS; j++) {
            if (i + j >= GS_WIDE_LIMBS) {
                assert(b->limb[j] == 0 && carry == 0);
                continue;
            }
            const gs_u128 t = (gs_u128)a->limb[i] * b->limb[j] + p.limb[i + j] + carry;
            p.limb[i + j] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        assert(carry == 0);
    }
    p.negative = a->negative != b->negative && !gs_wide_is_zero(&p);
    return p;
}

static struct gs_wide add_magnitude(const struct gs_wide *a, const struct gs_wide *b)
{
    struct gs_wide s = {0};
    uint64_t carry = 0;
    for (int i = 0; i < GS_WIDE_LIMBS; i++) {
        const gs_u128 t = (gs_u128)a->limb[i] + b->limb[i] + carry;
        s.limb[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64);
    }
    assert(carry == 0);
    return s;
}

/* |a| - |b| for |a| >= |b|. */
static struct gs_wide sub_magnitude(const struct gs_wide *a, const struct gs_wide *b)
{
    struct gs_wide d = {0};
    uint64_t borrow = 0;
    for (int i = 0; i < GS_WIDE_LIMBS; i++) {
        const gs_u128 t = (gs_u128)a->limb[i] - b->limb[i] - borrow;
        d.limb[i] = (uint64_t)t;
        borrow = (t >> 64) != 0;
    }
    return d;
}

struct gs_wide gs_wide_sub(const struct gs_wide *a, const struct gs_wide *b)
{
    if (a->negative != b->negative) {
        struct gs_wide s = add_magnitude(a, b);
        s.negative = a->negative;
        return s;
    }
    const int c = compare_magnitude(a, b);
    struct gs_wide d = c >= 0 ? sub_magnitude(a, b) : sub_magnitude(b, a);
    d.negative = c != 0 && a->negative == (c > 0);
    return d;
}

struct gs_dd gs_wide_to_dd(const struct gs_wide *a)
{
    int top = GS_WIDE_LIMBS - 1;
    while (top > 0 && a->limb[top] == 0)
        top--;
    /* Three limbs hold at least 129 significant bits. Each limb as two halves is exact in a double. */
    struct gs_dd sum = gs_dd_of(0.0);
    for (int i = top; i >= 0 && i > top - 3; i--) {
        sum = gs_dd_add(sum, gs_dd_of(ldexp((double)(a->limb[i] >> 32), 64 * i + 32)));
        sum = gs_dd_add(sum, gs_dd_of(ldexp((double)(a->limb[i] & UINT32_MAX), 64 * i)));
    }
    return a->negative ? gs_dd_neg(sum) : sum;
}

struct gs_wide gs_wide_covariance(uint64_t n, const struct gs_i192 *sab, gs_i128 sa, gs_i128 sb)
{
    const struct gs_wide wn = gs_wide_of((gs_i128)n), wab = wide_of_sum(sab);
    const struct gs_wide wa = gs_wide_of(sa), wb = gs_wide_of(sb);
    const struct gs_wide left = gs_wide_mul(&wn, &wab), right = gs_wide_mul(&wa, &wb);
    return gs_wide_sub(&left, &right);
}
