/* byte_words.h - bytes compared and digits read by the word. */
#pragma once

#include "base/num/whole.h"
#include "input/scanner/masks.h"

/* Vectors of any alignment; the compiler makes of them what the processor has. */
typedef uint64_t words2 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t words4 __attribute__((vector_size(32), aligned(1), may_alias));

/*
 * Both readable 8 beyond their ends: rows are padded, and an arena's texts end on a multiple of
 * 16. For lengths above 8 two overlapping words cover the text, so no loop over the last bytes is
 * needed.
 */
GS_INLINE bool same_bytes(const char *a, const char *b, size_t len)
{
    if (len < 8)
        return len == 0 || (gs_load64(a) ^ gs_load64(b)) << (64 - 8 * len) == 0;
    if (len < 16)
        return ((gs_load64(a) ^ gs_load64(b)) |
                (gs_load64(a + len - 8) ^ gs_load64(b + len - 8))) == 0;
    if (len < 32) {
        const words2 d = (*(const words2 *)a ^ *(const words2 *)b) |
                         (*(const words2 *)(a + len - 16) ^ *(const words2 *)(b + len - 16));
        return (d[0] | d[1]) == 0;
    }
    const size_t last = len - 32;
    words4 d = *(const words4 *)(a + last) ^ *(const words4 *)(b + last);
    for (size_t i = 0; i < last; i += 32)
        d |= *(const words4 *)(a + i) ^ *(const words4 *)(b + i);
    words2 half[2];
    memcpy(half, &d, sizeof d);
    half[0] |= half[1];
    return (half[0][0] | half[0][1]) == 0;
}

/*
 * Eight decimal digits, the first in the lowest byte, each already 0 to 9. Three steps for eight
 * digits: neighbours are joined to pairs, fours and the whole. No step carries into a neighbour
 * as long as each byte is 0 to 9, which the caller has checked.
 */
GS_INLINE uint64_t eight_digits(uint64_t v)
{
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
}

/* Is a byte of v above 9? Exact where every byte is below 0x80 or has its high bit set. */
GS_INLINE bool not_digits(uint64_t v)
{
    return (((v + UINT64_C(0x7676767676767676)) | v) & UINT64_C(0x8080808080808080)) != 0;
}
