/* sha256.c - SHA-256, portable and with x86's instructions for it or for wide vectors. */
#include "base/core/sha256.h"
#include "base/num/order.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

enum { LANES = GS_SHA256_LANES };

/* The functions of FIPS 180-4, section 4.1.2, of words and of vectors of words alike. */
#define ROTATE(x, by) ((x) >> (by) | (x) << (32 - (by)))
#define CH(x, y, z)   (((x) & (y)) ^ (~(x) & (z)))
#define MAJ(x, y, z)  (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))
#define SUM_0(x)      (ROTATE(x, 2) ^ ROTATE(x, 13) ^ ROTATE(x, 22))
#define SUM_1(x)      (ROTATE(x, 6) ^ ROTATE(x, 11) ^ ROTATE(x, 25))
#define SIGMA_0(x)    (ROTATE(x, 7) ^ ROTATE(x, 18) ^ (x) >> 3)
#define SIGMA_1(x)    (ROTATE(x, 17) ^ ROTATE(x, 19) ^ (x) >> 10)

/* Word i > 15 of the message; `w` holds the 16 before it. */
#define NEXT_WORD(w, i)                                                                            \
    ((w)[(i) % 16] +=                                                                              \
     SIGMA_1((w)[((i) + 14) % 16]) + (w)[((i) + 9) % 16] + SIGMA_0((w)[((i) + 1) % 16]))

/* Round i: a is v[-i % 8], and so on, since names may move in place of words; T is their type. */
#define ROUND(T, v, i, word)                                                                       \
    do {                                                                                           \
        const T a_ = (v)[-(i) % 8], e_ = (v)[(4 - (i)) % 8],                                       \
                t_ = (v)[(7 - (i)) % 8] + SUM_1(e_) +                                              \
                     CH(e_, (v)[(5 - (i)) % 8], (v)[(6 - (i)) % 8]) + k[i] + (word);               \
        (v)[(7 - (i)) % 8] = t_ + SUM_0(a_) + MAJ(a_, (v)[(1 - (i)) % 8], (v)[(2 - (i)) % 8]);     \
        (v)[(3 - (i)) % 8] += t_;                                                                  \
    } while (0)

static void one_portable(uint32_t h[1][8], const unsigned char *p, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, p += 64) {
        uint32_t w[16], v[8];
        for (size_t i = 0; i < 16; i++)
            w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
                   (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
        memcpy(v, h[0], sizeof v);
#pragma GCC unroll 64
        for (unsigned i = 0; i < 64; i++)
            ROUND(uint32_t, v, i, i < 16 ? w[i] : NEXT_WORD(w, i));
        for (unsigned i = 0; i < 8; i++)
            h[0][i] += v[i];
    }
}

/*
 * A word of each lane: one operation for all of them, on whatever vectors the processor has. A row
 * of the message is 16 words, one of each lane, so nothing has to change places.
 */
typedef uint32_t words __attribute__((vector_size(LANES * sizeof(uint32_t))));

__attribute__((always_inline)) static inline void lanes_of(uint32_t lane[LANES][8],
                                                           const unsigned char *p, size_t n_blocks)
{
    words h[8];
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < LANES; j++)
            h[i][j] = lane[j][i];
    for (; n_blocks > 0; n_blocks--, p += (size_t)64 * LANES) {
        words w[16], v[8];
        memcpy(w, p, sizeof w);
        for (unsigned i = 0; i < 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; i++)
            w[i] = (ROTATE(w[i], 8) & 0xff00ff00) | (ROTATE(w[i], 24) & 0x00ff00ff);
        memcpy(v, h, sizeof v);
#pragma GCC unroll 64
        for (unsigned i = 0; i < 64; i++)
            ROUND(words, v, i, i < 16 ? w[i] : NEXT_WORD(w, i));
        for (unsigned i = 0; i < 8; i++)
            h[i] += v[i];
    }
    for (unsigned i = 0; i < 8; i++)
        for (unsigned j = 0; j < LANES; j++)
            lane[j][i] = h[i][j];
}

