/* sha256.c - SHA-256, portable and with x86's instructions for it. */
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

/* A word of each lane: one operation for all of them, on whatever vectors the processor has. */
enum { LANES = GS_SHA256_LANES };
typedef uint32_t word __attribute__((vector_size(LANES * sizeof(uint32_t))));

static word rotate(word v, unsigned by)
{
    return v >> by | v << (32 - by);
}

/*
 * Any processor takes this path when asked to (`portable`), so that tests compare both
 * implementations on one machine. A single lane is computed in all places of the vectors.
 */
static void blocks_portable(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    word h[8];
    for (unsigned i = 0; i < 8; i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            h[i][lane] = s->h[lane % s->n_lanes][i];
    for (; n_blocks > 0; n_blocks--, p += (size_t)64 * s->n_lanes) {
        word w[64], v[8];
        for (unsigned i = 0; i < 16; i++)
            for (unsigned lane = 0; lane < LANES; lane++) {
                const unsigned char *const b = p + (size_t)64 * (lane % s->n_lanes) + (size_t)4 * i;
                w[i][lane] =
                    (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
            }
        for (unsigned i = 16; i < 64; i++) {
            const word a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
        }
        memcpy(v, h, sizeof v);
#pragma GCC unroll 64
        for (unsigned i = 0; i < 64; i++) { /* a is v[-i % 8], and so on: names move, not words */
            const word a = v[-i % 8], b = v[(1 - i) % 8], c = v[(2 - i) % 8], e = v[(4 - i) % 8],
                       f = v[(5 - i) % 8], g = v[(6 - i) % 8];
            const word t1 = v[(7 - i) % 8] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                            ((e & f) ^ (~e & g)) + k[i] + w[i];
            v[(3 - i) % 8] += t1;
            v[(7 - i) % 8] =
                t1 + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        }
        for (unsigned i = 0; i < 8; i++)
            h[i] += v[i];
    }
    for (unsigned lane = 0; lane < s->n_lanes; lane++)
        for (unsigned i = 0; i < 8; i++)
            s->h[lane][i] = h[i][lane];
}

#if defined(__x86_64__)

static bool find_instructions(void)
{
    enum { SSSE3 = 1 << 9, SSE41 = 1 << 19, SHA = 1 << 29 };
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & SSSE3) == 0 || (c & SSE41) == 0)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & SHA) != 0;
}

/* Asked once: under a hypervisor the question takes longer than many digests. */
static bool has_instructions(void)
{
    enum { UNKNOWN, NONE, SOME };
    static atomic_int known;
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has == UNKNOWN) {
        has = find_instructions() ? SOME : NONE;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has == SOME;
}

static __m128i load(const void *p)
{
    return _mm_loadu_si128(p);
}

/*
 * The instructions want the state as {A, B, E, F} and {C, D, G, H}, and do two rounds at a time on
 * the low half of message plus constant. Each waits for the one before; the lanes do not wait for
 * each other. Unrolled at any -O, so that the indices of words are constants: a third faster.
 */
__attribute__((target("sha,sse4.1,ssse3"), always_inline)) static inline void
blocks_of(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks, const unsigned n_lanes)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abef[LANES], cdgh[LANES];
    for (unsigned j = 0; j < n_lanes; j++) {
        const __m128i dcba = _mm_shuffle_epi32(load(s->h[j]), 0xb1),
                      hgfe = _mm_shuffle_epi32(load(s->h[j] + 4), 0x1b);
        abef[j] = _mm_alignr_epi8(dcba, hgfe, 8);
        cdgh[j] = _mm_blend_epi16(hgfe, dcba, 0xf0);
    }
    for (; n_blocks > 0; n_blocks--, p += (size_t)64 * n_lanes) {
        __m128i ab[LANES], cd[LANES], w[LANES][4];
        memcpy(ab, abef, sizeof ab);
        memcpy(cd, cdgh, sizeof cd);
#pragma GCC unroll 64
        for (unsigned i = 0; i < 16 * n_lanes; i++) {
            const unsigned j = i % n_lanes, t = i / n_lanes;
            __m128i *const now = &w[j][t % 4];
            if (t < 4) {
                *now = _mm_shuffle_epi8(load(p + (size_t)64 * j + (size_t)16 * t), big_endian);
            } else {
                const __m128i w1 = w[j][(t + 1) % 4], w2 = w[j][(t + 2) % 4],
                              w3 = w[j][(t + 3) % 4];
                *now = _mm_sha256msg2_epu32(
                    _mm_add_epi32(_mm_sha256msg1_epu32(*now, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
            }
            const __m128i sum = _mm_add_epi32(*now, load(k + (size_t)4 * t));
            cd[j] = _mm_sha256rnds2_epu32(cd[j], ab[j], sum);
            ab[j] = _mm_sha256rnds2_epu32(ab[j], cd[j], _mm_shuffle_epi32(sum, 0x0e));
        }
        for (unsigned j = 0; j < n_lanes; j++) {
            abef[j] = _mm_add_epi32(abef[j], ab[j]);
            cdgh[j] = _mm_add_epi32(cdgh[j], cd[j]);
        }
    }
    for (unsigned j = 0; j < n_lanes; j++) {
        const __m128i feba = _mm_shuffle_epi32(abef[j], 0x1b),
                      dchg = _mm_shuffle_epi32(cdgh[j], 0xb1);
        _mm_storeu_si128((void *)s->h[j], _mm_blend_epi16(feba, dchg, 0xf0));
        _mm_storeu_si128((void *)(s->h[j] + 4), _mm_alignr_epi8(dchg, feba, 8));
    }
}

__attribute__((target("sha,sse4.1,ssse3"))) static void
blocks_instructions(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    if (s->n_lanes == 1)
        blocks_of(s, p, n_blocks, 1);
    else
        blocks_of(s, p, n_blocks, LANES);
}

#else

static bool has_instructions(void)
{
    return false;
}

static void blocks_instructions(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    blocks_portable(s, p, n_blocks);
}

#endif

static void blocks(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    if (s->portable)
        blocks_portable(s, p, n_blocks);
    else
        blocks_instructions(s, p, n_blocks);
}

/* Asked once for a digest: on a virtual machine the question takes as long as 30 KiB. */
void gs_sha256_begin_lanes(struct gs_sha256 *s, unsigned n_lanes)
{
    *s = (struct gs_sha256){.portable = !has_instructions(), .n_lanes = n_lanes};
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

/* Behind the last full round `block` has what is left, each lane's at 64 times its number. */
void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES])
{
    const size_t size = (size_t)64 * s->n_lanes, held = s->n_bytes % size;
    struct gs_sha256 all;
    gs_sha256_begin(&all);
    for (unsigned lane = 0; s->n_lanes > 1 && lane < s->n_lanes; lane++) {
        const size_t at = (size_t)64 * lane;
        struct gs_sha256 one = {
            .portable = s->portable, .n_lanes = 1, .n_bytes = s->n_bytes / size * 64};
        memcpy(one.h[0], s->h[lane], sizeof one.h[0]);
        gs_sha256_add(&one, s->block + at, gs_min(held - gs_min(held, at), 64));
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
