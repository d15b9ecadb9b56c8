/* encoding.c - columns as codes in the bits of words; encodings that only ever grow, agreed by compare and swap. */
#include "data/tables/encoding.h"
#include "base/num/order.h"

enum {
    WORD_BITS = 64,
    CODE_BITS_MAX = 62, /* of a column that has not all of int64: see gs_table_end_small_row */
};

bool gs_extent_unite(struct gs_extent *e, const struct gs_extent *other)
{
    struct gs_extent x = *e, y = *other;
    struct gs_extent *const coarse = x.decimals < y.decimals ? &x : &y;
    const int64_t factor =
        gs_pow10(x.decimals < y.decimals ? y.decimals - x.decimals : x.decimals - y.decimals);
    if (coarse->min <= coarse->max && (__builtin_mul_overflow(coarse->min, factor, &coarse->min) ||
                                       __builtin_mul_overflow(coarse->max, factor, &coarse->max)))
        return false;
    *e = (struct gs_extent){gs_min(x.min, y.min), gs_max(x.max, y.max),
                            gs_max(x.decimals, y.decimals), x.has_missing || y.has_missing};
    return true;
}

struct gs_extent gs_extent_of(const struct gs_encoded_column *c, unsigned decimals_max)
{
    unsigned finer = 0; /* decimals of the greatest unit, less those of this one */
    while (gs_pow10(finer) != c->unit)
        finer++;
    const int64_t base = c->base / c->unit, greatest = INT64_MAX / c->unit;
    const uint64_t most = c->mask - c->nullable, room = (uint64_t)greatest - (uint64_t)base;
    return (struct gs_extent){base, (int64_t)((uint64_t)base + gs_min(most, room)),
                              decimals_max - finer, c->nullable};
}

struct gs_extent gs_extent_of_value(int64_t mantissa, unsigned decimals)
{
    if (mantissa == GS_MISSING)
        return (struct gs_extent){INT64_MAX, INT64_MIN, 0, true};
    return (struct gs_extent){mantissa, mantissa, decimals, false};
}

static unsigned bits_for(uint64_t code)
{
    return code == 0 ? 0 : WORD_BITS - (unsigned)__builtin_clzll(code);
}

/* The codes that an extent needs beyond 0. */
static uint64_t codes_of(const struct gs_extent *e)
{
    const uint64_t range = e->min <= e->max ? (uint64_t)e->max - (uint64_t)e->min : 0;
    return range + (range < UINT64_MAX && e->has_missing);
}

/* Stores an extent in `bits` bits: from 0 where that holds it, else with the spare codes on both sides. */
static struct gs_encoded_column column_for(const struct gs_extent *e, unsigned bits,
                                           unsigned decimals_max)
{
    struct gs_encoded_column c = {.unit = gs_pow10(decimals_max - e->decimals),
                                  .nullable = e->has_missing};
    c.mask = bits == 0 ? 0 : UINT64_MAX >> (WORD_BITS - bits);
    const uint64_t most = c.mask - c.nullable;
    const bool has_values = e->min <= e->max;
    int64_t base = has_values ? e->min : 0, centred, scaled;
    const uint64_t spare = most - (has_values ? (uint64_t)e->max - (uint64_t)e->min : 0);
    if (bits == WORD_BITS)
        base = (INT64_MIN + 1) / c.unit;
    else if (has_values && e->min >= 0 && (uint64_t)e->max <= most)
        base = 0;
    else if (!__builtin_sub_overflow(base, (int64_t)(spare / 2), &centred) &&
             !__builtin_mul_overflow(centred, c.unit, &scaled))
        base = centred;
    c.base = base * c.unit;
    return c;
}

/* Bits for an extent, counted from 0 where that takes hardly more than from its least value. */
static unsigned bits_of(const struct gs_extent *e)
{
    enum { HARDLY = 2 };
    const unsigned bits = bits_for(codes_of(e));
    const unsigned from_0 =
        e->min >= 0 && e->min <= e->max ? bits_for((uint64_t)e->max + e->has_missing) : WORD_BITS;
    const unsigned chosen = from_0 <= bits + HARDLY ? from_0 : bits;
    return chosen > CODE_BITS_MAX ? (unsigned)WORD_BITS : chosen;
}