static void lanes_portable(uint32_t lane[LANES][8], const unsigned char *p, size_t n_blocks)
{
    lanes_of(lane, p, n_blocks);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void lanes_avx2(uint32_t lane[LANES][8],
                                                       const unsigned char *p, size_t n_blocks)
{
    lanes_of(lane, p, n_blocks);
}

__attribute__((target("avx512f"))) static void lanes_avx512(uint32_t lane[LANES][8],
                                                            const unsigned char *p, size_t n_blocks)
{
    lanes_of(lane, p, n_blocks);
}

/* The processor's instructions for SHA-256 depend on each other; four lanes at a time do not wait. */
enum { ABREAST = 4 };

static __m128i load(const void *p)
{
    return _mm_loadu_si128(p);
}

/* Words 4 t .. 4 t + 3 of one lane, or of ABREAST of them that lie side by side. */
__attribute__((target("sha,sse4.1,ssse3"), always_inline)) static inline void
load_words(__m128i w[ABREAST][4], const unsigned char *p, const unsigned t, const unsigned abreast)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    if (abreast == 1) {
        w[0][t] = _mm_shuffle_epi8(load(p + (size_t)16 * t), big_endian);
        return;
    }
    __m128i row[4];
    for (unsigned i = 0; i < 4; i++)
        row[i] = _mm_shuffle_epi8(load(p + (size_t)4 * LANES * (4 * t + i)), big_endian);
    const __m128i low = _mm_unpacklo_epi32(row[0], row[1]),
                  low2 = _mm_unpacklo_epi32(row[2], row[3]),
                  high = _mm_unpackhi_epi32(row[0], row[1]),
                  high2 = _mm_unpackhi_epi32(row[2], row[3]);
    w[0][t] = _mm_unpacklo_epi64(low, low2);
    w[1][t] = _mm_unpackhi_epi64(low, low2);
    w[2][t] = _mm_unpacklo_epi64(high, high2);
    w[3][t] = _mm_unpackhi_epi64(high, high2);
}

/*
 * The instructions want the state as {A, B, E, F} and {C, D, G, H}, and do two rounds at a time on
 * the low half of message plus constant. Unrolled at any -O, so that the indices of words are
 * constants: a third faster.
 */
__attribute__((target("sha,sse4.1,ssse3"), always_inline)) static inline void
abreast_of(uint32_t h[][8], const unsigned char *p, size_t n_blocks, const size_t block,
           const unsigned abreast)
{
    __m128i abef[ABREAST], cdgh[ABREAST];
    for (unsigned j = 0; j < abreast; j++) {
        const __m128i dcba = _mm_shuffle_epi32(load(h[j]), 0xb1),
                      hgfe = _mm_shuffle_epi32(load(h[j] + 4), 0x1b);
        abef[j] = _mm_alignr_epi8(dcba, hgfe, 8);
        cdgh[j] = _mm_blend_epi16(hgfe, dcba, 0xf0);
    }
    for (; n_blocks > 0; n_blocks--, p += block) {
        __m128i ab[ABREAST], cd[ABREAST], w[ABREAST][4];
        memcpy(ab, abef, sizeof ab);
        memcpy(cd, cdgh, sizeof cd);
#pragma GCC unroll 16
        for (unsigned t = 0; t < 16; t++) {
            if (t < 4)
                load_words(w, p, t, abreast);
#pragma GCC unroll 4
            for (unsigned j = 0; j < abreast; j++) {
                __m128i *const now = &w[j][t % 4];
                const __m128i w1 = w[j][(t + 1) % 4], w2 = w[j][(t + 2) % 4],
                              w3 = w[j][(t + 3) % 4];
                if (t >= 4)
                    *now = _mm_sha256msg2_epu32(
                        _mm_add_epi32(_mm_sha256msg1_epu32(*now, w1), _mm_alignr_epi8(w3, w2, 4)),
                        w3);
                const __m128i sum = _mm_add_epi32(*now, load(k + (size_t)4 * t));
                cd[j] = _mm_sha256rnds2_epu32(cd[j], ab[j], sum);
                ab[j] = _mm_sha256rnds2_epu32(ab[j], cd[j], _mm_shuffle_epi32(sum, 0x0e));
            }
        }
        for (unsigned j = 0; j < abreast; j++) {
            abef[j] = _mm_add_epi32(abef[j], ab[j]);
            cdgh[j] = _mm_add_epi32(cdgh[j], cd[j]);
        }
    }
    for (unsigned j = 0; j < abreast; j++) {
        const __m128i feba = _mm_shuffle_epi32(abef[j], 0x1b),
                      dchg = _mm_shuffle_epi32(cdgh[j], 0xb1);
        _mm_storeu_si128((void *)h[j], _mm_blend_epi16(feba, dchg, 0xf0));
        _mm_storeu_si128((void *)(h[j] + 4), _mm_alignr_epi8(dchg, feba, 8));
    }
}

__attribute__((target("sha,sse4.1,ssse3"))) static void
one_sha(uint32_t h[1][8], const unsigned char *p, size_t n_blocks)
{
    abreast_of(h, p, n_blocks, 64, 1);
}

__attribute__((target("sha,sse4.1,ssse3"))) static void
lanes_sha(uint32_t lane[LANES][8], const unsigned char *p, size_t n_blocks)
{
    for (unsigned j = 0; j < LANES; j += ABREAST)
        abreast_of(lane + j, p + (size_t)4 * j, n_blocks, (size_t)64 * LANES, ABREAST);
}

static bool has_sha(void)
{
    enum { SSSE3 = 1 << 9, SSE41 = 1 << 19, SHA = 1 << 29 };
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & SSSE3) == 0 || (c & SSE41) == 0)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & SHA) != 0;
}

#endif

typedef void blocks_of(uint32_t h[][8], const unsigned char *p, size_t n_blocks);

