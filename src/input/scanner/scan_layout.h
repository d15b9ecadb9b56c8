/* scan_layout.h - where the fields of a row stand, from the masks of its bytes; part of scan.c. */
#pragma once

#include "input/scanner/masks.h"
#include "input/scanner/scan_readings.h"

/* The marks of one row: bits of its bytes, those behind its line feed cleared. */
struct row_marks {
    uint64_t quote[GS_SCAN_BLOCKS], comma[GS_SCAN_BLOCKS];
    unsigned n_blocks;
    uint32_t length; /* with the line feed */
};

/*
 * Reads the marks of the row at p up to its first line feed; false where there is none within
 * reach. The last block may reach behind `end`, into the padding; a line feed found there is not
 * the row's, hence the comparison with `end` at the return.
 */
GS_INLINE bool read_marks(const char *p, const char *end, gs_masks_fn *masks, char delimiter,
                          struct row_marks *m)
{
    for (unsigned k = 0; k < GS_SCAN_BLOCKS && p + 64 * k < end; k++) {
        const struct gs_masks b = masks(p + 64 * k, delimiter);
        m->quote[k] = b.quote;
        m->comma[k] = b.comma;
        if (b.lf != 0) {
            const uint64_t upto = b.lf ^ (b.lf - 1); /* the lowest line feed and all below */
            m->quote[k] &= upto;
            m->comma[k] &= upto;
            m->n_blocks = k + 1;
            m->length = 64 * k + (uint32_t)__builtin_ctzll(b.lf) + 1;
            return p + m->length <= end;
        }
    }
    return false;
}

_Static_assert(GS_SCAN_LAYOUTS == 256, "a slot is the upper 8 bits of a hash");

/*
 * Two layouts in one slot replace each other. That costs time and never a wrong result:
 * same_marks compares everything.
 */
GS_INLINE struct gs_layout *layout_slot(struct gs_scanner *s, const struct row_marks *m)
{
    uint64_t h = m->length;
    for (unsigned k = 0; k < m->n_blocks; k++)
        h = (h ^ m->comma[k] ^ (m->quote[k] << 1)) * UINT64_C(0x9e3779b97f4a7c15) + (h >> 29);
    return &s->layout[h >> 56];
}

/*
 * Equal marks mean equal places of all fields; that is what allows a row to be split without
 * reading it. The blocks behind the row's end were not stored, so only n_blocks of them are
 * compared.
 */
GS_INLINE bool same_marks(const struct gs_layout *l, const struct row_marks *m, const char *row)
{
    /* Word by word: the marks were stored so a moment ago, and a wider load would wait for them. */
    uint64_t difference =
        (l->length ^ m->length) | (l->quote[0] ^ m->quote[0]) | (l->comma[0] ^ m->comma[0]);
    if (m->n_blocks > 1)
        difference |= (l->quote[1] ^ m->quote[1]) | (l->comma[1] ^ m->comma[1]);
    if (m->n_blocks > 2)
        difference |= (l->quote[2] ^ m->quote[2]) | (l->comma[2] ^ m->comma[2]);
    for (unsigned k = 3; k < m->n_blocks; k++)
        difference |= (l->quote[k] ^ m->quote[k]) | (l->comma[k] ^ m->comma[k]);
    /* What set both bits is the carriage return of a CRLF, or a NUL in its place. */
    return difference == 0 && (!l->crlf || row[m->length - 2] == '\r');
}

/* The next set bit of marks at or after `from`, or the row's line end. */
static uint32_t next_bit(const uint64_t *bits, unsigned n_blocks, uint32_t from, uint32_t none)
{
    unsigned k = from / 64;
    if (k >= n_blocks)
        return none;
    uint64_t rest = bits[k] & (UINT64_MAX << from % 64);
    while (rest == 0) {
        if (++k == n_blocks)
            return none;
        rest = bits[k];
    }
    return 64 * k + (uint32_t)__builtin_ctzll(rest);
}

/*
 * A field, for each column that is bound to it: false where it is longer than a layout can say.
 * One field may be bound twice (two metrics of one column), and bound columns are in the order of
 * their fields: one walk serves all. Fields that nobody reads may be of any length.
 */
