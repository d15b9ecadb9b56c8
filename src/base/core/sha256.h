/* sha256.h - SHA-256 of bytes, with the processor's own instructions where it has them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GS_SHA256_BYTES = 32, GS_SHA256_HEX = 65 }; /* 64 digits and a NUL */
enum { GS_SHA256_LANES = 16 };

/* How it is computed, the fastest last; gs_sha256_begin takes the last that the processor can. */
enum gs_sha256_way {
    GS_SHA256_PORTABLE,
    GS_SHA256_AVX2,
    GS_SHA256_AVX512,
    GS_SHA256_SHA,
    GS_SHA256_N_WAYS
};
bool gs_sha256_can(enum gs_sha256_way way);

/* A digest being made. Holds no pointers: copy it to go on in two directions. */
struct gs_sha256 {
    uint32_t h[GS_SHA256_LANES][8];
    uint64_t n_bytes; /* added so far                                                */
    unsigned char block[GS_SHA256_LANES * 64]; /* the last n_bytes % (64 n_lanes) of them */
    unsigned n_lanes;
    enum gs_sha256_way way;
};

/* Source: FIPS 180-4. Fewer than 2^61 bytes. */
void gs_sha256_begin(struct gs_sha256 *s);

/*
 * GS_SHA256_LANES lanes are another digest of the same strength at several times the speed, for
 * what no other program reads: words of 4 bytes go to the lanes in turn, and the digest is the
 * SHA-256 of the lanes' SHA-256. One lane is SHA-256 itself.
 */
void gs_sha256_begin_lanes(struct gs_sha256 *s, unsigned n_lanes);
void gs_sha256_add(struct gs_sha256 *s, const void *bytes, size_t n);

/* Ends the digest, as digits or bytes; `s` must be begun again before the next. */
void gs_sha256_end(struct gs_sha256 *s, char hex[GS_SHA256_HEX]);
void gs_sha256_end_bytes(struct gs_sha256 *s, unsigned char bytes[GS_SHA256_BYTES]);
