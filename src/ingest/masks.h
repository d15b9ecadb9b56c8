/* masks.h - where the quotes, commas and line ends stand among 64 bytes, as bits. */
#ifndef GPUSTAT_MASKS_H
#define GPUSTAT_MASKS_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define GS_INLINE static inline __attribute__((always_inline))

struct gs_masks {
    uint64_t quote, comma, cr, lf; /* bit i: byte i is one */
    uint64_t nul;                  /* nonzero where one of the bytes is NUL */
};

typedef struct gs_masks gs_masks_fn(const char *p);

#if defined(__x86_64__)

__attribute__((target("avx2"))) static inline struct gs_masks gs_masks_avx2(const char *p)
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    const __m256i low = _mm256_min_epu8(a, b);
#define GS_BITS(c)                                                                                                 \
    ((uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, _mm256_set1_epi8(c))) |                         \
     (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, _mm256_set1_epi8(c))) << 32)
    return (struct gs_masks){GS_BITS('"'), GS_BITS(','), GS_BITS('\r'), GS_BITS('\n'),
                             (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, _mm256_setzero_si256()))};
#undef GS_BITS
}

/* SSE2 is in every x86-64 processor. */
GS_INLINE uint64_t gs_bits_sse2(const __m128i v[4], char c)
{
    const __m128i x = _mm_set1_epi8(c);
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v[i], x)) << (16 * i);
    return bits;
}

GS_INLINE struct gs_masks gs_masks_sse2(const char *p)
{
    __m128i v[4];
    for (int i = 0; i < 4; i++)
        v[i] = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
    return (struct gs_masks){gs_bits_sse2(v, '"'), gs_bits_sse2(v, ','), gs_bits_sse2(v, '\r'), gs_bits_sse2(v, '\n'),
                             gs_bits_sse2(v, '\0')};
}

#endif

/* Any processor: eight bytes at a time, the high bit of each byte that is equal gathered by a product. */
GS_INLINE uint64_t gs_bits_plain(const uint64_t v[8], char c)
{
    static const uint64_t ones = UINT64_C(0x0101010101010101), low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        const uint64_t x = v[i] ^ (ones * (unsigned char)c);
        const uint64_t equal = ~(((x & low7) + low7) | x | low7); /* 0x80 where the byte of x is 0 */
        bits |= ((equal >> 7) * UINT64_C(0x0102040810204080) >> 56) << (8 * i);
    }
    return bits;
}

GS_INLINE struct gs_masks gs_masks_plain(const char *p)
{
    uint64_t v[8];
    for (int i = 0; i < 8; i++) { /* the first byte in the lowest bits, whatever the machine's order */
        memcpy(&v[i], p + 8 * i, sizeof v[i]);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v[i] = __builtin_bswap64(v[i]);
#endif
    }
    return (struct gs_masks){gs_bits_plain(v, '"'), gs_bits_plain(v, ','), gs_bits_plain(v, '\r'), gs_bits_plain(v, '\n'),
                             gs_bits_plain(v, '\0')};
}

#endif
