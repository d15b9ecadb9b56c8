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

static uint32_t rotate(uint32_t v, unsigned by)
{
    return v >> by | v << (32 - by);
}

/*
 * Any processor takes this path when asked to (`portable`), so that tests compare both
 * implementations on one machine.
 */
static void blocks_portable(uint32_t h[8], const unsigned char *p, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, p += 64) {
        uint32_t w[64], s[8];
        for (unsigned i = 0; i < 16; i++)
            w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
                   (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
        for (unsigned i = 16; i < 64; i++) {
            const uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
        }
        memcpy(s, h, sizeof s);
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                                ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            const uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                                ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t1;
            s[0] = t1 + t2;
        }
        for (unsigned i = 0; i < 8; i++)
            h[i] += s[i];
    }
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
 * The instructions want the state as {A, B, E, F} and {C, D, G, H}, and do two rounds at a time on the low half
 * of message plus constant. Unrolled at any -O, so that which of the four words it is is known beforehand: a third faster.
 */
__attribute__((target("sha,sse4.1,ssse3"))) static void
blocks_instructions(uint32_t h[8], const unsigned char *p, size_t n_blocks)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i dcba = _mm_shuffle_epi32(load(h), 0xb1),
                  hgfe = _mm_shuffle_epi32(load(h + 4), 0x1b);
    __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
    for (; n_blocks > 0; n_blocks--, p += 64) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (unsigned i = 0; i < 4; i++)
            w[i] = _mm_shuffle_epi8(load(p + (size_t)16 * i), big_endian);
#pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++) {
            if (i >= 4) {
                const __m128i w0 = w[i % 4], w1 = w[(i + 1) % 4], w2 = w[(i + 2) % 4],
                              w3 = w[(i + 3) % 4];
                w[i % 4] = _mm_sha256msg2_epu32(
                    _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3);
            }
            const __m128i sum = _mm_add_epi32(w[i % 4], load(k + (size_t)4 * i));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((void *)h, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((void *)(h + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static void blocks(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    if (!s->portable)
        blocks_instructions(s->h, p, n_blocks);
    else
        blocks_portable(s->h, p, n_blocks);
}

#else

static bool has_instructions(void)
{
    return false;
}

static void blocks(struct gs_sha256 *s, const unsigned char *p, size_t n_blocks)
{
    blocks_portable(s->h, p, n_blocks);
}

#endif

/* Asked once for a digest: on a virtual machine the question takes as long as 30 KiB. */
void gs_sha256_begin(struct gs_sha256 *s)
{
    *s = (struct gs_sha256){.portable = !has_instructions(),
                            .h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void gs_sha256_add(struct gs_sha256 *s, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    const size_t held = s->n_bytes % 64;
    if (n == 0)
        return;
    s->n_bytes += n;
    if (held > 0) {
        const size_t take = gs_min(n, 64 - held);
        memcpy(s->block + held, p, take);
        p += take;
        n -= take;
        if (held + take < 64)
            return;
        blocks(s, s->block, 1);
    }
    /*
     * Whole blocks are hashed where they lie in the caller's buffer; only the rest is copied.
     * `held` is 0 here or the block was just finished.
     */
    if (n >= 64)
        blocks(s, p, n / 64);
    if (n % 64 > 0)
        memcpy(s->block, p + n / 64 * 64, n % 64);
}

/*
 * The length is taken before the padding, because gs_sha256_add counts the padding too. The
 * padding ends 8 bytes before a block's end, so the length always closes the last block.
 */
void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES])
{
    static const unsigned char one_bit[64] = {0x80};
    const uint64_t n_bits = s->n_bytes * 8;
    unsigned char length[8];
    for (unsigned i = 0; i < 8; i++)
        length[i] = (unsigned char)(n_bits >> (56 - 8 * i));
    gs_sha256_add(s, one_bit, 1 + (119 - s->n_bytes % 64) % 64);
    gs_sha256_add(s, length, sizeof length);
    for (unsigned i = 0; i < GS_SHA256_BYTES; i++)
        bytes[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
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
