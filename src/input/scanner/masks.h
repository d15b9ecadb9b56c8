/* masks.h - where the quotes, delimiters and line ends stand among 64 bytes, as bits. */
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define GS_INLINE static inline __attribute__((always_inline))

/*
 * Bit i speaks of byte i. A carriage return and a NUL set both the quote's and the delimiter's bit, which no
 * other byte does: two words tell four kinds of bytes apart.
 */
struct gs_masks {
    uint64_t quote, comma, lf;
};

typedef struct gs_masks gs_masks_fn(const char *p, char delimiter);

#if defined(__x86_64__)

/*
 * Reads 64 bytes whatever the row's length: rows at the end of the data rely on GS_SCAN_PADDING.
 */
__attribute__((target("avx2"))) static inline struct gs_masks gs_masks_avx2(const char *p,
                                                                            char delimiter)
{
    struct gs_masks m = {0};
    for (int half = 0; half < 2; half++) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32 * half));
        const __m256i odd = _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\r')),
                                            _mm256_cmpeq_epi8(v, _mm256_setzero_si256()));
        const __m256i quote = _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')), odd);
        const __m256i comma =
            _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(delimiter)), odd);
        const __m256i lf = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n'));
        m.quote |= (uint64_t)(uint32_t)_mm256_movemask_epi8(quote) << (32 * half);
        m.comma |= (uint64_t)(uint32_t)_mm256_movemask_epi8(comma) << (32 * half);
        m.lf |= (uint64_t)(uint32_t)_mm256_movemask_epi8(lf) << (32 * half);
    }
    return m;
}

#endif

/*
 * Where there is no SSE2: eight bytes at a time, the high bit of each byte that is equal gathered by a
 * product. No byte affects its neighbour: the sum of seven bits cannot carry out of its byte. The
 * shorter trick with a subtraction borrows across bytes and would mark a byte that is not equal.
 */
GS_INLINE uint64_t gs_bits_plain(const uint64_t v[8], char c)
{
    static const uint64_t ones = UINT64_C(0x0101010101010101), low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t x = v[i] ^ (ones * (unsigned char)c);
        const uint64_t equal =
            ~(((x & low7) + low7) | x | low7); /* 0x80 where the byte of x is 0 */
        bits |= ((equal >> 7) * UINT64_C(0x0102040810204080) >> 56) << (8 * i);
    }
    return bits;
}

/* The first byte in the lowest bits, whatever the machine's order. */
GS_INLINE void gs_words_of(const char *p, uint64_t v[8])
{
    for (int i = 0; i < 8; i++) {
        memcpy(&v[i], p + 8 * i, sizeof v[i]);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v[i] = __builtin_bswap64(v[i]);
#endif
    }
}

/* Which of 64 bytes are `c`, or with the bits of `fold` set come to it. */
GS_INLINE uint64_t gs_bits_of(const char *p, char c, char fold)
{
    uint64_t bits = 0;
#if defined(__x86_64__)
    for (int quarter = 0; quarter < 4; quarter++) {
        const __m128i v = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)p + quarter),
                                       _mm_set1_epi8(fold));
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)))
                << (16 * quarter);
    }
#else
    uint64_t v[8];
    gs_words_of(p, v);
    for (int i = 0; i < 8; i++)
        v[i] |= UINT64_C(0x0101010101010101) * (unsigned char)fold;
    bits = gs_bits_plain(v, c);
#endif
    return bits;
}

GS_INLINE struct gs_masks gs_masks_plain(const char *p, char delimiter)
{
    const uint64_t odd = gs_bits_of(p, '\r', 0) | gs_bits_of(p, '\0', 0);
    return (struct gs_masks){gs_bits_of(p, '"', 0) | odd, gs_bits_of(p, delimiter, 0) | odd,
                             gs_bits_of(p, '\n', 0)};
}