GS_INLINE bool put_fields(struct gs_layout *l, const struct gs_binding *b, size_t field,
                          size_t *bound, uint32_t at, uint32_t len, bool bare)
{
    const size_t first = *bound;
    for (; *bound < b->n_bound && b->bound[*bound].field == field; ++*bound) {
        l->at[*bound] = (uint16_t)at;
        l->len[*bound] = (uint8_t)len;
        l->bare[*bound] = bare;
    }
    return *bound == first || len <= UINT8_MAX;
}

/* The fields of a row without a quote, up to `stop`: from comma to comma. False where they are not as many as they should be. */
static bool bare_fields(const struct gs_binding *b, const struct row_marks *m, uint32_t stop,
                        struct gs_layout *l)
{
    size_t field = 0, bound = 0;
    uint32_t at = 0;
    for (unsigned k = 0; k < m->n_blocks; k++)
        for (uint64_t rest = m->comma[k]; rest != 0; rest &= rest - 1, field++) {
            const uint32_t comma = 64 * k + (uint32_t)__builtin_ctzll(rest);
            if (comma >= stop) /* the carriage return */
                break;
            if (!put_fields(l, b, field, &bound, at, comma - at, true))
                return false;
            at = comma + 1;
        }
    return field + 1 == b->n_fields && put_fields(l, b, field, &bound, at, stop - at, true);
}

/*
 * The fields of a row with quotes, which hold delimiters together. Takes a field that is bare or
 * quoted as a whole. A doubled quote, blanks before a quote and text behind one are the exact
 * parser's: the bytes of such a field are not its value.
 */
static bool quoted_fields(const struct gs_binding *b, const struct row_marks *m, uint32_t stop,
                          struct gs_layout *l)
{
    uint32_t at = 0;
    size_t field = 0, bound = 0;
    for (;; field++) {
        const uint32_t quote = next_bit(m->quote, m->n_blocks, at, stop);
        const bool bare = quote != at;
        uint32_t first = at, len, comma;
        if (bare) {
            comma = next_bit(m->comma, m->n_blocks, at, stop);
            if (quote < comma)
                return false;
            len = comma - at;
        } else {
            const uint32_t close = next_bit(m->quote, m->n_blocks, at + 1, stop);
            if (close == stop)
                return false;
            comma = next_bit(m->comma, m->n_blocks, close + 1, stop);
            if (comma != close + 1)
                return false;
            first = at + 1;
            len = close - first;
        }
        if (!put_fields(l, b, field, &bound, first, len, bare))
            return false;
        if (comma >= stop)
            break;
        at = comma + 1;
    }
    return field + 1 == b->n_fields;
}

/*
 * Works the layout out from the marks. False for a row that is not plainly built: the exact
 * parser's. A carriage return or NUL sets both marks. Exactly one may: the carriage return before
 * the line feed. Any other is a line end of old files or damage, which the exact parser judges.
 */
static bool make_layout(const struct gs_scanner *s, const struct row_marks *m, const char *row,
                        struct gs_layout *l)
{
    const struct gs_binding *const b = s->binding;
    uint32_t stop = m->length - 1; /* of the row's text */
    uint64_t quotes = 0;
    l->length = 0; /* whatever stood here before is overwritten, also where this fails */
    if (b->n_bound > GS_SCAN_BOUND_MAX || s->n_key > GS_KEY_NAMES)
        return false;
    l->crlf = stop > 0 && row[stop - 1] == '\r';
    stop -= l->crlf;
    for (unsigned k = 0; k < m->n_blocks; k++) {
        const uint64_t odd = m->quote[k] & m->comma[k],
                       last = k == stop / 64 && l->crlf ? UINT64_C(1) << stop % 64 : 0;
        if (odd != last)
            return false;
        l->quote[k] = m->quote[k];
        l->comma[k] = m->comma[k];
        quotes |= m->quote[k] ^ last;
    }
    if (stop == 0 || !(quotes == 0 ? bare_fields(b, m, stop, l) : quoted_fields(b, m, stop, l)))
        return false;
    l->four = s->n_of[GS_BIND_FIXED] == GS_USUAL_READINGS && !s->scaled;
    for (size_t k = 0; l->four && k < GS_USUAL_READINGS; k++)
        l->four = l->len[s->of[GS_BIND_FIXED][k]] >= 1 && l->len[s->of[GS_BIND_FIXED][k]] <= 8;
    group_readings(s, row, l);
    for (size_t k = 0; k < s->n_key; k++)
        l->key[k] = (struct gs_key_place){l->at[s->key[k]], l->len[s->key[k]], l->bare[s->key[k]]};
    l->length = m->length;
    return true;
}