static const struct {
    blocks_of *one, *lanes;
} ways[GS_SHA256_N_WAYS] = {
    [GS_SHA256_PORTABLE] = {one_portable, lanes_portable},
#if defined(__x86_64__)
    [GS_SHA256_AVX2] = {one_portable, lanes_avx2},
    [GS_SHA256_AVX512] = {one_portable, lanes_avx512},
    [GS_SHA256_SHA] = {one_sha, lanes_sha},
#endif
};

bool gs_sha256_can(enum gs_sha256_way way)
{
    switch (way) {
    case GS_SHA256_PORTABLE:
        return true;
#if defined(__x86_64__)
    case GS_SHA256_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case GS_SHA256_AVX512:
        return __builtin_cpu_supports("avx512f") != 0;
    case GS_SHA256_SHA:
        return has_sha();
#endif
    default:
        return false;
    }
}

/* Asked once: under a hypervisor the question takes longer than many digests. */
static enum gs_sha256_way best_way(void)
{
    static atomic_int known = GS_SHA256_N_WAYS;
    int best = atomic_load_explicit(&known, memory_order_relaxed);
    if (best == GS_SHA256_N_WAYS) {
        do
            best--;
        while (!gs_sha256_can((enum gs_sha256_way)best));
        atomic_store_explicit(&known, best, memory_order_relaxed);
    }
    return (enum gs_sha256_way)best;
}

static void blocks(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    (s->n_lanes == 1 ? ways[s->way].one : ways[s->way].lanes)(s->h, p, n_blocks);
}

void gs_sha256_begin_lanes(struct gs_sha256 *s, unsigned n_lanes)
{
    *s = (struct gs_sha256){.way = best_way(), .n_lanes = n_lanes};
    for (unsigned lane = 0; lane < n_lanes; lane++)
        memcpy(s->h[lane], start, sizeof start);
}

void gs_sha256_begin(struct gs_sha256 *s)
{
    gs_sha256_begin_lanes(s, 1);
}

void gs_sha256_add(struct gs_sha256 *s, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    const size_t size = (size_t)64 * s->n_lanes, held = s->n_bytes % size;
    if (n == 0)
        return;
    s->n_bytes += n;
    if (held > 0) {
        const size_t take = gs_min(n, size - held);
        memcpy(s->block + held, p, take);
        p += take;
        n -= take;
        if (held + take < size)
            return;
        blocks(s, s->block, 1);
    }
    /*
     * Whole blocks are hashed where they lie in the caller's buffer; only the rest is copied.
     * `held` is 0 here or the block was just finished.
     */
    if (n >= size)
        blocks(s, p, n / size);
    if (n % size > 0)
        memcpy(s->block, p + n / size * size, n % size);
}

/*
 * The length is taken before the padding, because gs_sha256_add counts the padding too. The
 * padding ends 8 bytes before a block's end, so the length always closes the last block.
 */
static void end_lane(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES])
{
    static const unsigned char one_bit[64] = {0x80};
    const uint64_t n_bits = s->n_bytes * 8;
    unsigned char length[8];
    for (unsigned i = 0; i < 8; i++)
        length[i] = (unsigned char)(n_bits >> (56 - 8 * i));
    gs_sha256_add(s, one_bit, 1 + (119 - s->n_bytes % 64) % 64);
    gs_sha256_add(s, length, sizeof length);
    for (unsigned i = 0; i < GS_SHA256_BYTES; i++)
        bytes[i] = (unsigned char)(s->h[0][i / 4] >> (24 - 8 * (i % 4)));
}

/* Behind the last full rows `block` has what is left, still a word of each lane in turn. */
void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES])
{
    const size_t size = (size_t)64 * s->n_lanes, held = s->n_bytes % size;
    struct gs_sha256 all;
    gs_sha256_begin(&all);
    for (unsigned lane = 0; s->n_lanes > 1 && lane < s->n_lanes; lane++) {
        struct gs_sha256 one = {.way = s->way, .n_lanes = 1, .n_bytes = s->n_bytes / size * 64};
        memcpy(one.h[0], s->h[lane], sizeof one.h[0]);
        for (size_t at = (size_t)4 * lane; at < held; at += (size_t)4 * LANES)
            gs_sha256_add(&one, s->block + at, gs_min(held - at, 4));
        end_lane(&one, bytes);
        gs_sha256_add(&all, bytes, GS_SHA256_BYTES);
    }
    end_lane(s->n_lanes > 1 ? &all : s, bytes);
}

void gs_sha256_end(struct gs_sha256 *s, char hex[GS_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[GS_SHA256_BYTES];
    gs_sha256_end_bytes(s, bytes);
    for (unsigned i = 0; i < GS_SHA256_BYTES; i++) {
        hex[2 * i] = digits[bytes[i] >> 4];
        hex[2 * i + 1] = digits[bytes[i] & 15];
    }
    hex[GS_SHA256_HEX - 1] = '\0';
}