/* The columns from `c` on that have room in one word. */
static unsigned word_end(const unsigned *bits, unsigned c, unsigned n_columns)
{
    unsigned total = 0;
    while (c < n_columns && total + bits[c] <= WORD_BITS)
        total += bits[c++];
    return c;
}

enum {
    HEADROOM = 2
}; /* bits: values are four times as large before another encoding is needed; times grow without end */

/* May a column want more bits? Not one without a value so far, which may never have any, nor one that never changes. */
static bool grows(const struct gs_extent *e, bool is_kept, unsigned bits)
{
    return !is_kept && bits > 0 && e->min <= e->max;
}

/*
 * Lays columns out in words. Those that are not kept as they were get a part of the bits that their word has
 * to spare: values grow, and each encoding that replaces another leaves rows behind that are stored otherwise.
 */
static void lay_out(const struct gs_extent *e, const bool *kept, unsigned *bits, unsigned n_columns,
                    const uint8_t *decimals_max, struct gs_encoding *made)
{
    for (unsigned c = 0; c < n_columns; c++)
        bits[c] = bits_of(&e[c]);
    made->n_words = 0;
    for (unsigned first = 0, end; first < n_columns; first = end, made->n_words++) {
        unsigned left = WORD_BITS, n_new = 0, shift = WORD_BITS;
        end = word_end(bits, first, n_columns);
        for (unsigned c = first; c < end; c++) {
            left -= bits[c];
            n_new += grows(&e[c], kept[c], bits[c]);
        }
        for (unsigned c = first; c < end; c++) {
            if (grows(&e[c], kept[c], bits[c]) && left > 0) {
                const unsigned share = left / (2 * n_new-- + 2),
                               most = bits[c] < CODE_BITS_MAX ? CODE_BITS_MAX - bits[c] : 0;
                unsigned wanted = share;
                if (share < 1)
                    wanted = 1;
                else if (c > 0 && share > HEADROOM)
                    wanted = HEADROOM;
                const unsigned spare = gs_min(wanted, most);
                bits[c] += spare;
                left -= spare;
            }
            shift -= bits[c];
            made->column[c] = column_for(&e[c], bits[c], decimals_max[c]);
            made->column[c].word = (uint16_t)made->n_words;
            made->column[c].shift = (uint8_t)(bits[c] == 0 ? 0 : shift);
        }
    }
}

const struct gs_encoding *gs_encoding_agree(struct gs_encodings *shared,
                                            const struct gs_extent *wanted,
                                            const struct gs_encoding_work *work, unsigned n_columns,
                                            const uint8_t *decimals_max, struct gs_arena *arena)
{
    struct gs_extent *const e = work->united;
    bool *const kept = work->kept;
    struct gs_encoding *const made =
        gs_arena_take(arena, 1, sizeof *made + n_columns * sizeof *made->column);
    const struct gs_encoding *newest = atomic_load_explicit(&shared->newest, memory_order_acquire);
    if (made == NULL)
        return NULL;
    do {
        for (unsigned c = 0; c < n_columns; c++) {
            e[c] = wanted[c];
            kept[c] = false;
            if (newest == NULL)
                continue;
            const struct gs_extent held = gs_extent_of(&newest->column[c], decimals_max[c]);
            if (!gs_extent_unite(&e[c], &held))
                return NULL;
            kept[c] = e[c].min == held.min && e[c].max == held.max &&
                      e[c].decimals == held.decimals && e[c].has_missing == held.has_missing;
        }
        lay_out(e, kept, work->bits, n_columns, decimals_max, made);
    } while (!atomic_compare_exchange_strong_explicit(&shared->newest, &newest, made,
                                                      memory_order_acq_rel, memory_order_acquire));
    return made;
}

bool gs_encode_value(const struct gs_encoded_column *c, unsigned decimals_max, int64_t mantissa,
                     unsigned decimals, uint64_t *code)
{
    if (mantissa == GS_MISSING) {
        *code = 0;
        return c->nullable;
    }
    const int64_t one = gs_pow10(decimals_max - decimals);
    if (one < c->unit)
        return false;
    int64_t value;
    if (__builtin_mul_overflow(mantissa, one / c->unit, &value))
        return false;
    const uint64_t above = (uint64_t)value - (uint64_t)(c->base / c->unit);
    *code = above + c->nullable;
    return value >= c->base / c->unit && above <= c->mask - c->nullable;
}
